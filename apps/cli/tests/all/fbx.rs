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
    let names = |file: &str| clips(&folder, file);
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

/// Names of the clips of a file, as `info` has them.
fn clips(folder: &Folder, file: &str) -> Vec<String> {
    let info = &folder.run(&["info", "--json", file]).json("info.json")[0];
    let clips = info["clips"].as_array().unwrap().iter();
    clips.map(|clip| clip["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_take_named_as_programs_name_every_take_has_the_name_of_its_file_everywhere() {
    let folder = folder();
    let text = String::from_utf8(folder.get("empty-take.fbx")).unwrap();
    folder.put("run.fbx", text.replace("AnimStack::Walk", "AnimStack::mixamo.com").as_bytes());
    let info = folder.run(&["info", "run.fbx"]).out;
    assert_eq!(info.matches("mixamo.com").count(), 1, "{info}");
    assert!(info.contains("clip #1 \"run\" (stored as \"mixamo.com\"): "), "{info}");
    let made = folder.run(&["convert", "run.fbx", "-o", "run.glb", "--verbose"]);
    assert!(made.err.contains("take \"mixamo.com\", named as its file"), "{}", made.err);
    assert_eq!(clips(&folder, "run.glb"), ["run", "Jump"]);
    for (name, out) in [("run", "a"), ("mixamo.com", "b"), ("#1", "c")] {
        let ran = folder.run(&["convert", "run.fbx", "-o", &format!("{out}.bvh"), "--clip", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        let ran = folder.run(&["render", "run.fbx", "-o", &format!("{out}.png"), "--clip", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
    }
    for [first, others @ ..] in [["a.bvh", "b.bvh", "c.bvh"], ["a.png", "b.png", "c.png"]] {
        assert!(others.iter().all(|other| folder.get(first) == folder.get(other)), "{first}");
    }
    let none = folder.run(&["convert", "run.fbx", "-o", "d.bvh", "--clip", "Take 002"]);
    assert!(none.err.contains("expected a clip of this file (Take 001, run, Jump)"), "{}", none.err);
    // The file's name is taken by another take.
    folder.put("Jump.fbx", text.replace("AnimStack::Walk", "AnimStack::mixamo.com").as_bytes());
    assert_eq!(clips(&folder, "Jump.fbx"), ["Take 001", "mixamo.com", "Jump"]);
    let made = folder.run(&["convert", "Jump.fbx", "-o", "Jump.glb", "--verbose"]);
    assert!(!made.err.contains("named as its file"), "{}", made.err);
    assert_eq!(clips(&folder, "Jump.glb"), ["mixamo.com", "Jump"]);
}

#[test]
fn a_take_of_a_single_frame_is_left_out_beside_longer_takes_unless_it_is_asked_for() {
    let folder = folder();
    let text = String::from_utf8(folder.get("empty-take.fbx")).unwrap();
    let (start, walk) = text.split_once("AnimStack::Walk").unwrap();
    // A frame of the clock, in place of a second.
    let walk = walk.replacen("46186158000", "1539538600", 1);
    folder.put("pose.fbx", [start, "AnimStack::TPose", &walk].concat().as_bytes());
    let convert = |options: &[&str], out: &str| {
        let ran = folder.run(&[&["convert", "pose.fbx", "-o", out, "--force"], options].concat());
        (ran.code, ran.err)
    };
    let (_, told) = convert(&["--verbose"], "t.glb");
    assert!(told.contains("clips TPose: they last a single frame; --clip"), "{told}");
    assert!(told.contains("clips Take 001: they have no keys; --clip"), "{told}");
    assert_eq!(clips(&folder, "t.glb"), ["Jump"]);
    convert(&["--clip", "#all"], "t.glb");
    // A GLB has animations without keys at the end.
    assert_eq!(clips(&folder, "t.glb"), ["TPose", "Jump", "Take 001"]);
    convert(&["--clip", "TPose"], "t.glb");
    assert_eq!(clips(&folder, "t.glb"), ["TPose"]);
    assert_eq!(convert(&[], "t.bvh").0, Some(0));
    let jump = folder.get("t.bvh");
    assert_eq!(convert(&["--clip", "#2"], "t.bvh").0, Some(0));
    assert!(jump == folder.get("t.bvh"), "the longer take is the first choice");
    let (code, told) = convert(&["--clip", "#all"], "t.bvh");
    assert!(code == Some(2) && told.contains("holds one clip, found 3"), "{told}");
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
