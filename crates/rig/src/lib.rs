//! Constraints on a skeleton (appended motion, inverse kinematics, limits), solved for a pose.
//!
//! A motion of MikuMikuDance keys goals of legs and shares of turns rather than every joint; the motion of a
//! joint follows from the [`Rig`](dopesheet_core::model::Rig) of the model. A [`Solver`] compiles the rig
//! once and then answers for one pose after another, without allocating and without memory of the poses
//! before.
//!
//! * Lengths are in units of the model, quaternions `[x, y, z, w]`, products Hamilton products on column vectors:
//!   `a·b` turns by `b` first. All is computed in `f64`.
//! * Everything is finite for finite input: lengths are cut at [`LONGEST`], rotations without direction count as the
//!   identity, and rounds of inverse kinematics are capped.
//! * A rig knows no scale: scales are passed on without influence on positions.
//! * Where programs disagree the answer has a name, see [`Behaviour`].
//!
//! The motion of a joint is, in this order and relative to its rest pose:
//!
//! ```text
//! t = keyed translation + morphs [+ ratio · source's t]
//! r = IK · morphs · keyed rotation [· share(source's r, ratio)]
//! ```
//!
//! # Order
//!
//! Joints have their turns by pass (before and after physics), level, and number in the file, but parents
//! before their children. MikuMikuDance goes through each level three times: first it adds all appends, then
//! it solves the chains with goals of the level, then it adds once more the appends with a source changed by
//! a chain of the level. An append thus takes the turns by chains of its own and earlier levels, and only the
//! keys of all later joints. babylon-mmd gives each joint one turn for all.
//!
//! # Keys of joints with a fixed axis
//!
//! MikuMikuDance turns keys of such joints onto the axis once, as keys are registered; a solver does so for each
//! pose. Between keys off the axis the two differ by some degrees, so a program that binds a motion to a
//! model passes the keys through [`about_axis`]; a solver leaves such rotations unchanged.
//!
//! # Sources
//!
//! The sources are observation of MikuMikuDance 9.32 (inverse kinematics of small rigs as published with the crate
//! `mmd-anim`), the PMX 2.1 format text, and the published behaviour of babylon-mmd.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod append;
mod behaviour;
mod chain;
mod compile;
mod error;
mod joint;
mod limit;
mod morph;
mod order;
mod place;
mod pose;
mod schedule;
mod solve;
mod turn;

pub use behaviour::{Behaviour, MAX_ROUNDS};
pub use compile::Solver;
pub use error::{RigError, RigFinding};
pub use pose::{RigPose, SolvedPose};
pub use turn::{LONGEST, about_axis, share};
