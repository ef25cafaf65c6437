//! A figure of ours whose one motion is said in many ways: with eight kinds of rest pose, four kinds of root, and for eight destinations.
#![cfg(all(feature = "bvh", feature = "mmd", feature = "gltf", feature = "numpy", feature = "research"))]

use dopesheet::core::diag::Report;
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{
    Basis, Channel, Clip, Composition, Curve, HumanBone as B, Law, Laws, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Times, Track, Transform, rebase,
};
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::human::{Planted, propose};
use dopesheet::motion::bind;
use dopesheet::motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet::motion::sample::rig::{self, Behaviour};
use dopesheet::{Conversion, ConvertOptions, Loss, Opened, ReadOptions, convert, open, puppet, registry};
use dopesheet_testkit::workspace;
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// Name, name of what it hangs on, and offset from there in the T-pose, in metres.
const BONES: [(&str, &str, [f64; 3]); 21] = [
    ("Hips", "", [0.0, 0.95, 0.0]),
    ("Spine", "Hips", [0.0, 0.1, 0.0]),
    ("Spine1", "Spine", [0.0, 0.15, 0.0]),
    ("Neck", "Spine1", [0.0, 0.25, 0.0]),
    ("Head", "Neck", [0.0, 0.1, 0.0]),
    ("LeftShoulder", "Spine1", [0.04, 0.2, 0.0]),
    ("LeftArm", "LeftShoulder", [0.13, 0.0, 0.0]),
    ("LeftForeArm", "LeftArm", [0.27, 0.0, 0.0]),
    ("LeftHand", "LeftForeArm", [0.25, 0.0, 0.0]),
    ("RightShoulder", "Spine1", [-0.04, 0.2, 0.0]),
    ("RightArm", "RightShoulder", [-0.13, 0.0, 0.0]),
    ("RightForeArm", "RightArm", [-0.27, 0.0, 0.0]),
    ("RightHand", "RightForeArm", [-0.25, 0.0, 0.0]),
    ("LeftUpLeg", "Hips", [0.09, -0.03, 0.0]),
    ("LeftLeg", "LeftUpLeg", [0.0, -0.43, 0.0]),
    ("LeftFoot", "LeftLeg", [0.0, -0.41, 0.0]),
    ("LeftToeBase", "LeftFoot", [0.0, -0.06, 0.13]),
    ("RightUpLeg", "Hips", [-0.09, -0.03, 0.0]),
    ("RightLeg", "RightUpLeg", [0.0, -0.43, 0.0]),
    ("RightFoot", "RightLeg", [0.0, -0.41, 0.0]),
    ("RightToeBase", "RightFoot", [0.0, -0.06, 0.13]),
];

/// Height of the ankles above the soles.
const ANKLE: f64 = 0.08;
const FRAMES: i64 = 45;

fn index(name: &str) -> usize {
    BONES.iter().position(|bone| bone.0 == name).unwrap()
}

fn parent(bone: usize) -> Option<usize> {
    Some(BONES[bone].1).filter(|name| !name.is_empty()).map(index)
}

fn offset(bone: usize) -> DVec3 {
    DVec3::from(BONES[bone].2)
}

/// Rotations of all bones as seen from the root, and the place of the hips.
type Pose = (Vec<DQuat>, DVec3);

/// Places of the bones of a pose.
fn places((turns, hips): &Pose) -> Vec<DVec3> {
    let mut all = vec![*hips];
    for bone in 1..BONES.len() {
        let above = parent(bone).unwrap();
        all.push(all[above] + turns[above] * offset(bone));
    }
    all
}

