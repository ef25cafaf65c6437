//! `dopesheet info`, `check`, `formats`, `completions` and the help keep their contract.

use crate::common;
use crate::common::Folder;
use serde_json::json;

#[test]
fn info_says_what_is_in_a_file() {
    let folder = Folder::new();
    let ran = folder.run(&["info", "bow.vmd", "door.json", "--json"]);
    let all = ran.json("info.json");
    assert_eq!(all.len(), 2);
    assert_eq!((&all[0]["format"], &all[0]["clips"][0]["duration_s"]), (&json!("vmd"), &json!(1.0)));
    assert_eq!(all[0]["clips"][0]["rate_fps"], json!(30.0));
    assert_eq!((&all[1]["format"], &all[1]["clips"][0]["name"]), (&json!("playcanvas"), &json!("door")));
    assert!(folder.run(&["info", "bow.vmd"]).out.contains("30 fps"));
}

#[test]
fn formats_are_found_by_content_first() {
    let folder = Folder::new();
    folder.put("renamed.glb", &folder.get("bow.vmd"));
    assert_eq!(folder.run(&["info", "renamed.glb", "--json"]).json("info.json")[0]["format"], "vmd");
    let forced = folder.run(&["info", "bow.vmd", "-f", "glb"]);
    assert_eq!(forced.code, Some(1), "{}", forced.err);
}

#[test]
fn check_passes_a_sound_file_and_fails_a_broken_one() {
    let folder = Folder::new();
    let ran = folder.run(&["check", "door.json", "broken.vmd", "--json"]);
    assert_eq!(ran.code, Some(1));
    let all = ran.json("check.json");
    assert_eq!(all[0]["findings"], json!([]));
    let finding = &all[1]["findings"][0];
    assert_eq!((&finding["severity"], &finding["code"]), (&json!("error"), &json!("mmd-count")));
    assert!(finding["offset"].is_u64() && finding["path"].is_string(), "{finding}");
}

#[test]
fn a_file_that_cannot_be_read_still_gets_its_json() {
    let folder = Folder::new();
    folder.put("noise.xyz", b"\x00\x01\x02\x03");
    let ran = folder.run(&["check", "noise.xyz", "missing.vmd", "--json"]);
    assert_eq!(ran.code, Some(1));
    let all = ran.json("check.json");
    assert_eq!((&all[0]["findings"][0]["code"], &all[0]["format"]), (&json!("unknown-format"), &json!(null)));
    assert_eq!(all[1]["findings"][0]["code"], "io");
}

#[test]
fn strict_makes_warnings_fail() {
    let folder = Folder::new();
    folder.put("late.json", common::DOOR.replace("\"duration\":1", "\"duration\":0.5").as_bytes());
    assert_eq!(folder.run(&["check", "late.json"]).code, Some(0));
    assert_eq!(folder.run(&["check", "late.json", "--strict"]).code, Some(1));
}

#[test]
fn every_registered_format_is_listed() {
    let folder = Folder::new();
    let ids: Vec<_> =
        folder.run(&["formats", "--json"]).json("formats.json").iter().map(|f| f["id"].clone()).collect();
    assert_eq!(ids, dopesheet::registry::formats().iter().map(|f| f.info().id).collect::<Vec<_>>());
    assert!(folder.run(&["formats"]).out.contains("vmd"));
}

#[test]
fn completions_exist_for_the_usual_shells() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(folder.run(&["completions", shell]).out.contains("dopesheet"), "{shell}");
    }
    folder.run(&["completions", "bash", "--json"]).json("completions.json");
}

#[test]
fn there_is_a_manual_page_for_each_verb() {
    let folder = Folder::new();
    let page = folder.run(&["man"]).out;
    assert!(page.starts_with(".ie") && page.contains(".TH dopesheet 1"), "{page}");
    let page = folder.run(&["man", "convert"]).out;
    assert!(page.contains(".TH dopesheet-convert 1") && page.contains("tolerance"), "{page}");
    folder.run(&["man", "--json"]).json("man.json");
    let ran = folder.run(&["man", "konvert"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("\"konvert\"") && ran.err.contains("convert"), "{}", ran.err);
}

#[test]
fn help_says_what_it_is_about_and_shows_examples_next() {
    let folder = Folder::new();
    for arguments in [
        &["--help"][..],
        &["info", "--help"],
        &["check", "--help"],
        &["convert", "--help"],
        &["sample", "--help"],
        &["diff", "--help"],
        &["plot", "--help"],
    ] {
        let ran = folder.run(arguments);
        let lines: Vec<&str> = ran.out.lines().collect();
        assert!(
            lines[0].len() > 20 && lines[1].is_empty() && lines[2] == "Examples:",
            "{arguments:?}: {}",
            ran.out
        );
    }
}

#[test]
fn nonsense_is_wrong_usage() {
    let folder = Folder::new();
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["info"],
        &["check", "--nope", "bow.vmd"],
        &["info", "bow.vmd", "-f", "nope"],
    ] {
        assert_eq!(folder.run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named_once() {
    let folder = Folder::new();
    for arguments in [&["info", "gone.vmd"][..], &["convert", "gone.vmd", "-o", "x.glb"]] {
        let ran = folder.run(arguments);
        assert_eq!((ran.code, ran.err.matches("gone.vmd").count()), (Some(1), 1), "{}", ran.err);
    }
}
