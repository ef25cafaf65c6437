//! Bones and their inverse kinematics.

use super::header::{Index, Text};

/// A bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Name, used by motions for the bone.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// Head of the bone, the centre of its rotation, in model space.
    pub head: [f32; 3],
    /// The bone's parent; may come later in the file.
    pub parent: Index,
    /// Bones are solved in ascending order of their level.
    pub level: i32,
    /// Switches not implied by other fields.
    pub flags: BoneFlags,
    /// Tail of the bone, of interest to editors only.
    pub tail: Tail,
    /// Takes part of another bone's motion.
    pub append: Option<Append>,
    /// Turns about this axis only; of any length.
    pub fixed_axis: Option<[f32; 3]>,
    /// X and Z axes of the editor's handles.
    pub local_axes: Option<[[f32; 3]; 2]>,
    /// Follows a bone of another model; the number is its key.
    pub external_parent: Option<i32>,
    /// Pulls other bones to itself.
    pub ik: Option<Ik>,
}

/// Switches of a bone. Bits implied by other fields of [`Bone`] are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneFlags(pub u16);

impl BoneFlags {
    /// May be turned by the user.
    pub const ROTATABLE: u16 = 0x0002;
    /// May be moved by the user.
    pub const MOVABLE: u16 = 0x0004;
    /// Is shown.
    pub const VISIBLE: u16 = 0x0008;
    /// May be picked.
    pub const OPERABLE: u16 = 0x0010;
    /// Set if the bone appends the source's motion in the model instead of the source's own keys.
    pub const LOCAL_APPEND: u16 = 0x0080;
    /// Solved after the physics engine.
    pub const AFTER_PHYSICS: u16 = 0x1000;

    /// The tail is a bone; implied by [`Bone::tail`].
    pub(in crate::pmx) const TAIL_IS_BONE: u16 = 0x0001;
    /// Implied by [`Bone::ik`].
    pub(in crate::pmx) const IK: u16 = 0x0020;
    /// Implied by [`Bone::append`].
    pub(in crate::pmx) const APPEND_ROTATION: u16 = 0x0100;
    /// Implied by [`Bone::append`].
    pub(in crate::pmx) const APPEND_TRANSLATION: u16 = 0x0200;
    /// Implied by [`Bone::fixed_axis`].
    pub(in crate::pmx) const FIXED_AXIS: u16 = 0x0400;
    /// Implied by [`Bone::local_axes`].
    pub(in crate::pmx) const LOCAL_AXES: u16 = 0x0800;
    /// Implied by [`Bone::external_parent`].
    pub(in crate::pmx) const EXTERNAL_PARENT: u16 = 0x2000;
    /// All bits implied by other fields.
    pub(in crate::pmx) const IMPLIED: u16 = Self::TAIL_IS_BONE
        | Self::IK
        | Self::APPEND_ROTATION
        | Self::APPEND_TRANSLATION
        | Self::FIXED_AXIS
        | Self::LOCAL_AXES
        | Self::EXTERNAL_PARENT;

    /// True if all of these bits are set.
    #[must_use]
    pub const fn has(self, bits: u16) -> bool {
        self.0 & bits == bits
    }
}

impl Bone {
    /// The flags as stored in the file: the bone's own and the flags implied by other fields.
    #[must_use]
    pub fn file_flags(&self) -> u16 {
        let parts = self.append.map(|append| append.parts);
        let implied = [
            (BoneFlags::TAIL_IS_BONE, matches!(self.tail, Tail::Bone(_))),
            (BoneFlags::IK, self.ik.is_some()),
            (BoneFlags::APPEND_ROTATION, parts.is_some_and(AppendParts::has_rotation)),
            (BoneFlags::APPEND_TRANSLATION, parts.is_some_and(AppendParts::has_translation)),
            (BoneFlags::FIXED_AXIS, self.fixed_axis.is_some()),
            (BoneFlags::LOCAL_AXES, self.local_axes.is_some()),
            (BoneFlags::EXTERNAL_PARENT, self.external_parent.is_some()),
        ];
        let stated = self.flags.0 & !BoneFlags::IMPLIED;
        implied.into_iter().filter(|(_, is_set)| *is_set).fold(stated, |flags, (bit, _)| flags | bit)
    }
}

/// Tail of a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tail {
    /// At an offset from its head.
    Offset([f32; 3]),
    /// At the head of another bone.
    Bone(Index),
}

impl Default for Tail {
    fn default() -> Self {
        Self::Offset([0.0; 3])
    }
}

/// A bone takes a share of another bone's motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Append {
    /// The other bone.
    pub source: Index,
    /// Share of the source's motion; may be negative or above 1.
    pub ratio: f32,
    /// The parts of the motion taken over.
    pub parts: AppendParts,
}

/// The parts of another bone's motion taken over by a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendParts {
    /// Its rotation.
    Rotation,
    /// Its translation.
    Translation,
    /// Both.
    Both,
}

impl AppendParts {
    /// True if the rotation is taken.
    #[must_use]
    pub const fn has_rotation(self) -> bool {
        matches!(self, Self::Rotation | Self::Both)
    }

    /// True if the translation is taken.
    #[must_use]
    pub const fn has_translation(self) -> bool {
        matches!(self, Self::Translation | Self::Both)
    }
}

/// Inverse kinematics: the links turn so that `target` reaches the bone with this chain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ik {
    /// The bone to be moved to the goal (the ankle of a leg).
    pub target: Index,
    /// Rounds of the solver at most. Negative has no meaning.
    pub iterations: i32,
    /// Largest turn of the first link in one step, in radians.
    pub step_rad: f32,
    /// The bones turned by the chain, starting with the bone next to the target.
    pub links: Vec<IkLink>,
}

/// A bone turned by a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IkLink {
    /// The bone.
    pub bone: Index,
    /// The angles allowed for the bone.
    pub limit: Option<IkLimit>,
}

/// Lowest and highest angles about X, Y and Z, in radians and MikuMikuDance's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IkLimit {
    /// Lowest angles.
    pub min_rad: [f32; 3],
    /// Highest angles.
    pub max_rad: [f32; 3],
}
