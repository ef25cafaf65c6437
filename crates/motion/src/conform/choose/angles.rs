//! Angles for formats with angles on every frame.

use crate::conform::laws::Destination;
use crate::keys::{Linearised, SharedTimes, Worst};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Laws, Outside, Times};

/// A channel of angles with a key on every frame of its movement stays a channel of angles, with exactly
/// these numbers and keys on all frames of the range; `None` for any other channel, and for formats without
/// such angles.
pub(in crate::conform) fn keep_angles(
    channel: &Channel,
    target: &Destination<'_>,
    shared: &mut SharedTimes,
) -> Option<Linearised> {
    let Destination { plan, capabilities, keeps_relation, .. } = *target;
    let Composition::Euler { order, angles } = &channel.composition else { return None };
    let [curve] = angles.as_slice() else { return None };
    let holds = capabilities.compositions.angles_on_frames && plan.every_frame && plan.only_on_grid;
    if !(holds && keeps_relation && has_a_key_on_every_frame(curve, target)) {
        return None;
    }
    let last = plan.rate.frame(plan.range.1).floor().max(0.0) as i64;
    let frames: Vec<i64> = (0..=last).collect();
    let time = |frame: &i64| plan.rate.seconds(*frame as f64);
    let values = frames.iter().flat_map(|frame| curve.row_on(plan.rate, time(frame))).copied().collect();
    let segment = |frame: &i64| curve.times.count_until(time(frame)).saturating_sub(1);
    let laws = Laws::from_segments(frames.iter().map(|frame| curve.laws.get(segment(frame))));
    let on_frames = Curve::new(shared.frames(plan.rate, frames), curve.width, values, laws);
    let composition = Composition::Euler { order: *order, angles: vec![on_frames] };
    let channel = Channel { composition, ..channel.clone() };
    Some(Linearised {
        channels: vec![channel],
        approximated: false,
        largest: vec![Worst::default()],
        is_bound: vec![true],
    })
}

/// True of a curve with a key on each frame from its first to its last, straight or by the shorter way in
/// between, and held at its ends.
fn has_a_key_on_every_frame(curve: &Curve, target: &Destination<'_>) -> bool {
    let Times::Frames { rate, frames } = &curve.times else { return false };
    *rate == target.plan.rate
        && curve.validate().is_ok()
        && curve.values.iter().all(|x| x.is_finite())
        && frames.array_windows().all(|[from, to]| from.checked_add(1) == Some(*to))
        && [&curve.before, &curve.after].iter().all(|end| **end == Outside::Hold)
        && curve.laws.all(|law| law.timing.is_linear() && matches!(law.blend, Blend::Lerp | Blend::Slerp))
}
