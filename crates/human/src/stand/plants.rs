//! Stands of the feet and hands of a figure that takes the motion of another figure.
//!
//! A standing foot rolls: it turns about its ankle until the ball is down, and then about the ball. The joint
//! on the ground stays in place, and the ankle goes round this joint as the foot turns. The place is the mean
//! of the positions of the foot without the stand.

use super::contacts::{Contact, Contacts, Paths};
use crate::body::figure::Figure;
use crate::body::limb::{Limb, Placed, Stand, faded};
use crate::body::measures::at;
use crate::body::shape::Body;
use dopesheet_core::model::{HumanBone, NodeIndex};
use dopesheet_core::units::Seconds;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Distance that a standing joint may go in the source before the target's joint goes along, in lengths of
/// the leg: a joint that slides farther does so on purpose.
const SLACK: f64 = 0.05;
/// Speed of a joint at the ends of a stand above which the joint arrives or leaves already, in lengths of the
/// leg per second.
const LEAVING: f64 = 0.1;
/// Time at each end of a stand in which the joint may arrive or leave, in seconds.
const LEAVING_S: f64 = 0.1;

/// Depth of a sole in the ground from which on proportions are not the cause, in lengths of the leg.
const DEEPEST: f64 = 0.1;

/// A motion, and the bodies on both sides of its way.
pub(super) struct Plants<'a> {
    /// The source with all its bones.
    pub(super) source: Figure<'a>,
    pub(super) from: &'a Body<'a>,
    pub(super) to: &'a Body<'a>,
    /// Length of the target's legs, as a multiple of the source's.
    pub(super) ratio: f64,
    /// Height of the source's ground.
    pub(super) ground: f64,
    pub(super) paths: &'a Paths,
    pub(super) contacts: &'a Contacts,
    /// Times at which the motion is sampled, in seconds.
    pub(super) times: &'a [f64],
}

/// The standing joints of a foot or a hand, from time to time.
pub(crate) struct Footing {
    /// Stands in the source, each joint by itself.
    pub(crate) contacts: Vec<Contact>,
    /// True where the ankle or wrist stands, and true where the ball stands, at each time.
    down: Vec<[bool; 2]>,
    /// Height of the sole or the wrist above the ground at each time.
    heights: Vec<f64>,
    /// Lowest height of the sole above the ground, at a stand; negative infinity of hands.
    floor: f64,
    /// Share of the sole's height that counts at each time: all of the height while the sole is on the
    /// ground.
    touches: Vec<f64>,
    /// Heights of the ankle and of the ball of a foot flat on the ground; `None` of hands.
    flat: Option<[f64; 2]>,
    /// Vector by which the joint on the ground has slid on purpose, at each time.
    slid: Vec<DVec3>,
    /// From the foot's node to its ball, in the node's axes.
    ball: DVec3,
    up: DVec3,
}

