//! The verdict on a motion that another figure took.

pub(crate) mod verdict;
