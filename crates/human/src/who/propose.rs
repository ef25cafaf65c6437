//! Bones of a figure, by the names of nodes, and by the shape of the figure where names tell nothing.

use super::names::{Names, Vocabulary, fold, folded};
use super::sides::{SIDES, side, side_of};
use super::spine;
use super::unnamed::{self, Likely};
use crate::body::ends;
use crate::body::figure::{ARMS, Figure, LEGS, hangs_on};
use HumanBone as B;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Hierarchy, HumanBone, Humanoid, Node, NodeIndex, Scene};
use std::collections::{BTreeMap, HashMap};

/// The word that names the node of [`Humanoid::root_motion`] in a map of names.
const ROOT_MOTION: &str = "rootMotion";

/// A proposed figure with its certainty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// The node of each bone.
    pub humanoid: Humanoid,
    /// Program whose names the nodes have; `None` if the source itself or the shape of the figure names the
    /// bones, or nothing was found.
    pub vocabulary: Option<Vocabulary>,
    /// Bones by the shape of a figure whose names tell too little, with their certainties from 0 to 1; empty
    /// of any other figure. They count where every required bone has [`Proposal::SURE`] or more.
    pub by_shape: BTreeMap<HumanBone, Likely>,
    /// Bones that the caller named.
    pub named: usize,
    /// From 0 (no required bone was found) to 1 (all were found, and none by a name that had to be folded).
    /// Of names of hands alone, the bones of the hands count instead.
    pub certainty: f64,
}

impl Proposal {
    /// Certainty from which on bones by the shape of a figure count.
    pub const SURE: f64 = unnamed::SURE;

    /// True if the bones follow from the shape of the figure.
    #[must_use]
    pub fn is_by_shape(&self) -> bool {
        self.vocabulary.is_none() && !self.by_shape.is_empty() && self.certainty >= Self::SURE
    }

    /// Finds bones by the shape of a figure, and takes them where they are certain enough.
    fn look(&mut self, scene: &Scene) {
        self.by_shape = unnamed::bones(scene);
        let required = B::ALL.into_iter().filter(|bone| bone.is_required());
        let certain = |bone| self.by_shape.get(&bone).map_or(0.0, |likely| likely.certainty);
        let least = required.map(certain).fold(1.0, f64::min);
        if least >= Self::SURE {
            let sure = self.by_shape.iter().filter(|(_, likely)| likely.certainty >= Self::SURE);
            self.humanoid = Humanoid {
                bones: sure.map(|(bone, likely)| (*bone, likely.node)).collect(),
                ..Humanoid::default()
            };
            (self.vocabulary, self.certainty) = (None, least);
        }
    }
}

/// Confidence in a bone that was found only after its name was folded.
const FOLDED: f64 = 0.8;

/// Confidence in a bone with a mesh, which parts of a figure may have by the names of bones.
const MESH: f64 = 0.5;

/// Part of its certainty left to a figure with legs below the trunk.
const LEGS_ON_TRUNK: f64 = 0.99;

/// Beginnings of names of the joints of Rigify, Blender's own rig, beside which there are others for its controls.
const RIGGED: [&str; 2] = ["DEF", "ORG"];

/// Fewest names with the same beginning if the beginning is a prefix of the figure.
const FEWEST_ALIKE: usize = 8;
/// Most marks in a prefix.
const MOST_MARKS: usize = 3;

/// The human figure of a scene: as stated in the source, else by the vocabulary with most of the required
/// bones; where no vocabulary has all of them, by the shape of the figure if the shape is certain enough.
///
/// `names` maps names of nodes to words of [`HumanBone`] (or `rootMotion`, for the node that carries the
/// whole figure), and overrides the other sources; other pairs mean nothing here.
#[must_use]
pub fn propose(scene: &Scene, names: &NameMap) -> Proposal {
    propose_by(scene, names, None)
}

/// As [`propose`](fn@propose); with `only`, by the names of a single vocabulary, whatever the source says.
#[must_use]
pub fn propose_by(scene: &Scene, names: &NameMap, only: Option<Vocabulary>) -> Proposal {
    let mut proposal = match &scene.humanoid {
        Some(stated) if !stated.bones.is_empty() && only.is_none() => {
            Proposal { humanoid: stated.clone(), certainty: 1.0, ..Proposal::default() }
        }
        _ => by_names(scene, only),
    };
    if scene.hierarchy == Hierarchy::Known && only.is_none() && !proposal.humanoid.is_human() {
        proposal.look(scene);
    }
    named(&mut proposal, scene, names);
    proposal
}

