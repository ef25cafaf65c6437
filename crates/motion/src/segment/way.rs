//! What one curve does between two of its keys.

use crate::beside::{Beside, Ends};
use crate::evaluate::{bezier, eased, share};
use crate::measure::Worst;
use dopesheet_core::model::{Blend, Curve, Timing};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{EasedWay, GreatArc, TimingPoint, bezier_timing_at, lerp};
use glam::DVec3;

/// Most numbers of a value.
pub(super) const WIDEST: usize = 4;

/// What one curve does.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) start: Seconds,
    pub(super) end: Seconds,
    pub(super) timing: Timing,
    pub(super) width: usize,
    pub(super) course: Course,
    /// Whether another key follows on its end, later.
    goes_on: bool,
    /// The places on the timing's curve that were asked for last.
    asked: [TimingPoint; 2],
    /// The timing's curve once it was needed.
    curve: Option<EasedWay>,
}

#[derive(Clone, Debug)]
pub(super) enum Course {
    Hold([f64; WIDEST]),
    Line([[f64; WIDEST]; 2]),
    /// Between two rotations; the arc once it was needed.
    Arc([[f64; WIDEST]; 2], Option<GreatArc>),
}

impl Way {
    /// What a curve does at a time strictly between two keys.
    #[inline]
    pub(super) fn at(curve: &Curve, time: Seconds, near: &mut usize) -> Option<Self> {
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
        let (timing, width) = (law.timing, curve.width);
        Some(Self { start, end, timing, width, course, goes_on, asked, curve: None })
    }

    /// Whether both have passed the same share of their way at any time.
    #[inline]
    pub(super) fn runs_as(&self, other: &Self) -> bool {
        self.start == other.start && self.end == other.end && self.timing == other.timing
    }

    /// Whether it leads where straight segments of such a value lead: rotations along great arcs, and nothing else.
    #[inline]
    pub(super) fn is_straight(&self, rotates: bool) -> bool {
        match self.course {
            Course::Hold(_) => true,
            Course::Line(_) => !rotates || !self.moves(),
            Course::Arc(..) => rotates,
        }
    }

    /// Whether its ends are different.
    #[inline]
    pub(super) fn moves(&self) -> bool {
        !matches!(&self.course, Course::Line([from, to]) if from == to)
    }

