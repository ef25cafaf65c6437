//! Chains that are near each other: their small differences are added up, and only where that comes to enough are joints
//! placed.

use super::Joints;
use super::measure::{Chains, Wanted};
use crate::apart::field::{Field, Piece, Pieces};
use crate::apart::norm::Gap;
use crate::apart::schedule::Schedule;
use dopesheet_core::units::Seconds;
use std::ops::Range;

/// Sums that may be wrong by more than this part of the bound tell too little.
const VAGUE: f64 = 0.5;

/// By what part of lengths single precision may be wrong after some additions.
const SINGLE: f64 = 1e-5;

/// A pair that is near.
struct Near {
    place: usize,
    /// How far apart it is at most, at each sample.
    reach: Vec<f32>,
    /// What that may be too little by.
    wrong: f64,
}

impl Near {
    /// How far apart it is at most between a sample and the next one.
    fn most(&self, sample: usize) -> f64 {
        f64::from(self.reach[sample].max(self.reach[sample + 1])) + self.wrong
    }

    /// Whether single precision tells how far apart it is.
    fn is_finite(&self) -> bool {
        self.reach[self.farthest()].is_finite()
    }

    /// The sample at which it is farthest apart.
    fn farthest(&self) -> usize {
        let samples = self.reach.iter().enumerate();
        samples
            .fold((0, f32::NEG_INFINITY), |most, (k, reach)| if *reach > most.1 { (k, *reach) } else { most })
            .0
    }
}

