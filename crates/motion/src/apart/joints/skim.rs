//! Joints that follow an eased way on one side and straight segments on the other: what bounds them along many of these at once.

use super::Joints;
use super::between::SMALL;
use super::measure::{Chains, Stretch};
use crate::apart::blocks::Own;
use crate::apart::moments::Moments;
use crate::apart::pieces::{Along, Direction, Piece, Size, Twist, beside_arch, highest_along};
use crate::apart::stage::Joint;
use crate::segment::{Follower, StraightKeys};
use dopesheet_core::units::Seconds;
use dopesheet_curve::Arch;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// An arch that may be beside its cubic by more than this part of its height is noted in halves.
const LOOSE: f64 = 0.1;

/// How often it is halved at most.
const HALVINGS: usize = 3;

/// A joint that goes along one eased way in A, and from key to key in B.
struct Run<'a> {
    way: Follower,
    keys: StraightKeys<'a>,
    space: Space,
    /// Where the way leads, in the space of the parent.
    direction: DVec3,
    /// How the joint is apart in what does not move.
    still: Twist,
    last: Lag,
}

/// What values of the way and of keys are relative to the parent.
enum Space {
    /// Rotations, of A's translation.
    Turns {
        /// What the values of keys are seen as by those of the way.
        seen: DQuat,
        /// From the start of the way.
        back: DQuat,
        /// How far A is from its parent.
        away: f64,
    },
    /// Translations: where they start on either side.
    Moves([DVec3; 2]),
}

/// How a joint is apart at a key.
#[derive(Clone, Copy)]
struct Lag {
    /// How far B is ahead of A along the way.
    along: f64,
    /// How far it is beside that.
    off: f64,
    /// How far A is from its parent.
    away: f64,
}

/// How a joint is between two keys in a row.
struct Step {
    ends: [Lag; 2],
    /// How far it may be beside what the ends and the arch tell.
    off: f64,
    /// How far both sides are apart at most.
    most: Own,
}

