//! Checks of a model; one function per code.

use super::codes;
use super::document::Document;
use super::meshes::{Drawing, drawing};
use crate::place::{Member, fault};
use dopesheet_core::diag::{Code, Report};
use dopesheet_core::order::by_key;
use dopesheet_core::words::counted;
use std::collections::HashMap;

pub(super) fn check(document: &Document, report: &mut Report) {
    for check in
        [version, scale_compensation, bone_unknown, bone_ambiguous, not_drawn, no_weights, joint_range]
    {
        check(document, report);
    }
}

/// The newest version in known files.
const NEWEST: f64 = 3.0;

fn version(document: &Document, report: &mut Report) {
    let actual = match document.model.version {
        Some(version) if version <= NEWEST => return,
        Some(version) => version.to_string(),
        None => "no member `version`".to_owned(),
    };
    let at = document.places.version.unwrap_or(document.places.model);
    let pointer = if document.model.version.is_some() { "/model/version" } else { "/model" };
    let (code, expected) = (codes::W_VERSION.code, "version 2 or 3");
    report.warn(fault(
        &document.source,
        at,
        code,
        Member { pointer: pointer.into(), name: "" },
        expected,
        actual,
    ));
}

/// A place with a failed check, and the content there.
struct Spot {
    at: usize,
    pointer: String,
    name: String,
    found: String,
}

/// Reports the first spot, and how many more there are.
fn warn(document: &Document, report: &mut Report, code: Code, expected: &'static str, spots: Vec<Spot>) {
    let more = spots.len().saturating_sub(1);
    let Some(mut first) = spots.into_iter().next() else { return };
    if more > 0 {
        first.found.push_str(&format!(" ({more} more like it)"));
    }
    let Spot { at, pointer, name, found } = first;
    report.warn(fault(&document.source, at, code, Member { pointer, name: &name }, expected, found));
}

fn scale_compensation(document: &Document, report: &mut Report) {
    let nodes = document.model.nodes.iter().enumerate().filter(|(_, node)| node.scale_compensation);
    let spots = nodes.map(|(index, node)| Spot {
        at: document.places.nodes.get(index).copied().unwrap_or_default(),
        pointer: format!("/model/nodes/{index}/scaleCompensation"),
        name: node.name.clone(),
        found: "one that ignores it, which no other format supports".into(),
    });
    let expected = "a node that inherits its parent's scale";
    warn(document, report, codes::W_SCALE_COMPENSATION.code, expected, spots.collect());
}

fn bone_unknown(document: &Document, report: &mut Report) {
    bones(document, report, codes::W_BONE_UNKNOWN.code, "the name of a node", |count| {
        (count == 0).then(|| "the name of none; the root is used".to_owned())
    });
}

fn bone_ambiguous(document: &Document, report: &mut Report) {
    bones(document, report, codes::W_BONE_AMBIGUOUS.code, "the name of one node", |count| {
        (count > 1).then(|| format!("the name of {count}; the first, depth first, is used"))
    });
}

/// Reports bones by how many nodes have their name.
fn bones(
    document: &Document,
    report: &mut Report,
    code: Code,
    expected: &'static str,
    test: impl Fn(usize) -> Option<String>,
) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for node in &document.model.nodes {
        *counts.entry(&node.name).or_default() += 1;
    }
    let mut spots = Vec::new();
    for (index, skin) in document.model.skins.iter().enumerate() {
        for (bone, name) in skin.bone_names.iter().enumerate() {
            if let Some(words) = test(counts.get(name.as_str()).copied().unwrap_or(0)) {
                spots.push(Spot {
                    at: document.places.skins.get(index).copied().unwrap_or_default(),
                    pointer: format!("/model/skins/{index}/boneNames/{bone}"),
                    name: String::new(),
                    found: format!("\"{name}\", {words}"),
                });
            }
        }
    }
    warn(document, report, code, expected, spots);
}

fn not_drawn(document: &Document, report: &mut Report) {
    let meshes = document.model.meshes.iter().enumerate();
    let spots = meshes.filter(|(_, mesh)| drawing(mesh) == Drawing::NoSurface).map(|(index, mesh)| Spot {
        at: document.places.meshes.get(index).copied().unwrap_or_default(),
        pointer: format!("/model/meshes/{index}/type"),
        name: String::new(),
        found: format!("`{}`", mesh.kind),
    });
    warn(document, report, codes::W_NOT_DRAWN.code, "triangles", spots.collect());
}

fn no_weights(document: &Document, report: &mut Report) {
    let model = &document.model;
    let meshes = model.meshes.iter().zip(model.effective_skins()).enumerate();
    let bare = meshes.filter(|(_, (mesh, skin))| mesh.skin.is_some() && skin.is_none());
    let spots = bare.map(|(index, _)| Spot {
        at: document.places.meshes.get(index).copied().unwrap_or_default(),
        pointer: format!("/model/meshes/{index}/skin"),
        name: String::new(),
        found: "none, so the mesh counts as one without a skin".into(),
    });
    warn(
        document,
        report,
        codes::W_NO_WEIGHTS.code,
        "vertices with weights for the bones of the skin",
        spots.collect(),
    );
}

fn joint_range(document: &Document, report: &mut Report) {
    let model = &document.model;
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
    let mut spots = Vec::new();
    for (buffer, (bones, mesh)) in buffers {
        let Some(joints) = model.vertices.get(buffer).and_then(|b| b.attribute("blendIndices")) else {
            continue;
        };
        let beyond = joints.data.iter().filter(|joint| **joint >= bones as f32).count();
        if beyond > 0 {
            spots.push(Spot {
                at: document.places.meshes.get(mesh).copied().unwrap_or_default(),
                pointer: format!("/model/meshes/{mesh}/skin"),
                name: String::new(),
                found: format!("{} beyond the skin's {bones}", counted(beyond, "bone index")),
            });
        }
    }
    warn(document, report, codes::W_JOINT_RANGE.code, "bone indices within the skin", spots);
}
