//! Fewer keys with Bezier timing between them: segments of a motion joined to longer ones.

use super::eased::{Frames, MOST_FRAMES, STRAIGHT, Samples, Segment, segment, turn_together};
use super::longest::chain;
use super::plan::Allowance;
use crate::difference::difference;
use crate::sample::timing::eased;
use crate::sample::{Sampler, Side};
use crate::single::finite;
use dopesheet_core::model::{
    Channel, Composition, Curve, Law, Laws, Outside, Property, Times, Timing, Track,
};
use dopesheet_core::units::FrameRate;
use dopesheet_curve as curve;

/// Number of times per frame at which a joined segment is compared with its source.
const PROBES_PER_FRAME: usize = 8;

/// Keeps some of the keys of a joint, which are on the frames of one grid and have Bezier timing or none, and
/// joins the segments between them where a timing curve for each axis and one for the rotation keep to the
/// allowances (translation, rotation). Segments not joined keep their laws, so that there are never more keys
/// than before.
///
/// `None` where channels have other compositions, or no keys can be spared.
#[must_use]
pub fn merged(track: &Track, allowances: [Allowance; 2]) -> Option<Vec<Channel>> {
    let keys = JointKeys::of(track)?;
    let fit = SegmentJoiner::new(&keys, [allowances[0].value, allowances[1].angle_rad])?;
    let last = keys.frames.len().saturating_sub(1);
    let joined = |a: usize, b| match b == a.saturating_add(1) {
        true => keys.laws.get(a).copied(),
        false => fit.joined(a, b),
    };
    let segments = chain(0, last, joined)?;
    let kept = std::iter::once(0).chain(segments.iter().map(|(key, _)| *key));
    let kept: Vec<i64> = kept.filter_map(|key| keys.frames.get(key).copied()).collect();
    let laws: Vec<Segment> = segments.into_iter().map(|(_, laws)| laws).collect();
    (kept.len() < keys.frames.len()).then(|| keys.channels(&kept, &laws))
}

/// The keys of a joint: the keys of all its curves, with the laws between neighbours.
struct JointKeys<'a> {
    translation: Option<&'a Channel>,
    rotation: Option<&'a Channel>,
    rate: FrameRate,
    frames: Vec<i64>,
    laws: Vec<Segment>,
}

impl<'a> JointKeys<'a> {
    fn of(track: &'a Track) -> Option<Self> {
        let find = |property: Property| track.channels.iter().find(|c| c.property == property);
        let (translation, rotation) = (find(Property::Translation), find(Property::Rotation));
        let all = [translation, rotation].into_iter().flatten();
        let is_scaled = |channel: &Channel| channel.native.as_ref().is_some_and(|native| native.scale != 1.0);
        if all.clone().count() != track.channels.len() || all.clone().any(is_scaled) {
            return None;
        }
        let curves: Vec<&Curve> = all.flat_map(|channel| channel.composition.curves()).collect();
        let (mut rate, mut frames) = (None, Vec::new());
        for curve in &curves {
            let Times::Frames { rate: own, frames: list } = &curve.times else { return None };
            frames.extend_from_slice(list);
            if *rate.get_or_insert(*own) != *own || !list.is_sorted_by(|a, b| a < b) {
                return None;
            }
        }
        frames.sort_unstable();
        frames.dedup();
        let keeps_ends = |curve: &&Curve| match &curve.before {
            Outside::Hold => curve.after == Outside::Hold,
            Outside::Ramp { .. } => frame(curve, 0) == frames.first() && curve.after == Outside::Hold,
            _ => false,
        };
        if !curves.iter().all(keeps_ends) {
            return None;
        }
        let mut keys = Self { translation, rotation, rate: rate?, frames, laws: Vec::new() };
        let pairs = keys.frames.array_windows();
        keys.laws = pairs.map(|[from, to]| keys.own_laws(*from, *to)).collect::<Option<_>>()?;
        Some(keys)
    }

