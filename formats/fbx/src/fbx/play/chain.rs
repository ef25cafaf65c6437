//! The transform of a node, from all that the format has for it.

use super::property::{AnimatedProperty, Player, PropertyKind, rotation};
use dopesheet_core::model::{EulerOrder, NodeIndex};
use dopesheet_curve::{QUAT_IDENTITY, quat_inverse, quat_product, quat_rotate};

/// Order of the turns before and after a node's angles: X first, as in the format's own XYZ.
const XYZ: EulerOrder = EulerOrder::Zyx;

/// Properties behind the transform of a node: `T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹`.
///
/// Source: the SDK's documentation ("Computing transformation matrices"), and ufbx (`ufbx_evaluate_transform`).
#[derive(Clone, Debug, PartialEq)]
pub struct TransformChain {
    /// The node.
    pub node: NodeIndex,
    /// T, in units of the file.
    pub translation: AnimatedProperty,
    /// R, in degrees; of a kind without an order where the file's order means no turns.
    pub rotation: AnimatedProperty,
    /// S.
    pub scale: AnimatedProperty,
    /// Rpre and Rpost, in degrees; `None` for a node without both.
    pub turns_around: Option<[AnimatedProperty; 2]>,
    /// Roff, Rp, Soff and Sp, in units of the file.
    pub pivots: [AnimatedProperty; 4],
    /// Turn behind all others, of cameras and lights along other axes.
    pub optics: [f64; 4],
    /// Scale factors that multiply the translation, where the parent does not hand down its scale.
    pub parent_scales: Vec<AnimatedProperty>,
    /// Further scale factors of a node that holds a scale alone.
    pub further_scales: Vec<AnimatedProperty>,
    /// Factors of the translation and of the scale, where children make up for the scale of their parents.
    pub factors: [f64; 2],
    /// True if the node inherits the scale of its parent unchanged, and neither has a further node for its scale.
    pub inherits_plainly: bool,
}

impl TransformChain {
    /// Rotation at a time on the clock of the file.
    #[must_use]
    pub fn rotation_at(&self, player: &Player<'_>, time_s: f64) -> [f64; 4] {
        quat_product(self.turn_at(player, time_s), self.optics)
    }

    /// Scale factors at a time on the clock of the file.
    #[must_use]
    pub fn scale_at(&self, player: &Player<'_>, time_s: f64) -> [f64; 3] {
        let scale = times_all(player.at(&self.scale, time_s), &self.further_scales, player, time_s);
        scale.map(|factor| factor * self.factors[1])
    }

    /// Translation at a time on the clock of the file.
    #[must_use]
    pub fn translation_at(&self, player: &Player<'_>, time_s: f64) -> [f64; 3] {
        let translation =
            times_all(player.at(&self.translation, time_s), &self.parent_scales, player, time_s);
        if !self.has_pivots() {
            return translation.map(|part| part * self.factors[0]);
        }
        let [offset, pivot, scaling_offset, scaling_pivot] =
            self.pivots.each_ref().map(|property| player.at(property, time_s));
        let scale = player.at(&self.scale, time_s);
        let arm = std::array::from_fn(|axis| {
            let scaled = scaling_pivot[axis] * (1.0 - scale[axis]);
            scaled + scaling_offset[axis] - pivot[axis]
        });
        let turned = quat_rotate(self.turn_at(player, time_s), arm);
        let sum = |axis: usize| translation[axis] + offset[axis] + pivot[axis] + turned[axis];
        std::array::from_fn(|axis| sum(axis) * self.factors[0])
    }

    /// True if places depend on more than the translation.
    #[must_use]
    pub fn has_pivots(&self) -> bool {
        self.pivots.iter().any(|property| property.stored != [0.0; 3] || property.is_animated())
    }

    /// Rpre · R · Rpost⁻¹ at a time.
    fn turn_at(&self, player: &Player<'_>, time_s: f64) -> [f64; 4] {
        let degrees = |property: &AnimatedProperty| player.at(property, time_s);
        let turn = match self.rotation.kind {
            PropertyKind::Angles(order) => rotation(order, degrees(&self.rotation)),
            _ => QUAT_IDENTITY,
        };
        let Some([before, after]) = &self.turns_around else { return turn };
        let back = quat_inverse(rotation(XYZ, degrees(after)));
        quat_product(quat_product(rotation(XYZ, degrees(before)), turn), back)
    }

    /// All properties with an effect on places, rotations and scales.
    #[must_use]
    pub fn sources(&self) -> [Vec<&AnimatedProperty>; 3] {
        let mut turns = vec![&self.rotation];
        turns.extend(self.turns_around.iter().flatten());
        let mut places: Vec<_> = [&self.translation].into_iter().chain(&self.parent_scales).collect();
        if self.has_pivots() {
            places.extend(self.pivots.iter().chain([&self.scale]).chain(turns.iter().copied()));
        }
        let scales = [&self.scale].into_iter().chain(&self.further_scales).collect();
        [places, turns, scales]
    }
}

/// A vector times the scale factors of other nodes.
fn times_all(vector: [f64; 3], scales: &[AnimatedProperty], player: &Player<'_>, time_s: f64) -> [f64; 3] {
    scales.iter().fold(vector, |vector, property| {
        let scale = player.at(property, time_s);
        std::array::from_fn(|axis| vector[axis] * scale[axis])
    })
}
