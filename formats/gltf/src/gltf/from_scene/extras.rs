//! `animations[i].extras`: data without a place in glTF. Its reader is `to_scene/extras.rs`.

use super::keys::{Draft, narrow};
use crate::gltf::json::text;
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle, Span};
use dopesheet_core::model::{Channel, Clip, Looping, Marker, Property, Target, TargetKind};
use dopesheet_core::order::by_number;

/// A channel without a place in glTF.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct Spare<'a> {
    pub(super) target: &'a Target,
    pub(super) channel: &'a Channel,
    pub(super) draft: Draft,
    /// The law of each segment, if they differ.
    pub(super) laws: Vec<&'static str>,
}

/// Keys of a field of view: time in seconds, radians.
pub(super) type FovKeys = Vec<(f32, f32)>;

/// The extras of an animation.
#[derive(Clone, Debug)]
pub(in crate::gltf) enum Extras<'a> {
    /// The extras of a clip.
    Made(ClipExtras<'a>),
    /// Text of the members, as in a document.
    Kept(String),
}

/// The parts of a clip without a place in glTF.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct ClipExtras<'a> {
    pub(super) clip: &'a Clip,
    /// Time of the last key in seconds.
    pub(super) end: f32,
    pub(super) spares: Vec<Spare<'a>>,
    pub(super) fov: FovKeys,
}

impl Extras<'_> {
    /// Writes the member `extras`, unless it would be empty. Yields the span of its value.
    pub(in crate::gltf) fn write(&self, w: &mut JsonWriter) -> Option<Span> {
        let is_empty = match self {
            Self::Made(extras) => extras.is_empty(),
            Self::Kept(members) => members.is_empty(),
        };
        if is_empty { None } else { text::extras(w, |w| w.object(|w| self.members(w))) }
    }

    /// Writes the members.
    pub(super) fn members(&self, w: &mut JsonWriter) {
        match self {
            Self::Made(extras) => w.styled(NumberStyle::ShortestF64, |w| extras.members(w)),
            Self::Kept(members) => w.raw(members),
        };
    }
}

impl ClipExtras<'_> {
    fn lasts_longer(&self) -> bool {
        narrow(self.clip.duration.0) != self.end
    }

    fn is_empty(&self) -> bool {
        self.clip.markers.is_empty()
            && !self.lasts_longer()
            && self.clip.looping == Looping::Unspecified
            && self.spares.is_empty()
            && self.clip.source.is_none()
            && self.fov.is_empty()
    }

    fn members(&self, w: &mut JsonWriter) {
        let clip = self.clip;
        if !clip.markers.is_empty() {
            let mut markers: Vec<&Marker> = clip.markers.iter().collect();
            by_number(&mut markers, |marker| marker.time.0);
            w.name("events").array(|w| markers.into_iter().for_each(|marker| event(w, marker)));
        }
        if self.lasts_longer() {
            w.name("duration").number(clip.duration.0);
        }
        if clip.looping != Looping::Unspecified {
            w.name("loop").bool(clip.looping == Looping::Loop);
        }
        if !self.spares.is_empty() {
            w.name("tracks").array(|w| self.spares.iter().for_each(|spare| track(w, spare)));
        }
        if let Some(source) = &clip.source {
            w.name("source").raw(&source.to_string());
        }
        if !self.fov.is_empty() {
            w.styled(NumberStyle::ShortestF32, |w| {
                w.name("cameraFov").array(|w| keys(w, &self.fov));
            });
        }
    }
}

fn keys(w: &mut JsonWriter, fov: &FovKeys) {
    for (time, angle) in fov {
        w.numbers([f64::from(*time), f64::from(*angle)]);
    }
}

fn event(w: &mut JsonWriter, marker: &Marker) {
    w.object(|w| {
        w.name("time").number(marker.time.0).name("name").string(&marker.name);
        if let Some(data) = &marker.data {
            w.name("data").raw(&data.to_string());
        }
    });
}

fn track(w: &mut JsonWriter, spare: &Spare<'_>) {
    let (target, draft) = (spare.target, &spare.draft);
    w.object(|w| {
        w.name("name").string(&target.name).name("kind").string(target.kind.word());
        if target.index != 0 {
            w.name("index").integer(target.index);
        }
        if let Some(label) = &target.label {
            w.name("label").string(label);
        }
        if spare.channel.property != Property::Value {
            w.name("property").string(spare.channel.property.word());
        }
        w.name("times").numbers(draft.times.iter().copied());
        w.styled(NumberStyle::ShortestF32, |w| {
            w.name("values").array(|w| values(w, draft));
        });
        w.name("law");
        if spare.laws.is_empty() {
            w.string(draft.interpolation.word());
        } else {
            w.array(|w| {
                for law in &spare.laws {
                    w.string(law);
                }
            });
        }
    });
}

fn values(w: &mut JsonWriter, draft: &Draft) {
    for key in 0..draft.times.len() {
        let range = key * draft.width..(key + 1) * draft.width;
        let (arriving, leaving) = match &draft.tangents {
            Some([arriving, leaving]) => (&arriving[range.clone()], &leaving[range.clone()]),
            None => (&[][..], &[][..]),
        };
        for value in arriving.iter().chain(&draft.values[range]).chain(leaving) {
            w.number(*value);
        }
    }
}

/// True if a channel belongs to a target that never has a node.
pub(super) fn is_placeless(kind: TargetKind) -> bool {
    matches!(kind, TargetKind::Custom | TargetKind::Hand)
}
