//! Patterns find every file once, and say what they cannot reach.

use crate::common::{Folder, Ran, motion};
use dopesheet::core::bytes::ByteBuilder;
use serde_json::{Value, json};

fn line() -> Vec<u8> {
    motion([20, 20, 107, 107])
}

fn convert(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&[&["convert", "in/**/*.vmd", "-t", "glb", "-o", "out/"], more].concat())
}

/// The lines of `out/manifest.jsonl`, each valid against its schema.
fn manifest(folder: &Folder) -> Vec<Value> {
    let out = String::from_utf8(folder.get("out/manifest.jsonl")).unwrap();
    Ran { code: None, bytes: Vec::new(), out, err: String::new() }.json("convert-manifest.json")
}

/// Input, output, status and code of each line of the manifest.
fn became(folder: &Folder) -> Vec<Value> {
    let of = |line: &Value| json!([line["input"], line["output"], line["status"], line["code"]]);
    manifest(folder).iter().map(of).collect()
}

/// An archive with files by their folders, one at least, and names.
fn archive(files: &[(&[&str], &[u8])]) -> Vec<u8> {
    let name = |out: &mut ByteBuilder, name: &str| {
        out.u32(u32::try_from(name.len()).unwrap() + 1).bytes(name.as_bytes()).u8(0);
    };
    let index = |start: usize| {
        let mut out = ByteBuilder::default();
        out.bytes(b"\x0b\0\0\0UBI_BF_SIG\0").u32(1);
        out.u32(0).u8(u8::try_from(files.len()).unwrap());
        let mut at = start;
        for (path, bytes) in files {
            let (last, folders) = path.split_last().unwrap();
            for (depth, folder) in folders.iter().enumerate() {
                name(&mut out, folder);
                out.u8(u8::from(depth + 1 < folders.len()));
            }
            out.u32(1);
            name(&mut out, last);
            out.u32(u32::try_from(bytes.len()).unwrap()).u32(u32::try_from(at).unwrap());
            // The folders around it hold no files.
            out.bytes(&[0; 4].repeat(folders.len() - 1));
            at += bytes.len();
        }
        out.u32(0);
        out.finish()
    };
    let start = index(0).len();
    files.iter().fold(index(start), |archive, (_, bytes)| [&archive, *bytes].concat())
}

