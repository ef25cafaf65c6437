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

impl Stance {
    /// `None` of a figure without legs.
    pub(super) fn of(body: &Body) -> Option<Self> {
        let leg = body.leg();
        let hips = body.bones.get(&HumanBone::Hips)?.place.y;
        (leg > 0.0 && leg.is_finite()).then_some(Self { leg, base: hips - leg, ankle: body.ankle })
    }
}
