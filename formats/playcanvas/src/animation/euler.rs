//! Euler angles as they are written.

use dopesheet_curve::{EulerOrder, euler_from_quat, nearest_equivalent_zyx_degrees};

/// Degrees about X, Y and Z that give the rotation, nearest to those of the key before; the first key's Y lies
/// within ±90°.
pub(super) fn angles(turn: [f64; 4], previous: Option<[f64; 3]>) -> [f64; 3] {
    let angles = euler_from_quat(EulerOrder::Zyx, turn).map(f64::to_degrees);
    previous.map_or(angles, |previous| nearest_equivalent_zyx_degrees(angles, previous))
}

/// The angle with nine significant digits: at most 1e-6° off, finer than a quaternion in f32 can tell, and free of
/// the noise of trigonometry.
pub(super) fn rounded(angle_deg: f64) -> f64 {
    format!("{angle_deg:.8e}").parse().unwrap_or(angle_deg)
}
