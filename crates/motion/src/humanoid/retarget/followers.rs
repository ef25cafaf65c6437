//! Nodes that a rig moves by others.

use dopesheet_core::model::{NodeIndex, Rig, Scene};
use std::collections::BTreeSet;

/// Pairs of nodes, the second of which a rig moves by the first. Where such a rig has been solved, what the first does is in the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followers(Vec<(NodeIndex, NodeIndex)>);

impl Followers {
    /// None at all.
    pub const NONE: &Self = &Self(Vec::new());

    /// Those of a rig: links of a chain follow its goal, and joints those from which they take a share.
    #[must_use]
    pub fn of(rig: &Rig) -> Self {
        let links = rig.ik.iter().flat_map(|chain| chain.links.iter().map(|link| (chain.goal, link.node)));
        let shares = rig.joints.iter().filter_map(|joint| Some((joint.append?.source, joint.node)));
        Self(links.chain(shares).collect())
    }

    /// True if some node follows one.
    #[must_use]
    pub fn lead(&self, node: NodeIndex) -> bool {
        self.0.iter().any(|(leader, _)| *leader == node)
    }

    /// Adds the nodes to a set that some node of it follows, and those above them.
    pub(super) fn add_leaders(&self, scene: &Scene, nodes: &mut BTreeSet<usize>) {
        loop {
            let before = nodes.len();
            for (leader, follower) in &self.0 {
                if nodes.contains(&follower.0) {
                    let above = |node: &NodeIndex| scene.node(*node).and_then(|own| own.parent);
                    let own = std::iter::successors(Some(*leader), above).take(scene.nodes.len());
                    nodes.extend(own.map(|node| node.0));
                }
            }
            if nodes.len() == before {
                return;
            }
        }
    }
}
