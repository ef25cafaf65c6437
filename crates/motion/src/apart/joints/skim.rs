//! Joints that follow an eased way on one side and straight segments on the other: what bounds them along many of these at once.

use super::Joints;
use super::measure::Stretch;
use crate::apart::blocks::Own;
use crate::apart::moments::Moments;
use crate::apart::pieces::{Piece, Size, Twist};
use crate::apart::stage::{BesideWays, Joint, Local, Onto};
use crate::beside::Beside;
use crate::segment::{Follower, StraightKeys};
use dopesheet_core::units::Seconds;
use glam::DVec3;
use std::ops::Range;

/// A joint that goes along one eased way in A, and from key to key in B.
struct Run<'a> {
    way: Follower,
    keys: StraightKeys<'a>,
    onto: [Onto; 2],
    /// Both sides at the last key, and how they are apart there.
    locals: [Local; 2],
    twist: Twist,
    own: Own,
}

/// How a joint is between two keys in a row.
struct Step {
    ends: [Twist; 2],
    beside: BesideWays,
    /// How far both sides are apart at most.
    most: Own,
}

impl<'a> Run<'a> {
    /// From an instant on, at which B has a key, to another that is on the same way of A, each as A has it and as B has it.
    fn new([a, b]: [&mut Joint<'a>; 2], [from, to]: [[f64; 2]; 2]) -> Option<Self> {
        let locals = [a.local, b.local];
        let ((a, onto_a), (b, onto_b)) = (a.only_lane()?, b.only_lane()?);
        if onto_a.is_rotation() != onto_b.is_rotation() {
            return None;
        }
        let (way, keys) = (a.follower([from[0], to[0]])?, b.straight_keys(from[1])?);
        let mut run =
            Self { way, keys, onto: [onto_a, onto_b], locals, twist: Twist::NOTHING, own: Own::NOTHING };
        run.go_to(from)?;
        Some(run)
    }

    /// Goes to an instant; nothing if A is not on the way then, or B has not its next key.
    fn go_to(&mut self, [a, b]: [f64; 2]) -> Option<()> {
        let (from, to) = self.way.span();
        if !(from <= a && a <= to) {
            return None;
        }
        let values = [self.way.go_to(a), self.keys.next_at(b)?];
        for ((onto, value), local) in self.onto.iter().zip(values).zip(&mut self.locals) {
            onto.apply(if onto.is_rotation() { &value } else { &value[..3] }, local);
        }
        let [a, b] = &self.locals;
        self.twist = Twist::between(a, b);
        self.own = Own::of(&self.twist, a);
        Some(())
    }

    /// Goes on to an instant.
    fn step_to(&mut self, instant: [f64; 2]) -> Option<Step> {
        let (rotation, before, own) = (self.locals[0].rotation, self.twist, self.own);
        self.go_to(instant)?;
        let ends = [before, self.twist];
        let (moved, turned) = (ends.map(|twist| twist.moved), ends.map(|twist| twist.turned));
        let beside = if self.onto[0].is_rotation() {
            let turned = self.way.beside(turned.map(|turned| self.onto[0].turned_back(turned)));
            BesideWays { moved: Beside::straight(moved), turned }
        } else {
            BesideWays { moved: self.way.beside(moved), turned: Beside::straight(turned) }
        };
        let cosine = rotation.dot(self.locals[0].rotation).abs().min(1.0);
        Some(Step { ends, beside, most: own.max(&self.own).beside(&beside, cosine) })
    }

    /// How a joint is apart on the last step, between two times.
    ///
    /// What is not seen between them, because it counts as a frame, is on no arch.
    fn piece(&self, [from, to]: [f64; 2], step: &Step, is_seen: bool) -> Option<Piece> {
        let (bend, arch) = self.way.arch()?;
        // What A is ahead of its chord is what B, which goes along its own, is behind.
        let direction = -self.way.direction();
        let along = |size: f64| match self.onto[0].is_rotation() {
            true => Twist { moved: DVec3::ZERO, turned: self.onto[0].turned_on(direction * size) },
            false => Twist { moved: direction * size, turned: DVec3::ZERO },
        };
        let size = |size: f64| match self.onto[0].is_rotation() {
            true => Size { moved: 0.0, turned: size },
            false => Size { moved: size, turned: 0.0 },
        };
        let ends = [(from, step.ends[0]), (to, step.ends[1])];
        let arches = [along(arch.height), along(arch.slant)];
        let piece = match is_seen {
            true => Piece::arched(ends, arches, size(arch.beside), size(bend)),
            false => Piece::straight(ends, size(bend)),
        };
        // What one axis does not tell of it.
        let off = step.most.turned - step.beside.turned.most();
        off.is_finite().then(|| piece.looser(Size { moved: 0.0, turned: off }))
    }
}

impl<'a> Joints<'a> {
    /// The last of some instants up to which a pair is no farther apart than is of interest, and how it is apart until then is
    /// noted; the first of them if that is not known.
    ///
    /// All that is asked of the pair are bounds: along a way there may be a hundred keys, of which hardly any is farther apart than
    /// what was seen before.
    pub(super) fn skim(
        &mut self,
        place: usize,
        moments: &Moments,
        instants: Range<usize>,
        stretch: &mut Stretch,
    ) -> usize {
        let mut reached = instants.start;
        while let Some(mut run) = self.run(place, moments, reached) {
            let start = reached;
            for instant in start + 1..instants.end {
                let step = moments.quiet(instant).and_then(|instant| run.step_to(instant));
                let Some(step) = step else { break };
                if !self.is_less(place, &step.most) {
                    return reached;
                }
                if let Some(chains) = &mut stretch.chains {
                    let times = [reached, instant].map(|instant| moments.quiet_time(instant));
                    let is_seen = moments.is_seen_between(reached);
                    let Some(piece) = run.piece(times, &step, is_seen) else { break };
                    chains.blocks.note_until(place, Seconds(times[1]), &step.most);
                    chains.pieces.note(place, &piece, &chains.blocks);
                }
                reached = instant;
            }
            if reached == start {
                break;
            }
        }
        reached
    }

