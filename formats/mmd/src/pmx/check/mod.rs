//! All faults and remarkable facts of a document: one function per code, except for rules that hold for each
//! field of a kind.

mod bones;
mod choices;
mod fields;
mod file;
mod ik;
mod morphs;
mod names;
mod spot;
mod surface;

use super::document::Document;
use super::skeleton::{self, Links};
use dopesheet_core::diag::Report;

/// A document, and facts needed by several checks.
struct Subject<'a> {
    document: &'a Document,
    parents: Links,
    append_sources: Links,
}

pub(super) fn check(document: &Document, report: &mut Report) {
    let subject = Subject {
        document,
        parents: skeleton::parents(document),
        append_sources: skeleton::append_sources(document),
    };
    let all = [
        fields::CHECKS,
        file::CHECKS,
        names::CHECKS,
        surface::CHECKS,
        bones::CHECKS,
        ik::CHECKS,
        morphs::CHECKS,
        choices::CHECKS,
    ];
    for check in all.into_iter().flatten() {
        check(&subject, report);
    }
}

/// A function for a single code.
type CheckFn = fn(&Subject<'_>, &mut Report);
