//! [`Document`] to bytes: lengths, checksums and offsets are computed here.

use super::array::{Array, Dtype, HeaderForm, shown};
use super::codes;
use super::document::{
    Archive, Content, Deflated, Descriptor, Document, Extra, File, Header, Member, Stream, Wide, WideEnd,
};
use super::header;
use dopesheet_core::bytes::ByteBuilder;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::words::counted;
use flate2::Crc;
use flate2::write::DeflateEncoder;
use std::borrow::Cow;
use std::io::Write as _;

/// First bytes of an array.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// A header and the bytes before it fill a multiple of this number, so that the numbers can be mapped into
/// memory.
const ALIGNMENT: usize = 64;
/// Number of bytes before the header in version 1: the magic, the version, and the length in 16 bits.
const PREAMBLE: usize = 10;

/// First bytes of the parts of an archive.
pub(super) mod signature {
    pub(in super::super) const LOCAL: u32 = 0x0403_4b50;
    pub(in super::super) const LISTED: u32 = 0x0201_4b50;
    pub(in super::super) const DESCRIPTOR: u32 = 0x0807_4b50;
    pub(in super::super) const WIDE_END: u32 = 0x0606_4b50;
    pub(in super::super) const LOCATOR: u32 = 0x0706_4b50;
    pub(in super::super) const END: u32 = 0x0605_4b50;
}

/// The number of the field with 64-bit values.
pub(super) const WIDE_ID: u16 = 1;
/// The number of the compression method.
pub(super) const DEFLATED: u16 = 8;
/// Length of the 64-bit end behind its own length field, if it has no undescribed fields.
pub(super) const WIDE_END_BYTES: u64 = 44;

/// The bytes of a document for a file of some name.
pub(super) fn document(document: &Document, file_name: Option<&str>) -> Result<Vec<u8>, Fault> {
    let ends_with = |ending| file_name.is_some_and(|name| name.to_lowercase().ends_with(ending));
    match &document.file {
        File::Pickle(_) => Err(refusal()),
        _ if ends_with(".pkl") || ends_with(".pt") => {
            let expected = "a name that ends in .npz or .npy (pickles are read and never written)";
            let actual = file_name.unwrap_or_default().to_owned();
            Err(Fault::new(codes::BARE.code, Place::File, expected, actual))
        }
        File::Npy(array) => npy(array),
        File::Npz(archive) => {
            if ends_with(".npy") {
                let actual =
                    format!("an archive of {}; name the file .npz", counted(archive.members.len(), "array"));
                let expected = "one array for a .npy file (-t npz@humanml3d,npy or npz@motionx,npy)";
                return Err(Fault::new(codes::BARE.code, Place::File, expected, actual));
            }
            npz(archive)
        }
    }
}

/// Refusal of a document read from a pickle.
pub(super) fn refusal() -> Fault {
    let expected = "arrays, which are written back (convert the file with -t npz)";
    Fault::new(codes::READ_ONLY.code, Place::File, expected, "a pickle, which is only read")
}

/// The header of an array in NumPy's spelling, without padding.
pub(super) fn plain_header(array: &Array) -> String {
    let order = if array.fortran_order { "True" } else { "False" };
    let (dtype, shape) = (&array.dtype, shown(&array.shape));
    format!("{{'descr': {dtype}, 'fortran_order': {order}, 'shape': {shape}, }}")
}

/// Number of blanks for padding the header of an array.
pub(super) fn padding(array: &Array) -> usize {
    let used = PREAMBLE + plain_header(array).len() + 1;
    used.next_multiple_of(ALIGNMENT) - used
}

impl Array {
    /// An array with the last index running fastest, and with NumPy's header.
    #[must_use]
    pub fn new(dtype: Dtype, shape: Vec<usize>, data: Vec<u8>) -> Self {
        let header = HeaderForm { version: 1, padding: 0, spelling: None };
        let mut array = Self { dtype, fortran_order: false, shape, data, header, trailing: Vec::new() };
        array.header.padding = padding(&array);
        array
    }
}

