//! Figures put onto the skeletons of others, which rest in other poses and have other lengths.

use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, HumanBone as B, Humanoid, Law, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_human::{Carry, CarryOptions, Figure, Planted, carry};
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_testkit::curves::{FPS_30, frames, wide};
use glam::{DAffine3, DQuat, DVec3, EulerRot};

/// Bone, bone above, place in the T-pose.
type Row = (B, B, [f64; 3]);

const ROWS: [Row; 18] = [
    (B::Hips, B::Hips, [0.0, 1.0, 0.0]),
    (B::Spine, B::Hips, [0.0, 1.1, 0.0]),
    (B::Chest, B::Spine, [0.0, 1.2, 0.0]),
    (B::UpperChest, B::Chest, [0.0, 1.3, 0.0]),
    (B::Neck, B::UpperChest, [0.0, 1.4, 0.0]),
    (B::Head, B::Neck, [0.0, 1.5, 0.0]),
    (B::LeftUpperLeg, B::Hips, [0.1, 0.95, 0.0]),
    (B::LeftLowerLeg, B::LeftUpperLeg, [0.1, 0.5, 0.0]),
    (B::LeftFoot, B::LeftLowerLeg, [0.1, 0.1, 0.0]),
    (B::RightUpperLeg, B::Hips, [-0.1, 0.95, 0.0]),
    (B::RightLowerLeg, B::RightUpperLeg, [-0.1, 0.5, 0.0]),
    (B::RightFoot, B::RightLowerLeg, [-0.1, 0.1, 0.0]),
    (B::LeftUpperArm, B::UpperChest, [0.2, 1.4, 0.0]),
    (B::LeftLowerArm, B::LeftUpperArm, [0.45, 1.4, 0.0]),
    (B::LeftHand, B::LeftLowerArm, [0.7, 1.4, 0.0]),
    (B::RightUpperArm, B::UpperChest, [-0.2, 1.4, 0.0]),
    (B::RightLowerArm, B::RightUpperArm, [-0.45, 1.4, 0.0]),
    (B::RightHand, B::RightLowerArm, [-0.7, 1.4, 0.0]),
];

/// A rotation that looks random and is the same each time.
fn turn(seed: usize, size: f64) -> DQuat {
    let angle = |n: usize| size * ((seed * 37 + n * 101) as f64 * 0.7).sin();
    DQuat::from_euler(EulerRot::XYZ, angle(1), angle(2), angle(3))
}

/// Trees of bones.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Tree {
    /// Everything on the hips.
    Hips,
    /// The spine beside the hips, on a node that carries both.
    Halves,
    /// Legs on the spine.
    LegsOnSpine,
}

/// Differences of a figure from the one in the T-pose.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Largest turn of its nodes' own axes, in radians.
    pub(crate) axes: f64,
    /// Angle by which its arms hang down, in radians.
    pub(crate) arms: f64,
    /// Angle by which its thighs are bent forwards, in radians.
    pub(crate) legs: f64,
    /// Size as a multiple of the other's.
    pub(crate) size: f64,
    /// Turn about the vertical, in radians.
    pub(crate) facing: f64,
    /// A node above it, in centimetres and Z up, as some programs write.
    pub(crate) armature: bool,
    pub(crate) tree: Tree,
    pub(crate) without: &'static [B],
}

pub(crate) const PLAIN: Shape = Shape {
    axes: 0.0,
    arms: 0.0,
    legs: 0.0,
    size: 1.0,
    facing: 0.0,
    armature: false,
    tree: Tree::Hips,
    without: &[],
};

/// A place in the T-pose as it is with bent knees; feet stay on the ground.
fn bent(place: DVec3, bone: B, by: f64) -> DVec3 {
    let (thigh, shin) = (0.45 * by.cos(), 0.4 * by.cos());
    let down = DVec3::Y * (0.85 - thigh - shin);
    match bone {
        B::LeftFoot | B::RightFoot => place + DVec3::Z * (0.45 - 0.4) * by.sin(),
        B::LeftLowerLeg | B::RightLowerLeg => DVec3::new(place.x, 0.95 - thigh, 0.45 * by.sin()) - down,
        _ => place - down,
    }
}

