//! The corpus: values from three.js and Babylon.js, codes from the Khronos validator.

use crate::common::{said, to_scene, try_read};
use dopesheet_core::model::{Property, Scene, TargetKind};
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Side, channel_at};
use dopesheet_testkit as testkit;
use serde_json::Value;
use std::collections::BTreeSet;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Every member of the manifest is known here; a new one must be read by some test before this one passes again.
#[test]
fn every_member_of_the_manifest_is_read() {
    let Some(folder) = testkit::corpus("gltf") else { return };
    let manifest = testkit::json(&folder.join("manifest.json"));
    let about = ["about", "note", "oracle", "pointerOracle", "validator"];
    assert_eq!(keys(&manifest), about.into_iter().chain(["bad", "files", "tolerance"]).collect());
    assert_eq!(keys(&manifest["tolerance"]), ["pointers", "rotation", "vectors", "weights"].into());
    for file in list(&manifest["files"]) {
        assert_eq!(keys(file), ["about", "animations", "bytes", "file", "sha256", "validator"].into());
        assert_eq!(keys(&file["validator"]), ["errors", "messages", "warnings"].into());
        for animation in list(&file["animations"]) {
            let known = ["channels", "duration", "name", "pointers", "times"].into();
            assert!(keys(animation).is_subset(&known), "{:?}", keys(animation));
            let channels = list(&animation["channels"]).iter().flat_map(keys).collect::<BTreeSet<_>>();
            assert_eq!(channels, ["node", "path", "values"].into());
            let pointers = list(&animation["pointers"]).iter().flat_map(keys).collect::<BTreeSet<_>>();
            assert!(pointers.is_subset(&["pointer", "values"].into()));
        }
    }
    for file in list(&manifest["bad"]) {
        assert_eq!(keys(file), ["bytes", "codes", "file", "required", "sha256", "three"].into());
    }
}

fn sample(
    scene: &Scene,
    clip: usize,
    found: impl Fn(&dopesheet_core::model::Track) -> bool,
    property: &Property,
    time: f64,
) -> Vec<f64> {
    let tracks = scene.clips[clip].tracks.iter().filter(|track| found(track));
    let channel =
        tracks.flat_map(|track| &track.channels).find(|channel| channel.property == *property).unwrap();
    let mut out = Vec::new();
    assert!(channel_at(channel, Seconds(time), Side::At, &mut out));
    out
}

fn property(path: &str) -> Property {
    match path {
        "translation" => Property::Translation,
        "rotation" => Property::Rotation,
        "scale" => Property::Scale,
        "weights" => Property::Weights,
        "/cameras/0/perspective/yfov" => Property::YFov,
        "/extensions/KHR_lights_punctual/lights/0/color" => Property::Color,
        "/extensions/KHR_lights_punctual/lights/0/intensity" => Property::Intensity,
        other => panic!("{other}"),
    }
}

fn agree(file: &str, property: &Property, got: &[f64], want: &[f64]) -> bool {
    if *property == Property::Rotation {
        // three.js does not make i8 rotations unit before it interpolates them.
        let tolerance = if file == "normalized.glb" { 3e-3 } else { 2e-4 };
        let angle = testkit::rotation_angle(got.try_into().unwrap(), want.try_into().unwrap());
        return angle <= tolerance;
    }
    got.len() == want.len() && got.iter().zip(want).all(|(g, w)| testkit::close(*g, *w, 1e-5))
}

