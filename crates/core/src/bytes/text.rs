//! Shared parts of text formats: a document that keeps its text, replacements of stretches of a text, and
//! positions in a text for messages.

use crate::diag::{Fault, Place};
use crate::order::by_key;
use std::borrow::Cow;
use std::ops::Range;

/// Stretch of a text, in bytes.
pub type Span = Range<usize>;

/// The content of a text, together with the text.
///
/// White space and the spelling of numbers mean nothing in a text but must survive. Therefore an unedited
/// document is written as the text from which it was read, and an edit changes only the text of the edited
/// values.
#[derive(Clone, Debug, PartialEq)]
pub struct TextDocument<T> {
    source: Option<Vec<u8>>,
    content: T,
    edited: bool,
    damaged: bool,
}

impl<T> TextDocument<T> {
    /// A document without a source text.
    #[must_use]
    pub const fn new(content: T) -> Self {
        Self { source: None, content, edited: false, damaged: false }
    }

    /// A document with its source text. The document is `damaged` if the text was read leniently and holds
    /// more than `content`; a damaged text is written anew after an edit.
    #[must_use]
    pub const fn read(source: Vec<u8>, content: T, damaged: bool) -> Self {
        Self { source: Some(source), content, edited: false, damaged }
    }

    /// The content of the text.
    #[must_use]
    pub const fn content(&self) -> &T {
        &self.content
    }

    /// The content of the text, to be changed.
    pub const fn content_mut(&mut self) -> &mut T {
        self.edited = true;
        &mut self.content
    }

    /// The source text; `None` for a document that was not read.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.source.as_deref()
    }

    /// True if the text holds more than its content.
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Forgets the source text, so that all of the text is written anew.
    pub fn rewrite(&mut self) {
        self.source = None;
        self.damaged = false;
    }

    /// The source text if nothing was edited; else the source text with the edited values in place, made by
    /// `splice`; else, or if `splice` yields `None`, the text made by `anew`.
    ///
    /// # Errors
    /// Any error of `splice` or `anew`.
    pub fn text(
        &self,
        splice: impl FnOnce(&[u8], &T) -> Result<Option<Vec<u8>>, Fault>,
        anew: impl FnOnce(&T) -> Result<Vec<u8>, Fault>,
    ) -> Result<Cow<'_, [u8]>, Fault> {
        match &self.source {
            Some(source) if !self.edited => return Ok(Cow::Borrowed(source)),
            Some(source) if !self.damaged => {
                if let Some(text) = splice(source, &self.content)? {
                    return Ok(Cow::Owned(text));
                }
            }
            _ => {}
        }
        anew(&self.content).map(Cow::Owned)
    }
}

/// Replacements of stretches of a text, in any order; no two overlap.
#[derive(Clone, Debug)]
pub struct Patches<'a> {
    source: &'a [u8],
    list: Vec<(Span, Vec<u8>)>,
}

impl<'a> Patches<'a> {
    /// An empty list of replacements for a text.
    #[must_use]
    pub const fn of(source: &'a [u8]) -> Self {
        Self { source, list: Vec::new() }
    }

    /// The text to be changed by the replacements.
    #[must_use]
    pub const fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Adds a replacement of a stretch by a text.
    pub fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.list.push((span, text.into()));
    }

    /// The stretch of the replacement added last.
    #[must_use]
    pub fn last(&self) -> Option<&Span> {
        self.list.last().map(|(span, _)| span)
    }

    /// The text with all replacements. A replacement that overlaps an earlier stretch is inserted behind it.
    #[must_use]
    pub fn apply(self) -> Vec<u8> {
        let whole = 0..self.source.len();
        self.within(&whole)
    }

    /// A stretch of the text with all replacements, all of which must lie in the stretch.
    #[must_use]
    pub fn within(mut self, stretch: &Span) -> Vec<u8> {
        by_key(&mut self.list, |(span, _)| (span.start, span.end));
        let mut out = Vec::with_capacity(stretch.len());
        let mut done = stretch.start;
        for (span, text) in self.list {
            out.extend_from_slice(self.source.get(done..span.start).unwrap_or_default());
            out.extend(text);
            done = span.end.max(done);
        }
        out.extend_from_slice(self.source.get(done..stretch.end).unwrap_or_default());
        out
    }
}

