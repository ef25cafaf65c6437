//! Values shown by MikuMikuDance for everything a motion has no key of.
//!
//! Source: the state of a fresh MikuMikuDance, whose keys at frame 0 have these values.

/// Centre of the camera's orbit.
pub(super) const TARGET: [f32; 3] = [0.0, 10.0, 0.0];
/// Camera angles in radians.
pub(super) const ANGLES: [f32; 3] = [0.0; 3];
/// Camera distance.
pub(super) const DISTANCE: f32 = -45.0;
/// Vertical field of view in degrees.
pub(super) const FOV_DEG: f32 = 30.0;
/// Colour of the light: 154 of 255, as the panel's 0.602.
pub(super) const LIGHT_COLOR: [f32; 3] = [0.602; 3];
/// The way the light travels.
pub(super) const LIGHT_DIRECTION: [f32; 3] = [-0.5, -1.0, 0.5];
/// Self-shadow mode.
pub(super) const SHADOW_MODE: f32 = 1.0;
/// Self-shadow distance as stored: 8875 in the panel.
pub(super) const SHADOW_DISTANCE: f32 = 0.01125;
/// Models are shown and IK chains are on.
pub(super) const SWITCH: f32 = 1.0;
/// Fields of view allowed in conversion, in degrees.
pub(super) const FOV_RANGE_DEG: (u32, u32) = (1, 179);
/// Last frame accepted in conversion: 24 hours.
pub(super) const LAST_FRAME: u32 = 24 * 60 * 60 * 30;
/// Near plane of the camera in MikuMikuDance's units: 4 cm. The file states none.
pub(super) const NEAR: f64 = 0.5;
