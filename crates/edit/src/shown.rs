//! Times of a clip after an operation, by its times before.

use crate::ends;
use crate::refused::{Ends, Reason};
use crate::retime::{Pace, line};
use crate::{KeyChange, Operation, Retime};
use dopesheet_core::model::Clip;
use dopesheet_core::units::Seconds;
use dopesheet_motion::compare::{Course, Stretch};

/// Motion of a clip after an operation, relative to its motion before.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// The same motion at the same times; any difference is an error.
    Same,
    /// The same motion at other times; any difference is an error.
    At(Course),
    /// New motion besides these times; any difference at these times is an error.
    Besides(Course),
    /// Another motion, as the operation intends, so differences are no error.
    New,
}

impl Operation {
    /// The stretches of the earlier clip shown after the operation.
    #[must_use]
    pub fn shown(&self, before: &Clip, after: &Clip) -> Shown {
        let at = |stretches: Result<Vec<Stretch>, Reason>| {
            stretches.map_or(Shown::New, |stretches| Shown::At(Course::new(stretches)))
        };
        let end = after.end().0;
        match self {
            Self::Trim(trim) => {
                at(ends::range(before, trim.range, trim.snap).map(|Ends { start, end, .. }| {
                    let later = if trim.keep_time { 0.0 } else { start.0 };
                    vec![stretch(start.0 - later, end.0 - later, start.0, 1.0)]
                }))
            }
            Self::Delete(delete) => at(ends::range(before, delete.range, delete.snap).map(|range| {
                // The last frame before the range may lead to what comes up.
                let frame = range.grid.map_or(0.0, |rate| rate.fps().recip());
                let early = stretch(0.0, range.start.0 - frame, 0.0, 1.0);
                let late = stretch(range.start.0.max(0.0), end, range.end.0, 1.0);
                [early, late]
                    .into_iter()
                    .filter(|stretch_of_clip| stretch_of_clip.start.0 < stretch_of_clip.end.0)
                    .collect()
            })),
            Self::Shift(shift) => {
                at(ends::time(before, shift.by, shift.snap).map(|by| vec![stretch(0.0, end, -by.0, 1.0)]))
            }
            Self::Retime(retime) => at(retimed(retime, before, end)),
            Self::Repeat(repeat) => at(Ok(repeated(repeat.times, before.end().0, end))),
            Self::Concat(_) => Shown::Besides(Course::until(before.end())),
            Self::Loop(options) => options
                .stretch(before)
                .map_or(Shown::New, |over| Shown::Besides(Course::until(Seconds(before.end().0 - over.0)))),
            Self::Resample(_) | Self::Reduce(_) | Self::Markers(_) | Self::Set(_) => Shown::Same,
            Self::Keys(keys) if matches!(keys.change, KeyChange::Insert { .. }) => Shown::Same,
            Self::Merge(_)
            | Self::Reverse
            | Self::Mirror(_)
            | Self::Keys(_)
            | Self::Move(_)
            | Self::Smooth(_)
            | Self::Rename(_)
            | Self::Select(_)
            | Self::Drop(_) => Shown::New,
        }
    }
}

fn stretch(start: f64, end: f64, from: f64, speed: f64) -> Stretch {
    Stretch { start: Seconds(start), end: Seconds(end), from: Seconds(from), speed }
}

/// The stretches of a clip with another speed.
fn retimed(retime: &Retime, before: &Clip, end: f64) -> Result<Vec<Stretch>, Reason> {
    let Pace::Curve(map) = &retime.pace else {
        return Ok(vec![stretch(0.0, end, 0.0, retime.factor(before)?.recip())]);
    };
    let points = line(map, before)?;
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(Vec::new()) };
    let mut all = vec![stretch(0.0, first[1], first[0] - first[1], 1.0)];
    all.extend(points.windows(2).filter_map(|pair| match pair {
        [[a, b], [c, d]] => Some(stretch(*b, *d, *a, (c - a) / (d - b))),
        _ => None,
    }));
    all.push(stretch(last[1], end, last[0], 1.0));
    all.retain(|stretch_of_clip| stretch_of_clip.start.0 < stretch_of_clip.end.0);
    Ok(all)
}

/// The stretches of a repeated clip, evenly spaced until an end.
fn repeated(times: usize, length: f64, end: f64) -> Vec<Stretch> {
    let period = (end - length) / (times.max(2) - 1) as f64;
    let starts = (0..times).map(|number| number as f64 * period);
    starts.map(|start| stretch(start, start + length, 0.0, 1.0)).collect()
}
