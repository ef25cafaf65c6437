//! Changes within the format: another version or byte order, and sorted keys.

mod forms;
mod order;

use super::actor::{ActorModel, BoneScale};
use super::animation::{Animation, Body, Track};
use super::clip::{Clip, ClipContent, SubResource, Transition};
use super::document::{Document, Resource};
use super::info::{ID, variant_of};
use super::layout::since;
use super::wanted::Wanted;
use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::Edit;
use dopesheet_core::words::counted;
use forms::TimeChanges;

pub(super) fn edit(document: &mut Document, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
    if let Some(variant) = &edit.variant {
        let wanted = Wanted::of(Some(variant))?;
        if !wanted.is_only_version() {
            return Err(unsupported(format!(
                "other types of tracks, as {variant:?} asks for, are made of a scene"
            )));
        }
        set_version(document, wanted.version, wanted.endian, report)?;
    }
    if edit.sort {
        for animation in animations(&mut document.resource) {
            order::sort(&mut animation.tracks);
        }
    }
    Ok(())
}

fn unsupported(what: String) -> ConvertError {
    ConvertError::new(ID, ConvertErrorKind::Unsupported(what))
}

fn animations(resource: &mut Resource) -> Vec<&mut Animation> {
    let layers: &mut [SubResource] = match resource {
        Resource::Animation(animation) => return vec![animation],
        Resource::Clip(Clip { content: ClipContent::Simple(one), .. }) => std::slice::from_mut(one),
        Resource::Clip(Clip { content: ClipContent::Synchronised { layers, .. }, .. }) => layers,
        Resource::Actor(_) | Resource::Opaque(_) => &mut [],
    };
    let embedded = layers.iter_mut().filter_map(|layer| match layer {
        SubResource::Embedded(animation) => Some(&mut **animation),
        SubResource::Path(_) => None,
    });
    embedded.collect()
}

/// Rewrites a document by the rules of another version.
///
/// # Errors
/// If the document contains parts that the version cannot hold and that cannot be left out without changing
/// its meaning.
pub(super) fn set_version(
    document: &mut Document,
    version: u32,
    endian: Endian,
    report: &mut Report,
) -> Result<(), ConvertError> {
    if (document.version, document.endian) == (version, endian) {
        return Ok(());
    }
    let from = document.version;
    if let Resource::Opaque(opaque) = &document.resource {
        let what = format!(
            "a resource of class {} is kept as it is ({}); it cannot become {}",
            opaque.class,
            opaque.why.phrase(),
            variant_of(version, endian)
        );
        return Err(unsupported(what));
    }
    let mut moved = TimeChanges::by(document.assumed.rounding);
    for animation in animations(&mut document.resource) {
        change_animation(animation, from, version, &mut moved, report)?;
    }
    moved.report(report);
    match &mut document.resource {
        Resource::Clip(clip) => change_clip(clip, version, report),
        Resource::Actor(actor) => change_actor(actor, version, report)?,
        Resource::Animation(_) | Resource::Opaque(_) => {}
    }
    (document.version, document.endian) = (version, endian);
    Ok(())
}

fn lost(report: &mut Report, is_lost: bool, what: impl Into<String>, version: u32) {
    if is_lost {
        report.dropped(what, format!("version {version:#04x} has no place for it"));
    }
}

fn change_animation(
    animation: &mut Animation,
    from: u32,
    to: u32,
    moved: &mut TimeChanges,
    report: &mut Report,
) -> Result<(), ConvertError> {
    if to >= since::NO_NAME
        && let Some(name) = animation.name.take()
    {
        lost(report, !name.is_empty(), format!("the name \"{name}\""), to);
    }
    if to < since::NO_NAME {
        animation.name.get_or_insert_default();
    }
    if to < since::IS_DELTA && animation.is_delta {
        let what = format!("version {to:#04x} cannot mark an animation as offsets");
        return Err(unsupported(what));
    }
    if to < since::INSTANTS {
        let instants = std::mem::take(&mut animation.instants);
        lost(report, !instants.is_empty(), counted(instants.len(), "instant"), to);
    }
    let mut texts = 0;
    for track in &mut animation.tracks {
        change_track(track, from, to, moved, &mut texts)?;
    }
    lost(report, texts > 0, format!("the texts of {}", counted(texts, "event")), to);
    Ok(())
}

fn change_track(
    track: &mut Track,
    from: u32,
    to: u32,
    moved: &mut TimeChanges,
    texts: &mut usize,
) -> Result<(), ConvertError> {
    match &mut track.body {
        Body::Keys(keys) => {
            forms::change(keys, track.track_type.key_form(from), track.track_type.key_form(to), moved)
        }
        Body::Displacement(pair) => {
            change_track(&mut pair.position, from, to, moved, texts)?;
            change_track(&mut pair.rotation, from, to, moved, texts)
        }
        Body::Events(events) => {
            if to < since::USER_DATA {
                let filled = events.iter_mut().filter(|event| !event.user_data.0.is_empty());
                *texts += filled.map(|event| event.user_data = crate::text::Name::default()).count();
            }
            Ok(())
        }
        Body::User { .. } => Ok(()),
    }
}

