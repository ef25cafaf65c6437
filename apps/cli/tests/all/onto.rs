//! `convert --onto`: motions of figures on other figures.

use crate::common::{Folder, parts_of};
use dopesheet_testkit::workspace;
use serde_json::{Value, json};

/// A folder with a capture, a character and a recording of hands.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["jump.bvh", "character.glb", "hands.bin"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder
}

#[test]
fn a_capture_is_added_to_a_character_and_its_report_says_how() {
    let folder = folder();
    let ran = folder.run(&["convert", "jump.bvh", "--onto", "character.glb", "-o", "out.glb", "--verbose"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("hip translation scaled by"), "{}", ran.err);
    let (before, after) = (parts_of(&folder.get("character.glb")).0, parts_of(&folder.get("out.glb")).0);
    assert_eq!(after["meshes"], before["meshes"]);
    let count = |document: &Value| document["animations"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&after), count(&before) + 1);
}

/// An avatar of which the author allows as much as `meta` says, with two bones; what else it needs is found by names.
fn avatar(character: &[u8], meta: &Value) -> Vec<u8> {
    let (mut document, _) = parts_of(character);
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {"meta": meta, "humanoid": {"humanBones": []}}});
    glb(&document, character)
}

/// A GLB of changed JSON with the binary part of another one.
fn glb(document: &Value, of: &[u8]) -> Vec<u8> {
    let bin = parts_of(of).1;
    let mut text = document.to_string();
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(4) - text.len()));
    let word = |number: usize| (number as u32).to_le_bytes();
    let chunks = [&word(text.len())[..], b"JSON", text.as_bytes(), &word(bin.len()), b"BIN\0", bin].concat();
    [&b"glTF"[..], &word(2), &word(12 + chunks.len()), &chunks].concat()
}

#[test]
fn a_vrm_with_a_motion_is_a_vrm() {
    let folder = folder();
    let meta = json!({"title": "Ours", "licenseName": "CC_BY_ND", "allowedUserName": "OnlyAuthor"});
    folder.put("hero.vrm", &avatar(&folder.get("character.glb"), &meta));
    for arguments in [&["-o", "dancing.vrm"][..], &["-t", "vrm", "-o", "other"], &["-t", "vrm", "-o", "-"]] {
        let mut all = vec!["convert", "jump.bvh", "--onto", "hero.vrm"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("[vrm-terms]") && ran.err.contains("[vrm-players]"), "{}", ran.err);
    }
    let avatar = folder.get("dancing.vrm");
    assert_eq!(parts_of(&avatar).0["extensions"], parts_of(&folder.get("hero.vrm")).0["extensions"]);
    assert_eq!(folder.get("other/jump.vrm"), avatar);
    let info = folder.run(&["info", "dancing.vrm"]);
    for words in ["VRM avatar (vrm), VRM 0.x", "licenseName: CC_BY_ND", "allowedUserName: OnlyAuthor"] {
        assert!(info.out.contains(words), "{}", info.out);
    }
    let ran = folder.run(&["convert", "jump.bvh", "--onto", "hero.vrm", "--motion-only", "-o", "alone.glb"]);
    assert!(ran.code == Some(0) && !ran.err.contains("[vrm-"), "{}", ran.err);
    let edited = folder.run(&["edit", "dancing.vrm", "-e", "trim 0:1", "-o", "shorter.vrm"]);
    assert_eq!(edited.code, Some(0), "{}", edited.err);
    assert_eq!(parts_of(&folder.get("shorter.vrm")).0["extensions"], parts_of(&avatar).0["extensions"]);
}

