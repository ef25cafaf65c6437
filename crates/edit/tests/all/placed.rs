//! Roots placed, turned and scaled, and feet put on the ground.

use crate::assert_says;
use crate::smoothed::standing;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::model::{
    Axis, Basis, Channel, Clip, Composition, Curve, EulerOrder, Handles, Hierarchy, Law, Laws, Node,
    NodeIndex, Orbit, PoseRelation, Property, Scene, Target, TargetKind, Times, Timing, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_edit::{Length, Move, Operation, Reason, Way};
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use glam::{DAffine3, DQuat, DVec3};
use proptest::prelude::*;

const MMD: Basis = Basis { front: Axis::NegZ, metres_per_unit: Some(0.08), ..Basis::GLTF };

fn way(x: f64, y: f64, z: f64) -> Move {
    Move { by: Way([x, y, z].map(Length::Units)), ..Move::default() }
}

fn turn(degrees: f64) -> Move {
    Move { turn_deg: degrees, ..Move::default() }
}

fn apply(scene: &mut Scene, options: Move) -> Result<Report, Reason> {
    let mut report = Report::default();
    Operation::Move(options).apply(scene, 0, &mut report).map_err(|refused| refused.reason)?;
    Ok(report)
}

fn track(name: &str, node: usize, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(TargetKind::Joint, name, node, Some(NodeIndex(node))), channels }
}

fn curve(width: usize, times: &[f64], values: &[f32], law: Law) -> Curve {
    Curve::new(Times::Seconds(times.into()), width, values.to_vec(), Laws::uniform(law))
}

fn scene(basis: Basis, nodes: Vec<Node>, tracks: Vec<Track>) -> Scene {
    let clip = Clip { duration: Seconds(1.0), tracks, ..Clip::default() };
    Scene { nodes, clips: vec![clip], ..Scene::new(basis) }
}

fn rest(translation: [f64; 3], rotation: DQuat, scale: f64) -> Transform {
    Transform { translation, rotation: rotation.to_array(), scale: [scale; 3] }
}

/// Hips below an armature that is turned and a hundredth in size, as exporters leave it, with cubic curves.
fn armature() -> Scene {
    let law = Law::HERMITE;
    let handles = |count: usize| {
        let slopes: Vec<f32> = (0..count).map(|at| (at as f32 * 0.7).sin() * 30.0).collect();
        Some(Box::new(Handles { arriving: slopes.iter().map(|x| -x).collect(), leaving: slopes }))
    };
    let places =
        Curve { handles: handles(6), ..curve(3, &[0.0, 1.0], &[0.0, 90.0, 5.0, 10.0, 95.0, -60.0], law) };
    let quats = [DQuat::IDENTITY, DQuat::from_rotation_z(0.5)].map(|quat| quat.to_array()).concat();
    let quats: Vec<f32> = quats.iter().map(|x| *x as f32).collect();
    let turns = curve(4, &[0.0, 1.0], &quats, Law::SLERP);
    let channels =
        vec![Channel::whole(Property::Translation, places), Channel::whole(Property::Rotation, turns)];
    let nodes = vec![
        Node::new("Armature", None, rest([0.1, 0.0, 0.2], DQuat::from_rotation_x(-1.5), 0.01)),
        Node::new("Hips", Some(NodeIndex(0)), rest([0.0, 90.0, 0.0], DQuat::IDENTITY, 1.0)),
        Node::new("Head", Some(NodeIndex(1)), rest([0.0, 60.0, 3.0], DQuat::from_rotation_y(0.3), 1.0)),
    ];
    scene(Basis::GLTF, nodes, vec![track("Hips", 1, channels)])
}

fn models(scene: &Scene, time: f64) -> Vec<DAffine3> {
    model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time))).0
}