/// The ranges in which an edited list differs from the list before: all items except the common start and the
/// common end.
#[must_use]
pub fn difference<T>(old: &[T], new: &[T], is_same: impl Fn(&T, &T) -> bool) -> [Range<usize>; 2] {
    let same = |(a, b): &(&T, &T)| is_same(a, b);
    let head = old.iter().zip(new).take_while(same).count();
    let shorter_rest = old.len().min(new.len()).saturating_sub(head);
    let tail = old.iter().rev().zip(new.iter().rev()).take(shorter_rest).take_while(same).count();
    [old, new].map(|list| head..list.len().saturating_sub(tail))
}

/// For each item of an edited list its index in the list before. Lists of equal length are taken as edited
/// item by item; else the common start and end stay, and all items between are new.
#[must_use]
pub fn origins<T>(old: &[T], new: &[T], is_same: impl Fn(&T, &T) -> bool) -> Vec<Option<usize>> {
    if old.len() == new.len() {
        return (0..old.len()).map(Some).collect();
    }
    let [gone, put] = difference(old, new, is_same);
    let head = (0..gone.start).map(Some);
    head.chain(put.map(|_| None)).chain((gone.end..old.len()).map(Some)).collect()
}

/// The stretch of a list whose items stand at `places` in a text, and its new text for items with these
/// `origins`: each is the result of `item` for its index, after the separator that the text has in front of
/// the original item, else after `gap`. `None` if `places` are empty, or `item` yields `None`.
pub fn rearranged(
    source: &[u8],
    places: &[Span],
    gap: &[u8],
    origins: impl IntoIterator<Item = Option<usize>>,
    mut item: impl FnMut(usize) -> Option<Vec<u8>>,
) -> Option<(Span, Vec<u8>)> {
    let before = |at: usize| source.get(places.get(at.checked_sub(1)?)?.end..places.get(at)?.start);
    let mut out = Vec::new();
    for (at, origin) in origins.into_iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(origin.and_then(before).unwrap_or(gap));
        }
        out.extend(item(at)?);
    }
    Some((places.first()?.start..places.last()?.end, out))
}

/// A scanner through a text, front to back. It knows bytes only; rooms define words and numbers.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    /// A scanner at a byte of a text.
    #[must_use]
    pub const fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// The whole text.
    #[must_use]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Position of the scanner.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// The rest of the text, from the position on.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// A stretch of the text; nothing if the text is shorter.
    #[must_use]
    pub fn slice(&self, span: &Span) -> &'a [u8] {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// True at the end of the text.
    #[must_use]
    pub const fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Goes past `count` bytes, or to the end.
    pub fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.text.len());
    }

    /// Passes over the bytes that `is` accepts, and yields their stretch.
    pub fn run(&mut self, is: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        let count = self.rest().iter().position(|&byte| !is(byte)).unwrap_or(self.rest().len());
        self.skip(count);
        start..self.at
    }
}

/// True if a byte ends a line.
#[must_use]
pub const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The first words of a text in UTF-8, in quotation marks, as messages quote it.
#[must_use]
pub fn quoted(text: &[u8]) -> String {
    // No character has more than four bytes.
    let start = text.get(..MOST_QUOTED.saturating_mul(4)).unwrap_or(text);
    quoted_text(&String::from_utf8_lossy(start))
}

/// As [`quoted`], for decoded text.
#[must_use]
pub fn quoted_text(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_QUOTED).collect();
    if text.chars().nth(MOST_QUOTED).is_some() {
        short.push('…');
    }
    format!("\"{}\"", short.escape_debug())
}

/// Most characters that a message quotes.
const MOST_QUOTED: usize = 40;