/// An array as a file.
pub(super) fn npy(array: &Array) -> Result<Vec<u8>, Fault> {
    let fault = |expected: String, actual: String| {
        Err(Fault::new(codes::NPY_SHAPE.code, Place::File, expected, actual))
    };
    let expected = array
        .dtype
        .element_bytes()
        .and_then(|bytes| array.shape.iter().try_fold(bytes, |all, length| all.checked_mul(*length)));
    if expected.is_some_and(|expected| expected != array.data.len()) {
        let expected =
            format!("{} for the shape {}", counted(expected.unwrap_or(0), "byte"), shown(&array.shape));
        return fault(expected, array.data.len().to_string());
    }
    let says_it = |text: &&String| {
        header::parse(text).is_ok_and(|stated| {
            stated.dtype == array.dtype
                && stated.fortran_order == array.fortran_order
                && stated.shape == array.shape
        })
    };
    let text = match array.header.spelling.as_ref().filter(says_it) {
        Some(text) => Cow::Borrowed(text.as_str()),
        None => Cow::Owned(format!("{}{}\n", plain_header(array), " ".repeat(array.header.padding))),
    };
    let mut out = Vec::with_capacity(PREAMBLE + 2 + text.len() + array.data.len() + array.trailing.len());
    out.extend(MAGIC);
    match (array.header.version, u16::try_from(text.len())) {
        (0 | 1, Ok(length)) => {
            out.extend([1, 0]);
            out.extend(length.to_le_bytes());
        }
        (version, _) => {
            let Ok(length) = u32::try_from(text.len()) else {
                return fault("a header of at most 4 GiB".into(), text.len().to_string());
            };
            out.extend([version.max(2), 0]);
            out.extend(length.to_le_bytes());
        }
    }
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(&array.data);
    out.extend_from_slice(&array.trailing);
    Ok(out)
}

/// The checksum of bytes (CRC-32).
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Facts about a member known after its bytes are made.
struct Sizes {
    checksum: u32,
    length: u64,
    stored: u64,
    offset: u64,
    method: u16,
    /// Offset of its bytes.
    start: u64,
}

/// Offsets of each member's bytes; fewer if a member cannot be written.
pub(super) fn starts(archive: &Archive) -> Vec<u64> {
    let mut out = ByteBuilder::default();
    archive.members.iter().map_while(|member| Some(put_member(&mut out, member).ok()?.start)).collect()
}

/// An archive.
fn npz(archive: &Archive) -> Result<Vec<u8>, Fault> {
    let mut out = ByteBuilder::default();
    let mut sizes = Vec::with_capacity(archive.members.len());
    for member in &archive.members {
        sizes.push(put_member(&mut out, member)?);
    }
    out.bytes(&archive.before_directory);
    let start = out.len() as u64;
    for (member, sizes) in archive.members.iter().zip(&sizes) {
        put_listed(&mut out, member, sizes)?;
    }
    put_end(&mut out, archive, start)?;
    Ok(out.finish())
}

fn put_member(out: &mut ByteBuilder, member: &Member) -> Result<Sizes, Fault> {
    let name = String::from_utf8_lossy(&member.name).into_owned();
    let content = match &member.content {
        Content::Array(array) => Cow::Owned(npy(array).map_err(|fault| fault.within(&name))?),
        Content::Other(bytes) => Cow::Borrowed(bytes.as_slice()),
    };
    let (checksum, length) = (checksum(&content), content.len() as u64);
    let (method, stored) = match &member.stream {
        Stream::Stored => (0, content),
        Stream::Deflated(Deflated { bytes, checksum: stated_checksum, length: of }) => {
            // Not even nothing is compressed to nothing.
            let is_it = (*stated_checksum, *of) == (checksum, length) && !bytes.is_empty();
            (DEFLATED, if is_it { Cow::Borrowed(bytes.as_slice()) } else { Cow::Owned(deflated(&content)) })
        }
    };
    out.bytes(&member.gap);
    let mut sizes =
        Sizes { checksum, length, stored: stored.len() as u64, offset: out.len() as u64, method, start: 0 };
    put_local(out, member, &sizes)?;
    sizes.start = out.len() as u64;
    out.bytes(&stored);
    if let Some(descriptor) = member.descriptor {
        put_descriptor(out, descriptor, &sizes);
    }
    Ok(sizes)
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    let written = encoder.write_all(content);
    debug_assert!(written.is_ok(), "writing into memory does not fail");
    encoder.finish().unwrap_or_default()
}

