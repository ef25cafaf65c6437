//! Bones: nodes, and entries of the rig.

use super::numbers::{dropped, finite, unit, wide};
use crate::pmx::document::{Append, Bone, BoneFlags, Document, Ik, IkLimit, Index};
use crate::pmx::skeleton;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    AngleLimit, Append as RigAppend, IkChain, IkLink, Node, NodeIndex, RigJoint, Scene, Transform,
};
use serde_json::{Map, Value, json};

/// The node of each bone.
pub(super) struct Nodes(Vec<NodeIndex>);

impl Nodes {
    /// The node of a bone, if the bone exists.
    pub(super) fn of(&self, bone: Index) -> Option<NodeIndex> {
        self.0.get(bone.get()?).copied()
    }

    /// The nodes in the order of the bones.
    pub(super) fn all(&self) -> &[NodeIndex] {
        &self.0
    }
}

/// One node per bone, parents first.
pub(super) fn nodes(document: &Document, scene: &mut Scene) -> Nodes {
    let parents = skeleton::parents(document);
    let mut nodes = vec![NodeIndex(0); document.bones.len()];
    for index in skeleton::parents_first(&parents) {
        let Some(bone) = document.bones.get(index) else { continue };
        let parent = parents.get(index);
        let head = wide(bone.head);
        let above = parent.and_then(|parent| document.bones.get(parent)).map_or([0.0; 3], |p| wide(p.head));
        let translation = std::array::from_fn(|axis| head[axis] - above[axis]);
        let rest = Transform { translation, ..Transform::IDENTITY };
        let parent = parent.and_then(|parent| nodes.get(parent).copied());
        let node = Node {
            source_index: Some(index),
            extras: notes(document, bone),
            ..Node::new(document.text(&bone.name), parent, rest)
        };
        let at = scene.push_node(node);
        if let Some(slot) = nodes.get_mut(index) {
            *slot = at;
        }
    }
    Nodes(nodes)
}

/// Notes on a bone without a field in a node.
fn notes(document: &Document, bone: &Bone) -> Option<Value> {
    let mut notes = Map::new();
    let english = document.text(&bone.english_name);
    if !english.is_empty() {
        notes.insert("english_name".into(), english.into());
    }
    for (key, bit) in [
        ("rotatable", BoneFlags::ROTATABLE),
        ("movable", BoneFlags::MOVABLE),
        ("visible", BoneFlags::VISIBLE),
        ("operable", BoneFlags::OPERABLE),
    ] {
        notes.insert(key.into(), bone.flags.has(bit).into());
    }
    if let Some([x, z]) = bone.local_axes {
        notes.insert("local_axes".into(), json!({ "x": wide(x), "z": wide(z) }));
    }
    if let Some(key) = bone.external_parent {
        notes.insert("external_parent".into(), key.into());
    }
    Some(notes.into())
}

/// Parts of a rig left out because they point at no bone.
#[derive(Default)]
struct RigLosses {
    appends: usize,
    chains: usize,
    links: usize,
}

/// Joints and IK chains of the rig.
pub(super) fn rig(document: &Document, nodes: &Nodes, scene: &mut Scene, report: &mut Report) {
    let mut losses = RigLosses::default();
    for (bone, node) in document.bones.iter().zip(nodes.all()) {
        scene.rig.joints.push(RigJoint {
            node: *node,
            level: bone.level,
            after_physics: bone.flags.has(BoneFlags::AFTER_PHYSICS),
            append: bone.append.and_then(|stored| append(&stored, bone.flags, nodes, &mut losses)),
            fixed_axis: bone.fixed_axis.and_then(unit),
        });
        scene.rig.ik.extend(bone.ik.as_ref().and_then(|ik| chain(ik, *node, nodes, &mut losses)));
    }
    let why = "points at no bone of the model";
    dropped(report, losses.appends, "appended motion", why);
    dropped(report, losses.chains, "IK chain", why);
    dropped(report, losses.links, "IK link", why);
}

fn append(stored: &Append, flags: BoneFlags, nodes: &Nodes, losses: &mut RigLosses) -> Option<RigAppend> {
    let Some(source) = nodes.of(stored.source) else {
        losses.appends += usize::from(stored.source != Index::NONE);
        return None;
    };
    Some(RigAppend {
        source,
        ratio: finite(stored.ratio).into(),
        rotation: stored.parts.has_rotation(),
        translation: stored.parts.has_translation(),
        local: flags.has(BoneFlags::LOCAL_APPEND),
    })
}

fn chain(ik: &Ik, goal: NodeIndex, nodes: &Nodes, losses: &mut RigLosses) -> Option<IkChain> {
    let Some(effector) = nodes.of(ik.target) else {
        losses.chains += 1;
        return None;
    };
    let link = |link: &crate::pmx::document::IkLink| {
        Some(IkLink { node: nodes.of(link.bone)?, limit: link.limit.as_ref().map(limit) })
    };
    let links: Vec<_> = ik.links.iter().filter_map(link).collect();
    losses.links += ik.links.len() - links.len();
    let iterations = u32::try_from(ik.iterations).unwrap_or(0);
    Some(IkChain { goal, effector, iterations, step_rad: finite(ik.step_rad).into(), links })
}

fn limit(limit: &IkLimit) -> AngleLimit {
    AngleLimit { min_rad: wide(limit.min_rad), max_rad: wide(limit.max_rad) }
}
