//! Checks of markers.

use super::DocumentCheck;
use super::faults::fault_at;
use crate::animation::codes;
use crate::animation::layout::MARKER_COUNT;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let (document, seen) = (look.document, &mut look.seen);
    let mut start = document.markers_start() + MARKER_COUNT;
    let placed = document.markers.iter().flatten().map(|marker| {
        let here = start;
        start += marker.size();
        (here, marker)
    });
    let placed: Vec<_> = placed.collect();
    for (index, (start, marker)) in placed.iter().enumerate().filter(|(_, (_, m))| !m.time.is_finite()) {
        let path = || format!("markers[{index}].time");
        let fault = || fault_at(*start, path(), "a finite time", marker.time.to_string());
        seen.add(codes::NON_FINITE_TIME, fault);
    }
    for (index, pair) in placed.windows(2).enumerate() {
        let [(_, before), (start, marker)] = pair else { continue };
        if marker.time < before.time {
            let path = || format!("markers[{}].time", index + 1);
            let actual = || format!("{} after {}", marker.time, before.time);
            let expected = "a time not before that of the previous marker";
            seen.add(codes::UNSORTED_MARKERS, || fault_at(*start, path(), expected, actual()));
        }
    }
    for (index, (start, marker)) in placed.iter().enumerate() {
        if std::str::from_utf8(&marker.name).is_err() {
            let path = || format!("markers[{index}].name");
            let actual = || format!("\"{}\"", marker.name.escape_ascii());
            seen.add(codes::BAD_UTF8, || fault_at(*start, path(), "a name in UTF-8", actual()));
        }
    }
}
