//! Numbers of the keys of a clip, by which the keys of a scene refer to their places in the file.

use super::document::{Clip, TransformCurve};
use super::spans::ClipList;

/// The lists with curves shown in a scene, in the order of numbering their keys.
const LISTS: [ClipList; 5] =
    [ClipList::Rotation, ClipList::Euler, ClipList::Position, ClipList::Scale, ClipList::Float];

/// Numbers of keys: list by list, curve by curve.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    /// For each curve, its list, its place there, and the number of its first key.
    curves: Vec<(ClipList, usize, u32)>,
    /// For each list, the place of its first curve among all.
    lists: [usize; LISTS.len()],
}

/// Place of a key in the lists of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyPlace {
    pub(super) list: ClipList,
    pub(super) curve: usize,
    pub(super) key: usize,
}

fn lengths<const N: usize>(curves: &[TransformCurve<N>]) -> Vec<usize> {
    curves.iter().map(|listed| listed.curve.keys.len()).collect()
}

impl Numbering {
    pub(super) fn of(clip: &Clip) -> Self {
        let (mut curves, mut next) = (Vec::new(), 0u32);
        let lists = LISTS.map(|list| {
            let start = curves.len();
            let lengths = match list {
                ClipList::Rotation => lengths(&clip.rotation_curves),
                ClipList::Euler => lengths(&clip.euler_curves),
                ClipList::Position => lengths(&clip.position_curves),
                ClipList::Scale => lengths(&clip.scale_curves),
                _ => clip.float_curves.iter().map(|listed| listed.curve.keys.len()).collect(),
            };
            for (position, length) in lengths.into_iter().enumerate() {
                curves.push((list, position, next));
                next = next.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
            }
            start
        });
        Self { curves, lists }
    }

    /// Number of the first key of a curve.
    pub(super) fn first(&self, list: ClipList, curve: usize) -> Option<u32> {
        let start = self.lists.get(LISTS.iter().position(|numbered| *numbered == list)?)?;
        let entry = self.curves.get(start.checked_add(curve)?);
        entry.filter(|(entry_list, ..)| *entry_list == list).map(|(.., first)| *first)
    }

    /// Place of a key with a number.
    pub(super) fn key(&self, number: u32) -> Option<KeyPlace> {
        let after = self.curves.partition_point(|(.., first)| *first <= number);
        let (list, curve, first) = *self.curves.get(after.checked_sub(1)?)?;
        Some(KeyPlace { list, curve, key: number.checked_sub(first)? as usize })
    }
}
