//! Every array of the corpus' manifest: files, decoded values, samples, poses, clip times, event queries, bad files.

use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{AnyDocument, Format, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_core::model::{Clip, Composition, Property, Scene, Track as SceneTrack};
use dopesheet_core::units::Seconds;
use dopesheet_more::More;
use dopesheet_more::more::animation::{Animation, Body, Keys, Shape, Track, Values};
use dopesheet_more::more::clip::{Clip as MoreClip, ClipContent, SubResource};
use dopesheet_more::more::packed::EulerCode;
use dopesheet_more::more::{Document, Resource};
use dopesheet_motion::sample::pose::local_pose;
use dopesheet_motion::sample::stored_at;
use dopesheet_motion::{Side, channel_at, native_parts};
use dopesheet_testkit::{bytes, close, corpus, json, read, read_reporting, rotation_angle};
use serde_json::Value;
use std::path::Path;

pub(crate) fn manifest() -> Option<(std::path::PathBuf, Value)> {
    let folder = corpus("more")?;
    let manifest = json(&folder.join("manifest.json"));
    Some((folder, manifest))
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Entries of the manifest of one kind, with their documents.
pub(crate) fn documents(folder: &Path, manifest: &Value, kind: &str) -> Vec<(Value, Document)> {
    let entries = list(&manifest["files"]).iter().filter(|entry| entry["kind"] == kind);
    entries.map(|entry| (entry.clone(), read::<More>(&bytes(&folder.join(text(&entry["file"])))))).collect()
}

/// Names are text, or bytes behind `hex:`.
fn same_name(found: &[u8], expected: &Value) -> bool {
    let expected = text(expected);
    match expected.strip_prefix("hex:") {
        Some(hex) => found.iter().map(|b| format!("{b:02x}")).collect::<String>() == hex,
        None => found == expected.as_bytes(),
    }
}

/// A number, or `bits:` and the bits of a float.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(word) => match word.strip_prefix("bits:") {
            Some(bits) => f64::from(f32::from_bits(u32::from_str_radix(bits, 16).unwrap())),
            None => word.parse().unwrap(),
        },
        other => other.as_f64().unwrap_or_else(|| panic!("expected a number, found {other}")),
    }
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().map(number).collect(),
        one => vec![number(one)],
    }
}

/// Uncompressed numbers agree bit for bit as f32.
pub(crate) fn same_float(found: f32, expected: &Value) -> bool {
    match text(expected).strip_prefix("bits:") {
        Some(bits) => found.to_bits() == u32::from_str_radix(bits, 16).unwrap(),
        None => found.to_bits() == (number(expected) as f32).to_bits(),
    }
}

#[test]
fn every_file_reads_checks_and_comes_back() {
    let Some((folder, manifest)) = manifest() else { return };
    let (mut seen, mut clean) = (0, 0);
    for entry in list(&manifest["files"]).iter().filter(|e| e["kind"] != "archive") {
        let name = text(&entry["file"]);
        let bytes = bytes(&folder.join(name));
        let (document, report) = read_reporting::<More>(&bytes);
        let written = More::write(&document, &WriteOptions::default()).unwrap().main;
        assert!(written == bytes, "{name} is not written as it was read");
        assert_eq!(document.resource.class(), text(&entry["resource"]), "{name}");
        assert_eq!(u64::from(document.version), entry["version"].as_u64().unwrap(), "{name}");
        assert_eq!(document.endian == Endian::Big, entry["endian"] == "big", "{name}");
        let is_clean = report.worst().is_none_or(|worst| worst == Severity::Info);
        assert_eq!(is_clean, entry["check"] == "clean", "{name}: {:#?}", report.findings);
        let kind = match &document.resource {
            Resource::Animation(_) => "animation",
            Resource::Clip(_) => "clip",
            Resource::Actor(_) => "actor",
            Resource::Opaque(_) => "opaque",
        };
        assert_eq!(kind, text(&entry["kind"]), "{name}");
        (seen, clean) = (seen + 1, clean + usize::from(is_clean));
    }
    assert_eq!((seen, clean), (68, 64), "the corpus has changed");
}

