//! Varying speeds.

use crate::divided::{Divided, unroll};
use crate::ends;
use crate::keys::divide;
use crate::refused::Reason;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Blend, Channel, Clip, Curve, Outside, Times, Track};
use dopesheet_core::times::TimeValue;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;

/// New times of a clip by its old times: straight between points, each later than the point before in both
/// times. Before the first point and behind the last the speed is unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeMap {
    /// Time of the clip, and its new time.
    pub points: Vec<(TimeValue, TimeValue)>,
}

impl TimeMap {
    /// Its points in seconds of a clip.
    fn on(&self, clip: &Clip) -> Result<RetimeLine, Reason> {
        let point = |(from, to): &(TimeValue, TimeValue)| -> Result<[f64; 2], Reason> {
            Ok([ends::time(clip, *from, false)?.0, to.seconds(clip.grid)?.0])
        };
        let points = self.points.iter().map(point).collect::<Result<Vec<_>, _>>()?;
        let stays = |pair: &[[f64; 2]]| matches!(pair, [[a, b], [c, d]] if c <= a || d <= b);
        match points.windows(2).position(stays) {
            Some(before) => Err(Reason::new(format!(
                "expected points that are later than those before them, in the old times and in the new ones, found that point {} \
                 is not",
                before + 2
            ))),
            None if points.len() < 2 => Err(Reason::new(format!(
                "expected at least two points, found {}",
                counted(points.len(), "point")
            ))),
            None => Ok(RetimeLine { points }),
        }
    }
}

/// Points of a map in seconds of a clip: times, and their new times.
pub(crate) fn line(map: &TimeMap, clip: &Clip) -> Result<Vec<[f64; 2]>, Reason> {
    Ok(map.on(clip)?.points)
}

/// A line through points in seconds.
struct RetimeLine {
    points: Vec<[f64; 2]>,
}

impl RetimeLine {
    /// New time at a time.
    fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|[from, _]| *from <= time);
        let near = after.saturating_sub(1);
        let [from, to] = self.points.get(near).copied().unwrap_or_default();
        to + (time - from) * self.factor(after)
    }

    /// Factor of times before the point at a position; 1 before the first and behind the last.
    fn factor(&self, position: usize) -> f64 {
        let before = position.checked_sub(1).and_then(|before| self.points.get(before));
        match (before, self.points.get(position)) {
            (Some([a, b]), Some([c, d])) => (d - b) / (c - a),
            _ => 1.0,
        }
    }

    /// Factors just before a time and just after it.
    fn factors(&self, time: f64) -> [f64; 2] {
        [
            self.factor(self.points.partition_point(|[from, _]| *from < time)),
            self.factor(self.points.partition_point(|[from, _]| *from <= time)),
        ]
    }

    /// Times at which the speed changes.
    fn knees(&self) -> impl Iterator<Item = Seconds> {
        self.points
            .iter()
            .map(|[from, _]| *from)
            .filter(|from| {
                let [before, after] = self.factors(*from);
                (before - after).abs() > 1e-9 * after
            })
            .map(Seconds)
    }
}

/// Moves all keys and markers to their new times. Curves are divided at changes of speed, so that each keeps
/// its shape on either side; a track that stands still or steps there needs no key.
pub(super) fn bend(clip: &mut Clip, map: &TimeMap, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let line = map.on(clip)?;
    let mut divided = Divided::of(basis);
    let (all, bends) = ((Seconds(0.0), clip.end()), line.knees().next().is_some());
    for track in &mut clip.tracks {
        // Repetitions would have the speed that their keys have.
        for channel in track.channels.iter_mut().filter(|_| bends) {
            unroll(channel, &track.target, all.0, all.1, &mut divided);
        }
        for knee in line.knees() {
            divide_at(track, knee, &mut divided)?;
        }
        for channel in &mut track.channels {
            for curve in channel.composition.curves_mut() {
                move_keys(curve, &line);
            }
        }
    }
    divided.tell_of(report, "where the speed changes");
    for marker in &mut clip.markers {
        marker.time = Seconds(line.at(marker.time.0));
    }
    let end = Seconds(line.at(clip.duration.0));
    clip.duration = clip.grid.map_or(end, |rate| rate.snap(end));
    Ok(())
}

/// Divides the curves of a track that move at a time. Channels with common key times keep common key times.
fn divide_at(track: &mut Track, at: Seconds, divided: &mut Divided) -> Result<(), Reason> {
    let moves: Vec<bool> = track.channels.iter().map(|channel| !stands_still(channel, at)).collect();
    let curves = || track.channels.iter().flat_map(|channel| channel.composition.curves());
    let first = curves().next().map(|curve| &curve.times);
    let are_together = first.is_some_and(|first| curves().all(|curve| curve.times == *first));
    let all = are_together && moves.contains(&true);
    for (channel, _) in track.channels.iter_mut().zip(moves).filter(|(_, moves)| all || *moves) {
        divide(channel, &track.target, at, divided)?;
    }
    Ok(())
}

/// True if all curves of a channel step at a time, or have the same value before and after it.
fn stands_still(channel: &Channel, at: Seconds) -> bool {
    channel.composition.curves().all(|curve| {
        let after = curve.times.count_until(at);
        let Some(before) = after.checked_sub(1) else { return true };
        match curve.laws.get(before).blend {
            Blend::Step => true,
            Blend::Lerp | Blend::Slerp | Blend::Nlerp => curve.value(before) == curve.value(after),
            _ => false,
        }
    })
}

fn move_keys(curve: &mut Curve, line: &RetimeLine) {
    // Slopes are per second.
    if let Some(handles) = curve.handles.as_deref_mut().filter(|_| has_slopes(&curve.laws)) {
        let sides = [&mut handles.arriving, &mut handles.leaving];
        for (side, slopes) in sides.into_iter().enumerate() {
            for (slopes, time) in slopes.chunks_mut(curve.width.max(1)).zip(curve.times.iter()) {
                let factor = line.factors(time.0).get(side).copied().unwrap_or(1.0);
                for slope in slopes {
                    *slope = (f64::from(*slope) / factor) as f32;
                }
            }
        }
    }
    let rate = match curve.times {
        Times::Frames { rate, .. } => Some(rate),
        Times::Seconds(_) => None,
    };
    if let Outside::Ramp { start, .. } = &mut curve.before {
        let moved = Seconds(line.at(start.0));
        *start = rate.map_or(moved, |rate| rate.snap(moved));
    }
    let times: Vec<Seconds> = curve.times.iter().map(|time| Seconds(line.at(time.0))).collect();
    let on_frames = rate.and_then(|rate| frames(rate, &times));
    curve.times = on_frames.unwrap_or_else(|| Times::Seconds(times.iter().map(|time| time.0).collect()));
}

/// Times as frames, if all of them are some.
fn frames(rate: FrameRate, times: &[Seconds]) -> Option<Times> {
    let frame = |time: &Seconds| {
        let frame = rate.frame(rate.grid_point(*time)?);
        (frame.abs() < 2f64.powi(53)).then_some(frame as i64)
    };
    let frames = times.iter().map(frame).collect::<Option<_>>()?;
    Some(Times::Frames { rate, frames })
}

/// True if the handles of a curve are slopes; those of spherical cubics are rotations.
pub(super) fn has_slopes(laws: &dopesheet_core::model::Laws) -> bool {
    use dopesheet_core::model::Blend::{Squad, Turn};
    laws.all(|law| !matches!(law.blend, Squad | Turn))
}
