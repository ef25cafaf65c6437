//! `dopesheet plot` keeps its contract.

use crate::common::Folder;

#[test]
fn a_picture_is_written_once_and_again_only_by_force() {
    let folder = Folder::new();
    let ran = folder.run(&["plot", "bow.vmd", "-o", "bow.svg"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let picture = String::from_utf8(folder.get("bow.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains(">センター<"));
    let ran = folder.run(&["plot", "door.json", "-o", "bow.svg"]);
    assert!(ran.code == Some(1) && ran.err.contains("exists already"), "{}", ran.err);
    assert_eq!(folder.get("bow.svg"), picture.as_bytes());
    assert_eq!(folder.run(&["plot", "door.json", "-o", "bow.svg", "--force"]).code, Some(0));
}

#[test]
fn a_picture_can_go_to_standard_output() {
    let folder = Folder::new();
    let ran = folder.run(&["plot", "camera.vmd", "-o", "-"]);
    assert!(ran.code == Some(0) && ran.out.ends_with("</svg>\n"), "{}", ran.err);
}

#[test]
fn targets_and_channels_are_selected_by_glob() {
    let folder = Folder::new();
    let ran = folder.run(&["plot", "bow.vmd", "-o", "-", "--select", "セン*/rot*"]);
    assert!(ran.out.contains(">rotation<") && !ran.out.contains(">translation<"), "{}", ran.err);
    let ran = folder.run(&["plot", "bow.vmd", "-o", "-", "--select", "センター"]);
    assert!(ran.out.contains(">rotation<") && ran.out.contains(">translation<"), "{}", ran.err);
}

#[test]
fn two_markers_at_one_time_have_both_labels() {
    let folder = Folder::new();
    folder.run(&["convert", "door.json", "-o", "plain.anim"]);
    let made = folder.run(&[
        "edit",
        "plain.anim",
        "-o",
        "door.anim",
        "-e",
        "markers add 0.25 creak",
        "-e",
        "markers add 0.25 knock",
    ]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let ran = folder.run(&["plot", "door.anim", "-o", "-"]);
    assert!(ran.out.contains(">creak, knock</text>"), "{}", ran.err);
}

#[test]
fn what_was_written_is_said_as_json() {
    let folder = Folder::new();
    let ran = folder.run(&["plot", "door.json", "-o", "door.svg", "--json"]);
    assert_eq!(ran.json("plot.json")[0]["output"], "door.svg");
}

#[test]
fn wrong_requests_say_what_was_expected() {
    let folder = Folder::new();
    for (arguments, words) in [
        (&["plot", "bow.vmd", "-o", "bow.png"][..], "the name of the picture must end in .svg: bow.png"),
        (&["plot", "bow.vmd", "-o", "x.svg", "--select", "nobody"], "expected a target or target/channel"),
        (&["plot", "bow.vmd", "-o", "x.svg", "--select", "[a"], "invalid glob pattern"),
        (&["plot", "bow.vmd", "-o", "-", "--json"], "both write to standard output"),
        (&["plot", "frame.gltf", "-o", "x.svg"], "expected keys, found none"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
    assert!(!folder.path("x.svg").exists());
}
