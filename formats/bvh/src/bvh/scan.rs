//! The words, signs and numbers of a motion capture file.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::codes;
use super::spans::Span;
use dopesheet_core::bytes::{Read, decimal};
use dopesheet_core::diag::{Code, Fault, Place};

/// Blanks within a line.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

pub(super) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

const fn is_space(byte: u8) -> bool {
    is_blank(byte) || is_line_end(byte)
}

/// Reads a text front to back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
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
        self.at >= self.text.len()
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

    /// Goes past blanks, and yields whether the line goes on.
    pub(super) fn line_goes_on(&mut self) -> bool {
        self.run(is_blank);
        self.rest().first().is_some_and(|byte| !is_line_end(*byte))
    }

    /// Goes past white space.
    pub(super) fn spaces(&mut self) {
        self.run(is_space);
    }

    /// Goes to the end of the line, in front of its break, and tells where what was left of it stands, without blanks at
    /// its ends.
    pub(super) fn line(&mut self) -> Span {
        self.run(is_blank);
        let whole = self.run(|byte| !is_line_end(byte));
        trimmed(self.text, whole)
    }

    /// A word or brace, past white space; empty at the end.
    pub(super) fn word(&mut self) -> Span {
        self.spaces();
        if let Some(b'{' | b'}') = self.rest().first() {
            let start = self.at;
            self.skip(1);
            return start..self.at;
        }
        self.run(|byte| !is_space(byte) && !matches!(byte, b'{' | b'}'))
    }

    /// A number, past white space, and whether a comma stands in it.
    pub(super) fn number(&mut self, expected: &'static str) -> Read<Number> {
        self.spaces();
        let before = *self;
        let span = self.run(|byte| !is_space(byte) && !matches!(byte, b'{' | b'}'));
        match number(self.slice(&span)) {
            Some((value, comma)) => Ok(Number { value, span, comma }),
            None if self.is_at_end() && span.is_empty() => {
                Err(before.fault(codes::TRUNCATED.code, expected.to_owned()))
            }
            None => Err(before.fault(codes::NUMBER.code, expected.to_owned())),
        }
    }

    /// A fault at the current position, with what stands there.
    #[cold]
    pub(super) fn fault(&self, code: Code, expected: String) -> Box<Fault> {
        let mut line = *self;
        let span = line.run(|byte| !is_line_end(byte));
        let found = match self.slice(&span) {
            _ if self.is_at_end() => "the end of the file".to_owned(),
            [] => "the end of the line".to_owned(),
            line => quoted(line),
        };
        Box::new(Fault::new(code, place(self.text, self.at, String::new()), expected, found))
    }
}

/// A number and how it is spelled.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) span: Span,
    /// Whether a comma stands in it or behind it.
    pub(super) comma: bool,
}

/// The span without blanks at its end.
fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = text.get(span.clone()).unwrap_or_default();
    let blanks = bytes.iter().rev().take_while(|byte| is_blank(**byte)).count();
    span.start..span.end.saturating_sub(blanks)
}

/// The value of a whole word, and whether it has a comma as its point or behind it. The words of C for what is not finite
/// are numbers, too, Microsoft's (`-1.#IND`, `-nan(ind)`) among them.
pub(super) fn number(word: &[u8]) -> Option<(f64, bool)> {
    let whole =
        |word: &[u8]| decimal(word).filter(|(_, length)| *length == word.len()).map(|(value, _)| value);
    if let Some(value) = whole(word) {
        return Some((value, false));
    }
    if let Some(comma) = word.iter().position(|byte| *byte == b',') {
        let (before, behind) = word.split_at_checked(comma)?;
        let point = [before, b".", behind.get(1..)?].concat();
        let is_point = !before.contains(&b'.') && behind.len() > 1;
        let value = if is_point { whole(&point) } else { whole(before).filter(|_| behind.len() == 1) };
        return value.map(|value| (value, true));
    }
    not_finite(word).map(|value| (value, false))
}

fn not_finite(word: &[u8]) -> Option<f64> {
    let lower = std::str::from_utf8(word).ok()?.to_ascii_lowercase();
    let negative = lower.starts_with('-');
    let name = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
    let value = match name {
        "inf" | "infinity" | "1.#inf" => f64::INFINITY,
        "nan" | "nan(ind)" | "nan(snan)" | "1.#ind" | "1.#qnan" | "1.#snan" => f64::NAN,
        _ => return None,
    };
    Some(if negative { -value } else { value })
}

/// The first words of a line, in quotation marks.
pub(super) fn quoted(line: &[u8]) -> String {
    const MOST: usize = 40;
    // No character has more than four bytes.
    let start = line.get(..MOST.saturating_mul(4)).unwrap_or(line);
    let text = String::from_utf8_lossy(start);
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < line.len() && text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    format!("\"{}\"", short.escape_debug())
}

/// Line and column of a byte. Lines end in LF, CR LF or CR.
pub(super) fn place(text: &[u8], at: usize, pointer: String) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let is_end = |(index, byte): (usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => text.get(index.saturating_add(1)) != Some(&b'\n'),
        _ => false,
    };
    let lines = before.iter().enumerate().filter(|pair| is_end(*pair)).count();
    let start = before.iter().rposition(|byte| is_line_end(*byte)).map_or(0, |last| last.saturating_add(1));
    let line = before.get(start..).unwrap_or_default();
    let columns = String::from_utf8_lossy(line).chars().count();
    let counted = |number: usize| u32::try_from(number.saturating_add(1)).unwrap_or(u32::MAX);
    Place::Text { line: counted(lines), column: counted(columns), pointer }
}
