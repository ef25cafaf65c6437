//! Document ⇄ scene ⇄ other scenes.

use crate::animation::fixtures::{damaged, documented, hands, head_and_gaze};
use dopesheet_core::diag::{ConvertErrorKind, Loss, Report};
use dopesheet_core::format::{
    Capabilities, Clips, Compositions, Format, FromScene, KeyLayout, LawSet, NameRule, Parts, ToScene,
};
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, Law, Laws, Node, NodeIndex, PoseRelation, Property, Scene,
    Target, TargetKind, Times, Track, Transform, rebase,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Conform, Range, Side, Tolerance, arrange, channel_at, conform, put_in_world, trim};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::{Document, Hand, Joint, NumberCurve, PoseName};
use dopesheet_testkit::{read, rotation_angle};

/// Capabilities of glTF, as far as recordings need them.
const GLTF: Capabilities = Capabilities {
    writes: true,
    attaches: false,
    clips: Clips::Many,
    basis: Some(Basis::GLTF),
    relation: PoseRelation::Absolute,
    parts: Parts {
        hierarchy: true,
        translation: true,
        rotation: true,
        scale: true,
        cameras: true,
        markers: true,
        custom_tracks: true,
        ..Parts::NONE
    },
    compositions: Compositions::WHOLE,
    vector_laws: LawSet {
        step: true,
        linear: true,
        hermite: true,
        weighted: false,
        bezier_timing: false,
        mixed: false,
    },
    rotation_laws: LawSet {
        step: true,
        linear: true,
        hermite: true,
        weighted: false,
        bezier_timing: false,
        mixed: false,
    },
    grid: None,
    negative_times: false,
    layout: KeyLayout::PerChannel,
    names: NameRule::Any,
    humanoid: false,
    eyes: false,
};

fn scene(document: &Document) -> Scene {
    Mrtk2::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap()
}

/// As conversion does before it hands a scene to a format.
fn prepared(mut scene: Scene, capabilities: &Capabilities) -> Scene {
    rebase(&mut scene, &capabilities.basis.unwrap(), None);
    arrange(&mut scene, capabilities);
    // Fine enough that what is compared is the room's work, and not how closely keys are chosen.
    let tolerance = Tolerance { length_m: 1e-7, shell_m: None };
    if capabilities.basis == Some(Basis::UNITY) {
        let nodes = Mrtk2::in_world(&scene);
        put_in_world(&mut scene, &nodes, &tolerance, &mut Report::default());
    }
    conform(&mut scene, capabilities, &Conform { tolerance, ..Conform::default() }, &mut Report::default());
    scene
}

fn through_gltf(document: &Document) -> Scene {
    prepared(prepared(scene(document), &GLTF), &Mrtk2::INFO.capabilities)
}

fn back(scene: &Scene, variant: Option<&str>) -> (Document, Report) {
    let (options, mut report) =
        (FromScene { variant: variant.map(Into::into), ..FromScene::default() }, Report::default());
    (Mrtk2::from_scene(scene, &options, &mut report).unwrap(), report)
}

fn value(clip: &Clip, name: &str, property: &Property, time: f64) -> Option<Vec<f64>> {
    let tracks = clip.tracks.iter().filter(|t| t.target.name == name);
    let channel = tracks.flat_map(|t| &t.channels).find(|c| c.property == *property)?;
    let mut out = Vec::new();
    channel_at(channel, Seconds(time), Side::At, &mut out).then_some(out)
}

#[test]
fn poses_hang_flat_on_groups_that_rest() {
    for (bytes, expected) in [
        (head_and_gaze(), vec!["InputAnimation", "InputAnimation/Camera", "InputAnimation/Gaze"]),
        (
            hands(),
            vec![
                "InputAnimation",
                "InputAnimation/LeftHand",
                "LeftHand/Left_Wrist",
                "LeftHand/Left_IndexTip",
                "LeftHand/Left_Tracked",
                "LeftHand/Left_Pinch",
                "InputAnimation/RightHand",
            ],
        ),
    ] {
        let scene = scene(&read::<Mrtk2>(&bytes));
        let path = |node: &Node| match node.parent {
            Some(parent) => format!("{}/{}", scene.nodes[parent.0].name, node.name),
            None => node.name.clone(),
        };
        assert_eq!(scene.nodes.iter().map(path).collect::<Vec<_>>(), expected);
        assert!(scene.nodes.iter().all(|node| node.rest == Transform::IDENTITY));
        assert_eq!(scene.basis, Basis::UNITY);
    }
}

