//! Hands whose joints are siblings, as in recordings of tracked hands: joined to fingers by their names.

use crate::drawing::{Drawing, Line, Look};
use crate::moment::Moment;
use crate::solid::Solids;
use crate::theme::Theme;
use dopesheet_core::model::{Node, NodeIndex, Scene};
use glam::Vec3;
use std::collections::BTreeMap;

/// Fingers from the wrist to the tip, in the words of MRTK2's `TrackedHandJoint`.
const FINGERS: [&[&str]; 5] = [
    &["Wrist", "ThumbMetacarpalJoint", "ThumbProximalJoint", "ThumbDistalJoint", "ThumbTip"],
    &["Wrist", "IndexMetacarpal", "IndexKnuckle", "IndexMiddleJoint", "IndexDistalJoint", "IndexTip"],
    &["Wrist", "MiddleMetacarpal", "MiddleKnuckle", "MiddleMiddleJoint", "MiddleDistalJoint", "MiddleTip"],
    &["Wrist", "RingMetacarpal", "RingKnuckle", "RingMiddleJoint", "RingDistalJoint", "RingTip"],
    &["Wrist", "PinkyMetacarpal", "PinkyKnuckle", "PinkyMiddleJoint", "PinkyDistalJoint", "PinkyTip"],
];
/// The tips that meet in a pinch.
const PINCHING: [&str; 2] = ["ThumbTip", "IndexTip"];
/// Fewest joints of a hand.
const FEWEST: usize = 6;
/// Most hands; further hands of a hostile file are left out.
const MOST: usize = 64;
/// Half the thickness of a finger, as a share of the mean length of a hand's bones.
const THICKNESS: f32 = 0.27;

/// The hands of a scene.
#[derive(Debug, Default)]
pub(crate) struct Hands(Vec<Hand>);

/// The joints of a hand.
#[derive(Debug)]
struct Hand {
    /// The parent of the hand's joints.
    group: Option<NodeIndex>,
    /// 0 is left, 1 is right.
    side: usize,
    /// By the end of their names.
    joints: BTreeMap<&'static str, usize>,
    /// Other nodes with the same parent, which show the state of switches.
    siblings: Vec<usize>,
}

impl Hands {
    /// Hands made of nodes with the same parent and the same first word, whose last word is a joint of a
    /// hand.
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut joints_of_hands: BTreeMap<(Option<NodeIndex>, &str), BTreeMap<&'static str, usize>> =
            BTreeMap::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let Some((side, word)) = node.name.rsplit_once(['_', '.']) else { continue };
            let finger_joint =
                FINGERS.iter().copied().flatten().chain(&["Palm"]).find(|joint| **joint == word);
            if let Some(joint) = finger_joint {
                joints_of_hands.entry((node.parent, side)).or_default().entry(joint).or_insert(index);
            }
        }
        joints_of_hands.retain(|_, joints| joints.len() >= FEWEST);
        let joints_of_hands = joints_of_hands.into_iter().take(MOST);
        let hand = |((group, side), joints): ((Option<NodeIndex>, &str), BTreeMap<&'static str, usize>)| {
            let side = usize::from(!side.to_lowercase().contains("left"));
            let beside = |(index, node): (usize, &Node)| {
                (group.is_some() && node.parent == group && !joints.values().any(|joint| *joint == index))
                    .then_some(index)
            };
            let siblings = scene.nodes.iter().enumerate().filter_map(beside).collect();
            Hand { group, side, joints, siblings }
        };
        Self(joints_of_hands.map(hand).collect())
    }

    /// True for a node that is part of a hand, or shows a state of a hand.
    pub(crate) fn has(&self, node: usize) -> bool {
        self.0.iter().any(|hand| {
            let parts = hand.joints.values().chain(&hand.siblings);
            hand.group == Some(NodeIndex(node)) || parts.copied().any(|part| part == node)
        })
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(|hand| hand.joints.values()).copied()
    }

    pub(crate) fn draw(&self, moment: &Moment, theme: &Theme, drawing: &mut Drawing) {
        for hand in &self.0 {
            hand.draw(moment, theme, drawing);
        }
    }
}

impl Hand {
    fn draw(&self, moment: &Moment, theme: &Theme, drawing: &mut Drawing) {
        if self.switch(moment, "tracked") == Some(false) {
            return;
        }
        let bones = self.bones(moment);
        let mean = bones.iter().map(|[a, b]| a.distance(*b)).sum::<f32>() / bones.len().max(1) as f32;
        let radius = mean * THICKNESS;
        let mut skin = Solids::new(Look::matt(theme.hands[self.side]));
        bones.iter().for_each(|ends| skin.stick(*ends, [radius; 2]));
        drawing.surfaces.extend(skin.surface());
        if self.switch(moment, "pinch") == Some(true) {
            self.draw_pinch(moment, radius, theme, drawing);
        }
    }

    fn point(&self, moment: &Moment, joint: &str) -> Option<Vec3> {
        self.joints.get(joint).and_then(|node| moment.point(*node)).map(|point| point.as_vec3())
    }

    /// Bones from joint to joint of each finger, across missing joints.
    fn bones(&self, moment: &Moment) -> Vec<[Vec3; 2]> {
        let mut bones = Vec::new();
        for finger in FINGERS {
            let points: Vec<Vec3> = finger.iter().filter_map(|joint| self.point(moment, joint)).collect();
            bones.extend(points.array_windows::<2>().copied());
        }
        bones
    }

    /// True if the switch of this hand with a name is on; `None` if the hand has no such switch.
    fn switch(&self, moment: &Moment, name: &str) -> Option<bool> {
        let switch_state = moment.switches.iter().find(|switch| {
            let is_own = self.group == Some(NodeIndex(switch.node)) || self.siblings.contains(&switch.node);
            switch.name == name && is_own
        });
        switch_state.map(|switch| switch.is_on)
    }

    /// Draws the tips that meet, and a line between them.
    fn draw_pinch(&self, moment: &Moment, radius: f32, theme: &Theme, drawing: &mut Drawing) {
        let mut tips = Solids::new(Look::matt(theme.accent));
        let points = PINCHING.map(|joint| self.point(moment, joint));
        points.iter().flatten().for_each(|tip| tips.ball(*tip, radius * 1.6));
        drawing.surfaces.extend(tips.surface());
        if let [Some(a), Some(b)] = points {
            let [red, green, blue] = theme.accent;
            let ends = [a.to_array(), b.to_array()];
            drawing.lines.push(Line { ends, color: [red, green, blue, 255], width_px: 3.0 });
        }
    }
}
