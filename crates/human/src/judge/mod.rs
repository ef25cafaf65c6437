//! The verdict on a motion that another figure took, and the slides of its stands.

pub(crate) mod slides;
pub(crate) mod verdict;
