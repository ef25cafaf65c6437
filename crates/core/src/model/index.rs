//! Positions of nodes, used throughout the model.

/// A node's position in [`Scene::nodes`](super::Scene::nodes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub usize);
