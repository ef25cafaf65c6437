//! A human figure's motion as the motion of another figure: [`Carry`].
//!
//! The motion becomes that of a figure in VRM's T-pose first, in which a bone has the rotation G as seen from the root and
//! Gₚ⁻¹·G relative to its mapped parent *p*. With C the rotation of the target's bone into the T-pose, F the rotation of the
//! target to face +Z, R the rest rotation of the bone's node and Rₐ the rest rotation of the node right above it, the node's
//! own rotation is
//!
//! Rₐ⁻¹·F⁻¹·Cₚ⁻¹ · (Gₚ⁻¹·G) · C·F·R,
//!
//! the reverse of the way to the T-pose: two constant rotations around a changing rotation. Every law between keys
//! commutes with the constant rotations, so keys stay as they are. Bones point in the directions of the
//! source's bones, whatever their lengths are. The hips go the source's way, scaled by the ratio of the
//! lengths of the legs.
//!
//! A model with MikuMikuDance's rig takes the motion as if it had no rig, and then gets [keys that make the rig do the
//! same](Goals).

mod alike;
mod clip;
mod figure;
mod followers;
mod loose_feet;
mod losses;
mod raised;
mod relaxed;
mod surface;
mod t_pose;
mod target;
mod trunk;
mod twist;
mod twists;

use crate::body::ends;
use crate::body::figure::{ARMS, Figure, LEGS, TRUNK};
use crate::body::first_frame::motion_start;
use crate::body::ground::{Floor, standing};
use crate::body::in_gltf;
use crate::body::shape::Body;
use crate::body::upright::Resting;
use crate::face::to_morphs;
use crate::judge::slides;
use crate::stand::goals::poser::Poser;
use crate::stand::goals::roles::RigRoles;
use crate::stand::goals::{Goals, keys, measure};
use crate::stand::ik_pass::{IkPass, Planted};
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, Clip, HumanBone, Humanoid, NodeIndex, Rig, Scene, rebase};
use dopesheet_core::words::counted;
use dopesheet_motion::Tolerance;
pub use followers::Followers;
pub use raised::raise_figure;
pub use relaxed::relax_hands;
use std::fmt;
pub use surface::carrying_surface;
use t_pose::TPose;
use target::TargetNodes;

/// Reason for the loss of a face that the target cannot make.
pub const NO_MORPH: &str = "the target has no such morph";

/// The way of a motion from a figure to another figure.
#[derive(Clone, Copy, Debug)]
pub struct Carry<'a> {
    /// The figure that moves. Its hierarchy is known and its rig solved.
    pub from: Figure<'a>,
    /// The figure that takes the motion; its clips show its stance. Without one, the motion becomes that of a figure in VRM's
    /// T-pose with the lengths of the source.
    pub to: Option<Figure<'a>>,
    /// Keys for the rig of the figure that takes the motion, a model with MikuMikuDance's bones.
    pub goals: Option<Goals>,
}

/// Options of a motion carried to another figure.
#[derive(Clone, Copy, Debug)]
pub struct CarryOptions<'a> {
    /// Tolerance of bones where keys have to be found.
    pub tolerance: Tolerance,
    /// Names of morphs → names of expressions, or of a model's morphs; they override all other assignments.
    pub names: &'a NameMap,
    /// True to keep eyes as bones of a figure in the T-pose; else both eyes become one gaze.
    pub eyes: bool,
    /// The contacts that are kept.
    pub planted: Planted,
    /// The ground of the motion.
    pub floor: Floor,
    /// Height in metres by which the whole figure is raised, if it is no new one.
    pub raised_m: f64,
    /// Nodes of the source that its rig moved by other nodes before the rig was solved.
    pub followers: &'a Followers,
}

impl<'a> CarryOptions<'a> {
    /// The default options, with some names.
    #[must_use]
    pub fn new(names: &'a NameMap) -> Self {
        Self {
            tolerance: Tolerance::default(),
            names,
            eyes: false,
            planted: Planted::default(),
            floor: Floor::default(),
            raised_m: 0.0,
            followers: Followers::NONE,
        }
    }
}

