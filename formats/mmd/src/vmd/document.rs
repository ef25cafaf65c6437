//! The file as stored.

use super::curves::{
    BoneChannel, CameraChannel, Physics, bone_bytes, bone_curve, camera_bytes, camera_curve,
};
use super::tracks::Tracks;
use crate::text::Name;

/// A VMD file: all contents of its bytes, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The signature field. Only the bytes before its first NUL count; the bytes behind may be anything.
    pub signature: Name<30>,
    /// The name of the model for which the motion was made.
    pub model: ModelName,
    /// Motion of bones, in any order.
    pub bones: Vec<BoneKeyframe>,
    /// Motion of morphs, in any order.
    pub morphs: Vec<MorphKeyframe>,
    /// Motion of the camera, in any order.
    pub cameras: Vec<CameraKeyframe>,
    /// Motion of the light, in any order.
    pub lights: Vec<LightKeyframe>,
    /// Settings of the self shadow, in any order.
    pub shadows: Vec<ShadowKeyframe>,
    /// Visibility of the model and its IK switches, in any order.
    pub models: Vec<ModelKeyframe>,
    /// The file has its sections up to this section; sections behind are written only if they have keys.
    pub last_section: Section,
    /// All bytes behind the last section; if there are any, all sections are written.
    pub trailing: Vec<u8>,
}

/// The parts of a file after its header, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Bone keys; every file has this section.
    Bones,
    /// Morph keys.
    Morphs,
    /// Camera keys.
    Cameras,
    /// Light keys.
    Lights,
    /// Self-shadow keys.
    Shadows,
    /// Show/IK keys.
    Models,
}

impl Section {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::Bones, Self::Morphs, Self::Cameras, Self::Lights, Self::Shadows, Self::Models];
}

/// The model name field, with a size that depends on the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// Behind the signature `Vocaloid Motion Data file`.
    Short(Name<10>),
    /// Behind all other signatures.
    Long(Name<20>),
}

impl ModelName {
    /// The name given by MikuMikuDance to motions of camera, light and self shadow.
    pub const CAMERA_AND_LIGHT: &'static str = "カメラ・照明";

    /// The name as text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Short(name) => name.text(),
            Self::Long(name) => name.text(),
        }
    }
}

/// Version in the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// `Vocaloid Motion Data file`: MikuMikuDance up to 1.30.
    Old,
    /// `Vocaloid Motion Data 0002`: MikuMikuDance since then.
    V0002,
    /// `Vocaloid Motion Data` and no more, otherwise as `0002`. MikuMikuDance does not write it; seen in a file of
    /// a converter.
    Bare,
}

impl Version {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Old, Self::V0002, Self::Bare];

    /// The text before the first NUL of the signature field.
    #[must_use]
    pub const fn signature(self) -> &'static str {
        match self {
            Self::Old => "Vocaloid Motion Data file",
            Self::V0002 => "Vocaloid Motion Data 0002",
            Self::Bare => "Vocaloid Motion Data",
        }
    }

    /// Version of a signature field; `None` for fields other than signatures of VMD.
    #[must_use]
    pub fn of(signature: &[u8; 30]) -> Option<Self> {
        let text = signature.split(|&b| b == 0).next()?;
        Self::ALL.into_iter().find(|v| v.signature().as_bytes() == text)
    }

    /// The signature field with nothing behind the text.
    #[must_use]
    pub fn field(self) -> Name<30> {
        let mut field = [0; 30];
        field.iter_mut().zip(self.signature().bytes()).for_each(|(to, from)| *to = from);
        Name(field)
    }
}

/// The pose of one bone at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneKeyframe {
    /// The bone.
    pub name: Name<15>,
    /// When, in frames of 1/30 s.
    pub frame: u32,
    /// Offset from the rest position along the parent's axes, in MikuMikuDance's units.
    pub translation: [f32; 3],
    /// Rotation from the rest pose, x y z w; of any length, zero included.
    pub rotation: [f32; 4],
    /// Interpolation curves and physics switch; see [`BoneKeyframe::curve`] and [`BoneKeyframe::physics`].
    pub interpolation: [u8; 64],
}

