//! Byte strings as the files hold them.

use std::borrow::Cow;
use std::fmt;

/// A string as its bytes: of no stated encoding, of any length, with any bytes.
///
/// As text: one NUL at the end is dropped; the rest is UTF-8 if valid as UTF-8, else Latin-1. Names are
/// compared as text.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub Box<[u8]>);

impl Name {
    /// The bytes of a text, without a NUL.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.as_bytes().into())
    }

    /// The name as text.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        text(&self.0)
    }

    /// True if the bytes end in NUL.
    #[must_use]
    pub fn has_trailing_nul(&self) -> bool {
        self.0.ends_with(&[0])
    }

    /// True if the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text().is_empty()
    }
}

impl fmt::Debug for Name {
    /// The bytes, with escapes for bytes other than ASCII.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// The text of bytes; see [`Name`].
#[must_use]
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// Numbers as they are listed in messages.
pub(crate) fn listed<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_nul_is_dropped_and_bytes_that_are_not_utf8_are_latin1() {
        assert_eq!(text(b"left\0"), "left");
        assert_eq!(text(b"left\0\0"), "left\0");
        assert_eq!(text(b"caf\xc3\xa9"), "café");
        assert_eq!(text(b"caf\xe9"), "café");
        assert!(Name::new("").is_empty() && Name((*b"\0").into()).is_empty());
    }
}
