//! Figures in VRM's T-pose, put onto models of MikuMikuDance.

use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, HumanBone as B, Humanoid, IkChain, IkLink, Law, Node, NodeIndex,
    Property, Scene, Target, TargetKind, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_human::{
    Carry, CarryOptions, Figure, Goals, MissingBones, Planted, carry, has_mmd_bones, propose,
};
use dopesheet_motion::sample::rig::Behaviour;
use dopesheet_testkit::curves::{FPS_30, frames, wide};
use glam::{DQuat, DVec3};

/// Bone, name in the model (none if it lacks the bone), bone above, place in the T-pose.
type Row = (B, &'static str, B, [f64; 3]);

const ROWS: [Row; 17] = [
    (B::Hips, "下半身", B::Hips, [0.0, 1.0, 0.0]),
    (B::Spine, "上半身", B::Hips, [0.0, 1.1, 0.0]),
    (B::Chest, "上半身2", B::Spine, [0.0, 1.2, 0.0]),
    (B::UpperChest, "", B::Chest, [0.0, 1.3, 0.0]),
    (B::Head, "頭", B::UpperChest, [0.0, 1.5, 0.0]),
    (B::LeftUpperLeg, "左足", B::Hips, [0.1, 0.95, 0.0]),
    (B::LeftLowerLeg, "左ひざ", B::LeftUpperLeg, [0.1, 0.5, 0.0]),
    (B::LeftFoot, "左足首", B::LeftLowerLeg, [0.1, 0.1, 0.0]),
    (B::RightUpperLeg, "右足", B::Hips, [-0.1, 0.95, 0.0]),
    (B::RightLowerLeg, "右ひざ", B::RightUpperLeg, [-0.1, 0.5, 0.0]),
    (B::RightFoot, "右足首", B::RightLowerLeg, [-0.1, 0.1, 0.0]),
    (B::LeftUpperArm, "左腕", B::UpperChest, [0.2, 1.4, 0.0]),
    (B::LeftLowerArm, "左ひじ", B::LeftUpperArm, [0.45, 1.4, 0.0]),
    (B::LeftHand, "左手首", B::LeftLowerArm, [0.7, 1.4, 0.0]),
    (B::RightUpperArm, "右腕", B::UpperChest, [-0.2, 1.4, 0.0]),
    (B::RightLowerArm, "右ひじ", B::RightUpperArm, [-0.45, 1.4, 0.0]),
    (B::RightHand, "右手首", B::RightLowerArm, [-0.7, 1.4, 0.0]),
];

const CENTRE: [f64; 3] = [0.0, 0.8, 0.0];

fn row(bone: B) -> Row {
    *ROWS.iter().find(|row| row.0 == bone).unwrap()
}

fn node(name: &str, parent: Option<NodeIndex>, position: [f64; 3], above: [f64; 3], scale: f64) -> Node {
    let translation = (scale * (DVec3::from(position) - DVec3::from(above))).to_array();
    Node::new(name, parent, Transform { translation, ..Transform::IDENTITY })
}

/// The figure, with one channel of one bone.
fn figure(bone: B, channel: Channel) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let mut humanoid = Humanoid { rests_in_t_pose: true, ..Humanoid::default() };
    for (bone, _, above, position) in ROWS {
        let parent = humanoid.bones.get(&above).copied();
        let from = if bone == B::Hips { [0.0; 3] } else { row(above).3 };
        let joint = scene.push_node(node(bone.word(), parent, position, from, 1.0));
        humanoid.bones.insert(bone, joint);
    }
    let joint = humanoid.bones[&bone];
    let target = Target::new(TargetKind::Joint, bone.word(), joint.0, Some(joint));
    let tracks = vec![Track { target, channels: vec![channel] }];
    scene.clips.push(Clip { duration: Seconds(1.0), tracks, ..Clip::default() });
    scene.humanoid = Some(humanoid);
    scene
}

