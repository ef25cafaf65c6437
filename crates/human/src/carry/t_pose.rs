//! The motion of a figure as the motion of a figure that rests in VRM's T-pose.
//!
//! All nodes are seen from the scene's root. For a bone *i* whose node rests with the rotation R and has W at
//! a time, F facing the figure to +Z and C turning the bone into the T-pose, the bone's rotation is
//! G = F·W·R⁻¹·F⁻¹·C⁻¹, and its rotation relative to the *mapped* parent *p* is Gₚ⁻¹·G. So all motion between two
//! bones is folded into the lower bone, and bones point in the directions of the source's bones. Of a limb
//! the rotation just above its next joint counts, so that twist bones are folded into the bones they twist.

use super::{CarryOptions, clip, losses};
use crate::body::figure::Figure;
use crate::body::shape::Body;
use crate::face::to_expressions::Faces;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, HumanBone, Humanoid, LookAt, Node, NodeIndex, Scene, Transform};
use dopesheet_core::order;
use glam::DVec3;
use std::collections::BTreeMap;

/// Name of the node at the origin.
const ROOT: &str = "Root";
/// Name of the node that carries the motion of the whole figure.
const ROOT_MOTION: &str = "RootMotion";
/// Name of the node for the gaze.
const LOOK_AT: &str = "LookAt";

/// Nodes of the figure in the T-pose.
pub(super) struct FigureNodes {
    pub(super) bones: BTreeMap<HumanBone, NodeIndex>,
    pub(super) root_motion: Option<NodeIndex>,
    pub(super) look_at: Option<NodeIndex>,
}

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

/// The figure at rest: the origin, the bones, the node that carries the whole figure, and the node for the
/// gaze.
fn figure(body: &Body<'_>) -> (Scene, FigureNodes) {
    let mut figure = Scene::new(Basis::GLTF);
    let origin = figure.push_node(Node::new(ROOT, None, Transform::IDENTITY));
    let mut nodes = FigureNodes { bones: BTreeMap::new(), root_motion: None, look_at: None };
    for (bone, joint) in &body.bones {
        let above = joint.parent.and_then(|parent| body.bones.get(&parent));
        let offset = joint.place - above.map_or(DVec3::ZERO, |above| above.place);
        let parent = joint.parent.and_then(|parent| nodes.bones.get(&parent)).copied().unwrap_or(origin);
        nodes.bones.insert(*bone, figure.push_node(node(bone.word(), parent, offset)));
    }
    nodes.root_motion = body
        .figure
        .humanoid
        .root_motion
        .and_then(|joint| body.rest.get(joint.0))
        .map(|rest| figure.push_node(node(ROOT_MOTION, origin, body.facing * rest.place())));
    let mut look_at = None;
    if let Some((head, offset)) = nodes.bones.get(&HumanBone::Head).zip(gaze_origin(body)) {
        let node = figure.push_node(node(LOOK_AT, *head, offset));
        nodes.look_at = Some(node);
        look_at = Some(LookAt { node, offset_from_head: offset.to_array() });
    }
    figure.humanoid = Some(Humanoid {
        bones: nodes.bones.clone(),
        root_motion: nodes.root_motion,
        expressions: Vec::new(),
        look_at,
        rests_in_t_pose: true,
    });
    (figure, nodes)
}

fn node(name: &str, parent: NodeIndex, translation: DVec3) -> Node {
    let rest = Transform { translation: translation.to_array(), ..Transform::IDENTITY };
    Node::new(name, Some(parent), rest)
}

/// Vector from the head to the point between the eyes; `None` without a gaze, or where eyes are bones.
fn gaze_origin(body: &Body<'_>) -> Option<DVec3> {
    if let Some(look_at) = &body.figure.humanoid.look_at {
        return body.figure.scene.node(look_at.node).map(|_| DVec3::from(look_at.offset_from_head));
    }
    let eyes = [HumanBone::LeftEye, HumanBone::RightEye];
    if eyes.iter().any(|eye| body.bones.contains_key(eye)) {
        return None;
    }
    let places = eyes.into_iter().filter_map(|eye| body.figure.place(&body.rest, eye));
    let places: Vec<DVec3> = places.collect();
    let middle = places.iter().sum::<DVec3>() / places.len() as f64;
    let head = body.bones.get(&HumanBone::Head)?;
    (!places.is_empty()).then(|| head.correction * (body.facing * (middle - head.anchor)))
}