/// A place in the T-pose as it is with arms that hang.
fn hung(place: [f64; 3], bone: B, by: f64) -> DVec3 {
    let (shoulder, by) = match bone {
        B::LeftLowerArm | B::LeftHand => (DVec3::new(0.2, 1.4, 0.0), -by),
        B::RightLowerArm | B::RightHand => (DVec3::new(-0.2, 1.4, 0.0), by),
        _ => (DVec3::ZERO, 0.0),
    };
    shoulder + DQuat::from_rotation_z(by) * (DVec3::from(place) - shoulder)
}

/// The figure, and which node is which bone.
pub(crate) fn figure(shape: Shape) -> (Scene, Humanoid) {
    let mut scene = Scene::new(Basis::GLTF);
    let mut humanoid =
        Humanoid { rests_in_t_pose: shape.arms == 0.0 && shape.legs == 0.0, ..Humanoid::default() };
    let armature = shape.armature.then(|| {
        let rotation = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2).to_array();
        scene.push_node(Node::new(
            "Armature",
            None,
            Transform { rotation, scale: [0.01; 3], ..Transform::IDENTITY },
        ))
    });
    let facing = DQuat::from_rotation_y(shape.facing);
    let mut seen: Vec<(B, DVec3, DAffine3)> = Vec::new();
    let mut centre = None;
    for (seed, (bone, above, place)) in ROWS.into_iter().enumerate() {
        let place = facing * bent(hung(place, bone, shape.arms), bone, shape.legs) * shape.size;
        if shape.without.contains(&bone) {
            continue;
        }
        let mut above = above;
        while shape.without.contains(&above) {
            above = ROWS.iter().find(|row| row.0 == above).unwrap().1;
        }
        if shape.tree == Tree::LegsOnSpine && matches!(bone, B::LeftUpperLeg | B::RightUpperLeg) {
            above = B::Spine;
        }
        let is_half = matches!(bone, B::Hips | B::Spine);
        let carrier = centre.filter(|_| is_half);
        let parent = carrier.map(|own: (NodeIndex, DAffine3)| own.0);
        let parent = parent.or_else(|| humanoid.bones.get(&above).copied()).or(armature);
        let from = carrier.map(|own| own.1);
        let from = from.or_else(|| seen.iter().find(|own| own.0 == above).map(|own| own.2));
        let from = from.unwrap_or_else(|| {
            armature.map_or(DAffine3::IDENTITY, |_| {
                DAffine3::from_scale(DVec3::splat(0.01))
                    * DAffine3::from_rotation_x(-std::f64::consts::FRAC_PI_2)
            })
        });
        let scale = if shape.armature { 0.01 } else { 1.0 };
        let own = DAffine3::from_scale_rotation_translation(
            DVec3::splat(scale),
            facing * turn(seed, shape.axes),
            place,
        );
        let (_, rotation, translation) = (from.inverse() * own).to_scale_rotation_translation();
        let rest = Transform {
            rotation: rotation.to_array(),
            translation: translation.to_array(),
            ..Transform::IDENTITY
        };
        let mut node = scene.push_node(Node::new(format!("{}!", bone.word()), parent, rest));
        if bone == B::Hips && shape.tree == Tree::Halves {
            centre = Some((node, own));
            node = scene.push_node(Node::new("half", Some(node), Transform::IDENTITY));
        }
        humanoid.bones.insert(bone, node);
        seen.push((bone, place, own));
    }
    (scene, humanoid)
}

