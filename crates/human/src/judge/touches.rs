//! Times at which feet touch the ground, found for the judgement alone: neither code nor limits are those of the
//! contacts that hold feet.

use super::played::Played;
use crate::body::figure::FEET;
use dopesheet_core::model::HumanBone;
use dopesheet_core::order::ascend;
use glam::DVec3;
use std::ops::RangeInclusive;

/// Largest height of a joint on the ground above its lowest, in lengths of the leg: 4 cm of an adult.
const LOW: f64 = 0.045;
/// Height from which on a foot is in the air, in lengths of the leg.
const HIGH: f64 = 0.08;
/// Largest speed of a joint on the ground, in lengths of the leg per second. Steps are eight times as fast.
const SLOW: f64 = 0.5;
/// Shortest touch in seconds.
const SHORTEST_S: f64 = 0.09;
/// Time before and after a foot is near the ground during which its leg may be on the way to a held place, in
/// seconds.
const NEAR_S: f64 = 0.2;
/// Share of the heights that are taken for glitches below the lowest.
const GLITCHES: f64 = 0.02;

/// A touch of a joint of a foot, as a range of times.
pub(super) struct Touch {
    /// Joints that stand throughout the touch.
    pub(super) joints: Vec<HumanBone>,
    /// Positions of the times.
    pub(super) during: RangeInclusive<usize>,
}

/// Touches of a foot, by its ankle and ball.
pub(super) fn touches(figure: &Played, foot: [HumanBone; 2], times: &[f64]) -> Vec<Touch> {
    let joints = foot.into_iter().filter(|joint| figure.places.contains_key(joint));
    let standing: Vec<(HumanBone, Vec<bool>)> =
        joints.map(|joint| (joint, stands(figure, joint, times))).collect();
    let joints_at = |time: usize| -> Vec<HumanBone> {
        let all = standing.iter().filter(|(_, stands)| stands.get(time) == Some(&true));
        all.map(|(joint, _)| *joint).collect()
    };
    let mut all: Vec<Touch> = Vec::new();
    for time in 0..times.len() {
        let joints = joints_at(time);
        match all.last_mut().filter(|last| last.joints == joints) {
            Some(last) => last.during = *last.during.start()..=time,
            None => all.push(Touch { joints, during: time..=time }),
        }
    }
    all.retain(|touch| !touch.joints.is_empty());
    all
}

/// True at each time at which a foot is in the air, and its leg free.
pub(super) fn in_air(figure: &Played, foot: [HumanBone; 2], times: &[f64]) -> Vec<bool> {
    let clearances: Vec<Vec<f64>> =
        foot.into_iter().filter_map(|joint| Some(clearances(figure, joint)?.collect())).collect();
    let is_low = |time: &usize| {
        clearances.iter().any(|all| all.get(*time).is_some_and(|height| *height < HIGH * figure.leg))
    };
    let low: Vec<f64> = (0..times.len()).filter(is_low).filter_map(|time| times.get(time).copied()).collect();
    let is_free = |time: &f64| {
        let next = low.partition_point(|low| *low < *time);
        let beside = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| low.get(at));
        beside.into_iter().all(|low| (low - time).abs() > NEAR_S)
    };
    times.iter().map(is_free).collect()
}

/// Lowest height of the joints of standing feet above the heights at which they stand: the height of the ground.
pub(super) fn ground(figure: &Played) -> f64 {
    let heights =
        figure.standing.iter().filter_map(|(joint, standing)| Some(lowest(figure, *joint)? - standing));
    heights.reduce(f64::min).unwrap_or(0.0)
}

/// Lowest height of standing feet, with the ends of their bones: the floor below which depths are measured.
pub(super) fn floor(figure: &Played) -> f64 {
    lowest_of(figure.lowest_feet.iter().copied()).unwrap_or(0.0)
}

/// True at each time at which a joint is low and slow for long enough.
fn stands(figure: &Played, joint: HumanBone, times: &[f64]) -> Vec<bool> {
    let path = figure.places.get(&joint).map_or(&[][..], Vec::as_slice);
    let Some(clearances) = clearances(figure, joint) else { return Vec::new() };
    let slow = SLOW * figure.leg;
    let low_and_slow: Vec<bool> = clearances
        .enumerate()
        .map(|(time, height)| height < LOW * figure.leg && speed(path, times, time) < slow)
        .collect();
    let mut start = 0_usize;
    let is_long = |run: &[bool]| {
        let end = start.saturating_add(run.len());
        let at = |time: usize| times.get(time).copied().unwrap_or(0.0);
        // A touch at an end of the clip may have lasted longer.
        let is_cut = start == 0 || end == times.len();
        let lasts = at(end.saturating_sub(1)) - at(start) >= SHORTEST_S;
        start = end;
        std::iter::repeat_n(run.first() == Some(&true) && (is_cut || lasts), run.len())
    };
    low_and_slow.chunk_by(|a, b| a == b).flat_map(is_long).collect()
}

/// Heights of a joint above the lowest height of such joints.
fn clearances(figure: &Played, joint: HumanBone) -> Option<impl Iterator<Item = f64>> {
    let pair = FEET.into_iter().find_map(|foot| foot.iter().position(|part| *part == joint))?;
    let both = FEET.into_iter().filter_map(|foot| lowest(figure, *foot.get(pair)?));
    let ground = both.reduce(f64::min)?;
    Some(figure.places.get(&joint)?.iter().map(move |place| place.y - ground))
}

/// Lowest height of a joint, but for glitches.
fn lowest(figure: &Played, joint: HumanBone) -> Option<f64> {
    lowest_of(figure.places.get(&joint)?.iter().map(|place| place.y))
}

fn lowest_of(heights: impl Iterator<Item = f64>) -> Option<f64> {
    let mut heights: Vec<f64> = heights.collect();
    ascend(&mut heights);
    heights.get((heights.len() as f64 * GLITCHES) as usize).copied()
}

/// Speed of a point about a time, in metres per second.
fn speed(path: &[DVec3], times: &[f64], time: usize) -> f64 {
    let [before, after] = [time.saturating_sub(1), time.saturating_add(1).min(times.len().saturating_sub(1))];
    let at = |time: usize| Some((*path.get(time)?, *times.get(time)?));
    let ends = at(before).zip(at(after)).filter(|(from, to)| to.1 > from.1);
    ends.map_or(0.0, |((from, start), (to, end))| from.distance(to) / (end - start))
}
