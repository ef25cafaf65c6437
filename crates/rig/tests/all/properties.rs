//! Properties of every rig and every pose.

use crate::build;
use crate::build::{chain, nodes, pose};
use dopesheet_core::model::{
    AngleLimit, Append, Axis, Basis, IkChain, JointOffset, MorphEffect, Node, NodeIndex, Rig, RigJoint,
    RigMorph, Scene, Transform, rebase,
};
use dopesheet_rig::{Behaviour, RigPose, SolvedPose, Solver};
use dopesheet_testkit::rotation_angle;
use proptest::prelude::*;

const COUNT: usize = 7;

type Number = BoxedStrategy<f64>;

/// Numbers as animators have them, and as files may have them.
fn number() -> Number {
    prop_oneof![
        8 => -5.0..5.0,
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(f64::MIN_POSITIVE), Just(1e-12), Just(1e12)],
        1 => prop_oneof![Just(f64::MAX), Just(f64::MIN), Just(1e200), Just(-1e120), Just(5e-324)],
    ]
    .boxed()
}

fn modest() -> Number {
    (-3.0..3.0).boxed()
}

fn vector(part: Number) -> BoxedStrategy<[f64; 3]> {
    (part.clone(), part.clone(), part).prop_map(|(x, y, z)| [x, y, z]).boxed()
}

fn rotation() -> impl Strategy<Value = [f64; 4]> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0_f64).prop_map(|(x, y, z, w)| glam_unit([x, y, z, w]))
}

fn glam_unit(q: [f64; 4]) -> [f64; 4] {
    dopesheet_curve::quat_normalise_or_identity(q)
}

fn any_rotation() -> impl Strategy<Value = [f64; 4]> {
    prop_oneof![
        6 => rotation(),
        1 => (number(), number(), number(), number()).prop_map(|(x, y, z, w)| [x, y, z, w]),
    ]
}

fn node() -> impl Strategy<Value = NodeIndex> {
    (0..COUNT).prop_map(NodeIndex)
}

fn joint(place: Number) -> impl Strategy<Value = RigJoint> {
    let append = (node(), place.clone(), any::<[bool; 3]>()).prop_map(
        |(source, ratio, [rotation, translation, local])| Append {
            source,
            ratio,
            rotation,
            translation,
            local,
        },
    );
    let parts = (
        -2..3,
        proptest::bool::weighted(0.1),
        proptest::option::of(append),
        proptest::option::of(vector(place)),
    );
    parts.prop_map(|(level, after_physics, append, fixed_axis)| RigJoint {
        node: NodeIndex(0),
        level,
        after_physics,
        append,
        fixed_axis,
    })
}

fn limit() -> impl Strategy<Value = AngleLimit> {
    let ends = prop_oneof![Just([0.0; 3]), vector((-3.5..3.5).boxed())];
    (ends.clone(), ends).prop_map(|(min_rad, max_rad)| AngleLimit { min_rad, max_rad })
}

fn ik() -> impl Strategy<Value = IkChain> {
    let links = prop::collection::vec((0..COUNT, proptest::option::of(limit())), 0..4);
    let step = prop_oneof![5 => 0.01..4.0, 1 => number()];
    let parts = (0..COUNT, 0..COUNT, prop_oneof![5 => 0..50_u32, 1 => any::<u32>()], step, links);
    parts.prop_map(|(goal, effector, rounds, step, links)| chain(goal, effector, rounds, step, &links))
}

fn skeleton(part: Number) -> impl Strategy<Value = Vec<Node>> {
    let parents: [_; COUNT] = std::array::from_fn(|i| proptest::option::weighted(0.8, 0..i.max(1)));
    (parents, prop::collection::vec(vector(part), COUNT)).prop_map(|(parents, places)| {
        let parent = |i: usize| parents[i].filter(|_| i > 0);
        let mut nodes = nodes(&(0..COUNT).map(|i| (parent(i), [0.0; 3])).collect::<Vec<_>>());
        for (node, place) in nodes.iter_mut().zip(places) {
            node.rest.translation = place;
        }
        nodes
    })
}

