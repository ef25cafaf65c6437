//! `animations[i].extras`: what glTF has no place for. Its reader is `to_scene/extras.rs`.

use super::keys::{Draft, narrow};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::model::{Channel, Clip, Looping, Marker, Property, Target, TargetKind};

/// A channel without a place in glTF.
pub(super) struct Spare<'a> {
    pub(super) target: &'a Target,
    pub(super) channel: &'a Channel,
    pub(super) draft: Draft,
    /// The law of each segment, if they differ.
    pub(super) laws: Vec<&'static str>,
}

/// Keys of a field of view: time in seconds, radians.
pub(super) type FovKeys = Vec<(f32, f32)>;

/// The members of the extras, without braces and without a comma in front; empty if there is nothing to say.
/// `end` is the time of the last key in seconds.
pub(super) fn members(clip: &Clip, end: f32, spares: &[Spare<'_>], fov: &FovKeys) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF64);
    json.object(|w| {
        if !clip.markers.is_empty() {
            let mut markers: Vec<&Marker> = clip.markers.iter().collect();
            markers.sort_by(|a, b| a.time.0.total_cmp(&b.time.0));
            w.name("events").array(|w| markers.into_iter().for_each(|marker| event(w, marker)));
        }
        if narrow(clip.duration.0) != end {
            w.name("duration").number(clip.duration.0);
        }
        match clip.looping {
            Looping::Unspecified => {}
            looping => {
                w.name("loop").bool(looping == Looping::Loop);
            }
        }
        if !spares.is_empty() {
            w.name("tracks").array(|w| spares.iter().for_each(|spare| track(w, spare)));
        }
        if let Some(source) = &clip.source {
            w.name("source").raw(&source.to_string());
        }
        if !fov.is_empty() {
            w.name("cameraFov").raw(&fov_text(fov));
        }
    });
    let text = json.finish();
    text.get(1..text.len() - 1).unwrap_or_default().to_owned()
}

fn fov_text(fov: &FovKeys) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.array(|w| {
        for (time, angle) in fov {
            w.numbers([f64::from(*time), f64::from(*angle)]);
        }
    });
    json.finish()
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
        w.name("values").raw(&values(draft)).name("law");
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

fn values(draft: &Draft) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.array(|w| {
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
    });
    json.finish()
}

/// Whether a channel belongs to something that never has a node.
pub(super) fn is_placeless(kind: TargetKind) -> bool {
    matches!(kind, TargetKind::Custom | TargetKind::Hand)
}
