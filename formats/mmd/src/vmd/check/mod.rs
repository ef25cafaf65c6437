//! All faults and remarkable facts of a document: one function per code.

mod curves;
mod faults;
mod file;
mod names;
mod numbers;
mod order;

pub(super) use file::report_camera_with_bones;

use super::document::Document;
use super::tracks::Tracks;
use dopesheet_core::diag::Report;

/// A document, and facts needed by several checks.
struct Subject<'a> {
    document: &'a Document,
    bones: Tracks,
    morphs: Tracks,
    names: Vec<names::Named>,
}

pub(super) fn check(document: &Document, report: &mut Report) {
    let (bones, morphs) = (document.bone_tracks(), document.morph_tracks());
    let names = names::collect(document, &bones, &morphs);
    let subject = Subject { document, bones, morphs, names };
    for check in
        [file::CHECKS, names::CHECKS, numbers::CHECKS, curves::CHECKS, order::CHECKS].into_iter().flatten()
    {
        check(&subject, report);
    }
}

/// A function for a single code.
type CheckFn = fn(&Subject<'_>, &mut Report);
