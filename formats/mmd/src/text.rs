//! Text encoded in CP932 (Windows-31J), in fixed-size fields and in files of text.
//!
//! CP932 holds some characters twice, writers cut names in the middle of a character, and uninitialised
//! memory follows the terminator. So bytes → text → bytes does not yield the same bytes: the field is kept as
//! stored, and text is made from the field only for display and for matching with names of other formats.

use crate::cp932;
use std::fmt;

/// The name of the encoding in options and messages.
pub const ENCODING: &str = "CP932";

/// A name field of `N` bytes, exactly as stored in the file.
///
/// Text ends at the first NUL. Writers that cannot express a character sometimes put a NUL in its place; so
/// if the first byte is NUL and the second is not, the text starts at the second byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name<const N: usize>(pub [u8; N]);

/// Text of a name field, and the quality of its decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text. U+FFFD stands for bytes without a meaning in CP932.
    pub text: String,
    /// True if some bytes mean nothing in CP932.
    pub has_unknown_bytes: bool,
    /// True if the field ends with the first half of a character, left out of `text`.
    pub is_cut: bool,
}

/// A name made from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded<const N: usize> {
    /// The field, filled up with NUL.
    pub name: Name<N>,
    /// True if the text was longer than the field; the rest is lost, at times half a character.
    pub is_cut: bool,
    /// Number of characters replaced by `?` because CP932 lacks them.
    pub replaced: usize,
}

/// Bytes made from text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedText {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Number of characters replaced by `?` because CP932 lacks them.
    pub replaced: usize,
}

/// A character missing in CP932.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unencodable(pub char);

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ENCODING} has no character {:?}", self.0)
    }
}

impl std::error::Error for Unencodable {}

impl<const N: usize> Name<N> {
    /// A field without text.
    pub const EMPTY: Self = Self([0; N]);

    /// The bytes for matching names: all bytes before the terminator, a leading NUL included.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        let skip = usize::from(self.starts_with_nul());
        let end = self.0.iter().skip(skip).position(|&b| b == 0).map_or(N, |at| at + skip);
        self.0.get(..end).unwrap_or_default()
    }

    /// The same field with NUL for everything behind the terminator: fields with equal keys become equal.
    #[must_use]
    pub fn cleared(&self) -> Self {
        let mut bytes = [0; N];
        let key = self.key();
        if let Some(start) = bytes.get_mut(..key.len()) {
            start.copy_from_slice(key);
        }
        Self(bytes)
    }

    /// The same text, filled behind its terminator with the other field's fill byte, if the other field
    /// repeats one byte there, as writers fill fields.
    #[must_use]
    pub fn filled_like(&self, other: &Self) -> Self {
        let fill = match other.0.get(other.key().len()..) {
            Some([0, fill, rest @ ..]) if rest.iter().all(|byte| byte == fill) => *fill,
            _ => return *self,
        };
        let mut bytes = self.0;
        bytes.iter_mut().skip(self.key().len() + 1).for_each(|byte| *byte = fill);
        Self(bytes)
    }

    /// True if a NUL stands in the place of the first character. In front of 0xFD, the byte MikuMikuDance
    /// fills fields with, the NUL is the terminator of an empty text.
    #[must_use]
    pub fn starts_with_nul(&self) -> bool {
        matches!(self.0.as_slice(), [0, second, ..] if !matches!(second, 0 | 0xfd))
    }

    /// The bytes before the first NUL, even if the first byte is NUL.
    #[must_use]
    pub fn until_nul(&self) -> &[u8] {
        self.0.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// The text, for display and for matching with names of other formats.
    #[must_use]
    pub fn text(&self) -> String {
        self.decode().text
    }

    /// The text, and the quality of its decoding.
    #[must_use]
    pub fn decode(&self) -> Decoded {
        let key = self.key();
        decode(key.strip_prefix(&[0]).unwrap_or(key))
    }

    /// The field for a text, cut at `N` bytes as in MikuMikuDance: if the cut splits a character, half of the
    /// character stays.
    ///
    /// # Errors
    /// The first character missing in CP932, unless `replace` puts a `?` in its place.
    pub fn encode(text: &str, replace: bool) -> Result<Encoded<N>, Unencodable> {
        let EncodedText { bytes, replaced } = encode(text, replace)?;
        let mut field = [0; N];
        field.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
        Ok(Encoded { name: Self(field), is_cut: bytes.len() > N, replaced })
    }
}

impl<const N: usize> Default for Name<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> fmt::Display for Name<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The text and, if any byte behind the terminator is not 0, the bytes there.
impl<const N: usize> fmt::Debug for Name<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())?;
        match self.0.get(self.key().len()..) {
            Some(rest) if rest.iter().any(|&b| b != 0) => write!(f, " + {rest:02X?}"),
            _ => Ok(()),
        }
    }
}

/// The text of bytes without a terminator, and the quality of its decoding.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded {
    let is_cut = ends_inside_character(bytes);
    let whole = bytes.split_last().filter(|_| is_cut).map_or(bytes, |(_, whole)| whole);
    let (text, has_unknown_bytes) = cp932::decode(whole);
    Decoded { text, has_unknown_bytes, is_cut }
}