/// Marks of the values stored in 64 bits according to the further fields of a header.
fn stated(extra: &[Extra]) -> Wide {
    let stated = extra.iter().find_map(|field| match field {
        Extra::Wide(wide) => Some(*wide),
        _ => None,
    });
    stated.unwrap_or_default()
}

/// Marks of the values to be stored in 64 bits: marked in the further fields of a header, or too large for
/// 32 bits.
fn wide(extra: &[Extra], sizes: &Sizes, has_offset: bool) -> Wide {
    let stated = stated(extra);
    let needs = |value: u64| value >= u64::from(u32::MAX);
    Wide {
        length: stated.length || needs(sizes.length),
        stored: stated.stored || needs(sizes.stored),
        offset: has_offset && (stated.offset || needs(sizes.offset)),
    }
}

/// A value in its 32-bit field: all ones if the 64-bit value is stored elsewhere.
const fn narrow(value: u64, is_wide: bool) -> u32 {
    if is_wide { u32::MAX } else { value as u32 }
}

fn put_extra(extra: &[Extra], wide: Wide, values: [u64; 3]) -> Vec<u8> {
    let marked = [wide.length, wide.stored, wide.offset];
    let mut out = ByteBuilder::default();
    let put_wide = |out: &mut ByteBuilder| {
        let present = marked.into_iter().zip(values).filter(|(is_wide, _)| *is_wide);
        let bytes: Vec<u8> = present.flat_map(|(_, value)| value.to_le_bytes()).collect();
        out.u16(WIDE_ID).u16(bytes.len() as u16).bytes(&bytes);
    };
    let is_stated = extra.iter().any(|field| matches!(field, Extra::Wide(_)));
    if !is_stated && marked.contains(&true) {
        put_wide(&mut out);
    }
    for field in extra {
        match field {
            Extra::Wide(_) => put_wide(&mut out),
            Extra::Other { id, bytes } => {
                out.u16(*id).u16(bytes.len() as u16).bytes(bytes);
            }
            Extra::Rest(bytes) => {
                out.bytes(bytes);
            }
        }
    }
    out.finish()
}

/// The length of a part as 16 bits.
fn short(bytes: &[u8], what: &'static str, member: &Member) -> Result<u16, Fault> {
    u16::try_from(bytes.len()).map_err(|_| {
        let name = String::from_utf8_lossy(&member.name).into_owned();
        let actual = counted(bytes.len(), "byte");
        Fault::new(codes::MEMBER.code, Place::File, format!("{what} of at most 65,535 bytes"), actual)
            .within(name)
    })
}

fn put_header(out: &mut ByteBuilder, header: &Header, method: u16) {
    out.u16(header.version).u16(header.flags).u16(method).u32(header.time);
}

fn put_local(out: &mut ByteBuilder, member: &Member, sizes: &Sizes) -> Result<(), Fault> {
    let local = &member.local;
    let wide = match local.later {
        true => stated(&local.header.extra),
        false => wide(&local.header.extra, sizes, false),
    };
    let [length, stored, sum] = match local.later {
        true => [0; 3],
        false => [sizes.length, sizes.stored, u64::from(sizes.checksum)],
    };
    let extra = put_extra(&local.header.extra, wide, [length, stored, 0]);
    out.u32(signature::LOCAL);
    put_header(out, &local.header, sizes.method);
    out.u32(sum as u32).u32(narrow(stored, wide.stored)).u32(narrow(length, wide.length));
    out.u16(short(&member.name, "a name", member)?).u16(short(&extra, "further fields", member)?);
    out.bytes(&member.name).bytes(&extra);
    Ok(())
}

