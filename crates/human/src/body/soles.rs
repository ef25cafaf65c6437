//! Soles of feet that the rest pose does not show.

use super::moves::Moves;
use dopesheet_core::model::{NodeIndex, Scene};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_motion::Side;
use dopesheet_motion::inside::ChainTransform;
use glam::DVec3;

/// Most times at which a clip is sampled, and the time from each over which speeds are measured, in seconds.
const MOST_TIMES: u32 = 240;
const STEP_S: f64 = 1.0 / 30.0;
/// Speed below which a joint rests, in lengths of the leg per second.
const SLOW: f64 = 0.25;
/// Height of an ankle above its lowest position up to which the foot is flat, in lengths of the leg.
const FLAT: f64 = 0.01;
/// Fewest times with a flat foot that show its sole.
const FEWEST: usize = 3;

/// The way up of a foot's sole in the axes of its node: the way up of the ground while ankle and ball rest
/// and the ankle is lowest, in the first clip of a scene. `None` with fewer than [`FEWEST`] times of rest.
pub(crate) fn way_up(scene: &Scene, [foot, ball]: [NodeIndex; 2], up: DVec3, leg: f64) -> Option<DVec3> {
    let clip = scene.clips.first()?;
    let moves = Moves::of(scene, clip);
    let [to_foot, to_ball] = [foot, ball].map(|node| moves.way(None, node.0));
    let end = (clip.end().0 - STEP_S).max(0.0);
    let step = (end / f64::from(MOST_TIMES)).max(STEP_S);
    let times = (0..).map(|n| f64::from(n) * step).take_while(|time| *time <= end);
    let rests = |chain, time: f64| {
        let position = |time: f64| moves.end(chain, Seconds(time), Side::At).place();
        position(time).distance(position(time + STEP_S)) <= SLOW * leg * STEP_S
    };
    let resting = times.filter(|time| rests(&to_foot, *time) && rests(&to_ball, *time));
    let poses: Vec<ChainTransform> =
        resting.map(|time| moves.end(&to_foot, Seconds(time), Side::At)).collect();
    let lowest = poses.iter().map(|pose| pose.place().dot(up)).fold(f64::INFINITY, f64::min);
    let flat = poses.iter().filter(|pose| pose.place().dot(up) <= lowest + FLAT * leg);
    let ways: Vec<DVec3> = flat.map(|pose| pose.rotation.conjugate() * up).collect();
    if ways.len() < FEWEST {
        return None;
    }
    let median = |axis: usize| {
        let mut parts: Vec<f64> =
            ways.iter().map(|direction| direction.to_array().get(axis).copied().unwrap_or(0.0)).collect();
        ascend(&mut parts);
        parts.get(parts.len() / 2).copied().unwrap_or(0.0)
    };
    DVec3::new(median(0), median(1), median(2)).try_normalize()
}
