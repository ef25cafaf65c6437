//! Cubic segments across keys of the source: each goes over as many as it follows closely enough.

use super::piece::{FINEST, weights};
use super::rows::CUBIC;
use super::source::Source;
use crate::linearise::{Allowance, finite, straight_law};
use crate::measure::{Worst, difference};
use crate::reduce::with_keys;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Handles, Laws, Property};
use dopesheet_core::units::Seconds;

/// How many times of each segment of the source are looked at, its start among them.
const LOOKS: usize = 4;

/// Spans use at most this share of the allowance where they are looked at, because they may miss more in between.
const AIM: f64 = 0.95;

/// A channel as cubic segments over some of its own keys, and how far those are off; `None` if it needs all of them, or
/// has segments that are neither straight nor cubic.
///
/// Keys that stay keep their time and value, and their slopes where all segments are cubic. Both keys of a jump stay, and both
/// ends of a stretch in which nothing moves.
pub(crate) fn spans(channel: &Channel, allowance: &Allowance) -> Option<(Channel, Worst)> {
    let Composition::Whole(curve) = &channel.composition else { return None };
    let straight = straight_law(&channel.property);
    let is_smooth = straight.blend != Blend::Step && curve.laws.all(|law| law == straight || law == CUBIC);
    if !is_smooth || channel.native.is_some() || curve.width == 0 || curve.len() < 3 {
        return None;
    }
    let mut made = Made::new(curve);
    let mut source = Source::new(channel);
    let times: Vec<f64> = curve.times.iter().map(|t| t.0).collect();
    let mut first = 0;
    for times in times.chunk_by(|time, next| time < next) {
        let samples = Samples::new(&mut source, curve, first, times)?;
        Fit { property: &channel.property, allowance, samples: &samples }.run(first, &mut made)?;
        first += times.len();
    }
    (made.kept.len() < curve.len()).then(|| made.finish(channel, curve))
}

/// Keys with tangents under construction.
struct Made {
    kept: Vec<usize>,
    handles: Handles,
    values: Vec<f32>,
    worst: Worst,
    width: usize,
}

impl Made {
    fn new(curve: &Curve) -> Self {
        let (kept, values) = (Vec::new(), Vec::new());
        Self { kept, handles: Handles::default(), values, worst: Worst::default(), width: curve.width }
    }

    /// The first key of a stretch.
    fn start(&mut self, key: usize, value: &[f64]) {
        self.kept.push(key);
        self.values.extend(value.iter().map(|x| finite(*x)));
        self.handles.arriving.resize(self.values.len(), 0.0);
        self.handles.leaving.resize(self.values.len(), 0.0);
    }

    /// The next key, and the way there from the one before.
    fn go(&mut self, key: usize, value: &[f64], span: &Span) {
        let end = self.values.len();
        self.start(key, value);
        let leaving = self.handles.leaving.get_mut(end.saturating_sub(self.width)..end).unwrap_or_default();
        leaving.copy_from_slice(&span.leaving);
        let arriving = self.handles.arriving.get_mut(end..).unwrap_or_default();
        arriving.copy_from_slice(&span.arriving);
        self.worst.meet(span.worst.value, span.worst.time);
    }

    fn finish(self, channel: &Channel, curve: &Curve) -> (Channel, Worst) {
        let (laws, handles) = (Laws::uniform(CUBIC), Some(Box::new(self.handles)));
        let made = Curve { laws, handles, values: self.values, ..with_keys(curve, &self.kept) };
        (Channel::whole(channel.property.clone(), made), self.worst)
    }
}

/// The values of a stretch without jumps, [`LOOKS`] for each segment and one for its end. Quaternions do not change sign on
/// the way.
struct Samples {
    width: usize,
    times: Vec<f64>,
    values: Vec<f64>,
    /// The slopes at its keys, if all of its segments are cubic.
    handles: Option<Handles>,
}

