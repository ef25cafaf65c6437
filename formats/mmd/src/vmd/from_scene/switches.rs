//! Self shadow, visibility and IK switches: step curves.

use super::Writer;
use super::lane::{curves, frames_of};
use super::names::Names;
use crate::text::Name;
use crate::vmd::defaults;
use crate::vmd::document::{IkSwitch, ModelKeyframe, ShadowKeyframe};
use crate::vmd::targets;
use dopesheet_core::diag::ConvertError;
use dopesheet_core::model::{Curve, Outside, Property, TargetKind, Track};
use std::borrow::Cow;

/// A curve that steps from key to key, or holds the default without a curve.
struct Steps<'a> {
    curve: Option<&'a Curve>,
    frames: Vec<u32>,
    default: f32,
}

impl<'a> Steps<'a> {
    /// The property of the first of some tracks with this property.
    fn of(
        tracks: impl IntoIterator<Item = &'a Track>,
        property: &Property,
        default: f32,
    ) -> Result<Self, ConvertError> {
        let curve = tracks.into_iter().find_map(|track| curves(track, property).into_iter().next());
        Ok(Self { curve, frames: frames_of(curve)?, default })
    }

    /// Place in its document of the key on a frame.
    fn source(&self, frame: u32) -> Option<u32> {
        let key = self.frames.partition_point(|key_frame| *key_frame <= frame).checked_sub(1)?;
        self.curve.filter(|_| self.frames.get(key) == Some(&frame))?.source(key)
    }

    fn at(&self, frame: u32) -> f32 {
        let Some(curve) = self.curve else { return self.default };
        let count = self.frames.partition_point(|f| *f <= frame);
        match (count.checked_sub(1), &curve.before) {
            (Some(key), _) => curve.value(key).and_then(<[f32]>::first).copied().unwrap_or(self.default),
            (None, Outside::Ramp { from, .. }) => from.first().copied().unwrap_or(self.default),
            (None, _) => curve.value(0).and_then(<[f32]>::first).copied().unwrap_or(self.default),
        }
    }
}

/// The frames of all keys; with frame 0, if the state there is not the default.
fn frames(all: &[Steps<'_>]) -> Vec<u32> {
    let mut frames: Vec<u32> = all.iter().flat_map(|steps| &steps.frames).copied().collect();
    if !frames.is_empty() && all.iter().any(|steps| steps.at(0) != steps.default) {
        frames.push(0);
    }
    frames.sort_unstable();
    frames.dedup();
    frames
}

/// Place in its document of the first of some keys on a frame.
fn source(all: &[Steps<'_>], frame: u32) -> Option<u32> {
    all.iter().find_map(|steps| steps.source(frame))
}

impl<'a> Writer<'a, '_> {
    pub(super) fn switches(&mut self) -> Result<(), ConvertError> {
        self.shadows()?;
        self.models()
    }

    /// The tracks of custom targets with this name: a track for each channel, or a single track for all.
    fn custom(&self, name: &'static str) -> impl Iterator<Item = &'a Track> + use<'a> {
        let is_it =
            move |track: &&Track| track.target.kind == TargetKind::Custom && track.target.name == name;
        self.clip.tracks.iter().filter(is_it)
    }

    fn shadows(&mut self) -> Result<(), ConvertError> {
        let named = |name: &'static str| Property::Named(Cow::Borrowed(name));
        let parts = [
            Steps::of(self.custom(targets::SHADOW), &named(targets::SHADOW_MODE), defaults::SHADOW_MODE)?,
            Steps::of(
                self.custom(targets::SHADOW),
                &named(targets::SHADOW_DISTANCE),
                defaults::SHADOW_DISTANCE,
            )?,
        ];
        let [mode, distance] = &parts;
        let frames = frames(&parts);
        self.sources.shadows = frames.iter().map(|frame| source(&parts, *frame)).collect();
        let keys = frames.into_iter().map(|frame| ShadowKeyframe {
            frame,
            // The cast saturates, and modes are small whole numbers.
            mode: mode.at(frame) as u8,
            distance: distance.at(frame),
        });
        let keys: Vec<_> = keys.collect();
        self.losses.held += usize::from(!keys.is_empty());
        self.document.shadows = keys;
        Ok(())
    }

    fn models(&mut self) -> Result<(), ConvertError> {
        let visible = Steps::of(self.custom(targets::MODEL), &Property::Visible, defaults::SWITCH)?;
        let mut parts = vec![visible];
        let mut bones = Vec::new();
        for track in &self.clip.tracks {
            if ik_bone(track).is_none() {
                continue;
            }
            let name = Names::new("IK bone", self.options.replace_unencodable).of(track, self.report)?;
            let Some(name) = name else { continue };
            parts.push(Steps::of([track], &Property::Enabled, defaults::SWITCH)?);
            bones.push(widened(&name));
        }
        let frames = frames(&parts);
        self.losses.held += usize::from(!frames.is_empty());
        self.sources.models = frames.iter().map(|frame| source(&parts, *frame)).collect();
        let state = |steps: &Steps<'_>, frame| u8::from(steps.at(frame) != 0.0);
        let keys = frames.into_iter().filter_map(|frame| {
            let (visible, switches) = parts.split_first()?;
            let ik = bones.iter().zip(switches);
            let ik = ik.map(|(name, steps)| IkSwitch { name: *name, enabled: state(steps, frame) });
            Some(ModelKeyframe { frame, visible: state(visible, frame), ik: ik.collect() })
        });
        self.document.models = keys.collect();
        Ok(())
    }
}

/// True if the file holds the property of a custom track.
pub(super) fn has_place(track: &Track, property: &Property) -> bool {
    match (track.target.name.as_str(), property) {
        (targets::SHADOW, Property::Named(name)) => {
            [targets::SHADOW_MODE, targets::SHADOW_DISTANCE].contains(&name.as_ref())
        }
        (targets::MODEL, Property::Visible) => true,
        (_, Property::Enabled) => true,
        _ => false,
    }
}

/// The IK bone switched on and off by a track.
fn ik_bone(track: &Track) -> Option<&str> {
    let switches = track.channels.iter().any(|channel| channel.property == Property::Enabled);
    (switches && track.target.kind == TargetKind::Custom).then_some(track.target.name.as_str())
}

fn widened(name: &Name<15>) -> Name<20> {
    let mut bytes = [0; 20];
    bytes.iter_mut().zip(name.0).for_each(|(to, from)| *to = from);
    Name(bytes)
}
