//! Names of targets and properties in a scene, where their kind alone does not say it.

/// The camera, its node and its track.
pub(super) const CAMERA: &str = "camera";
/// The light, its node and its track.
pub(super) const LIGHT: &str = "light";
/// The field of view, in degrees as in the file.
pub(super) const FOV_DEG: &str = "yfov_deg";
/// The self shadow.
pub(super) const SHADOW: &str = "self-shadow";
/// The self-shadow mode.
pub(super) const SHADOW_MODE: &str = "mode";
/// The self-shadow distance, as stored.
pub(super) const SHADOW_DISTANCE: &str = "distance";
/// The model as a whole, which is shown or hidden.
pub(super) const MODEL: &str = "model";
/// Stands before the name of an IK bone in the label of the track that switches it on and off.
pub(super) const IK_PREFIX: &str = "ik:";
