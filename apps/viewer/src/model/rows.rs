//! The dope sheet as rows of keys, drawn as marks far enough apart to be seen one by one.

use dopesheet::core::model::{Channel, Clip, Composition, Curve, Property, TargetKind, ValueKind};
use dopesheet::core::order::ascend;
use dopesheet::motion::native_parts;

/// One channel of one target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Indices of the track in the clip, of the channel in the track, and of the part in the channel.
    pub(crate) place: [usize; 3],
    /// Name of the channel's part in the terms of the source, with the unit.
    pub(crate) name: String,
    /// Times of all keys, ascending, each once.
    pub(crate) keys: Vec<f64>,
}

/// The rows of one target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) target: String,
    pub(crate) kind: TargetKind,
    pub(crate) rows: Vec<Row>,
    /// Times of all keys of all rows, ascending, each once.
    pub(crate) keys: Vec<f64>,
    pub(crate) is_open: bool,
}

/// A line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// All rows of a group together.
    Group(usize),
    /// A row of a group.
    Row(usize, usize),
}

/// The rows of a clip in the order of its tracks, without the rows that have no keys.
pub(crate) fn groups(clip: &Clip) -> Vec<Group> {
    let mut groups = Vec::new();
    for (track_index, track) in clip.tracks.iter().enumerate() {
        let mut rows = Vec::new();
        for (channel_index, channel) in track.channels.iter().enumerate() {
            for (part_index, (name, curves)) in native_parts(channel).into_iter().enumerate() {
                let keys = merged(curves.iter().map(|curve| curve.times.iter().map(|time| time.0)));
                if !keys.is_empty() {
                    let place = [track_index, channel_index, part_index];
                    rows.push(Row { place, name: name.to_owned(), keys });
                }
            }
        }
        if !rows.is_empty() {
            let keys = merged(rows.iter().map(|row| row.keys.iter().copied()));
            let target = track.target.label().to_owned();
            groups.push(Group { target, kind: track.target.kind, rows, keys, is_open: false });
        }
    }
    groups
}

fn merged<T: Iterator<Item = f64>>(lists: impl Iterator<Item = T>) -> Vec<f64> {
    let mut keys: Vec<f64> = lists.flatten().filter(|time| time.is_finite()).collect();
    // Most rows have one list, which ascends already.
    if !keys.is_sorted() {
        ascend(&mut keys);
    }
    keys.dedup();
    keys
}

/// The lines of a sheet: targets and channels whose name contains `filter`, in letters of either case. A target with a single
/// matching row has the line of this row alone.
pub(crate) fn lines(groups: &[Group], filter: &str) -> Vec<Line> {
    let filter = filter.trim().to_lowercase();
    let mut lines = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let by_target = filter.is_empty() || group.target.to_lowercase().contains(&filter);
        let matches = |row: &Row| by_target || row.name.to_lowercase().contains(&filter);
        let rows: Vec<usize> = (0..group.rows.len()).filter(|row| matches(&group.rows[*row])).collect();
        match &rows[..] {
            [] => {}
            [row] => lines.push(Line::Row(index, *row)),
            rows => {
                lines.push(Line::Group(index));
                if group.is_open {
                    lines.extend(rows.iter().map(|row| Line::Row(index, *row)));
                }
            }
        }
    }
    lines
}

/// A stretch of time as drawn in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    /// The time at the left edge, in seconds.
    pub(crate) from: f64,
    /// The time at the right edge, in seconds.
    pub(crate) to: f64,
    /// Width of the stretch in the window, in points.
    pub(crate) width: f32,
}

impl Span {
    /// Position of a time, in points from the left edge.
    pub(crate) fn at(&self, time: f64) -> f32 {
        ((time - self.from) / (self.to - self.from) * f64::from(self.width)) as f32
    }

    /// The time at a position, in points from the left edge.
    pub(crate) fn time(&self, at: f32) -> f64 {
        self.from + (self.to - self.from) * f64::from(at / self.width.max(1.0))
    }

