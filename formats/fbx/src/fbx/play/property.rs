//! A property over time: the curves of all layers of a take, put together.

use super::curve::AnimationCurve;
use dopesheet_core::model::EulerOrder;
use dopesheet_curve::{self as curve, QUAT_IDENTITY, quat_product, slerp};

/// A property of three numbers, or of a single number in the first place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimatedProperty {
    /// Value without curves.
    pub stored: [f64; 3],
    /// Curves, from the lowest layer up; empty for a property that does not move.
    pub curve_nodes: Vec<CurveNode>,
    /// Kind of the values, which decides how layers combine them.
    pub kind: PropertyKind,
}

impl AnimatedProperty {
    /// True if the property has curves, or values in a layer.
    #[must_use]
    pub const fn is_animated(&self) -> bool {
        !self.curve_nodes.is_empty()
    }
}

/// Kind of a property's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PropertyKind {
    /// Numbers each for itself.
    #[default]
    Numbers,
    /// Angles in degrees, of turns in an order.
    Angles(EulerOrder),
    /// Scale factors.
    Factors,
}

/// The curves of a property in a layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveNode {
    /// Position of the layer in its take.
    pub layer: usize,
    /// Values without a curve.
    pub defaults: [f64; 3],
    /// Positions of the curves in the document.
    pub curves: [Option<usize>; 3],
}

/// A layer of a take, above the layers before.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Effect on the layers below.
    pub mode: LayerMode,
    /// Share of the effect, from 0 to 1.
    pub weight: f64,
    /// The share in hundredths over time.
    pub weights: Option<CurveNode>,
    /// True if angles are combined as rotations.
    pub composes_rotation: bool,
    /// True if scale factors are multiplied.
    pub composes_scale: bool,
}

/// Effect of a layer on the layers below. The lowest layer of a take replaces what the file stores, by any mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerMode {
    /// It replaces them.
    Replace,
    /// It is mixed with them.
    Mix,
    /// It is added to them.
    Add,
}

/// Sources of all values of a take.
#[derive(Clone, Copy, Debug)]
pub struct Player<'a> {
    /// Curves of the document.
    pub curves: &'a [AnimationCurve],
    /// Layers of the take.
    pub layers: &'a [Layer],
    /// Ticks of the file's clock in a second.
    pub ticks_per_s: f64,
}

impl<'a> Player<'a> {
    /// Value of a property at a time on the clock of the file; numbers beyond all bounds count as 0.
    ///
    /// Source: ufbx (`ufbx_evaluate_prop`, `ufbx_anim_layer`).
    #[must_use]
    pub fn at(&self, property: &AnimatedProperty, time_s: f64) -> [f64; 3] {
        let mut value = property.stored;
        for node in &property.curve_nodes {
            let now = self.node(node, time_s);
            value = match self.layers.get(node.layer) {
                Some(layer) if node.layer > 0 => {
                    layer.combine(value, now, self.weight(layer, time_s), property.kind)
                }
                _ => now,
            };
        }
        value.map(|number| if number.is_finite() { number } else { 0.0 })
    }

    fn node(&self, node: &CurveNode, time_s: f64) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let curve = node.curves[axis].and_then(|curve| self.curves.get(curve));
            let default = node.defaults[axis];
            curve.map_or(default, |curve| curve.at(time_s, default, self.ticks_per_s))
        })
    }

    fn weight(&self, layer: &Layer, time_s: f64) -> f64 {
        let hundredths = layer.weights.as_ref().map(|node| self.node(node, time_s)[0]);
        // MotionBuilder's full weight may be a little less.
        let clamped = |weight: f64| if weight > 0.99999 { 1.0 } else { weight.max(0.0) };
        hundredths.map_or(layer.weight, |hundredths| clamped(hundredths / 100.0))
    }

    /// All curves with an effect on a property, weights of layers included.
    pub fn curves_of(
        self,
        property: &'a AnimatedProperty,
    ) -> impl Iterator<Item = &'a AnimationCurve> + use<'a> {
        let weights = move |node: &CurveNode| {
            self.layers.get(node.layer).filter(|_| node.layer > 0).and_then(|layer| layer.weights.as_ref())
        };
        let nodes = property.curve_nodes.iter().flat_map(move |node| [Some(node), weights(node)]);
        nodes.flatten().flat_map(|node| node.curves).flatten().filter_map(move |curve| self.curves.get(curve))
    }
}

impl Layer {
    /// Values of the layers below, and of this layer at a weight, as a single value.
    fn combine(&self, below: [f64; 3], now: [f64; 3], weight: f64, kind: PropertyKind) -> [f64; 3] {
        let each = |mix: &dyn Fn(f64, f64) -> f64| std::array::from_fn(|axis| mix(below[axis], now[axis]));
        match (self.mode, kind) {
            (LayerMode::Replace, _) => now,
            (LayerMode::Mix, PropertyKind::Factors) if self.composes_scale => {
                each(&|below, now| power(below, 1.0 - weight) * power(now, weight))
            }
            (LayerMode::Add, PropertyKind::Factors) if self.composes_scale => {
                each(&|below, now| below * power(now, weight))
            }
            (LayerMode::Mix, PropertyKind::Angles(order)) if self.composes_rotation => {
                angles(order, slerp(rotation(order, below), rotation(order, now), weight))
            }
            (LayerMode::Add, PropertyKind::Angles(order)) if self.composes_rotation => {
                let part = slerp(QUAT_IDENTITY, rotation(order, now), weight);
                angles(order, quat_product(rotation(order, below), part))
            }
            (LayerMode::Mix, _) => each(&|below, now| below * (1.0 - weight) + now * weight),
            (LayerMode::Add, _) => each(&|below, now| below + now * weight),
        }
    }
}

/// A factor to the power of a weight, with the sign of the factor.
fn power(factor: f64, weight: f64) -> f64 {
    match weight {
        weight if weight <= 0.0 => 1.0,
        weight if weight >= 1.0 => factor,
        _ => libm::pow(factor.abs(), weight).copysign(factor),
    }
}

/// The rotation of three angles in degrees.
pub(super) fn rotation(order: EulerOrder, degrees: [f64; 3]) -> [f64; 4] {
    curve::quat_from_euler(order.axes(), degrees.map(f64::to_radians))
}

fn angles(order: EulerOrder, rotation: [f64; 4]) -> [f64; 3] {
    curve::euler_from_quat(order.axes(), rotation).map(f64::to_degrees)
}
