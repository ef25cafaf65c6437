//! Nodes moved by other nodes through a rig.

use crate::body::figure::upwards;
use dopesheet_core::model::{NodeIndex, Rig, Scene};
use std::collections::BTreeSet;

/// Pairs of a leader and a follower, which a rig moves by the leader. Where the rig has been solved, the
/// follower's motion contains the leader's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followers(Vec<(NodeIndex, NodeIndex)>);

impl Followers {
    /// No pairs.
    pub const NONE: &Self = &Self(Vec::new());

    /// The pairs of a rig: links of a chain follow its goal, and joints follow the source of their share.
    #[must_use]
    pub fn of(rig: &Rig) -> Self {
        let links = rig.ik.iter().flat_map(|chain| chain.links.iter().map(|link| (chain.goal, link.node)));
        let shares = rig.joints.iter().filter_map(|joint| Some((joint.append?.source, joint.node)));
        Self(links.chain(shares).collect())
    }

    /// True if any node follows `node`.
    #[must_use]
    pub fn lead(&self, node: NodeIndex) -> bool {
        self.0.iter().any(|(leader, _)| *leader == node)
    }

    /// Adds to a set the leaders of its nodes, and the nodes above these leaders.
    pub(crate) fn add_leaders(&self, scene: &Scene, nodes: &mut BTreeSet<usize>) {
        loop {
            let before = nodes.len();
            for (leader, follower) in &self.0 {
                if nodes.contains(&follower.0) {
                    nodes.extend(upwards(scene, *leader).map(|node| node.0));
                }
            }
            if nodes.len() == before {
                return;
            }
        }
    }
}
