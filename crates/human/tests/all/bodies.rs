//! Bodies that take motions: hands off them, fingers that hang, soles on the ground, and the verdict.

use crate::planted::{ACTOR, Figure, SHORT_SHINS, onto};
use dopesheet_core::diag::{MeasureKind, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Basis, Channel, Clip, HumanBone as B, Law, Mesh, MeshIndex, Node, NodeIndex, Primitive, Property, Scene,
    Skin, SkinIndex, Target, TargetKind, Track, Transform, VertexJoints,
};
use dopesheet_core::units::Seconds;
use dopesheet_human::{
    Carry, CarryOptions, Moving, Planted, carry, detached, doubts, keep_hands_off, relax_hands, verdict,
};
use dopesheet_motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet_testkit::curves::{FPS_30, frames, wide};
use glam::{DMat4, DQuat, DVec3};

/// A figure whose left arm is turned down about Z, by one angle on each frame.
pub(crate) fn moved((mut scene, humanoid): Figure, bone: B, degrees: &[f64]) -> Figure {
    let node = humanoid.bones[&bone];
    let turns: Vec<f32> = degrees
        .iter()
        .flat_map(|own| DQuat::from_rotation_z(own.to_radians()).to_array())
        .map(|x| x as f32)
        .collect();
    let numbers: Vec<i64> = (0..degrees.len() as i64).collect();
    let curve = wide(frames(&numbers), 4, &turns, Law::SLERP);
    let target = Target::new(TargetKind::Joint, bone.word(), node.0, Some(node));
    let track = Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] };
    let duration = Seconds((degrees.len() - 1) as f64 / 30.0);
    scene.clips.push(Clip { tracks: vec![track], grid: Some(FPS_30), duration, ..Clip::default() });
    (scene, humanoid)
}

pub(crate) fn place((scene, humanoid): &Figure, bone: B, time: f64) -> DVec3 {
    model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time))).0[humanoid.bones[&bone].0]
        .translation
}

#[test]
fn a_hand_that_passes_into_the_thigh_is_kept_off_it() {
    // Arms so long that hands hang beside the thighs, and pass into them.
    let mut figure = ACTOR.figure();
    let arm = figure.1.bones[&B::LeftLowerArm];
    figure.0.nodes[arm.0].rest.translation[0] = 0.35;
    let mut figure = moved(figure, B::LeftUpperArm, &[-80.0, -95.0, -100.0, -95.0, -80.0]);
    let mut clip = figure.0.clips.remove(0);
    let still = figure.0.clone();
    let pressed = keep_hands_off(&still, &figure.1, &mut clip, None);
    let left = pressed.iter().find(|own| own.bone == B::LeftHand).unwrap();
    assert!(left.depth_m > 0.01, "{left:?}");
    keep_hands_off(&still, &figure.1, &mut clip, Some(0.01));
    let after = keep_hands_off(&still, &figure.1, &mut clip, None);
    // What comes and goes within a tenth of a second is eased.
    assert!(after.iter().all(|own| own.depth_m < left.depth_m / 2.0), "{after:?}");
}

#[test]
fn fingers_that_no_clip_moves_bend_towards_the_palm_and_others_stay() {
    let (mut scene, mut humanoid) = ACTOR.figure();
    let mut parent = humanoid.bones[&B::LeftHand];
    for (bone, way) in
        [(B::LeftIndexProximal, 0.09), (B::LeftIndexIntermediate, 0.04), (B::LeftIndexDistal, 0.03)]
    {
        let rest = Transform { translation: [way, 0.0, 0.0], ..Transform::IDENTITY };
        parent = scene.push_node(Node::new(bone.word(), Some(parent), rest));
        humanoid.bones.insert(bone, parent);
    }
    let mut figure = moved((scene, humanoid), B::LeftUpperArm, &[0.0, 1.0]);
    let before = place(&figure, B::LeftIndexDistal, 0.0);
    assert_eq!(relax_hands(&mut figure.0, &figure.1), 3);
    let after = place(&figure, B::LeftIndexDistal, 0.0);
    assert!(
        after.y < before.y - 0.02 && after.distance(place(&figure, B::LeftHand, 0.0)) > 0.1,
        "{before} {after}"
    );
    // What moves already is left alone.
    assert_eq!(relax_hands(&mut figure.0, &figure.1), 0);
}

