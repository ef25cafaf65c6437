//! The corpus of vendor files, hand-made and malformed ones, and what the engine makes of them.

use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Edit, Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_core::model::{Channel, Property, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Side, channel_at};
use dopesheet_playcanvas::animation::PlayCanvas;
use dopesheet_testkit::{
    assert_identity, bytes, close, corpus, files, json, read, read_reporting, rotation_angle, sha256,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

struct Corpus {
    folder: std::path::PathBuf,
    manifest: Value,
}

fn manifest() -> Option<Corpus> {
    let folder = corpus("playcanvas")?;
    Some(Corpus { manifest: json(&folder.join("manifest.json")), folder })
}

fn list<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value[member].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap_or(f64::NAN)).collect()
}

fn words(value: &Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()).collect()
}

fn scene(document: &<PlayCanvas as Format>::Document) -> Scene {
    PlayCanvas::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap()
}

fn assert_same_file(folder: &Path, entry: &Value) -> Vec<u8> {
    let bytes = bytes(&folder.join(text(entry, "file")));
    assert_eq!(bytes.len() as u64, entry["bytes"].as_u64().unwrap());
    assert_eq!(sha256(&bytes), text(entry, "sha256"), "{}", text(entry, "file"));
    bytes
}

#[test]
fn the_manifest_says_nothing_that_no_test_reads() {
    let Some(Corpus { manifest, .. }) = manifest() else { return };
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let known = |list: &str, members: &BTreeSet<String>| {
        let known: BTreeSet<String> = list.split(' ').map(str::to_owned).collect();
        assert!(members.is_subset(&known), "{:?}", members.difference(&known));
    };
    known("about engine tolerance lists files bad clocks models", &members(&manifest));
    known("translationAndScale rotation numbers", &members(&manifest["tolerance"]));
    known("held shortcut nan warnings", &members(&manifest["lists"]));
    assert_eq!(text(&manifest["engine"], "version"), "2.23.3");
    for file in list(&manifest, "files") {
        let used = "file sha256 bytes source engine evaluatedBy note name duration warnings keyCount times nodes \
                    shortcut held nan";
        known(used, &members(file));
        list(file, "nodes").iter().for_each(|node| known("name p r s", &members(node)));
    }
    list(&manifest, "bad").iter().for_each(|f| known("file sha256 bytes expect code engine", &members(f)));
    list(&manifest, "clocks")
        .iter()
        .for_each(|c| known("label duration keys looping start dt rows", &members(c)));
}

#[test]
fn every_good_file_is_read_as_the_manifest_says() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    let mut seen = 0;
    for entry in list(&manifest, "files") {
        let file = text(entry, "file");
        let bytes = assert_same_file(&folder, entry);
        assert_identity::<PlayCanvas>(&bytes, file);
        let (document, report) = read_reporting::<PlayCanvas>(&bytes);
        let animation = document.animation();
        assert_eq!(animation.name, text(entry, "name"), "{file}");
        assert_eq!(animation.effective_duration(), entry["duration"].as_f64().unwrap(), "{file}");
        let keys: usize = animation.nodes.iter().map(|node| node.keys.len()).sum();
        assert_eq!(keys as u64, entry["keyCount"].as_u64().unwrap(), "{file}");
        let found: BTreeSet<String> = report.findings.iter().map(|f| f.fault.code.to_owned()).collect();
        assert_eq!(found, words(&entry["warnings"]), "{file}");
        assert!(report.findings.iter().all(|f| f.severity == Severity::Warning), "{file}");
        seen += 1;
    }
    assert_eq!(seen, 32);
}

fn expected_channels(node: &Value) -> BTreeSet<&'static str> {
    ["p", "r", "s"].into_iter().filter(|c| node.get(c).is_some()).collect()
}

const fn member(property: &Property) -> &'static str {
    match property {
        Property::Translation => "p",
        Property::Rotation => "r",
        _ => "s",
    }
}

fn value(channel: &Channel, time: f64) -> Vec<f64> {
    let mut out = Vec::new();
    assert!(channel_at(channel, Seconds(time), Side::At, &mut out));
    out
}

/// Compares one channel with the engine's poses; yields how many agree.
fn compare(channel: &Channel, entry: &Value, node: usize, loose: bool) -> usize {
    let file = text(entry, "file");
    let member = member(&channel.property);
    let poses = list(&entry["nodes"][node], member);
    let is_listed = |name: &str, time: usize| {
        list(entry, name).iter().any(|at| at[0] == time as u64 && at[1] == node as u64)
    };
    let mut compared = 0;
    for (index, (time, pose)) in numbers(&entry["times"]).into_iter().zip(poses).enumerate() {
        if pose.is_null() {
            assert!(is_listed("nan", index), "{file}");
            continue;
        }
        let (found, wanted) = (value(channel, time), numbers(pose));
        let at = format!("{file} node {node} {member} at {time}: {found:?} instead of {wanted:?}");
        if let ([a, b, c, d], [x, y, z, w]) = (&found[..], &wanted[..]) {
            let bound = match (is_listed("shortcut", index), loose) {
                (true, _) => 1.2e-3,
                (false, true) => 1e-4,
                (false, false) => 4e-6,
            };
            assert!(rotation_angle([*a, *b, *c, *d], [*x, *y, *z, *w]) <= bound, "{at}");
        } else {
            let bound = if loose { 1e-4 } else { 2e-6 };
            assert!(found.iter().zip(&wanted).all(|(f, w)| close(*f, *w, bound)), "{at}");
        }
        compared += 1;
    }
    compared
}

