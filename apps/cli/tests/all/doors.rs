//! Wrong doors: the message names the case and the way out.

use crate::common::{DOOR, Folder};
use dopesheet_testkit::workspace;

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["walk.vmd", "hands.bin", "door.m4b"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder
}

/// Asserts the exit code of a command and words of its message.
fn assert_told(folder: &Folder, command: &[&str], code: i32, words: &[&str]) {
    let ran = folder.run(command);
    assert_eq!(ran.code, Some(code), "{command:?}: {}{}", ran.out, ran.err);
    for word in words {
        assert!(ran.err.contains(word), "{command:?}: {word}: {}", ran.err);
    }
}

#[test]
fn a_format_that_is_never_written_is_named_with_what_to_write_instead() {
    let folder = folder();
    for command in
        [&["convert", "walk.vmd", "-o", "x.fbx"][..], &["convert", "walk.vmd", "-o", "out/", "-t", "fbx"]]
    {
        let way_out = "write .glb or .bvh, which Blender imports, and exports as FBX";
        assert_told(&folder, command, 2, &["FBX is read and never written", way_out]);
    }
    for command in
        [&["convert", "walk.vmd", "-o", "x.pkl"][..], &["convert", "walk.vmd", "-o", "out/", "-t", "pt"]]
    {
        assert_told(&folder, command, 2, &["pickles are read and never written", ".npz"]);
    }
    for command in
        [&["convert", "walk.vmd", "-o", "x.vrm"][..], &["convert", "walk.vmd", "-o", "out/", "-t", "vrm"]]
    {
        assert_told(&folder, command, 2, &["an avatar is a model", "--onto avatar.vrm", "a vrma"]);
    }
    let told = folder.run(&["convert", "walk.vmd", "-o", "x.xyz"]).err;
    assert_eq!(told.matches(".json").count(), 1, "each extension once: {told}");
}

#[test]
fn a_name_with_spaces_needs_quotes() {
    let folder = folder();
    folder.put("my first dance.vmd", &folder.get("walk.vmd"));
    for verb in ["info", "check"] {
        assert_told(
            &folder,
            &[verb, "my", "first", "dance.vmd"],
            2,
            &["\"my first dance.vmd\"", "in quotes"],
        );
    }
    assert_told(&folder, &["convert", "my", "first", "dance.vmd", "-o", "x.glb"], 2, &["in quotes"]);
    assert_eq!(folder.run(&["info", "my first dance.vmd"]).code, Some(0));
    assert_told(&folder, &["info", "your", "dance.vmd"], 1, &["your: "]);
}

#[test]
fn a_folder_is_no_input() {
    let folder = folder();
    folder.put("in/walk.vmd", &folder.get("walk.vmd"));
    for command in
        [&["info", "in"][..], &["convert", "in/", "-o", "x.glb"], &["sample", "in", "--times", "0"]]
    {
        assert_told(&folder, command, 2, &[" is a folder; 'in/*' names the files in it"]);
    }
}

#[test]
fn a_motion_is_no_model() {
    let folder = folder();
    for command in [
        &["convert", "door.json", "-m", "walk.vmd", "-o", "x.glb"][..],
        &["info", "walk.vmd", "-m", "walk.vmd"],
        &["check", "walk.vmd", "-m", "hands.bin"],
    ] {
        assert_told(&folder, command, 2, &["expected a model for -m, found a motion", "-m standard"]);
    }
}

#[test]
fn a_range_outside_of_the_clip_is_refused() {
    let folder = folder();
    for range in ["100:200", "-3:-1"] {
        let range = format!("--range={range}");
        let command = ["convert", "door.json", &range, "-o", "x.glb"];
        assert_told(&folder, &command, 2, &["expected a range within the clip, which lasts from 0 to 1 s"]);
    }
    assert_eq!(folder.run(&["convert", "door.json", "--range=0.5:9", "-o", "x.glb"]).code, Some(0));
}

