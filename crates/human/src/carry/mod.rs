//! Any human figure's motion on the skeleton of another figure.
//!
//! The motion is [retargeted](fn@crate::retarget) first to a figure in VRM's T-pose, in which a
//! bone has the rotation G as seen from the root and Gₚ⁻¹·G relative to its mapped parent *p*. With C the
//! rotation of the target's bone into the T-pose, F the rotation of the target to face +Z, R the rest
//! rotation of the bone's node and Rₐ the rest rotation of the node right above it, the node's own rotation
//! is
//!
//! Rₐ⁻¹·F⁻¹·Cₚ⁻¹ · (Gₚ⁻¹·G) · C·F·R,
//!
//! the reverse of retargeting: two constant rotations around a changing rotation. Every law between keys
//! commutes with the constant rotations, so keys stay as they are. Bones point in the directions of the
//! source's bones, whatever their lengths are. The hips go the source's way, scaled by the ratio of the
//! lengths of the legs.

mod alike;
mod clip;
pub(crate) mod followers;
mod losses;
pub(crate) mod onto;
pub(crate) mod raised;
pub(crate) mod relaxed;
pub(crate) mod retarget;
mod t_pose;
mod target;
mod twist;
mod twists;

use crate::body::figure::Destination;
use crate::body::figure::{Body, LEGS, TRUNK};
use crate::body::ground::standing;
use crate::body::in_gltf;
use crate::body::legs::LegProportions;
use crate::body::upright::Resting;
use crate::face::to_morphs;
use crate::stand::ik_pass::IkPass;
use crate::stand::ik_pass::Planted;
use crate::stand::plants::Figure;
use crate::who::names::Vocabulary;
use crate::who::propose::Proposal;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, Clip, Humanoid, NodeIndex, Rig, Scene, Target, Track, rebase};
use dopesheet_core::words::counted;
use dopesheet_motion::Tolerance;
use followers::Followers;
use glam::DVec3;
use retarget::{Retarget, RetargetError, Retargeted, measured};
use std::collections::HashMap;
use target::TargetNodes;

/// Reason for the loss of a face that the target cannot make.
pub const NO_MORPH: &str = "the target has no such morph";

/// A figure whose skeleton takes the motion, and its bones.
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    /// The figure at rest; its clips count for nothing.
    pub scene: &'a Scene,
    /// Its bones.
    pub found: &'a Proposal,
}

/// Options of a motion transferred to another skeleton.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// Tolerance of bones where keys have to be found.
    pub tolerance: Tolerance,
    /// Names of morphs → names of expressions; they override all other assignments.
    pub names: &'a NameMap,
    /// The contacts that are kept.
    pub planted: Planted,
    /// Height in metres by which the whole figure is raised.
    pub raised_m: f64,
    /// Nodes of the source that its rig moved by other nodes before the rig was solved.
    pub followers: &'a Followers,
}

/// A figure with the motions of another figure on its nodes, in glTF's axes and metres: bones point in the
/// directions of the other figure's bones.
///
/// The hierarchies of both must be known and rigs solved. Bones get new keys within the tolerance only where
/// several curves move them, or where feet and hands are held in their stands. Bones missing in either figure
/// are left alone; their motion in the source goes to the bones below them, and of a trunk with more parts
/// the last part counts. The humanoid of the result has the bones that [carry its surface](carrying_surface).
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
    let target_humanoid = carrying_surface(&target, &skeleton.found.humanoid);
    let humanoid = carrying_surface(scene, humanoid);
    let shared = shared(&humanoid, &target_humanoid);
    let eyes = shared.bones.keys().any(|bone| bone.is_eye());
    let Transfer { tolerance, names, planted, raised_m, followers } = *how;
    let retargeting = Retarget { tolerance, names, eyes, destination: Destination::Figure, followers };
    let how = Carrying { planted, raised_m, shares_twist: true, retargeting };
    let mut carried = carry((scene, &humanoid, &shared), (target, &target_humanoid), &how, report)?;
    for (motion, clip) in carried.figure.scene.clips.iter().zip(&mut carried.target.clips) {
        let (faces, missing) = to_morphs::tracks(motion, skeleton.scene, report);
        if !faces.is_empty() {
            report.kept(format!(
                "the face by {}: {}",
                counted(faces.len(), "morph"),
                to_morphs::names(&faces)
            ));
        }
        if !missing.is_empty() {
            report.dropped(format!("weights of {}", to_morphs::names(&missing)), NO_MORPH);
        }
        clip.tracks.extend(faces);
    }
    move_alike(&mut carried.target, &skeleton.found.humanoid, &target_humanoid);
    carried.target.humanoid = Some(target_humanoid);
    Ok(carried.target)
}

/// Options of a motion carried to a skeleton.
pub(crate) struct Carrying<'a> {
    pub(crate) planted: Planted,
    /// Height in metres by which the whole figure is raised.
    pub(crate) raised_m: f64,
    /// True to share the twist of limbs with the target's twist bones.
    pub(crate) shares_twist: bool,
    pub(crate) retargeting: Retarget<'a>,
}

/// A motion on the skeleton of another figure.
pub(crate) struct Carried {
    /// The source's motion in VRM's T-pose.
    pub(crate) figure: Retargeted,
    /// The target with the motions on its nodes.
    pub(crate) target: Scene,
    /// The measured body of the target.
    pub(crate) body: Body,
    /// Length of the target's legs, as a multiple of the source's.
    pub(crate) ratio: f64,
}