fn compare_scene(scene: &Scene, entry: &Value, loose: bool) -> usize {
    let file = text(entry, "file");
    let nodes = list(entry, "nodes");
    assert_eq!(scene.nodes.len(), nodes.len(), "{file}");
    let mut compared = 0;
    for (index, node) in nodes.iter().enumerate() {
        assert_eq!(scene.nodes[index].name, text(node, "name"), "{file}");
        let track =
            scene.clips[0].tracks.iter().find(|track| track.target.node.is_some_and(|n| n.0 == index));
        let channels = track.map_or(&[][..], |track| &track.channels);
        let found: BTreeSet<&str> = channels.iter().map(|c| member(&c.property)).collect();
        assert!(found == expected_channels(node) || loose, "{file} node {index}: {found:?}");
        for channel in channels {
            if node.get(member(&channel.property)).is_some() {
                compared += compare(channel, entry, index, loose);
            }
        }
    }
    compared
}

#[test]
fn every_pose_is_the_engines() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    let mut compared = 0;
    for entry in list(&manifest, "files") {
        compared +=
            compare_scene(&scene(&read::<PlayCanvas>(&assert_same_file(&folder, entry))), entry, false);
    }
    assert!(compared > 13_000, "{compared}");
}

#[test]
fn where_the_engine_has_no_number_the_first_of_the_keys_shows() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    let mut seen = 0;
    for entry in list(&manifest, "files").iter().filter(|entry| entry.get("nan").is_some()) {
        let document = read::<PlayCanvas>(&assert_same_file(&folder, entry));
        let scene = scene(&document);
        for at in list(entry, "nan") {
            let (time, node) = (at[0].as_u64().unwrap() as usize, at[1].as_u64().unwrap() as usize);
            let channels = &scene.clips[0].tracks[node].channels;
            let channel = channels.iter().find(|c| member(&c.property) == at[2].as_str().unwrap()).unwrap();
            let keys = &document.animation().nodes[node];
            let wanted = match member(&channel.property) {
                "p" => keys.keys[0].position.unwrap(),
                _ => keys.defaults.scale.unwrap(),
            };
            assert_eq!(value(channel, numbers(&entry["times"])[time]), wanted);
            seen += 1;
        }
    }
    assert_eq!(seen, 2);
}

#[test]
fn poses_survive_being_written_from_their_scene() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    let mut compared = 0;
    // Jumps become ramps of a tenth of a millisecond, and keys outside the clip are cut by conversion, not here.
    let special = ["v4-equal-times.json", "v4-equal-first.json", "v4-negative-time.json"];
    for entry in list(&manifest, "files").iter().filter(|e| !special.contains(&text(e, "file"))) {
        let before = scene(&read::<PlayCanvas>(&assert_same_file(&folder, entry)));
        if before.clips[0].tracks.len() != before.nodes.len() {
            continue;
        }
        for variant in ["4", "3"] {
            let options = FromScene { variant: Some(variant.into()), ..FromScene::default() };
            let made = PlayCanvas::from_scene(&before, &options, &mut Report::default()).unwrap();
            let written = PlayCanvas::write(&made, &WriteOptions::default()).unwrap().main;
            let (document, report) = read_reporting::<PlayCanvas>(&written);
            assert_eq!(document.animation(), made.animation(), "{}", text(entry, "file"));
            let tolerated = ["pc-w-key-after-duration", "pc-w-name-empty"];
            let loud = report.findings.iter().find(|f| !tolerated.contains(&f.fault.code));
            assert_eq!(loud, None, "{}", text(entry, "file"));
            compared += compare_scene(&scene(&document), entry, true);
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn vendor_files_written_in_the_vendors_style_are_the_same_bytes() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    let mut seen = 0;
    for entry in list(&manifest, "files").iter().filter(|entry| entry["source"] == "vendor") {
        let bytes = assert_same_file(&folder, entry);
        let mut document = read::<PlayCanvas>(&bytes);
        let edit = Edit { variant: Some("4-vendor".into()), ..Edit::default() };
        PlayCanvas::edit(&mut document, &edit, &mut Report::default()).unwrap();
        assert_eq!(document.source(), None);
        let written = PlayCanvas::write(&document, &WriteOptions::default()).unwrap().main;
        assert_eq!(written, bytes.trim_ascii(), "{}", text(entry, "file"));
        seen += 1;
    }
    assert_eq!(seen, 7);
}

#[test]
fn malformed_files_are_refused_with_their_code_and_a_place() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    for entry in list(&manifest, "bad") {
        let bytes = assert_same_file(&folder, entry);
        let error = PlayCanvas::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())
            .unwrap_err();
        assert_eq!(text(entry, "expect"), "error");
        assert!(words(&entry["code"]).contains(error.fault.code), "{}: {error}", text(entry, "file"));
        assert!(error.to_string().starts_with("playcanvas: line "), "{error}");
    }
    assert_eq!(list(&manifest, "bad").len(), 18);
    let on_disk = files(&folder.join("bad"), &["json"], 18);
    assert_eq!(on_disk.len(), 18);
}

#[test]
fn damaged_corpus_files_can_be_read_leniently_and_say_what_is_missing() {
    let Some(Corpus { folder, manifest }) = manifest() else { return };
    let mut kept = 0;
    for entry in list(&manifest, "bad") {
        let bytes = bytes(&folder.join(text(entry, "file")));
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let mut report = Report::default();
        if let Ok(document) = PlayCanvas::read(&Source::new(&bytes), &options, &mut report) {
            assert!(words(&entry["code"]).contains(report.findings[0].fault.code));
            let written = PlayCanvas::write(&document, &WriteOptions::default()).unwrap().main;
            assert_eq!(written, bytes, "{}", text(entry, "file"));
            kept += 1;
        }
    }
    assert_eq!(kept, 14);
}
