//! Keys to curves: the effective keys, their times, and the laws between them.

use super::repairs::Repairs;
use crate::more::animation::{Bezier, KeyLaw, Keys, Shape, Stored, Tcb, TrackType, Values};
use crate::more::interpretation::{Interpretation, TangentUnit};
use dopesheet_core::model::{Blend, Curve, Handles, Law, Laws, Times, Timing};
use dopesheet_core::order::by_number;
use dopesheet_curve::{quat_normalise_above, quat_normalise_or_identity};
use std::sync::Arc;

/// True if values are Euler angles.
pub(super) fn is_euler(track_type: TrackType) -> bool {
    track_type.stored() == Stored::Angles
}

/// The effective keys of a track, in the order of their times.
pub(super) struct TrackLane<'a> {
    keys: &'a Keys,
    track_type: TrackType,
    order: Vec<usize>,
    times: Vec<f64>,
}

impl<'a> TrackLane<'a> {
    /// `None` if no key remains.
    pub(super) fn new(keys: &'a Keys, track_type: TrackType, repairs: &mut Repairs) -> Option<Self> {
        let all: Vec<f64> = keys.times.iter().collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.retain(|key| all[*key].is_finite());
        repairs.timeless += keys.len() - order.len();
        if !repairs.as_stored {
            let before = order.len();
            order.retain(|key| is_finite(keys, *key));
            repairs.nonfinite += before - order.len();
        }
        if !order.is_sorted_by(|a, b| all[*a] <= all[*b]) {
            repairs.unsorted += 1;
            by_number(&mut order, |key| all[*key]);
        }
        if order.is_empty() {
            return None;
        }
        let times = order.iter().map(|key| all[*key]).collect();
        Some(Self { keys, track_type, order, times })
    }

    /// Places of the keys in the file.
    pub(super) fn sources(&self) -> Arc<Vec<Option<u32>>> {
        Arc::new(self.order.iter().map(|key| u32::try_from(*key).ok()).collect())
    }

    fn is_quaternion(&self) -> bool {
        self.keys.values.width() == 4
    }

    /// A column in the order of the times; quaternions as they are, of any length.
    fn column(&self, values: &Values, how: &Interpretation) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.order.len() * values.width());
        for key in &self.order {
            values.decode_into(*key, how.euler_code, &mut out);
        }
        if how.conjugate_rotations && self.track_type.is_rotation() {
            let turned = if values.width() == 4 { 4 } else { 3 };
            for value in out.chunks_exact_mut(turned) {
                value.iter_mut().take(3).for_each(|x| *x = -*x);
            }
        }
        out
    }

    /// The length of the segment after a key, in seconds.
    fn length(&self, key: usize) -> f64 {
        match (self.times.get(key), self.times.get(key + 1)) {
            (Some(a), Some(b)) => b - a,
            _ => 0.0,
        }
    }
}

fn is_finite(keys: &Keys, key: usize) -> bool {
    use super::super::packed::EulerCode;
    let sound = |values: &Values| values.decoded(key, EulerCode::Affine).iter().all(|x| x.is_finite());
    let is_quaternion = keys.values.width() == 4;
    sound(&keys.values)
        && match &keys.shape {
            Shape::Plain => true,
            // The destination derivative of a quaternion is never used.
            Shape::Bezier(bezier) => {
                sound(&bezier.der_src) && (is_quaternion || bezier.der_dst.as_ref().is_none_or(sound))
            }
            Shape::Tcb(tcb) => {
                let turn = tcb.turns.get(key).copied().unwrap_or_default();
                let is_turn_finite = turn.angle.is_finite() && turn.axis.iter().all(|x| x.is_finite());
                sound(&tcb.der_src) && sound(&tcb.der_dst) && is_turn_finite
            }
        }
}

/// Largest difference of the squared length from 1 that is left unmended, as rounding to f32.
const ROUNDING: f64 = 1e-6;
/// Smallest reported difference of the length from 1.
const REMARKABLE: f64 = 1e-3;
/// Control quaternions shorter than this count as their key's value.
const NO_CONTROL: f64 = 1e-6;

pub(super) fn curve(track: &TrackLane<'_>, how: &Interpretation, repairs: &mut Repairs) -> Curve {
    let width = track.keys.values.width();
    let mut values = track.column(&track.keys.values, how);
    if track.is_quaternion() {
        for value in values.chunks_exact_mut(4) {
            unit(value, repairs);
        }
    }
    let times = Times::Seconds(Arc::from(track.times.as_slice()));
    let mut curve = Curve::new(times, width, narrow(&values), Laws::uniform(Law::STEP));
    match (&track.keys.shape, track.track_type.law()) {
        (Shape::Plain, KeyLaw::Linear) if track.is_quaternion() => curve.laws = Laws::uniform(Law::SLERP),
        (Shape::Plain, KeyLaw::Linear) => curve.laws = Laws::uniform(Law::LINEAR),
        (Shape::Plain, _) => {}
        (Shape::Bezier(bezier), _) => bezier_curve(track, bezier, &values, how, &mut curve),
        (Shape::Tcb(tcb), _) => tcb_curve(track, tcb, &values, how, &mut curve),
    }
    curve
}

fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|v| *v as f32).collect()
}

/// A quaternion at unit length, as played. A quaternion off only by rounding keeps its bits.
fn unit(value: &mut [f64], repairs: &mut Repairs) {
    let Some(q) = value.first_chunk_mut::<4>() else { return };
    let square: f64 = q.iter().map(|x| x * x).sum();
    if (square - 1.0).abs() > ROUNDING {
        repairs.long_quaternions += usize::from((square.sqrt() - 1.0).abs() > REMARKABLE);
        *q = quat_normalise_or_identity(*q);
    }
}

const fn uniform(blend: Blend) -> Law {
    Law { timing: Timing::Linear, blend }
}

fn bezier_curve(
    track: &TrackLane<'_>,
    bezier: &Bezier,
    values: &[f64],
    how: &Interpretation,
    curve: &mut Curve,
) {
    let blend = if track.is_quaternion() { Blend::Squad } else { Blend::Hermite };
    let flat = |position: usize| track.order.get(position).and_then(|key| bezier.flat_out.get(*key)).copied();
    let segments = track.order.len().saturating_sub(1);
    curve.laws = Laws::from_segments((0..segments).map(|segment| match flat(segment) {
        Some(true) => Law::STEP,
        _ => uniform(blend),
    }));
    let der_src = track.column(&bezier.der_src, how);
    curve.handles = Some(Box::new(if track.is_quaternion() {
        let controls = controls(&der_src, values);
        Handles { arriving: controls.clone(), leaving: controls }
    } else {
        let der_dst = bezier.der_dst.as_ref().map_or_else(|| der_src.clone(), |d| track.column(d, how));
        tangents(track, &der_src, &der_dst, how.tangent_unit)
    }));
}

fn tcb_curve(track: &TrackLane<'_>, tcb: &Tcb, values: &[f64], how: &Interpretation, curve: &mut Curve) {
    let blend = if track.is_quaternion() { Blend::Turn } else { Blend::Hermite };
    let settings = |position: usize| track.order.get(position).and_then(|key| tcb.settings.get(*key));
    let segments = track.order.len().saturating_sub(1);
    curve.laws = Laws::from_segments((0..segments).map(|segment| {
        let from = settings(segment).map_or(0.0, |s| share(s.ease_from));
        let to = settings(segment + 1).map_or(0.0, |s| share(s.ease_to));
        let timing = if from + to > 0.0 { Timing::Ease { from, to } } else { Timing::Linear };
        Law { timing, blend }
    }));
    let (der_src, der_dst) = (track.column(&tcb.der_src, how), track.column(&tcb.der_dst, how));
    if !track.is_quaternion() {
        // Kochanek-Bartels derivatives count per segment whatever those of Bezier keys do.
        curve.handles = Some(Box::new(tangents(track, &der_src, &der_dst, TangentUnit::PerSegment)));
        return;
    }
    let (arriving, leaving) = (controls(&der_src, values), controls(&der_dst, values));
    curve.handles = Some(Box::new(Handles { arriving, leaving }));
    let sign = if how.conjugate_rotations { -1.0 } else { 1.0 };
    let turn = |key: &usize| {
        let turn = tcb.turns.get(*key).copied().unwrap_or_default();
        let [x, y, z] = turn.axis.map(|a| sign * a);
        [turn.angle, x, y, z]
    };
    curve.turns = Some(track.order.iter().map(turn).collect());
}

/// A share of a segment; 0 for NaN.
fn share(ease: f32) -> f32 {
    if ease.is_nan() { 0.0 } else { ease.clamp(0.0, 1.0) }
}

/// Derivatives as value units per second; 0 for derivatives not used by any segment, and at jumps.
fn tangents(track: &TrackLane<'_>, der_src: &[f64], der_dst: &[f64], unit: TangentUnit) -> Handles {
    let width = track.keys.values.width();
    let per_second = |derivative: &f64, length: f64| match unit {
        _ if length <= 0.0 => 0.0,
        TangentUnit::PerSegment => (derivative / length) as f32,
        TangentUnit::PerSecond => *derivative as f32,
    };
    let (mut arriving, mut leaving) = (Vec::with_capacity(der_src.len()), Vec::with_capacity(der_dst.len()));
    for (position, (src, dst)) in der_src.chunks_exact(width).zip(der_dst.chunks_exact(width)).enumerate() {
        let before = position.checked_sub(1).map_or(0.0, |previous| track.length(previous));
        let after = track.length(position);
        arriving.extend(src.iter().map(|d| per_second(d, before)));
        leaving.extend(dst.iter().map(|d| per_second(d, after)));
    }
    Handles { arriving, leaving }
}

/// Control quaternions at unit length; a control without direction counts as its key's value.
fn controls(controls: &[f64], values: &[f64]) -> Vec<f32> {
    let pairs = controls.as_chunks::<4>().0.iter().zip(values.as_chunks::<4>().0);
    pairs
        .flat_map(|(control, value)| quat_normalise_above(*control, NO_CONTROL).unwrap_or(*value))
        .map(|x| x as f32)
        .collect()
}
