//! The files of Myst IV: Revelation that hold motion.
//!
//! * [`more`]: `ubi` resource files: animations, clips and actors.
//! * [`m4b`]: the archives in which the game keeps them.
//! * [`text`]: the byte strings that both use for names.

pub mod m4b;
pub mod more;
pub mod text;

pub use m4b::M4b;
pub use more::More;

use dopesheet_core::model::{Axis, Basis};

/// Axes of the files, as far as anyone can tell: as in 3ds Max, with which they were made, right-handed and Z
/// up, figures facing −Y.
///
/// No game file says so; everything that depends on it goes through this constant. The length of a unit is unknown.
pub const BASIS: Basis = Basis {
    left: Axis::PosX,
    up: Axis::PosZ,
    front: Axis::NegY,
    metres_per_unit: None,
    camera_looks: Axis::NegZ,
    light_shines: Axis::NegZ,
};
