//! A pose on each frame of a grid.

use super::super::info::ID;
use dopesheet_core::diag::ConvertError;
use dopesheet_core::format::MostFrames;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, NodeIndex, Property, Scene, TargetKind, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{quat_from_euler, quat_normalise_or_identity};
use glam::{DQuat, DVec3};

/// Numbers of a joint in a frame: a rotation. Few are moved besides.
const NUMBERS: usize = 4;

/// The poses of a clip.
pub(super) struct Frames<'a> {
    pub(super) rate: FrameRate,
    pub(super) count: usize,
    scene: &'a Scene,
    /// The channels of each node: translation, rotation and scale.
    channels: Vec<[Option<&'a Channel>; 3]>,
}

impl<'a> Frames<'a> {
    pub(super) fn of(
        scene: &'a Scene,
        clip: &'a Clip,
        rate: FrameRate,
        limit: MostFrames,
    ) -> Result<Self, ConvertError> {
        let count = clip.frame_count(rate);
        limit.check(ID, count as u64, (NUMBERS * scene.nodes.len()) as u64)?;
        let mut channels = vec![[None; 3]; scene.nodes.len()];
        for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint) {
            let Some(slots) = track.target.node.and_then(|node| channels.get_mut(node.0)) else { continue };
            for channel in track.channels.iter().filter(|c| !c.composition.curves().any(Curve::is_empty)) {
                let slot = match channel.property {
                    Property::Translation => &mut slots[0],
                    Property::Rotation => &mut slots[1],
                    Property::Scale => &mut slots[2],
                    _ => continue,
                };
                slot.get_or_insert(channel);
            }
        }
        Ok(Self { rate, count, scene, channels })
    }

    /// True if a node is ever moved by a translation, or scaled.
    pub(super) fn moves(&self, node: usize, property: &Property) -> bool {
        let slot = if *property == Property::Scale { 2 } else { 0 };
        self.channels.get(node).is_some_and(|slots| slots[slot].is_some())
    }

    /// Local transform of a node on a frame.
    pub(super) fn local(&self, node: usize, frame: usize) -> Transform {
        let rest = self.scene.nodes.get(node).map_or(Transform::IDENTITY, |node| node.rest);
        let Some([translation, rotation, scale]) = self.channels.get(node) else { return rest };
        let time = self.rate.seconds(frame as f64);
        Transform {
            translation: translation.map_or(rest.translation, |channel| self.triple(channel, time)),
            rotation: match rotation {
                Some(channel) => self.quaternion(channel, time),
                None => quat_normalise_or_identity(rest.rotation),
            },
            scale: scale.map_or(rest.scale, |channel| self.triple(channel, time)),
        }
    }

    /// Positions and rotations of all nodes on a frame, in model space.
    pub(super) fn poses(&self, frame: usize) -> Vec<(DVec3, DQuat)> {
        let mut turns: Vec<DQuat> = Vec::with_capacity(self.scene.nodes.len());
        for (index, node) in self.scene.nodes.iter().enumerate() {
            let local = DQuat::from_array(self.local(index, frame).rotation);
            let above = node.parent.and_then(|NodeIndex(parent)| turns.get(parent)).copied();
            turns.push(above.map_or(local, |above| above * local));
        }
        self.places(frame).into_iter().zip(turns).collect()
    }

    /// Numbers that move no joint, selected by the name of a property: the names of their targets, and a row
    /// for each frame.
    pub(super) fn dials(&self, clip: &Clip, property: &str) -> (Vec<String>, Vec<f64>) {
        let dials = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Custom);
        let channels: Vec<(&str, &Channel)> = dials
            .filter_map(|track| {
                let is_it = |channel: &&Channel| channel.property.word() == property;
                Some((track.target.name.as_str(), track.channels.iter().find(is_it)?))
            })
            .collect();
        let names = channels.iter().map(|(name, _)| (*name).to_owned()).collect();
        let number = |frame: usize| {
            let time = self.rate.seconds(frame as f64);
            channels.iter().map(move |(_, channel)| self.numbers(channel, time).next().unwrap_or(0.0))
        };
        (names, (0..self.count).flat_map(number).collect())
    }

    /// Positions of all nodes on a frame, in model space.
    pub(super) fn places(&self, frame: usize) -> Vec<DVec3> {
        let mut world: Vec<glam::DAffine3> = Vec::with_capacity(self.scene.nodes.len());
        for (index, node) in self.scene.nodes.iter().enumerate() {
            let Transform { translation, rotation, scale } = self.local(index, frame);
            let local = glam::DAffine3::from_scale_rotation_translation(
                DVec3::from(scale),
                DQuat::from_array(rotation),
                DVec3::from(translation),
            );
            let parent = node.parent.and_then(|NodeIndex(parent)| world.get(parent)).copied();
            world.push(parent.map_or(local, |parent| parent * local));
        }
        world.into_iter().map(|transform| transform.translation).collect()
    }

    fn numbers(&self, channel: &Channel, time: Seconds) -> impl Iterator<Item = f64> {
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let rate = self.rate;
        channel
            .composition
            .curves()
            .flat_map(move |curve| curve.row_on(rate, time))
            .map(move |x| f64::from(*x) * scale)
    }

    fn triple(&self, channel: &Channel, time: Seconds) -> [f64; 3] {
        let mut all = self.numbers(channel, time);
        std::array::from_fn(|_| all.next().unwrap_or(0.0))
    }

    fn quaternion(&self, channel: &Channel, time: Seconds) -> [f64; 4] {
        if let Composition::Euler { order, .. } = &channel.composition {
            return quat_from_euler(order.axes(), self.triple(channel, time));
        }
        let mut all = self.numbers(channel, time);
        quat_normalise_or_identity(std::array::from_fn(|_| all.next().unwrap_or(0.0)))
    }
}
