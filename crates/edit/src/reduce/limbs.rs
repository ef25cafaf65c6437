//! Keys as an animator sets them: few, with Bezier timing, and at the same times for all joints of a limb.

use crate::refused::{self, Reason};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Blend, Channel, Clip, Curve, HumanBone, Outside, Property, Scene, TargetKind, Track,
};
use dopesheet_core::order::map;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_human::propose;
use dopesheet_motion::conform::ChannelLimits;
use dopesheet_motion::keys::Allowance;
use dopesheet_motion::keys::eased::{Frames, eased_together};
use std::collections::BTreeMap;

/// Most frames between the first key and the last: nine hours at 30 frames per second.
const MOST_FRAMES: i64 = 1_000_000;

/// The joints of each limb of a clip, by their tracks.
pub(super) struct Limbs(Vec<Vec<usize>>);

impl Limbs {
    /// The limbs of a clip. A joint that is no bone of a figure is a limb by itself.
    pub(super) fn of(scene: &Scene, clip: &Clip) -> Self {
        let figure = propose(scene, &NameMap::default()).humanoid;
        let bones = map(figure.bones.iter().map(|(bone, node)| (*node, *bone)));
        let mut limbs: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut single_joints = Vec::new();
        for (at, track) in clip.tracks.iter().enumerate() {
            if !is_meant(track) {
                continue;
            }
            match track.target.node.and_then(|node| bones.get(&node)) {
                Some(bone) => limbs.entry(limb(*bone)).or_default().push(at),
                None => single_joints.push(vec![at]),
            }
        }
        Self(limbs.into_values().chain(single_joints).collect())
    }

    /// Gives the joints of each limb keys at common times; yields all other tracks.
    pub(super) fn ease<'a>(
        &self,
        clip: &'a mut Clip,
        limits: &ChannelLimits,
    ) -> Result<Vec<&'a mut Track>, Reason> {
        let rate = clip.grid.ok_or_else(refused::no_frames)?;
        for limb in &self.0 {
            let tracks: Vec<&Track> = limb.iter().filter_map(|at| clip.tracks.get(*at)).collect();
            let Some(range) = range(&tracks, rate) else { continue };
            if range.1 - range.0 > MOST_FRAMES {
                return Err(refused::too_many_keys());
            }
            // No curve can have fewer.
            if tracks
                .iter()
                .flat_map(|track| &track.channels)
                .flat_map(|channel| channel.composition.curves())
                .all(|curve| curve.len() <= 2)
            {
                continue;
            }
            let frames = Frames { rate, range, fixed: Vec::new() };
            let allowed: Vec<_> = tracks.iter().map(|track| (*track, allowed(track, limits))).collect();
            let Some(eased_channels) = eased_together(&allowed, &frames) else { continue };
            // What has as few keys already is left as it was set.
            let before = tracks.iter().flat_map(|track| &track.channels);
            if keys(eased_channels.iter().flatten()) >= keys(before) {
                continue;
            }
            for (at, eased_channels) in limb.iter().zip(eased_channels) {
                let Some(track) = clip.tracks.get_mut(*at) else { continue };
                for new in eased_channels {
                    if let Some(channel) =
                        track.channels.iter_mut().find(|channel| channel.property == new.property)
                    {
                        *channel = new;
                    }
                }
            }
        }
        let tracks = clip.tracks.iter_mut().enumerate();
        Ok(tracks
            .filter(|(at, _)| !self.0.iter().flatten().any(|member| member == at))
            .map(|(_, track)| track)
            .collect())
    }
}

/// Limits of the translation and the rotation of a joint; a missing channel gets an arbitrary limit.
fn allowed(track: &Track, limits: &ChannelLimits) -> [Allowance; 2] {
    [Property::Translation, Property::Rotation].map(|property| {
        let channel = track.channels.iter().find(|channel| channel.property == property);
        channel.map_or(Allowance { value: 1.0, angle_rad: 1.0 }, |channel| limits.of(track, channel))
    })
}

/// Number of keys of channels.
fn keys<'a>(channels: impl Iterator<Item = &'a Channel>) -> usize {
    channels.flat_map(|channel| channel.composition.curves()).map(Curve::len).sum()
}

/// First and last frame of the keys of tracks; `None` if a single frame would hold all keys.
fn range(tracks: &[&Track], rate: FrameRate) -> Option<(i64, i64)> {
    let curves =
        || tracks.iter().flat_map(|track| &track.channels).flat_map(|channel| channel.composition.curves());
    let ramp = |curve: &Curve| match &curve.before {
        Outside::Ramp { start, .. } => Some(start.0),
        _ => None,
    };
    let spans = || curves().filter_map(|curve| curve.times.span());
    let starts = spans().map(|(first, _)| first.0).chain(curves().filter_map(ramp));
    let (first, last) = (starts.reduce(f64::min)?, spans().map(|(_, last)| last.0).reduce(f64::max)?);
    let frame = |time: f64| rate.frame(Seconds(time));
    let range = (frame(first).floor(), frame(last).ceil());
    (range.0 < range.1 && range.0.abs() < 1e15 && range.1.abs() < 1e15)
        .then_some((range.0 as i64, range.1 as i64))
}

/// True of a joint that turns or moves without a jump or a step, in the units of its scene.
fn is_meant(track: &Track) -> bool {
    let runs = |curve: &Curve| {
        let jumps = curve.times.iter().zip(curve.times.iter().skip(1)).any(|(a, b)| a.0 >= b.0);
        let steps = !curve.laws.all(|law| law.blend != Blend::Step);
        !curve.is_empty() && !jumps && !steps
    };
    let is_one = |property: &Property| matches!(property, Property::Translation | Property::Rotation);
    track.target.kind == TargetKind::Joint
        && track.channels.iter().any(|channel| is_one(&channel.property))
        && track
            .channels
            .iter()
            .filter(|channel| is_one(&channel.property))
            .all(|channel| channel.native.is_none() && channel.composition.curves().all(runs))
}

/// Name of a bone's limb.
fn limb(bone: HumanBone) -> &'static str {
    let word = bone.word();
    let is = |words: &[&str]| words.iter().any(|part| word.contains(part));
    let is_left = word.starts_with("left");
    match () {
        () if is(&["Eye"]) => "eyes",
        () if is(&["Leg", "Foot", "Toes"]) && is_left => "left leg",
        () if is(&["Leg", "Foot", "Toes"]) => "right leg",
        () if is(&["Shoulder", "Arm"]) || word.ends_with("Hand") => {
            if is_left {
                "left arm"
            } else {
                "right arm"
            }
        }
        () if is_left => "left hand",
        () if word.starts_with("right") => "right hand",
        () => "body",
    }
}
