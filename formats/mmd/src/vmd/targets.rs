//! Names of targets and properties in a scene not determined by their kind alone.

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
/// The model as a whole, shown or hidden.
pub(super) const MODEL: &str = "model";
/// Prefix of the name of an IK bone in the label of the track for its switch.
pub(super) const IK_PREFIX: &str = "ik:";
