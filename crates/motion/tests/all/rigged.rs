//! A rig is played, and baked into curves that play the same without it.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::model::{
    AngleLimit, Append, Basis, Channel, Clip, Curve, IkChain, IkLink, Law, Laws, MorphEffect, Node,
    NodeIndex, PoseRelation, Property, RigJoint, RigMorph, Scene, Target, TargetKind, Times, Track,
    Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::Side;
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_motion::sample::rig::{Behaviour, Player, bake};
use std::collections::BTreeSet;

const GRID: FrameRate = FrameRate::FPS_30;

fn at(translation: [f64; 3]) -> Transform {
    Transform { translation, ..Transform::IDENTITY }
}

fn joint(node: usize) -> RigJoint {
    RigJoint { node: NodeIndex(node), level: 0, after_physics: false, append: None, fixed_axis: None }
}

fn frames(frames: &[i64], width: usize, values: &[f32], law: Law) -> Curve {
    let times = Times::Frames { rate: GRID, frames: frames.into() };
    Curve::new(times, width, values.to_vec(), Laws::uniform(law))
}

fn track(scene: &Scene, node: usize, channel: Channel) -> Track {
    let target = Target::new(TargetKind::Joint, scene.nodes[node].name.clone(), node, Some(NodeIndex(node)));
    Track { target, channels: vec![channel] }
}

/// In the unit of MikuMikuDance, because its solver stops where a thousandth of that is left.
const METRES_PER_UNIT: f64 = 0.08;

/// How far a solved joint may be off between two frames, which is more than half a millimetre near a kink.
const BETWEEN_FRAMES_M: f64 = 1e-3;

/// A leg of two links on a hip, a goal beside it that moves, and a prop that takes half the turn of another node.
fn leg() -> Scene {
    let mut scene = Scene::new(Basis { metres_per_unit: Some(METRES_PER_UNIT), ..Basis::GLTF });
    let hip = scene.push_node(Node::new("hip", None, at([0.0, 10.0, 0.0])));
    let knee = scene.push_node(Node::new("knee", Some(hip), at([0.0, -5.0, 0.1])));
    let ankle = scene.push_node(Node::new("ankle", Some(knee), at([0.0, -5.0, -0.1])));
    let goal = scene.push_node(Node::new("goal", None, at([0.0, 0.0, 0.0])));
    let prop = scene.push_node(Node::new("prop", None, Transform::IDENTITY));
    scene.push_node(Node::new("other", None, Transform::IDENTITY));
    let append =
        Append { source: NodeIndex(5), ratio: 0.5, rotation: true, translation: false, local: false };
    scene.rig.joints = (0..6).map(joint).collect();
    scene.rig.joints[3].level = 1;
    scene.rig.joints[prop.0].append = Some(append);
    scene.rig.joints[prop.0].level = 2;
    let limit = AngleLimit { min_rad: [0.01, 0.0, 0.0], max_rad: [3.0, 0.0, 0.0] };
    let links = vec![IkLink { node: knee, limit: Some(limit) }, IkLink { node: hip, limit: None }];
    scene.rig.ik = vec![IkChain { goal, effector: ankle, iterations: 40, step_rad: 2.0, links }];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let lifts = frames(&[0, 20, 40], 3, &[0., 1., 0., 0., 4., 3., 1., 1., 0.], Law::LINEAR);
    let turns = frames(&[0, 40], 4, &[0., 0., 0., 1., 0., half, 0., half], Law::SLERP);
    let tracks = vec![
        track(&scene, 3, Channel::whole(Property::Translation, lifts)),
        track(&scene, 5, Channel::whole(Property::Rotation, turns)),
    ];
    let (grid, relation) = (Some(GRID), PoseRelation::OnTopOfRest);
    scene.clips.push(Clip { duration: GRID.seconds(40.0), tracks, grid, relation, ..Clip::default() });
    scene
}

/// The largest distance between where nodes are with the rig and where the baked scene has them, in metres, at a number of
/// steps through the clip.
fn farthest(rigged: &Scene, baked: &Scene, steps: u32) -> f64 {
    let (clip, made) = (&rigged.clips[0], &baked.clips[0]);
    let mut player = Player::new(rigged, clip, Behaviour::Mmd).unwrap();
    let mut worst = 0.0f64;
    for step in 0..=steps {
        let time = GRID.snap(Seconds(clip.duration.0 * f64::from(step) / f64::from(steps)));
        let there = player.pose_at(time, Side::At).model.clone();
        let here = model_pose(baked, &local_pose(baked, made, time));
        for (a, b) in there.iter().zip(&here.0) {
            worst = worst.max(glam::DVec3::from(a.translation).distance(b.translation));
        }
    }
    worst * METRES_PER_UNIT
}

