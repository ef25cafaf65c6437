//! `--names` and `--unlit` keep their contract.

use crate::common::{Folder, parts_of};
use dopesheet_testkit::workspace;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("bow.vmd", &std::fs::read(workspace().join("samples/bow.vmd")).unwrap());
    folder
}

#[test]
fn sampling_lists_the_names_that_conversion_writes() {
    let folder = folder();
    for language in ["original", "english"] {
        let ran = folder
            .run(&["convert", "bow.vmd", "-m", "standard", "-o", "bow.glb", "--force", "--names", language]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let sample = |arguments: &[&str]| -> BTreeSet<String> {
            let mut all = vec!["sample", "--axes", "gltf", "--times", "0", "--json"];
            all.extend(arguments);
            let ran = folder.run(&all);
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            let document = ran.json("sample.json")[0].clone();
            let tracks = document["tracks"].as_array().unwrap().clone();
            let of_nodes = tracks.iter().filter(|track| track["kind"] == "joint" || track["kind"] == "morph");
            of_nodes.map(|track| track["target"].as_str().unwrap().to_owned()).collect()
        };
        let of_file = sample(&["bow.glb"]);
        let of_motion = sample(&["bow.vmd", "-m", "standard", "--names", language]);
        // The file leaves out joints that stay at rest.
        assert!(of_file.len() > 10 && of_file.is_subset(&of_motion), "{of_file:?} {of_motion:?}");
        let head = if language == "english" { "head" } else { "頭" };
        assert!(of_file.contains(head), "{of_file:?}");
        let document = parts_of(&folder.get("bow.glb")).0;
        let nodes: BTreeSet<_> = document["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| node["name"].as_str().unwrap().to_owned())
            .collect();
        assert!(of_file.is_subset(&nodes) && of_motion.is_subset(&nodes));
        let targets = document["meshes"][0]["extras"]["targetNames"].as_array().unwrap().clone();
        let blink = if language == "english" { "blink" } else { "まばたき" };
        assert!(targets.contains(&json!(blink)), "{targets:?}");
    }
}

#[test]
fn native_axes_have_the_names_of_the_file() {
    let ran = folder().run(&["sample", "bow.vmd", "--times", "0", "--names", "english"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("expected axes of glTF for English names"), "{}", ran.err);
}

#[test]
fn light_changes_no_material_where_that_is_asked_for() {
    let folder = folder();
    let document = |arguments: &[&str]| {
        let mut all = vec!["convert", "bow.vmd", "-m", "standard", "-o", "bow.glb", "--force"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        parts_of(&folder.get("bow.glb")).0
    };
    let (lit, unlit) = (document(&[]), document(&["--unlit"]));
    let extension = json!("KHR_materials_unlit");
    let lists = |document: &Value, member: &str| {
        document[member].as_array().is_some_and(|list| list.contains(&extension))
    };
    assert!(lists(&unlit, "extensionsUsed") && !lists(&unlit, "extensionsRequired"));
    assert!(!lists(&lit, "extensionsUsed"));
    let [lit, unlit] = [lit, unlit].map(|document| document["materials"].as_array().unwrap().clone());
    assert_eq!(unlit.len(), 4);
    for (lit, unlit) in lit.into_iter().zip(unlit) {
        assert_eq!(unlit["extensions"], json!({ "KHR_materials_unlit": {} }));
        let mut plain = unlit;
        plain.as_object_mut().unwrap().remove("extensions");
        assert_eq!(plain, lit, "colour, picture and all else stay");
    }
}

#[test]
fn formats_without_materials_refuse_to_leave_light_out() {
    let folder = folder();
    for output in ["other.vmd", "bow.vrma"] {
        let ran = folder.run(&["convert", "bow.vmd", "-o", output, "--unlit"]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("expected a target with materials for --unlit"), "{}", ran.err);
    }
    let ran = folder.run(&["convert", "door.json", "--into", "frame.gltf", "-o", "x.glb", "--unlit"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}
