//! Constraints between joints that a player solves for each pose.

use super::index::NodeIndex;

/// The constraints of a scene. Empty for most formats.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// In the order in which they are solved.
    pub joints: Vec<RigJoint>,
    /// Inverse kinematics, solved when their goal's turn comes.
    pub ik: Vec<IkChain>,
    /// Morphs in the order of the source, with those that a [`MorphSet`](super::MorphSet) has under the same name.
    pub morphs: Vec<RigMorph>,
}

impl Rig {
    /// True if there is nothing to solve.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.ik.is_empty() && self.morphs.is_empty()
    }
}

/// A morph by its effect on other things than vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct RigMorph {
    /// By which motions call it; names may repeat, then the first counts.
    pub name: String,
    /// Effect of its weight.
    pub effect: MorphEffect,
}

/// Effect of a morph's weight.
#[derive(Clone, Debug, PartialEq)]
pub enum MorphEffect {
    /// Nothing that a rig knows of: it moves vertices, texture coordinates or colours.
    Surface,
    /// Moves joints.
    Joints(Vec<JointOffset>),
    /// Adds its weight, times a factor, to the weights of other morphs (positions in [`Rig::morphs`]). A group in a group
    /// has no effect.
    Group(Vec<(usize, f64)>),
    /// Sets one of other morphs (positions in [`Rig::morphs`]) to a weight, chosen by its own.
    Flip(Vec<(usize, f64)>),
}

/// Offset of a joint by a morph at weight 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointOffset {
    /// The joint.
    pub node: NodeIndex,
    /// Added to its translation, in units of the basis.
    pub translation: [f64; 3],
    /// Unit quaternion x y z w; before the joint's own rotation in its parent's frame.
    pub rotation: [f64; 4],
}

/// Constraints of a rig on one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct RigJoint {
    /// The joint.
    pub node: NodeIndex,
    /// Solved in ascending order of level, then of index.
    pub level: i32,
    /// True if it is solved in the second pass, after simulated bodies have moved.
    pub after_physics: bool,
    /// Takes part of another joint's motion.
    pub append: Option<Append>,
    /// Turns about this axis only; a unit vector in the parent's frame.
    pub fixed_axis: Option<[f64; 3]>,
}

/// A joint takes a share of another joint's motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Append {
    /// Where the motion comes from.
    pub source: NodeIndex,
    /// Share that is taken; may be negative or above 1.
    pub ratio: f64,
    /// True if rotation is taken.
    pub rotation: bool,
    /// True if translation is taken.
    pub translation: bool,
    /// True if the source's motion relative to its parent is meant rather than its own keys.
    pub local: bool,
}

/// Joints that turn so that `effector` reaches `goal`.
#[derive(Clone, Debug, PartialEq)]
pub struct IkChain {
    /// The joint that says where to go.
    pub goal: NodeIndex,
    /// The joint that is to get there.
    pub effector: NodeIndex,
    /// Rounds of the solver at most.
    pub iterations: u32,
    /// Largest turn of the first link in one step, in radians.
    pub step_rad: f64,
    /// The joints that turn, from the effector towards the root.
    pub links: Vec<IkLink>,
}

/// One joint of an IK chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkLink {
    /// The joint.
    pub node: NodeIndex,
    /// The angles it may have.
    pub limit: Option<AngleLimit>,
}

/// Lowest and highest Euler angles about X, Y and Z, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleLimit {
    /// Lowest angles.
    pub min_rad: [f64; 3],
    /// Highest angles.
    pub max_rad: [f64; 3],
}