#[test]
fn a_verdict_names_the_arm_that_points_elsewhere_and_when() {
    let source = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0; 31]);
    let mut bent = vec![0.0; 31];
    bent[20] = 10.0;
    let target = moved(ACTOR.figure(), B::LeftUpperArm, &bent);
    let judged = verdict(&moving(&source), &moving(&target)).unwrap();
    let arm = judged.worst().unwrap();
    assert_eq!((arm.bone.as_str(), (arm.time.0 * 30.0).round()), ("leftUpperArm", 20.0));
    assert!((arm.value.to_degrees() - 10.0).abs() < 0.01, "{arm:?}");
    let same = verdict(&moving(&source), &moving(&source)).unwrap();
    assert_eq!(same.to_string(), "good: poses as in the source, feet stand still, nothing below the floor");
}

#[test]
fn a_back_that_bends_otherwise_is_told_with_its_time() {
    // Figures without a neck have no back that is looked at.
    let figure = || {
        let (mut scene, mut humanoid) = ACTOR.figure();
        let rest = Transform { translation: [0.0, 0.5, 0.0], ..Transform::IDENTITY };
        let neck = scene.push_node(Node::new("neck", Some(humanoid.bones[&B::Spine]), rest));
        humanoid.bones.insert(B::Neck, neck);
        (scene, humanoid)
    };
    let source = moved(figure(), B::Spine, &[0.0; 31]);
    let mut bent = vec![0.0; 31];
    bent[20] = 20.0;
    let target = moved(figure(), B::Spine, &bent);
    let judged = verdict(&moving(&source), &moving(&target)).unwrap();
    let back = judged.measure(MeasureKind::Trunk).unwrap();
    assert!((back.time.0 * 30.0).round() == 20.0 && back.value.to_degrees() > 18.0, "{back:?}");
    assert!(judged.complaints().contains(&back), "{judged}");
}

pub(crate) fn moving((scene, humanoid): &Figure) -> Moving<'_> {
    Moving { scene, humanoid, clip: 0, ground_m: 0.0 }
}

#[test]
fn an_animal_with_the_names_of_a_human_is_doubted() {
    let (mut scene, humanoid) = ACTOR.figure();
    let at = |scene: &mut Scene, bone: B, place: [f64; 3]| {
        let NodeIndex(node) = humanoid.bones[&bone];
        scene.nodes[node].rest.translation = place;
    };
    assert_eq!(doubts(&scene, &humanoid), [""; 0]);
    at(&mut scene, B::Spine, [0.0, 0.0, 0.4]);
    at(&mut scene, B::Head, [0.0, 0.1, 0.5]);
    for (side, arm, lower, hand) in [
        (1.0, B::LeftUpperArm, B::LeftLowerArm, B::LeftHand),
        (-1.0, B::RightUpperArm, B::RightLowerArm, B::RightHand),
    ] {
        at(&mut scene, arm, [side * 0.1, 0.0, 0.2]);
        at(&mut scene, lower, [0.0, -0.45, 0.0]);
        at(&mut scene, hand, [0.0, -0.42, 0.0]);
    }
    assert_eq!(scene.basis, Basis::GLTF);
    let doubts = doubts(&scene, &humanoid);
    assert!(doubts.len() == 1 && doubts[0].ends_with("as of an animal on four legs"), "{doubts:?}");
}

#[test]
fn a_sole_that_is_not_on_the_ground_is_told_with_bone_and_time() {
    let source = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0; 31]);
    // A figure on legs that stand 3 cm deep, by the knee that bends from a frame on.
    let target = moved(ACTOR.figure(), B::LeftUpperLeg, &[0.0, 0.0, 0.0, 0.0, 20.0, 20.0, 20.0, 20.0]);
    let judged = verdict(&moving(&source), &moving(&target)).unwrap();
    let sole = judged.measure(MeasureKind::Soles).unwrap();
    assert!(sole.value > 0.02 && sole.bone == "leftFoot" && sole.time.0 > 3.5 / 30.0, "{sole:?}");
    let same = verdict(&moving(&source), &moving(&source)).unwrap();
    assert!(same.measure(MeasureKind::Soles).unwrap().size() < 1e-9, "{same:?}");
}

