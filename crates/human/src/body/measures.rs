//! Times and tolerances of measured motions.

use super::moves::{Moves, Way};
use dopesheet_core::model::Property;
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::lerp;

/// Share of the tolerance that a bone may use by itself: errors of a chain add up.
pub(crate) const SHARE: f64 = 0.25;

/// Times of the keys on a way and of the frames at which the way is sampled, ascending.
pub(crate) fn times(moves: &Moves<'_>, way: &Way) -> Vec<f64> {
    let Seconds(end) = moves.clip.end();
    let rate = moves.clip.grid.unwrap_or(FrameRate::FPS_30);
    let frames = (0..).map(|frame| rate.seconds(f64::from(frame)).0).take_while(|time| *time < end);
    let channels = [Property::Translation, Property::Rotation, Property::Scale].into_iter();
    let channels = channels.flat_map(|property| {
        way.nodes().flat_map(|node| moves.changing(node, &property)).collect::<Vec<_>>()
    });
    let keys = channels.flat_map(|channel| channel.composition.curves());
    let keys = keys.flat_map(|curve| curve.times.iter().map(|time| time.0));
    let mut times: Vec<f64> = keys.chain(frames).chain([0.0, end]).collect();
    times.retain(|time| (0.0..=end).contains(time));
    ascend(&mut times);
    times.dedup();
    times
}

/// The sample before a time, and the share of the way from there to the next sample.
pub(crate) fn span(times: &[f64], time: f64) -> (usize, f64) {
    let reached = times.partition_point(|sample| *sample <= time);
    let before = reached.saturating_sub(1).min(times.len().saturating_sub(2));
    let share = match times.get(before..) {
        Some([from, to, ..]) => ((time - from) / (to - from)).clamp(0.0, 1.0),
        _ => 0.0,
    };
    (before, share)
}

/// A number at a time, straight between the numbers at the sample times.
pub(crate) fn at(times: &[f64], numbers: &[f64], time: f64) -> f64 {
    let (before, share) = span(times, time);
    match numbers.get(before..) {
        Some([from, to, ..]) => lerp(*from, *to, share),
        Some([number]) => *number,
        _ => 0.0,
    }
}
