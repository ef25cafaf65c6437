//! The figure in VRM's T-pose at rest.

use crate::body::shape::Body;
use dopesheet_core::model::{Basis, HumanBone, Humanoid, LookAt, Node, NodeIndex, Scene, Transform};
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

/// The figure at rest: the origin, the bones, the node that carries the whole figure, and the node for the
/// gaze.
pub(super) fn figure(body: &Body<'_>) -> (Scene, FigureNodes) {
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