    fn run(&mut self, place: usize, moments: &Moments, instant: usize) -> Option<Run<'a>> {
        let pair = &self.pairs[place];
        let (a, b) = (pair.a.filter(|_| pair.gaze.is_none())?, pair.b?);
        if !self.a.joints[a].is_eased() {
            return None;
        }
        let ends = [moments.quiet(instant)?, moments.quiet(instant + 1)?];
        Run::new([&mut self.a.joints[a], &mut self.b.joints[b]], ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tolerance;
    use crate::apart::joints::Gaze;
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

    /// How far the only joint is apart: its displacement, its translation and its rotation.
    fn found(scene: &Scene, clips: [&Clip; 2], looks_everywhere: bool) -> [Worst; 3] {
        let [a, b] = clips.map(|clip| Animation { scene, clip });
        let nodes = Nodes::new(scene, scene);
        let mut joints = Joints::new([&a, &b], &nodes, false, &Tolerance::DEFAULT, Scope::ALL);
        if looks_everywhere {
            // Where something looks is bounded by nothing.
            joints.pairs[0].gaze = Some(Gaze::Whole);
        }
        joints.measure([&a, &b], clips[0].duration.0);
        let pair = &joints.pairs[0];
        assert!(looks_everywhere || pair.unseen <= pair.displacement.value);
        [pair.displacement, pair.translation, pair.half_sine]
    }

    fn clip(channel: Channel, duration: Seconds) -> Clip {
        let target = Target::new(TargetKind::Joint, "n", 0, Some(NodeIndex(0)));
        Clip { duration, tracks: vec![Track { target, channels: vec![channel] }], ..Clip::default() }
    }

    proptest! {
        #[test]
        fn what_is_skimmed_is_no_farther_apart_than_what_is_seen(
            timing in prop::array::uniform4(0.0f32..=1.0),
            turns in prop::collection::vec(prop::array::uniform4(-1.0f32..1.0), 2..9),
            gaps in prop::collection::vec(1i64..40, 8),
            exponent in -5.0..-2.0f64,
            first in prop::sample::select(vec![0, 4171]),
            rotates: bool,
        ) {
            let frames = gaps.iter().take(turns.len() - 1).scan(first, |at, gap| { *at += gap; Some(*at) });
            let frames: Vec<i64> = std::iter::once(first).chain(frames).collect();
            let end = FrameRate::FPS_30.seconds(frames[frames.len() - 1] as f64);
            let [x1, y1, x2, y2] = timing;
            let timing = Timing::Bezier { x1, y1, x2, y2 };
            let (property, width, blend) =
                if rotates { (Property::Rotation, 4, Blend::Slerp) } else { (Property::Translation, 3, Blend::Lerp) };
            let values = turns.iter().flat_map(|turn| &turn[..width]).copied().collect();
            let times = Times::Frames { rate: FrameRate::FPS_30, frames: frames.into() };
            let curve = Curve::new(times, width, values, Laws::uniform(Law { blend, timing }));
            let eased = Channel::whole(property, curve);
            let plan = KeyPlan {
                range: (Seconds(0.0), end),
                rate: FrameRate::FPS_30,
                only_on_grid: false,
                every_frame: false,
            };
            let allowed = 10f64.powf(exponent);
            let allowance = Allowance { value: allowed, angle_rad: allowed };
            let linear = linearise(&eased, &plan, Some(allowance), &mut SharedTimes::default()).unwrap();
            let mut scene = Scene::new(Basis::GLTF);
            scene.push_node(Node::new("n", None, Transform::IDENTITY));
            let clips = [eased, linear.channels.into_iter().next().unwrap()].map(|channel| clip(channel, end));
            let [all, known] = [true, false].map(|all| found(&scene, [&clips[0], &clips[1]], all));
            prop_assert_eq!(known, all);
        }
    }
}
