//! Chains that are near each other: their small differences are added up, and only where that comes to enough are joints
//! placed.

use super::Joints;
use super::frames::{Around, Part};
use super::measure::{Chains, Wanted};
use crate::apart::blocks::hanging;
use crate::apart::field::{Reach, WINDOWS};
use crate::apart::norm::Gap;
use crate::apart::pieces::Size;
use crate::apart::schedule::Schedule;
use dopesheet_core::units::Seconds;

/// Sums that may be wrong by more than this part of the bound tell too little.
const VAGUE: f64 = 0.5;

/// By what part of lengths single precision may be wrong after some additions.
const SINGLE: f64 = 1e-4;

/// Squares of what is shorter, in metres, are 0 in single precision.
const NOTHING: f64 = 1e-18;

/// How often sums are made again, in a part of the time, where they do not show joints to be near.
const ZOOMS: usize = 3;

/// How many windows make such a part at most.
const ZOOMED: usize = 4;

/// A block of time in which sums are made.
struct Block<'a> {
    number: usize,
    span: [f64; 2],
    /// For each pair, how far apart it is at most.
    gaps: &'a [Gap],
    /// Pairs of which is known where they are, in order.
    places: Vec<usize>,
    around: Vec<Around>,
}

impl Block<'_> {
    /// What share of it has passed at a time.
    fn share(&self, time: f64) -> f64 {
        (time - self.span[0]) / (self.span[1] - self.span[0])
    }

    /// When a share of it has passed.
    fn time(&self, share: f64) -> f64 {
        self.span[0] + share * (self.span[1] - self.span[0])
    }
}

/// A part of a block, and the pairs that may be farther apart in it than was seen.
struct Span<'a> {
    from: f64,
    to: f64,
    asked: &'a [usize],
    /// How often a part was taken of a part: 0 for the whole block.
    zooms: usize,
}

impl Span<'_> {
    /// When a sample is.
    fn time(&self, sample: usize) -> f64 {
        match sample {
            0 => self.from,
            WINDOWS.. => self.to,
            _ => self.from + (self.to - self.from) * (sample as f64 / WINDOWS as f64),
        }
    }
}

/// A pair whose sums were made.
#[derive(Clone, Copy)]
struct Added {
    /// In the field.
    number: usize,
    /// How far sums may be wrong.
    wrong: Size,
    /// How far it is apart at most.
    gap: Gap,
}

/// How far the sums of a pair may be wrong that hangs on another, `away` from it at most, and is so far apart itself: its lever and
/// what it hangs on may be so far, and turned by such a part, from where they are taken to be.
fn wrong(over: Option<&Added>, most: Size, away: f64, [lever, turn]: [f64; 2]) -> Size {
    let own = most.scaled(turn);
    over.map_or(own, |over| Size {
        moved: over.wrong.moved + over.wrong.turned * away + over.gap.turned * lever + own.moved,
        turned: over.wrong.turned + own.turned,
    })
}

/// A pair of which sums do not show that it is near.
struct Open {
    place: usize,
    reach: Reach,
    /// By how much that may be too little.
    wrong: f64,
    /// How far it is apart at most, by lengths.
    bound: f64,
}

impl Open {
    /// Whether sums tell too little of it.
    fn is_vague(&self) -> bool {
        self.wrong.is_nan() || self.wrong >= VAGUE * self.bound
    }

    /// Whether it may be farther apart in a window than is known of it, or nobody knows.
    fn is_open(&self, joints: &Joints<'_>, window: usize) -> bool {
        let most = self.reach.most(window) + self.wrong;
        most > joints.threshold(&joints.pairs[self.place]) || most.is_nan()
    }
}