#[test]
fn every_track_has_the_keys_of_the_manifest() {
    let Some((folder, manifest)) = manifest() else { return };
    let mut keys = 0;
    for (entry, document) in documents(&folder, &manifest, "animation") {
        let Resource::Animation(animation) = &document.resource else { panic!("an animation") };
        keys += compare_animation(animation, &entry, text(&entry["file"]));
    }
    for (entry, document) in documents(&folder, &manifest, "clip") {
        let Resource::Clip(clip) = &document.resource else { panic!("a clip") };
        keys += compare_clip(clip, &entry);
    }
    assert!(keys > 3000, "only {keys} keys");
}

fn compare_animation(animation: &Animation, entry: &Value, file: &str) -> usize {
    match &animation.name {
        Some(name) => assert!(same_name(&name.0, &entry["name"]), "{file}: name"),
        None => assert!(entry["name"].is_null(), "{file}: name"),
    }
    assert!(same_float(animation.duration, &entry["duration"]), "{file}: duration");
    assert_eq!(Some(animation.is_delta), entry["isDelta"].as_bool(), "{file}: isDelta");
    let instants = list(&entry["instants"]);
    assert_eq!(animation.instants.len(), instants.len(), "{file}: instants");
    for (found, expected) in animation.instants.iter().zip(instants) {
        assert!(same_float(found.time, &expected[0]) && u64::from(found.id) == expected[1], "{file}");
    }
    let tracks = list(&entry["tracks"]);
    assert_eq!(animation.tracks.len(), tracks.len(), "{file}: tracks");
    animation.tracks.iter().zip(tracks).map(|(track, expected)| compare_track(track, expected, file)).sum()
}

fn compare_track(track: &Track, expected: &Value, file: &str) -> usize {
    let place = format!("{file} {}", expected["name"]);
    assert_eq!(u64::from(track.track_type.code()), expected["type"].as_u64().unwrap(), "{place}");
    assert!(same_name(&track.name.0, &expected["name"]), "{place}");
    let decoded = list(&expected["decoded"]);
    match &track.body {
        Body::Keys(keys) => {
            assert_eq!(u64::from(keys.terminate), expected["terminate"].as_u64().unwrap(), "{place}");
            assert_eq!(keys.len(), decoded.len(), "{place}");
            for (key, expected) in decoded.iter().enumerate() {
                compare_key(keys, key, expected, &format!("{place} key {key}"));
            }
        }
        Body::Displacement(pair) => {
            return compare_track(&pair.position, &expected["position"], file)
                + compare_track(&pair.rotation, &expected["rotation"], file);
        }
        Body::Events(events) => {
            assert_eq!(events.len(), decoded.len(), "{place}");
            for (event, expected) in events.iter().zip(decoded) {
                assert!(same_float(event.time, &expected["t"]), "{place}");
                assert_eq!(u64::from(event.value), expected["value"].as_u64().unwrap(), "{place}");
                let expected = &expected["userData"];
                let same = expected.is_null() && event.user_data.0.is_empty()
                    || same_name(&event.user_data.0, expected);
                assert!(same, "{place}: {:?} is not {expected}", event.user_data);
            }
        }
        Body::User { terminate } => {
            assert_eq!(u64::from(*terminate), expected["terminate"].as_u64().unwrap())
        }
    }
    decoded.len()
}

