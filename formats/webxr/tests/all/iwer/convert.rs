//! To a scene and back.

use super::fixtures::both;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ToScene, WriteOptions};
use dopesheet_core::model::{Composition, Property, Scene, Track};
use dopesheet_testkit::read;
use dopesheet_webxr::Iwer;
use dopesheet_webxr::iwer::Document;

fn scene(bytes: &[u8]) -> Scene {
    Iwer::to_scene(&read::<Iwer>(bytes), &ToScene::default(), &mut Report::default()).unwrap()
}

fn back(scene: &Scene) -> (Document, Report) {
    let mut report = Report::default();
    (Iwer::from_scene(scene, &FromScene::default(), &mut report).unwrap(), report)
}

fn track<'a>(scene: &'a Scene, name: &str, property: &str) -> &'a Track {
    let mut tracks = scene.clips[0].tracks.iter();
    let has = |track: &&Track| track.channels.iter().any(|channel| channel.property.word() == property);
    tracks
        .find(|track| track.target.name == name && has(track))
        .unwrap_or_else(|| panic!("{name} {property}"))
}

fn keys(track: &Track, property: &str) -> Vec<(f64, Vec<f32>)> {
    let channel = track.channels.iter().find(|channel| channel.property.word() == property).unwrap();
    let Composition::Whole(curve) = &channel.composition else { panic!("{channel:?}") };
    let key = |at: usize| (curve.times.get(at).unwrap().0, curve.value(at).unwrap().to_vec());
    (0..curve.len()).map(key).collect()
}

#[test]
fn joints_hang_on_the_ray_of_their_hand() {
    let scene = scene(&both());
    let node = |name: &str| scene.nodes.iter().position(|node| node.name == name).unwrap();
    let hand = node("right-hand");
    for name in ["right-wrist", "right-thumb-tip", "right-pinky-finger-phalanx-proximal"] {
        assert_eq!(scene.nodes[node(name)].parent.map(|own| own.0), Some(hand), "{name}");
    }
    assert_eq!(scene.nodes.len(), 1 + 2 + 1 + 25);
}

#[test]
fn frames_have_times_of_their_own_and_hands_keys_only_where_they_are() {
    let scene = scene(&both());
    assert!((scene.clips[0].duration.0 - 0.0666).abs() < 1e-12);
    let head = keys(track(&scene, "viewer", "translation"), "translation");
    let times: Vec<f64> = head.iter().map(|key| (key.0 * 1e4).round() / 1e4).collect();
    assert_eq!(times, [0.0, 0.0139, 0.0284, 0.0555, 0.0666]);
    assert_eq!(keys(track(&scene, "right-wrist", "rotation"), "rotation").len(), 3);
    let tracked: Vec<f32> =
        keys(track(&scene, "right-hand", "tracked"), "tracked").iter().map(|key| key.1[0]).collect();
    assert_eq!(tracked, [0.0, 1.0, 0.0]);
}

#[test]
fn buttons_axes_and_radii_are_numbers() {
    let scene = scene(&both());
    let controller = track(&scene, "left-controller", "button0.value");
    let values: Vec<f32> = keys(controller, "button0.value").iter().map(|key| key.1[0]).collect();
    assert_eq!(values, [0.0, 0.0, 0.75, 0.75, 0.0]);
    assert_eq!(keys(controller, "axis0")[0].1, [0.5]);
    let words: Vec<&str> = controller.channels.iter().map(|own| own.property.word()).collect();
    assert_eq!(words, ["button0.pressed", "button0.touched", "button0.value", "axis0"]);
    let radius = track(&scene, "right-hand", "radius.wrist");
    assert_eq!(keys(radius, "radius.wrist")[0].1, [0.008]);
}

