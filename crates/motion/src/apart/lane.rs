//! One channel, evaluated only where it moves.

use super::moments::Moment;
use crate::beside::{Beside, Ends};
use crate::evaluate::{Sampler, Side, bezier};
use crate::segment::{Abreast, Follower, StraightKeys};
use dopesheet_core::model::{Blend, Channel, Curve, Outside};
use dopesheet_core::units::Seconds;

/// Times strictly between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Span {
    const ALWAYS: Self = Self { from: f64::NEG_INFINITY, to: f64::INFINITY };
}

/// Where a curve keeps its value, and where it changes it at once.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// Ascending; the value is one and the same within each.
    pub(super) still: Vec<Span>,
    /// Ascending.
    pub(super) jumps: Vec<f64>,
}

impl Course {
    pub(super) fn of(curve: &Curve) -> Self {
        let mut course = Self::default();
        let Some((first, last)) = curve.times.span() else {
            return Self { still: vec![Span::ALWAYS], ..course };
        };
        let mut since = (curve.before == Outside::Hold).then_some(f64::NEG_INFINITY);
        if jumps_before(curve) {
            course.jumps.push(first.0);
        }
        for segment in 0..curve.len().saturating_sub(1) {
            let (Some(from), Some(to)) = (curve.times.get(segment), curve.times.get(segment + 1)) else {
                break;
            };
            if from == to || !is_still(curve, segment) {
                course.stop(since.take(), from.0);
            } else {
                since = since.or(Some(from.0));
            }
            if jumps_after(curve, segment, from == to) {
                course.stop(since.take(), to.0);
                course.jumps.push(to.0);
            }
        }
        let repeats = matches!(curve.after, Outside::Loop | Outside::PingPong);
        if repeats && curve.value(0) != curve.value(curve.len() - 1) {
            course.jumps.push(last.0);
        }
        course.stop(since.or(Some(last.0)), if repeats { last.0 } else { f64::INFINITY });
        course
    }

    /// Whether the value is one and the same at all times.
    pub(super) fn is_constant(&self) -> bool {
        self.still == [Span::ALWAYS]
    }

    fn stop(&mut self, since: Option<f64>, to: f64) {
        self.still.extend(since.filter(|from| *from < to).map(|from| Span { from, to }));
    }
}

fn jumps_before(curve: &Curve) -> bool {
    match &curve.before {
        Outside::Hold => false,
        Outside::Ramp { from, law, .. } => law.blend == Blend::Step && Some(&**from) != curve.value(0),
        Outside::Loop | Outside::PingPong => curve.value(0) != curve.value(curve.len() - 1),
    }
}

/// Whether the value is one and the same from a key until just before the next one.
fn is_still(curve: &Curve, segment: usize) -> bool {
    let is_same = || curve.value(segment) == curve.value(segment + 1);
    let flat = |column: &[f32], key: usize| {
        let start = key * curve.width;
        column.get(start..start + curve.width).is_some_and(|slopes| slopes.iter().all(|s| *s == 0.0))
    };
    match curve.laws.get(segment).blend {
        Blend::Step => true,
        Blend::Lerp | Blend::Slerp | Blend::Nlerp => is_same(),
        Blend::Hermite | Blend::WeightedBezier => {
            let handles = curve.handles.as_deref();
            is_same() && handles.is_some_and(|h| flat(&h.leaving, segment) && flat(&h.arriving, segment + 1))
        }
        Blend::Squad | Blend::Turn => false,
    }
}

/// Whether the value jumps at the end of a segment.
fn jumps_after(curve: &Curve, segment: usize, is_empty: bool) -> bool {
    let is_same = || curve.value(segment) == curve.value(segment + 1);
    match curve.laws.get(segment).blend {
        _ if is_empty => !is_same(),
        Blend::Step => !is_same(),
        // An infinite slope holds the earlier key.
        Blend::Hermite | Blend::WeightedBezier => curve.handles.as_deref().is_some_and(|handles| {
            let infinite = |column: &[f32], key: usize| {
                let start = key * curve.width;
                column.get(start..start + curve.width).is_some_and(|s| s.iter().any(|s| s.is_infinite()))
            };
            infinite(&handles.leaving, segment) || infinite(&handles.arriving, segment + 1)
        }),
        _ => false,
    }
}

