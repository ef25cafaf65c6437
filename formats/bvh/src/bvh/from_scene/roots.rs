//! A single root where possible: other programs read no more than one root, and positions of the root alone.

use super::stays::stay;
use dopesheet_core::model::{Channel, NodeIndex, Scene};
use std::collections::HashSet;

/// Numbers of joints left out for a single root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fewer {
    /// Joints without keys above the root, which takes over their places.
    pub(super) above: usize,
    /// Joints without keys or children beside the root, or beside the joints above it.
    pub(super) leaves: usize,
}

/// Leaves out some of the `kept` joints if a single root results: joints without keys above the first keyed
/// joint, and joints beside them. A root with several limbs stays, and so does a root if no joint changes its
/// position. `moved` has the translation and the rotation of each node.
pub(super) fn single_root(scene: &Scene, kept: &mut [bool], moved: &[[Option<&Channel>; 2]]) -> Fewer {
    let mut fewer = Fewer::default();
    let is_of_skin: HashSet<NodeIndex> =
        scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let is_keyed = |node: usize| moved.get(node).is_some_and(|channels| channels.iter().any(Option::is_some));
    let (mut roots, mut children) = (Vec::new(), vec![Vec::new(); scene.nodes.len()]);
    for (index, node) in scene.nodes.iter().enumerate().filter(|(index, _)| kept.get(*index) == Some(&true)) {
        match node.parent.filter(|parent| parent.0 < index).and_then(|parent| children.get_mut(parent.0)) {
            Some(siblings) => siblings.push(index),
            None => roots.push(index),
        }
    }
    let below = |node: usize| children.get(node).cloned().unwrap_or_default();
    let is_limb =
        |node: &usize| is_keyed(*node) || is_of_skin.contains(&NodeIndex(*node)) || !below(*node).is_empty();
    let any_goes = moved
        .iter()
        .zip(&scene.nodes)
        .any(|([translation, _], node)| translation.is_some_and(|channel| stay(channel, node).is_none()));
    loop {
        let (limbs, leaves): (Vec<usize>, Vec<usize>) = roots.iter().partition(|root| is_limb(root));
        let [root] = limbs[..] else { return fewer };
        leave_out(kept, &leaves);
        fewer.leaves += leaves.len();
        roots = below(root);
        let is_above = any_goes && !is_keyed(root);
        if !is_above || roots.iter().filter(|child| is_limb(child)).count() != 1 {
            return fewer;
        }
        leave_out(kept, &[root]);
        fewer.above += 1;
    }
}

fn leave_out(kept: &mut [bool], nodes: &[usize]) {
    for node in nodes {
        if let Some(kept) = kept.get_mut(*node) {
            *kept = false;
        }
    }
}