/// All bones turn, and the hips go somewhere.
pub(crate) fn with_motion((mut scene, humanoid): (Scene, Humanoid)) -> (Scene, Humanoid) {
    let mut tracks = Vec::new();
    for (seed, (bone, node)) in humanoid.bones.iter().enumerate() {
        let values: Vec<f32> =
            [0, 1].iter().flat_map(|key| turn(seed + 50 * key, 0.6).to_array()).map(|x| x as f32).collect();
        let mut channels =
            vec![Channel::whole(Property::Rotation, wide(frames(&[0, 30]), 4, &values, Law::SLERP))];
        if *bone == B::Hips {
            let way = [0.0, 1.0, 0.0, 0.4, 0.8, -0.2];
            channels
                .push(Channel::whole(Property::Translation, wide(frames(&[0, 30]), 3, &way, Law::LINEAR)));
        }
        let name = scene.node(*node).unwrap().name.clone();
        tracks.push(Track { target: Target::new(TargetKind::Joint, name, node.0, Some(*node)), channels });
    }
    scene.clips.push(Clip { duration: Seconds(1.0), tracks, grid: Some(FPS_30), ..Clip::default() });
    (scene, humanoid)
}

pub(crate) fn onto(source: &(Scene, Humanoid), target: &(Scene, Humanoid)) -> (Scene, Report) {
    planted(source, target, Planted::Nothing)
}

fn planted(source: &(Scene, Humanoid), target: &(Scene, Humanoid), planted: Planted) -> (Scene, Report) {
    let (names, mut report) = (NameMap::default(), Report::default());
    let [from, to] = [source, target].map(|(scene, humanoid)| Figure { scene, humanoid });
    let options = CarryOptions { planted, ..CarryOptions::new(&names) };
    let made = carry(&Carry { from, to: Some(to), goals: None }, &options, &mut report).unwrap().scene;
    (made, report)
}

fn places(scene: &Scene, humanoid: &Humanoid, time: f64) -> Vec<(B, DVec3)> {
    let pose = model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time)));
    humanoid.bones.iter().map(|(bone, node)| (*bone, pose.0[node.0].translation)).collect()
}

/// Largest angle in degrees between where a bone points in one figure and in another that is turned by an angle.
fn apart(a: &(Scene, Humanoid), b: (&Scene, &Humanoid), facing: f64, bones: &[B]) -> f64 {
    let mut worst: f64 = 0.0;
    for time in [0.0, 0.2, 0.5, 0.93, 1.0] {
        let (theirs, ours) = (places(&a.0, &a.1, time), places(b.0, b.1, time));
        let at = |all: &[(B, DVec3)], bone: B| all.iter().find(|own| own.0 == bone).unwrap().1;
        for (bone, above, _) in ROWS.iter().filter(|row| bones.contains(&row.0)) {
            let wanted = DQuat::from_rotation_y(facing) * (at(&theirs, *bone) - at(&theirs, *above));
            worst = worst.max((at(&ours, *bone) - at(&ours, *above)).angle_between(wanted).to_degrees());
        }
    }
    worst
}

const LIMBS: [B; 8] = [
    B::LeftLowerLeg,
    B::LeftFoot,
    B::RightLowerLeg,
    B::RightFoot,
    B::LeftLowerArm,
    B::LeftHand,
    B::RightLowerArm,
    B::RightHand,
];

#[test]
fn bones_point_where_the_source_s_do_whatever_the_target_s_rest_pose_is() {
    let source = with_motion(figure(PLAIN));
    let quarter = std::f64::consts::FRAC_PI_2;
    for (what, shape) in [
        ("itself", PLAIN),
        ("other axes", Shape { axes: 1.2, ..PLAIN }),
        ("bent knees", Shape { legs: 0.6, ..PLAIN }),
        ("hanging arms", Shape { arms: 0.8, ..PLAIN }),
        ("smaller", Shape { size: 0.4, ..PLAIN }),
        ("turned round", Shape { facing: 2.0 * quarter, ..PLAIN }),
        ("halves", Shape { tree: Tree::Halves, axes: 0.5, ..PLAIN }),
        ("legs on the spine", Shape { tree: Tree::LegsOnSpine, axes: 0.5, ..PLAIN }),
        ("an armature", Shape { armature: true, ..PLAIN }),
        (
            "all of it",
            Shape {
                axes: 0.9,
                arms: 0.5,
                legs: 0.4,
                size: 1.7,
                facing: quarter,
                armature: true,
                tree: Tree::Halves,
                without: &[],
            },
        ),
    ] {
        let target = figure(shape);
        let (made, _) = onto(&source, &target);
        let off = apart(&source, (&made, &target.1), shape.facing, &LIMBS);
        assert!(off < 0.01, "{what}: {off}°");
    }
}

