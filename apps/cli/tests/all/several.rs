//! Several motions and a camera in one file.

use crate::common::{Folder, dance, parts_of};
use dopesheet_testkit::workspace;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["bow.vmd", "walk.vmd", "camera.vmd"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder
}

fn list<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value[member].as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// The names of the nodes that an animation moves.
fn moved<'a>(document: &'a Value, animation: &Value) -> BTreeSet<&'a str> {
    let nodes = list(animation, "channels").iter().filter(|channel| !channel["target"]["node"].is_null());
    nodes
        .map(|channel| document["nodes"][index(&channel["target"]["node"])]["name"].as_str().unwrap())
        .collect()
}

/// The rows of an accessor of floats.
fn rows(document: &Value, bytes: &[u8], accessor: &Value) -> Vec<Vec<f32>> {
    let accessor = &document["accessors"][index(accessor)];
    assert_eq!(accessor["componentType"], 5126);
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        _ => 4,
    };
    let view = &document["bufferViews"][index(&accessor["bufferView"])];
    let offset = |of: &Value| usize::try_from(of["byteOffset"].as_u64().unwrap_or(0)).unwrap();
    let start = offset(view) + offset(accessor);
    let floats = bytes[start..].chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
    let floats: Vec<f32> = floats.take(width * index(&accessor["count"])).collect();
    floats.chunks_exact(width).map(<[f32]>::to_vec).collect()
}

/// The times and values of what an animation does to a node's translation.
fn translation(document: &Value, bytes: &[u8], animation: &Value, node: &str) -> (Vec<f32>, Vec<Vec<f32>>) {
    let is_it = |channel: &&Value| {
        let target = &channel["target"];
        target["path"] == "translation" && document["nodes"][index(&target["node"])]["name"] == node
    };
    let channel = list(animation, "channels").iter().find(is_it).unwrap();
    let sampler = &animation["samplers"][index(&channel["sampler"])];
    assert!(sampler["interpolation"].is_null() || sampler["interpolation"] == "LINEAR");
    let times = rows(document, bytes, &sampler["input"]).concat();
    (times, rows(document, bytes, &sampler["output"]))
}

/// Jump of the camera at a time: between neighbouring numbers, with nothing between them.
fn jump_m(document: &Value, bytes: &[u8], animation: &Value, time_s: f32) -> f32 {
    let (times, values) = translation(document, bytes, animation, "camera");
    let at = times.iter().position(|time| *time == time_s).unwrap();
    assert_eq!(times[at - 1], time_s.next_down(), "{times:?}");
    values[at].iter().zip(&values[at - 1]).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

#[test]
fn two_motions_and_a_camera_are_three_animations_of_one_figure() {
    let folder = folder();
    let ran =
        folder.run(&["convert", "bow.vmd", "walk.vmd", "camera.vmd", "-m", "standard", "-o", "all.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        ran.err.matches("toon pictures").count(),
        1,
        "what is said of the model is said once: {}",
        ran.err
    );
    let glb = folder.get("all.glb");
    let (document, bytes) = parts_of(&glb);
    let animations = list(&document, "animations");
    let names: Vec<_> = animations.iter().map(|animation| &animation["name"]).collect();
    assert_eq!(names, ["bow", "walk", "camera"]);
    let counts = ["meshes", "skins", "cameras"].map(|member| list(&document, member).len());
    assert_eq!(counts, [1, 1, 1]);
    let named: Vec<_> = list(&document, "nodes").iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), named.len(), "each bone once: {named:?}");
    for (index, animation) in animations.iter().enumerate() {
        let moved = moved(&document, animation);
        assert_eq!(moved.contains("camera"), index == 2, "{moved:?}");
        assert_eq!(moved.contains("頭"), index < 2, "{moved:?}");
    }
    assert!(jump_m(&document, bytes, &animations[2], 4.0) > 0.5);
}

#[test]
fn each_of_several_motions_is_what_it_is_alone() {
    let folder = folder();
    let models = ["-m", "standard", "--force", "-o"];
    for (inputs, output) in [
        (&["walk.vmd", "bow.vmd", "camera.vmd"][..], "all.glb"),
        (&["walk.vmd"], "walk.glb"),
        (&["bow.vmd"], "bow.glb"),
    ] {
        let all = [&["convert"], inputs, &models, &[output]].concat();
        assert_eq!(folder.run(&all).code, Some(0), "{output}");
    }
    for name in ["walk", "bow"] {
        let alone = format!("{name}.glb");
        let ran = folder.run(&["diff", "all.glb", &alone, "--clip", name, "--tolerance", "1um"]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.out);
    }
}

#[test]
fn info_lists_every_motion() {
    let folder = folder();
    folder.run(&["convert", "bow.vmd", "walk.vmd", "camera.vmd", "-m", "standard", "-o", "all.glb"]);
    let info = folder.run(&["info", "all.glb", "--json"]).json("info.json")[0].clone();
    let clips: Vec<_> =
        list(&info, "clips").iter().map(|clip| (&clip["name"], &clip["duration_s"])).collect();
    let near = |value: &Value, should: f64| (value.as_f64().unwrap() - should).abs() < 1e-6;
    for ((name, duration), (known, should)) in
        clips.iter().zip([("bow", 4.2), ("walk", 4.4), ("camera", 8.0)])
    {
        assert!(**name == known && near(duration, should), "{name} {duration}");
    }
    assert_eq!((clips.len(), &info["parts"]["cameras"], &info["parts"]["meshes"]), (3, &json!(1), &json!(1)));
}

#[test]
fn a_body_and_a_camera_of_one_file_are_one_animation() {
    let folder = folder();
    folder.put("dance.vmd", &dance());
    let ran = folder.run(&["convert", "dance.vmd", "-m", "standard", "-o", "dance.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let glb = folder.get("dance.glb");
    let (document, bytes) = parts_of(&glb);
    let [animation] = list(&document, "animations") else { panic!("one animation") };
    assert_eq!(animation["name"], "dance");
    let moved = moved(&document, animation);
    assert!(moved.contains("camera") && moved.contains("センター"), "{moved:?}");
    let cut = 31.0_f32 / 30.0;
    assert!((jump_m(&document, bytes, animation, cut) - 4.8).abs() < 1e-4);
}

#[test]
fn two_cameras_share_one_node_and_have_an_animation_each() {
    let folder = folder();
    folder.put("dance.vmd", &dance());
    let ran = folder.run(&["convert", "dance.vmd", "camera.vmd", "-m", "standard", "-o", "out.glb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let glb = folder.get("out.glb");
    let (document, bytes) = parts_of(&glb);
    assert_eq!((list(&document, "cameras").len(), list(&document, "animations").len()), (1, 2));
    let animations = list(&document, "animations");
    assert!(jump_m(&document, bytes, &animations[0], 31.0 / 30.0) > 4.0);
    assert!(jump_m(&document, bytes, &animations[1], 4.0) > 0.5);
}
