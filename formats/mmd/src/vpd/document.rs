//! A pose file as stored: its text, and the meaning of the text.

use dopesheet_core::bytes::text::TextDocument;

/// A pose file.
///
/// The document keeps the text from which it was read. Unedited, the same text is written back, byte for
/// byte; after an edit through [`Document::pose_mut`] only the text of edited values changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(pub(super) TextDocument<Pose>);

impl Document {
    /// A document without a text from a file. Its whole text is written in the form of MikuMikuDance.
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

    /// The text from which the document was read, in CP932; `None` if it was not read.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.0.source()
    }

    /// Forgets the text, so that the whole file is written anew in the form of MikuMikuDance.
    pub fn rewrite(&mut self) {
        self.0.rewrite();
    }
}

/// A pose: transforms of some bones of a model, and weights of some morphs. Bones and morphs not named in the
/// pose stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The file name of the model, with the extension `.osm`; tells people the origin of the pose.
    pub parent: String,
    /// Number of bones announced by the file. MikuMikuDance reads no more bones than this number.
    pub announced_bones: u32,
    /// In the order of the file. Of equal names the last one counts.
    pub bones: Vec<Bone>,
    /// In the order of the file. Of equal names the last one counts. An extension of MikuMikuMoving.
    pub morphs: Vec<Morph>,
}

/// Transform of one bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// The bone. U+FFFD stands for bytes without a meaning in CP932.
    pub name: String,
    /// Offset from the rest position along the parent's axes, in MikuMikuDance's units.
    pub translation: [f32; 3],
    /// Rotation from the rest pose, x y z w; of any length, zero included.
    pub rotation: [f32; 4],
}

/// Weight of one morph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// The morph. U+FFFD stands for bytes without a meaning in CP932.
    pub name: String,
    /// 1 is full effect; not limited to 0..=1.
    pub weight: f32,
}
