//! Straight segments along winding angles: all of one length, because only an upper bound of their bend is
//! known.

use super::Piece;
use crate::keys::grid::Seen;
use crate::keys::plan::Misses;
use dopesheet_core::units::Seconds;
use dopesheet_curve::lerp;

/// Upper bound of the turn by rounding both ends of a segment to single precision, in radians: half a step of
/// each of four numbers below 1, and an angle is twice the distance of quaternions.
const ROUNDED_RAD: f64 = f32::EPSILON as f64;

/// Segments between two times along a curve with a total bend of at most `bend`, in radians: an n-th of the
/// curve bends by an n²-th. `None` if more keys than `left`, or segments too short to be visible, would be
/// needed.
pub(super) fn even(
    bend: f64,
    allowed: f64,
    [a, b]: [f64; 2],
    seen: Seen,
    left: &mut usize,
) -> Option<Vec<Piece>> {
    let count = (bend / allowed).sqrt().ceil().max(1.0);
    let inserted = count - 1.0;
    if inserted > *left as f64 {
        return None;
    }
    *left = left.saturating_sub(inserted as usize);
    let mut pieces: Vec<Piece> = Vec::with_capacity(count as usize);
    let mut last = a;
    for n in 1..=count as usize {
        let time = if n as f64 == count { b } else { seen.nearest(lerp(a, b, n as f64 / count)) };
        if time < seen.after(last) {
            return None;
        }
        // Times are rounded, so that not all have exactly one length.
        let share = (time - last) / (b - a);
        let misses = Misses::bound(bend * share * share + ROUNDED_RAD, Seconds(lerp(last, time, 0.5)));
        pieces.push(Piece { time: Seconds(time), value: None, misses });
        last = time;
    }
    Some(pieces)
}