/// A motion carried to a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The figure with its clips, in glTF's axes and metres.
    pub scene: Scene,
    /// For each clip, the moving nodes of the source that are no part of the figure.
    pub left_out: Vec<Vec<NodeIndex>>,
    /// Height in metres of the ground under the figure: that by which the whole figure was raised.
    pub ground_m: f64,
}

/// Error of a figure without all bones that every humanoid has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingBones {
    /// The missing bones.
    pub missing: Vec<HumanBone>,
}

impl fmt::Display for MissingBones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.missing.iter().map(|bone| bone.word()).collect();
        write!(f, "expected a node for each bone of a humanoid, found none for {}", words.join(", "))
    }
}

impl std::error::Error for MissingBones {}

/// Carries the motions of a figure to another figure.
///
/// A new figure stands in VRM's T-pose and faces +Z. Its rest rotations are identities; only the hips move, and beside
/// them a node with the motion of the whole figure, which the hips have as well.
///
/// Bones that one curve moves keep the keys and laws of the curve; others get straight keys within the tolerance, and so do
/// bones of feet and hands that are held in their stands. Bones have their lengths at rest. Bones missing in either figure
/// are left alone; their motion in the source goes to the bones below them. A trunk with other parts turns as the source's does
/// over the same share of its length. The humanoid of the result has the bones that [carry its surface](carrying_surface).
///
/// Hands and feet may be missing. A figure in the T-pose has them where limbs end.
///
/// # Errors
/// If other bones that every humanoid has are missing in either figure, or are not in its scene.
pub fn carry(
    way: &Carry<'_>,
    options: &CarryOptions<'_>,
    report: &mut Report,
) -> Result<Carried, MissingBones> {
    let mut source = in_gltf(way.from.scene);
    let Some(to) = way.to else {
        let mut present = t_pose::present(Figure { scene: &source, ..way.from });
        ends::make(&mut source, &mut present, &[LEGS, ARMS].concat(), false);
        let body = complete(Figure { scene: &source, humanoid: &present }, options.eyes)?;
        let TPose { scene, left_out, .. } = t_pose::carry(&body, true, options, report);
        return Ok(Carried { scene, left_out, ground_m: 0.0 });
    };
    let mut target = to.scene.clone();
    rebase(&mut target, &Basis::GLTF, None);
    if way.goals.is_some() {
        target.clips.clear();
    }
    let bones = |scene: &Scene, humanoid: &Humanoid| match way.goals {
        Some(_) => humanoid.clone(),
        None => carrying_surface(scene, humanoid),
    };
    let mut humanoid = bones(way.from.scene, way.from.humanoid);
    let mut target_humanoid = bones(&target, to.humanoid);
    let (own_nodes, own_humanoid) = (target.nodes.len(), target_humanoid.clone());
    ends::make(&mut source, &mut humanoid, &LEGS, false);
    let made = ends::make(&mut target, &mut target_humanoid, &LEGS, way.goals.is_none());
    let from = Figure { scene: &source, humanoid: &humanoid };
    let taker = Figure { scene: &target, humanoid: &target_humanoid };
    let shared = shared(from.humanoid, taker.humanoid, way.goals.is_some());
    let passage = Passage::of(from, taker, &shared, way.goals, options, report)?;
    let mut t_pose = t_pose::carry(&passage.from, way.goals.is_some(), options, report);
    trunk::spread(&mut t_pose.scene, &passage.from, &passage.to, options.tolerance, report);
    let ground_m = options.raised_m + passage.scaled_m();
    let clips = passage.clips(&t_pose, ground_m, report);
    let clips = passage.finished(&t_pose.scene, clips, report);
    let mut left_out = t_pose.left_out;
    left_out.iter_mut().for_each(|nodes| nodes.retain(|node| !from.has(*node)));
    target.clips = clips;
    let following = loose_feet::follow(&mut target, &own_humanoid, &target_humanoid, &options.tolerance);
    forget_made(&mut target, own_nodes);
    let words = |bones: &[HumanBone]| bones.iter().map(|bone| bone.word()).collect::<Vec<_>>().join(", ");
    if !following.is_empty() {
        report.kept(format!("{} at the ends of the shins, on which they do not hang", words(&following)));
    }
    let lacking: Vec<HumanBone> = made.into_iter().filter(|bone| !following.contains(bone)).collect();
    if !lacking.is_empty() {
        report.dropped(format!("the motion of {}", words(&lacking)), "the target has no such bones");
    }
    if way.goals.is_none() {
        // Keys say all that happens, so nothing is left to a rig.
        target.rig = Rig::default();
        surface::move_alike(&mut target, to.humanoid, &own_humanoid);
    }
    target.humanoid = Some(own_humanoid);
    Ok(Carried { scene: target, left_out, ground_m })
}

