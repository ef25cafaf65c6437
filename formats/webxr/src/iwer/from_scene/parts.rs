//! The nodes of a scene with a place in a recording.

use super::super::document::{Entry, Gamepad, InputSource};
use super::super::info::INFO;
use super::super::names::{PINCH, SourceNames, VIEWER, of_sources};
use super::super::notes;
use dopesheet_core::format::{Capabilities, Parts as FormatParts};
use dopesheet_core::model::{Clip, HAND_JOINTS, NodeIndex, Property, Scene, TargetKind, Track, plain_name};
use std::collections::{HashMap, HashSet};

/// All parts to be written.
pub(in super::super) struct Parts {
    pub(super) viewer: Option<NodeIndex>,
    pub(super) sources: Vec<SourceParts>,
}

/// An input source and its nodes.
pub(in super::super) struct SourceParts {
    pub(super) entry: Entry,
    pub(super) names: SourceNames,
    /// The node of its target ray, the parent of the joints.
    pub(super) ray: Option<NodeIndex>,
    pub(super) grip: Option<NodeIndex>,
    /// The node of each joint, in the order of the schema.
    pub(super) joints: Vec<Option<NodeIndex>>,
}

impl Parts {
    /// The nodes with written poses.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeIndex> {
        let nodes_of = |source: &SourceParts| {
            source
                .ray
                .into_iter()
                .chain(source.grip)
                .chain(source.joints.iter().flatten().copied())
                .collect::<Vec<_>>()
        };
        self.viewer.into_iter().chain(self.sources.iter().flat_map(nodes_of))
    }
}

/// Numbers have a place if all their targets are buttons, axes and radii of input sources.
pub(in super::super) fn capabilities(scene: &Scene) -> Capabilities {
    let is_known = |clip: &Clip| {
        let parts = parts(scene, clip, &notes::read(clip.source.as_ref()).schema);
        let mut numbers = clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Custom);
        numbers.all(|track| parts.sources.iter().any(|source| source.names.ray == track.target.name))
    };
    let numbers = scene.clips.first().is_some_and(is_known);
    Capabilities { parts: FormatParts { numbers, ..INFO.capabilities.parts }, ..INFO.capabilities }
}

/// The nodes whose poses a recording states in the world: all but the joints that are children of their
/// hand's ray.
pub(in super::super) fn in_world(scene: &Scene) -> Vec<NodeIndex> {
    let Some(clip) = scene.clips.first() else { return Vec::new() };
    let parts = parts(scene, clip, &notes::read(clip.source.as_ref()).schema);
    let of_ray: HashSet<NodeIndex> = parts.sources.iter().filter_map(|source| source.ray).collect();
    let hangs = |node: &NodeIndex| {
        scene.node(*node).and_then(|stored| stored.parent).is_some_and(|parent| of_ray.contains(&parent))
    };
    parts.nodes().filter(|node| !hangs(node)).collect()
}

/// Finds the parts of a scene: by the schema of its clip from a recording, and by names.
pub(super) fn parts(scene: &Scene, clip: &Clip, schema: &[Entry]) -> Parts {
    let finder = NodesByName::new(scene, clip);
    let mut sources: Vec<SourceParts> = Vec::new();
    // A mirror leaves the schema with hands that have changed sides.
    for schema in [schema.to_vec(), of_other_side(schema)] {
        for (entry, names) in schema.iter().zip(of_sources(&schema)) {
            if sources.iter().all(|source| source.names.ray != names.ray) {
                sources.extend(finder.source(entry.clone(), names));
            }
        }
    }
    let derived = finder.derived();
    for (entry, names) in derived.iter().zip(of_sources(&derived)) {
        if sources.iter().all(|source| source.names.ray != names.ray) {
            let index = sources.iter().map(|source| source.entry.index + 1).max().unwrap_or(0);
            sources.extend(finder.source(Entry { index, ..entry.clone() }, names));
        }
    }
    Parts { viewer: finder.viewer(), sources }
}

/// A schema with the sources of the left hand at the right hand and the other way round.
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
struct NodesByName<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    nodes: HashMap<String, NodeIndex>,
    moving: HashSet<NodeIndex>,
}

