//! Files that a run replaces: never what it read or wrote.

use crate::common::Folder;
use serde_json::json;

/// A folder with `y.gltf`, `y.bin` and a report of an earlier run.
fn with_a_pair() -> Folder {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "bow.vmd", "-o", "y.gltf"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    folder.put("names.txt", "センター = center\n".as_bytes());
    folder.put("curve.txt", b"0 0\n1 2\n");
    folder.put("recipe.txt", b"reverse\n");
    folder
}

/// Arguments of a run, its exit code, and a part of its message.
type Refused<'a> = (&'a [&'a str], i32, &'a str);

#[test]
fn a_report_replaces_no_buffer_names_or_curve_that_the_run_reads_or_writes() {
    let folder = with_a_pair();
    let edit = ["edit", "bow.vmd", "-o", "z.vmd"];
    let concat = |more: &[&'static str]| [&edit, more].concat();
    let [names, curve, other, recipe] = [
        concat(&["-e", "rename names.txt", "--report", "names.txt"]),
        concat(&["-e", "retime --curve curve.txt", "--report", "curve.txt"]),
        concat(&["-e", "concat line.vmd", "--report", "line.vmd"]),
        concat(&["--recipe", "recipe.txt", "--report", "recipe.txt"]),
    ];
    let cases: [Refused<'_>; 7] = [
        (&["convert", "y.gltf", "-o", "z.glb", "--report", "y.bin"], 1, "y.bin: is an input, and --report"),
        (
            &["convert", "bow.vmd", "-o", "y.gltf", "--report", "./y.bin"],
            1,
            "an output, and --report names it too (./y.bin)",
        ),
        (&names, 2, "names.txt: is an input, and --report names it too (names.txt)"),
        (&curve, 2, "curve.txt: is an input"),
        (&other, 2, "line.vmd: is an input"),
        (&recipe, 2, "recipe.txt: is an input"),
        (&["convert", "y.gltf", "-t", "glb", "-o", "z", "--report", "y.bin"], 1, "y.bin: is an input"),
    ];
    let contents = || {
        ["y.gltf", "y.bin", "names.txt", "curve.txt", "line.vmd", "recipe.txt"].map(|name| folder.get(name))
    };
    let before = contents();
    for (arguments, code, why) in cases {
        let ran = folder.run(&[arguments, &["--force"]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains(why) && ran.err.matches("error: ").count() == 1,
            "{arguments:?}: {}",
            ran.err
        );
        assert!(contents() == before, "{arguments:?}");
        assert!(!folder.path("z.glb").exists() && !folder.path("z.vmd").exists(), "{arguments:?}");
    }
    assert!(folder.path("z/y.glb").exists(), "in a folder only the report is refused");
}

#[cfg(unix)]
#[test]
fn a_report_or_journal_replaces_no_input_by_another_of_its_names() {
    let folder = with_a_pair();
    for (name, alias) in
        [("bow.vmd", "alias.json"), ("y.bin", "buffer.json"), ("line.vmd", "m.jsonl.journal")]
    {
        std::fs::hard_link(folder.path(name), folder.path(alias)).unwrap();
    }
    let cases: [Refused<'_>; 4] = [
        (
            &["convert", "bow.vmd", "-o", "z.glb", "--report", "alias.json"],
            2,
            "--report names alias.json, which is an input (bow.vmd) too",
        ),
        (&["convert", "y.gltf", "-o", "z.glb", "--report", "buffer.json"], 1, "names it too (buffer.json)"),
        (
            &["convert", "bow.vmd", "line.vmd", "-t", "glb", "-o", "z", "--manifest", "m.jsonl"],
            2,
            "which is an input (line.vmd) too",
        ),
        (
            &["convert", "bow.vmd", "-t", "glb", "-o", "z", "--manifest", "m.jsonl"],
            1,
            "expected the journal of an earlier run, found another file",
        ),
    ];
    for (arguments, code, why) in cases {
        for more in [&["--force"][..], &["--force", "--resume"]] {
            let more = if arguments.contains(&"--manifest") { more } else { &more[..1] };
            let ran = folder.run(&[arguments, more].concat());
            assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
            assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
            assert!(
                folder.get("alias.json") == folder.get("bow.vmd")
                    && folder.get("line.vmd") == folder.get("m.jsonl.journal")
            );
            assert!(folder.get("y.bin") == folder.get("buffer.json") && !folder.get("line.vmd").is_empty());
            assert!(!folder.path("z.glb").exists() && !folder.path("z/bow.glb").exists(), "{arguments:?}");
        }
    }
}

#[test]
fn a_manifest_replaces_no_buffer_of_an_output() {
    let folder = Folder::new();
    let ran =
        folder.run(&["convert", "bow.vmd", "line.vmd", "-t", "gltf", "-o", "o", "--manifest", "o/bow.bin"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("o/bow.bin: is an output, and --manifest names it too (o/bow.bin)"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("1 done, 1 failed") && !folder.path("o/bow.gltf").exists(), "{}", ran.err);
    let manifest = String::from_utf8(folder.get("o/bow.bin")).unwrap();
    assert!(manifest.lines().count() == 2 && manifest.contains("\"status\":\"failed\""), "{manifest}");
}

#[test]
fn a_buffer_that_a_file_calls_manifest_jsonl_is_not_replaced_by_the_manifest() {
    for (buffer, force) in [("manifest.jsonl", &[][..]), ("manifest.jsonl.journal", &["--force"])] {
        let folder = with_a_pair();
        let mut gltf: serde_json::Value = serde_json::from_slice(&folder.get("y.gltf")).unwrap();
        gltf["buffers"][0]["uri"] = json!(buffer);
        folder.put("in/a.gltf", gltf.to_string().as_bytes());
        folder.put(&format!("in/{buffer}"), &folder.get("y.bin"));
        let ran =
            folder.run(&[&["convert", "in/a.gltf", "bow.vmd", "-t", "gltf", "-o", "o"], force].concat());
        assert_eq!(ran.code, Some(1), "{buffer}: {}", ran.err);
        let why =
            format!("o/{buffer}: is an output, and the default of --manifest names it too (o/{buffer})");
        assert!(ran.err.contains(&why), "{buffer}: {}", ran.err);
        assert!(ran.err.contains("1 done, 1 failed") && !folder.path("o/a.gltf").exists(), "{}", ran.err);
        assert_eq!(folder.run(&["check", "o/bow.gltf"]).code, Some(0));
        let alone = folder.run(&["convert", "in/a.gltf", "-t", "gltf", "-o", "alone/"]);
        assert_eq!(alone.code, Some(0), "a single file has no manifest: {}", alone.err);
        let in_place = ["convert", "in/*.gltf", "bow.vmd", "-t", "gltf", "-o", "in", "--force"];
        let ran = folder.run(&in_place);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(folder.get(&format!("in/{buffer}")) == folder.get("y.bin"), "{buffer}: {}", ran.err);
    }
}

#[test]
fn a_motion_is_edited_in_place_with_force() {
    let folder = with_a_pair();
    for name in ["bow.vmd", "y.gltf"] {
        let ran =
            folder.run(&["edit", name, "-o", name, "-e", "reverse", "--force", "--report", "report.json"]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        assert_eq!(folder.run(&["check", name]).code, Some(0), "{name}");
    }
}
