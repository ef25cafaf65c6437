//! The header, and the types used in all records.

use std::borrow::Cow;

/// Version, encoding and sizes of indices.
///
/// The default is version 2.0 in UTF-8 with indices of four bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The first four bytes: `PMX ` or, from some writers, `PMX` and 0xA0.
    pub magic: [u8; 4],
    /// Version of the format.
    pub version: Version,
    /// Encoding of all texts.
    pub encoding: Encoding,
    /// Number of further texture coordinates of each vertex, 0..=4.
    pub additional_uvs: u8,
    /// Size of each kind of index.
    pub index_sizes: IndexSizes,
    /// Settings behind the eight defined by versions 2.0 and 2.1.
    pub extra: Vec<u8>,
}

impl Header {
    /// The magic used by all writers but a few.
    pub const MAGIC: [u8; 4] = *b"PMX ";
    /// The magic with a no-break space, used by some writers (nanoem accepts it).
    pub const MAGIC_NO_BREAK: [u8; 4] = *b"PMX\xa0";
}

impl Default for Header {
    fn default() -> Self {
        Self {
            magic: Self::MAGIC,
            version: Version::V2_0,
            encoding: Encoding::Utf8,
            additional_uvs: 0,
            index_sizes: IndexSizes::default(),
            extra: Vec::new(),
        }
    }
}

/// Version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// The version read by MikuMikuDance.
    #[default]
    V2_0,
    /// With soft bodies, QDEF, flip and impulse morphs, and further kinds of joints.
    V2_1,
}

impl Version {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::V2_0, Self::V2_1];

    /// The number in the file.
    #[must_use]
    pub const fn number(self) -> f32 {
        match self {
            Self::V2_0 => 2.0,
            Self::V2_1 => 2.1,
        }
    }

    /// The version with exactly this number.
    #[must_use]
    pub fn of(number: f32) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.number().to_bits() == number.to_bits())
    }
}

/// Encoding of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-16, least significant byte first.
    Utf16,
    /// UTF-8.
    #[default]
    Utf8,
}

impl Encoding {
    /// The byte in the file.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::Utf16 => 0,
            Self::Utf8 => 1,
        }
    }

    /// The encoding with this byte.
    #[must_use]
    pub const fn of(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Utf16),
            1 => Some(Self::Utf8),
            _ => None,
        }
    }

    /// The name used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Utf16 => "UTF-16",
            Self::Utf8 => "UTF-8",
        }
    }
}

/// Size of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexSize {
    /// One byte.
    One,
    /// Two bytes.
    Two,
    /// Four bytes.
    #[default]
    Four,
}

impl IndexSize {
    /// The number of bytes.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// The size with this number of bytes.
    #[must_use]
    pub const fn of(bytes: u8) -> Option<Self> {
        match bytes {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            _ => None,
        }
    }
}

/// Size of each kind of index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSizes {
    /// Of vertices.
    pub vertex: IndexSize,
    /// Of textures.
    pub texture: IndexSize,
    /// Of materials.
    pub material: IndexSize,
    /// Of bones.
    pub bone: IndexSize,
    /// Of morphs.
    pub morph: IndexSize,
    /// Of rigid bodies.
    pub body: IndexSize,
}

/// A position in a list of the file, or any negative number for none (programs write −1).
///
/// Positions of vertices are plain `u32` instead, because the file stores them unsigned in one or two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub i32);

impl Index {
    /// No element.
    pub const NONE: Self = Self(-1);

    /// The position; `None` for negative numbers.
    #[must_use]
    pub fn get(self) -> Option<usize> {
        usize::try_from(self.0).ok()
    }

    /// The position in a list; [`Index::NONE`] for positions of 2^31 and above, which no file can hold.
    #[must_use]
    pub fn of(position: usize) -> Self {
        i32::try_from(position).map_or(Self::NONE, Self)
    }
}

impl Default for Index {
    fn default() -> Self {
        Self::NONE
    }
}

/// A text as stored in the file, without its length. The file's [`Header::encoding`] tells how to decode the
/// text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// A text in either encoding.
    #[must_use]
    pub fn new(text: &str, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Utf8 => Self(text.as_bytes().to_vec()),
            Encoding::Utf16 => Self(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        }
    }

    /// The text, and whether some bytes have no meaning in the encoding: U+FFFD stands for such bytes.
    #[must_use]
    pub fn decode(&self, encoding: Encoding) -> (String, bool) {
        match encoding {
            Encoding::Utf8 => match String::from_utf8_lossy(&self.0) {
                Cow::Borrowed(text) => (text.to_owned(), false),
                Cow::Owned(text) => (text, true),
            },
            Encoding::Utf16 => {
                let (units, rest) = self.0.as_chunks();
                let read = char::decode_utf16(units.iter().map(|unit| u16::from_le_bytes(*unit)));
                let half = (!rest.is_empty()).then_some(None);
                let mut has_unknown_bytes = false;
                let characters = read.map(Result::ok).chain(half).map(|character| {
                    has_unknown_bytes |= character.is_none();
                    character.unwrap_or(char::REPLACEMENT_CHARACTER)
                });
                (characters.collect(), has_unknown_bytes)
            }
        }
    }
}
