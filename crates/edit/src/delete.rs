//! Leave out a range, and close the gap.

use crate::divided::{Divided, part};
use crate::ends;
use crate::joined::{Part, joined, last_value};
use crate::refused::{Ends, Reason};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Channel, Clip, Curve, Outside, Track};
use dopesheet_core::times::RangeSpec;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::keys::trim::first_key;

/// Options of [`delete`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delete {
    /// The range that goes; what is at its end stays, and comes to its start.
    pub range: RangeSpec,
    /// True if ends between two frames are the nearest frame; else they are refused.
    pub snap: bool,
}

/// Leaves out a range of a clip; keys at its end or after it come earlier by its length, and so do markers and the end of the clip.
///
/// A key outside stays as it is; a curve that goes on beyond an end is divided there. Where a curve has different values at both
/// ends, it jumps: on frames, the last frame before the range keeps its pose, and the next one has that of the end; without frames,
/// two keys have one time.
///
/// # Errors
/// If the range ends before it starts, reaches beyond the clip, or has an end between two frames of the clip's grid; if the clip has
/// a curve that cannot be divided at one of them.
pub fn delete(clip: &mut Clip, options: &Delete, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let range = ends::range(clip, options.range, options.snap)?;
    let mut divided = Divided::default();
    let start = first_key(clip).map_or(0.0, |first| first.0.min(0.0));
    let gap = Gap { range, is_first: range.start.0 <= start, end: last_key(clip), basis };
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

/// The time of the last key of a clip, or its end where that is later.
pub(crate) fn last_key(clip: &Clip) -> Seconds {
    let channels = clip.tracks.iter().flat_map(|track| &track.channels);
    let curves = channels.flat_map(|channel| channel.composition.curves());
    let last = curves.filter_map(|curve| curve.times.span()).map(|(_, last)| last.0);
    Seconds(last.fold(clip.end().0, f64::max))
}

/// A range that goes.
struct Gap<'a> {
    range: Ends,
    /// True if nothing is before it.
    is_first: bool,
    /// Time of the last key.
    end: Seconds,
    basis: &'a Basis,
}

impl Gap<'_> {
    fn close(&self, track: &mut Track, divided: &mut Divided) -> Result<(), Reason> {
        let target = track.target.clone();
        let pieces = |until: Seconds, divided: &mut Divided| {
            let piece = |channel: &Channel| {
                let mut halves = Vec::with_capacity(2);
                for range in [(None, until), (Some(self.range.end), self.end)] {
                    halves.push(part(channel, &target, range, self.basis, divided)?);
                }
                Ok(halves)
            };
            track.channels.iter().map(piece).collect::<Result<Vec<_>, Reason>>()
        };
        let start = self.range.start;
        let jumps = self.jumps(track, &pieces(start, &mut Divided::default())?);
        // Where a frame has one value, the last frame before the range is the last of its pose.
        let before = self.range.grid.filter(|_| !self.is_first && jumps);
        let until = before.map_or(start, |rate| rate.seconds(rate.frame(start) - 1.0));
        let halves = pieces(until, divided)?;
        for (channel, halves) in track.channels.iter_mut().zip(&halves) {
            let [before, after] = halves.as_slice() else { continue };
            let (before, after) = (before.composition.curves(), after.composition.curves());
            let sides: Vec<(&Curve, &Curve)> = before.zip(after).collect();
            for (curve, (before, after)) in channel.composition.curves_mut().into_iter().zip(sides) {
                if let Some(made) = joined(&self.parts(curve, (before, after), until, !jumps)) {
                    *curve = made;
                }
            }
        }
        Ok(())
    }

    /// True if a curve has different values at both ends.
    fn jumps(&self, track: &Track, halves: &[Vec<Channel>]) -> bool {
        let curves = |halves: &[Channel], half: usize| -> Vec<Curve> {
            halves.get(half).map(|half| half.composition.curves().cloned().collect()).unwrap_or_default()
        };
        track.channels.iter().zip(halves).any(|(channel, halves)| {
            let sides = curves(halves, 0).into_iter().zip(curves(halves, 1));
            channel.composition.curves().zip(sides).any(|(curve, (before, after))| {
                self.parts(curve, (&before, &after), self.range.start, true).len() > 1
                    && last_value(&before) != after.value(0).unwrap_or_default()
            })
        })
    }

    /// The parts of a curve that are left, of those that say something.
    fn parts<'c>(
        &self,
        curve: &Curve,
        (before, after): (&'c Curve, &'c Curve),
        until: Seconds,
        meets: bool,
    ) -> Vec<Part<'c>> {
        let Ends { start, end, .. } = self.range;
        let Some((first, last)) = curve.times.span() else { return Vec::new() };
        let begins = match &curve.before {
            Outside::Ramp { start, .. } => start.0.min(first.0),
            _ => first.0,
        };
        let part = |curve, later: f64, start: f64, end: f64| Part {
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
        let late = part(after, earlier, start.0, self.end.0 + earlier);
        match () {
            // Before the first key its value is held anyway.
            () if self.is_first || begins >= start.0 => vec![late],
            () if last.0 <= start.0 => vec![early],
            () => vec![early, late],
        }
    }
}