    /// Shows a stretch shorter by a factor; the time at position `at` stays there.
    pub(crate) fn zoom(&mut self, factor: f64, at: f32) {
        let fixed = self.time(at);
        let length = ((self.to - self.from) / factor).clamp(1e-4, 1e7);
        let share = f64::from(at / self.width.max(1.0));
        self.from = fixed - length * share;
        self.to = self.from + length;
    }

    /// Moves the stretch to later times by a number of points.
    pub(crate) fn pan(&mut self, points: f32) {
        let by = (self.to - self.from) * f64::from(points / self.width.max(1.0));
        (self.from, self.to) = (self.from + by, self.to + by);
    }
}

/// Keys drawn as one mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Positions of the first and the last of the keys, in points.
    pub(crate) from: f32,
    pub(crate) to: f32,
    pub(crate) count: usize,
}

/// The marks of the keys within a span. Keys nearer than `gap` points share a mark: the number of marks is limited by the
/// width of the span, and the work does not grow with the number of keys.
pub(crate) fn marks(keys: &[f64], span: &Span, gap: f32) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let last = keys.partition_point(|time| *time <= span.to);
    let mut key = keys.partition_point(|time| *time < span.from);
    while key < last {
        let from = span.at(keys[key]);
        let reach = span.time(from + gap);
        let next = (key + 1).max(key + keys[key..last].partition_point(|time| *time < reach));
        let mark = Mark { from, to: span.at(keys[next - 1]), count: next - key };
        match marks.last_mut() {
            // Marks that would touch are one bar.
            Some(before) if mark.from - before.to < gap => {
                (before.to, before.count) = (mark.to, before.count + mark.count);
            }
            _ => marks.push(mark),
        }
        key = next;
    }
    marks
}

/// The last key before a time, or the first key after the time.
pub(crate) fn neighbour(keys: &[f64], time: f64, is_after: bool) -> Option<f64> {
    const SAME: f64 = 1e-6;
    match is_after {
        true => keys.get(keys.partition_point(|key| *key <= time + SAME)).copied(),
        false => keys.get(keys.partition_point(|key| *key < time - SAME).checked_sub(1)?).copied(),
    }
}

/// The channel and the curves of a row.
pub(crate) fn channel_of(clip: &Clip, [track, channel, part]: [usize; 3]) -> Option<(&Channel, &[Curve])> {
    let channel = clip.tracks.get(track)?.channels.get(channel)?;
    let (_, curves) = native_parts(channel).into_iter().nth(part)?;
    Some((channel, curves))
}

/// True for a channel whose value is a quaternion.
pub(crate) fn is_rotation(channel: &Channel) -> bool {
    let whole = matches!(channel.composition, Composition::Whole(_) | Composition::ComponentsNormalised(_));
    whole && channel.property.kind() == ValueKind::Rotation
}

/// Names of the components of a value with `count` components.
pub(crate) fn component_names(channel: &Channel, count: usize) -> Vec<String> {
    let letters: &[&str] = match (&channel.property, count) {
        (Property::Color, 3) => &["r", "g", "b"],
        (Property::Weights, _) => &[],
        (_, 3) => &["x", "y", "z"],
        (_, 4) => &["x", "y", "z", "w"],
        _ => &[],
    };
    (0..count).map(|i| letters.get(i).map_or_else(|| i.to_string(), |letter| (*letter).to_owned())).collect()
}

