//! Curves kept unchanged: of takes with a single layer, for nodes with no more in their transform than the values of three curves per
//! property.

use super::clock::Clock;
use crate::fbx::document::Take;
use crate::fbx::play::{
    AnimationCurve, CurveKey, CurveNode, Extrapolation, Interpolation, Player, PropertyKind, Tangent,
    TransformChain,
};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Handles, Law, Laws, Native, Property};
use dopesheet_curve::QUAT_IDENTITY;
use std::borrow::Cow;

/// Word of a scene for angles as they are stored.
const ANGLES: &str = "angles_deg";

/// Largest difference of a weight from 1/3, the weight of unweighted tangents, as a ratio.
const EVEN: f64 = 1e-5;

/// Channel of a node's property with the curves of the file, if a scene can hold all of their course.
pub(super) fn channel(
    property: &Property,
    chain: &TransformChain,
    player: Player<'_>,
    take: &Take,
    clock: &mut Clock,
) -> Option<Channel> {
    let (source, is_whole) = match property {
        Property::Translation => (&chain.translation, !chain.has_pivots() && chain.factors[0] == 1.0),
        Property::Rotation => {
            (&chain.rotation, chain.turns_around.is_none() && chain.optics == QUAT_IDENTITY)
        }
        _ => (&chain.scale, chain.factors[1] == 1.0),
    };
    let [node] = source.curve_nodes.as_slice() else { return None };
    if !is_whole || !chain.inherits_plainly || take.layers.len() > 1 {
        return None;
    }
    let mut curve = |axis| curve_of(node, axis, player, take, clock);
    let curves = vec![curve(0)?, curve(1)?, curve(2)?];
    let (composition, native) = match (property, source.kind) {
        (Property::Rotation, PropertyKind::Angles(order)) => {
            let native = Native { name: Cow::Borrowed(ANGLES), scale: 1f64.to_radians() };
            (Composition::Euler { order, angles: curves }, Some(native))
        }
        (Property::Rotation, _) => return None,
        _ => (Composition::Components(curves), None),
    };
    Some(Channel { property: property.clone(), composition, native })
}

/// The curve of an axis, or its constant value.
fn curve_of(
    node: &CurveNode,
    axis: usize,
    player: Player<'_>,
    take: &Take,
    clock: &mut Clock,
) -> Option<Curve> {
    match node.curves[axis].and_then(|curve| player.curves.get(curve)) {
        Some(curve) if is_held(curve, take) => unchanged(curve, clock),
        Some(_) => None,
        None => {
            let (time, value) = (clock.times(&[take.begin.0]), node.defaults[axis] as f32);
            Some(Curve::new(time, 1, vec![value], Laws::uniform(Law::LINEAR)))
        }
    }
}

/// True if a scene holds the times of a curve.
fn is_held(curve: &AnimationCurve, take: &Take) -> bool {
    let (keys, span) = (curve.keys.as_slice(), take.begin.0..=take.end.0);
    let is_constant = |course: &Extrapolation| *course == Extrapolation::Constant;
    !keys.is_empty()
        && [curve.before, curve.after].iter().all(is_constant)
        && keys.windows(2).all(|pair| pair[0].time_s < pair[1].time_s)
        && keys.iter().all(|key| span.contains(&key.time_s))
}

/// Slope per second of a tangent, and its length as a share of the segment's.
type Slope = (f64, f64);

/// An unused tangent.
const NONE: Slope = (0.0, 1.0 / 3.0);

/// A curve with the keys of the file; `None` if a segment has no law of a scene.
fn unchanged(curve: &AnimationCurve, clock: &mut Clock) -> Option<Curve> {
    let keys = curve.keys.as_slice();
    let (mut laws, mut handles, mut weights) = (Vec::new(), Handles::default(), Handles::default());
    for (at, key) in keys.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| keys.get(before));
        let arriving = match before.filter(|before| before.interpolation == Interpolation::Cubic) {
            Some(before) => slope(&key.arriving, key.time_s - before.time_s)?,
            None => NONE,
        };
        let (leaving, law) = segment(key, keys.get(at + 1))?;
        laws.push(law);
        handles.arriving.push(arriving.0 as f32);
        handles.leaving.push(leaving.0 as f32);
        weights.arriving.push(arriving.1 as f32);
        weights.leaving.push(leaving.1 as f32);
    }
    let has = |blend: Blend| laws.iter().any(|law: &Law| law.blend == blend);
    let (is_weighted, is_cubic) = (has(Blend::WeightedBezier), has(Blend::Hermite));
    let times: Vec<f64> = keys.iter().map(|key| key.time_s).collect();
    let values = keys.iter().map(|key| key.value as f32).collect();
    let segments = laws.into_iter().take(keys.len().saturating_sub(1).max(1));
    let curve = Curve::new(clock.times(&times), 1, values, Laws::from_segments(segments));
    Some(Curve {
        handles: (is_weighted || is_cubic).then(|| Box::new(handles)),
        weights: is_weighted.then(|| Box::new(weights)),
        ..curve
    })
}

/// Tangent at the start of a segment, and the law of the segment.
fn segment(key: &CurveKey, after: Option<&CurveKey>) -> Option<(Slope, Law)> {
    Some(match (key.interpolation, after) {
        (_, None) | (Interpolation::Linear, _) => (NONE, Law::LINEAR),
        (Interpolation::Constant, _) => (NONE, Law::STEP),
        (Interpolation::Cubic, Some(after)) => {
            let length_s = after.time_s - key.time_s;
            let (leaving, arrival) = (slope(&key.leaving, length_s)?, slope(&after.arriving, length_s)?);
            let is_even = |slope: Slope| (slope.1 - NONE.1).abs() < EVEN;
            (leaving, if is_even(leaving) && is_even(arrival) { Law::HERMITE } else { Law::WEIGHTED })
        }
        (Interpolation::ConstantNext, _) => return None,
    })
}

fn slope(tangent: &Tangent, length_s: f64) -> Option<Slope> {
    let (seconds, rise) = (f64::from(tangent.seconds), f64::from(tangent.rise));
    let (slope, weight) = (rise / seconds, seconds / length_s);
    (slope.is_finite() && weight > 0.0 && weight <= 1.0).then_some((slope, weight))
}