impl BoneKeyframe {
    /// The control points x1, y1, x2, y2 of the curve by which a channel **arrives** at this key, in 127ths.
    ///
    /// The four rows of the block are copies shifted by one byte each, and newer programs overwrite two bytes
    /// of the first row; so each channel is read from the row starting with that channel. If only the first
    /// row is filled (as some programs do), the first row counts for all channels.
    #[must_use]
    pub fn curve(&self, channel: BoneChannel) -> [u8; 4] {
        bone_curve(&self.interpolation, channel)
    }

    /// The physics switch: whether physics moves this bone from here on.
    #[must_use]
    pub fn physics(&self) -> Physics {
        Physics::of(&self.interpolation)
    }

    /// The interpolation block for four curves, in the order of [`BoneChannel::ALL`], as written by
    /// MikuMikuDance.
    #[must_use]
    pub const fn interpolation_bytes(curves: [[u8; 4]; 4], physics: Physics) -> [u8; 64] {
        bone_bytes(curves, physics)
    }
}

/// The weight of one morph at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphKeyframe {
    /// The morph.
    pub name: Name<15>,
    /// When, in frames of 1/30 s.
    pub frame: u32,
    /// 1 is full effect; not limited to 0..=1.
    pub weight: f32,
}

/// The camera at one frame, circling a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraKeyframe {
    /// When, in frames of 1/30 s.
    pub frame: u32,
    /// From the target to the camera along the camera's view; negative in front of the visible scene, as
    /// usual.
    pub distance: f32,
    /// The centre of the camera's orbit, in MikuMikuDance's units.
    pub target: [f32; 3],
    /// Angles about X, Y and Z in radians; the angle about X has the opposite sign of MikuMikuDance's panel.
    pub angles: [f32; 3],
    /// Interpolation curves; see [`CameraKeyframe::curve`].
    pub interpolation: [u8; 24],
    /// Vertical field of view in whole degrees.
    pub fov_deg: u32,
    /// 0 is perspective, 1 orthographic.
    pub perspective_off: u8,
}

impl CameraKeyframe {
    /// The control points x1, y1, x2, y2 of the curve by which a channel **arrives** at this key, in 127ths.
    #[must_use]
    pub fn curve(&self, channel: CameraChannel) -> [u8; 4] {
        camera_curve(&self.interpolation, channel)
    }

    /// The interpolation block for six curves, in the order of [`CameraChannel::ALL`].
    #[must_use]
    pub const fn interpolation_bytes(curves: [[u8; 4]; 6]) -> [u8; 24] {
        camera_bytes(curves)
    }
}

/// The light at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightKeyframe {
    /// When, in frames of 1/30 s.
    pub frame: u32,
    /// Red, green and blue, 0..=1.
    pub color: [f32; 3],
    /// The way the light travels; any length.
    pub direction: [f32; 3],
}

/// The self shadow at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadowKeyframe {
    /// When, in frames of 1/30 s.
    pub frame: u32,
    /// 0 is off; 1 and 2 are MikuMikuDance's modes.
    pub mode: u8,
    /// `0.1 − d / 100000`, where d is the number of MikuMikuDance's panel, 0..=9999.
    pub distance: f32,
}

/// Visibility of the model and switches of its IK chains, at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelKeyframe {
    /// When, in frames of 1/30 s.
    pub frame: u32,
    /// 1 is shown, 0 hidden.
    pub visible: u8,
    /// The switch of each IK bone; MikuMikuDance lists all bones of the model in every key.
    pub ik: Vec<IkSwitch>,
}

/// The switch of one IK chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IkSwitch {
    /// The IK bone. Only the first 15 bytes are reliable.
    pub name: Name<20>,
    /// 1 is on, 0 off.
    pub enabled: u8,
}

impl IkSwitch {
    /// The reliable part of the name.
    #[must_use]
    pub fn bone(&self) -> Name<15> {
        let mut bytes = [0; 15];
        bytes.iter_mut().zip(self.name.0).for_each(|(to, from)| *to = from);
        Name(bytes)
    }
}

