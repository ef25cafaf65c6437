//! Poses and switches of a file, and the nodes and tracks of a scene that represent them.

use crate::animation::names::{Hand, Joint, PoseName};
use crate::animation::to_scene::{CAMERA, GAZE, PINCH, TRACKED, group_name, indicator_name, joint_name};
use dopesheet_core::model::{NodeIndex, Scene, plain_name};
use dopesheet_core::order::by_key;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum FileSlot {
    Pose(PoseName),
    Gaze,
    Switch(Hand, &'static str),
}

/// The names of all places, as [`plain_name`] makes them.
pub(super) struct Names(HashMap<String, FileSlot>);

/// The names, made once: they are always the same, and making them takes longer than a short motion does.
static NAMES: LazyLock<Names> = LazyLock::new(Names::new);

impl Names {
    pub(super) fn get() -> &'static Self {
        &NAMES
    }

    fn new() -> Self {
        let mut names = HashMap::new();
        let mut add = |name: &str, slot| {
            names.entry(plain_name(name)).or_insert(slot);
        };
        add(CAMERA, FileSlot::Pose(PoseName::Camera));
        add(GAZE, FileSlot::Gaze);
        for hand in Hand::BOTH {
            for switch in [TRACKED, PINCH] {
                add(&indicator_name(hand, switch), FileSlot::Switch(hand, switch));
            }
            for joint in Joint::ALL {
                let slot = FileSlot::Pose(PoseName::Joint(hand, joint));
                add(&joint_name(hand, joint), slot);
                let further_names = joint.names().into_iter().flat_map(|names| names.node_names(hand.word()));
                further_names.for_each(|name| add(&name, slot));
            }
        }
        Self(names)
    }

    pub(super) fn find(&self, name: &str) -> Option<FileSlot> {
        self.0.get(&plain_name(name)).copied()
    }

    /// The place of a node: by its name, or as a part of its hand (`LeftHand/IndexTip`).
    pub(super) fn find_node(&self, scene: &Scene, node: NodeIndex) -> Option<FileSlot> {
        let stored = scene.nodes.get(node.0)?;
        self.find(&stored.name).or_else(|| {
            let above = scene.nodes.get(stored.parent?.0)?;
            let hand = Hand::BOTH
                .into_iter()
                .find(|hand| plain_name(&above.name) == plain_name(&group_name(*hand)))?;
            self.find(&format!("{} {}", hand.word(), stored.name))
        })
    }

    /// The node of each place: the first node of its name. A node with a camera takes precedence as the head
    /// over a node with the head's name, because conversion has turned the camera's node to look along +Z.
    pub(super) fn nodes(
        &self,
        scene: &Scene,
        moves: impl Fn(NodeIndex) -> bool,
    ) -> Vec<(FileSlot, NodeIndex)> {
        let head = FileSlot::Pose(PoseName::Camera);
        let all = || (0..scene.nodes.len()).map(NodeIndex);
        let camera = all().find(|node| scene.nodes[node.0].camera.is_some() && moves(*node));
        let mut nodes_by_slot: HashMap<FileSlot, NodeIndex> =
            camera.into_iter().map(|node| (head, node)).collect();
        for node in all().filter(|node| moves(*node)) {
            if let Some(slot) = self.find_node(scene, node) {
                nodes_by_slot.entry(slot).or_insert(node);
            }
        }
        let mut sorted: Vec<_> = nodes_by_slot.into_iter().collect();
        by_key(&mut sorted, |slot| *slot);
        sorted
    }
}
