//! Straight segments along curves with linear or Bezier timing: a formula tells how far they are off.

use super::{ChannelPart, StraightKey};
use crate::difference::{Worst, difference};
use crate::keys::grid::Seen;
use crate::keys::longest::{Fitted, Segments};
use crate::keys::plan::Misses;
use crate::sample::Side;
use crate::sample::outside::look;
use crate::sample::timing::bezier;
use crate::single::narrow;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Outside, ValueKind};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{EasedWay, lerp, quat_normalise_or_identity, slerp};

/// Most curves of a channel.
const MOST: usize = 4;

/// Largest distance of keys from a curve, as a share of the allowance, so that rounding does not exceed the
/// allowance.
const BESIDE: f64 = 0.98;

/// Largest distance of keys from a curve, as a part of the acceleration times the square of a segment's
/// length. Over its middle a curve rises by an eighth of that product; half of this height would do, but the
/// part is larger because segments from keys on the curve are shorter.
const ASIDE: f64 = 0.1;

/// Smallest share of the allowance left for the error of segments, whatever the rounding to single precision.
const LEAST: f64 = 0.5;

/// The motion of a channel between two neighbouring key times, where each of its curves holds or goes
/// straight or along a great arc.
///
/// A straight segment between two points of such a curve is all on one side of the curve as long as the curve
/// turns to one side. So keys stand beside the curve, on the other side, within the allowance: then segments
/// miss by as much at their ends as in their middle, and are up to √2 times as long. Authored keys stay.
pub(super) struct Eased<'a> {
    span: [f64; 2],
    seen: Seen,
    paths: Vec<Path<'a>>,
    rotates: bool,
    /// True if keys may stand beside the curve: other values than positions and rotations may have bounds.
    may_be_beside: bool,
    /// Largest error of segments, in the property's unit, and the possible addition by single precision.
    allowed: f64,
    rounded: f64,
}

/// One curve between two of its own keys.
struct Path<'a> {
    start: f64,
    end: f64,
    from: &'a [f32],
    to: &'a [f32],
    /// `None` for a linear or constant path.
    ease: Option<EasedWay>,
    /// Length of the path in units of the allowance.
    length: f64,
    /// The last parameter that was found, a start for the next search.
    near: f64,
}

/// A point of a path.
#[derive(Clone, Copy, Default)]
struct PathPoint {
    /// The parameter of the path's timing.
    parameter: f64,
    /// Covered share of the path in excess of the curve's.
    ahead: f64,
    /// Covered share of the path.
    covered: f64,
}

/// The end of a segment.
#[derive(Clone)]
pub(super) struct Key {
    time: f64,
    /// Distance in time from its stored time.
    late: f64,
    places: [PathPoint; MOST],
    displaced: f64,
}

impl<'a> Eased<'a> {
    /// `None` for laws without a known formula.
    pub(super) fn new(
        channel: &'a Channel,
        span: [f64; 2],
        seen: Seen,
        parts: &[ChannelPart],
    ) -> Option<Self> {
        let kind = channel.property.kind();
        let rotates = kind == ValueKind::Rotation;
        let curves = match &channel.composition {
            Composition::Whole(curve) => std::slice::from_ref(curve),
            Composition::Components(curves) if !rotates => curves,
            _ => return None,
        };
        let [ChannelPart { allowed, .. }] = parts else { return None };
        if channel.native.is_some() || curves.len() > MOST {
            return None;
        }
        let mut paths =
            curves.iter().map(|curve| Path::new(curve, span, rotates)).collect::<Option<Vec<_>>>()?;
        // What stays is stored as it is.
        let numbers = paths.iter().flat_map(|path| path.from.iter().zip(path.to)).filter(|(a, b)| a != b);
        let steps = numbers.map(|(a, b)| half_a_step(*a, *b));
        // An angle is twice as large as between the points of the sphere.
        let rounded = steps.map(|step| step * step).sum::<f64>().sqrt() * if rotates { 2.0 } else { 1.0 };
        let left = (allowed - rounded).max(LEAST * allowed);
        for path in &mut paths {
            path.length = coarse(difference(&channel.property, path.from, path.to) / left);
        }
        let may_be_beside = rotates || kind == ValueKind::Position;
        paths.iter().all(|path| path.length.is_finite()).then_some(Self {
            span,
            seen,
            paths,
            rotates,
            may_be_beside,
            allowed: left,
            rounded,
        })
    }

