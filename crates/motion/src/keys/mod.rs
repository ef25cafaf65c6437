//! Keys of another kind: fit straight, eased and cubic segments to a motion, bake, reduce, cut and move it in time.

mod bake;
pub(crate) mod camera;
mod columns;
pub(crate) mod control_points;
pub mod cubic;
pub mod cut;
pub mod eased;
mod grid;
mod longest;
pub mod merged;
pub(crate) mod plan;
pub mod reduce;
mod rows;
mod shape;
pub(crate) mod splice;
mod straight;
mod times;
pub mod timing;
pub mod trim;

pub use crate::difference::Worst;
pub use columns::inserted;
pub(crate) use plan::straight_law;
pub use plan::{Allowance, KeyPlan, Linearised};
pub(crate) use shape::is_curved;
pub use straight::linearise;
pub use times::SharedTimes;
pub(crate) use times::authored_times;
