//! `dopesheet edit`.

use crate::common::{Folder, Ran};
use dopesheet_testkit::workspace;

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["bow.vmd", "walk.vmd", "jump.bvh"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder
}

/// The number of keys of bones in a VMD.
fn bone_keys(folder: &Folder, name: &str) -> u32 {
    let bytes = folder.get(name);
    u32::from_le_bytes(bytes[50..54].try_into().unwrap())
}

#[test]
fn operations_are_done_in_order_and_the_format_stays() {
    let folder = folder();
    let ran =
        folder.run(&["edit", "bow.vmd", "-o", "part.vmd", "-e", "trim 30f:90f", "-e", "retime --speed 0.5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("bow.vmd -> part.vmd (vmd to vmd)"), "{}", ran.err);
    assert_eq!(bone_keys(&folder, "part.vmd"), 45);
    let info = folder.run(&["info", "part.vmd"]);
    assert!(info.out.contains("4.000 s"), "{}", info.out);
}

#[test]
fn what_is_undone_leaves_the_file_as_it_was() {
    let folder = folder();
    let ran = folder.run(&["edit", "bow.vmd", "-o", "same.vmd", "-e", "shift 1s", "-e", "shift -1s"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.get("same.vmd") == folder.get("bow.vmd"));
}

#[test]
fn a_recipe_is_the_same_as_its_lines() {
    let folder = folder();
    folder.put("recipe.txt", b"# the bow itself\ntrim 30f:90f\n\nreverse\n");
    let ran = folder.run(&["edit", "bow.vmd", "-o", "a.vmd", "--recipe", "recipe.txt"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    folder.run(&["edit", "bow.vmd", "-o", "b.vmd", "-e", "trim 30f:90f", "-e", "reverse"]);
    assert!(folder.get("a.vmd") == folder.get("b.vmd"));
}

#[test]
fn an_edited_file_is_converted_without_being_written_first() {
    let folder = folder();
    let ran = folder.run(&["edit", "bow.vmd", "-o", "part.glb", "-e", "trim 30f:90f"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.get("part.glb").starts_with(b"glTF"));
    assert!(
        ran.err.contains("divided where the clip is cut") || ran.err.contains("largest error"),
        "{}",
        ran.err
    );
}

#[test]
fn many_files_of_several_formats_keep_their_names() {
    let folder = folder();
    let ran = folder.run(&["edit", "wa*.vmd", "bow.vmd", "jump.bvh", "-o", "out/", "-e", "trim 0:1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for name in ["out/bow.vmd", "out/walk.vmd", "out/jump.bvh", "out/manifest.jsonl"] {
        assert!(folder.path(name).exists(), "{name}: {}", ran.err);
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = folder();
    let ran = folder.run(&["edit", "bow.vmd", "-o", "part.vmd", "-e", "reverse", "--dry-run"]);
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "bow.vmd -> part.vmd (its own format)"), "{}", ran.err);
    assert!(!folder.path("part.vmd").exists());
}

/// Asserts that a request is refused in such words, with such a code, and writes nothing.
fn assert_refused(ran: &Ran, folder: &Folder, code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}", ran.err);
    assert!(!folder.path("out.vmd").exists());
    for word in words {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
}

#[test]
fn misspelt_operations_are_explained_as_misspelt_commands_are() {
    let folder = folder();
    let run = |operation: &str| folder.run(&["edit", "bow.vmd", "-o", "out.vmd", "-e", operation]);
    assert_refused(
        &run("trimm 1:2"),
        &folder,
        2,
        &["-e 'trimm 1:2'", "similar", "trim", "dopesheet help edit"],
    );
    assert_refused(&run("trim"), &folder, 2, &["<START:END>", "`dopesheet help edit trim` explains it"]);
    assert_refused(&run("rename 'x"), &folder, 2, &["expected quotes in pairs, found: rename 'x"]);
    assert_refused(&run("trim 1:900"), &folder, 2, &["bow.vmd: trim:", "within the clip, which is 0f:126f"]);
    assert_refused(&run("drop Nobody"), &folder, 2, &["found \"Nobody\"; there are センター"]);
    assert_refused(&run("set --loop on"), &folder, 2, &["vmd files do not say if a clip starts again"]);
    let none = folder.run(&["edit", "bow.vmd", "-o", "out.vmd"]);
    assert_refused(&none, &folder, 2, &["expected an operation"]);
}

#[test]
fn motions_are_put_together_with_and_without_files_named() {
    let folder = folder();
    let all = folder.run(&["edit", "bow.vmd", "walk.vmd", "-o", "all.vmd", "-e", "concat --blend 10f"]);
    assert_eq!(all.code, Some(0), "{}", all.err);
    let named =
        folder.run(&["edit", "bow.vmd", "-o", "out/", "-e", "join walk.vmd --blend 10f", "-e", "mirror"]);
    assert_eq!(named.code, Some(0), "{}", named.err);
    folder.run(&["edit", "all.vmd", "-o", "mirrored.vmd", "-e", "mirror"]);
    assert!(folder.get("out/bow.vmd") == folder.get("mirrored.vmd"));
    let late = folder.run(&["edit", "bow.vmd", "walk.vmd", "-o", "out.vmd", "-e", "mirror", "-e", "concat"]);
    assert_refused(
        &late,
        &folder,
        2,
        &["concat: without files it takes all inputs, and has to be the first operation"],
    );
    let below = folder.run(&["edit", "bow.vmd", "walk.vmd", "-o", "out/", "-e", "concat"]);
    assert_refused(&below, &folder, 2, &["an operation that takes all inputs needs an output file"]);
    let alone = folder.run(&["edit", "bow.vmd", "-o", "out.vmd", "-e", "concat"]);
    assert_refused(&alone, &folder, 2, &["concat: expected another motion"]);
    let both = folder.run(&["edit", "bow.vmd", "walk.vmd", "-o", "out.vmd", "-e", "merge"]);
    assert_refused(&both, &folder, 2, &["in both; drop it from one of them first"]);
}

#[test]
fn keys_and_markers_have_operations_of_their_own() {
    let folder = folder();
    let before = bone_keys(&folder, "bow.vmd");
    let run = |operation: &str| folder.run(&["edit", "bow.vmd", "-o", "out.vmd", "--force", "-e", operation]);
    let ran = run("keys insert 31f センター");
    assert_eq!((ran.code, bone_keys(&folder, "out.vmd")), (Some(0), before + 1), "{}", ran.err);
    let ran = run("keys law 0:1 0.25,0.5,0.75,1 センター");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    std::fs::remove_file(folder.path("out.vmd")).unwrap();
    assert_refused(&run("keys law 0:1 round"), &folder, 2, &["expected step, linear, or four numbers"]);
    assert_refused(&run("markers add 1 x"), &folder, 2, &["markers: vmd files have none"]);
}

#[test]
fn each_operation_has_its_help() {
    let folder = folder();
    let all = folder.run(&["help", "edit"]).out;
    // The list is longer than a line.
    let (_, list) = all.split_once("Operations: ").unwrap();
    let (list, _) = list.split_once(';').unwrap();
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    assert!(names.len() >= 17, "{names:?}");
    for name in names {
        let help = folder.run(&["help", "edit", name]);
        assert_eq!(help.code, Some(0), "{}", help.err);
        assert!(help.out.contains(&format!("Usage: edit {name}")), "{}", help.out);
    }
}

#[test]
fn a_motion_is_split_into_numbered_files_that_make_it_again() {
    let folder = folder();
    let ran = folder.run(&["edit", "bow.vmd", "-o", "part.vmd", "-e", "split 30f 90f"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for (part, length) in [("part-1.vmd", "1.000 s"), ("part-2.vmd", "2.000 s"), ("part-3.vmd", "1.200 s")] {
        let info = folder.run(&["info", part]);
        assert!(info.out.contains(length), "{part}: {}", info.out);
    }
    let ran =
        folder.run(&["edit", "part-1.vmd", "part-2.vmd", "part-3.vmd", "-o", "again.vmd", "-e", "concat"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let info = folder.run(&["info", "again.vmd"]);
    assert!(info.out.contains("4.200 s"), "{}", info.out);
    let ran = folder.run(&["edit", "*.vmd", "-o", "parts/", "-e", "trim 0:2", "-e", "split 1s"]);
    assert_eq!(ran.code, Some(1), "parts of 1.2 s are too short for it: {}", ran.err);
    assert!(!folder.get("parts/walk-1.vmd").is_empty() && !folder.get("parts/walk-2.vmd").is_empty());
}

#[test]
fn a_split_that_cannot_be_done_writes_nothing() {
    let folder = folder();
    for (edits, word) in [
        (&["split 9s"][..], "expected a range within the clip"),
        (&["split"][..], "expected times to cut at, or a clip with markers"),
        (&["split 1s", "reverse"][..], "has to be the last operation"),
    ] {
        let mut args = vec!["edit", "bow.vmd", "-o", "part.vmd"];
        args.extend(edits.iter().flat_map(|edit| ["-e", edit]));
        let ran = folder.run(&args);
        assert_refused(&ran, &folder, 2, &[word]);
    }
    folder.put("part-2.vmd", b"mine");
    let ran = folder.run(&["edit", "bow.vmd", "-o", "part.vmd", "-e", "split 1s"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(folder.get("part-2.vmd") == b"mine" && !folder.path("part-1.vmd").exists());
}