fn baked(scene: &Scene) -> (Scene, Report) {
    let (mut scene, mut report) = (scene.clone(), Report::default());
    bake(&mut scene, Behaviour::Mmd, &mut report);
    (scene, report)
}

#[test]
fn a_baked_leg_stands_where_the_rig_puts_it() {
    let scene = leg();
    let (made, report) = baked(&scene);
    assert!(made.rig.is_empty());
    let ankle = {
        let mut player = Player::new(&scene, &scene.clips[0], Behaviour::Mmd).unwrap();
        player.pose_at(GRID.seconds(20.0), Side::At).model[2].translation
    };
    assert!((ankle[1] - 4.0).abs() < 1e-2, "the leg is solved: {ankle:?}");
    let worst = farthest(&scene, &made, 1000);
    assert!(worst < BETWEEN_FRAMES_M, "{worst} m");
    let on_frames = farthest(&scene, &made, 40);
    assert!(on_frames < 1e-6, "{on_frames} m");
    let said = &report.losses.iter().find(|loss| format!("{loss:?}").contains("rig: solved for 3 joints"));
    assert!(said.is_some(), "{:?}", report.losses);
}

#[test]
fn where_a_leg_begins_to_bend_the_report_says_how_far_it_is_off() {
    let mut scene = leg();
    let lifts = frames(&[0, 40], 3, &[0., 0., 0., 0., 4., 0.], Law::LINEAR);
    scene.clips[0].tracks = vec![track(&scene, 3, Channel::whole(Property::Translation, lifts))];
    let (made, report) = baked(&scene);
    let off = farthest(&scene, &made, 80);
    let said = report.losses.iter().find_map(|loss| match loss {
        Loss::Unsampled { max_error, .. } => Some(max_error.value),
        _ => None,
    });
    assert!(said.is_some_and(|said| said > 1e-3 && said >= off), "{said:?} of {off}");
}

#[test]
fn only_what_the_rig_moves_gets_new_curves() {
    let scene = leg();
    let (made, _) = baked(&scene);
    let clip = &made.clips[0];
    let solved = clip.solved.iter().map(|channel| made.nodes[channel.node.0].name.as_str());
    assert_eq!(solved.collect::<BTreeSet<_>>(), BTreeSet::from(["hip", "knee", "prop"]));
    let own = |clip: &Clip, name: &str| clip.tracks.iter().find(|t| t.target.name == name).cloned();
    for name in ["goal", "other"] {
        assert_eq!(own(clip, name), own(&scene.clips[0], name), "{name}");
    }
    let knee = own(clip, "knee").unwrap();
    assert!(knee.channels.iter().all(|channel| channel.property == Property::Rotation), "it does not move");
}

#[test]
fn a_chain_that_is_switched_off_lets_go_at_once() {
    let mut scene = leg();
    let off = Channel::whole(Property::Enabled, frames(&[0, 25], 1, &[1.0, 0.0], Law::STEP));
    let target = Target::new(TargetKind::Custom, "goal", 0, Some(NodeIndex(3)));
    scene.clips[0].tracks.push(Track { target, channels: vec![off] });
    let (made, _) = baked(&scene);
    let hip = |time: f64| local_pose(&made, &made.clips[0], Seconds(time)).0[0].rotation;
    assert!(
        made.clips[0].tracks.iter().all(|t| t.target.kind != TargetKind::Custom),
        "nothing is left to switch"
    );
    let (before, after) = (hip(25.0 / 30.0 - 1e-9), hip(25.0 / 30.0));
    assert!(before[0].abs() > 0.1, "{before:?}");
    assert_eq!(after, [0.0, 0.0, 0.0, 1.0]);
    assert!(farthest(&scene, &made, 1000) < BETWEEN_FRAMES_M);
}

