//! Figures whose bones have names of no vocabulary, found by the positions of their joints: two long limbs
//! down, two more above them, and a short chain up.
//!
//! Only the positions of a figure's joints count, at rest or else at the start of its first clip. Two limbs
//! of the same shape below a joint are legs if the trunk goes the other way from there to two arms. The left
//! side follows from the direction of feet and knees, and from names with a side. Each bone has a certainty,
//! which is less outside the proportions of people, for unlike sides, and among several possibilities.

mod candidate;
mod limbs;
mod ramps;
mod tree;

use candidate::Candidate;
pub use candidate::Likely;
use dopesheet_core::model::{HumanBone, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{Pose, local_pose, model_pose, rest_pose};
use limbs::LimbPair;
use std::collections::BTreeMap;
use tree::Tree;

/// Certainty from which on bones by the shape of a figure count.
pub(crate) const SURE: f64 = 0.8;

/// The bones of the most likely figure of a scene; empty if nothing in the scene is like a figure.
pub(crate) fn bones(scene: &Scene) -> BTreeMap<HumanBone, Likely> {
    let at_rest = in_pose(scene, &rest_pose(scene));
    let start = scene.clips.first().filter(|_| least(&at_rest) < SURE);
    let moving = start.map(|clip| in_pose(scene, &local_pose(scene, clip, Seconds(0.0)))).unwrap_or_default();
    if least(&moving) > least(&at_rest) { moving } else { at_rest }
}

/// The least certainty of a bone that every figure has.
fn least(bones: &BTreeMap<HumanBone, Likely>) -> f64 {
    let required = HumanBone::ALL.into_iter().filter(|bone| bone.is_required());
    required.map(|bone| bones.get(&bone).map_or(0.0, |likely| likely.certainty)).fold(1.0, f64::min)
}

fn in_pose(scene: &Scene, pose: &Pose) -> BTreeMap<HumanBone, Likely> {
    let places = model_pose(scene, pose).0.iter().map(|node| node.translation).collect();
    let tree = Tree::of(scene, places);
    let pairs = LimbPair::all(&tree);
    let all = pairs.iter().flat_map(|legs| pairs.iter().map(move |arms| (legs, arms)));
    let figures = all.filter_map(|(legs, arms)| Candidate::of(&tree, &pairs, legs, arms));
    let best = figures.max_by(|a, b| a.likely().total_cmp(&b.likely()));
    best.map(|figure| figure.bones()).unwrap_or_default()
}
