//! What bounds how far a joint is apart, relative to its parent, between two moments at which that is known.

use super::{Joints, Seen};
use crate::apart::blocks::Own;
use crate::apart::pieces::{Size, Twist};
use crate::apart::stage::BesideWays;

/// What bounds a pair between two moments.
#[derive(Clone, Copy)]
pub(super) struct Between {
    /// How far apart it is at most.
    pub(super) most: Own,
    /// How far both sides together get from ways at constant speed; known where joints hang on each other.
    pub(super) bends: Size,
    /// What is 1 apart at the ends of ways at constant speed is at most this far apart between them.
    pub(super) farther: f64,
    /// Whether it is no farther apart there than is of interest.
    pub(super) is_less: bool,
}

impl Joints<'_> {
    /// What is known of a pair between two moments; `None` where its laws do not tell.
    pub(super) fn between(&mut self, place: usize, ends: [&Seen; 2]) -> Option<Between> {
        let (most, bends, farther) = self.bounds_between(place, ends)?;
        Some(Between { most, bends, farther, is_less: self.is_less(place, &most) })
    }

    /// Whether a pair that is so far apart at most is no farther apart than is of interest, which is noted then.
    pub(super) fn is_less(&mut self, place: usize, most: &Own) -> bool {
        let reach = most.reaches(self.shell);
        let pair = &self.pairs[place];
        let is_less = match (self.is_known, self.exact_above > 0.0) {
            // Relative to the parent nothing is asked for.
            (true, true) => true,
            (false, true) => reach <= self.threshold(pair),
            (is_known, false) => {
                most.moved <= pair.translation.value
                    && most.turned / 2.0 <= pair.half_sine.value
                    && (is_known || reach <= pair.displacement.value)
                    && (pair.targets.iter().all(Option::is_some) || reach <= pair.own.value)
            }
        };
        if is_less {
            self.pairs[place].unseen = self.pairs[place].unseen.max(reach);
        }
        is_less
    }

    /// How far a pair is apart at most between two moments, how far both sides bend, and how much farther great arcs are apart in
    /// their middle than at their ends.
    fn bounds_between(&mut self, place: usize, ends: [&Seen; 2]) -> Option<(Own, Size, f64)> {
        let pair = &self.pairs[place];
        let (a, b) = (pair.a?, pair.b?);
        if pair.gaze.is_some() {
            return None;
        }
        let own = ends.map(|seen| seen.times);
        let twists = ends.map(|seen| seen.twist);
        let [from, to] = ends;
        let apart = from.own.max(&to.own);
        let cosine = from.at.rotation.dot(to.at.rotation).abs().min(1.0);
        // What is 1 apart at the ends of an arc is 1/cos(α/2) apart in its middle.
        let farther = (2.0 / (1.0 + cosine)).sqrt();
        let of_b = self.b.bend(b, own)?;
        // Where all that counts is what joints do together, they are looked at anyway.
        let is_wanted = !self.is_known || self.exact_above == 0.0;
        let mut narrowed = None;
        if is_wanted && of_b == Size::default() {
            // A is beside B's way.
            let most = apart.beside(&self.a.beside(a, own, twists)?, cosine);
            if !self.is_known && most.turned.is_finite() {
                return Some((most, Size::default(), farther));
            }
            narrowed = Some(most);
        }
        let of_a = self.a.bend(a, own)?;
        if is_wanted && narrowed.is_none() && of_a == Size::default() {
            narrowed = Some(apart.beside(&self.b.beside(b, own, twists.map(Twist::opposite))?, cosine));
        }
        let bends = of_a.plus(of_b);
        let most = Own {
            moved: apart.moved + bends.moved,
            turned: apart.turned * farther + bends.turned,
            away: apart.away + of_a.moved,
        };
        Some((narrowed.map_or(most, |narrowed| most.lesser(narrowed.size())), bends, farther))
    }
}

impl Own {
    /// How far apart a joint is that is so far apart at two moments, between which one side goes at constant speed and the other is
    /// beside that way; infinite where that is not known. `cosine` is that of half the angle by which it turns.
    ///
    /// Rotations about one axis differ by an angle, as translations do by a way. What is beside the axis at the ends turns with the
    /// joint.
    pub(super) fn beside(&self, beside: &BesideWays, cosine: f64) -> Self {
        let mut most = Self { moved: beside.moved.most(), turned: f64::INFINITY, away: self.away };
        if self.turned <= SMALL {
            // No less than the angle by which the joint turns, which is twice that on the sphere of quaternions.
            let angle = std::f64::consts::PI * (1.0 - cosine * cosine).max(0.0).sqrt() + 2.0 * self.turned;
            let farthest = beside.turned.most();
            let slack = beside.turned.off * (angle * (2.0 + angle) + 5.0 * self.turned + farthest);
            most.turned = farthest + slack + self.turned.powi(3);
        }
        most
    }
}

/// Twists up to this, in radians, add up like vectors but for products of two of them.
pub(super) const SMALL: f64 = 0.1;
