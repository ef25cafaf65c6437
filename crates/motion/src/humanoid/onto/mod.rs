//! Any human figure's motion as keys for a model with MikuMikuDance's rig.
//!
//! The motion is [retargeted](fn@crate::humanoid::retarget) first, so that what is put onto the model is that of a figure
//! in VRM's T-pose. With G the rotation of a bone there, C what turns the model's bone into the T-pose, F what faces the
//! model to +Z and R the rest rotation of the model's node, the node's rotation as seen from the root is
//! W = F⁻¹·G·C·F·R, the reverse of what retargeting does. Lengths are scaled by how much higher the model's hips are.
//!
//! * The centre moves so that the hips are where they should be; the lower and the upper body turn.
//! * Goals of IK go where the ankles should be, and turn as the feet do.
//! * All other bones turn as the source's do, so that limbs point the same way whatever their lengths are. Those of legs
//!   with IK do so, too: IK starts from there, which leaves it little to do and knees pointing where they should.

pub(super) mod faces;
mod keys;
mod measure;
mod model;
mod poser;

use super::names::Vocabulary;
use super::propose::propose;
use super::retarget::{Destination, Followers, Retarget, RetargetError, Retargeted, retarget};
use crate::sample::rig::Behaviour;
use crate::tolerance::Tolerance;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, Clip, Humanoid, Scene, rebase};
use dopesheet_core::units::FrameRate;
use model::Model;
use poser::Poser;

/// Options of putting a motion onto a model.
#[derive(Clone, Copy, Debug)]
pub struct Onto<'a> {
    /// Tolerance of bones where keys have to be found.
    pub tolerance: Tolerance,
    /// Names of the source's morphs → names of the model's, before all that is known of them.
    pub names: &'a NameMap,
    /// The frames on which keys lie.
    pub grid: FrameRate,
    /// Whose answer is measured where programs solve rigs differently.
    pub behaviour: Behaviour,
    /// Nodes that the source's rig moved by others before it was solved.
    pub followers: &'a Followers,
}

/// True if a model has the bones of a humanoid under MikuMikuDance's names.
#[must_use]
pub fn has_mmd_bones(model: &Scene) -> bool {
    let found = propose(model, &NameMap::default());
    found.vocabulary == Some(Vocabulary::Mmd) && found.humanoid.missing().is_empty()
}

/// A model with the motions of a scene on its nodes, in glTF's axes and metres, with a key on every frame for what moves.
///
/// Values come on top of the rest pose, and the rig is that of the model: what it makes of the keys is measured against
/// the source's wrists, ankles and head, scaled by the height of the hips. Expressions become the morphs that the model
/// has for them. Clips end on a frame.
///
/// # Errors
/// If the figure or the model lacks bones that every humanoid has.
pub fn put_onto(
    scene: &Scene,
    humanoid: &Humanoid,
    model: &Scene,
    options: &Onto<'_>,
    report: &mut Report,
) -> Result<Retargeted, RetargetError> {
    let how = Retarget {
        tolerance: options.tolerance,
        names: options.names,
        eyes: false,
        destination: Destination::Avatars,
        followers: options.followers,
    };
    let Retargeted { scene: figure, left_out } = retarget(scene, humanoid, &how, report)?;
    let mut model = Scene { clips: Vec::new(), ..model.clone() };
    rebase(&mut model, &Basis::GLTF, None);
    let model = Model::of(model)?;
    let put = |motion| put(&figure, motion, &model, options, report);
    let clips: Vec<Clip> = figure.clips.iter().map(put).collect();
    Ok(Retargeted { scene: Scene { clips, ..model.scene }, left_out })
}

fn put(figure: &Scene, motion: &Clip, model: &Model, options: &Onto<'_>, report: &mut Report) -> Clip {
    let poser = Poser::new(figure, motion, model);
    let mut clip = keys::clip(&poser, options.grid);
    let (faces, missing) = faces::tracks(motion, &model.scene, report);
    if !missing.is_empty() {
        report.kept(format!("weights of {}, which the model lacks", faces::names(&missing)));
    }
    clip.tracks.extend(faces.into_iter().chain(missing));
    measure::report(&poser, &clip, options.behaviour, report);
    clip
}
