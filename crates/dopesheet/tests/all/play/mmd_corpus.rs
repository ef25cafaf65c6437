//! Played VMD motions against numbers that other programs computed (see the corpus' own notes).
#![cfg(feature = "mmd")]

use dopesheet::{
    ReadOptions, SampleOptions, TimeSpec, sample::Sampled, sample::SampledChannel, times::TimeValue,
};
use dopesheet_testkit::{close, corpus, files, json, rotation_angle};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn sample(corpus: &Path, expected: &Value, frames: &[f64]) -> Sampled {
    let path = corpus.join(expected["motion"].as_str().unwrap());
    let opened = dopesheet::open(&path, None, &ReadOptions::default()).unwrap();
    let times = frames.iter().map(|f| TimeValue::Seconds(f / 30.0)).collect();
    dopesheet::sample(&opened, &SampleOptions::at(TimeSpec::List(times))).unwrap()
}

fn channel<'a>(sampled: &'a Sampled, target: &str, name: &str) -> &'a SampledChannel {
    let track =
        sampled.tracks.iter().find(|t| t.target == target).unwrap_or_else(|| panic!("no track {target}"));
    track.channels.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("{target} has no {name}"))
}

fn row(channel: &SampledChannel, index: usize) -> Vec<f64> {
    channel.values[index * channel.width..][..channel.width].to_vec()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn expectations(corpus: &Path, prefix: &str, at_least: usize) -> Vec<Value> {
    let all = files(&corpus.join("expected"), &["json"], at_least);
    let own = all.iter().filter(|p| p.file_name().unwrap().to_string_lossy().starts_with(prefix));
    let found: Vec<_> = own.map(|p| json(p)).collect();
    assert!(found.len() >= at_least, "expected {at_least} files {prefix}*, found {}", found.len());
    found
}

#[test]
fn bones_and_morphs_move_as_in_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    let mut compared = 0;
    for expected in expectations(&corpus, "local-", 8) {
        let frames = numbers(&expected["frames"]);
        let sampled = sample(&corpus, &expected, &frames);
        for track in expected["tracks"].as_array().unwrap() {
            compared += compare_bone(&sampled, track, &frames);
        }
        for morph in expected["morphs"].as_array().unwrap() {
            let name = morph["name"].as_str().unwrap();
            let got = channel(&sampled, name, "weight");
            for index in 0..frames.len() {
                let want = morph.get("const").unwrap_or_else(|| &morph["w"][index]).as_f64().unwrap();
                let tolerance = expected["morph_tol"].as_f64().unwrap();
                assert!(
                    (got.values[index] - want).abs() <= tolerance,
                    "{name} frame {}: {want}",
                    frames[index]
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 15_000, "only {compared} values compared");
}

fn compare_bone(sampled: &Sampled, track: &Value, frames: &[f64]) -> usize {
    let bone = track["bone"].as_str().unwrap();
    let unscored: Vec<u64> = track["between_adjacent_keys"]
        .as_array()
        .map(|list| list.iter().map(|i| i.as_u64().unwrap()).collect())
        .unwrap_or_default();
    let loose = track["loose"].as_array().cloned().unwrap_or_default();
    let (translations, rotations) =
        (channel(sampled, bone, "translation"), channel(sampled, bone, "rotation"));
    let mut compared = 0;
    for (index, frame) in frames.iter().enumerate() {
        if unscored.contains(&(index as u64)) {
            continue;
        }
        let (t, r) = match track.get("const") {
            Some(constant) => (numbers(&constant["t"]), numbers(&constant["r"])),
            None => (numbers(&track["t"][index]), numbers(&track["r"][index])),
        };
        let bounds = loose.iter().find(|l| l["i"].as_u64() == Some(index as u64)).unwrap_or(track);
        let tolerance = bounds["tol_t"].as_f64().unwrap();
        for (got, want) in row(translations, index).iter().zip(&t) {
            assert!(
                (got - want).abs() <= tolerance,
                "{bone} frame {frame}: translation {got}, expected {want}"
            );
        }
        let got: [f64; 4] = row(rotations, index).try_into().unwrap();
        let angle = rotation_angle(got, r.try_into().unwrap()).to_degrees();
        assert!(angle <= bounds["tol_r_deg"].as_f64().unwrap(), "{bone} frame {frame}: {angle}° off");
        compared += 2;
    }
    compared
}

#[test]
fn cameras_and_lights_move_as_in_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    for expected in expectations(&corpus, "camera-", 1) {
        let frames: Vec<f64> =
            expected["frames"].as_array().unwrap().iter().map(|f| f["t"].as_f64().unwrap()).collect();
        let sampled = sample(&corpus, &expected, &frames);
        let tolerance = |name: &str| expected["tol"][name].as_f64().unwrap();
        for (index, frame) in expected["frames"].as_array().unwrap().iter().enumerate() {
            let compare = |target: &str, name: &str, want: &Value, tolerance: f64| {
                let want = if want.is_array() { numbers(want) } else { vec![want.as_f64().unwrap()] };
                for (got, want) in row(channel(&sampled, target, name), index).iter().zip(want) {
                    assert!(
                        (got - want).abs() <= tolerance,
                        "{name} at {}: {got}, expected {want}",
                        frame["t"]
                    );
                }
            };
            compare("camera", "target", &frame["pos"], tolerance("pos"));
            compare("camera", "angles_rad", &frame["rot"], tolerance("rot"));
            compare("camera", "distance", &frame["distance"], tolerance("distance"));
            compare("camera", "yfov_deg", &frame["fov_deg"], tolerance("fov_deg"));
            let orthographic = f64::from(!frame["perspective"].as_bool().unwrap());
            assert_eq!(row(channel(&sampled, "camera", "orthographic"), index), [orthographic]);
            if sampled.tracks.iter().any(|t| t.target == "light") {
                compare("light", "color", &frame["light"]["color"], tolerance("light"));
                compare("light", "direction", &frame["light"]["dir"], tolerance("light"));
            }
        }
    }
}

#[test]
fn ik_switches_and_visibility_step_as_in_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    for expected in expectations(&corpus, "ik-switch-", 1) {
        let frames: Vec<f64> =
            expected["frames"].as_array().unwrap().iter().map(|f| f["t"].as_f64().unwrap()).collect();
        let sampled = sample(&corpus, &expected, &frames);
        let mut compared = 0;
        for (index, frame) in expected["frames"].as_array().unwrap().iter().enumerate() {
            for (bone, want) in frame["ik"].as_object().unwrap() {
                let got = row(channel(&sampled, &format!("ik:{bone}"), "enabled"), index);
                assert_eq!(got, [want.as_f64().unwrap()], "{bone} at {}", frame["t"]);
                compared += 1;
            }
            // The one peer behind `visible` never hides a model; the file's own key at frame 40 does, until 55.
            let got = row(channel(&sampled, "model", "visible"), index);
            let hidden = (40.0..55.0).contains(&frames[index]);
            assert_eq!(
                got,
                [if hidden { 0.0 } else { frame["visible"].as_f64().unwrap() }],
                "visible at {}",
                frame["t"]
            );
        }
        assert!(compared > 40, "only {compared} switches compared");
    }
}

/// Damaged files that load must also play: other programs' values at some times, unless they disagree among
/// themselves or are not finite.
#[test]
fn accepted_oddities_play_as_most_programs_play_them() {
    let Some(corpus) = corpus("mmd") else { return };
    let manifest = json(&corpus.join("bad/manifest.json"));
    let mut compared = 0;
    for (name, entry) in manifest["files"].as_object().unwrap() {
        let (Some(evaluations), true) = (entry["evaluation"].as_object(), name.ends_with(".vmd")) else {
            continue;
        };
        let path = corpus.join("bad").join(name);
        let Ok(opened) = dopesheet::open(&path, None, &ReadOptions::default()) else { continue };
        // Where a key is not finite peers spread it; we leave the key out, and say so as an error.
        if dopesheet::check(&opened).worst() == Some(dopesheet::Severity::Error) {
            continue;
        }
        // The peer whose interpolation is exact; all agree with it within a few 1e-4 where they are finite.
        let Some(peer) = evaluations.get("mmd-anim") else { continue };
        let Some(frames) = peer["frames"].as_array() else { continue };
        let times = frames.iter().map(|f| TimeValue::Seconds(f.as_f64().unwrap() / 30.0)).collect();
        let sampled = dopesheet::sample(&opened, &SampleOptions::at(TimeSpec::List(times))).unwrap();
        let translation = channel(&sampled, peer["bone"].as_str().unwrap(), "translation");
        assert!(translation.values.iter().all(|v| v.is_finite()), "{name}");
        for (index, want) in peer["t"].as_array().unwrap().iter().enumerate() {
            let want: Option<Vec<f64>> = want.as_array().unwrap().iter().map(Value::as_f64).collect();
            let Some(want) = want else { continue };
            let frame = &frames[index];
            for (got, want) in row(translation, index).iter().zip(want) {
                assert!(close(*got, want, 2e-3), "{name} frame {frame}: {got}, expected {want}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} poses compared");
}

/// Every member of the expectation files is read by a test here or says nothing about numbers.
#[test]
fn no_expectation_is_left_unread() {
    let Some(corpus) = corpus("mmd") else { return };
    let read: BTreeSet<&str> = [
        // read above
        "motion",
        "frames",
        "tracks",
        "morphs",
        "morph_tol",
        "tol",
        "rule",
        // where the numbers come from and how far the peers are apart
        "schema",
        "peers",
        "coordinates",
        "max_peer_spread",
        "units",
        "one_frame_gap",
        // needed once models are read
        "model",
    ]
    .into();
    let in_track: BTreeSet<&str> =
        ["bone", "const", "t", "r", "tol_t", "tol_r_deg", "loose", "between_adjacent_keys"].into();
    for prefix in ["local-", "camera-", "ik-switch-"] {
        for expected in expectations(&corpus, prefix, 1) {
            for key in expected.as_object().unwrap().keys() {
                assert!(read.contains(key.as_str()), "{prefix}: nobody reads {key}");
            }
            for track in expected["tracks"].as_array().unwrap_or(&Vec::new()) {
                for key in track.as_object().unwrap().keys() {
                    assert!(in_track.contains(key.as_str()), "{prefix}: nobody reads {key} of a track");
                }
            }
        }
    }
}
