//! The nodes of a scene that are joints, and their rest poses without rotation.

use super::super::notes::{Orders, USUAL_ORDER, end_name};
use super::super::turns::{self, Quat};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, EulerOrder, Node, Property, Scene, TargetKind,
};
use dopesheet_curve::quat_normalise_or_identity;

/// Largest relative difference between the factors of a scale that counts as even.
const EVEN: f64 = 1e-6;

/// One joint or end site.
pub(super) struct Bone<'a> {
    pub(super) node: &'a Node,
    /// Index of its parent.
    pub(super) parent: Option<usize>,
    /// Offset from there, along the axes of the model at rest.
    pub(super) offset: [f64; 3],
    /// Axes of its parent in the model at rest, the length of a unit included: three columns.
    pub(super) from_parent: [[f64; 3]; 3],
    /// The rotation of its parent in the model at rest.
    pub(super) parent_turn: Quat,
    /// Its own rotation in the model at rest.
    pub(super) turn: Quat,
    pub(super) order: EulerOrder,
    /// True if it is written with positions.
    pub(super) has_positions: bool,
    /// True if it has no children.
    pub(super) is_leaf: bool,
    /// True if it is the end of its parent and nothing else.
    pub(super) is_end: bool,
    pub(super) translation: Option<&'a Channel>,
    pub(super) rotation: Option<&'a Channel>,
}

/// The joints of a scene in depth-first order, parents before children.
pub(super) struct Skeleton<'a> {
    pub(super) bones: Vec<Bone<'a>>,
    /// Nodes that are no joints.
    pub(super) others: usize,
    /// Joints whose rest pose is scaled unevenly.
    pub(super) uneven: usize,
}

/// A node at rest in the model.
#[derive(Clone, Copy)]
struct World {
    columns: [[f64; 3]; 3],
    turn: Quat,
    is_uneven: bool,
}

impl World {
    const ORIGIN: Self = Self {
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
            applied(&self.columns, turns::turned(turn, unit))
        });
        let is_even = scale.iter().all(|factor| (factor - scale[0]).abs() <= EVEN * scale[0].abs());
        let turn = quat_normalise_or_identity(turns::product(self.turn, turn));
        Self { columns, turn, is_uneven: self.is_uneven || !is_even }
    }
}

/// A vector along axes.
pub(super) fn applied(columns: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| columns.iter().zip(v).map(|(column, x)| column[row] * x).sum())
}

impl<'a> Skeleton<'a> {
    pub(super) fn of(scene: &'a Scene, clip: &'a Clip, orders: &Orders) -> Self {
        let kept = kept(scene, clip);
        let mut world: Vec<World> = Vec::with_capacity(scene.nodes.len());
        for node in &scene.nodes {
            let parent = node.parent.and_then(|parent| world.get(parent.0)).copied();
            world.push(parent.unwrap_or(World::ORIGIN).child(node));
        }
        let moved = moved(clip, scene.nodes.len());
        let mut children = vec![Vec::new(); scene.nodes.len()];
        let mut open = Vec::new();
        for index in (0..scene.nodes.len()).filter(|index| kept[*index]).rev() {
            match scene.nodes[index].parent {
                Some(parent) if parent.0 < index => children[parent.0].push(index),
                _ => open.push((index, None)),
            }
        }
        let mut skeleton =
            Self { bones: Vec::new(), others: kept.iter().filter(|kept| !**kept).count(), uneven: 0 };
        while let Some((index, parent)) = open.pop() {
            let own = skeleton.bones.len();
            let node = &scene.nodes[index];
            let above = node.parent.and_then(|parent| world.get(parent.0)).unwrap_or(&World::ORIGIN);
            let order = orders.get(&node.name).copied().unwrap_or(USUAL_ORDER);
            let mut bone = Bone {
                node,
                parent,
                offset: applied(&above.columns, node.rest.translation),
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
            bone.has_positions |= bone.translation.is_some_and(|channel| moves(channel, node));
            if let Some(Composition::Euler { order, .. }) = bone.rotation.map(|channel| &channel.composition)
            {
                bone.order = *order;
            }
            skeleton.uneven += usize::from(above.is_uneven);
            skeleton.bones.push(bone);
            open.extend(children[index].iter().map(|child| (*child, Some(own))));
        }
        skeleton
    }
}

/// The joints: nodes that move, that a skin uses or that carry nothing, and all their ancestors.
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

/// The channels that move and that turn each node, if any do; of several the first.
fn moved(clip: &Clip, nodes: usize) -> Vec<[Option<&Channel>; 2]> {
    let mut moved = vec![[None; 2]; nodes];
    for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint) {
        let Some(own) = track.target.node.and_then(|node| moved.get_mut(node.0)) else { continue };
        for channel in track.channels.iter().filter(|c| !c.composition.curves().any(Curve::is_empty)) {
            let slot = match channel.property {
                Property::Translation => &mut own[0],
                Property::Rotation => &mut own[1],
                _ => continue,
            };
            slot.get_or_insert(channel);
        }
    }
    moved
}

/// True if a translation ever leaves the rest position, as far as six decimals tell.
fn moves(channel: &Channel, node: &Node) -> bool {
    let away = |value: f32, axis: usize| {
        let rest = node.rest.translation.get(axis).copied().unwrap_or(0.0);
        (f64::from(value) - rest).abs() > 5e-7 * rest.abs().max(1.0)
    };
    let curves = channel.composition.curves().enumerate();
    curves.into_iter().any(|(first, curve)| {
        curve.values.iter().enumerate().any(|(at, value)| away(*value, first + at % curve.width.max(1)))
    })
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
