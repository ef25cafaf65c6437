//! Curves with all their values changed.

use dopesheet_core::model::{Curve, Outside};
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
    let width = curve.width.max(1);
    curve.values.chunks_exact_mut(width).for_each(|row| change(row, false));
    for column in curve.handles.iter_mut().flat_map(|h| [&mut h.arriving, &mut h.leaving]) {
        column.chunks_exact_mut(width).for_each(|row| change(row, true));
    }
    if let Outside::Ramp { from, .. } = &mut curve.before {
        change(from, false);
    }
    curve
}
