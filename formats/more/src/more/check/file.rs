//! The file as a whole, and clips.

use crate::more::clip::{Clip, SubResource};
use crate::more::codes;
use crate::more::document::{Document, Resource};
use crate::more::layout::NEWEST;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::SightingsByCode;
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

pub(super) fn check(document: &Document, seen: &mut SightingsByCode) {
    version_newer(document, seen);
    opaque_resource(document, seen);
    trailing_data(document, seen);
}

const fn byte(at: u64) -> Place {
    Place::Byte(ByteOffset(at))
}

fn version_newer(document: &Document, seen: &mut SightingsByCode) {
    if document.version > NEWEST {
        let (expected, actual) = (format!("at most {NEWEST:#x}"), format!("{:#x}", document.version));
        seen.add(codes::VERSION_NEWER, || Fault::new("", byte(8), expected, actual).at_path("version"));
    }
}

fn opaque_resource(document: &Document, seen: &mut SightingsByCode) {
    if let Resource::Opaque(opaque) = &document.resource {
        let actual = format!("\"{}\", kept as it is because {}", opaque.class, opaque.why.phrase());
        let expected = "an animation, a clip or an actor";
        seen.add(codes::OPAQUE_RESOURCE, || Fault::new("", byte(12), expected, actual).at_path("class name"));
    }
}

fn trailing_data(document: &Document, seen: &mut SightingsByCode) {
    let count = document.trailing.len();
    if count > 0 {
        let fault =
            Fault::new("", Place::File, "the end of the file", format!("{} more", counted(count, "byte")));
        seen.add(codes::TRAILING_DATA, || fault.at_path("trailing bytes"));
    }
}

pub(super) fn clip(clip: &Clip, seen: &mut SightingsByCode) {
    instants_mismatch(clip, seen);
    non_finite(clip, seen);
}

fn instants_mismatch(clip: &Clip, seen: &mut SightingsByCode) {
    let layers = clip.content.layers().iter().enumerate();
    let mut counts = layers.filter_map(|(layer, resource)| match resource {
        SubResource::Embedded(animation) => Some((layer, animation.instants.len())),
        SubResource::Path(_) => None,
    });
    let Some((first, expected)) = counts.next() else { return };
    for (layer, count) in counts.filter(|(_, count)| *count != expected) {
        let path = format!("subLayers[{layer}].instants");
        let expected = format!("{}, as in layer {first}", counted(expected, "instant"));
        seen.add(codes::CLIP_INSTANTS_MISMATCH, || {
            Fault::new("", Place::File, expected, count.to_string()).at_path(path)
        });
    }
}

fn non_finite(clip: &Clip, seen: &mut SightingsByCode) {
    let transition = clip.transition.unwrap_or_default();
    let weights = [clip.time_scale, transition.blending, transition.fade_in, transition.fade_out];
    let warp = clip.time_warp.iter().flatten().flatten();
    let bad = weights.iter().chain(warp).find(|number| !number.is_finite());
    if let Some(number) = bad {
        let fault = Fault::new("", Place::File, "finite numbers", number.to_string());
        seen.add(codes::NON_FINITE, || fault.at_path("clip"));
    }
}
