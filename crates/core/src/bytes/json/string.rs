//! Strings and their escapes.

use super::super::Read;
use super::read::JsonCursor;
use std::borrow::Cow;

impl<'a> JsonCursor<'a> {
    /// Reads a string; borrowed if the string holds no escape.
    ///
    /// # Errors
    /// `syntax` if the next value is no string, or the string holds a control character, a bad escape or half
    /// a surrogate pair.
    pub fn string(&mut self) -> Read<Cow<'a, str>> {
        self.white();
        let start = self.at;
        self.expect(b'"', "a string")?;
        let from = self.at;
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let length = rest.iter().position(|b| matches!(b, b'"' | b'\\' | 0..0x20));
        match length.and_then(|n| rest.get(n).map(|b| (n, *b))) {
            Some((length, b'"')) => {
                let end = from.saturating_add(length);
                self.at = end.saturating_add(1);
                Ok(Cow::Borrowed(self.text.get(from..end).unwrap_or_default()))
            }
            Some((_, b'\\')) => self.escaped_string(from).map(Cow::Owned),
            Some((length, _)) => {
                self.at = from.saturating_add(length);
                Err(self.fault_at(self.at, self.codes.syntax, "no control character in a string", "one"))
            }
            None => Err(self.fault_at(start, self.codes.syntax, "a string", "no closing quote")),
        }
    }

    #[cold]
    fn escaped_string(&mut self, from: usize) -> Read<String> {
        let mut out = String::new();
        self.at = from;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(next) = rest.chars().next() else {
                return Err(self.fault_at(
                    self.at,
                    self.codes.syntax,
                    "a closing quote",
                    "the end of the text",
                ));
            };
            let at = self.at;
            self.at = self.at.saturating_add(next.len_utf8());
            match next {
                '"' => return Ok(out),
                '\\' => out.push(self.escape(at)?),
                '\0'..' ' => {
                    return Err(self.fault_at(
                        at,
                        self.codes.syntax,
                        "no control character in a string",
                        "one",
                    ));
                }
                _ => out.push(next),
            }
        }
    }

    fn escape(&mut self, at: usize) -> Read<char> {
        let bad =
            |cursor: &Self| cursor.fault_at(at, cursor.codes.syntax, "a JSON escape", "another character");
        let letter = self.byte().ok_or_else(|| bad(self))?;
        self.advance();
        Ok(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape().ok_or_else(|| bad(self)),
            _ => return Err(bad(self)),
        })
    }

    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.hex4()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.word("\\u").ok()?;
        let second = self.hex4()?;
        let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        let high = first.checked_sub(0xd800)?;
        char::from_u32(0x10000u32.checked_add(high.checked_mul(0x400)?)?.checked_add(low)?)
    }

    fn hex4(&mut self) -> Option<u32> {
        let end = self.at.checked_add(4)?;
        let digits = self.text.get(self.at..end).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        self.at = end;
        u32::from_str_radix(digits, 16).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::JsonCodes;
    use super::*;

    const CODES: JsonCodes = JsonCodes { syntax: "json" };

    #[test]
    fn escapes_are_decoded() {
        let mut cursor = JsonCursor::from_text(r#""a\n\"\u00e9\ud83d\ude00\/""#, CODES);
        assert_eq!(cursor.string().unwrap(), "a\n\"é😀/");
    }
}
