//! Sample times: when two animations are compared.

use super::Course;
use crate::sample::evaluate::grid;
use crate::sample::moving::changes;
use dopesheet_core::model::{Blend, Clip, Curve, Outside, Times};
use dopesheet_core::order::{ascend, by_number};
use dopesheet_core::units::{FrameRate, Seconds};
use std::ops::Range;

/// Least samples in a frame of the source's grid.
const PER_FRAME: f64 = 8.0;

/// Least samples in a second.
const PER_SECOND: f64 = 240.0;

/// Most even samples between two neighbouring key times, 17 s at 240 a second: no law has more to show there.
const MOST_BETWEEN: f64 = 4096.0;

/// Most even samples times joints: half an hour at 240 a second of 150 joints; longer clips get a coarser grid.
const MOST_EVEN: f64 = 6e7;

/// Multiples of the other samples' number at which the keys of a conversion are many but not crowded: in a crowd, samples tell nothing of
/// the keys beside them.
const MANY: Range<usize> = 2..16;

/// Number of keys times joints up to which all keys are samples.
const FEW: usize = 2_000_000;

/// Distance in seconds from another sample within which such keys are no samples.
const NEAR_S: f64 = 0.25 / PER_SECOND;

/// Quotient of the number of samples and the largest number of left-out key times compared at once.
const LOOKS_OF_SAMPLES: usize = 16;

/// Part of a step by which an even sample may miss a key time.
const NEARLY: f64 = 1e-3;

/// Half the width of the range left out around a jump, in frames of a grid: a little more than the distance
/// that counts as the frame.
const JUMP_FRAMES: f64 = 1.001 * FrameRate::SNAP_FRAMES;

/// Half the width of the range left out around a jump, in steps of f32: a file of f32 has the jump within
/// two.
const JUMP_STEPS: f64 = 2.0;

/// Distance of a time from its frame, in steps of f32, above which a file rounds times more coarsely.
const COARSE_STEPS: f64 = 4.0;

/// Distance in seconds from which on keys are not neighbours: steps of f32 are shorter for a day.
const SHORTEST_S: f64 = 1e-2;

/// Distance in seconds below which there are no samples between keys: no program asks for two times within a
/// microsecond, and steps of f32 are shorter for 16 s.
const SHORTEST_LOOK_S: f64 = 1e-6;

/// Parts of the time between such keys, with a sample at the end of each.
const NEIGHBOUR_LOOKS: u32 = 8;

/// Most repetitions of a curve that are followed for its jumps.
const MOST_TURNS: f64 = 10_000.0;

/// Thoroughness of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// All samples.
    Full,
    /// As [`Self::Full`], but where B has very many keys, without samples at keys next to other samples. Where these samples show nearly
    /// the largest displacement, and no displacement is above the tolerance, the keys are compared too.
    Made,
    /// As [`Self::Made`], also where a displacement is above the tolerance.
    Told,
}

/// Times at which two animations are compared, ascending.
#[derive(Debug)]
pub(super) struct SampleTimes {
    times: Vec<f64>,
    /// For each time, true if a jump lies between this time and the next.
    jumps_next: Vec<bool>,
    /// Key times left out of the samples, ascending.
    left_out: Vec<f64>,
    /// Grids of keys: a time next to a frame of a grid is that frame.
    grids: Vec<FrameRate>,
}

