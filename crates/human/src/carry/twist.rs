//! Twist of limbs, shared with twist bones.
//!
//! A skin whose limb turns about its own line in one joint alone is wrung there, so figures have twist bones
//! along the limb. Above an elbow or a knee the twist is the limb's own bone's, at whose upper end nothing
//! turns; below, the twist of the hand or foot is added to the twist of the limb's bone, which itself only
//! bends. The share of a twist bone in the twist is its position along the limb. Where twist bones stand in
//! the chain and others beside the chain (MikuMikuDance's 腕捩 and 腕捩1 to 3), the last bone in the chain has
//! all of the twist.
//!
//! With G the rotation of the limb's bone in the T-pose and U a turn about the limb, each node of the limb
//! has G·U: no joint leaves its position, and all that hangs on the limb keeps its rotation.

use crate::body::figure::{ARMS, Figure, LEGS, parts, upwards};
use crate::body::shape::Body;
use crate::who::names::folded;
use dopesheet_core::model::{HumanBone, NodeIndex, Scene};
use dopesheet_motion::inside::ChainTransform;
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// Parts of folded names that mark twist bones: Unreal's, VRM avatars' and most others; MikuMikuDance's;
/// MotionBuilder's and Maya's.
const NAMES: [&str; 5] = ["twist", "捩", "捻", "armroll", "legroll"];

/// Angle in radians above which twist fades to none at half a turn, so that a bone does not jump as it turns
/// over.
const TURNING_OVER: f64 = 0.85 * PI;
/// Cosine of half the angle from which on a limb points so far back that its twist counts less and less.
const FOLDED_BACK: f64 = 0.25;
/// Shorter limbs have no line, in metres.
const SHORTEST: f64 = 1e-6;

/// A limb of a figure with twist bones.
#[derive(Clone, Debug)]
pub(crate) struct Twisted {
    pub(crate) bone: HumanBone,
    /// The bone at its end.
    pub(crate) end: HumanBone,
    is_lower: bool,
    /// Its direction in the T-pose, of length 1.
    along: DVec3,
    /// The limb's own node, then its twist bones: bones in the chain, from above, and bones beside the chain.
    pub(crate) nodes: Vec<TwistNode>,
}

/// Node of a limb that takes a share of its twist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwistNode {
    pub(crate) node: NodeIndex,
    /// Position in [`Twisted::nodes`] of the node above.
    pub(crate) above: usize,
    /// True if the end of the limb hangs on the node.
    is_in_chain: bool,
    /// Share of the node in the limb's twist.
    share: f64,
    /// Line about which the node turns, in the T-pose.
    line: DVec3,
}

/// Twist of a limb at a time, in radians.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twist {
    /// Twist of the limb's own bone, in radians.
    own: f64,
    /// Twist of the whole limb, in radians.
    all: f64,
}

impl Twisted {
    /// The limbs of a body that have twist bones.
    pub(super) fn all(body: &Body<'_>) -> Vec<Self> {
        // Above an elbow or a knee, then below.
        let limbs = ARMS.into_iter().chain(LEGS).flat_map(|limb| parts(limb).into_iter().zip([false, true]));
        limbs.filter_map(|([bone, end], is_lower)| Self::of(body, bone, end, is_lower)).collect()
    }

    fn of(body: &Body<'_>, bone: HumanBone, end: HumanBone, is_lower: bool) -> Option<Self> {
        let (first, last) = (body.figure.node(bone)?, body.figure.node(end)?);
        let twist_nodes = LimbNodes::of(body.figure, first, last)?;
        let position = |node: NodeIndex| body.rest.get(node.0).map(ChainTransform::place);
        let correction = body.bones.get(&bone)?.correction * body.facing;
        let (start, extent) = (position(first)?, position(last)? - position(first)?);
        let along = (correction * extent).try_normalize().filter(|_| extent.length() > SHORTEST)?;
        let at = |node: NodeIndex| {
            let far = position(node).map_or(0.0, |position| (position - start).dot(extent));
            (far / extent.length_squared()).clamp(0.0, 1.0)
        };
        let nodes = twist_nodes.parts(body.figure.scene, is_lower, at, |from, to| {
            let line = position(to).zip(position(from)).map(|(to, from)| correction * (to - from));
            line.and_then(DVec3::try_normalize).unwrap_or(along)
        });
        Some(Self { bone, end, is_lower, along, nodes })
    }

    /// The limb's twist, given the rotations of its bone and of the bone at its end, each relative to the
    /// bone above.
    pub(crate) fn twist(&self, bone: DQuat, end: DQuat) -> Twist {
        let bone_twist = about(bone, self.along);
        Twist { own: bone_twist, all: bone_twist + if self.is_lower { about(end, self.along) } else { 0.0 } }
    }

    /// The turn of a node of the limb, by its index, behind the rotation of the limb's bone.
    pub(crate) fn turn(&self, part: usize, twist: Twist) -> DQuat {
        let turn = |part: &TwistNode| DQuat::from_axis_angle(part.line, part.angle(twist));
        self.nodes.get(part).map_or(DQuat::IDENTITY, turn)
    }

