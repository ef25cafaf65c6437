//! Figures made of boxes, as GLB.

use dopesheet::core::bytes::ByteBuilder;
use serde_json::{Value, json};

/// A joint of a figure, turned like its parent at rest.
pub(super) struct Joint {
    pub name: &'static str,
    pub parent: Option<usize>,
    /// In metres from the parent; +X is the figure's left, +Z its front.
    pub position: [f64; 3],
    /// The middle of its box, and the box's size.
    pub shape: [[f64; 3]; 2],
}

pub(super) const fn joint(
    name: &'static str,
    parent: Option<usize>,
    position: [f64; 3],
    shape: [[f64; 3]; 2],
) -> Joint {
    Joint { name, parent, position, shape }
}

/// The joints, followed by their boxes.
pub(super) fn nodes(joints: &[Joint]) -> Vec<Value> {
    let joint = |(index, joint): (usize, &Joint)| {
        let children =
            joints.iter().enumerate().filter(|(_, child)| child.parent == Some(index)).map(|(i, _)| i);
        let children: Vec<usize> = children.chain([joints.len() + index]).collect();
        json!({ "name": joint.name, "translation": joint.position, "children": children })
    };
    let shape = |joint: &Joint| placed(&format!("{} box", joint.name), 0, joint.shape);
    joints.iter().enumerate().map(joint).chain(joints.iter().map(shape)).collect()
}

/// A node with a mesh, by its middle and its size.
pub(super) fn placed(name: &str, mesh: usize, [middle, size]: [[f64; 3]; 2]) -> Value {
    json!({ "name": name, "mesh": mesh, "translation": middle, "scale": size })
}

/// A box of 1 × 1 × 1 around the origin, in glTF's words.
pub(super) struct UnitBox {
    pub buffer: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    positions: Vec<[f32; 3]>,
}

impl UnitBox {
    pub(super) fn new() -> Self {
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), ByteBuilder::default());
        let mut corner: u16 = 0;
        for axis in 0..3 {
            for sign in [-1.0f32, 1.0] {
                for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                    let (mut position, mut normal) = ([0.0; 3], [0.0; 3]);
                    (position[axis], normal[axis]) = (0.5 * sign, sign);
                    // Seen from outside, corners go round counter-clockwise.
                    (position[(axis + 1) % 3], position[(axis + 2) % 3]) = (u * sign, v);
                    positions.push(position);
                    normals.push(normal);
                }
                for index in [0, 1, 2, 0, 2, 3] {
                    indices.u16(corner + index);
                }
                corner += 4;
            }
        }
        let mut made = Self { buffer: Vec::new(), views: Vec::new(), accessors: Vec::new(), positions };
        made.vectors(&made.positions.clone(), true);
        made.vectors(&normals, false);
        made.view(&indices.finish(), 34963);
        made.accessors.push(json!({ "bufferView": 2, "componentType": 5123, "count": 36, "type": "SCALAR" }));
        made
    }

    /// A primitive of the box, in the first material.
    pub(super) fn primitive() -> Value {
        json!({ "attributes": { "POSITION": 0, "NORMAL": 1 }, "indices": 2, "material": 0 })
    }

    /// A morph target that stretches the box about its middle.
    pub(super) fn stretched(&mut self, by: [f32; 3]) -> Value {
        let moved = |position: &[f32; 3]| [0, 1, 2].map(|axis| position[axis] * (by[axis] - 1.0));
        let offsets: Vec<_> = self.positions.iter().map(moved).collect();
        self.vectors(&offsets, true);
        json!({ "POSITION": self.accessors.len() - 1 })
    }

    fn vectors(&mut self, vectors: &[[f32; 3]], has_bounds: bool) {
        let mut bytes = ByteBuilder::default();
        vectors.iter().for_each(|vector| {
            bytes.f32s(vector);
        });
        self.view(&bytes.finish(), 34962);
        let mut accessor = json!({
            "bufferView": self.views.len() - 1, "componentType": 5126, "count": vectors.len(), "type": "VEC3",
        });
        if has_bounds {
            let bound = |pick: fn(f32, f32) -> f32| {
                [0, 1, 2].map(|axis| vectors.iter().map(|v| v[axis]).reduce(pick).unwrap_or_default())
            };
            (accessor["min"], accessor["max"]) = (json!(bound(f32::min)), json!(bound(f32::max)));
        }
        self.accessors.push(accessor);
    }

    fn view(&mut self, bytes: &[u8], target: u32) {
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len(), "target": target,
        }));
        self.buffer.extend_from_slice(bytes);
    }
}

/// JSON and buffer in the binary container; see glTF 2.0, section 4.4.
pub(super) fn glb(gltf: &Value, buffer: &[u8]) -> Vec<u8> {
    let mut json = ByteBuilder::default();
    json.bytes(gltf.to_string().as_bytes()).align(4, b' ');
    let mut binary = ByteBuilder::default();
    binary.bytes(buffer).align(4, 0);
    let (json, binary) = (json.finish(), binary.finish());
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut file = ByteBuilder::default();
    file.bytes(b"glTF").u32(2).u32(12 + 8 + length(&json) + 8 + length(&binary));
    file.u32(length(&json)).bytes(b"JSON").bytes(&json);
    file.u32(length(&binary)).bytes(b"BIN\0").bytes(&binary);
    file.finish()
}
