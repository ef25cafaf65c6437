//! `dopesheet convert` keeps its contract.

use crate::common;
use crate::common::{Folder, motion};

#[test]
fn a_motion_becomes_a_glb_with_a_report() {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "bow.vmd", "-o", "bow.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(folder.get("bow.glb")[..4], *b"glTF");
    assert!(ran.err.contains("bow.vmd -> bow.glb (vmd to glb)"), "{}", ran.err);
    assert!(ran.err.contains("  largest error 0.096 mm (センター at 0.328 s)\n"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn straight_motion_is_kept_exactly() {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "line.vmd", "-o", "line.glb", "--json"]);
    let report = &ran.json("convert-report.json")[0];
    assert_eq!(report["approximated"].as_array().unwrap().len(), 0, "{report}");
    assert_eq!(report["hierarchy"], "unknown");
    assert!(report["kept"][0].as_str().unwrap().contains("2 keys"), "{report}");
}

#[test]
fn cubic_segments_take_less_room_within_the_same_tolerance() {
    let folder = Folder::new();
    let converted = |name: &str, options: &[&str]| {
        let ran = folder.run(&[&["convert", "bow.vmd", "-o", name, "--json"], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let report = &ran.json("convert-report.json")[0];
        for line in report["approximated"].as_array().unwrap() {
            let error = &line["max_error"];
            assert!(error["unit"] != "m" || error["value"].as_f64().unwrap() <= 1e-4, "{line}");
        }
        String::from_utf8(folder.get(name)).unwrap()
    };
    let (straight, cubic) = (converted("straight.gltf", &[]), converted("cubic.gltf", &["--cubic"]));
    assert!(cubic.contains("CUBICSPLINE") && !straight.contains("CUBICSPLINE"));
    let [straight, cubic] = ["straight.bin", "cubic.bin"].map(|name| folder.get(name).len());
    assert!(cubic < straight, "{cubic} and {straight} bytes of keys");
    assert_eq!(folder.run(&["diff", "bow.vmd", "cubic.gltf"]).code, Some(0));
    assert_eq!(folder.run(&["convert", "bow.vmd", "-o", "x.glb", "--cubic", "--bake", "30"]).code, Some(2));
}

#[test]
fn the_same_format_is_written_byte_for_byte() {
    let folder = Folder::new();
    for (name, copy) in [("bow.vmd", "copy.vmd"), ("door.json", "copy.json"), ("frame.gltf", "copy.gltf")] {
        let ran = folder.run(&["convert", name, "-o", copy]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(folder.get(name), folder.get(copy), "{name}");
    }
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::new();
    folder.put("out.glb", b"mine");
    let ran = folder.run(&["convert", "bow.vmd", "-o", "out.glb"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("out.glb: exists already (--force overwrites it)"), "{}", ran.err);
    assert_eq!(folder.get("out.glb"), b"mine");
    assert_eq!(folder.run(&["convert", "bow.vmd", "-o", "out.glb", "--force"]).code, Some(0));
    assert_eq!(folder.get("out.glb")[..4], *b"glTF");
}

#[test]
fn a_failed_run_leaves_nothing_behind() {
    let folder = Folder::new();
    let before = folder.names();
    let ran = folder.run(&["convert", "broken.vmd", "-o", "sub/out.glb"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error: broken.vmd: vmd: byte 0x"), "{}", ran.err);
    assert_eq!(folder.names(), before);
}

#[test]
fn a_dry_run_prints_the_plan_and_writes_nothing() {
    let folder = Folder::new();
    let before = folder.names();
    let ran = folder.run(&["convert", "bow.vmd", "-o", "bow.glb", "-n"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "bow.vmd -> bow.glb (glb)\n"));
    let plan = &folder
        .run(&["convert", "*.vmd", "-t", "glb", "-o", "out/", "-n", "--json"])
        .json("convert-plan.json");
    assert_eq!(plan.len(), 4);
    assert_eq!(folder.names(), before);
}

#[test]
fn files_go_through_pipes() {
    let folder = Folder::new();
    let door = folder.get("door.json");
    let ran = folder.run_with_input(&["convert", "-", "-t", "glb", "-o", "-"], &door);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.bytes[..4], *b"glTF");
    let both = folder.run_with_input(&["convert", "-", "-t", "glb", "-o", "-", "--json"], &door);
    assert_eq!(both.code, Some(2));
    assert_eq!(folder.run_with_input(&["convert", "-", "-o", "-"], &door).code, Some(2));
}

#[test]
fn a_glob_keeps_its_tree_and_one_bad_file_does_not_stop_the_others() {
    let folder = Folder::new();
    folder.put("in/a/1.vmd", &motion([20, 20, 107, 107]));
    folder.put("in/b/1.vmd", &motion([20, 20, 107, 107]));
    folder.put("in/b/2.vmd", b"Vocaloid Motion Data 0002");
    let ran = folder.run(&["convert", "in/**/*.vmd", "-t", "glb", "-o", "out/", "--report", "report.jsonl"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("in/b/2.vmd: vmd: byte"), "{}", ran.err);
    assert!(ran.err.contains("2 done, 1 failed"), "{}", ran.err);
    let made: Vec<_> = folder.names().into_iter().filter(|n| n.starts_with("out/")).collect();
    assert_eq!(made, ["out/a/1.glb", "out/b/1.glb", "out/manifest.jsonl"]);
    assert_eq!(String::from_utf8(folder.get("report.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn two_inputs_for_one_output_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    folder.put("a/1.vmd", &motion([20, 20, 107, 107]));
    folder.put("b/1.vmd", &motion([20, 20, 107, 107]));
    let before = folder.names();
    let ran = folder.run(&["convert", "a/1.vmd", "b/1.vmd", "-t", "glb", "-o", "out/"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("would both be written to"), "{}", ran.err);
    assert_eq!(folder.names(), before);
}

#[test]
fn several_inputs_become_clips_of_one_file() {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "bow.vmd", "line.vmd", "-o", "both.glb", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report = &ran.json("convert-report.json")[0];
    assert_eq!(report["clips"], serde_json::json!(["bow", "line"]));
    let refused = folder.run(&["convert", "bow.vmd", "line.vmd", "-o", "both.json", "-t", "playcanvas"]);
    assert_eq!(refused.code, Some(2), "PlayCanvas holds one clip: {}", refused.err);
}

#[test]
fn clips_are_added_to_an_existing_file() {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "door.json", "--into", "frame.gltf", "-o", "out.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let info = folder.run(&["info", "out.glb", "--json"]);
    assert_eq!(info.json("info.json")[0]["clips"][0]["name"], "door");
}

#[test]
fn what_the_target_cannot_hold_at_all_is_named() {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "camera.vmd", "-o", "camera.json", "-t", "playcanvas"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("nothing to convert: "), "{}", ran.err);
}

#[test]
fn the_missing_hierarchy_is_said_and_the_model_option_named() {
    let folder = Folder::new();
    folder.put("two.json", common::DOOR.replace("]}]}}", "]},{\"name\":\"Handle\",\"defaults\":{},\"keys\":[{\"t\":0,\"p\":[1,0,0],\"r\":[0,0,0],\"s\":[1,1,1]}]}]}}").as_bytes());
    let ran = folder.run(&["convert", "two.json", "-o", "two.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("-m"), "{}", ran.err);
}

#[test]
fn a_stretch_of_a_clip_starts_at_zero() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["convert", "line.vmd", "--range", "15f:30f", "-o", "half.glb"]).code, Some(0));
    let info = folder.run(&["info", "half.glb", "--json"]);
    assert_eq!(info.json("info.json")[0]["clips"][0]["duration_s"], 0.5);
    assert_eq!(folder.run(&["convert", "line.vmd", "--range", "2:1", "-o", "x.glb"]).code, Some(2));
}

#[test]
fn contradictions_are_wrong_usage() {
    let folder = Folder::new();
    for arguments in [
        &["convert", "bow.vmd"][..],
        &["convert", "bow.vmd", "-o", "out.xyz"],
        &["convert", "bow.vmd", "-o", "out.glb", "-t", "nonsense"],
        &["convert", "bow.vmd", "-o", "out.glb", "-t", "glb@9"],
        &["convert", "bow.vmd", "-o", "out.glb", "--bake", "0"],
        &["convert", "bow.vmd", "-o", "out.glb", "--scale", "-1"],
        &["convert", "none*.vmd", "-o", "out/", "-t", "glb"],
        &["convert", "bow.vmd", "-o", "folder/"],
        &["convert", "bow.vmd", "-o", "out.glb", "--clip", "nobody"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.is_empty());
    }
}
