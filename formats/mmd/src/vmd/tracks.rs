//! Keys grouped by name.

use crate::text::Name;
use std::collections::BTreeMap;
use std::ops::Range;

/// The keys of one section grouped by name, tracks in order of first appearance.
///
/// Within a track the keys are sorted by frame; keys of one frame keep the order of the file, so that the
/// last of them is the effective key. Names are compared by their bytes before the terminator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracks {
    names: Vec<Name<15>>,
    ranges: Vec<Range<usize>>,
    keys: Vec<u32>,
}

impl Tracks {
    /// Groups keys; `key` yields the name and frame of a key.
    pub(super) fn group<K>(keys: &[K], key: impl Fn(&K) -> (&Name<15>, u32)) -> Self {
        let mut index = NameIndex::default();
        let ids: Vec<u32> = keys.iter().map(|k| index.id(key(k).0)).collect();
        let mut ranges = vec![0..0; index.names.len()];
        for id in &ids {
            ranges[*id as usize].end += 1;
        }
        let mut start = 0;
        for range in &mut ranges {
            let end = start + range.end;
            *range = start..start;
            start = end;
        }
        let mut grouped = vec![0u64; ids.len()];
        for ((position, k), id) in (0u64..).zip(keys).zip(&ids) {
            let range = &mut ranges[*id as usize];
            grouped[range.end] = frame_and_place(key(k).1, position);
            range.end += 1;
        }
        for range in &ranges {
            ascend(&mut grouped[range.clone()]);
        }
        let grouped = grouped.into_iter().map(|frame_and_place| frame_and_place as u32).collect();
        Self { names: index.names, ranges, keys: grouped }
    }

    /// Number of different names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Each name in the form of its first key, with the positions of its keys in the section.
    pub fn iter(&self) -> impl Iterator<Item = (&Name<15>, &[u32])> {
        self.names.iter().zip(self.ranges.iter().map(|range| &self.keys[range.clone()]))
    }
}

/// Frame and position in one number: in the order of these numbers, keys of one frame keep the order of the
/// file.
fn frame_and_place(frame: u32, position: u64) -> u64 {
    u64::from(frame) << 32 | position
}

/// A sort shared by all sections, because each copy of a sort adds some kilobytes to a program fetched over a
/// network.
#[inline(never)]
fn ascend(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// The positions of keys sorted by their frames; keys of the same frame in the order of the file.
pub(super) fn by_frame(frames: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut order: Vec<u64> =
        frames.zip(0..).map(|(frame, position)| frame_and_place(frame, position)).collect();
    ascend(&mut order);
    order.into_iter().map(|frame_and_place| frame_and_place as u32).collect()
}

/// Numbers names in order of appearance.
#[derive(Default)]
struct NameIndex {
    names: Vec<Name<15>>,
    /// By the whole field, and by the field without the bytes behind the terminator.
    ids: BTreeMap<u128, u32>,
    /// For each name, the name that followed it last time: many writers go through bones in the same order
    /// again and again, or through one bone at a time.
    successors: Vec<u32>,
    last: u32,
}

impl NameIndex {
    fn id(&mut self, name: &Name<15>) -> u32 {
        let guess = self.successors.get(self.last as usize).copied().unwrap_or(0);
        let id = match self.names.get(guess as usize) {
            Some(guessed) if guessed == name => guess,
            _ => self.look_up(name),
        };
        if let Some(successor) = self.successors.get_mut(self.last as usize) {
            *successor = id;
        }
        self.last = id;
        id
    }

    fn look_up(&mut self, name: &Name<15>) -> u32 {
        if let Some(id) = self.ids.get(&number(name)) {
            return *id;
        }
        let next = self.names.len() as u32;
        let id = *self.ids.entry(number(&name.cleared())).or_insert(next);
        self.ids.insert(number(name), id);
        if id == next {
            self.names.push(*name);
            self.successors.push(next);
        }
        id
    }
}

/// The field as a number, which compares faster than bytes.
fn number(name: &Name<15>) -> u128 {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(name.0).for_each(|(to, from)| *to = from);
    u128::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracks(keys: &[(&[u8; 15], u32)]) -> Vec<(String, Vec<u32>)> {
        let keys: Vec<_> = keys.iter().map(|(name, frame)| (Name(**name), *frame)).collect();
        let grouped = Tracks::group(&keys, |(name, frame)| (name, *frame));
        grouped.iter().map(|(name, keys)| (name.text(), keys.to_vec())).collect()
    }

    #[test]
    fn keys_are_grouped_by_name_and_sorted_by_frame_with_equal_frames_in_file_order() {
        let (a, b) = (b"a\0\0\0\0\0\0\0\0\0\0\0\0\0\0", b"b\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        let garbage = b"a\0garbagegarbag";
        let keys = [(a, 9), (b, 0), (garbage, 3), (a, 9), (b, 1), (a, 0)];
        assert_eq!(tracks(&keys), [("a".into(), vec![5, 2, 0, 3]), ("b".into(), vec![1, 4])]);
        assert_eq!(tracks(&[]), []);
    }
}
