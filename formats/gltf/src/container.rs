//! The chunks of a GLB (glTF 2.0, section 4.4): the only place that knows their layout.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use crate::checks::glb_code as code;
use dopesheet_core::bytes::{ByteBuilder, Codes, Cursor, Read};
use dopesheet_core::diag::{Code, Fault, Place, Report};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;

/// The identifier of the format whose files are containers.
pub(crate) const FORMAT_ID: &str = "glb";

/// The first four bytes.
pub(super) const MAGIC: &[u8; 4] = b"glTF";
/// The only version there is.
const VERSION: u32 = 2;
/// Magic, version, total length.
const HEADER_BYTES: usize = 12;
/// Length and type.
const CHUNK_HEADER_BYTES: usize = 8;
/// `JSON`
const JSON_CHUNK: u32 = 0x4E4F_534A;
/// `BIN` and a zero.
const BIN_CHUNK: u32 = 0x004E_4942;
/// Chunks start and end at multiples of this.
pub(crate) const ALIGNMENT: usize = 4;

/// Everything in a GLB but its JSON text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Container {
    /// The length declared in the header, in bytes; at most the length of the file.
    pub declared_length: u32,
    /// The BIN chunk with its padding.
    pub bin: Option<Vec<u8>>,
    /// Chunks of other types, in order.
    pub other_chunks: Vec<Chunk>,
    /// Bytes of an unfinished chunk header before the declared end, and all bytes after the declared end.
    pub trailing: Vec<u8>,
}

/// A chunk of a type without a meaning here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its type.
    pub kind: u32,
    /// Its data.
    pub data: Vec<u8>,
}

/// A GLB taken apart.
pub(super) struct Split<'a> {
    pub(super) json: &'a [u8],
    pub(super) container: Container,
}

/// Takes a GLB apart.
pub(super) fn split(bytes: &[u8]) -> Read<Split<'_>> {
    let declared_length = header(bytes)?;
    let declared = declared_length as usize;
    let mut c = Cursor::new(bytes.get(HEADER_BYTES..).unwrap_or_default(), CODES);
    let mut split = Split { json: &[], container: Container { declared_length, ..Container::default() } };
    let mut number = 0usize;
    loop {
        let at = HEADER_BYTES.saturating_add(usize::try_from(c.position().0).unwrap_or(usize::MAX));
        if at >= declared {
            break;
        }
        let (kind, data) = chunk(&mut c, at, declared, number == 0)?;
        place_chunk(&mut split, at, number, kind, data)?;
        number = number.saturating_add(1);
    }
    if number == 0 {
        let actual = format!("a declared length of {}", counted(declared, "byte"));
        return Err(fault(8, code::LENGTH_TOO_SMALL, "length", "at least a header and a JSON chunk", actual));
    }
    split.container.trailing = c.take_rest().to_vec();
    Ok(split)
}

/// The JSON text of a GLB, if its first chunk is whole.
pub(super) fn json(bytes: &[u8]) -> Option<&[u8]> {
    header(bytes).ok()?;
    let mut c = Cursor::new(bytes.get(HEADER_BYTES..)?, CODES);
    let (kind, data) = chunk(&mut c, HEADER_BYTES, bytes.len(), true).ok()?;
    (kind == JSON_CHUNK).then_some(data)
}

const CODES: Codes = Codes { truncated: code::UNEXPECTED_END_OF_HEADER, count: code::CHUNK_TOO_BIG };

fn fault(at: usize, code: Code, path: &str, expected: impl Into<String>, found: String) -> Box<Fault> {
    let byte = Place::Byte(ByteOffset(at as u64));
    Box::new(Fault::new(code, byte, expected.into(), found).at_path(path))
}

/// The declared length.
fn header(bytes: &[u8]) -> Read<u32> {
    let mut c = Cursor::new(bytes, CODES);
    let magic: [u8; 4] = c.array("magic")?;
    if magic != *MAGIC {
        let actual = format!("the bytes {:02x} {:02x} {:02x} {:02x}", magic[0], magic[1], magic[2], magic[3]);
        return Err(fault(0, code::INVALID_MAGIC, "magic", "\"glTF\"", actual));
    }
    let version = c.u32("version")?;
    if version != VERSION {
        let note = if version == 1 { crate::checks::VERSION_1 } else { "" };
        return Err(fault(4, code::INVALID_VERSION, "version", "2", format!("{version}{note}")));
    }
    c.u32("length")
}

