//! The motion files of Myst IV: Revelation.
//!
//! * [`more`]: `ubi` resource files: animations, clips and actors.
//! * [`m4b`]: the archives in which the game stores these files.
//! * [`text`]: the byte strings of names in both.

pub mod m4b;
pub mod more;
pub mod text;

pub use m4b::M4b;
pub use more::More;

use dopesheet_core::model::{Axis, Basis};

/// Axes of the files, as far as they can be inferred: the axes of 3ds Max, with which the files were made,
/// right-handed and Z up, figures facing −Y.
///
/// No game file states the axes; everything that depends on them goes through this constant. The length of a
/// unit is unknown.
pub const BASIS: Basis = Basis {
    left: Axis::PosX,
    up: Axis::PosZ,
    front: Axis::NegY,
    metres_per_unit: None,
    camera_looks: Axis::NegZ,
    light_shines: Axis::NegZ,
};
