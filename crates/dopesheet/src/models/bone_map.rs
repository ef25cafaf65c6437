//! A map of the names of nodes to bones, to be edited and given with `--map`.

use dopesheet_core::model::{HumanBone, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_human::Proposal;
use serde_json::{Map, Value};

/// Parts of words for bones of hands and faces, all left out of a map to edit.
const DETAILS: [&str; 7] = ["Thumb", "Index", "Middle", "Ring", "Little", "Eye", "jaw"];

/// Names of nodes and their bones: the bones of a human figure found by name, else the bones likely by the shape
/// of the figure, then the other ones, and an entry to edit for each bone without which no figure is human.
pub(crate) fn bone_map(scene: &Scene, proposal: &Proposal) -> String {
    let name = |node: NodeIndex| scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
    let likely = order::map(proposal.by_shape.iter().map(|(bone, candidate)| (*bone, candidate.node)));
    let named = proposal.humanoid.bones.clone();
    let by_names = proposal.humanoid.is_human() || likely.is_empty();
    let (mut all, others) = if by_names { (named, likely) } else { (likely, named) };
    for (bone, node) in others {
        // A node stands for one bone in a map.
        if !all.values().any(|taken| *taken == node) {
            all.entry(bone).or_insert(node);
        }
    }
    let mut map = Map::new();
    let is_detail = |bone: &HumanBone| DETAILS.iter().any(|part| bone.word().contains(part));
    for bone in HumanBone::ALL.into_iter().filter(|bone| !is_detail(bone)) {
        let key = match all.get(&bone) {
            Some(node) => name(*node),
            None if bone.is_required() && !bone.ends_a_limb() => format!("? ({})", bone.word()),
            None => continue,
        };
        map.insert(key, Value::from(bone.word()));
    }
    Value::Object(map).to_string()
}
