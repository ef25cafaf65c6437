//! Euler angles as they are written.

use dopesheet_curve::{EULER_ZYX, euler_from_quat, nearest_equivalent_zyx_degrees};

/// Degrees about X, Y and Z for the rotation, nearest to the angles of the key before; the first key's Y lies
/// within ±90°.
pub(super) fn angles(turn: [f64; 4], previous: Option<[f64; 3]>) -> [f64; 3] {
    let angles = euler_from_quat(EULER_ZYX, turn).map(f64::to_degrees);
    previous.map_or(angles, |previous| nearest_equivalent_zyx_degrees(angles, previous))
}

/// Decimals to which angles are rounded, so that closer angles are equal: errors of trigonometry in f64
/// around zero are a hundred times smaller.
const MOST_PLACES: f64 = 12.0;

/// The angle with nine significant digits, but no more than twelve places: at most 1e-6° off, finer than a quaternion
/// in f32 can tell, and free of the noise of trigonometry.
pub(super) fn rounded(angle_deg: f64) -> f64 {
    let places = (8.0 - libm::log10(angle_deg.abs()).floor()).min(MOST_PLACES);
    if places < 0.0 {
        return angle_deg;
    }
    // Powers of ten up to 22 are exact, so that the quotient is the f64 nearest to the decimal.
    let scale = 10f64.powi(places as i32);
    // Adding zero leaves no negative one.
    (angle_deg * scale).round() / scale + 0.0
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn nine_digits_are_left_and_no_noise() {
        assert_eq!(rounded(-110.675_000_034_2), -110.675);
        assert_eq!(rounded(44.999_999_999_7), 45.0);
        assert_eq!(rounded(4.686_65e-8), 4.6867e-8);
        assert_eq!(rounded(-1.3e-14).to_bits(), 0);
        assert_eq!(rounded(0.0), 0.0);
        assert_eq!(rounded(123_456.789_012), 123_456.789);
        assert_eq!(rounded(1e30), 1e30);
    }
}
