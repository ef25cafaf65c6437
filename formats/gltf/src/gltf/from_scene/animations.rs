//! Planned clips → `animations`.

use super::plan::{Goal, PlannedClip};
use super::store::Store;
use super::values::index;
use crate::gltf::edited::slots::Slots;
use crate::gltf::json::parts::{Animation, AnimationSampler, Channel, Index, Path};
use std::collections::HashMap;

/// An item of `animations`; its accessors get their numbers from `places`, and all its keys but the first
/// move into the store.
pub(in crate::gltf) fn animation<'a>(
    clip: &mut PlannedClip<'a>,
    store: &mut Store<'a>,
    places: &Slots,
) -> Animation {
    let mut animation = Animation { name: clip.name.as_deref().map(Into::into), ..Animation::default() };
    let mut samplers_by_content = HashMap::new();
    for channel in &mut clip.channels {
        let (times, values) = channel.keys.give_up_all_but_first();
        let times = store.times(times);
        let output = index(places.slot(store.values(channel, values, times)));
        let input = index(places.slot(times));
        let interpolation = &channel.keys.interpolation;
        let samplers = &mut animation.samplers;
        let sampler = *samplers_by_content
            .entry((input, output, interpolation.word().to_owned()))
            .or_insert_with(|| {
                samplers.push(AnimationSampler { input, output, interpolation: interpolation.clone() });
                index(samplers.len() - 1)
            });
        animation.channels.push(self::channel(sampler, &channel.goal));
    }
    animation
}

fn channel(sampler: Index, goal: &Goal) -> Channel {
    let (node, path) = match goal.node() {
        Some((node, path)) => (Some(index(node)), path),
        None => (None, Path::Pointer),
    };
    let pointer = match goal {
        Goal::Pointer(pointer) => Some(pointer.as_str().into()),
        _ => None,
    };
    Channel { sampler, node, path, pointer }
}
