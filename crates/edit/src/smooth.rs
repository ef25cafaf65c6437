//! Take the jitter out of what was captured.

mod feet;
mod filter;

pub use filter::Filter;

use crate::drop::Kept;
use crate::refused::Reason;
use crate::rotations::Rotations;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Property, Scene, Target, TargetKind, Track, ValueKind,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::error_unit;
use feet::Feet;
use std::ops::Range;

/// Options of [`smooth`].
#[derive(Clone, Debug, PartialEq)]
pub struct Smooth {
    /// The tracks and channels that are meant. If nothing is said: joints, hands and cameras, but no faces, for a blink is faster than
    /// what a filter lets pass.
    pub on: Kept,
    /// The filter.
    pub filter: Filter,
    /// True if feet that stand may slide; else they are held where they stood.
    pub lets_feet_slide: bool,
}

/// Fewest keys that are filtered.
const FEWEST_KEYS: usize = 5;

/// Filters keys that stand as close as those of captures do: closer than half a period of the filter's cutoff, for at least one period.
/// Keys keep their times. Keys further apart hold nothing that the filter could take out, and stay as they are, as do steps.
///
/// Rotations are filtered as unit quaternions of one sign, which comes to the same in any axes. Feet that stood are brought back to where
/// they stood, by turning thigh and shin, if the scene has a hierarchy with a figure that is known by its names. The largest changes are
/// reported.
///
/// # Errors
/// If no track has a name of one of the patterns, or none of what is meant has keys that close; if a number of the filter is not above 0.
pub fn smooth(scene: &mut Scene, clip: usize, options: &Smooth, report: &mut Report) -> Result<(), Reason> {
    if let Some(fault) = options.filter.fault() {
        return Err(Reason::Factor(fault));
    }
    let Some(own) = scene.clips.get(clip) else { return Ok(()) };
    options.on.check(own)?;
    let before = own.clone();
    let mut smoothed =
        Smoothed { filter: options.filter, basis: scene.basis.metres_per_unit, ..Smoothed::default() };
    let mut made = before.clone();
    let mut meant = Vec::new();
    for track in &mut made.tracks {
        let channels: Vec<bool> =
            track.channels.iter().map(|channel| is_meant(&options.on, track, channel)).collect();
        for (channel, _) in track.channels.iter_mut().zip(channels).filter(|(_, is_meant)| *is_meant) {
            if smoothed.channel(channel, &track.target) {
                meant.extend(track.target.node);
            }
        }
    }
    if smoothed.curves == 0 {
        let apart = Seconds(0.5 / options.filter.cutoff_hz());
        return Err(if smoothed.left == 0 { Reason::NothingMoves } else { Reason::NotCaptured { apart } });
    }
    smoothed.tell(report);
    if !options.lets_feet_slide {
        Feet::hold(scene, &before, &mut made, (&meant, options.filter), report);
    }
    if let Some(own) = scene.clips.get_mut(clip) {
        *own = made;
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

/// Curves that were filtered, and how far that moved them.
struct Smoothed {
    filter: Filter,
    basis: Option<f64>,
    worst: Vec<MaxError>,
    /// Number of curves that were filtered.
    curves: usize,
    /// Number of curves with keys too far apart.
    left: usize,
}

impl Default for Smoothed {
    fn default() -> Self {
        let filter = Filter::ZeroPhase { cutoff_hz: Filter::CUTOFF_HZ };
        Self { filter, basis: None, worst: Vec::new(), curves: 0, left: 0 }
    }
}

impl Smoothed {
    /// Filters a channel; true if it had anything to filter.
    fn channel(&mut self, channel: &mut Channel, target: &Target) -> bool {
        let runs: Vec<Vec<Range<usize>>> =
            channel.composition.curves().map(|curve| self.runs(curve)).collect();
        let found = runs.iter().filter(|runs| !runs.is_empty()).count();
        self.curves += found;
        self.left += runs.len() - found;
        if found == 0 {
            return false;
        }
        let (_, factor) = error_unit(&channel.property, self.basis);
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
        if let Some(mut rotations) = Rotations::of(channel) {
            let own = self.filter;
            // The angle between rotations is twice that between their quaternions.
            let filter = |times: &[f64], rows: &mut [f64]| own.apply(times, rows, 4, 2.0);
            for run in runs.first().into_iter().flatten() {
                let worst = rotations.filter(run.clone(), filter);
                self.meet(&channel.property, target, worst);
            }
            rotations.put(channel, runs.first().map_or(&[], |runs| runs));
            return true;
        }
        let is_angles = matches!(channel.composition, Composition::Euler { .. });
        let property = channel.property.clone();
        let curves = channel.composition.curves_mut();
        for (curve, runs) in curves.into_iter().zip(runs) {
            for run in runs {
                let worst = numbers(curve, run, self.filter, scale * if is_angles { 1.0 } else { factor });
                self.meet(&property, target, worst);
            }
        }
        true
    }

    /// Takes note of a change, in the unit of a property's errors.
    fn meet(&mut self, property: &Property, target: &Target, (value, time): (f64, Seconds)) {
        let (unit, _) = error_unit(property, self.basis);
        let error = MaxError { value, unit, target: target.label().to_owned(), time };
        match self.worst.iter_mut().find(|known| known.unit == unit) {
            Some(known) if known.value < value => *known = error,
            Some(_) => {}
            None if value > 0.0 => self.worst.push(error),
            None => {}
        }
    }

    fn tell(&self, report: &mut Report) {
        for error in &self.worst {
            report.approximated(format!("{} smoothed", counted(self.curves, "curve")), error.clone());
        }
        if self.left > 0 {
            let keys = counted(self.left, "curve");
            report.kept(format!("{keys} with keys too far apart to hold jitter"));
        }
    }

    /// Keys that stand as close as those of captures, in runs.
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

/// Filters a run of plain values, and their slopes in the same way, which are those of the filtered course then. Yields the largest
/// change, in the unit that a factor makes of the values.
fn numbers(curve: &mut Curve, run: Range<usize>, filter: Filter, factor: f64) -> (f64, Seconds) {
    let times: Vec<f64> = run.clone().filter_map(|key| Some(curve.times.get(key)?.0)).collect();
    let (width, cells) = (curve.width, run.start * curve.width..run.end * curve.width);
    let mut worst = (0.0, Seconds(0.0));
    if let Some(values) = curve.values.get_mut(cells.clone()) {
        let mut rows: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
        filter.apply(&times, &mut rows, width, factor);
        for ((old, new), time) in values.chunks_exact_mut(width).zip(rows.chunks_exact(width)).zip(&times) {
            let mut sum = 0.0;
            for (old, new) in old.iter_mut().zip(new) {
                sum += (f64::from(*old) - new).powi(2);
                *old = *new as f32;
            }
            let change = factor * sum.sqrt();
            if change > worst.0 {
                worst = (change, Seconds(*time));
            }
        }
    }
    for column in curve.handles.iter_mut().flat_map(|own| [&mut own.arriving, &mut own.leaving]) {
        if let Some(slopes) = column.get_mut(cells.clone()) {
            let mut rows: Vec<f64> = slopes.iter().map(|slope| f64::from(*slope)).collect();
            if rows.iter().all(|slope| slope.is_finite()) {
                filter.apply(&times, &mut rows, width, factor);
            }
            slopes.iter_mut().zip(rows).for_each(|(old, new)| *old = new as f32);
        }
    }
    worst
}