    /// Index of the node on which the end of the limb hangs.
    pub(crate) fn last(&self) -> usize {
        self.nodes.iter().filter(|part| part.is_in_chain).count().saturating_sub(1)
    }
}

/// Nodes from a limb's bone to its end, with its twist bones.
struct LimbNodes {
    /// From the limb's own node down to the node right above its end.
    chain: Vec<NodeIndex>,
    /// Its end.
    last: NodeIndex,
    /// Twist bones in the chain, from above.
    within: Vec<NodeIndex>,
    /// Twist bones that hang on the chain.
    beside: Vec<NodeIndex>,
}

impl LimbNodes {
    /// `None` without twist bones, or if the end hangs on something else.
    fn of(figure: Figure<'_>, first: NodeIndex, last: NodeIndex) -> Option<Self> {
        let scene = figure.scene;
        let above = |node: &NodeIndex| scene.node(*node).and_then(|node| node.parent);
        let up: Vec<NodeIndex> = upwards(scene, last).skip(1).collect();
        let length = up.iter().position(|node| *node == first)?;
        let chain: Vec<NodeIndex> = up.iter().take(length.saturating_add(1)).rev().copied().collect();
        let is_twist = |node: &NodeIndex| {
            let name = scene.node(*node).map(|node| folded(&node.name)).unwrap_or_default();
            NAMES.iter().any(|part| name.contains(part))
        };
        let hangs = |node: &NodeIndex| above(node).is_some_and(|above| chain.contains(&above));
        let within: Vec<NodeIndex> = chain.iter().skip(1).filter(|node| is_twist(node)).copied().collect();
        let outside = (0..scene.nodes.len()).map(NodeIndex).filter(|node| !chain.contains(node));
        let beside: Vec<NodeIndex> =
            outside.filter(|node| hangs(node) && !figure.has(*node) && is_twist(node)).collect();
        let has_any = !(within.is_empty() && beside.is_empty());
        has_any.then_some(Self { chain, last, within, beside })
    }

    /// The nodes that take part, given positions along the limb and lines from a node to another.
    fn parts(
        &self,
        scene: &Scene,
        is_lower: bool,
        at: impl Fn(NodeIndex) -> f64,
        line: impl Fn(NodeIndex, NodeIndex) -> DVec3,
    ) -> Vec<TwistNode> {
        let whole = self.within.last().filter(|_| !self.beside.is_empty()).map_or(1.0, |node| at(*node));
        let within = |node: NodeIndex| if whole > 0.0 { (at(node) / whole).min(1.0) } else { 1.0 };
        // Whatever is beside a limb above an elbow turns back, so that the elbow stays as it is.
        let own_share = if is_lower || !self.within.is_empty() { 0.0 } else { 1.0 };
        let first = self.chain.first().map(|node| (*node, own_share));
        let shares = first.into_iter().chain(self.within.iter().map(|node| (*node, within(*node))));
        let ends = self.within.iter().copied().chain([self.last]);
        let mut parts: Vec<TwistNode> = Vec::new();
        for ((node, share), to) in shares.zip(ends) {
            let above = parts.len().saturating_sub(1);
            parts.push(TwistNode { node, above, is_in_chain: true, share, line: line(node, to) });
        }
        for node in &self.beside {
            let over = scene.node(*node).and_then(|node| node.parent);
            let over = over.and_then(|over| self.chain.iter().position(|node| *node == over)).unwrap_or(0);
            let over = self.chain.iter().take(over.saturating_add(1));
            let above = over.filter(|node| self.within.contains(node)).count();
            let line = self.chain.first().map_or(DVec3::X, |node| line(*node, self.last));
            parts.push(TwistNode { node: *node, above, is_in_chain: false, share: at(*node), line });
        }
        parts
    }
}

impl TwistNode {
    /// Angle in radians by which the node is turned behind the limb's bone.
    pub(crate) fn angle(&self, twist: Twist) -> f64 {
        self.share * twist.all - twist.own
    }
}

/// Angle in radians by which a rotation turns about a line, apart from the swing of the line itself; less and
/// less near half a turn.
fn about(rotation: DQuat, line: DVec3) -> f64 {
    let along = DVec3::new(rotation.x, rotation.y, rotation.z).dot(line);
    let angle = 2.0 * libm::atan2(along, rotation.w);
    let angle = if angle > PI {
        angle - 2.0 * PI
    } else if angle < -PI {
        angle + 2.0 * PI
    } else {
        angle
    };
    let over = ((angle.abs() - TURNING_OVER) / (PI - TURNING_OVER)).clamp(0.0, 1.0);
    let back = (libm::hypot(along, rotation.w) / FOLDED_BACK).clamp(0.0, 1.0);
    angle * (1.0 - over) * back * back * (3.0 - 2.0 * back)
}