#[test]
fn keys_stay_where_they_are() {
    let target = figure(Shape { axes: 0.9, arms: 0.5, size: 1.7, armature: true, ..PLAIN });
    let (made, report) = onto(&with_motion(figure(PLAIN)), &target);
    assert_eq!(made.clips[0].tracks.len(), ROWS.len());
    for channel in made.clips[0].tracks.iter().flat_map(|track| &track.channels) {
        let Composition::Whole(curve) = &channel.composition else { panic!("{channel:?}") };
        assert_eq!(curve.times.len(), 2);
    }
    assert!(report.losses.iter().all(|loss| !format!("{loss:?}").contains("Approximated")), "{report:?}");
}

#[test]
fn hips_go_as_far_as_legs_are_long() {
    let source = with_motion(figure(PLAIN));
    let target = figure(Shape { size: 0.5, armature: true, axes: 0.7, ..PLAIN });
    let (made, _) = onto(&source, &target);
    for time in [0.0, 0.4, 1.0] {
        let hips = places(&made, &target.1, time)[0];
        let theirs = places(&source.0, &source.1, time)[0];
        assert_eq!((hips.0, theirs.0), (B::Hips, B::Hips));
        assert!(hips.1.distance(theirs.1 * 0.5) < 1e-5, "{:?} at {time}, not {:?}", hips.1, theirs.1 * 0.5);
    }
}

#[test]
fn a_figure_that_rests_with_bent_knees_stands_straight_on_the_ground_all_the_same() {
    let still = |(mut scene, humanoid): (Scene, Humanoid)| {
        let clip = Clip { duration: Seconds(1.0), grid: Some(FPS_30), ..Clip::default() };
        scene.clips.push(clip);
        (scene, humanoid)
    };
    let target = figure(Shape { legs: 0.7, size: 1.3, axes: 0.4, ..PLAIN });
    let (made, _) = onto(&still(figure(PLAIN)), &target);
    let at = |bone: B| places(&made, &target.1, 0.5).into_iter().find(|own| own.0 == bone).unwrap().1;
    let leg = at(B::LeftFoot) - at(B::LeftUpperLeg);
    assert!(leg.angle_between(DVec3::NEG_Y) < 1e-4, "{leg:?}");
    assert!((at(B::LeftFoot).y - 0.1 * 1.3).abs() < 1e-5, "{:?}", at(B::LeftFoot));
    let (crouching, _) = onto(&still(figure(Shape { legs: 0.7, ..PLAIN })), &figure(PLAIN));
    let at =
        |bone: B| places(&crouching, &figure(PLAIN).1, 0.5).into_iter().find(|own| own.0 == bone).unwrap().1;
    assert!((at(B::LeftFoot).y - 0.1).abs() < 1e-5, "{:?}", at(B::LeftFoot));
}

#[test]
fn what_carries_both_halves_of_a_body_goes_where_the_hips_go() {
    let source = with_motion(figure(PLAIN));
    let target = figure(Shape { tree: Tree::Halves, size: 0.5, ..PLAIN });
    let (made, report) = onto(&source, &target);
    for time in [0.0, 0.4, 1.0] {
        let (own, theirs) = (places(&made, &target.1, time), places(&source.0, &source.1, time));
        for bone in [B::Hips, B::Spine] {
            let at = |all: &[(B, DVec3)]| all.iter().find(|own| own.0 == bone).unwrap().1;
            let off = at(&own).distance(at(&theirs) * 0.5);
            // The spine stays where it is above the lower body, which alone turns with the hips.
            assert!(off < if bone == B::Hips { 1e-5 } else { 0.06 }, "{bone:?} is {off} m off at {time}");
        }
    }
    assert!(
        report.losses.iter().any(|loss| format!("{loss:?}").contains("with other parents")),
        "{report:?}"
    );
}