impl Plants<'_> {
    /// The footing of a limb of the target.
    pub(crate) fn footing(&self, limb: &Limb) -> Option<Footing> {
        let [.., end] = limb.bones;
        let ball = limb.ball();
        let of = |bone| self.contacts.of(bone).copied().collect::<Vec<Contact>>();
        let stands = [of(end), ball.map(of).unwrap_or_default()];
        let path = self.way(end)?;
        let ball_way = ball.and_then(|ball| self.way(ball)).unwrap_or_else(|| path.clone());
        let [own_end, own_ball] = &stands;
        let down = self.standing(own_end, &path).into_iter().zip(self.standing(own_ball, &ball_way));
        let down: Vec<[bool; 2]> = down.map(<[bool; 2]>::from).collect();
        let sole = self.sole(limb);
        let (heights, floor) = self.heights(limb, sole, [&path, &ball_way]);
        let ankle = self.to.ankle;
        let flat =
            limb.ball().map(|_| [ankle, sole.map_or(f64::NEG_INFINITY, |[_, target]| ankle + target.y)]);
        let after = self.to.bones.get(&end).map(|bone| self.to.after(bone.node, bone.correction));
        let touches = |time: &f64| {
            let [end, ball] = stands.each_ref().map(|contacts| touch(contacts, *time));
            end.max(ball)
        };
        Some(Footing {
            touches: self.times.iter().map(touches).collect(),
            slid: self.slid(&down, [&path, &ball_way]),
            down,
            heights,
            floor,
            flat,
            ball: after.unwrap_or(DQuat::IDENTITY) * sole.unwrap_or_default()[1],
            up: self.to.up(),
            contacts: stands.into_iter().flatten().collect(),
        })
    }

    /// True for each time at which a joint is down, without the ends of stands at which the joint arrives or
    /// leaves.
    fn standing(&self, contacts: &[Contact], way: &[DVec3]) -> Vec<bool> {
        let is_down = |time: &f64| {
            let next = contacts.partition_point(|contact| contact.end.0 < *time);
            contacts.get(next).is_some_and(|contact| contact.start.0 <= *time)
        };
        let mut down: Vec<bool> = self.times.iter().map(is_down).collect();
        let samples: Vec<(f64, DVec3)> = self.times.iter().copied().zip(way.iter().copied()).collect();
        for run in runs(&down, |down| *down) {
            let (Some(samples), Some(down)) = (samples.get(run.clone()), down.get_mut(run)) else { continue };
            let (arriving, leaving) = self.ends(samples);
            down.iter_mut().take(arriving).for_each(|down| *down = false);
            down.iter_mut().rev().take(leaving).for_each(|down| *down = false);
        }
        down
    }

    /// Number of times at the start of a stand at which the joint arrives, and number of times at its end at
    /// which the joint leaves.
    fn ends(&self, samples: &[(f64, DVec3)]) -> (usize, usize) {
        let (Some((start, _)), Some((end, _))) = (samples.first(), samples.last()) else { return (0, 0) };
        let is_near = |time: &f64, end: &f64| (time - end).abs() <= LEAVING_S;
        let leg = self.from.leg();
        let is_fast = |[(a, from), (b, to)]: &[(f64, DVec3); 2]| to.distance(*from) > LEAVING * leg * (b - a);
        let pairs = samples.array_windows();
        let arrives = |pair: &&[(f64, DVec3); 2]| is_near(&pair[0].0, start) && is_fast(pair);
        let leaves = |pair: &&[(f64, DVec3); 2]| is_near(&pair[1].0, end) && is_fast(pair);
        let arriving = pairs.clone().take_while(arrives).count();
        (arriving, pairs.skip(arriving).rev().take_while(leaves).count())
    }

    /// Vectors from foot to ball in the T-pose: the source's in the target's size, and the target's, or again
    /// the source's if the target has no toes.
    fn sole(&self, limb: &Limb) -> Option<[DVec3; 2]> {
        let source = sole(self.source, self.from, limb)? * self.ratio;
        Some([source, sole(self.to.figure, self.to, limb).unwrap_or(source)])
    }

    /// The way of a joint of the source, facing +Z.
    fn way(&self, bone: HumanBone) -> Option<Vec<DVec3>> {
        Some(self.paths.path(bone)?.iter().map(|position| self.from.facing * *position).collect())
    }

    /// Heights of the target's sole or wrist above the ground by the ankle or wrist and the ball of the
    /// source, and the lowest height of a sole. A foot stands flat where both joints are lowest, and rolls on
    /// the lower joint.
    fn heights(&self, limb: &Limb, sole: Option<[DVec3; 2]>, [end, ball]: [&[DVec3]; 2]) -> (Vec<f64>, f64) {
        let (Some(_), [Some(ankle_low), ball_low]) = (limb.ball(), self.contacts.heights) else {
            return (end.iter().map(|end| self.ratio * (end.y - self.ground)).collect(), f64::NEG_INFINITY);
        };
        let flat = self.from.ankle;
        let ball_low = sole.zip(ball_low).map(|([source, _], low)| (low, low - source.y / self.ratio));
        let lowest = ball_low.map_or(ankle_low, |(_, as_flat)| ankle_low.min(as_flat)) - flat;
        let floor = self.ratio * (lowest - self.ground);
        let height = |(end, ball): (&DVec3, &DVec3)| {
            let (end, ball) = (end.y - ankle_low, ball_low.map(|(low, _)| ball.y - low));
            floor + self.ratio * ball.map_or(end, |ball| ball.min(end))
        };
        (end.iter().zip(ball).map(height).collect(), floor)
    }

    /// Vector by which a standing joint has gone in the source, in the target's size, less mere unsteadiness,
    /// at each time.
    fn slid(&self, down: &[[bool; 2]], [end, ball]: [&[DVec3]; 2]) -> Vec<DVec3> {
        let slack = SLACK * self.to.leg();
        let into = self.to.facing.conjugate();
        let (mut gone, mut dragged) = (DVec3::ZERO, DVec3::ZERO);
        let mut all = vec![DVec3::ZERO; down.len()];
        let ways = end.array_windows().zip(ball.array_windows());
        for ((pair, slid), ([end, next_end], [ball, next_ball])) in
            down.array_windows().zip(all.iter_mut().skip(1)).zip(ways)
        {
            match pivot(*pair) {
                Some(Pivot::End) => gone += next_end - end,
                Some(Pivot::Ball) => gone += next_ball - ball,
                None => (gone, dragged) = (DVec3::ZERO, DVec3::ZERO),
            }
            let on_ground = (gone * self.ratio).with_y(0.0) - dragged;
            let too_far = (on_ground.length() - slack).max(0.0);
            dragged += on_ground.normalize_or_zero() * too_far;
            *slid = into * dragged;
        }
        all
    }
}

