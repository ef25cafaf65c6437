//! A file as it is: an archive of arrays, one array, or what stood in a pickle.

use super::array::Array;
use dopesheet_core::format::Assumptions;

/// A file of NumPy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Content of the file.
    pub file: File,
    /// Facts that the caller states where the file does not; they are never written.
    pub assumed: Assumptions,
}

/// The kinds of files.
#[derive(Clone, Debug, PartialEq)]
pub enum File {
    /// One array (`.npy`).
    Npy(Array),
    /// Arrays with names (`.npz`).
    Npz(Archive),
    /// Arrays of a pickle: of objects of Python (`.pkl`), of what PyTorch saves (`.pt`), or of an array of objects (`.npy`). The pickle
    /// itself is not kept, so that it is not written back.
    Pickle(Pickled),
}

/// Arrays that a pickle made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pickled {
    /// The arrays with their names; that of a pickle of one array is empty.
    pub arrays: Vec<(String, Array)>,
    /// Name and form of the first arrays that cannot be taken.
    pub left_out: Vec<String>,
    /// Number of the others that cannot be taken.
    pub further_left_out: usize,
    /// Number of bytes behind the pickle.
    pub trailing: usize,
}

impl Default for File {
    fn default() -> Self {
        Self::Npz(Archive::default())
    }
}

impl Document {
    /// A document with arrays under their names, stored without compression.
    #[must_use]
    pub fn of_arrays(arrays: impl IntoIterator<Item = (String, Array)>) -> Self {
        let members = arrays.into_iter().map(|(name, array)| Member::new(&name, array)).collect();
        Self { file: File::Npz(Archive { members, ..Archive::default() }), assumed: Assumptions::default() }
    }

    /// A document of one array without a name.
    #[must_use]
    pub fn of_array(array: Array) -> Self {
        Self { file: File::Npy(array), assumed: Assumptions::default() }
    }

    /// All arrays with their names, in the order of the file; that of a `.npy` has none.
    pub fn arrays(&self) -> impl DoubleEndedIterator<Item = (String, &Array)> {
        let (single, members, pickled): (_, &[Member], &[(String, Array)]) = match &self.file {
            File::Npy(array) => (Some(array), &[], &[]),
            File::Npz(archive) => (None, &archive.members, &[]),
            File::Pickle(pickled) => (None, &[], &pickled.arrays),
        };
        let named = members.iter().filter_map(|member| Some((member.key(), member.array()?)));
        let single = single.into_iter().map(|array| (String::new(), array));
        single.chain(named).chain(pickled.iter().map(|(name, array)| (name.clone(), array)))
    }

    /// The array of a name; of several the last, as NumPy has it.
    #[must_use]
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays().rev().find(|(own, _)| own == name).map(|(_, array)| array)
    }
}

/// A ZIP archive. Lengths, checksums and offsets follow from what it holds and are no fields.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.10.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// The files in it, in the order of their bytes, which is that of the directory.
    pub members: Vec<Member>,
    /// Bytes between the last member and the directory.
    pub before_directory: Vec<u8>,
    /// End of the archive.
    pub end: End,
}

/// The end of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The 64-bit record that may stand before the last one.
    pub wide: Option<WideEnd>,
    /// A remark about the archive.
    pub comment: Vec<u8>,
    /// Bytes behind the archive.
    pub trailing: Vec<u8>,
}

/// The 64-bit record at the end of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WideEnd {
    /// The program that wrote it, and the system it was for.
    pub made_by: u16,
    /// The version that is needed to read it.
    pub version: u16,
    /// Fields that nobody has described.
    pub extensible: Vec<u8>,
    /// Number of parts that the archive says it was cut into: 0 or 1.
    pub disks: u32,
    /// True if the last record leaves the number of members to this one.
    pub counts: bool,
    /// True if it leaves the length of the directory to this one.
    pub length: bool,
    /// True if it leaves the offset of the directory to this one.
    pub offset: bool,
}

impl Default for WideEnd {
    fn default() -> Self {
        Self {
            made_by: VERSION_WIDE,
            version: VERSION_WIDE,
            extensible: Vec::new(),
            disks: 1,
            counts: false,
            length: false,
            offset: false,
        }
    }
}

