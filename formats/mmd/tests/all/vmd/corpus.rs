//! The corpus of real and malformed files, and what independent programs say of them.

use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, ToScene};
use dopesheet_mmd::Vmd;
use dopesheet_mmd::vmd::{BoneChannel, BoneKeyframe, Document, MorphKeyframe, Section};
use dopesheet_testkit::{
    Records, assert_identity, assert_members_known, bytes, corpus, files, json, read, read_reporting, sha256,
    verdicts_on,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn bone(records: &mut Records, key: &BoneKeyframe) {
    records.text(&key.name.text()).int(key.frame).floats(&key.translation).floats(&key.rotation);
}

fn morph(records: &mut Records, key: &MorphKeyframe) {
    records.text(&key.name.text()).int(key.frame).floats(&[key.weight]);
}

fn components(document: &Document) -> BTreeMap<&'static str, Records> {
    let mut bones: Vec<_> = document.bones.iter().collect();
    let mut morphs: Vec<_> = document.morphs.iter().collect();
    let in_file = Records::of(&bones, |r, key| {
        bone(r, key);
        r.raw(&key.interpolation);
    });
    let morphs_in_file = Records::of(&morphs, |r, key| morph(r, key));
    bones.sort_by_cached_key(|key| (key.name.text(), key.frame));
    morphs.sort_by_cached_key(|key| (key.name.text(), key.frame));
    let sorted = Records::of(&bones, |r, key| {
        bone(r, key);
        for channel in BoneChannel::ALL {
            r.raw(&key.curve(channel));
        }
    });
    let cameras = Records::of(&document.cameras, |r, key| {
        r.int(key.frame).floats(&[key.distance]).floats(&key.target).floats(&key.angles);
        r.raw(&key.interpolation).int(key.fov_deg).raw(&[key.perspective_off]);
    });
    let lights = Records::of(&document.lights, |r, key| {
        r.int(key.frame).floats(&key.color).floats(&key.direction);
    });
    let shadows = Records::of(&document.shadows, |r, key| {
        r.int(key.frame).raw(&[key.mode]).floats(&[key.distance]);
    });
    let properties = Records::of(&document.models, |r, key| {
        r.int(key.frame).raw(&[key.visible]).int(key.ik.len() as u32);
        for switch in &key.ik {
            r.text(&switch.name.text()).raw(&[switch.enabled]);
        }
    });
    BTreeMap::from([
        ("bones", in_file),
        ("morphs", morphs_in_file),
        ("bones_sorted", sorted),
        ("morphs_sorted", Records::of(&morphs, |r, key| morph(r, key))),
        ("cameras", cameras),
        ("lights", lights),
        ("shadows", shadows),
        ("properties", properties),
    ])
}

fn compare_sections(name: &str, document: &Document, expected: &Value) -> usize {
    let words = [
        ("bones", Section::Bones),
        ("morphs", Section::Morphs),
        ("cameras", Section::Cameras),
        ("lights", Section::Lights),
        ("self_shadows", Section::Shadows),
        ("properties", Section::Models),
    ];
    for (word, section) in words {
        let want = &expected["sections"][word];
        assert_eq!(want["count"], document.count(section), "{name} {word}");
        let frames = || document.frames(section);
        assert_eq!(want["first_frame"].as_u64(), frames().min().map(u64::from), "{name} {word}");
        assert_eq!(want["last_frame"].as_u64(), frames().max().map(u64::from), "{name} {word}");
    }
    words.len()
}

fn compare_tracks(name: &str, document: &Document, expected: &Value) {
    let list = |tracks: dopesheet_mmd::vmd::Tracks, section: Section| -> Value {
        let frames: Vec<_> = document.frames(section).collect();
        let track = |(name, keys): (&dopesheet_mmd::text::Name<15>, &[u32])| {
            let frame = |key: Option<&u32>| frames[*key.unwrap() as usize];
            json!([name.text(), keys.len(), frame(keys.first()), frame(keys.last())])
        };
        tracks.iter().map(track).collect()
    };
    assert_eq!(expected["bone_tracks"], list(document.bone_tracks(), Section::Bones), "{name}");
    assert_eq!(expected["morph_tracks"], list(document.morph_tracks(), Section::Morphs), "{name}");
    if let Some(properties) = expected["properties"].as_array() {
        let found = document.models.iter().map(|key| {
            let ik = key.ik.iter().map(|switch| json!([switch.name.text(), switch.enabled]));
            json!([key.frame, key.visible, ik.collect::<Value>()])
        });
        assert_eq!(*properties, found.collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn counts_frames_tracks_and_digests_agree_with_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    let expected = json(&corpus.join("expected/parse-vmd.json"));
    let (mut file_count, mut digests) = (0, 0);
    for (name, expected) in expected["files"].as_object().unwrap() {
        let document = read::<Vmd>(&bytes(&corpus.join(name)));
        assert_eq!(expected["model_name"], document.model.text(), "{name}");
        compare_sections(name, &document, expected);
        compare_tracks(name, &document, expected);
        let found = components(&document);
        for (component, want) in expected["components"].as_object().unwrap() {
            found[component.as_str()].assert_agree(want, &format!("{name} {component}"));
            digests += 1;
        }
        file_count += 1;
    }
    assert_eq!((file_count, digests), (11, 88));
}

#[test]
fn real_files_are_written_back_and_have_no_errors() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("vmd"), &["vmd"], 22);
    for path in &paths {
        let (file, name) = (bytes(path), path.display().to_string());
        assert_identity::<Vmd>(&file, &name);
        let (document, report) = read_reporting::<Vmd>(&file);
        assert_ne!(report.worst(), Some(Severity::Error), "{name}: {report:?}");
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let lenient = Vmd::read(&Source::new(&file), &options, &mut Report::default());
        assert_eq!(lenient.as_ref(), Ok(&document), "{name}");
    }
    assert_eq!(paths.len(), 22);
}

