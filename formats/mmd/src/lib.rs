//! The files of MikuMikuDance.
//!
//! * [`vmd`]: motions of bones, morphs, the camera and the light.
//! * [`pmx`]: models of version 2.0 and 2.1.
//! * [`pmd`]: models of older versions.
//! * [`vpd`]: poses of bones and morphs.
//! * [`text`]: the CP932 text of all files but PMX.

mod cp932;
pub mod pmd;
pub mod pmx;
mod record;
mod rotation;
pub mod text;
pub mod vmd;
pub mod vpd;

pub use pmd::Pmd;
pub use pmx::Pmx;
pub use vmd::Vmd;
pub use vpd::Vpd;

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