fn put_descriptor(out: &mut ByteBuilder, descriptor: Descriptor, sizes: &Sizes) {
    out.bytes(&descriptor_bytes(descriptor, sizes.checksum, sizes.stored, sizes.length));
}

/// Bytes of the descriptor behind a member.
pub(super) fn descriptor_bytes(how: Descriptor, checksum: u32, stored: u64, length: u64) -> Vec<u8> {
    let mut out = ByteBuilder::default();
    if how.is_marked {
        out.u32(signature::DESCRIPTOR);
    }
    out.u32(checksum);
    for value in [stored, length] {
        match how.is_wide {
            true => out.bytes(&value.to_le_bytes()),
            false => out.u32(value as u32),
        };
    }
    out.finish()
}

fn put_listed(out: &mut ByteBuilder, member: &Member, sizes: &Sizes) -> Result<(), Fault> {
    let listed = &member.listed;
    let wide = wide(&listed.header.extra, sizes, true);
    let extra = put_extra(&listed.header.extra, wide, [sizes.length, sizes.stored, sizes.offset]);
    out.u32(signature::LISTED).u16(listed.made_by);
    put_header(out, &listed.header, sizes.method);
    out.u32(sizes.checksum).u32(narrow(sizes.stored, wide.stored)).u32(narrow(sizes.length, wide.length));
    out.u16(short(&member.name, "a name", member)?).u16(short(&extra, "further fields", member)?);
    out.u16(short(&listed.comment, "a comment", member)?).u16(0).u16(listed.internal).u32(listed.external);
    out.u32(narrow(sizes.offset, wide.offset)).bytes(&member.name).bytes(&extra).bytes(&listed.comment);
    Ok(())
}

fn put_end(out: &mut ByteBuilder, archive: &Archive, start: u64) -> Result<(), Fault> {
    let (count, length) = (archive.members.len() as u64, out.len() as u64 - start);
    let needed = WideEnd {
        counts: count >= u64::from(u16::MAX),
        length: length >= u64::from(u32::MAX),
        offset: start >= u64::from(u32::MAX),
        ..WideEnd::default()
    };
    let is_needed = needed.counts || needed.length || needed.offset;
    let stated = archive.end.wide.clone();
    let wide = stated.map(|stated_end| WideEnd {
        counts: stated_end.counts || needed.counts,
        length: stated_end.length || needed.length,
        offset: stated_end.offset || needed.offset,
        ..stated_end
    });
    let wide = wide.or_else(|| is_needed.then_some(needed));
    if let Some(wide) = &wide {
        let wide_start = out.len() as u64;
        out.u32(signature::WIDE_END).bytes(&(WIDE_END_BYTES + wide.extensible.len() as u64).to_le_bytes());
        out.u16(wide.made_by).u16(wide.version).u32(0).u32(0);
        [count, count, length, start].iter().for_each(|value| {
            out.bytes(&value.to_le_bytes());
        });
        out.bytes(&wide.extensible);
        out.u32(signature::LOCATOR).u32(0).bytes(&wide_start.to_le_bytes()).u32(wide.disks);
    }
    let wide = wide.unwrap_or_default();
    let members = if wide.counts { u16::MAX } else { count as u16 };
    let Ok(comment) = u16::try_from(archive.end.comment.len()) else {
        let actual = counted(archive.end.comment.len(), "byte");
        let expected = "a comment of at most 65,535 bytes";
        return Err(Fault::new(codes::DIRECTORY.code, Place::File, expected, actual));
    };
    out.u32(signature::END).u16(0).u16(0).u16(members).u16(members);
    out.u32(narrow(length, wide.length)).u32(narrow(start, wide.offset)).u16(comment);
    out.bytes(&archive.end.comment).bytes(&archive.end.trailing);
    Ok(())
}