#[test]
fn what_makes_no_scene_is_described_as_far_as_it_can_be() {
    let folder = folder();
    let needs = r#"{"asset":{"version":"2.0","generator":"a tool"},"extensionsUsed":["EXT_foo"],"extensionsRequired":["EXT_foo"],"nodes":[{"name":"a"}]}"#;
    folder.put("needs.gltf", needs.as_bytes());
    for (name, words) in
        [("needs.gltf", ["a tool", "EXT_foo"]), ("door.m4b", ["m4b", "holds files, not motions"])]
    {
        let ran = folder.run(&["info", name]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        for word in words {
            assert!(
                ran.out.contains(word) && ran.out.contains("what it shows is unknown: "),
                "{word}: {}",
                ran.out
            );
        }
        let info = &folder.run(&["info", name, "--json"]).json("info.json")[0];
        assert!(info["unknown"].is_string() && info["clips"].as_array().unwrap().is_empty(), "{info}");
    }
    folder.put("door.json", DOOR.as_bytes());
    let info = &folder.run(&["info", "door.json", "--json"]).json("info.json")[0];
    assert!(info["unknown"].is_null(), "{info}");
}

#[test]
fn files_of_gltf_1_are_named_as_such() {
    let folder = folder();
    let old = r#"{"nodes":{"a":{"name":"a"}},"animations":{},"asset":{"version":"1.0"}}"#;
    folder.put("old.gltf", old.as_bytes());
    let words = ["\"1.0\" (glTF 1.0, ", "convert it to 2.0 first"];
    assert_told(&folder, &["info", "old.gltf"], 1, &words);
    folder.put("bare.gltf", br#"{"asset":{"version":"1.1"}}"#);
    assert_told(&folder, &["info", "bare.gltf"], 1, &["(glTF 1.0, "]);
    let mut binary = b"glTF\x01\0\0\0".to_vec();
    binary.extend([24, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, b'{', b'}', b' ', b' ']);
    folder.put("old.glb", &binary);
    assert_told(&folder, &["info", "old.glb"], 1, &["found 1 (glTF 1.0, "]);
}

#[test]
fn a_buffer_without_data_is_said_to_lack_both_homes_of_it() {
    let folder = folder();
    folder.put("bare.gltf", br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":8}]}"#);
    let words = ["/buffers/0", "data in a BIN chunk or at a uri, found neither"];
    assert_told(&folder, &["convert", "bare.gltf", "-o", "x.glb"], 1, &words);
}

#[test]
fn recordings_from_before_the_release_are_named_as_such() {
    let folder = folder();
    let mut old = folder.get("hands.bin");
    old[8..16].copy_from_slice(&[0, 0, 0, 0, 9, 0, 0, 0]);
    folder.put("old.bin", &old);
    assert_told(&folder, &["info", "old.bin"], 1, &["found 0.9 (of a preview of MRTK2"]);
}

#[test]
fn hands_are_no_human_figure() {
    let folder = folder();
    let ran = folder.run(&["info", "hands.bin"]);
    assert!(ran.out.contains("hands: 32 joints, by names of MRTK2; no human figure"), "{}", ran.out);
    assert!(!ran.out.contains("% sure"), "{}", ran.out);
    let kind = |name| folder.run(&["info", name, "--json"]).json("info.json")[0]["humanoid"]["kind"].clone();
    assert_eq!((kind("hands.bin"), kind("walk.vmd")), ("hands".into(), "figure".into()));
}

#[test]
fn an_archive_of_another_kind_is_named_with_the_way_out() {
    let folder = folder();
    for (name, start, kind) in [
        ("a.zip", &b"PK\x03\x04\x14\0"[..], "a ZIP archive"),
        ("walk.vmd.gz", b"\x1f\x8b\x08", "a gzip file"),
    ] {
        folder.put(name, start);
        for command in [&["info", name][..], &["convert", name, "-o", "x.glb"]] {
            assert_told(&folder, command, 1, &[kind, "unpack it first"]);
        }
    }
}

#[test]
fn a_map_that_maps_nothing_is_refused_by_every_verb() {
    let folder = folder();
    folder.put("names.txt", b"nobody = nothing\n");
    for command in [
        &["info", "walk.vmd"][..],
        &["info", "walk.vmd", "-m", "standard"],
        &["sample", "walk.vmd", "--times", "0", "--axes", "gltf"],
        &["convert", "walk.vmd", "-o", "x.glb"],
    ] {
        assert_told(
            &folder,
            &[command, &["--map", "names.txt"]].concat(),
            2,
            &["none of the names to be mapped"],
        );
    }
    let checked = folder.run(&["check", "walk.vmd", "-m", "standard", "--map", "names.txt"]);
    assert!(
        checked.code != Some(0) && checked.out.contains("none of the names to be mapped"),
        "{}",
        checked.out
    );
}
