//! A map of the names of nodes to bones, to be edited and given with `--map`.

use dopesheet_core::model::{HumanBone, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_human::Proposal;
use serde_json::{Map, Value};

/// Parts of words for bones of hands and faces, all left out of a map to edit.
const DETAILS: [&str; 7] = ["Thumb", "Index", "Middle", "Ring", "Little", "Eye", "jaw"];

/// Names of nodes and their bones: the bones found by name, the bones likely by the shape of the figure, and
/// an empty entry for each required bone that is missing.
pub(crate) fn bone_map(scene: &Scene, proposal: &Proposal) -> String {
    let name = |node: NodeIndex| scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
    let likely = proposal.by_shape.iter().map(|(bone, candidate)| (*bone, candidate.node));
    let named = proposal.humanoid.bones.iter().map(|(bone, node)| (*bone, *node));
    let all = order::map(likely.chain(named));
    let mut map = Map::new();
    let is_detail = |bone: &HumanBone| DETAILS.iter().any(|part| bone.word().contains(part));
    for bone in HumanBone::ALL.into_iter().filter(|bone| !is_detail(bone)) {
        let key = match all.get(&bone) {
            Some(node) => name(*node),
            None if bone.is_required() => format!("? ({})", bone.word()),
            None => continue,
        };
        map.insert(key, Value::from(bone.word()));
    }
    Value::Object(map).to_string()
}
