//! Keys on a grid with Bezier timing between them: few, so that people can edit them.

use super::longest::chain;
use super::plan::Allowance;
use super::timing::{TimingFit, fit_timing, law_of};
use crate::sample::{Sampler, Side};
use crate::single::finite;
use dopesheet_core::model::{Channel, Composition, Curve, Law, Laws, Property, Times, Timing, Track};
use dopesheet_core::units::FrameRate;
use dopesheet_curve as curve;

/// Samples of a channel per frame.
pub(crate) const PER_FRAME: usize = 2;

/// The longest motion to fit or join, in frames: 9 hours at 30 fps.
pub(crate) const MOST_FRAMES: i64 = 1_000_000;

/// Rotations turn by no more than this in one segment, in radians: 150°, well below half a turn.
const LARGEST_TURN_RAD: f64 = 150.0 * std::f64::consts::PI / 180.0;

/// The range of frames for keys, and the frames with required keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Frames per second.
    pub rate: FrameRate,
    /// First and last frame.
    pub range: (i64, i64),
    /// Frames that stay keys, ascending: authored keys, and both sides of a jump.
    pub fixed: Vec<i64>,
}

/// Gives the translation and the rotation of a joint keys on common frames, with a timing curve for each axis and for
/// the rotation; `None` if neither has keys.
///
/// Between two required keys each segment goes as far as timing curves of MikuMikuDance's bytes keep all four
/// lanes within `allowances` (translation, rotation); a segment of one frame is always taken.
#[must_use]
pub fn eased(track: &Track, frames: &Frames, allowances: [Allowance; 2]) -> Option<Vec<Channel>> {
    eased_together(&[(track, allowances)], frames)?.pop()
}

/// As [`eased`] for several joints, such as those of an arm, which all get keys on the same frames. The
/// channels are in the order of the tracks; `None` if no track has keys.
#[must_use]
pub fn eased_together(tracks: &[(&Track, [Allowance; 2])], frames: &Frames) -> Option<Vec<Vec<Channel>>> {
    let (first, last) = frames.range;
    let counted = |frame: i64| usize::try_from(frame.checked_sub(first)?).ok();
    let last = counted(last)?;
    let count = last.saturating_add(1);
    let joints: Vec<Joint> =
        tracks.iter().map(|(track, allowances)| Joint::new(track, *allowances, frames, count)).collect();
    if joints.iter().all(|joint| joint.columns.iter().all(Option::is_none)) {
        return None;
    }
    let mut ends: Vec<usize> = frames.fixed.iter().filter_map(|frame| counted(*frame)).collect();
    ends.push(last);
    let straight = |a: usize, b| (b == a.saturating_add(1)).then(|| vec![STRAIGHT; joints.len()]);
    let fitted = |a, b| joints.iter().map(|joint| segment(&joint.columns, joint.bounds, a, b)).collect();
    let mut segments: Vec<(usize, Vec<Segment>)> = Vec::new();
    for end in ends.into_iter().filter(|end| *end < count) {
        let start = segments.last().map_or(0, |(key, _)| *key);
        let chained = chain(start, end, |a, b| Option::or_else(fitted(a, b), || straight(a, b)));
        segments.extend(chained.unwrap_or_default());
    }
    let of = |(at, joint): (usize, &Joint)| {
        let joint_segments = segments.iter().filter_map(|(key, laws)| Some((*key, *laws.get(at)?)));
        channels(&joint.columns, frames, &joint_segments.collect::<Vec<_>>())
    };
    Some(joints.iter().enumerate().map(of).collect())
}

/// Values of a joint's translation and rotation, and how far keys may be off them.
struct Joint {
    columns: [Option<Samples>; 2],
    bounds: [f64; 2],
}

impl Joint {
    fn new(track: &Track, allowances: [Allowance; 2], frames: &Frames, count: usize) -> Self {
        let find = |property: Property, width| {
            let channel = track.channels.iter().find(|channel| channel.property == property)?;
            Samples::new(channel, width, frames, count)
        };
        Self {
            columns: [find(Property::Translation, 3), find(Property::Rotation, 4)],
            bounds: [allowances[0].value, allowances[1].angle_rad],
        }
    }
}

