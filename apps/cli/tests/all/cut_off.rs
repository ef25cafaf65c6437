//! Runs into a folder that are ended by force: killed at random moments, or on a disk that is full or read-only. What is gone on
//! with comes to the same bytes as a run that nobody disturbed.
//!
//! `cargo xtask interop kills` does it with ten thousand files and twenty kills.
#![cfg(unix)]

use crate::common::{Folder, motion};
use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A number that may be set from outside.
fn wanted(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Motions in folders of a hundred, and one that is damaged.
fn inputs(folder: &Folder, count: usize) {
    for index in 0..count {
        let [low, high] = [index % 64, index / 64 % 64].map(|n| u8::try_from(n).unwrap());
        let bytes = motion([low, high, 64 + low, 64 + high]);
        let end = if index == count / 2 { 200 } else { bytes.len() };
        folder.put(&format!("in/{:03}/{:02}.vmd", index / 100, index % 100), &bytes[..end]);
    }
}

/// The work that is cut off.
type Verb = &'static [&'static str];
const CONVERT: Verb = &["convert", "-t", "glb"];

fn spawn(folder: &Folder, verb: Verb, output: &str, more: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("dopesheet"));
    command.args(verb).args(["--quiet", "in/**/*.vmd", "-o", output]).args(more);
    command.current_dir(folder.path("")).stderr(Stdio::null()).spawn().unwrap()
}

/// The files below a folder, by name.
fn tree(folder: &Folder, root: &str) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names().into_iter().filter(|name| name.starts_with(root));
    names.map(|name| (name[root.len()..].to_owned(), folder.get(&name))).collect()
}

/// Number of outputs that have their names by a journal. None of them may be begun again.
fn settled(journal: &str) -> usize {
    let mut settled = std::collections::BTreeSet::new();
    for line in journal.lines() {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if let Some(output) = line["settled"].as_str() {
            settled.insert(output.to_owned());
        } else {
            let output = line["output"].as_str().unwrap();
            assert!(!settled.contains(output), "{output} is done twice");
        }
    }
    settled.len()
}

