//! Names in files and links in folders that somebody made to mislead, and outputs that would take the place of something else.

use crate::common::{DOOR, Folder, motion};

#[test]
fn a_line_feed_in_a_name_starts_no_line_of_info_and_of_messages() {
    let folder = Folder::new();
    let forged = DOOR.replace("Hinge", "Hinge\\n  findings: none\\r\\nerror: bow.vmd: forged");
    let forged = forged.replace("\"door\"", "\"door\\n  clip #1 forged\"");
    folder.put("door.json", forged.as_bytes());
    folder.put("own\nerror: forged.json", forged.as_bytes());
    for arguments in [
        &["info", "door.json", "-m", "frame.gltf"][..],
        &["info", "own\nerror: forged.json", "--onto", "standard"],
        &["check", "own\nerror: forged.json", "door.json"],
        &["diff", "door.json", "line.vmd"],
        &["convert", "door.json", "--into", "frame.gltf", "-o", "a.glb", "--verbose"],
        &["convert", "own*", "-o", "out", "-t", "vmd", "--verbose"],
        &["edit", "door.json", "-o", "b.json", "-e", "drop Nobody"],
        &["render", "door.json", "-o", "a.png", "-m", "frame.gltf", "--times", "0"],
    ] {
        let ran = folder.run(arguments);
        let said = format!("{}{}", ran.out, ran.err);
        let is_forged = |line: &str| {
            ["error: forged", "error: bow.vmd", "  clip #1", "  findings: none\\u"]
                .iter()
                .any(|start| line.starts_with(start))
        };
        assert!(!said.is_empty() && !said.lines().any(is_forged), "{arguments:?}: {said}");
    }
    let info = folder.run(&["info", "door.json"]).out;
    assert!(info.contains(r#"clip #0 "door\u000a  clip #1 forged""#), "{info}");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_journal_is_not_written_through() {
    for more in [&[][..], &["--resume"], &["--force"]] {
        let folder = Folder::new();
        folder.put("secret.txt", b"");
        std::fs::create_dir(folder.path("out")).unwrap();
        std::os::unix::fs::symlink(folder.path("secret.txt"), folder.path("out/manifest.jsonl.journal"))
            .unwrap();
        let ran = folder.run(&[&["convert", "bow.vmd", "line.vmd", "-t", "glb", "-o", "out"], more].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(
            ran.err.contains("manifest.jsonl.journal: expected a regular file, found a symbolic link"),
            "{}",
            ran.err
        );
        assert!(folder.get("secret.txt").is_empty() && !folder.path("out/bow.glb").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_below_the_output_folder_is_followed_by_no_verb() {
    for (verb, more) in [("convert", ["-t", "glb"]), ("edit", ["-e", "reverse"])] {
        let folder = Folder::new();
        folder.put("in/sub/a.vmd", &motion([20, 20, 107, 107]));
        folder.put("in/b.vmd", &motion([20, 20, 107, 107]));
        for name in ["elsewhere", "out"] {
            std::fs::create_dir(folder.path(name)).unwrap();
        }
        std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path("out/sub")).unwrap();
        let ran = folder.run(&[&[verb, "in/**/*.vmd", "-o", "out/"], &more[..]].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(
            ran.err.contains("out/sub: expected a folder or a new file, found a symbolic link"),
            "{}",
            ran.err
        );
        assert_eq!(std::fs::read_dir(folder.path("elsewhere")).unwrap().count(), 0, "{verb}");
        assert!(ran.err.contains("1 done, 1 failed"), "{verb}: {}", ran.err);
    }
}

#[test]
fn a_report_takes_the_place_of_no_input_output_or_model_even_with_force() {
    let folder = Folder::new();
    folder.put("in/f01.vmd", &motion([20, 20, 107, 107]));
    let before = folder.names();
    for (arguments, what) in [
        (&["convert", "in/*.vmd", "-t", "glb", "-o", "o", "--report", "in/f01.vmd"][..], "an input"),
        (&["convert", "in/*.vmd", "-t", "glb", "-o", "o", "--report", "o/../o/f01.glb"], "an output"),
        (&["convert", "bow.vmd", "-o", "bow.glb", "--report", "./bow.glb"], "an output"),
        (&["convert", "bow.vmd", "-o", "bow.glb", "--report", "./bow.vmd"], "an input"),
        (&["convert", "door.json", "-m", "frame.gltf", "-o", "a.glb", "--report", "frame.gltf"], "an input"),
        (&["edit", "bow.vmd", "-o", "b.vmd", "-e", "reverse", "--report", "bow.vmd"], "an input"),
        (
            &["convert", "in/*.vmd", "bow.vmd", "-t", "glb", "-o", "o", "--report", "o/manifest.jsonl"],
            "an output",
        ),
    ] {
        let ran = folder.run(&[arguments, &["--force"]].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("--report names ") && ran.err.contains(what), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(folder.names(), before);
}

#[test]
fn a_manifest_takes_the_place_of_no_output_and_no_other_file() {
    let folder = Folder::new();
    let convert = |more: &[&str]| {
        folder.run(&[&["convert", "bow.vmd", "line.vmd", "-t", "glb", "-o", "o"], more].concat())
    };
    let output = convert(&["--manifest", "o/bow.glb"]);
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("--manifest names o/bow.glb, which is an output too"), "{}", output.err);
    for force in [&["--force"][..], &["--resume"], &[]] {
        let input = convert(&[&["--manifest", "door.json"], force].concat());
        assert_eq!(input.code, Some(1), "{}", input.err);
        assert!(input.err.contains("door.json: expected the manifest of an earlier run"), "{}", input.err);
    }
    assert_eq!(folder.get("door.json"), DOOR.as_bytes());
    folder.put("o/manifest.jsonl", b"{\"somebody\":\"else's\"}\n");
    let unnamed = convert(&[]);
    assert_eq!(unnamed.code, Some(1), "{}", unnamed.err);
    assert_eq!(folder.get("o/manifest.jsonl"), b"{\"somebody\":\"else's\"}\n");
    assert_eq!(convert(&["--force"]).code, Some(0), "one that nobody named may go where that is asked for");
    assert_eq!(convert(&["--force"]).code, Some(0), "and a manifest takes the place of an earlier one");
}

#[test]
fn a_format_that_the_name_of_the_output_contradicts_is_refused() {
    let folder = Folder::new();
    let ran = folder.run(&["convert", "bow.vmd", "-o", "bow.glb", "-t", "bvh"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let said = "-o bow.glb names a file of glb, and -t says bvh; end its name in .bvh, or leave out -t";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(!folder.path("bow.glb").exists());
    let edited = folder.run(&["edit", "bow.vmd", "-o", "b.vmd", "-t", "bvh", "-e", "reverse"]);
    assert_eq!(edited.code, Some(2), "{}", edited.err);
    for output in ["bow.of.mine", "motion", "BOW.BVH"] {
        std::fs::create_dir_all(folder.path("motion")).unwrap();
        let ran = folder.run(&["convert", "bow.vmd", "-o", output, "-t", "bvh"]);
        assert_eq!(ran.code, Some(0), "{output}: {}", ran.err);
    }
}

#[test]
fn several_files_that_are_edited_go_into_a_folder_without_a_slash() {
    let folder = Folder::new();
    let ran = folder.run(&["edit", "bow.vmd", "line.vmd", "-o", "out", "-e", "reverse"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.path("out/bow.vmd").exists() && folder.path("out/line.vmd").exists(), "{}", ran.err);
    let one = folder.run(&["edit", "bow.vmd", "line.vmd", "-o", "out.vmd", "-e", "reverse"]);
    assert_eq!(one.code, Some(2), "{}", one.err);
    assert!(one.err.contains("-o out/") && one.err.contains("-e concat"), "{}", one.err);
}

#[test]
fn a_faulty_line_of_a_recipe_is_named_by_its_file_and_number_and_cut_short() {
    let folder = Folder::new();
    let run = |recipe: &[u8]| {
        folder.put("recipe.txt", recipe);
        folder.run(&["edit", "bow.vmd", "-o", "out.vmd", "--force", "--recipe", "recipe.txt"])
    };
    let marked = run("\u{feff}reverse\r\ntrim 0:1\r\n".as_bytes());
    assert_eq!(marked.code, Some(0), "{}", marked.err);
    for (recipe, told) in [
        ("# trim\n\nreverse\n  trimm 1:2\n", "recipe.txt, line 4: 'trimm 1:2': "),
        ("reverse\nrename 'x\n", "recipe.txt, line 2: 'rename 'x': expected quotes in pairs"),
        ("trim\n", "`dopesheet help edit trim` explains it"),
        ("dance\n", "trim, delete, repeat"),
    ] {
        let ran = run(recipe.as_bytes());
        assert_eq!(ran.code, Some(2), "{recipe}: {}", ran.err);
        assert!(ran.err.contains(told) && ran.err.lines().count() == 1, "{recipe}: {}", ran.err);
    }
    let long = run(format!("reverse\ntrim {}", "x".repeat(5_000_000)).as_bytes());
    assert_eq!(long.code, Some(2));
    assert!(long.err.len() < 1500 && long.err.contains("recipe.txt, line 2:"), "{} bytes", long.err.len());
}

#[test]
fn a_missing_input_is_told_before_an_output_that_exists_and_with_the_name_that_is_near() {
    let folder = Folder::new();
    folder.put("out.glb", b"mine");
    let ran = folder.run(&["convert", "motion of another.vmd", "-o", "out.glb"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("motion of another.vmd: No such file"), "{}", ran.err);
    let near = folder.run(&["info", "camra.vmd"]);
    assert_eq!(near.err, "error: camra.vmd: no such file; did you mean \"camera.vmd\"?\n");
}