#[test]
fn a_hand_below_the_floor_is_told_beside_soles_that_stand_on_it() {
    let hanging = |arm: f64| {
        let (mut scene, humanoid) = ACTOR.figure();
        for bone in [B::LeftLowerArm, B::LeftHand] {
            scene.nodes[humanoid.bones[&bone].0].rest.translation[0] = arm;
        }
        let mut degrees = [0.0; 31];
        degrees[20] = -90.0;
        moved((scene, humanoid), B::LeftUpperArm, &degrees)
    };
    let judged = |arm| verdict(&moving(&hanging(0.3)), &moving(&hanging(arm))).unwrap();
    let (deep, slight) = (judged(0.8), judged(0.3));
    let [hand, floor] = [0.8, 0.3].map(|arm| place(&hanging(arm), B::LeftHand, 20.0 / 30.0).y);
    assert!(hand < -0.1 && floor > 0.2, "{hand} {floor}");
    let depth = deep.measure(MeasureKind::Depth).unwrap();
    assert_eq!((depth.bone.as_str(), (depth.time.0 * 30.0).round()), ("leftHand", 20.0));
    assert!((depth.value + depth.source + hand).abs() < 1e-6, "{depth:?}");
    assert!(depth.source.abs() < 1e-6, "the source's soles are on the ground: {depth:?}");
    assert!(deep.to_string().contains("left hand "), "{deep}");
    assert!(deep.to_string().contains("below the floor at 0.667 s"), "{deep}");
    assert!(slight.to_string().ends_with("nothing below the floor"), "{slight}");
}

#[test]
fn a_surface_below_the_floor_is_told_where_its_joints_are_above_it() {
    // A surface of two vertices: a sole 1 cm deep at rest, and the end of a stick in the left hand.
    let armed = |figure: Figure, stick: f64| {
        let (mut scene, humanoid) = figure;
        let bones = [B::LeftFoot, B::LeftHand].map(|bone| humanoid.bones[&bone]);
        let rest = model_pose(&scene, &rest_pose(&scene)).0;
        let [foot, hand] = bones.map(|node| rest[node.0].translation);
        let vertex = |joint: u16| VertexJoints { joints: [joint, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] };
        let positions = [DVec3::new(foot.x, -0.01, 0.0), hand + DVec3::X * stick];
        let primitive = Primitive {
            positions: positions.map(|place| place.to_array().map(|number| number as f32)).into(),
            joints: vec![vertex(0), vertex(1)],
            ..Primitive::default()
        };
        let inverse_bind = [foot, hand].map(|joint| DMat4::from_translation(-joint).to_cols_array()).into();
        scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        scene.skins.push(Skin { joints: bones.into(), inverse_bind, ..Skin::default() });
        let mesh = scene.push_node(Node::new("body", None, Transform::IDENTITY));
        (scene.nodes[mesh.0].mesh, scene.nodes[mesh.0].skin) = (Some(MeshIndex(0)), Some(SkinIndex(0)));
        (scene, humanoid)
    };
    let mut degrees = [0.0; 31];
    degrees[20..24].fill(-90.0);
    let source = moved(ACTOR.figure(), B::LeftUpperArm, &degrees);
    let hand = place(&source, B::LeftHand, 20.0 / 30.0).y;
    let judged = |stick: f64| {
        let target = moved(armed(ACTOR.figure(), stick), B::LeftUpperArm, &degrees);
        let [surface, bare] = [&target, &source].map(|to| verdict(&moving(&source), &moving(to)).unwrap());
        (surface.measure(MeasureKind::Depth).cloned().unwrap(), bare)
    };
    let (deep, bare) = judged(hand + 0.1);
    assert!(deep.bone == "leftHand" && (20.0..24.0).contains(&(deep.time.0 * 30.0).round()), "{deep:?}");
    // Less by the depth of the soles at rest, which is nobody's fault.
    assert!((deep.value + deep.source - 0.09).abs() < 1e-6, "{deep:?}");
    let (short, _) = judged(0.1);
    assert_eq!(Some(&short), bare.measure(MeasureKind::Depth));
}

#[test]
fn a_motion_that_stands_2_cm_deep_in_its_ground_stands_on_that_of_another_figure() {
    let (mut scene, humanoid) = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0; 31]);
    let hips = humanoid.bones[&B::Hips];
    let [x, y, z] = scene.nodes[hips.0].rest.translation;
    let deep = [x, y - 0.02, z].map(|x| x as f32);
    let curve = wide(frames(&[0, 30]), 3, &[deep, deep].concat(), Law::LINEAR);
    let target = Target::new(TargetKind::Joint, "hips", hips.0, Some(hips));
    let channels = vec![Channel::whole(Property::Translation, curve)];
    scene.clips[0].tracks.push(Track { target, channels });
    let (taker, own) = SHORT_SHINS.figure();
    let names = NameMap::default();
    let [from, to] = [(&scene, &humanoid), (&taker, &own)]
        .map(|(scene, humanoid)| dopesheet_human::Figure { scene, humanoid });
    let way = Carry { from, to: Some(to), goals: None };
    let mut report = Report::default();
    let made = carry(&way, &CarryOptions::new(&names), &mut report).unwrap().scene;
    let toes = place(&(made, own), B::LeftToes, 0.5);
    assert!((toes.y - 0.02).abs() < 1e-3, "{toes}");
    let told = format!("{:?}", report.losses);
    assert!(told.contains("2 cm below the file's zero"), "{told}");
}