fn compare_key(keys: &Keys, key: usize, expected: &Value, place: &str) {
    let time = keys.times.get(key).unwrap();
    assert!(close(time, number(&expected["t"]), 2e-5), "{place}: time {time}");
    if let dopesheet_more::more::animation::Times::Codes(codes) = &keys.times {
        assert_eq!(u64::from(codes[key]), expected["t_raw"].as_u64().unwrap(), "{place}");
    }
    compare_value(&keys.values, key, expected, "v", place);
    match &keys.shape {
        Shape::Plain => {}
        Shape::Bezier(bezier) => {
            compare_value(&bezier.der_src, key, expected, "derSrc", place);
            if let Some(der_dst) = bezier.der_dst.as_ref().filter(|_| keys.values.width() < 4) {
                compare_value(der_dst, key, expected, "derDst", place);
            }
            assert_eq!(Some(bezier.flat_out[key]), expected["flatOut"].as_bool(), "{place}");
        }
        Shape::Tcb(tcb) => {
            compare_value(&tcb.der_src, key, expected, "derSrc", place);
            compare_value(&tcb.der_dst, key, expected, "derDst", place);
            let s = tcb.settings[key];
            let named = [
                (s.tension, "tens"),
                (s.continuity, "cont"),
                (s.bias, "bias"),
                (s.ease_to, "easeTo"),
                (s.ease_from, "easeFrom"),
            ];
            for (found, name) in named {
                assert!(same_float(found, &expected[name]), "{place}: {name} {found}");
            }
            if let Some(turn) = tcb.turns.get(key) {
                assert!(same_float(turn.angle, &expected["angle"]), "{place}: angle");
                let axis = list(&expected["axis"]);
                assert!(turn.axis.iter().zip(axis).all(|(a, b)| same_float(*a, b)), "{place}: axis");
            }
        }
    }
}

fn compare_value(values: &Values, key: usize, expected: &Value, field: &str, place: &str) {
    let want = &expected[field];
    let want: Vec<&Value> = if want.is_array() { list(want).iter().collect() } else { vec![want] };
    let exact = |found: &[f32]| found.iter().zip(&want).all(|(a, b)| same_float(*a, b));
    let sound = match values {
        Values::Floats(v) => exact(&v[key..=key]),
        Values::Vectors(v) => exact(&v[key]),
        Values::Quaternions(v) => exact(&v[key]),
        coded => {
            let found = coded.decoded(key, EulerCode::Affine);
            found.len() == want.len() && found.iter().zip(&want).all(|(a, b)| close(*a, number(b), 2e-6))
        }
    };
    assert!(sound, "{place} {field}: {:?} is not {want:?}", values.decoded(key, EulerCode::Affine));
    let raw = &expected[format!("{field}_raw")];
    if !raw.is_null() {
        let codes: Vec<u64> = match values {
            Values::Quaternions32(v) => vec![v[key].into()],
            Values::Quaternions48(v) | Values::Angles(v) => v[key].map(u64::from).to_vec(),
            Values::Integers(v) => vec![v[key].into()],
            _ => panic!("{place}: codes of floats"),
        };
        let raw: Vec<u64> = numbers(raw).iter().map(|n| *n as u64).collect();
        assert_eq!(codes, raw, "{place} {field}");
    }
}

fn compare_clip(clip: &MoreClip, entry: &Value) -> usize {
    let file = text(&entry["file"]);
    assert_eq!(u64::from(clip.layer_id), entry["layerID"].as_u64().unwrap(), "{file}");
    assert_eq!(Some(clip.is_looping), entry["isLooping"].as_bool(), "{file}");
    assert!(same_float(clip.time_scale, &entry["timeScale"]), "{file}");
    match clip.transition {
        Some(t) => {
            assert!(same_float(t.blending, &entry["blending"]), "{file}");
            assert!(same_float(t.fade_in, &entry["transitionIn"]), "{file}");
            assert!(same_float(t.fade_out, &entry["transitionOut"]), "{file}");
        }
        None => assert!(entry["blending"].is_null(), "{file}"),
    }
    let warp: Vec<_> = clip.time_warp.iter().flatten().flatten().copied().collect();
    let expected: Vec<&Value> = list(&entry["timeWarp"]).iter().flat_map(list).collect();
    assert_eq!(clip.time_warp.is_some(), entry["timeWarp"].is_array(), "{file}");
    assert!(
        warp.len() == expected.len() && warp.iter().zip(expected).all(|(a, b)| same_float(*a, b)),
        "{file}"
    );
    let layer = |layer: &SubResource, expected: &Value| match layer {
        SubResource::Path(path) => {
            assert!(same_name(&path.0, &expected["path"]), "{file}");
            0
        }
        SubResource::Embedded(animation) => compare_animation(animation, &expected["embedded"], file),
    };
    match &clip.content {
        ClipContent::Simple(one) => layer(one, &entry["animation"]),
        ClipContent::Synchronised { layers, blendings, adjust_durations } => {
            let weights = list(&entry["blendings"]);
            assert!(blendings.len() == weights.len(), "{file}");
            assert!(blendings.iter().zip(weights).all(|(a, b)| same_float(*a, b)), "{file}");
            let adjusted: Vec<bool> =
                list(&entry["adjustDurations"]).iter().filter_map(Value::as_bool).collect();
            assert_eq!(*adjust_durations, adjusted, "{file}");
            let expected = list(&entry["subLayers"]);
            assert_eq!(layers.len(), expected.len(), "{file}");
            layers.iter().zip(expected).map(|(a, b)| layer(a, b)).sum()
        }
    }
}

