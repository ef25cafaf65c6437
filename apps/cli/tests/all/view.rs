//! `dopesheet view` keeps its contract.

use crate::common::Folder;
#[cfg(unix)]
use crate::common::Ran;
use std::path::Path;
use std::process::Command;

/// A folder where the command can stand alone, so that no viewer that was built beside it is found.
///
/// Nothing that a test starts is written by this process: what it holds open for writing is, for a moment, also open in whatever
/// another test starts just then, and Unix starts no file that somebody may still write. So the command is a second name of itself,
/// for which the folder has to be on the same disk, and the viewer is a script that stands in this package.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::hard_link(assert_cmd::cargo::cargo_bin!("dopesheet"), program(folder.path())).unwrap();
    folder
}

fn program(folder: &Path) -> std::path::PathBuf {
    folder.join(format!("dopesheet{}", std::env::consts::EXE_SUFFIX))
}

/// The command alone in that folder.
fn alone(folder: &Path) -> Command {
    let mut command = Command::new(program(folder));
    command.env("PATH", folder).current_dir(folder);
    command
}

#[test]
fn without_a_viewer_it_says_how_to_build_one() {
    let folder = folder();
    let ran = alone(folder.path()).args(["view", "bow.vmd"]).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), ran.stdout.is_empty()), (Some(1), true), "{said}");
    assert!(said.contains("dopesheet-viewer") && said.contains("cargo install --path apps/viewer"), "{said}");
}

#[test]
fn it_needs_a_file() {
    assert_eq!(Folder::new().run(&["view"]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn the_viewer_gets_the_files_and_its_failure_is_that_of_the_command() {
    let folder = folder();
    let viewer = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/common/viewer.sh");
    std::os::unix::fs::symlink(viewer, folder.path().join("dopesheet-viewer")).unwrap();
    let ran = alone(folder.path()).args(["view", "a b.vmd", "c.glb", "--json"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("shown")).unwrap(), "a b.vmd c.glb\n");
    let out = String::from_utf8(ran.stdout.clone()).unwrap();
    let said = Ran { code: ran.status.code(), bytes: ran.stdout, out, err: String::new() }.json("view.json");
    assert_eq!(said[0]["files"], serde_json::json!(["a b.vmd", "c.glb"]));
    assert_eq!(alone(folder.path()).args(["view", "bad.vmd"]).output().unwrap().status.code(), Some(1));
}
