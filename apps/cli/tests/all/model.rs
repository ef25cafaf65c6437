//! Motions on models with a rig: `-m` of every verb keeps its contract.

use crate::common::{Folder, Ran, parts_of};
use dopesheet_testkit::workspace;
use serde_json::{Value, json};

/// A folder with a walk, a pose and our puppet as files of their own; the puppet's picture in another case than its model
/// names it.
fn folder() -> Folder {
    let folder = Folder::new();
    let read = |name: &str| std::fs::read(workspace().join(name)).unwrap();
    folder.put("walk.vmd", &read("samples/walk.vmd"));
    folder.put("puppet.pmx", &read("crates/dopesheet/src/standard/standard.pmx"));
    folder.put("Standard.PNG", &read("crates/dopesheet/src/standard/standard.png"));
    folder.put("pose.vpd", &read("formats/mmd/src/vpd/fixtures/valid/pose.vpd"));
    folder
}

/// All that a run printed.
fn said(ran: &Ran) -> String {
    format!("{}{}", ran.out, ran.err)
}

#[test]
fn a_walk_on_the_puppet_is_a_textured_figure_that_walks() {
    let folder = folder();
    for model in ["standard", "puppet.pmx"] {
        let ran = folder.run(&["convert", "walk.vmd", "-m", model, "-o", "walk.glb", "--force"]);
        assert_eq!(ran.code, Some(0), "{model}: {}", ran.err);
        let document = parts_of(&folder.get("walk.glb")).0;
        let count = |member: &str| document[member].as_array().map_or(0, Vec::len);
        let counts = ["meshes", "skins", "images", "animations", "materials"].map(count);
        assert_eq!(counts, [1, 1, 1, 1, 4], "{model}");
        let diff = folder.run(&["diff", "walk.vmd", "walk.glb", "-m", model]);
        assert_eq!(diff.code, Some(0), "{model}: {}", diff.out);
    }
}