impl SampleTimes {
    /// From 0 to `end`: all key times of moving channels, an even grid, and the times just before and just
    /// behind every jump.
    ///
    /// With a course, the key times of the first clip are mapped to the times at which they are shown.
    pub(super) fn of(
        (clips, course): ([&Clip; 2], Option<&Course>),
        joints: usize,
        end: f64,
        effort: Effort,
    ) -> Self {
        let (mut keys, mut made, mut frames) = (Vec::new(), Vec::new(), vec![0.0, end]);
        let mut narrow = [Vec::new(), Vec::new()];
        let (mut jumps, mut grids, mut repeats) = (Vec::new(), Vec::new(), false);
        let mut beside = Vec::new();
        for (side, clip) in clips.into_iter().enumerate() {
            let (course, is_made) = (course.filter(|_| side == 0), side == 1 && effort != Effort::Full);
            let mut list: Option<&Times> = None;
            for channel in clip.channels().filter(|c| changes(c)) {
                grids.extend(grid(channel).filter(|rate| !grids.contains(rate)));
                for curve in channel.composition.curves() {
                    if let Some(course) = course {
                        let shown = jumps_of(curve, course.latest_shown());
                        jumps.extend(shown.into_iter().flat_map(|time| course.times_of(time)));
                        keys.extend(curve.times.iter().flat_map(|time| course.times_of(time.0)));
                        continue;
                    }
                    jumps.extend(jumps_of(curve, end));
                    if let Some(gaps) = narrow.get_mut(side) {
                        gaps.extend(narrow_gaps(curve));
                    }
                    repeats |= [&curve.before, &curve.after].iter().any(|outside| is_repeating(outside));
                    if list.replace(&curve.times).is_some_and(|before| before.is_same_list(&curve.times)) {
                        continue;
                    }
                    if side == 1 {
                        beside.extend(beside_rounded(&curve.times, &grids));
                    }
                    match &curve.times {
                        Times::Seconds(times) if is_made => made.extend(times.iter()),
                        Times::Seconds(times) => keys.extend(times.iter()),
                        times => frames.extend(times.iter().map(|time| time.0)),
                    }
                }
            }
        }
        for times in [&mut keys, &mut made, &mut frames] {
            times.retain(|time| (0.0..=end).contains(time));
            sort(times);
        }
        let rate = clips[0].grid.into_iter().chain(grids.iter().copied());
        let fps = rate.map(FrameRate::fps).fold(0.0, f64::max);
        let rate = if fps > 0.0 { fps * PER_FRAME.max((PER_SECOND / fps).ceil()) } else { PER_SECOND };
        let limit = MOST_EVEN / joints.max(1) as f64;
        let spread = |keys: &[f64]| spread(&joined(keys, &frames, &grids), rate, limit);
        let (mut times, mut left_out) = (spread(&keys), Vec::new());
        let ratio = made.len().checked_div(times.len()).unwrap_or_default();
        if MANY.contains(&ratio) && made.len().saturating_mul(joints) > FEW {
            (times, left_out) = thinned(&made, &times);
        } else if !made.is_empty() {
            keys.append(&mut made);
            sort(&mut keys);
            times = spread(&keys);
        }
        beside.extend(steep(&narrow, &mut jumps, &grids));
        beside.retain(|time| (0.0..=end).contains(time));
        add_between_frames(&mut times, beside, &grids);
        let latest = if repeats { end } else { f64::INFINITY };
        let around = zones(&jumps, course.map(Course::gaps).unwrap_or_default(), &grids);
        let (times, jumps_next) = split_at(&times, &around, latest);
        Self { times, jumps_next, left_out, grids }
    }

    /// Removes and yields left-out key times beside samples with a `height` above the least, each with the height; of many the highest.
    pub(super) fn let_in(&mut self, least: f64, height: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let mut behind = 0usize;
        let with_height = |time: &f64| {
            while self.times.get(behind).is_some_and(|sample| sample <= time) {
                behind = behind.saturating_add(1);
            }
            let before =
                behind.checked_sub(1).filter(|before| self.jumps_next.get(*before) == Some(&false))?;
            let [before_s, behind_s] = self.times.get(before..=behind)?.as_array()?;
            Some((*time, height(*before_s).max(height(*behind_s))))
        };
        let mut looks: Vec<(f64, f64)> = self.left_out.iter().filter_map(with_height).collect();
        let mut heights: Vec<f64> =
            looks.iter().map(|look| look.1).filter(|height| *height > least).collect();
        ascend(&mut heights);
        let limit = self.times.len() / LOOKS_OF_SAMPLES;
        let least = heights.iter().rev().nth(limit).copied().unwrap_or(least);
        self.left_out = looks.extract_if(.., |look| look.1 <= least).map(|look| look.0).collect();
        looks
    }

