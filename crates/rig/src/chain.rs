//! Chains of joints, turned until their effector is at its goal.
//!
//! Cyclic coordinate descent: each link in turn is rotated so that the effector comes nearer to the line from
//! the link to the goal, by no more than the chain's step times the link's number. The further rules (the
//! least number of rounds, the early end of a chain, the first position of an effector) follow observations
//! of MikuMikuDance, see [`Behaviour`].

use crate::behaviour::{Aligned, Behaviour};
use crate::joint::{Joint, Step};
use crate::limit::{Limit, signed};
use crate::place::{RestNode, at_rest_and_now, seen_from_scene};
use crate::pose::SolvedPose;
use crate::turn::direction;
use glam::{DQuat, DVec3};

/// Squared distance from effector to goal, in units of the model: below this distance the goal counts as
/// reached.
const REACHED: f64 = 1e-8;
/// Squared distance between the unit directions to effector and goal: below this distance the directions
/// count as equal.
const IN_LINE: f64 = 1e-7;
/// Squared sine of the angle between two directions: below this value the directions have no axis between
/// them.
const NO_AXIS: f64 = 1e-8;

/// A chain, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) goal: usize,
    pub(crate) effector: usize,
    /// The parent of the topmost link.
    pub(crate) base: Option<usize>,
    /// The joints from the topmost link to the effector.
    pub(crate) path: Vec<usize>,
    pub(crate) links: Vec<Link>,
    pub(crate) rounds: u32,
    pub(crate) behaviour: Behaviour,
    /// The slot of the effector's first position, if different from the present position.
    pub(crate) watched: Option<usize>,
    /// Effectors of chains on the path: position on the path and slot.
    pub(crate) refreshes: Vec<(usize, usize)>,
    /// The append of the effector, to be undone when the chain moves the effector.
    pub(crate) effector_share: Option<usize>,
}

/// A link, compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) node: usize,
    /// Position on the chain's path.
    pub(crate) at: usize,
    pub(crate) limit: Option<Limit>,
    pub(crate) axis: Option<DVec3>,
    pub(crate) largest_turn: LargestTurn,
}

/// The largest turn of a link in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LargestTurn {
    angle_rad: f64,
    /// The cosine of the turn; −2 where any turn is allowed, 2 where no turn is small enough.
    cos: f64,
    half: (f64, f64),
}

impl LargestTurn {
    pub(crate) fn new(angle_rad: f64) -> Self {
        let cos = match angle_rad {
            a if a >= std::f64::consts::PI => -2.0,
            a if a <= 0.0 => 2.0,
            a => libm::cos(a),
        };
        Self { angle_rad, cos, half: libm::sincos(angle_rad * 0.5) }
    }

    /// Sine and cosine of half the angle between two unit vectors, where `apart` is the squared length of
    /// their difference; limited to half the largest turn.
    fn half_turn(&self, apart: f64) -> (f64, f64) {
        if 1.0 - 0.5 * apart < self.cos {
            return self.half;
        }
        let square = (apart * 0.25).min(1.0);
        (square.sqrt(), (1.0 - square).sqrt())
    }
}

/// Outcome of a link's turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkOutcome {
    Yes,
    No,
    ChainEnds,
}

/// State of a chain during solving.
struct Progress<'a> {
    path: &'a mut [Step],
    base: DQuat,
    goal: DVec3,
    effector: DVec3,
    moved: bool,
}

