//! Planned clips → items of `animations`.

use super::super::parts::Interpolation;
use super::super::slots::Slots;
use super::plan::{Goal, PlannedClip};
use super::store::Store;
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use std::collections::HashMap;

/// The extension that animates anything but nodes.
pub(in crate::gltf) const POINTER_EXTENSION: &str = "KHR_animation_pointer";

/// One of `animations`; its accessors go to `places`, and all but the first of its keys go there.
pub(in crate::gltf) fn animation<'a>(
    clip: &mut PlannedClip<'a>,
    store: &mut Store<'a>,
    places: &Slots,
) -> String {
    let mut samplers: Vec<(usize, usize, Interpolation)> = Vec::new();
    let mut known = HashMap::new();
    let mut channels = Vec::new();
    for channel in &mut clip.channels {
        let (times, values) = channel.keys.give_up_all_but_first();
        let times = store.times(times);
        let output = places.place(store.values(channel, values, times));
        let input = places.place(times);
        let interpolation = &channel.keys.interpolation;
        let sampler = *known.entry((input, output, interpolation.word().to_owned())).or_insert_with(|| {
            samplers.push((input, output, interpolation.clone()));
            samplers.len() - 1
        });
        channels.push((sampler, &channel.goal));
    }
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if let Some(name) = &clip.name {
            w.name("name").string(name);
        }
        w.name("channels").array(|w| {
            for (sampler, goal) in channels {
                channel(w, sampler, goal);
            }
        });
        w.name("samplers").array(|w| samplers.iter().for_each(|sampler| write_sampler(w, sampler)));
        if !clip.extras.is_empty() {
            w.name("extras").raw(&format!("{{{}}}", clip.extras));
        }
    });
    json.finish()
}

fn channel(w: &mut JsonWriter, sampler: usize, goal: &Goal) {
    w.object(|w| {
        w.name("sampler").integer(sampler).name("target").object(|w| match (goal, goal.node()) {
            (_, Some((node, path))) => {
                w.name("node").integer(node).name("path").string(path.word());
            }
            (Goal::Pointer(pointer), None) => {
                w.name("path").string("pointer").name("extensions").object(|w| {
                    w.name(POINTER_EXTENSION).object(|w| {
                        w.name("pointer").string(pointer);
                    });
                });
            }
            (_, None) => {}
        });
    });
}

fn write_sampler(w: &mut JsonWriter, (input, output, interpolation): &(usize, usize, Interpolation)) {
    w.object(|w| {
        w.name("input").integer(*input);
        if *interpolation != Interpolation::Linear {
            w.name("interpolation").string(interpolation.word());
        }
        w.name("output").integer(*output);
    });
}

/// An item of `scenes[0].extras.clips`: a clip that has no channels and so cannot be an animation.
pub(super) fn clip_without_channels(clip: &PlannedClip<'_>) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if let Some(name) = &clip.name {
            w.name("name").string(name);
        }
    });
    let mut text = json.finish();
    if !clip.extras.is_empty() {
        text.pop();
        if !text.ends_with('{') {
            text.push(',');
        }
        text.push_str(&clip.extras);
        text.push('}');
    }
    text
}