/// Mixing of a clip without stated mixing in its version.
const ALONE: Transition = Transition { blending: 1.0, fade_in: 0.0, fade_out: 0.0 };

fn change_clip(clip: &mut Clip, to: u32, report: &mut Report) {
    if to < since::CLIP_TRANSITION {
        lost(report, clip.transition.take().is_some(), "blending and transitions", to);
    } else {
        clip.transition.get_or_insert(ALONE);
    }
    if to < since::TIME_WARP {
        lost(report, clip.time_warp.take().is_some(), "the time warp", to);
    }
    if let ClipContent::Synchronised { layers, blendings, adjust_durations } = &mut clip.content {
        if to < since::CLIP_TRANSITION {
            lost(report, !blendings.is_empty(), "the weights of the layers", to);
            blendings.clear();
        } else {
            blendings.resize(layers.len(), ALONE.blending);
        }
        if to < since::ADJUST_DURATIONS {
            lost(report, adjust_durations.contains(&true), "which layers are stretched", to);
            adjust_durations.clear();
        } else {
            adjust_durations.resize(layers.len(), false);
        }
    }
}

fn change_actor(actor: &mut ActorModel, to: u32, report: &mut Report) -> Result<(), ConvertError> {
    let parts = actor.bones.len() + actor.event_emitters.len() + actor.sound_emitters.len();
    if to >= since::MODELS && parts > 0 || to < since::BONES && !actor.bones.is_empty() {
        let what = format!("the form of bones and emitters in version {to:#04x} is undocumented");
        return Err(unsupported(what));
    }
    for bone in &mut actor.bones {
        change_scale(&mut bone.scale, to);
    }
    if to < since::EVENT_EMITTERS {
        let count = std::mem::take(&mut actor.event_emitters).len();
        lost(report, count > 0, counted(count, "event emitter"), to);
    }
    let events = actor.event_emitters.iter_mut().map(|e| &mut e.bounds);
    let sounds = actor.sound_emitters.iter_mut().map(|s| &mut s.bounds);
    let mut boxes = 0;
    for bounds in events.chain(sounds) {
        if to < since::BOUNDS {
            boxes += usize::from(bounds.take().is_some());
        } else {
            bounds.get_or_insert_default();
        }
    }
    lost(report, boxes > 0, format!("the boxes of {}", counted(boxes, "emitter")), to);
    if to < since::STATE_MODELS {
        let count = std::mem::take(&mut actor.state_models).len();
        lost(report, count > 0, counted(count, "state model"), to);
    }
    change_meshes(actor, to, report);
    Ok(())
}

fn change_scale(scale: &mut BoneScale, to: u32) {
    let (factors, orientation) = (scale.factors().map(|x| x as f32), scale.orientation());
    match scale {
        BoneScale::Fixed { .. } if to >= since::SCALE_NAMES => {
            *scale = BoneScale::Named {
                value_name: "".into(),
                orientation_name: "".into(),
                use_scale: false,
                value: factors,
                orientation,
            };
        }
        BoneScale::Named { .. } if to < since::SCALE_NAMES => {
            *scale = BoneScale::Fixed { value: factors, orientation, determinant: 1.0 };
        }
        BoneScale::Fixed { .. } | BoneScale::Named { .. } => {}
    }
}

fn change_meshes(actor: &mut ActorModel, to: u32, report: &mut Report) {
    if to < since::BONES {
        let count = std::mem::take(&mut actor.graphic_object_names).len();
        lost(report, count > 0, counted(count, "mesh name"), to);
        actor.channels.iter_mut().for_each(|channel| channel.graphic_object_ids.clear());
    } else {
        let is_named = !actor.bones_name.is_empty() || !actor.bones_file.is_empty();
        lost(report, is_named, "the name and file of the bones", to);
        (actor.bones_name, actor.bones_file) = ("".into(), "".into());
    }
    let mut switches = 0;
    for channel in actor.channels.iter_mut().filter(|_| to < since::MODELS) {
        switches += usize::from(channel.is_multiple_meshes || channel.is_visibility_animated);
        (channel.is_multiple_meshes, channel.is_visibility_animated) = (false, false);
    }
    lost(
        report,
        switches > 0,
        format!("mesh and visibility switches of {}", counted(switches, "channel")),
        to,
    );
    let mut bends = 0;
    for channel in actor.channels.iter_mut().filter(|_| to < since::IS_DEFORMABLE) {
        let implied = channel.bone_ids.len() > 1;
        bends += usize::from(channel.is_deformable != implied);
        channel.is_deformable = implied;
    }
    lost(report, bends > 0, format!("deformation switches of {}", counted(bends, "channel")), to);
}
