//! Which joints are measured when: each by itself at its own key times, chains of them only where they may be farthest.

use super::between::Between;
use super::frames::Frames;
use super::{Joints, Pair, Seen};
use crate::apart::Animation;
use crate::apart::blocks::{Above, Blocks};
use crate::apart::field::Field;
use crate::apart::lane::Accuracy;
use crate::apart::moments::{Moment, Moments};
use crate::apart::norm::Gap;
use crate::apart::pieces::{Piece, Pieces, Size, Twist};
use crate::apart::schedule::Schedule;
use crate::apart::stage::{Stage, is_placing};
use dopesheet_core::model::{Channel, NodeIndex};
use rayon::prelude::*;
use std::ops::Range;

/// So many stretches are measured before the others, in which only what is farther apart than in those is of interest.
const FIRST: usize = 2;

/// What is wanted of a pair in some stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Nothing,
    /// Only what hangs on it.
    Below,
    Itself,
}

/// What joints that hang on each other do relative to their parents in a stretch of time.
pub(super) struct Chains<'a> {
    pub(super) blocks: Blocks,
    pub(super) pieces: Pieces,
    pub(super) frames: Frames<'a>,
    /// Kept to be used again.
    pub(super) field: Field,
}

impl Chains<'_> {
    /// How a pair is at two moments so near to each other that nothing of interest is between them, of which the earlier is
    /// known.
    fn note(&mut self, place: usize, ends: [(Moment, Seen); 2]) {
        let [_, (moment, seen)] = ends;
        self.blocks.note(place, moment.time, &seen.own);
        self.pieces.note(place, &Piece::seen(twists(ends)), &self.blocks);
    }
}

/// A stretch of time in which joints are measured.
pub(super) struct Stretch<'a> {
    range: Range<f64>,
    /// Where joints hang on each other.
    pub(super) chains: Option<Chains<'a>>,
}

impl Stretch<'_> {
    fn note(&mut self, place: usize, ends: [(Moment, Seen); 2]) {
        if let Some(chains) = &mut self.chains {
            chains.note(place, ends);
        }
    }
}

fn twists(ends: [(Moment, Seen); 2]) -> [(f64, Twist); 2] {
    ends.map(|(moment, seen)| (moment.time.0, seen.twist))
}

