//! Control quaternions from tension, continuity and bias.

use crate::logarithm::quat_exp;
use crate::quaternion::{quat_normalise_or_identity, quat_product};
use crate::squad::step_log;
use crate::tcb::{Tcb, TcbHandles, combined};
use crate::turn::Turn;
use std::f64::consts::FRAC_PI_2;

/// Key of a rotation, with control quaternions from tension, continuity and bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TcbRotationKey {
    /// Time in any unit; keys are in ascending order.
    pub time: f64,
    /// Rotation of the key, a unit quaternion.
    pub value: [f64; 4],
    /// Turn from the previous key to this key.
    pub turn: Turn,
    /// Its dials.
    pub tcb: Tcb,
}

/// Control quaternions of the key `n` of `keys`, for [`turn_squad`](crate::turn_squad()).
///
/// * Formula: with q the key's value, m the logarithm of the rotation from the previous key and p the
///   logarithm of the rotation to the next key, both the shorter way, and the shares A, B, C, D of
///   [`tcb_slopes`](crate::tcb_slopes()) (A and B of arriving, C and D of leaving):
///   `arriving = q·exp(½[(1−A)·m − B·p])`, `leaving = q·exp(½[C·m + (D−1)·p])`. With all dials at 0 and even
///   times both are [`squad_control`](crate::squad_control()).
/// * Whole turns ([`Turn::is_whole`]) into a segment count as half a turn about their axis, so `m` or `p` is `±(π/2)·axis`.
///   Where the axis is not of unit length, the shorter way counts.
/// * Ends: the first key takes p for m and the last key m for p, without correction for uneven times. A
///   single key is its own control.
/// * Domain: unit quaternions and finite numbers; other quaternions are normalised, quaternions without
///   direction count as the identity, and every input gives unit quaternions. An `n` past the end gives the
///   identity.
/// * Source: the rule of Kochanek and Bartels carried over to [`squad`](crate::squad()) as in NeL (track_tcb.h).
/// * Error: at most 8e-15 in each component.
pub fn tcb_controls(keys: &[TcbRotationKey], n: usize) -> TcbHandles<4> {
    let before = n.checked_sub(1).and_then(|before| keys.get(before));
    let after = keys.get(n.saturating_add(1));
    let Some(here) = keys.get(n) else {
        let q = quat_normalise_or_identity([0.0; 4]);
        return TcbHandles { arriving: q, leaving: q };
    };
    let q = quat_normalise_or_identity(here.value);
    let (m, p) = (before.map(|before| step(before, here)), after.map(|after| step(here, after)));
    let pace = match (before, after) {
        (Some(before), Some(after)) => here.tcb.pace([before.time, here.time, after.time]),
        _ => [1.0; 2],
    };
    let [a, b, c, d] = here.tcb.shares(pace);
    let [m, p] = [m.or(p), p.or(m)].map(Option::unwrap_or_default);
    let control = |wm: f64, wp: f64| {
        let bend = quat_exp(combined(&m, &p, |m, p| 0.5 * (wm * m + wp * p)));
        quat_normalise_or_identity(quat_product(q, bend))
    };
    TcbHandles { arriving: control(1.0 - a, -b), leaving: control(c, d - 1.0) }
}

/// Logarithm of the rotation from one key to the next, in the frame of the first key.
fn step(from: &TcbRotationKey, to: &TcbRotationKey) -> [f64; 3] {
    match to.turn.unit_axis().filter(|_| to.turn.is_whole()) {
        Some(axis) => axis.map(|v| v * FRAC_PI_2),
        None => step_log(quat_normalise_or_identity(from.value), to.value),
    }
}