#[test]
fn values_are_those_of_three_js_and_babylon_js() {
    let Some(folder) = testkit::corpus("gltf") else { return };
    let manifest = testkit::json(&folder.join("manifest.json"));
    let mut compared = 0;
    for file in list(&manifest["files"]) {
        let name = file["file"].as_str().unwrap();
        let bytes = testkit::bytes(&folder.join(name));
        assert_eq!(bytes.len() as u64, file["bytes"]);
        let (scene, report) = to_scene(&try_read(&bytes).unwrap());
        assert!(report.findings.is_empty(), "{name}: {:?}", report.findings);
        assert_eq!(scene.clips.len(), list(&file["animations"]).len());
        for (number, animation) in list(&file["animations"]).iter().enumerate() {
            let clip = &scene.clips[number];
            assert_eq!(
                (clip.name.as_deref(), clip.duration.0),
                (animation["name"].as_str(), animation["duration"].as_f64().unwrap())
            );
            let times = numbers(&animation["times"]);
            for channel in list(&animation["channels"]) {
                let (node, property) =
                    (channel["node"].as_u64().unwrap() as usize, property(channel["path"].as_str().unwrap()));
                for (time, want) in times.iter().zip(list(&channel["values"])) {
                    let is_node = |track: &dopesheet_core::model::Track| {
                        track.target.kind == TargetKind::Joint && track.target.index == node
                    };
                    let got = sample(&scene, number, is_node, &property, *time);
                    assert!(
                        agree(name, &property, &got, &numbers(want)),
                        "{name} node {node} {property:?} at {time}: {got:?}, want {want}"
                    );
                    compared += 1;
                }
            }
            for channel in list(&animation["pointers"]) {
                let pointer = channel["pointer"].as_str().unwrap();
                for (time, want) in times.iter().zip(list(&channel["values"])) {
                    let got = sample(
                        &scene,
                        number,
                        |track| track.target.label() == pointer,
                        &property(pointer),
                        *time,
                    );
                    assert!(
                        agree(name, &Property::Value, &got, &numbers(want)),
                        "{name} {pointer} at {time}: {got:?}, want {want}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 600);
}

#[test]
fn good_files_have_the_findings_of_the_validator() {
    let Some(folder) = testkit::corpus("gltf") else { return };
    let manifest = testkit::json(&folder.join("manifest.json"));
    for file in list(&manifest["files"]) {
        let name = file["file"].as_str().unwrap();
        let validator = &file["validator"];
        assert_eq!((&validator["errors"], &validator["warnings"]), (&0.into(), &0.into()));
        let said = said(&testkit::bytes(&folder.join(name)));
        let ours: BTreeSet<&str> = said.iter().map(|(code, _)| code.as_str()).collect();
        let messages = list(&validator["messages"]);
        // The validator says so of itself: it does not follow pointers. We do.
        let theirs = messages.iter().filter(|m| m["code"] != "INCOMPLETE_EXTENSION_SUPPORT");
        assert_eq!(ours, theirs.clone().map(|m| m["code"].as_str().unwrap()).collect(), "{name}");
        for message in theirs {
            let (code, severity) = (message["code"].as_str().unwrap(), message["severity"].as_str().unwrap());
            let (_, text) = said.iter().find(|(own, _)| own == code).unwrap();
            assert!(text.starts_with(severity), "{name}: {text}");
            let of_same_code = messages.iter().filter(|m| m["code"] == code).count();
            let pointer = message["pointer"].as_str().unwrap();
            assert!(of_same_code > 1 || text.contains(&format!("({pointer})")), "{name}: {text}");
        }
    }
}

#[test]
fn bad_files_give_at_least_the_required_codes() {
    let Some(folder) = testkit::corpus("gltf") else { return };
    let manifest = testkit::json(&folder.join("manifest.json"));
    let bad = list(&manifest["bad"]);
    assert_eq!(bad.len(), 18);
    for file in bad {
        let name = file["file"].as_str().unwrap();
        let bytes = testkit::bytes(&folder.join(name));
        assert_eq!(bytes.len() as u64, file["bytes"], "{name}");
        let said = said(&bytes);
        for code in list(&file["required"]) {
            let required =
                |(own, text): &(String, String)| own == code.as_str().unwrap() && text.starts_with("error");
            assert!(said.iter().any(required), "{name}: {said:?}");
        }
        // And no error that the validator does not know of.
        let known = list(&file["codes"]);
        for (code, text) in said.iter().filter(|(_, text)| text.starts_with("error")) {
            assert!(known.iter().any(|own| own == code), "{name}: {text}");
        }
        // What three.js loads may be converted or refused; what it throws at cannot even be read.
        let is_read = try_read(&bytes).is_ok();
        assert!(file["three"] == "loads" || !is_read, "{name}");
    }
}
