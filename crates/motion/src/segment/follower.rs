//! What is asked for at many times in their order: places on one eased way, and keys that straight segments lead to.

use super::way::{WIDEST, Way, numbers};
use crate::evaluate::{bezier, share};
use dopesheet_core::model::Curve;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{Arch, EasedWay, quat_normalise_or_identity};
use glam::DVec3;

/// Goes along one eased way that has a direction. Each place is found from the one before, which is faster than to look for it
/// anew; so values may differ in their last bits from those of the reference evaluator.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    way: Way,
    curve: EasedWay,
    length: f64,
    direction: DVec3,
    /// The curve's parameters at the last two times.
    passed: [f64; 2],
    /// What part of the way is covered at the last two times.
    covered: [f64; 2],
}

impl Follower {
    /// `None` for a way that leads nowhere or is not eased by a Bézier timing.
    pub(super) fn new(mut way: Way) -> Option<Self> {
        let curve = EasedWay::new(&bezier(way.timing)?);
        let (length, direction) = (way.length(), way.direction(0));
        let is_somewhere = length > 0.0 && direction != DVec3::ZERO;
        is_somewhere.then_some(Self { way, curve, length, direction, passed: [0.0; 2], covered: [0.0; 2] })
    }

    /// The times between which the way leads.
    pub(crate) const fn span(&self) -> (f64, f64) {
        (self.way.start.0, self.way.end.0)
    }

    /// Goes on to a time in the span. Yields what part of the way is covered there.
    pub(crate) fn go_to(&mut self, time: f64) -> f64 {
        let share = share(self.way.start, self.way.end, Seconds(time));
        let here = self.curve.parameter_near(share, self.passed[1]);
        let covered = self.curve.progress(here);
        (self.passed, self.covered) = ([self.passed[1], here], [self.covered[1], covered]);
        covered
    }

    /// The value where a part of the way is covered; numbers beyond its width mean nothing.
    pub(crate) fn value(&mut self, covered: f64) -> [f64; WIDEST] {
        self.way.value(covered)
    }

    /// The curve's parameters at the last two times.
    pub(crate) const fn passed(&self) -> [f64; 2] {
        self.passed
    }

    /// How the value arches over the way at constant speed between those at two parameters; `None` where that is not known.
    pub(crate) fn arch(&self, from: f64, to: f64) -> Option<Arch> {
        let length = self.length;
        let Arch { height, slant, beside, ahead } = self.curve.arch(from, to)?;
        let ahead = ahead.map(|ahead| length * ahead);
        Some(Arch { height: length * height, slant: length * slant, beside: length * beside, ahead })
    }

    /// How much of the time between two parameters has passed at another, and how far the value is ahead of the way at constant
    /// speed there.
    pub(crate) fn ahead(&self, from: f64, to: f64, parameter: f64) -> Option<(f64, f64)> {
        let (passed, ahead) = self.curve.ahead_of_chord(from, to, parameter)?;
        Some((passed, self.length * ahead))
    }

    /// How far a value is ahead of this one where it is least so, and where it is most so, between the last two times: one that goes
    /// at constant speed and is so far ahead at them.
    pub(crate) fn behind(&self, ahead: [f64; 2]) -> [f64; 2] {
        let ends = std::array::from_fn(|n| (self.passed[n], ahead[n] / self.length));
        let [least, most] = self.curve.beside_piece(ends);
        [-self.length * most.0, -self.length * least.0]
    }

    /// How long the way is: an angle in radians, or a distance.
    pub(crate) const fn length(&self) -> f64 {
        self.length
    }

    /// How much of it lies between the last two times.
    pub(crate) fn gone(&self) -> f64 {
        self.length * (self.covered[1] - self.covered[0])
    }

    /// Where the way leads, of length 1: the axis that rotations turn about, in the space that they lead to.
    pub(crate) const fn direction(&self) -> DVec3 {
        self.direction
    }
}

/// Goes from key to key of a curve that is nothing but straight segments.
#[derive(Clone, Debug)]
pub(crate) struct StraightKeys<'a> {
    curve: &'a Curve,
    rotates: bool,
    next: usize,
}

