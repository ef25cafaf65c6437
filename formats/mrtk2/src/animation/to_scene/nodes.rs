//! The nodes of a scene: all poses are in world space, so their nodes are children of groups without motion.

use super::{PINCH, TRACKED};
use crate::animation::document::{Document, Hands, SwitchCurve};
use crate::animation::names::{Hand, Joint, PoseName};
use crate::animation::notes;
use dopesheet_core::model::{Camera, CameraIndex, Lens, Node, NodeIndex, Scene, Transform};
use std::collections::HashMap;

const ROOT: &str = "InputAnimation";
pub(in crate::animation) const CAMERA: &str = "Camera";
pub(in crate::animation) const GAZE: &str = "Gaze";

/// `LeftHand`: the group of a hand's joints.
pub(in crate::animation) fn group_name(hand: Hand) -> String {
    format!("{}Hand", hand.title())
}

/// `Left_Wrist`
pub(in crate::animation) fn joint_name(hand: Hand, joint: Joint) -> String {
    format!("{}_{}", hand.title(), joint.name())
}

/// `Left_Tracked`, `Left_Pinch`: the node for a switch.
pub(in crate::animation) fn indicator_name(hand: Hand, property: &str) -> String {
    let shown = if property == PINCH { "Pinch" } else { "Tracked" };
    format!("{}_{shown}", hand.title())
}

/// Numbers of poses in the order of a whole file, as targets of values as they are stored have them: head, both hands, their joints, gaze.
const FIRST_JOINT: usize = 3;
/// As [`FIRST_JOINT`].
const GAZE_NUMBER: usize = FIRST_JOINT + 2 * Joint::ALL.len();

/// Unity's default camera: the file says nothing of the lens.
const YFOV_DEG: f64 = 60.0;
const NEAR_M: f64 = 0.3;

/// Nodes of all parts with keys.
pub(super) struct Nodes {
    poses: HashMap<PoseName, NodeIndex>,
    indicators: HashMap<(Hand, &'static str), NodeIndex>,
    pub(super) gaze: Option<NodeIndex>,
}

impl Nodes {
    pub(super) fn new(document: &Document, scene: &mut Scene) -> Self {
        let mut nodes = Self { poses: HashMap::new(), indicators: HashMap::new(), gaze: None };
        let mut push = |name: String, parent, source_index| {
            scene.push_node(Node { source_index, ..Node::new(name, parent, Transform::IDENTITY) })
        };
        let root = push(ROOT.to_owned(), None, None);
        if document.camera.as_ref().is_some_and(|pose| !pose.is_absent()) {
            nodes.poses.insert(PoseName::Camera, push(CAMERA.to_owned(), Some(root), Some(0)));
        }
        if let Some(hands) = document.hands.as_deref() {
            for hand in Hand::BOTH {
                let group = push(group_name(hand), Some(root), None);
                nodes.add_hand(hand, hands, |name, number| push(name, Some(group), number));
            }
        }
        if document.gaze.as_ref().is_some_and(|ray| !ray.is_absent()) {
            nodes.gaze = Some(push(GAZE.to_owned(), Some(root), Some(GAZE_NUMBER)));
        }
        scene.nodes[root.0].extras = Some(notes::of_file(document));
        nodes.add_camera(scene);
        nodes
    }

    fn add_hand(
        &mut self,
        hand: Hand,
        hands: &Hands,
        mut push: impl FnMut(String, Option<usize>) -> NodeIndex,
    ) {
        for (joint, pose) in Joint::ALL.into_iter().zip(&hands.joints[hand as usize]) {
            if !pose.is_absent() {
                let number = FIRST_JOINT + hand as usize * Joint::ALL.len() + joint as usize;
                self.poses.insert(PoseName::Joint(hand, joint), push(joint_name(hand, joint), Some(number)));
            }
        }
        let has_keys = |curves: &[SwitchCurve; 2]| !curves[hand as usize].keys.is_empty();
        for (property, curves) in [(TRACKED, &hands.tracked), (PINCH, &hands.pinch)] {
            if has_keys(curves) {
                self.indicators.insert((hand, property), push(indicator_name(hand, property), None));
            }
        }
    }

    fn add_camera(&self, scene: &mut Scene) {
        let Some(node) = self.pose(PoseName::Camera) else { return };
        scene.cameras.push(Camera {
            name: CAMERA.to_owned(),
            lens: Lens::Perspective { yfov_rad: YFOV_DEG.to_radians(), aspect: None },
            near: NEAR_M,
            far: None,
        });
        scene.nodes[node.0].camera = Some(CameraIndex(0));
    }

    pub(super) fn pose(&self, name: PoseName) -> Option<NodeIndex> {
        self.poses.get(&name).copied()
    }

    pub(super) fn indicator(&self, hand: Hand, property: &'static str) -> Option<NodeIndex> {
        self.indicators.get(&(hand, property)).copied()
    }
}
