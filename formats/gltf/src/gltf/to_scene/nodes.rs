//! The hierarchy, skins and morph sets.

use super::super::document::Document;
use super::super::matrix::decompose;
use super::super::rotation::near_unit;
use super::{Repairs, accessor, repairs};
use crate::gltf::json::parts::{Index, Node as StoredNode};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    CameraIndex, LightIndex, MorphSet, MorphSetIndex, Node, NodeIndex, Scene, Transform,
};
use std::collections::HashMap;

/// Largest difference from 1 that the Khronos validator accepts in the length of a quaternion
/// (`errors.dart`).
pub(in crate::gltf) const UNIT_TOLERANCE: f64 = 0.00769;

/// The node of the scene for each node of the file.
pub(super) struct SceneNodes {
    by_index: Vec<NodeIndex>,
}

impl SceneNodes {
    pub(super) fn get(&self, index: Index) -> Option<NodeIndex> {
        self.by_index.get(index as usize).copied()
    }
}

/// Adds all nodes, parents before children and otherwise in the order of the file.
pub(super) fn nodes(
    document: &Document,
    options: &ToScene,
    scene: &mut Scene,
    repairs: &mut Repairs,
) -> SceneNodes {
    let stored = &document.parts.nodes;
    let mut parents = vec![None; stored.len()];
    for (n, node) in stored.iter().enumerate() {
        for child in &node.children {
            if let Some(slot) = parents.get_mut(*child as usize) {
                *slot = Some(n);
            }
        }
    }
    let mut sets = HashMap::new();
    let mut by_index: Vec<Option<NodeIndex>> = vec![None; stored.len()];
    let mut line = Vec::new();
    for start in 0..stored.len() {
        let mut at = Some(start);
        while let Some(index) = at.filter(|index| by_index[*index].is_none()) {
            line.push(index);
            at = parents[index];
        }
        while let Some(index) = line.pop() {
            let parent = parents[index].and_then(|parent| by_index[parent]);
            let mut node = node(document, options, index, parent, repairs);
            node.morphs = morphs(document, &stored[index], &mut sets, scene);
            by_index[index] = Some(scene.push_node(node));
        }
    }
    SceneNodes { by_index: by_index.into_iter().flatten().collect() }
}

fn node(
    document: &Document,
    options: &ToScene,
    index: usize,
    parent: Option<NodeIndex>,
    repairs: &mut Repairs,
) -> Node {
    let stored = &document.parts.nodes[index];
    let pointer = || format!("/nodes/{index}");
    if has_shear(stored) {
        repairs.note(repairs::SHEAR, pointer());
    }
    let mut rest = rest_pose(stored);
    if !options.as_stored {
        let length = rest.rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() > UNIT_TOLERANCE || length.is_nan() {
            repairs.note(repairs::NODE_ROTATION, pointer());
        }
        rest.rotation = near_unit(rest.rotation);
    }
    let mut extras = document.value(stored.content().extras.as_ref());
    let name =
        original_name(&mut extras).unwrap_or_else(|| stored.name.as_deref().unwrap_or_default().to_owned());
    Node {
        name,
        source_index: Some(index),
        parent,
        rest,
        camera: stored.content().camera.map(|index| CameraIndex(index as usize)),
        light: stored.content().light.map(|index| LightIndex(index as usize)),
        extras,
        ..Node::default()
    }
}

/// Takes out a node's name from before names were made distinct.
fn original_name(extras: &mut Option<serde_json::Value>) -> Option<String> {
    let members = extras.as_mut()?.as_object_mut()?;
    let name = members.shift_remove("originalName")?;
    if members.is_empty() {
        *extras = None;
    }
    match name {
        serde_json::Value::String(name) => Some(name),
        _ => None,
    }
}

/// The transform of a node as the file gives it.
pub(in crate::gltf) fn rest_pose(node: &StoredNode) -> Transform {
    let Some(stored) = &node.transform else { return Transform::IDENTITY };
    if let Some(matrix) = &stored.matrix {
        return decompose(matrix).transform;
    }
    let identity = Transform::IDENTITY;
    Transform {
        translation: stored.translation.unwrap_or(identity.translation),
        rotation: stored.rotation.unwrap_or(identity.rotation),
        scale: stored.scale.unwrap_or(identity.scale),
    }
}

/// True if a node has a matrix not expressible as translation, rotation and scale.
pub(in crate::gltf) fn has_shear(node: &StoredNode) -> bool {
    let matrix = node.transform.as_ref().and_then(|transform| transform.matrix.as_ref());
    matrix.map(|matrix| decompose(matrix)).is_some_and(|parts| parts.sheared || parts.projective)
}

/// The morph set of a node: one for each mesh, and another for each node with weights.
fn morphs(
    document: &Document,
    node: &StoredNode,
    sets: &mut HashMap<Index, MorphSetIndex>,
    scene: &mut Scene,
) -> Option<MorphSetIndex> {
    let index = node.content().mesh?;
    let mesh = document.parts.meshes.get(index as usize).filter(|mesh| mesh.targets() > 0)?;
    if let (None, Some(set)) = (&node.content().weights, sets.get(&index)) {
        return Some(*set);
    }
    let names = document.value(mesh.extras.as_ref());
    let names = names.as_ref().and_then(|extras| extras.get("targetNames")?.as_array());
    let name = |morph: usize| names.and_then(|names| names.get(morph)?.as_str()).unwrap_or_default();
    let rest = node.content().weights.as_ref().or(mesh.weights.as_ref());
    let set = MorphSet {
        name: mesh.name.as_deref().unwrap_or_default().to_owned(),
        morphs: (0..mesh.targets()).map(|morph| name(morph).to_owned()).collect(),
        rest: rest.map(|weights| weights.iter().map(|w| accessor::narrow(*w)).collect()).unwrap_or_default(),
    };
    scene.morph_sets.push(set);
    let new_set = MorphSetIndex(scene.morph_sets.len() - 1);
    if node.content().weights.is_none() {
        sets.insert(index, new_set);
    }
    Some(new_set)
}