    /// Adds times between two samples to the samples.
    pub(super) fn admit(&mut self, mut times: Vec<f64>) {
        if times.is_empty() {
            return;
        }
        ascend(&mut times);
        let mut times = times.into_iter().peekable();
        let samples = std::mem::take(&mut self.times).into_iter().zip(std::mem::take(&mut self.jumps_next));
        for (sample, jumps_next) in samples {
            while let Some(time) = times.next_if(|time| *time < sample) {
                self.times.push(time);
                self.jumps_next.push(false);
            }
            self.times.push(sample);
            self.jumps_next.push(jumps_next);
        }
    }

    pub(super) fn all(&self) -> &[f64] {
        &self.times
    }

    /// From the sample before a time to the sample behind, but not across a jump.
    pub(super) fn around(&self, time: f64) -> Range<f64> {
        let at = |sample: usize| self.times.get(sample).copied();
        let may_jump =
            |before: Option<usize>| before.is_some_and(|own| self.jumps_next.get(own) == Some(&true));
        let [first, behind] =
            [self.times.partition_point(|own| *own < time), self.times.partition_point(|own| *own <= time)];
        let before = first.checked_sub(1).filter(|before| !may_jump(Some(*before)));
        let after = Some(behind).filter(|_| !may_jump(behind.checked_sub(1)));
        before.and_then(at).unwrap_or(time)..after.and_then(at).unwrap_or(time)
    }

    /// The samples within a number of seconds.
    pub(super) fn near(&self, time: f64, seconds: f64) -> &[f64] {
        let from = self.times.partition_point(|own| *own < time - seconds);
        let to = self.times.partition_point(|own| *own <= time + seconds);
        self.times.get(from..to).unwrap_or_default()
    }

    /// A time between samples; `None` where the time counts as a frame.
    pub(super) fn between(&self, time: f64) -> Option<f64> {
        self.grids.iter().all(|grid| grid.grid_point(Seconds(time)).is_none()).then_some(time)
    }
}

/// Adds times that do not count as frames.
fn add_between_frames(times: &mut Vec<f64>, mut extra: Vec<f64>, grids: &[FrameRate]) {
    extra.retain(|time| grids.iter().all(|grid| grid.grid_point(Seconds(*time)).is_none()));
    if !extra.is_empty() {
        times.append(&mut extra);
        sort(times);
    }
}

/// Times on both sides of frames whose keys a file rounds more coarsely than single precision: a curve that
/// is steep behind such a frame has its largest error there.
fn beside_rounded(times: &Times, grids: &[FrameRate]) -> Vec<f64> {
    let Times::Seconds(times) = times else { return Vec::new() };
    let sides = |(time, grid): (f64, &FrameRate)| {
        let frame = grid.grid_point(Seconds(time))?.0;
        let half = grid.seconds(JUMP_FRAMES).0;
        ((frame - time).abs() > COARSE_STEPS * f32_step(time)).then_some([frame - half, frame + half])
    };
    let pairs = times.iter().flat_map(|time| grids.iter().map(move |grid| (*time, grid)));
    pairs.filter_map(sides).flatten().collect()
}

/// True if hardly any time of single precision lies between two times.
pub(super) fn are_neighbours(a: f64, b: f64) -> bool {
    a < b && b - a < SHORTEST_S && b - a <= JUMP_STEPS * f32_step(b)
}

/// The times of neighbouring keys of a curve with different values.
fn narrow_gaps(curve: &Curve) -> Vec<[f64; 2]> {
    let Times::Seconds(times) = &curve.times else { return Vec::new() };
    let gaps = times.array_windows().enumerate().filter(|(_, [a, b])| are_neighbours(*a, *b));
    let moving = gaps.filter(|(key, _)| curve.value(*key) != curve.value(key.saturating_add(1)));
    moving.map(|(_, gap)| *gap).collect()
}