impl<'a> Joints<'a> {
    /// Measures those of the wanted pairs in a block that are near; what is left to be wanted are the others.
    pub(super) fn measure_near(
        &mut self,
        schedule: &Schedule,
        chains: &mut Chains<'a>,
        number: usize,
        gaps: &[Gap],
        wanted: &mut Vec<Wanted>,
    ) {
        let span = chains.blocks.span(number);
        // Products of two differences are left out of sums.
        let may_be_near = |place: usize| wanted[place] == Wanted::Itself && gaps[place].turned < VAGUE;
        let asked: Vec<usize> = (0..wanted.len()).filter(|place| may_be_near(*place)).collect();
        if asked.is_empty() || !chains.pieces.is_steady(span) {
            return;
        }
        let places = self.way_to(&asked);
        // Nothing is between the moments of a clip without duration.
        let is_known = |place: &usize| chains.pieces.is_over(*place, number, span);
        if !places.iter().all(is_known) {
            return;
        }
        let Some(around) = self.around(&places, number, chains) else { return };
        let block = Block { number, span, gaps, places, around };
        let whole = Span { from: span[0], to: span[1], asked: &asked, zooms: 0 };
        let (vague, open): (Vec<Open>, Vec<Open>) =
            self.open(chains, &block, &whole).into_iter().partition(Open::is_vague);
        self.narrow(schedule, chains, &block, &whole, &open);
        asked.iter().for_each(|place| wanted[*place] = Wanted::Below);
        let left = (0..wanted.len()).filter(|place| wanted[*place] == Wanted::Itself);
        *wanted = self.wanting(left.chain(vague.iter().map(|open| open.place)));
    }

    /// Measures pairs in a part of a block where sums do not show that they are near.
    fn narrow(
        &mut self,
        schedule: &Schedule,
        chains: &mut Chains<'a>,
        block: &Block<'_>,
        span: &Span<'_>,
        open: &[Open],
    ) {
        if span.zooms == ZOOMS {
            match self.windows.is_some() && open.iter().all(|open| open.reach.highest().1.is_finite()) {
                true => self.estimate(open, span),
                false => self.measure_farthest(schedule, chains, block, open, span),
            }
            return;
        }
        let mut first = 0;
        while first < WINDOWS {
            let is_any = |window: &usize| open.iter().any(|open| open.is_open(self, *window));
            let end = first + (first..WINDOWS).take_while(is_any).take(ZOOMED).count();
            let is_here = |open: &&Open| (first..end).any(|window| open.is_open(self, window));
            let asked: Vec<usize> = open.iter().filter(is_here).map(|open| open.place).collect();
            if !asked.is_empty() {
                let zooms = span.zooms + 1;
                let inner = Span { from: span.time(first), to: span.time(end), asked: &asked, zooms };
                let open = self.open(chains, block, &inner);
                self.narrow(schedule, chains, block, &inner, &open);
            }
            first = end.max(first + 1);
        }
    }

    /// Which pairs are not near in a part of a block, by sums.
    fn open(&self, chains: &mut Chains<'a>, block: &Block<'_>, span: &Span<'_>) -> Vec<Open> {
        let wanted = self.wanting(span.asked.iter().copied());
        let Chains { blocks, pieces, field, .. } = chains;
        let times = [span.from, span.to];
        let part = Part::of(times.map(|time| block.share(time)));
        let course = part.shares().map(|share| block.time(share));
        field.start(course, times);
        let window = (span.to - span.from) / (course[1] - course[0]) / WINDOWS as f64;
        let mut added: Vec<Option<Added>> = vec![None; wanted.len()];
        let mut open = Vec::new();
        for (&place, around) in block.places.iter().zip(&block.around) {
            if wanted[place] == Wanted::Nothing {
                continue;
            }
            let pair = &self.pairs[place];
            let above = self.nodes.place(0, pair.a.and_then(|node| self.a.joints[node].parent));
            let over = above.and_then(|above| added[above]);
            let own = blocks.own(place, block.number);
            let pieces = pieces.over(place, block.number, times);
            let known = around.during(part);
            let number = field.add(over.map(|over| over.number), &known.course, own.away, pieces);
            // What a joint does for a moment only counts in the part of the block that it is in.
            let (most, gap) = match span.zooms {
                0 => (own.size(), block.gaps[place]),
                _ => {
                    let (over, most) = (over.map_or(Gap::NOTHING, |over| over.gap), field.most());
                    (most, hanging(over, own.away, most))
                }
            };
            let wrong = wrong(over.as_ref(), most, own.away, known.wrong(window));
            added[place] = Some(Added { number, wrong, gap });
            if wanted[place] != Wanted::Itself {
                continue;
            }
            let bound = gap.reaches(self.shell);
            let wrong = wrong.moved + self.shell * wrong.turned + bound * (gap.turned + SINGLE) + NOTHING;
            let own = Open { place, reach: field.reach(number, self.shell as f32), wrong, bound };
            if (0..WINDOWS).any(|window| own.is_open(self, window)) {
                open.push(own);
            }
        }
        open
    }

