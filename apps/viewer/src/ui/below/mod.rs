//! The panel below the scene.

pub(in crate::ui) mod curves;
pub(in crate::ui) mod sheet;
pub(in crate::ui) mod transport;
