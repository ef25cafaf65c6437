//! Keys on every frame.

use crate::refused::{self, Reason};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Blend, Clip, Curve, Law, Laws, Outside, Times};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use dopesheet_motion::{Side, curve_at};

/// Most keys of a resampled clip.
const MOST_KEYS: f64 = (1u32 << 26) as f64;

/// Options of [`resample`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resample {
    /// Rate of the new keys, in frames per second.
    pub rate: FrameRate,
}

/// Gives all curves a key on every frame of a rate, from 0 to the end, and a key at an end between two
/// frames, with straight segments in between. A stepped channel gets a key on the first frame and on each
/// frame with a new value. The clip's duration stays.
///
/// The shape between frames is lost. The caller measures the resulting error in model space.
///
/// # Errors
/// If there would be more than 67 million keys.
pub fn resample(clip: &mut Clip, options: &Resample, report: &mut Report) -> Result<(), Reason> {
    let rate = options.rate;
    let last = rate.frame(clip.end()).floor();
    let curves = clip.curves().count();
    if (last + 1.0) * curves as f64 > MOST_KEYS {
        return Err(refused::too_many_keys());
    }
    let frames = Times::Frames { rate, frames: (0..=last as i64).collect() };
    let frames = match rate.grid_point(clip.end()) {
        Some(_) => frames,
        None => Times::Seconds(frames.iter().chain([clip.end()]).map(|time| time.0).collect()),
    };
    for channel in clip.tracks.iter_mut().flat_map(|track| &mut track.channels) {
        for curve in channel.composition.curves_mut().into_iter().filter(|curve| !curve.is_empty()) {
            *curve = on_frames(curve, &frames);
        }
    }
    clip.grid = Some(rate);
    report.kept(format!("{} sampled at {rate}", counted(curves, "curve")));
    Ok(())
}

fn on_frames(curve: &Curve, frames: &Times) -> Curve {
    if curve.laws.all(|law| law.blend == Blend::Step) {
        return stepping(curve, frames);
    }
    let mut values = Vec::with_capacity(frames.len() * curve.width);
    for time in frames.iter() {
        values.extend(value_at(curve, time));
    }
    let law = match curve.laws.get(0).blend {
        Blend::Slerp | Blend::Nlerp | Blend::Squad | Blend::Turn => Law::SLERP,
        _ => Law::LINEAR,
    };
    with_ends_of(curve, Curve::new(frames.clone(), curve.width, values, Laws::uniform(law)))
}

/// A stepped curve, with keys on the frames of its changes.
fn stepping(curve: &Curve, frames: &Times) -> Curve {
    let (mut changes, mut values) = (Vec::new(), Vec::new());
    for (frame, time) in (0..).zip(frames.iter()) {
        let value = value_at(curve, time);
        if changes.is_empty() || !values.ends_with(&value) {
            changes.push((frame, time.0));
            values.extend(value);
        }
    }
    let times = match frames {
        Times::Frames { rate, .. } => {
            Times::Frames { rate: *rate, frames: changes.iter().map(|(frame, _)| *frame).collect() }
        }
        Times::Seconds(_) => Times::Seconds(changes.iter().map(|(_, time)| *time).collect()),
    };
    with_ends_of(curve, Curve::new(times, curve.width, values, Laws::uniform(Law::STEP)))
}

fn value_at(curve: &Curve, time: Seconds) -> Vec<f32> {
    let mut value = Vec::with_capacity(curve.width);
    curve_at(curve, time, Side::At, &mut value);
    value.iter().map(|number| *number as f32).collect()
}

/// A new curve with another curve's rules before and behind its keys.
fn with_ends_of(curve: &Curve, made: Curve) -> Curve {
    let [before, after] = [&curve.before, &curve.after].map(|rule| match rule {
        Outside::Ramp { .. } => Outside::Hold,
        rule => rule.clone(),
    });
    Curve { before, after, jump: curve.jump, ..made }
}
