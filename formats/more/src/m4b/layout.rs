//! Sizes in bytes and limits, each stated once.
//!
//! Source: Tomahna Project wiki, `docs/myst4/file-reference/bigfile.md`; counted NULs and gaps observed by
//! coderjo/myst4tools, `m4b-format.md`.

/// Length and text of the signature.
pub(super) const SIGNATURE: &[u8; 15] = b"\x0b\0\0\0UBI_BF_SIG\0";
/// The only version.
pub(super) const VERSION: u32 = 1;
/// An entry with an empty name: the name's length, size and position.
pub(super) const SMALLEST_FILE: u64 = 12;
/// An empty folder with an empty name: the name's length, number of folders and of files.
pub(super) const SMALLEST_DIRECTORY: u64 = 9;
/// Longest plausible name.
pub(super) const LONGEST_NAME: u32 = 1024;
/// Folders inside folders below the root.
pub(super) const DEEPEST: usize = 64;
/// Most folders in one folder: their number is stored in a byte.
pub(super) const MOST_DIRECTORIES: usize = 255;