    /// How long it is: an angle in radians, or a distance.
    pub(super) fn length(&mut self) -> f64 {
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
    pub(super) fn direction(&mut self, column: usize) -> DVec3 {
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
    pub(super) fn jumped(&mut self, times: [f64; 2], seen: [f64; 2]) -> f64 {
        times.iter().zip(seen).map(|(time, seen)| self.covered(*time, seen)).sum()
    }

    /// See [`Segment::bend`].
    pub(super) fn bend(&mut self, a: f64, b: f64) -> Option<Worst> {
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
    pub(super) fn beside(&mut self, a: f64, b: f64, column: usize, ends: Ends) -> Option<Beside> {
        let ends = ends.map(|end| self.own_part(end, column));
        match self.curve(a, b)? {
            None => Some(Beside::straight(ends)),
            Some((way, parameters)) => {
                let heading = Heading { length: self.length(), direction: self.direction(column) };
                Some(heading.beside(&way, parameters, ends))
            }
        }
    }

    /// The curve by which it is eased between two times, and its parameters there; nothing where it is not eased. `None` where it
    /// is not known how.
    fn curve(&mut self, a: f64, b: f64) -> Option<Option<(EasedWay, [f64; 2])>> {
        let Some(timing) = bezier(self.timing) else {
            return self.timing.is_linear().then_some(None);
        };
        let is_here = self.start.0 <= a && a < b && b <= self.end.0;
        if !is_here {
            return None;
        }
        if self.length() == 0.0 {
            return Some(None);
        }
        let way = *self.curve.get_or_insert_with(|| EasedWay::new(&timing));
        let parameters = [a, b].map(|time| {
            let share = share(self.start, self.end, Seconds(time));
            let known = self.asked.iter().find(|asked| asked.time == share);
            known.map_or_else(|| way.parameter_near(share, self.asked[1].parameter), |asked| asked.parameter)
        });
        Some(Some((way, parameters)))
    }

    /// The share of the way that has passed at a time.
    #[inline]
    pub(super) fn passed(&mut self, time: Seconds) -> f64 {
        let share = share(self.start, self.end, time);
        let Some(timing) = bezier(self.timing) else { return eased(self.timing, share) };
        let point = bezier_timing_at(&timing, share);
        self.asked = [self.asked[1], point];
        point.progress
    }

    /// [`Self::passed`], found faster from what was asked for last; so it may differ in its last digits.
    #[inline]
    pub(super) fn passed_near(&mut self, time: Seconds) -> f64 {
        let share = share(self.start, self.end, time);
        let Some(timing) = bezier(self.timing) else { return eased(self.timing, share) };
        let curve = self.curve.get_or_insert_with(|| EasedWay::new(&timing));
        let parameter = curve.parameter_near(share, self.asked[1].parameter);
        let point = TimingPoint { time: share, progress: curve.progress(parameter), parameter };
        self.asked = [self.asked[1], point];
        point.progress
    }

    /// Whether a time is its end, which has one value from all sides.
    #[inline]
    pub(super) fn is_smooth_at_end(&self, time: f64) -> bool {
        self.end.0 == time && self.goes_on && !matches!(self.course, Course::Hold(_))
    }

    /// The value of the key at its end.
    pub(super) fn push_end(&self, out: &mut Vec<f64>) {
        let (Course::Hold(to) | Course::Line([_, to]) | Course::Arc([_, to], _)) = &self.course;
        out.extend(to.iter().take(self.width));
    }

    #[inline]
    pub(super) fn push(&mut self, u: f64, out: &mut Vec<f64>) {
        out.extend(self.value(u).into_iter().take(self.width));
    }

    /// The value where a share of the way has passed; numbers beyond its width mean nothing.
    #[inline]
    pub(super) fn value(&mut self, u: f64) -> [f64; WIDEST] {
        match &mut self.course {
            Course::Hold(value) => *value,
            Course::Line([from, to]) => std::array::from_fn(|n| lerp(from[n], to[n], u)),
            Course::Arc(ends, arc) => arc_of(*ends, arc).at(u),
        }
    }
}

/// How long a way is, and where it leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub(super) length: f64,
    /// See [`Way::direction`].
    pub(super) direction: DVec3,
}

impl Heading {
    /// Where a value on a way that is eased by such a curve is, between two parameters, beside a way at constant speed.
    pub(super) fn beside(&self, curve: &EasedWay, [from, to]: [f64; 2], ends: Ends) -> Beside {
        let Self { length, direction } = *self;
        if direction == DVec3::ZERO {
            let straight = Beside::straight(ends);
            let (farthest, _) = curve.farthest_from_chord(from, to);
            return Beside { radius: straight.radius + length * farthest, ..straight };
        }
        let along = ends.map(|end| direction.dot(end));
        let [behind, ahead] = curve.beside_piece([(from, along[0] / length), (to, along[1] / length)]);
        let [start, end] = [0, 1].map(|n: usize| ends[n] - direction * along[n]);
        // What goes on in the direction of the way and in others is at right angles.
        let centre = direction * (0.5 * length * (ahead.0 + behind.0)) - 0.5 * (start + end);
        let along = 0.5 * length * (ahead.0 - behind.0);
        let radius = (along * along + 0.25 * start.distance_squared(end)).sqrt();
        let off = start.length_squared().max(end.length_squared()).sqrt();
        Beside { centre, radius, off }
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
pub(super) fn numbers(curve: &Curve, key: usize) -> Option<[f64; WIDEST]> {
    let mut numbers = [0.0; WIDEST];
    let value = curve.value(key).filter(|value| value.len() == curve.width)?;
    numbers.iter_mut().zip(value).for_each(|(number, x)| *number = f64::from(*x));
    Some(numbers)
}
