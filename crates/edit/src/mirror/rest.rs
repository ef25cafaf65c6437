//! Rest poses in a mirror: where a skeleton at rest is not its own mirror image, what turns it away from rest is mirrored.
//!
//! With W the rotation of a joint in the scene, R that at rest and m the mirror, its partner gets m(W)·m(R)⁻¹·R′, which is R′ at rest. In
//! local rotations this multiplies constants from both sides.

use super::signs::{Plane, rows};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Hierarchy, NodeIndex, Property, Scene};
use dopesheet_curve::{quat_inverse, quat_product, quat_rotate};

/// Rotations nearer to each other than this are the same, in radians: what files round.
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
    pub(super) fn turned(&self, from: NodeIndex, to: NodeIndex, plane: Plane) -> Turned {
        let rotation =
            |node: Option<NodeIndex>| node.and_then(|node| self.nodes.get(node.0)).map_or(NONE, |own| own.2);
        let apart = |from: Option<NodeIndex>, to: Option<NodeIndex>| {
            near_none(quat_product(quat_inverse(plane.rotation(rotation(from))), rotation(to)))
        };
        let [own, other] = [from, to].map(|node| self.nodes.get(node.0));
        let parent = apart(own.and_then(|own| own.0), other.and_then(|other| other.0));
        let [own, other] = [own, other].map(|node| node.map_or([0.0; 3], |node| node.1));
        let image = turn(quat_inverse(parent), plane.position(own));
        let mut offset: [f64; 3] = std::array::from_fn(|axis| other[axis] - image[axis]);
        let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length(offset) <= SAME_RAD * length(other).max(1e-3) {
            offset = [0.0; 3];
        }
        Turned { parent, own: apart(Some(from), Some(to)), offset }
    }
}

/// Difference between the mirror image of a node at rest and its partner.
pub(super) struct Turned {
    /// That of their parents.
    parent: Quat,
    /// Their own.
    own: Quat,
    /// That of their places, in the partner's parent.
    offset: [f64; 3],
}

impl Turned {
    /// Makes a channel that was mirrored one of the partner; `None` if its curves are none that could be turned.
    pub(super) fn apply(&self, channel: &mut Channel, is_absolute: bool) -> Option<()> {
        let before = quat_inverse(if is_absolute { self.parent } else { self.own });
        let offset = if is_absolute { self.offset } else { [0.0; 3] };
        match channel.property {
            Property::Rotation if before != NONE || self.own != NONE => {
                let curve = whole(channel)?;
                let can_turn = curve.width == 4 && curve.laws.all(|law| law.blend != Blend::Turn);
                can_turn.then(|| {
                    let change = |q: Quat| quat_product(quat_product(before, q), self.own);
                    rows(curve, |row| map(row, change));
                })
            }
            Property::Translation if self.parent != NONE => {
                let curve = whole(channel)?;
                rows(curve, |row| map(row, |v: [f64; 3]| turn(quat_inverse(self.parent), v)));
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
    rows(curve, shifted);
    curve.handles = handles;
}

fn map<const N: usize>(row: &mut [f32], change: impl Fn([f64; N]) -> [f64; N]) {
    if let Some(own) = row.first_chunk_mut::<N>() {
        *own = change(own.map(f64::from)).map(|x| x as f32);
    }
}

fn turn(q: Quat, v: [f64; 3]) -> [f64; 3] {
    if q == NONE {
        return v;
    }
    quat_rotate(q, v)
}

/// A rotation, which is none if it is as good as that.
fn near_none(q: Quat) -> Quat {
    let sine = q.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
    if 2.0 * sine <= SAME_RAD { NONE } else { q }
}
