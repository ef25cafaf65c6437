//! `dopesheet view` keeps its contract.

mod common;

use common::Folder;
#[cfg(unix)]
use common::Ran;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The command alone in a folder, so that no viewer that was built beside it is found.
fn alone(folder: &Path) -> Command {
    let program = folder.join(format!("dopesheet{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(assert_cmd::cargo::cargo_bin!("dopesheet"), &program).unwrap();
    let mut command = Command::new(program);
    command.env("PATH", folder).current_dir(folder);
    command
}

#[test]
fn without_a_viewer_it_says_how_to_build_one() {
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let viewer = folder.path().join("dopesheet-viewer");
    std::fs::write(&viewer, "#!/bin/sh\necho \"$@\" > shown\n[ \"$1\" != bad.vmd ]\n").unwrap();
    std::fs::set_permissions(&viewer, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = alone(folder.path()).args(["view", "a b.vmd", "c.glb", "--json"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("shown")).unwrap(), "a b.vmd c.glb\n");
    let out = String::from_utf8(ran.stdout.clone()).unwrap();
    let said = Ran { code: ran.status.code(), bytes: ran.stdout, out, err: String::new() }.json("view.json");
    assert_eq!(said[0]["files"], serde_json::json!(["a b.vmd", "c.glb"]));
    assert_eq!(alone(folder.path()).args(["view", "bad.vmd"]).output().unwrap().status.code(), Some(1));
}
