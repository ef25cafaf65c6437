//! Skeletons of ours with the names and proportions of figures and creatures that people have: each as a line of joints.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "research"))]

use dopesheet::core::diag::Report;
use dopesheet::core::format::{FromScene, WriteOptions};
use dopesheet::core::model::{Basis, Node, NodeIndex, Scene, Transform};
use dopesheet::{Opened, ReadOptions, registry};
use glam::DVec3;

/// Places of a person's joints in metres, of the left side.
const PLACES: &[(&str, [f64; 3])] = &[
    ("ground", [0.0, 0.0, 0.0]),
    ("hips", [0.0, 0.95, 0.0]),
    ("spine", [0.0, 1.05, 0.0]),
    ("chest", [0.0, 1.2, 0.0]),
    ("upper", [0.0, 1.33, 0.0]),
    ("neck", [0.0, 1.47, 0.0]),
    ("throat", [0.0, 1.52, 0.0]),
    ("head", [0.0, 1.57, 0.0]),
    ("crown", [0.0, 1.75, 0.0]),
    ("collar", [0.04, 1.42, 0.0]),
    ("arm", [0.17, 1.42, 0.0]),
    ("biceps", [0.3, 1.42, 0.0]),
    ("elbow", [0.44, 1.42, -0.01]),
    ("wrist", [0.69, 1.42, 0.0]),
    ("knuckle", [0.78, 1.42, 0.02]),
    ("fingertip", [0.82, 1.42, 0.02]),
    ("thumb", [0.72, 1.42, 0.04]),
    ("thigh", [0.09, 0.92, 0.0]),
    ("quadriceps", [0.09, 0.7, 0.005]),
    ("knee", [0.09, 0.49, 0.01]),
    ("ankle", [0.09, 0.08, -0.02]),
    ("ball", [0.09, 0.02, 0.11]),
    ("toes", [0.09, 0.02, 0.17]),
    ("before", [0.09, 0.49, 0.9]),
];

/// The position named by a word, or stated by three numbers between commas.
fn position(word: &str) -> DVec3 {
    let numbers: Vec<f64> = word.split(',').filter_map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        [x, y, z] => DVec3::new(*x, *y, *z),
        _ => PLACES.iter().find(|(name, _)| *name == word).unwrap_or_else(|| panic!("{word}")).1.into(),
    }
}

/// A skeleton of joints written as `name@place<parent`, with `{}` for a side's word; the right side mirrors the left one. Parents stand first.
pub(crate) fn skeleton(joints: &str, sides: [&str; 2]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let mut places: Vec<DVec3> = Vec::new();
    for joint in joints.split_whitespace() {
        let (name, rest) = joint.split_once('@').unwrap_or_else(|| panic!("{joint}"));
        let (place, parent) = rest.split_once('<').unwrap_or((rest, ""));
        let both = if name.contains("{}") { &[(0, 1.0), (1, -1.0)][..] } else { &[(0, 1.0)][..] };
        for (side, sign) in both {
            let parent = parent.replace("{}", sides[*side]);
            let above = scene.nodes.iter().rposition(|node| node.name == parent);
            assert!(above.is_some() || parent.is_empty(), "{joint}");
            let at = position(place) * DVec3::new(*sign, 1.0, 1.0);
            let translation = (at - above.map_or(DVec3::ZERO, |above| places[above])).to_array();
            let rest = Transform { translation, ..Transform::IDENTITY };
            scene.push_node(Node::new(name.replace("{}", sides[*side]), above.map(NodeIndex), rest));
            places.push(at);
        }
    }
    scene
}

/// A skeleton as the file of a body.
pub(crate) fn body(name: &str, scene: &Scene) -> Opened {
    let glb = registry::by_id("glb").unwrap();
    let document = glb.from_scene(scene, &FromScene::default(), &mut Report::default()).unwrap();
    let bytes = glb.write(&document, &WriteOptions::default()).unwrap().main;
    dopesheet::read(&format!("{name}.glb"), &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}
