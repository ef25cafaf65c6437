//! `MOREActor::ActorModel`: the skeleton and its emitters and meshes.

use crate::text::Name;

/// An actor.
///
/// Bones and emitters exist here up to version 0x7; files of later versions with bones or emitters are kept
/// unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActorModel {
    /// Name of the bones; below version 0x6 only, and ignored by the game.
    pub bones_name: Name,
    /// File of the bones; below version 0x6 only, and ignored by the game.
    pub bones_file: Name,
    /// Bones, fathers not necessarily before their children; in the file since version 0x6.
    pub bones: Vec<Bone>,
    /// Places from which events are sent; in the file since version 0x3.
    pub event_emitters: Vec<EventEmitter>,
    /// Places from which sounds are played.
    pub sound_emitters: Vec<SoundEmitter>,
    /// Named lists of tracks; in the file since version 0xA.
    pub state_models: Vec<StateModel>,
    /// Groups of meshes.
    pub channels: Vec<MeshChannel>,
    /// Meshes; in the file since version 0x6.
    pub graphic_object_names: Vec<Name>,
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name of the bone.
    pub name: Name,
    /// Name of the track for the bone's position.
    pub position_name: Name,
    /// Name of the track for the bone's rotation.
    pub rotation_name: Name,
    /// Position of the bone's father among the bones; −1 without a father.
    pub father: i16,
    /// Position at rest, relative to its father.
    pub position: [f32; 3],
    /// Rotation at rest, relative to its father; x y z w.
    pub rotation: [f32; 4],
    /// Scale at rest.
    pub scale: BoneScale,
}

/// Scale of a bone at rest.
#[derive(Clone, Debug, PartialEq)]
pub enum BoneScale {
    /// Below version 0x7.
    Fixed {
        /// Scale factors along the axes of `orientation`, before `determinant`.
        value: [f32; 3],
        /// Axes of the scale; x y z w.
        orientation: [f32; 4],
        /// 1, or −1 for a mirrored bone; multiplied with the factors.
        determinant: f32,
    },
    /// Since version 0x7.
    Named {
        /// Name of the track of factors.
        value_name: Name,
        /// Name of the track of axes.
        orientation_name: Name,
        /// True if the scale tracks are used.
        use_scale: bool,
        /// Scale factors without a scale track.
        value: [f32; 3],
        /// Axes of the scale then; x y z w.
        orientation: [f32; 4],
    },
}

impl BoneScale {
    /// The scale factors when nothing scales the bone.
    #[must_use]
    pub fn factors(&self) -> [f64; 3] {
        match self {
            Self::Fixed { value, determinant, .. } => value.map(|v| f64::from(v) * f64::from(*determinant)),
            Self::Named { value, .. } => value.map(f64::from),
        }
    }

    /// The axes of the scale factors.
    #[must_use]
    pub const fn orientation(&self) -> [f32; 4] {
        match self {
            Self::Fixed { orientation, .. } | Self::Named { orientation, .. } => *orientation,
        }
    }
}

/// A box around an emitter: its lowest and highest corner.
pub type Bounds = [[f32; 3]; 2];

/// A place from which events are sent.
#[derive(Clone, Debug, PartialEq)]
pub struct EventEmitter {
    /// Name of the emitter.
    pub name: Name,
    /// Name of the track for the emitter's position.
    pub position_name: Name,
    /// Name of the track for the emitter's rotation.
    pub rotation_name: Name,
    /// Position of the emitter's father among the bones; −1 without a father.
    pub father: i16,
    /// Position at rest.
    pub position: [f32; 3],
    /// Rotation at rest; x y z w.
    pub rotation: [f32; 4],
    /// Bounding box; in the file since version 0x4.
    pub bounds: Option<Bounds>,
    /// Names of the tracks with its events.
    pub event_track_names: Vec<Name>,
}

/// A place from which sounds are played.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundEmitter {
    /// Name of the emitter.
    pub name: Name,
    /// Name of the track for the emitter's position.
    pub position_name: Name,
    /// Position of the emitter's father among the bones; −1 without a father.
    pub father: i16,
    /// Position at rest.
    pub position: [f32; 3],
    /// Bounding box; in the file since version 0x4.
    pub bounds: Option<Bounds>,
    /// Names of the tracks with its sounds.
    pub sound_track_names: Vec<Name>,
}

/// A named list of tracks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateModel {
    /// Name of the state model.
    pub name: Name,
    /// The tracks' names.
    pub track_names: Vec<Name>,
}

/// A group of meshes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshChannel {
    /// Name of the channel.
    pub name: Name,
    /// The bones that move the meshes.
    pub bone_ids: Vec<u16>,
    /// Its meshes, as positions among [`ActorModel::graphic_object_names`]; in the file since version 0x6.
    pub graphic_object_ids: Vec<u16>,
    /// True if bones bend the meshes; in the file since version 0x5, else true if there are several bones.
    pub is_deformable: bool,
    /// True if only one of several meshes is shown at a time; in the file since version 0x8.
    pub is_multiple_meshes: bool,
    /// True if a track hides and shows the meshes; in the file since version 0x8.
    pub is_visibility_animated: bool,
}
