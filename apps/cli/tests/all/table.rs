//! `dopesheet table` keeps its contract: one dataset of many files, nothing half-written, nothing done twice. Other programs read
//! the files in clients/tables.

#[cfg(not(feature = "table"))]
#[test]
fn a_build_without_tables_says_how_to_get_one_with_them() {
    let folder = crate::common::Folder::new();
    let verb = ["table", "*.vmd", "-o", "dataset/"];
    let sample = ["sample", "line.vmd", "--fps", "30", "-o", "line.parquet"];
    for arguments in [&verb[..], &sample] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("`cargo install --path apps/cli --features table`"), "{}", ran.err);
    }
    assert!(!folder.path("dataset").exists() && !folder.path("line.parquet").exists());
}

#[cfg(feature = "table")]
mod with_tables {
    use crate::common::{Folder, Ran, motion};
    use dopesheet_testkit::sha256;
    use serde_json::{Value, json};

    const TABLE: [&str; 6] = ["table", "in/**/*.vmd", "-o", "dataset/", "--chunk-files", "2"];

    /// A folder with five motions in `in/`, the third of them damaged.
    fn folder() -> Folder {
        let folder = Folder::new();
        for index in 0..5 {
            let bytes = motion([20, 20 + index, 107, 107]);
            let end = if index == 2 { 200 } else { bytes.len() };
            folder.put(&format!("in/{}/{index}.vmd", ["a", "b"][usize::from(index) / 3]), &bytes[..end]);
        }
        folder
    }

    fn table(folder: &Folder, more: &[&str]) -> Ran {
        folder.run(&[&TABLE, more].concat())
    }

    /// Everything in the dataset but its manifest, by name.
    fn dataset(folder: &Folder, root: &str) -> Vec<(String, Vec<u8>)> {
        let names = folder.names().into_iter().filter_map(|name| name.strip_prefix(root).map(str::to_owned));
        names.map(|name| (name.clone(), folder.get(&format!("{root}{name}")))).collect()
    }

    fn manifest(folder: &Folder) -> Vec<Value> {
        let out = String::from_utf8(folder.get("dataset/manifest.jsonl")).unwrap();
        Ran { code: None, bytes: Vec::new(), out, err: String::new() }.json("table-manifest.json")
    }

