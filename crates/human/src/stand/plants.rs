//! Stands of the feet and hands of a figure that takes the motion of another figure.
//!
//! A standing foot rolls: it turns about its ankle until the ball is down, and then about the ball. The joint
//! on the ground stays in place, and the ankle goes round this joint as the foot turns. The place is the mean
//! of the positions of the foot without the stand.

use super::contacts::{Contact, Contacts, Paths};
use crate::body::figure::Figure;
use crate::body::limb::{FADE_S, Limb, Placed, Stand, faded};
use crate::body::measures::at;
use crate::body::shape::Body;
use dopesheet_core::model::{HumanBone, NodeIndex};
use dopesheet_core::units::Seconds;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Distance that a joint on the ground may go in the source before the target's joint goes along, in lengths of
/// the leg: a joint that slides farther does so on purpose.
const SLACK: f64 = 0.05;
/// Speed of a joint at the ends of a stand above which the joint arrives or leaves already, in lengths of the
/// leg per second.
const LEAVING: f64 = 0.1;
/// Time at each end of a stand in which the joint may arrive or leave, in seconds.
const LEAVING_S: f64 = 0.1;

/// Height of a sole above its lowest position in a stand up to which the foot is still on the ground, in lengths of the leg: a source's
/// own jitter, and the height of a ball whose toes push off.
const TOUCHING: f64 = 0.02;
/// Longest time on either side of a stand in which a foot on the ground belongs to the stand, in seconds.
const BESIDE_S: f64 = 0.2;
/// Speed of both joints of a low foot from which on the foot flies, in lengths of the leg per second.
const FLYING: f64 = 1.0;

/// Largest angle in radians by which a thigh or a shin turns for a stand: 15°. A leg turned farther looks broken, and its foot slides
/// instead.
const TURNED_RAD: f64 = 0.262;
/// Length in metres by which a held foot may slide farther than the same foot unheld: no eye sees it.
const FARTHER_M: f64 = 0.001;

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
    /// Times of the stands, ascending.
    touchdowns: Vec<Touchdown>,
    /// The joint about which the foot turns from each time to the next.
    pivots: Vec<Option<Pivot>>,
    /// Height of the sole or the wrist above the ground at each time.
    heights: Vec<f64>,
    /// Lowest height of the sole above the ground, at a stand; negative infinity of hands.
    floor: f64,
    /// First and last time of each contact that is kept.
    grounded: Vec<[f64; 2]>,
    /// Share of the sole's height that counts at each time: all of the height while the sole is on the
    /// ground.
    touches: Vec<f64>,
    /// The same share by all contacts, kept or not.
    on_ground: Vec<f64>,
    /// Heights of the ankle and of the ball of a foot flat on the ground; `None` of hands.
    flat: Option<[f64; 2]>,
    /// Vector by which the joint on the ground has slid on purpose, at each time.
    slid: Vec<DVec3>,
    /// From the foot's node to its ball, in the node's axes.
    ball: DVec3,
    up: DVec3,
}

/// A stand of a foot or a hand, by its ankle or its ball, as ranges of times.
struct Touchdown {
    /// Times at which a joint stands still.
    still: Range<usize>,
    /// Times at which the sole is on the ground: those, and the ones beside at which the foot arrives or leaves.
    contact: Range<usize>,
    is_held: bool,
}

