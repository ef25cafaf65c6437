//! The file as stored.

use crate::text::Name;
use dopesheet_core::format::ResourceName;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A PMD file: all contents of its bytes, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Version of the format; 1.0 in all known files.
    pub version: f32,
    /// Name of the model.
    pub name: Name<20>,
    /// Comment of the author on the model; lines end with a line feed, at times behind a carriage return.
    pub comment: Comment,
    /// The points of the surface.
    pub vertices: Vec<Vertex>,
    /// Indices of vertices, three per triangle, clockwise seen from the front in MikuMikuDance's left-handed axes.
    pub faces: Vec<u16>,
    /// Materials of the surface; each owns the triangles behind the triangles of the material before.
    pub materials: Vec<Material>,
    /// The skeleton, in any order.
    pub bones: Vec<Bone>,
    /// Inverse kinematics, in the order of solving.
    pub ik: Vec<Ik>,
    /// Morphs, which change the shape of the model. The first is the base, the list of the vertices moved by
    /// all other morphs.
    pub morphs: Vec<Morph>,
    /// The morphs shown in the panel, as positions in `morphs`.
    pub panel_morphs: Vec<u16>,
    /// Names of the groups of bones in editors; they end with a line feed.
    pub bone_frames: Vec<Name<50>>,
    /// Bones and the groups listing them.
    pub framed_bones: Vec<FramedBone>,
    /// Names in English. `None` if the file ends before them.
    pub english: Option<English>,
    /// File names of the ten pictures of shades. `None` if the file ends before them.
    pub toons: Option<[Name<100>; 10]>,
    /// Bodies of the physics engine. `None` if the file ends before them.
    pub rigid_bodies: Option<Vec<RigidBody>>,
    /// Joints, which hold the rigid bodies together. `None` if the file ends before them.
    pub joints: Option<Vec<Joint>>,
    /// Whatever stands behind the last section.
    pub trailing: Vec<u8>,
    /// The loaded pictures by the names of [`Format::wants`](dopesheet_core::format::Format::wants). They are not part
    /// of the file.
    pub pictures: BTreeMap<ResourceName, Arc<[u8]>>,
}

/// A comment field.
pub type Comment = Name<256>;

/// A position in the list of bones, or [`Index::NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub u16);

impl Index {
    /// No bone.
    pub const NONE: Self = Self(0xffff);

    /// The position; `None` for [`Index::NONE`].
    #[must_use]
    pub fn get(self) -> Option<usize> {
        (self != Self::NONE).then_some(usize::from(self.0))
    }
}

impl Default for Index {
    fn default() -> Self {
        Self::NONE
    }
}

/// A point of the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Position in model space, in MikuMikuDance's units.
    pub position: [f32; 3],
    /// Unit vector away from the surface.
    pub normal: [f32; 3],
    /// Texture coordinate; origin at the top left.
    pub uv: [f32; 2],
    /// The two bones that move the vertex; often the same bone twice.
    pub bones: [Index; 2],
    /// Weight of the first bone in hundredths; the second bone has the remainder up to 100.
    pub weight: u8,
    /// 0 with an outline, 1 without.
    pub edge_off: u8,
}

/// Look of a run of triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Red, green, blue and alpha, 0..=1, as shown on the screen.
    pub diffuse: [f32; 4],
    /// Exponent of the highlight.
    pub shininess: f32,
    /// Red, green and blue, 0..=1.
    pub specular: [f32; 3],
    /// Red, green and blue, 0..=1.
    pub ambient: [f32; 3],
    /// The material's shades: 0..=9 for a picture of the ten, 255 for none.
    pub toon: u8,
    /// 1 with an outline and a shadow on the ground, 0 without.
    pub edge: u8,
    /// Number of [`Document::faces`] owned by the material: three per triangle.
    pub index_count: u32,
    /// File names of its pictures, with `*` between them; see [`Material::pictures`].
    pub texture: Name<20>,
}

