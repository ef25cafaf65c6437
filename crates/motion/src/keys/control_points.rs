//! Segments with handles: cubics in time and value.

use dopesheet_core::model::{Blend, Curve, Timing};

/// The control points of one component of a cubic segment: time in seconds, and value as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    /// The key at the start of the segment.
    pub from: [f64; 2],
    /// The handle at that key.
    pub leaving: [f64; 2],
    /// The handle at the next key.
    pub arriving: [f64; 2],
    /// The next key.
    pub to: [f64; 2],
}

/// The cubic of a component between a key and the next one: Bezier timing between two numbers, and finite
/// tangents. `None` for other laws, and without such a segment.
#[must_use]
pub fn cubic(curve: &Curve, component: usize, key: usize) -> Option<Cubic> {
    let next = key.checked_add(1)?;
    let time = |key: usize| curve.times.get(key).map(|t| t.0);
    let value = |key: usize| curve.value(key)?.get(component).map(|v| f64::from(*v));
    let number = |column: &[f32], key: usize| {
        column.get(key.checked_mul(curve.width)?.checked_add(component)?).map(|v| f64::from(*v))
    };
    let (a, b) = (time(key)?, time(next)?);
    let (from, to) = (value(key)?, value(next)?);
    let law = curve.laws.get(key);
    let at = |x: f32, y: f32| [a + (b - a) * f64::from(x), from + (to - from) * f64::from(y)];
    let (leaving, arriving) = match (law.blend, law.timing) {
        (Blend::Lerp, Timing::Bezier { x1, y1, x2, y2 }) => (at(x1, y1), at(x2, y2)),
        (Blend::Hermite | Blend::WeightedBezier, Timing::Linear) => {
            let handles = curve.handles.as_deref()?;
            let slopes = [number(&handles.leaving, key)?, number(&handles.arriving, next)?];
            if slopes.iter().any(|slope| !slope.is_finite()) {
                return None;
            }
            let [leaving, arriving] = match law.blend {
                Blend::WeightedBezier => curve.segment_weights(key, component),
                _ => [1.0 / 3.0; 2],
            }
            .map(|weight| weight * (b - a));
            ([a + leaving, from + slopes[0] * leaving], [b - arriving, to - slopes[1] * arriving])
        }
        _ => return None,
    };
    Some(Cubic { from: [a, from], leaving, arriving, to: [b, to] })
}
