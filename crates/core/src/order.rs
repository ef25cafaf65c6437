//! Lists in order.

/// Sorts numbers, the lowest first, as [`f64::total_cmp`] has them: equal ones are the same to the last bit, so nothing tells how
/// they stood before.
///
/// One for all crates, because each copy of a sort is some kilobytes of a program that is fetched over a network.
///
/// ```
/// let mut times = [2.0, -1.0, f64::INFINITY, 0.5];
/// dopesheet_core::order::ascend(&mut times);
/// assert_eq!(times, [-1.0, 0.5, 2.0, f64::INFINITY]);
/// ```
pub fn ascend(numbers: &mut [f64]) {
    numbers.sort_unstable_by(f64::total_cmp);
}

/// Sorts items by a number of each, the lowest first, as [`f64::total_cmp`] has them; those of one number keep their order. One for all
/// crates, as [`ascend`] is.
///
/// ```
/// let mut keys = vec![(2.0, 'c'), (-1.0, 'a'), (2.0, 'd'), (0.5, 'b')];
/// dopesheet_core::order::by_number(&mut keys, |key| key.0);
/// assert_eq!(keys, [(-1.0, 'a'), (0.5, 'b'), (2.0, 'c'), (2.0, 'd')]);
/// ```
pub fn by_number<T>(items: &mut Vec<T>, number: impl FnMut(&T) -> f64) {
    let order = places(items.iter().map(number).collect());
    let mut unsorted: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|place| unsorted.get_mut(place).and_then(Option::take)));
}

/// The places of numbers in their order.
fn places(numbers: Vec<f64>) -> Vec<usize> {
    let mut placed: Vec<(f64, usize)> = numbers.into_iter().zip(0..).collect();
    placed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    placed.into_iter().map(|(_, place)| place).collect()
}

/// Sorts words and leaves each once; one for all crates, as [`ascend`] is.
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