impl Chain {
    /// The joints turned by the chain.
    pub(crate) fn turned(&self) -> impl Iterator<Item = usize> + '_ {
        self.links.iter().map(|link| link.node)
    }

    /// Turns the links; the rotations of the joints on the path are replaced.
    pub(crate) fn solve(&self, nodes: &[RestNode], out: &mut SolvedPose) {
        let (_, goal) = seen_from_scene(nodes, &out.state, self.goal);
        let base =
            self.base.map_or((DQuat::IDENTITY, DVec3::ZERO), |b| seen_from_scene(nodes, &out.state, b));
        let Some(path) = out.path.get_mut(..self.path.len()) else { return };
        let effector = self.lay_out(nodes, &out.state, base, path);
        let seen = self.watched.and_then(|slot| out.seen.get(slot).copied());
        let mut progress =
            Progress { path, base: base.0, goal, effector: seen.unwrap_or(effector), moved: false };
        self.run(&mut progress);
        if progress.moved {
            self.hand_on(out);
        }
    }

    /// Places the joints on the path and yields the position of the effector.
    fn lay_out(&self, nodes: &[RestNode], state: &[Joint], base: (DQuat, DVec3), path: &mut [Step]) -> DVec3 {
        let (mut turn, mut at) = base;
        for (step, node) in path.iter_mut().zip(&self.path) {
            let Some((node, joint)) = at_rest_and_now(nodes, state, *node) else { continue };
            at += turn * joint.translation;
            turn = node.frame(turn) * joint.turn;
            *step = Step { joint: *joint, rest: node.turn, turn, at };
        }
        at
    }

    /// Hands the turned path on to the joints, and the effectors on the path to their slots.
    fn hand_on(&self, out: &mut SolvedPose) {
        for link in &self.links {
            if let (Some(joint), Some(step)) = (out.state.get_mut(link.node), out.path.get(link.at)) {
                joint.turn = step.joint.turn.normalize();
            }
        }
        if let Some(shared) = self.effector_share.and_then(|share| out.shared.get_mut(share))
            && let Some(joint) = out.state.get_mut(self.effector)
        {
            shared.leave_out(joint);
        }
        for (at, slot) in &self.refreshes {
            if let (Some(seen), Some(step)) = (out.seen.get_mut(*slot), out.path.get(*at)) {
                *seen = step.at;
            }
        }
    }

    fn run(&self, progress: &mut Progress<'_>) {
        for round in 0..self.rounds {
            if progress.goal.distance_squared(progress.effector) < REACHED {
                return;
            }
            let mirror = round < self.rounds / 2;
            for link in &self.links {
                match self.turn(link, mirror, progress) {
                    LinkOutcome::Yes => progress.follow(link.at),
                    LinkOutcome::No => {}
                    LinkOutcome::ChainEnds => return,
                }
            }
        }
    }

    fn turn(&self, link: &Link, mirror: bool, progress: &mut Progress<'_>) -> LinkOutcome {
        let Some((above, [step, ..])) = progress.path.split_at_mut_checked(link.at) else {
            return LinkOutcome::No;
        };
        let frame = step.frame(above.last().map_or(progress.base, |parent| parent.turn));
        let (from, to) = (direction(step.at - progress.effector), direction(step.at - progress.goal));
        let apart = from.distance_squared(to);
        if apart < IN_LINE && self.behaviour.when_aligned() == Aligned::Ends {
            return LinkOutcome::ChainEnds;
        }
        let across = from.cross(to);
        if across.length_squared() < NO_AXIS {
            return LinkOutcome::No;
        }
        let turned = link.step(frame, across, apart, mirror) * step.joint.turn;
        step.joint.turn = link.limit.map_or(turned, |limit| limit.apply(turned, mirror));
        LinkOutcome::Yes
    }
}

impl Progress<'_> {
    /// Brings the path up to date from a turned link.
    fn follow(&mut self, from: usize) {
        let Some((above, [link, between @ .., effector])) = self.path.split_at_mut_checked(from) else {
            return;
        };
        link.turn = link.frame(above.last().map_or(self.base, |parent| parent.turn)) * link.joint.turn;
        let (mut turn, mut at) = (link.turn, link.at);
        for step in between {
            at += turn * step.joint.translation;
            turn = step.frame(turn) * step.joint.turn;
            (step.turn, step.at) = (turn, at);
        }
        effector.at = at + turn * effector.joint.translation;
        self.effector = effector.at;
        self.moved = true;
    }
}

impl Link {
    /// The turn of a step, in the joint's own frame at rest: about the normal of the two directions, or about
    /// the axis of the link.
    ///
    /// A single-axis limit replaces the axis in the first half of the rounds. A link with a fixed axis turns
    /// by the component of the free turn about the fixed axis, so that a link with an axis across the free
    /// turn does not turn.
    fn step(&self, frame: DQuat, across: DVec3, apart: f64, mirror: bool) -> DQuat {
        let single = self.limit.and_then(|limit| limit.single).filter(|_| mirror);
        if let (None, Some(axis)) = (single, self.axis) {
            let whole = 2.0 * libm::asin((apart.sqrt() * 0.5).min(1.0));
            let part = direction(across).dot(frame * axis) * whole;
            return DQuat::from_axis_angle(axis, part.abs().min(self.largest_turn.angle_rad).copysign(part));
        }
        let axis = match single {
            Some(axis) => signed(axis, across.dot(frame * axis)),
            None => direction(frame.conjugate() * across),
        };
        let (sin, cos) = self.largest_turn.half_turn(apart);
        let v = axis * sin;
        DQuat::from_xyzw(v.x, v.y, v.z, cos)
    }
}