/// The motion: one foot is flat all the time, the other one stands on its ball and steps up to it; then both knees bend.
fn motion(frame: i64) -> Pose {
    let time = frame as f64 / 30.0;
    let (swing, share) = ((time * 3.0).cos(), ((time - 0.4) / 0.4).clamp(0.0, 1.0));
    let eased = share * share * (3.0 - 2.0 * share);
    let local = |name: &str| match name {
        "Hips" => DQuat::from_rotation_y(0.25 * swing) * DQuat::from_rotation_x(0.15),
        "Spine" => DQuat::from_rotation_x(0.2) * DQuat::from_rotation_z(0.1 * swing),
        "Spine1" => DQuat::from_rotation_y(-0.3 * swing),
        "Neck" => DQuat::from_rotation_x(0.25 * swing),
        "Head" => DQuat::from_rotation_y(0.3 * time.cos()),
        "LeftArm" => DQuat::from_rotation_x(0.6 * swing) * DQuat::from_rotation_z(-1.2),
        "RightArm" => DQuat::from_rotation_x(-0.6 * swing) * DQuat::from_rotation_z(1.1),
        "LeftForeArm" => DQuat::from_rotation_y(-0.5 - 0.3 * swing),
        "RightForeArm" => DQuat::from_rotation_y(0.4 - 0.2 * swing),
        _ => DQuat::IDENTITY,
    };
    let mut turns: Vec<DQuat> = Vec::new();
    for (bone, (name, ..)) in BONES.iter().enumerate() {
        let above = parent(bone).map_or(DQuat::IDENTITY, |above| turns[above]);
        turns.push(above * local(name));
    }
    let crouch = 0.12 + 0.1 * (time - 0.9).max(0.0);
    let hips = DVec3::new(0.03 * swing, 0.95 - crouch, -0.08 + 0.1 * eased);
    let ball = offset(index("LeftToeBase"));
    let pitch = 0.7 * (1.0 - eased);
    let stands = [
        ("Left", DVec3::new(0.1, ANKLE, 0.12), 0.0),
        ("Right", DVec3::new(-0.1, ANKLE + 0.1 * (eased * (1.0 - eased)), -0.3 + 0.42 * eased), pitch),
    ];
    for (side, ankle, pitch) in stands {
        let foot = DQuat::from_rotation_x(pitch);
        let to = ankle + ball - foot * ball;
        let [thigh, knee] = ["UpLeg", "Leg"].map(|part| index(&format!("{side}{part}")));
        let from = hips + turns[0] * offset(thigh);
        // The knee is ahead of the line from hip to ankle.
        let (upper, lower) = (0.43, 0.41);
        let way = to - from;
        let cosine = (upper * upper + way.length_squared() - lower * lower) / (2.0 * upper * way.length());
        let ahead = DVec3::Z.reject_from_normalized(way.normalize()).normalize();
        let bent = cosine.acos();
        let along = way.normalize() * bent.cos() + ahead * bent.sin();
        turns[thigh] = DQuat::from_rotation_arc(DVec3::NEG_Y, along);
        turns[knee] = DQuat::from_rotation_arc(DVec3::NEG_Y, (to - from - along * upper).normalize());
        for part in ["Foot", "ToeBase"] {
            turns[index(&format!("{side}{part}"))] = if part == "Foot" { foot } else { DQuat::IDENTITY };
        }
    }
    (turns, hips)
}

/// Kinds of rest poses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rest {
    T,
    A,
    N,
    Folded,
    Walk,
    Spread,
    Turned,
    Scaled,
}

const RESTS: [Rest; 8] =
    [Rest::T, Rest::A, Rest::N, Rest::Folded, Rest::Walk, Rest::Spread, Rest::Turned, Rest::Scaled];

/// Kinds of roots.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Root {
    /// The hips rest at their height.
    High,
    /// They rest at the origin, and their keys are where they are all the same.
    Zero,
    /// They hang on a root that stays.
    Below,
    /// They hang on a root that goes the way over the ground.
    Going,
}

const ROOTS: [Root; 4] = [Root::High, Root::Zero, Root::Below, Root::Going];

