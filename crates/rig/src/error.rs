//! Rigs that cannot be solved, and what is odd about those that can.

use dopesheet_core::model::NodeIndex;
use dopesheet_core::words::counted;
use std::fmt;

/// A rig that does not fit its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigError {
    /// A node does not stand after its parent.
    ParentAfterChild {
        /// The child.
        node: NodeIndex,
    },
    /// A constraint names a node that is not there.
    NoSuchNode {
        /// The number it gives.
        node: NodeIndex,
        /// Number of nodes in the model.
        nodes: usize,
    },
    /// A morph names a morph that is not there.
    NoSuchMorph {
        /// The number it gives.
        morph: usize,
        /// Number of morphs in the rig.
        morphs: usize,
    },
    /// Two entries state what the rig asks of the same joint.
    JointTwice {
        /// The joint.
        node: NodeIndex,
    },
}

impl fmt::Display for RigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ParentAfterChild { node } => {
                write!(f, "rig: expected the parent of node {} before it, found it at or after it", node.0)
            }
            Self::NoSuchNode { node, nodes } => {
                write!(f, "rig: expected one of {}, found number {}", counted(*nodes, "node"), node.0)
            }
            Self::NoSuchMorph { morph, morphs } => {
                write!(f, "rig: expected one of {}, found number {morph}", counted(*morphs, "morph"))
            }
            Self::JointTwice { node } => {
                write!(f, "rig: expected one entry for node {}, found a second", node.0)
            }
        }
    }
}

impl std::error::Error for RigError {}

/// Something about a rig that programs disagree about or that has no effect; it is solved all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigFinding {
    /// A joint's turn comes before its parent's; the parent is solved first. MikuMikuDance shows such a joint where
    /// its parent was a frame ago.
    ParentSolvedLater {
        /// The joint.
        node: NodeIndex,
        /// Its parent.
        parent: NodeIndex,
    },
    /// Joints append each other's motion in a circle, of which this is one; the first to have its turn takes its
    /// source's keys only.
    AppendCycle {
        /// The joint that takes.
        node: NodeIndex,
        /// The joint that gives.
        source: NodeIndex,
    },
    /// A link that is not an ancestor of the effector, or is more than a thousand joints above it; it stays as it is
    /// keyed.
    IdleLink {
        /// The chain's position in the rig.
        chain: usize,
        /// The link.
        node: NodeIndex,
    },
    /// A chain asks for more rounds than are run: more than any program runs, or more than a pose may cost.
    RoundsCut {
        /// The chain's position in the rig.
        chain: usize,
        /// The rounds it asks for.
        iterations: u32,
    },
}