/// The model, some times as large as the figure; the upper body hangs beside the lower one.
fn model(scale: f64) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let centre = scene.push_node(node("センター", None, CENTRE, [0.0; 3], scale));
    for (_, name, mut above, position) in ROWS.into_iter().filter(|row| !row.1.is_empty()) {
        while row(above).1.is_empty() {
            above = row(above).2;
        }
        let is_half = ["下半身", "上半身"].contains(&name);
        let parent = scene.nodes.iter().position(|node| node.name == row(above).1).map(NodeIndex);
        let (parent, from) = if is_half { (Some(centre), CENTRE) } else { (parent, row(above).3) };
        scene.push_node(node(name, parent, position, from, scale));
    }
    scene
}

fn still(bone: B, turn: DQuat) -> Scene {
    let values = turn.to_array().map(|x| x as f32);
    figure(bone, Channel::whole(Property::Rotation, wide(frames(&[0]), 4, &values, Law::SLERP)))
}

fn put(figure: &Scene, model: &Scene) -> Scene {
    onto(figure, model, &mut Report::default()).unwrap()
}

/// A figure's motion as keys of a model.
fn onto(figure: &Scene, model: &Scene, report: &mut Report) -> Result<Scene, MissingBones> {
    let names = NameMap::default();
    let from = Figure { scene: figure, humanoid: figure.humanoid.as_ref().unwrap() };
    let humanoid = propose(model, &names).humanoid;
    let to = Some(Figure { scene: model, humanoid: &humanoid });
    let goals = Some(Goals { grid: FPS_30, behaviour: Behaviour::default() });
    let options = CarryOptions { planted: Planted::Nothing, ..CarryOptions::new(&names) };
    Ok(carry(&Carry { from, to, goals }, &options, report)?.scene)
}

/// The first key of a property of a node, if it has any.
fn first(moved: &Scene, name: &str, property: &Property) -> Option<Vec<f64>> {
    let track = moved.clips[0].tracks.iter().find(|track| track.target.name == name)?;
    let channel = track.channels.iter().find(|channel| channel.property == *property)?;
    let Composition::Whole(curve) = &channel.composition else { panic!("{name}") };
    Some(curve.value(0)?.iter().map(|x| f64::from(*x)).collect())
}

