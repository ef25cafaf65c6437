//! The files of the corpus, and what its manifest says of them.

use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_core::model::{Clip, Composition, Property, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::stored_at;
use dopesheet_motion::{Side, channel_at};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::{AnyCurve, CurveName, Document};
use dopesheet_testkit::{assert_identity, bytes, close, corpus, files, json, read_reporting};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const TOLERANCE: f64 = 1e-6;

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A number of the file: the manifest has its shortest decimal form.
fn single(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let numbers: Vec<f64> = list(value).iter().filter_map(Value::as_f64).collect();
    numbers.try_into().unwrap()
}

/// The good files of the manifest with their documents and reports; `None` without corpus.
fn good() -> Option<Vec<(Value, Document, Report)>> {
    let folder = corpus("mrtk")?;
    let manifest = json(&folder.join("manifest.json"));
    let read = |entry: &Value| {
        let (document, report) = read_reporting::<Mrtk2>(&bytes(&folder.join(text(&entry["file"]))));
        (entry.clone(), document, report)
    };
    let good: Vec<_> = list(&manifest["good"]).iter().map(read).collect();
    assert_eq!(good.len(), 17);
    Some(good)
}

fn scene(document: &Document, as_stored: bool) -> Scene {
    let options = ToScene { as_stored, ..ToScene::default() };
    let scene = Mrtk2::to_scene(document, &options, &mut Report::default()).unwrap();
    for curve in scene.clips[0].tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves()) {
        assert_eq!(curve.validate(), Ok(()));
    }
    scene
}

#[test]
fn every_file_is_written_back_as_it_was() {
    let Some(folder) = corpus("mrtk") else { return };
    for path in files(&folder, &["bin"], 17) {
        assert_identity::<Mrtk2>(&bytes(&path), &path.display().to_string());
    }
}

#[test]
fn version_shape_and_parts_are_those_of_the_manifest() {
    for (entry, document, _) in good().unwrap_or_default() {
        let file = text(&entry["file"]);
        let summary = Mrtk2::summary(&document);
        assert_eq!(summary.version.as_deref(), entry["version"].as_str(), "{file}");
        let shape = summary.facts.iter().find(|fact| fact.0 == "key shape").map(|fact| fact.1.as_str());
        assert_eq!(shape, entry["shape"].as_str(), "{file}");
        assert_eq!(Some(document.markers.is_some()), entry["marker_list"].as_bool(), "{file}");
        let parts = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
        let wanted = ["has_camera", "has_hands", "has_gaze"].map(|name| entry[name] == true);
        assert_eq!(parts, wanted, "{file}");
        assert_eq!(document.duration_s(), single(&entry["duration"]), "{file}");
        let markers: Vec<_> =
            document.markers.iter().flatten().map(|m| (m.time, m.text().into_owned())).collect();
        let wanted: Vec<_> = list(&entry["markers"])
            .iter()
            .map(|m| (single(&m["time"]), text(&m["name"]).to_owned()))
            .collect();
        assert_eq!(markers, wanted, "{file}");
    }
}

#[test]
fn every_curve_has_the_keys_of_the_manifest() {
    for (entry, document, _) in good().unwrap_or_default() {
        let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        let (mut numbers, mut switches) = (0, 0);
        for (name, curve) in document.curves() {
            let target = match name {
                CurveName::Pose(pose, _) => pose.to_string(),
                CurveName::Gaze(_) => "gaze".to_owned(),
                switch => switch.to_string(),
            };
            found.entry(target).or_default().push(curve.len() as u64);
            *(if matches!(curve, AnyCurve::Number(_)) { &mut numbers } else { &mut switches }) +=
                curve.len() as u64;
        }
        found.retain(|_, counts| counts.iter().any(|count| *count > 0));
        let counts = |value: &Value| match value {
            Value::Array(counts) => counts.iter().filter_map(Value::as_u64).collect(),
            one => vec![one.as_u64().unwrap()],
        };
        let wanted: BTreeMap<String, Vec<u64>> =
            entry["key_counts"].as_object().unwrap().iter().map(|(k, v)| (k.clone(), counts(v))).collect();
        assert_eq!(found, wanted, "{}", entry["file"]);
        assert_eq!(entry["float_keys"], numbers, "{}", entry["file"]);
        assert_eq!(entry["bool_keys"], switches, "{}", entry["file"]);
    }
}

