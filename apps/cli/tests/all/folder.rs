//! `dopesheet convert` into a folder: nothing half-written, nothing done twice, and a manifest of what became of each file.

use crate::common::{Folder, Ran, motion};
use dopesheet_testkit::sha256;
use serde_json::Value;

const CONVERT: [&str; 6] = ["convert", "in/**/*.vmd", "-t", "glb", "-o", "out/"];

/// A folder with `in/a/1.vmd`, `in/b/1.vmd` and the damaged `in/b/2.vmd`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("in/a/1.vmd", &motion([64, 0, 64, 127]));
    folder.put("in/b/1.vmd", &motion([20, 20, 107, 107]));
    folder.put("in/b/2.vmd", &motion([20, 20, 107, 107])[..200]);
    folder
}

fn convert(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&[&CONVERT, more].concat())
}

/// The lines of a manifest, each valid against its schema.
fn manifest(folder: &Folder, name: &str) -> Vec<Value> {
    let out = String::from_utf8(folder.get(name)).unwrap();
    Ran { code: None, bytes: Vec::new(), out, err: String::new() }.json("convert-manifest.json")
}

fn below(folder: &Folder, root: &str) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with(root)).collect()
}

#[test]
fn the_manifest_says_what_became_of_each_file() {
    let folder = folder();
    let ran = convert(&folder, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("failed: in/b/2.vmd\n2 done, 1 failed, in "), "{}", ran.err);
    assert!(ran.err.ends_with("the results are in out/manifest.jsonl\n"), "{}", ran.err);
    assert_eq!(below(&folder, "out/"), ["out/a/1.glb", "out/b/1.glb", "out/manifest.jsonl"]);

    let lines = manifest(&folder, "out/manifest.jsonl");
    let outputs: Vec<_> = lines.iter().map(|line| line["output"].as_str().unwrap()).collect();
    assert_eq!(outputs, ["a/1.glb", "b/1.glb", "b/2.glb"]);
    for line in &lines {
        let input = folder.get(line["input"].as_str().unwrap());
        assert_eq!(
            (&line["input_bytes"], &line["input_sha256"]),
            (&input.len().into(), &sha256(&input).into())
        );
    }
    let output = folder.get("out/a/1.glb");
    let file = serde_json::json!({"file": "a/1.glb", "bytes": output.len(), "sha256": sha256(&output)});
    assert_eq!(lines[0]["files"], serde_json::json!([file]));
    let worst = lines[0]["worst"].as_array().unwrap().iter().find(|worst| worst["unit"] == "m").unwrap();
    assert!((1e-9..=1e-4).contains(&worst["value"].as_f64().unwrap()), "{worst}");
    assert_eq!((&lines[1]["approximated"], &lines[1]["worst"]), (&0.into(), &serde_json::json!([])));
    assert_eq!((&lines[2]["status"], &lines[2]["code"]), (&"failed".into(), &"mmd-count".into()));
    let message = lines[2]["message"].as_str().unwrap();
    assert!(message.starts_with("vmd: byte 0x32 (bone keys count): expected at most"), "{message}");
}

#[test]
fn one_file_alone_leaves_no_manifest_unless_asked() {
    let folder = folder();
    assert_eq!(folder.run(&["convert", "in/a/1.vmd", "-t", "glb", "-o", "out/"]).code, Some(0));
    assert_eq!(below(&folder, "out/"), ["out/1.glb"]);
    let asked = ["convert", "in/a/1.vmd", "-t", "glb", "-o", "two/", "--manifest", "lists/one.jsonl"];
    assert_eq!(folder.run(&asked).code, Some(0));
    assert_eq!(manifest(&folder, "lists/one.jsonl").len(), 1);
    assert_eq!(below(&folder, "two/"), ["two/1.glb"]);
    let file = folder.run(&["convert", "in/a/1.vmd", "-o", "1.glb", "--resume"]);
    assert_eq!(file.code, Some(2), "{}", file.err);
}

