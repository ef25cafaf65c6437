//! Sizes of tracks in a file.

use super::animation::{Body, Track};
use super::layout::{since, smallest};

/// Bytes of a track in a file of a version.
pub(crate) fn track_size(track: &Track, version: u32) -> usize {
    let head = 8 + track.name.0.len();
    head + match &track.body {
        Body::Keys(keys) => 5 + keys.len() * track.track_type.key_form(version).size(),
        Body::User { .. } => 1,
        Body::Events(events) => {
            let texts = events.iter().map(|e| e.user_data.0.len()).sum::<usize>();
            let texts = if version >= since::USER_DATA { texts } else { 0 };
            4 + events.len() * smallest::event(version) + texts
        }
        Body::Displacement(pair) => track_size(&pair.position, version) + track_size(&pair.rotation, version),
    }
}

/// Offset of the first key of a track of keys or events, from the track's first byte.
pub(crate) fn keys_offset(track: &Track) -> usize {
    let count = if matches!(track.body, Body::Keys(_)) { 5 } else { 4 };
    8 + track.name.0.len() + count
}
