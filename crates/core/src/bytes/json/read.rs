//! The pull reader.

use super::super::Read;
use super::number;
use crate::diag::{Code, Fault, Place};
use crate::words::counted;
use std::borrow::Cow;
use std::ops::Range;

/// A range of bytes of the text.
pub type Span = Range<usize>;

/// Arrays and objects nested deeper than this are refused.
const MAX_DEPTH: u32 = 128;

/// The words that a format uses for the faults a [`JsonCursor`] can find without help.
#[derive(Clone, Copy, Debug)]
pub struct JsonCodes {
    /// Not JSON, not UTF-8, nested too deeply, or a number out of f64's range.
    pub syntax: Code,
}

/// The kind of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The kind with its article, for messages: "an object".
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// Reads JSON text front to back, value by value.
#[derive(Clone, Debug)]
pub struct JsonCursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: u32,
    pub(super) codes: JsonCodes,
}

impl<'a> JsonCursor<'a> {
    /// A cursor at the first value of `data`, which may start with a byte order mark and white space.
    ///
    /// # Errors
    /// `syntax` if the data is not UTF-8.
    pub fn new(data: &'a [u8], codes: JsonCodes) -> Read<Self> {
        match std::str::from_utf8(data) {
            Ok(text) => Ok(Self::from_text(text, codes)),
            Err(error) => {
                let sound = data.get(..error.valid_up_to()).unwrap_or_default();
                let text = std::str::from_utf8(sound).unwrap_or_default();
                let found = match data.get(error.valid_up_to()) {
                    Some(byte) => format!("the byte {byte:#04x}"),
                    None => "an incomplete character".into(),
                };
                Err(Self::from_text(text, codes).fault_at(text.len(), codes.syntax, "UTF-8 text", found))
            }
        }
    }

    /// A cursor at the first value of `text`, which may start with a byte order mark and white space.
    #[must_use]
    pub fn from_text(text: &'a str, codes: JsonCodes) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, depth: 0, codes }
    }

