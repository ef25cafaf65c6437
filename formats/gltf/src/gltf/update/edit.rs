//! Storing the motion of a document in another way. Everything but its animations, and the numbers only
//! animations use, stays as written.

use super::attach::splice;
use crate::checks::code;
use crate::gltf::binary::accessor;
use crate::gltf::binary::views::Views;
use crate::gltf::document::Document;
use crate::gltf::from_scene::{Column, Extras, Goal, PlannedChannel, PlannedClip, StoredKeys, packing};
use crate::gltf::json::parts::{Animation, Channel, Path, Shape};
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::Edit;

/// Changes how a document stores motion.
pub(crate) fn edit(
    format: &'static str,
    document: &mut Document,
    edit: &Edit,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let failed = |kind| ConvertError::new(format, kind);
    if edit.sort {
        let what = "glTF stores the keys of each target by themselves; there is nothing to sort".into();
        return Err(failed(ConvertErrorKind::Unsupported(what)));
    }
    let packing = packing(format, edit.variant.as_deref())?;
    if document.parts.animations.is_empty() {
        return Ok(());
    }
    let fault = |fault| failed(ConvertErrorKind::Fault(fault));
    let mut clips = clips(document).map_err(fault)?;
    let all: Vec<usize> = (0..document.parts.animations.len()).collect();
    let (changed, roundings) = splice(document, &mut clips, &all, packing, report).map_err(fault)?;
    let nodes = document.parts.nodes.iter();
    let names: Vec<String> = nodes.map(|node| node.name.as_deref().unwrap_or_default().to_owned()).collect();
    roundings.iter().for_each(|rounding| report.approximated(rounding.what(), rounding.max_error(&names)));
    *document = changed;
    Ok(())
}

/// The animations as they stand.
fn clips(document: &Document) -> Read<Vec<PlannedClip<'static>>> {
    let views = Views::of(document);
    let animations = document.parts.animations.iter().enumerate();
    animations.map(|(a, animation)| clip(&views, a, animation)).collect()
}

fn clip(views: &Views<'_>, a: usize, animation: &Animation) -> Read<PlannedClip<'static>> {
    let mut channels = Vec::with_capacity(animation.channels.len());
    for (c, channel) in animation.channels.iter().enumerate() {
        match planned(views, animation, channel)? {
            Some(planned) => channels.push(planned),
            None => {
                let pointer = format!("/animations/{a}/channels/{c}");
                let expected = "a channel of a node, or of a property of one, three or four numbers";
                return Err(Box::new(views.document.fault(&pointer, code::W_DROPPED, expected, "another")));
            }
        }
    }
    Ok(PlannedClip {
        name: animation.name.as_deref().map(str::to_owned),
        channels,
        extras: Extras::Kept(extras(views.document, animation).to_owned()),
    })
}

/// The members of the extras of an animation.
pub(crate) fn extras<'a>(document: &'a Document, animation: &Animation) -> &'a str {
    let text = animation.extras.as_ref().and_then(|span| document.json.get(span.clone()));
    text.and_then(|text| text.strip_prefix('{')?.strip_suffix('}')).unwrap_or_default().trim()
}

fn planned(
    views: &Views<'_>,
    animation: &Animation,
    channel: &Channel,
) -> Read<Option<PlannedChannel<'static>>> {
    let Some(sampler) = animation.samplers.get(channel.sampler as usize) else { return Ok(None) };
    let output = views.document.parts.accessors.get(sampler.output as usize);
    let node = channel.node.map(|node| node as usize);
    let goal = match (&channel.path, node, &channel.pointer) {
        (Path::Pointer, _, Some(pointer)) => Goal::Pointer(pointer.to_string()),
        (Path::Translation, Some(node), _) => Goal::Translation(node),
        (Path::Rotation, Some(node), _) => Goal::Rotation(node),
        (Path::Scale, Some(node), _) => Goal::Scale(node),
        (Path::Weights, Some(node), _) => Goal::Weights(node),
        _ => return Ok(None),
    };
    let is_rotation =
        matches!(&goal, Goal::Rotation(_)) || matches!(&goal, Goal::Pointer(p) if p.ends_with("/rotation"));
    let column = match output.map(|output| output.shape) {
        Some(Shape::Scalar) => Column::Numbers,
        Some(Shape::Vec3) => Column::Vectors,
        Some(Shape::Vec4) if is_rotation => Column::Rotations,
        Some(Shape::Vec4) => Column::Colors,
        _ => return Ok(None),
    };
    let (times, values) = (accessor::floats(views, sampler.input)?, accessor::floats(views, sampler.output)?);
    let per_key = values.len() / times.len().max(1);
    let elements = usize::try_from(sampler.interpolation.elements_per_key()).unwrap_or(1);
    let (interpolation, values) = (sampler.interpolation.clone(), values.into());
    let keys = StoredKeys { width: per_key / elements, interpolation, times, values };
    Ok(Some(PlannedChannel { goal, column, keys }))
}
