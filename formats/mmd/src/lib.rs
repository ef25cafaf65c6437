//! The files of MikuMikuDance.
//!
//! * [`vmd`]: motions of bones, morphs, the camera and the light.
//! * [`text`]: the fixed-size CP932 names that all these files use.

pub mod text;
pub mod vmd;

pub use vmd::Vmd;

use dopesheet_core::model::{Axis, Basis};

/// MikuMikuDance: left-handed, Y up, +X to the model's left; models face −Z, cameras and lights look along +Z.
///
/// A unit is 8 cm: its mascot is 158 cm tall and her models stand 20 units high.
pub const BASIS: Basis = Basis {
    left: Axis::PosX,
    up: Axis::PosY,
    front: Axis::NegZ,
    metres_per_unit: Some(0.08),
    camera_looks: Axis::PosZ,
    light_shines: Axis::PosZ,
};