    /// The keys at both ends, on the curve, but stored a little earlier or later.
    pub(super) fn ends(&mut self) -> [Key; 2] {
        self.span.map(|exact| {
            let time = f64::from(narrow(exact));
            Key { time, late: (time - exact).abs(), ..self.key(exact, 0.0) }
        })
    }

    /// Common error of all curves from their errors `off`: the length of the vector of parts, or the largest
    /// of other numbers.
    fn together(&self, off: [f64; MOST]) -> f64 {
        match self.may_be_beside {
            true => off.iter().map(|off| off * off).sum::<f64>().sqrt(),
            false => off.into_iter().fold(0.0, f64::max),
        }
    }

    /// Moves a key between segments of a length beside the curve, to the side away from its turn.
    fn move_aside(&self, key: &mut Key, length: f64) {
        let mut by = [0.0; MOST];
        for ((by, path), place) in by.iter_mut().zip(&self.paths).zip(&key.places) {
            *by = -ASIDE * path.turn(place.parameter) * length * length;
        }
        let far = by.iter().map(|by| by * by).sum::<f64>().sqrt();
        if !(far > 0.0 && far.is_finite()) {
            return;
        }
        key.displaced = far.min(BESIDE);
        for ((place, path), by) in key.places.iter_mut().zip(&self.paths).zip(by).filter(|(_, by)| *by != 0.0)
        {
            place.ahead = by * key.displaced / (far * path.length);
            place.covered += place.ahead;
        }
    }

    fn value(&self, key: &Key) -> Vec<f32> {
        let mut value = Vec::with_capacity(4);
        for (path, PathPoint { covered, .. }) in self.paths.iter().zip(key.places) {
            match (path.from.first_chunk::<4>(), path.to.first_chunk::<4>()) {
                (Some(from), Some(to)) if self.rotates => {
                    let turned = slerp(from.map(f64::from), to.map(f64::from), covered);
                    value.extend(quat_normalise_or_identity(turned).map(narrow));
                }
                _ => {
                    let line = path.from.iter().zip(path.to);
                    value.extend(line.map(|(a, b)| narrow(lerp((*a).into(), (*b).into(), covered))));
                }
            }
        }
        value
    }
}

impl Segments for Eased<'_> {
    type Key = Key;
    type Segment = Misses;

    fn key(&mut self, time: f64, length: f64) -> Key {
        let exact = self.seen.exact(time);
        let mut key =
            Key { time, late: (time - exact).abs(), places: [PathPoint::default(); MOST], displaced: 0.0 };
        self.paths.iter_mut().zip(&mut key.places).for_each(|(path, place)| *place = path.point_at(exact));
        if self.may_be_beside && length > 0.0 {
            self.move_aside(&mut key, length);
        }
        key
    }

    fn between(&mut self, from: &Key, to: &Key) -> Fitted<Misses> {
        let (mut misses, mut rises) = ([0.0; MOST], [0.0; MOST]);
        let mut farthest = Worst { value: 0.0, time: Seconds(from.time) };
        let late = from.late.max(to.late) / (to.time - from.time);
        let errors = misses.iter_mut().zip(&mut rises);
        for ((path, (from, to)), (miss, rise)) in
            self.paths.iter().zip(from.places.iter().zip(&to.places)).zip(errors)
        {
            let Some(ease) = &path.ease else { continue };
            // A segment whose end is stored late is late all along.
            let late = late * (to.covered - from.covered).abs();
            let ends = [from, to].map(|place| (place.parameter, place.ahead));
            let [least, most] = ease.beside_piece(ends);
            let (off, at) = if -least.0 > most.0 { (-least.0, least.1) } else { most };
            let (height, _) = ease.farthest_from_chord(from.parameter, to.parameter);
            (*miss, *rise) = (path.length * (off + late), path.length * (height + late));
            farthest.note(*miss, Seconds(lerp(path.start, path.end, ease.time(at))));
        }
        let (misses, rises) = (self.together(misses), self.together(rises));
        let segment = Misses::bound(misses * self.allowed + self.rounded, farthest.time);
        Fitted { segment, misses, rises }
    }

    fn unseen(&mut self, from: &Key, to: &Key) -> Misses {
        if self.seen.is_between(from.time, to.time) { self.between(from, to).segment } else { Misses::NONE }
    }

    fn time(key: &Key) -> f64 {
        key.time
    }

    fn displaced(key: &Key) -> f64 {
        key.displaced
    }
}

