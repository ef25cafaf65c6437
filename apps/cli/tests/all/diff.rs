//! `dopesheet diff` keeps its contract.

use crate::common::{DOOR, Folder, motion};
use serde_json::json;

#[test]
fn a_file_is_within_any_tolerance_of_itself() {
    let folder = Folder::new();
    for file in ["door.json", "bow.vmd", "camera.vmd", "frame.gltf"] {
        let ran = folder.run(&["diff", file, file, "--tolerance", "0.001um", "--json"]);
        assert_eq!(ran.code, Some(0), "{file}: {}{}", ran.out, ran.err);
        let document = &ran.json("diff.json")[0];
        assert_eq!(
            (&document["within_tolerance"], &document["worst"]),
            (&json!(true), &json!(null)),
            "{file}"
        );
    }
}

#[test]
fn a_conversion_without_loss_is_within_and_a_coarse_bake_is_not() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["convert", "line.vmd", "-o", "line.glb"]).code, Some(0));
    let ran = folder.run(&["diff", "line.vmd", "line.glb", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    ran.json("diff.json");
    assert_eq!(folder.run(&["convert", "bow.vmd", "-o", "rough.glb", "--bake", "1"]).code, Some(0));
    let ran = folder.run(&["diff", "bow.vmd", "rough.glb", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let document = &ran.json("diff.json")[0];
    let worst = &document["worst"];
    assert_eq!((&worst["target"], &document["hierarchy"]), (&json!("センター"), &json!("unknown")));
    assert!(worst["model_space_m"].as_f64().unwrap() > 0.04, "{worst}");
}

#[test]
fn the_worst_comes_first_and_says_where_and_when() {
    let folder = Folder::new();
    folder.put("wide.json", DOOR.replace("[0,90,0]", "[0,100,0]").as_bytes());
    let ran = folder.run(&["diff", "door.json", "wide.json"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("door.json and wide.json are NOT within 0.1 mm"), "{}", ran.out);
    assert!(
        ran.out.contains("worst: Hinge, model space 17.4 cm (at most 0.1 mm) at 1.000 s, turned by 10°"),
        "{}",
        ran.out
    );
}

#[test]
fn a_tolerance_says_how_far_and_around_what() {
    let folder = Folder::new();
    folder.put("wide.json", DOOR.replace("[0,90,0]", "[0,91,0]").as_bytes());
    for (tolerance, code) in [("2cm", 0), ("1cm", 1), ("1cm@50cm", 0), ("1mm@3cm", 0), ("0.1mm@3cm", 1)] {
        let ran = folder.run(&["diff", "door.json", "wide.json", "--tolerance", tolerance]);
        assert_eq!(ran.code, Some(code), "{tolerance}: {}", ran.out);
    }
    assert_eq!(folder.run(&["diff", "door.json", "wide.json", "--tolerance", "1in"]).code, Some(2));
}

#[test]
fn names_can_be_mapped() {
    let folder = Folder::new();
    folder.put("other.json", DOOR.replace("Hinge", "Scharnier").as_bytes());
    let ran = folder.run(&["diff", "door.json", "other.json", "--json"]);
    assert_eq!(ran.code, Some(1));
    let document = &ran.json("diff.json")[0];
    assert_eq!(
        (&document["only_in_a"][0]["target"], &document["only_in_b"][0]["target"]),
        (&json!("Hinge"), &json!("Scharnier"))
    );
    folder.put("names.txt", "Hinge = Scharnier\n".as_bytes());
    assert_eq!(folder.run(&["diff", "door.json", "other.json", "--map", "names.txt"]).code, Some(0));
}

#[test]
fn a_motion_on_its_model_is_compared_in_model_space() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["convert", "door.json", "-m", "frame.gltf", "-o", "door.glb"]).code, Some(0));
    let ran = folder.run(&["diff", "door.json", "door.glb", "-m", "frame.gltf", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert_eq!(ran.json("diff.json")[0]["hierarchy"], "known");
}

#[test]
fn wrong_requests_say_what_was_expected() {
    let folder = Folder::new();
    folder.put("two.vmd", &motion([20, 20, 107, 107]));
    let ran = folder.run(&["diff", "door.json", "two.vmd", "--clip", "nope"]);
    assert!(ran.code == Some(2) && ran.err.contains("expected a clip of this file (door)"), "{}", ran.err);
    let ran = folder.run(&["diff", "*.vmd", "door.json"]);
    assert!(ran.code == Some(2) && ran.err.contains(" files match "), "{}", ran.err);
    assert_eq!(folder.run(&["diff", "door.json", "broken.vmd"]).code, Some(1));
}