/// The channels of a joint with keys at the first frame and at the ends of segments, counted from the first
/// frame.
fn channels(columns: &[Option<Samples>; 2], frames: &Frames, segments: &[(usize, Segment)]) -> Vec<Channel> {
    let keys = || std::iter::once(0).chain(segments.iter().map(|(key, _)| *key));
    let list: Vec<i64> = keys().map(|key| frames.range.0.saturating_add(key as i64)).collect();
    let times = Times::Frames { rate: frames.rate, frames: list.into() };
    let laws = |column: usize| {
        Laws::from_segments(segments.iter().filter_map(|(_, laws)| laws.get(column).copied()))
    };
    let column = |samples: &Samples, at: std::ops::Range<usize>| -> Vec<f32> {
        let rows = keys().filter_map(|key| samples.on(key).get(at.clone()));
        rows.flatten().map(|x| finite(*x)).collect()
    };
    let mut channels = Vec::new();
    if let Some(samples) = &columns[0] {
        let axis = |(n, end)| Curve::new(times.clone(), 1, column(samples, n..end), laws(n));
        let composition = Composition::Components((0..3).zip(1..).map(axis).collect());
        channels.push(Channel { property: Property::Translation, composition, native: None });
    }
    if let Some(samples) = &columns[1] {
        let mut values = column(samples, 0..4);
        turn_together(&mut values);
        channels.push(Channel::whole(Property::Rotation, Curve::new(times, 4, values, laws(3))));
    }
    channels
}

/// Values of a channel at every frame and in between.
pub(crate) struct Samples {
    width: usize,
    values: Vec<f64>,
}

impl Samples {
    pub(super) fn new(channel: &Channel, width: usize, frames: &Frames, count: usize) -> Option<Self> {
        let mut sampler = Sampler::new(channel);
        let last = count.saturating_sub(1).saturating_mul(PER_FRAME);
        let mut values = Vec::with_capacity(last.saturating_add(1).saturating_mul(width));
        let mut value = Vec::with_capacity(width);
        for step in 0..=last {
            let frame = frames.range.0 as f64 + step as f64 / PER_FRAME as f64;
            let is_known = sampler.value_at(frames.rate.seconds(frame), Side::At, &mut value);
            if !is_known || value.len() != width {
                return None;
            }
            values.extend(&value);
        }
        Some(Self { width, values })
    }

    /// No samples yet, of values with `width` numbers.
    pub(crate) const fn empty(width: usize) -> Self {
        Self { width, values: Vec::new() }
    }

    /// The value at the next step.
    pub(crate) fn push(&mut self, value: &[f64]) {
        self.values.extend_from_slice(value);
    }

    /// The value at a step.
    pub(crate) fn at(&self, step: usize) -> &[f64] {
        let start = step.saturating_mul(self.width);
        self.values.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// The value on a frame.
    pub(crate) fn on(&self, frame: usize) -> &[f64] {
        self.at(frame.saturating_mul(PER_FRAME))
    }

    /// A number of the value at a step.
    fn number(&self, step: usize, number: usize) -> f64 {
        let index = step.saturating_mul(self.width).saturating_add(number);
        self.values.get(index).copied().unwrap_or_default()
    }

    fn rotation(&self, step: usize) -> [f64; 4] {
        self.at(step).first_chunk().copied().unwrap_or([0.0, 0.0, 0.0, 1.0])
    }
}

/// The laws of one segment: x, y, z and the rotation.
pub(super) type Segment = [Law; 4];

/// Straight segments.
pub(super) const STRAIGHT: Segment = [Law::LINEAR, Law::LINEAR, Law::LINEAR, Law::SLERP];

/// The laws of one segment between two frames, if the segment keeps to the bounds at all samples of the
/// columns.
pub(super) fn segment(
    columns: &[Option<Samples>; 2],
    bounds: [f64; 2],
    start: usize,
    end: usize,
) -> Option<Segment> {
    let mut laws = STRAIGHT;
    if let Some(samples) = &columns[0] {
        for (axis, law) in laws.iter_mut().take(3).enumerate() {
            law.timing = axis_timing(samples, axis, start, end, bounds[0] / 3f64.sqrt(), fit_timing)?;
        }
    }
    if let Some(samples) = &columns[1] {
        laws[3].timing = turn_timing(samples, start, end, bounds[1])?;
    }
    Some(laws)
}

/// Replaces each quaternion by its opposite where the opposite is nearer to the key before.
pub(super) fn turn_together(values: &mut [f32]) {
    let mut before = [0.0; 4];
    for own in values.as_chunks_mut::<4>().0 {
        let dot: f32 = before.iter().zip(own.iter()).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            own.iter_mut().for_each(|x| *x = -*x);
        }
        before = *own;
    }
}

