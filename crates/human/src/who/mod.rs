//! The bones of human figures among the nodes of a scene, by their names or by the shape of the figure.

pub(crate) mod doubts;
pub(crate) mod names;
pub(crate) mod naming;
pub(crate) mod persons;
pub(crate) mod propose;
mod sides;
mod spine;
pub(crate) mod unnamed;