#[test]
fn what_a_figure_lacks_goes_to_the_bones_beside_it() {
    let source = with_motion(figure(PLAIN));
    let target = figure(Shape { axes: 0.5, without: &[B::Chest, B::UpperChest, B::Neck], ..PLAIN });
    let (made, _) = onto(&source, &target);
    assert!(apart(&source, (&made, &target.1), 0.0, &LIMBS) < 0.01);
    let target = figure(PLAIN);
    let few = with_motion(figure(Shape { without: &[B::UpperChest, B::Neck], ..PLAIN }));
    let (made, _) = onto(&few, &target);
    assert!(apart(&few, (&made, &target.1), 0.0, &LIMBS) < 0.01);
}

#[test]
fn a_trunk_with_other_parts_leans_as_the_source_s() {
    let few: &[B] = &[B::UpperChest];
    let fewer: &[B] = &[B::Chest, B::UpperChest];
    for [theirs, ours] in [[&[], few], [&[], fewer], [few, &[]], [fewer, few]] {
        let source = with_motion(figure(Shape { without: theirs, ..PLAIN }));
        let target = figure(Shape { without: ours, axes: 0.5, size: 1.3, ..PLAIN });
        let (made, report) = onto(&source, &target);
        for time in [0.0, 0.2, 0.5, 0.93, 1.0] {
            let line = |scene: &Scene, humanoid: &Humanoid| {
                let places = places(scene, humanoid, time);
                let at = |bone: B| places.iter().find(|own| own.0 == bone).unwrap().1;
                at(B::Neck) - at(B::Hips)
            };
            let off = line(&source.0, &source.1).angle_between(line(&made, &target.1)).to_degrees();
            assert!(off < 0.5, "{theirs:?} to {ours:?}: the trunk leans {off}° elsewhere at {time} s");
        }
        assert!(apart(&source, (&made, &target.1), 0.0, &[B::Head]) < 0.1, "the neck points elsewhere");
        assert!(format!("{:?}", report.losses).contains("trunk with other parts"), "{report:?}");
    }
}

#[test]
fn a_bend_of_a_trunk_goes_to_the_parts_at_its_height() {
    let (mut scene, humanoid) = with_motion(figure(PLAIN));
    let chest = humanoid.bones[&B::UpperChest];
    scene.clips[0].tracks.retain(|track| track.target.node == Some(chest));
    let target = figure(Shape { without: &[B::UpperChest], ..PLAIN });
    let (made, _) = onto(&(scene, humanoid), &target);
    let turned = |bone: B| {
        let pose = local_pose(&made, &made.clips[0], Seconds(1.0)).0;
        let node = target.1.bones[&bone].0;
        DQuat::from_array(pose[node].rotation)
            .angle_between(DQuat::from_array(made.nodes[node].rest.rotation))
    };
    assert!(turned(B::Chest) > 2.0 * turned(B::Spine), "{} {}", turned(B::Chest), turned(B::Spine));
}

#[test]
fn a_figure_without_legs_takes_nothing() {
    let (names, mut report) = (NameMap::default(), Report::default());
    let (scene, mut humanoid) = figure(PLAIN);
    humanoid.bones.remove(&B::LeftUpperLeg);
    let source = with_motion(figure(PLAIN));
    let from = Figure { scene: &source.0, humanoid: &source.1 };
    let to = Some(Figure { scene: &scene, humanoid: &humanoid });
    let error = carry(&Carry { from, to, goals: None }, &CarryOptions::new(&names), &mut report).unwrap_err();
    assert_eq!(error.missing, [B::LeftUpperLeg]);
}