/// From a foot to its ball at rest, with the foot in the T-pose.
fn sole(figure: Figure<'_>, body: &Body<'_>, limb: &Limb) -> Option<DVec3> {
    let [.., foot] = limb.bones;
    let along = figure.way(&body.rest, [foot, limb.ball()?])?;
    Some(body.bones.get(&foot)?.correction * (body.facing * along))
}

/// The joint about which a foot turns on the ground.
#[derive(Clone, Copy, PartialEq)]
enum Pivot {
    End,
    Ball,
}

/// The joint about which a foot turns from a time to the next; `None` off the ground.
fn pivot(down: [[bool; 2]; 2]) -> Option<Pivot> {
    match down {
        [[_, true], [_, true]] => Some(Pivot::Ball),
        [from, to] if from.contains(&true) && to.contains(&true) => Some(Pivot::End),
        _ => None,
    }
}

/// Index ranges of the runs of elements for which a test is true.
fn runs<T>(down: &[T], is_down: impl Fn(&T) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0usize;
    for group in down.chunk_by(|a, b| is_down(a) == is_down(b)) {
        let end = start.saturating_add(group.len());
        if group.first().is_some_and(&is_down) {
            runs.push(start..end);
        }
        start = end;
    }
    runs
}

impl Footing {
    /// The stands of the ankle or wrist on the target, given how its limb goes without them.
    pub(crate) fn stands(&self, node: NodeIndex, times: &[f64], placed: &[Placed]) -> Vec<Stand> {
        let mut stands = Vec::new();
        for run in runs(&self.down, |down| down.contains(&true)) {
            let (Some(times), Some(placed)) = (times.get(run.clone()), placed.get(run.clone())) else {
                continue;
            };
            if times.len() > 1 {
                stands.push(Stand { node, times: times.to_vec(), places: self.places(run, placed) });
            }
        }
        stands
    }