/// The chunk at byte `at` of the file; `c` stands there.
fn chunk<'a>(c: &mut Cursor<'a>, at: usize, declared: usize, first: bool) -> Read<(u32, &'a [u8])> {
    let left = declared.saturating_sub(at);
    let present = c.remaining();
    if left < CHUNK_HEADER_BYTES || present < CHUNK_HEADER_BYTES {
        if present == 0 && !first {
            let expected = format!("{} as declared", counted(declared, "byte"));
            return Err(fault(8, code::LENGTH_MISMATCH, "length", expected, counted(at, "byte")));
        }
        let actual = counted(left.min(present), "byte");
        return Err(fault(
            at,
            code::UNEXPECTED_END_OF_CHUNK_HEADER,
            "chunk",
            "8 bytes of a chunk header",
            actual,
        ));
    }
    let length = c.u32("chunk length")? as usize;
    let kind = c.u32("chunk type")?;
    let room = left.saturating_sub(CHUNK_HEADER_BYTES);
    if length > room {
        let expected = format!("at most {} before the declared end of the file", counted(room, "byte"));
        return Err(fault(at, code::CHUNK_TOO_BIG, "chunk length", expected, length.to_string()));
    }
    if length > c.remaining() {
        let actual = format!("{} left", counted(c.remaining(), "byte"));
        let expected = format!("{} of chunk data", counted(length, "byte"));
        return Err(fault(at, code::UNEXPECTED_END_OF_CHUNK_DATA, "chunk", expected, actual));
    }
    Ok((kind, c.take(length, "chunk data")?))
}

fn place_chunk<'a>(split: &mut Split<'a>, at: usize, number: usize, kind: u32, data: &'a [u8]) -> Read<()> {
    let container = &mut split.container;
    match (number, kind) {
        (0, JSON_CHUNK) => split.json = data,
        (0, other) => {
            let expected = "a JSON chunk";
            return Err(fault(
                at,
                code::UNEXPECTED_FIRST_CHUNK,
                "chunk type",
                expected,
                format!("{other:#010x}"),
            ));
        }
        (_, JSON_CHUNK) => {
            return Err(fault(at, code::DUPLICATE_CHUNK, "chunk type", "one JSON chunk", "another".into()));
        }
        (_, BIN_CHUNK) if container.bin.is_some() => {
            return Err(fault(at, code::DUPLICATE_CHUNK, "chunk type", "one BIN chunk", "another".into()));
        }
        (1, BIN_CHUNK) => container.bin = Some(data.to_vec()),
        (_, BIN_CHUNK) => {
            let actual = format!("it as number {}", number.saturating_add(1));
            return Err(fault(
                at,
                code::UNEXPECTED_BIN_CHUNK,
                "chunk type",
                "BIN as the second chunk",
                actual,
            ));
        }
        _ => container.other_chunks.push(Chunk { kind, data: data.to_vec() }),
    }
    Ok(())
}

/// Puts a GLB together.
pub(super) fn join(json: &str, container: &Container) -> Vec<u8> {
    let mut out = Vec::with_capacity(whole_length(json, container));
    out.extend(container.front(json));
    out.extend(container.bin.iter().flatten());
    add_others(container, &mut out);
    out
}

/// A GLB in pieces, of JSON text, padded here, and a BIN chunk in pieces; `None` if its length passes 4 GiB.
pub(crate) fn join_pieces(json: &mut String, bin: Vec<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    pad(json);
    let stored = bin.iter().fold(0, |sum: usize, piece| sum.saturating_add(piece.len()));
    let whole = stored.checked_next_multiple_of(ALIGNMENT)?;
    let has_bin = (whole > 0).then_some(whole);
    let declared_length = u32::try_from(length(json, has_bin, &[])).ok()?;
    let padding = vec![0; whole.saturating_sub(stored)];
    Some([front(json, declared_length, has_bin)].into_iter().chain(bin).chain([padding]).collect())
}