#[test]
fn what_is_done_stays_done_and_what_failed_is_tried_again() {
    let folder = folder();
    convert(&folder, &[]);
    let written = folder.path("out/a/1.glb").metadata().unwrap().modified().unwrap();
    let first = folder.get("out/manifest.jsonl");

    let again = convert(&folder, &["--resume"]);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("2 done (2 by an earlier run), 1 failed"), "{}", again.err);
    assert_eq!(folder.get("out/manifest.jsonl"), first);

    folder.put("in/b/2.vmd", &motion([10, 20, 107, 107]));
    let mended = convert(&folder, &["--resume"]);
    assert_eq!(mended.code, Some(0), "{}", mended.err);
    assert!(mended.err.contains("3 done (2 by an earlier run), 0 failed"), "{}", mended.err);
    assert_eq!(manifest(&folder, "out/manifest.jsonl")[2]["status"], "done");
    assert_eq!(folder.path("out/a/1.glb").metadata().unwrap().modified().unwrap(), written);
}

#[test]
fn what_was_made_otherwise_or_of_something_else_is_not_taken_for_done() {
    let folder = folder();
    convert(&folder, &[]);
    let other = convert(&folder, &["--resume", "--bake", "30"]);
    assert_eq!(other.code, Some(1));
    assert_eq!(other.err.matches("exists already (--force overwrites it)").count(), 2, "{}", other.err);
    assert_eq!(
        manifest(&folder, "out/manifest.jsonl")[0]["status"],
        "done",
        "the file there is still what it was"
    );

    folder.put("in/a/1.vmd", &motion([30, 20, 107, 107]));
    let before = folder.get("out/b/1.glb");
    let changed = convert(&folder, &["--resume", "--force"]);
    assert!(changed.err.contains("2 done (1 by an earlier run), 1 failed"), "{}", changed.err);
    assert_eq!(folder.get("out/b/1.glb"), before);
    let line = &manifest(&folder, "out/manifest.jsonl")[0];
    assert_eq!(line["input_sha256"], sha256(&folder.get("in/a/1.vmd")).as_str());
    assert_eq!(line["files"][0]["sha256"], sha256(&folder.get("out/a/1.glb")).as_str());

    std::fs::remove_file(folder.path("out/a/1.glb")).unwrap();
    convert(&folder, &["--resume"]);
    assert!(folder.path("out/a/1.glb").is_file(), "what was taken away is made again");
}

#[test]
fn other_files_of_the_folder_stay_in_its_manifest() {
    let folder = folder();
    let one = |pattern: &str| {
        folder.run(&["convert", pattern, "-t", "glb", "-o", "out/", "--manifest", "out/manifest.jsonl"])
    };
    assert_eq!(one("in/a/*.vmd").code, Some(0));
    folder.put("in/c/3.vmd", &motion([40, 20, 107, 107]));
    assert_eq!(one("in/c/*.vmd").code, Some(0));
    let outputs: Vec<Value> =
        manifest(&folder, "out/manifest.jsonl").iter().map(|line| line["output"].clone()).collect();
    assert_eq!(outputs, ["1.glb", "3.glb"]);
}

/// A folder whose run was cut off after `a/1.glb`: the journal has been written by hand.
fn cut_off(lines: impl Fn(&Value) -> Vec<String>) -> Folder {
    let folder = folder();
    convert(&folder, &[]);
    let done = manifest(&folder, "out/manifest.jsonl")[0].clone();
    std::fs::remove_file(folder.path("out/manifest.jsonl")).unwrap();
    std::fs::remove_file(folder.path("out/b/1.glb")).unwrap();
    folder.put("out/manifest.jsonl.journal", lines(&done).concat().as_bytes());
    folder
}

fn begun(line: &Value) -> String {
    let mut line = line.clone();
    line["status"] = "begun".into();
    format!("{line}\n")
}

