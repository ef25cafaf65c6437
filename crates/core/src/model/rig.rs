//! Constraints between joints that a player solves for each pose.

use super::index::NodeIndex;

/// The constraints of a scene. Empty for most formats.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// Constraints in the order of solving.
    pub joints: Vec<RigJoint>,
    /// Inverse kinematics, solved when their goal's turn comes.
    pub ik: Vec<IkChain>,
    /// Morphs in the order of the source, including the morphs that a [`MorphSet`](super::MorphSet) has under
    /// the same name.
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
    /// Name used by motions; names may repeat, then the first counts.
    pub name: String,
    /// Effect of its weight.
    pub effect: MorphEffect,
}

/// Effect of a morph's weight.
#[derive(Clone, Debug, PartialEq)]
pub enum MorphEffect {
    /// No effect on a rig: the morph moves vertices, texture coordinates or colours.
    Surface,
    /// Moves joints, each by an offset in proportion to the weight.
    Joints(Vec<JointOffset>),
    /// Adds its weight, times a factor, to the weights of other morphs (positions in [`Rig::morphs`]). A group in a group
    /// has no effect.
    Group(Vec<(usize, f64)>),
    /// Sets one of other morphs (positions in [`Rig::morphs`]) to a weight, chosen by the morph's own weight.
    Flip(Vec<(usize, f64)>),
}

/// Offset of a joint by a morph at weight 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointOffset {
    /// The joint that is moved or turned.
    pub node: NodeIndex,
    /// Added to its translation, in units of the basis.
    pub translation: [f64; 3],
    /// Unit quaternion x y z w; before the joint's own rotation in its parent's frame.
    pub rotation: [f64; 4],
}

/// Constraints of a rig on a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct RigJoint {
    /// The joint with these constraints.
    pub node: NodeIndex,
    /// Solved in ascending order of level, then of index.
    pub level: i32,
    /// True if the joint is solved in the second pass, after the motion of simulated bodies.
    pub after_physics: bool,
    /// Motion of another joint that is added to the joint's motion.
    pub append: Option<Append>,
    /// Turns about this axis only; a unit vector in the parent's frame.
    pub fixed_axis: Option<[f64; 3]>,
}

/// A joint takes a share of another joint's motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Append {
    /// The joint whose motion is appended.
    pub source: NodeIndex,
    /// Share of the motion; may be negative or above 1.
    pub ratio: f64,
    /// True if rotation is taken.
    pub rotation: bool,
    /// True if translation is taken.
    pub translation: bool,
    /// True to append the source's motion relative to its parent rather than its own keys.
    pub local: bool,
}

/// Joints that turn so that `effector` reaches `goal`.
#[derive(Clone, Debug, PartialEq)]
pub struct IkChain {
    /// The joint whose position the effector has to reach.
    pub goal: NodeIndex,
    /// The joint that has to reach the position of `goal`.
    pub effector: NodeIndex,
    /// Rounds of the solver at most.
    pub iterations: u32,
    /// Largest turn of the first link in a step, in radians.
    pub step_rad: f64,
    /// The joints that turn, from the effector towards the root.
    pub links: Vec<IkLink>,
}

/// A joint of an IK chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkLink {
    /// The joint that turns.
    pub node: NodeIndex,
    /// The angles allowed for the joint.
    pub limit: Option<AngleLimit>,
}

/// Lowest and highest Euler angles about X, Y and Z, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleLimit {
    /// Lowest angles about X, Y and Z, in radians.
    pub min_rad: [f64; 3],
    /// Highest angles about X, Y and Z, in radians.
    pub max_rad: [f64; 3],
}
