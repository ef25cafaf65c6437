//! Files that a run replaces: never what it read or wrote, and with the permissions that they had.

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

#[cfg(unix)]
mod modes {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(folder: &Folder, name: &str) -> u32 {
        folder.path(name).metadata().unwrap().permissions().mode() & 0o777
    }

    /// Runs the command with a mask of permissions.
    fn run_masked(folder: &Folder, mask: &str, arguments: &str) {
        let script =
            format!("umask {mask}; exec {:?} {arguments}", assert_cmd::cargo::cargo_bin("dopesheet"));
        let ran =
            std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    #[test]
    fn new_files_have_the_permissions_that_the_umask_gives() {
        let folder = Folder::new();
        for (mask, expected) in [("077", 0o600), ("002", 0o664), ("022", 0o644)] {
            run_masked(&folder, mask, &format!("convert bow.vmd -o {mask}.gltf --report {mask}.json"));
            run_masked(&folder, mask, &format!("convert bow.vmd line.vmd -t glb -o {mask}"));
            run_masked(&folder, mask, &format!("sample bow.vmd --fps 30 -o {mask}.csv"));
            run_masked(&folder, mask, &format!("plot bow.vmd -o {mask}.svg"));
            run_masked(&folder, mask, &format!("convert bow.vmd door.json -o {mask}.m4b"));
            run_masked(&folder, mask, &format!("extract {mask}.m4b -o {mask}-taken"));
            let written: Vec<_> = folder.names().into_iter().filter(|name| name.starts_with(mask)).collect();
            assert!(written.len() >= 11, "{written:?}");
            for name in written {
                assert_eq!(mode(&folder, &name), expected, "{name} with umask {mask}");
            }
        }
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        for kept in [0o600, 0o400, 0o640, 0o755] {
            let folder = with_a_pair();
            let names = ["bow.vmd", "y.gltf", "y.bin", "report.json"];
            folder.put("report.json", b"");
            for name in names {
                std::fs::set_permissions(folder.path(name), PermissionsExt::from_mode(kept)).unwrap();
            }
            let before = names.map(|name| folder.get(name));
            run_masked(&folder, "022", "edit bow.vmd -o bow.vmd -e reverse --force");
            run_masked(&folder, "022", "convert line.vmd -o y.gltf --force --report report.json");
            for (name, before) in names.iter().zip(before) {
                assert_eq!(format!("{:o}", mode(&folder, name)), format!("{kept:o}"), "{name}");
                assert!(folder.get(name) != before, "{name} is as it was");
            }
        }
    }

    #[test]
    fn files_are_written_where_a_change_of_permissions_is_refused() {
        let refused = ["-f", "-qq", "-o", "/dev/null", "-e", "inject=chmod,fchmod,fchmodat:error=EPERM"];
        let strace = || {
            let mut command = std::process::Command::new("strace");
            command.args(refused);
            command
        };
        if !strace().arg("true").status().is_ok_and(|status| status.success()) {
            dopesheet_testkit::note_skip("strace, which lets calls of the system fail, does not work");
            return;
        }
        let folder = with_a_pair();
        // More than the umask gives, so that keeping it needs a change.
        std::fs::set_permissions(folder.path("y.gltf"), PermissionsExt::from_mode(0o666)).unwrap();
        for arguments in ["convert line.vmd -o y.gltf --force", "convert bow.vmd line.vmd -t glb -o o"] {
            let mut command = strace();
            command.arg(assert_cmd::cargo::cargo_bin("dopesheet")).args(arguments.split(' '));
            let ran = command.current_dir(folder.path("")).output().unwrap();
            assert!(ran.status.success(), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
        }
        assert_eq!(folder.run(&["check", "y.gltf", "o/bow.glb"]).code, Some(0));
    }
}