/// Where both lists are still.
fn both(a: &[Span], b: &[Span]) -> Vec<Span> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut out = Vec::new();
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let shared = Span { from: x.from.max(y.from), to: x.to.min(y.to) };
        if shared.from < shared.to {
            out.push(shared);
        }
        if x.to <= y.to {
            a.next()
        } else {
            b.next()
        };
    }
    out
}

/// How values are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accuracy {
    /// As the reference evaluator has them.
    Exact,
    /// Faster. Last digits depend on what was looked at before, which does not matter to bounds.
    Near,
}

/// One channel, evaluated only where it moves; fast where times ascend.
#[derive(Clone, Debug)]
pub(super) struct Lane<'a> {
    sampler: Sampler<'a>,
    still: Vec<Span>,
    /// The span that ends behind the last time.
    at: usize,
    last: f64,
    /// Whether `value` is that of the whole span.
    is_settled: bool,
    /// The earliest end behind which some curve repeats itself.
    repeats_at: Option<f64>,
    /// Whether some segments are eased by a Bézier timing.
    is_eased: bool,
    /// The value at the last time.
    pub(super) value: Vec<f64>,
}

impl<'a> Lane<'a> {
    /// `None` for a channel without keys.
    pub(super) fn new(channel: &'a Channel) -> Option<Self> {
        let mut sampler = Sampler::new(channel);
        let mut value = Vec::new();
        if !sampler.value_at(Seconds(0.0), Side::At, &mut value) {
            return None;
        }
        let mut still = vec![Span::ALWAYS];
        let mut repeats_at: Option<f64> = None;
        for curve in channel.composition.curves() {
            still = both(&still, &Course::of(curve).still);
            if let (Outside::Loop | Outside::PingPong, Some((_, last))) = (&curve.after, curve.times.span()) {
                repeats_at = Some(repeats_at.map_or(last.0, |at| at.min(last.0)));
            }
        }
        let (at, last) = (0, f64::NEG_INFINITY);
        let mut curves = channel.composition.curves();
        let is_eased = curves.any(|curve| curve.laws.runs().any(|law| bezier(law.timing).is_some()));
        Some(Self { sampler, still, at, last, is_settled: false, repeats_at, is_eased, value })
    }

    /// Whether some segments are eased by a Bézier timing.
    pub(super) const fn is_eased(&self) -> bool {
        self.is_eased
    }

    /// Whether it never moves.
    pub(super) fn is_constant(&self) -> bool {
        self.still == [Span::ALWAYS]
    }

    /// How far the value gets, between two times, from the way at constant speed between those at the times: an angle in radians
    /// for rotations, else a distance. `None` where that is not known.
    pub(super) fn bend(&mut self, [a, b]: [f64; 2]) -> Option<f64> {
        match self.repeats_at {
            _ if self.is_still([a, b]) => Some(0.0),
            Some(_) => None,
            None => self.sampler.bend(a, b),
        }
    }

    /// Where the value is, between two times, beside a way at constant speed with such ends; `None` where that is not known.
    pub(super) fn beside(&mut self, [a, b]: [f64; 2], ends: Ends) -> Option<Beside> {
        match self.repeats_at {
            _ if self.is_still([a, b]) => Some(Beside::straight(ends)),
            Some(_) => None,
            None => self.sampler.beside(a, b, ends),
        }
    }

    /// Goes along the way between two times, if that is one.
    pub(super) fn follower(&mut self, [a, b]: [f64; 2]) -> Option<Follower> {
        if self.repeats_at.is_none() { self.sampler.follower(a, b) } else { None }
    }

