//! The panel beside the scene.

pub(in crate::ui) mod bones;
pub(in crate::ui) mod change;
pub(in crate::ui) mod compare;
pub(in crate::ui) mod export;
pub(in crate::ui) mod facts;
pub(in crate::ui) mod figure;
pub(in crate::ui) mod stands;
