//! wave.json and character.glb: somebody sees you and waves, and somebody made of boxes who can do so.

use super::boxes::{Joint, UnitBox, glb, joint, nodes};
use super::playcanvas::{Node, animation, turning};
use serde_json::json;

const JOINTS: [Joint; 17] = [
    joint("Hips", None, [0.0, 0.92, 0.0], [[0.0, 0.02, 0.0], [0.3, 0.16, 0.18]]),
    joint("Spine", Some(0), [0.0, 0.1, 0.0], [[0.0, 0.1, 0.0], [0.26, 0.18, 0.16]]),
    joint("Chest", Some(1), [0.0, 0.2, 0.0], [[0.0, 0.12, 0.0], [0.34, 0.26, 0.2]]),
    joint("Neck", Some(2), [0.0, 0.26, 0.0], [[0.0, 0.04, 0.0], [0.09, 0.08, 0.09]]),
    joint("Head", Some(3), [0.0, 0.08, 0.0], [[0.0, 0.13, 0.02], [0.2, 0.25, 0.22]]),
    joint("LeftArm", Some(2), [0.21, 0.2, 0.0], [[0.0, -0.13, 0.0], [0.09, 0.27, 0.09]]),
    joint("LeftForeArm", Some(5), [0.0, -0.28, 0.0], [[0.0, -0.12, 0.0], [0.08, 0.24, 0.08]]),
    joint("LeftHand", Some(6), [0.0, -0.25, 0.0], [[0.0, -0.07, 0.0], [0.04, 0.15, 0.1]]),
    joint("RightArm", Some(2), [-0.21, 0.2, 0.0], [[0.0, -0.13, 0.0], [0.09, 0.27, 0.09]]),
    joint("RightForeArm", Some(8), [0.0, -0.28, 0.0], [[0.0, -0.12, 0.0], [0.08, 0.24, 0.08]]),
    joint("RightHand", Some(9), [0.0, -0.25, 0.0], [[0.0, -0.07, 0.0], [0.04, 0.15, 0.1]]),
    joint("LeftUpLeg", Some(0), [0.1, -0.06, 0.0], [[0.0, -0.19, 0.0], [0.13, 0.4, 0.13]]),
    joint("LeftLeg", Some(11), [0.0, -0.4, 0.0], [[0.0, -0.19, 0.0], [0.11, 0.38, 0.11]]),
    joint("LeftFoot", Some(12), [0.0, -0.39, 0.0], [[0.0, -0.03, 0.05], [0.1, 0.08, 0.24]]),
    joint("RightUpLeg", Some(0), [-0.1, -0.06, 0.0], [[0.0, -0.19, 0.0], [0.13, 0.4, 0.13]]),
    joint("RightLeg", Some(14), [0.0, -0.4, 0.0], [[0.0, -0.19, 0.0], [0.11, 0.38, 0.11]]),
    joint("RightFoot", Some(15), [0.0, -0.39, 0.0], [[0.0, -0.03, 0.05], [0.1, 0.08, 0.24]]),
];

/// The motion: a small start, the arm goes up past its place, waves three times, and comes down heavily.
pub(super) fn motion() -> String {
    animation("wave", 3.2, &[hips(), spine(), chest(), head(), arm(), forearm(), hand(), other_arm()])
}

fn turns(name: &'static str, keys: &[(f64, [f64; 3])]) -> Node {
    let position = JOINTS.iter().find(|j| j.name == name).map_or([0.0; 3], |j| j.position);
    turning(name, position, keys)
}

fn hips() -> Node {
    let keys = [
        (0.0, 0.0, 0.0),
        (0.22, -0.012, 0.0),
        (0.6, 0.004, 0.022),
        (2.1, 0.002, 0.022),
        (2.7, -0.006, 0.0),
        (3.2, 0.0, 0.0),
    ];
    let keys = keys.map(|(t, y, x)| (t, [x, y, 0.0], [0.0; 3]));
    Node { name: "Hips", position: JOINTS[0].position, keys: keys.to_vec() }
}

fn spine() -> Node {
    turns(
        "Spine",
        &[
            (0.0, [0.0; 3]),
            (0.22, [3.0, 0.0, -1.0]),
            (0.65, [-1.0, -2.0, 4.0]),
            (2.1, [-1.0, -2.0, 4.0]),
            (2.75, [1.5, 0.0, -0.5]),
            (3.2, [0.0; 3]),
        ],
    )
}

