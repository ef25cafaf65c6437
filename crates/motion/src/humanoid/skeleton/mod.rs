//! Any human figure's motion on the skeleton of another.
//!
//! The motion is [retargeted](fn@crate::humanoid::retarget) first, so that it is that of a figure in VRM's T-pose, in which
//! a bone has the rotation G as seen from the root and Gₚ⁻¹·G relative to the mapped bone *p* that it hangs on. With C what
//! turns the target's bone into the T-pose, F what faces the target to +Z, R the rest rotation of the bone's node and Rₐ that
//! of the node right above it, the node's own rotation is
//!
//! Rₐ⁻¹·F⁻¹·Cₚ⁻¹ · (Gₚ⁻¹·G) · C·F·R,
//!
//! the reverse of what retargeting does: two rotations that never change around one that does. Every law between keys
//! commutes with that, so keys stay as they are. Bones point where the source's point, whatever their lengths are. The hips
//! go the source's way times how much higher they rest.

mod alike;
mod ik_pass;
mod legs;
mod measures;
mod plants;
mod slides;
mod target;
mod twists;

use super::expressions;
use super::names::Vocabulary;
use super::propose::Proposal;
use super::retarget::body::{Body, LEGS, TRUNK};
use super::retarget::ground::standing;
use super::retarget::{Destination, Followers, Retarget, RetargetError, Retargeted, measured, source};
use super::upright::Resting;
use crate::tolerance::Tolerance;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, Clip, Humanoid, NodeIndex, Rig, Scene, rebase};
use dopesheet_core::words::counted;
use ik_pass::IkPass;
pub use ik_pass::Planted;
use legs::LegProportions;
use plants::Figure;
use std::collections::HashMap;
use target::TargetNodes;

/// Why a face is lost that the target cannot make.
pub const NO_MORPH: &str = "the target has no such morph";

/// A figure whose skeleton takes the motion, and its bones.
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    /// The figure at rest; its clips count for nothing.
    pub scene: &'a Scene,
    /// Its bones.
    pub found: &'a Proposal,
}

/// Options of a motion that another skeleton takes.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// Tolerance of bones where keys have to be found.
    pub tolerance: Tolerance,
    /// Names of morphs → names of expressions, before all that is known of them.
    pub names: &'a NameMap,
    /// The contacts that are kept.
    pub planted: Planted,
    /// Nodes that the source's rig moved by others before it was solved.
    pub followers: &'a Followers,
}

/// A figure with the motions of another on its nodes, in glTF's axes and metres: bones point where the other's point.
///
/// The hierarchies of both must be known and rigs solved. Bones get new keys within the tolerance only where several curves move
/// them, or feet and hands are held where they stand. Bones that only one of the two has are left alone; what they do in the
/// source goes to the bones below them, and of a trunk with more parts the last one counts.
///
/// # Errors
/// If either figure lacks bones that every humanoid has.
pub fn retarget_onto(
    scene: &Scene,
    humanoid: &Humanoid,
    skeleton: Skeleton<'_>,
    how: &Transfer<'_>,
    report: &mut Report,
) -> Result<Scene, RetargetError> {
    // Keys say all that happens, so nothing is left to a rig.
    let mut target = Scene { rig: Rig::default(), ..skeleton.scene.clone() };
    rebase(&mut target, &Basis::GLTF, None);
    let own = carrying_surface(&target, &skeleton.found.humanoid);
    let humanoid = carrying_surface(scene, humanoid);
    let shared = shared(&humanoid, &own);
    let eyes = shared.bones.keys().any(|bone| bone.is_eye());
    let Transfer { tolerance, names, planted, followers } = *how;
    let retargeting = Retarget { tolerance, names, eyes, destination: Destination::Figure, followers };
    let how = Carrying { planted, shares_twist: true, retargeting };
    let mut carried = carry((scene, &humanoid, &shared), (target, &own), &how, report)?;
    for (motion, clip) in carried.figure.scene.clips.iter().zip(&mut carried.target.clips) {
        let (faces, missing) = expressions::tracks(motion, skeleton.scene, report);
        if !faces.is_empty() {
            report.kept(format!(
                "the face by {}: {}",
                counted(faces.len(), "morph"),
                expressions::names(&faces)
            ));
        }
        if !missing.is_empty() {
            report.dropped(format!("weights of {}", expressions::names(&missing)), NO_MORPH);
        }
        clip.tracks.extend(faces);
    }
    Ok(carried.target)
}

/// Options of a motion that is carried to a skeleton.
pub(super) struct Carrying<'a> {
    pub(super) planted: Planted,
    /// True to share the twist of limbs with the target's twist bones.
    pub(super) shares_twist: bool,
    pub(super) retargeting: Retarget<'a>,
}