/// The bytes of a text, without a terminator.
///
/// # Errors
/// The first character missing in CP932, unless `replace` puts a `?` in its place. NUL counts as missing.
pub fn encode(text: &str, replace: bool) -> Result<EncodedText, Unencodable> {
    let mut encoded = EncodedText { bytes: Vec::with_capacity(text.len()), replaced: 0 };
    for character in text.chars() {
        match encode_character(character, &mut encoded.bytes) {
            true => {}
            false if replace => {
                encoded.bytes.push(b'?');
                encoded.replaced += 1;
            }
            false => return Err(Unencodable(character)),
        }
    }
    Ok(encoded)
}

/// True if the last byte is the first half of a two-byte character.
fn ends_inside_character(mut bytes: &[u8]) -> bool {
    loop {
        bytes = match bytes {
            [] => return false,
            [0x81..=0x9f | 0xe0..=0xfc] => return true,
            [0x81..=0x9f | 0xe0..=0xfc, 0x40..=0x7e | 0x80..=0xfc, rest @ ..] | [_, rest @ ..] => rest,
        };
    }
}

/// Appends one character; `false` if CP932 lacks the character.
fn encode_character(character: char, bytes: &mut Vec<u8>) -> bool {
    let encoded = cp932::encode(windows_form(character)).filter(|_| character != '\0');
    if let Some((first, second)) = encoded {
        bytes.extend([first].into_iter().chain(second));
    }
    encoded.is_some()
}

/// The character that Windows uses for a code of the JIS table for which other systems use a different
/// character.
///
/// Source: the six differences between the Unicode Consortium's tables `SHIFTJIS.TXT` and `CP932.TXT`.
const fn windows_form(character: char) -> char {
    match character {
        '\u{301c}' => '\u{ff5e}',
        '\u{2016}' => '\u{2225}',
        '\u{2212}' => '\u{ff0d}',
        '\u{a2}' => '\u{ffe0}',
        '\u{a3}' => '\u{ffe1}',
        '\u{ac}' => '\u{ffe2}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_at_the_first_nul_and_the_rest_is_kept() {
        let name = Name(*b"ab\0\xfd\xfd");
        assert_eq!((name.text().as_str(), name.key()), ("ab", b"ab".as_slice()));
        assert_eq!(name.cleared(), Name(*b"ab\0\0\0"));
        assert_eq!(format!("{name:?}"), "\"ab\" + [00, FD, FD]");
        assert_eq!(Name(*b"abcde").text(), "abcde", "a full field has no terminator");
        assert_eq!(Name::<5>::EMPTY.key(), b"");
    }

    #[test]
    fn a_nul_in_place_of_the_first_character_is_skipped_but_not_forgotten() {
        let name = Name(*b"\0bc\0x");
        assert_eq!((name.text().as_str(), name.key()), ("bc", b"\0bc".as_slice()));
        assert!(name.starts_with_nul());
        assert!(!Name(*b"\0\0c").starts_with_nul());
        assert_eq!(Name(*b"\0\0c").text(), "");
        assert_eq!(Name(*b"\0\xfd\xfd").key(), b"", "a filler is no text");
        assert_eq!((name.until_nul(), Name(*b"bc\0").until_nul()), (&b""[..], &b"bc"[..]));
    }

    #[test]
    fn half_a_character_at_the_end_is_not_shown() {
        // 左 is 8D B6.
        let decoded = Name([0x8d, 0xb6, 0x8d]).decode();
        assert_eq!(decoded, Decoded { text: "左".into(), has_unknown_bytes: false, is_cut: true });
        assert!(!Name([0x8d, 0xb6]).decode().is_cut);
        assert!(!Name([0xb1, 0xb2]).decode().is_cut, "half-width katakana are single bytes");
    }

    #[test]
    fn unknown_bytes_become_replacement_characters() {
        let decoded = Name([0x41, 0xff, 0x85, 0x20]).decode();
        assert!(decoded.has_unknown_bytes && !decoded.is_cut);
        assert_eq!(decoded.text, "A\u{fffd}\u{fffd} ");
    }

    #[test]
    fn the_windows_rows_are_read_and_written() {
        // NEC row 13, IBM row, and the two signs on which JIS and Windows disagree.
        for (bytes, text) in
            [([0x87, 0x40], "①"), ([0xfa, 0x40], "ⅰ"), ([0x81, 0x60], "\u{ff5e}"), ([0x81, 0x7c], "\u{ff0d}")]
        {
            assert_eq!(Name(bytes).text(), text);
            assert_eq!(Name::<2>::encode(text, false).map(|e| e.name), Ok(Name(bytes)), "{text}");
        }
        assert_eq!(Name::<2>::encode("〜", false).map(|e| e.name), Ok(Name([0x81, 0x60])));
    }

    #[test]
    fn long_names_are_cut_in_bytes_as_mikumikudance_does() {
        let encoded = Name::<3>::encode("左足", false).unwrap();
        assert_eq!(encoded, Encoded { name: Name([0x8d, 0xb6, 0x91]), is_cut: true, replaced: 0 });
        assert_eq!(Name::<4>::encode("左足", false).map(|e| e.is_cut), Ok(false));
    }

    #[test]
    fn missing_characters_are_refused_or_replaced() {
        let error = Name::<15>::encode("a한", false).unwrap_err();
        assert_eq!(error, Unencodable('한'));
        assert_eq!(error.to_string(), "CP932 has no character '한'");
        let encoded = Name::<15>::encode("a한\u{fffd}\0b", true).unwrap();
        assert_eq!((encoded.name.text().as_str(), encoded.replaced), ("a???b", 3));
    }
}