impl<'a> Run<'a> {
    /// From an instant on, at which B has a key, to another that is on the same way of A, each as A has it and as B has it.
    fn new([a, b]: [&mut Joint<'a>; 2], [from, to]: [[f64; 2]; 2]) -> Option<Self> {
        let locals = [a.local, b.local];
        let still = Twist::between(&locals[0], &locals[1]);
        let ((a, onto_a), (b, onto_b)) = (a.only_lane()?, b.only_lane()?);
        if onto_a.is_rotation() != onto_b.is_rotation() {
            return None;
        }
        let (mut way, keys) = (a.follower([from[0], to[0]])?, b.straight_keys(from[1])?);
        let (direction, bases) = (way.direction(), [onto_a, onto_b].map(|onto| *onto.base()));
        let (space, direction, still) = if onto_a.is_rotation() {
            let seen = bases[0].rotation.conjugate() * bases[1].rotation;
            let back = DQuat::from_array(way.value(0.0)).conjugate();
            let space = Space::Turns { seen, back, away: locals[0].translation.length() };
            (space, onto_a.turned_on(direction), Twist { turned: DVec3::ZERO, ..still })
        } else {
            (
                Space::Moves(bases.map(|base| base.translation)),
                direction,
                Twist { moved: DVec3::ZERO, ..still },
            )
        };
        let mut run =
            Self { way, keys, space, direction, still, last: Lag { along: 0.0, off: 0.0, away: 0.0 } };
        run.go_to(from)?;
        Some(run)
    }

    /// Goes to an instant; nothing if A is not on the way then, or B has not its next key.
    fn go_to(&mut self, [a, b]: [f64; 2]) -> Option<()> {
        let (from, to) = self.way.span();
        if !(from <= a && a <= to) {
            return None;
        }
        let (covered, key) = (self.way.go_to(a), self.keys.next_at(b)?);
        let axis = self.way.direction();
        self.last = match self.space {
            Space::Turns { seen, back, away } => {
                // B's turn from the start of the way: so far about its axis as its vector is long on that.
                let turn = seen * DQuat::from_array(key) * back;
                let on_axis = turn.xyz().dot(axis);
                let (sine, cosine) = (0.5 * self.way.length() * covered).sin_cos();
                let twice = 2.0_f64.copysign(turn.w * cosine + on_axis * sine);
                let along = twice * (on_axis * cosine - turn.w * sine);
                Lag { along, off: 2.0 * (turn.xyz() - on_axis * axis).length(), away }
            }
            Space::Moves(starts) => {
                let [x, y, z, _] = key;
                let [a, b] = [DVec3::from_slice(&self.way.value(covered)[..3]), DVec3::new(x, y, z)];
                let [a, b] = [starts[0] + a, starts[1] + b];
                let along = (b - a).dot(axis);
                Lag { along, off: (b - a - along * axis).length(), away: a.length() }
            }
        };
        // Larger turns do not add up like vectors, and what is no number is not bounded.
        let most = if self.is_turning() { SMALL } else { f64::MAX };
        (self.last.along.abs() + self.last.off <= most).then_some(())
    }

    /// Goes on to an instant.
    fn step_to(&mut self, instant: [f64; 2]) -> Option<Step> {
        let from = self.last;
        self.go_to(instant)?;
        let to = self.last;
        let [least, most] = self.way.behind([from.along, to.along]);
        let (farthest, off) = (most.max(-least), from.off.max(to.off));
        let away = from.away.max(to.away);
        let still = self.still.size();
        let (off, most) = if self.is_turning() {
            let apart = farthest.hypot(off);
            // Great arcs that are beside each other are not so far apart everywhere as turns about one axis are.
            let angle = self.way.gone() + 2.0 * apart;
            let slack = off * (angle * (2.0 + angle) + 5.0 * apart + farthest) + apart.powi(3);
            (off + slack, Own { moved: still.moved, turned: apart + slack, away })
        } else {
            (off, Own { moved: farthest.hypot(off), turned: still.turned, away })
        };
        Some(Step { ends: [from, to], off, most })
    }

    const fn is_turning(&self) -> bool {
        matches!(self.space, Space::Turns { .. })
    }

    /// Notes how a joint is apart on the last step, between two times; nothing if that is not known.
    fn note(&self, times: [f64; 2], step: &Step, is_seen: bool, notes: &mut Notes<'_, '_>) -> Option<()> {
        let [from, to] = self.way.passed();
        let ends = [0, 1].map(|n: usize| End {
            time: times[n],
            parameter: [from, to][n],
            along: step.ends[n].along,
        });
        if is_seen {
            return self.note_arch(ends, step.off, HALVINGS, notes);
        }
        // What counts as a frame is on no arch.
        let [least, most] = self.way.arch(from, to)?.ahead;
        self.note_piece(ends, [0.0; 2], most.max(-least) + step.off, notes);
        Some(())
    }

    /// Notes how a joint is apart between two places, in halves where it is not well described by one arch.
    fn note_arch(&self, ends: [End; 2], off: f64, halvings: usize, notes: &mut Notes<'_, '_>) -> Option<()> {
        let [from, to] = ends;
        let Arch { height, slant, beside, ahead: [least, most] } =
            self.way.arch(from.parameter, to.parameter)?;
        let bend = most.max(-least);
        let loose = beside_arch(highest_along([height, slant]), beside, bend);
        let parameter = 0.5 * (from.parameter + to.parameter);
        if halvings > 0
            && loose > LOOSE * bend
            && let Some((passed, ahead)) = self.way.ahead(from.parameter, to.parameter, parameter)
        {
            let time = from.time + passed * (to.time - from.time);
            let along = from.along + passed * (to.along - from.along) - ahead;
            let middle = End { time, parameter, along };
            self.note_arch([from, middle], off, halvings - 1, notes)?;
            return self.note_arch([middle, to], off, halvings - 1, notes);
        }
        // What A is ahead of its chord is what B, which goes along its own, is behind.
        self.note_piece(ends, [-height, -slant], loose + off, notes);
        Some(())
    }

    fn note_piece(&self, [from, to]: [End; 2], arch: [f64; 2], loose: f64, notes: &mut Notes<'_, '_>) {
        let is_turning = self.is_turning();
        let loose = match is_turning {
            true => Size { moved: 0.0, turned: loose },
            false => Size { moved: loose, turned: 0.0 },
        };
        let (ends, blocks) = ([from.along, to.along], &notes.chains.blocks);
        let (from, to) = (from.time, to.time);
        if self.still == Twist::NOTHING {
            notes.chains.pieces.note_along(notes.place, &Along { from, to, ends, arch, loose }, blocks);
            return;
        }
        let along = |part: f64| match is_turning {
            true => Twist { moved: DVec3::ZERO, turned: self.direction * part },
            false => Twist { moved: self.direction * part, turned: DVec3::ZERO },
        };
        let [start, end] = ends.map(|end| self.still + along(end));
        let piece = Piece { from, to, ends: [start, end], arch: arch.map(along), loose };
        notes.chains.pieces.note(notes.place, &piece, blocks);
    }
}

/// How a joint is apart at a place on its way.
#[derive(Clone, Copy)]
struct End {
    time: f64,
    /// The curve's.
    parameter: f64,
    along: f64,
}

/// Where it is noted how the joint of a pair is apart.
struct Notes<'n, 'a> {
    place: usize,
    chains: &'n mut Chains<'a>,
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
        stretch: &mut Stretch<'_>,
    ) -> usize {
        let mut reached = instants.start;
        while let Some(mut run) = self.run(place, moments, reached) {
            let start = reached;
            if let Some(chains) = &mut stretch.chains {
                let part = usize::from(run.is_turning());
                chains.pieces.head(place, Direction { part, axis: run.direction.as_vec3a() });
            }
            for instant in start + 1..instants.end {
                let step = moments.quiet(instant).and_then(|instant| run.step_to(instant));
                let Some(step) = step else { break };
                if !self.is_less(place, &step.most) {
                    return reached;
                }
                if let Some(chains) = &mut stretch.chains {
                    let times = [reached, instant].map(|instant| moments.quiet_time(instant));
                    let is_seen = moments.is_seen_between(reached);
                    if run.note(times, &step, is_seen, &mut Notes { place, chains }).is_none() {
                        break;
                    }
                    chains.blocks.note_until(place, Seconds(times[1]), &step.most);
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