/// Times between neighbouring keys of B: a steep change in A is straight there, however high it rises. Where
/// A jumps too, the keys are the form of a jump in a file of f32 without two keys at one time; these are
/// added to the `jumps`.
fn steep([of_a, of_b]: &[Vec<[f64; 2]>; 2], jumps: &mut Vec<f64>, grids: &[FrameRate]) -> Vec<f64> {
    let ends = |gaps: &[[f64; 2]]| {
        let mut ends: Vec<f64> = gaps.iter().map(|[_, end]| *end).collect();
        ascend(&mut ends);
        ends
    };
    let (in_a, in_b) = (ends(of_a), ends(of_b));
    if in_a.is_empty() && in_b.is_empty() {
        return Vec::new();
    }
    ascend(jumps);
    let stated = jumps.clone();
    let frame = jump_zone(grids);
    let is_near = |list: &[f64], time: f64| {
        let reach = frame.max(JUMP_STEPS * f32_step(time));
        let next = list.partition_point(|other| *other < time - reach);
        list.get(next).is_some_and(|other| *other <= time + reach)
    };
    jumps.extend(in_a.iter().filter(|time| is_near(&stated, **time) || is_near(&in_b, **time)));
    let mut looks = Vec::new();
    for [a, b] in of_b {
        if is_near(&stated, *b) || is_near(&in_a, *b) {
            jumps.push(*b);
            continue;
        }
        if b - a < SHORTEST_LOOK_S {
            continue;
        }
        let part = (b - a) / f64::from(NEIGHBOUR_LOOKS);
        looks.extend((1..NEIGHBOUR_LOOKS).map(|n| a + f64::from(n) * part));
    }
    looks
}

/// Key times in seconds and on frames, in order. Of a frame and keys that count as the frame, only the keys
/// are taken.
fn joined(keys: &[f64], frames: &[f64], grids: &[FrameRate]) -> Vec<f64> {
    let slack = grids.iter().map(|grid| grid.seconds(FrameRate::SNAP_FRAMES).0).fold(0.0, f64::max);
    let is_alone = |frame: &&f64| {
        let slack = slack.max(0.5 * f32_step(**frame));
        let next = keys.partition_point(|key| *key < **frame - slack);
        keys.get(next).is_none_or(|key| *key > **frame + slack)
    };
    let mut out: Vec<f64> = frames.iter().filter(is_alone).chain(keys).copied().collect();
    sort(&mut out);
    out
}

/// Sorts times and leaves each once.
fn sort(times: &mut Vec<f64>) {
    ascend(times);
    times.dedup();
}

/// Samples with those other times that are not next to a sample; and the remaining other times.
fn thinned(candidates: &[f64], samples: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut out, mut left_out) = (Vec::with_capacity(samples.len()), Vec::new());
    let mut rest = candidates;
    for sample in samples {
        let (earlier, later) = rest.split_at(rest.partition_point(|time| time < sample));
        for time in earlier {
            if sample - time > NEAR_S && out.last().is_none_or(|last| time - last > NEAR_S) {
                out.push(*time);
            } else if out.last() != Some(time) {
                left_out.push(*time);
            }
        }
        rest = later;
        out.push(*sample);
    }
    (out, left_out)
}

/// Distance of neighbouring f32 numbers near a time. Finite for every time.
fn f32_step(time: f64) -> f64 {
    let near = (time.abs() as f32).min(f32::MAX.next_down());
    f64::from(near.next_up()) - f64::from(near)
}

/// Key times with even samples between them at a rate, but no more than `limit` in all.
fn spread(keys: &[f64], rate: f64, limit: f64) -> Vec<f64> {
    let end = keys.last().copied().unwrap_or_default();
    let step = rate.recip().max(end / limit);
    let mut out = Vec::with_capacity(keys.len());
    for (key, next) in keys.iter().zip(keys.iter().skip(1)) {
        out.push(*key);
        let step = step.max((next - key) / MOST_BETWEEN);
        // Whole steps from the start of the clip, so that frames are among them; what is a key but for rounding is the key.
        let near = NEARLY * step + f32_step(*next);
        let first = (((key + near) / step) as u64).saturating_add(1);
        out.extend((first..).map(|n| n as f64 * step).take_while(|time| *time < next - near));
    }
    out.extend(keys.last());
    out
}

