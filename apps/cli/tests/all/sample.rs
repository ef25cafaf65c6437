//! `dopesheet sample` keeps its contract.

use crate::common::Folder;
use serde_json::json;

#[test]
fn values_are_given_as_stored_by_default() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "line.vmd", "--times", "0,0.5,30f", "--json"]);
    let document = &ran.json("sample.json")[0];
    assert_eq!(document["times_s"], json!([0.0, 0.5, 1.0]));
    let track = &document["tracks"][0];
    assert_eq!((&track["target"], &track["kind"]), (&json!("センター"), &json!("joint")));
    assert_eq!(track["channels"]["translation"], json!([[0.0, 0.0, 0.0], [0.5, 1.0, 1.5], [1.0, 2.0, 3.0]]));
}

#[test]
fn gltf_axes_are_metres_and_mirrored() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "line.vmd", "--times=1", "--axes", "gltf", "--json"]);
    let at = &ran.json("sample.json")[0]["tracks"][0]["channels"]["translation"][0];
    let close = |i: usize, want: f64| (at[i].as_f64().unwrap() - want).abs() < 1e-6;
    assert!(close(0, 0.08) && close(1, 0.16) && close(2, -0.24), "{at}");
}

#[test]
fn times_may_lie_outside_the_clip() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "line.vmd", "--times=-3,0,9", "--json"]);
    let rows = &ran.json("sample.json")[0]["tracks"][0]["channels"]["translation"];
    assert_eq!(rows, &json!([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]));
}

#[test]
fn a_camera_is_named_as_its_file_names_it() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "camera.vmd", "--times=0", "--json"]);
    let channels = &ran.json("sample.json")[0]["tracks"][0]["channels"];
    assert_eq!(channels["target"], json!([[0.0, 10.0, 0.0]]));
    assert_eq!(channels["distance"], json!([-45.0]));
    assert_eq!(channels["yfov_deg"], json!([30.0]));
}

#[test]
fn tables_have_one_row_per_number() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "door.json", "--fps", "2", "-o", "door.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(folder.get("door.csv")).unwrap();
    assert_eq!(text.lines().next(), Some("time_s,target,index,kind,channel,component,value"));
    assert_eq!(text.lines().count(), 1 + 3 * (3 + 4 + 3));
}

/// `door.anim` with three markers, two of which are at one time.
fn marked(folder: &Folder) {
    let made = folder.run(&["convert", "door.json", "-o", "plain.anim"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let mut arguments = vec!["edit", "plain.anim", "-o", "door.anim"];
    for operation in ["markers add 0.9 shut", "markers add 0.25 creak", "markers add 0.25 knock"] {
        arguments.extend(["-e", operation]);
    }
    let made = folder.run(&arguments);
    assert_eq!(made.code, Some(0), "{}", made.err);
}

#[test]
fn markers_are_in_json_and_in_both_layouts_of_csv() {
    let folder = Folder::new();
    marked(&folder);
    let sample = |more: &[&str]| folder.run(&[&["sample", "door.anim", "--fps", "2"], more].concat());
    let markers = sample(&["--json"]).json("sample.json")[0]["markers"].clone();
    let names: Vec<_> = markers.as_array().unwrap().iter().map(|marker| &marker["name"]).collect();
    assert_eq!(names, ["creak", "knock", "shut"], "{markers}");
    assert!((markers[0]["time_s"].as_f64().unwrap() - 0.25).abs() < 1e-6);
    let long = sample(&[]).out;
    assert!(long.ends_with("0.25,knock,1,marker,time_s,0,0.25\n0.8999999761581421,shut,2,marker,time_s,0,0.8999999761581421\n"), "{long}");
    let wide = sample(&["--layout", "wide"]).out;
    let rows: Vec<&str> = wide.lines().collect();
    assert!(rows[0].ends_with(",markers") && rows[1].ends_with(",creak; knock"), "{wide}");
    assert!(rows[2].ends_with(',') && rows[3].ends_with(",shut"), "{wide}");
}

#[test]
fn wide_tables_have_one_row_per_time_and_one_column_per_number() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "camera.vmd", "--times", "0,1", "-o", "a.csv", "--layout", "wide"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(folder.get("a.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert_eq!(rows[0][..4], ["time_s", "camera/target/0", "camera/target/1", "camera/target/2"]);
    assert!(
        rows[0].contains(&"camera/distance") && rows.iter().all(|row| row.len() == rows[0].len()),
        "{text}"
    );
    assert_eq!(rows[1][..4], ["0", "0", "10", "0"]);
    let wrong = folder.run(&["sample", "camera.vmd", "--times", "0", "--json", "--layout", "wide"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("--layout is of CSV"), "{}", wrong.err);
}

/// The numbers of an array in an archive, and its shape as NumPy writes it.
fn array(archive: &[u8], name: &str) -> (String, Vec<f64>) {
    use std::io::Read;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    let mut bytes = Vec::new();
    zip.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut bytes).unwrap();
    let header = String::from_utf8_lossy(&bytes[10..128]).into_owned();
    let shape = header.split("'shape': ").nth(1).unwrap().split(", }").next().unwrap().to_owned();
    (shape, bytes[128..].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect())
}

#[test]
fn arrays_have_one_row_per_time() {
    let folder = Folder::new();
    let ran = folder.run(&["sample", "line.vmd", "--times", "0,0.5,1", "-o", "line.npz"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bytes = folder.get("line.npz");
    assert_eq!(array(&bytes, "times_s"), ("(3,)".into(), vec![0.0, 0.5, 1.0]));
    let (shape, values) = array(&bytes, "センター/translation");
    assert_eq!((shape.as_str(), &values[3..6]), ("(3, 3)", &[0.5, 1.0, 1.5][..]));
    assert_eq!(array(&bytes, "センター/rotation").1.len(), 12);
    let zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let names: Vec<_> = zip.file_names().filter_map(Result::ok).collect();
    assert!(
        ["names.npy", "targets.npy", "channels.npy", "kinds.npy"]
            .iter()
            .all(|n| names.iter().any(|name| name == n))
    );
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::new();
    folder.put("out.npz", b"mine");
    let ran = folder.run(&["sample", "line.vmd", "--fps", "30", "-o", "out.npz"]);
    assert!(ran.code == Some(1) && ran.err.contains("exists already"), "{}", ran.err);
    assert_eq!(folder.get("out.npz"), b"mine");
    assert_eq!(folder.run(&["sample", "line.vmd", "--fps", "30", "-o", "out.npz", "--force"]).code, Some(0));
}

#[test]
fn wrong_requests_say_what_was_expected() {
    let folder = Folder::new();
    for (arguments, words) in [
        (&["sample", "line.vmd"][..], "no sample times; pass --times, --fps or --range"),
        (&["sample", "line.vmd", "--times", "0", "--space", "model"], "needs a hierarchy"),
        (&["sample", "door.json", "--times", "3f"], "has no frames"),
        (
            &["sample", "line.vmd", "--times", "soon"],
            "expected a time in seconds (1.5) or frames (45f), found \"soon\"",
        ),
        (
            &["sample", "line.vmd", "--fps", "1", "-o", "out.npy"],
            "the name of the output must end in .csv, .json, .npz, .parquet or .arrow",
        ),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}
