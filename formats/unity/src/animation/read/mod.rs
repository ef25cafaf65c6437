//! Text to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod clip;
mod curves;

use super::codes;
use super::document::{Document, File};
use super::spans::ClipSpans;
use crate::yaml::{Slot, YamlCursor};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::text::{TextDocument, is_line_end, locate, quoted};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::SightingsByCode;
use dopesheet_core::words::counted;

/// First bytes of all of Unity's text files.
pub(super) const SIGNATURE: &[u8] = b"%YAML";

/// The byte order mark put by some programs before a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Start of an object, up to the number of its class.
pub(super) const OBJECT: &[u8] = b"--- !u!";

/// The number of the class, and its name.
pub(super) const CLIP_CLASS: i64 = 74;
pub(super) const CLIP_NAME: &str = "AnimationClip";

/// Reads a file. With `lenient`, faulty parts are left out and the faults are reported.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let parsed = parse(bytes, lenient, report)?;
    Ok(Document(TextDocument::read(bytes.to_vec(), parsed.file, parsed.left_out > 0)))
}

/// Content of a text, its places, and the oddities of its spelling.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) file: File,
    /// One per clip.
    pub(super) spans: Vec<ClipSpans>,
    pub(super) quirks: SightingsByCode,
    /// The first object other than a clip.
    pub(super) other: Option<usize>,
    /// Things with faults.
    left_out: usize,
}

/// Takes a text apart.
pub(super) fn parse(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Parsed> {
    let mut parser = Parser { text: bytes, lenient, parsed: Parsed::default(), report };
    let mut next = parser.head()?;
    while let Some(start) = next {
        next = parser.object(start)?;
    }
    if parser.parsed.file.clips.is_empty() {
        let actual = match parser.parsed.file.other_objects {
            0 => "no objects".to_owned(),
            1 => "one object of another class".to_owned(),
            count => format!("{} of other classes", counted(count, "object")),
        };
        let expected = "an object of class 74 (\"--- !u!74 &7400000\")";
        return Err(Box::new(Fault::new(codes::NO_CLIP.code, Place::File, expected, actual)));
    }
    Ok(parser.parsed)
}

/// A text on its way into a document.
struct Parser<'a, 'r> {
    text: &'a [u8],
    lenient: bool,
    parsed: Parsed,
    report: &'r mut Report,
}

impl<'a> Parser<'a, '_> {
    /// Reads everything in front of the first object; yields the start of that object.
    fn head(&mut self) -> Read<Option<usize>> {
        let mark = if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let head = self.text.get(mark..).unwrap_or_default();
        if !head.starts_with(SIGNATURE) {
            return Err(Box::new(self.other_file(head, mark)));
        }
        if mark > 0 {
            let fault = || Fault::new("", locate(self.text, 0, String::new()), "%YAML", "a byte order mark");
            self.parsed.quirks.add(codes::BYTE_ORDER_MARK, fault);
        }
        Ok(self.object_after(mark))
    }

    fn other_file(&self, head: &[u8], at: usize) -> Fault {
        let line = head.split(|b| is_line_end(*b)).next().unwrap_or_default();
        let is_binary = head.iter().take(64).any(|b| *b == 0) || head.starts_with(b"UnityFS");
        let start = locate(self.text, at, String::new());
        if is_binary {
            let expected = "text (Unity: Project Settings, Editor, Asset Serialization, Force Text)";
            let actual = "a binary file";
            return Fault::new(codes::BINARY.code, start, expected, actual);
        }
        let actual = if head.is_empty() { "the end of the file".to_owned() } else { quoted(line) };
        Fault::new(codes::SIGNATURE.code, start, "%YAML", actual)
    }

    /// Start of the next object behind a position.
    fn object_after(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let is_start = |start: usize| {
            let before = start.checked_sub(1).and_then(|last| rest.get(last));
            before.is_some_and(|b| is_line_end(*b))
                && rest.get(start..).is_some_and(|r| r.starts_with(OBJECT))
        };
        let dashes = rest.windows(OBJECT.len()).enumerate().filter(|(_, window)| *window == OBJECT);
        dashes.map(|(start, _)| start).find(|start| is_start(*start)).map(|start| at.saturating_add(start))
    }

    /// Reads an object; yields the start of the next.
    fn object(&mut self, start: usize) -> Read<Option<usize>> {
        let header = start.saturating_add(OBJECT.len());
        let next = self.object_after(header);
        let rest = self.text.get(header..).unwrap_or_default();
        let line = rest.split(|b| is_line_end(*b)).next().unwrap_or_default();
        let words = std::str::from_utf8(line).unwrap_or_default();
        let mut words = words.split(' ').filter(|word| !word.is_empty());
        let class = words.next().and_then(|word| word.parse::<i64>().ok());
        let id = words.next().and_then(|word| word.strip_prefix('&')?.parse::<i64>().ok());
        let is_stripped = words.next().is_some();
        let (Some(class), Some(id)) = (class, id) else {
            let header_place = locate(self.text, header, String::new());
            let expected = "the numbers of a class and an object (\"74 &7400000\")";
            return Err(Box::new(Fault::new(codes::SYNTAX.code, header_place, expected, quoted(line))));
        };
        // An object that is stripped has nothing but its number.
        if class != CLIP_CLASS || is_stripped {
            self.parsed.file.other_objects = self.parsed.file.other_objects.saturating_add(1);
            self.parsed.other.get_or_insert(start);
            return Ok(next);
        }
        let body = header.saturating_add(line.len());
        let end = next.unwrap_or(self.text.len());
        let anchor = line.iter().position(|b| *b == b'&').unwrap_or(0).saturating_add(1);
        let id_start = header.saturating_add(anchor);
        let id_end =
            self.text.get(id_start..).unwrap_or_default().iter().take_while(|b| !b.is_ascii_whitespace());
        let file_id = id_start..id_start.saturating_add(id_end.count());
        self.body(body, end, id, file_id)?;
        Ok(next)
    }

    fn body(&mut self, at: usize, end: usize, id: i64, file_id: super::spans::Span) -> Read<()> {
        let text = self.text.get(..end).unwrap_or_default();
        let mut cursor = YamlCursor::new(text, at, codes::TEXT);
        let mut has_clip = false;
        let before = self.parsed.file.clips.len();
        cursor.members(Slot::Document, |cursor, name, slot| {
            if name != CLIP_NAME || has_clip {
                return Err(cursor.fault(codes::SYNTAX.code, format!("only the member {CLIP_NAME}")));
            }
            has_clip = true;
            self.clip(cursor, slot, id, file_id.clone())
        })?;
        if self.parsed.file.clips.len() == before {
            return Err(cursor.fault(codes::MEMBER.code, format!("the member {CLIP_NAME}")));
        }
        // Whatever is left of the document is no member of it.
        let mut rest = cursor;
        match rest.at_end() {
            true => Ok(()),
            false => Err(rest.fault(codes::SYNTAX.code, "the end of the object")),
        }
    }

    /// Goes on behind a fault if the reader is lenient: the faulty part is left out.
    fn forgive(&mut self, fault: Box<Fault>) -> Read<()> {
        if !self.lenient {
            return Err(fault);
        }
        self.parsed.left_out = self.parsed.left_out.saturating_add(1);
        self.report.error(Fault { found: format!("{} (left out)", fault.found).into(), ..*fault });
        Ok(())
    }
}
