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
    /// Both sides at the last key, and how they are apart there.
    locals: [Local; 2],
    twist: Twist,
    own: Own,
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

    /// Goes on to an instant; yields how far apart both sides are at most until then.
    fn most_until(&mut self, instant: [f64; 2]) -> Option<Own> {
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
        Some(own.max(&self.own).beside(&beside, cosine))
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
        while let Some(mut run) = self.run(place, moments, reached) {
            let start = reached;
            for instant in start + 1..instants.end {
                let most = moments.quiet(instant).and_then(|instant| run.most_until(instant));
                let Some(most) = most else { break };
                if !self.is_less(place, &most) {
                    return reached;
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
        let is_simple = !self.is_known && pair.gaze.is_none();
        let (a, b) = (pair.a.filter(|_| is_simple)?, pair.b?);
        let ends = [moments.quiet(instant)?, moments.quiet(instant + 1)?];
        Run::new([&mut self.a.joints[a], &mut self.b.joints[b]], ends)
    }
}
