//! Bones found by their names, and figures turned into VRM's T-pose.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Axis, Basis, Channel, Clip, Composition, Curve, HumanBone as B, Humanoid, Law, Node, NodeIndex,
    PoseRelation, Property, Scene, Target, TargetKind, Timing, Track, Transform, rebase,
};
use dopesheet_core::units::Seconds;
use dopesheet_human::{Carry, CarryOptions, Figure, Vocabulary, carry, propose};
use dopesheet_motion::sample::pose::{ModelPose, local_pose, model_pose};
use dopesheet_testkit::curves::{FPS_30, frames, line, weight, wide};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

/// Figures face −Z, left is +X, a unit is 8 cm.
const MMD: Basis = Basis {
    front: Axis::NegZ,
    metres_per_unit: Some(0.08),
    camera_looks: Axis::PosZ,
    light_shines: Axis::PosZ,
    ..Basis::GLTF
};

/// Name, parent and place of each bone of a puppet whose arms hang down; `@` is the side, places are those of the left.
const PUPPET: &[(&str, &str, [f64; 3])] = &[
    ("全ての親", "", [0.0, 0.0, 0.0]),
    ("センター", "全ての親", [0.0, 8.0, 0.0]),
    ("グルーブ", "センター", [0.0, 8.2, 0.0]),
    ("下半身", "グルーブ", [0.0, 12.4, -0.2]),
    ("上半身", "グルーブ", [0.0, 12.4, -0.2]),
    ("上半身2", "上半身", [0.0, 13.6, -0.3]),
    ("首", "上半身2", [0.0, 16.4, 0.1]),
    ("頭", "首", [0.0, 17.1, 0.0]),
    ("前髪", "頭", [0.0, 18.5, -0.8]),
    ("@目", "頭", [0.4, 18.0, -0.6]),
    ("@肩P", "上半身2", [0.2, 16.0, 0.0]),
    ("@肩", "@肩P", [0.2, 16.0, 0.0]),
    ("@腕", "@肩", [1.2, 15.8, 0.1]),
    ("@腕捩", "@腕", [2.2, 15.1, 0.1]),
    ("@ひじ", "@腕捩", [3.3, 14.2, 0.2]),
    ("@手捩", "@ひじ", [4.2, 13.6, 0.1]),
    ("@手首", "@手捩", [5.2, 12.9, -0.1]),
    ("@親指１", "@手首", [5.5, 12.6, -0.5]),
    ("@親指２", "@親指１", [5.7, 12.3, -0.8]),
    ("@人指１", "@手首", [6.1, 12.4, -0.4]),
    ("@人指２", "@人指１", [6.4, 12.2, -0.45]),
    ("@人指３", "@人指２", [6.6, 12.0, -0.5]),
    ("@中指１", "@手首", [6.1, 12.35, -0.1]),
    ("@小指１", "@手首", [6.0, 12.3, 0.3]),
    ("@足", "下半身", [0.85, 10.9, -0.1]),
    ("@ひざ", "@足", [0.9, 6.0, -0.2]),
    ("@足首", "@ひざ", [0.95, 1.2, 0.2]),
    ("@つま先", "@足首", [1.1, 0.1, -1.3]),
];

fn puppet() -> Scene {
    let mut scene = Scene::new(MMD);
    let mut rows: Vec<(String, String, [f64; 3])> = Vec::new();
    for (name, parent, [x, y, z]) in PUPPET {
        let sides: &[(&str, f64)] =
            if name.contains('@') { &[("左", 1.0), ("右", -1.0)] } else { &[("", 1.0)] };
        for (side, sign) in sides {
            rows.push((name.replace('@', side), parent.replace('@', side), [x * sign, *y, *z]));
        }
    }
    for (name, parent, place) in &rows {
        let above = rows.iter().position(|row| row.0 == *parent);
        let from = above.map_or(DVec3::ZERO, |above| DVec3::from(rows[above].2));
        let translation = (DVec3::from(*place) - from).to_array();
        let rest = Transform { translation, ..Transform::IDENTITY };
        scene.push_node(Node::new(name.clone(), above.map(NodeIndex), rest));
    }
    scene
}

