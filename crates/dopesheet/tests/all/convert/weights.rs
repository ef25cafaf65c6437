//! Weights of morphs that are added to a file: they find their node by its name, and by that of its mesh where no node has that name.
#![cfg(feature = "gltf")]

use dopesheet::core::diag::Loss;
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track, Transform,
};
use dopesheet::core::units::Seconds;
use dopesheet::{Conversion, ConvertOptions, Error, Opened, ReadOptions, convert, registry};
use serde_json::{Value, json};

/// A model with one mesh of two morphs, `blink` and `smile`, at nodes of some names.
fn model(mesh: &str, nodes: &[&str]) -> Opened {
    let nodes: Vec<Value> = nodes.iter().map(|name| json!({"name": name, "mesh": 0})).collect();
    let targets = json!([{"POSITION": 0}, {"POSITION": 0}]);
    let primitive = json!({"attributes": {"POSITION": 0}, "targets": targets});
    let uri = format!("data:application/octet-stream;base64,{}", "A".repeat(48));
    let json = json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}],
        "nodes": nodes,
        "meshes": [{"name": mesh, "primitives": [primitive], "extras": {"targetNames": ["blink", "smile"]}}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": uri}],
    });
    read(json.to_string().as_bytes())
}

fn read(bytes: &[u8]) -> Opened {
    dopesheet::read("model.gltf", bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn motion(nodes: &[&str], targets: Vec<Target>, property: &Property, width: usize) -> Opened {
    let track = |target| {
        let times = Times::Seconds([0.0, 1.0].into());
        let values = (0..2 * width).map(|at| at as f32 / 4.0).collect();
        let curve = Curve::new(times, width, values, Laws::uniform(Law::LINEAR));
        Track { target, channels: vec![Channel::whole(property.clone(), curve)] }
    };
    let mut scene = Scene::new(Basis::GLTF);
    for name in nodes {
        scene.push_node(Node::new(*name, None, Transform::IDENTITY));
    }
    let tracks = targets.into_iter().map(track).collect();
    scene.clips.push(Clip { duration: Seconds(1.0), tracks, ..Clip::default() });
    Opened::from_scene("motion", &scene).unwrap()
}

/// A motion that smiles, for any model.
fn smile() -> Opened {
    motion(&[], vec![Target::new(TargetKind::Morph, "smile", 0, None)], &Property::Weight, 1)
}

/// A motion of all weights of a node of some name.
fn of_node(name: &str) -> Opened {
    let target = Target::new(TargetKind::Joint, name, 0, Some(NodeIndex(0)));
    motion(&[name], vec![target], &Property::Weights, 2)
}

fn added(motion: &Opened, on: Option<&Opened>, into: &Opened) -> Result<Conversion, Error> {
    let gltf = registry::by_id("gltf").unwrap();
    convert(
        std::slice::from_ref(motion),
        &ConvertOptions { model: on, into: Some(into), ..ConvertOptions::to(gltf) },
    )
}

/// The nodes whose weights move.
fn moved(made: &Conversion) -> Vec<u64> {
    let json: Value = serde_json::from_slice(&made.output.main).unwrap();
    let channels = json["animations"][0]["channels"].as_array().unwrap().iter();
    channels
        .filter(|channel| channel["target"]["path"] == "weights")
        .map(|channel| channel["target"]["node"].as_u64().unwrap())
        .collect()
}

fn kept(made: &Conversion) -> Vec<&str> {
    let losses = made.report.report.losses.iter();
    let kept = losses.filter_map(|loss| match loss {
        Loss::Kept { what } => Some(what.as_str()),
        _ => None,
    });
    kept.filter(|what| what.starts_with("weights of")).collect()
}

#[test]
fn morphs_on_a_model_move_the_nodes_that_show_them_whatever_their_mesh_is_called() {
    for nodes in [&["Face"][..], &["Face", "Mirror image"]] {
        for mesh in ["Face.baked", "Face", ""] {
            let model = model(mesh, nodes);
            let made = added(&smile(), Some(&model), &model).unwrap();
            assert_eq!(moved(&made), (0..nodes.len() as u64).collect::<Vec<_>>(), "{mesh:?} {nodes:?}");
            assert!(kept(&made).is_empty(), "{:?}", made.report.report);
        }
    }
}

#[test]
fn weights_go_to_the_node_of_their_name_first() {
    // Each of the nodes has the name of the other one's mesh, as far as there is another one.
    let model = model("Body", &["Face", "Body"]);
    let made = added(&of_node("Body"), None, &model).unwrap();
    assert_eq!(moved(&made), [1]);
    assert!(kept(&made).is_empty(), "{:?}", made.report.report);
}

#[test]
fn weights_that_are_called_as_a_mesh_go_to_its_nodes_and_the_report_says_so() {
    let one = model("Face.baked", &["Face"]);
    let made = added(&of_node("Face.baked"), None, &one).unwrap();
    assert_eq!(moved(&made), [0]);
    assert_eq!(kept(&made), ["weights of the mesh Face.baked, for the node Face"]);
    let both = model("Face.baked", &["Face", "Mirror image"]);
    let made = added(&of_node("Face.baked"), None, &both).unwrap();
    assert_eq!(moved(&made), [0, 1]);
    assert_eq!(kept(&made), ["weights of the mesh Face.baked, for the nodes Face, Mirror image"]);
    let refused = added(&of_node("Head"), None, &one).unwrap_err().to_string();
    assert!(refused.contains("Head"), "{refused}");
}
