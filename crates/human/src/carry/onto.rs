//! Any human figure's motion as keys for a model with MikuMikuDance's rig.
//!
//! The motion is [carried](fn@crate::retarget_onto) to the model's skeleton first, as if the model
//! had no rig, with standing feet kept in place. Keys make the rig do the same:
//!
//! * The centre moves so that the hips come to their positions; the lower and the upper body turn.
//! * Goals of IK go to the ankles, and turn as the feet do.
//! * All other bones turn as they do without a rig. Bones of legs with IK do so, too: IK starts from there,
//!   and has little left to do, with knees in the right direction.

use super::followers::Followers;
use super::retarget::{Retarget, RetargetError, Retargeted};
use super::{Carried, Carrying, carry, shared};
use crate::body::figure::Destination;
use crate::face::to_morphs;
use crate::stand::goals::model::Model;
use crate::stand::goals::poser::Poser;
use crate::stand::goals::{keys, measure};
use crate::stand::ik_pass::Planted;
use crate::who::names::Vocabulary;
use crate::who::propose::propose;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, Clip, Humanoid, NodeIndex, Rig, Scene, rebase};
use dopesheet_core::units::FrameRate;
use dopesheet_motion::Tolerance;
use dopesheet_motion::sample::rig::Behaviour;

/// Options of putting a motion onto a model.
#[derive(Clone, Copy, Debug)]
pub struct Onto<'a> {
    /// Tolerance of bones where keys have to be found.
    pub tolerance: Tolerance,
    /// Names of the source's morphs → names of the model's; they override all other assignments.
    pub names: &'a NameMap,
    /// The frames on which keys lie.
    pub grid: FrameRate,
    /// The program whose answer is measured where programs solve rigs differently.
    pub behaviour: Behaviour,
    /// The contacts that are kept.
    pub planted: Planted,
    /// Height in metres by which the whole figure is raised.
    pub raised_m: f64,
    /// Nodes of the source that its rig moved by other nodes before the rig was solved.
    pub followers: &'a Followers,
}

/// True if a model has the bones of a humanoid under MikuMikuDance's names.
#[must_use]
pub fn has_mmd_bones(model: &Scene) -> bool {
    let proposal = propose(model, &NameMap::default());
    proposal.vocabulary == Some(Vocabulary::Mmd) && proposal.humanoid.missing().is_empty()
}

/// A model with the motions of a scene on its nodes, in glTF's axes and metres, with a key on every frame for
/// each moving property.
///
/// Values come on top of the rest pose, and the rig stays the model's own: wrists, ankles and head of the
/// model with its rig are measured against their positions without a rig. Expressions become the model's
/// morphs for them. Clips end on a frame.
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
    let Onto { tolerance, names, planted, raised_m, followers, .. } = *options;
    let retargeting =
        Retarget { tolerance, names, eyes: false, destination: Destination::Avatars, followers };
    let how = Carrying { planted, raised_m, shares_twist: false, retargeting };
    let mut model = Scene { clips: Vec::new(), ..model.clone() };
    rebase(&mut model, &Basis::GLTF, None);
    let model_humanoid = propose(&model, &NameMap::default()).humanoid;
    let mut shared = shared(humanoid, &model_humanoid);
    // Eyes become a gaze, which is no bone.
    shared.bones.extend(humanoid.bones.iter().filter(|(bone, _)| bone.is_eye()));
    let bare = Scene { rig: Rig::default(), ..model.clone() };
    let Carried { mut figure, target, body, ratio } =
        carry((scene, humanoid, &shared), (bare, &model_humanoid), &how, report)?;
    let model = Model::of(model, model_humanoid, body);
    let put = |(motion, there): (&Clip, &Clip)| {
        put((&figure.scene, motion, ratio), (&target, there), &model, options, report)
    };
    let clips: Vec<Clip> = figure.scene.clips.iter().zip(&target.clips).map(put).collect();
    let is_bone = |node: &NodeIndex| humanoid.bones.values().any(|bone| bone == node);
    figure.left_out.iter_mut().for_each(|nodes| nodes.retain(|node| !is_bone(node)));
    let humanoid = Some(model.humanoid);
    Ok(Retargeted { scene: Scene { clips, humanoid, ..model.scene }, left_out: figure.left_out })
}

fn put(
    (figure, motion, ratio): (&Scene, &Clip, f64),
    there: (&Scene, &Clip),
    model: &Model,
    options: &Onto<'_>,
    report: &mut Report,
) -> Clip {
    let poser = Poser::new((figure, motion, ratio), there, model);
    let mut clip = keys::clip(&poser, options.grid);
    let (faces, missing) = to_morphs::tracks(motion, &model.scene, report);
    if !missing.is_empty() {
        report.kept(format!("weights of {}, which the model lacks", to_morphs::names(&missing)));
    }
    clip.tracks.extend(faces.into_iter().chain(missing));
    measure::report(&poser, &clip, options.behaviour, report);
    clip
}
