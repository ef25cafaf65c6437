//! The segments of a channel's curves that a time lies in, worked out once for all times in them.

use crate::beside::{Beside, Ends};
use crate::evaluate::{eased, grid, share};
use crate::measure::Worst;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Times, Timing, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{
    BezierTiming, EasedWay, GreatArc, TimingPoint, bezier_timing_at, lerp, quat_normalise_or_identity,
};
use glam::DVec3;

/// Most numbers of a value.
const WIDEST: usize = 4;

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

/// What one curve does.
#[derive(Clone, Debug)]
struct Way {
    start: Seconds,
    end: Seconds,
    timing: Timing,
    width: usize,
    course: Course,
    /// Whether another key follows on its end, later.
    goes_on: bool,
    /// The places on the timing's curve that were asked for last.
    asked: [TimingPoint; 2],
}

#[derive(Clone, Debug)]
enum Course {
    Hold([f64; WIDEST]),
    Line([[f64; WIDEST]; 2]),
    /// Between two rotations; the arc once it was needed.
    Arc([[f64; WIDEST]; 2], Option<GreatArc>),
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
            let u = known.map_or_else(|| way.passed(Seconds(seen)), |(_, u)| u);
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
        match first.timing {
            Timing::Bezier { x1, y1, x2, y2 }
                if first.start == a && first.end == b && self.ways.iter().all(is_one) =>
            {
                Some(BezierTiming { x1: x1.into(), y1: y1.into(), x2: x2.into(), y2: y2.into() })
            }
            _ => None,
        }
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

impl Way {
    /// What a curve does at a time strictly between two keys.
    fn at(curve: &Curve, time: Seconds, near: &mut usize) -> Option<Self> {
        let (key, start, end) = segment_at(curve, time, near)?;
        let law = curve.laws.get(key);
        let (from, to) = (numbers(curve, key)?, numbers(curve, key + 1)?);
        let course = match law.blend {
            Blend::Step => Course::Hold(from),
            Blend::Lerp => Course::Line([from, to]),
            Blend::Slerp if curve.width == 4 => Course::Arc([from, to], None),
            _ => return None,
        };
        let asked = [TimingPoint::END, TimingPoint::START];
        let goes_on = curve.times.get(key + 2).is_some_and(|next| end.0 < next.0);
        Some(Self { start, end, timing: law.timing, width: curve.width, course, goes_on, asked })
    }

    /// Whether both have passed the same share of their way at any time.
    fn runs_as(&self, other: &Self) -> bool {
        self.start == other.start && self.end == other.end && self.timing == other.timing
    }

    /// Whether it leads where straight segments of such a value lead: rotations along great arcs, and nothing else.
    fn is_straight(&self, rotates: bool) -> bool {
        match self.course {
            Course::Hold(_) => true,
            Course::Line(_) => !rotates || !self.moves(),
            Course::Arc(..) => rotates,
        }
    }

    /// Whether its ends are different.
    fn moves(&self) -> bool {
        !matches!(&self.course, Course::Line([from, to]) if from == to)
    }

    /// How long it is: an angle in radians, or a distance.
    fn length(&mut self) -> f64 {
        match &mut self.course {
            Course::Hold(_) => 0.0,
            Course::Line([from, to]) => {
                from.iter().zip(to).map(|(a, b)| (*b - *a).powi(2)).sum::<f64>().sqrt()
            }
            // Twice as far as between the points of the sphere.
            Course::Arc(ends, arc) => 2.0 * arc_of(*ends, arc).angle(),
        }
    }

    /// How much of it lies between two times.
    fn covered(&mut self, a: f64, b: f64) -> f64 {
        if a == b { 0.0 } else { self.length() * (self.passed(Seconds(b)) - self.passed(Seconds(a))).abs() }
    }

    /// Where it leads, of length 1: the axis that rotations turn about. Its first number is that of such a column; zero beyond
    /// three columns, and where it leads nowhere.
    fn direction(&mut self, column: usize) -> DVec3 {
        match &mut self.course {
            Course::Line([from, to]) if column + self.width <= 3 => {
                let mut way = [0.0; 3];
                let numbers = from.iter().zip(to).take(self.width).map(|(a, b)| *b - *a);
                way.iter_mut().skip(column).zip(numbers).for_each(|(x, number)| *x = number);
                DVec3::from(way).normalize_or_zero()
            }
            Course::Hold(_) | Course::Line(_) => DVec3::ZERO,
            Course::Arc(ends, arc) => arc_of(*ends, arc).axis().into(),
        }
    }

    /// The part of a difference that is in its own columns.
    fn own_part(&self, difference: DVec3, column: usize) -> DVec3 {
        let is_own =
            |n: usize| matches!(self.course, Course::Arc(..)) || (column..column + self.width).contains(&n);
        DVec3::from_array(std::array::from_fn(|n| if is_own(n) { difference[n] } else { 0.0 }))
    }

    /// How much of it lies between times and what those are seen as.
    fn jumped(&mut self, times: [f64; 2], seen: [f64; 2]) -> f64 {
        times.iter().zip(seen).map(|(time, seen)| self.covered(*time, seen)).sum()
    }

