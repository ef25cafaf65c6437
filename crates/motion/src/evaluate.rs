//! The reference evaluator: the value of any channel at any time, in f64, straight from the laws.
//!
//! It is exact and simple rather than fast; everything faster is measured against it.

use crate::aim::look_rotation;
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, EulerOrder, JumpSide, Law, Orbit, Outside, Timing, ValueKind,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;

/// From which side a time is approached, which matters where values jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The value at the time itself, by the curve's own [`JumpSide`].
    At,
    /// The value that is approached from earlier times.
    Before,
    /// The value from which later times go on.
    After,
}

/// The value of a curve as stored, or `false` if it has no keys. `out` is overwritten with `width` numbers.
pub fn curve_at(curve: &Curve, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    out.clear();
    let Some((first, last)) = curve.times.span() else { return false };
    let time = map_outside(curve, time, first, last);
    let until = curve.times.count_until(time);
    if until == 0 {
        before_first(curve, time, side, out);
        return true;
    }
    let on_key = curve.times.get(until - 1) == Some(time);
    let from_left = side == Side::Before || (side == Side::At && curve.jump == JumpSide::Before);
    if on_key && from_left {
        arrive(curve, until, time, side, out);
    } else if on_key || until == curve.len() {
        push(curve, until - 1, out);
    } else {
        segment(curve, until - 1, time, out);
    }
    true
}

/// The value on the last of the keys at `time` as seen from earlier times.
fn arrive(curve: &Curve, until: usize, time: Seconds, side: Side, out: &mut Vec<f64>) {
    let mut first = until - 1;
    while first > 0 && curve.times.get(first - 1) == Some(time) {
        first -= 1;
    }
    let steps = first > 0 && curve.laws.get(first - 1).blend == Blend::Step;
    // Exactly on a key its value counts, also at the end of a step; only approaching it shows the old value.
    if side == Side::Before && steps {
        push(curve, first - 1, out);
    } else if side == Side::Before && first == 0 {
        before_first(curve, time, side, out);
    } else {
        push(curve, first, out);
    }
}

fn before_first(curve: &Curve, time: Seconds, side: Side, out: &mut Vec<f64>) {
    let (Outside::Ramp { start, from, law }, Some(first)) = (&curve.before, curve.times.get(0)) else {
        return push(curve, 0, out);
    };
    let wide = |v: &[f32]| v.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
    let to = wide(curve.value(0).unwrap_or_default());
    let share =
        if first.0 > start.0 { ((time.0 - start.0) / (first.0 - start.0)).clamp(0.0, 1.0) } else { 1.0 };
    if share >= 1.0 && (side != Side::Before || law.blend != Blend::Step) {
        out.extend(to);
        return;
    }
    blend_plain(*law, &wide(from), &to, share, out);
}

fn map_outside(curve: &Curve, time: Seconds, first: Seconds, last: Seconds) -> Seconds {
    let length = last.0 - first.0;
    let rule = if time.0 < first.0 { &curve.before } else { &curve.after };
    if (first.0..=last.0).contains(&time.0) || length <= 0.0 {
        return time;
    }
    let offset = time.0 - first.0;
    match rule {
        Outside::Hold | Outside::Ramp { .. } => time,
        Outside::Loop => Seconds(first.0 + offset.rem_euclid(length)),
        Outside::PingPong => Seconds(first.0 + (length - (offset.rem_euclid(2.0 * length) - length).abs())),
    }
}

fn push(curve: &Curve, key: usize, out: &mut Vec<f64>) {
    out.extend(curve.value(key).unwrap_or_default().iter().map(|x| f64::from(*x)));
}

/// The value strictly inside the segment after `key`.
fn segment(curve: &Curve, key: usize, time: Seconds, out: &mut Vec<f64>) {
    let law = curve.laws.get(key);
    let (Some(a), Some(b)) = (curve.times.get(key), curve.times.get(key + 1)) else { return };
    let share = (time.0 - a.0) / (b.0 - a.0);
    if law.blend == Blend::Hermite {
        return hermite(curve, key, b.0 - a.0, share, out);
    }
    let (mut from, mut to) = (Vec::with_capacity(curve.width), Vec::with_capacity(curve.width));
    push(curve, key, &mut from);
    push(curve, key + 1, &mut to);
    blend_plain(law, &from, &to, share, out);
}

fn eased(timing: Timing, share: f64) -> f64 {
    match timing {
        Timing::Linear => share,
        Timing::Bezier { x1, y1, x2, y2 } => {
            let timing = curve::BezierTiming { x1: x1.into(), y1: y1.into(), x2: x2.into(), y2: y2.into() };
            curve::bezier_timing(&timing, share)
        }
        // No format that is read yet has eased segments.
        Timing::Ease { .. } => share,
    }
}

