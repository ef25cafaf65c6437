//! Changes within the format.

use super::document::{Document, ModelName, Version};
use super::from_scene::names;
use super::info::version_of_variant;
use super::tracks::by_frame;
use crate::text::Name;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::Edit;

pub(super) fn edit(document: &mut Document, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
    if let Some(variant) = &edit.variant {
        set_version(document, version_of_variant(variant)?, report);
    }
    if let Some(name) = &edit.model_name {
        document.model = match document.model {
            ModelName::Short(_) => ModelName::Short(names::encode(name, true, "model", report)?),
            ModelName::Long(_) => ModelName::Long(names::encode(name, true, "model", report)?),
        };
    }
    if edit.sort {
        sort(document);
    }
    Ok(())
}

/// Writes another signature, and the model name into a field of its size. A file already of this version is
/// left alone.
fn set_version(document: &mut Document, version: Version, report: &mut Report) {
    if document.version() == Some(version) {
        return;
    }
    document.signature = version.field();
    document.model = match (version, document.model) {
        (Version::Old, ModelName::Long(name)) => ModelName::Short(resized(&name, report)),
        (Version::V0002 | Version::Bare, ModelName::Short(name)) => ModelName::Long(resized(&name, report)),
        (_, same) => same,
    };
}

/// The text of a name in a field of another size, cut if too long.
fn resized<const A: usize, const B: usize>(name: &Name<A>, report: &mut Report) -> Name<B> {
    let mut bytes = [0; B];
    bytes.iter_mut().zip(name.key()).for_each(|(to, from)| *to = *from);
    let resized = Name(bytes);
    if name.key().len() > B {
        let what = format!("the end of the model name {:?}", name.text());
        report.dropped(what, format!("its field holds {B} bytes: {:?}", resized.text()));
    }
    resized
}

/// Groups keys by the bytes of their names (case matters), then sorts by frame; keys without a name by frame
/// alone. Keys equal in both keep their order, because the last one counts.
fn sort(document: &mut Document) {
    document.bones.sort_by_cached_key(|key| (key.name.cleared(), key.frame));
    document.morphs.sort_by_cached_key(|key| (key.name.cleared(), key.frame));
    sort_by_frame(&mut document.cameras, |key| key.frame);
    sort_by_frame(&mut document.lights, |key| key.frame);
    sort_by_frame(&mut document.shadows, |key| key.frame);
    sort_by_frame(&mut document.models, |key| key.frame);
}

fn sort_by_frame<K: Clone>(keys: &mut Vec<K>, frame: fn(&K) -> u32) {
    let order = by_frame(keys.iter().map(frame));
    *keys = order.into_iter().filter_map(|position| keys.get(position as usize).cloned()).collect();
}