#[test]
fn a_recording_that_was_a_scene_is_the_same_but_for_the_length_of_its_quaternions() {
    let document = read::<Iwer>(&both());
    let (again, report) = back(&scene(&both()));
    assert!(report.findings.is_empty(), "{report:?}");
    assert_eq!(again.recording().schema, document.recording().schema);
    let frames = |document: &Document| document.recording().frames.clone();
    assert_eq!(frames(&again).len(), frames(&document).len());
    for (new, old) in frames(&again).iter().zip(frames(&document)) {
        assert_eq!((new.time_ms, new.viewer), (old.time_ms, old.viewer));
        assert_eq!(new.inputs.len(), old.inputs.len());
        for (new, old) in new.inputs.iter().zip(&old.inputs) {
            assert_eq!(
                (new.index, new.ray, new.grip, &new.gamepad),
                (old.index, old.ray, old.grip, &old.gamepad)
            );
            for (new, old) in new.hand.iter().flatten().zip(old.hand.iter().flatten()) {
                assert_eq!((&new[..3], new[7]), (&old[..3], old[7]));
                assert!(
                    new[3..7].iter().zip(&old[3..7]).all(|(a, b)| (a - b).abs() < 0.001),
                    "{new:?} {old:?}"
                );
            }
        }
    }
    // The second time nothing changes any more.
    let bytes = |document: &Document| Iwer::write(document, &WriteOptions::default()).unwrap().main;
    assert_eq!(bytes(&back(&scene(&bytes(&again))).0), bytes(&again));
}

#[test]
fn what_has_no_name_of_a_hand_is_refused() {
    let mut scene = scene(&both());
    scene.clips[0].source = None;
    scene.cameras.clear();
    for (n, node) in scene.nodes.iter_mut().enumerate() {
        (node.name, node.camera) = (format!("part {n}"), None);
    }
    let error = Iwer::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn a_joint_that_is_missing_stands_where_the_one_before_it_does() {
    let mut scene = scene(&both());
    let lost = scene.nodes.iter().position(|node| node.name == "right-index-finger-tip").unwrap();
    scene.nodes[lost].name = "stub".into();
    let (document, report) = back(&scene);
    let said: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"));
    let hand = document.recording().frames[1].inputs[1].hand.clone().unwrap();
    assert_eq!(hand[9][..7], hand[8][..7]);
}

#[test]
fn a_step_becomes_a_frame_right_before_it() {
    let mut scene = scene(&both());
    let track = &mut scene.clips[0].tracks[0];
    for channel in &mut track.channels {
        let Composition::Whole(curve) = &mut channel.composition else { continue };
        if channel.property == Property::Translation {
            curve.values[3] = 7.0;
            curve.laws = dopesheet_core::model::Laws::uniform(dopesheet_core::model::Law::STEP);
        }
    }
    let (document, _) = back(&scene);
    let frames = &document.recording().frames;
    let head: Vec<(f64, f64)> = frames.iter().map(|frame| (frame.time_ms, frame.viewer[0])).collect();
    assert_eq!(head[..4], [(1234.5, 0.0), (1248.399, 0.0), (1248.4, 7.0), (1262.899, 7.0)]);
}

#[test]
fn a_changed_number_is_all_that_an_update_changes() {
    for text in [both(), super::fixtures::spelled()] {
        let mut document = read::<Iwer>(&text);
        let mut scene = Iwer::to_scene(&document, &ToScene::to_update(), &mut Report::default()).unwrap();
        let mut update = |scene: &Scene| {
            Iwer::update(&mut document, scene, &FromScene::default(), &mut Report::default()).unwrap();
            Iwer::write(&document, &WriteOptions::default()).unwrap().main
        };
        assert!(update(&scene) == text);
        let Composition::Whole(curve) = &mut scene.clips[0].tracks[0].channels[0].composition else {
            panic!()
        };
        curve.values[4] = 1.75;
        let changed = String::from_utf8(update(&scene)).unwrap();
        let before = String::from_utf8(text.clone()).unwrap();
        let expected = before.replacen("[1248.4,0,1.6,", "[1248.4,0,1.75,", 1).replacen("1.61", "1.75", 1);
        assert!(changed == expected && changed != before, "{changed}");
    }
}
