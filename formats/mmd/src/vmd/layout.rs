//! Positions of all parts in a file: sizes and offsets in bytes, and the names of the parts in messages.
//!
//! Source: observed in files written by MikuMikuDance; described in the table of `LAYOUT.md`.

use super::document::{Document, ModelName, Section};
use dopesheet_core::words;

/// Signature field.
pub(crate) const SIGNATURE: usize = 30;
/// Model name field behind the old signature.
pub(crate) const SHORT_NAME: usize = 10;
/// Model name field behind all other signatures.
pub(crate) const LONG_NAME: usize = 20;
/// Name field of bones and morphs.
pub(crate) const KEY_NAME: usize = 15;
/// Name field of IK bones.
pub(crate) const IK_NAME: usize = 20;
/// Count in front of every section.
pub(crate) const COUNT: usize = 4;

/// A part of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) offset: usize,
}

impl Field {
    const fn new(name: &'static str, offset: usize) -> Self {
        Self { name, offset }
    }
}

/// Parts of a bone key.
pub(crate) mod bone {
    use super::Field;
    pub(crate) const SIZE: usize = 111;
    pub(crate) const NAME: Field = Field::new("name", 0);
    pub(crate) const FRAME: Field = Field::new("frame", 15);
    pub(crate) const TRANSLATION: Field = Field::new("translation", 19);
    pub(crate) const ROTATION: Field = Field::new("rotation", 31);
    pub(crate) const INTERPOLATION: Field = Field::new("interpolation", 47);
}

/// Parts of a morph key.
pub(crate) mod morph {
    use super::Field;
    pub(crate) const SIZE: usize = 23;
    pub(crate) const NAME: Field = Field::new("name", 0);
    pub(crate) const FRAME: Field = Field::new("frame", 15);
    pub(crate) const WEIGHT: Field = Field::new("weight", 19);
}

/// Parts of a camera key.
pub(crate) mod camera {
    use super::Field;
    pub(crate) const SIZE: usize = 61;
    pub(crate) const FRAME: Field = Field::new("frame", 0);
    pub(crate) const DISTANCE: Field = Field::new("distance", 4);
    pub(crate) const TARGET: Field = Field::new("target", 8);
    pub(crate) const ANGLES: Field = Field::new("angles", 20);
    pub(crate) const INTERPOLATION: Field = Field::new("interpolation", 32);
    pub(crate) const FOV: Field = Field::new("field of view", 56);
    pub(crate) const PERSPECTIVE: Field = Field::new("perspective", 60);
}

/// Parts of a light key.
pub(crate) mod light {
    use super::Field;
    pub(crate) const SIZE: usize = 28;
    pub(crate) const FRAME: Field = Field::new("frame", 0);
    pub(crate) const COLOR: Field = Field::new("colour", 4);
    pub(crate) const DIRECTION: Field = Field::new("direction", 16);
}

/// Parts of a self-shadow key.
pub(crate) mod shadow {
    use super::Field;
    pub(crate) const SIZE: usize = 9;
    pub(crate) const FRAME: Field = Field::new("frame", 0);
    pub(crate) const MODE: Field = Field::new("mode", 4);
    pub(crate) const DISTANCE: Field = Field::new("distance", 5);
}

/// Parts of a show/IK key, whose list has 21 bytes per entry.
pub(crate) mod model {
    use super::{COUNT, Field, IK_NAME};
    pub(crate) const FRAME: Field = Field::new("frame", 0);
    pub(crate) const VISIBLE: Field = Field::new("visible", 4);
    pub(crate) const LIST: Field = Field::new("IK bones", 5);
    /// Smallest record: an empty list.
    pub(crate) const SMALLEST: usize = LIST.offset + COUNT;
    pub(crate) const ENTRY: usize = IK_NAME + 1;
    /// In an entry of the list.
    pub(crate) const BONE: Field = Field::new("name", 0);
    /// In an entry of the list.
    pub(crate) const ENABLED: Field = Field::new("enabled", IK_NAME);
}

impl Section {
    /// The name of its records in messages.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Bones => "bone keys",
            Self::Morphs => "morph keys",
            Self::Cameras => "camera keys",
            Self::Lights => "light keys",
            Self::Shadows => "self-shadow keys",
            Self::Models => "show/IK keys",
        }
    }

    /// A number of its records.
    pub(crate) fn counted(self, number: usize) -> String {
        words::counted(number, self.word().trim_end_matches('s'))
    }

    /// The size of its records; of the smallest record if sizes vary.
    pub(crate) const fn record(self) -> usize {
        match self {
            Self::Bones => bone::SIZE,
            Self::Morphs => morph::SIZE,
            Self::Cameras => camera::SIZE,
            Self::Lights => light::SIZE,
            Self::Shadows => shadow::SIZE,
            Self::Models => model::SMALLEST,
        }
    }
}

impl Document {
    /// Number of bytes before the first section.
    pub(crate) const fn header_size(&self) -> usize {
        match self.model {
            ModelName::Short(_) => SIGNATURE + SHORT_NAME,
            ModelName::Long(_) => SIGNATURE + LONG_NAME,
        }
    }

    /// Size in bytes of a section with its count, if written.
    fn section_size(&self, section: Section) -> usize {
        let lists = match section {
            Section::Models => self.models.iter().map(|key| key.ik.len()).sum::<usize>() * model::ENTRY,
            _ => 0,
        };
        COUNT + self.count(section) * section.record() + lists
    }

    /// Position of a section's count, also for a section that is not written.
    pub(crate) fn section_start(&self, section: Section) -> usize {
        let before = Section::ALL.iter().take_while(|s| **s < section);
        self.header_size() + before.map(|s| self.section_size(*s)).sum::<usize>()
    }

    /// Position of a record.
    pub(crate) fn record_start(&self, section: Section, index: usize) -> usize {
        let lists = match section {
            Section::Models => self.models.iter().take(index).map(|key| key.ik.len()).sum::<usize>(),
            _ => 0,
        };
        self.section_start(section) + COUNT + index * section.record() + lists * model::ENTRY
    }

    /// The length of the file.
    pub(crate) fn file_size(&self) -> usize {
        let last = self.last_written();
        self.section_start(last) + self.section_size(last) + self.trailing.len()
    }
}