    /// The keys from a time on, if nothing but straight segments leads from one to the next.
    pub(super) fn straight_keys(&self, from: f64) -> Option<StraightKeys<'a>> {
        if self.repeats_at.is_none() { self.sampler.straight_keys(from) } else { None }
    }

    /// What it does around two times, if nothing else happens there.
    pub(super) fn abreast(&mut self, [a, b]: [f64; 2]) -> Option<Abreast> {
        match self.still.get(self.spans_until(b)).copied().filter(|span| span.from <= a) {
            Some(span) => {
                let time = 0.5 * (a + b);
                self.advance(&Moment::new(time, Side::At, false), time, Accuracy::Near);
                Some(Abreast::still(span.from, span.to, &self.value))
            }
            None if self.repeats_at.is_none() => self.sampler.abreast(a, b),
            None => None,
        }
    }

    /// Whether the value is one and the same from one time to another.
    fn is_still(&self, [a, b]: [f64; 2]) -> bool {
        self.still.get(self.spans_until(b)).is_some_and(|span| span.from <= a)
    }

    /// How many spans end before a time; found without a search near the last one.
    fn spans_until(&self, time: f64) -> usize {
        let is_before = |at: usize| self.still.get(at).is_some_and(|span| span.to < time);
        let near = [self.at.saturating_sub(1), self.at];
        let is_found = |at: &usize| !is_before(*at) && (*at == 0 || is_before(*at - 1));
        near.into_iter().find(is_found).unwrap_or_else(|| self.still.partition_point(|span| span.to < time))
    }

    /// Goes to a moment, which is at a time of its own here; yields whether the value may have changed.
    pub(super) fn advance(&mut self, moment: &Moment, own: f64, accuracy: Accuracy) -> bool {
        let time = match self.repeats_at {
            // The end of a clip is shown, not the start of its repetition.
            Some(last) if moment.is_end && moment.is_at(last) => last,
            _ => own,
        };
        if time < self.last {
            self.at = self.still.partition_point(|span| span.to <= time);
            self.is_settled = false;
        }
        self.last = time;
        while self.still.get(self.at).is_some_and(|span| span.to <= time) {
            self.at += 1;
            self.is_settled = false;
        }
        let is_still = self.still.get(self.at).is_some_and(|span| span.from < time);
        if is_still && self.is_settled {
            return false;
        }
        self.is_settled = is_still;
        match accuracy {
            Accuracy::Exact => self.sampler.value_at(Seconds(time), moment.side, &mut self.value),
            Accuracy::Near => self.sampler.value_near(Seconds(time), moment.side, &mut self.value),
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Law, Laws, Times};

    fn curve(times: &[f64], values: &[f32], laws: &[Law]) -> Curve {
        let laws = Laws::from_segments(laws.iter().copied());
        Curve::new(Times::Seconds(times.into()), 1, values.to_vec(), laws)
    }

    fn spans(course: &Course) -> Vec<(f64, f64)> {
        course.still.iter().map(|s| (s.from, s.to)).collect()
    }

    #[test]
    fn a_curve_is_still_outside_its_keys_and_between_equal_ones() {
        let course = Course::of(&curve(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 1.0, 0.0], &[Law::LINEAR]));
        assert_eq!(spans(&course), [(f64::NEG_INFINITY, 0.0), (1.0, 2.0), (3.0, f64::INFINITY)]);
        assert!(course.jumps.is_empty());
    }

    #[test]
    fn steps_are_still_and_jump_where_the_value_changes() {
        let course = Course::of(&curve(&[0.0, 1.0, 2.0], &[0.0, 0.0, 1.0], &[Law::STEP]));
        assert_eq!(spans(&course), [(f64::NEG_INFINITY, 2.0), (2.0, f64::INFINITY)]);
        assert_eq!(course.jumps, [2.0]);
    }

    #[test]
    fn two_keys_at_one_time_are_a_jump() {
        let course = Course::of(&curve(&[0.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 5.0, 5.0], &[Law::LINEAR]));
        assert_eq!(spans(&course), [(f64::NEG_INFINITY, 1.0), (1.0, f64::INFINITY)]);
        assert_eq!(course.jumps, [1.0]);
    }

    #[test]
    fn a_repeated_curve_jumps_at_its_ends_unless_they_are_equal() {
        let looped = |values: &[f32]| {
            let curve = curve(&[0.0, 1.0], values, &[Law::LINEAR]);
            Course::of(&Curve { before: Outside::Loop, after: Outside::Loop, ..curve })
        };
        assert_eq!(looped(&[0.0, 1.0]).jumps, [0.0, 1.0]);
        assert!(looped(&[1.0, 1.0]).jumps.is_empty());
    }

    #[test]
    fn a_channel_is_still_where_all_its_curves_are() {
        let (a, b) =
            ([Span { from: 0.0, to: 2.0 }, Span { from: 3.0, to: 9.0 }], [Span { from: 1.0, to: 4.0 }]);
        assert_eq!(both(&a, &b), [Span { from: 1.0, to: 2.0 }, Span { from: 3.0, to: 4.0 }]);
        assert!(both(&a, &[]).is_empty());
    }
}