    /// The laws between two neighbouring keys; `None` if a lane with other keys is not straight there.
    fn own_laws(&self, from: i64, to: i64) -> Option<Segment> {
        let mut laws = STRAIGHT;
        for (lane, law) in laws.iter_mut().enumerate() {
            let Some((curve, _)) = self.curve_of(lane) else { continue };
            let straight = *law;
            *law = law_between(curve, from, to, straight)?;
        }
        Some(laws)
    }

    /// The curve of an axis or of the rotation, and the range of its numbers.
    fn curve_of(&self, axis: usize) -> Option<(&'a Curve, std::ops::Range<usize>)> {
        let channel = if axis < 3 { self.translation? } else { self.rotation? };
        match &channel.composition {
            Composition::Whole(curve) if axis < 3 => Some((curve, axis..axis.saturating_add(1))),
            Composition::Whole(curve) => Some((curve, 0..4)),
            Composition::Components(curves) if axis < 3 => Some((curves.get(axis)?, 0..1)),
            _ => None,
        }
    }

    /// The value of a lane at a frame: the value of its key there, if any.
    fn value(&self, axis: usize, at: i64) -> Vec<f32> {
        let Some((curve, part)) = self.curve_of(axis) else { return Vec::new() };
        let Times::Frames { frames, .. } = &curve.times else { return Vec::new() };
        let row = match frames.binary_search(&at) {
            Ok(key) => curve.value(key).unwrap_or_default().to_vec(),
            Err(_) => {
                let mut value = Vec::new();
                crate::curve_at(curve, self.rate.seconds(at as f64), Side::At, &mut value);
                value.into_iter().map(finite).collect()
            }
        };
        row.get(part).unwrap_or_default().to_vec()
    }

    /// The channels with the `kept` keys and the `laws` between them.
    fn channels(&self, kept: &[i64], laws: &[Segment]) -> Vec<Channel> {
        let times = Times::Frames { rate: self.rate, frames: kept.into() };
        let curve_of = |lane: usize| {
            let (source, _) = self.curve_of(lane)?;
            let mut values: Vec<f32> = kept.iter().flat_map(|at| self.value(lane, *at)).collect();
            let width = if lane < 3 { 1 } else { 4 };
            if lane == 3 {
                turn_together(&mut values);
            }
            let segments = laws.iter().filter_map(|segment| segment.get(lane).copied());
            let before = ramp_of(source, lane);
            Some(Curve { before, ..Curve::new(times.clone(), width, values, Laws::from_segments(segments)) })
        };
        let mut channels = Vec::new();
        let axes: Option<Vec<Curve>> = (0..3).map(curve_of).collect();
        if let (Some(source), Some(axes)) = (self.translation, axes) {
            channels.push(Channel { composition: Composition::Components(axes), ..source.clone() });
        }
        if let (Some(source), Some(turn)) = (self.rotation, curve_of(3)) {
            channels.push(Channel { composition: Composition::Whole(turn), ..source.clone() });
        }
        channels
    }
}

/// The rule of one component of a curve before its first key.
fn ramp_of(curve: &Curve, axis: usize) -> Outside {
    match &curve.before {
        Outside::Ramp { start, from, law } if axis < 3 && curve.width == 3 => Outside::Ramp {
            start: *start,
            from: [from.get(axis).copied().unwrap_or_default()].into(),
            law: *law,
        },
        before => before.clone(),
    }
}

fn frame(curve: &Curve, key: usize) -> Option<&i64> {
    let Times::Frames { frames, .. } = &curve.times else { return None };
    frames.get(key)
}