/// A motion on the skeleton of another figure.
pub(super) struct Carried {
    /// The source's in VRM's T-pose.
    pub(super) figure: Retargeted,
    /// The target with the motions on its nodes.
    pub(super) target: Scene,
    /// The target as it is measured.
    pub(super) body: Body,
    /// Length of the target's legs, as a multiple of the source's.
    pub(super) ratio: f64,
}

/// Carries the motions of a figure, by those of its bones that both share, to the skeleton of another one in glTF's axes, whose own
/// clips tell how it stands and are left out.
pub(super) fn carry(
    (scene, humanoid, shared): (&Scene, &Humanoid, &Humanoid),
    (mut target, own): (Scene, &Humanoid),
    how: &Carrying<'_>,
    report: &mut Report,
) -> Result<Carried, RetargetError> {
    let Carrying { planted, shares_twist, retargeting } = how;
    let missing = own.missing();
    let Some(body) = standing(&target, own, retargeting.eyes).filter(|_| missing.is_empty()) else {
        return Err(RetargetError { missing });
    };
    target.clips.clear();
    let source = source(scene);
    let missing = shared.missing();
    // Bones that the target lacks tell how the others rest.
    let from = standing(&source, humanoid, retargeting.eyes).filter(|_| missing.is_empty());
    let mut from = from.ok_or(RetargetError { missing })?;
    if from.resting != Resting::Straight
        && let Some(rested) = alike::rested_alike((&source, humanoid), (&target, own))
        && let Some(alike) = standing(&rested, humanoid, retargeting.eyes)
    {
        report.kept(
            "the rest pose of the target for that of the motion, whose bones have the same names and axes",
        );
        from = alike;
    }
    let mut from = from.with(shared);
    let legs = LegProportions::of(&from).zip(LegProportions::of(&body));
    // A body that takes its own motion stands as it stood.
    from.stands_on_soles = legs.is_some_and(|(source, target)| !source.is_like(&target));
    let (figure, grounds) = measured(&source, (shared, &from), retargeting, report);
    let tolerance = retargeting.tolerance;
    let clips = {
        let nodes = TargetNodes::of(&figure.scene, (own, &body), &target, legs, (tolerance, *shares_twist));
        report.kept(format!("hip translation scaled by {:.3} (leg length)", nodes.ratio));
        let pass = legs.filter(|_| *planted != Planted::Nothing).map(|legs| IkPass {
            planted: *planted,
            source: (&source, Figure { humanoid, body: &from, legs: legs.0 }),
            target: (&target, Figure { humanoid: own, body: &body, legs: legs.1 }),
            ratio: nodes.ratio,
            lowering: nodes.lowering(),
            tolerance,
        });
        let put = |(index, ((motion, theirs), ground)): (usize, ((&Clip, &Clip), f64))| {
            let clip = nodes.clip(motion, report);
            let held = pass.as_ref().map(|pass| pass.hold((theirs, ground), (index, clip.clone()), report));
            Clip { made_for: target.name.clone(), ..held.unwrap_or(clip) }
        };
        figure.scene.clips.iter().zip(&source.clips).zip(grounds).enumerate().map(put).collect()
    };
    let ratio = legs.map_or(1.0, |(source, target)| target.length / source.length);
    Ok(Carried { figure, target: Scene { clips, ..target }, body, ratio })
}

/// The bones that the surface of a figure hangs on; legs of MikuMikuDance's models have a second set of them.
fn carrying_surface(scene: &Scene, humanoid: &Humanoid) -> Humanoid {
    let mut own = humanoid.clone();
    let by_name: HashMap<&str, usize> =
        scene.nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    for (_, node) in own.bones.iter_mut().filter(|(bone, _)| LEGS.as_flattened().contains(bone)) {
        let name = scene.node(*node).map(|node| node.name.as_str()).filter(|name| !name.is_ascii());
        let second = name.map(|name| format!("{name}{}", Vocabulary::CARRIES_SURFACE));
        if let Some(second) = second.and_then(|name| by_name.get(name.as_str())) {
            *node = NodeIndex(*second);
        }
    }
    own
}

/// The bones of a source that a target has, too. Of a trunk with more parts than the target's, the last that the target lacks
/// stands for the one before.
pub(super) fn shared(source: &Humanoid, target: &Humanoid) -> Humanoid {
    let mut shared = source.clone();
    shared.bones.retain(|bone, _| target.bones.contains_key(bone));
    let mut further = TRUNK.iter();
    while let Some(part) = further.next() {
        let lacking = further.clone().take_while(|part| !target.bones.contains_key(part));
        let last = lacking.filter_map(|part| source.bones.get(part)).last();
        if let Some((own, last)) = shared.bones.get_mut(part).zip(last) {
            *own = *last;
        }
    }
    shared
}
