//! Human figures: which node is which bone, and any figure's motion as that of a figure in VRM's T-pose.
//!
//! [`propose`](fn@propose) finds the bones by their names, [`retarget`](fn@retarget) carries the motion over, and
//! [`put_onto`] carries it on to a model of MikuMikuDance, as keys for its rig.

mod faces;
mod names;
mod onto;
pub mod points;
mod propose;
mod retarget;

pub use names::Vocabulary;
pub use onto::{Onto, has_mmd_bones, put_onto};
pub use propose::{Proposal, propose};
pub use retarget::{Retarget, RetargetError, Retargeted, retarget};
