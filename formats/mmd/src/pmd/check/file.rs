//! Version, sections, and the bytes behind the sections.

use super::DocumentCheck;
use super::spot::{each_field, fault};
use crate::pmd::codes;
use crate::pmd::document::{Document, VERSION};
use crate::pmd::layout::list;
use dopesheet_core::words::counted;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    if document.version.is_finite() && document.version.to_bits() != VERSION.to_bits() {
        look.say(codes::VERSION, &[], "version", || ("1.0", format!("{:?}", document.version)));
    }
    if let Some(last) = last_section(document) {
        let actual = format!("the end of the file after the {last}");
        let end = each_field(document, |_| {});
        look.seen.add(codes::SHORT_FILE, || fault(end, "sections up to the joints", actual));
    }
    let count = document.trailing.len();
    if count > 0 {
        let what = || ("the end of the file", counted(count, "further byte"));
        look.say(codes::TRAILING_BYTES, &[], "trailing bytes", what);
    }
}

/// The last section of a file that ends early.
const fn last_section(document: &Document) -> Option<&'static str> {
    match document {
        Document { joints: Some(_), .. } => None,
        Document { rigid_bodies: Some(_), .. } => Some(list::RIGID_BODIES),
        Document { toons: Some(_), .. } => Some(list::TOONS),
        Document { english: Some(_), .. } => Some("English names"),
        _ => Some(list::FRAMED_BONES),
    }
}
