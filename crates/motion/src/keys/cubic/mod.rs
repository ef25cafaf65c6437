//! Any channel as cubic segments with tangents, as few as stay within an allowance.
//!
//! The source's own cubic and straight segments stay. Between two of its keys everything else is followed by
//! cubics from value to value: smooth where the source is, with best-fitting tangents where not. Rotations
//! are cubic in the components of their quaternions and normalised, as glTF's `CUBICSPLINE` and Unity's
//! curves are; their error is measured as an angle.

mod exact;
mod fit;
mod nearest;
mod source;

use super::grid::{Seen, without_grid};
use super::longest::segments;
use super::plan::{Allowance, KeyPlan, Linearised, Misses};
use super::rows::Rows;
use super::shape::{Shape, shape};
use super::straight::Straight;
use super::times::{SharedTimes, authored_times, sound_range};
use crate::sample::Side;
use dopesheet_core::model::{Channel, Curve, ValueKind};
use dopesheet_core::units::Seconds;
use fit::{CubicFit, Piece};
use source::Key;

/// Most segments of a channel, and the additional number for each of its own keys: with more of them straight
/// ones do as well.
const MOST_SEGMENTS: (usize, usize) = (2_000, 60);

/// Segments shorter than this share of the time between two keys of the source are as good as vertical.
const SHORTEST_SHARE: f64 = 1e-5;

/// The part of the allowance for straight segments: a cubic in place of a straight segment runs a little
/// beside a great arc.
const STRAIGHT_AIM: f64 = 0.95;

/// Turns a channel into cubic segments; `None` if the channel has no keys, holds its keys, must lie on a
/// grid, or needs more keys than with straight segments.
///
/// Keys of the source stay, as they do for [`linearise`](fn@crate::keys::linearise), and so do jumps. With `mixed`
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
    let (seen, channel) = (Seen::of(channel), &without_grid(channel));
    let mut cubics = Cubics {
        channel,
        mixed,
        end: range.1,
        seen,
        fit: CubicFit::new(channel, seen, allowance),
        straight: Straight::new(channel, seen, Some(allowance.scaled(STRAIGHT_AIM))),
        left: keys.saturating_mul(MOST_SEGMENTS.1).saturating_add(MOST_SEGMENTS.0),
        rows: Rows::new(&channel.property),
        misses: Misses::NONE,
    };
    cubics.start(*times.first()?, range.0);
    for (at, [from, to]) in times.array_windows().enumerate() {
        let before = at.checked_sub(1).and_then(|before| times.get(before));
        cubics.go([before.copied(), times.get(at.saturating_add(2)).copied()], *from, *to)?;
    }
    Some(Linearised::new(cubics.rows.into_channels(None, mixed, shared), &cubics.misses))
}

/// Cubic segments of a channel under construction, from one of its own keys to the next.
struct Cubics<'a> {
    /// The channel without its grid.
    channel: &'a Channel,
    mixed: bool,
    /// End of the range.
    end: Seconds,
    seen: Seen,
    fit: CubicFit<'a>,
    straight: Straight<'a>,
    /// Number of keys that may still be inserted.
    left: usize,
    rows: Rows<'a>,
    misses: Misses,
}

impl Cubics<'_> {
    /// The first key; a jump may follow directly behind the start of the range.
    fn start(&mut self, time: Seconds, start: Seconds) {
        let before = self.fit.source.value(time, Side::Before);
        let after = self.after(time);
        if time.0 > start.0 {
            self.rows.push(time, &before);
            self.jump(time, &before, &after);
        } else {
            self.rows.push(time, &after);
        }
    }

    /// Goes to the next key, and jumps there if the source does; `around` are the keys before and after both.
    /// `None` if the stretch takes too many keys.
    fn go(&mut self, around: [Option<Seconds>; 2], a: Seconds, b: Seconds) -> Option<()> {
        let to = self.fit.source.value(b, Side::Before);
        match shape(self.channel, a, b) {
            Shape::Constant => self.line(b, &to),
            Shape::Straight if self.mixed || self.fit.source.rotation.is_none() => self.line(b, &to),
            _ => match exact::slopes(self.channel, a, b) {
                Some([leaving, arriving]) => {
                    let from = self.fit.source.value(a, Side::After);
                    self.rows.push_cubic(b, &from, &to, &[leaving, arriving]);
                }
                None => self.follow(around, a, b, &to)?,
            },
        }
        let next = self.after(b);
        self.jump(b, &to, &next);
        Some(())
    }

    /// The value at the start of the next stretch. At the end of the range no stretch follows: a repetition
    /// would start anew there.
    fn after(&mut self, time: Seconds) -> Vec<f64> {
        let side = if time.0 >= self.end.0 { Side::At } else { Side::After };
        self.fit.source.value(time, side)
    }

    /// Adds the new value of a jump, if there is a jump.
    fn jump(&mut self, time: Seconds, before: &[f64], after: &[f64]) {
        if !self.rows.is_same(before, after) {
            let at = self.fit.source.value(time, Side::At);
            self.rows.note_jump(before, &at);
            self.rows.push(time, after);
        }
    }

    /// A straight segment to a value, with a key in its middle if the segment is nearly half a turn.
    fn line(&mut self, b: Seconds, to: &[f64]) {
        if let Some(middle) = self.rows.half_way(b, to) {
            let value = self.fit.source.value(middle, Side::At);
            self.rows.push(middle, &value);
        }
        self.rows.push(b, to);
    }

    /// Cubics within the allowance, or straight segments where the source is too steep for cubics.
    fn follow(&mut self, around: [Option<Seconds>; 2], a: Seconds, b: Seconds, to: &[f64]) -> Option<()> {
        let from = self.fit.authored([around[0], Some(b)], a);
        let end = Key { value: to.to_vec(), ..self.fit.authored([Some(a), around[1]], b) };
        self.fit.span = [a.0, b.0];
        let mut last = from.value.clone();
        let shortest = Some(SHORTEST_SHARE * (b.0 - a.0));
        match segments(&mut self.fit, self.seen, [from, end], &mut self.left, shortest) {
            Some(fitted) => {
                for (key, Piece { to, slopes, misses }) in fitted {
                    self.misses.note(&misses);
                    self.rows.push_cubic(key.time, &last, &to, &slopes);
                    last = key.value;
                }
            }
            None if self.left == 0 => return None,
            None => {
                for piece in self.straight.pieces(a, b) {
                    let is_arc = !self.mixed && self.fit.source.rotation.is_some();
                    let misses = Misses { is_bound: piece.misses.is_bound && !is_arc, ..piece.misses };
                    self.misses.note(&misses);
                    let given = piece.value.map(|value| value.into_iter().map(f64::from).collect());
                    let sampled = || {
                        if piece.time == b {
                            to.to_vec()
                        } else {
                            self.fit.source.value(piece.time, Side::At)
                        }
                    };
                    let value = given.unwrap_or_else(sampled);
                    self.rows.push(piece.time, &value);
                }
            }
        }
        Some(())
    }
}
