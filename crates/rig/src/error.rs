//! Errors in rigs, and findings about rigs that can be solved all the same.

use dopesheet_core::model::NodeIndex;
use dopesheet_core::words::counted;
use std::fmt;

/// A mismatch between a rig and its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigError {
    /// A node does not stand after its parent.
    ParentAfterChild {
        /// The child.
        node: NodeIndex,
    },
    /// A constraint names a missing node.
    NoSuchNode {
        /// The number of the named node.
        node: NodeIndex,
        /// Number of nodes in the model.
        nodes: usize,
    },
    /// A morph names a missing morph.
    NoSuchMorph {
        /// The number of the named morph.
        morph: usize,
        /// Number of morphs in the rig.
        morphs: usize,
    },
    /// Two entries of the rig describe the same joint.
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

/// A point of a rig without effect, or with different meanings in different programs; the rig is solved all
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigFinding {
    /// A joint's turn comes before its parent's turn; the parent is solved first. MikuMikuDance shows such a
    /// joint at its parent's position of the previous frame.
    ParentSolvedLater {
        /// The joint.
        node: NodeIndex,
        /// Its parent.
        parent: NodeIndex,
    },
    /// A joint in a circle of joints that append each other's motion; the first joint of the circle to have
    /// its turn takes only the keys of its source.
    AppendCycle {
        /// The receiving joint.
        node: NodeIndex,
        /// The giving joint.
        source: NodeIndex,
    },
    /// A link outside the ancestors of the effector, or more than a thousand joints above the effector; the
    /// link stays as keyed.
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
        /// The wanted number of rounds.
        iterations: u32,
    },
}
