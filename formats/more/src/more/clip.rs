//! `MORE::Clip`: how animations are played.

use super::animation::Animation;
use crate::text::Name;
use dopesheet_core::order::by_number;

/// Playback of one or several animations.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The layer of the actor for the clip.
    pub layer_id: u16,
    /// True if the clip starts again at its end.
    pub is_looping: bool,
    /// Seconds of the animation that pass in one second of playback.
    pub time_scale: f32,
    /// Mixing with other clips; in the file since version 0x1.
    pub transition: Option<Transition>,
    /// Bends time: pairs of input and output, both as fractions of the duration; in the file since version 0xE.
    pub time_warp: Option<Vec<[f32; 2]>>,
    /// The animations.
    pub content: ClipContent,
}

/// Mixing of a clip with other clips.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transition {
    /// Its weight.
    pub blending: f32,
    /// Seconds to fade in.
    pub fade_in: f32,
    /// Seconds to fade out.
    pub fade_out: f32,
}

/// The animations of a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipContent {
    /// A single animation.
    Simple(SubResource),
    /// Several at once, held together by their instants.
    Synchronised {
        /// The animations.
        layers: Vec<SubResource>,
        /// The weight of each; in the file since version 0x1, else empty.
        blendings: Vec<f32>,
        /// For each animation, true if the animation is stretched to the instants of the first; in the file
        /// since version 0xB, else empty.
        adjust_durations: Vec<bool>,
    },
}

impl ClipContent {
    /// The animations, in the order of the file.
    #[must_use]
    pub fn layers(&self) -> &[SubResource] {
        match self {
            Self::Simple(one) => std::slice::from_ref(one),
            Self::Synchronised { layers, .. } => layers,
        }
    }
}

/// A resource inside another resource.
#[derive(Clone, Debug, PartialEq)]
pub enum SubResource {
    /// A path to another file, from the root of the archive. Never empty.
    Path(Name),
    /// An animation right here, of the same version and byte order.
    Embedded(Box<Animation>),
}

/// Most points of a map of times.
const MOST_POINTS: usize = 1_000_000;

impl Clip {
    /// The time in an animation of `duration` seconds at `time` seconds since the clip started.
    ///
    /// The time is scaled; then it wraps around (looping) or is held at the ends; then it is warped. The
    /// game's own method is unknown; only this function, [`Clip::time_map`] and [`adjusting`] depend on the
    /// guess.
    #[must_use]
    pub fn local_time(&self, time: f64, duration: f64) -> f64 {
        if duration <= 0.0 || !duration.is_finite() {
            return 0.0;
        }
        let scaled = time * f64::from(self.time_scale);
        let local = match self.is_looping {
            true => scaled - (scaled / duration).floor() * duration,
            false => scaled.clamp(0.0, duration),
        };
        let warp = self.warp();
        if warp.is_empty() { local } else { duration * TimeMap::new(warp).at(local / duration) }
    }

    /// Time for which the clip plays an animation of `duration` seconds until it starts again or stops, in
    /// seconds of the clip's time. A clip with time scale 0 takes as long as its animation.
    #[must_use]
    pub fn pass_s(&self, duration: f64) -> f64 {
        let speed = f64::from(self.time_scale).abs();
        let pass = if speed > 0.0 { duration / speed } else { duration };
        if pass.is_finite() { pass.max(0.0) } else { 0.0 }
    }

    /// [`Clip::local_time`] from 0 to `end` seconds as straight pieces. A repeating animation runs at most
    /// `passes` times, and then stays at its end.
    #[must_use]
    pub fn time_map(&self, duration: f64, end: f64, passes: usize) -> TimeMap {
        let (pass, scale) = (self.pass_s(duration), f64::from(self.time_scale));
        let stands = !(pass > 0.0 && scale.abs() > 0.0) || scale < 0.0 && !self.is_looping;
        if stands {
            return TimeMap::new(vec![[0.0, self.local_time(0.0, duration)]]);
        }
        let warp = if self.warp().is_empty() { vec![[0.0, 0.0], [1.0, 1.0]] } else { self.warp() };
        let warp = TimeMap::new(warp).within(0.0, 1.0);
        let mut once: Vec<[f64; 2]> = warp.points.iter().map(|[x, y]| [*x, y * duration]).collect();
        if scale < 0.0 {
            once.reverse();
            once.iter_mut().for_each(|[x, _]| *x = 1.0 - *x);
        }
        let limit = passes.min(MOST_POINTS / once.len().max(1)).max(1);
        let count = if self.is_looping { (end / pass).ceil().clamp(1.0, limit as f64) } else { 1.0 };
        // Whole passes and shares are added first: so a pass ends when the next one starts, to the last digit.
        let later = |n: u64| once.iter().map(move |[x, y]| [(n as f64 + x) * pass, *y]);
        TimeMap::new((0..count as u64).flat_map(later).collect()).within(0.0, end)
    }