impl Document {
    /// A file without keys. `last_section` is [`Section::Models`], as in MikuMikuDance's files for models.
    #[must_use]
    pub fn new(version: Version, model: &Name<20>) -> Self {
        let mut document = Self {
            signature: version.field(),
            model: ModelName::Long(*model),
            bones: Vec::new(),
            morphs: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            shadows: Vec::new(),
            models: Vec::new(),
            last_section: Section::Models,
            trailing: Vec::new(),
        };
        if version == Version::Old {
            let mut short = [0; 10];
            short.iter_mut().zip(model.0).for_each(|(to, from)| *to = from);
            document.model = ModelName::Short(Name(short));
        }
        document
    }

    /// Version in the signature; `None` for fields other than signatures of VMD.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        Version::of(&self.signature.0)
    }

    /// Number of keys in a section.
    #[must_use]
    pub const fn count(&self, section: Section) -> usize {
        match section {
            Section::Bones => self.bones.len(),
            Section::Morphs => self.morphs.len(),
            Section::Cameras => self.cameras.len(),
            Section::Lights => self.lights.len(),
            Section::Shadows => self.shadows.len(),
            Section::Models => self.models.len(),
        }
    }

    /// The last section written to the file.
    #[must_use]
    pub fn last_written(&self) -> Section {
        let filled = Section::ALL.into_iter().rfind(|s| self.count(*s) > 0).unwrap_or(Section::Bones);
        match self.trailing.is_empty() {
            true => filled.max(self.last_section),
            false => Section::Models,
        }
    }

    /// True if this is a motion of camera, light or self shadow rather than of a model: by its keys, whatever
    /// its name.
    #[must_use]
    pub const fn is_camera_motion(&self) -> bool {
        let moves_model = !self.bones.is_empty() || !self.morphs.is_empty();
        let moves_camera = !self.cameras.is_empty() || !self.lights.is_empty() || !self.shadows.is_empty();
        moves_camera && !moves_model
    }

    /// The frames of all keys of a section, in the order of the file.
    pub fn frames(&self, section: Section) -> Box<dyn Iterator<Item = u32> + '_> {
        match section {
            Section::Bones => Box::new(self.bones.iter().map(|k| k.frame)),
            Section::Morphs => Box::new(self.morphs.iter().map(|k| k.frame)),
            Section::Cameras => Box::new(self.cameras.iter().map(|k| k.frame)),
            Section::Lights => Box::new(self.lights.iter().map(|k| k.frame)),
            Section::Shadows => Box::new(self.shadows.iter().map(|k| k.frame)),
            Section::Models => Box::new(self.models.iter().map(|k| k.frame)),
        }
    }

    /// The bone keys of each bone.
    #[must_use]
    pub fn bone_tracks(&self) -> Tracks {
        Tracks::group(&self.bones, |key| (&key.name, key.frame))
    }

    /// The morph keys of each morph.
    #[must_use]
    pub fn morph_tracks(&self) -> Tracks {
        Tracks::group(&self.morphs, |key| (&key.name, key.frame))
    }
}

/// A key of a section.
pub(super) trait Keyed {
    const SECTION: Section;

    /// Name of the key's track, for keys with a name.
    fn track(&self) -> Option<Name<15>>;
    fn frame(&self) -> u32;
    fn set_frame(&mut self, frame: u32);
}

macro_rules! keys {
    ($($key:ty, $section:ident, $track:expr;)*) => {
        $(
            impl Keyed for $key {
                const SECTION: Section = Section::$section;

                fn track(&self) -> Option<Name<15>> {
                    let track: fn(&Self) -> Option<Name<15>> = $track;
                    track(self)
                }

                fn frame(&self) -> u32 {
                    self.frame
                }

                fn set_frame(&mut self, frame: u32) {
                    self.frame = frame;
                }
            }
        )*
    };
}

keys! {
    BoneKeyframe, Bones, |key| Some(key.name.cleared());
    MorphKeyframe, Morphs, |key| Some(key.name.cleared());
    CameraKeyframe, Cameras, |_| None;
    LightKeyframe, Lights, |_| None;
    ShadowKeyframe, Shadows, |_| None;
    ModelKeyframe, Models, |_| None;
}