fn node(scene: &Scene, name: &str) -> NodeIndex {
    NodeIndex(scene.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("{name}")))
}

fn track(scene: &Scene, name: &str, channels: Vec<Channel>) -> Track {
    let node = node(scene, name);
    Track { target: Target::new(TargetKind::Joint, name, node.0, Some(node)), channels }
}

fn turns(times: &[i64], turns: &[DQuat], law: Law) -> Channel {
    let values: Vec<f32> = turns.iter().flat_map(|q| q.to_array().map(|x| x as f32)).collect();
    Channel::whole(Property::Rotation, wide(frames(times), 4, &values, law))
}

fn moves(times: &[i64], places: &[[f32; 3]]) -> Channel {
    Channel::whole(Property::Translation, wide(frames(times), 3, &places.concat(), Law::LINEAR))
}

/// A clip as of MikuMikuDance: on top of the rest pose, at 30 frames a second.
fn clip(frames: i64, tracks: Vec<Track>) -> Clip {
    let duration = FPS_30.seconds(frames as f64);
    Clip { duration, tracks, grid: Some(FPS_30), relation: PoseRelation::OnTopOfRest, ..Clip::default() }
}

fn retargeted(scene: &Scene) -> (Scene, Report) {
    let (names, mut report) = (NameMap::default(), Report::default());
    let humanoid = propose(scene, &names).humanoid;
    let way = Carry { from: Figure { scene, humanoid: &humanoid }, to: None, goals: None };
    let figure = carry(&way, &CarryOptions::new(&names), &mut report).unwrap().scene;
    (figure, report)
}

fn posed(scene: &Scene, time: f64) -> ModelPose {
    let clip = scene.clips.first().cloned().unwrap_or_default();
    model_pose(scene, &local_pose(scene, &clip, Seconds(time)))
}

fn place(pose: &ModelPose, node: NodeIndex) -> DVec3 {
    pose.0[node.0].translation
}

/// From each bone of a humanoid to the bones that hang on it, but for the hips and what hangs on them: there figures may
/// be built in different ways.
fn directions(humanoid: &Humanoid, pose: &ModelPose) -> Vec<(B, DVec3)> {
    let bones = humanoid.bones.iter().filter(|(bone, _)| !bone.is_eye());
    let pairs = bones.filter_map(|(bone, node)| Some((*bone, *node, humanoid.parent(*bone)?)));
    let pairs = pairs.filter(|(_, _, parent)| *parent != B::Hips);
    pairs
        .map(|(bone, node, parent)| {
            (bone, (place(pose, node) - place(pose, humanoid.bones[&parent])).normalize())
        })
        .collect()
}

/// The puppet in glTF's axes, with the bones that names tell.
fn upright(scene: &Scene) -> (Scene, Humanoid) {
    let mut scene = scene.clone();
    rebase(&mut scene, &Basis::GLTF, None);
    let humanoid = propose(&scene, &NameMap::default()).humanoid;
    (scene, humanoid)
}

#[test]
fn a_puppet_of_mikumikudance_is_known_by_its_names() {
    let proposal = propose(&puppet(), &NameMap::default());
    assert_eq!((proposal.vocabulary, proposal.certainty), (Some(Vocabulary::Mmd), 1.0));
    let scene = puppet();
    let bone = |bone| proposal.humanoid.bones.get(&bone).map(|node| scene.nodes[node.0].name.as_str());
    assert_eq!(bone(B::Hips), Some("下半身"));
    assert_eq!(bone(B::Chest), Some("上半身2"));
    assert_eq!(bone(B::LeftThumbMetacarpal), Some("左親指１"), "the thumb has no 親指０");
    assert_eq!(bone(B::LeftThumbProximal), Some("左親指２"));
    assert_eq!(bone(B::RightToes), Some("右つま先"));
    assert_eq!(bone(B::LeftMiddleIntermediate), None);
    assert_eq!(proposal.humanoid.root_motion, Some(node(&scene, "全ての親")));
}

