//! An archive of arrays.

use super::super::codes;
use super::super::document::{
    Archive, Content, Deflated, Descriptor, End, Extra, Header, Listed, Local, Member, Stream, Wide, WideEnd,
};
use super::super::write::{DEFLATED, WIDE_END_BYTES, WIDE_ID, checksum, descriptor_bytes, signature};
use super::CURSOR;
use super::npy::{self, Origin};
use dopesheet_core::bytes::{Cursor, Read};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::{Check, Limits};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::{counted, grouped};
use flate2::read::DeflateDecoder;
use std::borrow::Cow;
use std::io::Read as _;

/// Bytes of the last record without its comment.
const END_BYTES: usize = 22;
/// Bytes of the record with the position of the 64-bit end.
const LOCATOR_BYTES: usize = 20;
/// Largest ratio of arrays to file, in bytes, up to which inflated bytes are free. Numbers compress by much
/// less, unless all are equal.
const USUAL_RATIO: u64 = 64;
/// Number of bytes from the end of the file searched for the last record: its comment may have 64 KiB, and
/// the bytes behind the archive as many.
const LOOKED_THROUGH: usize = END_BYTES + 2 * 0xffff;
/// Bit 0: encrypted.
const ENCRYPTED: u16 = 1;
/// Bit 3: checksum and lengths follow behind the member.
const FOLLOWED: u16 = 1 << 3;

fn fault(
    check: Check,
    at: usize,
    path: &str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Box<Fault> {
    let byte = Place::Byte(ByteOffset(at as u64));
    Box::new(Fault::new(check.code, byte, expected.into(), found.into()).at_path(path))
}

/// A cursor at a byte of the file.
fn cursor_at(bytes: &[u8], at: usize) -> Read<Cursor<'_>> {
    let mut cursor = Cursor::new(bytes, CURSOR);
    cursor.take(at, "bytes before")?;
    Ok(cursor)
}

/// Reads an archive.
pub(super) fn archive(bytes: &[u8], limits: &Limits) -> Read<Archive> {
    let (end, directory) = end(bytes)?;
    let mut listed = cursor_at(bytes, directory.start)?;
    let length = bytes.len() as u64;
    let mut left = length.saturating_mul(USUAL_RATIO).saturating_add(limits.max_unpacked_bytes);
    let mut members = Vec::new();
    let mut at = 0;
    for index in 0..directory.count {
        let within = |fault: Box<Fault>| Box::new(fault.within(format_args!("directory[{index}]")));
        let entry = entry(&mut listed).map_err(within)?;
        let (member, next) = member(bytes, at, entry, directory.start, &mut left)?;
        members.push(member);
        at = next;
    }
    if listed.position().0 != directory.end as u64 {
        let actual = counted(listed.position().0.saturating_sub(directory.start as u64), "byte");
        let expected = format!(
            "{} for {}",
            counted(directory.end.saturating_sub(directory.start), "byte"),
            counted(directory.count, "member")
        );
        return Err(fault(codes::DIRECTORY, directory.start, "directory", expected, actual));
    }
    let before_directory = bytes.get(at..directory.start).unwrap_or_default().to_vec();
    Ok(Archive { members, before_directory, end })
}

/// Place of the directory, and the number of members listed in it.
struct Directory {
    start: usize,
    end: usize,
    count: u64,
}

