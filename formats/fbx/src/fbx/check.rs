//! Document to report: remarks of the reader, and changes by a later conversion.

use super::codes;
use super::document::{Document, Remark, Take};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Sightings;

pub(super) fn check(document: &Document, report: &mut Report) {
    document.remarks.iter().for_each(|remark| say(report, remark));
    take_start(document, report);
    layers(document, report);
    if !document.unplaced.is_empty() {
        let lists = document.unplaced.join("; ");
        report.info(Fault::new(codes::UNPLACED.code, Place::File, "content with a place in a scene", lists));
    }
}

/// Reports a remark of the reader.
pub(super) fn say(report: &mut Report, remark: &Remark) {
    let Remark { check, expected, path, text, count } = remark;
    let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
    let found = format!("{text}{times}");
    report.push(check.severity, Fault::new(check.code, Place::File, *expected, found).at_path(path));
}

fn take_start(document: &Document, report: &mut Report) {
    let mut sightings = Sightings::of(codes::TAKE_START);
    for take in document.takes.iter().filter(|take| take.begin.0 != 0.0) {
        let start = || format!("a start at {} s, which is time 0 of the clip", take.begin.0);
        sightings.add(|| fault(&path(take), "a start at 0 s", start()));
    }
    sightings.report(report);
}

fn layers(document: &Document, report: &mut Report) {
    let mut sightings = Sightings::of(codes::LAYERS);
    for take in document.takes.iter().filter(|take| take.layers.len() > 1) {
        let layers = || format!("{}, combined by a conversion", take.layers.len());
        sightings.add(|| fault(&path(take), "one layer", layers()));
    }
    sightings.report(report);
}

/// A fault without a code; its sightings have the code.
fn fault(path: &str, expected: &'static str, found: String) -> Fault {
    Fault::new("", Place::File, expected, found).at_path(path)
}

fn path(take: &Take) -> String {
    format!("take {:?}", take.name)
}
