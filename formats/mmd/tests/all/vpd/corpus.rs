//! The corpus of real and malformed files, and what independent programs say of them.

use dopesheet_core::diag::{Loss, Report, Severity};
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_mmd::Vpd;
use dopesheet_testkit::{
    assert_identity, assert_members_known, bytes, close, corpus, files, json, read, read_reporting, sha256,
    verdicts_on,
};
use serde_json::Value;

fn compare(name: &str, found: &[f32], expected: &Value) {
    let expected: Vec<f64> = expected.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(close(f64::from(*found), expected, 1e-6), "{name}: {found} and {expected}");
    }
}

#[test]
fn names_and_numbers_agree_with_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    let expected = json(&corpus.join("expected/parse-vpd.json"));
    let (mut file_count, mut bones, mut morphs) = (0, 0, 0);
    for (name, expected) in expected["files"].as_object().unwrap() {
        let data = bytes(&corpus.join(name));
        assert_eq!(expected["sha256"], sha256(&data), "{name} is another file");
        let document = read::<Vpd>(&data);
        let pose = document.pose();
        assert_eq!(expected["osm"], pose.parent, "{name}");
        let want = expected["bones"].as_array().unwrap();
        assert_eq!(pose.bones.len(), want.len(), "{name}");
        for (bone, want) in pose.bones.iter().zip(want) {
            assert_eq!(want["name"], bone.name, "{name}");
            compare(name, &bone.translation, &want["t"]);
            compare(name, &bone.rotation, &want["r"]);
            bones += 1;
        }
        let want = expected["morphs"].as_array().unwrap();
        assert_eq!(pose.morphs.len(), want.len(), "{name}");
        for (morph, want) in pose.morphs.iter().zip(want) {
            assert_eq!(want["name"], morph.name, "{name}");
            assert!(close(f64::from(morph.weight), want["w"].as_f64().unwrap(), 1e-6), "{name}");
            morphs += 1;
        }
        file_count += 1;
    }
    assert_eq!((file_count, bones, morphs), (1, 55, 0));
}

#[test]
fn real_files_are_written_back_and_have_no_errors() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("vpd"), &["vpd"], 3);
    for path in &paths {
        let (file, name) = (bytes(path), path.display().to_string());
        assert_identity::<Vpd>(&file, &name);
        let (document, report) = read_reporting::<Vpd>(&file);
        assert!(report.worst().is_none_or(|worst| worst == Severity::Info), "{name}: {report:?}");
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let lenient = Vpd::read(&Source::new(&file), &options, &mut Report::default());
        assert_eq!(lenient.as_ref(), Ok(&document), "{name}");
    }
    assert_eq!(paths.len(), 3);
}

#[test]
fn poses_of_real_files_survive_a_scene() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("vpd"), &["vpd"], 3);
    for path in &paths {
        let document = read::<Vpd>(&bytes(path));
        let options = ToScene { as_stored: true, ..ToScene::default() };
        let scene = Vpd::to_scene(&document, &options, &mut Report::default()).unwrap();
        let mut report = Report::default();
        let back = Vpd::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
        assert_eq!(back.pose(), document.pose(), "{}", path.display());
        assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{report:?}");
    }
    assert_eq!(paths.len(), 3);
}

/// Files of MikuMikuDance come out of the writer byte for byte, but for line breaks and the sign of nothing.
#[test]
fn real_files_are_written_anew_as_they_were() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("vpd"), &["vpd"], 3);
    for path in &paths {
        let file = bytes(path);
        let mut document = read::<Vpd>(&file);
        document.rewrite();
        let written = Vpd::write(&document, &WriteOptions::default()).unwrap().main;
        // Line breaks and signs are single bytes; no second byte of a character equals them.
        let plain = |text: &[u8]| -> Vec<Vec<u8>> {
            let lines = text.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec());
            let mut lines: Vec<_> = lines.map(|line| without_negative_zeros(&line)).collect();
            while lines.last().is_some_and(Vec::is_empty) {
                lines.pop();
            }
            lines
        };
        assert!(plain(&written) == plain(&file), "{}", path.display());
    }
    assert_eq!(paths.len(), 3);
}

fn without_negative_zeros(line: &[u8]) -> Vec<u8> {
    const ZERO: &[u8] = b"-0.000000";
    let mut out = Vec::new();
    let mut rest = line;
    while let Some((first, tail)) = rest.split_first() {
        if !rest.starts_with(ZERO) {
            out.push(*first);
        }
        rest = tail;
    }
    out
}

#[test]
fn malformed_files_meet_their_verdicts() {
    let Some(corpus) = corpus("mmd") else { return };
    insta::assert_snapshot!(verdicts_on::<Vpd>(&corpus.join("bad"), "vpd", 10, |_, _| ()));
}

#[test]
fn undecodable_names_read_as_babylon_mmd_reads_them_but_for_half_characters() {
    let Some(corpus) = corpus("mmd") else { return };
    let manifest = json(&corpus.join("bad/manifest.json"));
    let theirs = &manifest["files"]["vpd_invalid_shift_jis.vpd"]["decoded_names"]["babylon-mmd"][0];
    let document = read::<Vpd>(&bytes(&corpus.join("bad/vpd_invalid_shift_jis.vpd")));
    // Byte 80 is a control character in the WHATWG's table, which we follow, and nothing in that of ICU.
    let ours = document.pose().bones[0].name.replace('\u{80}', "\u{fffd}");
    let theirs = theirs.as_str().unwrap();
    assert!(ours == theirs || Some(ours.as_str()) == theirs.strip_suffix('\u{fffd}'), "{ours} {theirs}");
}

/// Every member of the two manifests that concern VPD is read by a test here, or says where numbers come from.
#[test]
fn no_member_of_the_manifests_is_left_unread() {
    let Some(corpus) = corpus("mmd") else { return };
    let parse = json(&corpus.join("expected/parse-vpd.json"));
    assert_members_known(&["schema", "peers", "files"], &parse);
    for (name, file) in parse["files"].as_object().unwrap() {
        assert_members_known(
            &[
                "bones",
                "morphs",
                "osm",
                "file",
                "bytes",
                "sha256",
                "max_peer_difference",
                "peers",
                "peers_failing",
            ],
            file,
        );
        assert_eq!(file["bytes"].as_u64(), Some(bytes(&corpus.join(name)).len() as u64), "{name}");
        assert_eq!(file["file"].as_str(), Some(name.as_str()));
    }
    let bad = json(&corpus.join("bad/manifest.json"));
    for (_, file) in bad["files"].as_object().unwrap().iter().filter(|(name, _)| name.ends_with(".vpd")) {
        assert_members_known(&["about", "verdict", "sha256", "peers", "decoded_names"], file);
    }
}