impl Touchdown {
    /// First and last time of the contact.
    fn span(&self, times: &[f64]) -> Option<[f64; 2]> {
        let times = times.get(self.contact.clone())?;
        Some([*times.first()?, *times.last()?])
    }
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
        let touchdowns = self.touchdowns(&down, &heights, [&path, &ball_way]);
        let (pivots, slid) = self.steps(&down, &touchdowns, [&path, &ball_way]);
        let contacts = stands.into_iter().flatten().collect::<Vec<Contact>>();
        let spans = contacts.iter().map(|contact| [contact.start.0, contact.end.0]);
        let whole = touchdowns.iter().filter_map(|touchdown| touchdown.span(self.times));
        let grounded: Vec<[f64; 2]> = spans.chain(whole).collect();
        let on_ground: Vec<f64> = self.times.iter().map(|time| touch(&grounded, *time)).collect();
        Some(Footing {
            touches: on_ground.clone(),
            on_ground,
            grounded,
            slid,
            touchdowns,
            pivots,
            heights,
            floor,
            flat,
            ball: after.unwrap_or(DQuat::IDENTITY) * sole.unwrap_or_default()[1],
            up: self.to.up(),
            contacts,
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

    /// The stands of a limb, each as long as its sole is on the ground. Stands less than the time of a fade apart are one.
    fn touchdowns(&self, down: &[[bool; 2]], heights: &[f64], ways: [&[DVec3]; 2]) -> Vec<Touchdown> {
        let time = |at: usize| self.times.get(at).copied().unwrap_or(f64::INFINITY);
        let end = |still: &Range<usize>| time(still.end.saturating_sub(1));
        let mut stills: Vec<Range<usize>> = Vec::new();
        for run in runs(down, |down| down.contains(&true)) {
            match stills.last_mut() {
                Some(last) if time(run.start) - end(last) <= FADE_S => last.end = run.end,
                _ => stills.push(run),
            }
        }
        stills.retain(|still| still.len() > 1);
        let mut touchdowns = Vec::new();
        for (index, still) in stills.iter().enumerate() {
            let before =
                index.checked_sub(1).and_then(|before| stills.get(before)).map_or(f64::NEG_INFINITY, end);
            let behind =
                stills.get(index.saturating_add(1)).map_or(f64::INFINITY, |behind| time(behind.start));
            // Between two stands remains the time of a fade.
            let first = (time(still.start) - BESIDE_S).max((before + time(still.start) + FADE_S) / 2.0);
            let last = (end(still) + BESIDE_S).min((behind + end(still) - FADE_S) / 2.0);
            let lowest =
                heights.get(still.clone()).unwrap_or_default().iter().copied().fold(f64::INFINITY, f64::min);
            let touches = |at: &usize| {
                let is_low =
                    heights.get(*at).is_some_and(|height| *height <= lowest + TOUCHING * self.to.leg());
                is_low && (first..=last).contains(&time(*at))
            };
            let is_slow = |at: usize| {
                let speeds = ways.map(|way| match (way.get(at..), self.times.get(at..)) {
                    (Some([from, to, ..]), Some([start, end, ..])) => to.distance(*from) / (end - start),
                    _ => f64::INFINITY,
                });
                speeds.into_iter().any(|speed| speed <= FLYING * self.from.leg())
            };
            let arriving = (0..still.start).rev().take_while(|at| touches(at) && is_slow(*at)).count();
            let leaving = still.end..heights.len();
            let leaving = leaving.take_while(|at| touches(at) && is_slow(at.saturating_sub(1))).count();
            let contact = still.start.saturating_sub(arriving)..still.end.saturating_add(leaving);
            touchdowns.push(Touchdown { still: still.clone(), contact, is_held: true });
        }
        touchdowns
    }

    /// The joint about which the foot turns from each time to the next while it is on the ground, and the vector by which this joint
    /// has gone in the source, in the target's size, at each time: while it stands, less mere unsteadiness.
    fn steps(
        &self,
        down: &[[bool; 2]],
        touchdowns: &[Touchdown],
        [end, ball]: [&[DVec3]; 2],
    ) -> (Vec<Option<Pivot>>, Vec<DVec3>) {
        let slack = SLACK * self.to.leg();
        let into = self.to.facing.conjugate();
        let (mut gone, mut dragged) = (DVec3::ZERO, DVec3::ZERO);
        let (mut pivots, mut slid) = (Vec::new(), vec![DVec3::ZERO]);
        let ways = end.array_windows().zip(ball.array_windows());
        for (at, (pair, ([end, next_end], [ball, next_ball]))) in down.array_windows().zip(ways).enumerate() {
            let [end, ball] = [next_end - end, next_ball - ball].map(|step| (step * self.ratio).with_y(0.0));
            let stands = pivot(*pair);
            // A foot that arrives or leaves turns about the joint that goes less far.
            let nearer = if ball.length() < end.length() { Pivot::Ball } else { Pivot::End };
            let is_on_ground = touchdowns.iter().any(|touchdown| {
                touchdown.contact.contains(&at) && touchdown.contact.contains(&at.saturating_add(1))
            });
            let about = stands.or(is_on_ground.then_some(nearer));
            let step = about.map(|about| if about == Pivot::Ball { ball } else { end });
            (gone, dragged) = step.map_or_else(Default::default, |step| (gone + step, dragged));
            if stands.is_none() {
                dragged += step.unwrap_or_default();
            }
            let too_far = ((gone - dragged).length() - slack).max(0.0);
            dragged += (gone - dragged).normalize_or_zero() * too_far;
            pivots.push(about);
            slid.push(into * dragged);
        }
        for touchdown in touchdowns {
            let slid = slid.get_mut(touchdown.contact.clone()).unwrap_or_default();
            let first = slid.first().copied().unwrap_or_default();
            if slid.iter().all(|at| at.distance(first) <= slack) {
                slid.fill(first);
            }
        }
        (pivots, slid)
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
        let stand = |touchdown: &Touchdown| {
            let Touchdown { still, contact, .. } = touchdown;
            let of = |range: &Range<usize>| Some((times.get(range.clone())?, placed.get(range.clone())?));
            let (times, placed) = of(contact)?;
            let still = still.start.checked_sub(contact.start)?..still.end.checked_sub(contact.start)?;
            Some(Stand { node, times: times.to_vec(), places: self.places(contact.clone(), still, placed)? })
        };
        self.touchdowns.iter().filter(|touchdown| touchdown.is_held).filter_map(stand).collect()
    }

    /// Positions of the ankle or wrist during a contact, around its mean position without the contact while it is `still`.
    fn places(&self, contact: Range<usize>, still: Range<usize>, placed: &[Placed]) -> Option<Vec<DVec3>> {
        let (heights, slid) = (self.heights.get(contact.clone())?, self.slid.get(contact.clone())?);
        let (pivots, slid_before) = (self.pivots.get(contact.start..)?, slid.first()?);
        let level = |vector: DVec3| vector - self.up * vector.dot(self.up);
        let mut offset = DVec3::ZERO;
        let mut places = vec![offset];
        for (([from, to], about), slid) in placed.array_windows().zip(pivots).zip(slid.iter().skip(1)) {
            if *about == Some(Pivot::Ball) {
                offset += self.arm(from) - self.arm(to);
            }
            places.push(offset + slid - slid_before);
        }
        let off = placed.iter().zip(&places).map(|(placed, position)| placed.places[2] - position);
        let anchor = off.skip(still.start).take(still.len()).sum::<DVec3>() / still.len() as f64;
        // Soles have heights of their own.
        let lift = |(position, height): (DVec3, &f64)| level(position + anchor) + self.up * *height;
        Some(places.into_iter().zip(heights).map(lift).collect())
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
        let height = free.dot(self.up) + above * self.touches((times, time));
        let depth = sole.min(self.floor) + rise - height;
        let deeper = if (0.0..DEEPEST * placed.longest()).contains(&depth) { depth } else { 0.0 };
        self.up * (height + deeper - ankle.dot(self.up))
    }

    /// Share of the sole's height that counts at a time.
    pub(crate) fn touches(&self, (times, time): (&[f64], f64)) -> f64 {
        at(times, &self.touches, time)
    }

    /// Share of the nearest contact that counts at a time, held or not.
    pub(crate) fn on_ground(&self, (times, time): (&[f64], f64)) -> f64 {
        at(times, &self.on_ground, time)
    }

    /// Part of a shift of the hips with which a foot goes: all of the shift in the air, but no lower than the ground, and none on the
    /// ground, held or not.
    pub(crate) fn hangs(&self, (times, time): (&[f64], f64), shift: DVec3) -> DVec3 {
        let clear = (at(times, &self.heights, time) - self.floor).max(0.0);
        let high = shift.dot(self.up);
        (shift - self.up * (high - high.max(-clear))) * (1.0 - self.on_ground((times, time)))
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

    /// Lets go of the stands that do more harm than good: with the limb held, the foot slides farther in all of its contact with the
    /// ground, or a bone of the limb turns by more than [`TURNED_RAD`]. Yields their times.
    pub(crate) fn let_go(&mut self, times: &[f64], placed: &[Placed], held: &[Placed]) -> Vec<[f64; 2]> {
        let pairs = times.iter().zip(placed.iter().zip(held));
        let turned = pairs.filter(|(_, (placed, held))| held.angle_from(placed) > TURNED_RAD);
        let turned: Vec<f64> = turned.map(|(time, _)| *time).collect();
        let slides_farther = |touchdown: &&Touchdown| {
            let slid = |placed| self.slide_in(touchdown.contact.clone(), times, placed);
            let [before, after] = [placed, held].map(|placed| slid(placed).map_or(0.0, |(slid, _)| slid));
            touchdown.is_held && after > before + FARTHER_M
        };
        let farther =
            self.touchdowns.iter().filter(slides_farther).filter_map(|touchdown| touchdown.span(times));
        let farther: Vec<[f64; 2]> = farther.collect();
        let goes = |span: &[f64; 2]| {
            let near = [span[0] - FADE_S, span[1] + FADE_S];
            turned.iter().any(|time| overlap(&near, &[*time; 2]))
                || farther.iter().any(|other| overlap(other, span))
        };
        let mut gone = Vec::new();
        for touchdown in self.touchdowns.iter_mut().filter(|touchdown| touchdown.is_held) {
            if let Some(span) = touchdown.span(times).filter(&goes) {
                touchdown.is_held = false;
                gone.push(span);
            }
        }
        self.grounded.retain(|span| !goes(span) && !gone.iter().any(|other| overlap(other, span)));
        self.touches = times.iter().map(|time| touch(&self.grounded, *time)).collect();
        gone
    }

    /// Largest horizontal distance by which the foot slides during a stand in the source, with all of the time around it in which the
    /// sole is on the ground, and the time of the largest distance.
    pub(crate) fn slide(&self, contact: &Contact, times: &[f64], placed: &[Placed]) -> (f64, Seconds) {
        let first = times.partition_point(|time| *time < contact.start.0);
        let last = times.partition_point(|time| *time <= contact.end.0);
        let around = self.touchdowns.iter().map(|touchdown| &touchdown.contact);
        let around = around.filter(|around| around.start < last && first < around.end);
        let range =
            around.fold(first..last, |all, around| all.start.min(around.start)..all.end.max(around.end));
        self.slide_in(range, times, placed).unwrap_or((0.0, contact.start))
    }

    /// As [`Footing::slide`], over a range of times.
    fn slide_in(&self, range: Range<usize>, times: &[f64], placed: &[Placed]) -> Option<(f64, Seconds)> {
        let (times, placed) = (times.get(range.clone())?, placed.get(range.clone())?);
        let (pivots, slid) = (self.pivots.get(range.start..)?, self.slid.get(range)?);
        let (mut gone, mut largest) = (DVec3::ZERO, (0.0, Seconds(*times.first()?)));
        let steps = pivots.iter().zip(placed.array_windows()).zip(slid.array_windows());
        for (((about, [from, to]), [slid_before, slid]), time) in steps.zip(times.iter().skip(1)) {
            let Some(about) = about else { continue };
            gone += to.places[2] - from.places[2] + slid_before - slid;
            if *about == Pivot::Ball {
                gone += self.arm(to) - self.arm(from);
            }
            let off = (gone - self.up * gone.dot(self.up)).length();
            if off > largest.0 {
                largest = (off, Seconds(*time));
            }
        }
        Some(largest)
    }
}

fn overlap([start, end]: &[f64; 2], [other_start, other_end]: &[f64; 2]) -> bool {
    start <= other_end && other_start <= end
}

/// Share of the nearest contact that counts at a time: the whole share during the contact, and less and less before and
/// behind.
fn touch(contacts: &[[f64; 2]], time: f64) -> f64 {
    let off = |[start, end]: &[f64; 2]| (start - time).max(time - end).max(0.0);
    faded(contacts.iter().map(off).fold(f64::INFINITY, f64::min), FADE_S)
}
