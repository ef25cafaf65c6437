//! Actors: references, cycles and default poses.

use super::numbers::is_not_unit;
use crate::more::actor::{ActorModel, BoneScale};
use crate::more::codes;
use crate::more::layout::since;
use crate::text::{Name, listed};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::SightingsByCode;
use dopesheet_core::words::counted;
use std::borrow::Cow;

pub(super) fn check(actor: &ActorModel, version: u32, seen: &mut SightingsByCode) {
    father_out_of_range(actor, seen);
    ids_out_of_range(actor, version, seen);
    bone_cycle(actor, seen);
    quat_not_unit(actor, seen);
    non_finite(actor, seen);
    trailing_nul(actor, seen);
}

fn fault(path: String, expected: impl Into<Cow<'static, str>>, found: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new("", Place::File, expected, found).at_path(path)
}

/// Path and father of every part with a bone as father.
fn fathers(actor: &ActorModel) -> impl Iterator<Item = (String, i16)> {
    let bones = actor.bones.iter().enumerate().map(|(i, b)| (format!("bones[{i}]"), b.father));
    let events = actor.event_emitters.iter().enumerate();
    let events = events.map(|(i, e)| (format!("eventEmitters[{i}]"), e.father));
    let sounds = actor.sound_emitters.iter().enumerate();
    bones.chain(events).chain(sounds.map(|(i, s)| (format!("soundEmitters[{i}]"), s.father)))
}

fn father_out_of_range(actor: &ActorModel, seen: &mut SightingsByCode) {
    let bones = actor.bones.len();
    let is_bad = |father: i16| father < -1 || usize::try_from(father).is_ok_and(|f| f >= bones);
    for (path, father) in fathers(actor).filter(|(_, father)| is_bad(*father)) {
        let expected = format!("−1 or one of {}", counted(bones, "bone"));
        seen.add(codes::INDEX_OUT_OF_RANGE, || {
            fault(format!("{path}.fatherIndex"), expected, father.to_string())
        });
    }
}

fn ids_out_of_range(actor: &ActorModel, version: u32, seen: &mut SightingsByCode) {
    // Versions without bones in the file keep them elsewhere.
    let has_bones = (since::BONES..since::MODELS).contains(&version);
    let bones = if has_bones { actor.bones.len() } else { usize::MAX };
    let names = if version >= since::BONES { actor.graphic_object_names.len() } else { usize::MAX };
    for (index, channel) in actor.channels.iter().enumerate() {
        let lists =
            [("boneIDs", &channel.bone_ids, bones), ("graphicObjectIDs", &channel.graphic_object_ids, names)];
        for (field, ids, count) in lists {
            for id in ids.iter().filter(|id| usize::from(**id) >= count) {
                let path = format!("channels[{index}].{field}");
                seen.add(codes::INDEX_OUT_OF_RANGE, || fault(path, format!("below {count}"), id.to_string()));
            }
        }
    }
}

fn bone_cycle(actor: &ActorModel, seen: &mut SightingsByCode) {
    for cycle in super::super::to_scene::cycles(actor) {
        let names = cycle.iter().filter_map(|bone| actor.bones.get(*bone)).map(|bone| bone.name.text());
        let actual = format!("a cycle: {}", names.collect::<Vec<_>>().join(", "));
        let first = cycle.first().copied().unwrap_or(0);
        seen.add(codes::BONE_CYCLE, || {
            fault(format!("bones[{first}].fatherIndex"), "fathers that lead to a root", actual)
        });
    }
}

fn quat_not_unit(actor: &ActorModel, seen: &mut SightingsByCode) {
    let bones = actor.bones.iter().enumerate();
    let turns = bones.map(|(i, bone)| (format!("bones[{i}].defaultRotation"), bone.rotation));
    let emitters = actor.event_emitters.iter().enumerate();
    let emitters = emitters.map(|(i, e)| (format!("eventEmitters[{i}].defaultRotation"), e.rotation));
    for (path, rotation) in turns.chain(emitters).filter(|(_, q)| is_not_unit(q.as_slice())) {
        seen.add(codes::QUAT_NOT_UNIT, || fault(path, "length 1", listed(rotation)));
    }
}

fn non_finite(actor: &ActorModel, seen: &mut SightingsByCode) {
    let mut look = |path: String, numbers: Vec<f32>| {
        if let Some(number) = numbers.iter().find(|n| !n.is_finite()) {
            seen.add(codes::NON_FINITE, || fault(path, "finite numbers", number.to_string()));
        }
    };
    for (i, bone) in actor.bones.iter().enumerate() {
        let (value, determinant) = match &bone.scale {
            BoneScale::Fixed { value, determinant, .. } => (value, *determinant),
            BoneScale::Named { value, .. } => (value, 1.0),
        };
        let turns = bone.rotation.into_iter().chain(bone.scale.orientation());
        let numbers = turns.chain(bone.position).chain(*value).chain([determinant]);
        look(format!("bones[{i}]"), numbers.collect());
    }
    for (i, emitter) in actor.event_emitters.iter().enumerate() {
        let bounds = emitter.bounds.into_iter().flatten().flatten();
        look(
            format!("eventEmitters[{i}]"),
            emitter.position.into_iter().chain(emitter.rotation).chain(bounds).collect(),
        );
    }
    for (i, emitter) in actor.sound_emitters.iter().enumerate() {
        let bounds = emitter.bounds.into_iter().flatten().flatten();
        look(format!("soundEmitters[{i}]"), emitter.position.into_iter().chain(bounds).collect());
    }
}

fn trailing_nul(actor: &ActorModel, seen: &mut SightingsByCode) {
    let bones = actor.bones.iter().flat_map(|b| [&b.name, &b.position_name, &b.rotation_name]);
    let events = actor.event_emitters.iter().map(|e| &e.name);
    let sounds = actor.sound_emitters.iter().map(|s| &s.name);
    let channels = actor.channels.iter().map(|c| &c.name);
    let names = bones.chain(events).chain(sounds).chain(channels).chain(&actor.graphic_object_names);
    for name in names.filter(|name: &&Name| name.has_trailing_nul()) {
        seen.add(codes::TRAILING_NUL, || {
            fault("names".to_owned(), "a string without NUL", format!("{name:?}"))
        });
    }
}
