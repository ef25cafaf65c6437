//! Rest poses in a mirror: if a skeleton at rest is not its own mirror image, the rotation away from rest is
//! mirrored.
//!
//! With W the rotation of a joint in the scene, R its rotation at rest and m the mirror, the partner gets
//! m(W)·m(R)⁻¹·R′, which is R′ at rest. In local rotations this multiplies constants from both sides.

use super::signs::Plane;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Hierarchy, NodeIndex, Property, Scene};
use dopesheet_curve::{quat_inverse, quat_product, quat_rotate};

/// Angle in radians up to which rotations count as equal: rounding in files.
const SAME_RAD: f64 = 1e-4;

type Quat = [f64; 4];

/// No rotation.
const NONE: Quat = [0.0, 0.0, 0.0, 1.0];

/// Rest poses of all nodes.
pub(super) struct Rests {
    /// Parent, local translation, and rotation in the scene.
    nodes: Vec<(Option<NodeIndex>, [f64; 3], Quat)>,
}

impl Rests {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut nodes: Vec<(Option<NodeIndex>, [f64; 3], Quat)> = Vec::new();
        if scene.hierarchy == Hierarchy::Known {
            for node in &scene.nodes {
                let parent =
                    node.parent.and_then(|parent| nodes.get(parent.0)).map_or(NONE, |parent| parent.2);
                nodes.push((node.parent, node.rest.translation, quat_product(parent, node.rest.rotation)));
            }
        }
        Self { nodes }
    }

    /// The difference between the mirror image of a node at rest and its partner.
    pub(super) fn turned(&self, from: NodeIndex, to: NodeIndex, plane: Plane) -> RestDifference {
        let rotation = |node: Option<NodeIndex>| {
            node.and_then(|node| self.nodes.get(node.0)).map_or(NONE, |node| node.2)
        };
        let apart = |from: Option<NodeIndex>, to: Option<NodeIndex>| {
            near_none(quat_product(quat_inverse(plane.rotation(rotation(from))), rotation(to)))
        };
        let [source, other] = [from, to].map(|node| self.nodes.get(node.0));
        let parent = apart(source.and_then(|source| source.0), other.and_then(|other| other.0));
        let [source, other] = [source, other].map(|node| node.map_or([0.0; 3], |node| node.1));
        let image = turn(quat_inverse(parent), plane.position(source));
        let mut offset: [f64; 3] = std::array::from_fn(|axis| other[axis] - image[axis]);
        let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length(offset) <= SAME_RAD * length(other).max(1e-3) {
            offset = [0.0; 3];
        }
        RestDifference { parent, own: apart(Some(from), Some(to)), offset }
    }
}

/// Difference between the mirror image of a node at rest and its partner.
pub(super) struct RestDifference {
    /// Difference of the parents' rotations.
    parent: Quat,
    /// Difference of the joints' rotations.
    own: Quat,
    /// Difference of the translations, in the space of the partner's parent.
    offset: [f64; 3],
}

impl RestDifference {
    /// Turns a mirrored channel into a channel of the partner; `None` if its curves cannot be turned.
    pub(super) fn apply(&self, channel: &mut Channel, is_absolute: bool) -> Option<()> {
        let before = quat_inverse(if is_absolute { self.parent } else { self.own });
        let offset = if is_absolute { self.offset } else { [0.0; 3] };
        match channel.property {
            Property::Rotation if before != NONE || self.own != NONE => {
                let curve = whole(channel)?;
                let can_turn = curve.width == 4 && curve.laws.all(|law| law.blend != Blend::Turn);
                can_turn.then(|| {
                    let change = |q: Quat| quat_product(quat_product(before, q), self.own);
                    curve.change_rows(|row, _| map(row, change));
                })
            }
            Property::Translation if self.parent != NONE => {
                let curve = whole(channel)?;
                curve.change_rows(|row, _| map(row, |v: [f64; 3]| turn(quat_inverse(self.parent), v)));
                add(curve, offset);
                Some(())
            }
            Property::Translation if offset != [0.0; 3] => match &mut channel.composition {
                Composition::Whole(curve) => {
                    add(curve, offset);
                    Some(())
                }
                Composition::Components(curves) => {
                    curves.iter_mut().zip(offset).for_each(|(curve, offset)| add(curve, [offset; 3]));
                    Some(())
                }
                _ => None,
            },
            _ => Some(()),
        }
    }
}

const fn whole(channel: &mut Channel) -> Option<&mut Curve> {
    match &mut channel.composition {
        Composition::Whole(curve) => Some(curve),
        _ => None,
    }
}

/// Adds to the values of a curve; their slopes stay.
fn add(curve: &mut Curve, offset: [f64; 3]) {
    let handles = curve.handles.take();
    let shifted = |row: &mut [f32]| {
        for (value, offset) in row.iter_mut().zip(offset) {
            *value = (f64::from(*value) + offset) as f32;
        }
    };
    curve.change_rows(|row, _| shifted(row));
    curve.handles = handles;
}

fn map<const N: usize>(row: &mut [f32], change: impl Fn([f64; N]) -> [f64; N]) {
    if let Some(numbers) = row.first_chunk_mut::<N>() {
        *numbers = change(numbers.map(f64::from)).map(|x| x as f32);
    }
}

fn turn(q: Quat, v: [f64; 3]) -> [f64; 3] {
    if q == NONE {
        return v;
    }
    quat_rotate(q, v)
}

/// The rotation, or exactly no rotation if the angle is negligible.
fn near_none(q: Quat) -> Quat {
    let sine = q.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
    if 2.0 * sine <= SAME_RAD { NONE } else { q }
}
