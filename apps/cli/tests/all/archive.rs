//! `dopesheet list`, `extract` and `ARCHIVE:ENTRY` keep their contract.

use crate::common::Folder;
use dopesheet_testkit::{bytes, workspace};

/// A folder with `pack.m4b`, the archive fixture that holds another archive.
fn folder() -> (Folder, Vec<String>) {
    let folder = Folder::new();
    let fixtures = workspace().join("formats/more/src/m4b/fixtures/valid");
    let nested = dopesheet_testkit::files(&fixtures, &["m4b"], 1)
        .into_iter()
        .find(|p| p.to_string_lossy().contains("nest"));
    folder.put(
        "pack.m4b",
        &bytes(&nested.unwrap_or_else(|| panic!("no nested archive in {}", fixtures.display()))),
    );
    let listed = folder.run(&["list", "pack.m4b", "--json"]).json("list.json");
    let paths = listed.iter().map(|e| e["path"].as_str().unwrap().to_owned()).collect();
    (folder, paths)
}

#[test]
fn entries_are_listed_and_taken_out_byte_for_byte() {
    let (folder, paths) = folder();
    assert!(!paths.is_empty());
    let ran = folder.run(&["extract", "pack.m4b", "-o", "out", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let taken = ran.json("extract.json");
    assert_eq!(taken.len(), paths.len());
    for (entry, path) in taken.iter().zip(&paths) {
        let length = folder.get(&format!("out/{path}")).len() as u64;
        assert_eq!(entry["bytes"].as_u64(), Some(length), "{path}");
    }
}

#[test]
fn nested_archives_are_followed_when_asked() {
    let (folder, paths) = folder();
    let all = folder.run(&["list", "pack.m4b", "-r", "--json"]).json("list.json");
    assert!(all.len() > paths.len(), "{} entries with -r", all.len());
}

#[test]
fn what_is_not_there_is_said() {
    let (folder, _) = folder();
    let missing = folder.run(&["info", "pack.m4b:nowhere/to/be.found"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.err.contains("expected an entry of the archive"), "{}", missing.err);
    assert_eq!(folder.run(&["list", "door.json"]).code, Some(2));
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out", "none*"]).code, Some(2));
}

#[test]
fn nothing_is_overwritten_without_force() {
    let (folder, paths) = folder();
    folder.put(&format!("out/{}", paths[0]), b"mine");
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out"]).code, Some(1));
    assert_eq!(folder.get(&format!("out/{}", paths[0])), b"mine");
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out", "--force"]).code, Some(0));
}

/// Angle of the hinge in `samples/door.m4b`, in degrees.
fn hinge(entry: &str, times: &str) -> Vec<f64> {
    let archive = workspace().join("samples/door.m4b");
    let name = format!("{}:{entry}", archive.display());
    let ran = Folder::new().run(&["sample", &name, "--times", times, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let sampled = ran.json("sample.json").remove(0);
    let tracks = sampled["tracks"].as_array().unwrap();
    let hinge = tracks.iter().find(|t| t["target"] == "Hinge.Rotation").unwrap();
    let turns = hinge["channels"]["value"].as_array().unwrap().iter();
    turns.map(|q| (2.0 * q[2].as_f64().unwrap().atan2(q[3].as_f64().unwrap())).to_degrees()).collect()
}

#[test]
fn a_clip_plays_the_animation_that_its_archive_holds() {
    let slowly = hinge("anims/door/open_slowly.ubi", "0,2.375,3.625,5");
    // 5 s instead of 4 s; at 0.475 and 0.725 of them the warp is at 0.475 and 0.6944 of the animation.
    let animation = hinge("anims/door/open.ubi", "0,1.9,2.7777777777777777,4");
    let near = slowly.iter().zip(&animation).all(|(a, b)| (a - b).abs() < 0.1);
    assert!(near, "{slowly:?} is not {animation:?}");
    assert!(animation[2] > 90.0, "{animation:?}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_symbolic_link() {
    use std::os::unix::fs::symlink;
    let (folder, paths) = folder();
    let inner = paths.iter().find(|path| path.contains('/')).expect("an entry in a folder");
    let outer = paths.iter().find(|path| !path.contains('/')).expect("an entry beside it");
    folder.put("elsewhere/mine", b"mine");
    folder.put("out/here", b"");
    symlink(folder.path("elsewhere"), folder.path("out").join(inner.split('/').next().unwrap())).unwrap();
    symlink(folder.path("elsewhere/mine"), folder.path("out").join(outer)).unwrap();
    for force in [&["--force"][..], &[]] {
        let ran = folder.run(&[&["extract", "pack.m4b", "-o", "out"], force].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert_eq!(ran.err.matches("found a symbolic link").count(), paths.len(), "{}", ran.err);
    }
    assert!(folder.path("out").join(outer).is_symlink(), "the link is still there");
    assert_eq!(folder.names().iter().filter(|n| n.starts_with("elsewhere")).count(), 1);
    assert_eq!(folder.get("elsewhere/mine"), b"mine");
    // The folder that the user names may be a link.
    std::fs::create_dir(folder.path("real")).unwrap();
    symlink(folder.path("real"), folder.path("linked")).unwrap();
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "linked"]).code, Some(0));
    assert!(folder.path("real").join(outer).is_file());
}
