//! `dopesheet render` keeps its contract.

use crate::common::Folder;

/// Width, height and number of pictures of a PNG.
fn png(bytes: &[u8]) -> (u32, u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let moving = bytes.windows(4).position(|word| word == b"acTL").map_or(1, |at| number(at + 4));
    (number(16), number(20), moving)
}

#[test]
fn a_sheet_is_written_once_and_again_only_by_force() {
    let folder = Folder::new();
    let ran = folder.run(&["render", "bow.vmd", "-o", "bow.png", "--size", "40x30"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(ran.err.contains("model-assumed") && ran.err.contains("-m standard"), "{}", ran.err);
    let picture = folder.get("bow.png");
    assert_eq!(png(&picture), (120, 90, 1));
    let ran = folder.run(&["render", "door.json", "-o", "bow.png"]);
    assert!(ran.code == Some(1) && ran.err.contains("exists already"), "{}", ran.err);
    assert_eq!(folder.get("bow.png"), picture);
    assert_eq!(folder.run(&["render", "door.json", "-o", "bow.png", "--force"]).code, Some(0));
}

#[test]
fn a_sheet_has_the_times_and_columns_that_were_asked_for() {
    let folder = Folder::new();
    let ran = folder.run(&[
        "render",
        "line.vmd",
        "-m",
        "standard",
        "-o",
        "line.png",
        "--times",
        "0,15f,1",
        "--columns",
        "2",
        "--size",
        "64x48",
        "--view",
        "front",
        "--background",
        "dark",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said = &ran.json("render.json")[0];
    assert_eq!(said["times_s"], serde_json::json!([0.0, 0.5, 1.0]));
    assert_eq!((&said["width_px"], &said["height_px"]), (&128.into(), &96.into()));
    assert_eq!(png(&folder.get("line.png")), (128, 96, 1));
}

#[test]
fn loops_have_a_picture_for_each_time() {
    let folder = Folder::new();
    let ran = folder.run(&["render", "bow.vmd", "-o", "bow.apng", "--fps", "5", "--size", "48x48"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(png(&folder.get("bow.apng")), (48, 48, 6));
    let ran = folder.run(&["render", "bow.vmd", "-o", "bow.gif", "--range", "0:0.5:0.25", "--size", "48x40"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let gif = folder.get("bow.gif");
    assert_eq!((&gif[..6], &gif[6..10], gif.last()), (&b"GIF89a"[..], &[48, 0, 40, 0][..], Some(&b';')));
    assert_eq!(gif.windows(3).filter(|bytes| *bytes == [0x21, 0xF9, 4]).count(), 3);
}

#[test]
fn a_file_without_motion_is_drawn_once() {
    let folder = Folder::new();
    let ran = folder.run(&["render", "frame.gltf", "-o", "frame.png", "--json"]);
    assert_eq!(ran.json("render.json")[0]["times_s"], serde_json::json!([0.0]), "{}", ran.err);
}

#[test]
fn a_sheet_can_go_to_standard_output() {
    let folder = Folder::new();
    let ran = folder.run(&["render", "camera.vmd", "-o", "-", "--times", "0", "--size", "32x32"]);
    assert_eq!(png(&ran.bytes), (32, 32, 1), "{}", ran.err);
}

#[test]
fn wrong_requests_say_what_was_expected() {
    let folder = Folder::new();
    for (arguments, words) in [
        (
            &["render", "bow.vmd", "-o", "bow.svg"][..],
            "the name of the picture must end in .png, .gif or .apng",
        ),
        (&["render", "bow.vmd", "-o", "x.png", "--size", "9000x4"], "expected pictures of 16 to 2048 pixels"),
        (&["render", "bow.vmd", "-o", "x.png", "--size", "9"], "invalid size \"9\"; give pixels as 320x240"),
        (
            &["render", "bow.vmd", "-o", "x.png", "--fps", "100000"],
            "expected 1 to 10000 pictures, found 100001",
        ),
        (
            &["render", "bow.vmd", "-o", "x.png", "--fps", "900", "--size", "2048x2048"],
            "expected a sheet of at most",
        ),
        (&["render", "bow.vmd", "-o", "x.gif", "--times", "1,0"], "expected ascending times for a loop"),
        (
            &["render", "bow.vmd", "-o", "x.png", "--background", "#12345"],
            "expected light, dark, transparent",
        ),
        (&["render", "bow.vmd", "-o", "-", "--json"], "both write to standard output"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
    let ran = folder.run(&["render", "broken.vmd", "-o", "x.png"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!folder.path("x.png").exists() && !folder.path("x.gif").exists());
}
