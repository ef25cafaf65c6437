//! A motion as keys for a model with MikuMikuDance's rig.
//!
//! The motion is on the model's skeleton already, as if the model had no rig, with standing feet in place. Keys make the rig do the
//! same:
//!
//! * The centre moves so that the hips come to their positions; the lower and the upper body turn.
//! * Goals of IK go to the ankles, and turn as the feet do.
//! * All other bones turn as they do without a rig. Bones of legs with IK do so, too: IK starts from there,
//!   and has little left to do, with knees in the right direction.

pub(crate) mod keys;
pub(crate) mod measure;
pub(crate) mod poser;
pub(crate) mod roles;

use crate::who::names::Vocabulary;
use crate::who::propose::propose;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::Scene;
use dopesheet_core::units::FrameRate;
use dopesheet_motion::sample::rig::Behaviour;

/// Keys for the rig of a model: a key on every frame for each moving property, on top of the rest pose. Clips end on a frame.
///
/// The rig stays the model's own: wrists, ankles and head of the model with its rig are measured against their positions without a
/// rig.
#[derive(Clone, Copy, Debug)]
pub struct Goals {
    /// The frames on which keys lie.
    pub grid: FrameRate,
    /// The program whose answer is measured where programs solve rigs differently.
    pub behaviour: Behaviour,
}

/// True if a model has the bones of a humanoid under MikuMikuDance's names.
#[must_use]
pub fn has_mmd_bones(model: &Scene) -> bool {
    let proposal = propose(model, &NameMap::default());
    proposal.vocabulary == Some(Vocabulary::Mmd) && proposal.humanoid.missing().is_empty()
}
