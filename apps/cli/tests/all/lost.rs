//! A dance whose names the model does not have is not lost in silence.

use crate::common::{Folder, Ran, parts_of};
use dopesheet_testkit::workspace;
use serde_json::{Value, json};

/// The joints of an avatar: name, parent and place relative to it.
const AVATAR: &[(&str, Option<usize>, [f64; 3])] = &[
    ("センター", None, [0.0, 0.0, 0.0]),
    ("Hips", Some(0), [0.0, 1.0, 0.0]),
    ("Spine", Some(1), [0.0, 0.1, 0.0]),
    ("Chest", Some(2), [0.0, 0.15, 0.0]),
    ("Neck", Some(3), [0.0, 0.2, 0.0]),
    ("Head", Some(4), [0.0, 0.1, 0.0]),
    ("LeftUpperArm", Some(3), [0.15, 0.15, 0.0]),
    ("LeftLowerArm", Some(6), [0.25, 0.0, 0.0]),
    ("LeftHand", Some(7), [0.25, 0.0, 0.0]),
    ("RightUpperArm", Some(3), [-0.15, 0.15, 0.0]),
    ("RightLowerArm", Some(9), [-0.25, 0.0, 0.0]),
    ("RightHand", Some(10), [-0.25, 0.0, 0.0]),
    ("LeftUpperLeg", Some(1), [0.1, -0.05, 0.0]),
    ("LeftLowerLeg", Some(12), [0.0, -0.4, 0.0]),
    ("LeftFoot", Some(13), [0.0, -0.45, 0.0]),
    ("RightUpperLeg", Some(1), [-0.1, -0.05, 0.0]),
    ("RightLowerLeg", Some(15), [0.0, -0.4, 0.0]),
    ("RightFoot", Some(16), [0.0, -0.45, 0.0]),
];

/// A GLB with a human figure whose names are not those of MikuMikuDance, but for one.
fn avatar() -> Vec<u8> {
    let node = |(index, (name, _, place)): (usize, &(&str, Option<usize>, [f64; 3]))| {
        let children: Vec<usize> =
            (0..AVATAR.len()).filter(|child| AVATAR[*child].1 == Some(index)).collect();
        let mut node = json!({"name": name, "translation": place});
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    };
    let nodes: Vec<Value> = AVATAR.iter().enumerate().map(node).collect();
    let document =
        json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes});
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
    [&b"glTF"[..], &length(2), &length(20 + text.len()), &length(text.len()), b"JSON", &text].concat()
}

/// A map from the names of MikuMikuDance to the avatar's.
const MAP: &str = "下半身 = Hips\n上半身 = Spine\n上半身2 = Chest\n首 = Neck\n頭 = Head\n左腕 = LeftUpperArm\n左ひじ = LeftLowerArm\n\
    左手首 = LeftHand\n右腕 = RightUpperArm\n右ひじ = RightLowerArm\n右手首 = RightHand\n";

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["bow.vmd", "walk.vmd", "jump.bvh"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder.put("avatar.glb", &avatar());
    folder.put("names.txt", MAP.as_bytes());
    folder
}

/// Asserts that a run refused to lose a motion and wrote nothing.
fn assert_refused(folder: &Folder, ran: &Ran, output: &str) {
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!folder.path(output).exists(), "{output}");
    for word in ["moving track", "nothing was written", "--map", "--partial"] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    assert!(!ran.err.contains("kept"), "{}", ran.err);
}

/// Targets of the channels of the first animation of a GLB.
fn channels(folder: &Folder, name: &str) -> Vec<String> {
    let document = parts_of(&folder.get(name)).0;
    let channels = document["animations"][0]["channels"].as_array().cloned().unwrap_or_default();
    channels.iter().map(|channel| channel["target"]["path"].as_str().unwrap().to_owned()).collect()
}

