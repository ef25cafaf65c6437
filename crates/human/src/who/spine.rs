//! Trunks whose joints are numbered from the hips to the head, as those of Rigify: `spine`, `spine.001` and so on.

use crate::body::figure::hangs_on;
use dopesheet_core::model::{NodeIndex, Scene};
use std::collections::HashMap;

/// Fewest joints of such a trunk: hips, spine, chest and head.
const FEWEST: usize = 4;
/// Joints of the arms, by whose parent the chest is known.
const ARMS: [&str; 2] = ["shoulderl", "upperarml"];

/// Enters the joints of a numbered trunk under the names of the bones that their order makes them: hips first, the chest at the arms, then neck
/// and head. Returns false of any other trunk.
pub(super) fn name_by_order(scene: &Scene, names: &mut HashMap<String, NodeIndex>) -> bool {
    let mut trunk: Vec<NodeIndex> = names.get("spine").copied().into_iter().collect();
    while let Some(last) = trunk.last().copied()
        && let Some(joint) = names.get(&format!("spine{:03}", trunk.len())).copied()
        && hangs_on(scene, joint, last)
    {
        trunk.push(joint);
    }
    if trunk.len() < FEWEST || names.contains_key("head") {
        return false;
    }
    let arm = ARMS.iter().find_map(|name| names.get(*name));
    let chest = arm.and_then(|arm| trunk.iter().rposition(|joint| hangs_on(scene, *arm, *joint)));
    let (below_neck, above) =
        trunk.split_at_checked(chest.unwrap_or(FEWEST - 1).saturating_add(1)).unwrap_or((&trunk, &[]));
    let mut enter = |name: &str, joint: Option<&NodeIndex>| {
        if let Some(joint) = joint {
            names.insert(name.to_owned(), *joint);
        }
    };
    for (name, joint) in ["hips", "spine", "chest"].into_iter().zip(below_neck) {
        enter(name, Some(joint));
    }
    enter("upperchest", below_neck.get(FEWEST - 1..).and_then(<[_]>::last));
    enter("neck", above.first().filter(|_| above.len() > 1));
    enter("head", above.last());
    true
}
