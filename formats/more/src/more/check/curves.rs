//! Checks that stored derivatives and turns fit the settings from which they were made.

use super::CheckFn;
use super::visit::Located;
use crate::more::animation::{Bezier, Body, Keys, Shape, Tcb, TcbSettings, Turn, Values};
use crate::more::codes;
use crate::more::packed::EulerCode;
use crate::text::listed;
use dopesheet_core::format::SightingsByCode;
use dopesheet_core::order::by_number;
use dopesheet_curve::{
    Tcb as Dials, TcbKey, TcbRotationKey, Turn as WholeTurn, quat_angle, quat_exp,
    quat_normalise_or_identity, quat_product, tcb_controls, tcb_slopes,
};

pub(super) const CHECKS: &[CheckFn] = &[tcb_derivative_mismatch, tcb_angle_axis_mismatch, tangent_unit_hint];

/// Smallest reported difference, relative to the values around; rounding is smaller.
const REMARKABLE: f64 = 1e-3;
/// The same of two rotations: twice the difference of the elements of their quaternions.
const REMARKABLE_RAD: f64 = 2.0 * REMARKABLE;

/// Keys in the order of their times, if all times are finite.
fn order(keys: &Keys) -> Option<Vec<usize>> {
    let times: Vec<f64> = keys.times.iter().collect();
    if times.iter().any(|t| !t.is_finite()) {
        return None;
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    by_number(&mut order, |key| times[*key]);
    Some(order)
}

fn tcb_of<'a>(located: &Located<'a>) -> Option<(&'a Keys, &'a Tcb, Vec<usize>)> {
    match &located.track.body {
        Body::Keys(keys) => match &keys.shape {
            Shape::Tcb(tcb) => Some((&**keys, &**tcb, order(keys)?)),
            _ => None,
        },
        _ => None,
    }
}

fn picked<T: Copy>(order: &[usize], list: &[T]) -> Vec<T> {
    order.iter().filter_map(|key| list.get(*key)).copied().collect()
}

fn tcb_derivative_mismatch(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Some((keys, tcb, order)) = tcb_of(located) else { return };
    let times: Vec<f64> = order.iter().filter_map(|key| keys.times.get(*key)).collect();
    let settings = picked(&order, &tcb.settings);
    let mut compare = Compare { located, order: &order, seen };
    match (&keys.values, &tcb.der_src, &tcb.der_dst) {
        (Values::Floats(values), Values::Floats(src), Values::Floats(dst)) => {
            let one = |list: &[f32]| list.iter().map(|v| [*v]).collect::<Vec<_>>();
            compare.vectors(&times, &one(values), &settings, [&one(src), &one(dst)]);
        }
        (Values::Vectors(values), Values::Vectors(src), Values::Vectors(dst)) => {
            compare.vectors(&times, values, &settings, [src, dst]);
        }
        (Values::Quaternions(values), Values::Quaternions(src), Values::Quaternions(dst)) => {
            let turns = picked(&order, &tcb.turns);
            compare.quaternions(&times, values, (&settings, &turns), [src, dst]);
        }
        _ => {}
    }
}

struct Compare<'a, 'b> {
    located: &'b Located<'a>,
    order: &'b [usize],
    seen: &'b mut SightingsByCode,
}

impl Compare<'_, '_> {
    fn vectors<const N: usize>(
        &mut self,
        times: &[f64],
        values: &[[f32; N]],
        settings: &[TcbSettings],
        stored: [&[[f32; N]]; 2],
    ) {
        let wide: Vec<[f64; N]> = picked(self.order, values).into_iter().map(|v| v.map(f64::from)).collect();
        let keys = times.iter().zip(&wide).zip(settings);
        let keys: Vec<_> = keys.map(|((t, v), s)| TcbKey { time: *t, value: *v, tcb: dials(s) }).collect();
        for position in 0..keys.len() {
            let expected = tcb_slopes(&keys, position);
            let pair = [expected.arriving, expected.leaving];
            let around = position.saturating_sub(1)..(position + 2).min(wide.len());
            let moves = wide[around].windows(2).map(|w| length(&minus(w[1], w[0])));
            let scale = moves.fold(1e-6, f64::max);
            for side in 0..2 {
                let Some(derivative) = stored[side].get(self.order[position]) else { continue };
                let actual = derivative.map(f64::from);
                let error = length(&minus(actual, pair[side]));
                if error > REMARKABLE * scale.max(length(&pair[side])) {
                    self.report(self.order[position], side, &pair[side], &actual);
                }
            }
        }
    }

    fn quaternions(
        &mut self,
        times: &[f64],
        values: &[[f32; 4]],
        (settings, turns): (&[TcbSettings], &[Turn]),
        stored: [&[[f32; 4]]; 2],
    ) {
        let wide: Vec<[f64; 4]> = picked(self.order, values).into_iter().map(|v| v.map(f64::from)).collect();
        let keys = times.iter().zip(&wide).zip(settings).zip(turns);
        let key = |(((time, value), s), turn): (((&f64, &[f64; 4]), &TcbSettings), &Turn)| {
            let value = quat_normalise_or_identity(*value);
            TcbRotationKey { time: *time, value, turn: wide_turn(turn), tcb: dials(s) }
        };
        let keys: Vec<_> = keys.map(key).collect();
        for position in 0..keys.len() {
            let expected = tcb_controls(&keys, position);
            let pair = [expected.arriving, expected.leaving];
            for side in 0..2 {
                let Some(control) = stored[side].get(self.order[position]) else { continue };
                let actual = control.map(f64::from);
                if quaternion_error(actual, pair[side]) > REMARKABLE {
                    self.report(self.order[position], side, &pair[side], &actual);
                }
            }
        }
    }

