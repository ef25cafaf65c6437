//! Curves kept unchanged: of takes with a single layer, for nodes with no more in their transform than the values of three curves per
//! property.

use super::{Lane, LaneKey, Slope};
use crate::fbx::document::Take;
use crate::fbx::play::{
    AnimatedProperty, AnimationCurve, CurveKey, Extrapolation, Interpolation, Player, PropertyKind, Tangent,
    TransformChain,
};
use dopesheet_core::model::Law;
use dopesheet_curve::QUAT_IDENTITY;

/// Largest difference of a weight from 1/3, the weight of unweighted tangents, as a ratio.
const THIRD: f64 = 1e-5;

/// Curves of a take.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a> {
    take: &'a Take,
    player: Player<'a>,
}

impl<'a> Lanes<'a> {
    pub(super) const fn of(take: &'a Take, player: Player<'a>) -> Self {
        Self { take, player }
    }

    /// Places along the three axes, if they are a node's.
    pub(super) fn translation(self, chain: &TransformChain) -> Option<[Lane; 3]> {
        let is_whole = !chain.has_pivots() && chain.inherits_plainly && chain.factors[0] == 1.0;
        self.lanes(&chain.translation).filter(|_| is_whole)
    }

    /// Scale factors, if they are a node's.
    pub(super) fn scale(self, chain: &TransformChain) -> Option<[Lane; 3]> {
        self.lanes(&chain.scale).filter(|_| chain.inherits_plainly && chain.factors[1] == 1.0)
    }

    /// Angles in degrees, if they are the whole rotation of the node.
    pub(super) fn rotation(self, chain: &TransformChain) -> Option<[Lane; 3]> {
        let has_order = matches!(chain.rotation.kind, PropertyKind::Angles(_));
        let is_whole = has_order && chain.turns_around.is_none() && chain.optics == QUAT_IDENTITY;
        self.lanes(&chain.rotation).filter(|_| is_whole && chain.inherits_plainly)
    }

    /// The three curves of a property, if a scene can hold all of their course.
    fn lanes(self, property: &AnimatedProperty) -> Option<[Lane; 3]> {
        let [node] = property.curve_nodes.as_slice() else { return None };
        let lane = |axis: usize| match node.curves[axis].and_then(|curve| self.player.curves.get(curve)) {
            Some(curve) => self.lane(curve),
            None => Some(Lane { keys: vec![LaneKey::held(self.take.begin.0, node.defaults[axis])] }),
        };
        let is_sole = self.take.layers.len() == 1;
        if is_sole { Some([lane(0)?, lane(1)?, lane(2)?]) } else { None }
    }

    /// The keys of a curve; `None` if a scene cannot hold all of its course.
    fn lane(self, curve: &AnimationCurve) -> Option<Lane> {
        let keys = curve.keys.as_slice();
        let span = self.take.begin.0..=self.take.end.0;
        let is_sound = [curve.before, curve.after].iter().all(|course| *course == Extrapolation::Constant)
            && keys.windows(2).all(|pair| pair[0].time_s < pair[1].time_s)
            && keys.iter().all(|key| key.value.is_finite() && span.contains(&key.time_s));
        let before = |at: usize| at.checked_sub(1).and_then(|at| keys.get(at));
        let key = |(at, key): (usize, &CurveKey)| lane_key(before(at), key, keys.get(at + 1));
        let keys = keys.iter().enumerate().map(key).collect::<Option<Vec<_>>>()?;
        (is_sound && !keys.is_empty()).then_some(Lane { keys })
    }
}

impl LaneKey {
    /// A key of a constant value.
    const fn held(time_s: f64, value: f64) -> Self {
        Self { time_s, value, arriving: Slope::NONE, leaving: Slope::NONE, law: Law::LINEAR }
    }
}

/// A key with its tangents, as shares of the segments on both sides.
fn lane_key(before: Option<&CurveKey>, key: &CurveKey, after: Option<&CurveKey>) -> Option<LaneKey> {
    let slope = |tangent: &Tangent, length_s: f64| {
        let (seconds, rise) = (f64::from(tangent.seconds), f64::from(tangent.rise));
        let (slope, weight) = (rise / seconds, seconds / length_s);
        let is_sound = slope.is_finite() && weight > 0.0 && weight <= 1.0;
        is_sound.then_some(Slope { slope, weight })
    };
    let is_cubic = |key: &CurveKey| key.interpolation == Interpolation::Cubic;
    let arriving = match before.filter(|before| is_cubic(before)) {
        Some(before) => slope(&key.arriving, key.time_s - before.time_s)?,
        None => Slope::NONE,
    };
    let (leaving, law) = match (key.interpolation, after) {
        (_, None) => (Slope::NONE, Law::LINEAR),
        (Interpolation::Constant, _) => (Slope::NONE, Law::STEP),
        (Interpolation::Linear, _) => (Slope::NONE, Law::LINEAR),
        (Interpolation::Cubic, Some(after)) => {
            let leaving = slope(&key.leaving, after.time_s - key.time_s)?;
            let arrival = slope(&after.arriving, after.time_s - key.time_s)?;
            let is_even = |slope: Slope| (slope.weight - Slope::NONE.weight).abs() < THIRD;
            (leaving, if is_even(leaving) && is_even(arrival) { Law::HERMITE } else { Law::WEIGHTED })
        }
        (Interpolation::ConstantNext, _) => return None,
    };
    Some(LaneKey { time_s: key.time_s, value: key.value, arriving, leaving, law })
}