/// The avatar without a left shin, and with a left leg of another shape than the right one, so that it is no whole figure.
fn one_legged() -> Vec<u8> {
    let mut bytes = avatar();
    let shin = bytes.windows(12).position(|part| part == b"LeftLowerLeg").unwrap();
    bytes[shin..shin + 12].copy_from_slice(b"LeftLowerLog");
    let place = bytes.windows(8).position(|part| part == b"LeftFoot").unwrap();
    let length = place + bytes[place..].windows(5).position(|part| part == b"-0.45").unwrap();
    bytes[length..length + 5].copy_from_slice(b"-0.05");
    bytes
}

#[test]
fn a_dance_on_an_avatar_of_other_names_is_put_onto_it() {
    let folder = folder();
    let ran = folder.run(&["convert", "bow.vmd", "-m", "avatar.glb", "-o", "out.glb", "--verbose"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for word in ["by names of MikuMikuDance", "names of VRM", "as with --onto", "[other-vocabulary]"] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    let onto = folder.run(&["convert", "bow.vmd", "--onto", "avatar.glb", "-o", "onto.glb"]);
    assert_eq!(onto.code, Some(0), "{}", onto.err);
    assert_eq!(folder.get("out.glb"), folder.get("onto.glb"));
    let capture = folder.run(&["convert", "jump.bvh", "-m", "avatar.glb", "-o", "jump.glb", "--verbose"]);
    assert!(capture.code == Some(0) && capture.err.contains("by names of Mixamo"), "{}", capture.err);
    // A model of MikuMikuDance takes its motions by name, whatever its own names are, and one of the same names does so in any format.
    for (motion, model) in [("bow.vmd", "standard"), ("jump.bvh", "jump.bvh")] {
        let ran = folder.run(&["convert", motion, "-m", model, "-o", "x.glb", "--force", "--verbose"]);
        assert!(ran.code == Some(0) && !ran.err.contains("other-vocabulary"), "{}", ran.err);
    }
}

#[test]
fn a_dance_on_what_is_no_whole_figure_is_refused_with_the_nearest_names() {
    let folder = folder();
    folder.put("avatar.glb", &one_legged());
    let ran = folder.run(&["convert", "bow.vmd", "-m", "avatar.glb", "-o", "out.glb"]);
    assert_refused(&folder, &ran, "out.glb");
    for word in ["only 1 reaches avatar.glb", "上半身 (nearest: Spine)", " more; --map"] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    let ran = folder.run(&["convert", "bow.vmd", "-m", "avatar.glb", "-o", "out.glb", "--partial"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        channels(&folder, "out.glb"),
        ["translation", "weights"],
        "センター, and morphs apart from the avatar"
    );
    let mapped = ["convert", "bow.vmd", "-m", "avatar.glb", "-o", "mapped.glb", "--map", "names.txt"];
    let ran = folder.run(&mapped);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(channels(&folder, "mapped.glb").len() > 10);
}

#[test]
fn capture_on_what_is_no_whole_figure_of_other_names_writes_no_file_without_animation() {
    let folder = folder();
    folder.put("foreign.gltf", &with_prefix(&one_legged(), "Bone_"));
    let ran = folder.run(&["convert", "jump.bvh", "-m", "foreign.gltf", "-o", "out.glb"]);
    assert_refused(&folder, &ran, "out.glb");
    assert!(ran.err.contains("none reaches foreign.gltf"), "{}", ran.err);
}

/// An avatar as text, with something in front of every name.
fn with_prefix(avatar: &[u8], prefix: &str) -> Vec<u8> {
    let mut document = parts_of(avatar).0;
    for node in document["nodes"].as_array_mut().unwrap() {
        node["name"] = json!(format!("{prefix}{}", node["name"].as_str().unwrap()));
    }
    document.to_string().into_bytes()
}

#[test]
fn a_figure_that_nothing_moves_is_no_kept_motion() {
    let folder = folder();
    let stranger = parts_of(&avatar()).0.to_string().replace("センター", "Root");
    folder.put("avatar.gltf", stranger.as_bytes());
    for to in ["vrma", "npz"] {
        let output = format!("out.{to}");
        let target = if to == "npz" { "npz@smpl" } else { to };
        let lost = ["convert", "bow.vmd", "-m", "avatar.gltf", "-t", target, "-o", &output];
        assert_refused(&folder, &folder.run(&lost), &output);
        let ran = folder.run(&[&lost[..], &["--partial", "--verbose"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("kept: the rest pose of 17 bones of a humanoid"), "{}", ran.err);
    }
    let ran = folder.run(&["convert", "walk.vmd", "-o", "walk.vrma", "--verbose"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains(" bones of a humanoid, ") && ran.err.contains(" of which move"), "{}", ran.err);
}

#[test]
fn a_tail_that_wags_is_no_motion_of_a_figure() {
    let folder = folder();
    let mut document = parts_of(&avatar()).0;
    let nodes = document["nodes"].as_array_mut().unwrap();
    nodes[1]["children"].as_array_mut().unwrap().push(json!(AVATAR.len()));
    nodes.push(json!({"name": "Tail"}));
    folder.put("cat.gltf", document.to_string().as_bytes());
    folder.put("tail.json", crate::common::DOOR.replace("Hinge", "Tail").as_bytes());
    let ran = folder.run(&["convert", "tail.json", "-m", "cat.gltf", "-o", "cat.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = folder.run(&["convert", "cat.glb", "-o", "cat.vrma"]);
    assert_refused(&folder, &ran, "cat.vrma");
    assert!(ran.err.contains("a bone of a human figure") && ran.err.contains("Tail"), "{}", ran.err);
}

#[test]
fn what_is_added_to_a_file_is_listed_and_nothing_else() {
    let folder = folder();
    let into = |inputs: &[&str], more: &[&str]| {
        let all = [&["convert"], inputs, &["--into", "avatar.glb", "-o", "out.glb", "--json"], more].concat();
        folder.run(&all)
    };
    assert_refused(&folder, &into(&["bow.vmd"], &[]), "out.glb");
    let ran = into(&["bow.vmd", "door.json"], &["--partial", "--clip", "#0"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report = &ran.json("convert-report.json")[0];
    assert_eq!(report["clips"], json!(["bow"]), "{report}");
    assert_eq!(channels(&folder, "out.glb"), ["translation"]);
    let told = |text: &str| {
        report["kept"].to_string().contains(text) || report["approximated"].to_string().contains(text)
    };
    assert!(told("rotation: 1 channel") && !told("weight"), "only センター is there: {report}");
}

#[test]
fn one_lost_dance_does_not_stop_the_others() {
    let folder = folder();
    folder.put("avatar.glb", &one_legged());
    folder.put("in/bow.vmd", &folder.get("bow.vmd"));
    folder.put("in/center.vmd", &crate::common::motion([20, 20, 107, 107]));
    let ran = folder.run(&["convert", "in/*.vmd", "-m", "avatar.glb", "-t", "glb", "-o", "out/"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("1 done, 1 failed"), "{}", ran.err);
    assert!(folder.path("out/center.glb").exists() && !folder.path("out/bow.glb").exists());
}

#[test]
fn what_does_not_move_does_not_count() {
    let folder = folder();
    // Two joints that the model does not have hold their pose; one that it has moves.
    let still = r#"{"name":"Stiff","keys":[{"t":0,"r":[0,10,0]},{"t":1,"r":[0,10,0]}]},"#;
    let two = still.replace("Stiff", "Post") + still;
    folder.put(
        "door.json",
        crate::common::DOOR.replace(r#""nodes":["#, &format!(r#""nodes":[{two}"#)).as_bytes(),
    );
    let ran = folder.run(&["convert", "door.json", "-m", "frame.gltf", "-o", "door.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn what_moves_outside_a_range_does_not_count() {
    let folder = folder();
    // Two joints that the model does not have start when the one that it has has stopped.
    let late = r#"{"name":"Stiff","keys":[{"t":0,"r":[0,10,0]},{"t":1,"r":[0,10,0]},{"t":2,"r":[0,60,0]}]},"#;
    let two = late.replace("Stiff", "Post") + late;
    let door = crate::common::DOOR.replace(r#""duration":1"#, r#""duration":2"#);
    folder.put("door.json", door.replace(r#""nodes":["#, &format!(r#""nodes":[{two}"#)).as_bytes());
    let part = |range| {
        folder.run(&[
            "convert",
            "door.json",
            "-m",
            "frame.gltf",
            "-o",
            "door.glb",
            "--force",
            "--range",
            range,
        ])
    };
    let ran = part("0:1");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = part("1:2");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("of 2 moving tracks none reaches frame.gltf"), "{}", ran.err);
}

/// Puts a door of which one of two joints is in the model.
fn half_a_door(folder: &Folder) {
    let stiff = r#"{"name":"Stiff","keys":[{"t":0,"r":[0,10,0]},{"t":1,"r":[0,60,0]}]},"#;
    let door = crate::common::DOOR.replace(r#""nodes":["#, &format!(r#""nodes":[{stiff}"#));
    folder.put("door.json", door.as_bytes());
}

#[test]
fn what_a_model_lost_is_a_difference() {
    let folder = folder();
    half_a_door(&folder);
    let lost = ["convert", "door.json", "-m", "frame.gltf", "-o", "lost.glb"];
    assert_eq!(folder.run(&lost).code, Some(0));
    let ran = folder.run(&["diff", "door.json", "lost.glb", "-m", "frame.gltf", "--json"]);
    assert_eq!(ran.code, Some(1), "{} {}", ran.out, ran.err);
    let document = &ran.json("diff.json")[0];
    assert!(document["worst"]["model_space_m"].as_f64().unwrap() > 0.001, "{document}");
    let only_in_a = document["only_in_a"].as_array().unwrap();
    assert!(only_in_a.iter().any(|lone| lone["target"] == "Stiff"), "{document}");
    let tracks = document["tracks"].as_array().unwrap();
    assert!(tracks.iter().any(|track| track["target"] == "Stiff"), "{document}");
    let ran = folder.run(&["diff", "lost.glb", "door.json", "-m", "frame.gltf", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(!ran.json("diff.json")[0]["only_in_b"].as_array().unwrap().is_empty());
}

#[test]
fn a_lost_dance_differs_from_the_dance_on_a_figure_of_other_names() {
    let folder = folder();
    let lost = ["convert", "bow.vmd", "-m", "avatar.glb", "-o", "lost.glb", "--partial"];
    assert_eq!(folder.run(&lost).code, Some(0));
    for pair in [["bow.vmd", "lost.glb"], ["lost.glb", "bow.vmd"]] {
        let ran = folder.run(&[&["diff"], &pair[..], &["-m", "avatar.glb"]].concat());
        assert!(ran.code == Some(1) && ran.out.contains("moves only in bow.vmd: Hips"), "{}", ran.out);
        assert!(ran.err.contains("put onto it as with --onto"), "{}", ran.err);
    }
}

#[test]
fn whoever_plays_on_a_model_says_how_much_binds() {
    let folder = folder();
    half_a_door(&folder);
    let run = |arguments: &[&str]| folder.run(&[arguments, &["-m", "frame.gltf"]].concat());
    let ran = run(&["sample", "door.json", "--times", "0", "-o", "door.csv"]);
    assert!(ran.code == Some(0) && ran.err.contains("1 of 2 targets bind"), "{}", ran.err);
    let ran = run(&["plot", "door.json", "-o", "door.svg"]);
    assert!(ran.code == Some(0) && ran.err.contains("1 of 2 targets bind"), "{}", ran.err);
    let ran = run(&["render", "door.json", "-o", "door.png", "--size", "32x32"]);
    assert!(ran.code == Some(0) && ran.err.contains("found none for "), "{}", ran.err);
    let ran = folder.run(&["info", "bow.vmd", "-m", "avatar.glb"]);
    assert!(
        ran.out.contains("on avatar.glb: 1 of ") && ran.out.contains("\"上半身\" (closest: Spine"),
        "{}",
        ran.out
    );
}
