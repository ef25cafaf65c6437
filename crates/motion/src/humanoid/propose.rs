//! Which node is which bone, found by names.

use super::names::{Name, Vocabulary, Words, folded};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{HumanBone, Humanoid, NodeIndex, Scene};
use std::collections::{BTreeMap, HashMap};

/// The word that names the node of [`Humanoid::root_motion`] in a map of names.
const ROOT_MOTION: &str = "rootMotion";

/// A figure that was found, and how sure that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Which node is which bone.
    pub humanoid: Humanoid,
    /// Whose names they are; `None` if the source itself says which bones they are, or nothing was found.
    pub vocabulary: Option<Vocabulary>,
    /// Bones that the caller named.
    pub named: usize,
    /// From 0 (no required bone was found) to 1 (all were, and none by a name that had to be folded). Of names of hands alone,
    /// their bones count instead.
    pub certainty: f64,
}

/// Confidence in a bone that was found only after its name was folded.
const FOLDED: f64 = 0.8;

/// The human figure of a scene: as the source says, else by the vocabulary that knows most of the bones that every
/// figure has.
///
/// `names` maps names of nodes to words of [`HumanBone`] (or `rootMotion`, for the node that carries the whole figure), and
/// overrides what is found; other pairs mean nothing here.
#[must_use]
pub fn propose(scene: &Scene, names: &NameMap) -> Proposal {
    propose_by(scene, names, None)
}

/// As [`propose`](fn@propose), by the names of one vocabulary alone where one is given, whatever the source says.
#[must_use]
pub fn propose_by(scene: &Scene, names: &NameMap, only: Option<Vocabulary>) -> Proposal {
    let mut proposal = match &scene.humanoid {
        Some(stated) if !stated.bones.is_empty() && only.is_none() => {
            Proposal { humanoid: stated.clone(), vocabulary: None, named: 0, certainty: 1.0 }
        }
        _ => by_names(scene, only),
    };
    let humanoid = &mut proposal.humanoid;
    for (index, node) in scene.nodes.iter().enumerate().rev() {
        let word = names.get(&node.name);
        if word == node.name {
            continue;
        }
        if let Some(bone) = HumanBone::from_word(word) {
            humanoid.bones.retain(|_, own| own.0 != index);
            humanoid.bones.insert(bone, NodeIndex(index));
            proposal.named = proposal.named.saturating_add(1);
        } else if word == ROOT_MOTION {
            humanoid.root_motion = Some(NodeIndex(index));
        }
    }
    fill_gaps(humanoid);
    proposal
}

fn by_names(scene: &Scene, only: Option<Vocabulary>) -> Proposal {
    let none = Proposal { humanoid: Humanoid::default(), vocabulary: None, named: 0, certainty: 0.0 };
    let known = Known::of(scene);
    if known.folded.is_empty() {
        return none;
    }
    let mut best = none;
    for words in Words::all().iter().filter(|words| only.is_none_or(|only| only == words.vocabulary)) {
        let found = known.figure(words);
        if found.certainty > best.certainty {
            best = found;
        }
    }
    best
}

/// Those names of a scene's nodes that some vocabulary has; of equal names the first node counts.
struct Known<'a> {
    exact: HashMap<&'a str, NodeIndex>,
    folded: HashMap<String, NodeIndex>,
}

impl<'a> Known<'a> {
    fn of(scene: &'a Scene) -> Self {
        let (mut exact, mut by_folded) = (HashMap::new(), HashMap::new());
        for (index, node) in scene.nodes.iter().enumerate() {
            let name = folded(&node.name);
            if Words::have(&name) {
                exact.entry(node.name.as_str()).or_insert(NodeIndex(index));
                by_folded.entry(name).or_insert(NodeIndex(index));
            }
        }
        for (index, (node, side)) in scene.nodes.iter().zip(sides_above(scene)).enumerate() {
            let name = side.map(|side| folded(&format!("{side}{}", node.name)));
            if let Some(name) = name.filter(|name| Words::have(name)) {
                by_folded.entry(name).or_insert(NodeIndex(index));
            }
        }
        Self { exact, folded: by_folded }
    }

    /// The node with the best of some names, and how sure that is.
    fn find(&self, names: &[Name]) -> Option<(NodeIndex, f64)> {
        names.iter().find_map(|name| {
            let exact = self.exact.get(name.exact.as_str()).map(|node| (*node, 1.0));
            exact.or_else(|| self.folded.get(&name.folded).map(|node| (*node, FOLDED)))
        })
    }

    fn figure(&self, words: &Words) -> Proposal {
        let mut humanoid = Humanoid::default();
        let (mut sure, mut required) = (0.0, 0.0);
        for (bone, names) in &words.bones {
            let found = self.find(names);
            if bone.is_required() || !words.vocabulary.is_of_bodies() {
                required += 1.0;
                sure += found.map_or(0.0, |(_, sure)| sure);
            }
            humanoid.bones.extend(found.map(|(node, _)| (*bone, node)));
        }
        humanoid.root_motion = self.find(&words.roots).map(|(node, _)| node);
        let vocabulary = Some(words.vocabulary);
        Proposal { humanoid, vocabulary, named: 0, certainty: sure / required }
    }
}

/// Sides of a figure, as names have them.
const SIDES: [&str; 2] = ["left", "right"];

/// The side that a name names, if it is one.
fn side_of(name: &str) -> Option<&'static str> {
    let name = folded(name);
    let mut named = SIDES.into_iter().filter(|side| name.contains(side));
    named.next().filter(|_| named.next().is_none())
}

/// Side of each node by the nearest node above that names one: joints of tracked hands are called alike on both. `None` for a
/// node whose own name says it. One pass from the roots down, for a chain may be as deep as the file is long.
fn sides_above(scene: &Scene) -> Vec<Option<&'static str>> {
    let mut sides: Vec<(Option<&'static str>, Option<&'static str>)> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|parent| sides.get(parent.0));
        let above = parent.and_then(|(own, above)| own.or(*above));
        sides.push((side_of(&node.name), above));
    }
    sides.into_iter().map(|(own, above)| above.filter(|_| own.is_none())).collect()
}

/// Moves bones up that stand for a bone nearer to the trunk, as the thumb of a hand with two joints and the upper of two
/// chests do, and leaves out those whose parent is missing all the same.
fn fill_gaps(humanoid: &mut Humanoid) {
    use HumanBone as B;
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
