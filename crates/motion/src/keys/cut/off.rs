//! Difference of divided curves from what they were.

use crate::difference::{Worst, difference};
use crate::sample::timing::{bezier, eased, share};
use crate::sample::{Sampler, Side};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Law, Outside, Property};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_curve::lerp;

/// Number of steps along each curve of a segment that was divided, at which it is compared with what it was.
const PROBES: usize = 24;

/// Steps that halve the place of a parameter.
const PARAMETER_STEPS: usize = 20;

/// Steps that bring a peak between two of those nearer, by a third each.
const PEAK_STEPS: usize = 5;

/// Share of the largest difference that was met, up to which a peak between probes is none of the largest.
const PEAK: f64 = 0.5;

/// Rounding of a value that is divided, in single precision, as a share of it: half a step for the value, and as much for
/// each slope beside it.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The largest difference of what is made from what it was, in the segments that were divided.
pub(super) fn worst(source: &Channel, made: &Channel, range: (Seconds, Seconds)) -> Worst {
    let (mut exact, mut own) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (Sampler::new(source), Sampler::new(made));
    let mut error_at = |time: f64| {
        from.value_at(Seconds(time), Side::At, &mut exact);
        to.value_at(Seconds(time), Side::At, &mut own);
        let error = difference(&made.property, &exact, &own);
        // What single precision alone makes of a value is no approximation.
        let largest = exact.iter().fold(1.0f64, |most, x| most.max(x.abs()));
        if error > ROUNDING * largest { error } else { 0.0 }
    };
    // A value of these is as far off as its curves are.
    let is_of_curves = matches!(source.composition, Composition::Whole(_) | Composition::Components(_));
    let mut worst = Worst::default();
    for segment in divided(source, made, range) {
        let probes = segment.probes();
        let peaks = match is_of_curves && segment.is_eased() {
            true => peaks(&mut |time| segment.apart(time), &probes),
            false => peaks(&mut error_at, &probes),
        };
        for time in peaks {
            worst.meet(error_at(time), Seconds(time));
        }
    }
    worst
}

/// A segment that was divided, of all curves that have it.
struct DividedSegment {
    /// Times of its start and its end.
    ends: (Seconds, Seconds),
    /// Each way that curves take in it.
    ways: Vec<Way>,
}

/// A law, and the times between which it is that of a segment.
type Eased = (Law, (Seconds, Seconds));

/// A way of curves whose laws are the same.
struct Way {
    /// Laws of the source and of what was made of it, each with the segment that it is of.
    laws: [Eased; 2],
    /// Shares of the source's way that what was made has covered where it starts and ends.
    covered: [f64; 2],
    /// Length of the source's way: the root of the sum of squares of the curves.
    length: f64,
}

impl DividedSegment {
    /// Times at which it is compared with what it was: evenly along the timing curves of that, so that there are many where they are
    /// steep. Their halves are as steep there.
    fn probes(&self) -> Vec<f64> {
        let (start, end) = self.ends;
        let mut times = vec![start.0, end.0];
        for way in &self.ways {
            let shares = (0..=PROBES).map(|probe| probe as f64 / PROBES as f64);
            let (law, (from, to)) = way.laws[0];
            let Some(timing) = bezier(law.timing) else {
                times.extend(shares.map(|share| lerp(start.0, end.0, share)));
                continue;
            };
            let time = |s: f64| {
                let r = 1.0 - s;
                lerp(from.0, to.0, 3.0 * r * s * (r * timing.x1 + s * timing.x2) + s * s * s)
            };
            let [first, last] = [start, end].map(|end| parameter(time, end.0));
            times.extend(shares.map(|share| time(lerp(first, last, share)).clamp(start.0, end.0)));
        }
        ascend(&mut times);
        times.dedup();
        times
    }

    /// Adds the way of one more curve.
    fn join(&mut self, way: Way) {
        match self.ways.iter_mut().find(|known| known.laws == way.laws && known.covered == way.covered) {
            Some(known) => known.length = known.length.hypot(way.length),
            None => self.ways.push(way),
        }
    }

    /// True if all curves lead straight from key to key, so that timings alone tell them apart.
    fn is_eased(&self) -> bool {
        self.ways.iter().all(|way| matches!(way.laws[0].0.blend, Blend::Lerp | Blend::Slerp))
    }

    /// Distance of what was made from what it was, by their timings.
    fn apart(&self, time: f64) -> f64 {
        self.ways.iter().map(|way| (way.length * way.late(time)).powi(2)).sum::<f64>().sqrt()
    }
}

impl Way {
    /// The way of a curve, and of what was made of it.
    fn new(property: &Property, [(source, whole), (made, own)]: [(&Curve, Eased); 2]) -> Self {
        let (from, to) = (value_from(source, whole.1.0), source.value(source.times.count_before(whole.1.1)));
        let distance =
            |value: Option<&[f32]>| from.zip(value).map_or(0.0, |(from, to)| difference(property, from, to));
        let length = distance(to);
        let ends = [value_from(made, own.1.0), made.value(made.times.count_before(own.1.1))];
        let covered = ends.map(|end| if length > 0.0 { distance(end) / length } else { 0.0 });
        Self { laws: [whole, own], covered, length }
    }

