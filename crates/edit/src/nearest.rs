//! Keys on the nearest frames, for formats whose keys stand on frames alone.

use crate::rows::{made_of, rows_of};
use dopesheet_core::model::{Blend, Clip, Curve, Laws, Outside, Times, Track};
use dopesheet_core::units::{FrameRate, Seconds};

/// Numbers of curves and keys that [`on_frames`] changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnFrames {
    /// Curves with a key at another time.
    pub moved: usize,
    /// Keys left out; keys of a track at the same time count once.
    pub lost: usize,
}

/// Puts all keys of a clip, and its end, on the nearest frames of a rate, as MikuMikuDance does. Values and laws stay.
///
/// Of keys at different times with the same nearest frame the latest stays. A key before a cut goes to the
/// frame before instead, if no key stands there.
pub fn on_frames(clip: &mut Clip, rate: FrameRate) -> OnFrames {
    let mut changes = OnFrames::default();
    for track in &mut clip.tracks {
        let mut lost = 0;
        let Track { target, channels } = track;
        for curve in channels.iter_mut().flat_map(|channel| channel.composition.curves_mut()) {
            let is_on_frames = curve.times.iter().all(|time| rate.grid_point(time).is_some());
            if let Some((on_frames, gone)) = nearest(curve, rate, target.label()) {
                changes.moved += usize::from(!is_on_frames);
                lost = gone.max(lost);
                *curve = on_frames;
            }
        }
        changes.lost += lost;
    }
    clip.duration = rounded(clip.duration, rate);
    clip.grid = Some(rate);
    changes
}

/// The nearest frame; the later of two, also if rounding has moved a time a little off the middle.
fn nearest_frame(time: Seconds, rate: FrameRate) -> f64 {
    (rate.frame(time) + 0.5 + ROUNDING).floor()
}

/// Possible error of computed times, as a share of a frame.
const ROUNDING: f64 = 1e-6;

/// The nearest frame, as a time.
fn rounded(time: Seconds, rate: FrameRate) -> Seconds {
    rate.seconds(nearest_frame(time, rate))
}

/// A curve with its keys on the nearest frames, and the number of keys left out; `None` for a curve without
/// keys, or with times too large for frames.
fn nearest(curve: &Curve, rate: FrameRate, target: &str) -> Option<(Curve, usize)> {
    let frames = frames(curve, rate)?;
    let mut rows = rows_of(curve);
    rows.iter_mut().zip(&frames).for_each(|(row, frame)| row.at = rate.seconds(*frame as f64));
    rows.retain(|row| {
        let frame = frames.get(row.key);
        let last = frames.partition_point(|other| Some(other) <= frame).saturating_sub(1);
        curve.times.get(row.key) == curve.times.get(last)
    });
    let mut moved_curve = made_of(curve, &rows, target).ok()?;
    // What went leaves the way by which the next key is arrived at.
    let arrivals = rows.iter().skip(1).map(|row| curve.laws.get(row.key.saturating_sub(1)));
    if rows.len() > 1 {
        moved_curve.laws = Laws::from_segments(arrivals);
    }
    let frames = rows.iter().filter_map(|row| frames.get(row.key).copied()).collect();
    moved_curve.times = Times::Frames { rate, frames };
    if let Outside::Ramp { start, .. } = &mut moved_curve.before {
        *start = rounded(*start, rate);
    }
    Some((moved_curve, curve.len() - rows.len()))
}

/// The frames of all keys of a curve, ascending.
fn frames(curve: &Curve, rate: FrameRate) -> Option<Vec<i64>> {
    let frame = |time: Seconds| {
        let frame = nearest_frame(time, rate);
        (frame.abs() < 2f64.powi(53)).then_some(frame as i64)
    };
    let mut frames: Vec<i64> = curve.times.iter().map(frame).collect::<Option<_>>()?;
    for key in (1..frames.len().saturating_sub(1)).rev() {
        let is_cut = curve.laws.get(key).blend == Blend::Step && curve.laws.get(key - 1).blend != Blend::Step;
        let is_one = curve.times.get(key) == curve.times.get(key + 1);
        if let Some([before, own, after]) = frames.get_mut(key - 1..).and_then(|rest| rest.first_chunk_mut())
            && is_cut
            && !is_one
            && own == after
            && *before < *own - 1
        {
            *own -= 1;
        }
    }
    (!frames.is_empty()).then_some(frames)
}
