//! From poses to an animation.

use super::{PoseJoint, Poses};
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::model::{
    Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times, Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve::quat_normalise_or_identity;

impl Poses {
    /// The animation with these poses, a key for each: rotations along great arcs between keys, all else
    /// straight.
    ///
    /// Rotations are normalised. A joint whose translation or scale equals its rest pose throughout has no
    /// keys for translation or scale, so formats limited to rotations, or to a root that moves, lose nothing.
    ///
    /// # Errors
    /// [`Error::Usage`] if a rule of the type is broken.
    pub fn to_opened(&self, file: &str) -> Result<Opened, Error> {
        self.validate()?;
        Ok(Opened::from_scene(file, &self.to_scene())?)
    }

    fn to_scene(&self) -> Scene {
        let mut scene = Scene { hierarchy: self.hierarchy, ..Scene::new(self.basis) };
        for joint in &self.joints {
            let node = Node::new(&*joint.name, joint.parent.map(NodeIndex), joint.rest);
            scene.push_node(Node { source_index: Some(joint.index), ..node });
        }
        let times = match self.rate {
            Some(rate) => Times::Frames { rate, frames: (0..self.times_s.len() as i64).collect() },
            None => Times::Seconds(self.times_s.as_slice().into()),
        };
        let tracks = (0..self.joints.len()).filter_map(|joint| self.track(joint, &times)).collect();
        scene.clips.push(Clip {
            name: self.name.clone(),
            duration: times.span().map_or(Seconds(0.0), |(_, end)| end),
            tracks,
            grid: self.rate,
            ..Clip::default()
        });
        scene
    }

    fn track(&self, joint: usize, times: &Times) -> Option<Track> {
        let PoseJoint { name, index, rest, .. } = self.joints.get(joint)?;
        let rotations = self.column::<4>(&self.rotations, joint).flat_map(|q| {
            let unit = quat_normalise_or_identity(q.map(f64::from));
            unit.map(|x| x as f32)
        });
        let mut channels = vec![channel(Property::Rotation, times, rotations.collect(), Law::SLERP)];
        for (property, numbers, still) in [
            (Property::Translation, &self.translations, rest.translation),
            (Property::Scale, &self.scales, rest.scale),
        ] {
            let still = still.map(|x| x as f32);
            if self.column::<3>(numbers, joint).any(|value| value != still) {
                let values = self.column::<3>(numbers, joint).flatten().collect();
                channels.push(channel(property, times, values, Law::LINEAR));
            }
        }
        let target = Target::new(TargetKind::Joint, name, *index, Some(NodeIndex(joint)));
        Some(Track { target, channels })
    }

    /// The entries of a joint, a row per time.
    fn column<'a, const N: usize>(
        &self,
        numbers: &'a [f32],
        joint: usize,
    ) -> impl Iterator<Item = [f32; N]> + use<'a, N> {
        numbers.as_chunks::<N>().0.iter().skip(joint).step_by(self.joints.len()).copied()
    }
}

fn channel(property: Property, times: &Times, values: Vec<f32>, law: Law) -> Channel {
    let width = if property == Property::Rotation { 4 } else { 3 };
    Channel::whole(property, Curve::new(times.clone(), width, values, Laws::uniform(law)))
}