impl<'a> StraightKeys<'a> {
    /// Starts with the first key at or behind a time.
    pub(super) fn new(curve: &'a Curve, rotates: bool, time: f64) -> Self {
        Self { curve, rotates, next: curve.times.count_before(Seconds(time)) }
    }

    /// The value of the next key, if that is at a time; numbers beyond its width mean nothing.
    pub(crate) fn next_at(&mut self, time: f64) -> Option<[f64; WIDEST]> {
        let key = self.next;
        self.next += 1;
        self.curve.times.get(key).filter(|at| at.0 == time)?;
        let value = numbers(self.curve, key)?;
        Some(if self.rotates { quat_normalise_or_identity(value) } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Segment;
    use dopesheet_core::model::{Blend, Channel, Law, Laws, Property, Times, Timing};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_followed_is_where_it_is_when_it_is_looked_for(
            [x1, y1, x2, y2] in prop::array::uniform4(0.0f32..=1.0),
            numbers in prop::array::uniform8(-1.0f32..1.0),
            times in prop::collection::btree_set(1u32..1000, 2..30),
            rotates: bool,
        ) {
            let timing = Timing::Bezier { x1, y1, x2, y2 };
            let (property, width, blend) =
                if rotates { (Property::Rotation, 4, Blend::Slerp) } else { (Property::Translation, 3, Blend::Lerp) };
            let values = numbers[..2 * width].to_vec();
            let laws = Laws::uniform(Law { blend, timing });
            let curve = Curve::new(Times::Seconds([0.0, 2.0].into()), width, values, laws);
            let channel = Channel::whole(property, curve);
            let mut segment = Segment::new(&channel).unwrap();
            let mut near = segment.clone();
            let times: Vec<f64> = times.into_iter().map(|n| f64::from(n) / 500.0).collect();
            let mut follower = segment.follower(times[0], times[1]).unwrap();
            // A curve that is vertical in the middle turns the last bit of the time into many of the value.
            let is_vertical = x1 > 0.999 && x2 < 0.001;
            let (mut last, mut value, mut value_near) = (None, Vec::new(), Vec::new());
            for time in times.into_iter().filter(|_| !is_vertical) {
                let covered = follower.go_to(time);
                let followed = follower.value(covered);
                prop_assert!(segment.value_at(time, &mut value));
                // From the other end, too, however far that is.
                prop_assert!(near.value_near(2.0 - time, &mut value_near) && near.value_near(time, &mut value_near));
                for other in [&followed[..width], &value_near] {
                    let apart = value.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    prop_assert!(other.len() == width && apart < 1e-11, "{apart} at {time}");
                }
                if let Some(last) = last {
                    let [from, to] = follower.passed();
                    let (Some(arch), Some(bend)) = (follower.arch(from, to), segment.bend(last, time)) else { continue };
                    let farthest = arch.ahead.map(f64::abs).into_iter().fold(0.0, f64::max);
                    prop_assert!((farthest - bend.value).abs() < 1e-10, "{arch:?} {bend:?}");
                    // A way between the ends is as far ahead as the value is behind its chord.
                    let [least, most] = follower.behind([0.0; 2]);
                    prop_assert!((least + arch.ahead[1]).abs() < 1e-12 && (most + arch.ahead[0]).abs() < 1e-12);
                }
                last = Some(time);
            }
        }
    }

    #[test]
    fn keys_come_one_after_the_other_at_their_own_times() {
        let times = Times::Seconds([0.0, 0.5, 0.75].into());
        let values = (0..9).map(|n| n as f32).collect();
        let channel =
            Channel::whole(Property::Translation, Curve::new(times, 3, values, Laws::uniform(Law::LINEAR)));
        let segment = Segment::new(&channel).unwrap();
        let mut keys = segment.straight_keys(0.25).unwrap();
        assert_eq!(keys.next_at(0.5).map(|value| value[0]), Some(3.0));
        assert_eq!(keys.next_at(0.7), None);
        assert_eq!(keys.next_at(0.75), None, "that key has passed");
        let stepped = Law { blend: Blend::Step, ..Law::LINEAR };
        let held = Curve::new(Times::Seconds([0.0, 0.5].into()), 3, vec![0.0; 6], Laws::uniform(stepped));
        let held = Channel::whole(Property::Translation, held);
        assert!(Segment::new(&held).unwrap().straight_keys(0.0).is_none());
    }
}
