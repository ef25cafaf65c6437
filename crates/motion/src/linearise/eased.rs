//! Where to cut an eased way: its curve is known, so cuts and misses come from formulas instead of from looking.

use super::split::{FINEST, Splitter, Stretch, storable};
use crate::evaluate::KeyValue;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{EasedWay, lerp};

/// A piece at a frame that is no longer than so many times what counts as the frame is left to those who look.
const NEXT_TO_FRAMES: f64 = 4.0;

/// Pieces are made to use this share of the allowance, because their ends are rounded.
const AIM: f64 = 0.98;

/// At least this part of the allowance is left for what pieces miss, whatever rounding takes.
const LEAST: f64 = 0.5;

impl Splitter<'_> {
    /// Cuts a part of a stretch that one eased way covers.
    pub(super) fn follow(&mut self, inner: &Stretch, whole: &Stretch, way: &EasedWay) {
        let ends = whole.from.iter().chain(&whole.to);
        let rounded = 2.0 * FINEST * ends.fold(0.0f64, |most, x| most.max(x.abs().into()));
        // In what single precision leaves of the allowance.
        let allowed = (self.in_units(1.0) - rounded).max(LEAST * self.in_units(1.0));
        let length = self.excess(&whole.from, &whole.to) * self.in_units(1.0) / allowed;
        let [first, until] = [inner.a, inner.b].map(|time| {
            let s = way.parameter(whole.share(time));
            Knot { time, s, ahead: 0.0, late: self.late(time), missed: None }
        });
        let knots = self.knots(way, length, whole, [first, until]);
        self.waiting = knots.len();
        self.reserve(knots.len());
        let short = NEXT_TO_FRAMES * self.seconds(FrameRate::SNAP_FRAMES);
        let mut last = first;
        for knot in knots.into_iter().chain([until]) {
            let (missed, at) = knot.missed.unwrap_or_else(|| last.misses_until(&knot, way));
            let missed = missed + last.shifted(&knot, way);
            let is_beside =
                (last.time == whole.a || knot.time == whole.b) && knot.time.0 - last.time.0 <= short;
            self.is_known = missed * length <= 1.0 && !is_beside;
            if self.is_known {
                let time = Seconds(lerp(whole.a.0, whole.b.0, way.time(at)));
                self.met.meet(missed * length * allowed + rounded, time);
            }
            if knot.time == whole.b || !self.is_known {
                let [from, to] = [&last, &knot].map(|end| self.value_at_knot(end, way, whole));
                let piece = Stretch { a: last.time, b: knot.time, from, to };
                // Halving ends a steep piece early by itself.
                if self.is_known { self.arrive_early(&piece) } else { self.halve_piece(&piece) }
            }
            if knot.time != inner.b {
                self.push_key(knot.time, KeyValue::Covered(knot.covered(way)));
                self.waiting -= 1;
            }
            last = knot;
        }
    }

    /// How far beside what it is seen as a time is.
    fn late(&self, time: Seconds) -> f64 {
        self.grid().map_or(0.0, |rate| (rate.snap(time).0 - time.0).abs())
    }

    /// The value that is stored at a knot of a stretch.
    fn value_at_knot(&mut self, knot: &Knot, way: &EasedWay, whole: &Stretch) -> Vec<f32> {
        match knot.time {
            time if time == whole.a => whole.from.clone(),
            time if time == whole.b => whole.to.clone(),
            time => self.value_on_way(time, knot.covered(way)),
        }
    }

    /// Where pieces end, strictly between two times in a stretch, that miss by no more than is allowed.
    ///
    /// A straight piece from one place of a way to another is all on one side of it, as long as the way turns to one side. So pieces
    /// end beside the way by as much as is allowed, on its other side: then they miss by as much at their ends as in their middle,
    /// and are up to √2 times as long. What is authored stays.
    fn knots(&self, way: &EasedWay, length: f64, whole: &Stretch, [first, until]: [Knot; 2]) -> Vec<Knot> {
        let mut out: Vec<Knot> = Vec::new();
        let mut fence = self.fence(whole.a, whole.b, first.time);
        let allowed = a_little_less(AIM / length);
        let grid = self.grid();
        let knot_at = |s: f64| {
            let (time, seen) = storable(lerp(whole.a.0, whole.b.0, way.time(s)), grid);
            let s = way.parameter_near(whole.share(seen), s);
            let ahead = -allowed.copysign(way.turn(s));
            Knot { time, s, ahead, late: (seen.0 - time.0).abs(), missed: None }
        };
        let mut guess = next_end(way, [first.s, FIRST_STEP], allowed, first.ahead != 0.0).min(until.s);
        let (mut from, mut is_stored) = (first, true);
        // Each piece that is too short to be stored counts, too.
        for _ in 1..self.most_pieces(f64::INFINITY) as u64 {
            let (to, knot) = longest_piece(way, [&from, &until], guess, allowed, knot_at);
            if to.is_nan() || to <= from.s || to >= until.s {
                break;
            }
            guess = next_end(way, [to, to - from.s], allowed, true).min(until.s);
            let missed = knot.missed.filter(|_| is_stored);
            is_stored = knot.time < until.time && fence.admits(knot.time);
            if is_stored {
                from = Knot { missed, ..knot };
                out.push(from);
            } else {
                from = Knot { s: to, ahead: 0.0, ..from };
            }
        }
        out
    }
}