    /// See [`Segment::bend`].
    fn bend(&mut self, a: f64, b: f64) -> Option<Worst> {
        let straight = Worst { value: 0.0, time: Seconds(a) };
        match self.curve(a, b)? {
            None => Some(straight),
            Some((way, [from, to])) => {
                let (farthest, at) = way.farthest_from_chord(from, to);
                let time = Seconds(lerp(self.start.0, self.end.0, way.time(at)));
                Some(Worst { value: self.length() * farthest, time })
            }
        }
    }

    /// See [`Segment::beside`]; `column` is the number of its first number.
    fn beside(&mut self, a: f64, b: f64, column: usize, ends: Ends) -> Option<Beside> {
        let ends = ends.map(|end| self.own_part(end, column));
        let straight = Beside::straight(ends);
        let Some((way, [from, to])) = self.curve(a, b)? else { return Some(straight) };
        let (length, direction) = (self.length(), self.direction(column));
        if direction == DVec3::ZERO {
            let (farthest, _) = way.farthest_from_chord(from, to);
            return Some(Beside { radius: straight.radius + length * farthest, ..straight });
        }
        let along = ends.map(|end| direction.dot(end));
        let [behind, ahead] = way.beside_piece([(from, along[0] / length), (to, along[1] / length)]);
        let others = Beside::straight([0, 1].map(|n: usize| ends[n] - direction * along[n]));
        let centre = others.centre + direction * (0.5 * length * (ahead.0 + behind.0));
        let along = 0.5 * length * (ahead.0 - behind.0);
        Some(Beside { centre, radius: (others.radius * others.radius + along * along).sqrt(), ..others })
    }

    /// The curve by which it is eased between two times, and its parameters there; nothing where it is not eased. `None` where it
    /// is not known how.
    fn curve(&mut self, a: f64, b: f64) -> Option<Option<(EasedWay, [f64; 2])>> {
        let Timing::Bezier { x1, y1, x2, y2 } = self.timing else {
            return self.timing.is_linear().then_some(None);
        };
        let is_here = self.start.0 <= a && a < b && b <= self.end.0;
        if !is_here {
            return None;
        }
        if self.length() == 0.0 {
            return Some(None);
        }
        let way = EasedWay::new(&BezierTiming { x1: x1.into(), y1: y1.into(), x2: x2.into(), y2: y2.into() });
        let parameters = [a, b].map(|time| {
            let share = share(self.start, self.end, Seconds(time));
            let known = self.asked.iter().find(|asked| asked.time == share);
            known.map_or_else(|| way.parameter(share), |asked| asked.parameter)
        });
        Some(Some((way, parameters)))
    }

    /// The share of the way that has passed at a time.
    fn passed(&mut self, time: Seconds) -> f64 {
        let share = share(self.start, self.end, time);
        let Timing::Bezier { x1, y1, x2, y2 } = self.timing else { return eased(self.timing, share) };
        let timing = BezierTiming { x1: x1.into(), y1: y1.into(), x2: x2.into(), y2: y2.into() };
        let point = bezier_timing_at(&timing, share);
        self.asked = [self.asked[1], point];
        point.progress
    }

    /// Whether a time is its end, which has one value from all sides.
    fn is_smooth_at_end(&self, time: f64) -> bool {
        self.end.0 == time && self.goes_on && !matches!(self.course, Course::Hold(_))
    }

    /// The value of the key at its end.
    fn push_end(&self, out: &mut Vec<f64>) {
        let (Course::Hold(to) | Course::Line([_, to]) | Course::Arc([_, to], _)) = &self.course;
        out.extend(to.iter().take(self.width));
    }

    fn push(&mut self, u: f64, out: &mut Vec<f64>) {
        match &mut self.course {
            Course::Hold(value) => out.extend(value.iter().take(self.width)),
            Course::Line([from, to]) => {
                out.extend(from.iter().zip(to).take(self.width).map(|(a, b)| lerp(*a, *b, u)));
            }
            Course::Arc(ends, arc) => out.extend(arc_of(*ends, arc).at(u)),
        }
    }
}

fn arc_of([from, to]: [[f64; WIDEST]; 2], known: &mut Option<GreatArc>) -> &GreatArc {
    known.get_or_insert_with(|| GreatArc::between(from, to))
}

/// The number of the key that a time lies behind, strictly before the next one, and the times of both. Found without a search
/// where times ascend slowly.
fn segment_at(curve: &Curve, time: Seconds, near: &mut usize) -> Option<(usize, Seconds, Seconds)> {
    let ends = |key: usize| Some((key, curve.times.get(key)?, curve.times.get(key + 1)?));
    for key in [*near, *near + 1] {
        let Some((_, start, end)) = ends(key) else { break };
        if start.0 < time.0 && time.0 <= end.0 {
            *near = key;
            return if time.0 < end.0 { Some((key, start, end)) } else { None };
        }
    }
    let key = curve.times.count_until(time).checked_sub(1)?;
    *near = key;
    ends(key).filter(|(_, start, end)| start.0 < time.0 && time.0 < end.0)
}

/// The value of a key.
fn numbers(curve: &Curve, key: usize) -> Option<[f64; WIDEST]> {
    let mut numbers = [0.0; WIDEST];
    let value = curve.value(key).filter(|value| value.len() == curve.width)?;
    numbers.iter_mut().zip(value).for_each(|(number, x)| *number = f64::from(*x));
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Side, channel_at};
    use dopesheet_core::model::{Law, Laws, Property};
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