/// The body of a human figure.
fn complete(figure: Figure<'_>, eyes: bool) -> Result<Body<'_>, MissingBones> {
    let is_human = figure.humanoid.is_human();
    let missing = || MissingBones { missing: figure.humanoid.missing() };
    standing(figure, eyes).filter(|_| is_human).ok_or_else(missing)
}

/// Leaves out the nodes of made bones, behind a scene's own nodes, with their motion.
fn forget_made(scene: &mut Scene, own_nodes: usize) {
    let is_own = |node: &NodeIndex| node.0 < own_nodes;
    scene.nodes.truncate(own_nodes);
    for clip in &mut scene.clips {
        clip.tracks.retain(|track| track.target.node.as_ref().is_none_or(is_own));
    }
}

/// The bones of a source that a target has, too, and its whole trunk. With `gaze` the eyes remain for a gaze, which is no bone.
fn shared(source: &Humanoid, target: &Humanoid, gaze: bool) -> Humanoid {
    let mut shared = source.clone();
    let is_shared = |bone: &HumanBone| target.bones.contains_key(bone) || TRUNK.contains(bone);
    shared.bones.retain(|bone, _| is_shared(bone) || gaze && bone.is_eye());
    shared
}

/// The measured bodies on both sides of a motion's way.
struct Passage<'a> {
    /// The source with all its bones.
    source: Figure<'a>,
    /// The source's body, by the bones that the target has, too.
    from: Body<'a>,
    to: Body<'a>,
    goals: Option<Goals>,
    options: &'a CarryOptions<'a>,
}

impl<'a> Passage<'a> {
    fn of(
        source: Figure<'a>,
        taker: Figure<'a>,
        shared: &'a Humanoid,
        goals: Option<Goals>,
        options: &'a CarryOptions<'a>,
        report: &mut Report,
    ) -> Result<Self, MissingBones> {
        let eyes = goals.is_none() && shared.bones.keys().any(|bone| bone.is_eye());
        let to = complete(taker, eyes)?;
        // Bones that the target lacks tell how the others rest.
        let from = standing(source, eyes).filter(|_| shared.is_human());
        let mut from = from.ok_or_else(|| MissingBones { missing: shared.missing() })?;
        let rested =
            (from.resting != Resting::Straight).then(|| alike::rested_alike(source, taker)).flatten();
        let shared = Figure { humanoid: shared, ..source };
        if let Some(scene) = rested
            && let Some(alike) = standing(Figure { scene: &scene, ..source }, eyes)
        {
            report.kept("the rest pose of the target for that of the motion, whose bones have the same names and axes");
            from = alike.with(shared);
        } else {
            from = from.with(shared);
        }
        // A body that takes its own motion stands as it stood.
        from.stands_on_soles = from.base().and(to.base()).is_some() && !from.is_like(&to);
        Ok(Self { source, from, to, goals, options })
    }

