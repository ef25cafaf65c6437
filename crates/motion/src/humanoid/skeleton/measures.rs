//! Times and tolerances of measured motions.

use crate::humanoid::retarget::moves::{Moves, Way};
use dopesheet_core::model::Property;
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};

/// Share of the tolerance that a bone may use by itself: errors of a chain add up.
pub(super) const SHARE: f64 = 0.25;

/// Times of the keys on a way and of the frames, on which it is sampled.
pub(super) fn times(moves: &Moves<'_>, way: &Way) -> Vec<f64> {
    let Seconds(end) = moves.clip.end();
    let rate = moves.clip.grid.unwrap_or(FrameRate::FPS_30);
    let frames = (0..).map(|frame| rate.seconds(f64::from(frame)).0).take_while(|time| *time < end);
    let channels = [Property::Translation, Property::Rotation].into_iter();
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