impl<'a> NodesByName<'a> {
    fn new(scene: &'a Scene, clip: &'a Clip) -> Self {
        let mut nodes = HashMap::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            nodes.entry(plain_name(&node.name)).or_insert(NodeIndex(index));
        }
        let places = |track: &&Track| {
            matches!(track.target.kind, TargetKind::Joint | TargetKind::Camera)
                && track.channels.iter().any(|channel| {
                    matches!(channel.property, Property::Translation | Property::Rotation)
                        && channel.composition.curves().any(|curve| !curve.is_empty())
                })
        };
        let moving = clip.tracks.iter().filter(places).filter_map(|track| track.target.node).collect();
        Self { scene, clip, nodes, moving }
    }

    /// True if a node or an ancestor moves.
    fn moves(&self, node: NodeIndex) -> bool {
        let mut next = Some(node);
        // Parents stand before their children, so this ends; the bound is for scenes that break that rule.
        for _ in 0..=self.scene.nodes.len() {
            match next {
                Some(current) if self.moving.contains(&current) => return true,
                Some(current) => next = self.scene.node(current).and_then(|node| node.parent),
                None => return false,
            }
        }
        false
    }

    fn node(&self, name: &str) -> Option<NodeIndex> {
        self.nodes.get(&plain_name(name)).copied()
    }

    /// A node with a camera takes precedence as the head over a node with the head's name.
    fn viewer(&self) -> Option<NodeIndex> {
        let all = || (0..self.scene.nodes.len()).map(NodeIndex);
        let camera = all().find(|node| self.scene.nodes[node.0].camera.is_some() && self.moves(*node));
        let names = [VIEWER, "camera", "head"].into_iter().filter_map(|name| self.node(name));
        camera.or_else(|| names.into_iter().find(|node| self.moves(*node)))
    }

    /// The node of a joint of a hand: by its WebXR name, or by the names of other programs.
    fn joint(&self, side: &str, name: &str, joint: &str) -> Option<NodeIndex> {
        let of_other_programs = || {
            let listed = HAND_JOINTS.into_iter().find(|hand_joint| hand_joint.webxr == Some(joint))?;
            let mut names = listed.node_names(side);
            names.find_map(|name| self.node(&name)).or_else(|| {
                // `LeftHand/IndexTip`
                let group = self.node(&format!("{side} hand"))?;
                let hangs = |node: &dopesheet_core::model::Node| node.parent == Some(group);
                let position = self.scene.nodes.iter().position(|node| {
                    hangs(node)
                        && listed.node_names("").any(|name| plain_name(&name) == plain_name(&node.name))
                });
                position.map(NodeIndex)
            })
        };
        self.node(name).or_else(of_other_programs)
    }

    /// An input source, if any of its nodes moves.
    fn source(&self, entry: Entry, names: SourceNames) -> Option<SourceParts> {
        let side = &entry.source.handedness;
        let stored = entry.source.joints.iter().flatten();
        let joints: Vec<Option<NodeIndex>> =
            names.joints.iter().zip(stored).map(|(name, joint)| self.joint(side, name, joint)).collect();
        let ray = self.node(&names.ray).filter(|ray| {
            let parent = |node: &NodeIndex| self.scene.node(*node).and_then(|stored| stored.parent);
            self.moves(*ray) && joints.iter().flatten().all(|joint| parent(joint) == Some(*ray))
        });
        let grip = self.node(&names.grip).filter(|node| self.moves(*node));
        let moves = ray.is_some() || joints.iter().flatten().any(|node| self.moves(*node));
        moves.then_some(SourceParts { entry, names, ray, grip, joints })
    }

    /// Input sources as a device would describe them: a hand of either side, and a controller.
    fn derived(&self) -> Vec<Entry> {
        let joints: Vec<String> =
            HAND_JOINTS.iter().filter_map(|hand_joint| hand_joint.webxr).map(str::to_owned).collect();
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
        let hand_tracks = self.clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Hand);
        let mut channels =
            hand_tracks.filter(|track| track.target.label() == label).flat_map(|track| &track.channels);
        channels.any(|channel| matches!(&channel.property, Property::Named(name) if name == PINCH))
    }
}
