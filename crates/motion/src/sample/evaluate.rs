//! The reference evaluator: the value of any channel at any time, in f64, straight from the laws.
//!
//! Exact and simple rather than fast: this module knows nothing but curves, and every faster evaluator is
//! measured against it. Every curve accepted by [`Curve::validate`] has a value at every time, finite if the
//! curve's numbers are.
//!
//! * A time within 1e-3 frame of a grid point of a curve whose keys are frames *is* that point.
//! * A Hermite or weighted component whose tangent is infinite on either side of a segment holds the earlier key there; a
//!   tangent that is not a number counts as 0.
//! * Laws for quaternions on other values, and [`Outside::Ramp`]s, which have no handles, go straight or along the
//!   shorter great arc.

use super::aim::{look_rotation, swing_rotation};
use super::angles::{PoseAngles, PoseSegment};
use super::outside::{CurveTime, count_until, look};
use super::policy::RoundingPolicy;
pub use super::policy::Side;
use super::timing::{eased, share};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, JumpSide, Law, Orbit, Outside, Times, ValueKind,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;

/// The value of a curve as stored, or `false` if it has no keys. `out` is overwritten with as many numbers as the
/// curve is wide, or with none.
///
/// Exactly on a key its value counts, also where a step ends; of several keys at one time the [`JumpSide`] chooses
/// the first or the last. Where a repeated curve starts anew, it chooses between the last key and the first.
pub fn curve_at(curve: &Curve, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    out.clear();
    append(curve, time, side, &mut Cursors::default(), out)
}

/// Cursors of the curves of a channel, in their order, and the rounding to keys.
#[derive(Default)]
pub(crate) struct Cursors<'a> {
    /// Number of keys at or before the last sample time, for each curve; empty where times come in no order.
    until: std::slice::IterMut<'a, usize>,
    rounding: RoundingPolicy,
}

impl<'a> Cursors<'a> {
    pub(crate) fn new(until: &'a mut [usize]) -> Self {
        Self { until: until.iter_mut(), rounding: RoundingPolicy::None }
    }
}

/// Appends the value of a curve, or nothing if it has no keys.
fn append(curve: &Curve, time: Seconds, side: Side, cursors: &mut Cursors<'_>, out: &mut Vec<f64>) -> bool {
    let cursor = cursors.until.next();
    let Some(look) = look(curve, time, side) else { return false };
    let end = out.len().saturating_add(curve.width);
    let until = count_until(&curve.times, look.time, cursor);
    if !rounded(curve, look, until, cursors.rounding, out) {
        value_at(curve, look, until, out);
    }
    // A curve that breaks its own rules may lack numbers.
    out.resize(end, 0.0);
    true
}

/// Appends the value of a key if a time strictly between two keys is to be rounded; `false` otherwise.
fn rounded(
    curve: &Curve,
    look: CurveTime,
    until: usize,
    rounding: RoundingPolicy,
    out: &mut Vec<f64>,
) -> bool {
    let (before, after) = (until.checked_sub(1), curve.times.get(until));
    let (from, Some(to)) = (before.and_then(|key| curve.times.get(key)), after) else { return false };
    let (start, ramp) = match (from, &curve.before) {
        (Some(from), _) => (from, None),
        (None, Outside::Ramp { start, from, .. }) if start.0 < to.0 => (*start, Some(from)),
        (None, _) => return false,
    };
    if rounding == RoundingPolicy::None || start.0 >= look.time.0 {
        return false;
    }
    match (rounding.share(share(start, to, look.time)) < 0.5, ramp, before) {
        (true, Some(from), _) => out.extend(from.iter().map(|x| f64::from(*x))),
        (true, None, Some(key)) => push_key(curve, key, out),
        _ => push_key(curve, until, out),
    }
    true
}

/// Appends the value of a curve at a time behind `until` keys.
fn value_at(curve: &Curve, look: CurveTime, until: usize, out: &mut Vec<f64>) {
    let Some(key) = until.checked_sub(1) else { return before_first(curve, look.time, out) };
    if curve.times.get(key) != Some(look.time) {
        return if until == curve.len() {
            push_key(curve, key, out)
        } else {
            segment(curve, key, look.time, out)
        };
    }
    match (look.side, look.jump) {
        (Side::Before, _) => approached(curve, look.time, out),
        (Side::At, JumpSide::Before) => push_key(curve, curve.times.count_before(look.time), out),
        _ => push_key(curve, key, out),
    }
}

