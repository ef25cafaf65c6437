//! Lists in order.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts numbers, the lowest first, in the order of [`f64::total_cmp`]: equal numbers are the same to the
/// last bit, so their earlier order does not matter.
///
/// Shared by all crates, because each copy of a sort is some kilobytes of a program that is fetched over a
/// network.
///
/// ```
/// let mut times = [2.0, -1.0, f64::INFINITY, 0.5];
/// dopesheet_core::order::ascend(&mut times);
/// assert_eq!(times, [-1.0, 0.5, 2.0, f64::INFINITY]);
/// ```
pub fn ascend(numbers: &mut [f64]) {
    numbers.sort_unstable_by(f64::total_cmp);
}

/// Sorts items by a number of each, the lowest first, in the order of [`f64::total_cmp`]; items of equal
/// numbers keep their order. Shared by all crates, like [`ascend`].
///
/// ```
/// let mut keys = vec![(2.0, 'c'), (-1.0, 'a'), (2.0, 'd'), (0.5, 'b')];
/// dopesheet_core::order::by_number(&mut keys, |key| key.0);
/// assert_eq!(keys, [(-1.0, 'a'), (0.5, 'b'), (2.0, 'c'), (2.0, 'd')]);
/// ```
pub fn by_number<T>(items: &mut Vec<T>, number: impl FnMut(&T) -> f64) {
    let order = places(items.iter().map(number).collect());
    rearrange(items, order);
}

/// Sorts items by a key of each, the lowest first; items of equal keys keep their order. Shared by all
/// crates, like [`ascend`], at the cost of a call for each comparison.
///
/// ```
/// let mut words = vec!["three", "one", "four", "two"];
/// dopesheet_core::order::by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["one", "two", "four", "three"]);
/// ```
pub fn by_key<T, K: Ord>(items: &mut Vec<T>, key: impl FnMut(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    let mut order: Vec<usize> = (0..items.len()).collect();
    arrange(&mut order, &|a, b| keys.get(a).cmp(&keys.get(b)));
    rearrange(items, order);
}

/// A set of items, inserted singly: `collect` would sort them first, with code of some kilobytes for each
/// type.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    items.into_iter().for_each(|item| {
        set.insert(item);
    });
    set
}

/// As [`set`], values by their keys; the last of a key counts.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    pairs.into_iter().for_each(|(key, value)| {
        map.insert(key, value);
    });
    map
}

/// Sorts positions by the items there.
fn arrange(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
}

/// Puts items in an order of their places.
fn rearrange<T>(items: &mut Vec<T>, order: Vec<usize>) {
    let mut unsorted: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|place| unsorted.get_mut(place).and_then(Option::take)));
}

/// The places of numbers in their order.
fn places(numbers: Vec<f64>) -> Vec<usize> {
    let mut placed: Vec<(f64, usize)> = numbers.into_iter().zip(0..).collect();
    placed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    placed.into_iter().map(|(_, place)| place).collect()
}

/// Sorts words and removes repetitions; shared by all crates, like [`ascend`].
///
/// ```
/// let mut words = ["b", "a", "b"].map(str::to_owned).to_vec();
/// dopesheet_core::order::distinct(&mut words);
/// assert_eq!(words, ["a", "b"]);
/// ```
pub fn distinct(words: &mut Vec<String>) {
    words.sort_unstable();
    words.dedup();
}

/// Source of an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Index in the new list.
    New(usize),
    /// Index in the old list, of an item without a counterpart in the new list.
    Old(usize),
}

/// The order of an old list for the items of a new list, if the common items keep their sequence: new items
/// stay behind the item before them, and items of the old list that are not `played` stay too unless others
/// were removed. `None` for any other sequence.
///
/// `new` has the old index of each item of the new list, `played` the indices of the old list in their old
/// sequence, and `count` is the length of the old list.
///
/// ```
/// use dopesheet_core::order::{Taken, as_before};
/// // A list of four is played as 2, 0, 1 (3 never is); an item was put in behind the first.
/// let order = as_before(&[Some(2), None, Some(0), Some(1)], &[2, 0, 1], 4).unwrap();
/// assert_eq!(order, [Taken::New(2), Taken::New(3), Taken::New(0), Taken::New(1), Taken::Old(3)]);
/// assert_eq!(as_before(&[Some(0), Some(2)], &[2, 0, 1], 4), None);
/// ```
#[must_use]
pub fn as_before(new: &[Option<usize>], played: &[usize], count: usize) -> Option<Vec<Taken>> {
    let mut rest = played.iter();
    if !new.iter().flatten().all(|item| rest.any(|index| index == item)) {
        return None;
    }
    let mut placed: Vec<((usize, usize), Taken)> = Vec::with_capacity(count.max(new.len()));
    let mut last = (0, 0);
    for (at, item) in new.iter().enumerate() {
        last = item.map_or((last.0, last.1 + 1), |item| (item, 0));
        placed.push((last, Taken::New(at)));
    }
    if new.iter().flatten().count() == played.len() {
        let mut is_played = vec![false; count];
        for item in played {
            if let Some(flag) = is_played.get_mut(*item) {
                *flag = true;
            }
        }
        let idle = (0..count).zip(is_played).filter(|(_, is_played)| !is_played);
        placed.extend(idle.map(|(item, _)| ((item, 0), Taken::Old(item))));
    }
    by_key(&mut placed, |(order, _)| *order);
    Some(placed.into_iter().map(|(_, taken)| taken).collect())
}