/// The end of the archive and its description of the directory.
fn end(bytes: &[u8]) -> Read<(End, Directory)> {
    let mark = signature::END.to_le_bytes();
    let fits = |at: &usize| {
        let rest = bytes.get(*at..).unwrap_or_default();
        let comment = rest.get(20..).and_then(<[u8]>::first_chunk);
        let comment = comment.map_or(usize::MAX, |length| usize::from(u16::from_le_bytes(*length)));
        rest.starts_with(&mark) && comment <= rest.len().saturating_sub(END_BYTES)
    };
    let first = bytes.len().saturating_sub(LOOKED_THROUGH);
    let Some(at) = (first..bytes.len().saturating_sub(END_BYTES).saturating_add(1)).rev().find(fits) else {
        let expected = "the end of the archive's directory (\"PK\\x05\\x06\")";
        return Err(fault(codes::TRUNCATED, bytes.len(), "end", expected, "none"));
    };
    let mut cursor = cursor_at(bytes, at)?;
    cursor.u32("signature")?;
    let disks = [cursor.u16("disk")?, cursor.u16("directory disk")?];
    let counts = [cursor.u16("members here")?, cursor.u16("members")?];
    let (length, start) = (cursor.u32("directory length")?, cursor.u32("directory offset")?);
    let comment = cursor.u16("comment length")?;
    let comment = cursor.take(usize::from(comment), "comment")?.to_vec();
    let trailing = cursor.take_rest().to_vec();
    if disks != [0, 0] || counts[0] != counts[1] {
        let actual = format!("parts {disks:?} with {counts:?} members");
        return Err(fault(codes::DIRECTORY, at, "end", "an archive in one part", actual));
    }
    let narrow = Narrow { count: counts[0], length, start };
    let (wide, directory) = match wide_end(bytes, at, &narrow)? {
        Some((wide, directory)) => (Some(wide), directory),
        None => {
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            let end = start.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
            if end != at {
                let actual = format!("{} from {start:#x}", counted(length, "byte"));
                let expected = format!("a directory that ends at {at:#x}");
                return Err(fault(codes::DIRECTORY, at, "end", expected, actual));
            }
            (None, Directory { start, end, count: u64::from(counts[0]) })
        }
    };
    Ok((End { wide, comment, trailing }, directory))
}

/// Values of the last record, of 16 and 32 bits.
struct Narrow {
    count: u16,
    length: u32,
    start: u32,
}

/// The 64-bit end, if present before the last record.
fn wide_end(bytes: &[u8], end: usize, narrow: &Narrow) -> Read<Option<(WideEnd, Directory)>> {
    let Some(at) = end.checked_sub(LOCATOR_BYTES) else { return Ok(None) };
    let mut locator = cursor_at(bytes, at)?;
    if locator.u32("signature")? != signature::LOCATOR {
        return Ok(None);
    }
    let disk = locator.u32("disk")?;
    let offset = u64::from_le_bytes(locator.array("offset")?);
    let disks = locator.u32("disks")?;
    let wide_start = usize::try_from(offset).unwrap_or(usize::MAX);
    let odd = |actual: String| {
        Err(fault(codes::DIRECTORY, at, "end", "a 64-bit end that agrees with the last record", actual))
    };
    if disk != 0 || wide_start >= at {
        return odd(format!("part {disk}, offset {wide_start:#x}"));
    }
    let mut cursor = cursor_at(bytes, wide_start)?;
    let mark = cursor.u32("signature")?;
    let size = u64::from_le_bytes(cursor.array("size")?);
    let (made_by, version) = (cursor.u16("made by")?, cursor.u16("version")?);
    let disks_here = [cursor.u32("disk")?, cursor.u32("directory disk")?];
    let mut values = [0; 4];
    for value in &mut values {
        *value = u64::from_le_bytes(cursor.array("directory")?);
    }
    let [here, count, length, start] = values;
    let rest = usize::try_from(size.saturating_sub(WIDE_END_BYTES)).unwrap_or(usize::MAX);
    let extensible = cursor.take(rest, "extensible data")?.to_vec();
    let is_sound = mark == signature::WIDE_END
        && size >= WIDE_END_BYTES
        && disks_here == [0, 0]
        && here == count
        && cursor.position().0 == at as u64;
    let stands = |narrow: u64, ones: u64, wide: u64| (narrow == ones) || narrow == wide;
    let agrees = stands(u64::from(narrow.count), u64::from(u16::MAX), count)
        && stands(u64::from(narrow.length), u64::from(u32::MAX), length)
        && stands(u64::from(narrow.start), u64::from(u32::MAX), start)
        && start.checked_add(length) == Some(wide_start as u64);
    if !is_sound || !agrees {
        return odd(format!("{} in {} from {start:#x}", counted(count, "member"), counted(length, "byte")));
    }
    let wide = WideEnd {
        made_by,
        version,
        extensible,
        disks,
        counts: narrow.count == u16::MAX,
        length: narrow.length == u32::MAX,
        offset: narrow.start == u32::MAX,
    };
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    Ok(Some((wide, Directory { start, end: wide_start, count })))
}

