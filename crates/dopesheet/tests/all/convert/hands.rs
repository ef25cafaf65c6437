//! Hands whose joints hang on each other, as recordings of MRTK2, which have every joint in the world.
#![cfg(all(feature = "mrtk2", feature = "gltf"))]

use dopesheet::core::diag::{Loss, MaxError, Report};
use dopesheet::core::format::{FromScene, WriteOptions};
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track, Transform,
};
use dopesheet::core::units::Seconds;
use dopesheet::{
    Conversion, ConvertOptions, Opened, ReadOptions, SampleOptions, TimeSpec, Tolerance, convert, registry,
    sample, sample::Axes, sample::Sampled, sample::Space,
};
use dopesheet_curve::{quat_angle, quat_normalise_or_identity};

/// A finger that bends while its wrist moves along and turns: lengths in metres, names as MRTK2 has them.
const FINGER: [(&str, f64); 5] = [
    ("Left_Wrist", 0.0),
    ("Left_IndexKnuckle", 0.09),
    ("Left_IndexMiddleJoint", 0.045),
    ("Left_IndexDistalJoint", 0.025),
    ("Left_IndexTip", 0.02),
];
const SECONDS: f64 = 4.0;

fn channel(property: Property, keys: &[(f64, Vec<f32>)], law: Law) -> Channel {
    let times: Vec<f64> = keys.iter().map(|key| key.0).collect();
    let values: Vec<f32> = keys.iter().flat_map(|key| key.1.clone()).collect();
    Channel::whole(
        property,
        Curve::new(Times::Seconds(times.into()), keys[0].1.len(), values, Laws::uniform(law)),
    )
}