#[test]
fn the_feet_go_where_the_rig_puts_them() {
    let folder = folder();
    let sample = |arguments: &[&str]| {
        let mut all = vec!["sample", "--times", "0.5,1,1.5", "--space", "model", "--axes", "gltf", "--json"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let tracks = ran.json("sample.json")[0]["tracks"].as_array().unwrap().clone();
        let ankle = tracks.into_iter().find(|track| track["target"] == json!("左足首")).unwrap();
        let place = |row: &Value| [0, 1, 2].map(|i| row[i].as_f64().unwrap());
        ankle["channels"]["translation"].as_array().unwrap().iter().map(place).collect::<Vec<_>>()
    };
    for (name, options) in [("solved.glb", &[][..]), ("raw.glb", &["--raw"])] {
        let mut all = vec!["convert", "walk.vmd", "-m", "standard", "-o", name];
        all.extend(options);
        assert_eq!(folder.run(&all).code, Some(0));
    }
    let (rigged, solved) = (sample(&["walk.vmd", "-m", "standard"]), sample(&["solved.glb"]));
    let apart = |a: &[[f64; 3]], b: &[[f64; 3]]| {
        let pairs = a.iter().zip(b).map(|(a, b)| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt());
        pairs.fold(0.0, f64::max)
    };
    assert!(apart(&rigged, &solved) < 1e-4, "{rigged:?} {solved:?}");
    let raw = sample(&["raw.glb"]);
    assert!(apart(&rigged, &raw) > 0.05, "a leg that nothing bends does not step: {raw:?}");
}

#[test]
fn keys_as_authored_leave_the_rig_out_and_say_so() {
    let folder = folder();
    let ran = folder.run(&["convert", "walk.vmd", "-m", "standard", "-o", "raw.glb", "--raw"]);
    assert!(said(&ran).contains("lost (why: --verbose): the rig"), "{}", said(&ran));
    let ran = folder.run(&["convert", "walk.vmd", "-m", "standard", "-o", "other.glb", "--ik", "nobody"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_model_alone_and_a_pose_on_it_are_converted() {
    let folder = folder();
    let ran = folder.run(&["convert", "puppet.pmx", "-o", "puppet.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!said(&ran).contains("not found beside"), "{}", said(&ran));
    assert!(parts_of(&folder.get("puppet.glb")).0["animations"].is_null());
    let ran = folder.run(&["convert", "pose.vpd", "-m", "standard", "-o", "pose.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(parts_of(&folder.get("pose.glb")).0["animations"].as_array().unwrap().len(), 1);
}

#[test]
fn info_says_what_binds_and_what_was_meant() {
    let folder = folder();
    let ran = folder.run(&["info", "walk.vmd", "-m", "standard", "--json"]);
    let binding = &ran.json("info.json")[0]["binding"];
    assert_eq!((&binding["made_for"], &binding["unbound"]), (&json!("初音ミク"), &json!([])));
    let chains = binding["ik"].as_array().unwrap();
    assert!(chains.contains(&json!({ "goal": "左足ＩＫ", "is_switched": true })), "{chains:?}");
    folder.put("names.txt", "頭 = 首の上\n".as_bytes());
    let ran = folder.run(&["info", "walk.vmd", "-m", "standard", "--map", "names.txt"]);
    assert!(ran.out.contains("missing: joint \"頭\" (closest: 頭)"), "{}", ran.out);
}

#[test]
fn info_says_which_bones_of_a_human_a_file_has() {
    let folder = folder();
    let ran = folder.run(&["info", "puppet.pmx", "walk.vmd", "camera.vmd", "--json"]);
    let all = ran.json("info.json");
    let [puppet, walk, camera] = [0, 1, 2].map(|file| &all[file]["humanoid"]);
    assert_eq!(
        (&puppet["bones"]["hips"], &puppet["bones"]["leftHand"]),
        (&json!("下半身"), &json!("左手首"))
    );
    let count = |figure: &Value| figure["bones"].as_object().unwrap().len();
    let lacks = |figure: &Value, member: &str| figure[member].as_array().unwrap().len();
    assert_eq!((&puppet["of"], &puppet["certainty"]), (&json!(55), &json!(1.0)));
    assert_eq!(puppet["names_of"], "MikuMikuDance");
    assert_eq!(count(puppet) + lacks(puppet, "missing_optional"), 55);
    assert_eq!(puppet["missing_required"], json!([]));
    assert!(walk["certainty"].as_f64().unwrap() < 1.0, "it moves feet by their goals: {walk}");
    assert_eq!(
        walk["missing_required"].as_array().unwrap().len(),
        55 - count(walk) - lacks(walk, "missing_optional")
    );
    assert!(walk["missing_required"].as_array().unwrap().contains(&json!("leftUpperLeg")), "{walk}");
    assert_eq!(camera, &Value::Null);
}

#[test]
fn info_in_words_names_the_bones_that_are_missing() {
    let folder = folder();
    let line = |arguments: &[&str]| {
        let out = folder.run(&[&["info"], arguments].concat()).out;
        out.lines().find(|line| line.starts_with("  humanoid: ")).unwrap_or_default().to_owned()
    };
    let puppet = line(&["puppet.pmx"]);
    let expected =
        "  humanoid: 53 of 55 bones, by names of MikuMikuDance, 100 % sure; missing: upperChest, jaw";
    assert_eq!(puppet, expected);
    let walk = line(&["walk.vmd"]);
    assert!(
        walk.contains("; not named here, but required of the model: leftUpperLeg, leftLowerLeg, "),
        "{walk}"
    );
    assert!(walk.ends_with(" optional bones"), "{walk}");
    assert_eq!(line(&["camera.vmd"]), "");
    folder.put("names.txt", "左ダミー = jaw\n".as_bytes());
    let mapped = line(&["puppet.pmx", "--map", "names.txt"]);
    assert!(mapped.contains("54 of 55 bones") && !mapped.contains("jaw"), "{mapped}");
    folder.run(&["convert", "walk.vmd", "-o", "walk.vrma"]);
    assert!(line(&["walk.vrma"]).starts_with("  humanoid: 51 of 55 bones, as the file says, 100 % sure"));
}

#[test]
fn check_finds_what_a_model_lacks() {
    let folder = folder();
    folder.put("names.txt", "頭 = 首の上\n".as_bytes());
    let ran = folder.run(&["check", "walk.vmd", "-m", "standard", "--map", "names.txt", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let findings = ran.json("check.json")[0]["findings"].as_array().unwrap().clone();
    let found: Vec<_> =
        findings.iter().map(|f| (f["code"].as_str().unwrap(), f["severity"].as_str().unwrap())).collect();
    assert!(found.contains(&("mmd-model-name", "info")), "{found:?}");
    assert!(found.contains(&("not-in-model", "warning")), "{found:?}");
    let strict = folder.run(&["check", "walk.vmd", "-m", "standard", "--map", "names.txt", "--strict"]);
    assert_eq!(strict.code, Some(1));
}

#[test]
fn a_part_of_a_motion_stays_as_it_was_authored() {
    let folder = folder();
    let ran = folder.run(&["convert", "walk.vmd", "-m", "standard", "--range", "0:1", "-o", "part.vmd"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!said(&ran).contains("rig:"), "{}", said(&ran));
    let tracks = |name: &str| {
        let ran = folder.run(&["sample", name, "--times", "0,0.3,1", "--json"]);
        let tracks = ran.json("sample.json")[0]["tracks"].as_array().unwrap().clone();
        let of_a_leg = |track: &Value| {
            track["target"]
                .as_str()
                .is_some_and(|name| name.starts_with("左足"))
                .then(|| (track["target"].to_string(), track["channels"]["translation"].to_string()))
        };
        tracks.iter().filter_map(of_a_leg).collect::<Vec<_>>()
    };
    let (whole, part) = (tracks("walk.vmd"), tracks("part.vmd"));
    assert!(whole.iter().any(|(target, _)| target.contains("左足ＩＫ")), "{whole:?}");
    assert_eq!(whole, part, "the keys of the IK bone stay, and no leg gets keys of its own");
}

#[test]
fn a_figure_of_other_names_takes_the_motion_in_every_verb() {
    let folder = Folder::new();
    for name in ["jump.bvh", "avatar.vrm", "walk.vmd"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    for (motion, model) in [("jump.bvh", "avatar.vrm"), ("jump.bvh", "standard"), ("walk.vmd", "avatar.vrm")]
    {
        let verbs: [&[&str]; 4] = [
            &["render", motion, "-o", "x.png", "--times", "0"],
            &["plot", motion, "-o", "x.svg"],
            &["sample", motion, "-o", "x.csv", "--times", "0"],
            &["diff", motion, motion],
        ];
        for verb in verbs {
            let ran = folder.run(&[verb, &["-m", model]].concat());
            assert_eq!(ran.code, Some(0), "{verb:?}: {}", ran.err);
            assert!(ran.err.contains("put onto it as with --onto"), "{verb:?} -m {model}: {}", ran.err);
        }
        let values = |args: &[&str]| {
            let ran = folder.run(
                &[&["sample"], args, &["--times", "1", "--space", "model", "--axes", "gltf", "--json"]]
                    .concat(),
            );
            assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
            let tracks = ran.json("sample.json")[0]["tracks"].as_array().unwrap().clone();
            let place = |track: &Value| {
                let place = track["channels"]["translation"][0].as_array().unwrap().clone();
                let place: Vec<f64> = place.iter().map(|metres| metres.as_f64().unwrap()).collect();
                (track["target"].as_str().unwrap().to_owned(), place)
            };
            tracks.iter().map(place).collect::<std::collections::BTreeMap<_, _>>()
        };
        let converted = folder.run(&["convert", motion, "--onto", model, "-o", "x.glb", "--motion-only"]);
        assert_eq!(converted.code, Some(0), "{}", converted.err);
        let written = values(&["x.glb"]);
        for asked in [["--onto", model], ["-m", model]] {
            let played = values(&[&[motion], &asked[..]].concat());
            let mut count = 0;
            for (joint, place) in &written {
                let Some(there) = played.get(joint) else { continue };
                let apart_m = place.iter().zip(there).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(apart_m < 2e-4, "{joint} of {motion} {asked:?}: {apart_m} m from what is written");
                count += 1;
            }
            assert!(count > 12, "{count} joints of {motion} {asked:?}");
        }
        for made in ["x.png", "x.svg", "x.csv", "x.glb"] {
            std::fs::remove_file(folder.path(made)).unwrap();
        }
    }
}

#[test]
fn a_model_that_most_of_a_motion_does_not_reach_is_refused() {
    let folder = folder();
    folder.put("avatar.vrm", &std::fs::read(workspace().join("samples/avatar.vrm")).unwrap());
    let still = r#"{"animation":{"version":4,"name":"still","duration":0,"nodes":[{"name":"nobody","defaults":{"s":[1,1,1]},"keys":[{"t":0,"p":[0,0,0],"r":[0,0,0]}]}]}}"#;
    folder.put("still.json", still.as_bytes());
    let still = folder.run(&["sample", "still.json", "-m", "avatar.vrm", "--times", "0"]);
    assert_eq!(still.code, Some(0), "nothing of it moves: {}", still.err);
    let hinge = folder.run(&["render", "door.json", "-o", "x.png", "-m", "frame.gltf", "--times", "0"]);
    assert_eq!(hinge.code, Some(0), "{}", hinge.err);
    let other = folder.run(&["sample", "door.json", "-m", "avatar.vrm", "--times", "0"]);
    assert_eq!(other.code, Some(1), "{}", other.err);
    assert!(
        other.err.contains("--map FILE says which name is which") && !other.err.contains("--onto"),
        "{}",
        other.err
    );
}
