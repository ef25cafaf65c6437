//! The vendor's models, and what the engine makes of them.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, ToScene};
use dopesheet_core::model::{Hierarchy, Scene, Transform};
use dopesheet_playcanvas::animation::PlayCanvas;
use dopesheet_playcanvas::model::{Document, PlayCanvasModel};
use dopesheet_testkit::{
    assert_identity, bytes, close, corpus, json, read_reporting, rotation_angle, sha256,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// The engine computes matrices in single precision.
const MATRIX: f64 = 2e-6;

fn models() -> Option<Vec<(Value, Vec<u8>)>> {
    let folder = corpus("playcanvas")?;
    let manifest = json(&folder.join("manifest.json"));
    let models = manifest["models"].as_array().unwrap().clone();
    assert_eq!(models.len(), 4);
    Some(models.into_iter().map(|m| (m.clone(), bytes(&folder.join(m["file"].as_str().unwrap())))).collect())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
}

fn scene(document: &Document) -> Scene {
    PlayCanvasModel::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap()
}

fn assert_close(found: &[f64], wanted: &Value, bound: f64, at: &str) {
    let wanted = numbers(wanted);
    assert_eq!(found.len(), wanted.len(), "{at}");
    assert!(found.iter().zip(&wanted).all(|(f, w)| close(*f, *w, bound)), "{at}: {found:?}, not {wanted:?}");
}

/// Column-major.
fn matrix(t: &Transform) -> [f64; 16] {
    let [x, y, z, w] = t.rotation;
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    std::array::from_fn(|n| match (n / 4, n % 4) {
        (3, 3) => 1.0,
        (_, 3) => 0.0,
        (3, row) => t.translation[row],
        (column, row) => columns[column][row] * t.scale[column],
    })
}

fn product(a: &[f64; 16], b: &[f64; 16]) -> [f64; 16] {
    std::array::from_fn(|n| (0..4).map(|k| a[4 * k + n % 4] * b[4 * (n / 4) + k]).sum())
}

#[test]
fn the_manifest_says_nothing_of_models_that_no_test_reads() {
    let Some(models) = models() else { return };
    let known = |value: &Value, list: &str| {
        let known: BTreeSet<&str> = list.split(' ').collect();
        let all = value.as_object().unwrap().keys().all(|key| known.contains(key.as_str()));
        assert!(all, "{value}");
    };
    for (model, _) in models {
        known(&model, "file sha256 version nodes skins meshes meshInstances");
        model["nodes"].as_array().unwrap().iter().for_each(|n| known(n, "name parent t r s world"));
        model["skins"].as_array().unwrap().iter().for_each(|s| known(s, "joints bindWorld"));
        model["meshes"]
            .as_array()
            .unwrap()
            .iter()
            .for_each(|m| known(m, "type count base vertices skin morph"));
        model["meshInstances"].as_array().unwrap().iter().for_each(|i| known(i, "node mesh"));
    }
}

#[test]
fn nodes_have_the_engines_transforms() {
    let Some(models) = models() else { return };
    let mut seen = 0;
    for (model, bytes) in models {
        let file = model["file"].as_str().unwrap();
        assert_eq!(sha256(&bytes), model["sha256"].as_str().unwrap());
        assert_identity::<PlayCanvasModel>(&bytes, file);
        let (document, report) = read_reporting::<PlayCanvasModel>(&bytes);
        let codes: Vec<&str> = report.findings.iter().map(|f| f.fault.code).collect();
        // Four meshes of the oldest model have a skin and not one weight.
        let wanted = if file == "walkcycle.model.json" { &["pcm-w-no-weights"][..] } else { &[] };
        assert_eq!(codes, wanted, "{file}");
        assert_eq!(document.model().version, model["version"].as_f64());
        let scene = scene(&document);
        assert_eq!(scene.hierarchy, Hierarchy::Known);
        let mut worlds: Vec<[f64; 16]> = Vec::new();
        for (index, wanted) in model["nodes"].as_array().unwrap().iter().enumerate() {
            let at = format!("{file} node {index}");
            let node = &scene.nodes[index];
            assert_eq!(
                (node.name.as_str(), node.source_index),
                (wanted["name"].as_str().unwrap(), Some(index))
            );
            let parent = node.parent.map_or(-1, |parent| parent.0 as i64);
            assert_eq!(Some(parent), wanted["parent"].as_i64(), "{at}");
            assert_close(&node.rest.translation, &wanted["t"], 1e-9, &at);
            assert_close(&node.rest.scale, &wanted["s"], 1e-9, &at);
            let turn: [f64; 4] = numbers(&wanted["r"]).try_into().unwrap();
            assert!(rotation_angle(node.rest.rotation, turn) < 1e-6, "{at}");
            let local = matrix(&node.rest);
            worlds.push(node.parent.map_or(local, |parent| product(&worlds[parent.0], &local)));
            assert_close(&worlds[index], &wanted["world"], MATRIX, &at);
            seen += 1;
        }
        let beyond = scene.nodes.len() - model["nodes"].as_array().unwrap().len();
        assert_eq!(beyond, 0, "{file}");
    }
    assert_eq!(seen, 46 + 44 + 2 + 2);
}

#[test]
fn skins_have_the_engines_joints_and_bind_pose() {
    let Some(models) = models() else { return };
    let mut seen = 0;
    for (model, bytes) in models {
        let (document, _) = read_reporting::<PlayCanvasModel>(&bytes);
        let scene = scene(&document);
        let skins = model["skins"].as_array().unwrap();
        assert_eq!(scene.skins.len(), skins.len());
        for (index, wanted) in skins.iter().enumerate() {
            let joints: Vec<f64> = scene.skins[index].joints.iter().map(|joint| joint.0 as f64).collect();
            assert_eq!(joints, numbers(&wanted["joints"]));
            let inverses = &document.model().skins[index].inverse_bind;
            for (inverse, wanted) in inverses.iter().zip(wanted["bindWorld"].as_array().unwrap()) {
                let world = <[f64; 16]>::try_from(numbers(wanted)).unwrap();
                let identity: Vec<f64> = (0..16).map(|n| f64::from(u8::from(n % 5 == 0))).collect();
                assert_close(&product(inverse, &world), &identity.into(), 1e-4, "bind pose");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 44 + 3 * 35);
}

#[test]
fn meshes_are_the_engines_and_small() {
    let Some(models) = models() else { return };
    for (model, bytes) in models {
        let (document, _) = read_reporting::<PlayCanvasModel>(&bytes);
        let wanted = model["meshes"].as_array().unwrap();
        assert_eq!(document.model().meshes.len(), wanted.len());
        for (mesh, wanted) in document.model().meshes.iter().zip(wanted) {
            let position = |member: &str| wanted[member].as_u64().map(|n| n as usize);
            assert_eq!(mesh.kind, wanted["type"].as_str().unwrap());
            assert_eq!(Some(mesh.count), position("count"));
            assert_eq!(Some(mesh.base), position("base"));
            assert_eq!(Some(mesh.vertices), position("vertices"));
            assert_eq!((mesh.skin, mesh.morph), (position("skin"), position("morph")));
        }
        let instances = model["meshInstances"].as_array().unwrap();
        for (instance, wanted) in document.model().mesh_instances.iter().zip(instances) {
            assert_eq!(Some(instance.node as u64), wanted["node"].as_u64());
            assert_eq!(Some(instance.mesh as u64), wanted["mesh"].as_u64());
        }
        let scene = scene(&document);
        let skinned = scene.nodes.iter().filter(|node| node.skin.is_some()).count();
        assert_eq!(skinned, usize::from(!scene.skins.is_empty()));
        let primitives: Vec<_> = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).collect();
        assert_eq!(primitives.len(), instances.len());
        let counts: Vec<usize> = primitives.iter().map(|p| p.indices.len()).collect();
        let wanted: Vec<usize> = document.model().meshes.iter().map(|mesh| mesh.count).collect();
        assert_eq!(counts, wanted);
        for primitive in primitives {
            let vertices = primitive.positions.len();
            assert!(primitive.indices.iter().all(|index| (*index as usize) < vertices));
            assert_eq!(primitive.normals.len(), vertices);
            assert!(primitive.joints.is_empty() || primitive.joints.len() == vertices);
            for joints in &primitive.joints {
                assert!((joints.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn the_vendors_own_glb_has_the_same_texture_coordinates() {
    let Some(folder) = corpus("playcanvas") else { return };
    let (document, _) = read_reporting::<PlayCanvasModel>(&bytes(&folder.join("cube.model.json")));
    let scene = scene(&document);
    let primitive = &scene.meshes[0].primitives[0];
    let glb = bytes(&folder.join("cube.glb"));
    let json_length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let gltf: Value = serde_json::from_slice(&glb[20..20 + json_length]).unwrap();
    let binary = &glb[20 + json_length + 8..];
    let attributes = &gltf["meshes"][0]["primitives"][0]["attributes"];
    let floats = |accessor: &Value, width: usize| -> Vec<Vec<f32>> {
        let accessor = &gltf["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &gltf["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let float = |at: usize| f32::from_le_bytes(binary[at..at + 4].try_into().unwrap());
        let vertex =
            |n: usize| (0..width).map(|c| float(start + n * number(&view["byteStride"]) + 4 * c)).collect();
        (0..number(&accessor["count"])).map(vertex).collect()
    };
    let row = |uv: &[f32], position: &[f32]| format!("{uv:.4?} {position:.2?}");
    let (uvs, positions) = (floats(&attributes["TEXCOORD_0"], 2), floats(&attributes["POSITION"], 3));
    let mut theirs: Vec<String> = uvs.iter().zip(&positions).map(|(uv, p)| row(uv, p)).collect();
    let mut ours: Vec<String> =
        primitive.uv_sets[0].iter().zip(&primitive.positions).map(|(uv, p)| row(uv, p)).collect();
    // The two exports order their vertices differently.
    theirs.sort();
    ours.sort();
    assert_eq!(ours, theirs);
}

#[test]
fn models_are_told_from_animations_by_their_bytes() {
    let Some(models) = models() else { return };
    let hint = Hint { extension: Some("json".into()) };
    for (_, bytes) in models {
        let head = &bytes[..bytes.len().min(4096)];
        assert_eq!(PlayCanvasModel::probe(head, &hint), Confidence::Certain);
        assert_eq!(PlayCanvas::probe(head, &hint), Confidence::No);
    }
}