proptest! {
    #[test]
    fn all_of_a_figure_goes_where_it_is_moved_to(
        degrees in -400.0f64..400.0, by in prop::array::uniform3(-3.0f64..3.0), time in 0.0f64..1.0,
    ) {
        let before = armature();
        let mut after = before.clone();
        let report = apply(&mut after, Move { turn_deg: degrees, ..way(by[0], by[1], by[2]) }).unwrap();
        prop_assert_eq!(report.losses, vec![]);
        let map = DAffine3::from_rotation_translation(DQuat::from_rotation_y(degrees.to_radians()), by.into());
        for (at, (old, new)) in models(&before, time).iter().zip(models(&after, time)).enumerate().skip(1) {
            let should = map * *old;
            prop_assert!(new.abs_diff_eq(should, 1e-5), "{} {:?} {:?}", at, new, should);
        }
        // What stands still does not go with it.
        prop_assert_eq!(models(&before, time)[0], models(&after, time)[0]);
    }

    #[test]
    fn there_and_back_is_where_it_was(degrees in 0.0f64..360.0, x in -3.0f64..3.0) {
        let before = armature();
        let mut after = before.clone();
        apply(&mut after, Move { turn_deg: degrees, ..Move::default() }).unwrap();
        apply(&mut after, way(x, 0.0, 0.0)).unwrap();
        apply(&mut after, way(-x, 0.0, 0.0)).unwrap();
        apply(&mut after, Move { turn_deg: -degrees, ..Move::default() }).unwrap();
        for (old, new) in models(&before, 0.4).iter().zip(models(&after, 0.4)) {
            prop_assert!(new.abs_diff_eq(*old, 1e-5));
        }
    }
}

#[test]
fn what_moves_nothing_touches_no_key() {
    let before = armature();
    for options in [Move::default(), turn(0.0), turn(720.0), Move { scale: Some(1.0), ..Move::default() }] {
        let mut after = before.clone();
        apply(&mut after, options).unwrap();
        assert_eq!(after, before, "{options:?}");
    }
}

#[test]
fn a_way_along_one_axis_leaves_the_others_to_the_bit() {
    let places = curve(3, &[0.0, 1.0], &[0.1, 0.2, 0.3, 1.1, 1.2, 1.3], Law::LINEAR);
    let hips = Node::new("Hips", None, Transform::IDENTITY);
    let mut scene = scene(
        Basis::GLTF,
        vec![hips],
        vec![track("Hips", 0, vec![Channel::whole(Property::Translation, places)])],
    );
    apply(&mut scene, way(2.0, 0.0, 0.0)).unwrap();
    let curve = scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap();
    assert_eq!(curve.values, [2.1, 0.2, 0.3, 3.1, 1.2, 1.3]);
}

#[test]
fn a_root_that_only_branches_gets_keys_of_its_own() {
    let nodes = vec![
        Node::new("Hips", None, rest([0.0, 1.0, 0.0], DQuat::IDENTITY, 1.0)),
        Node::new("Left", Some(NodeIndex(0)), rest([1.0, 0.0, 0.0], DQuat::IDENTITY, 1.0)),
        Node::new("Right", Some(NodeIndex(0)), rest([-1.0, 0.0, 0.0], DQuat::IDENTITY, 1.0)),
    ];
    let turns =
        || vec![Channel::whole(Property::Rotation, curve(4, &[0.0], &[0.0, 0.0, 0.0, 1.0], Law::SLERP))];
    let mut scene = scene(Basis::GLTF, nodes, vec![track("Left", 1, turns()), track("Right", 2, turns())]);
    apply(&mut scene, Move { turn_deg: 90.0, ..way(0.0, 0.0, 2.0) }).unwrap();
    let model = models(&scene, 0.5);
    // A figure that faces +Z turns to its left, which is +X.
    assert!(model[1].translation.abs_diff_eq(DVec3::new(0.0, 1.0, 1.0), 1e-6), "{model:?}");
    assert!(model[2].translation.abs_diff_eq(DVec3::new(0.0, 1.0, 3.0), 1e-6), "{model:?}");
    assert_eq!(scene.clips[0].tracks.len(), 3);
}