/// An end of a piece.
#[derive(Clone, Copy, Debug)]
struct Knot {
    time: Seconds,
    /// The parameter of the way.
    s: f64,
    /// How much more of the way is covered there than the way itself has.
    ahead: f64,
    /// How far beside what it is seen as the time is, in seconds.
    late: f64,
    /// How far the piece from the knot before misses the way, and at which parameter, if that was looked at.
    missed: Option<(f64, f64)>,
}

impl Knot {
    /// How far a straight piece to another knot misses the way between both, and at which parameter.
    fn misses_between(&self, other: &Self, way: &EasedWay) -> (f64, f64) {
        way.farthest_within_piece([self, other].map(|knot| (knot.s, knot.ahead)))
    }

    /// How far a straight piece to another knot misses the way, and at which parameter.
    fn misses_until(&self, other: &Self, way: &EasedWay) -> (f64, f64) {
        self.or_at_ends(self.misses_between(other, way), other)
    }

    /// How far a piece to another knot misses the way, which is known between both.
    fn or_at_ends(&self, between: (f64, f64), other: &Self) -> (f64, f64) {
        let ends = [self, other].map(|knot| (knot.ahead.abs(), knot.s));
        ends.into_iter().fold(between, |most, end| if end.0 > most.0 { end } else { most })
    }

    /// What a piece to another knot misses because its ends are stored beside frames and seen there.
    fn shifted(&self, to: &Self, way: &EasedWay) -> f64 {
        let late = self.late.max(to.late);
        late * (to.covered(way) - self.covered(way)).abs() / (to.time.0 - self.time.0)
    }

    fn covered(&self, way: &EasedWay) -> f64 {
        way.progress(self.s) + self.ahead
    }
}

/// A number with few digits, so that ways of nearly one length are cut at the same times: lists of key times are stored once.
const fn a_little_less(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & !((1 << (52 - ALLOWED_BITS)) - 1))
}

/// How many binary digits of what is allowed count, behind the first.
const ALLOWED_BITS: u32 = 7;

/// How near to what is allowed the longest piece has to miss, as a part of it.
const NEAR: f64 = 0.97;

/// How often it is tried.
const TRIES: u32 = 6;

/// How much higher the way is over the chord of a piece than the piece misses it, in what is allowed, where so many of the piece's
/// ends are beside the way by that. With one, what is farthest is nearer to the other end: x of (4x − 1)² = 16x, less 1.
const HIGHER: [f64; 3] = [0.0, 0.457, 1.0];

/// What ends of pieces miss by themselves is what is allowed, but for rounding.
const ROUNDING: f64 = 1e-9;

