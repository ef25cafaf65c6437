//! Motion of the nodes between two bones.

use super::figure::upwards;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, NodeIndex, PoseRelation, Property, Scene, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::inside::changes;
use dopesheet_motion::sample::pose::apply;
use dopesheet_motion::{Side, channel_at};
use glam::DQuat;

/// A clip by its moving nodes.
pub(crate) struct Moves<'a> {
    scene: &'a Scene,
    pub(crate) clip: &'a Clip,
    channels: Vec<Vec<&'a Channel>>,
}

/// The way from a node to another node through the hierarchy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// From the first node up to below the common ancestor.
    up: Vec<usize>,
    /// From below the common ancestor down to the second node.
    down: Vec<usize>,
}

impl Way {
    /// The way from a node, or from the scene's root, to another.
    pub(crate) fn of(scene: &Scene, from: Option<usize>, to: usize) -> Self {
        let above = |node: usize| upwards(scene, NodeIndex(node)).map(|node| node.0).collect::<Vec<usize>>();
        let (mut up, mut down) = (from.map_or_else(Vec::new, above), above(to));
        while up.last().is_some() && up.last() == down.last() {
            up.pop();
            down.pop();
        }
        down.reverse();
        Self { up, down }
    }

    /// All nodes on the way.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.up.iter().chain(&self.down).copied()
    }
}

/// A rotation made by one curve, between two constant rotations.
pub(crate) struct Lone<'a> {
    pub(crate) before: DQuat,
    pub(crate) curve: &'a Curve,
    pub(crate) after: DQuat,
}

impl<'a> Moves<'a> {
    pub(crate) fn of(scene: &'a Scene, clip: &'a Clip) -> Self {
        let mut channels = vec![Vec::new(); scene.nodes.len()];
        for track in &clip.tracks {
            if let Some(node_channels) = track.target.node.and_then(|node| channels.get_mut(node.0)) {
                node_channels.extend(track.channels.iter().filter(|channel| places(&channel.property)));
            }
        }
        Self { scene, clip, channels }
    }

    /// The way from a node, or from the scene's root, to another.
    pub(crate) fn way(&self, from: Option<usize>, to: usize) -> Way {
        Way::of(self.scene, from, to)
    }

    /// The parent of a node.
    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        self.scene.nodes.get(node)?.parent.map(|parent| parent.0)
    }

    /// A node's transform relative to its parent.
    pub(crate) fn local(&self, node: usize, time: Seconds, side: Side) -> Transform {
        let rest = self.scene.nodes.get(node).map(|node| node.rest).unwrap_or_default();
        let base = self.base(&rest);
        let (mut local, mut value) = (rest, Vec::new());
        for channel in self.channels.get(node).into_iter().flatten() {
            if channel_at(channel, time, side, &mut value) {
                apply(&mut local, &base, &channel.property, &value);
            }
        }
        local
    }

    /// The transform below the values of channels: the rest pose for values on top of it, else the identity.
    fn base(&self, rest: &Transform) -> Transform {
        match self.clip.relation {
            PoseRelation::Absolute => Transform::IDENTITY,
            PoseRelation::OnTopOfRest => *rest,
        }
    }

    /// The end of a way from the scene's root as seen from there.
    pub(crate) fn end(&self, way: &Way, time: Seconds, side: Side) -> ChainTransform {
        let locals = way.down.iter().map(|node| ChainTransform::from(&self.local(*node, time, side)));
        locals.fold(ChainTransform::IDENTITY, |above, local| above * local)
    }

    /// The rotation of the second node as seen from the first.
    pub(crate) fn turn(&self, way: &Way, time: Seconds, side: Side) -> DQuat {
        self.product(&way.up, time, side).conjugate() * self.down(&way.down, time, side)
    }

    fn product(&self, upwards: &[usize], time: Seconds, side: Side) -> DQuat {
        upwards.iter().rev().fold(DQuat::IDENTITY, |above, node| above * self.rotation(*node, time, side))
    }

    fn down(&self, downwards: &[usize], time: Seconds, side: Side) -> DQuat {
        downwards.iter().fold(DQuat::IDENTITY, |above, node| above * self.rotation(*node, time, side))
    }

    fn rotation(&self, node: usize, time: Seconds, side: Side) -> DQuat {
        let local = self.local(node, time, side).rotation;
        DQuat::from_array(dopesheet_curve::quat_normalise_or_identity(local))
    }

    /// The channels of a node that change a property while the clip plays.
    pub(crate) fn changing(&self, node: usize, property: &Property) -> impl Iterator<Item = &'a Channel> {
        let property = property.clone();
        let channels = self.channels.get(node).into_iter().flatten().copied();
        channels.filter(move |channel| is_part(&channel.property, &property) && changes(channel))
    }

    /// True if a node changes at all.
    pub(crate) fn moves(&self, node: usize) -> bool {
        self.channels.get(node).into_iter().flatten().any(|channel| changes(channel))
    }

    pub(crate) fn turns(&self, node: usize) -> bool {
        self.changing(node, &Property::Rotation).next().is_some()
    }

    /// True if nothing on a way turns.
    pub(crate) fn is_stiff(&self, way: &Way) -> bool {
        !way.nodes().any(|node| self.turns(node))
    }

    /// The only curve of the rotation along a way, if there is just one and the curve can be carried over
    /// unchanged.
    pub(crate) fn lone(&self, way: &Way) -> Option<Lone<'a>> {
        let mut turning = way.nodes().filter(|node| self.turns(*node));
        let (node, None) = (turning.next()?, turning.next()) else { return None };
        let index = way.down.iter().position(|candidate| *candidate == node)?;
        let channels = self.channels.get(node)?.iter();
        let mut channels = channels.filter(|channel| is_part(&channel.property, &Property::Rotation));
        let (
            Channel { property: Property::Rotation, composition: Composition::Whole(curve), native: None },
            None,
        ) = (channels.next()?, channels.next())
        else {
            return None;
        };
        if !is_linear_in_its_values(curve) {
            return None;
        }
        let (time, side) = (Seconds(0.0), Side::At);
        let rest = self.scene.nodes.get(node).map(|node| node.rest).unwrap_or_default();
        let base = DQuat::from_array(self.base(&rest).rotation);
        let (above, [_, below @ ..]) = way.down.split_at_checked(index)? else { return None };
        let above = self.down(above, time, side);
        Some(Lone {
            before: self.product(&way.up, time, side).conjugate() * above * base,
            curve,
            after: self.down(below, time, side),
        })
    }
}

/// True of the properties for the position, rotation and scale of a node.
const fn places(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale | Property::Placement)
}

/// True if a channel's property is `part`, or has it as a part.
fn is_part(property: &Property, part: &Property) -> bool {
    property == part
        || *property == Property::Placement && matches!(part, Property::Translation | Property::Rotation)
}

/// True if a rotation curve turned from both sides is the curve of the turned keys: true of every law that mixes its keys
/// and controls linearly or along arcs, and of no repaired quaternion.
fn is_linear_in_its_values(curve: &Curve) -> bool {
    let has_length = |q: &[f32]| q.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() > 1e-6;
    curve.width == 4
        && curve.turns.is_none()
        && curve.weights.is_none()
        && curve.handles.as_ref().is_none_or(|h| h.arriving.iter().chain(&h.leaving).all(|x| x.is_finite()))
        && curve.values.chunks_exact(4).all(has_length)
}
