//! Checks of the file as a whole.

use super::faults::fault_at;
use super::{CheckFn, Subject};
use crate::animation::document::{KeyShape, Version};
use crate::animation::{codes, detect, layout, play::Player, write};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;
use dopesheet_core::order::by_number;
use dopesheet_core::words::counted;

pub(super) const CHECKS: &[CheckFn] = &[
    doc_shape,
    shape_indeterminate,
    shape_ambiguous,
    missing_marker_list,
    non_canonical_bool_byte,
    rotation_w_damaged,
    zero_gaze_direction,
];

fn doc_shape(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.version == Version::V1_1 && document.shape() == Some(KeyShape::Full) {
        let mut seen = Sightings::of(codes::DOC_SHAPE);
        let words = ("number keys of 8 bytes in version 1.1", "number keys of 28 bytes".into());
        seen.add(|| fault_at(document.body_start(), "curves", words));
        seen.report(report);
    }
}

fn shape_indeterminate(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.version == Version::V1_1 && document.shape().is_none() {
        let mut seen = Sightings::of(codes::SHAPE_INDETERMINATE);
        seen.add(|| fault_at(document.body_start(), "curves", ("number keys", "none".into())));
        seen.report(report);
    }
}

/// Reads the file again: only the bytes tell whether they can be understood in two ways.
fn shape_ambiguous(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.version == Version::V1_0 || document.shape().is_none() {
        return;
    }
    let Ok(bytes) = write::write(document) else { return };
    if detect::of_document(document, &bytes).is_ambiguous {
        let mut seen = Sightings::of(codes::SHAPE_AMBIGUOUS);
        let chosen = document.shape().map_or("neither", KeyShape::word);
        let words = ("one way to read the file to its end", format!("two; read with {chosen} keys"));
        seen.add(|| fault_at(document.body_start(), "curves", words));
        seen.report(report);
    }
}

fn missing_marker_list(subject: &Subject<'_>, report: &mut Report) {
    if subject.document.markers.is_none() {
        let mut seen = Sightings::of(codes::MISSING_MARKER_LIST);
        let words = ("a marker list after the last curve", "the end of the file".into());
        seen.add(|| fault_at(subject.document.file_size(), "markers", words));
        seen.report(report);
    }
}

fn non_canonical_bool_byte(subject: &Subject<'_>, report: &mut Report) {
    let document = subject.document;
    if document.version == Version::V1_0 {
        return;
    }
    let parts = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
    let mut seen = Sightings::of(codes::NON_CANONICAL_BOOL_BYTE);
    let flags = layout::FLAGS.into_iter().zip(document.flag_bytes).zip(parts).enumerate();
    for (index, ((name, byte), _)) in flags.filter(|(_, ((_, byte), is_there))| *is_there && *byte > 1) {
        seen.add(|| fault_at(layout::HEADER + index, name, ("0 or 1", byte.to_string())));
    }
    seen.report(report);
}

fn rotation_w_damaged(subject: &Subject<'_>, report: &mut Report) {
    let damaged: Vec<_> = subject.document.damaged_poses().collect();
    let Some((first, _)) = damaged.first() else { return };
    let mut kinds: Vec<&str> = damaged.iter().map(|(_, damage)| damage.word()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let names: Vec<String> = damaged.iter().map(|(name, _)| name.to_string()).collect();
    let poses = counted(names.len(), "pose");
    let actual = format!("too few in {poses} ({}): {}", kinds.join(", "), names.join(", "));
    let curve = format!("{first}.rotation.w");
    let start = subject.curves.iter().find(|placed| placed.name.to_string() == curve);
    let mut seen = Sightings::of(codes::ROTATION_W_DAMAGED);
    let words = ("as many keys for W as for X, Y and Z", actual);
    seen.add(|| fault_at(start.map_or(0, |placed| placed.start), curve, words));
    seen.report(report);
}

/// Shorter directions count as none (MRTK normalises them to zero).
const SHORTEST_DIRECTION: f64 = 1e-5;

fn zero_gaze_direction(subject: &Subject<'_>, report: &mut Report) {
    let Some(gaze) = &subject.document.gaze else { return };
    let players = gaze.direction.each_ref().map(Player::new);
    let mut times: Vec<f32> =
        players.iter().flat_map(|player| player.keys().iter().map(|key| key.time)).collect();
    by_number(&mut times, |time| (*time).into());
    times.dedup();
    let mut seen = Sightings::of(codes::ZERO_GAZE_DIRECTION);
    let is_direction = |name: &str| name == "gaze.direction.x";
    let start = subject.curves.iter().find(|placed| is_direction(&placed.name.to_string()));
    for time in times {
        let square = players.iter().map(|player| player.value(time.into()).powi(2)).sum::<f64>();
        if square.sqrt() <= SHORTEST_DIRECTION {
            let words = ("a direction of a length above 0", format!("none at {time} s"));
            seen.add(|| fault_at(start.map_or(0, |placed| placed.start), "gaze.direction", words));
        }
    }
    seen.report(report);
}
