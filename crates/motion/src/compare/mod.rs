//! Measured differences of two animations.
//!
//! Joints are compared by their visible effect: in model space, as the displacement of points around them
//! (see `metric.rs`). Nothing here knows the origin of either animation, so this module is also the judge of
//! every conversion.
//!
//! The [player](crate::sample::player) plays both sides at all sample times (see `times.rs`). The largest
//! differences of the player, and every peak near the tolerance, are then refined between their neighbours
//! and taken from the reference evaluator, in f64. Key times left out of the samples are compared where samples
//! beside them show nearly the largest displacement.

mod course;
mod eight;
mod joints;
mod matching;
mod metric;
mod numbers;
mod peak;
mod report;
mod rests;
mod sides;
mod summary;
mod times;
mod windows;

pub use course::{Course, Stretch};
pub use report::{ChannelDifference, Comparison, LargestDifference, TrackDifference, Unmatched};
pub(crate) use times::Effort;
pub(crate) use windows::Windows;

use crate::Tolerance;
use crate::cores;
use crate::keys::splice::Differing;
use dopesheet_core::model::{Clip, Hierarchy, NodeIndex, Scene, Times};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use eight::{EIGHT, Frames, Octet};
use fearless_simd::{Level, Simd, dispatch};
use joints::{JointPair, Largest, Peaks, pairs};
use matching::{Nodes, channels, spares};
use numbers::{ComparedChannel, NumberPeaks};
use sides::Side;
use std::ops::Range;
use summary::Summary;
use times::SampleTimes;

/// The channel of displacements of points around a joint, in model space.
pub(crate) const MODEL_SPACE: &str = "model-space";

/// The channel of differences of directions.
pub(crate) const GAZE: &str = "gaze";

/// Number of samples per block of a thread.
const BLOCK: usize = 256;

/// Approximate upper bound of the number of windows: each holds peaks of all joints.
const MOST_WINDOWS: usize = 512;

/// Number of joints whose peaks are refined though far within the tolerance: those with the largest
/// displacements.
const FARTHEST: usize = 4;

/// Factor between the displacements at a sample and at a key time beside the sample, before any was measured.
const FIRST_GROWTH: f64 = 1.08;

/// Factor on the measured growth from a sample to a key time beside the sample, for the key times still left out.
const CAUTION: f64 = 1.5;

/// Part of the least displacement of interest that a joint needs at the samples of a window to be compared between the samples.
const RIVALS: f64 = 0.6;

/// One clip of a scene, in metres and glTF's axes ([`Basis::GLTF`](dopesheet_core::model::Basis::GLTF)).
#[derive(Clone, Copy, Debug)]
pub struct Animation<'a> {
    /// The nodes that move.
    pub scene: &'a Scene,
    /// Their motion: one of the scene's clips, or a clip taken out of it.
    pub clip: &'a Clip,
}

/// Displacement of a joint at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDifference {
    /// The node of A.
    pub a: NodeIndex,
    /// The node of B.
    pub b: NodeIndex,
    /// Displacement of the farthest point around the joint, in metres; infinite where one side has NaNs or
    /// infinities that the other does not have.
    pub displacement_m: f64,
}

/// Measures the differences of two animations, from 0 to the end of the longer.
///
/// For every joint of both, the difference is the displacement of points within a shell around the joint, in
/// model space: model transforms multiply as matrices, shear included, and the points are points of the rest
/// pose in the world, whatever the axes and the scale of the joint on either side. Where the rest poses of
/// both sides differ at a joint, and in cameras and lights, points correspond by the joint's axes, and the
/// shell is divided by the joint's scale at rest. Where a hierarchy is unknown, each joint is taken relative
/// to its parent, and joints without movement on both sides are left out. Beside these stand limits for
/// weights, colours, fields of view, directions of cameras, lights and rays (0.01°), switches (must be equal)
/// and other numbers (1e-3 of the largest of A, or of 1).
///
/// Samples are taken at all key times of both sides, at least 8 times per frame of their grid and 240 times a
/// second, and on both sides of every jump; peaks are refined between samples. Within two steps of f32 of a
/// jump, and within the range that counts as the frame (see
/// [`FrameRate::SNAP_FRAMES`](dopesheet_core::units::FrameRate::SNAP_FRAMES)), nothing is measured, because
/// files and players put a jump anywhere there.
///
/// Joints are matched by name, of equal names the first with the first; other channels by kind, name and
/// property, or by their joint. Parts without movement on one side stay at their rest there, and a joint
/// missing on one side is compared with its own rest on the other, relative to its parent.
#[must_use]
pub fn compare(a: Animation<'_>, b: Animation<'_>, tolerance: &Tolerance) -> Comparison {
    compare_at(a, b, tolerance, Effort::Full)
}

