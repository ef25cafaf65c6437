//! Any human figure's motion as the motion of a figure that rests in VRM's T-pose.
//!
//! All nodes are seen from the scene's root. For a bone *i* whose node rests with the rotation R and has W at
//! a time, F facing the figure to +Z and C turning the bone into the T-pose, the bone's rotation is
//! G = F·W·R⁻¹·F⁻¹·C⁻¹, and its rotation relative to the *mapped* parent *p* is Gₚ⁻¹·G. So all motion between two
//! bones is folded into the lower bone, and bones point in the directions of the source's bones. Of a limb
//! the rotation just above its next joint counts, so that twist bones are folded into the bones they twist.

use super::followers::Followers;
use crate::body::figure::Body;
use crate::body::figure::Destination;
use crate::body::ground::standing;
use crate::body::in_gltf;
use crate::face::to_expressions::Faces;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::order;
use dopesheet_motion::Tolerance;
use std::fmt;

/// Options of retargeting.
#[derive(Clone, Copy, Debug)]
pub struct Retarget<'a> {
    /// Tolerance of bones where keys have to be found.
    pub tolerance: Tolerance,
    /// Names of morphs → names of expressions; they override all other assignments.
    pub names: &'a NameMap,
    /// True to keep eyes as bones; else both eyes become one gaze.
    pub eyes: bool,
    /// Players of the motion.
    pub destination: Destination,
    /// Nodes of the source that its rig moved by other nodes before the rig was solved.
    pub followers: &'a Followers,
}

/// A motion carried over to a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// The figure with its clips.
    pub scene: Scene,
    /// For each clip, the moving nodes of the source that are no part of the figure.
    pub left_out: Vec<Vec<NodeIndex>>,
}

/// Error of a figure without all bones that every humanoid has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetargetError {
    /// The missing bones.
    pub missing: Vec<HumanBone>,
}

impl fmt::Display for RetargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.missing.iter().map(|bone| bone.word()).collect();
        write!(f, "expected a node for each bone of a humanoid, found none for {}", words.join(", "))
    }
}

impl std::error::Error for RetargetError {}

/// The motions of a scene as motions of a figure in VRM's T-pose, in metres, facing +Z, and nothing else.
///
/// The hierarchy must be known and rigs solved. Rest rotations are identities; only the hips move, and beside
/// them a node with the motion of the whole figure, which the hips have as well. Bones whose rotation comes
/// from one curve keep the keys and laws of that curve; the other bones get straight keys within the
/// tolerance. Bones have their lengths at rest.
///
/// # Errors
/// If bones required of every humanoid are missing, or are not in the scene.
pub fn retarget(
    scene: &Scene,
    humanoid: &Humanoid,
    options: &Retarget<'_>,
    report: &mut Report,
) -> Result<Retargeted, RetargetError> {
    let is_there = |node: &NodeIndex| node.0 < scene.nodes.len();
    let mut present = humanoid.clone();
    present.bones.retain(|_, node| is_there(node));
    present.root_motion = present.root_motion.filter(is_there);
    present.look_at = present.look_at.filter(|look_at| is_there(&look_at.node));
    let missing = present.missing();
    let source = in_gltf(scene);
    let Some(body) = standing(&source, &present, options.eyes).filter(|_| missing.is_empty()) else {
        return Err(RetargetError { missing });
    };
    Ok(measured(&source, (&present, &body), options, report).0)
}

/// The motions of a measured figure, and the height of the ground in each of them.
pub(crate) fn measured(
    source: &Scene,
    (humanoid, body): (&Humanoid, &Body),
    options: &Retarget<'_>,
    report: &mut Report,
) -> (Retargeted, Vec<f64>) {
    let (mut figure, nodes) = super::t_pose::figure(source, humanoid, body);
    let faces = Faces::of(source, humanoid, (options.names, options.destination));
    faces.report(options.destination, report);
    let maker = |motion| super::clip::Maker::new(source, humanoid, body, &nodes, options, motion);
    let makers: Vec<super::clip::Maker<'_>> = source.clips.iter().map(maker).collect();
    let moving = order::set(makers.iter().flat_map(super::clip::Maker::moving));
    let moving = nodes.bones.values().filter(|node| moving.contains(node)).count();
    super::losses::bones(source, humanoid, body, moving, report);
    for (maker, motion) in makers.iter().zip(&source.clips) {
        let clip = maker.clip(&figure, report);
        figure.clips.push(faces.add(clip, motion, report));
    }
    let left_out = makers.iter().map(|maker| maker.others().left_out.into_iter().map(NodeIndex).collect());
    let left_out = left_out.collect();
    if let Some(humanoid) = &mut figure.humanoid {
        humanoid.expressions = faces.expressions();
    }
    let grounds = makers.iter().map(|maker| maker.ground).collect();
    (Retargeted { scene: figure, left_out }, grounds)
}
