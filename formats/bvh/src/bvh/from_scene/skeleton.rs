//! The nodes of a scene counting as joints, and their rest poses without rotation.

use super::super::notes::{Orders, USUAL_ORDER, end_name};
use super::super::turns::Quat;
use super::roots::{Fewer, single_root};
use super::stays::stay;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, EulerOrder, Node, Property, Scene, TargetKind,
};
use dopesheet_curve::{quat_normalise_or_identity, quat_product, quat_rotate};

/// Largest relative difference between the factors of a scale that counts as uniform.
const EVEN: f64 = 1e-6;

/// A joint or end site.
pub(super) struct Bone<'a> {
    pub(super) node: &'a Node,
    /// Index of its parent.
    pub(super) parent: Option<usize>,
    /// Place at rest of the parent node, if the parent is no joint of the file.
    pub(super) origin: [f64; 3],
    /// Offset from there, along the axes of the model at rest.
    pub(super) offset: [f64; 3],
    /// Axes of its parent in the model at rest, the length of a unit included: three columns.
    pub(super) from_parent: [[f64; 3]; 3],
    /// The rotation of its parent in the model at rest.
    pub(super) parent_turn: Quat,
    /// Rotation of the bone in the model at rest.
    pub(super) turn: Quat,
    pub(super) order: EulerOrder,
    /// True if the bone is written with positions.
    pub(super) has_positions: bool,
    /// True if the bone has no children.
    pub(super) is_leaf: bool,
    /// True if the bone is only the end of its parent.
    pub(super) is_end: bool,
    pub(super) translation: Option<&'a Channel>,
    pub(super) rotation: Option<&'a Channel>,
}

/// The joints of a scene in depth-first order, parents before children.
pub(super) struct Skeleton<'a> {
    pub(super) bones: Vec<Bone<'a>>,
    /// Nodes other than joints.
    pub(super) other_nodes: usize,
    /// Joints left out for a single root.
    pub(super) fewer: Fewer,
    /// Joints with an uneven scale in the rest pose.
    pub(super) uneven: usize,
    /// Bones put at a fixed place despite trembling, and their largest distance from that place.
    trembles: Vec<(usize, f64)>,
}

/// A node at rest in the model.
#[derive(Clone, Copy)]
struct World {
    position: [f64; 3],
    columns: [[f64; 3]; 3],
    turn: Quat,
    is_uneven: bool,
}

impl World {
    const ORIGIN: Self = Self {
        position: [0.0; 3],
        columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        turn: [0.0, 0.0, 0.0, 1.0],
        is_uneven: false,
    };

    fn child(&self, node: &Node) -> Self {
        let turn = quat_normalise_or_identity(node.rest.rotation);
        let scale = node.rest.scale;
        let columns = std::array::from_fn(|axis| {
            let mut unit = [0.0; 3];
            unit[axis] = scale[axis];
            applied(&self.columns, quat_rotate(turn, unit))
        });
        let is_even = scale.iter().all(|factor| (factor - scale[0]).abs() <= EVEN * scale[0].abs());
        let turn = quat_normalise_or_identity(quat_product(self.turn, turn));
        let position = sum(self.position, applied(&self.columns, node.rest.translation));
        Self { position, columns, turn, is_uneven: self.is_uneven || !is_even }
    }
}

/// A vector along axes.
pub(super) fn applied(columns: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| columns.iter().zip(v).map(|(column, x)| column[row] * x).sum())
}

pub(super) fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