#[test]
fn other_vocabularies_are_known_and_the_caller_knows_better() {
    let mut scene = Scene::new(Basis::GLTF);
    for (_, names) in
        [("", ["Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"])]
    {
        for name in names {
            scene.push_node(Node::new(format!("mixamorig:{name}"), None, Transform::IDENTITY));
        }
    }
    scene.push_node(Node::new("paw", None, Transform::IDENTITY));
    let names = NameMap::new([("paw".to_owned(), "leftHand".to_owned())]);
    let proposal = propose(&scene, &names);
    assert_eq!(proposal.vocabulary, Some(Vocabulary::Mixamo));
    assert!(proposal.certainty > 0.4 && proposal.certainty < 0.5, "{}", proposal.certainty);
    assert_eq!((proposal.humanoid.bones[&B::LeftHand], proposal.named), (NodeIndex(8), 1));
    assert_eq!(proposal.humanoid.missing().len(), 6);
}

/// Whose files, the vocabulary that they are of, their joints (`@` for the side) in the order in which they hang on each
/// other, and what some of them are.
type Capture = (&'static str, Vocabulary, &'static [&'static str], [(B, &'static str); 4]);

/// Joints of motion capture files.
const CAPTURES: [Capture; 5] = [
    (
        "CMU, as converted for MotionBuilder",
        Vocabulary::Mixamo,
        &[
            "Hips",
            "@HipJoint",
            "@UpLeg",
            "@Leg",
            "@Foot",
            "@ToeBase",
            "LowerBack",
            "Spine",
            "Spine1",
            "Neck",
            "Neck1",
            "Head",
            "@Shoulder",
            "@Arm",
            "@ForeArm",
            "@Hand",
            "@FingerBase",
            "@HandIndex1",
        ],
        [
            (B::Spine, "Spine"),
            (B::Chest, "Spine1"),
            (B::LeftUpperArm, "LeftArm"),
            (B::LeftToes, "LeftToeBase"),
        ],
    ),
    (
        "ACCAD",
        Vocabulary::Mixamo,
        &[
            "Hips",
            "ToSpine",
            "Spine",
            "Spine1",
            "Neck",
            "Head",
            "@Shoulder",
            "@Arm",
            "@ForeArm",
            "@Hand",
            "@UpLeg",
            "@Leg",
            "@Foot",
            "@ToeBase",
        ],
        [
            (B::Hips, "Hips"),
            (B::Spine, "Spine"),
            (B::LeftLowerArm, "LeftForeArm"),
            (B::RightLowerLeg, "RightLeg"),
        ],
    ),
    (
        "LAFAN1",
        Vocabulary::Mixamo,
        &[
            "Hips",
            "@UpLeg",
            "@Leg",
            "@Foot",
            "@Toe",
            "Spine",
            "Spine1",
            "Spine2",
            "Neck",
            "Head",
            "@Shoulder",
            "@Arm",
            "@ForeArm",
            "@Hand",
        ],
        [(B::UpperChest, "Spine2"), (B::LeftToes, "LeftToe"), (B::RightHand, "RightHand"), (B::Head, "Head")],
    ),
    (
        "Biovision",
        Vocabulary::Biovision,
        &[
            "Hips",
            "@Hip",
            "@Knee",
            "@Ankle",
            "@Toe",
            "Chest",
            "Chest2",
            "Neck",
            "Head",
            "@Collar",
            "@Shoulder",
            "@Elbow",
            "@Wrist",
        ],
        [
            (B::Spine, "Chest"),
            (B::Chest, "Chest2"),
            (B::LeftShoulder, "LeftCollar"),
            (B::LeftUpperArm, "LeftShoulder"),
        ],
    ),
    (
        "Poser",
        Vocabulary::Poser,
        &[
            "hip", "abdomen", "chest", "neck", "head", "@Collar", "@Shldr", "@ForeArm", "@Hand", "@Thigh",
            "@Shin", "@Foot",
        ],
        [(B::Hips, "hip"), (B::Spine, "abdomen"), (B::LeftUpperArm, "lShldr"), (B::RightLowerLeg, "rShin")],
    ),
];

