//! A file as stored: an archive of arrays, a single array, or the contents of a pickle.

use super::array::Array;
use dopesheet_core::format::Assumptions;

/// A file of NumPy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Content of the file.
    pub file: File,
    /// Facts that the caller states in place of the file; they are never written.
    pub assumed: Assumptions,
}

/// The kinds of files.
#[derive(Clone, Debug, PartialEq)]
pub enum File {
    /// A single array (`.npy`).
    Npy(Array),
    /// Arrays with names (`.npz`).
    Npz(Archive),
    /// Arrays of a pickle: of objects of Python (`.pkl`), of PyTorch (`.pt`), or of an array of objects
    /// (`.npy`). The pickle itself is not kept, so it is not written back.
    Pickle(Pickled),
}

/// Arrays read from a pickle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pickled {
    /// The arrays with their names; the array of a pickle of one array has an empty name.
    pub arrays: Vec<(String, Array)>,
    /// Name and form of the first values of the pickle left out of `arrays`, since no array can be made of
    /// them.
    pub left_out: Vec<String>,
    /// Number of left out values beyond the names in `left_out`.
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

    /// A document of a single nameless array.
    #[must_use]
    pub fn of_array(array: Array) -> Self {
        Self { file: File::Npy(array), assumed: Assumptions::default() }
    }

    /// All arrays with their names, in the order of the file; the name of a `.npy` is empty.
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

    /// The array with a name; of several the last, as in NumPy.
    #[must_use]
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays().rev().find(|(stored_name, _)| stored_name == name).map(|(_, array)| array)
    }
}

/// A ZIP archive. Lengths, checksums and offsets follow from its contents and are no fields.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.10.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// The files in the archive, in the order of their bytes, which is also the order of the directory.
    pub members: Vec<Member>,
    /// Bytes between the last member and the directory.
    pub before_directory: Vec<u8>,
    /// End of the archive.
    pub end: End,
}

/// The end of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The optional 64-bit record before the last record.
    pub wide: Option<WideEnd>,
    /// A remark about the archive.
    pub comment: Vec<u8>,
    /// Bytes behind the archive.
    pub trailing: Vec<u8>,
}

/// The 64-bit record at the end of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WideEnd {
    /// The program that wrote the archive, and its operating system.
    pub made_by: u16,
    /// The version needed to read the archive.
    pub version: u16,
    /// Fields without a published description.
    pub extensible: Vec<u8>,
    /// Stated number of parts of the archive: 0 or 1.
    pub disks: u32,
    /// True if the last record leaves the number of members to this record.
    pub counts: bool,
    /// True if the last record leaves the length of the directory to this record.
    pub length: bool,
    /// True if the last record leaves the offset of the directory to this record.
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

/// The version needed for archives with 64-bit fields.
const VERSION_WIDE: u16 = 45;
/// The version needed for all other archives.
const VERSION: u16 = 20;
/// 1 January 1980, the first day representable in the format, so that equal arrays make equal files.
const FIRST_DAY: u32 = 0x0021_0000;
/// Permissions of a file writable for its owner and readable for others, in the form of Unix systems.
const MODE: u32 = 0o100_644 << 16;
/// Made by version 2.0, on a Unix system.
const MADE_BY: u16 = 3 << 8 | VERSION;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Bytes between the member and the content before.
    pub gap: Vec<u8>,
    /// Its name as stored.
    pub name: Vec<u8>,
    /// The header before its bytes.
    pub local: Local,
    /// Its entry in the directory.
    pub listed: Listed,
    /// Storage of its bytes.
    pub stream: Stream,
    /// The descriptor behind its bytes, if present.
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

    /// The name used by NumPy: without `.npy`. U+FFFD stands for bytes that are no UTF-8.
    #[must_use]
    pub fn key(&self) -> String {
        let name = String::from_utf8_lossy(&self.name);
        name.strip_suffix(".npy").unwrap_or(&name).to_owned()
    }

    /// The array in the member; `None` for other content.
    #[must_use]
    pub const fn array(&self) -> Option<&Array> {
        match &self.content {
            Content::Array(array) => Some(array),
            Content::Other(_) => None,
        }
    }
}

/// Fields stored both before a member and in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version needed to read the member.
    pub version: u16,
    /// Bits; bit 3 means that a descriptor follows, and bit 11 that the name is UTF-8.
    pub flags: u16,
    /// Time of its last change: seconds and minutes in the lower half, the day in the upper half.
    pub time: u32,
    /// Further fields.
    pub extra: Vec<Extra>,
}

/// The header before a member's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Fields repeated in the directory.
    pub header: Header,
    /// True if checksum and lengths are 0 here, to be found in the descriptor.
    pub later: bool,
}

/// A member's entry in the directory, except for its lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The program that wrote the member, and its operating system.
    pub made_by: u16,
    /// Fields also stored before the member.
    pub header: Header,
    /// Bits of no meaning here.
    pub internal: u16,
    /// Permissions, as the system says them.
    pub external: u32,
    /// A remark about the member.
    pub comment: Vec<u8>,
}

/// A further field of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// The 64-bit values of the marked lengths and offsets.
    Wide(Wide),
    /// Any other field.
    Other {
        /// Its number.
        id: u16,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// Bytes at the end that make up no field.
    Rest(Vec<u8>),
}

/// The values stored in 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// Length of the content.
    pub length: bool,
    /// Number of bytes of the member's content in the archive.
    pub stored: bool,
    /// Offset of the member; only in the directory.
    pub offset: bool,
}

/// Storage of a member's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stream {
    /// As they are.
    #[default]
    Stored,
    /// Compressed. Compressors differ in their output for the same bytes, so the stream is kept beside the
    /// bytes it stands for, and is written as long as these bytes are unchanged.
    Deflated(Deflated),
}

/// A compressed stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deflated {
    /// Its bytes (RFC 1951).
    pub bytes: Vec<u8>,
    /// The checksum of the decompressed bytes (CRC-32).
    pub checksum: u32,
    /// Number of bytes after decompression.
    pub length: u64,
}

/// Form of the optional record behind a member's bytes: its checksum and lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// True if the record starts with a signature.
    pub is_marked: bool,
    /// True if its lengths have 64 bits.
    pub is_wide: bool,
}

/// Content of a member.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// An array.
    Array(Array),
    /// Any other content, kept unchanged.
    Other(Vec<u8>),
}