/// A member as listed in the directory.
struct Entry {
    name: Vec<u8>,
    listed: Listed,
    method: u16,
    checksum: u32,
    length: u64,
    stored: u64,
    offset: u64,
    place: usize,
}

fn entry(cursor: &mut Cursor<'_>) -> Read<Entry> {
    let start = usize::try_from(cursor.position().0).unwrap_or(usize::MAX);
    let odd = |expected: &str, actual: String| fault(codes::DIRECTORY, start, "", expected, actual);
    let mark = cursor.u32("signature")?;
    if mark != signature::LISTED {
        return Err(odd("an entry (\"PK\\x01\\x02\")", format!("{mark:#010x}")));
    }
    let made_by = cursor.u16("made by")?;
    let (version, flags, method) = (cursor.u16("version")?, cursor.u16("flags")?, cursor.u16("method")?);
    let (time, checksum) = (cursor.u32("time")?, cursor.u32("checksum")?);
    let (stored, length) = (cursor.u32("stored length")?, cursor.u32("length")?);
    let sizes = [cursor.u16("name length")?, cursor.u16("extra length")?, cursor.u16("comment length")?];
    let disk = cursor.u16("disk")?;
    let (internal, external) = (cursor.u16("internal")?, cursor.u32("external")?);
    let offset = cursor.u32("offset")?;
    let name = cursor.take(usize::from(sizes[0]), "name")?.to_vec();
    let extra = cursor.take(usize::from(sizes[1]), "extra")?;
    let comment = cursor.take(usize::from(sizes[2]), "comment")?.to_vec();
    if disk != 0 {
        return Err(odd("an archive in one part", format!("part {disk}")));
    }
    let marked = Wide { length: length == u32::MAX, stored: stored == u32::MAX, offset: offset == u32::MAX };
    let (extra, [length_wide, stored_wide, offset_wide]) = extras(extra, marked)
        .ok_or_else(|| odd("64-bit values where 32 bits are too few", "none, or others".into()))?;
    let header = Header { version, flags, time, extra };
    Ok(Entry {
        name,
        listed: Listed { made_by, header, internal, external, comment },
        method,
        checksum,
        length: length_wide.unwrap_or(u64::from(length)),
        stored: stored_wide.unwrap_or(u64::from(stored)),
        offset: offset_wide.unwrap_or(u64::from(offset)),
        place: start,
    })
}

/// The further fields of a header, and the 64-bit values among them; `None` if the needed values are missing,
/// or are not in a field of exactly these values.
fn extras(mut bytes: &[u8], marked: Wide) -> Option<(Vec<Extra>, [Option<u64>; 3])> {
    let marks = [marked.length, marked.stored, marked.offset];
    let needed = marks.iter().filter(|mark| **mark).count();
    let (mut fields, mut values) = (Vec::new(), [None; 3]);
    let mut is_there = needed == 0;
    while let Some((head, rest)) = bytes.split_first_chunk::<4>() {
        let [a, b, c, d] = *head;
        let (id, length) = (u16::from_le_bytes([a, b]), usize::from(u16::from_le_bytes([c, d])));
        let Some((content, rest)) = rest.split_at_checked(length) else { break };
        bytes = rest;
        if id == WIDE_ID && !is_there {
            let numbers = content.as_chunks::<8>();
            if numbers.0.len() != needed || !numbers.1.is_empty() {
                return None;
            }
            let mut numbers = numbers.0.iter().map(|number| u64::from_le_bytes(*number));
            values
                .iter_mut()
                .zip(marks)
                .filter(|(_, mark)| *mark)
                .for_each(|(value, _)| *value = numbers.next());
            fields.push(Extra::Wide(marked));
            is_there = true;
        } else {
            fields.push(Extra::Other { id, bytes: content.to_vec() });
        }
    }
    if !bytes.is_empty() {
        fields.push(Extra::Rest(bytes.to_vec()));
    }
    is_there.then_some((fields, values))
}

