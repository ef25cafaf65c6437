//! `convert --onto`: motions of figures on other figures.

use crate::common::{Folder, parts_of};
use dopesheet_testkit::workspace;
use serde_json::json;

/// A folder with a capture, a character and a recording of hands.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["jump.bvh", "character.glb", "hands.bin"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder
}

#[test]
fn a_capture_is_added_to_a_character_and_its_report_says_how() {
    let folder = folder();
    let ran = folder.run(&["convert", "jump.bvh", "--onto", "character.glb", "-o", "out.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("the way of the hips, times"), "{}", ran.err);
    let (before, after) = (parts_of(&folder.get("character.glb")).0, parts_of(&folder.get("out.glb")).0);
    assert_eq!(after["meshes"], before["meshes"]);
    let count = |document: &serde_json::Value| document["animations"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&after), count(&before) + 1);
}

#[test]
fn a_vrm_with_a_motion_is_a_vrm() {
    let folder = folder();
    // As far as the command is concerned, it is what its name says.
    folder.put("hero.vrm", &folder.get("character.glb"));
    let ran = folder.run(&["convert", "jump.bvh", "--onto", "hero.vrm", "-o", "dancing.vrm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.get("dancing.vrm").starts_with(b"glTF"));
    let alone = folder.run(&["convert", "jump.bvh", "-o", "dancing2.vrm"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
}

#[test]
fn whatever_cannot_be_done_is_said_before_anything_is_written() {
    let folder = folder();
    for (arguments, code, words) in [
        (&["jump.bvh", "--onto", "hands.bin"][..], 1, "expected a human figure in hands.bin, found"),
        (&["hands.bin", "--onto", "character.glb"], 1, "expected a human figure in the motion, found"),
        (&["jump.bvh", "--onto", "nothing.glb"], 1, "nothing.glb"),
        (&["jump.bvh", "--onto", "character.glb", "--into", "character.glb"], 2, "cannot be used with"),
        (&["jump.bvh", "--motion-only"], 2, "--onto"),
    ] {
        let mut all = vec!["convert", "-o", "out.glb"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
        assert!(!folder.path("out.glb").exists());
    }
}

#[test]
fn info_says_which_bone_is_which_in_both_figures() {
    let folder = folder();
    let ran = folder.run(&["info", "jump.bvh", "--onto", "character.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("leftUpperLeg"), "{}", ran.out);
    let ran = folder.run(&["info", "jump.bvh", "--onto", "character.glb", "--json"]);
    let all = ran.json("info.json");
    let bones = all[0]["onto"]["bones"].as_array().unwrap();
    let of = |bone: &str| bones.iter().find(|own| own["bone"] == bone).unwrap();
    assert_eq!((&of("hips")["from"], &of("hips")["to"]), (&json!("Hips"), &json!("Hips")));
    assert_eq!(of("leftToes")["to"], json!(null));
    let ran = folder.run(&["info", "hands.bin", "--onto", "character.glb"]);
    assert!(ran.out.contains("onto character.glb"), "{}", ran.out);
}