/// Assigns the bones that a caller's map names, and fills gaps.
pub(crate) fn named(proposal: &mut Proposal, scene: &Scene, names: &NameMap) {
    let humanoid = &mut proposal.humanoid;
    // Of equal names the first joint counts, and a mesh only where no joint has its name.
    for (index, node) in joints_first(scene).into_iter().rev() {
        let word = names.get(&node.name);
        if word == node.name {
            continue;
        }
        if let Some(bone) = HumanBone::from_word(word) {
            humanoid.bones.retain(|_, node| node.0 != index);
            humanoid.bones.insert(bone, NodeIndex(index));
            proposal.named = proposal.named.saturating_add(1);
        } else if word == ROOT_MOTION {
            humanoid.root_motion = Some(NodeIndex(index));
        }
    }
    fill_gaps(humanoid);
    ends::find(scene, humanoid);
}

/// The hips of a human figure, as the source says or the names of its nodes tell; `None` where neither does.
#[must_use]
pub fn hips(scene: &Scene) -> Option<NodeIndex> {
    let stated = scene.humanoid.as_ref().and_then(|own| own.bones.get(&B::Hips).copied());
    stated.or_else(|| by_names(scene, None).humanoid.bones.get(&B::Hips).copied())
}

/// The figure by the vocabulary with most of the required bones, among all nodes, behind prefixes shared by many
/// names, or among the nodes that a rig of Blender deforms a surface by.
pub(crate) fn by_names(scene: &Scene, only: Option<Vocabulary>) -> Proposal {
    let mut nodes_by_name = Known::of(scene, "");
    let best = nodes_by_name.best(only);
    if best.humanoid.missing().is_empty() {
        return best;
    }
    let rigged = RIGGED.map(|prefix| Known::of(scene, prefix).best(only));
    let behind = nodes_by_name.add_behind_prefixes(scene).then(|| nodes_by_name.best(only));
    let others = rigged.into_iter().chain(behind);
    others.fold(best, |best, other| if other.certainty > best.certainty { other } else { best })
}

/// Nodes of a scene with their indices, nodes with a mesh behind all others.
fn joints_first(scene: &Scene) -> Vec<(usize, &Node)> {
    let (joints, meshes): (Vec<_>, Vec<_>) =
        scene.nodes.iter().enumerate().partition(|(_, node)| node.mesh.is_none());
    joints.into_iter().chain(meshes).collect()
}

/// True of a node with a mesh.
fn has_mesh(nodes: &[Node], node: NodeIndex) -> bool {
    nodes.get(node.0).is_some_and(|node| node.mesh.is_some())
}

/// Enters a node under a name, which belongs to the first joint with the name, else to the first node with a mesh.
fn enter(names: &mut HashMap<String, NodeIndex>, nodes: &[Node], name: &str, index: usize) {
    let known = names.entry(folded(name)).or_insert(NodeIndex(index));
    if has_mesh(nodes, *known) && !has_mesh(nodes, NodeIndex(index)) {
        *known = NodeIndex(index);
    }
}

/// Names of a scene's nodes; of equal names the first joint counts.
struct Known<'a> {
    scene: &'a Scene,
    exact: HashMap<&'a str, NodeIndex>,
    folded: HashMap<String, NodeIndex>,
    /// Names with a letter for the side, written with the word for the side; of hands alone.
    lettered: HashMap<String, NodeIndex>,
}