/// Line and column of a byte of a text in UTF-8. Lines end in LF, CR LF or CR.
#[must_use]
pub fn locate(text: &[u8], at: usize, pointer: String) -> Place {
    place_in(text, at, pointer, |line| String::from_utf8_lossy(line).chars().count())
}

/// As [`locate`], with a function `characters` that counts the characters at the start of a line.
#[must_use]
pub fn place_in(text: &[u8], at: usize, pointer: String, characters: impl FnOnce(&[u8]) -> usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let is_end = |(index, byte): (usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => text.get(index.saturating_add(1)) != Some(&b'\n'),
        _ => false,
    };
    let lines = before.iter().enumerate().filter(|pair| is_end(*pair)).count();
    let start = before.iter().rposition(|byte| is_line_end(*byte)).map_or(0, |last| last.saturating_add(1));
    let columns = characters(before.get(start..).unwrap_or_default());
    let counted = |number: usize| u32::try_from(number.saturating_add(1)).unwrap_or(u32::MAX);
    Place::Text { line: counted(lines), column: counted(columns), pointer }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upper(document: &TextDocument<u8>) -> String {
        let splice =
            |_: &[u8], content: &u8| Ok((*content < 9).then(|| format!("spliced {content}").into_bytes()));
        let text = document.text(splice, |content| Ok(format!("anew {content}").into_bytes()));
        String::from_utf8(text.unwrap().into_owned()).unwrap()
    }

    #[test]
    fn only_what_was_edited_changes() {
        let mut document = TextDocument::read(b"as it was".to_vec(), 1, false);
        assert_eq!(upper(&document), "as it was");
        *document.content_mut() = 2;
        assert_eq!(upper(&document), "spliced 2");
        *document.content_mut() = 9;
        assert_eq!(upper(&document), "anew 9");
        document.rewrite();
        *document.content_mut() = 3;
        assert_eq!(upper(&document), "anew 3");
        let mut damaged = TextDocument::read(b"more".to_vec(), 1, true);
        assert_eq!(upper(&damaged), "more");
        damaged.content_mut();
        assert_eq!(upper(&damaged), "anew 1");
        assert_eq!(upper(&TextDocument::new(4)), "anew 4");
    }

    #[test]
    fn patches_come_in_any_order() {
        let mut patches = Patches::of(b"one two three");
        patches.replace(8..13, "3");
        patches.replace(0..3, "1");
        patches.replace(3..3, "!");
        assert_eq!(patches.apply(), b"1! two 3");
    }

    #[test]
    fn lists_differ_between_their_common_ends() {
        let between = |old: &str, new: &str| difference(old.as_bytes(), new.as_bytes(), |a, b| a == b);
        assert_eq!(between("abcd", "axcd"), [1..2, 1..2]);
        assert_eq!(between("abcd", "abd"), [2..3, 2..2]);
        assert_eq!(between("aa", "aaa"), [2..2, 2..3]);
        assert_eq!(between("", "ab"), [0..0, 0..2]);
        assert_eq!(between("ab", ""), [0..2, 0..0]);
    }

    #[test]
    fn items_of_a_list_bring_what_stands_in_front_of_them() {
        let (source, places) = (b"[a , b ,  c]", [1..2, 5..6, 10..11]);
        let origins = [None, Some(2), Some(0)];
        let item = |at: usize| Some(format!("{at}").into_bytes());
        let (span, text) = rearranged(source, &places, b"; ", origins, item).unwrap();
        assert_eq!((span, &*text), (1..11, &b"0 ,  1; 2"[..]));
    }

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\r\nb\rc\nÄd".as_bytes();
        let positions = [0, 3, 5, 7, 9].map(|at| match locate(text, at, String::new()) {
            Place::Text { line, column, .. } => (line, column),
            _ => (0, 0),
        });
        assert_eq!(positions, [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2)]);
    }

    #[test]
    fn long_texts_are_quoted_in_part() {
        assert_eq!(quoted(b"a\tb"), "\"a\\tb\"");
        assert_eq!(quoted("ä".repeat(41).as_bytes()), format!("\"{}…\"", "ä".repeat(40)));
    }
}
