//! Checks of markers.

use super::faults::fault_at;
use super::{CheckFn, Subject};
use crate::animation::codes;
use crate::animation::document::Marker;
use crate::animation::layout::MARKER_COUNT;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[non_finite_time, unsorted_markers, bad_utf8];

/// All markers with their places in the file.
fn placed<'a>(subject: &Subject<'a>) -> Vec<(usize, &'a Marker)> {
    let mut start = subject.document.markers_start() + MARKER_COUNT;
    let markers = subject.document.markers.iter().flatten().map(|marker| {
        let here = start;
        start += marker.size();
        (here, marker)
    });
    markers.collect()
}

fn non_finite_time(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::NON_FINITE_TIME);
    for (index, (start, marker)) in placed(subject).into_iter().enumerate() {
        if !marker.time.is_finite() {
            let words = ("a finite time", marker.time.to_string());
            seen.add(|| fault_at(start, format!("markers[{index}].time"), words));
        }
    }
    seen.report(report);
}

fn unsorted_markers(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::UNSORTED_MARKERS);
    for (index, pair) in placed(subject).windows(2).enumerate() {
        let [(_, before), (start, marker)] = pair else { continue };
        if marker.time < before.time {
            let words = (
                "a time not before that of the previous marker",
                format!("{} after {}", marker.time, before.time),
            );
            seen.add(|| fault_at(*start, format!("markers[{}].time", index + 1), words));
        }
    }
    seen.report(report);
}

fn bad_utf8(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::BAD_UTF8);
    for (index, (start, marker)) in placed(subject).into_iter().enumerate() {
        if std::str::from_utf8(&marker.name).is_err() {
            let words = ("a name in UTF-8", format!("\"{}\"", marker.name.escape_ascii()));
            seen.add(|| fault_at(start, format!("markers[{index}].name"), words));
        }
    }
    seen.report(report);
}
