//! Checks of the file as a whole.

use super::DocumentCheck;
use super::faults::fault_at;
use crate::animation::document::{KeyShape, Version};
use crate::animation::{codes, layout, play::Player, read::detect, write};
use dopesheet_core::order::by_number;
use dopesheet_core::words::counted;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    shape(look);
    let document = look.document;
    if document.markers.is_none() {
        let expected = "a marker list after the last curve";
        let end = document.file_size();
        look.seen
            .add(codes::MISSING_MARKER_LIST, || fault_at(end, "markers", expected, "the end of the file"));
    }
    if document.version != Version::V1_0 {
        let parts = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
        let flags = layout::FLAGS.into_iter().zip(document.flag_bytes).zip(parts).enumerate();
        for (index, ((name, byte), _)) in flags.filter(|(_, ((_, byte), is_there))| *is_there && *byte > 1) {
            let fault = || fault_at(layout::HEADER + index, name, "0 or 1", byte.to_string());
            look.seen.add(codes::NON_CANONICAL_BOOL_BYTE, fault);
        }
    }
    damaged_rotations(look);
    zero_gaze_direction(look);
}

/// The shape of keys in files of version 1.1, which do not state it.
fn shape(look: &mut DocumentCheck<'_>) {
    let (document, seen) = (look.document, &mut look.seen);
    if document.version == Version::V1_0 {
        return;
    }
    let start = document.body_start();
    let Some(shape) = document.shape() else {
        seen.add(codes::SHAPE_INDETERMINATE, || fault_at(start, "curves", "number keys", "none"));
        return;
    };
    if shape == KeyShape::Full {
        let expected = "number keys of 8 bytes in version 1.1";
        seen.add(codes::DOC_SHAPE, || fault_at(start, "curves", expected, "number keys of 28 bytes"));
    }
    // Only the bytes tell whether they can be understood in two ways.
    let Ok(bytes) = write::write(document) else { return };
    if detect::of_document(document, &bytes).is_ambiguous {
        let expected = "one way to read the file to its end";
        let actual = || format!("two; read with {} keys", shape.word());
        seen.add(codes::SHAPE_AMBIGUOUS, || fault_at(start, "curves", expected, actual()));
    }
}

fn damaged_rotations(look: &mut DocumentCheck<'_>) {
    let damaged: Vec<_> = look.document.damaged_poses().collect();
    let Some((first, _)) = damaged.first() else { return };
    let mut kinds: Vec<&str> = damaged.iter().map(|(_, damage)| damage.word()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let names: Vec<String> = damaged.iter().map(|(name, _)| name.to_string()).collect();
    let poses = counted(names.len(), "pose");
    let actual = format!("too few in {poses} ({}): {}", kinds.join(", "), names.join(", "));
    let curve = format!("{first}.rotation.w");
    let start = look.start_of(&curve);
    let expected = "as many keys for W as for X, Y and Z";
    look.seen.add(codes::ROTATION_W_DAMAGED, || fault_at(start, curve, expected, actual));
}

/// Shorter directions count as none (MRTK normalises them to zero).
const SHORTEST_DIRECTION: f64 = 1e-5;

fn zero_gaze_direction(look: &mut DocumentCheck<'_>) {
    let Some(gaze) = &look.document.gaze else { return };
    let players = gaze.direction.each_ref().map(Player::new);
    let mut times: Vec<f32> =
        players.iter().flat_map(|player| player.keys().iter().map(|key| key.time)).collect();
    by_number(&mut times, |time| (*time).into());
    times.dedup();
    let start = look.start_of("gaze.direction.x");
    for time in times {
        let square = players.iter().map(|player| player.value(time.into()).powi(2)).sum::<f64>();
        if square.sqrt() <= SHORTEST_DIRECTION {
            let (expected, actual) = ("a direction of a length above 0", || format!("none at {time} s"));
            let fault = || fault_at(start, "gaze.direction", expected, actual());
            look.seen.add(codes::ZERO_GAZE_DIRECTION, fault);
        }
    }
}

impl DocumentCheck<'_> {
    /// Start of the curve with a name; 0 without one.
    fn start_of(&self, name: &str) -> usize {
        self.curves.iter().find(|placed| placed.name.to_string() == name).map_or(0, |placed| placed.start)
    }
}
