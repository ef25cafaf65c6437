//! From key to key of a channel.

use super::exact;
use super::piece::Fitter;
use super::rows::{Rows, Way};
use super::source::{Knot, Source};
use crate::evaluate::{KeyValue, Side};
use crate::linearise::{Allowance, Linearised, Shape, SharedTimes, Splitter, narrow, shape};
use dopesheet_core::model::{Channel, JumpSide};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;

/// Rotations turn by no more than this between two straight keys, in radians: 170°.
const LARGEST_TURN_RAD: f64 = 170.0 * std::f64::consts::PI / 180.0;

/// Straight pieces use this part of the allowance: a cubic that stands for one goes a little beside a great arc.
const STRAIGHT_AIM: f64 = 0.95;

/// Goes from key to key of a channel.
pub(super) struct Walk<'a> {
    channel: &'a Channel,
    mixed: bool,
    range: (Seconds, Seconds),
    fitter: Fitter<'a>,
    splitter: Splitter<'a>,
    rows: Rows,
    /// Jumps at whose time the old and the new value counts.
    sides: [usize; 2],
    /// The key at which the last stretch ended.
    known: Option<Knot>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        channel: &'a Channel,
        allowance: Allowance,
        mixed: bool,
        most: usize,
        range: (Seconds, Seconds),
    ) -> Self {
        Self {
            channel,
            mixed,
            range,
            fitter: Fitter::new(Source::new(channel), &channel.property, allowance, most),
            splitter: Splitter::new(channel, allowance.scaled(STRAIGHT_AIM)),
            rows: Rows::default(),
            sides: [0, 0],
            known: None,
        }
    }

    pub(super) fn finish(mut self, shared: &mut SharedTimes) -> Linearised {
        let jump = if self.sides[0] > self.sides[1] { JumpSide::Before } else { JumpSide::After };
        self.rows.finish(&self.channel.property, &mut self.fitter.source, self.mixed, jump, shared)
    }

    /// The first key; behind the start of the range something may jump there.
    pub(super) fn start(&mut self, time: Seconds) {
        let before = self.fitter.source.value(time, Side::Before);
        let after = self.after(time);
        if time.0 > self.range.0.0 {
            self.rows.set(time, &before);
            self.jump(time, &before, after);
        } else {
            self.rows.set(time, &after);
        }
    }

    /// Goes to the next key, and jumps there if the source does; `around` are the keys before and after both. `None` if
    /// that takes too many keys.
    pub(super) fn go(&mut self, around: [Option<Seconds>; 2], a: Seconds, b: Seconds) -> Option<()> {
        let from = self.fitter.source.value(a, Side::After);
        let to = self.fitter.source.value(b, Side::Before);
        match shape(self.channel, a, b) {
            Shape::Constant => self.line(a, b, &to, Way::Straight),
            Shape::Straight if self.mixed || self.fitter.source.rotation.is_none() => {
                self.line(a, b, &to, Way::Straight);
            }
            _ => match exact::slopes(self.channel, a, b) {
                Some([leaving, arriving]) => self.exact(&from, b, &to, [leaving, arriving]),
                None => self.fit(around, a, b, &to)?,
            },
        }
        let next = self.after(b);
        self.jump(b, &to, next);
        Some(())
    }

    /// From where a channel goes on. At the end nothing comes after: a repetition would start anew there.
    fn after(&mut self, time: Seconds) -> Vec<f64> {
        self.fitter.source.value(time, if time.0 >= self.range.1.0 { Side::At } else { Side::After })
    }

    /// Adds the new value of a jump, if there is one.
    fn jump(&mut self, time: Seconds, before: &[f64], mut after: Vec<f64>) {
        if self.is_same(before, &after) {
            return;
        }
        let at = self.fitter.source.value(time, Side::At);
        self.sides[usize::from(!self.is_same(before, &at))] += 1;
        self.fitter.source.align(&mut after, &self.rows.last());
        self.rows.set(time, &after);
    }

    fn is_same(&self, a: &[f64], b: &[f64]) -> bool {
        let mut b = b.to_vec();
        self.fitter.source.align(&mut b, a);
        a.iter().zip(&b).all(|(x, y)| narrow(*x) == narrow(*y) || (x.is_nan() && y.is_nan()))
    }

    /// A straight way to a value, with a key in its middle if that is nearly half a turn.
    fn line(&mut self, a: Seconds, b: Seconds, to: &[f64], way: Way) {
        let from = self.rows.last();
        let mut to = to.to_vec();
        self.fitter.source.align(&mut to, &from);
        let quaternion = |value: &[f64]| {
            self.fitter.source.rotation.and_then(|at| value.get(at..)?.first_chunk::<4>().copied())
        };
        let turn =
            quaternion(&from).zip(quaternion(&to)).map_or(0.0, |(from, to)| curve::quat_angle(from, to));
        if turn > LARGEST_TURN_RAD && way == Way::Straight {
            let middle = Seconds(0.5 * a.0 + 0.5 * b.0);
            let mut value = self.fitter.source.value(middle, Side::At);
            self.fitter.source.align(&mut value, &from);
            self.straight(a, middle, &from, &value, way);
            self.fitter.source.align(&mut to, &value);
            return self.straight(middle, b, &value, &to, way);
        }
        self.straight(a, b, &from, &to, way);
    }

    fn straight(&mut self, a: Seconds, b: Seconds, from: &[f64], to: &[f64], way: Way) {
        let length = b.0 - a.0;
        let mut slopes = [const { Vec::new() }; 2];
        for (slopes, out) in line_slopes(from, to, self.fitter.source.rotation).into_iter().zip(&mut slopes) {
            out.extend(slopes.iter().map(|slope| slope / length));
        }
        self.rows.go(way, b, to, &slopes[0], &slopes[1]);
    }

    /// The source's own cubic: both ends keep the signs they have to each other.
    fn exact(&mut self, from: &[f64], b: Seconds, to: &[f64], slopes: [Vec<f64>; 2]) {
        let source = &self.fitter.source;
        let flips = source.is_opposite(from, &self.rows.last());
        let (mut to, [mut leaving, mut arriving]) = (to.to_vec(), slopes);
        if flips {
            [&mut to, &mut leaving, &mut arriving].into_iter().for_each(|value| source.negate(value));
        }
        self.rows.go(Way::Exact, b, &to, &leaving, &arriving);
    }

    /// Cubics that are near enough, or straight pieces where the source is too steep for them.
    fn fit(&mut self, around: [Option<Seconds>; 2], a: Seconds, b: Seconds, to: &[f64]) -> Option<()> {
        if !self.fitter.source.has_room(a, b) {
            self.line(a, b, to, Way::Cut);
            return Some(());
        }
        let jumps = self.splitter.jumps_between(a, b);
        let known = self.known.take().filter(|knot| knot.time == a);
        let from = match (jumps[0], known) {
            (Some(seen), _) => self.beside(seen),
            (None, Some(knot)) => knot,
            (None, None) => self.knot(around[0], a, Some(b)),
        };
        let from = self.aligned(from, jumps[0].is_none());
        let end = match jumps[1] {
            Some(seen) => self.beside(seen),
            None => Knot { value: to.to_vec(), ..self.knot(Some(a), b, around[1]) },
        };
        let pieces = if self.fitter.source.has_room(from.time, end.time) {
            self.fitter.pieces(&from, &end)
        } else {
            None
        };
        match pieces {
            Some(pieces) => {
                if let Some(seen) = jumps[0] {
                    self.cut_at(seen, &KeyValue::Own);
                }
                for piece in pieces {
                    self.rows.go(
                        Way::Fitted,
                        piece.to.time,
                        &piece.to.value,
                        &piece.leaving,
                        &piece.arriving,
                    );
                }
                if jumps[1].is_some() {
                    self.line_to(b, to);
                }
            }
            None if self.fitter.left == 0 => return None,
            None => self.cut(a, b, to),
        }
        self.known = Some(end);
        Some(())
    }

    /// A place where a way is seen beside a frame, at which it jumps.
    fn beside(&mut self, time: Seconds) -> Knot {
        Knot { time, value: self.fitter.source.value(time, Side::At), slope: None }
    }

    /// The same, of two opposite quaternions the one nearer to the last value, or that value itself.
    fn aligned(&self, mut knot: Knot, is_last: bool) -> Knot {
        let last = self.rows.last();
        if self.fitter.source.is_opposite(&knot.value, &last) {
            self.fitter.source.negate(&mut knot.value);
            knot.slope.iter_mut().for_each(|slope| self.fitter.source.negate(slope));
        }
        if is_last { Knot { value: last, ..knot } } else { knot }
    }

    /// A straight way to a key at a time.
    fn cut_at(&mut self, time: Seconds, value: &KeyValue) {
        let value = self.fitter.source.key(time, value);
        self.line_to(time, &value);
    }

    fn line_to(&mut self, time: Seconds, value: &[f64]) {
        if let Some(last) = self.rows.last_time() {
            self.line(last, time, value, Way::Cut);
        }
    }

    /// A key of the source, with a slope if it is smooth there.
    fn knot(&mut self, before: Option<Seconds>, time: Seconds, after: Option<Seconds>) -> Knot {
        let source = &mut self.fitter.source;
        let [value, next] = [Side::Before, Side::After].map(|side| source.value(time, side));
        let rooms = before
            .zip(after)
            .filter(|(before, after)| source.has_room(*before, time) && source.has_room(time, *after));
        match rooms {
            Some((before, after)) if self.is_same(&value, &next) => {
                let lengths = [time.0 - before.0, after.0 - time.0];
                let slack = self.fitter.slack();
                self.fitter.source.authored(time, lengths, slack)
            }
            _ => Knot { time, value: next, slope: None },
        }
    }

    fn cut(&mut self, a: Seconds, b: Seconds, to: &[f64]) {
        self.splitter.between(a, b).into_iter().for_each(|cut| self.cut_at(cut.time, &cut.value));
        self.line_to(b, to);
    }
}

/// The slopes of the straight way between two values at both ends, times its length; quaternions go along the great arc.
fn line_slopes(from: &[f64], to: &[f64], rotation: Option<usize>) -> [Vec<f64>; 2] {
    let chord: Vec<f64> = from.iter().zip(to).map(|(from, to)| to - from).collect();
    let [mut leaving, mut arriving] = [chord.clone(), chord];
    let Some(at) = rotation else { return [leaving, arriving] };
    let quaternion = |value: &[f64]| value.get(at..).and_then(|q| q.first_chunk::<4>().copied());
    if let (Some(p), Some(q)) = (quaternion(from), quaternion(to)) {
        let half = 0.5 * curve::quat_angle(p, q);
        // Below, the arc is its chord to within f64.
        if half > 1e-6 {
            let (sine, cosine) = half.sin_cos();
            for n in 0..4 {
                if let Some(slope) = leaving.get_mut(at + n) {
                    *slope = (q[n] - cosine * p[n]) * half / sine;
                }
                if let Some(slope) = arriving.get_mut(at + n) {
                    *slope = (cosine * q[n] - p[n]) * half / sine;
                }
            }
        }
    }
    [leaving, arriving]
}