/// Reads the member of an entry, which has to start at `at` or later, and yields the end of the member.
fn member(bytes: &[u8], at: usize, entry: Entry, directory: usize, left: &mut u64) -> Read<(Member, usize)> {
    let path = String::from_utf8_lossy(&entry.name).into_owned();
    let start = usize::try_from(entry.offset).unwrap_or(usize::MAX);
    if start < at || start >= directory {
        let expected = format!("a member from {at:#x} on, before the directory at {directory:#x}");
        return Err(fault(codes::OVERLAP, entry.place, &path, expected, format!("{start:#x}")));
    }
    if entry.listed.header.flags & ENCRYPTED != 0 || !matches!(entry.method, 0 | DEFLATED) {
        let actual = format!("method {}, flags {:#06x}", entry.method, entry.listed.header.flags);
        let expected = "a member that is stored (0) or deflated (8), and not encrypted";
        return Err(fault(codes::METHOD, entry.place, &path, expected, actual));
    }
    // What belongs to the directory is none of the member's.
    let before = bytes.get(..directory).unwrap_or(bytes);
    let within = |fault: Box<Fault>| Box::new(fault.within(&path));
    let mut cursor = cursor_at(before, start)?;
    let local = local(&mut cursor, &entry, start).map_err(within)?;
    let content_start = usize::try_from(cursor.position().0).unwrap_or(usize::MAX);
    let stored = cursor.take(usize::try_from(entry.stored).unwrap_or(usize::MAX), "bytes").map_err(within)?;
    let descriptor = descriptor(&mut cursor, &entry).map_err(within)?;
    let content = content(stored, &entry, content_start, left).map_err(within)?;
    let (stream, origin) = match content.is_inflated {
        true => {
            let (bytes, checksum, length) = (stored.to_vec(), entry.checksum, entry.length);
            (Stream::Deflated(Deflated { bytes, checksum, length }), Origin::Inflated(content_start as u64))
        }
        false => (Stream::Stored, Origin::File(content_start as u64)),
    };
    let content = match path.ends_with(".npy") {
        true => Content::Array(npy::array(&content.bytes, origin).map_err(within)?),
        false => Content::Other(content.bytes.into_owned()),
    };
    let gap = bytes.get(at..start).unwrap_or_default().to_vec();
    let end = usize::try_from(cursor.position().0).unwrap_or(usize::MAX);
    Ok((Member { gap, name: entry.name, local, listed: entry.listed, stream, descriptor, content }, end))
}

fn local(cursor: &mut Cursor<'_>, entry: &Entry, start: usize) -> Read<Local> {
    let mark = cursor.u32("signature")?;
    let (version, flags, method) = (cursor.u16("version")?, cursor.u16("flags")?, cursor.u16("method")?);
    let (time, checksum) = (cursor.u32("time")?, cursor.u32("checksum")?);
    let (stored, length) = (cursor.u32("stored length")?, cursor.u32("length")?);
    let sizes = [cursor.u16("name length")?, cursor.u16("extra length")?];
    let name = cursor.take(usize::from(sizes[0]), "name")?;
    let extra = cursor.take(usize::from(sizes[1]), "extra")?;
    let odd = |actual: String| fault(codes::MEMBER, start, "header", "the values of the directory", actual);
    let is_same = mark == signature::LOCAL
        && name == entry.name
        && method == entry.method
        && (flags ^ entry.listed.header.flags) & FOLLOWED == 0;
    if !is_same {
        let name = String::from_utf8_lossy(name);
        return Err(odd(format!(
            "{mark:#010x}, \"{}\", method {method}, flags {flags:#06x}",
            name.escape_debug()
        )));
    }
    let marked = Wide { length: length == u32::MAX, stored: stored == u32::MAX, offset: false };
    let (extra, [length_wide, stored_wide, _]) =
        extras(extra, marked).ok_or_else(|| odd("no 64-bit values, or others than are needed".into()))?;
    let lengths = [length_wide.unwrap_or(u64::from(length)), stored_wide.unwrap_or(u64::from(stored))];
    let header = Header { version, flags, time, extra };
    if (checksum, lengths) == (entry.checksum, [entry.length, entry.stored]) {
        return Ok(Local { header, later: false });
    }
    if flags & FOLLOWED != 0 && checksum == 0 && lengths == [0, 0] {
        return Ok(Local { header, later: true });
    }
    Err(odd(format!(
        "checksum {checksum:#010x}, {} stored as {}",
        counted(lengths[0], "byte"),
        grouped(lengths[1])
    )))
}

