//! Human figures: the bones of a figure among its nodes, and any figure's motion as the motion of a figure in
//! VRM's T-pose.
//!
//! [`propose`](fn@propose) finds the bones by their names or by the shape of the figure, [`retarget`](fn@retarget) carries the motion over,
//! [`retarget_onto`] carries it on to the skeleton of another figure, and [`put_onto`] to a model of MikuMikuDance, as keys for its
//! rig. [`contacts`](fn@contacts) finds when feet and hands stand.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod arm_space;
mod contacts;
mod expressions;
mod faces;
pub mod limb;
mod names;
mod naming;
mod onto;
mod persons;
pub mod points;
mod propose;
mod relaxed;
mod retarget;
mod shape;
mod sides;
mod skeleton;
mod twist;
mod unnamed;
mod upright;
mod values;
mod verdict;

pub use arm_space::{Pressed, keep_hands_off};
pub use contacts::{Contact, ContactLimits, Contacts, contacts};
pub use names::Vocabulary;
pub use naming::{Naming, UnknownNaming};
pub use onto::{Onto, RIG_OFF, has_mmd_bones, put_onto};
pub use persons::others;
pub use propose::{Proposal, hips, propose, propose_by};
pub use relaxed::relax_hands;
pub use retarget::{Destination, Followers, Retarget, RetargetError, Retargeted, retarget};
pub use shape::{detached, doubts};
pub use skeleton::{NO_MORPH, Planted, Skeleton, Transfer, carrying_surface, raise_figure, retarget_onto};
pub use unnamed::Likely;
pub use upright::{Lying, looks_back};
pub use verdict::{Moving, NOT_LIKE_THE_SOURCE, verdict, verdict_alone};
