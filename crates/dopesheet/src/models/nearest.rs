//! Names in a model nearest to a name missing from it.

use crate::error::unbound::Unbound;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{HumanBone, NodeIndex, Scene, TargetKind};
use dopesheet_core::order;
use dopesheet_human::{Proposal, propose};
use std::collections::HashMap;

/// Least likeness, 0..=1, at which a name is suggested instead of another.
const ALIKE: f64 = 0.5;

/// Most names suggested instead of another.
const MOST_NEAREST: usize = 3;

/// The names of a model that motions may move.
pub(crate) struct Known<'a> {
    nodes: Vec<&'a str>,
    morphs: Vec<&'a str>,
    goals: Vec<&'a str>,
}

impl<'a> Known<'a> {
    pub(crate) fn of(model: &'a Scene) -> Self {
        let sets = model.morph_sets.iter().flat_map(|set| &set.morphs).map(String::as_str);
        let goals = model.rig.ik.iter().filter_map(|chain| model.node(chain.goal));
        Self {
            nodes: sorted(model.nodes.iter().map(|node| node.name.as_str())),
            morphs: sorted(sets.chain(model.rig.morphs.iter().map(|morph| morph.name.as_str()))),
            goals: sorted(goals.map(|node| node.name.as_str())),
        }
    }

    /// True if there is something of a kind with this name.
    pub(crate) fn has(&self, kind: TargetKind, name: &str) -> bool {
        self.names(kind).binary_search(&name).is_ok()
    }

    /// The names that a target of a kind may have, sorted.
    fn names(&self, kind: TargetKind) -> &[&'a str] {
        match kind {
            TargetKind::Morph => &self.morphs,
            TargetKind::Custom => &self.goals,
            _ => &self.nodes,
        }
    }
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Search for the model's name nearest to a name of a motion: by the meaning of both in a human figure, and
/// by letters.
#[derive(Default)]
pub(crate) struct Nearest {
    /// Joints of the motion, and the names of the same bones in the model.
    same_bone: HashMap<String, String>,
}

impl Nearest {
    pub(crate) fn of(motion: &Scene, model: &Scene) -> Self {
        let figure = |scene| propose(scene, &NameMap::default());
        let (Proposal { humanoid: ours, .. }, Proposal { humanoid: theirs, .. }) =
            (figure(motion), figure(model));
        let name = |scene: &Scene, node: NodeIndex| scene.node(node).map(|node| node.name.clone());
        let pair =
            |node: NodeIndex, other: Option<NodeIndex>| Some((name(motion, node)?, name(model, other?)?));
        let bones = ours.bones.iter().filter_map(|(bone, node)| pair(*node, theirs.bones.get(bone).copied()));
        // What carries the whole figure is its hips in a figure without a node for that.
        let carries = || theirs.root_motion.or_else(|| theirs.bones.get(&HumanBone::Hips).copied());
        let root = ours.root_motion.and_then(|node| pair(node, carries()));
        Self { same_bone: root.into_iter().chain(bones).collect() }
    }

    /// A target missing from a model, with the names of the model nearest to the target's name.
    pub(crate) fn unbound(&self, kind: TargetKind, name: &str, model_names: &Known<'_>) -> Unbound {
        let names = model_names.names(kind).iter();
        let mut alike: Vec<(f64, &str)> =
            names.map(|other| (strsim::normalized_levenshtein(name, other), *other)).collect();
        alike.retain(|(likeness, _)| *likeness >= ALIKE);
        // By name, and then the likest first.
        order::by_key(&mut alike, |(_, name)| *name);
        order::by_number(&mut alike, |(likeness, _)| -likeness);
        let same = self.same_bone.get(name).map(String::as_str).filter(|_| kind == TargetKind::Joint);
        let candidates = alike.into_iter().map(|(_, other)| other).filter(|other| Some(*other) != same);
        let nearest = same.into_iter().chain(candidates).take(MOST_NEAREST).map(str::to_owned).collect();
        Unbound { kind, name: name.to_owned(), nearest }
    }
}
