//! Several human figures in one scene, told apart by the names of their nodes.

use super::names::Vocabulary;
use super::propose::{Proposal, by_names, named};
use HumanBone as B;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{HumanBone, NodeIndex, Scene};
use std::collections::HashSet;

/// Most human figures of a scene; more are not looked for.
const MOST: usize = 64;

/// The human figures of a scene beside the first, in the order of their nodes; each has every required bone but hands and feet. `names` and `only` are as in
/// [`propose_by`](crate::propose_by).
#[must_use]
pub fn others(scene: &Scene, first: &Proposal, names: &NameMap, only: Option<Vocabulary>) -> Vec<Proposal> {
    let (mut all, mut last) = (Vec::new(), first.humanoid.bones.get(&B::Hips).copied());
    let least = B::ALL.into_iter().filter(|bone| bone.is_required() && !bone.ends_a_limb()).count();
    let mut rest: Option<Scene> = None;
    while let Some(hips) = last.filter(|_| all.len() < MOST) {
        let left = rest.get_or_insert_with(|| without_marks(scene));
        forget(left, hips);
        if left.nodes.iter().filter(|node| !node.name.is_empty()).count() < least {
            break;
        }
        let mut other = by_names(left, only);
        named(&mut other, left, names);
        last = other.humanoid.bones.get(&B::Hips).copied().filter(|_| other.humanoid.is_human());
        all.extend(last.map(|_| other));
    }
    all
}

/// Takes the names of a node and of all nodes below it away.
fn forget(scene: &mut Scene, top: NodeIndex) {
    let mut below = vec![false; scene.nodes.len()];
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let is_below = index == top.0 || node.parent.is_some_and(|parent| below.get(parent.0) == Some(&true));
        if let Some(own) = below.get_mut(index).filter(|_| is_below) {
            *own = true;
            node.name.clear();
        }
    }
}

/// The nodes of a scene, without the numbers that programs put behind names that are there already: `Hips_1`, `Hips.001`.
fn without_marks(scene: &Scene) -> Scene {
    let known: HashSet<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    let mut nodes = scene.nodes.clone();
    for node in &mut nodes {
        let plain = node.name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let plain = plain.strip_suffix(['_', '.']).filter(|plain| known.contains(plain));
        if let Some(plain) = plain.map(str::to_owned) {
            node.name = plain;
        }
    }
    Scene { nodes, hierarchy: scene.hierarchy, ..Scene::new(scene.basis) }
}
