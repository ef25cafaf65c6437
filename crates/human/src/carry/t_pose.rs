//! The motion of a figure as the motion of a figure that rests in VRM's T-pose.
//!
//! All nodes are seen from the scene's root. For a bone *i* whose node rests with the rotation R and has W at
//! a time, F facing the figure to +Z and C turning the bone into the T-pose, the bone's rotation is
//! G = F·W·R⁻¹·F⁻¹·C⁻¹, and its rotation relative to the *mapped* parent *p* is Gₚ⁻¹·G. So all motion between two
//! bones is folded into the lower bone, and bones point in the directions of the source's bones. Of a limb
//! the rotation just above its next joint counts, so that twist bones are folded into the bones they twist.

use super::figure::figure;
use super::{CarryOptions, clip, losses};
use crate::body::figure::Figure;
use crate::body::shape::Body;
use crate::face::to_expressions::Faces;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Humanoid, NodeIndex, Scene};
use dopesheet_core::order;

/// A motion in the T-pose.
pub(super) struct TPose {
    /// The figure with its clips.
    pub(super) scene: Scene,
    /// For each clip, the moving nodes of the source that are no part of the figure.
    pub(super) left_out: Vec<Vec<NodeIndex>>,
    /// Height of the ground in each clip of the source.
    pub(super) grounds: Vec<f64>,
}

/// The bones of a figure that its scene has.
pub(super) fn present(figure: Figure<'_>) -> Humanoid {
    let is_present = |node: &NodeIndex| node.0 < figure.scene.nodes.len();
    let mut present = figure.humanoid.clone();
    present.bones.retain(|_, node| is_present(node));
    present.root_motion = present.root_motion.filter(is_present);
    present.look_at = present.look_at.filter(|look_at| is_present(&look_at.node));
    present
}

/// The motions of a body in the T-pose. Avatars have the lengths of the source, and know expressions.
pub(super) fn carry(
    body: &Body<'_>,
    for_avatars: bool,
    options: &CarryOptions<'_>,
    report: &mut Report,
) -> TPose {
    let source = body.figure.scene;
    let (mut scene, nodes) = figure(body);
    let faces = Faces::of(body.figure, options.names, for_avatars);
    faces.report(report);
    let maker = |motion| clip::Maker::new(body, &nodes, options, for_avatars, motion);
    let makers: Vec<clip::Maker<'_>> = source.clips.iter().map(maker).collect();
    let moving = order::set(makers.iter().flat_map(clip::Maker::moving));
    let moving = nodes.bones.values().filter(|node| moving.contains(node)).count();
    losses::bones(body, moving, report);
    for (maker, motion) in makers.iter().zip(&source.clips) {
        let clip = maker.clip(&scene, report);
        scene.clips.push(faces.add(clip, motion, report));
    }
    let left_out = makers.iter().map(|maker| maker.others().left_out.into_iter().map(NodeIndex).collect());
    let left_out = left_out.collect();
    if let Some(humanoid) = &mut scene.humanoid {
        humanoid.expressions = faces.expressions();
    }
    let grounds = makers.iter().map(|maker| maker.ground).collect();
    TPose { scene, left_out, grounds }
}
