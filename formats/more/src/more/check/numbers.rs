//! Numbers that are not finite, and quaternions without unit length.

use super::CheckFn;
use super::visit::{Located, Subject};
use crate::more::animation::{Animation, Body, KeyLaw, Keys, Shape, Times, Values};
use crate::more::codes;
use crate::more::packed::quat32;
use crate::text::listed;
use dopesheet_core::format::SightingsByCode;

pub(super) const CHECKS: &[CheckFn] = &[non_finite, quat_not_unit, quat_u32_overflow];

pub(super) fn animation(subject: &Subject<'_>, animation: &Animation, seen: &mut SightingsByCode) {
    if !animation.duration.is_finite() {
        let actual = animation.duration.to_string();
        seen.add(codes::NON_FINITE, || subject.fault("duration", "a finite number", actual));
    }
    for (index, instant) in animation.instants.iter().enumerate().filter(|(_, i)| !i.time.is_finite()) {
        let path = format!("instants[{index}].time");
        seen.add(codes::NON_FINITE, || subject.fault(&path, "a finite number", instant.time.to_string()));
    }
}

/// The floats of a value; empty for codes.
pub(super) fn floats(values: &Values, key: usize) -> &[f32] {
    match values {
        Values::Floats(v) => v.get(key..=key).unwrap_or_default(),
        Values::Vectors(v) => v.get(key).map_or(&[], |v| v.as_slice()),
        Values::Quaternions(v) => v.get(key).map_or(&[], |v| v.as_slice()),
        _ => &[],
    }
}

fn non_finite(located: &Located<'_>, seen: &mut SightingsByCode) {
    let mut look = |key: usize, field: &str, numbers: &[f32]| {
        if numbers.iter().any(|number| !number.is_finite()) {
            let actual = listed(numbers);
            seen.add(codes::NON_FINITE, || located.fault_in_key(key, field, "finite numbers", actual));
        }
    };
    match &located.track.body {
        Body::Events(events) => {
            events.iter().enumerate().for_each(|(key, event)| look(key, "time", &[event.time]));
        }
        Body::Keys(keys) => {
            for key in 0..keys.len() {
                numbers_of(keys, key, &mut look);
            }
        }
        Body::Displacement(_) | Body::User { .. } => {}
    }
}

fn numbers_of(keys: &Keys, key: usize, look: &mut impl FnMut(usize, &str, &[f32])) {
    if let Times::Seconds(times) = &keys.times {
        look(key, "time", times.get(key..=key).unwrap_or_default());
    }
    look(key, "value", floats(&keys.values, key));
    match &keys.shape {
        Shape::Plain => {}
        Shape::Bezier(bezier) => {
            look(key, "derSrc", floats(&bezier.der_src, key));
            look(key, "derDst", bezier.der_dst.as_ref().map_or(&[], |d| floats(d, key)));
        }
        Shape::Tcb(tcb) => {
            look(key, "derSrc", floats(&tcb.der_src, key));
            look(key, "derDst", floats(&tcb.der_dst, key));
            if let Some(s) = tcb.settings.get(key) {
                look(key, "settings", &[s.tension, s.continuity, s.bias, s.ease_to, s.ease_from]);
            }
            if let Some(turn) = tcb.turns.get(key) {
                let [x, y, z] = turn.axis;
                look(key, "turn", &[turn.angle, x, y, z]);
            }
        }
    }
}

/// Smallest reported difference of a quaternion's length from 1.
const REMARKABLE: f64 = 1e-3;

fn length_of(q: &[f32]) -> f64 {
    q.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// True if the length of a finite quaternion is off 1 by more than rounding.
pub(super) fn is_not_unit(q: &[f32]) -> bool {
    let length = length_of(q);
    length.is_finite() && (length - 1.0).abs() > REMARKABLE
}

fn quat_not_unit(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Body::Keys(keys) = &located.track.body else { return };
    let mut columns = vec![("value", &keys.values)];
    match &keys.shape {
        Shape::Plain => {}
        Shape::Bezier(bezier) => columns.push(("derSrc", &bezier.der_src)),
        Shape::Tcb(tcb) => columns.extend([("derSrc", &tcb.der_src), ("derDst", &tcb.der_dst)]),
    }
    for (field, column) in columns {
        let Values::Quaternions(list) = column else { continue };
        for (key, q) in list.iter().enumerate().filter(|(_, q)| is_not_unit(q.as_slice())) {
            let actual = format!("length {:.6}", length_of(q));
            seen.add(codes::QUAT_NOT_UNIT, || located.fault_in_key(key, field, "length 1", actual));
        }
    }
}

fn quat_u32_overflow(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Body::Keys(keys) = &located.track.body else { return };
    let controls = match &keys.shape {
        Shape::Bezier(bezier) if located.form.law == KeyLaw::Bezier => Some(("derSrc", &bezier.der_src)),
        _ => None,
    };
    for (field, column) in [("value", &keys.values)].into_iter().chain(controls) {
        let Values::Quaternions32(list) = column else { continue };
        for (key, code) in list.iter().enumerate().filter(|(_, code)| quat32::decode(**code).1) {
            let expected = "elements whose squares add to at most 1";
            seen.add(codes::QUAT_U32_OVERFLOW, || {
                located.fault_in_key(key, field, expected, format!("the code {code:#010x}"))
            });
        }
    }
}