    /// The whole text, including the part already read.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Position of the cursor, in bytes.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// A fault at a byte of the text; line and column are counted here and only here.
    #[cold]
    #[must_use]
    pub fn fault_at(
        &self,
        at: usize,
        code: Code,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Box<Fault> {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.bytes().filter(|b| *b == b'\n').count().saturating_add(1);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count().saturating_add(1);
        let place = Place::Text {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            pointer: String::new(),
        };
        Box::new(Fault::new(code, place, expected, found))
    }

    /// A fault at the next value, with a quotation of the value.
    #[cold]
    #[must_use]
    pub fn fault_here(&mut self, code: Code, expected: impl Into<Cow<'static, str>>) -> Box<Fault> {
        self.white();
        let found = self.describe();
        self.fault_at(self.at, code, expected, found)
    }

    /// The kind of the next value.
    ///
    /// # Errors
    /// `syntax` if no value starts here.
    #[inline]
    pub fn peek(&mut self) -> Read<JsonKind> {
        self.white();
        match self.byte() {
            Some(b'-' | b'0'..=b'9') => Ok(JsonKind::Number),
            Some(b'[') => Ok(JsonKind::Array),
            Some(b'{') => Ok(JsonKind::Object),
            Some(b'"') => Ok(JsonKind::String),
            Some(b'n') => Ok(JsonKind::Null),
            Some(b't' | b'f') => Ok(JsonKind::Bool),
            _ => Err(self.fault_here(self.codes.syntax, "a JSON value")),
        }
    }

    /// Start of the next value, which must be of a kind.
    ///
    /// # Errors
    /// `syntax`; `code` for a value of another kind.
    #[inline]
    pub fn want(
        &mut self,
        kind: JsonKind,
        code: Code,
        expected: impl Into<Cow<'static, str>>,
    ) -> Read<usize> {
        if self.peek()? == kind { Ok(self.at) } else { Err(self.fault_here(code, expected)) }
    }

    /// Reads an object, calling `member` at each value with its name.
    ///
    /// # Errors
    /// `syntax`, or whatever `member` returns, with the member's name put in front of the fault's pointer.
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, &str) -> Read<()>) -> Read<()> {
        self.open(b'{', "an object")?;
        let mut first = true;
        while self.next_item(b'}', &mut first)? {
            let name = self.member_name()?;
            member(self, &name).map_err(|fault| fault.under(&name))?;
        }
        Ok(())
    }

    /// Reads an array, calling `element` at each value with its index.
    ///
    /// # Errors
    /// `syntax`, or whatever `element` returns, with the index put in front of the fault's pointer.
    pub fn array(&mut self, mut element: impl FnMut(&mut Self, usize) -> Read<()>) -> Read<()> {
        self.open(b'[', "an array")?;
        let mut first = true;
        let mut index = 0usize;
        while self.next_item(b']', &mut first)? {
            element(self, index).map_err(|fault| fault.under(index))?;
            index = index.saturating_add(1);
        }
        Ok(())
    }

    /// Reads an array whose first `N` elements must be numbers into `values`, and yields the number of all
    /// elements; elements beyond `N` are skipped.
    ///
    /// # Errors
    /// `syntax`; `code` if the value is no array, is shorter or holds other values among the first `N`.
    #[inline]
    pub fn vector<const N: usize>(&mut self, code: Code, values: &mut [f64; N]) -> Read<usize> {
        if self.peek()? != JsonKind::Array {
            return Err(self.fault_here(code, vector_words(N)));
        }
        let start = self.at;
        self.open(b'[', "an array")?;
        let mut length = 0usize;
        let mut first = true;
        while self.next_item(b']', &mut first)? {
            match values.get_mut(length) {
                Some(value) => *value = self.element(code).map_err(|f| f.under(length))?,
                None => self.skip().map(drop).map_err(|f| f.under(length))?,
            }
            length = length.wrapping_add(1);
        }
        if length < N {
            let found = format!("{length} element{}", if length == 1 { "" } else { "s" });
            return Err(self.fault_at(start, code, vector_words(N), found));
        }
        Ok(length)
    }

    /// Reads an element that must be a number.
    #[inline]
    fn element(&mut self, code: Code) -> Read<f64> {
        match number::scan(self.text.as_bytes().get(self.at..).unwrap_or_default()) {
            Some(scanned) => {
                self.at = self.at.wrapping_add(scanned.length.get());
                Ok(scanned.value)
            }
            None => self.no_element(code),
        }
    }

    #[cold]
    fn no_element(&mut self, code: Code) -> Read<f64> {
        match self.peek()? {
            JsonKind::Number => self.number(),
            _ => Err(self.fault_here(code, "a number")),
        }
    }

    /// True if the next value, an object, has a member of this name. Reads nothing.
    ///
    /// # Errors
    /// `syntax`, up to the member found.
    pub fn has_member(&self, name: &str) -> Read<bool> {
        let mut ahead = self.clone();
        ahead.open(b'{', "an object")?;
        let mut first = true;
        while ahead.next_item(b'}', &mut first)? {
            if ahead.member_name()? == name {
                return Ok(true);
            }
            ahead.skip()?;
        }
        Ok(false)
    }

    /// Reads a number; `-0` keeps its sign.
    ///
    /// # Errors
    /// `syntax` if the next value is not a finite number.
    #[inline]
    pub fn number(&mut self) -> Read<f64> {
        self.white();
        match number::scan(self.text.as_bytes().get(self.at..).unwrap_or_default()) {
            Some(scanned) => {
                self.at = self.at.wrapping_add(scanned.length.get());
                Ok(scanned.value)
            }
            None => Err(self.fault_here(self.codes.syntax, "a finite number")),
        }
    }

    /// Reads a number of at most 15 digits and nothing else, as indices and counts are. `None`, with nothing
    /// read, for any other text; [`number`](Self::number) reads or refuses such text.
    #[inline]
    pub fn plain_whole(&mut self) -> Option<u64> {
        self.white();
        let (length, value) = number::plain_whole(self.text.as_bytes().get(self.at..)?)?;
        self.at = self.at.wrapping_add(length);
        Some(value)
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    /// `syntax` if neither is there.
    pub fn bool(&mut self) -> Read<bool> {
        self.white();
        let value = self.byte() == Some(b't');
        self.word(if value { "true" } else { "false" })?;
        Ok(value)
    }

    /// Reads `null`.
    ///
    /// # Errors
    /// `syntax` if the next value is not `null`.
    pub fn null(&mut self) -> Read<()> {
        self.white();
        self.word("null")
    }

    /// Reads any value and yields the span of its text. Uses no memory.
    ///
    /// # Errors
    /// `syntax` if the value is not JSON or nested deeper than 128.
    pub fn skip(&mut self) -> Read<Span> {
        let kind = self.peek()?;
        let start = self.at;
        match kind {
            JsonKind::Null => self.null()?,
            JsonKind::Bool => self.bool().map(drop)?,
            JsonKind::Number => self.number().map(drop)?,
            JsonKind::String => self.string().map(drop)?,
            JsonKind::Array => self.array(|cursor, _| cursor.skip().map(drop))?,
            JsonKind::Object => self.object(|cursor, _| cursor.skip().map(drop))?,
        }
        Ok(start..self.at)
    }

    /// Asserts that only white space remains.
    ///
    /// # Errors
    /// `syntax` otherwise.
    pub fn end(&mut self) -> Read<()> {
        self.white();
        if self.at == self.text.len() {
            return Ok(());
        }
        Err(self.fault_here(self.codes.syntax, "the end of the text"))
    }

    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.at = self.at.wrapping_add(1);
    }

    #[inline]
    pub(super) fn white(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.advance();
        }
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8, expected: &'static str) -> Read<()> {
        if self.byte() == Some(byte) {
            self.advance();
            return Ok(());
        }
        Err(self.fault_here(self.codes.syntax, expected))
    }

    /// A member's name and the colon after it.
    #[inline]
    fn member_name(&mut self) -> Read<Cow<'a, str>> {
        if let Some(name) = self.plain_member_name() {
            return Ok(Cow::Borrowed(name));
        }
        let name = self.string()?;
        self.white();
        self.expect(b':', "':' after a member's name")?;
        Ok(name)
    }

    /// A name without escapes, with the colon right behind it.
    #[inline]
    fn plain_member_name(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        if self.byte() != Some(b'"') {
            return None;
        }
        let from = self.at.wrapping_add(1);
        let mut end = from;
        while !matches!(bytes.get(end)?, b'"' | b'\\' | 0..0x20) {
            end = end.wrapping_add(1);
        }
        let behind = end.wrapping_add(1);
        if bytes.get(end) != Some(&b'"') || bytes.get(behind) != Some(&b':') {
            return None;
        }
        self.at = behind.wrapping_add(1);
        self.text.get(from..end)
    }

    #[inline]
    fn open(&mut self, bracket: u8, expected: &'static str) -> Read<()> {
        self.white();
        if self.depth >= MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} nested arrays and objects");
            return Err(self.fault_at(self.at, self.codes.syntax, expected, "more"));
        }
        self.expect(bracket, expected)?;
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// True if another item follows; consumes the comma before it or the closing bracket.
    #[inline]
    fn next_item(&mut self, close: u8, first: &mut bool) -> Read<bool> {
        self.white();
        match self.byte() {
            Some(b',') if !*first => {
                self.advance();
                self.white();
                if self.byte() == Some(close) {
                    return Err(self.fault_here(self.codes.syntax, "a value after ','"));
                }
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.advance();
                self.depth = self.depth.wrapping_sub(1);
                Ok(false)
            }
            _ if std::mem::take(first) => Ok(true),
            _ => {
                let expected = if close == b']' { "',' or ']'" } else { "',' or '}'" };
                Err(self.fault_here(self.codes.syntax, expected))
            }
        }
    }

    pub(super) fn word(&mut self, word: &'static str) -> Read<()> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at = self.at.saturating_add(word.len());
            return Ok(());
        }
        Err(self.fault_here(self.codes.syntax, format!("`{word}`")))
    }

    /// The value at the cursor, in the words of a message.
    fn describe(&self) -> String {
        match self.byte() {
            None => "the end of the text".into(),
            Some(b'{') => JsonKind::Object.noun().into(),
            Some(b'[') => JsonKind::Array.noun().into(),
            Some(_) => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let end = rest.find(|c: char| c.is_whitespace() || ",]}:".contains(c)).unwrap_or(rest.len());
                let word = rest.get(..end.max(1)).unwrap_or(rest);
                let short: String = word.chars().take(24).collect();
                format!("`{short}{}`", if short.len() < word.len() { "…" } else { "" })
            }
        }
    }
}

