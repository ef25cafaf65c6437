//! Fewer keys.

mod limbs;

use crate::refused::Reason;
use crate::rows::{made_of, rows_of};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Curve, Hierarchy, Property, Scene, Track, ValueKind,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::keys::Allowance;
use dopesheet_motion::{Tolerance, error_unit};
use limbs::Limbs;

/// Options of [`reduce`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reduce {
    /// Largest distance of a point on the skin from where it was.
    pub tolerance: Tolerance,
    /// True if joints get new keys with Bezier timing, few, and at the same times for a whole limb; else keys are left out where the way
    /// is straight.
    pub editable: bool,
}

/// Leaves out keys that the straight way between their neighbours passes within a tolerance, and keys of what steps that say the same
/// as those before them. Keys that stay are as they were; curves that are not straight keep all of theirs.
///
/// If keys shall be [editable](Reduce::editable), joints get keys as an animator sets them, on frames. A limb that has as few already
/// stays as it is, and so does what steps or jumps.
///
/// The tolerance holds for each joint relative to its parent. Channels of one target that have their keys together keep them together.
///
/// # Errors
/// If keys shall be editable, and the clip has no frames, or more than a million.
pub fn reduce(scene: &mut Scene, clip: usize, options: &Reduce, report: &mut Report) -> Result<(), Reason> {
    let limbs = match scene.clips.get(clip) {
        Some(own) if options.editable => Some(Limbs::of(scene, own)),
        _ => None,
    };
    let Scene { clips, basis, hierarchy, .. } = scene;
    let Some(clip) = clips.get_mut(clip) else { return Ok(()) };
    let bound = Bound { tolerance: options.tolerance, basis, is_known: *hierarchy == Hierarchy::Known };
    let count = |clip: &Clip| -> usize {
        let channels = clip.tracks.iter().flat_map(|track| &track.channels);
        channels.flat_map(|channel| channel.composition.curves()).map(Curve::len).sum()
    };
    let before = count(clip);
    let mut worst: Vec<MaxError> = Vec::new();
    match limbs {
        Some(limbs) => {
            let others = limbs.ease(clip, &bound, &mut worst)?;
            others.into_iter().for_each(|track| bound.reduce(track, &mut worst));
        }
        None => clip.tracks.iter_mut().for_each(|track| bound.reduce(track, &mut worst)),
    }
    let left_out = before - count(clip);
    if left_out > 0 && worst.is_empty() {
        report.kept(format!(
            "all steps: {} of {before} left out say the same as before",
            counted(left_out, "key")
        ));
    }
    for error in worst {
        report.approximated(format!("{} of {before} left out", counted(left_out, "key")), error);
    }
    Ok(())
}

fn steps(curve: &Curve) -> bool {
    curve.laws.all(|law| law.blend == Blend::Step)
}

struct Bound<'a> {
    tolerance: Tolerance,
    basis: &'a Basis,
    is_known: bool,
}

impl Bound<'_> {
    fn reduce(&self, track: &mut Track, worst: &mut Vec<MaxError>) {
        let curves = || track.channels.iter().flat_map(|channel| channel.composition.curves());
        let first = curves().next().map(|curve| curve.times.clone());
        let are_together =
            first.is_some_and(|first| curves().count() > 1 && curves().all(|curve| curve.times == first));
        // Between two keys that stay, a key that another curve needs takes the way off by as much again.
        let share = if are_together { 0.5 } else { 1.0 };
        let kept: Vec<Vec<Vec<usize>>> = track
            .channels
            .iter()
            .map(|channel| {
                channel.composition.curves().map(|curve| self.kept(channel, curve, share)).collect()
            })
            .collect();
        let mut all: Vec<usize> = kept.iter().flatten().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let target = track.target.label().to_owned();
        for (channel, kept) in track.channels.iter_mut().zip(&kept) {
            let mut is_changed = false;
            for (curve, own) in channel.composition.curves_mut().into_iter().zip(kept) {
                let kept = if are_together { &all } else { own };
                if kept.len() < curve.len() {
                    let rows = rows_of(curve);
                    let rows: Vec<_> = kept.iter().filter_map(|key| rows.get(*key).copied()).collect();
                    // In order as they were, they always make a curve.
                    if let Ok(made) = made_of(curve, &rows, &target) {
                        *curve = made;
                        is_changed = true;
                    }
                }
            }
            // What steps plays as before.
            if is_changed && !channel.composition.curves().all(steps) {
                self.tell(channel, &target, worst);
            }
        }
    }

    /// The keys of a curve that stay.
    fn kept(&self, channel: &Channel, curve: &Curve, share: f64) -> Vec<usize> {
        if steps(curve) {
            let is_new = |key: &usize| *key == 0 || curve.value(*key) != curve.value(key - 1);
            return (0..curve.len()).filter(is_new).collect();
        }
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
        let allowance = self.allowance(&channel.property, share / scale);
        let reduced = dopesheet_motion::reduce(curve, &channel.property, &allowance);
        let Some(reduced) = reduced else { return (0..curve.len()).collect() };
        let mut next = 0;
        let places = reduced.times.iter().map(|time| {
            while curve.times.get(next).is_some_and(|own| own.0 < time.0) {
                next += 1;
            }
            next += 1;
            next - 1
        });
        places.collect()
    }

    fn allowance(&self, property: &Property, share: f64) -> Allowance {
        let length = self.tolerance.length_m / self.basis.metres_per_unit.unwrap_or(1.0);
        let value = match property {
            Property::Color => Tolerance::COLOUR,
            Property::YFov | Property::Direction => Tolerance::ANGLE_RAD,
            property if property.kind() == ValueKind::Position => length,
            _ => Tolerance::WEIGHT,
        };
        let angle_rad = self.tolerance.length_m / self.tolerance.shell_m(self.is_known);
        Allowance { value: value * share, angle_rad: angle_rad * share }
    }

    /// Takes note of the largest error that a channel may have.
    fn tell(&self, channel: &Channel, target: &str, worst: &mut Vec<MaxError>) {
        let (unit, factor) = error_unit(&channel.property, self.basis.metres_per_unit);
        let allowance = self.allowance(&channel.property, 1.0);
        let value = match channel.property.kind() {
            ValueKind::Rotation => allowance.angle_rad,
            _ => allowance.value * factor,
        };
        if worst.iter().all(|known| known.unit != unit) {
            worst.push(MaxError { value, unit, target: target.to_owned(), time: Seconds(0.0) });
        }
    }
}
