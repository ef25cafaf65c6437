//! A motion capture file as stored: its text, and the meaning of the text.

use dopesheet_core::bytes::text::TextDocument;

/// A motion capture file.
///
/// The document keeps the text from which it was read. Unedited, the same text is written back, byte for
/// byte; after an edit through [`Document::motion_mut`] only the text of edited values changes. If joints are
/// put in or taken out, or get other channels, the whole text is written anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(pub(super) TextDocument<Motion>, pub(super) Up);

/// The axis pointing up, which files do not state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Up {
    /// Figures face +Z.
    #[default]
    Y,
    /// Figures face −Y.
    Z,
}

impl Document {
    /// A document without a text from a file. Its whole text is written with tabs, line feeds and six
    /// decimals.
    #[must_use]
    pub const fn new(motion: Motion) -> Self {
        Self(TextDocument::new(motion), Up::Y)
    }

    /// The motion and skeleton of the file.
    #[must_use]
    pub const fn motion(&self) -> &Motion {
        self.0.content()
    }

    /// The same, for editing.
    pub const fn motion_mut(&mut self) -> &mut Motion {
        self.0.content_mut()
    }

    /// The text from which the document was read; `None` if it was not read.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.0.source()
    }

    /// Forgets the text, so that the whole file is written anew.
    pub fn rewrite(&mut self) {
        self.0.rewrite();
    }
}

/// A skeleton and its motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Joints and end sites in the order of the file, parents before children.
    pub joints: Vec<Joint>,
    /// Number of frames announced by the file. There may be more or fewer.
    pub announced_frames: u64,
    /// Seconds from one frame to the next, as stated in the file; may be 0, negative or not finite.
    pub frame_time_s: f64,
    /// The numbers of all frames, frame by frame; within a frame, the numbers of all joints in their order,
    /// each in the order of its channels. Lengths and degrees.
    pub values: Vec<f64>,
}

impl Motion {
    /// Number of values in a frame.
    #[must_use]
    pub fn width(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// Number of frames; 0 if no joint has a channel.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.values.len().checked_div(self.width()).unwrap_or(0)
    }
}

/// A joint or end site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// The kind of the joint, stated by the word in front of it.
    pub kind: JointKind,
    /// Text behind the word of the kind, without blanks at its ends; may be empty. U+FFFD stands for bytes
    /// that are not UTF-8.
    pub name: String,
    /// Index of its parent in [`Motion::joints`]; `None` for roots.
    pub parent: Option<usize>,
    /// Offset from the parent, with nothing rotated, along the axes of the file, in its unit of length.
    pub offset: [f64; 3],
    /// Channels of the joint, in the order of their numbers in a frame.
    pub channels: Vec<Channel>,
}

/// The word in front of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointKind {
    /// `ROOT`: a joint without a parent.
    Root,
    /// `JOINT`.
    #[default]
    Joint,
    /// `End Site`: the end of the last joint of a limb.
    EndSite,
}

/// Meaning of a number of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Position of the joint along the parent's axis of this number (0, 1 or 2 for X, Y or Z), in the unit of
    /// the file. The position replaces the joint's offset.
    Position(usize),
    /// Degrees about the axis of this number. The rotations of a joint are multiplied in the order of its
    /// channels, so that each turns about axes already turned by the rotations before.
    Rotation(usize),
    /// A word unknown to the format.
    Other(String),
}

impl Channel {
    /// The words of positions and rotations, by axis, as they are usually spelled.
    const WORDS: [(&'static str, Self); 6] = [
        ("Xposition", Self::Position(0)),
        ("Yposition", Self::Position(1)),
        ("Zposition", Self::Position(2)),
        ("Xrotation", Self::Rotation(0)),
        ("Yrotation", Self::Rotation(1)),
        ("Zrotation", Self::Rotation(2)),
    ];

    /// The channel of a word, in any case of its letters.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let entry = Self::WORDS.iter().find(|(usual, _)| usual.eq_ignore_ascii_case(word));
        entry.map_or_else(|| Self::Other(word.to_owned()), |(_, channel)| channel.clone())
    }

    /// The word for the channel, in its usual spelling.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            _ => Self::WORDS.iter().find(|(_, channel)| channel == self).map_or("", |(word, _)| word),
        }
    }
}