impl<'a> Known<'a> {
    /// Names behind a prefix, of the nodes that have the prefix.
    fn of(scene: &'a Scene, prefix: &str) -> Self {
        let (mut exact, mut by_folded, mut by_letter) = (HashMap::new(), HashMap::new(), HashMap::new());
        let nodes = &scene.nodes;
        for (index, node) in joints_first(scene) {
            let Some(name) = behind(&node.name, prefix) else { continue };
            exact.entry(name).or_insert(NodeIndex(index));
            enter(&mut by_folded, nodes, name, index);
            if let Some((side, rest)) = lettered(name) {
                enter(&mut by_letter, nodes, &format!("{side}{rest}"), index);
            }
        }
        for (index, (node, side)) in nodes.iter().zip(sides_above(scene)).enumerate() {
            if let Some(side) = side.filter(|_| prefix.is_empty()) {
                enter(&mut by_folded, nodes, &format!("{side}{}", node.name), index);
            }
        }
        if spine::name_by_order(scene, &mut by_folded) {
            exact.remove("spine");
        }
        Self { scene, exact, folded: by_folded, lettered: by_letter }
    }

    /// Adds names without prefixes shared by many names, as `Bip_` or `CC_Base_`; true if there are any.
    fn add_behind_prefixes(&mut self, scene: &Scene) -> bool {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for prefix in scene.nodes.iter().flat_map(|node| prefixes(&node.name)) {
            let count = counts.entry(prefix).or_default();
            *count = count.saturating_add(1);
        }
        let mut is_any = false;
        for (index, node) in scene.nodes.iter().enumerate() {
            for prefix in prefixes(&node.name).filter(|prefix| counts.get(prefix) >= Some(&FEWEST_ALIKE)) {
                if let Some(name) = node.name.strip_prefix(prefix) {
                    enter(&mut self.folded, &self.scene.nodes, name, index);
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// The figure by the vocabulary with most of its bones.
    fn best(&self, only: Option<Vocabulary>) -> Proposal {
        let mut best = Proposal::default();
        if self.folded.is_empty() {
            return best;
        }
        for vocabulary in
            Vocabulary::ALL.into_iter().filter(|candidate| only.is_none_or(|only| only == *candidate))
        {
            let figure = self.figure(vocabulary);
            if figure.certainty > best.certainty {
                best = figure;
            }
        }
        best
    }

    /// The node with the best of some names, and the certainty from 0 to 1. A node with a mesh counts where no
    /// joint has any of the names.
    fn find(&self, names: Names, is_of_hands: bool) -> Option<(NodeIndex, f64)> {
        let (mut exact, mut folded, mut mesh) = (String::new(), String::new(), None);
        let joint = names.each().find_map(|name| {
            name.write(&mut exact);
            fold(&exact, &mut folded);
            let lettered = || self.lettered.get(&folded).filter(|_| is_of_hands);
            let alike = self.folded.get(&folded).or_else(lettered)?;
            let is_mesh = |node: &&NodeIndex| has_mesh(&self.scene.nodes, **node);
            let same = self.exact.get(exact.as_str()).filter(|same| is_mesh(&alike) || !is_mesh(same));
            let best = same.map_or((*alike, FOLDED), |node| (*node, 1.0));
            if is_mesh(&alike) {
                mesh = mesh.or(Some((best.0, MESH)));
                return None;
            }
            Some(best)
        });
        joint.or(mesh)
    }

    fn figure(&self, vocabulary: Vocabulary) -> Proposal {
        let mut humanoid = Humanoid::default();
        let is_of_hands = !vocabulary.is_of_bodies();
        let (mut sure, mut required) = (0.0, 0.0);
        let bones = vocabulary.bones();
        for (bone, names) in bones.iter().copied() {
            let matched = self.find(names, is_of_hands);
            if bone.is_required() || is_of_hands {
                required += 1.0;
                sure += matched.map_or(0.0, |(_, sure)| sure);
            }
            humanoid.bones.extend(matched.map(|(node, _)| (bone, node)));
        }
        humanoid.root_motion = self.find(vocabulary.roots(), is_of_hands).map(|(node, _)| node);
        self.tell_shoulders(&bones, &mut humanoid.bones);
        let figure = Figure { scene: self.scene, humanoid: &humanoid };
        let is_on_trunk = |[leg, ..]: [HumanBone; 3]| {
            let both = figure.node(leg).zip(figure.node(B::Spine));
            both.is_some_and(|(leg, spine)| leg != spine && hangs_on(self.scene, leg, spine))
        };
        let share = if LEGS.into_iter().all(is_on_trunk) { LEGS_ON_TRUNK } else { 1.0 };
        let certainty = share * sure / required;
        Proposal { humanoid, vocabulary: Some(vocabulary), certainty, ..Proposal::default() }
    }
}

impl Known<'_> {
    /// Makes shoulders of upper arms below which another joint has a name of the upper arm: an arm has two parts,
    /// and with its shoulder three.
    fn tell_shoulders(&self, names: &[(HumanBone, Names)], bones: &mut BTreeMap<HumanBone, NodeIndex>) {
        for (bone, names) in names {
            let limb = ARMS.into_iter().find(|[upper, ..]| upper == bone);
            let both =
                limb.and_then(|[upper, lower, _]| bones.get(&upper).copied().zip(bones.get(&lower).copied()));
            let Some((upper, lower)) = both else { continue };
            let mut arms = names.each().filter_map(|name| self.folded.get(&folded(&name.exact())).copied());
            let is_between = |arm: &NodeIndex| {
                *arm != upper && hangs_on(self.scene, *arm, upper) && hangs_on(self.scene, lower, *arm)
            };
            if let Some((arm, shoulder)) = arms.find(is_between).zip(bone.parent()) {
                bones.extend([(shoulder, upper), (*bone, arm)]);
            }
        }
    }
}

/// A name behind a prefix and a mark; without a prefix, all of it.
fn behind<'b>(name: &'b str, prefix: &str) -> Option<&'b str> {
    let bare = || name.rsplit([':', '|']).next()?.strip_prefix(prefix)?.strip_prefix(is_mark);
    if prefix.is_empty() { Some(name) } else { bare() }
}

/// Characters between the parts of a name.
fn is_mark(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | ' ')
}

