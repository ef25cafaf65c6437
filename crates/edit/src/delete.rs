//! Leave out a range, and close the gap.

use crate::divided::{Divided, half, straighten, unroll};
use crate::ends;
use crate::joined::{CurvePart, joined, last_value};
use crate::refused::{self, Ends, Reason};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Channel, Clip, Curve, Outside, Track};
use dopesheet_core::times::RangeSpec;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::keys::trim::first_key;

/// Options of [`delete`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delete {
    /// The range to delete; the pose at its end stays, and moves to its start.
    pub range: RangeSpec,
    /// True if ends between two frames are the nearest frame; else they are refused.
    pub snap: bool,
}

/// Leaves out a range of a clip. Keys at its end or after it move earlier by its length, and so do markers
/// and the end of the clip.
///
/// Keys outside the range stay as they are; a curve that crosses an end of the range is divided there. A
/// curve with different values at both ends jumps: on frames, the last frame before the range keeps its pose,
/// and the next has the pose of the range's end; without frames, two keys stand at the same time. A curve
/// whose first key is in the range gets a key before the range, to hold its first value until there.
///
/// # Errors
/// If the range is empty or ends before it starts, reaches beyond the clip, or has an end between two frames
/// of the clip's grid; if a placement has a curve that cannot be divided at an end of the range.
pub fn delete(clip: &mut Clip, options: &Delete, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let range = ends::range(clip, options.range, options.snap)?;
    if range.end.0 <= range.start.0 {
        return Err(refused::backwards(&range));
    }
    let mut divided = Divided::of(basis);
    let start = Seconds(first_key(clip).map_or(0.0, |first| first.0.min(0.0)));
    let gap = Gap { range, start, end: last_key(clip), basis };
    for track in &mut clip.tracks {
        gap.close(track, &mut divided)?;
    }
    let (length, range) = (range.end.0 - range.start.0, range.start.0..range.end.0);
    clip.markers.retain(|marker| !range.contains(&marker.time.0));
    for marker in clip.markers.iter_mut().filter(|marker| marker.time.0 >= range.end) {
        marker.time = on_grid(clip.grid, marker.time.0 - length);
    }
    clip.duration = on_grid(clip.grid, clip.end().0 - length);
    divided.tell(report);
    Ok(())
}

fn on_grid(grid: Option<FrameRate>, time: f64) -> Seconds {
    grid.map_or(Seconds(time), |rate| rate.snap(Seconds(time)))
}

/// The time of the last key of a clip, or the clip's end if that is later.
pub(crate) fn last_key(clip: &Clip) -> Seconds {
    let last = clip.curves().filter_map(|curve| curve.times.span()).map(|(_, last)| last.0);
    Seconds(last.fold(clip.end().0, f64::max))
}

/// A range being deleted.
struct Gap<'a> {
    range: Ends,
    /// Time of the first key, or 0 if that is earlier.
    start: Seconds,
    /// Time of the last key.
    end: Seconds,
    basis: &'a Basis,
}

impl Gap<'_> {
    /// True if nothing is before the range.
    fn is_first(&self) -> bool {
        self.range.start.0 <= self.start.0
    }

    fn close(&self, track: &mut Track, divided: &mut Divided) -> Result<(), Reason> {
        for channel in &mut track.channels {
            unroll(channel, &track.target, self.start, self.end, divided);
        }
        let start = self.range.start;
        let undivided = &mut Divided::of(self.basis);
        let whole = self.halves(track, start, undivided).or_else(|_| {
            self.make_dividable(track, divided);
            self.halves(track, start, undivided)
        })?;
        let jumps = self.jumps(track, &whole);
        // Where a frame has one value, the last frame before the range is the last of its pose.
        let before = self.range.grid.filter(|_| !self.is_first() && jumps);
        let until = before.map_or(start, |rate| rate.seconds(rate.frame(start) - 1.0));
        let halves = self.halves(track, until, divided)?;
        for (channel, halves) in track.channels.iter_mut().zip(&halves) {
            let [before, after] = halves.as_slice() else { continue };
            let (before, after) = (before.composition.curves(), after.composition.curves());
            let sides: Vec<(&Curve, &Curve)> = before.zip(after).collect();
            for (curve, (before, after)) in channel.composition.curves_mut().into_iter().zip(sides) {
                if let Some(joined_curve) = joined(&self.parts(curve, before, after, until, !jumps)) {
                    *curve = joined_curve;
                }
            }
        }
        Ok(())
    }

    /// Both sides of the range of each channel, the first side up to a time.
    fn halves(
        &self,
        track: &Track,
        until: Seconds,
        divided: &mut Divided,
    ) -> Result<Vec<Vec<Channel>>, Reason> {
        let both = |channel: &Channel| -> Result<Vec<Channel>, Reason> {
            let ranges = [(None, until), (Some(self.range.end), self.end)];
            let side = |range| half(channel, &track.target, range, divided);
            ranges.into_iter().map(side).collect()
        };
        track.channels.iter().map(both).collect()
    }

    /// Makes channels straight if they cannot be divided at an end of the range.
    fn make_dividable(&self, track: &mut Track, divided: &mut Divided) {
        let Self { range, end, basis, .. } = *self;
        for channel in &mut track.channels {
            let mut sides = [(None, range.start), (Some(range.end), end)].into_iter();
            let is_dividable = |range| half(channel, &track.target, range, &mut Divided::of(basis)).is_ok();
            if !sides.all(is_dividable) {
                straighten(channel, &track.target, None, end, divided);
            }
        }
    }

    /// True if a curve has different values at both ends.
    fn jumps(&self, track: &Track, halves: &[Vec<Channel>]) -> bool {
        let curves = |halves: &[Channel], half: usize| -> Vec<Curve> {
            halves.get(half).map(|half| half.composition.curves().cloned().collect()).unwrap_or_default()
        };
        track.channels.iter().zip(halves).any(|(channel, halves)| {
            let sides = curves(halves, 0).into_iter().zip(curves(halves, 1));
            channel.composition.curves().zip(sides).any(|(curve, (before, after))| {
                self.parts(curve, &before, &after, self.range.start, true).len() > 1
                    && last_value(&before) != after.value(0).unwrap_or_default()
            })
        })
    }

    /// The remaining parts of a curve, without parts that add nothing.
    fn parts<'c>(
        &self,
        curve: &Curve,
        before: &'c Curve,
        after: &'c Curve,
        until: Seconds,
        meets: bool,
    ) -> Vec<CurvePart<'c>> {
        let Ends { start, end, .. } = self.range;
        let Some((first, last)) = curve.times.span() else { return Vec::new() };
        let begins = match &curve.before {
            Outside::Ramp { start, .. } => start.0.min(first.0),
            _ => first.0,
        };
        let part = |curve, later: f64, start: f64, end: f64| CurvePart {
            curve,
            later: Seconds(later),
            start: Seconds(start),
            end: Seconds(end),
            is_own: true,
            meets,
            is_silent: false,
        };
        let earlier = start.0 - end.0;
        let early = part(before, 0.0, begins.min(until.0), until.0);
        // A curve's only key is on both sides of the range, and stands in the document once.
        let late =
            CurvePart { is_own: curve.len() > 1, ..part(after, earlier, start.0, self.end.0 + earlier) };
        match () {
            () if self.is_first() || begins >= end.0 => vec![CurvePart { is_own: true, ..late }],
            () if last.0 <= start.0 => vec![early],
            () => vec![early, late],
        }
    }
}