/// Where the longest piece ends that starts at a knot and misses by no more than `allowed`: at `until` if all that is left does
/// not. The end that is tried first is `to`; the knot nearest to a parameter is `knot_at` it.
fn longest_piece(
    way: &EasedWay,
    [from, until]: [&Knot; 2],
    mut to: f64,
    allowed: f64,
    knot_at: impl Fn(f64) -> Knot,
) -> (f64, Knot) {
    // The longest that is known not to miss, and the shortest that is known to.
    let (mut short, mut long) = (from.s, until.s);
    let mut tried = None;
    let mut takes_two = false;
    let starts_beside = from.ahead != 0.0;
    for _ in 0..TRIES {
        let is_last = to >= until.s;
        let end = if is_last { *until } else { knot_at(to) };
        let missed = from.misses_between(&end, way);
        if missed.0 > allowed * (1.0 + ROUNDING) {
            long = to;
        } else {
            short = to;
            if is_last || missed.0 >= NEAR * allowed {
                return (to, Knot { missed: Some(from.or_at_ends(missed, &end)), ..end });
            }
        }
        takes_two |= is_last;
        let higher = HIGHER[usize::from(starts_beside) + usize::from(!is_last)];
        let height = if missed.0 > 0.0 {
            missed.0 / allowed + higher
        } else {
            way.farthest_from_chord(from.s, end.s).0 / allowed
        };
        let piece = (to - from.s, height.sqrt());
        let guess = from.s + length_of(aimed_height(starts_beside).sqrt(), piece, tried.replace(piece));
        to = if short < guess && guess < long {
            guess
        } else if long == until.s && guess >= until.s {
            // What one piece just fails to cover, two of one length do.
            if takes_two {
                to = f64::midpoint(from.s, until.s);
                return (to, knot_at(to));
            }
            until.s
        } else {
            f64::midpoint(short, long)
        };
    }
    to = if short > from.s { short } else { to };
    (to, knot_at(to))
}

/// How high the way is to be over the chord of a piece that ends beside it, and may start so, in what is allowed: a little less
/// than it may.
const fn aimed_height(starts_beside: bool) -> f64 {
    0.5 * (1.0 + NEAR) + HIGHER[1 + starts_beside as usize]
}

/// How long a piece is over whose chord the way is as high as the square of `root`, by the length of one or two others and the
/// roots of how high it is over theirs. A root rises with the length, and where the way bends more and more a little faster.
fn length_of(root: f64, (length, own): (f64, f64), before: Option<(f64, f64)>) -> f64 {
    let slope = own / length;
    let Some((other_length, other)) = before else { return root / slope };
    let change = (slope - other / other_length) / (length - other_length);
    let start = slope - change * length;
    2.0 * root / (start + (start * start + 4.0 * change * root).sqrt())
}

/// What the first piece of a way is taken to be long before it is known how the way bends.
const FIRST_STEP: f64 = 0.25;