#[test]
fn joints_of_motion_capture_are_known_by_their_names() {
    for (what, vocabulary, joints, wanted) in CAPTURES {
        let sides = if vocabulary == Vocabulary::Poser { ["l", "r"] } else { ["Left", "Right"] };
        let mut scene = Scene::new(Basis::GLTF);
        for joint in joints {
            let names = if joint.contains('@') {
                sides.map(|side| joint.replace('@', side)).to_vec()
            } else {
                vec![joint.to_string()]
            };
            for name in names {
                scene.push_node(Node::new(name, None, Transform::IDENTITY));
            }
        }
        let proposal = propose(&scene, &NameMap::default());
        assert_eq!((proposal.vocabulary, proposal.certainty), (Some(vocabulary), 1.0), "{what}");
        assert!(proposal.humanoid.missing().is_empty(), "{what}: {:?}", proposal.humanoid.missing());
        for (bone, name) in wanted {
            let found = proposal.humanoid.bones.get(&bone).map(|node| scene.nodes[node.0].name.as_str());
            assert_eq!(found, Some(name), "{what}: {bone:?}");
        }
    }
}

#[test]
fn a_chain_as_deep_as_its_file_is_long_takes_one_pass() {
    let mut scene = Scene::new(Basis::GLTF);
    for index in 0..100_000 {
        let name = if index == 0 { "LeftArm".to_owned() } else { "a".to_owned() };
        let parent = usize::checked_sub(index, 1).map(NodeIndex);
        scene.push_node(Node::new(name, parent, Transform::IDENTITY));
    }
    let started = std::time::Instant::now();
    let _ = propose(&scene, &NameMap::default());
    // A second pass up the chain for each joint, 5·10⁹ steps in all, takes minutes.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_figure_without_legs_is_refused_by_name() {
    let mut scene = puppet();
    // Nor does its shape show any.
    for node in scene.nodes.iter_mut().filter(|node| node.name.contains('足')) {
        node.name = node.name.replace('足', "脚");
        node.rest.translation = [0.0; 3];
    }
    let humanoid = propose(&scene, &NameMap::default()).humanoid;
    let way = Carry { from: Figure { scene: &scene, humanoid: &humanoid }, to: None, goals: None };
    let error = carry(&way, &CarryOptions::new(&NameMap::default()), &mut Report::default()).unwrap_err();
    let expected = "expected a node for each bone of a humanoid, found none for leftUpperLeg, leftFoot, rightUpperLeg, rightFoot";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn at_rest_the_figure_stands_in_the_t_pose() {
    let (figure, _) = retargeted(&puppet());
    let humanoid = figure.humanoid.clone().unwrap();
    let pose = posed(&figure, 0.0);
    assert!(figure.nodes.iter().all(|node| node.rest.rotation == Transform::IDENTITY.rotation));
    for (side, word) in [(1.0, "left"), (-1.0, "right")] {
        for (bone, way) in
            directions(&humanoid, &pose).into_iter().filter(|(bone, _)| bone.word().starts_with(word))
        {
            let is_arm = ["LowerArm", "Hand", "IndexIntermediate", "IndexDistal", "MiddleProximal"];
            if is_arm.iter().any(|part| bone.word().ends_with(part)) {
                assert!(way.distance(DVec3::X * side) < 1e-9, "{bone:?} {way}");
            } else if bone.word().ends_with("ThumbProximal") {
                assert!(way.distance(DVec3::new(side, 0.0, 1.0).normalize()) < 1e-9, "{bone:?} {way}");
            } else if bone.word().ends_with("Toes") {
                assert!(way.x.abs() < 1e-9 && way.z > 0.5, "{bone:?} {way}");
            }
        }
    }
    let hips = place(&pose, humanoid.bones[&B::Hips]);
    assert!(
        hips.with_y(0.0).length() < 1e-9 && (0.0..0.003).contains(&(hips.y - 10.9 * 0.08)),
        "between the thighs of straight legs, not at the waist: {hips}"
    );
    let palm = |a: B, b: B| place(&pose, humanoid.bones[&a]) - place(&pose, humanoid.bones[&b]);
    assert!(palm(B::LeftIndexProximal, B::LeftLittleProximal).y.abs() < 1e-9, "palms are level");
}

#[test]
fn one_curve_keeps_its_keys_and_laws_and_several_are_folded() {
    let mut scene = puppet();
    let eased = Law { timing: Timing::Bezier { x1: 0.3, y1: 0.0, x2: 0.6, y2: 1.0 }, ..Law::SLERP };
    let arm = turns(&[0, 20], &[DQuat::IDENTITY, DQuat::from_rotation_z(0.8)], eased);
    let twist = turns(&[0, 20], &[DQuat::IDENTITY, DQuat::from_rotation_x(0.5)], Law::SLERP);
    let head = turns(&[0, 10, 20], &[DQuat::IDENTITY, DQuat::from_rotation_y(0.4), DQuat::IDENTITY], eased);
    let hair = turns(&[0, 20], &[DQuat::IDENTITY, DQuat::from_rotation_x(0.2)], eased);
    let tracks = vec![
        track(&scene, "左肩", vec![arm]),
        track(&scene, "左肩P", vec![twist]),
        track(&scene, "頭", vec![head]),
        track(&scene, "前髪", vec![hair]),
    ];
    scene.clips.push(clip(20, tracks));
    let (figure, report) = retargeted(&scene);
    let curve = |bone: &str| -> Curve {
        let track = figure.clips[0].tracks.iter().find(|track| track.target.name == bone).unwrap();
        let channel = track.channels.iter().find(|channel| channel.property == Property::Rotation).unwrap();
        channel.composition.curves().next().unwrap().clone()
    };
    assert_eq!((curve("head").len(), curve("head").laws.get(0)), (3, eased));
    let folded = curve("leftShoulder");
    assert!(
        folded.len() > 3 && folded.len() < 200 && folded.laws.all(|law| law == Law::SLERP),
        "{}",
        folded.len()
    );
    let said: Vec<String> = report
        .losses
        .iter()
        .map(|loss| match loss {
            Loss::Kept { what } | Loss::KeptAsData { what } => format!("kept {what}"),
            Loss::Approximated { what, max_error, .. } | Loss::Unsampled { what, max_error } => {
                assert!(max_error.value <= 1e-4, "{max_error:?}");
                format!("approximated {what}")
            }
            Loss::Bounded { what, .. } => format!("approximated {what}"),
            Loss::Dropped { what, why } => format!("dropped {what}: {why}"),
        })
        .collect();
    assert!(
        said[0]
            .starts_with("kept 35 bones of a humanoid, 2 of which move: hips from 下半身, spine from 上半身"),
        "{}",
        said[0]
    );
    assert_eq!(
        said[1..],
        [
            "kept the motion of 全ての親 apart from that of the hips",
            "kept the motion of 左肩P, folded into the bones beside them",
            "dropped the motion of 前髪: no part of a humanoid",
            "kept 1 curve of bones with the source's own keys",
            "approximated 1 curve of bones, re-keyed",
        ]
    );
}

#[test]
fn the_mother_is_kept_apart_and_the_hips_have_all() {
    let mut scene = puppet();
    let by = |z: f32| moves(&[0, 30], &[[0.0, 0.0, 0.0], [0.0, 0.0, z]]);
    let tracks = vec![track(&scene, "全ての親", vec![by(-10.0)]), track(&scene, "センター", vec![by(-5.0)])];
    scene.clips.push(clip(30, tracks));
    let (figure, _) = retargeted(&scene);
    let humanoid = figure.humanoid.clone().unwrap();
    let (start, end) = (posed(&figure, 0.0), posed(&figure, 1.0));
    let way = |node: NodeIndex| place(&end, node) - place(&start, node);
    assert!(way(humanoid.bones[&B::Hips]).distance(DVec3::Z * 1.2) < 1e-6);
    assert!(way(humanoid.root_motion.unwrap()).distance(DVec3::Z * 0.8) < 1e-6);
    let root = figure.node(humanoid.root_motion.unwrap()).unwrap();
    assert_ne!(figure.nodes[humanoid.bones[&B::Hips].0].parent, humanoid.root_motion);
    assert_eq!(figure.clips[0].tracks.last().unwrap().target.name, root.name);
}

#[test]
fn morphs_become_expressions_and_eyes_the_gaze() {
    let mut scene = puppet();
    let morph = |name: &str, index| Track {
        target: Target::new(TargetKind::Morph, name, index, None),
        channels: vec![weight(line(&[0.0, 1.0], &[0.0, 1.0], Law::LINEAR))],
    };
    let eye = turns(&[0, 30], &[DQuat::IDENTITY, DQuat::from_rotation_y(0.1)], Law::SLERP);
    let names = ["あ", "ウィンク", "ウィンク２", "にこり", "lookUp"];
    let mut tracks: Vec<Track> = names.iter().enumerate().map(|(index, name)| morph(name, index)).collect();
    tracks.push(track(&scene, "左目", vec![eye]));
    scene.clips.push(clip(30, tracks));
    let (figure, _) = retargeted(&scene);
    let clip = &figure.clips[0];
    let morphs = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph);
    let found: Vec<&str> = morphs.map(|track| track.target.name.as_str()).collect();
    assert_eq!(
        found,
        ["aa", "ウィンク", "blinkLeft", "にこり"],
        "of two winks the better known is the blink"
    );
    let humanoid = figure.humanoid.unwrap();
    let look_at = humanoid.look_at.unwrap();
    assert!(DVec3::from(look_at.offset_from_head).distance(DVec3::new(0.0, 0.9, 0.6) * 0.08) < 1e-9);
    let gaze = clip.tracks.iter().find(|track| track.target.node == Some(look_at.node)).unwrap();
    let Composition::Whole(curve) = &gaze.channels[0].composition else { panic!() };
    // A mirrored axis turns the other way.
    let expected = DQuat::from_rotation_y(-0.1);
    let found = DQuat::from_array([4, 5, 6, 7].map(|i| f64::from(curve.values[i])));
    assert!(found.angle_between(expected) < 1e-6);
}

