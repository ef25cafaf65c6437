//! The segments of a channel's curves that a time lies in, worked out once for all times in them.

mod way;

use crate::beside::{Beside, Ends};
use crate::evaluate::{bezier, grid};
use crate::measure::Worst;
use dopesheet_core::model::{Channel, Composition, Curve, Times, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{BezierTiming, lerp, quat_normalise_or_identity};
use way::{Course, WIDEST, Way};

/// Where all curves of a channel are between two keys, and hold, go straight or along great arcs.
#[derive(Clone, Debug)]
pub(crate) struct Segment<'a> {
    curves: &'a [Curve],
    /// The grid of all keys.
    grid: Option<FrameRate>,
    rotates: bool,
    /// Times strictly between these are in it.
    from: f64,
    to: f64,
    /// One per curve.
    ways: Vec<Way>,
    /// For each curve, the key behind which it was looked for last.
    keys: Vec<usize>,
}

impl<'a> Segment<'a> {
    /// At no segment yet; `None` for channels of another kind.
    pub(crate) fn new(channel: &'a Channel) -> Option<Self> {
        let rotates = channel.property.kind() == ValueKind::Rotation;
        let curves = match &channel.composition {
            Composition::Whole(curve) => std::slice::from_ref(curve),
            Composition::Components(curves) if !rotates => curves,
            _ => return None,
        };
        let grid = grid(channel);
        let is_known = |curve: &Curve| curve.width <= WIDEST && own_grid(curve) == grid;
        (channel.native.is_none() && curves.iter().all(is_known)).then(|| Self {
            curves,
            grid,
            rotates,
            from: 0.0,
            to: 0.0,
            ways: Vec::new(),
            keys: vec![0; curves.len()],
        })
    }

    /// The value at a time, bit for bit that of the reference evaluator from any side; `false` outside the keys, where a curve has
    /// another law, and on a key, unless it is known to be one that all curves lead to and from without a jump.
    pub(crate) fn value_at(&mut self, time: f64, out: &mut Vec<f64>) -> bool {
        self.value(time, Way::passed, out)
    }

    /// [`Self::value_at`], found faster from what was asked for last; so values may differ in their last digits.
    pub(crate) fn value_near(&mut self, time: f64, out: &mut Vec<f64>) -> bool {
        self.value(time, Way::passed_near, out)
    }

    /// The value at a time, by what tells the share of a way that has passed.
    #[inline]
    fn value(&mut self, time: f64, passed: impl Fn(&mut Way, Seconds) -> f64, out: &mut Vec<f64>) -> bool {
        let seen = self.seen(time);
        if seen == self.to && self.from < seen && self.ways.iter().all(|way| way.is_smooth_at_end(seen)) {
            out.clear();
            self.ways.iter().for_each(|way| way.push_end(out));
            self.normalise(out);
            return true;
        }
        let is_here = self.from < seen && seen < self.to;
        // Ends are keys, of which the neighbouring segments tell nothing.
        let is_key = self.from < self.to && (seen == self.from || seen == self.to);
        if is_key || (!is_here && !self.go_to(seen)) {
            return false;
        }
        out.clear();
        let mut last: Option<(&Way, f64)> = None;
        for way in &mut self.ways {
            let known = last.filter(|(other, _)| other.runs_as(way));
            let u = known.map_or_else(|| passed(way, Seconds(seen)), |(_, u)| u);
            way.push(u, out);
            last = Some((way, u));
        }
        self.normalise(out);
        true
    }

    /// The value at a time at which such a share of all that moves there is covered; `false` outside segments.
    pub(crate) fn value_on_way(&mut self, time: f64, covered: f64, out: &mut Vec<f64>) -> bool {
        let seen = self.seen(time);
        let is_here = self.from < seen && seen < self.to;
        if !is_here && !self.go_to(seen) {
            return false;
        }
        out.clear();
        self.ways.iter_mut().for_each(|way| way.push(covered, out));
        self.normalise(out);
        true
    }

    /// What a time is seen as: beside a frame it is that frame.
    pub(crate) fn seen(&self, time: f64) -> f64 {
        self.grid.map_or(time, |rate| rate.snap(Seconds(time)).0)
    }