/// Where a piece may end that starts at a parameter, by how much the way bends in its middle, and that of a piece nearly as long.
fn next_end(way: &EasedWay, [from, length]: [f64; 2], allowed: f64, starts_beside: bool) -> f64 {
    let height = allowed * aimed_height(starts_beside);
    // A way is h²·bend²/8 high over the chord of a piece of length h.
    let step = (0..2).fold(length, |step, _| (8.0 * height).sqrt() / way.bend(from + 0.5 * step));
    // Where it turns to the other side, it hardly bends.
    from + if step.is_finite() { step.min(2.0 * length) } else { length }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearise::Allowance;
    use crate::linearise::split::Cut;
    use dopesheet_core::model::{Blend, Channel, Curve, Law, Laws, Property, Times, Timing};
    use dopesheet_curve::BezierTiming;
    use proptest::prelude::*;

    /// One segment, 6 s long, without a grid.
    fn eased([x1, y1, x2, y2]: [f32; 4], way: f32) -> Channel {
        let law = Law { blend: Blend::Lerp, timing: Timing::Bezier { x1, y1, x2, y2 } };
        let times = Times::Seconds([0.0, 6.0].into());
        let curve = Curve::new(times, 3, vec![0.0, 0.0, 0.0, way, 0.0, way], Laws::uniform(law));
        Channel::whole(Property::Translation, curve)
    }

    #[test]
    fn pieces_end_beside_the_way_and_are_longer_for_it() {
        let allowed = 1e-4;
        for timing in [[0.25, 0.1, 0.25, 1.0], [0.5, 0.0, 0.5, 1.0], [0.1, 0.6, 0.9, 0.2]] {
            let channel = eased(timing, 1.0);
            let mut splitter = Splitter::new(&channel, Allowance { value: allowed, angle_rad: allowed });
            let cuts = splitter.pieces(Seconds(0.0), Seconds(6.0));
            let way = EasedWay::new(&{
                let [x1, y1, x2, y2] = timing.map(f64::from);
                BezierTiming { x1, y1, x2, y2 }
            });
            // As many as chords would take; see [`EasedWay::bend`].
            let bent: f64 = (0..10_000).map(|n| way.bend((f64::from(n) + 0.5) / 1e4) / 1e4).sum();
            let chords = bent * (2f64.sqrt() / (8.0 * allowed)).sqrt();
            assert!(
                (cuts.len() as f64) < 0.75 * chords + 2.0,
                "{} instead of {chords} at {timing:?}",
                cuts.len()
            );
            let own = |time: f64| way.progress(way.parameter(time));
            let key = |cut: &Cut| {
                (
                    cut.time.0 / 6.0,
                    if let KeyValue::Covered(covered) = cut.value { covered } else { own(cut.time.0 / 6.0) },
                )
            };
            let keys: Vec<_> = std::iter::once((0.0, 0.0)).chain(cuts.iter().map(key)).collect();
            for pair in keys.windows(2) {
                for n in 0..=20 {
                    let share = f64::from(n) / 20.0;
                    let (time, covered) =
                        (lerp(pair[0].0, pair[1].0, share), lerp(pair[0].1, pair[1].1, share));
                    let missed = 2f64.sqrt() * (covered - own(time)).abs();
                    assert!(missed <= allowed, "{missed} at {time} of {timing:?}");
                }
            }
        }
    }

    #[test]
    fn a_way_shorter_than_what_is_allowed_is_one_piece() {
        for timing in [[0.25, 0.1, 0.25, 1.0], [0.5, 0.0, 0.5, 1.0], [0.1, 0.6, 0.9, 0.2]] {
            let channel = eased(timing, 1e-5);
            for allowed in [1e-5, 4e-5, 1.0] {
                let mut splitter = Splitter::new(&channel, Allowance { value: allowed, angle_rad: allowed });
                assert_eq!(
                    splitter.pieces(Seconds(0.0), Seconds(6.0)).len(),
                    1,
                    "{timing:?} within {allowed}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn cuts_ascend_strictly_however_steep_the_way_ends(
            bytes in prop::array::uniform4(prop_oneof![Just(0u8), Just(127), 0u8..=127]),
            (start, frames) in (0i64..20_000, 1i64..40),
            (way, exponent) in (-20.0f32..20.0, -6.0..-3.0f64),
        ) {
            let [x1, y1, x2, y2] = bytes.map(|byte| f32::from(byte) / 127.0);
            let law = Law { blend: Blend::Lerp, timing: Timing::Bezier { x1, y1, x2, y2 } };
            let times = Times::Frames { rate: FrameRate::FPS_30, frames: [start, start + frames].into() };
            let curve = Curve::new(times, 3, vec![0.0, 0.0, 0.0, way, 0.0, 1.0], Laws::uniform(law));
            let channel = Channel::whole(Property::Translation, curve);
            let allowed = 10f64.powf(exponent);
            let mut splitter = Splitter::new(&channel, Allowance { value: allowed, angle_rad: allowed });
            let [a, b] = [start, start + frames].map(|frame| FrameRate::FPS_30.seconds(frame as f64));
            let cuts = splitter.pieces(a, b);
            prop_assert!(cuts.first().is_some_and(|first| a.0 < first.time.0));
            prop_assert!(cuts.is_sorted_by(|a, b| a.time.0 < b.time.0), "{cuts:?}");
        }
    }
}
