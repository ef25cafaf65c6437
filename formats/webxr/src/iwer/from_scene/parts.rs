//! The nodes of a scene that a recording has room for.

use super::super::document::{Entry, Gamepad, InputSource};
use super::super::info::INFO;
use super::super::names::{PINCH, SourceNames, VIEWER, of_sources};
use super::super::notes;
use dopesheet_core::format::{Capabilities, Parts as FormatParts};
use dopesheet_core::model::{Clip, HAND_JOINTS, NodeIndex, Property, Scene, TargetKind, Track, plain_name};
use std::collections::{HashMap, HashSet};

/// All that is written.
pub(in super::super) struct Parts {
    pub(super) viewer: Option<NodeIndex>,
    pub(super) sources: Vec<SourceParts>,
}

/// An input source and its nodes.
pub(in super::super) struct SourceParts {
    pub(super) entry: Entry,
    pub(super) names: SourceNames,
    /// The node of its target ray. Joints hang on it.
    pub(super) ray: Option<NodeIndex>,
    pub(super) grip: Option<NodeIndex>,
    /// The node of each joint, in the order of the schema.
    pub(super) joints: Vec<Option<NodeIndex>>,
}

impl Parts {
    /// The nodes whose poses are written.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeIndex> {
        let own = |source: &SourceParts| {
            source
                .ray
                .into_iter()
                .chain(source.grip)
                .chain(source.joints.iter().flatten().copied())
                .collect::<Vec<_>>()
        };
        self.viewer.into_iter().chain(self.sources.iter().flat_map(own))
    }
}

/// There is room for numbers if those of all targets are buttons, axes and radii of input sources.
pub(in super::super) fn capabilities(scene: &Scene) -> Capabilities {
    let is_known = |clip: &Clip| {
        let parts = parts(scene, clip, &notes::read(clip.source.as_ref()).schema);
        let mut numbers = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Custom);
        numbers.all(|track| parts.sources.iter().any(|source| source.names.own == track.target.name))
    };
    let numbers = scene.clips.first().is_some_and(is_known);
    Capabilities { parts: FormatParts { numbers, ..INFO.capabilities.parts }, ..INFO.capabilities }
}

/// The nodes whose poses a recording has in the world: all but the joints that hang on the ray of their hand.
pub(in super::super) fn in_world(scene: &Scene) -> Vec<NodeIndex> {
    let Some(clip) = scene.clips.first() else { return Vec::new() };
    let parts = parts(scene, clip, &notes::read(clip.source.as_ref()).schema);
    let of_ray: HashSet<NodeIndex> = parts.sources.iter().filter_map(|source| source.ray).collect();
    let hangs = |node: &NodeIndex| {
        scene.node(*node).and_then(|own| own.parent).is_some_and(|parent| of_ray.contains(&parent))
    };
    parts.nodes().filter(|node| !hangs(node)).collect()
}

/// Finds the parts of a scene: by the schema that its clip had as a recording, and by names.
pub(super) fn parts(scene: &Scene, clip: &Clip, schema: &[Entry]) -> Parts {
    let found = Found::new(scene, clip);
    let mut sources: Vec<SourceParts> = Vec::new();
    // A mirror leaves the schema with hands that have changed sides.
    for schema in [schema.to_vec(), of_other_side(schema)] {
        for (entry, names) in schema.iter().zip(of_sources(&schema)) {
            if sources.iter().all(|own| own.names.own != names.own) {
                sources.extend(found.source(entry.clone(), names));
            }
        }
    }
    let derived = found.derived();
    for (entry, names) in derived.iter().zip(of_sources(&derived)) {
        if sources.iter().all(|own| own.names.own != names.own) {
            let index = sources.iter().map(|own| own.entry.index + 1).max().unwrap_or(0);
            sources.extend(found.source(Entry { index, ..entry.clone() }, names));
        }
    }
    Parts { viewer: found.viewer(), sources }
}

/// A schema with the sources of the left hand at the right one and the other way round.
fn of_other_side(schema: &[Entry]) -> Vec<Entry> {
    let mut mirrored = schema.to_vec();
    for entry in &mut mirrored {
        let side = &mut entry.source.handedness;
        *side = match side.as_str() {
            "left" => "right".to_owned(),
            "right" => "left".to_owned(),
            _ => continue,
        };
    }
    mirrored
}

/// The nodes of a scene by their plain names: the first of each name.
struct Found<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    nodes: HashMap<String, NodeIndex>,
    moving: HashSet<NodeIndex>,
}