/// The pictures of a material, as bytes in CP932.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pictures<'a> {
    /// The colour picture.
    pub color: Option<&'a [u8]>,
    /// The picture of the reflection on the surface.
    pub sphere: Option<(&'a [u8], SphereMode)>,
    /// True if the field names several pictures of one kind; the last counts.
    pub is_ambiguous: bool,
}

/// Mixture of the sphere picture with the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SphereMode {
    /// Multiplied with the colour: files with the extension `.sph`.
    Multiply,
    /// Added to the colour: files with the extension `.spa`.
    Add,
}

impl Material {
    /// Content of the texture field: parts between `*`, each a sphere if its extension is `.sph` or `.spa`,
    /// else the colour.
    #[must_use]
    pub fn pictures(&self) -> Pictures<'_> {
        let mut pictures = Pictures::default();
        // `*` is not the second byte of any character.
        for part in self.texture.until_nul().split(|byte| *byte == b'*').filter(|part| !part.is_empty()) {
            let ends_in =
                |end: &[u8; 4]| part.last_chunk::<4>().is_some_and(|last| end.eq_ignore_ascii_case(last));
            let is_again = if ends_in(b".sph") {
                pictures.sphere.replace((part, SphereMode::Multiply)).is_some()
            } else if ends_in(b".spa") {
                pictures.sphere.replace((part, SphereMode::Add)).is_some()
            } else {
                pictures.color.replace(part).is_some()
            };
            pictures.is_ambiguous |= is_again;
        }
        pictures
    }
}

/// A bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bone {
    /// Name, used by motions for the bone.
    pub name: Name<20>,
    /// The bone's parent; may come later in the file.
    pub parent: Index,
    /// The bone at the tail; 0, too, is no bone. Of type 9: the bone whose rotation this bone follows.
    pub tail: Index,
    /// Kind of bone; see [`BoneType`].
    pub kind: u8,
    /// Of type 5: the bone whose rotation this bone follows. Of type 9: the share of the rotation, in
    /// hundredths. Of type 4: its IK bone.
    pub source: u16,
    /// Head of the bone, the centre of its rotation, in model space.
    pub head: [f32; 3],
}

/// Kind of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneType {
    /// 0: turns.
    Rotate,
    /// 1: turns and moves.
    RotateMove,
    /// 2: is a goal of IK.
    Ik,
    /// 3: nobody knows.
    Unknown,
    /// 4: is turned by IK.
    IkLink,
    /// 5: follows the rotation of the bone in [`Bone::source`].
    Follow,
    /// 6: is to reach a goal of IK.
    IkTarget,
    /// 7: is not shown.
    Hidden,
    /// 8: turns about the way to its tail.
    Twist,
    /// 9: follows the rotation of the bone in [`Bone::tail`], by the hundredths in [`Bone::source`].
    FollowPart,
}

impl BoneType {
    /// All of them, by the byte in the file.
    pub const ALL: [Self; 10] = [
        Self::Rotate,
        Self::RotateMove,
        Self::Ik,
        Self::Unknown,
        Self::IkLink,
        Self::Follow,
        Self::IkTarget,
        Self::Hidden,
        Self::Twist,
        Self::FollowPart,
    ];

    /// The type with this byte; undefined bytes count as rotation.
    #[must_use]
    pub fn of(byte: u8) -> Self {
        Self::ALL.get(usize::from(byte)).copied().unwrap_or(Self::Rotate)
    }
}

/// Inverse kinematics: the links turn so that the target reaches the IK bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ik {
    /// The IK bone, the goal of the chain.
    pub bone: Index,
    /// The bone to be moved to the goal (the ankle of a leg).
    pub target: Index,
    /// Rounds of the solver at most.
    pub iterations: u16,
    /// A quarter of the largest turn of the first link in one step, in radians.
    pub weight: f32,
    /// The bones turned by the chain, starting with the bone next to the target.
    pub links: Vec<Index>,
}

