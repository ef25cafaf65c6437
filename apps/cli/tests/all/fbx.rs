//! FBX in the command: it goes where all formats go, and is not written.

use crate::common::Folder;
use dopesheet_testkit::{bytes, workspace};
use serde_json::json;

/// A folder with the files that the room tests with.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["chain.fbx", "chain-text.fbx", "empty-take.fbx", "face.fbx"] {
        folder.put(name, &bytes(&workspace().join("formats/fbx/src/fbx/fixtures/valid").join(name)));
    }
    folder.put("cut.fbx", &folder.get("chain.fbx")[..900]);
    folder
}

#[test]
fn info_and_formats_know_it() {
    let folder = folder();
    let info = &folder.run(&["info", "--json", "chain.fbx"]).json("info.json")[0];
    assert_eq!(
        (&info["format"], &info["version"], &info["nodes"]),
        (&json!("fbx"), &json!("7.4"), &json!(2))
    );
    let clips: Vec<_> = info["clips"].as_array().unwrap().iter().map(|clip| &clip["name"]).collect();
    assert_eq!(clips, ["Walk", "Jump"]);
    assert_eq!(info["clips"][0]["rate_fps"], 30.0);
    let formats = folder.run(&["formats"]);
    assert!(
        formats.out.lines().any(|line| line.starts_with("fbx ") && line.ends_with("(.fbx): reads")),
        "{}",
        formats.out
    );
}

#[test]
fn check_lists_codes_and_a_damaged_file_has_its_place() {
    let folder = folder();
    let ran = folder.run(&["check", "--json", "chain.fbx", "cut.fbx"]);
    assert_eq!(ran.code, Some(1));
    let files = ran.json("check.json");
    assert_eq!(files[0]["findings"][0]["code"], "fbx-layers");
    let cut = &files[1]["findings"][0];
    assert_eq!((&cut["code"], &cut["offset"]), (&json!("fbx-truncated"), &json!(900)));
}

#[test]
fn samples_are_in_the_axes_that_are_asked_for() {
    let folder = folder();
    let at = |axes: &str| {
        let ran = folder.run(&[
            "sample",
            "chain.fbx",
            "--clip",
            "Walk",
            "--axes",
            axes,
            "--times",
            "0.5",
            "--json",
        ]);
        ran.json("sample.json")[0]["tracks"][0]["channels"]["translation"][0].clone()
    };
    let near = |found: serde_json::Value, expected: [f64; 3]| {
        for (number, expected) in found.as_array().unwrap().iter().zip(expected) {
            assert!((number.as_f64().unwrap() - expected).abs() < 1e-5, "{found}, expected {expected:?}");
        }
    };
    // Half way of 100 units along X, lifted by 10, in centimetres with Z up.
    near(at("native"), [50.0, 0.0, 110.0]);
    near(at("gltf"), [0.5, 1.1, 0.0]);
}

#[test]
fn a_conversion_to_glb_is_what_the_file_says() {
    let folder = folder();
    let ran = folder.run(&["convert", "chain.fbx", "-o", "chain.glb", "--report", "report.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let diff = folder.run(&["diff", "chain.fbx", "chain.glb", "--json"]);
    assert_eq!(diff.code, Some(0), "{}{}", diff.out, diff.err);
    assert_eq!(diff.json("diff.json")[0]["within_tolerance"], true);
    let report: serde_json::Value = serde_json::from_slice(&folder.get("report.json")).unwrap();
    let text = report["approximated"].to_string();
    assert!(text.contains("rotations of take \\\"Walk\\\""), "{text}");
    assert_eq!(folder.run(&["convert", "face.fbx", "-o", "face.glb"]).code, Some(0));
    assert_eq!(folder.run(&["diff", "face.fbx", "face.glb"]).code, Some(0));
}

#[test]
fn a_conversion_to_bvh_has_a_pose_per_frame() {
    let folder = folder();
    let ran = folder.run(&["convert", "chain-text.fbx", "--clip", "Walk", "-o", "walk.bvh"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(folder.get("walk.bvh")).unwrap();
    assert!(text.contains("Frames: 31"), "{text}");
    assert!(text.contains("ROOT Hips"), "{text}");
}

#[test]
fn a_take_without_keys_is_neither_chosen_nor_written_beside_others_unless_it_is_asked_for() {
    let folder = folder();
    let convert = |options: &[&str], out: &str| {
        let start = ["convert", "empty-take.fbx", "-o", out, "--report", "r.json", "--force"];
        let ran = folder.run(&[&start, options].concat());
        assert_eq!(ran.code, Some(0), "{out}: {}", ran.err);
        (folder.get(out), String::from_utf8(folder.get("r.json")).unwrap())
    };
    let names = |file: &str| -> Vec<String> {
        let info = &folder.run(&["info", "--json", file]).json("info.json")[0];
        let clips = info["clips"].as_array().unwrap().iter();
        clips.map(|clip| clip["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let (walk, report) = convert(&[], "t.bvh");
    assert!(report.contains("clips Take 001") && report.contains("clips Jump"), "{report}");
    assert_eq!(walk, convert(&["--clip", "#1"], "t.bvh").0);
    assert_ne!(walk, convert(&["--clip", "#0"], "t.bvh").0);
    assert_eq!(convert(&["--clip", "#0"], "t.bvh").0, convert(&["--clip", "Take 001"], "t.bvh").0);
    let (_, report) = convert(&[], "t.glb");
    assert!(report.contains("clips Take 001"), "{report}");
    assert_eq!(names("t.glb"), ["Walk", "Jump"]);
    convert(&["--clip", "Take 001"], "t.glb");
    assert_eq!(names("t.glb"), ["Take 001"]);
    let picture = |options: &[&str]| {
        let ran = folder.run(&[&["render", "empty-take.fbx", "-o", "t.png", "--force"], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        folder.get("t.png")
    };
    assert_eq!(picture(&[]), picture(&["--clip", "Walk"]));
    assert_ne!(picture(&[]), picture(&["--clip", "#0"]));
}

#[test]
fn nothing_is_written_as_fbx() {
    let folder = folder();
    for source in ["chain.fbx", "line.vmd"] {
        let ran = folder.run(&["convert", source, "-o", "out.fbx"]);
        assert_eq!(ran.code, Some(2), "{source}: {}", ran.err);
        assert!(ran.err.contains("read and never written"), "{source}: {}", ran.err);
        assert!(!folder.names().contains(&"out.fbx".to_owned()), "{source}");
    }
}

#[test]
fn an_fbx_is_not_edited_and_the_message_names_the_way_out() {
    let folder = folder();
    for out in ["out.fbx", "out.glb"] {
        let ran = folder.run(&["edit", "chain.fbx", "-e", "trim 0:0.5", "-o", out]);
        assert_eq!(ran.code, Some(1), "{out}: {}", ran.err);
        assert!(ran.err.contains(".glb"), "{out}: {}", ran.err);
        assert!(!folder.names().contains(&out.to_owned()), "{out}");
    }
}