impl Samples {
    /// `None` if the curve breaks its own rules.
    fn new(source: &mut Source<'_>, curve: &Curve, first: usize, times: &[f64]) -> Option<Self> {
        let width = curve.width;
        let handles = curve.handles.as_deref().filter(|_| curve.laws.all(|law| law == CUBIC));
        let own = handles.map(|_| Handles::default());
        let mut samples = Self { width, times: Vec::new(), values: Vec::new(), handles: own };
        let (mut near, mut buffer): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for (at, time) in times.iter().enumerate() {
            let key = first + at;
            let mut own: Vec<f64> = curve.value(key)?.iter().map(|x| f64::from(*x)).collect();
            let is_opposite = source.is_opposite(&own, &near);
            if is_opposite {
                source.negate(&mut own);
            }
            samples.times.push(*time);
            samples.values.extend_from_slice(&own);
            if let Some((theirs, made)) = handles.zip(samples.handles.as_mut()) {
                let sign = if is_opposite { -1.0 } else { 1.0 };
                let row = |column: &[f32]| column.get(key * width..(key + 1) * width).map(<[f32]>::to_vec);
                made.arriving.extend(row(&theirs.arriving)?.into_iter().map(|slope| sign * slope));
                made.leaving.extend(row(&theirs.leaving)?.into_iter().map(|slope| sign * slope));
            }
            near = own;
            let Some(next) = times.get(at + 1) else { break };
            for look in 1..LOOKS {
                let share = look as f64 / LOOKS as f64;
                let between = dopesheet_curve::lerp(*time, *next, share);
                samples.times.push(between);
                source.append(Seconds(between), &near, &mut buffer, &mut samples.values);
                near.clone_from(&buffer);
            }
        }
        (samples.values.len() == samples.times.len() * width).then_some(samples)
    }

    /// How many segments there are.
    fn segments(&self) -> usize {
        (self.times.len() - 1) / LOOKS
    }

    fn row(&self, at: usize) -> &[f64] {
        self.values.get(at * self.width..(at + 1) * self.width).unwrap_or_default()
    }

    /// The slopes from one key to another that are known, so that what is smooth stays smooth.
    fn slopes(&self, from: usize, to: usize) -> Option<[Vec<f32>; 2]> {
        let row = |column: &[f32], key: usize| {
            column.get(key * self.width..(key + 1) * self.width).map(<[f32]>::to_vec)
        };
        let handles = self.handles.as_ref()?;
        Some([row(&handles.leaving, from)?, row(&handles.arriving, to)?])
    }

    /// Whether nothing moves in a segment.
    fn is_held(&self, segment: usize) -> bool {
        let start = self.row(segment * LOOKS);
        (segment * LOOKS + 1..=(segment + 1) * LOOKS).all(|at| self.row(at) == start)
    }
}

/// A cubic over several segments.
struct Span {
    /// How many.
    length: usize,
    /// Slopes per second, as they are stored.
    leaving: Vec<f32>,
    arriving: Vec<f32>,
    worst: Worst,
}

/// Finds the spans of a stretch.
struct Fit<'a> {
    property: &'a Property,
    allowance: &'a Allowance,
    samples: &'a Samples,
}