    #[test]
    fn one_bad_file_is_named_and_the_rest_is_done() {
        let folder = folder();
        let ran = table(&folder, &["--json"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("error: in/a/2.vmd: vmd: byte 0x32"), "{}", ran.err);
        assert!(ran.err.contains("failed: in/a/2.vmd\n4 done, 1 failed, in "), "{}", ran.err);
        assert_eq!(ran.json("table.json").len(), 3);
        let lines = manifest(&folder);
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines.iter().map(|line| line["failed"].as_array().unwrap().len()).collect::<Vec<_>>(),
            [0, 1, 0]
        );
        assert_eq!(
            (&lines[1]["failed"][0]["input"], &lines[1]["failed"][0]["code"]),
            (&json!("in/a/2.vmd"), &json!("mmd-count"))
        );
        assert_eq!((&lines[0]["clips"], &lines[0]["rows"]), (&json!(2), &json!(62)));
        for line in &lines {
            for file in line["files"].as_array().unwrap() {
                let bytes = folder.get(&format!("dataset/{}", file["file"].as_str().unwrap()));
                assert_eq!((&file["bytes"], &file["sha256"]), (&json!(bytes.len()), &json!(sha256(&bytes))));
            }
            for input in line["inputs"].as_array().unwrap() {
                let bytes = folder.get(input["input"].as_str().unwrap());
                assert_eq!(input["input_sha256"], json!(sha256(&bytes)));
            }
        }
        // One schema, so one folder.
        let names: Vec<_> = dataset(&folder, "dataset/skeleton=").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 3);
        assert!(names.iter().all(|name| name[..12] == names[0][..12]), "{names:?}");
        assert!(folder.names().iter().all(|name| !name.ends_with(".part")));
    }

    #[test]
    fn neither_cores_nor_an_earlier_run_change_a_byte() {
        for more in
            [&["-t", "parquet"][..], &["-t", "arrow"], &["--layout", "long"], &["--precision", "double"]]
        {
            let folder = folder();
            table(&folder, more);
            let all = dataset(&folder, "dataset/");
            assert!(all.len() >= 4, "{more:?}: {all:?}");
            let one = ["table", "in/**/*.vmd", "-o", "one/", "--chunk-files", "2", "-j", "1"];
            folder.run(&[&one, more].concat());
            assert!(dataset(&folder, "one/") == all, "{more:?}");
            let again = table(&folder, &[more, &["--resume"]].concat());
            assert!(again.err.contains("4 done (4 by an earlier run), 1 failed"), "{}", again.err);
            assert_eq!(again.code, Some(1), "the damaged one is named again");
            assert!(dataset(&folder, "dataset/") == all, "{more:?}");
        }
    }

    #[test]
    fn two_datasets_are_not_mixed() {
        let folder = folder();
        table(&folder, &[]);
        let before = dataset(&folder, "dataset/");
        for (more, said) in [
            (&[][..], "the folder has a dataset already; --resume resumes it, --force replaces it"),
            (
                &["--resume", "--fps", "10"],
                "the dataset was made of other inputs, or with other options or another version",
            ),
        ] {
            let ran = table(&folder, more);
            assert!(ran.code == Some(2) && ran.err.contains(said), "{}", ran.err);
            assert!(dataset(&folder, "dataset/") == before);
        }
        folder.put("in/a/7.vmd", &motion([1, 2, 3, 4]));
        assert_eq!(table(&folder, &["--resume"]).code, Some(2), "another input moves all that follow");

        // Fewer inputs, made anew: nothing of the earlier dataset stays.
        std::fs::remove_dir_all(folder.path("in/b")).unwrap();
        for name in ["in/a/2.vmd", "in/a/7.vmd"] {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
        let ran = table(&folder, &["--force"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!((manifest(&folder).len(), dataset(&folder, "dataset/skeleton=").len()), (1, 1));
    }

    #[test]
    fn a_file_that_was_mended_is_taken_in_and_the_others_stay() {
        let folder = folder();
        table(&folder, &[]);
        folder.put("in/a/2.vmd", &motion([20, 22, 107, 107]));
        let ran = table(&folder, &["--resume"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("5 done (3 by an earlier run), 0 failed"), "{}", ran.err);
        let fresh = self::folder();
        fresh.put("in/a/2.vmd", &motion([20, 22, 107, 107]));
        table(&fresh, &[]);
        assert!(dataset(&folder, "dataset/") == dataset(&fresh, "dataset/"));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let folder = folder();
        for (arguments, words) in [
            (
                &["table", "in/**/*.vmd", "-o", "d/", "-t", "glb"][..],
                "cannot write tables as \"glb\"; choose parquet or arrow",
            ),
            (&["table", "in/**/*.vmd", "-o", "d/", "--only", "bones"], "choose from joint, morph,"),
            (&["table", "in/**/*.vmd", "-o", "d/", "--fps", "0"], "found 0"),
            (
                &["table", "in/a/0.vmd", "in/a/0.vmd", "-o", "d/"],
                "in/a/0.vmd and in/a/0.vmd would both be written to",
            ),
            (
                &["table", "in/a/0.vmd", "-o", "line.vmd"],
                "a dataset is written to a folder, and line.vmd is not one",
            ),
        ] {
            let ran = folder.run(arguments);
            assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
            assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
            assert!(!folder.path("d").exists());
        }
        let ran = folder.run(&["table", "door.json", "-o", "d/"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("expected times or a rate, because this file has no frames"), "{}", ran.err);
        let model = folder.run(&["table", "frame.gltf", "-o", "e/"]);
        assert!(model.err.contains("nothing to convert: the file has no motion"), "{}", model.err);
    }

    #[test]
    fn a_plan_is_said_and_nothing_is_written() {
        let folder = folder();
        let before = folder.names();
        let ran = table(&folder, &["-n", "--json"]);
        let lines = ran.json("convert-plan.json");
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["inputs"], json!(["in/a/0.vmd", "in/a/1.vmd"]));
        assert_eq!(folder.names(), before);
    }
}