fn rig(part: Number) -> impl Strategy<Value = Rig> {
    let offset = (node(), vector(part.clone()), any_rotation())
        .prop_map(|(node, translation, rotation)| JointOffset { node, translation, rotation });
    let effect = prop_oneof![
        prop::collection::vec(offset, 0..3).prop_map(MorphEffect::Joints),
        prop::collection::vec((0..2_usize, part.clone()), 0..3).prop_map(MorphEffect::Group),
        prop::collection::vec((0..2_usize, part.clone()), 0..3).prop_map(MorphEffect::Flip),
    ];
    let joints = prop::collection::vec(joint(part), COUNT);
    (joints, prop::collection::vec(ik(), 0..3), prop::collection::vec(effect, 2)).prop_map(
        |(mut joints, ik, effects)| {
            for (i, joint) in joints.iter_mut().enumerate() {
                joint.node = NodeIndex(i);
            }
            let morphs = effects.into_iter().map(|effect| RigMorph { name: String::new(), effect }).collect();
            Rig { joints, ik, morphs }
        },
    )
}

fn poses(part: Number) -> impl Strategy<Value = (Vec<Transform>, [f64; 2])> {
    let transform = (vector(part.clone()), any_rotation()).prop_map(|(translation, rotation)| Transform {
        translation,
        rotation,
        scale: [1.0; 3],
    });
    (prop::collection::vec(transform, COUNT), (part.clone(), part).prop_map(|(a, b)| [a, b]))
}

fn solve(solver: &Solver, local: &[Transform], morphs: &[f64], out: &mut SolvedPose) {
    solver.solve(&RigPose { local, morphs, ik: &[] }, out);
}