#[test]
fn labels_and_channels_are_those_of_the_command_line() {
    let mut found = Vec::new();
    for bytes in [head_and_gaze(), hands()] {
        for track in &scene(&read::<Mrtk2>(&bytes)).clips[0].tracks {
            let words: Vec<&str> = track.channels.iter().map(|c| c.property.word()).collect();
            found.push(format!("{} {} {}", track.target.label(), track.target.kind.word(), words.join(" ")));
        }
    }
    let expected = [
        "camera camera translation rotation",
        "gaze joint origin direction",
        "left.hand hand tracked",
        "left.hand hand pinch",
        "left.Wrist joint translation rotation",
        "left.IndexTip joint translation rotation",
    ];
    assert_eq!(found, expected);
}

#[test]
fn as_stored_curves_without_keys_are_zero_as_unity_plays_them() {
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let scene = Mrtk2::to_scene(&read::<Mrtk2>(&hands()), &options, &mut Report::default()).unwrap();
    assert_eq!(scene.clips[0].tracks.len(), 4 + 2 * 27);
    assert_eq!(value(&scene.clips[0], "right.None", &Property::Translation, 9.0), Some(vec![0.0; 3]));
}

#[test]
fn gltf_sees_the_mirror_image_the_ray_as_a_pose_and_switches_as_scales() {
    let scene = prepared(scene(&read::<Mrtk2>(&head_and_gaze())), &GLTF);
    let clip = &scene.clips[0];
    assert_eq!(value(clip, "Camera", &Property::Translation, 1.0).unwrap()[0], -0.5);
    let turn = value(clip, "Camera", &Property::Rotation, 2.0).unwrap();
    assert!(rotation_angle(turn.try_into().unwrap(), [0.0, 0.6, 0.0, 0.8]) < 1e-6);
    let origin = value(clip, "Gaze", &Property::Translation, 1.0).unwrap();
    assert_eq!(origin[0], -f64::from(0.1f32));
    // The way along (0, -0.25, 1), by the formula of the shortest arc from +Z.
    let turn = value(clip, "Gaze", &Property::Rotation, 0.0).unwrap();
    let length = (0.25f64 * 0.25 + 1.0).sqrt();
    assert!(rotation_angle(turn.try_into().unwrap(), [0.25 / length, 0.0, 0.0, 1.0 + 1.0 / length]) < 1e-6);

    let scene = prepared(self::scene(&read::<Mrtk2>(&hands())), &GLTF);
    let shown = |name, time| value(&scene.clips[0], name, &Property::Scale, time);
    assert_eq!([0.25, 0.5, 1.0, 1.5].map(|t| shown("Left_Tracked", t).unwrap()[1]), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!([0.5, 0.75].map(|t| shown("Left_Pinch", t).unwrap()[2]), [0.0, 1.0]);
    assert_eq!(
        value(&scene.clips[0], "Left_Tracked", &Property::Named("tracked".into()), 0.5),
        Some(vec![1.0])
    );
}

#[test]
fn a_ray_that_has_become_a_pose_is_mirrored_like_the_ray() {
    let (mut first, mut last) =
        (scene(&read::<Mrtk2>(&head_and_gaze())), scene(&read::<Mrtk2>(&head_and_gaze())));
    rebase(&mut first, &Basis::GLTF, None);
    arrange(&mut first, &GLTF);
    arrange(&mut last, &GLTF);
    rebase(&mut last, &Basis::GLTF, None);
    for time in [0.0, 0.7, 1.5] {
        let turn = |scene: &Scene| value(&scene.clips[0], "Gaze", &Property::Rotation, time).unwrap();
        let [a, b] = [turn(&first), turn(&last)].map(|q| <[f64; 4]>::try_from(q).unwrap());
        assert!(rotation_angle(a, b) < 1e-12, "{a:?} {b:?}");
    }
}

#[test]
fn the_camera_gets_a_child_that_looks_the_other_way() {
    let scene = prepared(scene(&read::<Mrtk2>(&head_and_gaze())), &GLTF);
    let lens = scene.nodes.iter().find(|node| node.name == "Camera_Lens").unwrap();
    assert_eq!(lens.rest.rotation, [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(lens.parent.map(|p| scene.nodes[p.0].name.as_str()), Some("Camera"));
}

#[test]
fn a_recording_comes_back_from_gltf() {
    for bytes in [head_and_gaze(), hands()] {
        let original = read::<Mrtk2>(&bytes);
        let (document, _) = back(&through_gltf(&original), None);
        assert_eq!(Mrtk2::summary(&document).variant.as_deref(), Some("1.1"));
        assert_eq!(document.markers, original.markers);
        let (a, b) = (scene(&original), scene(&document));
        for track in &a.clips[0].tracks {
            for step in 0..=100 {
                let time = a.clips[0].duration.0 * f64::from(step) / 100.0;
                for channel in &track.channels {
                    let mut x = Vec::new();
                    channel_at(channel, Seconds(time), Side::At, &mut x);
                    let mut y = value(&b.clips[0], &track.target.name, &channel.property, time).unwrap();
                    if channel.property == Property::Direction {
                        for v in [&mut x, &mut y] {
                            let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
                            v.iter_mut().for_each(|c| *c /= length);
                        }
                    }
                    let off = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                    let what =
                        format!("{} {} at {time}: {x:?} {y:?}", track.target.name, channel.property.word());
                    assert!(off < 3e-5, "{what}");
                }
            }
        }
    }
}

#[test]
fn tangents_are_kept_as_1_0_unless_another_variant_is_asked_for() {
    let scene = cubic_scene();
    for (variant, expected) in
        [(None, "1.0"), (Some("1.0"), "1.0"), (Some("1.1"), "1.1"), (Some("1.1-doc"), "1.1-doc")]
    {
        let (document, report) = back(&scene, variant);
        assert_eq!(Mrtk2::summary(&document).variant.as_deref(), Some(expected));
        let approximates = report.losses.iter().any(|loss| matches!(loss, Loss::Approximated { .. }));
        assert_eq!(approximates, expected == "1.1", "{report:?}");
    }
    let (document, _) = back(&scene, None);
    let pose = document.pose(PoseName::Joint(Hand::Right, Joint::IndexKnuckle)).unwrap();
    let key = pose.position[0].keys.get(0).unwrap();
    assert_eq!((key.out_tangent, key.uses_out_weight()), (2.0, false));
    assert_eq!(document.hands.unwrap().tracked[1].keys.len(), 1, "a hand that moves is tracked");
}

/// A node with an OpenXR name that moves along a cubic, in Unity's axes.
fn cubic_scene() -> Scene {
    let mut scene = Scene::new(Basis::UNITY);
    let node = scene.push_node(Node::new("Right-index_PROXIMAL", None, Transform::IDENTITY));
    let law = Law { blend: dopesheet_core::model::Blend::Hermite, ..Law::LINEAR };
    let mut curve =
        Curve::new(seconds(&[0.0, 1.0]), 3, vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0], Laws::uniform(law));
    let slopes = vec![2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    curve.handles =
        Some(Box::new(dopesheet_core::model::Handles { arriving: slopes.clone(), leaving: slopes }));
    push(&mut scene, node, Property::Translation, curve);
    scene
}

fn seconds(times: &[f64]) -> Times {
    Times::Seconds(times.into())
}

fn push(scene: &mut Scene, node: NodeIndex, property: Property, curve: Curve) {
    let end = curve.times.span().unwrap().1;
    let target = Target::new(TargetKind::Joint, scene.nodes[node.0].name.clone(), node.0, Some(node));
    let track = Track { target, channels: vec![Channel::whole(property, curve)] };
    if scene.clips.is_empty() {
        scene.clips.push(Clip { duration: end, ..Clip::default() });
    }
    scene.clips[0].tracks.push(track);
}

#[test]
fn poses_are_taken_in_the_world_whatever_they_hang_on() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut scene = Scene::new(Basis::UNITY);
    let above = Transform { translation: [0.0, 1.0, 0.0], rotation: [0.0, half, 0.0, half], scale: [2.0; 3] };
    let root = scene.push_node(Node::new("rig", None, above));
    let wrist = scene.push_node(Node::new("Left_wrist", Some(root), Transform::IDENTITY));
    let arm = Transform { translation: [0.0, 0.0, 1.0], ..Transform::IDENTITY };
    let tip = scene.push_node(Node::new("left thumb-tip", Some(wrist), arm));
    let along =
        Curve::new(seconds(&[0.0, 1.0]), 3, vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.0], Laws::uniform(Law::LINEAR));
    push(&mut scene, wrist, Property::Translation, along);
    let turn = Curve::new(
        seconds(&[0.0, 1.0]),
        4,
        vec![0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
        Laws::uniform(Law::SLERP),
    );
    push(&mut scene, wrist, Property::Rotation, turn);
    let nodes = Mrtk2::in_world(&scene);
    assert_eq!(nodes, [wrist, tip]);
    let error = Mrtk2::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    assert!(matches!(error.kind, ConvertErrorKind::Unsupported(_)), "{error}");
    let fine = Tolerance { length_m: 1e-5, ..Tolerance::default() };
    put_in_world(&mut scene, &nodes, &fine, &mut Report::default());
    assert!(Mrtk2::in_world(&scene).is_empty());
    let (document, report) = back(&scene, None);
    let clip = &self::scene(&document).clips[0];
    let place = |name, time| value(clip, name, &Property::Translation, time).unwrap();
    let near = |a: Vec<f64>, b: [f64; 3]| {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
    };
    near(place("Left_Wrist", 0.5), [1.0, 1.0, 0.0]);
    // Above turns +Z to +X and doubles lengths; half of the wrist's own turn makes that -Z.
    near(place("Left_ThumbTip", 0.0), [2.0, 1.0, 0.0]);
    near(place("Left_ThumbTip", 0.5), [1.0, 1.0, -2.0]);
    near(place("Left_ThumbTip", 1.0), [0.0, 1.0, 0.0]);
    let turn = value(clip, "Left_Wrist", &Property::Rotation, 0.5).unwrap();
    assert!(rotation_angle(turn.try_into().unwrap(), [0.0, 1.0, 0.0, 0.0]) < 1e-4);
    let divided =
        report.losses.iter().any(|l| matches!(l, Loss::Approximated { what, .. } if what.contains("10°")));
    assert!(divided, "{report:?}");
}

#[test]
fn steps_and_jumps_become_keys_as_close_as_numbers_allow() {
    let mut scene = Scene::new(Basis::UNITY);
    let node = scene.push_node(Node::new("Camera", None, Transform::IDENTITY));
    let laws = Laws::from_segments([Law::STEP, Law::LINEAR, Law::LINEAR, Law::LINEAR]);
    let times = seconds(&[0.0, 1.0, 2.0, 2.0, 3.0]);
    let values = [0.0, 1.0, 2.0, 5.0, 6.0].into_iter().flat_map(|x| [x, 0.0, 0.0]).collect();
    push(&mut scene, node, Property::Translation, Curve::new(times, 3, values, laws));
    for variant in ["1.0", "1.1", "1.1-doc"] {
        let (document, _) = back(&scene, Some(variant));
        let clip = &self::scene(&document).clips[0];
        let at = |time| value(clip, "Camera", &Property::Translation, time).unwrap()[0];
        let found = [0.5, 0.999, 1.0, 1.5, 1.999, 2.0, 2.5].map(at);
        let wanted = [0.0, 0.0, 1.0, 1.5, 1.999, 5.0, 5.5];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{variant}: {found:?}");
    }
}

#[test]
fn what_has_no_place_is_listed() {
    let mut scene = cubic_scene();
    let hips = scene.push_node(Node::new("Hips", None, Transform::IDENTITY));
    let curve = Curve::new(seconds(&[0.0]), 3, vec![1.0; 3], Laws::uniform(Law::LINEAR));
    push(&mut scene, hips, Property::Translation, curve.clone());
    let (_, report) = back(&scene, None);
    let dropped = |report: &Report| {
        report
            .losses
            .iter()
            .filter_map(|l| match l {
                Loss::Dropped { what, .. } => Some(what.clone()),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(dropped(&report), ["motion of 1 node: Hips"]);
    let mut scene = Scene::new(Basis::UNITY);
    let hips = scene.push_node(Node::new("Hips", None, Transform::IDENTITY));
    push(&mut scene, hips, Property::Translation, curve);
    let error = Mrtk2::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    assert!(matches!(error.kind, ConvertErrorKind::NothingToConvert(_)), "{error}");
}

#[test]
fn an_empty_scene_becomes_a_file_without_parts() {
    let (document, _) = back(&Scene::new(Basis::UNITY), None);
    assert_eq!(document, Document::new(dopesheet_mrtk2::animation::Version::V1_1));
}

#[test]
fn damage_is_mended_with_a_word_and_left_alone_as_stored() {
    let document = read::<Mrtk2>(&damaged());
    let mut report = Report::default();
    let scene = Mrtk2::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    let w = |scene: &Scene| match &scene.clips[0].tracks[0].channels[1].composition {
        Composition::ComponentsNormalised(curves) => curves[3].values.clone(),
        other => panic!("{other:?}"),
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!(w(&scene).iter().zip([1.0, half, 0.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{:?}", w(&scene));
    insta::assert_snapshot!(report.findings.iter().map(ToString::to_string).collect::<String>());
    let options = ToScene { as_stored: true, ..ToScene::default() };
    let scene = Mrtk2::to_scene(&document, &options, &mut report).unwrap();
    assert_eq!(w(&scene), [1.0]);
    assert_eq!(report.findings.len(), 1);
}

#[test]
fn values_that_are_not_finite_are_refused() {
    let path = crate::animation::fixtures::folder().join("quirk/non-finite-value.bin");
    let mut report = Report::default();
    let document = read::<Mrtk2>(&dopesheet_testkit::bytes(&path));
    let scene = Mrtk2::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    assert!(scene.clips[0].tracks.is_empty());
    assert!(matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what == "translation of camera"));
}

#[test]
fn wraps_come_back_where_the_keys_span_the_clip() {
    let mut document = read::<Mrtk2>(&head_and_gaze());
    document.camera.as_mut().unwrap().position[0].wrap.after = 2;
    let (document, _) = back(&through_gltf(&document), None);
    let camera = document.camera.unwrap();
    assert_eq!(camera.position.each_ref().map(|curve| curve.wrap.after), [2, 8, 8]);
}

#[test]
fn what_only_this_format_knows_travels_as_notes() {
    let mut documented = read::<Mrtk2>(&documented());
    documented.hands = read::<Mrtk2>(&hands()).hands;
    let source = scene(&documented).clips[0].source.clone().unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&source).unwrap());
}

/// A part of a recording, as conversion within the format makes it, and what it says.
fn part(document: &Document, start: f64, end: f64) -> (Document, Report) {
    let (mut scene, mut report) = (scene(document), Report::default());
    trim(&mut scene.clips[0], Range { start: Seconds(start), end: Seconds(end) });
    arrange(&mut scene, &Mrtk2::INFO.capabilities);
    let capabilities = Mrtk2::capabilities(&scene, None);
    conform(&mut scene, &capabilities, &Conform::default(), &mut report);
    let (document, said) = back(&scene, None);
    report.extend(said);
    (document, report)
}

#[test]
fn a_part_of_a_documented_recording_keeps_its_tangents_with_a_gaze() {
    let mut whole = read::<Mrtk2>(&documented());
    whole.gaze = read::<Mrtk2>(&head_and_gaze()).gaze;
    let mut scene = scene(&whole);
    trim(&mut scene.clips[0], Range { start: Seconds(0.25), end: Seconds(3.5) });
    arrange(&mut scene, &Mrtk2::INFO.capabilities);
    for (variant, hermite) in
        [(Some("1.1-doc"), true), (Some("1.0"), true), (Some("1.1"), false), (None, false)]
    {
        let laws = Mrtk2::capabilities(&scene, variant).vector_laws;
        assert_eq!((laws.hermite, laws.weighted), (hermite, hermite), "{variant:?}");
    }
}

/// The times and values of each component's keys.
fn key_list(curves: &[NumberCurve]) -> Vec<Vec<[f32; 2]>> {
    let keys = |curve: &NumberCurve| {
        (0..curve.keys.len())
            .map(|key| curve.keys.get(key).unwrap())
            .map(|key| [key.time, key.value])
            .collect()
    };
    curves.iter().map(keys).collect()
}

#[test]
fn a_part_of_a_recording_has_its_keys_and_one_more_at_each_end() {
    let (document, report) = part(&read::<Mrtk2>(&head_and_gaze()), 0.25, 1.25);
    let gaze = document.gaze.unwrap();
    // Straight from −0.25 to 0.25 in 1.5 s; what has no key has none.
    let direction = vec![vec![], vec![[0.0, -0.5 / 3.0], [1.0, 0.5 / 3.0]], vec![[0.0, 1.0]]];
    assert_eq!(key_list(&gaze.direction), direction);
    assert_eq!(key_list(&gaze.origin), [vec![[0.0, 0.1]], vec![[0.0, 1.6]], vec![]]);
    let camera = document.camera.unwrap();
    let position = [vec![[0.0, 0.125], [0.75, 0.5], [1.0, 0.625]], vec![[0.0, 1.6]], vec![]];
    assert_eq!(key_list(&camera.position), position);
    let rotation = [vec![], vec![[0.0, -0.075], [1.0, -0.375]], vec![], vec![[0.0, 0.975], [1.0, 0.875]]];
    assert_eq!(key_list(&camera.rotation), rotation);
    let approximated = |loss: &&Loss| matches!(loss, Loss::Approximated { .. });
    assert!(!report.losses.iter().any(|loss| approximated(&loss)), "{:?}", report.losses);
}

#[test]
fn scales_that_show_switches_become_switches_and_nothing_else() {
    let mut shown = prepared(scene(&read::<Mrtk2>(&hands())), &GLTF);
    let scales = |scene: &Scene| {
        let channels = scene.clips[0].tracks.iter().flat_map(|track| &track.channels);
        channels.filter(|channel| channel.property == Property::Scale).count()
    };
    let mut known = shown.clone();
    assert_eq!(scales(&known), 2);
    arrange(&mut known, &Mrtk2::INFO.capabilities);
    assert_eq!(scales(&known), 0);
    // Another program keeps nodes and nothing that it does not know.
    shown.clips[0].tracks.retain(|track| track.target.kind != TargetKind::Hand);
    arrange(&mut shown, &Mrtk2::INFO.capabilities);
    assert_eq!(scales(&shown), 2);
    let (document, report) = back(&shown, None);
    let keys = |curve: &dopesheet_mrtk2::animation::SwitchCurve| -> Vec<[f32; 2]> {
        curve.keys.iter().map(|key| [key.time, key.value]).collect()
    };
    let hands = document.hands.unwrap();
    assert_eq!(keys(&hands.tracked[0]), [[0.0, 0.0], [0.5, 1.0], [1.5, 0.0]]);
    assert_eq!(keys(&hands.pinch[0]), [[0.0, 0.0], [0.75, 1.0]]);
    for said in [
        "the scale of Left_Tracked, as whether the left hand is tracked",
        "the scale of Left_Pinch, as whether the left hand pinches",
    ] {
        let is_said = |loss: &Loss| matches!(loss, Loss::Kept { what } if what == said);
        assert!(report.losses.iter().any(is_said), "{:?}", report.losses);
    }
}