#[test]
fn a_run_that_was_cut_off_is_not_started_again_by_accident() {
    let folder = cut_off(|done| vec![begun(done)]);
    let before = folder.names();
    let ran = convert(&folder, &[]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: out/manifest.jsonl.journal: an earlier run was interrupted; --resume resumes it, --force starts over\n"
    );
    assert_eq!(folder.names(), before);
    let anew = convert(&folder, &["--force"]);
    assert!(anew.err.contains("2 done, 1 failed"), "{}", anew.err);
    assert_eq!(below(&folder, "out/").len(), 3);
}

#[test]
fn an_output_that_got_its_name_before_the_end_is_kept_and_a_half_line_is_nothing() {
    let folder = cut_off(|done| vec![begun(done), r#"{"settl"#.into()]);
    folder.put("out/b/.dopesheet-x1y2z3.part", b"glTF");
    let ran = convert(&folder, &["--resume"]);
    assert!(ran.err.contains("2 done (1 by an earlier run), 1 failed"), "{}", ran.err);
    assert_eq!(below(&folder, "out/"), ["out/a/1.glb", "out/b/1.glb", "out/manifest.jsonl"]);
    let fresh = self::folder();
    convert(&fresh, &[]);
    assert_eq!(folder.get("out/manifest.jsonl"), fresh.get("out/manifest.jsonl"));
}

#[test]
fn a_file_of_somebody_else_under_a_name_that_was_announced_is_not_overwritten() {
    let folder = cut_off(|done| vec![begun(done)]);
    folder.put("out/a/1.glb", b"mine");
    let ran = convert(&folder, &["--resume"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("out/a/1.glb: exists already"), "{}", ran.err);
    assert_eq!(folder.get("out/a/1.glb"), b"mine");
    assert_eq!(manifest(&folder, "out/manifest.jsonl")[0]["code"], "exists");
}

#[test]
fn two_runs_at_once_do_not_mix() {
    let folder = cut_off(|done| vec![begun(done)]);
    let journal =
        std::fs::File::options().append(true).open(folder.path("out/manifest.jsonl.journal")).unwrap();
    journal.try_lock().unwrap();
    let ran = convert(&folder, &["--resume"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("manifest.jsonl.journal: belongs to a run that is still in progress"),
        "{}",
        ran.err
    );
}

#[test]
fn what_a_run_made_is_no_input_of_its_continuation() {
    let folder = folder();
    std::fs::remove_file(folder.path("in/b/2.vmd")).unwrap();
    let run = |more: &[&str]| {
        let arguments = ["convert", "in/**", "-t", "vmd", "-o", "in/out/"];
        folder.run(&[&arguments[..], more].concat())
    };
    assert_eq!(run(&[]).code, Some(0));
    let made = below(&folder, "in/out/");
    assert_eq!(made, ["in/out/a/1.vmd", "in/out/b/1.vmd", "in/out/manifest.jsonl"]);
    let again = run(&["--resume"]);
    assert!(again.err.contains("2 done (2 by an earlier run), 0 failed"), "{}", again.err);
    assert_eq!(below(&folder, "in/out/"), made);
}

#[test]
fn a_file_that_has_vanished_or_an_archive_that_is_damaged_holds_nothing_back() {
    let folder = folder();
    folder.put("in/c/pack.m4b", b"ubi/b0-l\0\0\0\0");
    let inputs = ["in/a/1.vmd", "in/a/gone.vmd", "in/c/pack.m4b", "in/b/1.vmd"];
    let arguments: Vec<&str> = ["convert"]
        .into_iter()
        .chain(inputs[1..].iter().copied())
        .chain(["-t", "glb", "-o", "out/"])
        .collect();
    let ran = folder.run(&arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let lines = manifest(&folder, "out/manifest.jsonl");
    let states: Vec<_> = lines.iter().map(|line| (&line["output"], &line["status"])).collect();
    let [done, failed] = ["done", "failed"].map(Value::from);
    let [one, gone, pack] = ["1.glb", "gone.glb", "pack.glb"].map(Value::from);
    assert_eq!(states, [(&one, &done), (&gone, &failed), (&pack, &failed)]);
    assert_eq!((&lines[1]["code"], &lines[1]["input_sha256"]), (&"io".into(), &Value::Null));
}

#[test]
fn half_of_a_pair_is_completed() {
    let folder = Folder::new();
    folder.put("in/1.vmd", &motion([64, 0, 64, 127]));
    folder.put("in/2.vmd", &motion([20, 20, 107, 107]));
    let run = |more: &[&str]| folder.run(&[&["convert", "in/*", "-t", "gltf", "-o", "out/"], more].concat());
    assert_eq!(run(&[]).code, Some(0));
    let whole = below(&folder, "out/").into_iter().map(|name| (folder.get(&name), name)).collect::<Vec<_>>();
    let lines = manifest(&folder, "out/manifest.jsonl");
    let files: Vec<_> =
        lines[0]["files"].as_array().unwrap().iter().map(|file| file["file"].clone()).collect();
    assert_eq!(files, ["1.gltf", "1.bin"]);

    // Killed between the two renames; the resource comes first.
    std::fs::remove_file(folder.path("out/1.gltf")).unwrap();
    std::fs::remove_file(folder.path("out/manifest.jsonl")).unwrap();
    let done = format!("{}\n", lines[1]);
    folder.put("out/manifest.jsonl.journal", (begun(&lines[0]) + &done).as_bytes());
    let resumed = run(&["--resume"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    assert!(resumed.err.contains("2 done (1 by an earlier run), 0 failed"), "{}", resumed.err);
    for (bytes, name) in &whole {
        assert!(folder.get(name) == *bytes, "{name}");
    }

    // The same, but the resource is somebody else's.
    std::fs::remove_file(folder.path("out/1.gltf")).unwrap();
    std::fs::remove_file(folder.path("out/manifest.jsonl")).unwrap();
    folder.put("out/1.bin", b"mine");
    folder.put("out/manifest.jsonl.journal", (begun(&lines[0]) + &done).as_bytes());
    let refused = run(&["--resume"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("out/1.bin: exists already (--force overwrites it)"), "{}", refused.err);
    assert_eq!(folder.get("out/1.bin"), b"mine");
    assert!(!folder.path("out/1.gltf").exists());
}

#[test]
fn a_run_that_ends_at_its_first_failure_can_be_gone_on_with() {
    let folder = folder();
    folder.put("in/a/0.vmd", b"Vocaloid Motion Data 0002");
    let ran = convert(&folder, &["--fail-fast", "-j", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.ends_with("the rest was not tried; --resume continues\n"), "{}", ran.err);
    assert!(folder.path("out/manifest.jsonl.journal").exists());
    let resumed = convert(&folder, &["--resume"]);
    assert!(resumed.err.contains("2 done") && resumed.err.contains("2 failed"), "{}", resumed.err);
    assert_eq!(manifest(&folder, "out/manifest.jsonl").len(), 4);
}

/// Contents of files that are no lists, and of lists that name files outside their folder, each with a name that says which.
fn garbage() -> Vec<(&'static str, Vec<u8>)> {
    let earlier = folder();
    convert(&earlier, &[]);
    let mut outside = manifest(&earlier, "out/manifest.jsonl")[0].clone();
    outside["output"] = "z.glb".into();
    outside["status"] = "begun".into();
    // Whoever reads it waits for somebody who writes.
    outside["files"] = serde_json::json!([{"file": "../pipe", "bytes": 0, "sha256": sha256(b"")}]);
    vec![
        ("no line", b"\0\xff\xfe\x80".to_vec()),
        ("nested without end", [vec![b'['; 200_000], b"\n".to_vec()].concat()),
        ("other lines", b"null\n\n1e999\n{\"settled\":[]}\n{\"output\":1}\n\xff\n".to_vec()),
        (
            "other members",
            b"{\"schema_version\":1,\"output\":\"a/1.glb\",\"files\":7,\"status\":[]}\n".to_vec(),
        ),
        ("a file outside", format!("{outside}\n").into_bytes()),
    ]
}

#[cfg(unix)]
fn make_pipe(folder: &Folder, name: &str) {
    std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn garbage_in_a_journal_or_manifest_is_gone_over_and_leads_nowhere() {
    let whole = folder();
    convert(&whole, &[]);
    for list in ["out/manifest.jsonl.journal", "out/manifest.jsonl"] {
        for (what, bytes) in garbage() {
            let folder = folder();
            make_pipe(&folder, "pipe");
            folder.put(list, &bytes);
            let ran = convert(&folder, &["--resume"]);
            assert!(ran.err.contains("2 done, 1 failed"), "{list}: {what}: {}", ran.err);
            for name in ["out/a/1.glb", "out/manifest.jsonl"] {
                assert_eq!(folder.get(name), whole.get(name), "{list}: {what}: {name}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_list_is_refused_rather_than_waited_for() {
    for list in ["out/manifest.jsonl.journal", "out/manifest.jsonl"] {
        for more in [&["--resume"][..], &["--force"], &[]] {
            let folder = folder();
            make_pipe(&folder, list);
            let ran = convert(&folder, more);
            assert_eq!(ran.code, Some(1), "{}", ran.err);
            let said = format!("error: {list}: expected a regular file, found something else\n");
            assert_eq!(ran.err, said);
        }
    }
    let folder = folder();
    make_pipe(&folder, "out/a/.dopesheet-x1y2z3.part");
    let ran = convert(&folder, &["--resume"]);
    assert!(ran.err.contains("2 done, 1 failed"), "{}", ran.err);
}

#[test]
fn a_line_without_end_in_a_journal_is_refused_before_it_is_held() {
    let folder = folder();
    folder.put("out/manifest.jsonl.journal", b"");
    let journal =
        std::fs::File::options().write(true).open(folder.path("out/manifest.jsonl.journal")).unwrap();
    // A hole: it has the length and takes no room.
    journal.set_len(5 << 30).unwrap();
    let ran = convert(&folder, &["--resume"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("expected lines of at most 67108864 bytes, found a longer one"), "{}", ran.err);
}

/// A door with so many blanks behind it that reading them takes a while.
#[cfg(target_os = "linux")]
fn long_door(angle: &str) -> Vec<u8> {
    let mut door = crate::common::DOOR.replace("[0,90,0]", angle).into_bytes();
    door.resize(40_000_000, b' ');
    door
}

/// Number of bytes that a process has read so far.
#[cfg(target_os = "linux")]
fn read_by(process: u32) -> Option<usize> {
    let about = std::fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    about.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_changes_while_it_is_read_is_not_recorded_as_what_was_made_of_it() {
    let length = long_door("[0,90,0]").len();
    let replace = |folder: &Folder| {
        std::fs::rename(folder.path("other.json"), folder.path("in/1.json")).unwrap();
    };
    let cut = |folder: &Folder| {
        std::fs::File::options().write(true).open(folder.path("in/1.json")).unwrap().set_len(100).unwrap();
    };
    for change in [&replace as &dyn Fn(&Folder), &cut] {
        let folder = Folder::new();
        folder.put("in/1.json", &long_door("[0,90,0]"));
        folder.put("in/2.json", crate::common::DOOR.as_bytes());
        folder.put("other.json", &long_door("[0,45,0]"));
        let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_dopesheet"));
        run.current_dir(folder.path("")).args([
            "convert",
            "in/*.json",
            "-t",
            "glb",
            "-o",
            "out/",
            "-j",
            "1",
            "-q",
        ]);
        let mut run = run.stderr(std::process::Stdio::null()).spawn().unwrap();
        // The file has been read for its digest, and is read once more for what is made of it.
        while read_by(run.id()).is_some_and(|bytes| bytes < length) && run.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        change(&folder);
        assert_eq!(run.wait().unwrap().code(), Some(1));
        let lines = manifest(&folder, "out/manifest.jsonl");
        assert_eq!(
            lines.iter().map(|line| line["status"].as_str().unwrap()).collect::<Vec<_>>(),
            ["failed", "done"]
        );
        assert_eq!(below(&folder, "out/"), ["out/2.glb", "out/manifest.jsonl"]);
    }
}
