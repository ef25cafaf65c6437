//! Removal of jitter from captured motion.

mod feet;
mod filter;

pub use filter::Filter;

use crate::apart::apart;
use crate::changed::changed;
use crate::drop::Kept;
use crate::refused::{self, Reason};
use crate::rotations::Rotations;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Property, Scene, TargetKind, Track, ValueKind,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::{counted, time};
use dopesheet_motion::{Sampler, Side, error_unit};
use feet::Feet;
use std::ops::Range;

/// Options of [`smooth`].
#[derive(Clone, Debug, PartialEq)]
pub struct Smooth {
    /// The tracks and channels to filter. By default joints, hands and cameras, but no faces, because a blink
    /// is faster than the filter's cutoff.
    pub on: Kept,
    /// The filter.
    pub filter: Filter,
    /// True if standing feet may slide; else they are held at their positions.
    pub lets_feet_slide: bool,
}

/// Fewest keys of a filtered run.
const FEWEST_KEYS: usize = 5;

/// Filters keys as close together as in captures: closer than half a period of the filter's cutoff, for at
/// least a period. Keys keep their times. Keys further apart hold nothing that the filter could remove, and
/// stay as they are, as do steps.
///
/// Rotations are filtered as unit quaternions of matching signs, with the same result in any axes. Standing
/// feet are brought back to their positions, by turning thigh and shin, if the scene has a hierarchy with a
/// figure known by its names. The largest changes are reported.
///
/// # Errors
/// If no track matches a pattern, or no selected channel has keys that close; if a number of the filter is
/// not above 0.
pub fn smooth(scene: &mut Scene, clip: usize, options: &Smooth, report: &mut Report) -> Result<(), Reason> {
    if let Some(fault) = options.filter.fault() {
        return Err(refused::not_above_0(fault));
    }
    let Some(source_clip) = scene.clips.get(clip) else { return Ok(()) };
    options.on.check(source_clip)?;
    let before = source_clip.clone();
    let metres_per_unit = scene.basis.metres_per_unit;
    let mut smoothed = Smoothed { filter: options.filter, metres_per_unit, curves: 0, left: 0 };
    let mut filtered = before.clone();
    let mut meant = Vec::new();
    for track in &mut filtered.tracks {
        let channels: Vec<bool> =
            track.channels.iter().map(|channel| is_meant(&options.on, track, channel)).collect();
        for (channel, _) in track.channels.iter_mut().zip(channels).filter(|(_, is_meant)| *is_meant) {
            if smoothed.channel(channel) {
                meant.extend(track.target.node.filter(|_| track.target.kind == TargetKind::Joint));
            }
        }
    }
    if smoothed.curves == 0 {
        let apart = time(Seconds(0.5 / options.filter.cutoff_hz()));
        return Err(Reason::new(match smoothed.left {
            0 => "expected keys between which something moves, found none in what is meant".to_owned(),
            _ => format!(
                "expected keys closer than {apart}, as captures have them, found none in what is meant; keys that far apart hold no \
                 jitter, and resample puts one on every frame"
            ),
        }));
    }
    if !options.lets_feet_slide {
        Feet::hold(scene, &before, &mut filtered, &meant, options.filter, report);
    }
    smoothed.tell(&before, &filtered, report);
    if let Some(target_clip) = scene.clips.get_mut(clip) {
        *target_clip = filtered;
    }
    Ok(())
}

fn is_meant(on: &Kept, track: &Track, channel: &Channel) -> bool {
    let says_nothing = on.names.is_empty() && on.kinds.is_empty() && on.properties.is_empty();
    let is_in_space = matches!(track.target.kind, TargetKind::Joint | TargetKind::Hand | TargetKind::Camera)
        || channel.property == Property::Muscle;
    channel.property.kind() != ValueKind::Discrete
        && on.has(track, &channel.property)
        && (!says_nothing || is_in_space)
}

/// Statistics of filtered curves.
struct Smoothed {
    filter: Filter,
    metres_per_unit: Option<f64>,
    /// Number of filtered curves.
    curves: usize,
    /// Number of curves with keys too far apart.
    left: usize,
}

