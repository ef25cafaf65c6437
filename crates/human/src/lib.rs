//! Human figures: the bones of a figure among its nodes, and any figure's motion as the motion of a figure in
//! VRM's T-pose.
//!
//! [`propose`](fn@propose) finds the bones by their names or by the shape of the figure, and [`carry`](fn@carry) carries the motion to a
//! figure in the T-pose, to the skeleton of another figure, or to a model of MikuMikuDance, as keys for its
//! rig. [`contacts`](fn@contacts) finds when feet and hands stand.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod body;
mod carry;
mod face;
mod judge;
mod stand;
mod who;

pub use body::ends::make_ends;
pub use body::figure::Figure;
pub use body::first_frame::motion_start;
pub use body::ground::Floor;
pub use body::limb;
pub use body::upright::{Lying, looks_back};
pub use carry::{
    Carried, Carry, CarryOptions, Followers, MissingBones, NO_MORPH, carry, carrying_surface, raise_figure,
    relax_hands,
};
pub use judge::played::Moving;
pub use judge::verdict::{NOT_LIKE_THE_SOURCE, verdict};
pub use stand::arm_space::{Pressed, keep_hands_off};
pub use stand::contacts::{Contact, ContactLimits, Contacts, contacts};
pub use stand::goals::measure::RIG_OFF;
pub use stand::goals::{Goals, has_mmd_bones};
pub use stand::ik_pass::Planted;
pub use who::doubts::{detached, doubts};
pub use who::names::Vocabulary;
pub use who::naming::{Naming, UnknownNaming};
pub use who::persons::others;
pub use who::propose::{Proposal, hips, propose, propose_by};
pub use who::unnamed::Likely;