fn stored_scene(document: &Document) -> Scene {
    let options = ToScene { as_stored: true, ..ToScene::default() };
    More::to_scene(document, &options, &mut Report::default()).unwrap()
}

/// The one value that a track of a scene has as stored.
fn stored_value(track: &SceneTrack, time: f64) -> Vec<f64> {
    let [channel] = track.channels.as_slice() else { panic!("one channel per track as stored") };
    let parts = native_parts(channel);
    assert!(matches!(parts.as_slice(), [("value", _)]), "expected the part \"value\", found {parts:?}");
    let mut out = Vec::new();
    assert!(stored_at(channel, 0, Seconds(time), &mut out));
    out
}

/// Numbers within the corpus' tolerance; quaternions up to sign.
fn same_sample(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    let same = |sign: f64| found.iter().zip(expected).all(|(a, b)| close(sign * a, *b, tolerance));
    found.len() == expected.len() && (same(1.0) || expected.len() == 4 && same(-1.0))
}

struct Samples<'a> {
    tolerance: f64,
    clip: &'a Clip,
    file: &'a str,
    seen: usize,
    wrong: Vec<String>,
}

impl Samples<'_> {
    fn track(&mut self, index: usize, label: &str, expected: &Value) {
        for half in ["position", "rotation"].into_iter().filter(|half| !expected[*half].is_null()) {
            self.track(index, &format!("{label}/{half}"), &expected[half]);
        }
        let samples = list(&expected["samples"]);
        let track = self.clip.tracks.iter().find(|t| t.target.index == index && t.target.label() == label);
        for sample in samples.iter().filter(|sample| !sample[1].is_null()) {
            let (time, want) = (number(&sample[0]), numbers(&sample[1]));
            let track = track.unwrap_or_else(|| panic!("{}: no track {index} {label}", self.file));
            let found = stored_value(track, time);
            self.compare(&found, &want, || format!("{label} at {time}"));
        }
        for sample in list(&expected["samples_quat"]).iter().filter(|sample| !sample[1].is_null()) {
            let (time, want) = (number(&sample[0]), numbers(&sample[1]));
            let channel = &track.unwrap().channels[0];
            assert!(matches!(channel.composition, Composition::Euler { .. }));
            let mut found = Vec::new();
            channel_at(channel, Seconds(time), Side::At, &mut found);
            self.compare(&found, &want, || format!("{label} as a rotation at {time}"));
        }
    }

    fn compare(&mut self, found: &[f64], want: &[f64], what: impl Fn() -> String) {
        self.seen += 1;
        if !same_sample(found, want, self.tolerance) {
            self.wrong.push(format!("{} {}: {found:?} is not {want:?}", self.file, what()));
        }
    }
}