/// A scene after it went through a document, and the report of that.
fn through_a_document(
    scene: &dopesheet_core::model::Scene,
    name: &Path,
) -> (dopesheet_core::model::Scene, Report) {
    let mut report = Report::default();
    let options = FromScene { keep_constant: true, replace_unencodable: true, ..FromScene::default() };
    let document =
        Vmd::from_scene(scene, &options, &mut report).unwrap_or_else(|e| panic!("{}: {e}", name.display()));
    (Vmd::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap(), report)
}

#[test]
fn scenes_of_real_files_survive_a_document_exactly() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("vmd"), &["vmd"], 22);
    for path in &paths {
        let mut report = Report::default();
        let scene = Vmd::to_scene(&read::<Vmd>(&bytes(path)), &ToScene::default(), &mut report).unwrap();
        for channel in scene.clips[0].tracks.iter().flat_map(|track| &track.channels) {
            channel.composition.curves().for_each(|curve| assert_eq!(curve.validate(), Ok(())));
        }
        let (back, report) = through_a_document(&scene, path);
        assert!(
            report.losses.iter().all(|loss| matches!(loss, dopesheet_core::diag::Loss::Kept { .. })),
            "{report:?}"
        );
        assert_eq!(back.clips[0].tracks, scene.clips[0].tracks, "{}", path.display());
        assert_eq!(back.nodes, scene.nodes, "{}", path.display());
    }
    assert_eq!(paths.len(), 22);
}

#[test]
fn malformed_files_meet_their_verdicts() {
    let Some(corpus) = corpus("mmd") else { return };
    insta::assert_snapshot!(verdicts_on::<Vmd>(&corpus.join("bad"), "vmd", 27, |_, _| ()));
}

#[test]
fn undecodable_names_read_as_babylon_mmd_reads_them_but_for_half_characters() {
    let Some(corpus) = corpus("mmd") else { return };
    let document = read::<Vmd>(&bytes(&corpus.join("bad/vmd_invalid_shift_jis.vmd")));
    // Byte 80 is a control character in the WHATWG's table, which we follow, and nothing in that of ICU.
    let ours = |name: &dopesheet_mmd::text::Name<15>| name.text().replace('\u{80}', "\u{fffd}");
    let names: Vec<_> = document.bone_tracks().iter().map(|(name, _)| ours(name)).collect();
    let manifest = json(&corpus.join("bad/manifest.json"));
    let theirs = &manifest["files"]["vmd_invalid_shift_jis.vmd"]["decoded_names"]["babylon-mmd"];
    let theirs = theirs.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    // Both odd names end with half a character, which we leave out.
    let theirs: Vec<_> = theirs.map(|name| name.strip_suffix('\u{fffd}').unwrap_or(name)).collect();
    assert_eq!(names, theirs);
}

/// Every member of the two manifests that concern VMD is read by a test here, or says where numbers come from.
#[test]
fn no_member_of_the_manifests_is_left_unread() {
    let Some(corpus) = corpus("mmd") else { return };
    let parse = json(&corpus.join("expected/parse-vmd.json"));
    assert_members_known(&["schema", "peers", "files"], &parse);
    for (name, file) in parse["files"].as_object().unwrap() {
        let compared = ["model_name", "sections", "bone_tracks", "morph_tracks", "properties", "components"];
        assert_members_known(
            &[&compared[..], &["file", "bytes", "sha256", "curve_layout", "disagreements"]].concat(),
            file,
        );
        let data = bytes(&corpus.join(name));
        assert_eq!(
            (file["bytes"].as_u64(), file["file"].as_str()),
            (Some(data.len() as u64), Some(name.as_str()))
        );
        assert_eq!(file["sha256"], sha256(&data), "{name} is another file");
        let document = read::<Vmd>(&data);
        let has_physics = |k: &BoneKeyframe| k.physics() != dopesheet_mmd::vmd::Physics::None;
        let is_modern = file["curve_layout"].as_str().unwrap().starts_with("modern");
        assert_eq!(document.bones.iter().any(has_physics), is_modern && !document.bones.is_empty(), "{name}");
    }
    let bad = json(&corpus.join("bad/manifest.json"));
    assert_members_known(&["schema", "rule", "verdicts", "peers", "files"], &bad);
    for (name, file) in bad["files"].as_object().unwrap().iter().filter(|(name, _)| name.ends_with(".vmd")) {
        // What the evaluations say is compared where motions are played, by the facade's tests.
        assert_members_known(&["about", "verdict", "sha256", "peers", "decoded_names", "evaluation"], file);
        assert_eq!(file["sha256"], sha256(&bytes(&corpus.join("bad").join(name))), "{name}");
    }
}
