//! Bones and joints.

use crate::drawing::{Drawing, Line, Look};
use crate::moment::Moment;
use crate::solid::Solids;
use crate::theme::Theme;
use dopesheet_core::model::{Clip, NodeIndex, Property, Scene, TargetKind, Track};
use dopesheet_human::hips;
use glam::{DVec3, Vec3};
use std::collections::HashSet;

/// Thickness of a bone as a share of its length, and its limit as a share of the size of the scene.
const THICKNESS: f32 = 0.1;
const THICKEST: f32 = 0.025;
/// Length of the axes of a joint without a bone, as a share of the size of the scene.
const AXIS: f64 = 0.08;
/// Width of the dot of a joint, in pixels.
const DOT: f32 = 5.0;

/// The joints of a scene, and their parents.
#[derive(Debug)]
pub(crate) struct Skeleton {
    /// Node, and its parent joint.
    joints: Vec<(usize, Option<usize>)>,
    /// Joints without a bone: only their axes show how they are turned.
    boneless: Vec<usize>,
}

impl Skeleton {
    /// The joints of a scene: nodes that a clip moves or a skin consists of, and their children; in a scene
    /// with neither, every node without another purpose.
    pub(crate) fn new(scene: &Scene, clip: &Clip, is_drawn: impl Fn(usize) -> bool) -> Self {
        let mut is_joint = vec![false; scene.nodes.len()];
        let moved = clip.tracks.iter().filter(|track| places(track)).filter_map(|track| track.target.node);
        let skinned = scene.skins.iter().flat_map(|skin| &skin.joints).copied();
        for node in moved.chain(skinned) {
            is_joint.iter_mut().skip(node.0).take(1).for_each(|joint| *joint = true);
        }
        if clip.tracks.is_empty() && !is_joint.contains(&true) {
            is_joint.fill(true);
        }
        for (index, node) in scene.nodes.iter().enumerate() {
            let hangs_on_joint = node.parent.and_then(|p| is_joint.get(p.0)).copied().unwrap_or(false);
            let is_other = node.camera.is_some() || node.light.is_some() || is_drawn(index);
            is_joint[index] = (is_joint[index] || hangs_on_joint) && !is_other;
        }
        let joints = (0..scene.nodes.len()).filter(|index| is_joint[*index]);
        // What leads to the hips of a figure is the way that it has gone.
        let ways = above(scene, hips(scene));
        let above = |index: usize| scene.nodes[index].parent.map(|p| p.0).filter(|p| is_joint[*p]);
        let parent = |index: usize| above(index).filter(|_| !ways.contains(&index));
        let joints: Vec<_> = joints.map(|index| (index, parent(index))).collect();
        let has_bone: HashSet<usize> =
            joints.iter().filter_map(|(joint, parent)| Some([*joint, (*parent)?])).flatten().collect();
        let boneless =
            joints.iter().map(|(joint, _)| *joint).filter(|joint| !has_bone.contains(joint)).collect();
        Self { joints, boneless }
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.joints.iter().map(|(joint, _)| *joint)
    }

    /// `size` is how large the scene is, in metres.
    pub(crate) fn draw(&self, moment: &Moment, size: f64, theme: &Theme, drawing: &mut Drawing) {
        let mut bones = Solids::new(Look::matt(theme.bone));
        let [r, g, b] = theme.joint;
        for (joint, parent) in &self.joints {
            let Some(at) = moment.point(*joint).map(|point| point.as_vec3()) else { continue };
            if let Some(from) = parent.and_then(|parent| moment.point(parent)).map(|point| point.as_vec3()) {
                bones.bone(from, at, (Vec3::distance(from, at) * THICKNESS).min(size as f32 * THICKEST));
            }
            let ends = [at.to_array(); 2];
            drawing.lines.push(Line { ends, color: [r, g, b, 255], width_px: DOT });
        }
        drawing.surfaces.extend(bones.surface());
        for transform in self.boneless.iter().filter_map(|joint| moment.places.get(*joint)) {
            for (axis, [r, g, b]) in DVec3::AXES.into_iter().zip(theme.axes) {
                let end = transform.translation
                    + transform.transform_vector3(axis).normalize_or_zero() * size * AXIS;
                let ends = [transform.translation, end].map(|point| point.as_vec3().to_array());
                drawing.lines.push(Line { ends, color: [r, g, b, 255], width_px: 2.0 });
            }
        }
    }
}

/// A node and all that it hangs on.
fn above(scene: &Scene, node: Option<NodeIndex>) -> Vec<usize> {
    let up = |node: &NodeIndex| scene.node(*node).and_then(|node| node.parent);
    std::iter::successors(node, up).take(scene.nodes.len()).map(|node| node.0).collect()
}

/// True for a track that moves, turns or scales a joint.
fn places(track: &Track) -> bool {
    use Property::{Placement, Rotation, Scale, Translation};
    let places = |property: &Property| matches!(property, Translation | Rotation | Scale | Placement);
    track.target.kind == TargetKind::Joint && track.channels.iter().any(|channel| places(&channel.property))
}
