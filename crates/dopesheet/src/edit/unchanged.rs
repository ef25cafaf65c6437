//! The tracks of a file that an operation left unchanged.

use dopesheet_core::model::Track;
use std::cell::OnceCell;
use std::collections::HashMap;

/// An odd factor without a pattern in its bits: the square root of two.
const SPREADS: u64 = 0xb504_f333_f9de_6485;

/// Tracks of a clip before operations. A track is looked up at its own position first, and then by the sum of
/// its numbers, so the work for each track does not grow with their number.
pub(super) struct Unchanged<'a> {
    tracks: &'a [Track],
    by_sum: OnceCell<HashMap<u64, Vec<&'a Track>>>,
}

impl<'a> Unchanged<'a> {
    pub(super) const fn of(tracks: &'a [Track]) -> Self {
        Self { tracks, by_sum: OnceCell::new() }
    }

    /// True if a track is among the tracks before, whatever its name: another name is no other motion.
    /// `position` is the index of `track` in its clip.
    pub(super) fn has(&self, track: &Track, position: usize) -> bool {
        let is_same = |earlier: &&Track| earlier.channels == track.channels;
        self.tracks.get(position).is_some_and(|earlier| is_same(&earlier))
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
    let mut sum = 0u64;
    let mut add = |bits: u64| sum = (sum.rotate_left(5) ^ bits).wrapping_mul(SPREADS);
    for curve in track.channels.iter().flat_map(|channel| channel.composition.curves()) {
        add(curve.len() as u64);
        // Zeros of both signs are equal.
        curve.values.iter().for_each(|value| add((value + 0.0).to_bits().into()));
        curve.times.iter().for_each(|time| add((time.0 + 0.0).to_bits()));
        // Tracks that stay still alike differ in these alone.
        (0..curve.len()).filter_map(|key| curve.source(key)).for_each(|source| add(source.into()));
    }
    sum
}