#[test]
fn an_unsafe_name_in_an_archive_is_named_and_counts() {
    let folder = Folder::new();
    let line = line();
    let inner = archive(&[(&["e", "vil"], &line)]);
    folder.put(
        "in/pack.m4b",
        &archive(&[
            (&["good", "1.vmd"], &line),
            (&["..", "x.vmd"], &line),
            (&["", "root.vmd"], &line),
            (&["C:", "drive.vmd"], &line),
            (&["..", "..", "inner.m4b"], &inner),
        ]),
    );
    assert_eq!(folder.run(&["list", "in/pack.m4b", "-r", "--json"]).json("list.json").len(), 6);
    for verb in [&["convert", "in/pack.m4b"][..], &["convert", "in/*", "--force"]] {
        let ran = folder.run(&[verb, &["-t", "glb", "-o", "out/"]].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("1 done, 4 failed"), "{}", ran.err);
        let unsafe_name = |name: &str| json!([format!("in/pack.m4b:{name}"), null, "failed", "name"]);
        assert_eq!(
            became(&folder),
            [
                unsafe_name("../../inner.m4b/e/vil"),
                unsafe_name("../x.vmd"),
                unsafe_name("/root.vmd"),
                unsafe_name("C:/drive.vmd"),
                json!(["in/pack.m4b:good/1.vmd", "pack/good/1.glb", "done", null]),
            ]
        );
        let said = "in/pack.m4b:../x.vmd: a name that is not safe to write: \"..\": it means another folder";
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    let made: Vec<_> = folder.names().into_iter().filter(|name| name.ends_with(".glb")).collect();
    assert_eq!(made, ["out/pack/good/1.glb"]);
}

#[cfg(unix)]
mod with_links {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn two_links_to_their_own_folder_do_not_make_a_pattern_walk_for_ever() {
        let folder = Folder::new();
        folder.put("in/a/1.vmd", &line());
        for (link, to) in [("in/x", "."), ("in/y", "."), ("in/a/up", "..")] {
            symlink(to, folder.path(link)).unwrap();
        }
        let ran = convert(&folder, &["--manifest", "list.jsonl"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        for link in ["in/a/up", "in/x", "in/y"] {
            let warning = format!("warning: {link}: the same folder as in, which is searched once\n");
            assert_eq!(ran.err.matches(&warning).count(), 1, "{}", ran.err);
        }
        assert_eq!(ran.err.matches("warning").count(), 3, "{}", ran.err);
        assert_eq!(std::fs::read_dir(folder.path("out")).unwrap().count(), 1);
        assert!(folder.path("out/a/1.glb").is_file());
        // So do the other verbs.
        let info = folder.run(&["info", "in/**/*.vmd", "--json"]);
        assert_eq!((info.code, info.out.lines().count()), (Some(0), 1), "{}", info.err);
    }

    #[test]
    fn folders_that_all_link_to_each_other_are_searched_once_under_their_own_names() {
        let folder = Folder::new();
        let all: Vec<String> = (0..9).map(|index| format!("{index}")).collect();
        for own in &all {
            folder.put(&format!("in/{own}/{own}.vmd"), &line());
            for other in all.iter().filter(|other| *other != own) {
                symlink(format!("../{other}"), folder.path(&format!("in/{own}/{other}"))).unwrap();
            }
        }
        let ran = folder.run(&["check", "in/**/*.vmd", "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let found: Vec<Value> =
            ran.json("check.json").iter().map(|checked| checked["file"].clone()).collect();
        let expected: Vec<String> = all.iter().map(|own| format!("in/{own}/{own}.vmd")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_link_leads_to_what_is_found_in_no_other_way() {
        let folder = Folder::new();
        folder.put("in/own/1.vmd", &line());
        folder.put("elsewhere/deep/2.vmd", &line());
        symlink("../elsewhere", folder.path("in/b")).unwrap();
        symlink("../elsewhere", folder.path("in/a")).unwrap();
        symlink("own", folder.path("in/current")).unwrap();
        let found = |pattern: &str| {
            let found = folder.run(&["check", pattern, "--json"]).json("check.json");
            found.iter().map(|checked| checked["file"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found("in/**/*.vmd"), ["in/a/deep/2.vmd", "in/own/1.vmd"]);
        assert_eq!(found("in/**/current/*.vmd"), ["in/current/1.vmd"]);
        assert_eq!(found("in/*/1.vmd"), ["in/current/1.vmd", "in/own/1.vmd"]);
        let up = found("in/*/../own/*.vmd");
        assert_eq!(
            up,
            ["in/current/../own/1.vmd", "in/own/../own/1.vmd"],
            "beside elsewhere is no such folder"
        );
    }

    #[test]
    fn a_link_to_nothing_fails_if_it_is_called_like_a_file_and_else_is_named() {
        let folder = Folder::new();
        folder.put("in/1.vmd", &line());
        symlink("round.vmd", folder.path("in/round.vmd")).unwrap();
        symlink("/nowhere/at/all", folder.path("in/gone.vmd")).unwrap();
        symlink("/nowhere/at/all", folder.path("in/more")).unwrap();
        let ran = convert(&folder, &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("warning: in/more: a broken link: "), "{}", ran.err);
        assert!(ran.err.contains("1 done, 2 failed"), "{}", ran.err);
        assert_eq!(
            became(&folder),
            [
                json!(["in/1.vmd", "1.glb", "done", null]),
                json!(["in/gone.vmd", "gone.glb", "failed", "io"]),
                json!(["in/round.vmd", "round.glb", "failed", "io"]),
            ]
        );
    }

    /// A folder whose path is too long for the system: nobody can read it, whatever their rights.
    fn too_deep(folder: &Folder) -> String {
        let half =
            |root: &str| (0..10).fold(root.to_owned(), |path, _| format!("{path}/{}", "d".repeat(250)));
        for root in ["in/one", "two"] {
            std::fs::create_dir_all(folder.path(&half(root))).unwrap();
        }
        std::fs::rename(folder.path("two"), folder.path(&format!("{}/two", half("in/one")))).unwrap();
        half("in/one")
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_named_and_counts() {
        let folder = Folder::new();
        folder.put("in/1.vmd", &line());
        let deep = too_deep(&folder);
        let ran = convert(&folder, &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("1 done, 1 failed"), "{}", ran.err);
        let lines = manifest(&folder);
        let [refused, done] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((&done["status"], &done["output"]), (&"done".into(), &"1.glb".into()));
        assert_eq!((&refused["status"], &refused["output"]), (&"failed".into(), &Value::Null));
        assert!(refused["input"].as_str().unwrap().starts_with(&deep), "{refused}");
        assert!(refused["message"].as_str().unwrap().contains("a folder that cannot be read: "), "{refused}");

        let checked = folder.run(&["check", "in/**/*.vmd", "--json"]);
        assert_eq!((checked.code, checked.json("check.json").len()), (Some(1), 2), "{}", checked.err);
        // Whom it does not concern it does not stop.
        assert_eq!(folder.run(&["check", "in/*.vmd"]).code, Some(0));
    }

    #[test]
    fn a_folder_without_the_right_to_read_it_is_named_and_counts() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new();
        folder.put("in/1.vmd", &line());
        folder.put("in/locked/2.vmd", &line());
        let locked = folder.path("in/locked");
        let set = |mode| std::fs::set_permissions(&locked, PermissionsExt::from_mode(mode)).unwrap();
        set(0);
        if std::fs::read_dir(&locked).is_ok() {
            eprintln!(
                "SKIPPED: this user may read every folder; the test beside this one has one that nobody can read"
            );
        } else {
            let ran = convert(&folder, &[]);
            assert_eq!(ran.code, Some(1), "{}", ran.err);
            let failed = json!(["in/locked", null, "failed", "io"]);
            assert_eq!(became(&folder), [failed, json!(["in/1.vmd", "1.glb", "done", null])]);
        }
        set(0o755);
    }

    /// Other systems have no such names.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_not_utf_8_is_named_and_counts() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let folder = Folder::new();
        folder.put("in/1.vmd", &line());
        let at = |name: &[u8]| folder.path("in").join(OsStr::from_bytes(name));
        std::fs::create_dir(at(b"\x95\x91")).unwrap();
        for name in [&b"\x95\x91/2.vmd"[..], b"3\xff.vmd", b"3\xfe.vmd", b"\xff.txt"] {
            std::fs::write(at(name), line()).unwrap();
        }
        let names = ["in/%95%91/2.vmd", "in/3%FE.vmd", "in/3%FF.vmd"];
        let ran = convert(&folder, &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("1 done, 3 failed"), "{}", ran.err);
        let said =
            "error: in/3%FF.vmd: a name that is not UTF-8 (each %XX is one byte of it); rename the file\n";
        assert!(ran.err.contains(said), "{}", ran.err);
        let mut expected = names.map(|name| json!([name, null, "failed", "name"])).to_vec();
        expected.push(json!(["in/1.vmd", "1.glb", "done", null]));
        assert_eq!(became(&folder), expected);

        let checked = folder.run(&["check", "in/**/*.vmd", "--json"]);
        let mut files: Vec<_> = checked.json("check.json").iter().map(|one| one["file"].clone()).collect();
        files.sort_by_key(Value::to_string);
        assert_eq!(
            (checked.code, files),
            (
                Some(1),
                [&names[..1], &["in/1.vmd"], &names[1..]].concat().into_iter().map(Value::from).collect()
            )
        );
        let planned = convert(&folder, &["--dry-run"]);
        assert_eq!((planned.code, planned.out.lines().count()), (Some(1), 1), "{}", planned.err);
        let fast = convert(&folder, &["--force", "--fail-fast"]);
        assert_eq!(fast.code, Some(1));
        assert!(fast.err.contains("the rest was not tried"), "{}", fast.err);

        // Once it has another name nothing is left of that.
        std::fs::rename(at(b"3\xff.vmd"), at(b"3.vmd")).unwrap();
        std::fs::remove_file(at(b"3\xfe.vmd")).unwrap();
        std::fs::remove_dir_all(at(b"\x95\x91")).unwrap();
        let mended = convert(&folder, &["--resume"]);
        assert_eq!(mended.code, Some(0), "{}", mended.err);
        let done = [["in/1.vmd", "1.glb"], ["in/3.vmd", "3.glb"]];
        assert_eq!(became(&folder), done.map(|[input, output]| json!([input, output, "done", null])));
    }
}
