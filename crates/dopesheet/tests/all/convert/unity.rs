//! Unity animation clips beside other formats: recordings of MRTK2 keep every key on the way there and back, and what is
//! written says the same to a reader of YAML that is not ours.
#![cfg(all(feature = "mrtk2", feature = "unity", feature = "gltf", feature = "mmd", feature = "bvh"))]

use dopesheet::core::format::{Format, WriteOptions};
use dopesheet::{
    ConvertOptions, Opened, ReadOptions, SampleOptions, TimeSpec, convert, open, registry, sample,
};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::{
    Document as Recording, Keyframe as RecordedKey, NumberCurve, NumberKeys, Pose, PoseName, Version,
};
use dopesheet_testkit::workspace;
use dopesheet_unity::UnityAnim;
use dopesheet_unity::animation::{Clip, Document};
use yaml_rust2::{Yaml, YamlLoader};

fn read_as(name: &str, bytes: &[u8]) -> Opened {
    dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn converted(source: &Opened, to: &str) -> Opened {
    let conversion =
        convert(std::slice::from_ref(source), &ConvertOptions::to(registry::by_id(to).unwrap())).unwrap();
    read_as(&format!("made.{}", registry::by_id(to).unwrap().info().extensions[0]), &conversion.output.main)
}

fn clip(opened: &Opened) -> Clip {
    let bytes = opened.format().write(&opened.document, &WriteOptions::default()).unwrap().main;
    dopesheet_testkit::read::<UnityAnim>(&bytes).file().clips[0].clone()
}

fn recording(opened: &Opened) -> Recording {
    let bytes = opened.format().write(&opened.document, &WriteOptions::default()).unwrap().main;
    dopesheet_testkit::read::<Mrtk2>(&bytes)
}

/// Numbers that repeat with the same start: what random tests would be without a seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / 16_777_216.0 - 0.5
    }
}

/// A curve with every kind of segment; components of one value share times, modes differ from key to key.
fn curve(numbers: &mut Numbers, count: usize, mode: impl Fn(usize) -> i32) -> NumberCurve {
    let key = |index: usize, numbers: &mut Numbers| {
        let step = index % 5 == 3;
        RecordedKey {
            time: index as f32 * 0.125,
            value: numbers.next() + 0.75,
            in_tangent: 4.0 * numbers.next(),
            out_tangent: if step { f32::INFINITY } else { 4.0 * numbers.next() },
            in_weight: numbers.next() + 0.5,
            out_weight: numbers.next() + 0.5,
            weighted_mode: mode(index),
        }
    };
    NumberCurve {
        keys: NumberKeys::Full((0..count).map(|index| key(index, numbers)).collect()),
        ..NumberCurve::default()
    }
}

fn pose(numbers: &mut Numbers, count: usize) -> Pose {
    Pose {
        position: std::array::from_fn(|_| curve(numbers, count, |index| index as i32 % 4)),
        rotation: std::array::from_fn(|_| curve(numbers, count, |index| (index as i32 + 1) % 4)),
    }
}

/// A head and two joints of version 1.0 with tangents, weights and modes of all kinds, the unused ones too.
fn authored() -> Recording {
    let mut numbers = Numbers(7);
    let mut recording = Recording::new(Version::V1_0);
    recording.camera = Some(pose(&mut numbers, 9));
    let hands = recording.hands.get_or_insert_default();
    hands.joints[0][1] = pose(&mut numbers, 17);
    hands.joints[1][11] = pose(&mut numbers, 3);
    recording.markers = Some(vec![dopesheet_mrtk2::animation::Marker::new(0.5, "よし")]);
    recording
}

fn opened(recording: &Recording) -> Opened {
    read_as("authored.bin", &Mrtk2::write(recording, &WriteOptions::default()).unwrap().main)
}

fn poses(recording: &Recording) -> Vec<(PoseName, &Pose)> {
    recording.poses().filter(|(_, pose)| !pose.is_absent()).collect()
}

fn path(name: PoseName) -> String {
    match name {
        PoseName::Camera => "Camera".into(),
        PoseName::Joint(hand, joint) => {
            let side = if hand as usize == 0 { "Left" } else { "Right" };
            format!("{side}Hand/{}", joint.name())
        }
    }
}