impl Rest {
    /// From the T-pose to the rest pose, for each bone.
    fn turns(self) -> Vec<DQuat> {
        let of = |bone: usize| {
            let name = BONES[bone].0;
            let side = if name.starts_with("Left") { 1.0 } else { -1.0 };
            let is_arm = name.ends_with("Arm") || name.ends_with("Hand");
            let is_leg = name.ends_with("Leg") || name.ends_with("Foot") || name.ends_with("ToeBase");
            match self {
                Self::A if is_arm => DQuat::from_rotation_z(-side * 0.8),
                Self::N if is_arm => DQuat::from_rotation_z(-side * 1.5),
                Self::Spread if is_leg => DQuat::from_rotation_z(side * 20f64.to_radians()),
                Self::Walk => motion(0).0[bone],
                Self::Folded => {
                    let next = (bone + 1..BONES.len()).find(|next| parent(*next) == Some(bone));
                    // What carries nothing has the axes of what it hangs on.
                    let along = offset(next.unwrap_or(bone)).normalize();
                    DQuat::from_rotation_arc(along, DVec3::X)
                }
                _ => DQuat::IDENTITY,
            }
        };
        (0..BONES.len()).map(of).collect()
    }
}

/// A channel with a key on every frame.
fn channel(property: Property, rows: Vec<f64>) -> Channel {
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: (0..=FRAMES).collect() };
    let (width, law) = if property == Property::Rotation { (4, Law::SLERP) } else { (3, Law::LINEAR) };
    let values = rows.into_iter().map(|x| x as f32).collect();
    Channel::whole(property, Curve::new(times, width, values, Laws::uniform(law)))
}

/// The motion as a scene says it whose nodes are not turned at rest.
fn said(rest: Rest, root: Root) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let turns = rest.turns();
    let world = if rest == Rest::Turned { DQuat::from_rotation_y(FRAC_PI_2) } else { DQuat::IDENTITY };
    let scale = if rest == Rest::Scaled { 100.0 } else { 1.0 };
    let at = |place: DVec3| Transform { translation: place.to_array(), ..Transform::IDENTITY };
    let mut above = None;
    if rest == Rest::Scaled {
        let armature = Transform { scale: [1.0 / scale; 3], ..Transform::IDENTITY };
        above = Some(scene.push_node(Node::new("Armature", None, armature)));
    }
    if matches!(root, Root::Below | Root::Going) {
        above = Some(scene.push_node(Node::new("Root", above, Transform::IDENTITY)));
    }
    let carrier = above;
    let first = scene.nodes.len();
    for (bone, (name, ..)) in BONES.iter().enumerate() {
        let rest_place = if rest == Rest::Walk { motion(0).1 } else { offset(0) };
        let own = match parent(bone) {
            Some(above) => turns[above] * offset(bone),
            None if root == Root::Zero => DVec3::ZERO,
            None => rest_place,
        };
        let parent = parent(bone).map(|above| NodeIndex(first + above)).or(above);
        scene.push_node(Node::new(*name, parent, at(world * own * scale)));
    }
    let poses: Vec<Pose> = (0..=FRAMES).map(motion).collect();
    let mut tracks = Vec::new();
    let mut add = |node: NodeIndex, channels: Vec<Channel>| {
        let name = scene.nodes[node.0].name.clone();
        tracks.push(Track { target: Target::new(TargetKind::Joint, name, node.0, Some(node)), channels });
    };
    let part = if root == Root::Going { DVec3::Y } else { DVec3::ONE };
    for bone in 0..BONES.len() {
        let turned =
            |pose: &Pose, bone: usize| world * pose.0[bone] * turns[bone].inverse() * world.inverse();
        let local = poses.iter().flat_map(|pose| {
            let above = parent(bone).map_or(DQuat::IDENTITY, |above| turned(pose, above));
            (above.inverse() * turned(pose, bone)).to_array()
        });
        let mut channels = vec![channel(Property::Rotation, local.collect())];
        if bone == 0 {
            let way = poses.iter().flat_map(|pose| (world * (pose.1 * part) * scale).to_array());
            channels.push(channel(Property::Translation, way.collect()));
        }
        add(NodeIndex(first + bone), channels);
    }
    if let Some(node) = carrier.filter(|_| root == Root::Going) {
        let way =
            poses.iter().flat_map(|pose| (world * (pose.1 * DVec3::new(1.0, 0.0, 1.0)) * scale).to_array());
        add(node, vec![channel(Property::Translation, way.collect())]);
    }
    let rate = FrameRate::FPS_30;
    let duration = rate.seconds(FRAMES as f64);
    scene.clips.push(Clip { duration, tracks, grid: Some(rate), ..Clip::default() });
    scene
}