    fn normalise(&self, value: &mut [f64]) {
        if let Some(rotation) = value.first_chunk_mut::<4>().filter(|_| self.rotates) {
            *rotation = quat_normalise_or_identity(*rotation);
        }
    }

    /// The timing of all that moves between two key times, if it is one Bézier timing all the way.
    pub(crate) fn eased(&mut self, a: Seconds, b: Seconds) -> Option<BezierTiming> {
        if !self.go_to(lerp(a.0, b.0, 0.5)) {
            return None;
        }
        let first = self.ways.iter().find(|way| way.moves())?;
        let goes = |way: &Way| way.is_straight(self.rotates) && !matches!(way.course, Course::Hold(_));
        let is_one = |way: &Way| !way.moves() || (way.runs_as(first) && goes(way));
        let is_whole = first.start == a && first.end == b && self.ways.iter().all(is_one);
        bezier(first.timing).filter(|_| is_whole)
    }

    /// How far the value gets at most, between two times of one segment, from the way at constant speed between those at the
    /// times, and when the curve that gets farthest does: an angle in radians for rotations, else a distance. `None` where that
    /// is not known.
    pub(crate) fn bend(&mut self, a: f64, b: f64) -> Option<Worst> {
        let (seen, [a, b]) = self.straightened(a, b)?;
        let (mut squares, mut farthest) = (0.0, Worst { value: 0.0, time: Seconds(a) });
        for way in &mut self.ways {
            let own = way.bend(a, b)?;
            squares += (own.value + way.jumped([a, b], seen)).powi(2);
            farthest.meet(own.value, own.time);
        }
        Some(Worst { value: squares.sqrt(), ..farthest })
    }

    /// Where the value is, between two times of one segment, beside a way at constant speed with such ends; `None` where that is not
    /// known.
    pub(crate) fn beside(&mut self, a: f64, b: f64, ends: Ends) -> Option<Beside> {
        let (seen, [a, b]) = self.straightened(a, b)?;
        let (mut squares, mut column) = (0.0, 0);
        let mut beside = Beside::NOWHERE;
        for way in &mut self.ways {
            let own = way.beside(a, b, column, ends)?;
            squares += (own.radius + way.jumped([a, b], seen)).powi(2);
            beside.centre += own.centre;
            beside.off += own.off;
            column += way.width;
        }
        Some(Beside { radius: squares.sqrt(), ..beside })
    }

    /// Goes to the segment between two times. Yields what those are seen as, and the times within the segment; `None` where it does
    /// not lead where straight segments do.
    fn straightened(&mut self, a: f64, b: f64) -> Option<([f64; 2], [f64; 2])> {
        let seen = [a, b].map(|time| self.seen(time));
        let middle = lerp(seen[0], seen[1], 0.5);
        let is_here = self.from < middle && middle < self.to;
        if !is_here && !self.go_to(middle) {
            return None;
        }
        let is_straight = self.ways.iter().all(|way| way.is_straight(self.rotates));
        // What is beside a frame jumps there.
        is_straight.then(|| (seen, [a, b].map(|time| time.clamp(self.from, self.to))))
    }

    /// Whether all that moves in the segment has passed the same share of its way at any time.
    pub(crate) fn is_one_way(&self) -> bool {
        let mut moving = self.ways.iter().filter(|way| way.moves());
        moving.next().is_none_or(|first| moving.all(|way| way.runs_as(first)))
    }

    fn go_to(&mut self, time: f64) -> bool {
        self.ways.clear();
        (self.from, self.to) = (f64::NEG_INFINITY, f64::INFINITY);
        for (curve, key) in self.curves.iter().zip(&mut self.keys) {
            let Some(way) = Way::at(curve, Seconds(time), key) else {
                (self.from, self.to) = (0.0, 0.0);
                return false;
            };
            (self.from, self.to) = (self.from.max(way.start.0), self.to.min(way.end.0));
            self.ways.push(way);
        }
        !self.ways.is_empty()
    }
}

