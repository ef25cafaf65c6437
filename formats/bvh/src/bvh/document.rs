//! A motion capture file as it is: its text, and what the text says.

use dopesheet_core::bytes::text::TextDocument;

/// A motion capture file.
///
/// It keeps the text it was read from. Unedited it is written back as that text, byte for byte; after an edit through
/// [`Document::motion_mut`] only the text of what was edited changes. Where joints are put in or taken out, or get other
/// channels, the whole text is written anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(pub(super) TextDocument<Motion>, pub(super) Up);

/// The axis that points up, which files do not state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Up {
    /// Figures face +Z.
    #[default]
    Y,
    /// Figures face −Y.
    Z,
}

impl Document {
    /// A document without a text of its own. It is written with tabs, line feeds and six decimals.
    #[must_use]
    pub const fn new(motion: Motion) -> Self {
        Self(TextDocument::new(motion), Up::Y)
    }

    /// The motion and skeleton that the file holds.
    #[must_use]
    pub const fn motion(&self) -> &Motion {
        self.0.content()
    }

    /// The same, for editing.
    pub const fn motion_mut(&mut self) -> &mut Motion {
        self.0.content_mut()
    }

    /// The text it was read from, if it was read.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.0.source()
    }

    /// Forgets the text, so that the whole file is written anew.
    pub fn rewrite(&mut self) {
        self.0.rewrite();
    }
}

/// A skeleton and how it moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Joints and end sites in the order of the file, parents before children.
    pub joints: Vec<Joint>,
    /// Number of frames that the file announces. There may be more or fewer.
    pub announced_frames: u64,
    /// Seconds from one frame to the next, as the file says it; may be 0, negative or not finite.
    pub frame_time_s: f64,
    /// The numbers of all frames, one frame after the other; in a frame, those of all joints in their order, each in the
    /// order of its channels. Lengths and degrees.
    pub values: Vec<f64>,
}

impl Motion {
    /// Number of values in a frame.
    #[must_use]
    pub fn width(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// Number of frames; 0 where no joint has a channel.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.values.len().checked_div(self.width()).unwrap_or(0)
    }
}

/// One joint or end site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// The word that introduces it.
    pub kind: JointKind,
    /// Text behind that word, without blanks at its ends; may be empty. U+FFFD stands for bytes that are not
    /// UTF-8.
    pub name: String,
    /// Index of its parent in [`Motion::joints`]; `None` for roots.
    pub parent: Option<usize>,
    /// Offset from the parent, with nothing rotated, along the axes of the file, in its unit of length.
    pub offset: [f64; 3],
    /// Channels of the joint, in the order in which their numbers stand in a frame.
    pub channels: Vec<Channel>,
}

/// The word that introduces a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointKind {
    /// `ROOT`: a joint without a parent.
    Root,
    /// `JOINT`.
    #[default]
    Joint,
    /// `End Site`: where the last joint of a limb ends.
    EndSite,
}

/// Meaning of one number of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Position of the joint along the parent's axis of this number (0, 1 or 2 for X, Y or Z), in the unit of
    /// the file. It replaces the joint's offset.
    Position(usize),
    /// Degrees about the axis of this number. The rotations of a joint are multiplied in the order of its channels, so
    /// that each turns about axes that the ones before have turned.
    Rotation(usize),
    /// A word that the format does not know.
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

    /// The channel that a word stands for, in any case of its letters.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let known = Self::WORDS.iter().find(|(own, _)| own.eq_ignore_ascii_case(word));
        known.map_or_else(|| Self::Other(word.to_owned()), |(_, channel)| channel.clone())
    }

    /// The word that stands for the channel, as it is usually spelled.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            _ => Self::WORDS.iter().find(|(_, own)| own == self).map_or("", |(word, _)| word),
        }
    }
}