/// The law of a curve between two frames: of its own segment, or straight inside a longer straight segment
/// and outside of its keys; `None` for other laws.
fn law_between(curve: &Curve, from: i64, to: i64, straight: Law) -> Option<Law> {
    let Times::Frames { frames, .. } = &curve.times else { return None };
    let is_outside =
        frames.first().is_none_or(|first| to <= *first) || frames.last().is_some_and(|l| *l <= from);
    let law = match frames.binary_search(&from) {
        _ if is_outside => straight,
        Ok(key) if frames.get(key.saturating_add(1)) == Some(&to) => curve.laws.get(key),
        Ok(key) | Err(key) => {
            let segment = if frames.get(key) == Some(&from) { key } else { key.checked_sub(1)? };
            Some(curve.laws.get(segment)).filter(|law| *law == straight)?
        }
    };
    let is_eased = law.blend == straight.blend && !matches!(law.timing, Timing::Ease { .. });
    is_eased.then_some(law)
}

/// Joins segments.
struct SegmentJoiner<'a> {
    keys: &'a JointKeys<'a>,
    lanes: [Option<Samples>; 2],
    bounds: [f64; 2],
}

impl<'a> SegmentJoiner<'a> {
    fn new(keys: &'a JointKeys<'a>, bounds: [f64; 2]) -> Option<Self> {
        let range = (*keys.frames.first()?, *keys.frames.last()?);
        let length = range.1.checked_sub(range.0).filter(|length| *length < MOST_FRAMES)?;
        let frames = Frames { rate: keys.rate, range, fixed: Vec::new() };
        let count = usize::try_from(length).ok()?.saturating_add(1);
        let samples = |channel: Option<&Channel>, width| {
            channel.map_or(Some(None), |channel| Samples::new(channel, width, &frames, count).map(Some))
        };
        Some(Self { keys, lanes: [samples(keys.translation, 3)?, samples(keys.rotation, 4)?], bounds })
    }

    /// The laws of one segment between two keys, if the segment keeps to the bounds.
    fn joined(&self, from: usize, to: usize) -> Option<Segment> {
        let frames = &self.keys.frames;
        let (first, from, to) = (*frames.first()?, *frames.get(from)?, *frames.get(to)?);
        let [start, end] = [from, to].map(|frame| frame.saturating_sub(first) as usize);
        let laws = segment(&self.lanes, self.bounds, start, end)?;
        self.keeps_to_bounds(&laws, from, to).then_some(laws)
    }

    fn keeps_to_bounds(&self, [x, y, z, turn]: &Segment, from: i64, to: i64) -> bool {
        let lane = |lane: usize, law: &Law| ([from, to].map(|frame| self.keys.value(lane, frame)), *law);
        let (axes, turn) = ([lane(0, x), lane(1, y), lane(2, z)], [lane(3, turn)]);
        let channels = [(self.keys.translation, axes.as_slice()), (self.keys.rotation, turn.as_slice())];
        let (mut exact, mut own) = (Vec::new(), Vec::new());
        channels.into_iter().zip(self.bounds).all(|((channel, lanes), bound)| {
            let Some(channel) = channel else { return true };
            let mut sampler = Sampler::new(channel);
            let steps = (to.saturating_sub(from) as usize).saturating_mul(PROBES_PER_FRAME);
            (1..steps).all(|step| {
                let frame = from as f64 + step as f64 / PROBES_PER_FRAME as f64;
                sampler.value_at(self.keys.rate.seconds(frame), Side::At, &mut exact);
                own.clear();
                let share = step as f64 / steps as f64;
                lanes.iter().for_each(|(ends, law)| mixed(ends, *law, share, &mut own));
                difference(&channel.property, &exact, &own) <= bound
            })
        })
    }
}

/// The value of a segment at a share of its time.
fn mixed([from, to]: &[Vec<f32>; 2], law: Law, share: f64, out: &mut Vec<f64>) {
    let u = eased(law.timing, share);
    match (from.first_chunk::<4>(), to.first_chunk::<4>()) {
        (Some(from), Some(to)) => out.extend(curve::slerp(from.map(f64::from), to.map(f64::from), u)),
        _ => out.extend(from.iter().zip(to).map(|(a, b)| curve::lerp((*a).into(), (*b).into(), u))),
    }
}
