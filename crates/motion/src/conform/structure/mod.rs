//! Structure of a scene in the manner of a format: parts, parents, rest poses, tracks.

pub(super) mod layout;
pub(crate) mod morphs;
pub(super) mod parts;
pub(super) mod rays;
pub(super) mod relation;
pub(super) mod world;
