//! Everything that is remarkable about a document: one function per code.

mod bones;
mod fields;
mod file;
mod morphs;
mod names;
mod spot;
mod surface;

use super::document::Document;
use dopesheet_core::diag::Report;

pub(super) fn check(document: &Document, report: &mut Report) {
    let groups =
        [file::CHECKS, fields::CHECKS, surface::CHECKS, bones::CHECKS, morphs::CHECKS, names::CHECKS];
    for check in groups.into_iter().flatten() {
        check(document, report);
    }
}

/// A function that reports one code.
type CheckFn = fn(&Document, &mut Report);