/// Destinations, by their formats and the figure that takes the motion.
const DESTINATIONS: [(&str, &str); 8] = [
    ("glb", "character.glb"),
    ("glb", "avatar.vrm"),
    ("vrma", ""),
    ("vmd", "standard"),
    ("npz@smplh", ""),
    ("npz@features", ""),
    ("npz@kimodo", ""),
    ("bvh", "jump.bvh"),
];

fn figure(name: &str) -> Option<Opened> {
    match name {
        "" => None,
        "standard" => Some(puppet::standard_model().unwrap()),
        _ => Some(open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()),
    }
}

fn converted(source: &Scene, (format, body): (&str, Option<&Opened>), planted: Planted) -> Conversion {
    let (id, variant) = registry::split_variant(format);
    let to = registry::by_id(id).unwrap();
    let (model, onto) = if id == "vmd" { (body, None) } else { (None, body) };
    let options = ConvertOptions {
        variant: variant.map(str::to_owned),
        model,
        onto,
        motion_only: onto.is_some(),
        planted,
        ..ConvertOptions::to(to)
    };
    let source = Opened::from_scene("puppet", source).unwrap();
    convert(&[source], &options).unwrap_or_else(|error| panic!("{format}: {error}"))
}

/// The figure that a conversion made, as it is played.
fn played(made: &Conversion, (format, body): (&str, Option<&Opened>)) -> (Scene, BTreeMap<B, NodeIndex>) {
    let (id, _) = registry::split_variant(format);
    let to = registry::by_id(id).unwrap();
    let read =
        open::read_as(to, &format!("x.{id}"), &made.output.main, &ReadOptions::default(), &mut |_| None);
    let in_gltf = |opened: &Opened| {
        let mut scene = opened.scene().unwrap();
        scene.basis.metres_per_unit.get_or_insert(1.0);
        rebase(&mut scene, &Basis::GLTF, None);
        scene
    };
    let mut scene = in_gltf(&read.unwrap());
    if id == "vmd" {
        scene = bind(scene, in_gltf(body.unwrap()), &NameMap::default(), &mut Report::default());
        rig::bake(&mut scene, Behaviour::default(), &mut Report::default());
    }
    let bones = match body {
        Some(body) => {
            let body = in_gltf(body);
            let found = propose(&body, &NameMap::default()).humanoid.bones;
            let name = |node: NodeIndex| &body.nodes[node.0].name;
            let there = |node: NodeIndex| scene.nodes.iter().position(|own| own.name == *name(node));
            found.into_iter().filter_map(|(bone, node)| Some((bone, NodeIndex(there(node)?)))).collect()
        }
        None => propose(&scene, &NameMap::default()).humanoid.bones,
    };
    (scene, bones)
}

/// Places of bones on each frame.
type Course = Vec<BTreeMap<B, DVec3>>;

fn course((scene, bones): &(Scene, BTreeMap<B, NodeIndex>)) -> Course {
    let at = |frame: i64| {
        let time = Seconds(frame as f64 / 30.0);
        let pose = model_pose(scene, &local_pose(scene, scene.clips.last().unwrap(), time)).0;
        bones.iter().map(|(bone, node)| (*bone, pose[node.0].translation)).collect()
    };
    // Features lack the last frame.
    (0..FRAMES).map(at).collect()
}

const LIMBS: [(B, B, &str, &str); 10] = [
    (B::LeftUpperLeg, B::LeftLowerLeg, "LeftUpLeg", "LeftLeg"),
    (B::LeftLowerLeg, B::LeftFoot, "LeftLeg", "LeftFoot"),
    (B::RightUpperLeg, B::RightLowerLeg, "RightUpLeg", "RightLeg"),
    (B::RightLowerLeg, B::RightFoot, "RightLeg", "RightFoot"),
    (B::LeftUpperArm, B::LeftLowerArm, "LeftArm", "LeftForeArm"),
    (B::LeftLowerArm, B::LeftHand, "LeftForeArm", "LeftHand"),
    (B::RightUpperArm, B::RightLowerArm, "RightArm", "RightForeArm"),
    (B::RightLowerArm, B::RightHand, "RightForeArm", "RightHand"),
    (B::Neck, B::Head, "Neck", "Head"),
    (B::Hips, B::Spine, "Hips", "Spine"),
];

