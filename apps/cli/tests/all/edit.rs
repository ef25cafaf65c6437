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
    assert_refused(&run("rename 'x"), &folder, 2, &["-e 'rename 'x': expected quotes in pairs"]);
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
    let (_, list) = all.split_once("\nOperations").unwrap();
    let lines: Vec<_> = list.lines().skip(1).filter_map(|line| line.trim().split_once("  ")).collect();
    assert!(lines.len() >= 20, "{list}");
    for (name, sentence) in lines {
        assert!(sentence.trim().len() > 8, "{name}: {sentence}");
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
        (&["merge --split", "split 1s"][..], "do one after the other"),
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

#[test]
fn the_help_of_an_operation_is_found_wherever_it_is_asked_for() {
    let folder = folder();
    let asked = |arguments: &[&str]| {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        ran.out
    };
    let law = asked(&["help", "edit", "keys", "law"]);
    assert!(law.contains("x1,y1,x2,y2") && law.contains("<TIMES>"), "{law}");
    assert!(asked(&["help", "edit", "keys"]).contains("insert"));
    let trim = asked(&["help", "edit", "trim"]);
    assert!(trim.contains("--keep-time"), "{trim}");
    for arguments in [
        &["edit", "-e", "trim -h"][..],
        &["edit", "bow.vmd", "-o", "out.vmd", "--edit=trim --help"],
        &["edit", "bow.vmd", "-o", "out.vmd", "-e", "reverse", "-e", "keys law -h"],
    ] {
        let wanted = if arguments.ends_with(&["keys law -h"]) { "<LAW>" } else { "--keep-time" };
        assert!(asked(arguments).contains(wanted), "{arguments:?}");
        assert!(!folder.path("out.vmd").exists());
    }
    let unknown = folder.run(&["help", "edit", "keys", "lore"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.out);
}

#[test]
fn a_body_and_a_camera_are_written_to_two_files() {
    let folder = folder();
    let camera = std::fs::read(workspace().join("samples/camera.vmd")).unwrap();
    folder.put("camera.vmd", &camera);
    let merge = |output: &str, operation: &str| {
        folder.run(&["edit", "bow.vmd", "camera.vmd", "-o", output, "--json", "-e", operation])
    };
    let refused = merge("out.vmd", "merge");
    assert_refused(&refused, &folder, 1, &["never both of one file"]);
    let ran = merge("both.vmd", "merge --split");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.get("both-camera.vmd") == camera);
    assert!(folder.get("both.vmd") == folder.get("bow.vmd"));
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
    let again = merge("out.vmd", "merge --split");
    assert_eq!(again.code, Some(0), "{}", again.err);
    std::fs::remove_file(folder.path("out.vmd")).unwrap();
    // What would overwrite one of the two writes neither.
    let exists = merge("out.vmd", "merge --split");
    assert_refused(&exists, &folder, 1, &["out-camera.vmd"]);
    let alone = folder.run(&["edit", "bow.vmd", "-o", "a.vmd", "-e", "merge walk.vmd --split"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
    let piped = folder.run(&["edit", "bow.vmd", "camera.vmd", "-o", "-", "-e", "merge --split"]);
    assert!(piped.code != Some(0) && piped.err.contains("two files"), "{}", piped.err);
}

#[test]
fn a_file_of_times_bends_a_motion_and_a_wrong_line_is_named() {
    let folder = folder();
    let bend = |text: &str| {
        folder.put("curve.txt", text.as_bytes());
        folder.run(&["edit", "bow.vmd", "-o", "out.vmd", "--force", "-e", "retime --curve curve.txt"])
    };
    let ran = bend("# old, new\n0 0\n1s, 1\n60f\t4s # slowly\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let info = folder.run(&["info", "out.vmd"]);
    assert!(info.out.contains("6.200 s"), "{}", info.out);
    std::fs::remove_file(folder.path("out.vmd")).unwrap();
    assert_refused(&bend("0 0\n1 2 3\n"), &folder, 2, &["curve.txt: line 2", "found `1 2 3`"]);
    assert_refused(&bend("0 0\nx 2\n"), &folder, 2, &["line 2: expected a time and its new time"]);
    assert_refused(&bend("0 0\n2 1\n1 2\n"), &folder, 2, &["found that point 3 is not"]);
    assert_refused(&bend("# none\n"), &folder, 2, &["expected at least two points, found 0 points"]);
}

#[test]
fn bones_are_renamed_as_another_program_names_them() {
    let folder = folder();
    let run =
        |operation: &str| folder.run(&["edit", "jump.bvh", "-o", "out.bvh", "--force", "-e", operation]);
    let ran = run("rename --from mixamo --to unity");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(folder.get("out.bvh")).unwrap();
    assert!(text.contains("ROOT Hips") && text.contains("JOINT LeftUpperLeg"), "{text}");
    let unknown = run("rename --from mixamo --to blender3");
    assert!(unknown.err.contains("expected one of unity, mmd, vrm, mixamo, unreal"), "{}", unknown.err);
    assert_eq!(unknown.code, Some(2));
    let half = run("rename --from mixamo");
    assert!(half.code == Some(2) && half.err.contains("--to"), "{}", half.err);
    let none = folder.run(&["edit", "bow.vmd", "-o", "out.vmd", "-e", "rename --from cmu --to vrm"]);
    assert_refused(&none, &folder, 2, &["expected names of bones as cmu has them, found none of them"]);
}