/// Each joint has keys of its own: none of them is where another has one.
fn hand(wrist_scale: Option<[f32; 3]>) -> Opened {
    let mut scene = Scene::new(Basis::GLTF);
    let mut tracks = Vec::new();
    for (index, (name, length)) in FINGER.into_iter().enumerate() {
        let rest = Transform { translation: [0.0, 0.0, length], ..Transform::IDENTITY };
        let parent = index.checked_sub(1).map(NodeIndex);
        scene.push_node(Node::new(name, parent, rest));
        let every = SECONDS / (4.0 + 3.0 * index as f64);
        let times = (0..).map(|n| f64::from(n) * every).take_while(|time| *time <= SECONDS + 1e-9);
        let bend = |time: f64| (0.7 * (time * (1.3 + 0.2 * index as f64)).sin() + 0.4) / 2.0;
        let turn = |time: f64| vec![bend(time).sin() as f32, 0.0, 0.0, bend(time).cos() as f32];
        let keys: Vec<_> = times.map(|time| (time, turn(time))).collect();
        let mut channels = vec![channel(Property::Rotation, &keys, Law::SLERP)];
        if index == 0 {
            let way = [(0.0, vec![0.0, 1.0, 0.0]), (1.5, vec![0.4, 1.3, 0.1]), (4.0, vec![-0.2, 0.9, 0.5])];
            channels.push(channel(Property::Translation, &way, Law::LINEAR));
            if let Some(scale) = wrist_scale {
                channels.push(channel(Property::Scale, &[(0.0, scale.to_vec())], Law::STEP));
            }
        }
        let target = Target::new(TargetKind::Joint, name, index, Some(NodeIndex(index)));
        tracks.push(Track { target, channels });
    }
    scene.clips.push(Clip { duration: Seconds(SECONDS), tracks, ..Clip::default() });
    let glb = registry::by_id("glb").unwrap();
    let document = glb.from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap();
    let bytes = glb.write(&document, &WriteOptions::default()).unwrap().main;
    dopesheet::read("hand.glb", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn recorded(hand: &Opened, tolerance: Tolerance) -> (Opened, Conversion) {
    let to = registry::by_id("mrtk2").unwrap();
    let options = ConvertOptions { tolerance: Some(tolerance), ..ConvertOptions::to(to) };
    let made = convert(std::slice::from_ref(hand), &options).unwrap();
    let read = dopesheet::read("hand.bin", &made.output.main, &ReadOptions::default(), &mut |_| None);
    (read.unwrap(), made)
}

fn in_the_world(opened: &Opened) -> Sampled {
    let options =
        SampleOptions { axes: Axes::Gltf, space: Space::Model, ..SampleOptions::at(TimeSpec::Rate(997.0)) };
    sample(opened, &options).unwrap()
}

/// Largest error of points within 3 cm around the joints.
fn farthest(a: &Opened, b: &Opened) -> f64 {
    let (a, b) = (in_the_world(a), in_the_world(b));
    let mut worst = 0.0f64;
    for (name, _) in FINGER {
        let [own, other] = [&a, &b].map(|side| {
            side.tracks.iter().find(|track| track.target == name).unwrap_or_else(|| panic!("{name}"))
        });
        for row in 0..a.times_s.len() {
            let place =
                |n: usize| own.channels[0].values[row * 3 + n] - other.channels[0].values[row * 3 + n];
            let turn = |track: &sample::SampledTrack| -> [f64; 4] {
                quat_normalise_or_identity(std::array::from_fn(|n| track.channels[1].values[row * 4 + n]))
            };
            let apart = (place(0).powi(2) + place(1).powi(2) + place(2).powi(2)).sqrt();
            worst = worst.max(apart + 0.03 * 2.0 * (quat_angle(turn(own), turn(other)) / 2.0).sin());
        }
    }
    worst
}

fn in_model_space(made: &Conversion) -> &MaxError {
    let found = made.report.report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with("model space") => Some(max_error),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{:?}", made.report.report.losses))
}

fn said(made: &Conversion) -> Vec<String> {
    made.report.report.losses.iter().map(|loss| format!("{loss:?}")).collect()
}

#[test]
fn hands_whose_joints_hang_on_joints_get_keys_by_the_tolerance() {
    let hand = hand(None);
    let mut sizes = Vec::new();
    for length_m in [1e-4, 2e-3] {
        let (recording, made) = recorded(&hand, Tolerance { length_m, ..Tolerance::default() });
        let (measured, said) = (farthest(&hand, &recording), in_model_space(&made).value);
        // What is said counts what lies between samples, and times and numbers of single precision count here.
        assert!(measured <= length_m * 1.01 + 1e-6, "{measured} of {length_m}");
        assert!(said <= length_m * 1.01 && said > 0.3 * length_m, "{said} of {length_m}");
        assert!(measured <= said + 2e-6 && said <= measured * 1.15 + 2e-6, "{measured} is said to be {said}");
        sizes.push(made.output.main.len());
    }
    // At 60 keys a second there would be 5 joints × 7 curves × 240 keys of 8 bytes.
    assert!(sizes[1] * 5 < sizes[0] * 4 && sizes[0] * 3 < 5 * 7 * 240 * 8, "{sizes:?}");
}

#[test]
fn a_recording_says_what_became_of_scales_that_it_has_no_room_for() {
    let plain = Tolerance::default();
    let (_, made) = recorded(&hand(Some([1.0; 3])), plain);
    assert!(!said(&made).iter().any(|line| line.contains("scale")), "{:?}", said(&made));
    let scaled = hand(Some([1.5; 3]));
    let (recording, made) = recorded(&scaled, plain);
    let lines = said(&made);
    assert!(
        lines.iter().any(|line| line.starts_with("Dropped") && line.contains("scales of nodes")),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|line| line.starts_with("Kept") && line.contains("scale")), "{lines:?}");
    // Joints that hang on what is scaled are where that puts them.
    assert!(farthest(&scaled, &recording) < 1.02e-4);
}

#[test]
fn what_playing_turns_by_component_costs_is_measured() {
    let (_, made) = recorded(&hand(None), Tolerance { length_m: 0.05, ..Tolerance::default() });
    let error = made.report.report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.contains("played by component") => Some(max_error),
        _ => None,
    });
    let error = error.unwrap_or_else(|| panic!("{:?}", said(&made)));
    assert!(error.value > 1e-6 && error.value < 2.1e-5 && error.value != 2e-5, "{error:?}");
    assert!(error.target.starts_with("left.") && error.time.0 > 0.0, "{error:?}");
}

#[test]
#[ignore = "costly"]
fn a_gaze_keeps_its_limit_in_every_variant_whatever_the_tolerance() {
    let path = dopesheet_testkit::workspace().join("samples/hands.bin");
    let input = [dopesheet::open(&path, None, &ReadOptions::default()).unwrap()];
    for variant in ["rot16", "meshopt,rot16"] {
        let mut smallest: Option<usize> = None;
        for length_m in [5e-5, 1e-4, 1.5e-4, 3.5e-4, 1e-3, 3e-3] {
            let options = ConvertOptions {
                variant: Some(variant.to_owned()),
                tolerance: Some(Tolerance { length_m, ..Tolerance::DEFAULT }),
                lossy: true,
                ..ConvertOptions::to(registry::wanted("glb").unwrap())
            };
            let made = convert(&input, &options).unwrap();
            assert!(
                made.report.report.findings.iter().all(|own| own.fault.code != "tolerance-exceeded"),
                "{length_m}"
            );
            let bytes = made.output.main.len();
            let least = smallest.map_or(bytes, |tighter| tighter.min(bytes));
            assert!(bytes <= least + least / 50, "{variant} at {length_m}: {bytes} bytes");
            smallest = Some(least);
        }
    }
}