impl StraightKey for Eased<'_> {
    fn value(&self, key: &Key) -> Option<Vec<f32>> {
        (key.displaced != 0.0).then(|| Eased::value(self, key))
    }
}

impl<'a> Path<'a> {
    /// The path of a curve between two times without a key in between; `None` for other curves.
    fn new(curve: &'a Curve, [a, b]: [f64; 2], rotates: bool) -> Option<Self> {
        let middle = Seconds(lerp(a, b, 0.5));
        if look(curve, middle, Side::At)?.time != middle {
            return None;
        }
        let until = curve.times.count_until(middle);
        let path = |from: &'a [f32], to: &'a [f32], ease: Option<EasedWay>, [start, end]: [f64; 2]| {
            let is_whole = start <= a && b <= end;
            is_whole.then_some(Self { start, end, from, to, ease, length: 0.0, near: 0.0 })
        };
        let hold = |value: &'a [f32], [start, end]: [f64; 2]| path(value, value, None, [start, end]);
        let Some(key) = until.checked_sub(1) else {
            let is_held = !matches!(curve.before, Outside::Ramp { .. });
            return if is_held { hold(curve.value(0)?, [f64::MIN, curve.times.get(0)?.0]) } else { None };
        };
        let (start, from) = (curve.times.get(key)?.0, curve.value(key)?);
        let (Some(end), Some(to)) = (curve.times.get(until), curve.value(until)) else {
            return hold(from, [start, f64::MAX]);
        };
        let (span, law) = ([start, end.0], curve.laws.get(key));
        let straight = if rotates { Blend::Slerp } else { Blend::Lerp };
        if law.blend == Blend::Step || (law.blend == straight && from == to) {
            return hold(from, span);
        }
        let ease = bezier(law.timing).map(|timing| EasedWay::new(&timing));
        let is_known = law.blend == straight
            && (!rotates || curve.width == 4)
            && (ease.is_some() || law.timing.is_linear());
        if is_known { path(from, to, ease, span) } else { None }
    }

    /// The point of the path at a time.
    fn point_at(&mut self, time: f64) -> PathPoint {
        let share = (time - self.start) / (self.end - self.start);
        let Some(ease) = &self.ease else { return PathPoint { covered: share, ..PathPoint::default() } };
        self.near = ease.parameter_near(share, self.near);
        PathPoint { parameter: self.near, ahead: 0.0, covered: ease.progress(self.near) }
    }

    /// Acceleration, in units of the allowance per second squared.
    fn turn(&self, parameter: f64) -> f64 {
        let Some(ease) = &self.ease else { return 0.0 };
        self.length / (self.end - self.start).powi(2) * ease.acceleration(parameter)
    }
}

/// Largest rounding of a number between two others to single precision.
fn half_a_step(from: f32, to: f32) -> f64 {
    let largest = from.abs().max(to.abs());
    0.5 * (f64::from(largest.next_up()) - f64::from(largest))
}

/// Significant binary digits of a path's length after the first.
const LENGTH_BITS: u32 = 7;

/// A number rounded up to few digits: paths of nearly the same length get keys at the same times, and lists
/// of key times are stored once.
fn coarse(number: f64) -> f64 {
    let rest = (1u64 << (52 - LENGTH_BITS)) - 1;
    if number > 0.0 { f64::from_bits(number.to_bits().saturating_add(rest) & !rest) } else { number }
}