#[test]
fn findings_are_those_of_the_manifest() {
    for (entry, _, report) in good().unwrap_or_default() {
        let found: BTreeSet<&str> = report.findings.iter().map(|f| f.fault.code).collect();
        let wanted: BTreeSet<&str> = list(&entry["diagnostics"]).iter().map(text).collect();
        let loud = report.findings.iter().filter(|f| f.severity != Severity::Info).map(|f| f.fault.code);
        assert!(wanted.is_subset(&found), "{}: found {found:?}, wanted {wanted:?}", entry["file"]);
        assert!(
            loud.clone().all(|code| wanted.contains(code)),
            "{}: {:?}",
            entry["file"],
            loud.collect::<Vec<_>>()
        );
    }
}

/// The values of the channel of a label, as stored.
fn stored(clip: &Clip, label: &str, property: &Property, time: f64) -> Vec<f64> {
    let mut out = Vec::new();
    let channels = clip.tracks.iter().filter(|t| t.target.label() == label).flat_map(|t| &t.channels);
    let channel = channels.into_iter().find(|c| c.property == *property).unwrap();
    assert!(stored_at(channel, 0, Seconds(time), &mut out), "{:?}", channel.composition);
    out
}

fn property(word: &str) -> Property {
    match word {
        "position" => Property::Translation,
        "rotation" => Property::Rotation,
        "origin" => Property::Origin,
        "direction" => Property::Direction,
        other => Property::Named(other.to_owned().into()),
    }
}

#[test]
fn curves_have_the_values_of_the_manifest() {
    let mut count = 0;
    for (entry, document, _) in good().unwrap_or_default() {
        let scene = scene(&document, true);
        for sample in list(&entry["samples"]) {
            let mut parts = text(&sample["curve"]).rsplitn(3, '.');
            let (axis, channel, label) =
                (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
            let time = sample["t"].as_f64().unwrap();
            let row = stored(&scene.clips[0], label, &property(channel), time);
            let found = row["xyzw".find(axis).unwrap()];
            let wanted = sample["value"].as_f64().unwrap();
            assert!(close(found, wanted, TOLERANCE), "{}: {sample} but {found}", entry["file"]);
            count += 1;
        }
        for sample in list(&entry["bool_samples"]) {
            let (hand, what) = text(&sample["curve"]).split_once('.').unwrap();
            let time = sample["t"].as_f64().unwrap();
            let row = stored(&scene.clips[0], &format!("{hand}.hand"), &property(what), time);
            assert_eq!(sample["value"], row[0] > 0.5, "{}: {sample}", entry["file"]);
            count += 1;
        }
    }
    assert!(count == 0 || count == 903, "{count} samples");
}

fn assert_rotation(found: &[f64], wanted: [f64; 4], tolerance: f64, what: &str) {
    let off = |sign: f64| found.iter().zip(wanted).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max);
    assert!(off(1.0).min(off(-1.0)) <= tolerance, "{what}: found {found:?}, wanted {wanted:?}");
}

#[test]
fn poses_are_those_of_the_manifest() {
    let mut count = 0;
    for (entry, document, _) in good().unwrap_or_default() {
        let (as_stored, repaired) = (scene(&document, true), scene(&document, false));
        for pose in list(&entry["poses"]) {
            let (label, time) = (text(&pose["pose"]), pose["t"].as_f64().unwrap());
            let what = format!("{} {label} at {time}", entry["file"]);
            let place = stored(&as_stored.clips[0], label, &Property::Translation, time);
            for (found, wanted) in place.iter().zip(numbers::<3>(&pose["position"])) {
                assert!(close(*found, wanted, TOLERANCE), "{what}: {pose} but {place:?}");
            }
            let raw = stored(&as_stored.clips[0], label, &Property::Rotation, time);
            for (found, wanted) in raw.iter().zip(numbers::<4>(&pose["rotation_raw"])) {
                assert!(close(*found, wanted, TOLERANCE), "{what}: {pose} but {raw:?}");
            }
            let rotation = |scene: &Scene| {
                let mut tracks = scene.clips[0].tracks.iter().filter(|t| t.target.label() == label);
                let channel =
                    tracks.next()?.channels.iter().find(|c| c.property == Property::Rotation)?.clone();
                let mut out = Vec::new();
                channel_at(&channel, Seconds(time), Side::At, &mut out);
                Some(out)
            };
            assert_rotation(&rotation(&as_stored).unwrap(), numbers(&pose["rotation"]), TOLERANCE, &what);
            if let Some(wanted) = pose.get("rotation_repaired") {
                assert_rotation(&rotation(&repaired).unwrap(), numbers(wanted), 2e-6, &what);
            }
            count += 1;
        }
    }
    assert!(count == 0 || count == 177, "{count} poses");
}