#[test]
fn hips_that_stay_at_zero_but_for_a_glitch_leave_the_ground_where_feet_stand() {
    let (mut scene, humanoid) = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0; 31]);
    let hips = humanoid.bones[&B::Hips];
    scene.nodes[hips.0].rest.translation = [0.0; 3];
    let numbers: Vec<i64> = (0..=30).collect();
    let heights = numbers.iter().flat_map(|n| [0.0, if [10, 11].contains(n) { 0.3 } else { 0.0 }, 0.0]);
    let curve = wide(frames(&numbers), 3, &heights.collect::<Vec<f32>>(), Law::LINEAR);
    let target = Target::new(TargetKind::Joint, "hips", hips.0, Some(hips));
    let channels = vec![Channel::whole(Property::Translation, curve)];
    scene.clips[0].tracks.push(Track { target, channels });
    let made = onto(&(scene, humanoid), &SHORT_SHINS.figure(), Planted::Feet).0;
    let toes = place(&(made, SHORT_SHINS.figure().1), B::LeftToes, 0.8);
    assert!((toes.y - 0.02).abs() < 0.02, "{toes}");
}

#[test]
fn a_hand_that_hangs_on_no_arm_is_told() {
    let (mut scene, humanoid) = ACTOR.figure();
    assert_eq!(detached(&scene, &humanoid), [""; 0]);
    scene.nodes[humanoid.bones[&B::LeftHand].0].parent = Some(humanoid.bones[&B::Hips]);
    assert_eq!(
        detached(&scene, &humanoid),
        ["leftHand (leftHand) does not hang on leftLowerArm (leftLowerArm)"]
    );
}

#[test]
fn a_foot_that_hangs_on_no_leg_goes_where_its_shin_ends() {
    let source = moved(ACTOR.figure(), B::LeftUpperLeg, &[0.0, 10.0, 25.0, 40.0, 20.0]);
    let whole = SHORT_SHINS.figure();
    let mut loose = whole.clone();
    let [foot, hips] = [B::LeftFoot, B::Hips].map(|bone| loose.1.bones[&bone]);
    let resting = model_pose(&loose.0, &rest_pose(&loose.0));
    let at = |node: NodeIndex| resting.0[node.0].translation;
    loose.0.nodes[foot.0].parent = Some(hips);
    loose.0.nodes[foot.0].rest.translation = (at(foot) - at(hips)).to_array();
    for planted in [Planted::Nothing, Planted::Feet] {
        let [expected, found] =
            [&whole, &loose].map(|target| (onto(&source, target, planted).0, target.1.clone()));
        for time in [0.0, 0.02, 1.0 / 30.0, 0.08, 0.12] {
            for bone in [B::LeftFoot, B::LeftToes] {
                let [there, here] = [&expected, &found].map(|figure| place(figure, bone, time));
                assert!(there.distance(here) < 2e-4, "{planted:?}, {bone:?} at {time}: {there} {here}");
            }
        }
    }
}

#[test]
fn an_end_of_no_length_behind_a_hand_does_not_turn_the_hand() {
    let plain = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0, -40.0, -80.0]);
    let mut ended = plain.clone();
    let rest = Transform { translation: [0.0, 0.001, 0.0], ..Transform::IDENTITY };
    ended.0.push_node(Node::new("end", Some(ended.1.bones[&B::LeftHand]), rest));
    let target = SHORT_SHINS.figure();
    let hand = |source: &Figure| {
        let made = onto(source, &target, Planted::Nothing).0;
        let pose = model_pose(&made, &local_pose(&made, &made.clips[0], Seconds(1.0 / 15.0))).0;
        pose[target.1.bones[&B::LeftHand].0].to_scale_rotation_translation().1
    };
    let off = hand(&plain).angle_between(hand(&ended)).to_degrees();
    assert!(off < 0.1, "{off}°");
}
