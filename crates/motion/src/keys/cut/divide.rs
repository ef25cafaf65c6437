//! A key more in a curve, between two of its own: exact but for timing curves, which are rounded to the bytes of MikuMikuDance.

use crate::keys::columns::inserted;
use crate::keys::timing::law_of;
use crate::keys::whole_handles::nearest_timing;
use crate::sample::timing::{bezier, share};
use crate::sample::{Side, curve_at};
use crate::single::narrow;
use dopesheet_core::model::{Blend, Curve, Law, Laws, Timing, Weighted};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{BezierTiming, WeightedEnd, split_bezier_timing, split_weighted_bezier};

/// The side of a new key on which a curve is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Before,
    After,
}

/// The curve with a key at a time strictly between two of its keys. The timing curve on the side that is kept is that of MikuMikuDance's
/// bytes which is nearest to the half.
///
/// `None` where the law there has no halves of its own kind, or the time is no frame of the curve's grid.
pub(super) fn with_key(curve: &Curve, at: Seconds, kept: Kept) -> Option<Curve> {
    let key = curve.times.count_until(at).checked_sub(1)?;
    let (a, b) = (curve.times.get(key)?, curve.times.get(key.checked_add(1)?)?);
    let (u, law) = (share(a, b, at), curve.laws.get(key));
    let laws = match (law.blend, law.timing) {
        (Blend::Step | Blend::Hermite | Blend::WeightedBezier, Timing::Linear) => [law; 2],
        (Blend::Lerp | Blend::Slerp, timing) => timings(timing, u, kept)?.map(|timing| Law { timing, ..law }),
        _ => return None,
    };
    let mut made = with_row(curve, key, at, laws)?;
    if matches!(law.blend, Blend::Hermite | Blend::WeightedBezier) {
        for component in 0..curve.width {
            divide_cubic(curve, &mut made, (key, component), u)?;
        }
    }
    Some(made)
}

/// The halves of a timing, straight where it is not kept; `None` if it has no halves of its own kind.
fn timings(timing: Timing, u: f64, kept: Kept) -> Option<[Timing; 2]> {
    match timing {
        Timing::Linear => Some([timing; 2]),
        Timing::Bezier { .. } => {
            let [before, after] = split_bezier_timing(&bezier(timing)?, u);
            let nearest = |half: BezierTiming| law_of(nearest_timing(&half));
            Some(match kept {
                Kept::Before => [nearest(before), Timing::Linear],
                Kept::After => [Timing::Linear, nearest(after)],
            })
        }
        // Its halves start or end at full speed.
        Timing::Ease { .. } => None,
    }
}

/// The curve with its own value between a key and the next one, joined to them by such laws, and without slopes yet.
fn with_row(curve: &Curve, key: usize, at: Seconds, laws: [Law; 2]) -> Option<Curve> {
    let mut value = Vec::with_capacity(curve.width);
    curve_at(curve, at, Side::At, &mut value);
    let mut value: Vec<f32> = value.into_iter().map(narrow).collect();
    if laws[0].blend == Blend::Slerp && dot(&value, curve.value(key)?) < 0.0 {
        value.iter_mut().for_each(|x| *x = -*x);
    }
    let before = (0..key).map(|segment| curve.laws.get(segment));
    let next = key.saturating_add(1);
    let after = (next..curve.len().saturating_sub(1)).map(|segment| curve.laws.get(segment));
    let laws = Laws::from_segments(before.chain(laws).chain(after));
    inserted(curve, next, at, &value, laws)
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// Gives one component of the row behind `key` the slopes and weights that divide the cubic there.
fn divide_cubic(curve: &Curve, made: &mut Curve, (key, component): (usize, usize), u: f64) -> Option<()> {
    let next = key.checked_add(1)?;
    let length = curve.times.get(next)?.0 - curve.times.get(key)?.0;
    let is_weighted = curve.laws.get(key).blend == Blend::WeightedBezier;
    let weights = if is_weighted { curve.segment_weights(key, component) } else { [1.0 / 3.0; 2] };
    let handles = curve.handles.as_deref()?;
    let [from, to] = [key, next].map(|key| key.saturating_mul(curve.width).saturating_add(component));
    let end = |at: usize, slopes: &[f32], weight: f64| {
        let (value, slope) = (f64::from(*curve.values.get(at)?), f64::from(*slopes.get(at)?) * length);
        Some(WeightedEnd { value, slope, weight })
    };
    let whole = [end(from, &handles.leaving, weights[0])?, end(to, &handles.arriving, weights[1])?];
    let slopes = made.handles.as_deref_mut()?;
    if whole.iter().any(|end| end.slope.is_infinite()) {
        // The whole segment holds its first value.
        *slopes.arriving.get_mut(to)? = f32::INFINITY;
        *slopes.leaving.get_mut(to)? = f32::INFINITY;
        return Some(());
    }
    let [[first, left], [right, last]] = split_weighted_bezier(whole[0], whole[1], u);
    let (early, late) = (length * u, length * (1.0 - u));
    *slopes.arriving.get_mut(to)? = narrow(left.slope / early);
    *slopes.leaving.get_mut(to)? = narrow(right.slope / late);
    if !is_weighted {
        return Some(());
    }
    let behind = to.saturating_add(curve.width);
    *slopes.leaving.get_mut(from)? = narrow(first.slope / early);
    *slopes.arriving.get_mut(behind)? = narrow(last.slope / late);
    let reach = made.weights.as_deref_mut()?;
    *reach.leaving.get_mut(from)? = narrow(first.weight);
    *reach.arriving.get_mut(to)? = narrow(left.weight);
    *reach.leaving.get_mut(to)? = narrow(right.weight);
    *reach.arriving.get_mut(behind)? = narrow(last.weight);
    let counts = made.weighted.as_deref_mut().and_then(|all| all.get_mut(key..)?.first_chunk_mut());
    if let Some([before, own, after]) = counts {
        (before.leaving, after.arriving) = (true, true);
        *own = Weighted { arriving: true, leaving: true };
    }
    Some(())
}