/// Every key of a recording is in the clip, component by component, with its slopes, weights and mode, bit for bit.
#[test]
fn a_clip_has_every_key_of_a_recording_with_all_that_it_holds() {
    let source = authored();
    let made = clip(&converted(&opened(&source), "unity-anim"));
    let (mut keys, mut numbers) = (0, 0);
    let mut compare = |own: &NumberCurve, key: usize, theirs: [f32; 6], mode: i64| {
        let own = own.keys.get(key).unwrap();
        let wanted = [own.time, own.value, own.in_tangent, own.out_tangent, own.in_weight, own.out_weight];
        assert_eq!(wanted.map(f32::to_bits), theirs.map(f32::to_bits), "key {key}");
        assert_eq!(i64::from(own.weighted_mode), mode);
        keys += 1;
        numbers += 7;
    };
    for (name, pose) in poses(&source) {
        let position = made.position_curves.iter().find(|own| own.path == path(name)).unwrap();
        assert_eq!(position.curve.keys.len(), pose.position[0].keys.len());
        for (at, key) in position.curve.keys.iter().enumerate() {
            for n in 0..3 {
                let row = [
                    key.time,
                    key.value[n],
                    key.in_slope[n],
                    key.out_slope[n],
                    key.in_weight[n],
                    key.out_weight[n],
                ];
                compare(&pose.position[n], at, row, key.weighted_mode);
            }
        }
        let rotation = made.rotation_curves.iter().find(|own| own.path == path(name)).unwrap();
        assert_eq!(rotation.curve.keys.len(), pose.rotation[0].keys.len());
        for (at, key) in rotation.curve.keys.iter().enumerate() {
            for n in 0..4 {
                let row = [
                    key.time,
                    key.value[n],
                    key.in_slope[n],
                    key.out_slope[n],
                    key.in_weight[n],
                    key.out_weight[n],
                ];
                compare(&pose.rotation[n], at, row, key.weighted_mode);
            }
        }
    }
    assert_eq!((keys, numbers), (7 * (9 + 17 + 3), 7 * 7 * (9 + 17 + 3)));
    assert_eq!((made.events.len(), made.events[0].data.as_str()), (1, "よし"));
    assert_eq!((made.position_curves.len(), made.rotation_curves.len()), (3, 3));
}

#[test]
fn a_recording_comes_back_from_its_clip_key_by_key() {
    let source = authored();
    let back = recording(&converted(&converted(&opened(&source), "unity-anim"), "mrtk2"));
    assert_eq!(back.version, Version::V1_0);
    let (before, after) = (poses(&source), poses(&back));
    assert_eq!(before.len(), after.len());
    let mut keys = 0;
    for ((name, before), (_, after)) in before.iter().zip(&after) {
        assert_eq!(before, after, "{name}");
        keys += before.curves().map(|curve| curve.keys.len()).sum::<usize>();
    }
    assert_eq!(keys, 7 * (9 + 17 + 3));
    assert_eq!(back.markers, source.markers);
}

/// The fixtures of that room, in each of its shapes. Where components of a value have other keys, further ones stand beside
/// them.
#[test]
fn recordings_of_every_shape_come_back() {
    let folder = workspace().join("formats/mrtk2/src/animation/fixtures/valid");
    let (mut seen, mut keys) = (0, 0);
    for path in dopesheet_testkit::files(&folder, &["bin"], 3) {
        let source = open(&path, None, &ReadOptions::default()).unwrap();
        let own = recording(&source);
        if own.gaze.is_some() || own.poses().all(|(_, pose)| pose.is_absent()) {
            continue;
        }
        let back = recording(&converted(&converted(&source, "unity-anim"), "mrtk2"));
        for (name, pose) in poses(&own) {
            let (_, after) = poses(&back).into_iter().find(|(own, _)| *own == name).unwrap();
            for (before, after) in pose.curves().zip(after.curves()) {
                let all: Vec<_> =
                    after.keys.iter().map(|key| (key.time.to_bits(), key.value.to_bits())).collect();
                let is_there = |key: RecordedKey| all.contains(&(key.time.to_bits(), key.value.to_bits()));
                assert!(before.keys.iter().all(is_there), "{name} of {}", path.display());
                keys += before.keys.len();
            }
        }
        seen += 1;
    }
    assert!(seen >= 1 && keys >= 10, "{seen} files, {keys} keys");
}