#[test]
fn groups_of_morphs_add_to_their_members() {
    let mut scene = leg();
    let morph = |name: &str, effect| RigMorph { name: name.to_owned(), effect };
    scene.rig.morphs = vec![
        morph("smile", MorphEffect::Surface),
        morph("wink", MorphEffect::Surface),
        morph("both", MorphEffect::Group(vec![(0, 0.5), (1, 1.0)])),
    ];
    let weigh = |name: &str, keys: &[i64], values: &[f32]| Track {
        target: Target::new(TargetKind::Morph, name, 0, None),
        channels: vec![Channel::whole(Property::Weight, frames(keys, 1, values, Law::LINEAR))],
    };
    scene.clips[0]
        .tracks
        .extend([weigh("smile", &[0, 30], &[0.0, 0.3]), weigh("both", &[10, 20], &[0.0, 1.0])]);
    let (made, _) = baked(&scene);
    let weight = |name: &str, frame: f64| {
        let track = made.clips[0].tracks.iter().find(|t| t.target.name == name).unwrap();
        let mut value = Vec::new();
        assert!(dopesheet_motion::channel_at(&track.channels[0], GRID.seconds(frame), Side::At, &mut value));
        value[0]
    };
    for (frame, smile, wink) in
        [(0.0, 0.0, 0.0), (15.0, 0.15 + 0.25, 0.5), (20.0, 0.2 + 0.5, 1.0), (40.0, 0.3 + 0.5, 1.0)]
    {
        assert!((weight("smile", frame) - smile).abs() < 1e-6, "{frame}: {}", weight("smile", frame));
        assert!((weight("wink", frame) - wink).abs() < 1e-6, "{frame}: {}", weight("wink", frame));
    }
    assert!(
        made.clips[0].tracks.iter().all(|t| t.target.name != "both"),
        "a group has no vertices of its own"
    );
}

#[test]
fn what_a_flip_does_to_vertices_is_said() {
    let mut scene = leg();
    let morph = |name: &str, effect| RigMorph { name: name.to_owned(), effect };
    scene.rig.morphs =
        vec![morph("smile", MorphEffect::Surface), morph("either", MorphEffect::Flip(vec![(0, 1.0)]))];
    let weigh = Channel::whole(Property::Weight, frames(&[0, 30], 1, &[0.0, 1.0], Law::LINEAR));
    let target = Target::new(TargetKind::Morph, "either", 0, None);
    scene.clips[0].tracks.push(Track { target, channels: vec![weigh] });
    let (made, report) = baked(&scene);
    assert!(made.clips[0].tracks.iter().all(|t| t.target.kind != TargetKind::Morph));
    assert!(format!("{:?}", report.losses).contains("flip morphs do to vertices: either"), "{report:?}");
}

#[test]
fn a_day_with_two_keys_is_a_bounded_number_of_poses() {
    let mut scene = leg();
    let day = 30 * 60 * 60 * 24;
    let lifts = frames(&[0, day], 3, &[0., 0., 0., 0., 4., 0.], Law::LINEAR);
    scene.clips[0].tracks = vec![track(&scene, 3, Channel::whole(Property::Translation, lifts))];
    scene.clips[0].duration = GRID.seconds(day as f64);
    let morph = |name: &str, effect| RigMorph { name: name.to_owned(), effect };
    scene.rig.morphs =
        vec![morph("smile", MorphEffect::Surface), morph("both", MorphEffect::Group(vec![(0, 0.5)]))];
    // Sums of what does not go straight are taken on frames.
    let weigh = Channel::whole(Property::Weight, frames(&[0, day], 1, &[0.0, 1.0], Law::STEP));
    let target = Target::new(TargetKind::Morph, "both", 0, None);
    scene.clips[0].tracks.push(Track { target, channels: vec![weigh] });
    let (made, _) = baked(&scene);
    let keys: usize = made.clips[0]
        .tracks
        .iter()
        .flat_map(|t| &t.channels)
        .flat_map(|c| c.composition.curves())
        .map(Curve::len)
        .max()
        .unwrap();
    assert!((1000..110_000).contains(&keys), "{keys}");
    assert!(farthest(&scene, &made, 1000) < BETWEEN_FRAMES_M);
}

#[test]
fn a_rig_that_names_what_is_not_there_is_left_out_and_said() {
    let mut scene = leg();
    scene.rig.ik[0].effector = NodeIndex(99);
    let (made, report) = baked(&scene);
    assert_eq!(made.clips[0].tracks, scene.clips[0].tracks);
    assert!(
        format!("{:?}", report.losses).contains("expected one of 6 nodes, found number 99"),
        "{:?}",
        report.losses
    );
}
