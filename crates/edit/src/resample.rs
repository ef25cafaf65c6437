//! Keys on every frame.

use crate::apart::apart;
use crate::refused::Reason;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{Basis, Blend, Channel, Clip, Curve, Law, Laws, Outside, Target, Times};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use dopesheet_motion::{Sampler, Side, curve_at, error_unit};

/// Largest number of keys of a clip that is resampled.
const MOST_KEYS: f64 = (1u32 << 26) as f64;

/// Options of [`resample`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resample {
    /// Frames per second.
    pub rate: FrameRate,
}

/// Gives all curves a key on every frame of a rate, from 0 to the end, with straight ways in between. What steps gets a key on the
/// first frame and on each on which it has another value. The clip plays as long as before.
///
/// The difference half-way between frames is reported: the shape between them is lost.
///
/// # Errors
/// If there would be more than 67 million keys.
pub fn resample(
    clip: &mut Clip,
    options: &Resample,
    basis: &Basis,
    report: &mut Report,
) -> Result<(), Reason> {
    let rate = options.rate;
    let last = rate.frame(clip.end()).floor();
    let channels = clip.tracks.iter().flat_map(|track| &track.channels);
    let curves = channels.flat_map(|channel| channel.composition.curves()).count();
    if (last + 1.0) * curves as f64 > MOST_KEYS {
        return Err(Reason::TooManyKeys);
    }
    let frames = Times::Frames { rate, frames: (0..=last as i64).collect() };
    let mut worst: Vec<MaxError> = Vec::new();
    for track in &mut clip.tracks {
        for channel in &mut track.channels {
            let source = channel.clone();
            for curve in channel.composition.curves_mut().into_iter().filter(|curve| !curve.is_empty()) {
                *curve = on_frames(curve, &frames, rate);
            }
            let error = difference(&source, channel, &frames, &track.target, basis);
            match worst.iter_mut().find(|known| known.unit == error.unit) {
                Some(known) if known.value < error.value => *known = error,
                Some(_) => {}
                None => worst.push(error),
            }
        }
    }
    clip.grid = Some(rate);
    for error in worst.into_iter().filter(|error| error.value > 0.0) {
        report.approximated(format!("{} sampled at {rate}", counted(curves, "curve")), error);
    }
    Ok(())
}

fn on_frames(curve: &Curve, frames: &Times, rate: FrameRate) -> Curve {
    if curve.laws.all(|law| law.blend == Blend::Step) {
        return stepping(curve, frames, rate);
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

/// A curve that steps, with keys on the frames on which it changes.
fn stepping(curve: &Curve, frames: &Times, rate: FrameRate) -> Curve {
    let (mut changes, mut values) = (Vec::new(), Vec::new());
    for (frame, time) in (0..).zip(frames.iter()) {
        let value = value_at(curve, time);
        if changes.is_empty() || !values.ends_with(&value) {
            changes.push(frame);
            values.extend(value);
        }
    }
    let times = Times::Frames { rate, frames: changes.into() };
    with_ends_of(curve, Curve::new(times, curve.width, values, Laws::uniform(Law::STEP)))
}

fn value_at(curve: &Curve, time: Seconds) -> Vec<f32> {
    let mut value = Vec::with_capacity(curve.width);
    curve_at(curve, time, Side::At, &mut value);
    value.iter().map(|number| *number as f32).collect()
}

/// A new curve that goes on before and behind its keys as another does.
fn with_ends_of(curve: &Curve, made: Curve) -> Curve {
    let [before, after] = [&curve.before, &curve.after].map(|rule| match rule {
        Outside::Ramp { .. } => Outside::Hold,
        rule => rule.clone(),
    });
    Curve { before, after, jump: curve.jump, ..made }
}

/// The largest difference half-way between two frames.
fn difference(source: &Channel, made: &Channel, frames: &Times, target: &Target, basis: &Basis) -> MaxError {
    let (unit, factor) = error_unit(&source.property, basis.metres_per_unit);
    let mut worst = MaxError { value: 0.0, unit, target: target.label().to_owned(), time: Seconds(0.0) };
    let (mut from, mut to) = (Sampler::new(source), Sampler::new(made));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for frame in 1..frames.len() {
        let (Some(early), Some(late)) = (frames.get(frame - 1), frames.get(frame)) else { continue };
        let time = Seconds((early.0 + late.0) / 2.0);
        from.value_at(time, Side::At, &mut a);
        to.value_at(time, Side::At, &mut b);
        let value = factor * apart(&source.property, &a, &b);
        // Single precision alone makes such angles.
        if value > worst.value && value > 1e-6 {
            (worst.value, worst.time) = (value, time);
        }
    }
    worst
}