/// The bytes in front of the contents of the BIN chunk, whose length is `bin`.
fn front(json: &str, declared_length: u32, bin: Option<usize>) -> Vec<u8> {
    let mut out = ByteBuilder::with_capacity(json.len());
    out.bytes(MAGIC).u32(VERSION).u32(declared_length);
    add_head(&mut out, JSON_CHUNK, json.len());
    out.bytes(json.as_bytes());
    if let Some(bin) = bin {
        add_head(&mut out, BIN_CHUNK, bin);
    }
    out.finish()
}

fn add_head(out: &mut ByteBuilder, kind: u32, length: usize) {
    out.u32(u32::try_from(length).unwrap_or(u32::MAX)).u32(kind);
}

/// Adds the chunks behind the BIN chunk, and the trailing bytes.
fn add_others(container: &Container, out: &mut Vec<u8>) {
    for other in &container.other_chunks {
        let mut head = ByteBuilder::with_capacity(CHUNK_HEADER_BYTES);
        add_head(&mut head, other.kind, other.data.len());
        out.extend(head.finish());
        out.extend(&other.data);
    }
    out.extend(&container.trailing);
}

/// The length of everything in bytes.
fn whole_length(json: &str, container: &Container) -> usize {
    length(json, container.bin_length(), &container.other_chunks).saturating_add(container.trailing.len())
}

/// The length of header and chunks in bytes.
fn length(json: &str, bin: Option<usize>, other_chunks: &[Chunk]) -> usize {
    let lengths = other_chunks.iter().map(|chunk| chunk.data.len());
    [json.len()]
        .into_iter()
        .chain(bin)
        .chain(lengths)
        .fold(HEADER_BYTES, |sum, data| sum.saturating_add(CHUNK_HEADER_BYTES).saturating_add(data))
}

/// Pads JSON text to whole words.
fn pad(json: &mut String) {
    let padding = json.len().next_multiple_of(ALIGNMENT).saturating_sub(json.len());
    json.extend(std::iter::repeat_n(' ', padding));
}

impl Container {
    fn bin_length(&self) -> Option<usize> {
        self.bin.as_ref().map(Vec::len)
    }

    fn front(&self, json: &str) -> Vec<u8> {
        front(json, self.declared_length, self.bin_length())
    }

    /// Pads JSON text and BIN to whole words and declares their new length; `None` if that length passes 4
    /// GiB.
    #[must_use]
    pub(crate) fn settle(&mut self, json: &mut String) -> Option<()> {
        pad(json);
        if let Some(bin) = &mut self.bin {
            bin.resize(bin.len().next_multiple_of(ALIGNMENT), 0);
        }
        self.declared_length = u32::try_from(length(json, self.bin_length(), &self.other_chunks)).ok()?;
        Some(())
    }

    /// Reports remarkable facts about the chunks around `json`.
    pub(super) fn check(&self, json: &str, report: &mut Report) {
        let mut at = HEADER_BYTES;
        let chunks = [(JSON_CHUNK, json.len())]
            .into_iter()
            .chain(self.bin_length().map(|bin| (BIN_CHUNK, bin)))
            .chain(self.other_chunks.iter().map(|chunk| (chunk.kind, chunk.data.len())));
        for (kind, length) in chunks {
            if !length.is_multiple_of(ALIGNMENT) {
                let expected = "a multiple of 4";
                let actual = length.to_string();
                report.error(*fault(at, code::CHUNK_LENGTH_UNALIGNED, "chunk length", expected, actual));
            }
            match kind {
                BIN_CHUNK if length == 0 => {
                    let actual = "an empty one".to_owned();
                    report.info(*fault(
                        at,
                        code::EMPTY_BIN_CHUNK,
                        "chunk",
                        "no BIN chunk or one with data",
                        actual,
                    ));
                }
                JSON_CHUNK | BIN_CHUNK => {}
                other => {
                    let actual = format!("{other:#010x}");
                    report.warn(*fault(at, code::UNKNOWN_CHUNK_TYPE, "chunk type", "JSON or BIN", actual));
                }
            }
            at = at.saturating_add(CHUNK_HEADER_BYTES).saturating_add(length);
        }
        if !self.trailing.is_empty() {
            let actual = counted(self.trailing.len(), "further byte");
            report.warn(*fault(at, code::EXTRA_DATA, "", "the end of the file", actual));
        }
    }
}
