//! Joints that stand alone, where one follows an eased way with straight segments: what bounds them along many at once.

use super::Joints;
use crate::apart::blocks::Own;
use crate::apart::field::Twist;
use crate::apart::moments::Moments;
use crate::apart::stage::{BesideWays, Joint, Local, Onto};
use crate::beside::Beside;
use crate::segment::{Follower, StraightKeys};
use std::ops::Range;

/// A joint that goes along one eased way in A, and from key to key in B.
struct Run<'a> {
    way: Follower,
    keys: StraightKeys<'a>,
    onto: [Onto; 2],
    /// Both sides at the last key.
    locals: [Local; 2],
    twist: Twist,
}

impl<'a> Run<'a> {
    /// From a time on, at which B has a key, to another that is on the same way of A.
    fn new([a, b]: [&mut Joint<'a>; 2], times: [f64; 2]) -> Option<Self> {
        let locals = [a.local, b.local];
        let ((a, onto_a), (b, onto_b)) = (a.only_lane()?, b.only_lane()?);
        if onto_a.is_rotation() != onto_b.is_rotation() {
            return None;
        }
        let (way, keys) = (a.follower(times)?, b.straight_keys(times[0])?);
        let mut run = Self { way, keys, onto: [onto_a, onto_b], locals, twist: Twist::NOTHING };
        run.go_to(times[0])?;
        Some(run)
    }

    /// Goes to a time, and tells whether it is on the way and the time of B's next key.
    fn go_to(&mut self, time: f64) -> Option<()> {
        let (from, to) = self.way.span();
        if !(from < time && time < to) {
            return None;
        }
        let values = [self.way.go_to(time), self.keys.next_at(time)?];
        for ((onto, value), local) in self.onto.iter().zip(values).zip(&mut self.locals) {
            onto.apply(if onto.is_rotation() { &value } else { &value[..3] }, local);
        }
        let [a, b] = &self.locals;
        self.twist = Twist::between(a, b);
        Some(())
    }

    /// Goes on to a time; yields how far apart both sides are at most until then.
    fn most_until(&mut self, time: f64) -> Option<Own> {
        let (from, before) = (self.locals[0], self.twist);
        self.go_to(time)?;
        let ends = [before, self.twist];
        let (moved, turned) = (ends.map(|twist| twist.moved), ends.map(|twist| twist.turned));
        let mut beside = BesideWays { moved: Beside::straight(moved), turned: Beside::straight(turned) };
        if self.onto[0].is_rotation() {
            beside.turned = self.way.beside(turned.map(|turned| self.onto[0].turned_back(turned)));
        } else {
            beside.moved = self.way.beside(moved);
        }
        let cosine = from.rotation.dot(self.locals[0].rotation).abs().min(1.0);
        let [start, end] =
            [(&before, &from), (&self.twist, &self.locals[0])].map(|(twist, a)| Own::of(twist, a));
        Some(start.max(&end).beside(&beside, cosine))
    }
}

impl<'a> Joints<'a> {
    /// The last of some instants up to which a pair that stands alone is no farther apart than is of interest; the first of them if
    /// that is not known.
    ///
    /// All that is asked of the pair are bounds: along a way there may be a hundred keys, of which hardly any is farther apart than
    /// what was seen before.
    pub(super) fn skim(&mut self, place: usize, moments: &Moments, instants: Range<usize>) -> usize {
        let mut reached = instants.start;
        let Some(mut run) = self.run(place, moments, reached) else { return reached };
        for instant in instants.skip(1) {
            let most = moments.plain(instant).and_then(|time| run.most_until(time));
            if !most.is_some_and(|most| self.is_less(place, &most)) {
                break;
            }
            reached = instant;
        }
        reached
    }

    fn run(&mut self, place: usize, moments: &Moments, instant: usize) -> Option<Run<'a>> {
        let pair = &self.pairs[place];
        let is_simple = !self.is_known && pair.gaze.is_none();
        let (a, b) = (pair.a.filter(|_| is_simple)?, pair.b?);
        let times = [moments.plain(instant)?, moments.plain(instant + 1)?];
        Run::new([&mut self.a.joints[a], &mut self.b.joints[b]], times)
    }
}