/// Laws that need nothing but the two keys.
fn blend_plain(law: Law, from: &[f64], to: &[f64], share: f64, out: &mut Vec<f64>) {
    let u = eased(law.timing, share);
    match (law.blend, from, to) {
        (Blend::Step, ..) => out.extend(from),
        (Blend::Slerp, &[ax, ay, az, aw], &[bx, by, bz, bw]) => {
            out.extend(curve::slerp([ax, ay, az, aw], [bx, by, bz, bw], u));
        }
        (Blend::Nlerp, &[ax, ay, az, aw], &[bx, by, bz, bw]) => {
            out.extend(curve::nlerp([ax, ay, az, aw], [bx, by, bz, bw], u));
        }
        _ => out.extend(from.iter().zip(to).map(|(a, b)| curve::lerp(*a, *b, u))),
    }
}

fn hermite(curve: &Curve, key: usize, length_s: f64, u: f64, out: &mut Vec<f64>) {
    let Some(handles) = &curve.handles else { return push(curve, key, out) };
    let at = |column: &[f32], index: usize| column.get(index).copied().map_or(0.0, f64::from);
    for component in 0..curve.width {
        let (i, j) = (key * curve.width + component, (key + 1) * curve.width + component);
        out.push(curve::hermite_per_second(
            at(&curve.values, i),
            at(&handles.leaving, i),
            at(&curve.values, j),
            at(&handles.arriving, j),
            length_s,
            u,
        ));
    }
}

/// The value of a channel in its property's unit, or `false` if it has no keys.
///
/// Rotations are unit quaternions. [`Property::Placement`] yields seven numbers: translation, then rotation.
pub fn channel_at(channel: &Channel, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    if !composed_at(&channel.composition, time, side, out) {
        return false;
    }
    if let Some(native) = &channel.native {
        out.iter_mut().for_each(|v| *v *= native.scale);
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

fn composed_at(composition: &Composition, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    match composition {
        Composition::Whole(curve) => curve_at(curve, time, side, out),
        Composition::Components(curves) => components_at(curves, time, side, out),
        Composition::ComponentsNormalised(curves) => {
            let any = components_at(curves, time, side, out);
            normalise(out);
            any
        }
        Composition::Euler { order, angles } => {
            let any = components_at(angles, time, side, out);
            if let Some(angles) = out.first_chunk::<3>().copied() {
                *out = curve::quat_from_euler(euler_order(*order), angles).to_vec();
            }
            any
        }
        Composition::Orbit(orbit) => orbit_at(orbit, time, side, out),
        Composition::Aim { direction, axis } => {
            let any = curve_at(direction, time, side, out);
            if let Some(direction) = out.first_chunk::<3>().copied() {
                *out = look_rotation(direction, *axis).to_vec();
            }
            any
        }
    }
}

/// Components without keys count as 0 as long as one component has keys.
fn components_at(curves: &[Curve], time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    let mut all = Vec::with_capacity(curves.len());
    let mut part = Vec::new();
    let mut any = false;
    for curve in curves {
        if curve_at(curve, time, side, &mut part) {
            any = true;
            all.extend_from_slice(&part);
        } else {
            all.extend(std::iter::repeat_n(0.0, curve.width));
        }
    }
    *out = all;
    any
}

fn orbit_at(orbit: &Orbit, time: Seconds, side: Side, out: &mut Vec<f64>) -> bool {
    let mut part = Vec::new();
    let any = components_at(&orbit.target, time, side, out);
    let target = out.first_chunk::<3>().copied().unwrap_or_default();
    curve_at(&orbit.angles, time, side, &mut part);
    let angles = part.first_chunk::<3>().copied().unwrap_or_default();
    curve_at(&orbit.distance, time, side, &mut part);
    let distance = part.first().copied().unwrap_or_default();
    let signed = std::array::from_fn(|i| angles[i] * orbit.angle_signs[i]);
    let rotation = curve::quat_from_euler(euler_order(orbit.order), signed);
    let offset = glam::DQuat::from_array(rotation) * (glam::DVec3::from(orbit.axis) * distance);
    *out = (glam::DVec3::from(target) + offset).to_array().into_iter().chain(rotation).collect();
    any
}

const fn euler_order(order: EulerOrder) -> curve::EulerOrder {
    match order {
        EulerOrder::Xyz => curve::EulerOrder::Xyz,
        EulerOrder::Xzy => curve::EulerOrder::Xzy,
        EulerOrder::Yxz => curve::EulerOrder::Yxz,
        EulerOrder::Yzx => curve::EulerOrder::Yzx,
        EulerOrder::Zxy => curve::EulerOrder::Zxy,
        EulerOrder::Zyx => curve::EulerOrder::Zyx,
    }
}

/// What a channel is made of in the source's own words: names and the curves behind each, as stored.
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
    }
}

/// The value of some curves side by side, as stored; `false` if none has keys.
pub fn stored_at(curves: &[Curve], time: Seconds, out: &mut Vec<f64>) -> bool {
    components_at(curves, time, Side::At, out)
}