impl<'a> Found<'a> {
    fn new(scene: &'a Scene, clip: &'a Clip) -> Self {
        let mut nodes = HashMap::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            nodes.entry(plain_name(&node.name)).or_insert(NodeIndex(index));
        }
        let places = |track: &&Track| {
            matches!(track.target.kind, TargetKind::Joint | TargetKind::Camera)
                && track.channels.iter().any(|own| {
                    matches!(own.property, Property::Translation | Property::Rotation)
                        && own.composition.curves().any(|curve| !curve.is_empty())
                })
        };
        let moving = clip.tracks.iter().filter(places).filter_map(|track| track.target.node).collect();
        Self { scene, clip, nodes, moving }
    }

    /// True if a node or one above it moves.
    fn moves(&self, node: NodeIndex) -> bool {
        let mut next = Some(node);
        // Parents stand before their children, so this ends; the bound is for scenes that break that rule.
        for _ in 0..=self.scene.nodes.len() {
            match next {
                Some(own) if self.moving.contains(&own) => return true,
                Some(own) => next = self.scene.node(own).and_then(|node| node.parent),
                None => return false,
            }
        }
        false
    }

    fn node(&self, name: &str) -> Option<NodeIndex> {
        self.nodes.get(&plain_name(name)).copied()
    }

    /// A node that carries a camera is the head before one that is only called so.
    fn viewer(&self) -> Option<NodeIndex> {
        let all = || (0..self.scene.nodes.len()).map(NodeIndex);
        let camera = all().find(|node| self.scene.nodes[node.0].camera.is_some() && self.moves(*node));
        let names = [VIEWER, "camera", "head"].into_iter().filter_map(|name| self.node(name));
        camera.or_else(|| names.into_iter().find(|node| self.moves(*node)))
    }

    /// The node of a joint of a hand: by its own name, or by what other programs call it.
    fn joint(&self, side: &str, name: &str, joint: &str) -> Option<NodeIndex> {
        let others = || {
            let known = HAND_JOINTS.into_iter().find(|own| own.webxr == Some(joint))?;
            let mut names = known.node_names(side);
            names.find_map(|name| self.node(&name)).or_else(|| {
                // `LeftHand/IndexTip`
                let group = self.node(&format!("{side} hand"))?;
                let hangs = |node: &dopesheet_core::model::Node| node.parent == Some(group);
                let own = self.scene.nodes.iter().position(|node| {
                    hangs(node)
                        && known.node_names("").any(|name| plain_name(&name) == plain_name(&node.name))
                });
                own.map(NodeIndex)
            })
        };
        self.node(name).or_else(others)
    }

    /// An input source, if any of its nodes moves.
    fn source(&self, entry: Entry, names: SourceNames) -> Option<SourceParts> {
        let side = &entry.source.handedness;
        let stored = entry.source.joints.iter().flatten();
        let joints: Vec<Option<NodeIndex>> =
            names.joints.iter().zip(stored).map(|(name, joint)| self.joint(side, name, joint)).collect();
        let ray = self.node(&names.own).filter(|ray| {
            let parent = |node: &NodeIndex| self.scene.node(*node).and_then(|own| own.parent);
            self.moves(*ray) && joints.iter().flatten().all(|joint| parent(joint) == Some(*ray))
        });
        let grip = self.node(&names.grip).filter(|node| self.moves(*node));
        let moves = ray.is_some() || joints.iter().flatten().any(|node| self.moves(*node));
        moves.then_some(SourceParts { entry, names, ray, grip, joints })
    }

    /// Input sources as a device would describe them: a hand of either side, and a controller.
    fn derived(&self) -> Vec<Entry> {
        let joints: Vec<String> = HAND_JOINTS.iter().filter_map(|own| own.webxr).map(str::to_owned).collect();
        let source = |side: &str, kind: &str, profile: &str| InputSource {
            handedness: side.to_owned(),
            target_ray_mode: "tracked-pointer".to_owned(),
            profiles: vec![profile.to_owned()],
            has_grip: self.node(&format!("{side}-{kind}-grip")).is_some_and(|node| self.moves(node)),
            joints: (kind == "hand").then(|| joints.clone()),
            gamepad: (kind == "hand" && self.pinches(side)).then(|| Gamepad {
                mapping: "xr-standard".to_owned(),
                buttons: 1,
                axes: 0,
            }),
        };
        let both = ["left", "right"];
        let hands = both.map(|side| source(side, "hand", "generic-hand-select"));
        let controllers = both.map(|side| source(side, "controller", "generic-trigger"));
        let all = hands.into_iter().chain(controllers).zip(0..);
        all.map(|(source, index)| Entry { index, source }).collect()
    }

    /// True if a clip says when a hand pinches.
    fn pinches(&self, side: &str) -> bool {
        let label = format!("{side}.hand");
        let own = self.clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Hand);
        let mut channels =
            own.filter(|track| track.target.label() == label).flat_map(|track| &track.channels);
        channels.any(|own| matches!(&own.property, Property::Named(name) if name == PINCH))
    }
}