#[test]
fn a_vrm_without_an_avatar_is_refused_with_both_ways_out() {
    let folder = folder();
    for arguments in
        [&["-o", "x.vrm"][..], &["-t", "vrm", "-o", "-"], &["-o", "x.vrm", "--into", "character.glb"]]
    {
        let mut all = vec!["convert", "jump.bvh"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert_ne!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("avatar"), "{}", ran.err);
        assert!(!folder.path("x.vrm").exists());
    }
    let ran = folder.run(&["convert", "jump.bvh", "-o", "x.vrm"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--onto avatar.vrm") && ran.err.contains("a vrma"), "{}", ran.err);
}

#[test]
fn a_vocabulary_may_be_given_for_either_figure() {
    let folder = folder();
    let right = folder.run(&["info", "jump.bvh", "--vocabulary", "mixamo:mixamo", "--onto", "character.glb"]);
    assert!(right.out.contains("by names of Mixamo, 100 % sure; missing"), "{}", right.out);
    let wrong = folder.run(&["info", "jump.bvh", "--vocabulary", "soma"]);
    assert!(
        wrong.out.contains("by names of SOMA") && wrong.out.contains("required but missing"),
        "{}",
        wrong.out
    );
    let convert = |name: &str, vocabulary: &[&str]| {
        let mut all = vec!["convert", "jump.bvh", "--onto", "character.glb", "-o", name];
        all.extend(vocabulary);
        let ran = folder.run(&all);
        (ran.code, ran.err)
    };
    assert_eq!(convert("guessed.glb", &[]).0, Some(0));
    assert_eq!(convert("told.glb", &["--vocabulary", "mixamo:mixamo"]).0, Some(0));
    assert_eq!(folder.get("told.glb"), folder.get("guessed.glb"));
    let (code, words) = convert("wrong.glb", &["--vocabulary", ":soma"]);
    assert!(code == Some(1) && words.contains("character.glb"), "{words}");
    let (code, words) = convert("wrong.glb", &["--vocabulary", "klingon"]);
    assert!(code == Some(2) && words.contains("rokoko"), "{words}");
}

#[test]
fn a_map_may_name_the_bones_of_the_target_alone() {
    let folder = folder();
    let (mut document, _) = parts_of(&folder.get("character.glb"));
    let mut map = String::new();
    for node in document["nodes"].as_array_mut().unwrap() {
        let bone = match node["name"].as_str().unwrap() {
            "Hips" => "hips",
            "LeftUpLeg" => "leftUpperLeg",
            // Legs that are not alike are none by the shape of the figure.
            "LeftLeg" => {
                node["translation"] = json!([0.0, -0.1, 0.0]);
                continue;
            }
            _ => continue,
        };
        node["name"] = json!(format!("Bone of {bone}"));
        map += &format!("Bone of {bone} = {bone}\n");
    }
    folder.put("foreign.glb", &glb(&document, &folder.get("character.glb")));
    folder.put("map.txt", map.as_bytes());
    let convert = ["convert", "jump.bvh", "--onto", "foreign.glb", "-o", "out.glb"];
    let ran = folder.run(&convert);
    assert!(ran.code == Some(1) && ran.err.contains("no node for hips, leftUpperLeg"), "{}", ran.err);
    let ran = folder.run(&[&convert[..], &["--map", "map.txt"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (after, nodes) = (parts_of(&folder.get("out.glb")).0, document["nodes"].as_array().unwrap().clone());
    let hips = nodes.iter().position(|node| node["name"] == "Bone of hips").unwrap();
    let channels =
        after["animations"].as_array().unwrap().last().unwrap()["channels"].as_array().unwrap().clone();
    assert!(channels.iter().any(|channel| channel["target"]["node"] == json!(hips)));
    folder.put("wrong.txt", b"nobody = hips\n");
    let ran = folder.run(&[&convert[..], &["--map", "wrong.txt", "--force"]].concat());
    assert!(ran.code == Some(2) && ran.err.contains("none of the names to be mapped"), "{}", ran.err);
}

#[test]
fn a_map_mends_the_motion_alone_where_the_figure_has_the_same_names() {
    let folder = folder();
    let jump = String::from_utf8(folder.get("jump.bvh")).unwrap();
    let crossed = jump.replace(" LeftArm\n", " ?\n").replace(" RightArm\n", " LeftArm\n");
    let crossed = crossed.replace(" ?\n", " RightArm\n");
    folder.put("figure.bvh", jump.as_bytes());
    folder.put("map.txt", b"[motion]\nRightArm = leftUpperArm\nLeftArm = rightUpperArm\n[figure]\n");
    let onto = |made: &str, more: &[&str]| {
        let convert = ["convert", "jump.bvh", "--onto", "figure.bvh", "-t", "glb", "-o", made];
        let ran = folder.run(&[&convert[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        folder.get(made)
    };
    let right = onto("right.glb", &[]);
    folder.put("jump.bvh", crossed.as_bytes());
    assert!(onto("crossed.glb", &[]) != right && onto("mended.glb", &["--map", "map.txt"]) == right);
    let ran = folder.run(&["info", "jump.bvh", "--onto", "figure.bvh", "--map", "map.txt"]);
    let line = ran.out.lines().find(|line| line.contains("leftUpperArm")).unwrap_or_default();
    assert!(line.contains("RightArm") && line.contains("LeftArm"), "{}", ran.out);
}

#[test]
fn a_shape_that_contradicts_the_names_is_refused_and_halves_the_certainty() {
    let folder = folder();
    // Left for right in all names turns the figure inside out.
    let text = String::from_utf8(folder.get("jump.bvh")).unwrap();
    let swapped = text.replace("Left", "@").replace("Right", "Left").replace('@', "Right");
    folder.put("swapped.bvh", swapped.as_bytes());
    let info = folder.run(&["info", "swapped.bvh"]);
    assert!(info.out.contains("50 % sure") && info.out.contains("is on the right side"), "{}", info.out);
    let convert = ["convert", "swapped.bvh", "--onto", "character.glb", "-o", "out.glb"];
    let ran = folder.run(&convert);
    assert!(ran.code == Some(1) && ran.err.contains("is on the right side"), "{}", ran.err);
    assert!(!folder.path("out.glb").exists());
    let ran = folder.run(&[&convert[..], &["--partial"]].concat());
    assert!(ran.code == Some(0) && ran.err.contains("[figure-shape]"), "{}", ran.err);
    let ran = folder.run(&["convert", "jump.bvh", "--onto", "character.glb", "-o", "out2.glb"]);
    assert!(!ran.err.contains("[figure-shape]"), "{}", ran.err);
}

#[test]
fn a_result_is_compared_with_its_motion_by_where_limbs_point_and_soles_are() {
    let folder = folder();
    let ran =
        folder.run(&["convert", "jump.bvh", "--onto", "character.glb", "-o", "out.glb", "--motion-only"]);
    assert!(ran.code == Some(0) && ran.err.contains("good: poses as in the source"), "{}", ran.err);
    let diff = ["diff", "jump.bvh", "out.glb", "--onto"];
    let ran = folder.run(&[&diff[..], &["--tolerance", "15deg", "--tolerance", "20mm"]].concat());
    assert!(
        ran.code == Some(0) && ran.out.contains(": good: poses as in the source"),
        "{} {}",
        ran.out,
        ran.err
    );
    let ran = folder.run(&[&diff[..], &["--tolerance", "0.0001mm", "--json"]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert_eq!(ran.json("diff-onto.json")[0]["within_tolerance"], json!(false));
    let ran = folder.run(&[&diff[..], &["--tolerance", "0.0001mm"]].concat());
    assert!(
        ran.out.contains(": good: ") && ran.out.contains(", soles "),
        "what is over is told: {}",
        ran.out
    );
    let ran = folder.run(&[&diff[..], &["--tolerance", "1degree"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let ran = folder.run(&["diff", "jump.bvh", "hands.bin", "--onto"]);
    assert!(ran.code == Some(2) && ran.err.contains("expected a motion of a human figure"), "{}", ran.err);
}

#[test]
fn whatever_cannot_be_done_is_said_before_anything_is_written() {
    let folder = folder();
    for (arguments, code, words) in [
        (&["jump.bvh", "--onto", "hands.bin"][..], 1, "expected a human figure in hands.bin, found"),
        (&["hands.bin", "--onto", "character.glb"], 1, "expected a human figure in the motion, found"),
        (&["jump.bvh", "--onto", "nothing.glb"], 1, "nothing.glb"),
        (&["jump.bvh", "--onto", "character.glb", "--into", "character.glb"], 2, "cannot be used with"),
        (&["jump.bvh", "--motion-only"], 2, "--onto"),
    ] {
        let mut all = vec!["convert", "-o", "out.glb"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
        assert!(!folder.path("out.glb").exists());
    }
}

#[test]
fn info_says_which_bone_is_which_in_both_figures() {
    let folder = folder();
    let ran = folder.run(&["info", "jump.bvh", "--onto", "character.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("leftUpperLeg"), "{}", ran.out);
    let ran = folder.run(&["info", "jump.bvh", "--onto", "character.glb", "--json"]);
    let all = ran.json("info.json");
    let bones = all[0]["onto"]["bones"].as_array().unwrap();
    let of = |bone: &str| bones.iter().find(|row| row["bone"] == bone).unwrap();
    assert_eq!((&of("hips")["from"], &of("hips")["to"]), (&json!("Hips"), &json!("Hips")));
    assert_eq!(of("leftToes")["to"], json!(null));
    let ran = folder.run(&["info", "hands.bin", "--onto", "character.glb"]);
    assert!(ran.out.contains("onto character.glb"), "{}", ran.out);
}

#[test]
fn info_says_the_bones_of_the_second_person() {
    let folder = folder();
    let text = String::from_utf8(folder.get("jump.bvh")).unwrap();
    let (head, motion) = text.split_once("MOTION").unwrap();
    let root = &head[head.find("ROOT").unwrap()..];
    let second = root.replace("ROOT ", "ROOT second:").replace("JOINT ", "JOINT second:");
    let (counts, rows) = motion.split_at(motion.match_indices('\n').nth(2).unwrap().0);
    let rows: String = rows.trim().lines().map(|row| format!("{row} {row}\n")).collect();
    folder.put("two.bvh", format!("HIERARCHY\n{root}{second}MOTION{counts}\n{rows}").as_bytes());
    for (person, hips) in
        [("2", ["second:Hips", "Hips"]), (":2", ["Hips", "second:Hips"]), ("2:2", ["second:Hips"; 2])]
    {
        let ran = folder.run(&["info", "two.bvh", "--onto", "two.bvh", "--person", person, "--json"]);
        let all = ran.json("info.json");
        let row = all[0]["onto"]["bones"]
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["bone"] == "hips")
            .unwrap()
            .clone();
        assert_eq!([&row["from"], &row["to"]], hips.map(|name| json!(name)).each_ref(), "{person}");
    }
    let ran = folder.run(&["info", "two.bvh", "--person", "3"]);
    assert!(ran.code != Some(0) && ran.err.contains("at least 3 human figures"), "{}", ran.err);
}

#[test]
fn a_figure_is_raised_or_lowered_by_a_length() {
    let folder = folder();
    let made = |name: &str, more: &[&str]| {
        let ran = folder.run(
            &[&["convert", "jump.bvh", "--onto", "character.glb", "-o", name, "--verbose"], more].concat(),
        );
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err
    };
    made("plain.glb", &[]);
    made("same.glb", &["--raise", "0m"]);
    assert!(made("low.glb", &["--raise", "-2cm"]).contains("the figure lowered by 2 cm"));
    assert!(made("high.glb", &["--raise=30mm"]).contains("the figure raised by 3 cm"));
    assert!(
        folder.get("same.glb") == folder.get("plain.glb") && folder.get("low.glb") != folder.get("plain.glb")
    );
    let ran = folder.run(&["convert", "jump.bvh", "--onto", "character.glb", "-o", "x.glb", "--raise", "3"]);
    assert!(ran.code == Some(2) && ran.err.contains("such as 3cm or -2cm"), "{}", ran.err);
}

#[test]
fn the_floor_is_chosen_by_a_word() {
    let folder = folder();
    let made = |name: &str, more: &[&str]| {
        let ran =
            folder.run(&[&["convert", "jump.bvh", "--onto", "character.glb", "-o", name], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        folder.get(name)
    };
    let plain = made("plain.glb", &[]);
    assert_eq!(made("auto.glb", &["--floor", "auto"]), plain);
    assert_ne!(made("keep.glb", &["--floor", "keep"]), plain);
    let ran =
        folder.run(&["convert", "jump.bvh", "--onto", "character.glb", "-o", "x.glb", "--floor", "sea"]);
    assert!(ran.code == Some(2) && ran.err.contains("auto, stands, origin, keep"), "{}", ran.err);
}

#[test]
fn a_result_among_clips_of_its_figure_is_compared_and_not_the_first_clip() {
    let folder = folder();
    folder.put("other.bvh", &folder.get("jump.bvh"));
    // The figure brings a clip of the motion's name, and the result gets one more and another behind it.
    let onto = |motion: &str, figure: &str, output: &str, more: &[&str]| {
        let ran = folder.run(&[&["convert", motion, "--onto", figure, "-o", output], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    };
    onto("jump.bvh", "character.glb", "busy.glb", &["--range", "0:0.3"]);
    onto("jump.bvh", "busy.glb", "out.glb", &[]);
    onto("other.bvh", "out.glb", "two.glb", &["--range", "0:1"]);
    for (motion, result, position, name) in [
        ("jump.bvh", "out.glb", 1, "jump_1"),
        ("jump.bvh", "two.glb", 1, "jump_1"),
        ("other.bvh", "out.glb", 1, "jump_1"),
    ] {
        let diff = ["diff", motion, result, "--onto", "--tolerance", "15deg", "--tolerance", "20mm"];
        let ran = folder.run(&diff);
        assert_eq!(ran.code, Some(0), "{}", ran.out);
        let start = format!("{result}, clip #{position} \"{name}\": good: ");
        assert!(ran.out.starts_with(&start), "{}", ran.out);
        let json = &folder.run(&[&diff[..], &["--json"]].concat()).json("diff-onto.json")[0];
        assert_eq!(json["result_clip"], json!({"position": position, "name": name}));
        assert_eq!(json["verdict"]["clip"], json!(0));
    }
    let first = folder.run(&["diff", "jump.bvh", "out.glb", "--onto", "--clip", "#0"]);
    assert_eq!(first.code, Some(1), "{}", first.out);
    assert!(first.out.starts_with("out.glb, clip #0 \"jump\": "), "{}", first.out);
    // A clip of a motion with several clips, and any clip of the result.
    let chosen = |clips| folder.run(&["diff", "out.glb", "two.glb", "--onto", "--clip", clips]);
    for (clips, code) in [("jump,jump", 0), ("jump_1,#1", 0), ("#1,#0", 1), ("#0,dance", 2)] {
        let ran = chosen(clips);
        assert_eq!(ran.code, Some(code), "{clips}: {}{}", ran.out, ran.err);
    }
    let [result, motion] = [chosen("#0,jump_1"), chosen("#1,jump")].map(|ran| ran.out);
    assert!(result.starts_with("two.glb, clip #1 \"jump_1\": "), "{result}");
    assert!(motion.starts_with("two.glb, clip #0 \"jump\": "), "{motion}");
}