/// A change of the model, scaled by a weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// Name, used by motions for the morph.
    pub name: Name<20>,
    /// Place of the morph in the panel: 0 is the base, 1 brows, 2 eyes, 3 mouth, 4 other.
    pub panel: u8,
    /// Offsets of vertices.
    pub offsets: Vec<MorphOffset>,
}

impl Morph {
    /// True if the morph is a base: the first base of a file lists the vertices moved by all other morphs.
    #[must_use]
    pub const fn is_base(&self) -> bool {
        self.panel == 0
    }
}

/// Offset of one vertex by a morph.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphOffset {
    /// In the base: the vertex. In all other morphs: a position in the list of the base.
    pub index: u32,
    /// In the base: the position of the vertex. In all other morphs: the offset added to that position. In
    /// MikuMikuDance's units.
    pub offset: [f32; 3],
}

/// A bone in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramedBone {
    /// The bone.
    pub bone: Index,
    /// The group, counted from 1.
    pub frame: u8,
}

/// Names in English.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct English {
    /// 0: the file has no names; the fields below are empty.
    pub flag: u8,
    /// Name of the model.
    pub name: Name<20>,
    /// Comment of the author on the model.
    pub comment: Comment,
    /// A name for each bone.
    pub bones: Vec<Name<20>>,
    /// A name for each morph but the first.
    pub morphs: Vec<Name<20>>,
    /// A name for each group of bones.
    pub bone_frames: Vec<Name<50>>,
}

/// A body of the physics engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidBody {
    /// Name.
    pub name: Name<20>,
    /// The bone that moves with the body, or is moved by the body.
    pub bone: Index,
    /// Its collision group, 0..=15.
    pub group: u8,
    /// The groups colliding with the body, one bit each.
    pub mask: u16,
    /// 0 sphere, 1 box, 2 capsule.
    pub shape: u8,
    /// Radius; half the edges; or radius and height; in MikuMikuDance's units.
    pub size: [f32; 3],
    /// Offset from the head of its bone, or of the first bone if the body has no bone.
    pub position: [f32; 3],
    /// Angles about X, Y and Z in radians, applied as Y·X·Z.
    pub rotation: [f32; 3],
    /// Mass.
    pub mass: f32,
    /// Share of velocity lost per second, 0..=1.
    pub linear_damping: f32,
    /// Share of angular velocity lost per second, 0..=1.
    pub angular_damping: f32,
    /// Bounciness, 0..=1.
    pub restitution: f32,
    /// Friction, 0..=1.
    pub friction: f32,
    /// 0 follows its bone, 1 moved by physics, 2 moved by physics but placed by its bone.
    pub mode: u8,
}

/// Joint of two rigid bodies: six degrees of freedom with springs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Joint {
    /// Name.
    pub name: Name<20>,
    /// The two bodies, as positions in their list.
    pub bodies: [u32; 2],
    /// Position of the joint, in model space.
    pub position: [f32; 3],
    /// Angles about X, Y and Z in radians.
    pub rotation: [f32; 3],
    /// Lowest offsets, in MikuMikuDance's units.
    pub linear_min: [f32; 3],
    /// Highest offsets, in MikuMikuDance's units.
    pub linear_max: [f32; 3],
    /// Lowest angles in radians.
    pub angular_min_rad: [f32; 3],
    /// Highest angles in radians.
    pub angular_max_rad: [f32; 3],
    /// Strength of the springs along the axes.
    pub linear_spring: [f32; 3],
    /// Strength of the springs about the axes.
    pub angular_spring: [f32; 3],
}

impl Document {
    /// An empty model with all sections.
    #[must_use]
    pub fn new(name: &Name<20>) -> Self {
        Self {
            version: VERSION,
            name: *name,
            english: Some(English::default()),
            toons: Some([Name::EMPTY; 10]),
            rigid_bodies: Some(Vec::new()),
            joints: Some(Vec::new()),
            ..Self::default()
        }
    }
}

/// The version of all known files.
pub(super) const VERSION: f32 = 1.0;