/// The limit of the value at a key time, from earlier times.
fn approached(curve: &Curve, time: Seconds, out: &mut Vec<f64>) {
    let reached = curve.times.count_before(time);
    let Some(previous) = reached.checked_sub(1) else { return before_first(curve, time, out) };
    match curve.laws.get(previous).blend {
        Blend::Step => push_key(curve, previous, out),
        Blend::Hermite | Blend::WeightedBezier => with_tangents(curve, previous, 1.0, out),
        _ => push_key(curve, reached, out),
    }
}

/// The value before the first key, up to the limit at its time.
fn before_first(curve: &Curve, time: Seconds, out: &mut Vec<f64>) {
    match (&curve.before, curve.times.get(0), curve.value(0)) {
        (Outside::Ramp { start, from, law }, Some(first), Some(to))
            if start.0 < first.0 && from.len() == to.len() =>
        {
            blend(*law, from, to, share(*start, first, time), out);
        }
        _ => push_key(curve, 0, out),
    }
}

/// Appends the value of a key.
fn push_key(curve: &Curve, key: usize, out: &mut Vec<f64>) {
    out.extend(curve.value(key).unwrap_or_default().iter().map(|x| f64::from(*x)));
}

/// The value strictly inside the segment after `key`.
fn segment(curve: &Curve, key: usize, time: Seconds, out: &mut Vec<f64>) {
    let next = key.saturating_add(1);
    let (Some(a), Some(b)) = (curve.times.get(key), curve.times.get(next)) else { return };
    let (law, share) = (curve.laws.get(key), share(a, b, time));
    match (law.blend, curve.value(key), curve.value(next)) {
        (Blend::Hermite | Blend::WeightedBezier, ..) => {
            with_tangents(curve, key, eased(law.timing, share), out)
        }
        (_, Some(from), Some(to)) => match with_controls(curve, key, share) {
            Some(rotation) => out.extend(rotation),
            None => blend(law, from, to, share, out),
        },
        _ => {}
    }
}

/// Interpolation by laws that need nothing but the two keys. Laws with handles are replaced by their form
/// without handles.
fn blend(law: Law, from: &[f32], to: &[f32], share: f64, out: &mut Vec<f64>) {
    let u = eased(law.timing, share);
    let four = |values: &[f32]| <[f32; 4]>::try_from(values).ok().map(|values| values.map(f64::from));
    match (law.blend, four(from).zip(four(to))) {
        (Blend::Step, _) => out.extend(from.iter().map(|x| f64::from(*x))),
        (Blend::Slerp | Blend::Squad | Blend::Turn, Some((a, b))) => out.extend(curve::slerp(a, b, u)),
        (Blend::Nlerp, Some((a, b))) => out.extend(curve::nlerp(a, b, u)),
        // Every law is named, so that the compiler asks for this line where there is a new one.
        (
            Blend::Lerp
            | Blend::Slerp
            | Blend::Squad
            | Blend::Turn
            | Blend::Nlerp
            | Blend::Hermite
            | Blend::WeightedBezier,
            _,
        ) => out.extend(from.iter().zip(to).map(|(a, b)| curve::lerp((*a).into(), (*b).into(), u))),
    }
}

/// The segment after `key` of a curve with tangents, component by component.
fn with_tangents(curve: &Curve, key: usize, u: f64, out: &mut Vec<f64>) {
    let next = key.saturating_add(1);
    let (Some(handles), Some(a), Some(b)) = (&curve.handles, curve.times.get(key), curve.times.get(next))
    else {
        return push_key(curve, key, out);
    };
    let is_weighted = curve.laws.get(key).blend == Blend::WeightedBezier;
    let end = |key: usize, component: usize, slopes: &[f32], weight: f64| {
        let index = key.saturating_mul(curve.width).saturating_add(component);
        let value = curve.values.get(index).copied().unwrap_or_default().into();
        let slope = slopes.get(index).copied().map_or(0.0, f64::from) * (b.0 - a.0);
        curve::WeightedEnd { value, slope, weight }
    };
    for component in 0..curve.width {
        let [leaving, arriving] = match is_weighted {
            true => curve.segment_weights(key, component),
            false => [curve::WeightedEnd::UNUSED_WEIGHT; 2],
        };
        let from = end(key, component, &handles.leaving, leaving);
        let to = end(next, component, &handles.arriving, arriving);
        let holds = from.slope.is_infinite() || to.slope.is_infinite();
        out.push(if holds { from.value } else { curve::weighted_bezier(from, to, u) });
    }
}

