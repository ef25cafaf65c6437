//! Motion capture on the command line.

use crate::common::Folder;

/// A bone that turns a little in a tenth of a second, in metres, at ten frames a second.
const CAPTURE: &str = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\tJOINT Left Arm\n\t{\n\t\tOFFSET 0 0.5 0\n\t\tCHANNELS 1 Zrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0.25 0 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 1 0 0 0 0 0\n0 1 0 0 0 0 30\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("arm.bvh", CAPTURE.as_bytes());
    folder
}

#[test]
fn its_faults_have_a_line_and_a_column() {
    let folder = folder();
    let ran = folder.run(&["check", "arm.bvh"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let expected = "arm.bvh: warning [bvh-name-blank] bvh: line 6, column 8 (joints[1].name): expected a name without blanks, found \"Left Arm\"\n";
    assert_eq!(ran.out, expected);
    folder.put("cut.bvh", &CAPTURE.as_bytes()[..CAPTURE.len() - 6]);
    assert_eq!(folder.run(&["check", "cut.bvh"]).code, Some(1));
    let ran = folder.run(&["convert", "cut.bvh", "-o", "cut.glb", "--lenient"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("the end of the file after 5 (left out)"), "{}", ran.err);
}

#[test]
fn its_unit_is_said_or_asked_for() {
    let folder = folder();
    let ran = folder.run(&["convert", "arm.bvh", "-o", "small.glb", "--verbose"]);
    assert!(ran.err.contains("taken as centimetres, so the skeleton is 0.01 m tall"), "{}", ran.err);
    let height = |name: &str| {
        let ran = folder.run(&["sample", name, "--times", "0", "--axes", "gltf", "--json"]);
        let sampled = ran.json("sample.json");
        let hips =
            sampled[0]["tracks"].as_array().unwrap().iter().find(|track| track["target"] == "Hips").unwrap();
        hips["channels"]["translation"][0][1].as_f64().unwrap()
    };
    assert!((height("small.glb") - 0.01).abs() < 1e-9);
    let ran = folder.run(&["convert", "arm.bvh", "-o", "large.glb", "--scale", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!((height("large.glb") - 1.0).abs() < 1e-9);
}

#[test]
fn a_motion_gets_a_frame_for_each_of_the_rate_that_is_asked_for() {
    let folder = folder();
    let ran = folder.run(&["convert", "door.json", "-o", "door.bvh", "--bake", "24"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(folder.get("door.bvh")).unwrap();
    assert!(text.contains("\nFrames: 25\nFrame Time: 0.041667\n"), "{text}");
    assert!(text.ends_with("0.000000 100.000000 0.000000 0.000000 0.000000 90.000000\n"), "{text}");
    let ran = folder.run(&["convert", "arm.bvh", "-o", "same.bvh"]);
    assert_eq!((ran.code, folder.get("same.bvh")), (Some(0), CAPTURE.as_bytes().to_vec()));
}

#[test]
fn more_frames_than_are_allowed_are_refused_and_nothing_is_written() {
    let folder = folder();
    let ran = folder.run(&["convert", "door.json", "-o", "door.bvh", "--bake", "24", "--max-frames", "24"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let said = "bvh: expected at most 24 frames with";
    assert!(
        ran.err.contains(said) && ran.err.contains("found 25 frames; --max-frames 25 allows them"),
        "{}",
        ran.err
    );
    assert!(!folder.names().contains(&"door.bvh".to_owned()), "{:?}", folder.names());
    let ran = folder.run(&["convert", "door.json", "-o", "door.bvh", "--bake", "24", "--max-frames", "25"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = folder.run(&["convert", "door.json", "-o", "other.bvh", "--max-frames", "0"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}