    fn report(&mut self, key: usize, side: usize, expected: &[f64], found: &[f64]) {
        let field = ["derSrc", "derDst"][side];
        let short = |list: &[f64]| listed(list.iter().map(|v| format!("{v:.5}")));
        let expected = format!("{} by tension, continuity and bias", short(expected));
        let located = self.located;
        self.seen
            .add(codes::TCB_DERIVATIVE_MISMATCH, || located.fault_in_key(key, field, expected, short(found)));
    }
}

fn minus<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Distance of two quaternions, whatever their signs.
fn quaternion_error(a: [f64; 4], b: [f64; 4]) -> f64 {
    length(&minus(a, b)).min(length(&minus(a, b.map(|x| -x))))
}

fn tcb_angle_axis_mismatch(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Some((keys, tcb, order)) = tcb_of(located) else { return };
    let Values::Quaternions(values) = &keys.values else { return };
    let unit = |key: usize| quat_normalise_or_identity(values[key].map(f64::from));
    for pair in order.windows(2) {
        let (Some(turn), &[before, key]) = (tcb.turns.get(pair[1]), pair) else { continue };
        let misses = |sign: f32| {
            let half = turn.axis.map(|a| 0.5 * f64::from(sign * turn.angle) * f64::from(a));
            quat_angle(quat_product(unit(before), quat_exp(half)), unit(key)) > REMARKABLE_RAD
        };
        let whole = wide_turn(turn);
        if misses(1.0) || whole.is_whole() && !whole.fits(unit(before), unit(key)) {
            let hint = if misses(-1.0) {
                ""
            } else {
                "; the opposite turn fits, so the handedness may be different"
            };
            let actual = format!("{} rad about {}{hint}", turn.angle, listed(turn.axis));
            seen.add(codes::TCB_ANGLE_AXIS_MISMATCH, || {
                located.fault_in_key(key, "angle", "a turn from the previous key to this one", actual)
            });
        }
    }
}

fn dials(settings: &TcbSettings) -> Dials {
    Dials {
        tension: settings.tension.into(),
        continuity: settings.continuity.into(),
        bias: settings.bias.into(),
    }
}

fn wide_turn(turn: &Turn) -> WholeTurn {
    WholeTurn { angle: turn.angle.into(), axis: turn.axis.map(f64::from) }
}

/// Neighbouring segments must differ in length by more than this share to tell the units apart.
const UNEVEN: f64 = 0.05;
/// Fewer keys than this prove nothing.
const ENOUGH: usize = 4;

fn tangent_unit_hint(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Body::Keys(keys) = &located.track.body else { return };
    let Shape::Bezier(bezier @ Bezier { der_dst: Some(_), .. }) = &keys.shape else { return };
    if located.track.track_type.is_rotation() && keys.values.width() == 4 {
        return;
    }
    let Some(order) = order(keys) else { return };
    let votes: Vec<bool> = order.windows(3).filter_map(|w| fits_per_segment(keys, bezier, w)).collect();
    let (all, fitting) = (votes.len(), votes.iter().filter(|fits| **fits).count());
    if all >= ENOUGH && 2 * fitting != all {
        let (unit, count) =
            if 2 * fitting > all { ("per segment", fitting) } else { ("per second", all - fitting) };
        let actual = format!("derivatives that fit {unit} at {count} of {all} keys that can tell");
        seen.add(codes::TANGENT_UNIT_HINT, || located.fault("keys", "derivatives per segment", actual));
    }
}

/// True if the derivatives of a key make a smoother curve when they count per segment; `None` if the key
/// cannot tell.
fn fits_per_segment(keys: &Keys, bezier: &Bezier, window: &[usize]) -> Option<bool> {
    let &[a, key, b] = window else { return None };
    let (before, after) =
        (keys.times.get(key)? - keys.times.get(a)?, keys.times.get(b)? - keys.times.get(key)?);
    let is_even = (before - after).abs() <= UNEVEN * before.max(after);
    if before <= 0.0 || after <= 0.0 || is_even {
        return None;
    }
    let src = bezier.der_src.decoded(key, EulerCode::Affine);
    let dst = bezier.der_dst.as_ref()?.decoded(key, EulerCode::Affine);
    let (ls, ld) = (length(&src), length(&dst));
    if !(ls > 1e-6 && ld > 1e-6) {
        return None;
    }
    let differ = |x: f64, y: f64| {
        let parts: Vec<f64> = src.iter().zip(&dst).map(|(s, d)| s / x - d / y).collect();
        length(&parts) / (ls / x + ld / y)
    };
    let (per_second, per_segment) = (differ(1.0, 1.0), differ(before, after));
    (per_second != per_segment).then_some(per_segment < per_second)
}
