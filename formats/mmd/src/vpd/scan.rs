//! The words, signs and numbers of a pose file.
//!
//! CP932 has characters whose second byte is that of an ASCII letter or brace. They occur only in names and comments,
//! which reach to a line break, a semicolon or a mark of ASCII that no second byte equals; so the bytes need no decoding
//! before they are taken apart.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::codes;
use crate::text;
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{Code, Fault, Place};
use std::ops::Range;

/// Where something stands in the text, in bytes.
pub(super) type Span = Range<usize>;

/// Reads a text front to back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub(super) const fn position(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, span: &Span) -> &'a [u8] {
        self.text.get(span.clone()).unwrap_or_default()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Goes past `count` bytes, or to the end.
    pub(super) fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.text.len());
    }

    /// Goes past the bytes that `is` accepts, and tells where they stand.
    pub(super) fn run(&mut self, is: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        let count = self.rest().iter().position(|&byte| !is(byte)).unwrap_or(self.rest().len());
        self.skip(count);
        start..self.at
    }

    /// Goes to the end of the line, in front of its break.
    pub(super) fn line(&mut self) -> Span {
        self.run(|byte| !matches!(byte, b'\n' | b'\r'))
    }

    /// Goes past white space and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            self.run(|byte| byte.is_ascii_whitespace());
            if !self.rest().starts_with(b"//") {
                return;
            }
            self.line();
        }
    }

    /// A sign, past blanks.
    pub(super) fn sign(&mut self, sign: u8) -> Read<()> {
        self.blanks();
        match self.rest().first() {
            Some(found) if *found == sign => {
                self.skip(1);
                Ok(())
            }
            Some(_) => Err(self.fault(codes::SYNTAX.code, format!("'{}'", char::from(sign)))),
            None => Err(self.fault(codes::TRUNCATED.code, format!("'{}'", char::from(sign)))),
        }
    }

    /// A number, past blanks.
    pub(super) fn number<T: std::str::FromStr>(&mut self, expected: &'static str) -> Read<(T, Span)> {
        self.blanks();
        let before = *self;
        let ends = |byte: u8| byte.is_ascii_whitespace() || b",;{}/".contains(&byte);
        let span = self.run(|byte| !ends(byte));
        let digits = std::str::from_utf8(self.slice(&span)).ok();
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok((number, span)),
            None if self.is_at_end() => Err(before.fault(codes::TRUNCATED.code, expected.to_owned())),
            None if span.is_empty() => Err(before.fault(codes::NUMBER.code, expected.to_owned())),
            None => {
                let fault = before.fault(codes::NUMBER.code, expected.to_owned());
                Err(Box::new(Fault { found: quoted(&text::decode(self.slice(&span)).text).into(), ..*fault }))
            }
        }
    }

    /// A fault at the current position, with what stands there.
    #[cold]
    pub(super) fn fault(&self, code: Code, expected: String) -> Box<Fault> {
        let mut line = *self;
        let span = line.line();
        let found = match text::decode(self.slice(&span)).text {
            _ if self.is_at_end() => "the end of the file".to_owned(),
            line if line.is_empty() => "the end of the line".to_owned(),
            line => quoted(&line),
        };
        Box::new(Fault::new(code, place(self.text, self.at, String::new()), expected, found))
    }
}

/// The first words of a line, in quotation marks.
fn quoted(line: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = line.chars().take(MOST).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    format!("\"{}\"", short.escape_debug())
}

/// Line and column of a byte.
pub(super) fn place(text: &[u8], at: usize, pointer: String) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last.saturating_add(1));
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    let columns = text::decode(before.get(start..).unwrap_or_default()).text.chars().count();
    let counted = |number: usize| u32::try_from(number.saturating_add(1)).unwrap_or(u32::MAX);
    Place::Text { line: counted(lines), column: counted(columns), pointer }
}
