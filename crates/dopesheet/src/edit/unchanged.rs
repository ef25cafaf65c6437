//! The tracks of a file that an operation left as they were.

use dopesheet_core::model::Track;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Tracks of a clip before operations. Each is looked for at its own position first, and then by the sum of its numbers, so that many of
/// them take no more work than few.
pub(super) struct Unchanged<'a> {
    tracks: &'a [Track],
    by_sum: OnceCell<HashMap<u64, Vec<&'a Track>>>,
}

impl<'a> Unchanged<'a> {
    pub(super) const fn of(tracks: &'a [Track]) -> Self {
        Self { tracks, by_sum: OnceCell::new() }
    }

    /// True if a track is one of them, whatever its name: another name is no other motion. `position` is its own among all.
    pub(super) fn has(&self, track: &Track, position: usize) -> bool {
        let is_same = |own: &&Track| own.channels == track.channels;
        self.tracks.get(position).is_some_and(|own| is_same(&own))
            || self.by_sum().get(&sum(track)).is_some_and(|alike| alike.iter().any(is_same))
    }

    fn by_sum(&self) -> &HashMap<u64, Vec<&'a Track>> {
        self.by_sum.get_or_init(|| {
            let mut all: HashMap<u64, Vec<&Track>> = HashMap::new();
            self.tracks.iter().for_each(|track| all.entry(sum(track)).or_default().push(track));
            all
        })
    }
}

/// The same number for tracks with the same channels.
fn sum(track: &Track) -> u64 {
    let mut sum = DefaultHasher::new();
    for channel in &track.channels {
        channel.property.word().hash(&mut sum);
        for curve in channel.composition.curves() {
            (curve.width, curve.len()).hash(&mut sum);
            // Zeros of both signs are equal.
            curve.values.iter().for_each(|value| (value + 0.0).to_bits().hash(&mut sum));
            curve.times.iter().for_each(|time| (time.0 + 0.0).to_bits().hash(&mut sum));
            // Tracks that stay still alike differ in these alone.
            (0..curve.len()).for_each(|key| curve.source(key).hash(&mut sum));
        }
    }
    sum.finish()
}
