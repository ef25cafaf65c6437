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
