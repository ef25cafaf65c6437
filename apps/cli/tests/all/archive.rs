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

#[test]
fn a_folder_becomes_an_archive_whose_files_come_back_the_same() {
    let folder = Folder::new();
    let files = [
        ("in/a/walk.ubi", &b"walk"[..]),
        ("in/a/b/run.ubi", b"run"),
        ("in/a/b/.hidden", b"hidden"),
        ("in/empty.txt", b""),
        ("in/[x]/y.ubi", b"brackets"),
        ("in/z.ubi", &[0, 255, 10]),
    ];
    for (name, bytes) in files {
        folder.put(name, bytes);
    }
    let ran = folder.run(&["convert", "in/", "-o", "out.m4b"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), "6 files packed into out.m4b\n"));
    assert_eq!(folder.run(&["check", "out.m4b", "--strict"]).code, Some(0));
    assert_eq!(folder.run(&["extract", "out.m4b", "-o", "back"]).code, Some(0));
    for (name, bytes) in files {
        assert_eq!(folder.get(&name.replacen("in", "back", 1)), bytes, "{name}");
    }
    // The same files make the same bytes, also where the archive lies among them, and an archive is written as it is.
    folder.run(&["convert", "back", "-o", "back/again.m4b"]);
    folder.run(&["convert", "back", "-o", "back/again.m4b", "--force"]);
    folder.run(&["convert", "out.m4b", "-o", "same.m4b"]);
    let packed = folder.get("out.m4b");
    assert_eq!((&folder.get("back/again.m4b"), &folder.get("same.m4b")), (&packed, &packed));
    assert_eq!(
        folder.run(&["convert", "in/", "-o", "out.m4b"]).code,
        Some(1),
        "nothing is replaced without --force"
    );
    let piped = folder.run(&["convert", "in", "in/z.ubi", "-t", "m4b", "-o", "-"]);
    assert_eq!(piped.code, Some(2), "z.ubi is there twice: {}", piped.err);
}

#[test]
fn what_could_not_be_taken_out_everywhere_is_not_packed() {
    for (names, why) in [
        (&["in/con.ubi"][..], "unsafe-name"),
        (&["in/a.ubi", "in/A.ubi"], "name-case"),
        (&["in/a:b.ubi"], "unsafe-name"),
    ] {
        let folder = Folder::new();
        names.iter().for_each(|name| folder.put(name, b"x"));
        let ran = folder.run(&["convert", "in", "-o", "out.m4b"]);
        assert!(ran.code == Some(2) && ran.err.contains(why), "{names:?}: {}", ran.err);
        assert!(!folder.path("out.m4b").exists());
    }
    let folder = Folder::new();
    folder.put("in/a.ubi", b"x");
    let ran = folder.run(&["convert", "in", "-o", "out.m4b", "--scale", "2"]);
    assert!(ran.code == Some(2) && ran.err.contains("packed as they are"), "{}", ran.err);
    assert_eq!(folder.run(&["convert", "gone", "-o", "out.m4b"]).code, Some(1));
}

#[test]
fn an_archive_that_was_taken_out_and_packed_again_holds_the_same() {
    let (folder, paths) = folder();
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out"]).code, Some(0));
    assert_eq!(folder.run(&["convert", "out", "-o", "again.m4b"]).code, Some(0));
    let listed = folder.run(&["list", "again.m4b", "--json"]).json("list.json");
    let mut again: Vec<_> = listed.iter().map(|entry| entry["path"].as_str().unwrap().to_owned()).collect();
    let mut before = paths;
    again.sort();
    before.sort();
    assert_eq!(again, before);
}
