//! Poses and switches of a file that nodes and tracks of a scene stand for.

use crate::animation::names::{Hand, Joint, PoseName};
use crate::animation::to_scene::{CAMERA, GAZE, PINCH, TRACKED, group_name, indicator_name, joint_name};
use dopesheet_core::model::{NodeIndex, Scene, plain_name};
use dopesheet_core::order::by_key;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Something that a file has room for.
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
        let mut add = |name: &str, place| {
            names.entry(plain_name(name)).or_insert(place);
        };
        add(CAMERA, FileSlot::Pose(PoseName::Camera));
        add(GAZE, FileSlot::Gaze);
        for hand in Hand::BOTH {
            for switch in [TRACKED, PINCH] {
                add(&indicator_name(hand, switch), FileSlot::Switch(hand, switch));
            }
            for joint in Joint::ALL {
                let place = FileSlot::Pose(PoseName::Joint(hand, joint));
                add(&joint_name(hand, joint), place);
                let others = joint.names().into_iter().flat_map(|names| names.node_names(hand.word()));
                others.for_each(|name| add(&name, place));
            }
        }
        Self(names)
    }

    pub(super) fn find(&self, name: &str) -> Option<FileSlot> {
        self.0.get(&plain_name(name)).copied()
    }

    /// The place of a node: by its name, or as a part of the hand that it belongs to (`LeftHand/IndexTip`).
    pub(super) fn find_node(&self, scene: &Scene, node: NodeIndex) -> Option<FileSlot> {
        let own = scene.nodes.get(node.0)?;
        self.find(&own.name).or_else(|| {
            let above = scene.nodes.get(own.parent?.0)?;
            let hand = Hand::BOTH
                .into_iter()
                .find(|hand| plain_name(&above.name) == plain_name(&group_name(*hand)))?;
            self.find(&format!("{} {}", hand.word(), own.name))
        })
    }

    /// The node of each place: the first one of its name. A node that carries a camera is the head before one that is
    /// only called so, because conversion has turned it to look along +Z.
    pub(super) fn nodes(
        &self,
        scene: &Scene,
        moves: impl Fn(NodeIndex) -> bool,
    ) -> Vec<(FileSlot, NodeIndex)> {
        let head = FileSlot::Pose(PoseName::Camera);
        let all = || (0..scene.nodes.len()).map(NodeIndex);
        let camera = all().find(|node| scene.nodes[node.0].camera.is_some() && moves(*node));
        let mut found: HashMap<FileSlot, NodeIndex> = camera.into_iter().map(|node| (head, node)).collect();
        for node in all().filter(|node| moves(*node)) {
            if let Some(place) = self.find_node(scene, node) {
                found.entry(place).or_insert(node);
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        by_key(&mut found, |place| *place);
        found
    }
}
