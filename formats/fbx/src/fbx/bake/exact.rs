//! Curves kept unchanged: of takes with a single layer, for nodes with no more in their transform than the values of three curves per
//! property.

use super::clock::Clock;
use crate::fbx::document::Take;
use crate::fbx::play::{
    AnimationCurve, CurveKey, Interpolation, Player, PropertyKind, Tangent, TransformChain,
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
    // The curve of an axis, or its constant value.
    let mut curve = |axis: usize| match node.curves[axis].and_then(|curve| player.curves.get(curve)) {
        Some(curve) if is_held(curve, take) => unchanged(curve, clock),
        Some(_) => None,
        None => {
            let (time, value) = (clock.times(&[take.begin.0]), node.defaults[axis] as f32);
            Some(Curve::new(time, 1, vec![value], Laws::uniform(Law::LINEAR)))
        }
    };
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

/// True if a scene holds the times of a curve.
fn is_held(curve: &AnimationCurve, take: &Take) -> bool {
    let (keys, span) = (curve.keys.as_slice(), take.begin.0..=take.end.0);
    !keys.is_empty()
        && curve.has_constant_ends()
        && keys.windows(2).all(|pair| pair[0].time_s < pair[1].time_s)
        && keys.iter().all(|key| span.contains(&key.time_s))
}

/// Slope per second of a tangent, and its length as a share of the segment's.
type Slope = (f64, f64);

/// An unused tangent.
const NONE: Slope = (0.0, 1.0 / 3.0);

/// A curve with the keys of the file; `None` if a segment has no law of a scene.
fn unchanged(curve: &AnimationCurve, clock: &mut Clock) -> Option<Curve> {
    let pairs = curve.keys.windows(2).map(|pair| segment(&pair[0], &pair[1]));
    let segments = pairs.collect::<Option<Vec<_>>>()?;
    let (leaving, arriving) = (segments.iter().map(|s| s.0), segments.iter().map(|s| s.1));
    let (leaving, arriving) = (leaving.chain([NONE]), [NONE].into_iter().chain(arriving));
    let handles = |number: fn(Slope) -> f64| {
        let (leaving, arriving) = (leaving.clone(), arriving.clone());
        let stored = |slope| number(slope) as f32;
        Box::new(Handles { arriving: arriving.map(stored).collect(), leaving: leaving.map(stored).collect() })
    };
    let has = |blend: Blend| segments.iter().any(|(_, _, law)| law.blend == blend);
    let (is_weighted, is_cubic) = (has(Blend::WeightedBezier), has(Blend::Hermite));
    let times: Vec<f64> = curve.keys.iter().map(|key| key.time_s).collect();
    let values = curve.keys.iter().map(|key| key.value as f32).collect();
    Some(Curve {
        handles: (is_weighted || is_cubic).then(|| handles(|slope| slope.0)),
        weights: is_weighted.then(|| handles(|slope| slope.1)),
        ..Curve::new(clock.times(&times), 1, values, Laws::from_segments(segments.iter().map(|s| s.2)))
    })
}

/// Tangents at the start and at the end of a segment, and the law of the segment.
fn segment(key: &CurveKey, next: &CurveKey) -> Option<(Slope, Slope, Law)> {
    Some(match key.interpolation {
        Interpolation::Linear => (NONE, NONE, Law::LINEAR),
        Interpolation::Constant => (NONE, NONE, Law::STEP),
        Interpolation::Cubic => {
            let length_s = next.time_s - key.time_s;
            let (leaving, arriving) = (slope(&key.leaving, length_s)?, slope(&next.arriving, length_s)?);
            let is_even = |slope: Slope| (slope.1 - NONE.1).abs() < EVEN;
            let law = if is_even(leaving) && is_even(arriving) { Law::HERMITE } else { Law::WEIGHTED };
            (leaving, arriving, law)
        }
        Interpolation::ConstantNext => return None,
    })
}

fn slope(tangent: &Tangent, length_s: f64) -> Option<Slope> {
    let (seconds, rise) = (f64::from(tangent.seconds), f64::from(tangent.rise));
    let (slope, weight) = (rise / seconds, seconds / length_s);
    (slope.is_finite() && weight > 0.0 && weight <= 1.0).then_some((slope, weight))
}