#[test]
fn every_sample_of_every_track_is_met() {
    let Some((folder, manifest)) = manifest() else { return };
    let tolerance = manifest["tolerances"]["sample_scalar_vector"].as_f64().unwrap();
    let (mut seen, mut wrong) = (0, Vec::new());
    let mut sample = |entry: &Value, document: &Document, file: &str| {
        let scene = stored_scene(document);
        let clip = &scene.clips[0];
        let mut samples = Samples { tolerance, clip, file, seen: 0, wrong: Vec::new() };
        for (index, track) in list(&entry["tracks"]).iter().enumerate() {
            samples.track(index, text(&track["name"]), track);
        }
        seen += samples.seen;
        wrong.append(&mut samples.wrong);
    };
    for (entry, document) in documents(&folder, &manifest, "animation") {
        sample(&entry, &document, text(&entry["file"]));
    }
    for (entry, document) in documents(&folder, &manifest, "clip") {
        let Resource::Clip(clip) = &document.resource else { panic!("a clip") };
        let expected = if entry["subLayers"].is_null() {
            vec![&entry["animation"]["embedded"]]
        } else {
            list(&entry["subLayers"]).iter().map(|layer| &layer["embedded"]).collect()
        };
        for (layer, expected) in clip.content.layers().iter().zip(expected) {
            if let SubResource::Embedded(animation) = layer {
                let own = Document {
                    version: document.version,
                    ..Document::new(Resource::Animation((**animation).clone()))
                };
                sample(expected, &own, text(&entry["file"]));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {seen} samples:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
    assert!(seen > 5000, "only {seen} samples");
}

#[test]
fn every_pose_is_met() {
    let Some((folder, manifest)) = manifest() else { return };
    let tolerance = manifest["tolerances"]["pose_matrix"].as_f64().unwrap();
    let mut bones = 0;
    for pose in list(&manifest["poses"]) {
        let open = |key: &str| read::<More>(&bytes(&folder.join(text(&pose[key]))));
        let (motion, model) = (open("animation"), open("model"));
        let mut report = Report::default();
        let on = AnyDocument::new(&More, model.clone());
        let options = ToScene { model: Some(&on), ..ToScene::default() };
        let motion = More::to_scene(&motion, &options, &mut report).unwrap();
        let model = More::to_scene(&model, &ToScene::default(), &mut report).unwrap();
        let scene = dopesheet_motion::bind(motion, model, &Default::default(), &mut report);
        let world = world_matrices(&scene, number(&pose["t"]));
        for (index, expected) in list(&pose["bones"]).iter().enumerate() {
            let place = scene.nodes.iter().position(|n| n.source_index == Some(index)).unwrap();
            assert_eq!(scene.nodes[place].name, text(&expected[0]));
            let found = world[place].transpose().to_cols_array();
            let want: Vec<f64> = list(&expected[1]).iter().flat_map(numbers).collect();
            let near = found.iter().zip(&want).all(|(a, b)| close(*a, *b, tolerance));
            assert!(near, "{} {}: {found:?} is not {want:?}", pose["animation"], expected[0]);
            bones += 1;
        }
    }
    assert_eq!(bones, 8 * 31);
}

fn world_matrices(scene: &Scene, time: f64) -> Vec<glam::DMat4> {
    let local = local_pose(scene, &scene.clips[0], Seconds(time));
    let mut world: Vec<glam::DMat4> = Vec::new();
    for (node, t) in scene.nodes.iter().zip(&local.0) {
        let own = glam::DMat4::from_scale_rotation_translation(
            t.scale.into(),
            glam::DQuat::from_array(t.rotation),
            t.translation.into(),
        );
        let father = node.parent.map_or(glam::DMat4::IDENTITY, |parent| world[parent.0]);
        world.push(father * own);
    }
    world
}

#[test]
fn every_clip_time_is_met() {
    let Some((folder, manifest)) = manifest() else { return };
    let mut seen = 0;
    for entry in list(&manifest["clip_times"]) {
        let document = read::<More>(&bytes(&folder.join(text(&entry["clip"]))));
        let Resource::Clip(clip) = &document.resource else { panic!("a clip") };
        for pair in list(&entry["times"]) {
            let found = clip.local_time(number(&pair[0]), number(&entry["duration"]));
            assert!(close(found, number(&pair[1]), 1e-6), "{entry}: {found}");
            seen += 1;
        }
    }
    assert_eq!(seen, 30);
}

/// A clip shows at any time what its animation shows at the time that the manifest gives.
#[test]
fn every_clip_is_played_by_its_own_time() {
    let Some((folder, manifest)) = manifest() else { return };
    let (mut seen, mut wrong) = (0, Vec::new());
    for entry in list(&manifest["clip_times"]) {
        let document = read::<More>(&bytes(&folder.join(text(&entry["clip"]))));
        let Resource::Clip(clip) = &document.resource else { panic!("a clip") };
        let SubResource::Embedded(animation) = &clip.content.layers()[0] else { panic!("an animation") };
        let animation = Document::new(Resource::Animation((**animation).clone()));
        let (clip, animation) = (stored_scene(&document), stored_scene(&animation));
        for pair in list(&entry["times"]) {
            for (ours, original) in clip.clips[0].tracks.iter().zip(&animation.clips[0].tracks) {
                let found = stored_value(ours, number(&pair[0]));
                let want = stored_value(original, number(&pair[1]));
                if !same_sample(&found, &want, 1e-5) {
                    wrong.push(format!(
                        "{} {} at {}: {found:?} is not {want:?}",
                        entry["clip"],
                        ours.target.label(),
                        pair[0]
                    ));
                }
                seen += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(seen >= 60, "only {seen} values");
}

#[test]
fn every_event_query_is_met() {
    let Some((folder, manifest)) = manifest() else { return };
    let mut seen = 0;
    for query in list(&manifest["event_queries"]) {
        let document = read::<More>(&bytes(&folder.join(text(&query["animation"]))));
        let events = document.animation().unwrap().events(number(&query["from"]), number(&query["to"]));
        let found: Vec<_> = events.collect();
        assert_eq!(found.len(), list(&query["events"]).len(), "{query}");
        for (found, expected) in found.iter().zip(list(&query["events"])) {
            assert_eq!(found.name.text(), text(&expected[0]));
            assert!(same_float(found.event.time, &expected[1]));
            assert_eq!(Some(u64::from(found.event.value)), expected[2].as_u64());
            assert_eq!(found.event.user_data.text(), text(&expected[3]));
            seen += 1;
        }
    }
    assert!(seen >= 20, "only {seen} events");
}

#[test]
fn every_bad_file_meets_its_code() {
    let Some((folder, manifest)) = manifest() else { return };
    let mut seen = 0;
    for entry in list(&manifest["bad"]).iter().filter(|e| !text(&e["file"]).ends_with(".m4b")) {
        let (file, codes) = (text(&entry["file"]), text(&entry["code"]));
        let bytes = bytes(&folder.join(file));
        let mut report = Report::default();
        let result = More::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        match (text(&entry["stage"]), result) {
            ("read", Err(error)) => {
                assert!(codes.split('|').any(|code| code == error.fault.code), "{file}: {error}");
                assert!(error.fault.place != dopesheet_core::diag::Place::File, "{file}: {error}");
            }
            ("check", Ok(document)) => {
                More::check(&document, &mut report);
                assert!(report.findings.iter().any(|f| f.fault.code == codes), "{file}: {report:?}");
                let written = More::write(&document, &WriteOptions::default()).unwrap().main;
                assert!(written == bytes, "{file}");
            }
            (stage, result) => panic!("{file}: {stage} gave {result:?}"),
        }
        seen += 1;
    }
    assert_eq!(seen, 22);
}

#[test]
fn rotations_of_a_walk_are_rotations() {
    let Some((folder, _)) = manifest() else { return };
    let document = read::<More>(&bytes(&folder.join("walk_v0e.ubi")));
    let scene = More::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    let mut last = None;
    for frame in 0..=800 {
        let mut value = Vec::new();
        let track = scene.clips[0].tracks.iter().find(|t| t.target.name == "Bip01 L Thigh").unwrap();
        let channel = track.channels.iter().find(|c| c.property == Property::Rotation).unwrap();
        assert!(channel_at(channel, Seconds(f64::from(frame) / 100.0), Side::At, &mut value));
        let q: [f64; 4] = value.as_slice().try_into().unwrap();
        if let Some(last) = last {
            assert!(rotation_angle(q, last) < 0.1, "a leap at frame {frame}");
        }
        last = Some(q);
    }
}