#[test]
fn hands_are_found_by_the_paths_that_a_recording_has_in_unity() {
    let source = open(&workspace().join("samples/hands.bin"), None, &ReadOptions::default()).unwrap();
    let made = clip(&converted(&source, "unity-anim"));
    let paths: Vec<&str> = made.position_curves.iter().map(|own| own.path.as_str()).collect();
    for path in ["Camera", "LeftHand/Wrist", "LeftHand/IndexTip", "RightHand/ThumbMetacarpalJoint"] {
        assert!(paths.contains(&path), "{path}: {paths:?}");
    }
    assert!(paths.iter().all(|path| !path.contains('_')), "{paths:?}");
    let switches: Vec<&str> = made
        .float_curves
        .iter()
        .filter(|own| own.attribute == "m_IsActive")
        .map(|own| own.path.as_str())
        .collect();
    assert_eq!(switches, ["LeftHand", "LeftHand/Pinch", "RightHand", "RightHand/Pinch"]);
    assert_eq!(made.euler_curves.len(), 0);
    let (before, after) =
        (recording(&source), recording(&converted(&converted(&source, "unity-anim"), "mrtk2")));
    let switches = |own: &Recording| {
        let hands = own.hands.as_ref().unwrap();
        let all = hands.tracked.iter().chain(&hands.pinch);
        all.map(|curve| curve.keys.iter().map(|key| (key.time, key.value)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(switches(&after), switches(&before), "tracked and pinch come back");
}

#[test]
fn angles_of_other_formats_are_written_as_quaternions_and_those_of_a_clip_as_they_are() {
    let jump = open(&workspace().join("samples/jump.bvh"), None, &ReadOptions::default()).unwrap();
    let made = clip(&converted(&jump, "unity-anim"));
    assert_eq!(made.euler_curves.len(), 0);
    assert!(made.rotation_curves.len() > 10);
    let path = workspace().join("formats/unity/src/animation/fixtures/valid/angles.anim");
    let own = open(&path, None, &ReadOptions::default()).unwrap();
    let mut options = ConvertOptions::to(registry::by_id("unity-anim").unwrap());
    options.keep_constant = true;
    options.metres_per_unit = Some(1.0);
    let again = convert(std::slice::from_ref(&own), &options).unwrap();
    let again = dopesheet_testkit::read::<UnityAnim>(&again.output.main).file().clips[0].clone();
    assert_eq!((again.euler_curves.len(), again.rotation_curves.len()), (1, 0));
}

/// A number of YAML as any program would take it.
fn number(yaml: &Yaml) -> f64 {
    match yaml {
        Yaml::Integer(number) => *number as f64,
        Yaml::Real(text) => text.parse().unwrap(),
        Yaml::String(text) if text == "Infinity" => f64::INFINITY,
        other => panic!("no number: {other:?}"),
    }
}

/// One component of a key, read without our reader.
struct Key {
    time: f64,
    value: f64,
    slopes: [f64; 2],
    mode: i64,
    weights: [f64; 2],
}

fn keys(curve: &Yaml, axis: Option<&str>) -> Vec<Key> {
    let part = |key: &Yaml, name: &str| number(axis.map_or(&key[name], |axis| &key[name][axis]));
    let one = |key: &Yaml| Key {
        time: number(&key["time"]),
        value: part(key, "value"),
        slopes: [part(key, "inSlope"), part(key, "outSlope")],
        mode: key["weightedMode"].as_i64().unwrap(),
        weights: [part(key, "inWeight"), part(key, "outWeight")],
    };
    curve["m_Curve"].as_vec().unwrap().iter().map(one).collect()
}

/// Unity's law, from its description and by bisection: none of our code.
fn evaluated(keys: &[Key], infinity: [i64; 2], time: f64) -> f64 {
    let (first, last) = (&keys[0], &keys[keys.len() - 1]);
    if keys.len() == 1 {
        return first.value;
    }
    let length = last.time - first.time;
    let mode = if time < first.time { infinity[0] } else { infinity[1] };
    let repeat = |x: f64, p: f64| x - (x / p).floor() * p;
    let time = match mode {
        _ if (first.time..=last.time).contains(&time) => time,
        1 => first.time + repeat(time - first.time, length),
        0 => first.time + (length - (repeat(time - first.time, 2.0 * length) - length).abs()),
        _ => time.clamp(first.time, last.time),
    };
    let at = keys.iter().rposition(|key| key.time <= time).unwrap();
    let Some(right) = keys.get(at + 1) else { return keys[at].value };
    let left = &keys[at];
    let (length, m0, m1) = (right.time - left.time, left.slopes[1], right.slopes[0]);
    if m0.is_infinite() || m1.is_infinite() {
        return left.value;
    }
    let p = if left.mode & 2 != 0 { left.weights[1] } else { 1.0 / 3.0 };
    let q = if right.mode & 1 != 0 { right.weights[0] } else { 1.0 / 3.0 };
    let bezier = |c: [f64; 4], u: f64| {
        let v = 1.0 - u;
        v * v * v * c[0] + 3.0 * v * v * u * c[1] + 3.0 * v * u * u * c[2] + u * u * u * c[3]
    };
    let x = (time - left.time) / length;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if bezier([0.0, p, 1.0 - q, 1.0], middle) < x { low = middle } else { high = middle }
    }
    let ends = [left.value, left.value + p * m0 * length, right.value - q * m1 * length, right.value];
    bezier(ends, (low + high) / 2.0)
}

fn infinity(curve: &Yaml) -> [i64; 2] {
    ["m_PreInfinity", "m_PostInfinity"].map(|name| curve[name].as_i64().unwrap())
}

/// The values that a clip gives to one property of one path, as another reader and another evaluator have it.
fn by_another_reader(list: &Yaml, path: &str, axes: &[&str], time: f64) -> Option<Vec<f64>> {
    let entry = list.as_vec()?.iter().find(|entry| entry["path"].as_str().unwrap_or("") == path)?;
    let curve = &entry["curve"];
    Some(axes.iter().map(|axis| evaluated(&keys(curve, Some(axis)), infinity(curve), time)).collect())
}

/// Samples of our own at some times: target, channel, values.
fn ours(opened: &Opened, times: &[f64]) -> Vec<(String, String, Vec<Vec<f64>>)> {
    let spec = times.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let sampled = sample(opened, &SampleOptions::at(TimeSpec::parse_list(&spec).unwrap())).unwrap();
    let tracks = sampled.tracks.into_iter();
    tracks
        .flat_map(|track| {
            let rows = |width: usize, values: &[f64]| values.chunks(width).map(<[f64]>::to_vec).collect();
            let target = track.target;
            track
                .channels
                .into_iter()
                .map(move |c| (target.clone(), c.name, rows(c.width, &c.values)))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Compares all transforms of a clip with another reader's; yields how many values those were.
fn agrees(made: &Opened, times: &[f64], tolerance: f64) -> usize {
    let bytes = made.format().write(&made.document, &WriteOptions::default()).unwrap().main;
    let text = String::from_utf8(bytes).unwrap();
    let root = &YamlLoader::load_from_str(&text).unwrap()[0]["AnimationClip"];
    let ours = ours(made, times);
    let mut compared = 0;
    for (list, channel, axes) in [
        ("m_PositionCurves", "translation", &["x", "y", "z"][..]),
        ("m_ScaleCurves", "scale", &["x", "y", "z"]),
        ("m_RotationCurves", "rotation", &["x", "y", "z", "w"]),
        ("m_EulerCurves", "angles_deg", &["x", "y", "z"]),
    ] {
        // Joints of two hands have the same names; they come in the order of the file.
        let mut seen: Vec<&str> = Vec::new();
        for entry in root[list].as_vec().unwrap() {
            let path = entry["path"].as_str().unwrap_or("");
            let name = path.rsplit('/').next().unwrap();
            let before = seen.iter().filter(|own| **own == name).count();
            seen.push(name);
            let rows = &ours
                .iter()
                .filter(|(target, own, _)| target == name && own == channel)
                .nth(before)
                .unwrap()
                .2;
            for (time, row) in times.iter().zip(rows) {
                // Rotations are stored values here, as a file has them, which nobody has normalised yet.
                let theirs = by_another_reader(&root[list], path, axes, *time).unwrap();
                for (a, b) in row.iter().zip(&theirs) {
                    assert!(
                        (a - b).abs() <= tolerance * b.abs().max(1.0),
                        "{path} {channel} at {time}: {row:?} {theirs:?}"
                    );
                    compared += 1;
                }
            }
        }
    }
    compared
}

fn times(end: f64) -> Vec<f64> {
    // Off the keys, which stand on eighths.
    (0..40).map(|step| 0.003 + end * f64::from(step) / 40.0).chain([0.0, 0.125, 0.5]).collect()
}

#[test]
fn what_we_write_of_a_recording_plays_the_same_by_another_reader() {
    let made = converted(&opened(&authored()), "unity-anim");
    assert_eq!(agrees(&made, &times(2.2), 1e-6), 7 * 3 * 43);
    // And it is what the recording plays.
    let source = opened(&authored());
    let (a, b) = (ours(&source, &times(2.0)), ours(&made, &times(2.0)));
    let mut compared = 0;
    // Joints without keys play 0 in a recording; a clip does not name them.
    for (target, channel, rows) in b.iter().filter(|(_, channel, _)| channel == "translation") {
        // The two joints that move have different names.
        let is_it = |own: &str| own.eq_ignore_ascii_case(target) || own.ends_with(&format!(".{target}"));
        let has_keys = |rows: &[Vec<f64>]| rows.iter().any(|row| row.iter().any(|x| *x != 0.0));
        let source = a.iter().find(|(own, c, rows)| is_it(own) && c == channel && has_keys(rows));
        let source = &source.unwrap().2;
        for (a, b) in source.iter().zip(rows) {
            assert!(
                a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * a.abs().max(1.0)),
                "{target}: {a:?} {b:?}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 3 * 43);
}

#[test]
fn what_we_write_of_other_formats_plays_the_same_by_another_reader() {
    let mut compared = 0;
    for (name, end) in [("samples/walk.vmd", 1.0), ("samples/jump.bvh", 0.8), ("samples/wave.json", 1.0)] {
        let path = workspace().join(name);
        let source = open(&path, None, &ReadOptions::default()).unwrap();
        let made = converted(&source, "unity-anim");
        compared += agrees(&made, &times(end), 1e-6);
    }
    assert!(compared > 3000, "{compared}");
}

/// Text in other scripts, and steps, come through another reader too.
#[test]
fn names_and_steps_come_through_another_reader() {
    let path = workspace().join("formats/unity/src/animation/fixtures/valid/plain.anim");
    let source = open(&path, None, &ReadOptions::default()).unwrap();
    let mut document = dopesheet_testkit::read::<UnityAnim>(&std::fs::read(&path).unwrap());
    document.rewrite();
    let text =
        UnityAnim::write(&Document::new(document.file().clone()), &WriteOptions::default()).unwrap().main;
    let root = &YamlLoader::load_from_str(std::str::from_utf8(&text).unwrap()).unwrap()[0]["AnimationClip"];
    let smile = &root["m_FloatCurves"][0];
    assert_eq!(smile["attribute"].as_str(), Some("blendShape.笑い"));
    let keys = keys(&smile["curve"], None);
    assert_eq!(
        [0.0, 0.999, 1.0].map(|time| evaluated(&keys, infinity(&smile["curve"]), time)),
        [0.0, 0.0, 100.0]
    );
    assert_eq!(root["m_Events"][0]["data"].as_str(), Some("スタート"));
    assert!(agrees(&source, &times(1.5), 1e-6) > 0);
}
