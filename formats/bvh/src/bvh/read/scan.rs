//! The words, signs and numbers of a motion capture file.

use super::super::codes;
use super::super::spans::Span;
pub(in crate::bvh) use dopesheet_core::bytes::text::{is_line_end, locate, quoted};
use dopesheet_core::bytes::{Read, decimal, text};
use dopesheet_core::diag::{Code, Fault};
use std::ops::{Deref, DerefMut};

/// Blanks within a line.
pub(in crate::bvh) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

const fn is_space(byte: u8) -> bool {
    is_blank(byte) || is_line_end(byte)
}

/// Reads a text front to back.
#[derive(Clone, Copy, Debug)]
pub(in crate::bvh) struct Scanner<'a>(text::Scanner<'a>);

impl<'a> Deref for Scanner<'a> {
    type Target = text::Scanner<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Scanner<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> Scanner<'a> {
    pub(in crate::bvh) const fn new(text: &'a [u8], at: usize) -> Self {
        Self(text::Scanner::new(text, at))
    }

    /// Goes past blanks, and yields whether the line goes on.
    pub(in crate::bvh) fn line_goes_on(&mut self) -> bool {
        self.run(is_blank);
        self.rest().first().is_some_and(|byte| !is_line_end(*byte))
    }

    /// Goes past white space.
    pub(in crate::bvh) fn spaces(&mut self) {
        self.run(is_space);
    }

    /// Goes to the end of the line, in front of its break, and yields the span of the rest of the line,
    /// without blanks at its ends.
    pub(in crate::bvh) fn line(&mut self) -> Span {
        self.run(is_blank);
        let whole = self.run(|byte| !is_line_end(byte));
        trimmed(self.text(), whole)
    }

    /// A word or brace, past white space; empty at the end.
    pub(in crate::bvh) fn word(&mut self) -> Span {
        self.spaces();
        if let Some(b'{' | b'}') = self.rest().first() {
            let start = self.position();
            self.skip(1);
            return start..self.position();
        }
        self.run(|byte| !is_space(byte) && !matches!(byte, b'{' | b'}'))
    }

    /// A number, past white space, and whether it contains a comma.
    pub(in crate::bvh) fn number(&mut self, expected: &'static str) -> Read<Number> {
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

    /// A fault at the current position, with the text there.
    #[cold]
    pub(in crate::bvh) fn fault(&self, code: Code, expected: String) -> Box<Fault> {
        let mut line = *self;
        let span = line.run(|byte| !is_line_end(byte));
        let actual = match self.slice(&span) {
            _ if self.is_at_end() => "the end of the file".to_owned(),
            [] => "the end of the line".to_owned(),
            line => quoted(line),
        };
        Box::new(Fault::new(code, locate(self.text(), self.position(), String::new()), expected, actual))
    }
}

/// A number and its spelling.
#[derive(Clone, Debug)]
pub(in crate::bvh) struct Number {
    pub(in crate::bvh) value: f64,
    pub(in crate::bvh) span: Span,
    /// True if there is a comma in the number or behind it.
    pub(in crate::bvh) comma: bool,
}

/// The span without blanks at its end.
fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = text.get(span.clone()).unwrap_or_default();
    let blanks = bytes.iter().rev().take_while(|byte| is_blank(**byte)).count();
    span.start..span.end.saturating_sub(blanks)
}

/// The value of a whole word, and whether it has a comma as its point or behind it. The words of C for
/// numbers that are not finite count as numbers, too, including Microsoft's (`-1.#IND`, `-nan(ind)`).
pub(in crate::bvh) fn number(word: &[u8]) -> Option<(f64, bool)> {
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
