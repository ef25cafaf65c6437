//! Checks of a model.

use super::codes;
use super::document::Document;
use super::meshes::{Drawing, drawing};
use crate::place::{Member, Warnings};
use dopesheet_core::diag::{Code, Report};
use dopesheet_core::order::by_key;
use dopesheet_core::words::counted;
use std::collections::HashMap;

/// The newest version in known files.
const NEWEST: f64 = 3.0;

pub(super) fn check(document: &Document, report: &mut Report) {
    let mut look = CheckedModel { document, seen: Warnings::of(&document.source) };
    look.version();
    look.scale_compensation();
    look.bones(codes::W_BONE_UNKNOWN.code, "the name of a node", |count| {
        (count == 0).then(|| "the name of none; the root is used".to_owned())
    });
    look.bones(codes::W_BONE_AMBIGUOUS.code, "the name of one node", |count| {
        (count > 1).then(|| format!("the name of {count}; the first, depth first, is used"))
    });
    look.meshes();
    look.joint_range();
    look.seen.report(report);
}

/// A model, and its findings so far.
struct CheckedModel<'a> {
    document: &'a Document,
    seen: Warnings<'a>,
}

impl CheckedModel<'_> {
    fn add(&mut self, code: Code, at: usize, pointer: String, expected: &'static str, found: String) {
        self.seen.add(code, at, || Member { pointer, name: "" }, expected, || found);
    }

    fn version(&mut self) {
        let Document { model, places, .. } = self.document;
        let actual = match model.version {
            Some(version) if version <= NEWEST => return,
            Some(version) => version.to_string(),
            None => "no member `version`".to_owned(),
        };
        let pointer = if model.version.is_some() { "/model/version" } else { "/model" };
        let at = places.version.unwrap_or(places.model);
        self.add(codes::W_VERSION.code, at, pointer.to_owned(), "version 2 or 3", actual);
    }

    fn scale_compensation(&mut self) {
        let Document { model, places, .. } = self.document;
        for (index, node) in model.nodes.iter().enumerate().filter(|(_, node)| node.scale_compensation) {
            let at = start(&places.nodes, index);
            let pointer = || format!("/model/nodes/{index}/scaleCompensation");
            let member = || Member { pointer: pointer(), name: &node.name };
            let expected = "a node that inherits its parent's scale";
            let actual = || "one that ignores it, which no other format supports".to_owned();
            self.seen.add(codes::W_SCALE_COMPENSATION.code, at, member, expected, actual);
        }
    }

    /// Reports bones by how many nodes have their name.
    fn bones(&mut self, code: Code, expected: &'static str, test: impl Fn(usize) -> Option<String>) {
        let Document { model, places, .. } = self.document;
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for node in &model.nodes {
            *counts.entry(&node.name).or_default() += 1;
        }
        for (index, skin) in model.skins.iter().enumerate() {
            for (bone, name) in skin.bone_names.iter().enumerate() {
                if let Some(words) = test(counts.get(name.as_str()).copied().unwrap_or(0)) {
                    let pointer = format!("/model/skins/{index}/boneNames/{bone}");
                    let actual = format!("\"{name}\", {words}");
                    self.add(code, start(&places.skins, index), pointer, expected, actual);
                }
            }
        }
    }

    /// Meshes that are not drawn, and skinned meshes without weights.
    fn meshes(&mut self) {
        let Document { model, places, .. } = self.document;
        for (index, mesh) in model.meshes.iter().enumerate() {
            if drawing(mesh) == Drawing::NoSurface {
                let pointer = format!("/model/meshes/{index}/type");
                let (at, actual) = (start(&places.meshes, index), format!("`{}`", mesh.kind));
                self.add(codes::W_NOT_DRAWN.code, at, pointer, "triangles", actual);
            }
        }
        for (index, (mesh, skin)) in model.meshes.iter().zip(model.effective_skins()).enumerate() {
            if mesh.skin.is_some() && skin.is_none() {
                let pointer = format!("/model/meshes/{index}/skin");
                let actual = "none, so the mesh counts as one without a skin".to_owned();
                let expected = "vertices with weights for the bones of the skin";
                self.add(codes::W_NO_WEIGHTS.code, start(&places.meshes, index), pointer, expected, actual);
            }
        }
    }

    fn joint_range(&mut self) {
        let Document { model, places, .. } = self.document;
        // Of all meshes with the same vertices the one with the smallest skin decides.
        let mut fewest: HashMap<usize, (usize, usize)> = HashMap::new();
        for (index, mesh) in model.meshes.iter().enumerate() {
            if let Some(skin) = mesh.skin.and_then(|skin| model.skins.get(skin)) {
                let entry = fewest.entry(mesh.vertices).or_insert((skin.bone_names.len(), index));
                *entry = (*entry).min((skin.bone_names.len(), index));
            }
        }
        let mut buffers: Vec<_> = fewest.into_iter().collect();
        by_key(&mut buffers, |buffer| *buffer);
        for (buffer, (bones, mesh)) in buffers {
            let Some(joints) = model.vertices.get(buffer).and_then(|b| b.attribute("blendIndices")) else {
                continue;
            };
            let beyond = joints.data.iter().filter(|joint| **joint >= bones as f32).count();
            if beyond > 0 {
                let actual = format!("{} beyond the skin's {bones}", counted(beyond, "bone index"));
                let (at, pointer) = (start(&places.meshes, mesh), format!("/model/meshes/{mesh}/skin"));
                self.add(codes::W_JOINT_RANGE.code, at, pointer, "bone indices within the skin", actual);
            }
        }
    }
}

/// Start of an item of a list in the text.
fn start(places: &[usize], index: usize) -> usize {
    places.get(index).copied().unwrap_or_default()
}