/// A number below `end`, another one each time.
fn random(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % end.max(1)
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_bytes() {
    let files = wanted("DOPESHEET_FILES", 120);
    let (whole, told) = killed(CONVERT, files, files);
    println!("{told}");
    assert_eq!(whole, files, "all but the damaged one, and the manifest");
}

/// Eight inputs to a chunk.
#[cfg(feature = "table")]
#[test]
fn a_dataset_whose_making_is_killed_again_and_again_comes_to_the_same_bytes() {
    let chunks = wanted("DOPESHEET_FILES", 120);
    let (whole, told) = killed(&["table", "--chunk-files", "8"], 8 * chunks, chunks);
    println!("{told}");
    assert_eq!(whole, chunks + 1, "a manifest besides");
}

/// Kills a run over so many files, which become so many outputs, at random moments, and goes on each time. How many files there
/// are in the end, and a line on each kill; `cargo xtask interop kills` counts those.
fn killed(verb: Verb, inputs: usize, files: usize) -> (usize, String) {
    let kills = wanted("DOPESHEET_KILLS", 8);
    let folder = Folder::new();
    self::inputs(&folder, inputs);
    assert_eq!(spawn(&folder, verb, "whole/", &[]).wait().unwrap().code(), Some(1), "one input is damaged");

    let (mut seed, mut killed_within) = (wanted("DOPESHEET_SEED", 7) as u64, 0);
    let mut told = Vec::new();
    let journal = || std::fs::read_to_string(folder.path("out/manifest.jsonl.journal")).unwrap_or_default();
    for kill in 0..kills {
        let mut child = spawn(&folder, verb, "out/", &["--resume"]);
        // Each run gets its share of the files, and a random moment in it.
        let lines = 2 * (files * kill / kills + random(&mut seed, files / kills));
        while journal().lines().count() < lines && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(random(&mut seed, 3000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let done = settled(&journal());
        killed_within += usize::from(done > 0 && done < files - 1);
        told.push(format!("kill {kill}: {done} of {files} done"));
    }
    assert!(killed_within > kills / 3, "only {killed_within} of {kills} kills met a run at work");

    assert_eq!(spawn(&folder, verb, "out/", &["--resume"]).wait().unwrap().code(), Some(1));
    let (whole, resumed) = (tree(&folder, "whole/"), tree(&folder, "out/"));
    assert_eq!(whole.keys().collect::<Vec<_>>(), resumed.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(*bytes == resumed[name], "{name} differs");
    }
    (whole.len(), told.join("\n"))
}

/// Runs a script with a file system of its own at `disk`; `None`, loudly, where one may not make any.
fn on_small_disk(folder: &Folder, kilobytes: usize, script: &str) -> Option<(Option<i32>, String)> {
    std::fs::create_dir_all(folder.path("disk")).unwrap();
    let own = ["--user", "--map-root-user", "--mount"];
    let mount = format!("mount -t tmpfs -o size={kilobytes}k tmpfs disk");
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(own)
            .args(["sh", "-c", script])
            .current_dir(folder.path(""))
            .env("DOPESHEET", assert_cmd::cargo::cargo_bin!("dopesheet"));
        command.output()
    };
    if !shell(&mount).is_ok_and(|output| output.status.success()) {
        dopesheet_testkit::note_skip("no file system of one's own may be mounted here");
        return None;
    }
    let output = shell(&format!("{mount} && {script}")).unwrap();
    Some((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[test]
fn a_full_disk_ends_the_run_with_nothing_half_written_and_more_room_goes_on_with_it() {
    if let Some(outputs) = filled(CONVERT, 100, ".glb") {
        assert!((2..58).contains(&outputs), "{outputs} files on the small disk");
    }
}

/// Four inputs to a chunk.
#[cfg(feature = "table")]
#[test]
fn a_full_disk_ends_the_making_of_a_dataset_and_more_room_goes_on_with_it() {
    if let Some(chunks) = filled(&["table", "--chunk-files", "4"], 60, ".parquet") {
        assert!((2..14).contains(&chunks), "{chunks} files on the small disk");
    }
}

/// Sixty inputs onto a disk that is too small for what becomes of them, and then more room. How many outputs with such an ending
/// the small disk had; `None` where there is none.
fn filled(verb: Verb, kilobytes: usize, ending: &str) -> Option<usize> {
    let folder = Folder::new();
    inputs(&folder, 60);
    spawn(&folder, verb, "whole/", &[]).wait().unwrap();
    let run = format!("\"$DOPESHEET\" {} 'in/**/*.vmd' -o disk/ --quiet", verb.join(" "));
    let script = format!(
        "{run}; code=$?; find disk -name '*.part' >&2; cp -r disk part; mount -o remount,size=16m disk; \
         {run} --resume; cp -r disk all; exit $code"
    );
    let (code, said) = on_small_disk(&folder, kilobytes, &script)?;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("No space left on device (os error 28); no file is incomplete, and --resume continues"),
        "{said}"
    );
    assert!(!said.contains(".part"), "{said}");
    let (part, whole) = (tree(&folder, "part/"), tree(&folder, "whole/"));
    let outputs: Vec<_> = part.iter().filter(|(name, _)| name.ends_with(ending)).collect();
    assert!(outputs.iter().all(|(name, bytes)| whole[*name] == **bytes));
    assert!(tree(&folder, "all/") == whole);
    Some(outputs.len())
}

#[test]
fn a_read_only_folder_is_said_before_anything_is_done() {
    let folder = Folder::new();
    inputs(&folder, 10);
    let script = "mount -o remount,ro disk && \"$DOPESHEET\" convert 'in/**/*.vmd' -t glb -o disk/";
    let Some((code, said)) = on_small_disk(&folder, 100, script) else { return };
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said, "error: disk/manifest.jsonl.journal: Read-only file system (os error 30)\n");
}