    /// Positions of the ankle or wrist during a stand.
    fn places(&self, run: Range<usize>, placed: &[Placed]) -> Vec<DVec3> {
        let (heights, slid) = (self.heights.get(run.clone()), self.slid.get(run.clone()));
        let (Some(heights), Some(slid @ [slid_before, ..]), Some(down)) = (heights, slid, self.down.get(run))
        else {
            return Vec::new();
        };
        let level = |vector: DVec3| vector - self.up * vector.dot(self.up);
        let mut offset = DVec3::ZERO;
        let mut places = vec![offset];
        for (([from, to], down), slid) in
            placed.array_windows().zip(down.array_windows()).zip(slid.iter().skip(1))
        {
            if pivot(*down) == Some(Pivot::Ball) {
                offset += self.arm(from) - self.arm(to);
            }
            places.push(offset + slid - slid_before);
        }
        let off =
            placed.iter().zip(&places).map(|(placed, position)| placed.places[2] - position).sum::<DVec3>();
        let anchor = off / placed.len() as f64;
        // Soles have heights of their own.
        let lift = |(position, height): (DVec3, &f64)| level(position + anchor) + self.up * *height;
        places.into_iter().zip(heights).map(lift).collect()
    }

    /// Vector up or down that brings the sole of a foot on the ground to the height of the source's sole,
    /// given the limb without correction and the position to which its ankle comes. A foot not yet on the
    /// ground comes no lower than the ground and the source's own height. Zero for a hand.
    pub(crate) fn lift(&self, (times, time): (&[f64], f64), placed: &Placed, ankle: DVec3) -> DVec3 {
        if self.flat.is_none() {
            return DVec3::ZERO;
        }
        let (rise, [.., free]) = (self.rise(placed), placed.places);
        let sole = at(times, &self.heights, time);
        let above = sole.max(self.floor) + rise - free.dot(self.up);
        let height = free.dot(self.up) + above * at(times, &self.touches, time);
        let depth = sole.min(self.floor) + rise - height;
        let deeper = if (0.0..DEEPEST * placed.longest()).contains(&depth) { depth } else { 0.0 };
        self.up * (height + deeper - ankle.dot(self.up))
    }

    /// Height of the ankle above the lowest point of its sole, as the foot is turned.
    fn rise(&self, placed: &Placed) -> f64 {
        self.flat.map_or(0.0, |[ankle, ball]| ankle.max(ball - self.arm(placed).dot(self.up)))
    }

    /// Distance of the ball from the ankle.
    pub(crate) fn length(&self) -> f64 {
        self.ball.length()
    }

    /// From the ankle to the ball.
    fn arm(&self, placed: &Placed) -> DVec3 {
        placed.rotations[2] * self.ball
    }

    /// Largest horizontal distance by which the foot slides during a stand in the source, and the time of the
    /// largest distance.
    pub(crate) fn slide(&self, contact: &Contact, times: &[f64], placed: &[Placed]) -> (f64, Seconds) {
        let first = times.partition_point(|time| *time < contact.start.0);
        let last = times.partition_point(|time| *time <= contact.end.0);
        let (mut gone, mut largest) = (DVec3::ZERO, (0.0, contact.start));
        let (Some(times), Some(placed)) = (times.get(first..last), placed.get(first..last)) else {
            return largest;
        };
        let (Some(down), Some(slid)) = (self.down.get(first..last), self.slid.get(first..last)) else {
            return largest;
        };
        let steps = down.array_windows().zip(placed.array_windows()).zip(slid.array_windows());
        for (((down, [from, to]), [slid_before, slid]), time) in steps.zip(times.iter().skip(1)) {
            let Some(about) = pivot(*down) else { continue };
            gone += to.places[2] - from.places[2] + slid_before - slid;
            if about == Pivot::Ball {
                gone += self.arm(to) - self.arm(from);
            }
            let off = (gone - self.up * gone.dot(self.up)).length();
            if off > largest.0 {
                largest = (off, Seconds(*time));
            }
        }
        largest
    }
}

/// Share of the nearest contact that counts at a time: the whole share during the contact, and less and less before and
/// behind.
fn touch(contacts: &[Contact], time: f64) -> f64 {
    let next = contacts.partition_point(|contact| contact.end.0 < time);
    let near = contacts.get(next.saturating_sub(1)..).into_iter().flatten().take(2);
    let off = |contact: &Contact| (contact.start.0 - time).max(time - contact.end.0).max(0.0);
    faded(near.map(off).fold(f64::INFINITY, f64::min))
}