impl Joints<'_> {
    /// Measures those of the wanted pairs in a block that are near; what is left to be wanted are the others.
    pub(super) fn measure_near(
        &mut self,
        schedule: &Schedule,
        chains: &mut Chains,
        block: usize,
        gaps: &[Gap],
        wanted: &mut Vec<Wanted>,
    ) {
        let span = chains.blocks.span(block);
        let shell = self.shell;
        // Products of two differences are left out of sums.
        let squares = |gap: &Gap| gap.turned * gap.reaches(shell);
        let may_be_near = |place: usize| {
            wanted[place] == Wanted::Itself && squares(&gaps[place]) < VAGUE * gaps[place].reaches(shell)
        };
        let mut asked = vec![Wanted::Nothing; wanted.len()];
        (0..wanted.len()).filter(|place| may_be_near(*place)).for_each(|place| self.want(place, &mut asked));
        let places: Vec<usize> = (0..wanted.len()).filter(|place| asked[*place] != Wanted::Nothing).collect();
        // Nothing is between the moments of a clip without duration.
        let numbers: Vec<Range<usize>> =
            places.iter().map(|place| chains.pieces.over(*place, span)).collect();
        if places.is_empty() || numbers.iter().any(Range::is_empty) || !chains.pieces.is_steady(span) {
            return;
        }
        let Some((frames, beside)) = self.frames(&places, block, chains) else { return };
        let pieces: Vec<&[Piece]> =
            places.iter().zip(numbers).map(|(place, numbers)| chains.pieces.some(*place, numbers)).collect();
        let samples = Pieces::samples(span, pieces.iter().copied().flatten());
        let mut field = Field::new(samples);
        let mut numbers = vec![None; wanted.len()];
        let mut near = Vec::new();
        for ((place, frames), pieces) in places.into_iter().zip(&frames).zip(pieces) {
            let pair = &self.pairs[place];
            let above = self.nodes.place(0, pair.a.and_then(|node| self.a.joints[node].parent));
            let away = chains.blocks.own(place, block).away;
            let number = field.add(above.and_then(|above| numbers[above]), frames, away, pieces);
            numbers[place] = Some(number);
            if asked[place] == Wanted::Itself {
                let (reach, loose) = field.reach(number, shell);
                let bound = gaps[place].reaches(shell);
                let wrong = loose + squares(&gaps[place]) + bound * (beside + SINGLE);
                if wrong < VAGUE * bound {
                    near.push(Near { place, reach, wrong });
                }
            }
        }
        if near.is_empty() {
            return;
        }
        if self.one_of > 1 && near.iter().all(Near::is_finite) {
            self.estimate(field.times(), &near);
        } else {
            self.measure_farthest(schedule, &chains.blocks.range(block), field.times(), &near);
        }
        near.iter().for_each(|near| wanted[near.place] = Wanted::Below);
        let mut left = vec![Wanted::Nothing; wanted.len()];
        for place in (0..wanted.len()).filter(|place| wanted[*place] == Wanted::Itself) {
            self.want(place, &mut left);
        }
        *wanted = left;
    }

    /// Takes near pairs to be as far apart as the sums say.
    fn estimate(&mut self, times: &[f64], near: &[Near]) {
        for near in near {
            let sample = near.farthest();
            let apart = f64::from(near.reach[sample]);
            self.pairs[near.place].displacement.meet(apart, Seconds(times[sample]));
            self.largest = self.largest.max(apart);
        }
    }

    /// Measures near pairs where they are farthest apart, and then wherever they still may be farther apart than was seen.
    fn measure_farthest(&mut self, schedule: &Schedule, range: &Range<f64>, times: &[f64], near: &[Near]) {
        let windows = times.len() - 1;
        let edge = |sample: usize| match sample {
            0 => range.start,
            _ if sample >= windows => range.end,
            _ => times[sample],
        };
        let is_open =
            |joints: &Self, near: &Near, most: f64| most > joints.threshold(&joints.pairs[near.place]);
        for near in near {
            let sample = near.farthest();
            if is_open(self, near, f64::from(near.reach[sample]) + near.wrong) {
                let mut wanted = vec![Wanted::Nothing; self.pairs.len()];
                self.want(near.place, &mut wanted);
                self.measure_wanted(schedule, &(edge(sample.saturating_sub(1))..edge(sample + 1)), &wanted);
            }
        }
        let mut since = None;
        let mut wanted = vec![Wanted::Nothing; self.pairs.len()];
        for window in 0..=windows {
            let mut is_any = false;
            for near in near.iter().filter(|_| window < windows) {
                if is_open(self, near, near.most(window)) {
                    self.want(near.place, &mut wanted);
                    is_any = true;
                }
            }
            if is_any {
                since = since.or(Some(window));
            } else if let Some(first) = since.take() {
                self.measure_wanted(schedule, &(edge(first)..edge(window)), &wanted);
                wanted.fill(Wanted::Nothing);
            }
        }
    }

    /// A pair itself is wanted, and what leads to it.
    fn want(&self, place: usize, wanted: &mut [Wanted]) {
        wanted[place] = Wanted::Itself;
        self.want_way_to(place, wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tolerance;
    use crate::apart::blocks::Above;
    use crate::apart::matching::Nodes;
    use crate::apart::{Animation, Scope};
    use crate::linearise::{Allowance, KeyPlan, SharedTimes, linearise};
    use crate::measure::Worst;
    use dopesheet_core::model::{
        Basis, Blend, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind,
        Times, Timing, Track, Transform,
    };
    use dopesheet_core::units::{FrameRate, Seconds};
    use proptest::prelude::*;

    /// A joint: what it hangs on (counted back from it, 0 for none), where, and three keys each of how it turns and moves.
    type Part = (usize, [f64; 3], [[f32; 4]; 3], [[f32; 3]; 3], [f32; 4]);

    fn part() -> impl Strategy<Value = Part> {
        use prop::array::{uniform3, uniform4};
        (
            0usize..3,
            uniform3(-0.4..0.4f64),
            uniform3(uniform4(-1.0..1.0f32)),
            uniform3(uniform3(-0.2..0.2f32)),
            uniform4(0.0..=1.0f32),
        )
    }

    fn scene(parts: &[Part]) -> Scene {
        let mut scene = Scene::new(Basis::GLTF);
        for (index, (back, at, ..)) in parts.iter().enumerate() {
            let parent = index.checked_sub(*back).filter(|_| *back > 0).map(NodeIndex);
            scene.push_node(Node::new(
                format!("n{index}"),
                parent,
                Transform { translation: *at, ..Transform::IDENTITY },
            ));
        }
        scene
    }

    /// What moves from a frame on, for two seconds.
    fn clip(parts: &[Part], first: i64) -> Clip {
        let duration = FrameRate::FPS_30.seconds((first + 60) as f64);
        let mut clip = Clip { duration, ..Clip::default() };
        for (index, (_, _, turns, moves, [x1, y1, x2, y2])) in parts.iter().enumerate() {
            // Joints have keys at different times.
            let times = Times::Frames {
                rate: FrameRate::FPS_30,
                frames: [0, 11 + 3 * index as i64, 60].map(|frame| first + frame).into(),
            };
            let timing = Timing::Bezier { x1: *x1, y1: *y1, x2: *x2, y2: *y2 };
            let curve = |width, values: &[f32], blend| {
                Curve::new(times.clone(), width, values.to_vec(), Laws::uniform(Law { blend, timing }))
            };
            let channels = vec![
                Channel::whole(Property::Rotation, curve(4, turns.as_flattened(), Blend::Slerp)),
                Channel::whole(Property::Translation, curve(3, moves.as_flattened(), Blend::Lerp)),
            ];
            let target = Target::new(TargetKind::Joint, format!("n{index}"), index, Some(NodeIndex(index)));
            clip.tracks.push(Track { target, channels });
        }
        clip
    }

    /// The same with straight segments that are off by no more than so much.
    fn straight(clip: &Clip, allowed: f64) -> Clip {
        let mut made = clip.clone();
        for channel in made.tracks.iter_mut().flat_map(|track| &mut track.channels) {
            *channel = straightened(channel, clip.duration, allowed);
        }
        made
    }

    fn straightened(channel: &Channel, end: Seconds, allowed: f64) -> Channel {
        let plan = KeyPlan {
            range: (Seconds(0.0), end),
            rate: FrameRate::FPS_30,
            only_on_grid: false,
            every_frame: false,
        };
        let allowance = Allowance { value: allowed, angle_rad: allowed };
        let linear = linearise(channel, &plan, Some(allowance), &mut SharedTimes::default()).unwrap();
        linear.channels.into_iter().next().unwrap()
    }

    /// No joint is bounded by what others do.
    fn everything(joints: &mut Joints<'_>) {
        joints.pairs.iter_mut().for_each(|pair| pair.above = Above::Unknown);
    }

    /// How far each joint is apart.
    fn found(
        scene: &Scene,
        clips: [&Clip; 2],
        scope: Scope<'_>,
        change: impl Fn(&mut Joints<'_>),
    ) -> Vec<Worst> {
        let [a, b] = clips.map(|clip| Animation { scene, clip });
        let nodes = Nodes::new(scene, scene);
        let mut joints = Joints::new([&a, &b], &nodes, true, &Tolerance::DEFAULT, scope);
        change(&mut joints);
        joints.measure([&a, &b], clips[0].duration.0);
        joints.pairs.iter().map(|pair| pair.displacement).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]
        #[test]
        fn what_sums_of_differences_leave_out_is_never_farther_apart_than_what_is_measured(
            parts in prop::collection::vec(part(), 1..9),
            exponent in -5.0..-2.0f64,
            // Late, numbers of single precision are far from each other.
            first in prop::sample::select(vec![0, 4171]),
        ) {
            let (scene, clip) = (scene(&parts), clip(&parts, first));
            let made = straight(&clip, 10f64.powf(exponent));
            let clips = [&clip, &made];
            let all = found(&scene, clips, Scope::ALL, everything);
            prop_assert_eq!(&found(&scene, clips, Scope::ALL, |_| ()), &all);
            let farthest = |found: &[Worst]| found.iter().map(|worst| worst.value).fold(0.0, f64::max);
            let largest = Scope { exact_above: 1.0, ..Scope::ALL };
            prop_assert_eq!(farthest(&found(&scene, clips, largest, |_| ())), farthest(&all));
        }
    }

    /// What hangs on a joint has keys where nobody looks at that joint itself.
    #[test]
    fn a_way_that_jumps_beside_a_frame_is_bounded_there() {
        const FRAME: i64 = 5173;
        let end = FrameRate::FPS_30.seconds(FRAME as f64);
        let timing = Timing::Bezier { x1: 0.5, y1: 0.0, x2: 1.0, y2: 0.0 };
        let times = Times::Frames { rate: FrameRate::FPS_30, frames: [0, 30, FRAME - 1, FRAME].into() };
        let values = [[0.0; 3], [0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]].concat();
        let law = Law { blend: Blend::Lerp, timing };
        let steep = Channel::whole(Property::Translation, Curve::new(times, 3, values, Laws::uniform(law)));
        let mut linear = straightened(&steep, end, 1e-4);
        // Farther apart than it is where it was fitted.
        linear.composition.curves_mut()[0].values[0] += 1e-3;
        let values = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8], [0.0, 0.0, 0.0, 1.0]].concat();
        let mut beside = end.0 as f32;
        for _ in 0..8 {
            beside = beside.next_down();
            // Files have one of the two.
            for beside in [f64::from(beside), f64::midpoint(beside.into(), beside.next_down().into())] {
                let times = Times::Seconds([0.0, beside, end.0].into());
                let curve = Curve::new(times, 4, values.clone(), Laws::uniform(Law::SLERP));
                let hanging = Channel::whole(Property::Rotation, curve);
                let clips = [&steep, &linear].map(|first| hung(end, [first, &hanging]));
                let still = ([[0.0, 0.0, 0.0, 1.0]; 3], [[0.0; 3]; 3], [0.0; 4]);
                let scene = scene(&[0, 1].map(|back| (back, [0.1, 0.0, 0.0], still.0, still.1, still.2)));
                let all = found(&scene, [&clips[0], &clips[1]], Scope::ALL, everything);
                assert!(all[1].value < 1.2e-3, "{all:?} with a key at {beside} s");
                assert_eq!(found(&scene, [&clips[0], &clips[1]], Scope::ALL, |_| ()), all, "{beside}");
            }
        }
    }

    /// What a joint does, and another that hangs on it.
    fn hung(duration: Seconds, channels: [&Channel; 2]) -> Clip {
        let mut clip = Clip { duration, ..Clip::default() };
        for (index, channel) in channels.into_iter().enumerate() {
            let target = Target::new(TargetKind::Joint, format!("n{index}"), index, Some(NodeIndex(index)));
            clip.tracks.push(Track { target, channels: vec![channel.clone()] });
        }
        clip
    }

    #[test]
    fn clips_without_duration_and_numbers_beyond_single_precision_are_measured() {
        for (duration, far) in [(0.0, 0.1), (2.0, 1e30), (2.0, 1e-25)] {
            let turns = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8], [0.0, 0.0, 0.0, 1.0]];
            let parts: Vec<Part> = (0..3)
                .map(|_| (1, [0.1, 0.2, 0.0], turns, [[0.0; 3], [0.1; 3], [0.2; 3]], [0.5, 0.0, 0.5, 1.0]))
                .collect();
            let scene = scene(&parts);
            let clip = Clip { duration: Seconds(duration), ..clip(&parts, 0) };
            let mut moved = clip.clone();
            for curve in moved.tracks[0].channels[1].composition.curves_mut() {
                curve.values.iter_mut().for_each(|x| *x += far);
            }
            let all = found(&scene, [&clip, &moved], Scope::ALL, everything);
            assert!(all.iter().all(|worst| worst.value > 0.0), "{far} {all:?}");
            assert_eq!(found(&scene, [&clip, &moved], Scope::ALL, |_| ()), all, "{far} within {duration} s");
        }
    }
}
