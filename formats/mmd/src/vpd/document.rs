//! A pose file as it is: its text, and what the text says.

use dopesheet_core::bytes::text::TextDocument;

/// A pose file.
///
/// It keeps the text it was read from. Unedited it is written back as that text, byte for byte; after an edit through
/// [`Document::pose_mut`] only the text of what was edited changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(pub(super) TextDocument<Pose>);

impl Document {
    /// A document without a text of its own. It is written as MikuMikuDance writes it.
    #[must_use]
    pub const fn new(pose: Pose) -> Self {
        Self(TextDocument::new(pose))
    }

    /// Content of the file.
    #[must_use]
    pub const fn pose(&self) -> &Pose {
        self.0.content()
    }

    /// Content of the file, to be changed.
    pub const fn pose_mut(&mut self) -> &mut Pose {
        self.0.content_mut()
    }

    /// The text it was read from, in CP932, if it was read.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.0.source()
    }

    /// Forgets the text, so that the whole file is written anew as MikuMikuDance writes it.
    pub fn rewrite(&mut self) {
        self.0.rewrite();
    }
}

/// A pose: where some bones of a model are, and how strong some morphs. What it does not name stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The file name of the model, with the extension `.osm`; tells people where the pose comes from.
    pub parent: String,
    /// Number of bones that the file announces. MikuMikuDance reads no more than that.
    pub announced_bones: u32,
    /// In the order of the file. Of equal names the last one counts.
    pub bones: Vec<Bone>,
    /// In the order of the file. Of equal names the last one counts. An extension of MikuMikuMoving.
    pub morphs: Vec<Morph>,
}

/// Where one bone is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// The bone. U+FFFD stands for bytes that mean nothing in CP932.
    pub name: String,
    /// Offset from the rest position along the parent's axes, in MikuMikuDance's units.
    pub translation: [f32; 3],
    /// Rotation from the rest pose, x y z w; of any length, zero included.
    pub rotation: [f32; 4],
}

/// Weight of one morph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// The morph. U+FFFD stands for bytes that mean nothing in CP932.
    pub name: String,
    /// 1 is full effect; not limited to 0..=1.
    pub weight: f32,
}
