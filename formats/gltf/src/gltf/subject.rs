//! The channel and key that a finding is about.

use super::binary::accessor;
use super::binary::views::Views;
use super::document::Document;
use super::json::parts::{Animation, AnimationSampler, Channel, Index, Path};
use dopesheet_core::diag::{Fault, Place, Subject};
use dopesheet_core::units::Seconds;
use std::borrow::Cow;

pub(crate) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    let animations = &document.parts.animations;
    if let Some(clip) = fault.position_in("animations") {
        let animation = animations.get(clip)?;
        let channel = match fault.position_in("channels") {
            Some(channel) => animation.channels.get(channel)?,
            None => user(animation, fault.position_in("samplers")?)?,
        };
        return of_channel(document, animation, channel, fault).map(|subject| subject.in_clip(clip));
    }
    if let Some(accessor) = fault.position_in("accessors") {
        let uses =
            |sampler: &AnimationSampler| [sampler.input, sampler.output].contains(&(accessor as Index));
        return animations.iter().enumerate().find_map(|(clip, animation)| {
            let sampler = animation.samplers.iter().position(uses)?;
            let channel = user(animation, sampler)?;
            of_channel(document, animation, channel, fault).map(|subject| subject.in_clip(clip))
        });
    }
    let node = fault.position_in("nodes").filter(|_| !is_in_scene(fault))?;
    animations.iter().enumerate().find_map(|(clip, animation)| {
        let moves = |channel: &&Channel| channel.node == Some(node as Index);
        animation.channels.iter().find(moves)?;
        Some(Subject::target(name(document, node as Index)).in_clip(clip))
    })
}

/// True if a pointer goes through the list of nodes of a scene, whose positions are not numbers of nodes.
fn is_in_scene(fault: &Fault) -> bool {
    matches!(&fault.place, Place::Text { pointer, .. } if !pointer.starts_with("/nodes/"))
}

/// The first channel with this sampler.
fn user(animation: &Animation, sampler: usize) -> Option<&Channel> {
    animation.channels.iter().find(|channel| channel.sampler as usize == sampler)
}

fn of_channel(
    document: &Document,
    animation: &Animation,
    channel: &Channel,
    fault: &Fault,
) -> Option<Subject> {
    let subject = match (&channel.path, channel.node, channel.pointer.as_deref()) {
        (Path::Pointer, _, pointer) => Subject::target(pointer?),
        (path, Some(node), _) => {
            Subject::target(name(document, node)).channel(Some(Cow::Owned(path.word().to_owned())))
        }
        (_, None, _) => return None,
    };
    let sampler = animation.samplers.get(channel.sampler as usize)?;
    Some(subject.at(time(document, sampler, fault)))
}

fn name(document: &Document, node: Index) -> &str {
    document.parts.nodes.get(node as usize).and_then(|node| node.name.as_deref()).unwrap_or_default()
}

/// The time of the key or element named at the end of a fault's text.
fn time(document: &Document, sampler: &AnimationSampler, fault: &Fault) -> Option<Seconds> {
    let number = |word: &str| {
        let (_, rest) = fault.found.rsplit_once(word)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()
    };
    let per_key = usize::try_from(sampler.interpolation.elements_per_key()).unwrap_or(1).max(1);
    let is_output =
        fault.position_in("accessors").is_some_and(|accessor| accessor == sampler.output as usize);
    let key = match number(" at key ").or_else(|| number(" at element ").map(|element| element / per_key)) {
        Some(key) => key,
        None => number(" at ")? / if is_output { per_key } else { 1 },
    };
    let stored = document.parts.accessors.get(sampler.input as usize)?;
    // What has no bytes is as long as it says, and says nothing.
    stored.view?;
    let times = accessor::floats(&Views::of(document), sampler.input).ok()?;
    times.get(key).map(|time| Seconds(f64::from(*time)))
}
