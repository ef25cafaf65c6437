//! Where to cut an eased way: its curve is known, so cuts and misses come from formulas instead of from looking.

use super::split::{FINEST, Splitter, Stretch};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{BezierTiming, EasedWay, lerp};

/// A piece at a frame that is no longer than so many times what counts as the frame is left to those who look.
const NEXT_TO_FRAMES: f64 = 4.0;

/// Pieces are made to use this share of the allowance, because their ends are rounded.
const AIM: f64 = 0.98;

/// At least this part of the allowance is left for what pieces miss, whatever rounding takes.
const LEAST: f64 = 0.5;

impl Splitter<'_> {
    /// Cuts a part of a stretch that one eased way covers.
    pub(super) fn follow(&mut self, inner: &Stretch, whole: &Stretch, timing: &BezierTiming) {
        let way = EasedWay::new(timing);
        let ends = whole.from.iter().chain(&whole.to);
        let rounded = 2.0 * FINEST * ends.fold(0.0f64, |most, x| most.max(x.abs().into()));
        // In what single precision leaves of the allowance.
        let allowed = (self.in_units(1.0) - rounded).max(LEAST * self.in_units(1.0));
        let length = self.excess_of(&whole.from, &whole.to) * self.in_units(1.0) / allowed;
        let knot = |time: Seconds| (time, way.parameter((time.0 - whole.a.0) / (whole.b.0 - whole.a.0)));
        let (first, until) = (knot(inner.a), knot(inner.b));
        let knots = self.knots(&way, length, whole, [first, until]);
        self.waiting = knots.len();
        let short = NEXT_TO_FRAMES * self.seconds(FrameRate::SNAP_FRAMES);
        let mut last = first;
        for (time, s) in knots.into_iter().chain([until]) {
            let (missed, at) = way.farthest_from_chord(last.1, s);
            let is_beside = (last.0 == whole.a || time == whole.b) && time.0 - last.0.0 <= short;
            self.is_known = missed * length <= 1.0 && !is_beside;
            if self.is_known {
                let time = Seconds(lerp(whole.a.0, whole.b.0, way.time(at)));
                self.met.meet(missed * length * allowed + rounded, time);
            }
            if time == whole.b || !self.is_known {
                let piece = self.stretch((last.0, time), whole);
                // Halving ends a steep piece early by itself.
                if self.is_known { self.arrive_early(&piece) } else { self.halve_piece(&piece) }
            }
            if time != inner.b {
                self.push_on_way(time, way.progress(s));
                self.waiting -= 1;
            }
            last = (time, s);
        }
    }

    /// Times strictly between two in a stretch that cut its way into pieces which miss by what is allowed, and their parameters.
    fn knots(
        &self,
        way: &EasedWay,
        length: f64,
        whole: &Stretch,
        [first, until]: [(Seconds, f64); 2],
    ) -> Vec<(Seconds, f64)> {
        let mut out = Vec::new();
        let mut fence = self.fence(whole.a, whole.b, first.0);
        let (mut from, mut step) = (first.1, 1.0);
        // Each piece that is too short to be stored counts, too.
        for _ in 1..self.most_pieces(f64::INFINITY) as u64 {
            let to = longest_piece(way, from, step, AIM / length);
            if to.is_nan() || to <= from || to >= until.1 {
                break;
            }
            step = to - from;
            from = to;
            let time = fence.admit(lerp(whole.a.0, whole.b.0, way.time(to)));
            if let Some(time) = time.filter(|time| *time < until.0) {
                // A time that is stored next to a frame is seen as the frame.
                let seen = self.grid().map_or(time, |rate| rate.snap(time));
                let passed = (seen.0 - whole.a.0) / (whole.b.0 - whole.a.0);
                from = way.parameter(passed);
                out.push((time, from));
            }
        }
        out
    }
}

/// How near to what is allowed the longest piece has to miss, as a part of it.
const NEAR: f64 = 0.97;

/// How often it is tried.
const TRIES: u32 = 8;

/// Where the longest piece ends that starts at a parameter and misses by no more than `allowed`: 1 if all that is left does
/// not. The first that is tried is as long as `step`, the parameter's range.
fn longest_piece(way: &EasedWay, from: f64, step: f64, allowed: f64) -> f64 {
    let missed = |to: f64| way.farthest_from_chord(from, to).0;
    // The longest that is known not to miss, and the shortest that is known to.
    let (mut short, mut long) = (from, 1.0);
    let mut to = (from + step).min(1.0);
    for _ in 0..TRIES {
        let found = missed(to);
        if found <= allowed {
            short = to;
            if to >= 1.0 || found >= NEAR * allowed {
                return to;
            }
        } else {
            long = to;
        }
        // What is missed grows with the square of the length; a little less is aimed at.
        let factor = (0.5 * (1.0 + NEAR) * allowed / found).sqrt();
        let guess = from + (to - from) * factor;
        to = if short < guess && guess < long {
            guess
        } else if long == 1.0 && guess >= 1.0 {
            1.0
        } else {
            f64::midpoint(short, long)
        };
    }
    if short > from { short } else { to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearise::Allowance;
    use dopesheet_core::model::{Blend, Channel, Curve, Law, Laws, Property, Times, Timing};
    use proptest::prelude::*;

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
