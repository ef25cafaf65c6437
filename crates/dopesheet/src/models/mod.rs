//! Models beside motions: used where the joints of a motion are looked up in another file or figure.

pub mod binding;
pub(crate) mod bone_map;
pub(crate) mod bound;
pub(crate) mod english;
pub(crate) mod muscles;
pub mod names;
pub(crate) mod nearest;
pub mod persons;
pub mod points;
pub mod puppet;
pub(crate) mod reach;
pub(crate) mod solving;
pub mod vocabularies;
