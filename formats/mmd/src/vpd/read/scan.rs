//! The words, signs and numbers of a pose file.
//!
//! CP932 has characters with a second byte equal to an ASCII letter or brace. They occur only in names and
//! comments, which reach to a line break, a semicolon or an ASCII mark never used as a second byte; so the
//! bytes need no decoding before they are taken apart.

use super::super::codes;
use crate::text;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::text::{Scanner as Base, is_line_end, place_in, quoted_text};
use dopesheet_core::diag::{Code, Fault, Place};
use std::ops::{Deref, DerefMut};

pub(in crate::vpd) use dopesheet_core::bytes::text::Span;

/// Reads a text front to back.
#[derive(Clone, Copy, Debug)]
pub(in crate::vpd) struct Scanner<'a>(Base<'a>);

impl<'a> Deref for Scanner<'a> {
    type Target = Base<'a>;

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
    pub(in crate::vpd) const fn new(text: &'a [u8]) -> Self {
        Self(Base::new(text, 0))
    }

    /// Goes to the end of the line, in front of its break.
    pub(in crate::vpd) fn line(&mut self) -> Span {
        self.run(|byte| !is_line_end(byte))
    }

    /// Goes past white space and comments.
    pub(in crate::vpd) fn blanks(&mut self) {
        loop {
            self.run(|byte| byte.is_ascii_whitespace());
            if !self.rest().starts_with(b"//") {
                return;
            }
            self.line();
        }
    }

    /// A sign, past blanks.
    pub(in crate::vpd) fn sign(&mut self, sign: u8) -> Read<()> {
        self.blanks();
        match self.rest().first() {
            Some(byte) if *byte == sign => {
                self.skip(1);
                Ok(())
            }
            Some(_) => Err(self.fault(codes::SYNTAX.code, format!("'{}'", char::from(sign)))),
            None => Err(self.fault(codes::TRUNCATED.code, format!("'{}'", char::from(sign)))),
        }
    }

    /// A number, past blanks.
    pub(in crate::vpd) fn number<T: std::str::FromStr>(&mut self, expected: &'static str) -> Read<(T, Span)> {
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
                Err(Box::new(Fault {
                    found: quoted_text(&text::decode(self.slice(&span)).text).into(),
                    ..*fault
                }))
            }
        }
    }

    /// A fault at the current position, with the text there.
    #[cold]
    pub(in crate::vpd) fn fault(&self, code: Code, expected: String) -> Box<Fault> {
        let mut line = *self;
        let span = line.line();
        let actual = match text::decode(self.slice(&span)).text {
            _ if self.is_at_end() => "the end of the file".to_owned(),
            line if line.is_empty() => "the end of the line".to_owned(),
            line => quoted_text(&line),
        };
        Box::new(Fault::new(code, locate(self.text(), self.position(), String::new()), expected, actual))
    }
}

/// Line and column of a byte.
pub(in crate::vpd) fn locate(text: &[u8], at: usize, pointer: String) -> Place {
    place_in(text, at, pointer, |line| text::decode(line).text.chars().count())
}
