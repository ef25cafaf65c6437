//! Nodes that players move themselves: the nodes with `VRMC_node_constraint`.

use crate::gltf::Document;
use dopesheet_core::bytes::json;
use serde_json::Value;

/// Indices of the nodes turned by a constraint (aim, roll or rotation) after all other nodes: keys of
/// constrained nodes would be overwritten on each frame.
#[must_use]
pub fn driven_nodes(document: &Document) -> Vec<usize> {
    const NAME: &str = "VRMC_node_constraint";
    if !document.json.contains(NAME) {
        return Vec::new();
    }
    let all: Value = json::value(&document.json).unwrap_or_default();
    let nodes = all.get("nodes").and_then(Value::as_array).into_iter().flatten().enumerate();
    let constraint = |node: &Value| node.pointer(&format!("/extensions/{NAME}/constraint")).cloned();
    let is_driven = |node: &Value| {
        constraint(node).is_some_and(|constraint| {
            ["aim", "roll", "rotation"].iter().any(|kind| constraint.get(kind).is_some())
        })
    };
    nodes.filter(|(_, node)| is_driven(node)).map(|(index, _)| index).collect()
}
