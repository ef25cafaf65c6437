//! The files of the Mixed Reality Toolkit 2 (MRTK2) for Unity.
//!
//! * [`animation`]: recordings of head, hands and gaze ("input animation", `.bin`).

pub mod animation;

pub use animation::Mrtk2;

use dopesheet_core::model::{Axis, Basis};

/// Unity: left-handed, Y up, +X to the right of what faces +Z; metres. Cameras and lights look along +Z.
pub const BASIS: Basis = Basis {
    left: Axis::NegX,
    up: Axis::PosY,
    front: Axis::PosZ,
    metres_per_unit: Some(1.0),
    camera_looks: Axis::PosZ,
    light_shines: Axis::PosZ,
};