/// Largest angle in degrees between limbs of a course and those of the motion.
fn apart(course: &Course) -> (f64, B) {
    let mut worst = (0.0, B::Hips);
    for (frame, bones) in course.iter().enumerate() {
        let truth = places(&motion(frame as i64));
        for (from, to, own, next) in LIMBS.into_iter().take(8) {
            if let Some((from_place, to_place)) = bones.get(&from).zip(bones.get(&to)) {
                let wanted = truth[index(next)] - truth[index(own)];
                let off = (to_place - from_place).angle_between(wanted).to_degrees();
                if off > worst.0 {
                    worst = (off, from);
                }
            }
        }
    }
    worst
}

/// Largest distance in metres between bones of two courses.
fn far(a: &Course, b: &Course) -> (f64, B) {
    let source = propose(&said(Rest::T, Root::High), &NameMap::default()).humanoid.bones;
    let is_told = |bone: &B| source.contains_key(bone);
    let pairs = a.iter().zip(b).flat_map(|(a, b)| {
        a.iter().filter(|(bone, _)| is_told(bone)).map(move |(bone, place)| (place.distance(b[bone]), *bone))
    });
    pairs.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

#[test]
#[ignore = "costly"]
fn a_figure_goes_everywhere_alike_whatever_its_rest_and_root_are_said_to_be() {
    let mut faults = Vec::new();
    for (format, body) in DESTINATIONS {
        let body = figure(body);
        let to = (format, body.as_ref());
        let reference = course(&played(&converted(&said(Rest::T, Root::High), to, Planted::Nothing), to));
        let off = apart(&reference);
        if off.0 > 0.1 && format != "npz@features" {
            faults.push(format!("{format}: {off:?}"));
        }
        let ways: Vec<(Rest, Root)> =
            RESTS.into_iter().flat_map(|rest| ROOTS.into_iter().map(move |root| (rest, root))).collect();
        let all: Vec<String> = ways
            .par_iter()
            .filter_map(|(rest, root)| {
                let own = course(&played(&converted(&said(*rest, *root), to, Planted::Nothing), to));
                let (far, bone) = far(&reference, &own);
                (far > 0.001).then(|| format!("{format} {rest:?} {root:?}: {far} m at {bone:?}"))
            })
            .collect();
        faults.extend(all);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Height of the ankles of a body as it rests on the ground.
fn ankle(body: &Opened) -> f64 {
    let mut scene = body.scene().unwrap();
    scene.basis.metres_per_unit.get_or_insert(1.0);
    rebase(&mut scene, &Basis::GLTF, None);
    let bones = propose(&scene, &NameMap::default()).humanoid.bones;
    let pose = model_pose(&scene, &rest_pose(&scene)).0;
    let at = |bone| pose[bones[&bone].0].translation.y;
    at(B::LeftFoot).min(at(B::RightFoot))
}

#[test]
fn a_foot_that_is_flat_stands_on_the_ground_of_every_body() {
    for (format, name) in DESTINATIONS.into_iter().filter(|(_, body)| !body.is_empty()) {
        let body = figure(name);
        let to = (format, body.as_ref());
        let wanted = ankle(body.as_ref().unwrap());
        let ways = RESTS.into_iter().flat_map(|rest| ROOTS.into_iter().map(move |root| (rest, root)));
        let faults: Vec<String> = ways
            .par_bridge()
            .filter_map(|(rest, root)| {
                let made = converted(&said(rest, root), to, Planted::Feet);
                let heights = course(&played(&made, to));
                let off =
                    heights.iter().map(|bones| (bones[&B::LeftFoot].y - wanted).abs()).fold(0.0, f64::max);
                (off > 0.001).then(|| format!("{name} {rest:?} {root:?}: {off} m"))
            })
            .collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
    let avatar = course(&played(
        &converted(&said(Rest::Walk, Root::Zero), ("vrma", None), Planted::Feet),
        ("vrma", None),
    ));
    assert!(avatar.iter().all(|bones| (bones[&B::LeftFoot].y - ANKLE).abs() < 0.001));
}

/// Moves the hips by some way, in all keys.
fn moved(mut scene: Scene, by: DVec3) -> Scene {
    let channels = scene.clips[0].tracks.iter_mut().flat_map(|track| &mut track.channels);
    for channel in channels.filter(|channel| channel.property == Property::Translation) {
        let Composition::Whole(curve) = &mut channel.composition else { panic!() };
        for key in curve.values.as_chunks_mut::<3>().0 {
            *key = [0, 1, 2].map(|axis| key[axis] + by[axis] as f32);
        }
    }
    scene
}

fn said_of_ground(made: &Conversion) -> Vec<String> {
    let kept = made.report.report.losses.iter().filter_map(|loss| match loss {
        Loss::Kept { what, .. } => Some(what.to_string()),
        _ => None,
    });
    kept.filter(|what| what.starts_with("the ground, taken from")).collect()
}

#[test]
fn the_ground_is_zero_unless_a_place_at_rest_explains_where_feet_stand() {
    let to = ("vrma", None);
    let plain = converted(&said(Rest::T, Root::High), to, Planted::Feet);
    assert_eq!(said_of_ground(&plain), [""; 0]);
    let reference = course(&played(&plain, to));
    // Keys that lack the offset of their node.
    let sunk = converted(&moved(said(Rest::T, Root::High), DVec3::NEG_Y * 0.95), to, Planted::Feet);
    assert_eq!(said_of_ground(&sunk).len(), 1);
    let off = far(&reference, &course(&played(&sunk, to)));
    assert!(off.0 < 0.001, "{off:?}");
    // A stage that no rest explains.
    let raised = converted(&moved(said(Rest::T, Root::High), DVec3::Y * 0.5), to, Planted::Feet);
    assert_eq!(said_of_ground(&raised), [""; 0]);
    let off = far(&reference, &course(&played(&raised, to)));
    assert!((off.0 - 0.5).abs() < 0.001, "{off:?}");
}

#[test]
fn legs_that_are_spread_at_rest_do_not_cross_in_bodies_and_avatars() {
    for format in ["vrma", "npz@smplh"] {
        let to = (format, None);
        let off =
            apart(&course(&played(&converted(&said(Rest::Spread, Root::Zero), to, Planted::Nothing), to)));
        assert!(off.0 < 0.1, "{format}: {off:?}");
    }
}

/// A puppet in its rest pose as a body, with nodes that are turned.
fn body_of(turns: &[DQuat]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for bone in 0..BONES.len() {
        let above = parent(bone);
        let local = above.map_or(DQuat::IDENTITY, |above| turns[above].inverse()) * turns[bone];
        let rest = Transform {
            translation: offset(bone).to_array(),
            rotation: local.to_array(),
            ..Transform::IDENTITY
        };
        scene.push_node(Node::new(BONES[bone].0, above.map(NodeIndex), rest));
    }
    scene
}

#[test]
fn a_posed_rest_of_the_same_skeleton_leaves_its_head_straight() {
    let body = Opened::from_scene("body", &body_of(&Rest::T.turns())).unwrap();
    let plain = said(Rest::T, Root::High);
    let mut posed = body_of(&motion(0).0);
    posed.clips.clone_from(&plain.clips);
    let to = ("glb", Some(&body));
    let course = course(&played(&converted(&posed, to, Planted::Nothing), to));
    for (frame, bones) in course.iter().enumerate() {
        let truth = places(&motion(frame as i64));
        for (from, to, own, next) in LIMBS {
            let off = (bones[&to] - bones[&from])
                .angle_between(truth[index(next)] - truth[index(own)])
                .to_degrees();
            assert!(off < 0.1, "{from:?} on frame {frame}: {off}°");
        }
    }
}