#[test]
fn a_face_that_only_morphs_is_no_root() {
    let mut before = armature();
    let mesh = NodeIndex(before.nodes.len());
    before.nodes.push(Node::new("Body", None, Transform::IDENTITY));
    let weights = Channel::whole(Property::Weights, curve(2, &[0.0], &[0.2, 0.3], Law::LINEAR));
    let target = Target::new(TargetKind::Morph, "Body", mesh.0, Some(mesh));
    before.clips[0].tracks.push(Track { target, channels: vec![weights] });
    let mut after = before.clone();
    apply(&mut after, Move { turn_deg: 90.0, ..way(1.0, 0.0, 0.0) }).unwrap();
    assert_eq!(after.clips[0].tracks[1], before.clips[0].tracks[1]);
    assert_ne!(after.clips[0].tracks[0], before.clips[0].tracks[0]);
}

#[test]
fn figures_of_any_file_turn_to_their_left() {
    for basis in [Basis::GLTF, Basis::UNITY, MMD] {
        let [front, left] = [basis.front, basis.left].map(|axis| axis.vector().map(|x| x as f32));
        let places = curve(3, &[0.0], &front, Law::LINEAR);
        let channels = vec![Channel::whole(Property::Translation, places)];
        let mut scene =
            scene(basis, vec![Node::new("a", None, Transform::IDENTITY)], vec![track("a", 0, channels)]);
        apply(&mut scene, turn(90.0)).unwrap();
        let curves: Vec<&Curve> = scene.clips[0].tracks[0].channels[0].composition.curves().collect();
        assert_eq!(curves[0].values, left, "{basis:?}");
        let forward = front.map(f64::from);
        let model = models(&scene, 0.0)[0].matrix3 * DVec3::from(forward);
        assert!(model.abs_diff_eq(DVec3::from(left.map(f64::from)), 1e-6), "{basis:?}");
    }
}

fn eased(x1: f32) -> Law {
    Law { timing: Timing::Bezier { x1, y1: 0.0, x2: 0.5, y2: 1.0 }, ..Law::LINEAR }
}

/// A dancer's bones side by side, with the bone that carries all others, whose axes have curves of their own.
fn dancer(laws: [Law; 3]) -> Scene {
    let line = |at: usize| curve(1, &[0.0, 1.0], &[[1.0, 3.0], [0.0, 1.0], [-2.0, 4.0]][at], laws[at]);
    let places = Channel {
        property: Property::Translation,
        composition: Composition::Components((0..3).map(line).collect()),
        native: None,
    };
    let centre =
        Channel { composition: Composition::Components((0..3).map(line).collect()), ..places.clone() };
    let names = ["全ての親", "センター"];
    let nodes = names.map(|name| Node::new(name, None, Transform::IDENTITY)).into();
    let mut scene =
        scene(MMD, nodes, vec![track(names[0], 0, vec![places]), track(names[1], 1, vec![centre])]);
    scene.hierarchy = Hierarchy::Unknown;
    scene.clips[0].relation = PoseRelation::OnTopOfRest;
    scene
}

fn axes(scene: &Scene, track: usize) -> Vec<Curve> {
    scene.clips[0].tracks[track].channels[0].composition.curves().cloned().collect()
}

#[test]
fn a_quarter_turn_exchanges_the_curves_of_axes_and_keeps_their_handles() {
    let before = dancer([eased(0.2), eased(0.4), eased(0.6)]);
    let mut after = before.clone();
    let report = apply(&mut after, turn(90.0)).unwrap();
    assert_eq!(report.losses, []);
    let (old, new) = (axes(&before, 0), axes(&after, 0));
    // The front −Z comes to the left +X, and that to the back: x' = −z, z' = x.
    let flipped: Vec<f32> = old[2].values.iter().map(|x| -x).collect();
    assert_eq!((&new[0].values, &new[0].laws), (&flipped, &old[2].laws));
    assert_eq!((&new[2].values, &new[2].laws), (&old[0].values, &old[0].laws));
    assert_eq!(new[1], old[1]);
    assert_eq!(axes(&after, 1), axes(&before, 1), "what it carries stays");
    let turned = &after.clips[0].tracks[0].channels[1];
    assert_eq!(
        (&turned.property, turned.composition.curves().next().unwrap().len()),
        (&Property::Rotation, 1)
    );
}

