//! Any channel as cubic segments with tangents, as few as stay within an allowance.
//!
//! What the source's own cubic or straight segments are, they stay. Between two of its keys everything else is followed
//! by cubics from value to value: smooth where the source is, with tangents that fit best where it is not. Rotations are
//! cubic in the components of their quaternions and normalised, as glTF's `CUBICSPLINE` and Unity's curves are; their
//! error is measured as an angle.

mod exact;
mod piece;
mod rows;
mod source;
mod spans;
mod stretch;
mod walk;

use crate::linearise::{Allowance, KeyPlan, Linearised, SharedTimes, authored_times, sound_range};
use dopesheet_core::model::{Channel, Curve, ValueKind};
pub(crate) use spans::spans;
use walk::Walk;

/// Most pieces of a channel, and how many more for each key of its own: with more of them straight ones do as well.
const MOST_PIECES: (usize, usize) = (2_000, 60);

/// Turns a channel into cubic segments; `None` if it has no keys, holds its keys, must lie on a grid, or needs more keys
/// than straight segments would.
///
/// Keys of the source stay, as they do for [`linearise`](fn@crate::linearise::linearise), and so do jumps. With `mixed`
/// segments that are straight in the source have no tangents.
#[must_use]
pub fn cubic(
    channel: &Channel,
    plan: &KeyPlan,
    allowance: Allowance,
    mixed: bool,
    shared: &mut SharedTimes,
) -> Option<Linearised> {
    let keys = channel.composition.curves().map(Curve::len).max().filter(|keys| *keys > 0)?;
    if plan.only_on_grid || plan.every_frame || channel.property.kind() == ValueKind::Discrete {
        return None;
    }
    let range = sound_range(channel, plan.range);
    let times = authored_times(channel, range);
    let most = keys.saturating_mul(MOST_PIECES.1).saturating_add(MOST_PIECES.0);
    let mut walk = Walk::new(channel, allowance, mixed, most, range);
    walk.start(*times.first()?);
    for (at, pair) in times.windows(2).enumerate() {
        let before = at.checked_sub(1).and_then(|before| times.get(before));
        walk.go([before.copied(), times.get(at + 2).copied()], pair[0], pair[1])?;
    }
    Some(walk.finish(shared))
}
