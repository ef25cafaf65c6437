//! Places of joints that do not move.

use dopesheet_core::model::{Channel, Node};

/// Largest part of a joint's distance from its parent by which the joint may tremble around the place where it stays: noise of files in
/// single precision that went through other programs.
const TREMBLE: f64 = 5e-6;

/// Largest distance of a place where a joint stays from the place where it rests, as a part of its length: what is farther away is another
/// pose, which has positions.
const BESIDE_REST: f64 = 1e-4;

/// A place where a joint stays, and the largest distance from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub(super) place: [f64; 3],
    pub(super) off: f64,
}

/// The place close to its rest where a translation stays, as far as six decimals and single precision tell; `None` if it goes anywhere.
pub(super) fn stay(channel: &Channel, node: &Node) -> Option<Stay> {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for (first, curve) in channel.composition.curves().enumerate() {
        for (at, value) in curve.values.iter().enumerate() {
            let [least, most] = ends.get_mut(first + at % curve.width.max(1))?;
            let value = f64::from(*value) * scale;
            (*least, *most) = (least.min(value), most.max(value));
        }
    }
    let place = ends.map(|[least, most]| 0.5 * (least + most));
    let length = place.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = ends.iter().map(|[least, most]| 0.25 * (most - least) * (most - least)).sum::<f64>().sqrt();
    let length = length.max(0.1);
    let beside = |(own, rest): (&f64, f64)| (own - rest).abs() <= BESIDE_REST * length;
    let is_beside = place.iter().zip(node.rest.translation).all(beside);
    (is_beside && off <= TREMBLE * length).then_some(Stay { place, off })
}