#[test]
fn axes_with_one_timing_turn_exactly_and_others_say_what_they_are_off() {
    let mut same = dancer([eased(0.3); 3]);
    assert_eq!(apply(&mut same, turn(30.0)).unwrap().losses, []);
    let before = dancer([eased(0.0), eased(0.3), eased(0.9)]);
    let mut after = before.clone();
    let report = apply(&mut after, turn(30.0)).unwrap();
    let [Loss::Approximated { what, max_error, .. }] = report.losses.as_slice() else { panic!("{report:?}") };
    assert_eq!((&**what, &*max_error.target), ("1 channel turned, exact at keys", "全ての親"));
    assert!(max_error.value > 0.001 && max_error.value < 0.3, "{max_error:?}");
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let (old, new) = (axes(&before, 0), axes(&after, 0));
    for key in 0..2 {
        let [x, z] = [0, 2].map(|axis: usize| f64::from(old[axis].values[key]));
        let found = [0, 2].map(|axis: usize| f64::from(new[axis].values[key]));
        assert!(
            (found[0] - (cos * x - sin * z)).abs() < 1e-6 && (found[1] - (cos * z + sin * x)).abs() < 1e-6
        );
    }
}

#[test]
fn a_dancer_without_the_bone_that_carries_all_gets_it_and_no_other_key_changes() {
    let mut before = dancer([Law::LINEAR; 3]);
    before.clips[0].tracks.remove(0);
    before.nodes.remove(0);
    before.clips[0].tracks[0].target.node = Some(NodeIndex(0));
    let mut after = before.clone();
    apply(
        &mut after,
        Move {
            turn_deg: 90.0,
            by: Way([Length::Metres(0.8), Length::Units(0.0), Length::Units(0.0)]),
            ..Move::default()
        },
    )
    .unwrap();
    assert_eq!(after.clips[0].tracks[0], before.clips[0].tracks[0]);
    let carrier = &after.clips[0].tracks[1];
    assert_eq!(carrier.target.name, "全ての親");
    let values: Vec<f32> =
        carrier.channels[0].composition.curves().flat_map(|own| own.values.clone()).collect();
    assert_eq!(values, [10.0, 0.0, 0.0]);
}

#[test]
fn a_dancer_of_another_size_goes_further_on_all_bones() {
    let before = dancer([eased(0.3); 3]);
    let mut after = before.clone();
    apply(&mut after, Move { scale: Some(2.0), ..Move::default() }).unwrap();
    for track in 0..2 {
        for (old, new) in axes(&before, track).iter().zip(axes(&after, track)) {
            let doubled: Vec<f32> = old.values.iter().map(|x| 2.0 * x).collect();
            assert_eq!((new.values, &new.laws), (doubled, &old.laws));
        }
    }
}

#[test]
fn a_camera_goes_around_with_the_figure() {
    let line = |values: &[f32], width| curve(width, &[0.0, 1.0], values, eased(0.4));
    let orbit = Orbit {
        target: vec![line(&[1.0, 2.0], 1), line(&[10.0, 12.0], 1), line(&[0.0, -3.0], 1)],
        angles: line(&[0.1, 0.5, 0.0, -0.2, 1.5, 0.3], 3),
        distance: line(&[-45.0, -30.0], 1),
        order: EulerOrder::Yxz,
        angle_signs: [-1.0, 1.0, 1.0],
        axis: [0.0, 0.0, 1.0],
    };
    let placement = Channel {
        property: Property::Placement,
        composition: Composition::Orbit(Box::new(orbit)),
        native: None,
    };
    let target = Target::new(TargetKind::Camera, "camera", 0, Some(NodeIndex(0)));
    let before = Scene {
        hierarchy: Hierarchy::Unknown,
        ..scene(
            MMD,
            vec![Node::new("camera", None, Transform::IDENTITY)],
            vec![Track { target, channels: vec![placement] }],
        )
    };
    let mut after = before.clone();
    apply(&mut after, Move { turn_deg: 90.0, scale: Some(1.5), ..way(2.0, 0.0, 1.0) }).unwrap();
    for time in [0.0, 0.3, 1.0] {
        let (old, new) = (models(&before, time)[0], models(&after, time)[0]);
        let turn = DQuat::from_rotation_y(-90f64.to_radians());
        // In MikuMikuDance's axes, which are left-handed, the left of −Z is +X.
        let turn = if (turn * DVec3::NEG_Z).x > 0.5 { turn } else { turn.inverse() };
        let place = 1.5 * (turn * old.translation) + DVec3::new(2.0, 0.0, 1.0);
        assert!(new.translation.abs_diff_eq(place, 1e-4), "{time}: {} {place}", new.translation);
    }
}