/// As [`compare`] with an animation that shows parts of `a` at other times: each of its times is compared
/// with the time of `a` shown there.
#[must_use]
pub fn compare_along(
    a: Animation<'_>,
    course: &Course,
    b: Animation<'_>,
    tolerance: &Tolerance,
) -> Comparison {
    // At other times its frames are none.
    let mut clip = a.clip.clone();
    for curve in
        clip.tracks.iter_mut().flat_map(|track| &mut track.channels).flat_map(|c| c.composition.curves_mut())
    {
        if matches!(curve.times, Times::Frames { .. }) {
            curve.times = Times::Seconds(curve.times.iter().map(|time| time.0).collect());
        }
    }
    let a = Animation { clip: &clip, ..a };
    compared([a, b], Some(course), tolerance, Effort::Full, None).0
}

/// As [`compare`], or only about.
pub(crate) fn compare_at(
    a: Animation<'_>,
    b: Animation<'_>,
    tolerance: &Tolerance,
    effort: Effort,
) -> Comparison {
    compared([a, b], None, tolerance, effort, None).0
}

/// As [`compare_at`], with the largest differences of windows of time. If B differs from an animation
/// compared `before` only in some stretches of time and some nodes, only these are measured again.
pub(crate) fn compare_again(
    a: Animation<'_>,
    b: Animation<'_>,
    tolerance: &Tolerance,
    effort: Effort,
    before: Option<(Windows, &Differing)>,
) -> (Comparison, Windows) {
    compared([a, b], None, tolerance, effort, before)
}

fn compared(
    [a, b]: [Animation<'_>; 2],
    course: Option<&Course>,
    tolerance: &Tolerance,
    effort: Effort,
    before: Option<(Windows, &Differing)>,
) -> (Comparison, Windows) {
    let is_known = [a, b].iter().all(|side| side.scene.hierarchy == Hierarchy::Known);
    let end = course.map_or_else(|| a.clip.end().0.max(b.clip.end().0), Course::end);
    let nodes = Nodes::new(a.scene, b.scene);
    // Before the sides, because lists of all key times take room until the samples are known.
    let times = SampleTimes::of(([a.clip, b.clip], course), nodes.matches.len(), end, effort);
    let sides = [(a, course), (b, None)].map(|(animation, course)| Side::new(animation, is_known, course));
    let sides = [&sides[0], &sides[1]];
    let spares = sides.map(spares);
    let matched = channels(&spares[0], &spares[1], &nodes).into_iter();
    let mut measuring = Measuring {
        sides,
        pairs: pairs(sides, &nodes, tolerance.shell_m(is_known), is_known),
        numbers: matched
            .filter_map(|pair| ComparedChannel::new(pair, [&spares[0], &spares[1]], sides, &nodes))
            .collect(),
        times,
    };
    let mut windows = measuring.windows(before);
    let is_within = |found: &AtSamples| found.joints.iter().all(|own| own.displaced() <= tolerance.length_m);
    if effort == Effort::Told || windows.all().all(is_within) {
        measuring.look_closer(&mut windows);
    }
    let hierarchy = if is_known { Hierarchy::Known } else { Hierarchy::Unknown };
    let whole = windows.whole(measuring.nothing());
    (measuring.summary(&whole, tolerance, hierarchy, Seconds(end)), windows)
}

/// Displacement of each joint of both at a time, for points within `shell_m` around it: in model space, or
/// relative to its parent where a hierarchy is unknown. Matched as by [`compare`]; in A's order.
#[must_use]
pub fn joint_differences_at(
    a: Animation<'_>,
    b: Animation<'_>,
    time: Seconds,
    shell_m: f64,
) -> Vec<JointDifference> {
    let is_known = [a, b].iter().all(|side| side.scene.hierarchy == Hierarchy::Known);
    let sides = [a, b].map(|animation| Side::new(animation, is_known, None));
    let sides = [&sides[0], &sides[1]];
    let pairs = pairs(sides, &Nodes::new(a.scene, b.scene), shell_m, is_known);
    let one = |pair: &JointPair<'_>| {
        let (a, b, displacement_m) = pair.displacement_at(sides, time)?;
        Some(JointDifference { a, b, displacement_m })
    };
    pairs.iter().filter_map(one).collect()
}

