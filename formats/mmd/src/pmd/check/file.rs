//! Version, sections, and what stands behind them.

use super::CheckFn;
use super::spot::{fault, fault_at, file_size};
use crate::pmd::codes;
use crate::pmd::document::{Document, VERSION};
use crate::pmd::layout::list;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;
use dopesheet_core::words::counted;

pub(super) const CHECKS: &[CheckFn] = &[version, short_file, trailing_bytes];

fn version(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::VERSION);
    if document.version.is_finite() && document.version.to_bits() != VERSION.to_bits() {
        seen.add(|| fault_at(document, &[], "version", ("1.0", format!("{:?}", document.version))));
    }
    seen.report(report);
}

fn short_file(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::SHORT_FILE);
    let last = match document {
        Document { joints: Some(_), .. } => return,
        Document { rigid_bodies: Some(_), .. } => list::RIGID_BODIES,
        Document { toons: Some(_), .. } => list::TOONS,
        Document { english: Some(_), .. } => "English names",
        _ => list::FRAMED_BONES,
    };
    let found = format!("the end of the file after the {last}");
    seen.add(|| fault(file_size(document), "sections up to the joints", found));
    seen.report(report);
}

fn trailing_bytes(document: &Document, report: &mut Report) {
    let mut seen = Sightings::of(codes::TRAILING_BYTES);
    let count = document.trailing.len();
    if count > 0 {
        let what = ("the end of the file", counted(count, "further byte"));
        seen.add(|| fault_at(document, &[], "trailing bytes", what));
    }
    seen.report(report);
}
