//! Curves kept unchanged: curves of a single layer, of nodes with no more in their transform than the values of three curves per property.

use super::numbers::{rotation, vector};
use crate::fbx::document::{Lane, LaneKey, Slope};
use dopesheet_core::model::{EulerOrder, Law};
use std::collections::HashMap;
use ufbx::{
    AnimCurve, AnimStack, AnimValue, ExtrapolationMode, InheritMode, Interpolation, Keyframe, RotationOrder,
    Transform,
};

/// Largest rounding difference between the values of three curves and the transform of a node, as a ratio.
const ROUNDING: f64 = 1e-9;

/// Largest difference of a weight from 1/3, the weight of unweighted tangents, as a ratio.
const THIRD: f64 = 1e-5;

/// Properties with an effect on the place of a turning or growing node.
const PIVOTS: [&str; 4] = ["RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot"];

/// The curves of a take, by element and property.
pub(super) struct Curves<'a> {
    stack: &'a AnimStack,
    values: HashMap<(u32, &'a str), &'a AnimValue>,
    /// Start and end of the take, on the clock of the file.
    span: (f64, f64),
}

impl<'a> Curves<'a> {
    /// Curves of a take; empty for several layers, and for a layer with a weight below 1.
    pub(super) fn of(stack: &'a AnimStack, span: (f64, f64)) -> Self {
        let sole = match stack.layers.iter().as_slice() {
            [layer] if layer.weight == 1.0 && !layer.weight_is_animated => Some(layer),
            _ => None,
        };
        let all = sole.into_iter().flat_map(|layer| layer.anim_props.iter());
        let values =
            all.map(|own| ((own.element.element_id, own.prop_name.as_ref()), own.anim_value.as_ref()));
        Self { stack, values: values.collect(), span }
    }

    /// Places along the three axes, if they are a node's.
    pub(super) fn translation(&self, node: &ufbx::Node) -> Option<[Lane; 3]> {
        self.has_no_pivots(node).then_some(())?;
        self.lanes(node, "Lcl Translation", |values, now| near(values, vector(&now.translation)))
    }

    /// Scale factors, if they are a node's.
    pub(super) fn scale(&self, node: &ufbx::Node) -> Option<[Lane; 3]> {
        self.lanes(node, "Lcl Scaling", |values, now| near(values, vector(&now.scale)))
    }

    /// Angles in degrees with the order of the turns, if they are the whole rotation of the node.
    pub(super) fn rotation(&self, node: &ufbx::Node) -> Option<(EulerOrder, [Lane; 3])> {
        let stated = if node.use_rotation_space { node.rotation_order } else { RotationOrder::Xyz };
        let order = order(stated)?;
        let is_whole = |[x, y, z]: [f64; 3], now: &Transform| {
            let of_curves = rotation(&ufbx::euler_to_quat(ufbx::Vec3 { x, y, z }, stated));
            let dot: f64 = of_curves.iter().zip(rotation(&now.rotation)).map(|(a, b)| a * b).sum();
            1.0 - dot.abs() <= ROUNDING
        };
        Some((order, self.lanes(node, "Lcl Rotation", is_whole)?))
    }

    fn has_no_pivots(&self, node: &ufbx::Node) -> bool {
        PIVOTS.iter().all(|name| {
            let is_still = !self.values.contains_key(&(node.element.element_id, *name));
            let stated = ufbx::find_prop(&node.element.props, name);
            is_still
                && stated.is_none_or(|own| [own.value_vec4.x, own.value_vec4.y, own.value_vec4.z] == [0.0; 3])
        })
    }

    /// The three curves of a property, if their values equal the transform of the node at each key, and half way to the
    /// next key; `None` if the transform of the node makes up for a scale.
    fn lanes(
        &self,
        node: &ufbx::Node,
        property: &str,
        agrees: impl Fn([f64; 3], &Transform) -> bool,
    ) -> Option<[Lane; 3]> {
        let value = *self.values.get(&(node.element.element_id, property)).filter(|_| is_plain(node))?;
        let rest = vector(&value.default_value);
        let curve = |axis: usize| value.curves.get(axis).and_then(Option::as_ref).map(AsRef::as_ref);
        let lane = |axis: usize| match curve(axis) {
            Some(curve) => self.lane(curve),
            None => Some(Lane { keys: vec![LaneKey::held(self.span.0, rest[axis])] }),
        };
        let lanes = [lane(0)?, lane(1)?, lane(2)?];
        let times = lanes.iter().flat_map(|lane| {
            let times = lane.keys.iter().map(|key| key.time_s);
            times.clone().chain(times.clone().zip(times.skip(1)).map(|(from, to)| (from + to) / 2.0))
        });
        let at = |time: f64| {
            let of = |axis: usize| {
                curve(axis).map_or(rest[axis], |own| ufbx::evaluate_curve(own, time, rest[axis]))
            };
            agrees([of(0), of(1), of(2)], &ufbx::evaluate_transform(&self.stack.anim, node, time))
        };
        times.into_iter().all(at).then_some(lanes)
    }

