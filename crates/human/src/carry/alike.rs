//! Figures of a library whose motions rest in other poses than its models.

use crate::body::figure::Figure;
use dopesheet_core::model::{Node, PoseRelation, Scene};
use glam::DVec3;

/// Cosine of the largest angle between a bone of a figure and the same bone of another figure, as seen from
/// their parents.
const SAME_WAY: f64 = 0.9986;
/// Fewest bones that have to agree.
const FEWEST: usize = 10;

/// The source with its nodes turned at rest as the target's nodes, if bones of both have the same names,
/// parents and directions: then their axes are alike. `None` if they do not agree, if both share fewer than
/// [`FEWEST`] bones, or if the values of a clip come on top of the rest pose.
pub(crate) fn rested_alike(source: Figure<'_>, target: Figure<'_>) -> Option<Scene> {
    let is_absolute = |clip: &dopesheet_core::model::Clip| clip.relation == PoseRelation::Absolute;
    let bones = source.humanoid.bones.iter();
    let shared = bones.filter_map(|(bone, node)| Some((node.0, target.node(*bone)?.0)));
    let (source, target) = (source.scene, target.scene);
    let shared: Vec<(usize, usize)> = shared.collect();
    let agree = |(theirs, ours): &(usize, usize)| {
        let (theirs, ours) = (source.nodes.get(*theirs)?, target.nodes.get(*ours)?);
        let direction = |node: &Node| DVec3::from(node.rest.translation).try_normalize();
        let above = |scene: &Scene, node: &Node| Some(bare(&scene.node(node.parent?)?.name).to_owned());
        let both = direction(theirs).zip(direction(ours));
        // Roots are placed in any way.
        let is_alike = above(source, theirs) != above(target, ours)
            || both.is_none_or(|(theirs, ours)| theirs.dot(ours) >= SAME_WAY);
        Some(bare(&theirs.name) == bare(&ours.name) && is_alike)
    };
    if shared.len() < FEWEST
        || !source.clips.iter().all(is_absolute)
        || !shared.iter().all(|pair| agree(pair) == Some(true))
    {
        return None;
    }
    let mut alike = source.clone();
    for (theirs, ours) in shared {
        if let Some((node, rest)) = alike.nodes.get_mut(theirs).zip(target.nodes.get(ours)) {
            node.rest.rotation = rest.rest.rotation;
        }
    }
    Some(alike)
}

/// A name without the prefix that programs put before all names of a figure.
fn bare(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, name)| name)
}