fn own_grid(curve: &Curve) -> Option<FrameRate> {
    match &curve.times {
        Times::Frames { rate, .. } => Some(*rate),
        Times::Seconds(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Side, channel_at};
    use dopesheet_core::model::{Blend, Law, Laws, Property, Timing};
    use glam::DVec3;
    use proptest::prelude::*;

    const EASED: Timing = Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 };

    fn timings() -> impl Strategy<Value = Timing> {
        prop_oneof![Just(Timing::Linear), Just(EASED), Just(Timing::Ease { from: 0.3, to: 0.2 })]
    }

    fn channel(
        property: Property,
        width: usize,
        blend: Blend,
        timing: Timing,
        on_grid: bool,
        numbers: &[f32],
    ) -> Channel {
        let times = if on_grid {
            Times::Frames { rate: FrameRate::FPS_30, frames: [0, 1, 4, 4, 9].into() }
        } else {
            Times::Seconds([0.0, 0.1, 0.25, 0.25, 0.4].into())
        };
        let values = numbers.iter().cycle().take(5 * width).copied().collect();
        Channel::whole(property, Curve::new(times, width, values, Laws::uniform(Law { blend, timing })))
    }

    proptest! {
        #[test]
        fn a_segment_has_the_values_of_the_reference_evaluator_bit_for_bit(
            timing in timings(),
            on_grid: bool,
            numbers in prop::collection::vec(-1.0f32..1.0, 20),
            times in prop::collection::vec(-0.1f64..0.5, 1..40),
        ) {
            let mut played = 0;
            for (property, width, blend) in [
                (Property::Rotation, 4, Blend::Slerp),
                (Property::Translation, 3, Blend::Lerp),
                (Property::Scale, 3, Blend::Step),
            ] {
                let channel = channel(property, width, blend, timing, on_grid, &numbers);
                let mut segment = Segment::new(&channel).unwrap();
                let (mut own, mut exact) = (Vec::new(), Vec::new());
                let keys = if on_grid { [1.0, 4.0, 9.0].map(|frame| frame / 30.0) } else { [0.1, 0.25, 0.4] };
                let up_to_keys = keys.iter().flat_map(|key| [key - 0.02, *key]);
                for time in times.iter().copied().chain(up_to_keys).chain([0.05, 0.2]) {
                    if segment.value_at(time, &mut own) {
                        for side in [Side::Before, Side::At, Side::After] {
                            channel_at(&channel, Seconds(time), side, &mut exact);
                            let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                            prop_assert_eq!(bits(&own), bits(&exact), "at {} from {:?}", time, side);
                        }
                        played += 1;
                    }
                }
            }
            prop_assert!(played >= 6);
        }
    }

    proptest! {
        #[test]
        fn nothing_gets_farther_from_constant_speed_than_the_bend(
            [x1, y1, x2, y2] in prop::array::uniform4(0.0f32..=1.0),
            numbers in prop::collection::vec(-1.0f32..1.0, 20),
            (from, to) in (0.0..0.5f64, 0.5..1.0f64),
        ) {
            for (property, width, blend) in [(Property::Rotation, 4, Blend::Slerp), (Property::Translation, 3, Blend::Lerp)] {
                let timing = Timing::Bezier { x1, y1, x2, y2 };
                let channel = channel(property.clone(), width, blend, timing, false, &numbers);
                let mut segment = Segment::new(&channel).unwrap();
                let at = |share: f64| lerp(0.1, 0.25, share);
                let (a, b) = (at(from.max(1e-3)), at(to.min(0.999)));
                let Some(bend) = segment.bend(a, b).map(|bend| bend.value) else { continue };
                let mut value = |time: f64| {
                    let mut out = Vec::new();
                    assert!(segment.value_at(time, &mut out));
                    out
                };
                let ends = [value(a), value(b)].map(|v| v.into_iter().map(|x| x as f32).collect::<Vec<_>>());
                let mut straight = Vec::new();
                let mut most = 0.0f64;
                for n in 0..=200 {
                    let share = f64::from(n) / 200.0;
                    let rotation = (width == 4).then_some(0);
                    crate::measure::straight_at(&ends[0], &ends[1], share, rotation, &mut straight);
                    most = most.max(crate::measure::difference(&property, &value(lerp(a, b, share)), &straight));
                }
                // Ends are rounded to single precision here.
                prop_assert!(most <= bend + 1e-6 && bend <= most * 1.1 + 1e-4, "{most} beyond {bend}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_value_is_beside_a_way_as_far_as_it_is_told_and_no_farther(
            timings in prop::array::uniform3(prop::array::uniform4(0.0f32..=1.0)),
            are_one in any::<bool>(),
            numbers in prop::array::uniform6(-1.0f32..1.0),
            ends in prop::array::uniform2(prop::array::uniform3(-0.1f64..0.1)),
            (from, to) in (0.01..0.5f64, 0.5..0.99f64),
        ) {
            let law = |[x1, y1, x2, y2]: [f32; 4]| Law { blend: Blend::Lerp, timing: Timing::Bezier { x1, y1, x2, y2 } };
            let curve = |width, values: &[f32], timing| {
                Curve::new(Times::Seconds([0.0, 1.0].into()), width, values.to_vec(), Laws::uniform(law(timing)))
            };
            let [ax, ay, az, bx, by, bz] = numbers;
            let composition = if are_one {
                Composition::Whole(curve(3, &numbers, timings[0]))
            } else {
                let columns = [[ax, bx], [ay, by], [az, bz]];
                Composition::Components(columns.iter().zip(timings).map(|(column, timing)| curve(1, column, timing)).collect())
            };
            let channel = Channel { property: Property::Translation, composition, native: None };
            let mut segment = Segment::new(&channel).unwrap();
            let mut value = |time: f64| {
                let mut out = Vec::new();
                assert!(segment.value_at(time, &mut out));
                DVec3::from_slice(&out)
            };
            let starts = [value(from), value(to)];
            let ends = ends.map(DVec3::from);
            let way = |share: f64| (starts[0] + ends[0]).lerp(starts[1] + ends[1], share);
            let beside: Vec<DVec3> = (0..=400)
                .map(|n| f64::from(n) / 400.0)
                .map(|share| value(lerp(from, to, share)) - way(share))
                .collect();
            let told = segment.beside(from, to, ends).unwrap();
            let most = beside.iter().map(|apart| apart.length()).fold(0.0, f64::max);
            prop_assert!(beside.iter().all(|apart| apart.distance(told.centre) <= told.radius + 1e-9), "{told:?}");
            prop_assert!(!are_one || told.most() <= 2.5 * most, "{} where it is {most}", told.most());
        }
    }

    #[test]
    fn rotations_that_go_along_chords_are_not_taken_for_great_arcs() {
        let channel = channel(Property::Rotation, 4, Blend::Lerp, EASED, false, &[0.0, 0.9, 0.1, -0.4, 1.0]);
        let mut segment = Segment::new(&channel).unwrap();
        assert_eq!(segment.eased(Seconds(0.0), Seconds(0.1)), None);
        assert_eq!(segment.bend(0.01, 0.09), None);
    }

    #[test]
    fn only_keys_that_all_sides_see_alike_are_known_to_a_segment() {
        let played = |blend: Blend, key: f64| {
            let channel = channel(Property::Translation, 3, blend, EASED, false, &[0.0, 1.0, 3.0, 2.0]);
            let mut segment = Segment::new(&channel).unwrap();
            assert!(segment.value_at(key - 0.01, &mut Vec::new()));
            segment.value_at(key, &mut Vec::new())
        };
        // The second jumps, and nothing follows on the last.
        assert_eq!([0.1, 0.25, 0.4].map(|key| played(Blend::Lerp, key)), [true, false, false]);
        assert_eq!([0.1, 0.25, 0.4].map(|key| played(Blend::Step, key)), [false, false, false]);
    }

    #[test]
    fn other_keys_and_what_lies_outside_them_are_left_to_the_reference_evaluator() {
        let channel = channel(Property::Translation, 3, Blend::Lerp, EASED, true, &[0.0, 1.0, 3.0]);
        let mut segment = Segment::new(&channel).unwrap();
        for frame in [-1.0, 0.0, 1.0, 1.0005, 4.0, 9.0, 10.0] {
            assert!(!segment.value_at(FrameRate::FPS_30.seconds(frame).0, &mut Vec::new()), "frame {frame}");
        }
        assert!(segment.value_at(FrameRate::FPS_30.seconds(1.01).0, &mut Vec::new()));
    }
}