fn assert_near(value: Option<Vec<f64>>, wanted: &[f64], what: &str) {
    let value = value.unwrap_or_else(|| panic!("{what} has no key"));
    assert!(value.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{what}: {value:?}, not {wanted:?}");
}

#[test]
fn bones_that_the_model_lacks_turn_those_beside_them() {
    let turn = DQuat::from_rotation_z(0.5);
    let moved = put(&still(B::UpperChest, turn), &model(1.0));
    let key = |name: &str| {
        let values = first(&moved, name, &Property::Rotation).unwrap_or_else(|| panic!("{name} has no key"));
        DQuat::from_array(values.try_into().unwrap())
    };
    let chest = key("上半身2").to_axis_angle().1;
    assert!((chest - 0.5).abs() < 1e-3, "the last part turns as the last of the figure's: {chest}");
    let whole = key("上半身") * key("上半身2") * key("左腕");
    assert!(whole.angle_between(turn) < 1e-3, "arms turn as before: {whole}");
}

#[test]
fn the_centre_moves_by_what_the_hips_do_at_the_size_of_the_model() {
    let values = [0.0, 1.0, 0.0, 0.3, 0.8, -0.2];
    let moves = Channel::whole(Property::Translation, wide(frames(&[0, 30]), 3, &values, Law::LINEAR));
    let moved = put(&figure(B::Hips, moves), &model(2.0));
    let clip = &moved.clips[0];
    let centre = clip.tracks.iter().find(|track| track.target.name == "センター").unwrap();
    let Composition::Whole(curve) = &centre.channels[0].composition else { panic!() };
    assert_eq!(curve.times.len(), 31, "one key on each frame");
    let last = curve.value(30).unwrap();
    assert!(last.iter().zip([0.6, -0.4, -0.4]).all(|(a, b)| (a - b).abs() < 1e-5), "{last:?}");
    assert_eq!(clip.solved.len(), 3, "nobody has authored the keys of any of its channels");
}

#[test]
fn hips_turn_about_themselves_and_not_about_the_centre() {
    let turn = DQuat::from_rotation_x(0.4);
    let moved = put(&still(B::Hips, turn), &model(1.0));
    assert_near(first(&moved, "下半身", &Property::Rotation), &turn.to_array(), "the lower body");
    assert_near(first(&moved, "上半身", &Property::Rotation), &turn.to_array(), "the upper body");
    assert_eq!(first(&moved, "センター", &Property::Rotation), None);
}

#[test]
fn legs_without_ik_turn() {
    let turn = DQuat::from_rotation_x(1.0);
    let moved = put(&still(B::LeftLowerLeg, turn), &model(1.0));
    assert_near(first(&moved, "左ひざ", &Property::Rotation), &turn.to_array(), "the knee");
    assert!(moved.clips[0].tracks.iter().all(|track| track.target.kind == TargetKind::Joint));
}

#[test]
fn goals_of_ik_go_where_the_ankles_are() {
    let mut model = model(1.0);
    let index = |name: &str| NodeIndex(model.nodes.iter().position(|node| node.name == name).unwrap());
    let [effector, knee, leg] = ["左足首", "左ひざ", "左足"].map(index);
    let goal = model.push_node(node("左足ＩＫ", None, row(B::LeftFoot).3, [0.0; 3], 1.0));
    let links = [knee, leg].map(|node| IkLink { node, limit: None }).into();
    model.rig.ik.push(IkChain { goal, effector, iterations: 40, step_rad: 2.0, links });
    let turn = DQuat::from_rotation_x(1.0);
    let moved = put(&still(B::LeftLowerLeg, turn), &model);
    let shin = DVec3::new(0.0, -0.4, 0.0);
    let offset = turn * shin - shin;
    assert_near(first(&moved, "左足ＩＫ", &Property::Translation), &offset.to_array(), "the goal");
    assert_near(first(&moved, "左足ＩＫ", &Property::Rotation), &turn.to_array(), "the goal");
    assert_near(first(&moved, "左ひざ", &Property::Rotation), &turn.to_array(), "the knee");
    let switch = moved.clips[0].tracks.iter().find(|track| track.target.kind == TargetKind::Custom).unwrap();
    assert_eq!((switch.target.name.as_str(), switch.target.node), ("左足ＩＫ", Some(goal)));
}

#[test]
fn a_rig_that_brings_a_hand_elsewhere_is_a_warning() {
    let mut model = model(1.0);
    let index = |name: &str| NodeIndex(model.nodes.iter().position(|node| node.name == name).unwrap());
    let [effector, elbow, arm] = ["左手首", "左ひじ", "左腕"].map(index);
    // Nothing moves the goal of the hand.
    let goal = model.push_node(node("左腕ＩＫ", None, row(B::LeftHand).3, [0.0; 3], 1.0));
    let links = [elbow, arm].map(|node| IkLink { node, limit: None }).into();
    model.rig.ik.push(IkChain { goal, effector, iterations: 40, step_rad: 2.0, links });
    let figure = still(B::LeftUpperArm, DQuat::from_rotation_z(-1.0));
    let mut report = Report::default();
    onto(&figure, &model, &mut report).unwrap();
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.fault.code).collect();
    assert_eq!(codes, ["rig-off"]);
}

#[test]
fn models_are_known_by_the_names_of_their_bones() {
    assert!(has_mmd_bones(&model(1.0)));
    let figure = still(B::Head, DQuat::IDENTITY);
    assert!(!has_mmd_bones(&figure));
    let mut headless = model(1.0);
    for node in headless.nodes.iter_mut().filter(|node| node.name == "頭") {
        node.name = "首".into();
        node.rest.translation = [0.0, -0.5, 0.0];
    }
    assert!(!has_mmd_bones(&headless));
    let bones = propose(&headless, &NameMap::default()).humanoid;
    let error = onto(&figure, &headless, &mut Report::default());
    assert_eq!(error.unwrap_err().missing, bones.missing());
}