/// Half the width of the range that counts as a frame of any grid, in seconds.
fn jump_zone(grids: &[FrameRate]) -> f64 {
    grids.iter().map(|grid| grid.seconds(JUMP_FRAMES).0).fold(0.0, f64::max)
}

/// Ranges to leave out: around jumps, and stretches outside of the course; ascending, without contact.
fn zones(jumps: &[f64], gaps: Vec<Range<f64>>, grids: &[FrameRate]) -> Vec<Range<f64>> {
    let frame = jump_zone(grids);
    let around = |time: f64| {
        let half = frame.max(JUMP_STEPS * f32_step(time));
        time - half..time + half
    };
    let gaps = gaps.into_iter().map(|gap| if gap.is_empty() { around(gap.start) } else { gap });
    let mut all: Vec<Range<f64>> = jumps.iter().map(|jump| around(*jump)).chain(gaps).collect();
    by_number(&mut all, |zone| zone.start);
    let mut out: Vec<Range<f64>> = Vec::new();
    for zone in all {
        match out.last_mut().filter(|last| zone.start <= last.end) {
            Some(last) => last.end = last.end.max(zone.end),
            None => out.push(zone),
        }
    }
    out
}

/// Times outside of zones with the ends of these, each with whether a zone follows. Nothing is before 0 or behind `latest`.
fn split_at(times: &[f64], zones: &[Range<f64>], latest: f64) -> (Vec<f64>, Vec<bool>) {
    let (mut out, mut jumps_next) = (Vec::new(), Vec::new());
    let mut rest = times;
    for zone in zones {
        let (before, from_start) = rest.split_at(rest.partition_point(|time| *time < zone.start));
        out.extend(before);
        (_, rest) = from_start.split_at(from_start.partition_point(|time| *time <= zone.end));
        out.extend((zone.start > 0.0).then_some(zone.start));
        jumps_next.resize(out.len().saturating_sub(1), false);
        jumps_next.resize(out.len(), true);
        out.extend((zone.end <= latest).then_some(zone.end));
        jumps_next.resize(out.len(), false);
    }
    out.extend(rest);
    jumps_next.resize(out.len(), false);
    (out, jumps_next)
}

const fn is_repeating(outside: &Outside) -> bool {
    matches!(outside, Outside::Loop | Outside::PingPong)
}

/// When a curve changes its value at once, its repetitions until `end` included.
fn jumps_of(curve: &Curve, end: f64) -> Vec<f64> {
    let Some((first, last)) = curve.times.span() else { return Vec::new() };
    let mut inside: Vec<f64> = Vec::new();
    if let Outside::Ramp { from, law, .. } = &curve.before
        && law.blend == Blend::Step
        && Some(&**from) != curve.value(0)
    {
        inside.push(first.0);
    }
    let jumping = (0..).zip(1..curve.len()).filter(|(from, to)| jumps(curve, *from, *to));
    inside.extend(jumping.filter_map(|(_, to)| curve.times.get(to)).map(|time| time.0));
    if is_repeating(&curve.after) && curve.value(0) != curve.value(curve.len().saturating_sub(1)) {
        inside.push(last.0);
    }
    let mut out: Vec<f64> = inside.iter().copied().filter(|time| (0.0..=end).contains(time)).collect();
    let length = last.0 - first.0;
    if length > 0.0 && !inside.is_empty() {
        for (outside, turns, sign) in
            [(&curve.before, first.0 / length, -1.0), (&curve.after, (end - last.0) / length, 1.0)]
        {
            let turns = if is_repeating(outside) { turns.ceil().min(MOST_TURNS) } else { 0.0 };
            for turn in 1..=turns.max(0.0) as u64 {
                let backwards = *outside == Outside::PingPong && turn % 2 == 1;
                let mirrored = |time: &f64| if backwards { first.0 + (last.0 - time) } else { *time };
                let repeated = inside.iter().map(|time| mirrored(time) + sign * turn as f64 * length);
                out.extend(repeated.filter(|time| (0.0..=end).contains(time)));
            }
        }
    }
    out
}