/// Carries the motions of a figure, by the bones shared by both figures, to the skeleton of another figure in
/// glTF's axes, whose own clips show its stance and are left out.
pub(crate) fn carry(
    (scene, humanoid, shared): (&Scene, &Humanoid, &Humanoid),
    (mut target, target_humanoid): (Scene, &Humanoid),
    how: &Carrying<'_>,
    report: &mut Report,
) -> Result<Carried, RetargetError> {
    let Carrying { planted, raised_m, shares_twist, retargeting } = how;
    let missing = target_humanoid.missing();
    let Some(body) = standing(&target, target_humanoid, retargeting.eyes).filter(|_| missing.is_empty())
    else {
        return Err(RetargetError { missing });
    };
    target.clips.clear();
    let source = in_gltf(scene);
    let missing = shared.missing();
    // Bones that the target lacks tell how the others rest.
    let from = standing(&source, humanoid, retargeting.eyes).filter(|_| missing.is_empty());
    let mut from = from.ok_or(RetargetError { missing })?;
    if from.resting != Resting::Straight
        && let Some(rested) = alike::rested_alike((&source, humanoid), (&target, target_humanoid))
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
        let nodes = TargetNodes::of(
            &figure.scene,
            (target_humanoid, &body),
            &target,
            legs,
            (tolerance, *shares_twist),
        );
        if legs.is_some() {
            report.kept(format!("hip translation scaled by {:.3} (leg length)", nodes.ratio));
        }
        let pass = legs.filter(|_| *planted != Planted::Nothing).map(|legs| IkPass {
            planted: *planted,
            source: (&source, Figure { humanoid, body: &from, legs: legs.0 }),
            target: (&target, Figure { humanoid: target_humanoid, body: &body, legs: legs.1 }),
            ratio: nodes.ratio,
            lowering: nodes.lowering(),
            tolerance,
        });
        raised::tell(*raised_m, report);
        let raised = body.facing.conjugate() * DVec3::Y * *raised_m;
        let put = |(index, ((motion, theirs), ground)): (usize, ((&Clip, &Clip), f64))| {
            let clip = nodes.clip(motion, report);
            let held = pass.as_ref().map(|pass| pass.hold((theirs, ground), (index, clip.clone()), report));
            let mut clip = Clip { made_for: target.name.clone(), ..held.unwrap_or(clip) };
            // After feet are held: what they stand on is raised too, so that legs stay as they are.
            raised::raise(&mut clip, &target, nodes.lowering(), raised);
            clip
        };
        figure.scene.clips.iter().zip(&source.clips).zip(grounds).enumerate().map(put).collect()
    };
    let ratio = legs.map_or(1.0, |(source, target)| target.length / source.length);
    Ok(Carried { figure, target: Scene { clips, ..target }, body, ratio })
}

/// The bones from which the surface of a figure hangs; legs of MikuMikuDance's models have a second set of
/// bones for the surface.
#[must_use]
pub fn carrying_surface(scene: &Scene, humanoid: &Humanoid) -> Humanoid {
    let mut carrying = humanoid.clone();
    let by_name: HashMap<&str, usize> =
        scene.nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    for (_, node) in carrying.bones.iter_mut().filter(|(bone, _)| LEGS.as_flattened().contains(bone)) {
        let name = scene.node(*node).map(|node| node.name.as_str()).filter(|name| !name.is_ascii());
        let second = name.map(|name| format!("{name}{}", Vocabulary::CARRIES_SURFACE));
        if let Some(second) = second.and_then(|name| by_name.get(name.as_str())) {
            *node = NodeIndex(*second);
        }
    }
    carrying
}

/// Moves leg bones like the bones beside them that carry the surface, where a rig moved the latter like the former. Programs take legs by
/// their plain names.
fn move_alike(scene: &mut Scene, plain: &Humanoid, carrying: &Humanoid) {
    let Scene { nodes, clips, .. } = scene;
    let mut pairs: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    for (bone, node) in &plain.bones {
        let Some(carrier) = carrying.bones.get(bone).filter(|carrier| *carrier != node) else { continue };
        let Some((plain_node, carrier_node)) = nodes.get(node.0).zip(nodes.get(carrier.0)) else { continue };
        let parents = plain_node.parent.zip(carrier_node.parent);
        let hangs_alike = parents.is_some_and(|pair| pair.0 == pair.1 || pairs.contains(&pair));
        if !hangs_alike || plain_node.rest != carrier_node.rest {
            continue;
        }
        pairs.push((*node, *carrier));
        let target = |kind| Target::new(kind, &plain_node.name, node.0, Some(*node));
        for clip in &mut *clips {
            let of_carrier = clip.tracks.iter().filter(|track| track.target.node == Some(*carrier));
            let copies = of_carrier.map(|track| Track { target: target(track.target.kind), ..track.clone() });
            let copies: Vec<Track> = copies.collect();
            clip.tracks.extend(copies);
        }
    }
}

/// The bones of a source that a target has, too. Of a trunk with more parts than the target's, the last part
/// missing in the target stands for the part before.
pub(crate) fn shared(source: &Humanoid, target: &Humanoid) -> Humanoid {
    let mut shared = source.clone();
    shared.bones.retain(|bone, _| target.bones.contains_key(bone));
    let mut further = TRUNK.iter();
    while let Some(part) = further.next() {
        let lacking = further.clone().take_while(|part| !target.bones.contains_key(part));
        let last = lacking.filter_map(|part| source.bones.get(part)).last();
        if let Some((node, last)) = shared.bones.get_mut(part).zip(last) {
            *node = *last;
        }
    }
    shared
}
