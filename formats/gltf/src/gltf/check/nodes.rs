//! Nodes, scenes, meshes and cameras.

use super::super::matrix::decompose;
use super::super::to_scene::UNIT_TOLERANCE;
use super::{Findings, code};
use crate::gltf::json::parts::{Camera, Index, Mesh, Node};
use dopesheet_core::model::Transform;
use dopesheet_core::words::counted;

pub(super) fn check(findings: &mut Findings<'_>) {
    let parts = &findings.document.parts;
    for (n, node) in parts.nodes.iter().enumerate() {
        transform(findings, n, node);
        weights(findings, n, node);
        empty(findings, n, node);
    }
    roots(findings);
    for (m, mesh) in parts.meshes.iter().enumerate() {
        self::mesh(findings, m, mesh);
    }
    for (c, camera) in parts.cameras.iter().enumerate() {
        self::camera(findings, c, camera);
    }
}

fn transform(findings: &mut Findings<'_>, n: usize, node: &Node) {
    let Some(transform) = &node.transform else { return };
    let text =
        |end: &str, expected: &str, actual: String| (format!("/nodes/{n}{end}"), expected.to_owned(), actual);
    if let Some(rotation) = transform.rotation {
        let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() > UNIT_TOLERANCE {
            let actual = format!("a length of {length:.6}");
            findings.add(code::ROTATION_NON_UNIT, || text("/rotation", "a quaternion of length 1", actual));
        }
    }
    let Some(matrix) = &transform.matrix else { return };
    if transform.translation.is_some() || transform.rotation.is_some() || transform.scale.is_some() {
        findings.add(code::NODE_MATRIX_TRS, || text("", "a matrix or its parts", "both".into()));
    }
    let parts = decompose(matrix);
    if parts.projective || parts.transform.scale.contains(&0.0) {
        let actual = "one that does not".to_owned();
        findings.add(code::NODE_MATRIX_NON_TRS, || {
            text("/matrix", "a matrix that moves, turns and scales", actual)
        });
    } else if parts.sheared {
        findings.add(code::W_SHEAR, || text("/matrix", "a matrix without shear", "one with shear".into()));
    }
    if parts.transform == Transform::IDENTITY {
        findings.add(code::NODE_MATRIX_DEFAULT, || text("/matrix", "no matrix", "the identity".into()));
    }
}

fn weights(findings: &mut Findings<'_>, n: usize, node: &Node) {
    let mesh = node.content().mesh.and_then(|mesh| findings.document.parts.meshes.get(mesh as usize));
    if let (Some(weights), Some(mesh)) = (&node.content().weights, mesh)
        && weights.len() != mesh.targets()
    {
        let text = || {
            let expected = format!("{}, one per morph target", counted(mesh.targets(), "weight"));
            (format!("/nodes/{n}/weights"), expected, weights.len().to_string())
        };
        findings.add(code::NODE_WEIGHTS_INVALID, text);
    }
}

fn empty(findings: &mut Findings<'_>, n: usize, node: &Node) {
    let holds = node
        .content()
        .mesh
        .or(node.content().camera)
        .or(node.content().skin)
        .or(node.content().light)
        .is_some()
        || node.content().weights.is_some();
    if node.children.is_empty() && !holds && !node.content().has_extensions && node.content().extras.is_none()
    {
        let text = || (format!("/nodes/{n}"), "children or something at the node".into(), "neither".into());
        findings.add(code::NODE_EMPTY, text);
    }
}

fn roots(findings: &mut Findings<'_>) {
    let parts = &findings.document.parts;
    let mut has_parent = vec![false; parts.nodes.len()];
    for child in parts.nodes.iter().flat_map(|node| &node.children) {
        if let Some(slot) = has_parent.get_mut(*child as usize) {
            *slot = true;
        }
    }
    let is_child = |node: &Index| has_parent.get(*node as usize).copied().unwrap_or(false);
    for (s, scene) in parts.scenes.iter().enumerate() {
        for (n, node) in scene.nodes.iter().enumerate().filter(|(_, node)| is_child(node)) {
            let text =
                || (format!("/scenes/{s}/nodes/{n}"), "a root".into(), format!("node {node}, a child"));
            findings.add(code::SCENE_NON_ROOT_NODE, text);
        }
    }
}

fn mesh(findings: &mut Findings<'_>, m: usize, mesh: &Mesh) {
    let text = |end: &str, expected: String, actual: String| (format!("/meshes/{m}{end}"), expected, actual);
    let targets = mesh.targets();
    if mesh.primitives.iter().any(|primitive| primitive.targets.len() != targets) {
        let expected = format!("{targets} in every primitive, as in the first");
        findings.add(code::MESH_UNEQUAL_TARGETS_COUNT, || text("/primitives", expected, "others".into()));
    }
    let Some(weights) = &mesh.weights else { return };
    if weights.len() != targets {
        let expected = format!("{}, one per morph target", counted(targets, "weight"));
        let actual = weights.len().to_string();
        findings.add(code::MESH_INVALID_WEIGHTS_COUNT, || text("/weights", expected, actual));
    }
    let nodes = findings.document.parts.nodes.iter();
    let mut users = nodes.filter(|node| node.content().mesh.map(|mesh| mesh as usize) == Some(m)).peekable();
    if users.peek().is_some() && users.all(|node| node.content().weights.is_some()) {
        let expected = "a node that uses them".into();
        findings.add(code::UNUSED_MESH_WEIGHTS, || text("/weights", expected, "none".into()));
    }
}

fn camera(findings: &mut Findings<'_>, c: usize, camera: &Camera) {
    let kind = if camera.orthographic { "orthographic" } else { "perspective" };
    let text = |end: &str, expected: &str, actual: f64| {
        (format!("/cameras/{c}/{kind}/{end}"), expected.to_owned(), actual.to_string())
    };
    match camera.yfov {
        Some(yfov) if yfov <= 0.0 => {
            findings.add(code::VALUE_NOT_IN_RANGE, || text("yfov", "an angle above 0", yfov));
        }
        Some(yfov) if yfov >= std::f64::consts::PI => {
            findings.add(code::CAMERA_YFOV_GEQUAL_PI, || text("yfov", "an angle below π", yfov));
        }
        _ => {}
    }
    if let (Some(near), Some(far)) = (camera.znear, camera.zfar)
        && far <= near
    {
        findings.add(code::CAMERA_ZFAR_LEQUAL_ZNEAR, || text("zfar", "more than znear", far));
    }
}