#[test]
fn angles_whose_outermost_turn_is_upright_keep_their_curves() {
    let angles = vec![curve(3, &[0.0, 1.0], &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0], Law::LINEAR)];
    let euler = |order| Channel {
        property: Property::Rotation,
        composition: Composition::Euler { order, angles: angles.clone() },
        native: Some(dopesheet_core::model::Native { name: "deg".into(), scale: 1f64.to_radians() }),
    };
    for (order, is_exact) in [(EulerOrder::Yxz, true), (EulerOrder::Zxy, false)] {
        let nodes = vec![Node::new("a", None, Transform::IDENTITY)];
        let before = scene(Basis::GLTF, nodes, vec![track("a", 0, vec![euler(order)])]);
        let mut after = before.clone();
        let report = apply(&mut after, turn(45.0)).unwrap();
        assert_eq!(report.losses.is_empty(), is_exact, "{order:?} {report:?}");
        for (time, slack) in [(0.0, 1e-5), (1.0, 1e-5), (0.5, if is_exact { 1e-5 } else { 0.2 })] {
            let should = DQuat::from_rotation_y(45f64.to_radians())
                * DQuat::from_mat3(&models(&before, time)[0].matrix3);
            let found = DQuat::from_mat3(&models(&after, time)[0].matrix3);
            assert!(found.angle_between(should) < slack, "{order:?} {time}");
        }
    }
}

#[test]
fn feet_that_float_come_to_the_ground() {
    let mut scene = standing(0.05);
    apply(&mut scene, way(0.3, 0.25, 0.0)).unwrap();
    let foot = |scene: &Scene| models(scene, 1.0)[3].translation;
    assert!((foot(&scene).y - 0.35).abs() < 1e-4);
    apply(&mut scene, Move { grounds: true, ..Move::default() }).unwrap();
    // At rest its ankles are 10 cm above the ground.
    assert!(foot(&scene).abs_diff_eq(DVec3::new(0.4, 0.1, 0.0), 1e-4), "{}", foot(&scene));
}

#[test]
fn what_cannot_be_moved_is_refused() {
    let refused = |mut scene: Scene, options| apply(&mut scene, options).unwrap_err();
    assert_says(
        &refused(armature(), Move { scale: Some(0.0), ..Move::default() }),
        "expected a number above 0, found 0",
    );
    assert_says(&refused(armature(), turn(f64::NAN)), "expected a number of degrees");
    assert_says(
        &refused(armature(), Move { grounds: true, ..Move::default() }),
        "expected a figure that stands",
    );
    let mut side_by_side = armature();
    side_by_side.hierarchy = Hierarchy::Unknown;
    assert_says(&refused(side_by_side, turn(90.0)), "expected a file that says which joint hangs on which");
    let mut uneven = armature();
    uneven.nodes[0].rest.scale = [1.0, 2.0, 1.0];
    assert_says(&refused(uneven, turn(90.0)), "nodes above \"Hips\" that scale all axes alike");
    assert_says(
        &refused(scene(Basis::GLTF, Vec::new(), Vec::new()), turn(90.0)),
        "expected joints, a camera or a light",
    );
    for text in ["", "1,2", "1m,2m,3in", "a,b,c", "1,2,3,4", "nan,0,0"] {
        assert_says(
            &text.parse::<Way>().unwrap_err(),
            &format!(
                "three lengths (1m,0,-20cm; without m, cm or mm in units of the file), found \"{text}\""
            ),
        );
    }
    let lengths = [Length::Metres(1.0), Length::Metres(-0.2), Length::Units(3.0)];
    assert_eq!("1m, -20cm,3".parse(), Ok(Way(lengths)));
}
