//! Feet and hands on the ground or off the body, and the goals of MikuMikuDance's rigs.

pub(crate) mod arm_space;
pub(crate) mod contacts;
pub(crate) mod goals;
pub(crate) mod ik_pass;
pub(crate) mod plants;