    /// Height in metres by which the source's hips, scaled, are above hips that stand on the same ground; 0 with a ground.
    fn scaled_m(&self) -> f64 {
        let bases = self.from.base().zip(self.to.base()).filter(|_| self.options.floor == Floor::Keep);
        bases.map_or(0.0, |(source, target)| self.to.ratio(&self.from) * source - target)
    }

    /// The motions of a figure in the T-pose on the nodes of the target, raised, with feet and hands in place.
    fn clips(&self, t_pose: &TPose, ground_m: f64, report: &mut Report) -> Vec<Clip> {
        let CarryOptions { planted, raised_m, tolerance, .. } = *self.options;
        let legs = self.from.base().zip(self.to.base());
        let nodes = TargetNodes::of(&t_pose.scene, &self.from, &self.to, tolerance, self.goals.is_none());
        if legs.is_some() {
            report.kept(format!("hip translation scaled by {:.3} (leg length)", nodes.ratio));
        }
        let pass = legs.filter(|_| planted != Planted::Nothing).map(|_| IkPass {
            planted,
            source: self.source,
            from: &self.from,
            to: &self.to,
            ratio: nodes.ratio,
            lowering: nodes.lowering(),
            tolerance,
        });
        raised::tell(raised_m, report);
        let raised = self.to.up() * ground_m;
        let target = self.to.figure.scene;
        let motions = t_pose.scene.clips.iter().zip(&self.source.scene.clips).zip(&t_pose.grounds);
        let mut clips = Vec::new();
        for ((motion, source), ground) in motions {
            let mut clip = nodes.clip(motion, report);
            if let Some(held) = pass.as_ref().and_then(|pass| pass.hold(source, *ground, &clip, report)) {
                slides::report(&held, clips.len(), report);
                clip = held.clip;
            }
            clip.made_for.clone_from(&target.name);
            // After feet are held: what they stand on is raised too, so that legs stay as they are.
            raised::raise(&mut clip, target, nodes.lowering(), raised);
            clips.push(clip);
        }
        clips
    }

    /// The clips of the target with faces and, for a rig, as keys that make the rig do the same.
    fn finished(&self, figure: &Scene, clips: Vec<Clip>, report: &mut Report) -> Vec<Clip> {
        let rig = self.goals.map(|goals| (goals, RigRoles::of(&self.to)));
        let mut finished = Vec::new();
        for ((motion, clip), source) in figure.clips.iter().zip(clips).zip(&self.source.scene.clips) {
            finished.push(match &rig {
                None => self.with_faces(motion, clip, report),
                Some((goals, roles)) => {
                    let poser = Poser::new(figure, motion, &clip, roles, self.to.ratio(&self.from));
                    let keys = self.with_faces(motion, keys::clip(&poser, goals.grid), report);
                    let start = motion_start(self.source, source, Some(goals.grid));
                    measure::report(&poser, &keys, start, goals.behaviour, report);
                    keys
                }
            });
        }
        finished
    }

    /// A clip with the face of a motion as the target's morphs. Keys hold weights that the model lacks, too.
    fn with_faces(&self, motion: &Clip, mut clip: Clip, report: &mut Report) -> Clip {
        let (faces, missing) = to_morphs::tracks(motion, self.to.figure.scene, report);
        let (names, missing_names) = (to_morphs::names(&faces), to_morphs::names(&missing));
        if !faces.is_empty() && self.goals.is_none() {
            report.kept(format!("the face by {}: {names}", counted(faces.len(), "morph")));
        }
        clip.tracks.extend(faces);
        match (missing.is_empty(), self.goals) {
            (true, _) => {}
            (false, None) => report.dropped(format!("weights of {missing_names}"), NO_MORPH),
            (false, Some(_)) => {
                report.kept(format!("weights of {missing_names}, which the model lacks"));
                clip.tracks.extend(missing);
            }
        }
        clip
    }
}
