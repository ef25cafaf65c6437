//! Curves with all their values changed.

use dopesheet_core::model::Curve;
use dopesheet_motion::inside::narrow;

/// A curve of one component, multiplied and moved.
pub(crate) fn scaled(curve: &Curve, by: f64, offset: f64) -> Curve {
    changed(curve, |row, is_slope| {
        for value in row {
            *value = narrow(f64::from(*value) * by + if is_slope { 0.0 } else { offset });
        }
    })
}

/// A curve with all its values, controls and slopes changed.
pub(crate) fn changed(curve: &Curve, change: impl Fn(&mut [f32], bool)) -> Curve {
    let mut curve = curve.clone();
    curve.change_rows(change);
    curve
}
