//! A figure as it stands at rest.

use crate::humanoid::retarget::body::Body;
use dopesheet_core::model::HumanBone;

/// Length of a figure's legs, and the height of its hips without them.
#[derive(Clone, Copy)]
pub(super) struct Stance {
    /// Length of a straight leg.
    pub(super) leg: f64,
    /// Height of the hips less that length: of the ankles above the ground, and of the hips above the thighs.
    pub(super) base: f64,
    /// Height of the lower ankle above the ground.
    pub(super) ankle: f64,
}

/// Part of the length of a leg by which stances differ that are the same.
const SAME: f64 = 1e-4;

impl Stance {
    /// True of two figures that stand alike.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let pairs = [(self.leg, other.leg), (self.base, other.base), (self.ankle, other.ankle)];
        pairs.iter().all(|(own, other)| (own - other).abs() < SAME * self.leg)
    }

    /// `None` of a figure without legs.
    pub(super) fn of(body: &Body) -> Option<Self> {
        let leg = body.leg();
        let hips = body.bones.get(&HumanBone::Hips)?.place.y;
        (leg > 0.0 && leg.is_finite()).then_some(Self { leg, base: hips - leg, ankle: body.ankle })
    }
}