fn steps(start: usize, end: usize) -> impl Iterator<Item = (usize, f64)> {
    let [first, last] = [start, end].map(|frame| frame.saturating_mul(PER_FRAME));
    let count = last.saturating_sub(first);
    (1..count).map(move |passed| (first.saturating_add(passed), passed as f64 / count as f64))
}

/// Timing of one axis between two frames; `None` if no timing curve keeps to the bound.
pub(super) fn axis_timing(
    samples: &Samples,
    axis: usize,
    start: usize,
    end: usize,
    bound: f64,
    fit: TimingFit,
) -> Option<Timing> {
    let at = |step: usize| samples.number(step, axis);
    let [from, to] = [start, end].map(|frame| at(frame.saturating_mul(PER_FRAME)));
    let change = to - from;
    if steps(start, end).all(|(step, share)| (curve::lerp(from, to, share) - at(step)).abs() <= bound) {
        return Some(Timing::Linear);
    }
    if change.abs() <= bound {
        return None;
    }
    let progress: Vec<(f64, f64)> =
        steps(start, end).map(|(step, share)| (share, (at(step) - from) / change)).collect();
    Some(law_of(fit(&progress, bound / change.abs())?))
}

/// Timing of a rotation between two frames; `None` if the rotation leaves the great arc or no timing curve
/// keeps to the bound.
fn turn_timing(samples: &Samples, start: usize, end: usize, bound: f64) -> Option<Timing> {
    let [from, to] = [start, end].map(|frame| samples.rotation(frame.saturating_mul(PER_FRAME)));
    let angle = curve::quat_angle(from, to);
    let path = Path {
        length: angle,
        along: |step: usize| curve::quat_angle(from, samples.rotation(step)) / angle,
        distance: |share: f64, step: usize| {
            curve::quat_angle(curve::slerp(from, to, share), samples.rotation(step))
        },
    };
    if angle > LARGEST_TURN_RAD { None } else { path.timing(start, end, bound, fit_timing) }
}

/// A straight path from one key to the next: its length, the share that has passed at a step, and the
/// distance between a share of the path and the true value at a step.
pub(super) struct Path<A, B> {
    pub(super) length: f64,
    pub(super) along: A,
    pub(super) distance: B,
}

impl<A: Fn(usize) -> f64, B: Fn(f64, usize) -> f64> Path<A, B> {
    pub(super) fn timing(&self, start: usize, end: usize, bound: f64, fit: TimingFit) -> Option<Timing> {
        if steps(start, end).all(|(step, share)| (self.distance)(share, step) <= bound) {
            return Some(Timing::Linear);
        }
        if self.length <= bound {
            return None;
        }
        let mut progress = Vec::with_capacity(end.saturating_sub(start).saturating_mul(PER_FRAME));
        let mut farthest = 0.0f64;
        for (step, share) in steps(start, end) {
            let along = (self.along)(step);
            let beside = (self.distance)(along.clamp(0.0, 1.0), step);
            if beside > bound {
                return None;
            }
            farthest = farthest.max(beside);
            progress.push((share, along));
        }
        // What is left of the bound beside the line.
        let left = (bound * bound - farthest * farthest).max(0.0).sqrt();
        Some(law_of(fit(&progress, left / self.length)?))
    }
}