/// Round times for a ruler with a label every `room` points or more, and the distance between them, both in seconds. The number
/// of times is limited by the width of the ruler, even for times so large that neighbours are equal numbers.
pub(crate) fn ticks(span: &Span, room: f32, fps: Option<f64>) -> (Vec<f64>, f64) {
    let least = (span.to - span.from) * f64::from(room / span.width.max(1.0));
    let unit = fps.map_or(1.0, |fps| 1.0 / fps);
    let power = 10_f64.powf((least / unit).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| step * unit >= least).unwrap_or(power * 10.0);
    // Frames have no parts.
    let step = if fps.is_some() { step.max(1.0) * unit } else { step };
    let first = (span.from / step).ceil();
    let limit = (span.width / room.max(1.0)) as usize + 2;
    let times = (0..limit).map(|n| (first + n as f64) * step);
    (times.take_while(|time| *time <= span.to).collect(), step)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { from: 0.0, to: 10.0, width: 1000.0 };

    #[test]
    fn marks_are_never_more_than_there_is_room_for() {
        let keys: Vec<f64> = (0..20_000).map(|i| f64::from(i) * 5e-4).collect();
        let all = marks(&keys, &SPAN, 6.0);
        assert_eq!((all.len(), all[0].count), (1, 20_000), "one bar");
        let close = Span { from: 1.0, to: 1.01, ..SPAN };
        let some = marks(&keys, &close, 6.0);
        assert!(some.len() == 21 && some.iter().all(|mark| mark.count == 1), "{some:?}");
    }

    #[test]
    fn marks_count_every_key_in_sight() {
        let keys: Vec<f64> = (0..500).map(|i| f64::from(i * i) * 4e-5).collect();
        for gap in [1.0, 4.0, 30.0] {
            let count: usize = marks(&keys, &SPAN, gap).iter().map(|mark| mark.count).sum();
            assert_eq!(count, 500);
        }
        assert!(marks(&keys, &Span { from: 20.0, to: 30.0, ..SPAN }, 6.0).is_empty());
        assert!(marks(&[], &SPAN, 6.0).is_empty());
    }

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        let mut span = SPAN;
        let time = span.time(300.0);
        span.zoom(4.0, 300.0);
        assert!((span.time(300.0) - time).abs() < 1e-9 && (span.to - span.from - 2.5).abs() < 1e-9);
        for _ in 0..200 {
            span.zoom(0.5, 10.0);
        }
        assert!(span.to - span.from <= 1e7 && span.from.is_finite());
    }

    #[test]
    fn rulers_have_round_steps_and_whole_frames() {
        let (times, step) = ticks(&Span { from: 0.3, ..SPAN }, 60.0, None);
        assert!((times[0] - 1.0).abs() < 1e-9 && times.len() == 10 && step == 1.0, "{times:?} {step}");
        let (_, step) = ticks(&Span { from: 0.0, to: 0.1, ..SPAN }, 60.0, Some(30.0));
        assert!((step * 30.0 - 1.0).abs() < 1e-9, "{step}");
        for (from, to) in [(1e38, 1e38), (0.0, 0.0), (f64::MAX, f64::MAX), (1e17, 1e17 + 64.0)] {
            assert!(ticks(&Span { from, to, width: 1000.0 }, 60.0, None).0.len() < 20);
        }
    }

    #[test]
    fn neighbours_of_a_key_are_others() {
        let keys = [0.0, 1.0, 2.0];
        assert_eq!(neighbour(&keys, 1.0, true), Some(2.0));
        assert_eq!(neighbour(&keys, 1.0, false), Some(0.0));
        assert_eq!(neighbour(&keys, 0.0, false), None);
        assert_eq!(neighbour(&keys, 9.0, true), None);
    }

    #[test]
    fn groups_are_filtered_and_folded() {
        let row = |name: &str| Row { place: [0; 3], name: name.into(), keys: vec![0.0] };
        let group = |target: &str, rows: Vec<Row>, is_open| Group {
            target: target.into(),
            kind: TargetKind::Joint,
            rows,
            keys: vec![0.0],
            is_open,
        };
        let groups = [
            group("Hip", vec![row("rotation"), row("translation")], true),
            group("Knee", vec![row("rotation")], false),
            group("Foot", vec![row("rotation"), row("scale")], false),
        ];
        let all = [Line::Group(0), Line::Row(0, 0), Line::Row(0, 1), Line::Row(1, 0), Line::Group(2)];
        assert_eq!(lines(&groups, " "), all);
        assert_eq!(lines(&groups, "ROT"), [Line::Row(0, 0), Line::Row(1, 0), Line::Row(2, 0)]);
        assert_eq!(lines(&groups, "nothing"), []);
    }
}