/// Both sides, and all pairs, channels and times of a comparison.
struct Measuring<'a> {
    sides: [&'a Side<'a>; 2],
    pairs: Vec<JointPair<'a>>,
    numbers: Vec<ComparedChannel<'a>>,
    times: SampleTimes,
}

/// Pairs and nodes to compare.
struct ComparedParts {
    /// For each pair, true if to be compared.
    pairs: Vec<bool>,
    /// For each node of both sides, true if it is, or is an ancestor of, a joint of a compared pair.
    nodes: [Vec<bool>; 2],
}

/// Largest differences at samples: of each pair, and of each other channel.
#[derive(Default)]
struct AtSamples {
    joints: Vec<Peaks>,
    numbers: Vec<NumberPeaks>,
}

impl Measuring<'_> {
    /// Largest differences in each window; with windows compared before, only the differing ones are measured
    /// anew.
    fn windows(&self, before: Option<(Windows, &Differing)>) -> Windows {
        let times = self.times.all();
        let nodes = || self.pairs.iter().map(JointPair::node).collect();
        let (mut windows, differing) = match before {
            Some((windows, differing)) => (windows, Some(differing)),
            None => (Windows::new(times, BLOCK.max(times.len() / MOST_WINDOWS), nodes()), None),
        };
        let moved = self.moved(differing);
        let touched = windows.touched(differing.map(|differing| &differing.stretches[..]));
        let blocks = cores::map(touched, |window| {
            let Range { start, end } = windows.span(window);
            let [from, to] = [start, end].map(|end| times.partition_point(|time| *time < end));
            let samples = times.get(from..to).unwrap_or_default();
            (window, samples, self.block(samples, &moved))
        });
        for (window, samples, (peaks, heights)) in blocks {
            windows.replace(window, peaks, samples.iter().copied().zip(heights), &moved.pairs);
        }
        windows
    }

    /// Compares key times left out of the samples where a displacement may be the largest, judged by the samples beside the key times and
    /// by the growth from samples to the key times compared before.
    fn look_closer(&mut self, windows: &mut Windows) {
        let (mut growth, mut before, mut looked_at) = (FIRST_GROWTH, 0.0, Vec::new());
        loop {
            let largest =
                windows.all().flat_map(|peaks| &peaks.joints).map(Peaks::displaced).fold(0.0, f64::max);
            let least = largest / growth;
            let looks = self.times.let_in(least, |time| windows.height(time).into());
            if looks.is_empty() || largest == before {
                break;
            }
            let of_window = |(window, peaks): (usize, &AtSamples)| {
                let span = windows.span(window);
                let [from, to] = [span.start, span.end].map(|end| looks.partition_point(|look| look.0 < end));
                let looks = looks.get(from..to).filter(|looks| !looks.is_empty())?;
                let pairs = peaks.joints.iter().map(|peaks| peaks.displaced() > RIVALS * least).collect();
                Some((window, looks, self.moving(pairs)))
            };
            let parts = windows.all().enumerate().filter_map(of_window).collect();
            let parts = cores::map(parts, |(window, looks, moved): (usize, &[(f64, f64)], ComparedParts)| {
                let times: Vec<f64> = looks.iter().map(|look| look.0).collect();
                let (peaks, heights) = self.block(&times, &moved);
                let grown = heights.iter().zip(looks).map(|(height, look)| f64::from(*height) / look.1);
                (window, grown.fold(1.0, f64::max), peaks)
            });
            (growth, before) = (1.0, largest);
            for (window, grown, peaks) in parts {
                growth = growth.max(1.0 + CAUTION * (grown - 1.0));
                windows.note(window, &peaks);
            }
            looked_at.extend(looks.into_iter().map(|look| look.0));
        }
        self.times.admit(looked_at);
    }

    /// Pairs to compare: all, or those at or below a differing node of B.
    fn moved(&self, differing: Option<&Differing>) -> ComparedParts {
        let hangs = |pair: &JointPair<'_>, differing: &Differing| {
            let mut chain = pair.sides()[1].into_iter().flat_map(|node| self.sides[1].chain(node));
            chain.any(|node| differing.nodes.contains(&NodeIndex(node)))
        };
        let is_moved = |pair: &JointPair<'_>| differing.is_none_or(|differing| hangs(pair, differing));
        self.moving(self.pairs.iter().map(is_moved).collect())
    }

    /// Some pairs, with the nodes of their chains.
    fn moving(&self, pairs: Vec<bool>) -> ComparedParts {
        let mut nodes = self.sides.map(|side| vec![false; side.parents.len()]);
        for (pair, _) in self.pairs.iter().zip(&pairs).filter(|(_, is_moved)| **is_moved) {
            for ((node, side), moved) in pair.sides().into_iter().zip(self.sides).zip(&mut nodes) {
                for node in node.into_iter().flat_map(|node| side.chain(node)) {
                    // The rest of the chain is marked already.
                    if moved.get_mut(node).is_none_or(|own| std::mem::replace(own, true)) {
                        break;
                    }
                }
            }
        }
        ComparedParts { pairs, nodes }
    }

    fn nothing(&self) -> AtSamples {
        AtSamples {
            joints: vec![Peaks::default(); self.pairs.len()],
            numbers: vec![NumberPeaks::default(); self.numbers.len()],
        }
    }

    /// Largest differences at some samples, and for each sample an upper bound of the displacement of any joint.
    fn block(&self, samples: &[f64], moved: &ComparedParts) -> (AtSamples, Vec<f32>) {
        let (mut found, mut heights) = (self.nothing(), Vec::with_capacity(samples.len()));
        let mut frames = self.sides.map(Frames::new);
        for (place, samples) in samples.chunks(EIGHT).enumerate() {
            let mut times = [samples.last().copied().unwrap_or_default(); EIGHT];
            times.iter_mut().zip(samples).for_each(|(own, time)| *own = *time);
            dispatch!(Level::new(), simd => {
                heights.extend(self.note(simd, (&mut found, &mut frames), (&times, place == 0), moved));
            });
        }
        heights.truncate(samples.len());
        (found, heights)
    }

    #[inline(always)]
    fn note<S: Simd>(
        &self,
        simd: S,
        (found, frames): (&mut AtSamples, &mut [Frames; 2]),
        (times, is_first): (&[f64; EIGHT], bool),
        moved: &ComparedParts,
    ) -> Octet {
        for ((frame, side), nodes) in frames.iter_mut().zip(self.sides).zip(&moved.nodes) {
            frame.go_to(simd, side, times, is_first, nodes);
        }
        let frames = [&frames[0], &frames[1]];
        let pairs = self.pairs.iter().zip(&mut found.joints).zip(&moved.pairs);
        let mut heights = [0.0; EIGHT];
        for ((pair, peaks), _) in pairs.filter(|(_, is_moved)| **is_moved) {
            pair.note(simd, (peaks, &mut heights), self.sides, frames, (times, is_first));
        }
        for (numbers, peaks) in self.numbers.iter().zip(&mut found.numbers) {
            let poses = frames[0].poses.iter().zip(&frames[1].poses).zip(times);
            poses.for_each(|((a, b), time)| numbers.note(peaks, [a, b], *time, is_first));
        }
        heights
    }

    fn summary(
        &self,
        at_samples: &AtSamples,
        tolerance: &Tolerance,
        hierarchy: Hierarchy,
        end: Seconds,
    ) -> Comparison {
        let mut displaced: Vec<f64> = at_samples.joints.iter().map(Peaks::displaced).collect();
        ascend(&mut displaced);
        displaced.reverse();
        let far = displaced.get(FARTHEST.min(displaced.len()).saturating_sub(1)).copied().unwrap_or_default();
        let largest = Largest::of(&at_samples.joints);
        let mut summary = Summary::new(tolerance);
        for (pair, peaks) in self.pairs.iter().zip(&at_samples.joints) {
            let counts = pair.targets.iter().any(Option::is_some)
                || (hierarchy == Hierarchy::Known && pair.is_shared());
            if counts {
                let is_farthest = peaks.displaced() > 0.0 && peaks.displaced() >= far;
                let difference =
                    pair.found(peaks, self.sides, &self.times, tolerance, (is_farthest, &largest));
                summary.joint(pair, difference);
            }
        }
        for (numbers, peaks) in self.numbers.iter().zip(&at_samples.numbers) {
            summary.numbers(numbers, numbers.difference(peaks, &self.times, tolerance));
        }
        summary.finish(hierarchy, end, self.times.all().len())
    }
}

impl AtSamples {
    fn merged(mut self, later: &Self) -> Self {
        self.joints.iter_mut().zip(&later.joints).for_each(|(own, later)| own.merge(later));
        self.numbers.iter_mut().zip(&later.numbers).for_each(|(own, later)| own.merge(later));
        self
    }
}