impl Smoothed {
    /// Filters a channel; true if the channel had anything to filter.
    fn channel(&mut self, channel: &mut Channel) -> bool {
        let runs: Vec<Vec<Range<usize>>> =
            channel.composition.curves().map(|curve| self.runs(curve)).collect();
        let filtered = runs.iter().filter(|runs| !runs.is_empty()).count();
        self.curves += filtered;
        self.left += runs.len() - filtered;
        if filtered == 0 {
            return false;
        }
        let filter = self.filter;
        if let Some(mut rotations) = Rotations::of(channel) {
            let runs = runs.first().map_or(&[][..], |runs| runs);
            for run in runs {
                // The angle between rotations is twice that between their quaternions.
                rotations.filter(run.clone(), |times, rows| filter.apply(times, rows, 4, 2.0));
            }
            rotations.put(channel, runs);
            return true;
        }
        let (_, factor) = error_unit(&channel.property, self.metres_per_unit);
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
        let is_angles = matches!(channel.composition, Composition::Euler { .. });
        let factor = scale * if is_angles { 1.0 } else { factor };
        for (curve, runs) in channel.composition.curves_mut().into_iter().zip(runs) {
            runs.into_iter().for_each(|run| numbers(curve, run, filter, factor));
        }
        true
    }

    /// Reports how far keys were moved at most.
    fn tell(&self, before: &Clip, made: &Clip, report: &mut Report) {
        let mut largest_errors: Vec<MaxError> = Vec::new();
        for (old, new) in before.tracks.iter().zip(&made.tracks) {
            for (a, b) in old.channels.iter().zip(&new.channels).filter(|(a, b)| a != b) {
                let (value, time) = change(a, b);
                let (unit, factor) = error_unit(&a.property, self.metres_per_unit);
                let error =
                    MaxError { value: value * factor, unit, target: old.target.label().to_owned(), time };
                match largest_errors.iter_mut().find(|listed| listed.unit == unit) {
                    Some(listed) if listed.value < error.value => *listed = error,
                    Some(_) => {}
                    None => largest_errors.push(error),
                }
            }
        }
        changed(format!("{} smoothed", counted(self.curves, "curve")), &largest_errors, report);
        if self.left > 0 {
            let keys = counted(self.left, "curve");
            report.kept(format!("{keys} with keys too far apart to hold jitter"));
        }
    }

    /// Keys as close together as in captures, in runs.
    fn runs(&self, curve: &Curve) -> Vec<Range<usize>> {
        let (cutoff, mut runs, mut start) = (self.filter.cutoff_hz(), Vec::new(), 0);
        let times: Vec<f64> = curve.times.iter().map(|time| time.0).collect();
        for key in 0..times.len() {
            let next = times.get(key + 1).map(|next| next - times[key]);
            let goes_on = next.is_some_and(|step| 0.0 < step && step * 2.0 * cutoff < 1.0);
            let is_mixed = !matches!(curve.laws.get(key).blend, Blend::Step | Blend::Squad | Blend::Turn);
            if goes_on && is_mixed {
                continue;
            }
            let is_long = (times[key] - times[start]) * cutoff >= 1.0 - 1e-9;
            if key + 1 - start >= FEWEST_KEYS && is_long && is_finite(curve, start..key + 1) {
                runs.push(start..key + 1);
            }
            start = key + 1;
        }
        runs
    }
}

fn is_finite(curve: &Curve, run: Range<usize>) -> bool {
    let values = curve.values.get(run.start * curve.width..run.end * curve.width);
    values.is_some_and(|values| values.iter().all(|value| value.is_finite()))
}

/// The largest change of a channel at its keys, and when.
fn change(old: &Channel, new: &Channel) -> (f64, Seconds) {
    let (mut from, mut to) = (Sampler::new(old), Sampler::new(new));
    let (mut a, mut b, mut greatest) = (Vec::new(), Vec::new(), (0.0, Seconds(0.0)));
    for time in old.composition.curves().flat_map(|curve| curve.times.iter()) {
        from.value_at(time, Side::At, &mut a);
        to.value_at(time, Side::At, &mut b);
        let distance = apart(&old.property, &a, &b);
        if distance > greatest.0 {
            greatest = (distance, time);
        }
    }
    greatest
}

/// Filters a run of plain values, and their slopes in the same way, which gives the slopes of the filtered
/// course. A factor converts values to metres, radians or plain numbers.
fn numbers(curve: &mut Curve, run: Range<usize>, filter: Filter, factor: f64) {
    let times: Vec<f64> = run.clone().filter_map(|key| Some(curve.times.get(key)?.0)).collect();
    let (width, cells) = (curve.width, run.start * curve.width..run.end * curve.width);
    let columns = curve.handles.iter_mut().flat_map(|handles| [&mut handles.arriving, &mut handles.leaving]);
    for column in columns.chain([&mut curve.values]) {
        let Some(column) = column.get_mut(cells.clone()) else { continue };
        let mut rows: Vec<f64> = column.iter().map(|number| f64::from(*number)).collect();
        if rows.iter().all(|number| number.is_finite()) {
            filter.apply(&times, &mut rows, width, factor);
            column.iter_mut().zip(rows).for_each(|(old, new)| *old = new as f32);
        }
    }
}
