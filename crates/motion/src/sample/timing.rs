//! Timings of segments: the share of a segment that has passed at a time, and the share of the way that is covered by then.

use dopesheet_core::model::Timing;
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;

/// Share of the time from `a` to `b` that has passed at `time`, 0..=1. `b` must be later than `a`.
pub(crate) fn share(a: Seconds, b: Seconds, time: Seconds) -> f64 {
    let share = if (b.0 - a.0).is_finite() {
        (time.0 - a.0) / (b.0 - a.0)
    } else {
        (time.0 / 2.0 - a.0 / 2.0) / (b.0 / 2.0 - a.0 / 2.0)
    };
    share.clamp(0.0, 1.0)
}

/// The share of the way to the next key, 0..=1, at a share of the time.
pub(crate) fn eased(timing: Timing, share: f64) -> f64 {
    match timing {
        Timing::Ease { from, to } => curve::ease(share, from.into(), to.into()),
        Timing::Linear => share,
        Timing::Bezier { x1, y1, x2, y2 } => curve::bezier_timing(&bezier_of([x1, y1, x2, y2]), share),
    }
}

/// Timing curve of a timing that has one.
#[inline]
pub(crate) fn bezier(timing: Timing) -> Option<curve::BezierTiming> {
    match timing {
        Timing::Bezier { x1, y1, x2, y2 } => Some(bezier_of([x1, y1, x2, y2])),
        Timing::Linear | Timing::Ease { .. } => None,
    }
}

fn bezier_of(points: [f32; 4]) -> curve::BezierTiming {
    let [x1, y1, x2, y2] = points.map(f64::from);
    curve::BezierTiming { x1, y1, x2, y2 }
}