/// The segment after `key` of a rotation with control quaternions; `None` for other laws and values.
fn with_controls(curve: &Curve, key: usize, share: f64) -> Option<[f64; 4]> {
    let law = curve.laws.get(key);
    let controls = curve.handles.as_ref().filter(|_| curve.width == 4)?;
    let quaternion = |column: &[f32], key: usize| {
        let q: [f32; 4] = *column.get(key.checked_mul(4)?..)?.first_chunk()?;
        Some(q.map(f64::from))
    };
    let next = key.checked_add(1)?;
    let (from, to) = (quaternion(&curve.values, key)?, quaternion(&curve.values, next)?);
    let (leaving, arriving) = (quaternion(&controls.leaving, key)?, quaternion(&controls.arriving, next)?);
    let u = eased(law.timing, share);
    match law.blend {
        Blend::Squad => Some(curve::squad(from, leaving, arriving, to, u)),
        Blend::Turn => {
            let [angle, x, y, z] = curve.turns.as_ref()?.get(next)?.map(f64::from);
            Some(curve::turn_squad(from, leaving, arriving, to, curve::Turn { angle, axis: [x, y, z] }, u))
        }
        _ => None,
    }
}

/// The value of a channel in its property's unit, or `false` if it has no keys.
///
/// Rotations are unit quaternions. [`Property::Placement`](dopesheet_core::model::Property::Placement) yields
/// seven numbers: translation, then rotation. [`Channel::native`] scales the stored numbers, so also angles
/// before they become a rotation; the parts of an orbit have units of their own and are not scaled.
pub fn channel_at(channel: &Channel, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    one_channel_at(channel, time, side, &mut Cursors::default(), out)
}

/// Grid of a channel's keys; `None` if the keys may be at any time. A time next to a frame of the grid is
/// that frame.
pub(crate) fn grid(channel: &Channel) -> Option<FrameRate> {
    channel.composition.curves().find_map(|curve| match &curve.times {
        Times::Frames { rate, .. } => Some(*rate),
        Times::Seconds(_) => None,
    })
}

/// As [`channel_at`] at the time itself, with rounding to keys; fast near where the cursors stand, one for each curve.
pub(crate) fn rounded_channel_at(
    channel: &Channel,
    time: Seconds,
    rounding: RoundingPolicy,
    cursors: &mut [usize],
    out: &mut Vec<f64>,
) -> bool {
    let mut cursors = Cursors { rounding, ..Cursors::new(cursors) };
    one_channel_at(channel, time, Side::At, &mut cursors, out)
}

pub(crate) fn one_channel_at(
    channel: &Channel,
    time: Seconds,
    side: Side,
    cursors: &mut Cursors<'_>,
    out: &mut Vec<f64>,
) -> bool {
    if !composed_at(channel, time, side, cursors, out) {
        return false;
    }
    if channel.property.kind() == ValueKind::Rotation {
        normalise(out);
    }
    true
}

fn normalise(value: &mut [f64]) {
    if let Some(q) = value.first_chunk_mut::<4>() {
        *q = curve::quat_normalise_or_identity(*q);
    }
}

/// The value of a channel, of rotations not yet at unit length.
fn composed_at(
    channel: &Channel,
    time: Seconds,
    side: Side,
    cursors: &mut Cursors<'_>,
    out: &mut Vec<f64>,
) -> bool {
    if let Some(angles) = PoseAngles::of(channel)
        && let Some(segment) = segment_of(&angles, time, side, cursors)
    {
        replace(out, &angles.rotation(&segment));
        return true;
    }
    let curves = match &channel.composition {
        Composition::Whole(curve) => std::slice::from_ref(curve),
        Composition::Components(curves)
        | Composition::ComponentsNormalised(curves)
        | Composition::Swing { direction: curves, .. }
        | Composition::Euler { angles: curves, .. } => curves,
        Composition::Aim { direction, .. } => std::slice::from_ref(&**direction),
        Composition::Orbit(orbit) => return orbit_at(orbit, time, side, cursors, out),
    };
    if !components_at(curves, time, side, cursors, out) {
        return false;
    }
    if let Some(native) = &channel.native {
        out.iter_mut().for_each(|v| *v *= native.scale);
    }
    match &channel.composition {
        Composition::ComponentsNormalised(_) => normalise(out),
        Composition::Euler { order, .. } => {
            let rotation = curve::quat_from_euler(order.axes(), triple(out));
            replace(out, &rotation);
        }
        Composition::Aim { axis, .. } => {
            let rotation = look_rotation(triple(out), *axis);
            replace(out, &rotation);
        }
        Composition::Swing { axis, .. } => {
            let rotation = swing_rotation(triple(out), *axis);
            replace(out, &rotation);
        }
        Composition::Whole(_) | Composition::Components(_) | Composition::Orbit(_) => {}
    }
    true
}

