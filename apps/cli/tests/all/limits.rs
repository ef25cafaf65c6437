//! Refusals of what would take too much, with the option that allows it.

use crate::common::Folder;
use dopesheet_testkit::{bytes, workspace};

#[test]
fn lengths_beyond_all_bounds_are_refused_rather_than_written_as_another_number() {
    let folder = Folder::new();
    for target in ["glb", "gltf", "bvh", "vmd", "playcanvas", "npz", "unity-anim"] {
        for scale in ["1e39", "1e300"] {
            let ran = folder.run(&["convert", "frame.gltf", "-t", target, "-o", "out", "--scale", scale]);
            assert_ne!(ran.code, Some(0), "{target} {scale}: {}", ran.err);
            let door = folder.run(&["convert", "line.vmd", "-t", target, "-o", "out", "--scale", scale]);
            assert_eq!(door.code, Some(1), "{target} {scale}: {}", door.err);
            assert!(
                door.err.contains("expected lengths up to 1e30 in the unit of the target"),
                "{}",
                door.err
            );
        }
    }
    assert!(!folder.path("out").exists() || !folder.names().iter().any(|name| name.starts_with("out/")));
}

#[test]
fn times_beyond_all_bounds_are_refused_rather_than_written_as_infinite() {
    let folder = Folder::new();
    let seed = workspace().join("formats/more/fuzz/seeds/clip-longer-than-f32.ubi");
    folder.put("clip.ubi", &bytes(&seed));
    for target in ["gltf", "playcanvas", "unity-anim"] {
        let ran = folder.run(&[
            "convert",
            "clip.ubi",
            "-t",
            target,
            "-o",
            "out/",
            "--lenient",
            "--tolerance",
            "1cm",
        ]);
        assert_eq!(ran.code, Some(1), "{target}: {}", ran.err);
        assert!(ran.err.contains("expected times up to 1e30 s, found 5.5"), "{target}: {}", ran.err);
    }
}

#[test]
fn extreme_scales_write_numbers_or_nothing() {
    let folder = Folder::new();
    let sample = |name: &str| bytes(&workspace().join("samples").join(name));
    folder.put("bow.vmd", &sample("bow.vmd"));
    folder.put("jump.bvh", &sample("jump.bvh"));
    for (input, model) in [("bow.vmd", &["-m", "standard"][..]), ("jump.bvh", &[])] {
        for target in ["glb", "bvh", "npz", "playcanvas", "unity-anim", "more"] {
            for scale in ["1e-40", "1e-300", "1e38"] {
                let arguments =
                    [&["convert", input, "-t", target, "-o", "out/", "--scale", scale], model].concat();
                let ran = folder.run(&arguments);
                let written: Vec<_> =
                    folder.names().into_iter().filter(|name| name.starts_with("out/")).collect();
                match scale {
                    "1e38" => {
                        assert_eq!((ran.code, written.len()), (Some(1), 0), "{arguments:?}: {}", ran.err);
                        assert!(ran.err.contains("expected lengths up to 1e30"), "{}", ran.err);
                    }
                    _ => {
                        assert_eq!((ran.code, written.len()), (Some(0), 1), "{arguments:?}: {}", ran.err);
                        let checked = folder.run(&["check", &written[0]]);
                        assert_eq!(checked.code, Some(0), "{arguments:?}: {}", checked.out);
                    }
                }
                let _ = std::fs::remove_dir_all(folder.path("out"));
            }
        }
    }
}

#[test]
fn entries_that_share_bytes_or_a_name_are_extracted_once() {
    let folder = Folder::new();
    for (fixture, code, taken) in [
        ("entry-overlap", "entry-overlap", "out/a"),
        ("name-case", "name-case", "out/a"),
        ("duplicate-entry-name", "duplicate-entry-name", "out/a"),
    ] {
        let path = workspace().join(format!("formats/more/src/m4b/fixtures/quirk/{fixture}.m4b"));
        folder.put("pack.m4b", &bytes(&path));
        let _ = std::fs::remove_dir_all(folder.path("out"));
        for force in [&[][..], &["--force"]] {
            let ran = folder.run(&[&["extract", "pack.m4b", "-o", "out"], force].concat());
            assert_eq!(ran.code, Some(1), "{}", ran.err);
            assert!(ran.err.contains("not extracted: ") && ran.err.contains(code), "{}", ran.err);
            if fixture == "duplicate-entry-name" {
                assert_eq!(folder.get(taken), b"x", "the first of them");
            }
            assert!(!folder.path("out/b").exists() && !folder.path("out/A").exists());
            let _ = std::fs::remove_dir_all(folder.path("out"));
        }
        let listed = folder.run(&["list", "pack.m4b", "--json"]).json("list.json");
        let codes: Vec<_> = listed.iter().map(|entry| entry["refused_code"].as_str()).collect();
        assert_eq!(codes, [None, Some(code)]);
        let converted = folder.run(&["convert", "pack.m4b", "-t", "glb", "-o", "made"]);
        assert!(converted.err.contains(code), "{}", converted.err);
    }
}

#[test]
fn an_archive_that_swells_is_refused_with_the_option_that_lets_it() {
    let Some(reproducers) = dopesheet_testkit::reproducers() else { return };
    let folder = Folder::new();
    // 51 kB that decompress to 52 MB.
    folder.put("bomb.npz", &bytes(&reproducers.join("npz-bomb-51k.npz")));
    let refused = folder.run(&["info", "bomb.npz"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.ends_with("; --max-memory allows more\n"), "{}", refused.err);
    let code = &folder.run(&["check", "bomb.npz", "--json"]).json("check.json")[0]["findings"][0]["code"];
    assert_eq!(code, "npz-inflated");
    let allowed = folder.run(&["info", "bomb.npz", "--max-memory", "60MB"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.err);
}

#[test]
fn a_file_longer_than_the_limit_is_refused_before_it_is_read() {
    let folder = Folder::new();
    // A hole: it has the length and takes no room.
    std::fs::File::create(folder.path("huge.glb")).unwrap().set_len(5 << 30).unwrap();
    let ran = folder.run(&["info", "huge.glb"]);
    assert_eq!(ran.code, Some(1));
    let said = "at most 4294967296 bytes (the limit), found one of 5368709120; --max-memory allows more";
    assert!(ran.err.contains(said), "{}", ran.err);
}