fn chest() -> Node {
    turns(
        "Chest",
        &[
            (0.0, [0.0; 3]),
            (0.24, [2.0, -3.0, -2.0]),
            (0.68, [-2.0, 4.0, 3.0]),
            (1.1, [-2.0, 5.0, 4.0]),
            (1.6, [-2.0, 4.0, 3.0]),
            (2.15, [-1.0, 4.0, 3.0]),
            (2.8, [1.0, 0.0, 0.0]),
            (3.2, [0.0; 3]),
        ],
    )
}

fn head() -> Node {
    turns(
        "Head",
        &[
            (0.0, [0.0; 3]),
            (0.2, [4.0, 8.0, 0.0]),
            (0.5, [-5.0, -6.0, 2.0]),
            (0.9, [-3.0, -4.0, 9.0]),
            (2.2, [-2.0, -3.0, 7.0]),
            (2.8, [3.0, 0.0, -1.0]),
            (3.2, [0.0; 3]),
        ],
    )
}

fn arm() -> Node {
    turns(
        "RightArm",
        &[
            (0.0, [0.0, 0.0, -6.0]),
            (0.24, [8.0, 0.0, 2.0]),
            (0.46, [-10.0, 0.0, -70.0]),
            (0.66, [-14.0, 0.0, -128.0]),
            (0.82, [-12.0, 0.0, -118.0]),
            (1.5, [-12.0, 0.0, -121.0]),
            (2.1, [-12.0, 0.0, -118.0]),
            (2.45, [-6.0, 0.0, -60.0]),
            (2.72, [5.0, 0.0, -2.0]),
            (2.9, [-2.0, 0.0, -8.0]),
            (3.2, [0.0, 0.0, -6.0]),
        ],
    )
}

fn forearm() -> Node {
    let waves = [
        (0.86, -58.0),
        (1.08, -12.0),
        (1.3, -60.0),
        (1.52, -10.0),
        (1.74, -58.0),
        (1.96, -16.0),
        (2.14, -40.0),
    ];
    let mut keys = vec![
        (0.0, [-10.0, 0.0, 0.0]),
        (0.24, [-22.0, 0.0, 0.0]),
        (0.5, [-40.0, 0.0, -8.0]),
        (0.68, [-14.0, 0.0, -20.0]),
    ];
    keys.extend(waves.map(|(t, roll)| (t, [-6.0, 0.0, roll])));
    keys.extend([(2.5, [-34.0, 0.0, -10.0]), (2.8, [-6.0, 0.0, 0.0]), (3.2, [-10.0, 0.0, 0.0])]);
    turns("RightForeArm", &keys)
}

/// It follows the forearm by a few hundredths of a second, the other way round.
fn hand() -> Node {
    let flips =
        [(0.9, 20.0), (1.13, -22.0), (1.35, 22.0), (1.57, -22.0), (1.79, 20.0), (2.0, -14.0), (2.2, 6.0)];
    let mut keys = vec![(0.0, [0.0; 3]), (0.5, [0.0, 0.0, 26.0]), (0.7, [0.0, 0.0, 4.0])];
    keys.extend(flips.map(|(t, roll)| (t, [0.0, 0.0, roll])));
    keys.extend([(2.6, [0.0, 0.0, 18.0]), (2.85, [0.0, 0.0, -6.0]), (3.2, [0.0; 3])]);
    turns("RightHand", &keys)
}

fn other_arm() -> Node {
    turns(
        "LeftArm",
        &[
            (0.0, [0.0, 0.0, 6.0]),
            (0.26, [4.0, 0.0, 9.0]),
            (0.7, [2.0, 0.0, 13.0]),
            (2.1, [2.0, 0.0, 12.0]),
            (2.75, [-3.0, 0.0, 5.0]),
            (3.2, [0.0, 0.0, 6.0]),
        ],
    )
}

/// The figure as a GLB: joints, each with a box that is one mesh, moved and scaled.
pub(super) fn character() -> Vec<u8> {
    let shape = UnitBox::new();
    let gltf = json!({
        "asset": { "version": "2.0", "generator": "Dopesheet samples" },
        "scene": 0,
        "scenes": [{ "name": "figure", "nodes": [0] }],
        "nodes": nodes(&JOINTS),
        "meshes": [{ "name": "box", "primitives": [UnitBox::primitive()] }],
        "materials": [{ "name": "clay", "pbrMetallicRoughness": {
            "baseColorFactor": [0.86, 0.55, 0.36, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8
        } }],
        "buffers": [{ "byteLength": shape.buffer.len() }],
        "bufferViews": shape.views,
        "accessors": shape.accessors,
    });
    glb(&gltf, &shape.buffer)
}