impl Fit<'_> {
    /// Spans over a whole stretch that starts with key `first`; `None` if a single segment is too curved for a cubic.
    fn run(&self, first: usize, made: &mut Made) -> Option<()> {
        let samples = self.samples;
        made.start(first, samples.row(0));
        let mut start = 0;
        while start < samples.segments() {
            let is_held = samples.is_held(start);
            let changes = |segment: &usize| samples.is_held(*segment) != is_held;
            let end = (start + 1..samples.segments()).find(changes).unwrap_or(samples.segments());
            while start < end {
                let span = self.longest(start, end)?;
                start += span.length;
                made.go(first + start, samples.row(start * LOOKS), &span);
            }
        }
        Some(())
    }

    /// The longest span from the start of a segment on that is near enough.
    fn longest(&self, start: usize, end: usize) -> Option<Span> {
        let mut found = self.span(start, 1)?;
        let (mut length, mut too_long) = (2, end - start + 1);
        while length < too_long {
            match self.span(start, length) {
                Some(span) => {
                    found = span;
                    length = (2 * length).min((end - start).max(length + 1));
                }
                None => too_long = length,
            }
        }
        while found.length + 1 < too_long {
            let middle = found.length.midpoint(too_long);
            match self.span(start, middle) {
                Some(span) => found = span,
                None => too_long = middle,
            }
        }
        Some(found)
    }

    /// The cubic over so many segments that follows the source best, if it is near enough.
    fn span(&self, start: usize, length: usize) -> Option<Span> {
        let ends = [start * LOOKS, (start + length) * LOOKS];
        let [a, b] = [*self.samples.times.get(ends[0])?, *self.samples.times.get(ends[1])?];
        let shares: Vec<f64> =
            self.samples.times.get(ends[0] + 1..ends[1])?.iter().map(|time| (time - a) / (b - a)).collect();
        let own = self.samples.slopes(start, start + length);
        let [leaving, arriving] = own.unwrap_or_else(|| self.slopes(ends, &shares, b - a));
        let mut span = Span { length, leaving, arriving, worst: Worst::default() };
        span.worst = self.worst(ends, &shares, b - a, &span)?;
        Some(span)
    }

    /// The slopes at both ends with the least squares.
    fn slopes(&self, ends: [usize; 2], shares: &[f64], length_s: f64) -> [Vec<f32>; 2] {
        let [from, to] = ends.map(|at| self.samples.row(at));
        let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
        let (mut ra, mut rb) = (vec![0.0; from.len()], vec![0.0; from.len()]);
        for (at, share) in (ends[0] + 1..).zip(shares) {
            let [h0, a, h1, b] = weights(*share);
            (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
            let rows = self.samples.row(at).iter().zip(from.iter().zip(to));
            for ((value, (from, to)), (ra, rb)) in rows.zip(ra.iter_mut().zip(&mut rb)) {
                let rest = value - h0 * from - h1 * to;
                (*ra, *rb) = (*ra + rest * a, *rb + rest * b);
            }
        }
        let scale = ((aa * bb - ab * ab) * length_s).recip();
        let pairs = || ra.iter().zip(&rb);
        let leaving = pairs().map(|(ra, rb)| finite((ra * bb - rb * ab) * scale)).collect();
        let arriving = pairs().map(|(ra, rb)| finite((rb * aa - ra * ab) * scale)).collect();
        [leaving, arriving]
    }

    /// How far a span is off at most; `None` if that is too far.
    fn worst(&self, ends: [usize; 2], shares: &[f64], length_s: f64, span: &Span) -> Option<Worst> {
        let [from, to] = ends.map(|at| self.samples.row(at));
        let largest = from.iter().chain(to).fold(0.0f64, |most, x| most.max(x.abs()));
        let allowed = (AIM * self.allowance.of(self.property)).max(largest * FINEST);
        let mut worst = Worst::default();
        let mut made = Vec::with_capacity(from.len());
        for (at, share) in (ends[0] + 1..).zip(shares) {
            let [h0, a, h1, b] = weights(*share);
            let slopes = span.leaving.iter().zip(&span.arriving);
            made.clear();
            made.extend(from.iter().zip(to).zip(slopes).map(|((v, w), (p, q))| {
                h0 * v + h1 * w + length_s * (a * f64::from(*p) + b * f64::from(*q))
            }));
            let off = difference(self.property, self.samples.row(at), &made);
            // What is not a number is not near.
            if off.is_nan() || off > allowed {
                return None;
            }
            worst.meet(off, Seconds(*self.samples.times.get(at)?));
        }
        Some(worst)
    }
}