    /// The playable points of the warp, in the order of their inputs.
    fn warp(&self) -> Vec<[f64; 2]> {
        let points = self.time_warp.iter().flatten().map(|p| p.map(f64::from));
        let mut points: Vec<[f64; 2]> = points.filter(|p| p.iter().all(|x| x.is_finite())).collect();
        by_number(&mut points, |point| point[0]);
        points
    }
}

/// The times of a layer by the times of the first layer, so that their instants meet (both layers have as
/// many); their starts and ends meet as well.
#[must_use]
pub fn adjusting(first: &Animation, layer: &Animation) -> TimeMap {
    let instants = first.instants.iter().zip(&layer.instants);
    let mut points = vec![[0.0, 0.0], [first.duration.into(), layer.duration.into()]];
    points.extend(instants.map(|(a, b)| [f64::from(a.time), f64::from(b.time)]));
    points.retain(|p| p.iter().all(|x| x.is_finite()));
    by_number(&mut points, |point| point[1]);
    by_number(&mut points, |point| point[0]);
    TimeMap::new(points)
}

/// A time as a function of another time: straight between points, held outside. Of two points at one time the
/// later point counts there.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeMap {
    /// Pairs of input and output time; inputs ascend.
    points: Vec<[f64; 2]>,
}

impl TimeMap {
    /// Through points with ascending inputs. Without points the map changes nothing, and covers no time.
    #[must_use]
    pub const fn new(points: Vec<[f64; 2]>) -> Self {
        Self { points }
    }

    /// Its points.
    #[must_use]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// Value at a time.
    #[must_use]
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|p| p[0] <= time);
        let before = after.checked_sub(1).and_then(|i| self.points.get(i));
        match (before, self.points.get(after)) {
            (Some([x0, y0]), Some([x1, y1])) => y0 + (y1 - y0) * ((time - x0) / (x1 - x0)),
            (Some([_, y]), None) | (None, Some([_, y])) => *y,
            (None, None) => time,
        }
    }

    /// The times at which the map passes a value, in ascending order; none for pieces where the map stays at
    /// the value or jumps. The end of the map counts, the end of each piece before does not.
    #[must_use]
    pub fn when(&self, value: f64) -> Vec<f64> {
        let passage = |pair: &[[f64; 2]]| {
            let &[[x0, y0], [x1, y1]] = pair else { return None };
            let is_passed = if y0 < y1 { (y0..y1).contains(&value) } else { y1 < value && value <= y0 };
            (is_passed && x0 < x1).then(|| x0 + (x1 - x0) * ((value - y0) / (y1 - y0)))
        };
        let end = self.points.last().filter(|p| self.points.len() > 1 && p[1] == value).map(|p| p[0]);
        self.points.windows(2).filter_map(passage).chain(end).collect()
    }

    /// Ratio of output to input, if it is constant and positive, from 0 on.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        match self.points.as_slice() {
            [[x0, y0], [x1, y1]] if *x0 == 0.0 && *y0 == 0.0 && *x1 > 0.0 && *y1 > 0.0 => Some(y1 / x1),
            _ => None,
        }
    }

    /// The same between two times, with points at both.
    #[must_use]
    pub fn within(&self, start: f64, end: f64) -> Self {
        let inside = self.points.iter().filter(|p| (start..=end).contains(&p[0]));
        let mut points: Vec<[f64; 2]> = inside.copied().collect();
        if points.first().is_none_or(|p| p[0] > start) {
            points.insert(0, [start, self.at(start)]);
        }
        if points.last().is_none_or(|p| p[0] < end) {
            points.push([end, self.at(end)]);
        }
        Self { points }
    }

    /// This map, followed by another map of its output.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let Some(last) = self.points.last() else { return other.clone() };
        let mut points = Vec::with_capacity(self.points.len());
        for pair in self.points.windows(2) {
            let &[from, to] = pair else { continue };
            points.extend(bent(from, to, other));
        }
        points.push([last[0], other.at(last[1])]);
        Self { points }
    }
}

/// The piece between two points, without its end, followed by another map.
fn bent([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], other: &TimeMap) -> Vec<[f64; 2]> {
    let mut points = vec![[x0, other.at(y0)]];
    let inner = other.points.iter().filter(|p| p[0] > y0.min(y1) && p[0] < y0.max(y1));
    points.extend(inner.map(|[x, y]| [x0 + (x1 - x0) * ((x - y0) / (y1 - y0)), *y]));
    if y1 < y0 {
        points[1..].reverse();
    }
    points
}
