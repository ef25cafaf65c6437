//! Keys at times at which a curve only holds its first or last value.

use dopesheet_core::model::{Blend, Curve, Law, Laws, Outside, Timing};
use dopesheet_core::units::Seconds;
use dopesheet_motion::keys::inserted;

/// Gives a curve a key at a time before its first key or behind its last, with the value held there; true if
/// the curve got a key.
pub(crate) fn reach(curve: &mut Curve, at: Seconds) -> bool {
    let Some((first, last)) = curve.times.span() else { return false };
    let (key, beside) = match () {
        () if at.0 > last.0 && curve.after == Outside::Hold => (curve.len(), curve.len() - 1),
        () if at.0 < first.0 && curve.before == Outside::Hold => (0, 0),
        () => return false,
    };
    let Some(value) = curve.value(beside).map(<[f32]>::to_vec) else { return false };
    let segments = curve.len().saturating_sub(1);
    let still = still(curve.laws.get(beside.min(segments.saturating_sub(1))));
    let laws = (0..segments).map(|segment| curve.laws.get(segment));
    let laws = match key {
        0 => Laws::from_segments([still].into_iter().chain(laws)),
        _ => Laws::from_segments(laws.chain([still])),
    };
    let Some(mut longer) = inserted(curve, key, at, &value, laws) else { return false };
    if still.blend != Blend::Step {
        flatten(&mut longer, beside);
    }
    *curve = longer;
    true
}

/// The law of a segment between equal values on which nothing moves, in the kind of a neighbouring law.
const fn still(beside: Law) -> Law {
    match beside.blend {
        // Controls beside the way would bend it.
        Blend::Step | Blend::Squad | Blend::Turn => Law::STEP,
        blend => Law { timing: Timing::Linear, blend },
    }
}

/// Makes both slopes of a segment 0.
fn flatten(curve: &mut Curve, segment: usize) {
    let width = curve.width;
    let Some(handles) = curve.handles.as_deref_mut() else { return };
    for (column, key) in [(&mut handles.leaving, segment), (&mut handles.arriving, segment + 1)] {
        column.iter_mut().skip(key * width).take(width).for_each(|slope| *slope = 0.0);
    }
}