/// True if the value jumps at the end of the segment between two keys.
fn jumps(curve: &Curve, from: usize, to: usize) -> bool {
    let differs = || curve.value(from) != curve.value(to);
    let is_infinite = |column: &[f32], key: usize| {
        curve.row(column, key).is_some_and(|slopes| slopes.iter().any(|slope| slope.is_infinite()))
    };
    match curve.laws.get(from).blend {
        _ if curve.times.get(from) == curve.times.get(to) => differs(),
        Blend::Step => differs(),
        // An infinite slope holds the earlier key.
        Blend::Hermite | Blend::WeightedBezier => curve
            .handles
            .as_deref()
            .is_some_and(|handles| is_infinite(&handles.leaving, from) || is_infinite(&handles.arriving, to)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::peak::Peak;
    use super::*;
    use dopesheet_core::model::{Channel, Law, Laws, Property, Target, TargetKind, Track};

    fn clip(times: Times, values: &[f32], law: Law, after: Outside) -> Clip {
        let curve = Curve { after, ..Curve::new(times, 1, values.to_vec(), Laws::uniform(law)) };
        let channels = vec![Channel::whole(Property::Weight, curve)];
        let target = Target::new(TargetKind::Morph, "m", 0, None);
        Clip { tracks: vec![Track { target, channels }], ..Clip::default() }
    }

    fn frames(frames: &[i64]) -> Times {
        Times::Frames { rate: FrameRate::FPS_30, frames: frames.into() }
    }

    #[test]
    fn every_key_is_a_sample_and_so_is_an_eighth_of_every_frame() {
        let a = clip(frames(&[0, 30]), &[0.0, 1.0], Law::LINEAR, Outside::Hold);
        let b = clip(Times::Seconds([0.0, 0.7001].into()), &[0.0, 1.0], Law::LINEAR, Outside::Hold);
        let samples = SampleTimes::of(([&a, &b], None), 1, 1.0, Effort::Full);
        assert_eq!(samples.all().len(), 241 + 1);
        assert!(samples.all().contains(&0.7001) && samples.all().is_sorted());
    }

    #[test]
    fn the_top_between_samples_that_are_closer_than_even_ones_is_found() {
        let times: Vec<f64> = (0..=300).map(|n| f64::from(n) / 1000.0).collect();
        let values: Vec<f32> = times.iter().map(|time| (1000.0 * time).sin() as f32).collect();
        let keys = Times::Seconds(times.into());
        let a = clip(keys, &values, Law::LINEAR, Outside::Hold);
        let samples = SampleTimes::of(([&a, &a], None), 1, 0.3, Effort::Full);
        // Twice as high between the keys at 0.153 and 0.154 s as at any sample.
        let exact = |time: f64| 1.0 + (1.0 - (time - 0.1535).abs() / 0.0004).max(0.0);
        let mut peak = Peak::default();
        samples.all().iter().for_each(|time| peak.note(exact(*time) - (time - 0.15).abs(), *time));
        let (value, at) = peak.refined(&samples, exact);
        assert!(value > 1.97 && (at.0 - 0.1535).abs() < 2e-5, "{value} at {at:?}, by {peak:?}");
    }

    #[test]
    fn a_key_time_rounded_to_f32_is_one_sample_with_the_exact_one() {
        let times: Vec<i64> = (0..=40).map(|n| 3000 + n).collect();
        let values: Vec<f32> = (0..=40u8).map(f32::from).collect();
        let rounded = times.iter().map(|frame| f64::from(FrameRate::FPS_30.seconds(*frame as f64).0 as f32));
        let a = clip(frames(&times), &values, Law::LINEAR, Outside::Hold);
        let b = clip(Times::Seconds(rounded.collect()), &values, Law::LINEAR, Outside::Hold);
        let end = FrameRate::FPS_30.seconds(3040.0).0;
        let both = SampleTimes::of(([&a, &b], None), 1, end, Effort::Full).all().len();
        assert_eq!(both, SampleTimes::of(([&a, &a], None), 1, end, Effort::Full).all().len());
    }

    #[test]
    fn frames_whose_keys_have_rounded_times_are_looked_at_on_both_sides() {
        let a = clip(frames(&[0, 10, 20]), &[0.0, 1.0, 0.0], Law::LINEAR, Outside::Hold);
        let [rounded, single] = [0.333_32, f64::from((1.0f64 / 3.0) as f32)].map(|time| {
            let b =
                clip(Times::Seconds([0.0, time, 0.666].into()), &[0.0, 1.0, 0.0], Law::LINEAR, Outside::Hold);
            let times = SampleTimes::of(([&a, &b], None), 1, 1.0, Effort::Full);
            let half = FrameRate::FPS_30.seconds(JUMP_FRAMES).0;
            let sides = [1.0 / 3.0 - half, 1.0 / 3.0 + half];
            sides.map(|side| times.all().iter().any(|time| (time - side).abs() < 1e-9))
        });
        assert_eq!((rounded, single), ([true; 2], [false; 2]));
    }

    #[test]
    fn a_jump_is_sampled_on_both_sides_and_nowhere_else() {
        let step = clip(frames(&[0, 15, 30]), &[0.0, 1.0, 1.0], Law::STEP, Outside::Hold);
        let samples = SampleTimes::of(([&step, &step], None), 1, 1.0, Effort::Full);
        let frame = FrameRate::FPS_30.seconds(1.0).0;
        let near: Vec<f64> =
            samples.all().iter().copied().filter(|t| (t - 0.5).abs() < 2e-3 * frame).collect();
        assert_eq!(near.len(), 2, "{near:?}");
        assert_eq!((samples.around(near[0]).end, samples.around(near[1]).start), (near[0], near[1]));
        assert!(samples.around(near[0]).start < near[0] && samples.around(near[1]).end > near[1]);
        assert!(near.iter().all(|time| samples.between(*time).is_some()), "they do not count as the frame");
        assert_eq!(samples.between(0.5), None);
    }

    #[test]
    fn a_jump_that_a_file_writes_as_two_keys_a_step_apart_is_one() {
        let cut = (31.0 / 30.0f64) as f32;
        let ramp = |last: f32| {
            let times: [f64; 4] = [0.0, last.next_down().into(), last.into(), 2.0];
            clip(Times::Seconds(times.into()), &[0.0, 0.0, 1.0, 1.0], Law::LINEAR, Outside::Hold)
        };
        let (a, b) = (ramp(cut), ramp(cut.next_down()));
        let samples = SampleTimes::of(([&a, &b], None), 1, 2.0, Effort::Full);
        let beside = samples.all().iter().filter(|time| (**time - f64::from(cut)).abs() < 1e-6).count();
        assert_eq!(beside, 2, "the ends of the zone: {:?}", samples.all());
    }

    #[test]
    fn a_loop_jumps_where_it_starts_anew_and_is_not_followed_beyond_the_end() {
        let looped = clip(Times::Seconds([0.0, 0.5].into()), &[0.0, 1.0], Law::LINEAR, Outside::Loop);
        let curve = looped.tracks[0].channels[0].composition.curves().next().unwrap().clone();
        assert_eq!(jumps_of(&curve, 1.6), [0.5, 1.0, 1.5]);
        let samples = SampleTimes::of(([&looped, &looped], None), 1, 1.0, Effort::Full);
        assert!(samples.all().iter().all(|time| *time < 1.0), "{:?}", samples.all().last());
    }

    #[test]
    fn an_infinite_or_very_long_clip_has_a_bounded_number_of_samples() {
        let slow = clip(Times::Seconds([0.0, 1e9].into()), &[0.0, 1.0], Law::LINEAR, Outside::Hold);
        let samples = SampleTimes::of(([&slow, &slow], None), 1_000, 1e9, Effort::Full);
        assert!(
            (MOST_BETWEEN as usize..=MOST_BETWEEN as usize + 2).contains(&samples.all().len()),
            "{}",
            samples.all().len()
        );
        let keys: Vec<f64> = (0..1_000_000u32).map(|n| 20.0 * f64::from(n)).collect();
        let limit = 1e6 + MOST_EVEN / 1_000.0;
        assert!((spread(&keys, 240.0, MOST_EVEN / 1_000.0).len() as f64) <= limit + 1.0);
    }
}
