//! Joints whose rotations are stored more finely than the rest, because otherwise no keys would keep the tolerance.

use super::turning;
use crate::compare::Comparison;
use crate::sample::pose::{local_pose, model_pose};
use crate::target::adapt::placed;
use dopesheet_core::format::Rounding;
use dopesheet_core::model::{Clip, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use glam::DVec3;

/// The part of a limit that rounding alone may take: the rest is for keys.
const ROUNDED: f64 = 0.5;

/// The part of a limit that the joints of a chain that are not finer may take together.
const LEFT: f64 = 0.25;

/// Largest error of a rotation in 16 bits for each component, in radians.
const SHORT_RAD: f64 = 6.2e-5;

/// For each joint that is `found` too far off by rounding alone, adds those joints of its chain to the ones stored `fine` whose
/// rounding moves it most. Yields true if there are more than before. `tolerance` is in units of the scene.
pub(in crate::target) fn add(
    scene: &Scene,
    clip: &Clip,
    found: &Comparison,
    tolerance: f64,
    fine: &mut [bool],
) -> bool {
    let places = model_pose(scene, &local_pose(scene, clip, Seconds(0.0))).0;
    let place = |node: NodeIndex| places.get(node.0).map_or(DVec3::ZERO, |own| own.translation);
    let turns = turning(scene, clip);
    let mut more = false;
    for (end, _) in placed(found).filter(|(_, share)| *share > ROUNDED) {
        let mut chain: Vec<(NodeIndex, f64)> = Vec::new();
        let mut next = Some(end);
        while let Some(node) = next {
            if turns.get(node.0).copied().unwrap_or(false) && !fine[node.0] {
                chain.push((node, SHORT_RAD * place(node).distance(place(end))));
            }
            next = scene.node(node).and_then(|node| node.parent);
        }
        chain.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut moved: f64 = chain.iter().map(|(_, way)| way).sum();
        for (node, way) in chain {
            if moved <= LEFT * tolerance {
                break;
            }
            moved -= way;
            more |= !std::mem::replace(&mut fine[node.0], true);
        }
    }
    more
}

/// True if rotations are stored in 16 bits.
pub(in crate::target) const fn is_short(rotations: Rounding) -> bool {
    matches!(rotations, Rounding::Shorts | Rounding::SmallestThree)
}
