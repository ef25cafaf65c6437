//! Text to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod hierarchy;
mod motion;
mod rows;
pub(super) mod scan;

pub(super) use rows::numbers_of;

use super::codes;
use super::document::{Document, Motion, Up};
use super::spans::Spans;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::text::TextDocument;
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::{Check, SightingsByCode};
use scan::{Scanner, locate};

/// The words of the format as they are usually spelled.
pub(super) mod words {
    pub(in super::super) const HIERARCHY: &str = "HIERARCHY";
    pub(in super::super) const ROOT: &str = "ROOT";
    pub(in super::super) const JOINT: &str = "JOINT";
    pub(in super::super) const END: &str = "End";
    pub(in super::super) const SITE: &str = "Site";
    pub(in super::super) const OFFSET: &str = "OFFSET";
    pub(in super::super) const CHANNELS: &str = "CHANNELS";
    pub(in super::super) const MOTION: &str = "MOTION";
    pub(in super::super) const FRAMES: &str = "Frames:";
    pub(in super::super) const FRAME_TIME: &str = "Frame Time:";
}

/// The byte order mark put by some programs before a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a file. With `lenient`, faulty parts are left out and the faults are reported.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let parsed = parse(bytes, lenient, report)?;
    Ok(Document(TextDocument::read(bytes.to_vec(), parsed.motion, parsed.left_out > 0), Up::Y))
}

/// Content of a text, its places, and the oddities of its spelling.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) motion: Motion,
    pub(super) spans: Spans,
    pub(super) quirks: SightingsByCode,
    /// Things with faults.
    left_out: usize,
}

/// Takes a text apart.
pub(super) fn parse(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Parsed> {
    let mut parser =
        Parser { scanner: Scanner::new(bytes, 0), text: bytes, lenient, parsed: Parsed::default(), report };
    parser.head()?;
    if parser.hierarchy()? {
        parser.motion()?;
        parser.rows()?;
    }
    Ok(parser.parsed)
}

/// A text on its way into a document.
struct Parser<'a, 'r> {
    scanner: Scanner<'a>,
    text: &'a [u8],
    lenient: bool,
    parsed: Parsed,
    report: &'r mut Report,
}

impl Parser<'_, '_> {
    /// The first word.
    fn head(&mut self) -> Read<()> {
        if self.scanner.rest().starts_with(BYTE_ORDER_MARK) {
            self.quirk(codes::BYTE_ORDER_MARK, 0, "", words::HIERARCHY, || "a byte order mark".to_owned());
            self.scanner.skip(BYTE_ORDER_MARK.len());
        }
        let start = self.scanner;
        let word = self.scanner.word();
        if !self.is_keyword(&word, words::HIERARCHY) {
            let expected = format!("the word {}", words::HIERARCHY);
            let mut at = start;
            at.spaces();
            return Err(at.fault(codes::SIGNATURE.code, expected));
        }
        Ok(())
    }

    /// True if a word equals a keyword of the format, in any case of its letters; another spelling is noted.
    fn is_keyword(&mut self, span: &std::ops::Range<usize>, keyword: &str) -> bool {
        let word = self.scanner.slice(span);
        let is_it = word.eq_ignore_ascii_case(keyword.as_bytes());
        if is_it && word != keyword.as_bytes() {
            let actual = scan::quoted(word);
            self.quirk(codes::KEYWORD, span.start, "", keyword, || actual);
        }
        is_it
    }

    /// Notes an oddity at a byte.
    fn quirk(&mut self, check: Check, at: usize, path: &str, expected: &str, found: impl FnOnce() -> String) {
        let text = self.text;
        self.parsed
            .quirks
            .add(check, || Fault::new("", locate(text, at, path.to_owned()), expected.to_owned(), found()));
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