/// The version that archives with 64-bit fields need.
const VERSION_WIDE: u16 = 45;
/// The version that all others need.
const VERSION: u16 = 20;
/// 1 January 1980, the first day that the format knows, so that equal arrays are equal files.
const FIRST_DAY: u32 = 0x0021_0000;
/// A file that its owner may write and others may read, as systems of the Unix family say it.
const MODE: u32 = 0o100_644 << 16;
/// Made by version 2.0, on such a system.
const MADE_BY: u16 = 3 << 8 | VERSION;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Bytes between it and what stands before.
    pub gap: Vec<u8>,
    /// Its name as it is stored.
    pub name: Vec<u8>,
    /// The header before its bytes.
    pub local: Local,
    /// Its entry in the directory.
    pub listed: Listed,
    /// Storage of its bytes.
    pub stream: Stream,
    /// The descriptor behind its bytes, if there is one.
    pub descriptor: Option<Descriptor>,
    /// Content.
    pub content: Content,
}

impl Member {
    /// An array under a name, stored without compression.
    #[must_use]
    pub fn new(key: &str, array: Array) -> Self {
        // Bit 11: the name is UTF-8.
        let flags = if key.is_ascii() { 0 } else { 1 << 11 };
        let header = Header { version: VERSION, flags, time: FIRST_DAY, extra: Vec::new() };
        Self {
            gap: Vec::new(),
            name: format!("{key}.npy").into_bytes(),
            local: Local { header: header.clone(), later: false },
            listed: Listed { made_by: MADE_BY, header, internal: 0, external: MODE, comment: Vec::new() },
            stream: Stream::Stored,
            descriptor: None,
            content: Content::Array(array),
        }
    }

    /// The name under which NumPy knows it: without `.npy`. U+FFFD stands for bytes that are no UTF-8.
    #[must_use]
    pub fn key(&self) -> String {
        let name = String::from_utf8_lossy(&self.name);
        name.strip_suffix(".npy").unwrap_or(&name).to_owned()
    }

    /// The array in it, if it is one.
    #[must_use]
    pub const fn array(&self) -> Option<&Array> {
        match &self.content {
            Content::Array(array) => Some(array),
            Content::Other(_) => None,
        }
    }
}

/// Fields that stand both before a member and in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version that is needed to read it.
    pub version: u16,
    /// Bits; of them bit 3 says that a descriptor follows, and bit 11 that the name is UTF-8.
    pub flags: u16,
    /// Time of its last change: seconds and minutes in the lower half, the day in the upper one.
    pub time: u32,
    /// Further fields.
    pub extra: Vec<Extra>,
}

/// The header before a member's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Fields that the directory repeats.
    pub header: Header,
    /// True if checksum and lengths are 0 here, to be found in the descriptor.
    pub later: bool,
}

/// A member's entry in the directory, except for its lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The program that wrote it, and the system it was for.
    pub made_by: u16,
    /// Fields that stand before the member too.
    pub header: Header,
    /// Bits of no meaning here.
    pub internal: u16,
    /// Permissions, as the system says them.
    pub external: u32,
    /// A remark about it.
    pub comment: Vec<u8>,
}

/// A further field of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// The 64-bit values of the lengths and offsets that are marked.
    Wide(Wide),
    /// Any other one.
    Other {
        /// Its number.
        id: u16,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// Bytes at the end that make no field.
    Rest(Vec<u8>),
}

/// The values that have 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// Length of the content.
    pub length: bool,
    /// Number of bytes that it takes in the archive.
    pub stored: bool,
    /// Offset of the member. Only the directory has it.
    pub offset: bool,
}

/// Storage of a member's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stream {
    /// As they are.
    #[default]
    Stored,
    /// Compressed. Compressors differ in what they make of the same bytes, so that the stream is kept beside what it
    /// stands for and is written as long as that is unchanged.
    Deflated(Deflated),
}

/// A compressed stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deflated {
    /// Its bytes (RFC 1951).
    pub bytes: Vec<u8>,
    /// The checksum of what it stands for (CRC-32).
    pub checksum: u32,
    /// Number of bytes after decompression.
    pub length: u64,
}

/// Form of the record that may stand behind a member's bytes: its checksum and lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// True if it starts with a signature.
    pub is_marked: bool,
    /// True if its lengths have 64 bits.
    pub is_wide: bool,
}

/// Content of a member.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// An array.
    Array(Array),
    /// Something else, which is kept.
    Other(Vec<u8>),
}
