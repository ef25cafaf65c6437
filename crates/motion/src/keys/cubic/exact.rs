//! Stretches that are cubics already.

use crate::sample::outside::look;
use crate::sample::{Side, curve_at};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Outside, ValueKind};
use dopesheet_core::units::Seconds;
use dopesheet_curve::hermite_slope;

/// A quaternion of this length, or as much shorter than 1, counts as a unit quaternion.
const LONGEST: f64 = 1.0 + 1e-6;

/// The slopes per second at both ends of a stretch without a key in between, if the stretch is a single
/// cubic.
pub(super) fn slopes(channel: &Channel, a: Seconds, b: Seconds) -> Option<[Vec<f64>; 2]> {
    let curves = match &channel.composition {
        Composition::Whole(curve) => std::slice::from_ref(curve),
        Composition::Components(curves) | Composition::ComponentsNormalised(curves) => curves,
        _ => return None,
    };
    let rotates = channel.property.kind() == ValueKind::Rotation;
    if rotates && ![(a, Side::After), (b, Side::Before)].into_iter().all(|(t, side)| is_unit(curves, t, side))
    {
        return None;
    }
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let [mut leaving, mut arriving] = [const { Vec::new() }; 2];
    for curve in curves {
        let [from, to] = ends(curve, a, b)?;
        leaving.extend(from.iter().map(|slope| slope * scale));
        arriving.extend(to.iter().map(|slope| slope * scale));
    }
    Some([leaving, arriving])
}

/// True if normalising changes nothing.
fn is_unit(curves: &[Curve], time: Seconds, side: Side) -> bool {
    let (mut value, mut square) = (Vec::new(), 0.0);
    for curve in curves {
        curve_at(curve, time, side, &mut value);
        square += value.iter().map(|x| x * x).sum::<f64>();
    }
    (1.0 / LONGEST..=LONGEST).contains(&square.sqrt())
}

fn ends(curve: &Curve, a: Seconds, b: Seconds) -> Option<[Vec<f64>; 2]> {
    let still = || Some([const { 0.0 }; 2].map(|zero| vec![zero; curve.width]));
    let middle = Seconds(0.5 * a.0 + 0.5 * b.0);
    if look(curve, middle, Side::At)?.time != middle {
        return None;
    }
    let until = curve.times.count_until(middle);
    let Some(key) = until.checked_sub(1) else {
        return if curve.before == Outside::Hold { still() } else { None };
    };
    let (start, Some(end)) = (curve.times.get(key)?, curve.times.get(until)) else { return still() };
    let law = curve.laws.get(key);
    let length = end.0 - start.0;
    if start.0 > a.0 || end.0 < b.0 || !law.timing.is_linear() {
        return None;
    }
    let slope_at = |time: Seconds, n: usize| {
        let from = f64::from(*curve.value(key)?.get(n)?);
        let to = f64::from(*curve.value(until)?.get(n)?);
        let chord = (to - from) / length;
        if law.blend == Blend::Lerp {
            return Some(chord);
        }
        let handles = curve.handles.as_deref()?;
        let leaving = f64::from(*curve.row(&handles.leaving, key)?.get(n)?);
        let arriving = f64::from(*curve.row(&handles.arriving, until)?.get(n)?);
        Some(hermite_slope(chord, leaving, arriving, (time.0 - start.0) / length))
            .filter(|slope| slope.is_finite())
    };
    let slopes = |time: Seconds| (0..curve.width).map(|n| slope_at(time, n)).collect::<Option<Vec<f64>>>();
    match law.blend {
        Blend::Step => still(),
        Blend::Lerp | Blend::Hermite => Some([slopes(a)?, slopes(b)?]),
        _ => None,
    }
}
