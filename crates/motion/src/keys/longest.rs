//! Times and number of keys: segments one after the other, each as long as its allowance permits.

use super::grid::Seen;
use crate::single::narrow;

/// Share of the allowance from which on the error of a segment is large enough: a longer straight segment
/// would gain 3 % at most.
const ENOUGH: f64 = 0.94;

/// The share to aim at, in the middle of the sufficient range.
const AIM: f64 = 0.97;

/// Most lengths to try before the longest sufficient one counts; mostly one or two are.
const TRIES: u32 = 6;

/// A kind of segments that follow a curve.
pub(super) trait Segments {
    /// An end shared by two segments.
    type Key: Clone;
    /// A segment between two keys.
    type Segment;

    /// A key at a permitted time, between segments of about `length` seconds.
    fn key(&mut self, time: f64, length: f64) -> Self::Key;

    /// The segment between two keys.
    fn between(&mut self, from: &Self::Key, to: &Self::Key) -> Fitted<Self::Segment>;

    /// The segment between two neighbouring visible times.
    fn unseen(&mut self, from: &Self::Key, to: &Self::Key) -> Self::Segment;

    /// Time of a key in seconds.
    fn time(key: &Self::Key) -> f64;

    /// Distance of a key from the curve, in parts of the allowance.
    fn displaced(key: &Self::Key) -> f64;

    /// Factor on the length of a segment over which the curve rises `rises` times as high.
    ///
    /// The height of a curve above a straight segment grows with the square of the length.
    fn growth(rises: f64) -> f64 {
        rises.sqrt()
    }
}

/// A segment, and its error in parts of the allowance.
pub(super) struct Fitted<S> {
    pub(super) segment: S,
    /// Largest difference.
    pub(super) misses: f64,
    /// Largest difference for a segment with both ends on the curve: the height of the curve above the
    /// segment.
    pub(super) rises: f64,
}

/// The segments from one key to another, with the keys at their ends; at most `left` keys are inserted, and
/// `left` falls by their number.
///
/// Where a curve is too steep, segments are as short as visible times permit, and where keys run out, one
/// segment leads to the end. With a length of `shortest` seconds, the result is `None` in both cases.
pub(super) fn segments<S: Segments>(
    kind: &mut S,
    seen: Seen,
    [from, end]: [S::Key; 2],
    left: &mut usize,
    shortest: Option<f64>,
) -> Option<Vec<(S::Key, S::Segment)>> {
    let until = f64::from(narrow(S::time(&end)));
    let mut search = Search { kind, seen, until, end };
    let (mut out, mut from, mut guess): (Vec<(S::Key, S::Segment)>, _, _) = (Vec::new(), from, f64::INFINITY);
    loop {
        let rest = search.until - S::time(&from);
        if let Some(last) = search.last(&from, guess) {
            out.push((search.end, last));
            return Some(out);
        }
        if *left == 0 {
            let rest = search.kind.between(&from, &search.end);
            out.push((search.end, rest.segment));
            return shortest.is_none().then_some(out);
        }
        *left = left.saturating_sub(1);
        let (to, segment) = search.longest(&from, guess.min(0.5 * rest), shortest)?;
        guess = S::time(&to) - S::time(&from);
        if out.is_empty() {
            // Between two keys beside the curve it is longer.
            guess *= S::growth((1.0 + S::displaced(&to)) / (1.0 + 0.5 * S::displaced(&to)));
        }
        from = to.clone();
        out.push((to, segment));
    }
}

struct Search<'a, S: Segments> {
    kind: &'a mut S,
    seen: Seen,
    end: S::Key,
    /// Time of the end as stored.
    until: f64,
}

impl<S: Segments> Search<'_, S> {
    /// The segment to the end, if near enough and not too long, given the length of the others.
    fn last(&mut self, from: &S::Key, guess: f64) -> Option<S::Segment> {
        let start = S::time(from);
        if self.seen.after(start) >= self.until {
            return Some(self.kind.unseen(from, &self.end));
        }
        // Three as long as the last are surely not one.
        if self.until - start > 3.0 * guess {
            return None;
        }
        let last = self.kind.between(from, &self.end);
        (last.misses <= 1.0).then_some(last.segment)
    }

    /// The longest segment near enough and ending before the end, with `length` as the first try, or the
    /// shortest visible one; see [`segments`].
    fn longest(
        &mut self,
        from: &S::Key,
        mut length: f64,
        shortest: Option<f64>,
    ) -> Option<(S::Key, S::Segment)> {
        let start = S::time(from);
        let (first, last) = (self.seen.after(start), self.seen.before(self.until));
        // The longest that is near enough, and the shortest that is not.
        let (mut short, mut long) = (0.0, self.until - start);
        let mut longest = None;
        for tried in 1.. {
            let time = self.seen.nearest(start + length).min(last).max(first);
            let to = self.kind.key(time, length);
            let Fitted { segment, misses, rises } = self.kind.between(from, &to);
            // So much higher may the curve rise above a segment that starts or ends beside it.
            let displaced = 0.5 * (S::displaced(from) + S::displaced(&to));
            if misses <= 1.0 {
                short = length;
                longest = Some((to, segment));
                if rises >= ENOUGH + displaced || time >= last || tried >= TRIES {
                    break;
                }
            } else if time <= first {
                let is_shortest = shortest.is_none() && longest.is_none();
                return if is_shortest { Some((to.clone(), self.kind.unseen(from, &to))) } else { longest };
            } else {
                long = length;
                if longest.is_some() && tried >= TRIES || shortest.is_some_and(|shortest| long < shortest) {
                    break;
                }
            }
            length *= S::growth((AIM + displaced) / rises);
            if !(short < length && length < long) {
                length = 0.5 * (short + long);
            }
        }
        longest
    }
}

/// Segments from one step to another, each over as many steps as `find` accepts, with the steps at their
/// ends; `None` where `find` accepts no single step.
pub(super) fn chain<T>(
    mut from: usize,
    until: usize,
    mut find: impl FnMut(usize, usize) -> Option<T>,
) -> Option<Vec<(usize, T)>> {
    let mut out = Vec::new();
    while from < until {
        let (steps, found) =
            most_steps(1..=until.saturating_sub(from), |steps| find(from, from.saturating_add(steps)))?;
        from = from.saturating_add(steps);
        out.push((from, found));
    }
    Some(out)
}

/// The largest accepted number of steps in a range, with the result of `find`: by doubling and then halving,
/// on the assumption that `find` rejects all numbers above a rejected one.
pub(super) fn most_steps<T>(
    steps: std::ops::RangeInclusive<usize>,
    mut find: impl FnMut(usize) -> Option<T>,
) -> Option<(usize, T)> {
    let (mut found, mut too_many, mut next) = (None, steps.end().saturating_add(1), *steps.start());
    while next < too_many {
        match find(next) {
            Some(what) => {
                found = Some((next, what));
                next = next.saturating_mul(2).min(*steps.end()).max(next.saturating_add(1));
            }
            None => too_many = next,
        }
    }
    while let Some((most, _)) = &found {
        let middle = most.midpoint(too_many);
        if middle == *most {
            break;
        }
        match find(middle) {
            Some(what) => found = Some((middle, what)),
            None => too_many = middle,
        }
    }
    found
}