proptest! {
    #[test]
    fn finite_poses_stay_finite_and_rotations_of_unit_length(
        nodes in skeleton(number()), rig in rig(number()), (local, morphs) in poses(number())
    ) {
        for behaviour in [Behaviour::Mmd, Behaviour::Babylon] {
            let solver = Solver::new(&nodes, &rig, behaviour).expect("a rig whose names are all there");
            let mut out = solver.pose();
            solve(&solver, &local, &morphs, &mut out);
            for transform in out.local.iter().chain(&out.model) {
                prop_assert!(transform.translation.iter().all(|x| x.is_finite()), "{:?}", transform);
                let length = transform.rotation.iter().map(|x| x * x).sum::<f64>();
                prop_assert!((length - 1.0).abs() < 1e-9, "{:?}", transform);
            }
        }
    }

    #[test]
    fn a_pose_has_one_answer_whatever_came_before(
        nodes in skeleton(modest()), rig in rig(modest()), first in poses(modest()), second in poses(modest())
    ) {
        let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig whose names are all there");
        let mut fresh = solver.pose();
        solve(&solver, &second.0, &second.1, &mut fresh);
        let mut used = solver.pose();
        solve(&solver, &first.0, &first.1, &mut used);
        solve(&solver, &second.0, &second.1, &mut used);
        prop_assert_eq!(&fresh.local, &used.local);
        prop_assert_eq!(&fresh.model, &used.model);
    }

    #[test]
    fn joints_that_the_rig_does_not_touch_stay_as_keyed(
        nodes in skeleton(modest()), rig in rig(modest()), (local, morphs) in poses(modest())
    ) {
        let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig whose names are all there");
        let mut out = solver.pose();
        solve(&solver, &local, &morphs, &mut out);
        for (node, touched) in solver.touched().iter().enumerate() {
            if !touched {
                prop_assert_eq!(out.local[node].translation, local[node].translation);
                prop_assert_eq!(out.local[node].rotation, glam_unit(local[node].rotation));
            }
        }
    }

    #[test]
    fn joints_that_the_rig_does_not_ask_for_do_not_change_what_it_does(
        nodes in skeleton(modest()), rig in rig(modest()), first in poses(modest()), (others, _) in poses(modest())
    ) {
        let solver = Solver::new(&nodes, &rig, Behaviour::Mmd).expect("a rig whose names are all there");
        let asked = solver.asked();
        let (local, morphs) = first;
        let changed: Vec<Transform> = (0..COUNT).map(|n| if asked[n] { local[n] } else { others[n] }).collect();
        let [own, other] = [&local, &changed].map(|local| {
            let mut out = solver.pose();
            solve(&solver, local, &morphs, &mut out);
            out.local
        });
        for node in (0..COUNT).filter(|node| solver.touched()[*node]) {
            prop_assert_eq!(own[node], other[node]);
        }
    }

    #[test]
    fn without_constraints_a_pose_is_its_own_answer(nodes in skeleton(modest()), (local, _) in poses(modest())) {
        let solver = Solver::new(&nodes, &Rig::default(), Behaviour::Mmd).expect("an empty rig");
        let mut out = solver.pose();
        solve(&solver, &local, &[], &mut out);
        prop_assert!(solver.touched().iter().all(|touched| !touched));
        for (found, keyed) in out.local.iter().zip(&local) {
            prop_assert_eq!(found.translation, keyed.translation);
            prop_assert_eq!(found.rotation, glam_unit(keyed.rotation));
        }
    }

    #[test]
    fn a_limited_link_keeps_its_limits(
        low in -2.5..0.0, high in 0.0..2.5, goal in vector(modest()), keyed in rotation(), axis in 0..3_usize,
        iterations in 0..30_u32
    ) {
        let (mut min_rad, mut max_rad) = ([0.0; 3], [0.0; 3]);
        (min_rad[axis], max_rad[axis]) = (low, high);
        let limit = AngleLimit { min_rad, max_rad };
        let nodes = build::leg(goal);
        let links = [(1, Some(limit)), (0, None)];
        let rig = Rig { ik: vec![chain(3, 2, iterations, 1.0, &links)], ..Rig::default() };
        let mut local = pose(&nodes);
        local[1].rotation = keyed;
        for behaviour in [Behaviour::Mmd, Behaviour::Babylon] {
            let out = build::solved(&nodes, &rig, behaviour, &local);
            let turn = out.local[1].rotation;
            if turn == keyed {
                continue;
            }
            for other in (0..3).filter(|k| *k != axis) {
                prop_assert!(turn[other].abs() < 1e-12, "{:?}", turn);
            }
            let angle = dopesheet_curve::wrap_angle(2.0 * turn[axis].atan2(turn[3]));
            prop_assert!((low - 1e-9..=high + 1e-9).contains(&angle), "{angle} not in {low}..{high}");
        }
    }

    /// Limits, axes and offsets of a rig mean the same in any basis, so a scene can be rebased before it is solved.
    #[test]
    fn a_mirrored_rig_solves_to_the_mirrored_pose(
        nodes in skeleton(modest()), mut rig in rig(modest()), (local, morphs) in poses(modest())
    ) {
        // What is a unit vector in a model must be one here.
        for axis in rig.joints.iter_mut().filter_map(|j| j.fixed_axis.as_mut()) {
            *axis = [0.6, 0.0, -0.8];
        }
        let mmd = Basis {
            left: Axis::PosX, up: Axis::PosY, front: Axis::NegZ, metres_per_unit: None,
            camera_looks: Axis::PosZ, light_shines: Axis::PosZ,
        };
        let mut scene = Scene::new(mmd);
        scene.nodes = nodes;
        scene.rig = rig;
        let mut posed = scene.clone();
        for (node, keyed) in posed.nodes.iter_mut().zip(&local) {
            node.rest = *keyed;
        }
        let solver = Solver::new(&scene.nodes, &scene.rig, Behaviour::Mmd).expect("a rig whose names are all there");
        let mut out = solver.pose();
        solve(&solver, &local, &morphs, &mut out);
        for (node, solved) in posed.nodes.iter_mut().zip(&out.local) {
            node.rest = *solved;
        }
        let mut keyed = scene.clone();
        for (node, local) in keyed.nodes.iter_mut().zip(&local) {
            node.rest = *local;
        }
        for scene in [&mut scene, &mut posed, &mut keyed] {
            rebase(scene, &Basis::GLTF, None);
        }
        let solver = Solver::new(&scene.nodes, &scene.rig, Behaviour::Mmd).expect("a rig whose names are all there");
        let mirrored: Vec<Transform> = keyed.nodes.iter().map(|n| n.rest).collect();
        let mut out = solver.pose();
        solve(&solver, &mirrored, &morphs, &mut out);
        for (found, expected) in out.local.iter().zip(&posed.nodes) {
            prop_assert!(rotation_angle(found.rotation, expected.rest.rotation) < 1e-6);
        }
    }
}
