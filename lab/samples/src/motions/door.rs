//! door.json: somebody opens a door with a swing, and it falls shut. door.model.json is the door.

use super::playcanvas::{Node, animation, list, turning};

/// A part of the door: name, parent, where it hangs.
const PARTS: [(&str, i32, [f64; 3]); 5] = [
    ("RootNode", -1, [0.0, 0.0, 0.0]),
    ("Frame", 0, [0.0, 0.0, 0.0]),
    ("Hinge", 1, HINGE),
    ("Handle", 2, HANDLE),
    ("Latch", 2, LATCH),
];
/// In metres: the hinge stands at the edge of an opening 0.9 m wide and 2 m high.
const HINGE: [f64; 3] = [-0.45, 0.0, 0.0];
const HANDLE: [f64; 3] = [0.82, 1.05, 0.04];
const LATCH: [f64; 3] = [0.88, 1.05, 0.0];

/// The motion.
pub(super) fn motion() -> String {
    animation("door", 4.6, &[hinge(), handle(), latch()])
}

fn hinge() -> Node {
    let yaw: [(f64, f64); 18] = [
        (0.0, 0.0),
        (0.45, 0.0),
        (0.6, -9.0),
        (0.8, -36.0),
        (1.0, -68.0),
        (1.2, -92.0),
        (1.4, -103.0),
        (1.6, -99.5),
        (1.85, -95.0),
        (2.15, -96.5),
        (2.6, -96.0),
        (3.0, -88.0),
        (3.3, -66.0),
        (3.55, -34.0),
        (3.75, 0.0),
        (3.84, -4.5),
        (3.94, 0.0),
        (4.6, 0.0),
    ];
    turning("Hinge", HINGE, &yaw.map(|(t, yaw)| (t, [0.0, yaw, 0.0])))
}

fn handle() -> Node {
    let roll: [(f64, f64); 13] = [
        (0.0, 0.0),
        (0.12, 3.0),
        (0.36, -39.0),
        (0.62, -40.0),
        (0.74, -12.0),
        (0.82, 5.0),
        (0.9, -2.0),
        (1.0, 0.0),
        (3.72, 0.0),
        (3.78, -7.0),
        (3.86, 3.0),
        (3.96, 0.0),
        (4.6, 0.0),
    ];
    turning("Handle", HANDLE, &roll.map(|(t, roll)| (t, [0.0, 0.0, roll])))
}

/// It is drawn back by the handle, and once more by the frame when the door falls shut.
fn latch() -> Node {
    let back: [(f64, f64); 9] = [
        (0.0, 0.0),
        (0.14, 0.0),
        (0.36, -0.016),
        (0.62, -0.016),
        (0.76, 0.0),
        (3.7, 0.0),
        (3.74, -0.016),
        (3.95, 0.0),
        (4.6, 0.0),
    ];
    Node { name: "Latch", position: LATCH, keys: back.map(|(t, x)| (t, [x, 0.0, 0.0], [0.0; 3])).to_vec() }
}

/// The hierarchy that the motion plays on.
pub(super) fn model() -> String {
    let node = |(name, _, position): &(&str, i32, [f64; 3])| {
        format!(
            "  {{\"name\":\"{name}\",\"position\":{},\"rotation\":[0,0,0],\"scale\":[1,1,1]}}",
            list(*position)
        )
    };
    let nodes: Vec<String> = PARTS.iter().map(node).collect();
    let parents: Vec<String> = PARTS.iter().map(|(_, parent, _)| parent.to_string()).collect();
    format!(
        "{{\"model\":{{\"version\":3,\"nodes\":[\n{}],\n \"parents\":[{}],\n \"skins\":[],\"vertices\":[],\"meshes\":[],\"meshInstances\":[]}}}}\n",
        nodes.join(",\n"),
        parents.join(",")
    )
}