/// Beginnings of a name, each with the mark at its end, but no names of sides.
fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.match_indices(is_mark).map(|(at, mark)| at.saturating_add(mark.len())).take(MOST_MARKS);
    ends.filter_map(|end| name.get(..end)).filter(|prefix| {
        !SIDES.contains(&folded(prefix).as_str()) && side(prefix.trim_end_matches(is_mark)).is_none()
    })
}

/// The side by a letter before or behind a name, and the name without the letter.
fn lettered(name: &str) -> Option<(&'static str, &str)> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let before = name.split_once(is_mark).and_then(|(first, rest)| Some((side(first)?, rest)));
    before.or_else(|| name.rsplit_once(is_mark).and_then(|(rest, last)| Some((side(last)?, rest))))
}

/// Side of each node by the nearest node above with a side in its name: joints of tracked hands have the same
/// names on both sides. `None` for a node with a side in its own name. One pass from the roots down, for a
/// chain may be as deep as the file is long.
fn sides_above(scene: &Scene) -> Vec<Option<&'static str>> {
    let mut sides: Vec<(Option<&'static str>, Option<&'static str>)> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|parent| sides.get(parent.0));
        let above = parent.and_then(|(named, above)| named.or(*above));
        sides.push((side_of(&node.name), above));
    }
    sides.into_iter().map(|(named, above)| above.filter(|_| named.is_none())).collect()
}

/// Moves bones up into the gap of a missing bone nearer to the trunk, as the thumb of a hand with two joints
/// and the upper of two chests do, and leaves out bones whose parent is missing all the same.
fn fill_gaps(humanoid: &mut Humanoid) {
    for [inner, middle, outer] in [
        [B::LeftThumbMetacarpal, B::LeftThumbProximal, B::LeftThumbDistal],
        [B::RightThumbMetacarpal, B::RightThumbProximal, B::RightThumbDistal],
    ] {
        if !humanoid.bones.contains_key(&inner) {
            shift(&mut humanoid.bones, middle, inner);
            shift(&mut humanoid.bones, outer, middle);
        }
    }
    if !humanoid.bones.contains_key(&B::Chest) {
        shift(&mut humanoid.bones, B::UpperChest, B::Chest);
    }
    for bone in B::ALL {
        let lacks = bone.parent().is_some_and(|parent| !humanoid.bones.contains_key(&parent));
        if bone.needs_parent() && lacks {
            humanoid.bones.remove(&bone);
        }
    }
}

fn shift(bones: &mut BTreeMap<HumanBone, NodeIndex>, from: HumanBone, to: HumanBone) {
    if let Some(node) = bones.remove(&from) {
        bones.insert(to, node);
    }
}
