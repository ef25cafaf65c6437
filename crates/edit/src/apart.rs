//! Difference of two values of a property.

use dopesheet_core::model::{Property, ValueKind};

/// Distance of positions, angle between rotations in radians, and else the largest difference of a component. Of a placement the position
/// counts.
pub(crate) fn apart(property: &Property, a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| a - b);
    match property.kind() {
        ValueKind::Rotation => match (<[f64; 4]>::try_from(a), <[f64; 4]>::try_from(b)) {
            (Ok(a), Ok(b)) => dopesheet_curve::quat_angle(a, b),
            _ => 0.0,
        },
        ValueKind::Position => differences.take(3).map(|own| own * own).sum::<f64>().sqrt(),
        _ => differences.map(f64::abs).fold(0.0, f64::max),
    }
}
