//! Places of joints without motion.

use dopesheet_core::model::{Channel, Node};

/// Largest distance from its fixed place by which a joint may tremble, as a part of the joint's distance from
/// its parent: noise of files in single precision that went through other programs.
const TREMBLE: f64 = 5e-6;

/// Largest distance of a joint's fixed place from its place at rest, as a part of its length: a place farther
/// away means another pose, which is written as positions.
const BESIDE_REST: f64 = 1e-4;

/// A fixed place of a joint, and the largest distance from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub(super) position: [f64; 3],
    pub(super) off: f64,
}

/// The fixed place of a translation close to rest, as far as six decimals and single precision tell; `None`
/// if the joint moves away.
pub(super) fn stay(channel: &Channel, node: &Node) -> Option<Stay> {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for (first, curve) in channel.composition.curves().enumerate() {
        for (at, value) in curve.values.iter().enumerate() {
            let [least, greatest] = ends.get_mut(first + at % curve.width.max(1))?;
            let value = f64::from(*value) * scale;
            (*least, *greatest) = (least.min(value), greatest.max(value));
        }
    }
    let middle = ends.map(|[least, most]| 0.5 * (least + most));
    let length = middle.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = ends
        .iter()
        .map(|[least, greatest]| 0.25 * (greatest - least) * (greatest - least))
        .sum::<f64>()
        .sqrt();
    let length = length.max(0.1);
    let beside = |(coordinate, rest): (&f64, f64)| (coordinate - rest).abs() <= BESIDE_REST * length;
    let is_beside = middle.iter().zip(node.rest.translation).all(beside);
    (is_beside && off <= TREMBLE * length).then_some(Stay { position: middle, off })
}
