//! Cubic segments across keys of the source: each goes over as many as it follows closely enough.

use super::nearest::{cubic_at, nearest_slopes};
use super::source::Source;
use crate::difference::{Worst, difference};
use crate::keys::columns::with_keys;
use crate::keys::longest::chain;
use crate::keys::plan::{Allowance, FINEST, largest, straight_law};
use crate::keys::rows::CUBIC;
use crate::single::{finite, narrow};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Handles, Laws, Property};
use dopesheet_core::units::Seconds;

/// Samples of each segment of the source, its start among them.
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
        first = first.saturating_add(times.len());
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
        leaving.iter_mut().zip(&span.slopes[0]).for_each(|(own, slope)| *own = narrow(*slope));
        let arriving = self.handles.arriving.get_mut(end..).unwrap_or_default();
        arriving.iter_mut().zip(&span.slopes[1]).for_each(|(own, slope)| *own = narrow(*slope));
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
        let mut near: Vec<f64> = Vec::new();
        for ((at, time), key) in times.iter().enumerate().zip(first..) {
            let mut own: Vec<f64> = curve.value(key)?.iter().map(|x| f64::from(*x)).collect();
            let is_opposite = source.is_opposite(&own, &near);
            if is_opposite {
                source.negate(&mut own);
            }
            samples.times.push(*time);
            samples.values.extend_from_slice(&own);
            if let Some((theirs, made)) = handles.zip(samples.handles.as_mut()) {
                let sign = if is_opposite { -1.0 } else { 1.0 };
                let row = |column: &[f32]| curve.row(column, key).map(<[f32]>::to_vec);
                made.arriving.extend(row(&theirs.arriving)?.into_iter().map(|slope| sign * slope));
                made.leaving.extend(row(&theirs.leaving)?.into_iter().map(|slope| sign * slope));
            }
            near = own;
            let Some(next) = times.get(at.saturating_add(1)) else { break };
            for look in 1..LOOKS {
                let share = look as f64 / LOOKS as f64;
                let between = dopesheet_curve::lerp(*time, *next, share);
                samples.times.push(between);
                source.append(Seconds(between), &near, &mut samples.values);
                near = samples.values.get(samples.values.len().saturating_sub(width)..)?.to_vec();
            }
        }
        (samples.times.len().checked_mul(width) == Some(samples.values.len())).then_some(samples)
    }

    /// Number of segments.
    fn segments(&self) -> usize {
        self.times.len().saturating_sub(1) / LOOKS
    }

    fn row(&self, at: usize) -> &[f64] {
        row(&self.values, self.width, at).unwrap_or_default()
    }

    /// The slopes from one key to another that are known, so that what is smooth stays smooth.
    fn slopes(&self, from: usize, to: usize) -> Option<[Vec<f64>; 2]> {
        let slopes = |column: &[f32], key: usize| -> Option<Vec<f64>> {
            Some(row(column, self.width, key)?.iter().map(|slope| f64::from(*slope)).collect())
        };
        let handles = self.handles.as_ref()?;
        Some([slopes(&handles.leaving, from)?, slopes(&handles.arriving, to)?])
    }

    /// True if nothing moves in a segment.
    fn is_held(&self, segment: usize) -> bool {
        let first = segment.saturating_mul(LOOKS);
        let start = self.row(first);
        (1..=LOOKS).all(|look| self.row(first.saturating_add(look)) == start)
    }
}

/// A row of a column.
fn row<T>(column: &[T], width: usize, at: usize) -> Option<&[T]> {
    let start = at.checked_mul(width)?;
    column.get(start..start.checked_add(width)?)
}

/// A cubic over several segments.
struct Span {
    /// Slopes per second at both ends, as they are stored.
    slopes: [Vec<f64>; 2],
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
            let end = (start..samples.segments()).skip(1).find(changes).unwrap_or(samples.segments());
            for (next, span) in chain(start, end, |a, b| self.span(a, b))? {
                start = next;
                made.go(first.saturating_add(start), samples.row(start.saturating_mul(LOOKS)), &span);
            }
        }
        Some(())
    }

    /// The cubic from the start of a segment to that of another that follows the source best, if it is near enough.
    fn span(&self, start: usize, end: usize) -> Option<Span> {
        let samples = self.samples;
        let [from, to] = [start, end].map(|segment| segment.saturating_mul(LOOKS));
        let [a, b] = [*samples.times.get(from)?, *samples.times.get(to)?];
        let inside = from.saturating_add(1)..to;
        let times = samples.times.get(inside.clone())?;
        let shares: Vec<f64> = times.iter().map(|time| (time - a) / (b - a)).collect();
        let rows = samples
            .values
            .get(inside.start.saturating_mul(samples.width)..to.saturating_mul(samples.width))?;
        let ends = [samples.row(from), samples.row(to)];
        let known = samples.slopes(start, end);
        let slopes = known.unwrap_or_else(|| {
            let nearest = nearest_slopes(ends, [None; 2], b - a, &shares, rows);
            nearest.map(|slopes| slopes.into_iter().map(|slope| f64::from(finite(slope))).collect())
        });
        let allowed = (AIM * self.allowance.of(self.property)).max(largest(ends[0], ends[1]) * FINEST);
        let (mut worst, mut made) = (Worst::default(), Vec::with_capacity(samples.width));
        for ((row, share), time) in rows.chunks_exact(samples.width).zip(&shares).zip(times) {
            cubic_at(ends, [&slopes[0], &slopes[1]], b - a, *share, &mut made);
            let off = difference(self.property, row, &made);
            // What is not a number is not near.
            if off.is_nan() || off > allowed {
                return None;
            }
            worst.meet(off, Seconds(*time));
        }
        Some(Span { slopes, worst })
    }
}