impl<'a> Joints<'a> {
    /// Measures everything, from 0 to `end`. Yields at how many times.
    pub(in crate::apart) fn measure(&mut self, [a, b]: [&Animation<'_>; 2], end: f64) -> usize {
        self.number = 1;
        // What nothing drives is measured once; all others at moments of their own.
        for place in 0..self.pairs.len() {
            if !self.is_driven(place) {
                self.measure_own(place, &Moment::START, Accuracy::Exact);
                self.measure_place(place, &Moment::START);
            }
        }
        let channels = [a, b].map(channels);
        let moving = self.nodes.matches.par_iter().enumerate().filter(|(place, _)| self.has_lanes(*place));
        let moments = moving.map(|(place, pair)| {
            let of = |side: usize, node: Option<usize>| node.map_or(&[][..], |node| &channels[side][node]);
            let (mut in_a, mut in_b) = (of(0, pair.a).iter().copied(), of(1, pair.b).iter().copied());
            (place, Moments::of([&mut in_a, &mut in_b], end))
        });
        let mut schedule = Schedule::default();
        for (place, moments) in moments.collect::<Vec<_>>() {
            self.pairs[place].moments = Some(moments.most());
            schedule.add(place, moments);
        }
        for (place, pair) in self.pairs.iter().enumerate() {
            let Some(moments) = schedule.of(place) else { continue };
            pair.a.into_iter().for_each(|node| self.a.follow(node, moments));
            pair.b.into_iter().for_each(|node| self.b.follow(node, moments));
        }
        self.measure_all(&schedule, end);
        1 + schedule.moments()
    }

    /// Measures the moments of a schedule, stretches of time side by side.
    fn measure_all(&mut self, schedule: &Schedule, end: f64) {
        let measured = |joints: &Self, stretch: &Range<f64>| {
            let mut joints = joints.clone();
            let chains = joints.is_known.then(|| Chains {
                blocks: Blocks::new(stretch, end, schedule, joints.pairs.len()),
                pieces: Pieces::new(joints.pairs.len()),
                frames: Frames::default(),
                field: Field::default(),
            });
            let mut stretch = Stretch { range: stretch.clone(), chains };
            joints.measure_alone(schedule, &mut stretch);
            if let Some(chains) = &mut stretch.chains {
                joints.measure_chains(schedule, chains);
            }
            (joints.pairs, joints.largest)
        };
        let stretches = self.windows.map_or_else(|| schedule.stretches(), <[_]>::to_vec);
        let (first, others) = stretches.split_at(FIRST.min(stretches.len()));
        for stretches in [first, others] {
            let parts: Vec<(Vec<Pair<'a>>, f64)> =
                stretches.par_iter().map(|stretch| measured(self, stretch)).collect();
            for (pairs, largest) in parts {
                self.pairs.iter_mut().zip(&pairs).for_each(|(pair, later)| pair.meet(later));
                self.largest = self.largest.max(largest);
            }
        }
    }

    /// Measures each pair relative to its parent, at its own moments in a stretch of time.
    fn measure_alone(&mut self, schedule: &Schedule, stretch: &mut Stretch<'_>) {
        for place in 0..self.pairs.len() {
            match schedule.of(place) {
                Some(_) if !self.pairs[place].is_needed => {}
                Some(moments) => {
                    self.measure_moments(place, moments, stretch);
                    if let Some(chains) = &mut stretch.chains {
                        chains.blocks.close(place);
                    }
                }
                None => {
                    if let Some(chains) = &mut stretch.chains {
                        let always = self.pairs[place].own_gap(&self.a, &self.b);
                        chains.blocks.note_always(place, &always.own);
                        chains.pieces.note(place, &Piece::always(always.twist), &chains.blocks);
                    }
                }
            }
        }
        if let Some(chains) = &mut stretch.chains {
            chains.pieces.close();
        }
    }

    /// Measures a pair relative to its parent, between its key times only where it may be farther apart than was seen.
    fn measure_moments(&mut self, place: usize, moments: &Moments, stretch: &mut Stretch<'_>) {
        let mut before: Option<(Moment, Seen, usize)> = None;
        let Range { start: mut instant, end } = moments.around(&stretch.range);
        // Whether what is beside the instant, on its earlier side, needs no look.
        let mut is_skimmed = false;
        while instant < end {
            for moment in moments.at(instant) {
                let seen = self.measure_alone_at(place, &moment);
                if let Some((last, known, from)) = before {
                    let ends = [(last, known), (moment, seen)];
                    if from == instant {
                        stretch.note(place, ends);
                    } else {
                        self.measure_gap(place, ends, (moments, from), stretch);
                    }
                } else if let Some(chains) = &mut stretch.chains {
                    chains.blocks.note(place, moment.time, &seen.own);
                }
                before = Some((moment, seen, instant));
            }
            let reached = if is_skimmed { instant } else { self.skim(place, moments, instant..end, stretch) };
            is_skimmed = reached > instant;
            if is_skimmed {
                (instant, before) = (reached, None);
            } else {
                instant += 1;
            }
        }
    }

    /// Measures a pair between an instant and the next one, of which the moments next to each other are known.
    fn measure_gap(
        &mut self,
        place: usize,
        ends: [(Moment, Seen); 2],
        (moments, instant): (&Moments, usize),
        stretch: &mut Stretch<'_>,
    ) {
        let [from, to] = ends;
        let between = self.between(place, [&from.1, &to.1]);
        if !between.is_some_and(|between| between.is_less) {
            let is_outside = to.0.time.0 < stretch.range.start || from.0.time.0 >= stretch.range.end;
            let mut last = from;
            for inner in moments.behind(instant).filter(|_| !is_outside) {
                let next = (inner, self.measure_alone_at(place, &inner));
                if between.is_none() {
                    stretch.note(place, [last, next]);
                }
                last = next;
            }
            if between.is_none() {
                stretch.note(place, [last, to]);
            }
        }
        let (Some(Between { most, bends, farther, .. }), Some(chains)) = (between, &mut stretch.chains)
        else {
            return;
        };
        let is_straight = bends == Size::default();
        let inner = if is_straight { None } else { moments.inner(instant) };
        let mut seen = |moment: Moment| (moment.time.0, self.near(place, &moment).twist);
        let inner = inner.map(|inner| inner.map(&mut seen));
        let piece = Piece::bent(twists(ends), inner, bends, farther);
        chains.blocks.note_until(place, to.0.time, &most.lesser(piece.most()));
        chains.pieces.note(place, &piece, &chains.blocks);
    }

    fn measure_alone_at(&mut self, place: usize, moment: &Moment) -> Seen {
        self.number += 1;
        // Where all that counts is what joints do together, this is for bounds.
        let is_for_bounds = self.is_known && self.exact_above > 0.0;
        let accuracy = if is_for_bounds { Accuracy::Near } else { Accuracy::Exact };
        let seen = self.measure_own(place, moment, accuracy);
        if !self.is_known {
            self.measure_placed(place, moment);
        }
        seen
    }

    /// What a displacement of a pair must exceed to be of interest.
    pub(super) fn threshold(&self, pair: &Pair<'_>) -> f64 {
        pair.displacement.value.max(self.largest.min(self.exact_above))
    }

    /// Measures pairs in model space, only where they may be farther apart than was seen.
    fn measure_chains(&mut self, schedule: &Schedule, chains: &mut Chains<'a>) {
        let above: Vec<Above> = self.pairs.iter().map(|pair| pair.above).collect();
        for block in chains.blocks.farthest_first(&above, self.shell) {
            let gaps = chains.blocks.gaps(block, &above);
            let Some(mut wanted) = self.wanted(&gaps) else { continue };
            self.measure_near(schedule, chains, block, &gaps, &mut wanted);
            self.measure_wanted(schedule, &chains.blocks.range(block), &wanted);
        }
    }

    /// Measures what is wanted at all moments of a time.
    pub(super) fn measure_wanted(&mut self, schedule: &Schedule, range: &Range<f64>, wanted: &[Wanted]) {
        let is_wanted = |place: &usize| wanted[*place] != Wanted::Nothing;
        if wanted.contains(&Wanted::Itself) {
            schedule.each(range, is_wanted, |moment, pairs| self.measure_below(moment, pairs, wanted));
        }
    }

    /// What is to be measured of pairs that are so far apart at most; `None` if nothing is.
    fn wanted(&self, gaps: &[Gap]) -> Option<Vec<Wanted>> {
        let mut wanted = vec![Wanted::Nothing; self.pairs.len()];
        for place in 0..self.pairs.len() {
            let pair = &self.pairs[place];
            let is_shared = pair.a.is_some() && pair.b.is_some();
            let is_open = is_shared && pair.is_asked_for && self.is_driven(place);
            if !is_open || gaps[place].reaches(self.shell) <= self.threshold(pair) {
                continue;
            }
            wanted[place] = Wanted::Itself;
            self.want_way_to(place, &mut wanted);
        }
        wanted.iter().any(|wanted| *wanted != Wanted::Nothing).then_some(wanted)
    }

    /// Notes that what a pair hangs on, on either side, leads to something that is wanted.
    pub(super) fn want_way_to(&self, place: usize, wanted: &mut [Wanted]) {
        let pair = &self.pairs[place];
        for (side, stage, node) in [(0, &self.a, pair.a), (1, &self.b, pair.b)] {
            let parent = |node: usize| stage.joints[node].parent;
            let mut next = node.and_then(parent);
            while let Some(node) = next {
                if let Some(above) = self.nodes.place(side, Some(node)).map(|place| &mut wanted[place])
                    && *above == Wanted::Nothing
                {
                    *above = Wanted::Below;
                }
                next = parent(node);
            }
        }
    }

    fn has_lanes(&self, place: usize) -> bool {
        let pair = &self.pairs[place];
        let of = |stage: &Stage<'_>, node: Option<usize>| node.is_some_and(|n| stage.has_lanes(n));
        of(&self.a, pair.a) || of(&self.b, pair.b)
    }

    /// Whether something moves a joint of a pair, or what it hangs on.
    fn is_driven(&self, place: usize) -> bool {
        let pair = &self.pairs[place];
        let of = |stage: &Stage<'_>, node: Option<usize>| node.is_some_and(|n| stage.joints[n].is_driven);
        of(&self.a, pair.a) || of(&self.b, pair.b)
    }

    /// Measures some pairs and everything that hangs on them, as far as it is wanted.
    fn measure_below(&mut self, moment: &Moment, pairs: &mut dyn Iterator<Item = usize>, wanted: &[Wanted]) {
        self.number += 1;
        self.line.extend(pairs);
        while let Some(place) = self.line.pop() {
            if wanted[place] == Wanted::Itself {
                self.measure_place(place, moment);
            }
            let children = self.pairs[place].children.iter().copied();
            self.line.extend(children.filter(|child| wanted[*child] != Wanted::Nothing));
        }
    }

    /// A moment as A has it, and as B has it, of what moves a pair.
    fn own(&mut self, place: usize, moment: &Moment) -> [f64; 2] {
        let pair = &self.pairs[place];
        let joint = match (pair.a, pair.b) {
            (Some(a), _) => Some(&mut self.a.joints[a]),
            (None, b) => b.map(|b| &mut self.b.joints[b]),
        };
        joint.map_or([moment.time.0; 2], |joint| joint.own(moment))
    }

    /// Measures a pair relative to its parent. Yields how far apart it is there.
    fn measure_own(&mut self, place: usize, moment: &Moment, accuracy: Accuracy) -> Seen {
        let own = self.advance(place, moment, accuracy);
        Seen { times: own, ..self.pairs[place].measure_own(&self.a, &self.b, self.shell, moment) }
    }

    /// How far apart a pair is relative to its parent, for a bound of that.
    fn near(&mut self, place: usize, moment: &Moment) -> Seen {
        let own = self.advance(place, moment, Accuracy::Near);
        Seen { times: own, ..self.pairs[place].own_gap(&self.a, &self.b) }
    }

    /// Brings both sides of a pair to a moment relative to their parents; yields that as A has it and as B has it.
    fn advance(&mut self, place: usize, moment: &Moment, accuracy: Accuracy) -> [f64; 2] {
        let own = self.own(place, moment);
        let pair = &self.pairs[place];
        for (stage, node) in [(&mut self.a, pair.a), (&mut self.b, pair.b)] {
            if let Some(node) = node {
                stage.advance(node, moment, own, accuracy);
            }
        }
        own
    }

    /// Measures a pair in model space.
    fn measure_place(&mut self, place: usize, moment: &Moment) {
        let pair = &self.pairs[place];
        if let (Some(a), Some(b)) = (pair.a, pair.b) {
            self.a.bring(a, moment, self.number, Accuracy::Exact);
            self.b.bring(b, moment, self.number, Accuracy::Exact);
            self.measure_placed(place, moment);
        }
    }

    /// Measures a pair in model space whose joints are at a moment, relative to parents that are too.
    fn measure_placed(&mut self, place: usize, moment: &Moment) {
        let pair = &mut self.pairs[place];
        if let (Some(a), Some(b)) = (pair.a, pair.b) {
            self.a.place(a);
            self.b.place(b);
            pair.measure_place(&self.a.joints[a], &self.b.joints[b], self.shell, moment);
            self.largest = self.largest.max(pair.displacement.value);
        }
    }
}

/// For each node, the channels that move it.
fn channels<'a>(animation: &Animation<'a>) -> Vec<Vec<&'a Channel>> {
    let mut channels = vec![Vec::new(); animation.scene.nodes.len()];
    for track in &animation.clip.tracks {
        if let Some(of_node) = track.target.node.and_then(|NodeIndex(node)| channels.get_mut(node)) {
            of_node.extend(track.channels.iter().filter(|c| is_placing(&c.property)));
        }
    }
    channels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tolerance;
    use crate::apart::Scope;
    use crate::apart::matching::Nodes;
    use crate::measure::Worst;
    use dopesheet_core::model::{
        Basis, Clip, Curve, Law, Laws, Node, Property, Scene, Target, TargetKind, Times, Track, Transform,
    };
    use dopesheet_core::units::Seconds;
    use glam::DVec3;