    /// Share of the source's way by which what was made is ahead of it or behind at a time.
    fn late(&self, time: f64) -> f64 {
        let [whole, own] =
            self.laws.map(|(law, (start, end))| eased(law.timing, share(start, end, Seconds(time))));
        lerp(self.covered[0], self.covered[1], own) - whole
    }
}

/// Times of the peaks of a function between and at some times, but for those that are much lower than the highest.
fn peaks(f: &mut impl FnMut(f64) -> f64, times: &[f64]) -> Vec<f64> {
    let values: Vec<f64> = times.iter().map(|time| f(*time)).collect();
    let least = PEAK * values.iter().copied().fold(0.0, f64::max);
    let mut found = Vec::new();
    for (around, when) in values.array_windows::<3>().zip(times.array_windows::<3>()) {
        let ([before, value, after], [start, time, end]) = (*around, *when);
        if value > least && value >= before && value >= after {
            found.push(peak(f, start, end, (value, time)).1);
        }
    }
    let ends = [values.first().zip(times.first()), values.last().zip(times.last())];
    found.extend(ends.into_iter().flatten().filter(|(value, _)| **value > least).map(|(_, time)| *time));
    found
}

/// The parameter at which an ascending function has a value, as near as probes need it.
fn parameter(f: impl Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..PARAMETER_STEPS {
        let middle = f64::midpoint(low, high);
        (low, high) = if f(middle) < value { (middle, high) } else { (low, middle) };
    }
    f64::midpoint(low, high)
}

/// The largest value of a function that rises and falls between two times, and when that is.
fn peak(f: &mut impl FnMut(f64) -> f64, start: f64, end: f64, mut best: (f64, f64)) -> (f64, f64) {
    let (mut start, mut end) = (start, end);
    for _ in 0..PEAK_STEPS {
        let thirds = [1.0, 2.0].map(|third| lerp(start, end, third / 3.0));
        let [left, right] = thirds.map(&mut *f);
        best = [(left, thirds[0]), (right, thirds[1])]
            .into_iter()
            .fold(best, |a, b| if b.0 > a.0 { b } else { a });
        (start, end) = if left < right { (thirds[0], end) } else { (start, thirds[1]) };
    }
    best
}

/// The segments at the ends of curves that may differ from what they were: those that end at a key which was not there, and did not
/// run straight.
fn divided(source: &Channel, made: &Channel, range: (Seconds, Seconds)) -> Vec<DividedSegment> {
    let mut all: Vec<DividedSegment> = Vec::new();
    for (old, curve) in source.composition.curves().zip(made.composition.curves()) {
        let Some((first, last)) = curve.times.span() else { continue };
        let is_new = |time: Seconds| old.times.count_until(time) == old.times.count_before(time);
        let mut meet = |law: Law, ends: (Seconds, Seconds)| {
            let whole = law_towards(old, ends.1, range.0);
            let moves = || !rests(old, ends) || !rests(curve, ends);
            if is_straight(whole.0) || ends.0.0 >= ends.1.0 || !moves() {
                return;
            }
            let way = Way::new(&source.property, [(old, whole), (curve, (law, ends))]);
            match all.iter_mut().find(|known| known.ends == ends) {
                Some(known) => known.join(way),
                None => all.push(DividedSegment { ends, ways: vec![way] }),
            }
        };
        if let Outside::Ramp { law, .. } = &curve.before {
            meet(*law, (range.0, first));
        }
        if let (Some(second), true) = (curve.times.get(1), is_new(first)) {
            meet(curve.laws.get(0), (first, second));
        }
        if let (Some(key), true) = (curve.len().checked_sub(2), is_new(last)) {
            meet(curve.laws.get(key), (curve.times.get(key).unwrap_or(last), last));
        }
    }
    all
}

/// The law by which a curve comes to a time, and the segment that it is of.
fn law_towards(curve: &Curve, time: Seconds, start: Seconds) -> Eased {
    let next = curve.times.count_before(time);
    let end = curve.times.get(next).unwrap_or(time);
    match (next.checked_sub(1), &curve.before) {
        (Some(key), _) => (curve.laws.get(key), (curve.times.get(key).unwrap_or(start), end)),
        (None, Outside::Ramp { start, law, .. }) => (*law, (*start, end)),
        (None, _) => (Law::STEP, (start, end)),
    }
}

/// The value of the last key until a time; before the first one, where the way to that starts.
fn value_from(curve: &Curve, start: Seconds) -> Option<&[f32]> {
    match (curve.times.count_until(start).checked_sub(1), &curve.before) {
        (Some(key), _) => curve.value(key),
        (None, Outside::Ramp { from, .. }) => Some(from),
        (None, _) => None,
    }
}

/// True if a curve has one value between two times in one segment, because its law leads from a value to the same one.
fn rests(curve: &Curve, (start, end): (Seconds, Seconds)) -> bool {
    let first = value_from(curve, start);
    let law = law_towards(curve, end, start).0;
    matches!(law.blend, Blend::Step | Blend::Lerp | Blend::Slerp)
        && first.is_some()
        && first == curve.value(curve.times.count_before(end))
}

/// True if halves of a segment are the same curve, but for rounding.
fn is_straight(law: Law) -> bool {
    law.timing.is_linear() && matches!(law.blend, Blend::Step | Blend::Lerp | Blend::Slerp)
}