/// The descriptor behind a member's bytes, if announced in its flags.
fn descriptor(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Option<Descriptor>> {
    if entry.listed.header.flags & FOLLOWED == 0 {
        return Ok(None);
    }
    let ways = [(true, true), (true, false), (false, true), (false, false)];
    for (is_marked, is_wide) in ways {
        let how = Descriptor { is_marked, is_wide };
        let wanted = descriptor_bytes(how, entry.checksum, entry.stored, entry.length);
        let mut ahead = cursor.clone();
        if ahead.take(wanted.len(), "descriptor").is_ok_and(|present| present == wanted) {
            *cursor = ahead;
            return Ok(Some(how));
        }
    }
    let at = usize::try_from(cursor.position().0).unwrap_or(usize::MAX);
    let expected = "the directory's checksum and lengths behind the member";
    Err(fault(codes::MEMBER, at, "descriptor", expected, "other bytes"))
}

/// Content of a member, decompressed.
struct Inside<'a> {
    bytes: Cow<'a, [u8]>,
    is_inflated: bool,
}

fn content<'a>(stored: &'a [u8], entry: &Entry, at: usize, left: &mut u64) -> Read<Inside<'a>> {
    let is_inflated = entry.method == DEFLATED;
    let bytes: Cow<'_, [u8]> =
        if is_inflated { inflate(stored, entry, at, left)?.into() } else { stored.into() };
    if bytes.len() as u64 != entry.length {
        let expected = counted(entry.length, "byte");
        return Err(fault(codes::MEMBER, at, "bytes", expected, counted(bytes.len(), "byte")));
    }
    let sum = checksum(&bytes);
    if sum != entry.checksum {
        let expected = format!("bytes with the checksum {:#010x}", entry.checksum);
        return Err(fault(codes::CHECKSUM, at, "bytes", expected, format!("{sum:#010x}")));
    }
    Ok(Inside { bytes, is_inflated })
}

/// A number of items in words; beyond the range of this machine, the largest number in its range.
fn many(number: u64, noun: &str) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// Decompresses a stream: as many bytes as are announced, and no more than are left to all of them.
fn inflate(stored: &[u8], entry: &Entry, at: usize, left: &mut u64) -> Read<Vec<u8>> {
    let Some(rest) = left.checked_sub(entry.length) else {
        let expected = format!("at most {} in all arrays (the limit)", many(*left, "more byte"));
        return Err(fault(codes::INFLATED, at, "bytes", expected, many(entry.length, "byte")));
    };
    *left = rest;
    let mut decoder = DeflateDecoder::new(stored);
    let mut bytes = Vec::new();
    let odd = |actual: String| {
        let expected = format!("a compressed stream of {} bytes for {} bytes", stored.len(), entry.length);
        fault(codes::DEFLATE, at, "bytes", expected, actual)
    };
    let result = decoder.by_ref().take(entry.length.saturating_add(1)).read_to_end(&mut bytes);
    result.map_err(|error| odd(error.to_string()))?;
    if bytes.len() as u64 > entry.length {
        return Err(odd("more".into()));
    }
    if decoder.total_in() != stored.len() as u64 || (bytes.len() as u64) < entry.length {
        return Err(odd(format!("{} bytes for {}", decoder.total_in(), bytes.len())));
    }
    Ok(bytes)
}