    /// The keys of a curve; `None` if a scene cannot hold all of its course.
    fn lane(&self, curve: &AnimCurve) -> Option<Lane> {
        let holds = |mode| mode == ExtrapolationMode::Constant;
        let keys = curve.keyframes.iter().as_slice();
        let is_sound = holds(curve.pre_extrapolation.mode)
            && holds(curve.post_extrapolation.mode)
            && keys.windows(2).all(|pair| pair[0].time < pair[1].time)
            && keys
                .iter()
                .all(|key| key.value.is_finite() && self.span.0 <= key.time && key.time <= self.span.1);
        let before = |at: usize| at.checked_sub(1).and_then(|at| keys.get(at));
        let key = |(at, key): (usize, &Keyframe)| lane_key(before(at), key, keys.get(at + 1));
        let keys = keys.iter().enumerate().map(key).collect::<Option<Vec<_>>>()?;
        (is_sound && !keys.is_empty()).then_some(Lane { keys })
    }
}

/// True if a node inherits the scale of its parent unchanged, and neither has a further node for its scale.
fn is_plain(node: &ufbx::Node) -> bool {
    let has_scale_apart =
        |node: &ufbx::Node| node.scale_helper.is_some() || node.inherit_scale_node.is_some();
    let is_apart = node.is_scale_helper || has_scale_apart(node);
    let parent_is_apart = node.parent.as_ref().is_some_and(|parent| has_scale_apart(parent));
    node.original_inherit_mode == InheritMode::Normal && !is_apart && !parent_is_apart
}

/// A key with its tangents, as shares of the segments on both sides.
fn lane_key(before: Option<&Keyframe>, key: &Keyframe, after: Option<&Keyframe>) -> Option<LaneKey> {
    let slope = |tangent: &ufbx::Tangent, length: f64| {
        let (dx, dy) = (f64::from(tangent.dx), f64::from(tangent.dy));
        let (slope, weight) = (dy / dx, dx / length);
        let is_sound = slope.is_finite() && weight > 0.0 && weight <= 1.0;
        is_sound.then_some(Slope { slope, weight })
    };
    let is_cubic = |key: &Keyframe| key.interpolation == Interpolation::Cubic;
    let arriving = match before.filter(|before| is_cubic(before)) {
        Some(before) => slope(&key.left, key.time - before.time)?,
        None => Slope::NONE,
    };
    let (leaving, law) = match (key.interpolation, after) {
        (_, None) => (Slope::NONE, Law::LINEAR),
        (Interpolation::ConstantPrev, _) => (Slope::NONE, Law::STEP),
        (Interpolation::Linear, _) => (Slope::NONE, Law::LINEAR),
        (Interpolation::Cubic, Some(after)) => {
            let leaving = slope(&key.right, after.time - key.time)?;
            let arrival = slope(&after.left, after.time - key.time)?;
            let is_even = |own: Slope| (own.weight - Slope::NONE.weight).abs() < THIRD;
            (leaving, if is_even(leaving) && is_even(arrival) { Law::HERMITE } else { Law::WEIGHTED })
        }
        (Interpolation::ConstantNext, _) => return None,
    };
    Some(LaneKey { time_s: key.time, value: key.value, arriving, leaving, law })
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= ROUNDING * (1.0 + a.abs()))
}

/// The format names the innermost turn first, the model the outermost.
const fn order(order: RotationOrder) -> Option<EulerOrder> {
    match order {
        RotationOrder::Xyz => Some(EulerOrder::Zyx),
        RotationOrder::Xzy => Some(EulerOrder::Yzx),
        RotationOrder::Yzx => Some(EulerOrder::Xzy),
        RotationOrder::Yxz => Some(EulerOrder::Zxy),
        RotationOrder::Zxy => Some(EulerOrder::Yxz),
        RotationOrder::Zyx => Some(EulerOrder::Xyz),
        RotationOrder::Spheric => None,
    }
}
