//! The two keys around a time; times outside are brought back between the keys where the curve repeats
//! itself.

use super::policy::Side;
use dopesheet_core::model::{Curve, JumpSide, Outside, Times};
use dopesheet_core::units::Seconds;

/// Distance at which a time is a key of a repetition, as a share of the repetition's length. Times of a grid
/// miss the key by some rounding.
const SAME_TIME: f64 = 1e-9;

/// A sample time of a curve, and the side that counts at jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurveTime {
    /// Within the keys wherever the curve repeats itself.
    pub time: Seconds,
    pub side: Side,
    pub jump: JumpSide,
}

/// Snaps a time to the curve's own grid and takes repetitions back to the keys; `None` if there are no keys.
///
/// A time that is not a number stands for the first key.
pub(crate) fn look(curve: &Curve, time: Seconds, side: Side) -> Option<CurveTime> {
    let (first, last) = curve.times.span()?;
    let time = match &curve.times {
        _ if time.0.is_nan() => first,
        Times::Seconds(_) => time,
        Times::Frames { rate, .. } => rate.snap(time),
    };
    let here = CurveTime { time, side, jump: curve.jump };
    let rule = if time.0 < first.0 || (time.0 == first.0 && side == Side::Before) {
        &curve.before
    } else if time.0 > last.0 || (time.0 == last.0 && side == Side::After) {
        &curve.after
    } else {
        return Some(here);
    };
    Some(match rule {
        Outside::Hold | Outside::Ramp { .. } => here,
        Outside::Loop => on_key(curve, repeated(here, first, last, false)),
        Outside::PingPong => on_key(curve, repeated(here, first, last, true)),
    })
}

/// Moves a time beside a key onto the key, if rounding alone separates them.
fn on_key(curve: &Curve, look: CurveTime) -> CurveTime {
    let Some((first, last)) = curve.times.span() else { return look };
    let slack = (last.0 - first.0) * SAME_TIME;
    let until = curve.times.count_until(Seconds(look.time.0 + slack));
    let key = until.checked_sub(1).and_then(|key| curve.times.get(key));
    CurveTime { time: key.filter(|key| key.0 >= look.time.0 - slack).unwrap_or(look.time), ..look }
}

fn repeated(look: CurveTime, first: Seconds, last: Seconds, mirrors: bool) -> CurveTime {
    let (length, offset) = (last.0 - first.0, look.time.0 - first.0);
    if !(length > 0.0 && length.is_finite() && offset.is_finite()) {
        return look;
    }
    let mut along = offset.rem_euclid(length);
    let mut turn = ((offset - along) / length).round();
    if along > length * (1.0 - SAME_TIME) {
        (along, turn) = (0.0, turn + 1.0);
    }
    let from_left = look.side == Side::Before || (look.side == Side::At && look.jump == JumpSide::Before);
    if along < length * SAME_TIME {
        (along, turn) = if from_left { (length, turn - 1.0) } else { (0.0, turn) };
    }
    let backwards = mirrors && turn.rem_euclid(2.0) == 1.0;
    let along = if backwards { length - along } else { along };
    let time = match along {
        a if a <= 0.0 => first,
        a if a >= length => last,
        a => Seconds(first.0 + a),
    };
    if backwards { CurveTime { time, ..seen_backwards(look) } } else { CurveTime { time, ..look } }
}

const fn seen_backwards(look: CurveTime) -> CurveTime {
    let side = match look.side {
        Side::At => Side::At,
        Side::Before => Side::After,
        Side::After => Side::Before,
    };
    let jump = match look.jump {
        JumpSide::Before => JumpSide::After,
        JumpSide::After => JumpSide::Before,
    };
    CurveTime { side, jump, ..look }
}

/// [`Times::count_until`], with a look beside the cursor before the search among all keys.
pub(super) fn count_until(times: &Times, time: Seconds, cursor: Option<&mut usize>) -> usize {
    let Some(cursor) = cursor else { return times.count_until(time) };
    let is_before = |key: usize| times.get(key).is_none_or(|t| time.0 < t.0);
    let is_here = |until: usize| is_before(until) && until.checked_sub(1).is_none_or(|last| !is_before(last));
    let near = [*cursor, cursor.saturating_add(1)].into_iter().find(|until| is_here(*until));
    *cursor = near.unwrap_or_else(|| times.count_until(time));
    *cursor
}