impl<'a> Skeleton<'a> {
    pub(super) fn of(scene: &'a Scene, clip: &'a Clip, orders: &Orders) -> Self {
        let mut kept = kept(scene, clip);
        let left_out = kept.iter().filter(|kept| !**kept).count();
        let mut world: Vec<World> = Vec::with_capacity(scene.nodes.len());
        for node in &scene.nodes {
            let parent = node.parent.and_then(|parent| world.get(parent.0)).copied();
            world.push(parent.unwrap_or(World::ORIGIN).child(node));
        }
        let moved = moved(clip, scene.nodes.len());
        let fewer = single_root(scene, &mut kept, &moved);
        let mut children = vec![Vec::new(); scene.nodes.len()];
        let mut open = Vec::new();
        for index in (0..scene.nodes.len()).filter(|index| kept[*index]).rev() {
            match scene.nodes[index].parent {
                Some(parent) if parent.0 < index && kept[parent.0] => children[parent.0].push(index),
                _ => open.push((index, None)),
            }
        }
        let mut skeleton =
            Self { bones: Vec::new(), other_nodes: left_out, fewer, uneven: 0, trembles: Vec::new() };
        while let Some((index, parent)) = open.pop() {
            let bone_number = skeleton.bones.len();
            let node = &scene.nodes[index];
            let above = node.parent.and_then(|parent| world.get(parent.0)).unwrap_or(&World::ORIGIN);
            let stay = moved[index][0].and_then(|channel| stay(channel, node));
            let translation = stay.map_or(node.rest.translation, |stay| stay.position);
            let origin = if parent.is_none() { above.position } else { [0.0; 3] };
            let order = orders.get(&node.name).copied().unwrap_or(USUAL_ORDER);
            let mut bone = Bone {
                node,
                parent,
                origin,
                offset: sum(origin, applied(&above.columns, translation)),
                from_parent: above.columns,
                parent_turn: above.turn,
                turn: world[index].turn,
                order,
                has_positions: parent.is_none(),
                is_leaf: children[index].is_empty(),
                is_end: false,
                translation: moved[index][0],
                rotation: moved[index][1],
            };
            let above_name =
                parent.and_then(|parent| skeleton.bones.get(parent)).map(|above| &above.node.name);
            let is_still = bone.translation.is_none() && bone.rotation.is_none();
            bone.is_end =
                bone.is_leaf && is_still && above_name.is_some_and(|name| end_name(name) == node.name);
            bone.has_positions |= bone.translation.is_some() && stay.is_none();
            if let Some(stay) = stay.filter(|_| !bone.has_positions) {
                skeleton.trembles.push((bone_number, stay.off * length_of(&above.columns)));
            }
            if let Some(Composition::Euler { order, .. }) = bone.rotation.map(|channel| &channel.composition)
            {
                bone.order = *order;
            }
            skeleton.uneven += usize::from(above.is_uneven);
            skeleton.bones.push(bone);
            open.extend(children[index].iter().map(|child| (*child, Some(bone_number))));
        }
        skeleton
    }
}

impl Skeleton<'_> {
    /// The bone displaced farthest because it and its ancestors were put at fixed places, and its
    /// displacement.
    pub(super) fn farthest(&self) -> Option<(&Bone<'_>, f64)> {
        let mut off = vec![0.0f64; self.bones.len()];
        for (bone, distance) in &self.trembles {
            off[*bone] = *distance;
        }
        for bone in 0..off.len() {
            off[bone] += self.bones[bone].parent.map_or(0.0, |parent| off[parent]);
        }
        let all = self.bones.iter().zip(off).filter(|(_, off)| *off > 0.0);
        all.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The largest factor by which axes lengthen distances.
fn length_of(columns: &[[f64; 3]; 3]) -> f64 {
    let length = |column: &[f64; 3]| column.iter().map(|x| x * x).sum::<f64>().sqrt();
    columns.iter().map(length).fold(0.0, f64::max)
}

/// The joints: moving nodes, nodes used by a skin, nodes that carry nothing, and all their ancestors.
fn kept(scene: &Scene, clip: &Clip) -> Vec<bool> {
    let is_bare = |n: &Node| n.mesh.is_none() && n.camera.is_none() && n.light.is_none();
    let mut kept: Vec<bool> = scene.nodes.iter().map(is_bare).collect();
    let joints = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint);
    let skins = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    for index in joints.filter_map(|track| track.target.node).chain(skins) {
        if let Some(kept) = kept.get_mut(index.0) {
            *kept = true;
        }
    }
    for index in (0..scene.nodes.len()).rev() {
        if let (true, Some(parent)) = (kept[index], scene.nodes[index].parent)
            && let Some(above) = kept.get_mut(parent.0)
        {
            *above = true;
        }
    }
    kept
}

/// The translation and the rotation channel of each node, if any; of several the first.
fn moved(clip: &Clip, nodes: usize) -> Vec<[Option<&Channel>; 2]> {
    let mut moved = vec![[None; 2]; nodes];
    for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint) {
        let Some(channels) = track.target.node.and_then(|node| moved.get_mut(node.0)) else { continue };
        for channel in track.channels.iter().filter(|c| !c.composition.curves().any(Curve::is_empty)) {
            let slot = match channel.property {
                Property::Translation => &mut channels[0],
                Property::Rotation => &mut channels[1],
                _ => continue,
            };
            slot.get_or_insert(channel);
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Basis, Transform};

    #[test]
    fn scaled_and_turned_rest_poses_are_taken_out_of_offsets() {
        let mut scene = Scene::new(Basis::GLTF);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let rest = Transform { rotation: [0.0, 0.0, half, half], scale: [2.0; 3], ..Transform::IDENTITY };
        let root = scene.push_node(Node::new("root", None, rest));
        let rest = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
        scene.push_node(Node::new("tip", Some(root), rest));
        let clip = Clip::default();
        let skeleton = Skeleton::of(&scene, &clip, &Orders::new());
        let [x, y, z] = skeleton.bones[1].offset;
        assert!((x + 2.0).abs() < 1e-12 && y.abs() < 1e-12 && z.abs() < 1e-12);
    }
}
