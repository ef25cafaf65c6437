//! Joints that no bone holds.

use dopesheet_core::model::{Node, Scene};
use dopesheet_core::order::ascend;
use glam::DVec3;

/// The distance of a sliding joint deviates from its mean by more than this part of the mean …
const DEVIATES: f64 = 0.01;

/// … and by more than so many times the usual deviation in the figure. Our choice: exact figures deviate by
/// rounding alone, positions estimated from pictures all by about the same.
const TIMES_USUAL: f64 = 4.0;

/// True for each joint that slides, by the positions relative to the joint above: a row per frame with an
/// entry per node. Joints that hang on nothing do not slide.
pub(super) fn sliding<'a>(scene: &Scene, frames: impl Iterator<Item = &'a [DVec3]>) -> Vec<bool> {
    let mut sums = vec![(0.0, 0.0); scene.nodes.len()];
    let mut count = 0.0;
    for row in frames {
        count += 1.0;
        for ((sum, squares), position) in sums.iter_mut().zip(row) {
            *sum += position.length();
            *squares += position.length_squared();
        }
    }
    // The mean and the standard deviation of each joint's distance.
    let spread = |(sum, squares): &(f64, f64)| {
        let mean = sum / count;
        (mean, (squares / count - mean * mean).max(0.0).sqrt())
    };
    let spreads: Vec<(f64, f64)> = sums.iter().map(spread).collect();
    let hangs = |node: &Node| node.parent.is_some();
    let mut held: Vec<f64> = scene
        .nodes
        .iter()
        .zip(&spreads)
        .filter(|(node, _)| hangs(node))
        .map(|(_, spread)| spread.1)
        .collect();
    ascend(&mut held);
    let usual = held.get(held.len() / 2).copied().unwrap_or(0.0);
    let slides =
        |(mean, deviation): (f64, f64)| deviation > DEVIATES * mean && deviation > TIMES_USUAL * usual;
    scene.nodes.iter().zip(spreads).map(|(node, spread)| hangs(node) && slides(spread)).collect()
}
