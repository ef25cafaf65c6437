//! A figure as it stands at rest.

use super::LEGS;
use crate::humanoid::retarget::body::Body;
use dopesheet_core::model::HumanBone;
use glam::DVec3;

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
        let place = |bone: HumanBone| body.bones.get(&bone).map(|own| own.anchor);
        let height = |place: DVec3| (body.facing * place).y + body.lift;
        let legs = LEGS.chunks_exact(3).filter_map(|leg| match leg {
            [hip, knee, ankle] => Some([place(*hip)?, place(*knee)?, place(*ankle)?]),
            _ => None,
        });
        let legs: Vec<[DVec3; 3]> = legs.collect();
        let mean = |of: &dyn Fn(&[DVec3; 3]) -> f64| legs.iter().map(of).sum::<f64>() / legs.len() as f64;
        let leg = mean(&|[hip, knee, ankle]| hip.distance(*knee) + knee.distance(*ankle));
        let thighs = mean(&|[hip, ..]| height(*hip));
        let ankles = legs.iter().map(|[.., ankle]| height(*ankle)).fold(f64::INFINITY, f64::min);
        let hips = body.bones.get(&HumanBone::Hips)?.place.y;
        (leg > 0.0 && leg.is_finite()).then_some(Self { leg, base: ankles + hips - thighs, ankle: ankles })
    }
}