/// Twist bones turn about the bone that they twist, as models let them.
fn as_allowed(scene: &Scene, name: &str, turn: DQuat) -> DQuat {
    if !name.ends_with('捩') {
        return turn;
    }
    let along = scene.nodes[node(scene, name).0].rest.translation;
    DQuat::from_axis_angle(DVec3::from(along).normalize(), turn.y * 3.0)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0f64..1.0)
        .prop_filter("has a direction", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(24)))]

    #[test]
    fn bones_point_where_those_of_the_source_point(turned in prop::collection::vec(rotation(), 50), step in prop::array::uniform3(-5.0f32..5.0)) {
        let mut scene = puppet();
        let names: Vec<String> = scene.nodes.iter().map(|node| node.name.clone()).collect();
        let mut tracks: Vec<Track> = names.iter().zip(&turned)
            .map(|(name, turn)| track(&scene, name, vec![turns(&[0], &[as_allowed(&scene, name, *turn)], Law::SLERP)]))
            .collect();
        tracks[1].channels.push(moves(&[0], &[step]));
        scene.clips.push(clip(0, tracks));
        let (figure, _) = retargeted(&scene);
        let (source, humanoid) = upright(&scene);
        let is = directions(figure.humanoid.as_ref().unwrap(), &posed(&figure, 0.0));
        let should = directions(&humanoid, &posed(&source, 0.0));
        prop_assert_eq!(is.len(), should.len());
        prop_assert_eq!(is.len(), 31);
        for ((bone, is), (other, should)) in is.into_iter().zip(should) {
            prop_assert_eq!(bone, other);
            prop_assert!(is.distance(should) < 1e-6, "{:?}: {} and {}", bone, is, should);
        }
    }

    #[test]
    fn a_figure_is_retargeted_to_itself_unchanged(turned in prop::collection::vec(rotation(), 50), step in prop::array::uniform3(-2.0f32..2.0)) {
        let (mut figure, _) = retargeted(&puppet());
        let names: Vec<String> = figure.nodes.iter().map(|node| node.name.clone()).collect();
        let rest = |name: &str| figure.nodes[node(&figure, name).0].rest.translation.map(|x| x as f32);
        let mut tracks = Vec::new();
        for (name, turn) in names.iter().skip(1).zip(&turned) {
            let mut channels = Vec::new();
            if ["hips", "RootMotion"].contains(&name.as_str()) {
                let from = rest(name);
                let to: [f32; 3] = std::array::from_fn(|axis| from[axis] + step[axis]);
                channels.push(moves(&[0, 12], &[from, to]));
            }
            channels.push(turns(&[0, 12], &[DQuat::IDENTITY, *turn], Law::SLERP));
            tracks.push(track(&figure, name, channels));
        }
        figure.clips.push(Clip { relation: PoseRelation::Absolute, ..clip(12, tracks) });
        let (again, report) = retargeted(&figure);
        prop_assert!(!report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { .. } | Loss::Approximated { .. })), "{:?}", report.losses);
        prop_assert_eq!(again.humanoid.as_ref(), figure.humanoid.as_ref());
        prop_assert_eq!(&again.nodes.len(), &figure.nodes.len());
        for (a, b) in again.nodes.iter().zip(&figure.nodes) {
            prop_assert_eq!((&a.name, a.parent), (&b.name, b.parent));
            prop_assert!(DVec3::from(a.rest.translation).distance(DVec3::from(b.rest.translation)) < 1e-12);
        }
        let (a, b) = (&again.clips[0], &figure.clips[0]);
        prop_assert_eq!(a.tracks.len(), b.tracks.len());
        for (a, b) in a.tracks.iter().zip(&b.tracks) {
            prop_assert_eq!((&a.target, a.channels.len()), (&b.target, b.channels.len()));
            let name = &a.target.name;
            for (a, b) in a.channels.iter().zip(&b.channels) {
                let (a, b) = (a.composition.curves().next().unwrap(), b.composition.curves().next().unwrap());
                prop_assert_eq!((&a.times, &a.laws), (&b.times, &b.laws));
                prop_assert!(a.values.iter().zip(&b.values).all(|(a, b)| (a - b).abs() < 1e-6), "{name}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_dance_stays_within_the_tolerance_wherever_keys_are_found() {
    let (mut scene, mut tracks) = (puppet(), Vec::new());
    let names: Vec<String> = scene.nodes.iter().map(|node| node.name.clone()).collect();
    for (index, name) in names.iter().enumerate() {
        let allowed = |turn: DQuat| as_allowed(&scene, name, turn);
        let keys: Vec<DQuat> = (0..7)
            .map(|key| {
                DQuat::from_rotation_y(0.1 * f64::from((index as i32 * 7 + key * 5) % 13 - 6))
                    * DQuat::from_rotation_x(0.07 * f64::from((key + index as i32) % 5))
            })
            .map(allowed)
            .collect();
        tracks.push(track(&scene, name, vec![turns(&[0, 9, 20, 31, 40, 55, 60], &keys, Law::SLERP)]));
    }
    scene.clips.push(clip(60, tracks));
    let (figure, report) = retargeted(&scene);
    let is_found = |what: &str| what.ends_with("re-keyed");
    let off = report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if is_found(what) => Some(max_error.value),
        _ => None,
    });
    assert!(off.is_some_and(|off| off > 1e-6 && off <= 1e-4), "{off:?}");
    let (source, humanoid) = upright(&scene);
    for n in 0..=120 {
        let time = 2.0 * f64::from(n) / 120.0;
        let is = directions(figure.humanoid.as_ref().unwrap(), &posed(&figure, time));
        for ((bone, is), (_, should)) in is.into_iter().zip(directions(&humanoid, &posed(&source, time))) {
            assert!(is.distance(should) < 5e-3, "{bone:?} at {time}: {is} and {should}");
        }
    }
}
