//! What is asked for at many times in their order: places on one eased way, and keys that straight segments lead to.

use super::way::{Heading, WIDEST, Way, numbers};
use crate::beside::{Beside, Ends};
use crate::evaluate::{bezier, share};
use dopesheet_core::model::Curve;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{Arch, EasedWay, quat_normalise_or_identity};
use glam::DVec3;

/// Goes along one eased way. Each place is found from the one before, which is faster than to look for it anew; so values may
/// differ in their last bits from those of the reference evaluator.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    way: Way,
    curve: EasedWay,
    heading: Heading,
    /// The curve's parameters at the last two times.
    passed: [f64; 2],
}

impl Follower {
    /// `None` for a way that leads nowhere or is not eased by a Bézier timing.
    pub(super) fn new(mut way: Way) -> Option<Self> {
        let curve = EasedWay::new(&bezier(way.timing)?);
        let heading = Heading { length: way.length(), direction: way.direction(0) };
        (heading.length > 0.0).then_some(Self { way, curve, heading, passed: [0.0; 2] })
    }

    /// The times between which the way leads.
    pub(crate) const fn span(&self) -> (f64, f64) {
        (self.way.start.0, self.way.end.0)
    }

    /// Goes on to a time in the span. Yields the value there; numbers beyond its width mean nothing.
    pub(crate) fn go_to(&mut self, time: f64) -> [f64; WIDEST] {
        let share = share(self.way.start, self.way.end, Seconds(time));
        let here = self.curve.parameter_near(share, self.passed[1]);
        self.passed = [self.passed[1], here];
        self.way.value(self.curve.progress(here))
    }

    /// How far the value gets from the way at constant speed between those at the last two times, and on which arch; `None` where
    /// that is not known.
    pub(crate) fn arch(&self) -> Option<(f64, Arch)> {
        let [from, to] = self.passed;
        let length = self.heading.length;
        let Arch { height, slant, beside } = self.curve.arch(from, to)?;
        let arch = Arch { height: length * height, slant: length * slant, beside: length * beside };
        Some((length * self.curve.farthest_from_chord(from, to).0, arch))
    }

    /// Where the way leads, of length 1: the axis that rotations turn about, in the space that they lead to.
    pub(crate) const fn direction(&self) -> DVec3 {
        self.heading.direction
    }

    /// Where the value is, between the last two times, beside a way at constant speed with such ends.
    pub(crate) fn beside(&self, ends: Ends) -> Beside {
        self.heading.beside(&self.curve, self.passed, ends)
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
    use glam::DVec3;
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
            let ends = [DVec3::new(1e-3, 2e-3, -1e-3), DVec3::new(-1e-3, 0.0, 1e-3)];
            let (mut last, mut value, mut value_near) = (None, Vec::new(), Vec::new());
            for time in times.into_iter().filter(|_| !is_vertical) {
                let followed = follower.go_to(time);
                prop_assert!(segment.value_at(time, &mut value));
                // From the other end, too, however far that is.
                prop_assert!(near.value_near(2.0 - time, &mut value_near) && near.value_near(time, &mut value_near));
                for other in [&followed[..width], &value_near] {
                    let apart = value.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    prop_assert!(other.len() == width && apart < 1e-11, "{apart} at {time}");
                }
                if let Some(last) = last {
                    let (own, known) = (follower.beside(ends), segment.beside(last, time, ends).unwrap());
                    prop_assert!(own.centre.distance(known.centre) < 1e-10, "{own:?} {known:?}");
                    prop_assert!((own.radius - known.radius).abs() < 1e-10, "{own:?} {known:?}");
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
