//! Play faster or slower.

mod map;

pub use map::TimeMap;
pub(crate) use map::line;

use crate::refused::{self, Reason};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Clip, Curve, Outside, Times};
use dopesheet_core::times::TimeValue;
use dopesheet_core::units::{FrameRate, Seconds};

/// Options of [`retime`].
#[derive(Clone, Debug, PartialEq)]
pub struct Retime {
    /// Speed of the clip.
    pub pace: Pace,
    /// True if a format with frames gets as many more keys as the tolerance needs. Else its keys go to the nearest frames, as in
    /// MikuMikuDance.
    pub exact: bool,
}

impl From<Pace> for Retime {
    fn from(pace: Pace) -> Self {
        Self { pace, exact: false }
    }
}

/// Speed of a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Pace {
    /// Faster by this factor, above 0; a factor below 1 is slower.
    Speed(f64),
    /// Until the clip has this duration.
    Duration(TimeValue),
    /// As if its frames had been meant for this rate. Nothing is sampled anew.
    Frames(FrameRate),
    /// With a varying speed, given by new times for some of the old times.
    Curve(TimeMap),
}

impl Retime {
    /// Factor of the times of a clip; 1 for a varying speed.
    pub(crate) fn factor(&self, clip: &Clip) -> Result<f64, Reason> {
        sound(match &self.pace {
            Pace::Speed(speed) => 1.0 / sound(*speed)?,
            Pace::Duration(duration) => factor_for(*duration, clip)?,
            Pace::Frames(rate) => clip.grid.ok_or_else(refused::no_frames)?.fps() / rate.fps(),
            Pace::Curve(_) => 1.0,
        })
    }
}

/// Factor of the times that gives a clip a duration.
fn factor_for(duration: TimeValue, clip: &Clip) -> Result<f64, Reason> {
    let (wanted, now) = (sound(duration.seconds(clip.grid)?.0)?, clip.end().0);
    if now == 0.0 { Err(refused::no_length()) } else { Ok(wanted / now) }
}

fn sound(factor: f64) -> Result<f64, Reason> {
    if factor.is_finite() && factor > 0.0 { Ok(factor) } else { Err(refused::not_above_0(factor)) }
}

/// Moves all keys and markers nearer together or farther apart; slopes follow, so that every curve keeps its
/// shape.
///
/// Keys on frames stay on whole frames if the new times are frames; all others are at arbitrary times until
/// [`on_frames`](fn@crate::on_frames) or the format puts them on its grid.
///
/// # Errors
/// If the factor is not above 0, or the clip lacks the frames or the length to compute the factor; if a point
/// of a map is not later than the point before, or between two frames; if a curve cannot be divided at a
/// change of speed.
pub fn retime(clip: &mut Clip, options: &Retime, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let rate = match &options.pace {
        Pace::Speed(_) | Pace::Duration(_) => None,
        Pace::Frames(rate) => Some(*rate),
        Pace::Curve(map) => return map::bend(clip, map, basis, report),
    };
    let factor = options.factor(clip)?;
    for channel in clip.tracks.iter_mut().flat_map(|track| &mut track.channels) {
        for curve in channel.composition.curves_mut() {
            stretch(curve, factor, rate);
        }
    }
    for marker in &mut clip.markers {
        marker.time = Seconds(marker.time.0 * factor);
    }
    let snapped =
        |time: f64, grid: Option<FrameRate>| grid.map_or(Seconds(time), |rate| rate.snap(Seconds(time)));
    clip.grid = rate.or(clip.grid);
    clip.duration = snapped(clip.duration.0 * factor, clip.grid);
    Ok(())
}

/// Multiplies all times of a curve by a factor; with a `rate`, frames keep their numbers and become frames of
/// that rate.
fn stretch(curve: &mut Curve, factor: f64, rate: Option<FrameRate>) {
    curve.times = match (&curve.times, rate) {
        (Times::Frames { frames, .. }, Some(rate)) => Times::Frames { rate, frames: frames.clone() },
        (times, _) => stretched(times, factor),
    };
    if let Outside::Ramp { start, .. } = &mut curve.before {
        let later = Seconds(start.0 * factor);
        *start = if let Times::Frames { rate, .. } = &curve.times { rate.snap(later) } else { later };
    }
    // Slopes are per second.
    if let Some(handles) = curve.handles.as_deref_mut().filter(|_| map::has_slopes(&curve.laws)) {
        for slope in handles.arriving.iter_mut().chain(&mut handles.leaving) {
            *slope = (f64::from(*slope) / factor) as f32;
        }
    }
}

fn stretched(times: &Times, factor: f64) -> Times {
    if let Times::Frames { rate, frames } = times {
        let whole = |frame: &i64| {
            let moved = rate.frame(Seconds(rate.seconds(*frame as f64).0 * factor));
            (moved == moved.round() && moved.abs() < 2f64.powi(53)).then_some(moved as i64)
        };
        if let Some(frames) = frames.iter().map(whole).collect() {
            return Times::Frames { rate: *rate, frames };
        }
    }
    Times::Seconds(times.iter().map(|time| time.0 * factor).collect())
}