/// Words for the numbers that [`JsonCursor::vector`] expects.
fn vector_words(length: usize) -> String {
    format!("an array of at least {}", counted(length, "number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: JsonCodes = JsonCodes { syntax: "json" };

    fn skip(text: &str) -> Read<Span> {
        let mut cursor = JsonCursor::from_text(text, CODES);
        let span = cursor.skip()?;
        cursor.end()?;
        Ok(span)
    }

    #[test]
    fn faults_name_line_column_and_pointer() {
        let fault = skip("{\"a\": [1,\n  {\"b/c\": tru}]}").unwrap_err();
        assert_eq!(fault.to_string(), "line 2, column 11 (/a/1/b~1c): expected `true`, found `tru`");
    }

    #[test]
    fn sound_json_is_accepted_whole() {
        for text in
            ["null", " [] ", "{}", "\u{feff}\n[1,-2.5e3,\"x\\u00e9\\ud83d\\ude00\",true,{\"a\":{}}]\n"]
        {
            skip(text).unwrap();
        }
    }

    #[test]
    fn broken_json_is_refused() {
        for text in [
            "",
            "[1,]",
            "{\"a\":1,}",
            "[1 2]",
            "{a:1}",
            "\"\\ud800\"",
            "\"\\x\"",
            "\"\t\"",
            "\"",
            "[",
            "1 1",
            "nul",
        ] {
            assert!(skip(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_gigabyte_of_brackets_would_stop_at_the_depth_limit() {
        let fault = skip(&"[".repeat(1000)).unwrap_err();
        assert!(fault.to_string().ends_with("expected at most 128 nested arrays and objects, found more"));
    }

    #[test]
    fn vectors_are_as_long_as_they_must_be() {
        let vector = |text: &str| {
            let mut values = [0.0; 2];
            let mut cursor = JsonCursor::from_text(text, CODES);
            let length =
                cursor.vector("short", &mut values).map_err(|fault| (fault.code, fault.to_string()))?;
            cursor.end().map_err(|fault| (fault.code, fault.to_string()))?;
            Ok((values, length))
        };
        assert_eq!(vector(" [ 1 , -2.5e1 ] "), Ok(([1.0, -25.0], 2)));
        assert_eq!(vector("[0,1,{\"x\":[]},\"y\"]"), Ok(([0.0, 1.0], 4)));
        let fault = |code, text: &str| Err((code, text.to_owned()));
        let short = "line 1, column 1: expected an array of at least 2 numbers, found 1 element";
        assert_eq!(vector("[1]"), fault("short", short));
        assert_eq!(
            vector("[1,null]"),
            fault("short", "line 1, column 4 (/1): expected a number, found `null`")
        );
        assert_eq!(
            vector("{}"),
            fault("short", "line 1, column 1: expected an array of at least 2 numbers, found an object")
        );
        assert_eq!(vector("[1,2,]").unwrap_err().0, "json");
        assert_eq!(vector("[1,-]").unwrap_err().0, "json");
        assert_eq!(vector("[1 2]").unwrap_err().0, "json");
    }

    #[test]
    fn members_are_seen_ahead() {
        let cursor = JsonCursor::from_text(r#" {"a":[{"t":1}], "t" : 2}"#, CODES);
        assert!(cursor.has_member("t").unwrap());
        assert!(!cursor.has_member("b").unwrap());
        assert_eq!(cursor.position(), 0);
        assert!(JsonCursor::from_text("{\"a\":}", CODES).has_member("t").is_err());
    }

    #[test]
    fn names_with_escapes_or_space_before_the_colon_are_names() {
        let mut names = Vec::new();
        let mut cursor = JsonCursor::from_text("{\"\\u0061\":1, \"b\" \n : 2,\"c\":3}", CODES);
        let read = cursor.object(|cursor, name| {
            names.push(name.to_owned());
            cursor.skip().map(drop)
        });
        assert!(read.is_ok());
        assert_eq!(names, ["a", "b", "c"]);
    }

    #[test]
    fn bad_utf8_is_placed() {
        let fault = JsonCursor::new(b"[1,\n \xff]", CODES).unwrap_err();
        assert_eq!(fault.to_string(), "line 2, column 2: expected UTF-8 text, found the byte 0xff");
    }
}