    /// Takes pairs to be as far apart as the sums say.
    fn estimate(&mut self, open: &[Open], span: &Span<'_>) {
        for open in open {
            let (sample, apart) = open.reach.highest();
            self.pairs[open.place].displacement.meet(apart, Seconds(span.time(sample)));
            self.largest = self.largest.max(apart);
        }
    }

    /// Measures pairs where they may be farthest apart, and then wherever they still may be farther apart than was seen.
    fn measure_farthest(
        &mut self,
        schedule: &Schedule,
        chains: &Chains<'a>,
        block: &Block<'_>,
        open: &[Open],
        span: &Span<'_>,
    ) {
        let whole = chains.blocks.range(block.number);
        let edge = |sample: usize| match span.time(sample) {
            start if start <= block.span[0] => whole.start,
            end if end >= block.span[1] => whole.end,
            time => time,
        };
        for open in open {
            let window = open.reach.farthest();
            // Where sums only may be wrong by much, what is seen tells little of other places.
            let is_far = open.reach.highest().1 > self.threshold(&self.pairs[open.place]);
            if is_far && open.is_open(self, window) {
                let wanted = self.wanting(std::iter::once(open.place));
                self.measure_wanted(schedule, &(edge(window)..edge(window + 1)), &wanted);
            }
        }
        let mut since = None;
        let mut wanted = vec![Wanted::Nothing; self.pairs.len()];
        for window in 0..=WINDOWS {
            let mut is_any = false;
            for open in open.iter().filter(|_| window < WINDOWS) {
                if open.is_open(self, window) {
                    self.want(open.place, &mut wanted);
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

    /// Pairs and all that lead to them, in order.
    fn way_to(&self, pairs: &[usize]) -> Vec<usize> {
        let wanted = self.wanting(pairs.iter().copied());
        (0..wanted.len()).filter(|place| wanted[*place] != Wanted::Nothing).collect()
    }

    /// For each pair, whether it is wanted itself or leads to one that is.
    fn wanting(&self, pairs: impl Iterator<Item = usize>) -> Vec<Wanted> {
        let mut wanted = vec![Wanted::Nothing; self.pairs.len()];
        pairs.for_each(|place| self.want(place, &mut wanted));
        wanted
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

    /// How far each joint may be apart where those are found exactly that are farther than so much.
    fn bounds(scene: &Scene, clips: [&Clip; 2], exact_above: f64) -> Vec<f64> {
        let [a, b] = clips.map(|clip| Animation { scene, clip });
        let nodes = Nodes::new(scene, scene);
        let scope = Scope { exact_above, ..Scope::ALL };
        let mut joints = Joints::new([&a, &b], &nodes, true, &Tolerance::DEFAULT, scope);
        joints.measure([&a, &b], clips[0].duration.0);
        joints.bounds(scene.nodes.len()).into_iter().map(|bound| bound.at_most).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: dopesheet_testkit::cases(96), ..ProptestConfig::default() })]
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
            let middle = farthest(&all) / 2.0;
            for (most, worst) in bounds(&scene, clips, middle).into_iter().zip(&all) {
                prop_assert!(worst.value <= most && most <= worst.value.max(middle), "{} beyond {most}", worst.value);
            }
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
            // What is always as far apart may be noted at any time.
            let values = |found: &[Worst]| found.iter().map(|worst| worst.value).collect::<Vec<_>>();
            let known = found(&scene, [&clip, &moved], Scope::ALL, |_| ());
            assert_eq!(values(&known), values(&all), "{far} within {duration} s");
        }
    }
}
