//! Times of an animation made of a source: earlier, later, faster or slower than there.

use dopesheet_core::units::Seconds;
use std::ops::Range;

/// Stretch of an animation with the motion of a stretch of its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Start of the stretch.
    pub start: Seconds,
    /// End of the stretch, not before its start.
    pub end: Seconds,
    /// Time of the source at the start.
    pub from: Seconds,
    /// Seconds of the source in a second; above 0.
    pub speed: f64,
}

/// Times of an animation by the times of its source. Between stretches there is nothing of the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Ascending, without overlaps.
    stretches: Vec<Stretch>,
}

impl Stretch {
    fn shown(&self, time: f64) -> f64 {
        self.from.0 + (time - self.start.0) * self.speed
    }

    /// Time at which a time of the source is shown.
    fn time_of(&self, shown: f64) -> f64 {
        self.start.0 + (shown - self.from.0) / self.speed
    }
}

impl Course {
    /// Course of stretches in ascending order.
    #[must_use]
    pub const fn new(stretches: Vec<Stretch>) -> Self {
        Self { stretches }
    }

    /// Course with the source's times until an end.
    #[must_use]
    pub fn until(end: Seconds) -> Self {
        Self::new(vec![Stretch { start: Seconds(0.0), end, from: Seconds(0.0), speed: 1.0 }])
    }

    /// The course from the source of this course's source, where `earlier` is the course from that source to
    /// this one.
    #[must_use]
    pub fn through(&self, earlier: &Self) -> Self {
        let mut stretches = Vec::with_capacity(self.stretches.len());
        for later in &self.stretches {
            for before in &earlier.stretches {
                let start = later.time_of(before.start.0).max(later.start.0);
                let end = later.time_of(before.end.0).min(later.end.0);
                if start < end {
                    let from = Seconds(before.shown(later.shown(start)));
                    let [start, end] = [start, end].map(Seconds);
                    stretches.push(Stretch { start, end, from, speed: later.speed * before.speed });
                }
            }
        }
        Self { stretches }
    }

    /// The time of the source at a time.
    pub(super) fn shown(&self, time: f64) -> f64 {
        let behind = self.stretches.partition_point(|stretch| stretch.start.0 <= time);
        let stretch = self.stretches.get(behind.saturating_sub(1));
        stretch.map_or(time, |stretch| stretch.shown(time))
    }

    /// The times at which a time of the source is shown.
    pub(super) fn times_of(&self, shown: f64) -> impl Iterator<Item = f64> {
        let time = move |stretch: &Stretch| (stretch.start.0..=stretch.end.0, stretch.time_of(shown));
        self.stretches.iter().map(time).filter(|(range, time)| range.contains(time)).map(|(_, time)| time)
    }

    /// The latest time of the source.
    pub(super) fn latest_shown(&self) -> f64 {
        self.stretches.iter().map(|stretch| stretch.shown(stretch.end.0)).fold(0.0, f64::max)
    }

    /// End of the last stretch.
    pub(super) fn end(&self) -> f64 {
        self.stretches.last().map_or(0.0, |last| last.end.0)
    }

    /// Ranges between stretches, from 0 on: empty at a jump of the shown time from a stretch to the next.
    pub(super) fn gaps(&self) -> Vec<Range<f64>> {
        let ends = std::iter::once(None).chain(self.stretches.iter().map(Some));
        let gap = |(before, next): (Option<&Stretch>, &Stretch)| {
            let start = before.map_or(0.0, |before| before.end.0);
            let goes_on = before.is_none_or(|before| {
                let shown = before.shown(before.end.0);
                (shown - next.from.0).abs() <= f64::EPSILON * 4.0 * shown.abs().max(1.0)
            });
            (start < next.start.0 || !goes_on).then_some(start..next.start.0.max(start))
        };
        ends.zip(&self.stretches).filter_map(gap).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(start: f64, end: f64, from: f64, speed: f64) -> Stretch {
        Stretch { start: Seconds(start), end: Seconds(end), from: Seconds(from), speed }
    }

    #[test]
    fn a_course_through_another_shows_what_that_one_shows() {
        let cut = Course::new(vec![stretch(0.0, 1.0, 0.0, 1.0), stretch(1.0, 3.0, 2.0, 1.0)]);
        let slow = Course::new(vec![stretch(0.0, 6.0, 0.0, 0.5)]);
        let both = slow.through(&cut);
        assert_eq!(both, Course::new(vec![stretch(0.0, 2.0, 0.0, 0.5), stretch(2.0, 6.0, 2.0, 0.5)]));
        assert_eq!((both.shown(1.0), both.shown(2.0), both.shown(4.0)), (0.5, 2.0, 3.0));
        assert_eq!(both.times_of(3.0).collect::<Vec<_>>(), [4.0]);
        assert_eq!((both.latest_shown(), both.gaps()), (4.0, vec![2.0..2.0]));
    }

    #[test]
    fn a_gap_is_what_no_stretch_shows() {
        let late = Course::new(vec![stretch(1.0, 2.0, 1.0, 1.0), stretch(2.5, 3.0, 2.5, 1.0)]);
        assert_eq!(late.gaps(), [0.0..1.0, 2.0..2.5]);
        assert_eq!(Course::until(Seconds(2.0)).gaps(), []);
    }
}
