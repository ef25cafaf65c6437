//! Motions on other figures.

pub(crate) mod avatars;
mod bone_table;
mod corpus_bodies;
mod creatures;
mod families;
mod fbx;
mod figures;
mod made;
mod mmd_model;
mod proportions;
mod puppets;
mod raised;
mod refusals;
mod skeletons;
mod standing_feet;
pub(crate) mod verdicts;
