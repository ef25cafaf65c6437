//! Proportions of legs at rest.

use super::figure::Body;
use dopesheet_core::model::HumanBone;

/// Length of a figure's legs, and the height of its hips without them.
#[derive(Clone, Copy)]
pub(crate) struct LegProportions {
    /// Length of a straight leg.
    pub(crate) length: f64,
    /// Height of the hips less that length: of the ankles above the ground, and of the hips above the thighs.
    pub(crate) base: f64,
    /// Height of the lower ankle above the ground.
    pub(crate) ankle: f64,
}

/// Part of the length of a leg by which equal proportions may differ.
const SAME: f64 = 1e-4;

impl LegProportions {
    /// True of two figures with the same proportions.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let pairs = [(self.length, other.length), (self.base, other.base), (self.ankle, other.ankle)];
        pairs.iter().all(|(measure, other)| (measure - other).abs() < SAME * self.length)
    }

    /// `None` of a figure without legs.
    pub(crate) fn of(body: &Body) -> Option<Self> {
        let length = body.leg();
        let hips = body.bones.get(&HumanBone::Hips)?.place.y;
        (length > 0.0 && length.is_finite()).then_some(Self {
            length,
            base: hips - length,
            ankle: body.ankle,
        })
    }
}
