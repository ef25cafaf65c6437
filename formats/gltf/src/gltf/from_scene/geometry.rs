//! Meshes, and placeholders that carry morph weights where there is no mesh.

use super::rest_weights;
use super::store::{Entry, FLOAT, Home, Store, VERTEX_TARGET};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::model::Scene;
use std::collections::HashMap;

/// The items of `meshes`, and which node has which.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    pub(super) meshes: Vec<String>,
    by_node: Vec<Option<usize>>,
}

impl Geometry {
    pub(super) fn of(scene: &Scene, store: &mut Store) -> Self {
        let mut geometry = Self::default();
        let mut placeholders = HashMap::new();
        let mut corner = None;
        for node in &scene.nodes {
            let set = node.morphs.and_then(|index| Some((index, scene.morph_sets.get(index.0)?)));
            let mesh = set.filter(|(_, set)| !set.morphs.is_empty()).map(|(index, set)| {
                *placeholders.entry(index).or_insert_with(|| {
                    let zeros = *corner.get_or_insert_with(|| triangle_of_nothing(store));
                    geometry.meshes.push(placeholder(set, zeros));
                    geometry.meshes.len() - 1
                })
            });
            geometry.by_node.push(mesh);
        }
        geometry
    }

    /// The position of a node's mesh in the file.
    pub(super) fn mesh(&self, node: usize) -> Option<usize> {
        self.by_node.get(node).copied().flatten()
    }

    /// Whether a node must be a root: those of skinned meshes are not moved by their parents.
    pub(super) fn stands_alone(&self, _scene: &Scene, _node: usize) -> bool {
        false
    }
}

/// Three equal positions, which also serve as the offsets of any number of morphs.
fn triangle_of_nothing(store: &mut Store) -> usize {
    let blob = store.blob(vec![0; 36], Some(VERTEX_TARGET));
    store.entry(Entry {
        home: Home::Blob(blob),
        component: FLOAT,
        count: 3,
        shape: "VEC3",
        bounds: Some([vec![0.0; 3], vec![0.0; 3]]),
        sparse: None,
    })
}

fn placeholder(set: &dopesheet_core::model::MorphSet, zeros: usize) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if !set.name.is_empty() {
            w.name("name").string(&set.name);
        }
        w.name("primitives").array(|w| {
            w.object(|w| {
                let position = |w: &mut JsonWriter| {
                    w.object(|w| {
                        w.name("POSITION").integer(zeros);
                    });
                };
                position(w.name("attributes"));
                w.name("targets").array(|w| set.morphs.iter().for_each(|_| position(w)));
            });
        });
        let weights = rest_weights(set);
        if weights.iter().any(|weight| *weight != 0.0) {
            w.name("weights").numbers(weights.iter().map(|weight| f64::from(*weight)));
        }
        w.name("extras").object(|w| {
            w.name("targetNames").array(|w| {
                for morph in &set.morphs {
                    w.string(morph);
                }
            });
            w.name("placeholder").bool(true);
        });
    });
    json.finish()
}
