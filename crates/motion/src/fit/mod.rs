//! New keys of another law within a bound.

pub(crate) mod camera;
pub mod cubic;
pub mod eased;
pub mod merged;
pub mod timing;