    /// Four joints, each of which hangs on the one before.
    fn scene() -> Scene {
        let mut scene = Scene::new(Basis::GLTF);
        for index in 0..4usize {
            let rest = Transform { translation: [0.1, 0.2, 0.05 * index as f64], ..Transform::IDENTITY };
            scene.push_node(Node::new(format!("n{index}"), index.checked_sub(1).map(NodeIndex), rest));
        }
        scene
    }

    fn swaying(node: usize, keys: usize, by: f64) -> Track {
        let time = |key: usize| 10.0 * key as f64 / (keys - 1) as f64;
        let angle = |time: f64| by * (time * (1.0 + node as f64)).sin();
        let rotation = |key| DVec3::new(1.0, 2.0, node as f64).normalize() * angle(time(key));
        let values = (0..keys).flat_map(|key| {
            let half = rotation(key) / 2.0;
            let sine = half.length().sin() / half.length().max(1e-300);
            [half.x * sine, half.y * sine, half.z * sine, half.length().cos()].map(|x| x as f32)
        });
        let times = Times::Seconds((0..keys).map(time).collect());
        let curve = Curve::new(times, 4, values.collect(), Laws::uniform(Law::SLERP));
        let target = Target::new(TargetKind::Joint, format!("n{node}"), node, Some(NodeIndex(node)));
        Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] }
    }

    /// What is measured of two clips, of which only the first and the last joint differ.
    fn measured(change: impl FnOnce(&mut Joints<'_>)) -> (usize, Vec<[Worst; 4]>) {
        let scene = scene();
        let clip = |keys, by| {
            let tracks = vec![swaying(0, keys, by), swaying(1, 300, 0.5), swaying(3, keys, by)];
            Clip { duration: Seconds(10.0), tracks, ..Clip::default() }
        };
        let clips = [clip(1_500, 0.8), clip(1_200, 0.801)];
        let [a, b] = [0, 1].map(|side: usize| Animation { scene: &scene, clip: &clips[side] });
        let nodes = Nodes::new(&scene, &scene);
        let mut joints = Joints::new([&a, &b], &nodes, true, &Tolerance::DEFAULT, Scope::ALL);
        change(&mut joints);
        let count = joints.measure([&a, &b], 10.0);
        let of = |p: &Pair<'_>| {
            let turned = Worst { value: p.rotation_rad, ..p.displacement };
            [p.displacement, turned, p.translation, p.half_sine]
        };
        (count, joints.pairs.iter().map(of).collect())
    }

    #[test]
    fn what_is_not_looked_at_is_never_farther_apart_than_what_is() {
        let everything = |joints: &mut Joints<'_>| {
            joints.pairs.iter_mut().for_each(|pair| pair.above = Above::Unknown);
        };
        let all = measured(everything);
        assert_eq!(measured(|_| ()), all);
        assert!(all.1.iter().all(|[displacement, ..]| displacement.value > 1e-5), "{all:?}");
    }

    #[test]
    fn the_farthest_of_all_is_found_where_nearer_ones_do_not_count() {
        let all = measured(|_| ());
        let worst = measured(|joints| joints.exact_above = 1.0);
        let farthest = |found: &[[Worst; 4]]| {
            found.iter().map(|pair| pair[0]).max_by(|a, b| a.value.total_cmp(&b.value)).unwrap()
        };
        assert_eq!((farthest(&worst.1), worst.0), (farthest(&all.1), all.0));
    }

    #[test]
    fn any_number_of_threads_measures_the_same() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| measured(|_| ()))
        };
        assert_eq!(on(1), on(5));
    }
}
