//! Tests for channels and tracks that move at all.

use dopesheet_core::model::{Blend, Channel, Curve, Outside, Track};
use dopesheet_core::units::Seconds;
use std::ops::Range;

/// True of a track with at least one channel that changes within a range of time. A track that only holds a
/// pose during this range does not move, whatever happens before and after.
#[must_use]
pub fn moves(track: &Track, range: (Seconds, Seconds)) -> bool {
    let curves =
        |channel: &Channel| channel.composition.curves().any(|curve| changes_within(curve, range.0, range.1));
    track.channels.iter().any(|channel| changes(channel) && curves(channel))
}

/// True of a curve that has more than one value within a range of time.
fn changes_within(curve: &Curve, start: Seconds, end: Seconds) -> bool {
    let Some((first, last)) = curve.times.span().filter(|_| start.0 < end.0) else { return false };
    let repeats = |rule: &Outside| matches!(rule, Outside::Loop | Outside::PingPong);
    let is_repeated =
        (start.0 < first.0 && repeats(&curve.before)) || (last.0 < end.0 && repeats(&curve.after));
    if is_repeated {
        return goes_on(curve, 0..curve.len());
    }
    let sets_out = matches!(curve.before, Outside::Ramp { start, .. } if start.0 < end.0);
    if start.0 < first.0 && sets_out && comes_from_elsewhere(curve) {
        return true;
    }
    let from = curve.times.count_until(start).saturating_sub(1);
    // The first key at the end or behind it; what holds until behind it has not changed yet.
    let reached = curve.times.count_before(end);
    let is_held = curve.times.get(reached).is_some_and(|time| time.0 > end.0)
        && reached.checked_sub(1).is_some_and(|before| curve.laws.get(before).blend == Blend::Step);
    let to = if is_held { reached } else { reached.saturating_add(1).min(curve.len()) };
    goes_on(curve, from..to)
}

/// True if some of these keys differ, or if a tangent leads away from one of them towards another.
fn goes_on(curve: &Curve, keys: Range<usize>) -> bool {
    // Of one key or none, no segment.
    let starts = keys.start..keys.end.saturating_sub(1).max(keys.start);
    let ends = keys.start.saturating_add(1).min(keys.end)..keys.end;
    let mut rows = rows_of(curve, &curve.values, keys).chunks_exact(curve.width.max(1));
    let first = rows.next();
    let is_sloped = |column, keys| rows_of(curve, column, keys).iter().any(|slope| *slope != 0.0);
    let handles = curve.handles.as_deref();
    !rows.all(|row| Some(row) == first)
        || handles.is_some_and(|own| is_sloped(&own.leaving, starts) || is_sloped(&own.arriving, ends))
}

/// The numbers of a column for a range of keys.
fn rows_of<'a>(curve: &Curve, column: &'a [f32], keys: Range<usize>) -> &'a [f32] {
    column
        .get(keys.start.saturating_mul(curve.width)..keys.end.saturating_mul(curve.width))
        .unwrap_or_default()
}

/// True of a channel whose values differ, or whose tangents lead away from a constant value.
pub fn changes(channel: &Channel) -> bool {
    channel
        .composition
        .curves()
        .any(|curve| has_slopes(curve) || !is_constant(curve) || comes_from_elsewhere(curve))
}

/// True of a curve whose keys are all the same.
pub(crate) fn is_constant(curve: &Curve) -> bool {
    let mut rows = curve.values.chunks_exact(curve.width.max(1));
    let first = rows.next();
    rows.all(|row| Some(row) == first)
}

fn has_slopes(curve: &Curve) -> bool {
    let handles = curve.handles.as_deref();
    handles.is_some_and(|handles| handles.arriving.iter().chain(&handles.leaving).any(|slope| *slope != 0.0))
}

fn comes_from_elsewhere(curve: &Curve) -> bool {
    match &curve.before {
        Outside::Ramp { from, .. } => curve.value(0) != Some(&**from),
        Outside::Hold | Outside::Loop | Outside::PingPong => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Handles, Law, Laws, Property, Target, TargetKind, Times};

    fn curve(values: &[f32], law: Law) -> Curve {
        let times = (0..values.len()).map(|key| key as f64).collect();
        Curve::new(Times::Seconds(times), 1, values.to_vec(), Laws::uniform(law))
    }

    fn moves_from(curve: &Curve, start: f64, end: f64) -> bool {
        let channels = vec![Channel::whole(Property::Weight, curve.clone())];
        let track = Track { target: Target::new(TargetKind::Morph, "smile", 0, None), channels };
        moves(&track, (Seconds(start), Seconds(end)))
    }

    #[test]
    fn only_what_changes_between_two_times_moves() {
        let late = curve(&[1.0, 1.0, 2.0], Law::LINEAR);
        let spans = [(0.0, 1.0), (0.0, 1.5), (1.0, 2.0), (1.2, 1.3), (1.5, 1.5), (2.0, 9.0)];
        let moves = spans.map(|(start, end)| moves_from(&late, start, end));
        assert_eq!(moves, [false, true, true, true, false, false]);
        assert!(!moves_from(&curve(&[], Law::LINEAR), 0.0, 9.0));
    }

    #[test]
    fn a_step_moves_when_it_is_reached() {
        let steps = curve(&[1.0, 1.0, 2.0], Law::STEP);
        let moves = [(0.0, 1.9), (0.0, 2.0), (2.0, 3.0)].map(|(start, end)| moves_from(&steps, start, end));
        assert_eq!(moves, [false, true, false]);
    }

    #[test]
    fn tangents_move_only_what_lies_between_them() {
        let cubic = Law { blend: Blend::Hermite, ..Law::LINEAR };
        let slopes = |arriving, leaving| Some(Box::new(Handles { arriving, leaving }));
        let bump = Curve { handles: slopes(vec![0.0; 3], vec![0.0, 1.0, 0.0]), ..curve(&[1.0; 3], cubic) };
        assert_eq!([(0.0, 1.0), (1.0, 2.0)].map(|(a, b)| moves_from(&bump, a, b)), [false, true]);
    }

    #[test]
    fn ramps_and_repetitions_move_outside_the_keys() {
        let from = Box::new([3.0]);
        let ramp = Outside::Ramp { start: Seconds(-2.0), from, law: Law::LINEAR };
        let held = Curve { before: ramp, ..curve(&[1.0], Law::LINEAR) };
        let spans = [(-9.0, -2.0), (-9.0, -1.0), (-1.0, 0.0), (0.0, 1.0)];
        assert_eq!(spans.map(|(a, b)| moves_from(&held, a, b)), [false, true, true, false]);
        let again = Curve { after: Outside::Loop, ..curve(&[1.0, 2.0], Law::LINEAR) };
        assert!(moves_from(&again, 5.0, 5.5) && !moves_from(&again, -2.0, -1.0));
    }
}
