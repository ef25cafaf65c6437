//! The shape of a channel between two of its key times.

use super::times::authored_times;
use crate::sample::Side;
use crate::sample::moving::changes;
use crate::sample::outside::look;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Law, Outside, ValueKind};
use dopesheet_core::units::Seconds;

/// Shape of the stretch between two neighbouring key times, in the view of straight segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Nothing moves.
    Constant,
    /// Straight, or along the shorter great arc, at constant speed.
    Straight,
    /// Anything else.
    Curved,
}

/// True of a channel with segments other than straight ones between its own keys.
pub(crate) fn is_curved(channel: &Channel) -> bool {
    if !changes(channel) {
        return false;
    }
    let spans = channel.composition.curves().filter_map(|curve| curve.times.span());
    let Some(range) = spans.reduce(|a, b| (Seconds(a.0.0.min(b.0.0)), Seconds(a.1.0.max(b.1.0)))) else {
        return false;
    };
    let times = authored_times(channel, range);
    times.array_windows().any(|[a, b]| shape(channel, *a, *b) == Shape::Curved)
}

/// The shape of a channel between two times with no key of any of its curves in between.
pub(crate) fn shape(channel: &Channel, a: Seconds, b: Seconds) -> Shape {
    let kind = channel.property.kind();
    let wanted = if kind == ValueKind::Rotation { Blend::Slerp } else { Blend::Lerp };
    let of = |curve: &Curve| curve_shape(curve, wanted, a, b);
    let all = |curves: &[Curve]| curves.iter().map(of).max().unwrap_or(Shape::Constant);
    let shape = match &channel.composition {
        Composition::Whole(curve) => of(curve),
        Composition::Components(curves) if kind != ValueKind::Rotation => all(curves),
        // Straight where poses are joined by the shorter way, which one curve of angles may be.
        Composition::Euler { angles, .. } if angles.len() == 1 => all(angles),
        Composition::Components(curves)
        | Composition::ComponentsNormalised(curves)
        | Composition::Swing { direction: curves, .. }
        | Composition::Euler { angles: curves, .. } => unless_constant(all(curves)),
        Composition::Orbit(orbit) => match of(&orbit.angles).max(of(&orbit.distance)) {
            Shape::Constant => all(&orbit.target),
            _ => Shape::Curved,
        },
        Composition::Aim { direction, .. } => unless_constant(of(direction)),
    };
    // Between switches there is nothing to be straight.
    if kind == ValueKind::Discrete { unless_constant(shape) } else { shape }
}

fn unless_constant(shape: Shape) -> Shape {
    if shape == Shape::Constant { shape } else { Shape::Curved }
}

fn curve_shape(curve: &Curve, straight: Blend, a: Seconds, b: Seconds) -> Shape {
    let (law, equal) = match ruling(curve, a, b) {
        Ruling::Nothing => return Shape::Constant,
        Ruling::Several => return Shape::Curved,
        Ruling::Law { law, equal } => (law, equal),
    };
    match law.blend {
        Blend::Step => Shape::Constant,
        Blend::Lerp | Blend::Slerp | Blend::Nlerp if equal => Shape::Constant,
        blend if blend == straight && law.timing.is_linear() => Shape::Straight,
        _ => Shape::Curved,
    }
}

/// Segment of a curve between two neighbouring key times.
enum Ruling {
    /// One value is held.
    Nothing,
    /// A single law, and true if the values at its ends are equal.
    Law { law: Law, equal: bool },
    /// More than one segment.
    Several,
}

fn ruling(curve: &Curve, a: Seconds, b: Seconds) -> Ruling {
    // Halves first: the sum of two huge times would overflow.
    let Some(middle) = look(curve, Seconds(0.5 * a.0 + 0.5 * b.0), Side::At) else { return Ruling::Nothing };
    let until = curve.times.count_until(middle.time);
    let Some(key) = until.checked_sub(1) else { return before_first(curve, middle.time) };
    let (Some(start), Some(end)) = (curve.times.get(key), curve.times.get(until)) else {
        return Ruling::Nothing;
    };
    // Repetitions too short and too many to be listed one by one.
    if b.0 - a.0 > (end.0 - start.0) * (1.0 + 1e-6) {
        return Ruling::Several;
    }
    Ruling::Law { law: curve.laws.get(key), equal: curve.value(key) == curve.value(until) }
}

fn before_first(curve: &Curve, time: Seconds) -> Ruling {
    let first = curve.times.get(0).unwrap_or(time);
    match &curve.before {
        Outside::Ramp { start, from, law } if start.0 < time.0 && start.0 < first.0 => {
            Ruling::Law { law: *law, equal: curve.value(0) == Some(&**from) }
        }
        _ => Ruling::Nothing,
    }
}