#[test]
fn damage_is_found_and_mended_as_the_manifest_says() {
    let mut count = 0;
    for (entry, document, _) in good().unwrap_or_default() {
        let damaged: Vec<_> = document.damaged_poses().collect();
        let names: Vec<String> = damaged.iter().map(|(name, _)| name.to_string()).collect();
        let expected = &entry["rotation_w_damage"];
        assert_eq!(
            names,
            list(&expected["pose_names"]).iter().map(text).collect::<Vec<_>>(),
            "{}",
            entry["file"]
        );
        let kinds: BTreeSet<&str> = damaged.iter().map(|(_, damage)| damage.word()).collect();
        assert_eq!(kinds, list(&expected["kind"]).iter().map(text).collect(), "{}", entry["file"]);
        let scene = scene(&document, false);
        for repair in list(&expected["repair"]) {
            let label = text(&repair["pose"]);
            let track = scene.clips[0].tracks.iter().find(|t| t.target.label() == label).unwrap();
            let channel = track.channels.iter().find(|c| c.property == Property::Rotation).unwrap();
            let Composition::ComponentsNormalised(curves) = &channel.composition else { panic!() };
            let wanted = list(&repair["repaired_w"]);
            assert_eq!(curves[3].len(), wanted.len(), "{} {label}", entry["file"]);
            for (key, wanted) in wanted.iter().map(numbers::<2>).enumerate() {
                let time = curves[3].times.get(key).unwrap().0 as f32;
                assert_eq!(time, wanted[0] as f32, "{label} {key}");
                let found = f64::from(curves[3].values[key]);
                assert!(
                    (found - wanted[1]).abs() <= 2e-6,
                    "{} {label} key {key}: {found}, {wanted:?}",
                    entry["file"]
                );
                count += 1;
            }
        }
    }
    assert!(count == 0 || count > 500, "{count} keys");
}

fn verdict(path: &Path, lenient: bool) -> (Result<Document, (String, Option<u64>)>, Report) {
    let (content, mut report) = (bytes(path), Report::default());
    let options = ReadOptions { lenient, ..ReadOptions::default() };
    let result = Mrtk2::read(&Source::new(&content), &options, &mut report);
    let result = result.map_err(|error| {
        let offset = match error.fault.place {
            dopesheet_core::diag::Place::Byte(offset) => Some(offset.0),
            _ => None,
        };
        (error.fault.code.to_owned(), offset)
    });
    if let Ok(document) = &result {
        Mrtk2::check(document, &mut report);
    }
    (result, report)
}

#[test]
fn bad_files_meet_their_verdicts() {
    let Some(folder) = corpus("mrtk") else { return };
    let manifest = json(&folder.join("manifest.json"));
    let bad = list(&manifest["bad"]);
    assert_eq!(bad.len(), 27);
    for entry in bad {
        let file = text(&entry["file"]);
        let (result, report) = verdict(&folder.join(file), false);
        let said: Vec<&str> = report.findings.iter().map(|f| f.fault.code).collect();
        if entry["outcome"] == "accept" {
            assert!(result.is_ok(), "{file}: {result:?}");
            assert!(
                list(&entry["diagnostics"]).iter().all(|code| said.contains(&text(code))),
                "{file}: {said:?}"
            );
            assert!(report.findings.iter().all(|f| f.severity != Severity::Error), "{file}: {said:?}");
            continue;
        }
        let (code, offset) = result.unwrap_err();
        assert_eq!(code, text(&entry["error"]), "{file}");
        if let Some(wanted) = entry["error_offset"].as_u64() {
            assert_eq!(offset, Some(wanted), "{file}");
        }
        let (result, report) = verdict(&folder.join(file), true);
        assert_eq!(result.is_ok(), entry.get("lenient").is_some(), "{file}");
        if result.is_ok() {
            assert!(
                report.findings.iter().any(|f| f.fault.code == code && f.severity == Severity::Warning),
                "{file}"
            );
        }
    }
}