/// Segment between two poses that angles state, at a time in it.
fn segment_of<'a>(
    angles: &PoseAngles<'a>,
    time: Seconds,
    side: Side,
    cursors: &mut Cursors<'_>,
) -> Option<PoseSegment<'a>> {
    if cursors.rounding != RoundingPolicy::None {
        return None;
    }
    let look = look(angles.curve(), time, side)?;
    let until = count_until(&angles.curve().times, look.time, cursors.until.next());
    angles.segment(look.time, until)
}

fn triple(values: &[f64]) -> [f64; 3] {
    values.first_chunk::<3>().copied().unwrap_or_default()
}

fn replace(out: &mut Vec<f64>, values: &[f64]) {
    out.clear();
    out.extend_from_slice(values);
}

/// Components without keys count as 0 as long as one component has keys.
fn components_at(
    curves: &[Curve],
    time: Seconds,
    side: Side,
    cursors: &mut Cursors<'_>,
    out: &mut Vec<f64>,
) -> bool {
    out.clear();
    let mut any = false;
    for curve in curves {
        if append(curve, time, side, cursors, out) {
            any = true;
        } else {
            out.resize(out.len().saturating_add(curve.width), 0.0);
        }
    }
    any
}

fn orbit_at(orbit: &Orbit, time: Seconds, side: Side, cursors: &mut Cursors<'_>, out: &mut Vec<f64>) -> bool {
    let has_target = components_at(&orbit.target, time, side, cursors, out);
    let target = triple(out);
    let has_angles = components_at(std::slice::from_ref(&orbit.angles), time, side, cursors, out);
    let angles = triple(out);
    let has_distance = components_at(std::slice::from_ref(&orbit.distance), time, side, cursors, out);
    let distance = out.first().copied().unwrap_or_default();
    let ([x, y, z], [sx, sy, sz]) = (angles, orbit.angle_signs);
    let rotation = curve::quat_from_euler(orbit.order.axes(), [x * sx, y * sy, z * sz]);
    let arm = glam::DQuat::from_array(rotation) * (glam::DVec3::from(orbit.axis) * distance);
    out.clear();
    out.extend((glam::DVec3::from(target) + arm).to_array());
    out.extend(rotation);
    has_target || has_angles || has_distance
}

/// Parts of a channel in the source's own words: names and the curves behind each, as stored.
///
/// An orbit has three parts (`target`, `angles_rad`, `distance`), everything else one.
#[must_use]
pub fn native_parts(channel: &Channel) -> Vec<(&str, &[Curve])> {
    let name = channel.native.as_ref().map_or(channel.property.word(), |native| &*native.name);
    match &channel.composition {
        Composition::Whole(curve) => vec![(name, std::slice::from_ref(curve))],
        Composition::Components(curves)
        | Composition::ComponentsNormalised(curves)
        | Composition::Euler { angles: curves, .. } => vec![(name, curves)],
        Composition::Orbit(orbit) => vec![
            ("target", orbit.target.as_slice()),
            ("angles_rad", std::slice::from_ref(&orbit.angles)),
            ("distance", std::slice::from_ref(&orbit.distance)),
        ],
        Composition::Aim { direction, .. } => vec![("direction", std::slice::from_ref(direction))],
        Composition::Swing { direction, .. } => vec![("direction", direction)],
    }
}

/// The value of one of the [`native_parts`] of a channel, as stored; `false` if it has no keys.
///
/// Between keys of angles between which the rotation takes the shorter way, these are its angles: of all that are the same
/// rotation those nearest to the key before.
pub fn stored_at(channel: &Channel, part: usize, time: Seconds, out: &mut Vec<f64>) -> bool {
    if let Some(angles) = PoseAngles::of(channel)
        && let Some(segment) = segment_of(&angles, time, Side::At, &mut Cursors::default())
    {
        replace(out, &angles.stored(&segment));
        return true;
    }
    let parts = native_parts(channel);
    let curves = parts.get(part).map_or(&[][..], |(_, curves)| *curves);
    components_at(curves, time, Side::At, &mut Cursors::default(), out)
}
