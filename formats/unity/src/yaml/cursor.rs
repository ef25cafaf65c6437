//! A cursor over the text, front to back: the caller states the kind of value wanted next, as with JSON.
//!
//! The cursor keeps no tree: a file is mostly numbers, and each number is wanted once.

use super::number::{integer, number};
use super::scalar::{self, Scalar};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::text::{Scanner, Span, is_line_end, locate, quoted};
use dopesheet_core::diag::{Code, Fault};
use std::borrow::Cow;

/// The codes of a format for the faults of its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes {
    /// Text that is not allowed at its place.
    pub(crate) syntax: Code,
    /// A value of a wrong kind.
    pub(crate) kind: Code,
    /// Text in the place of a number.
    pub(crate) number: Code,
    /// Lists and maps are too deep in each other.
    pub(crate) depth: Code,
}

/// Deepest nesting of skipped values.
const MOST_DEPTH: u32 = 64;

/// Position of a value in the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A document as a whole, behind its first line.
    Document,
    /// Behind the colon of a member, with the column of the member's name.
    Member(usize),
    /// Behind the dash of an item in a column.
    Item(usize),
    /// In a flow map or list.
    Flow,
}

/// Kind of value in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// Nothing.
    Nothing,
    /// A scalar.
    Scalar,
    /// A map in braces.
    FlowMap,
    /// A list in brackets.
    FlowList,
    /// Members, each on its line, in a column.
    Map(usize),
    /// Items, each on its line, in a column.
    List(usize),
}

impl SlotKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Scalar => "a single value",
            Self::FlowMap | Self::Map(_) => "a map",
            Self::FlowList | Self::List(_) => "a list",
        }
    }
}

/// Reads a text front to back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YamlCursor<'a> {
    scanner: Scanner<'a>,
    codes: Codes,
    depth: u32,
}

impl<'a> YamlCursor<'a> {
    pub(crate) const fn new(text: &'a [u8], at: usize, codes: Codes) -> Self {
        Self { scanner: Scanner::new(text, at), codes, depth: 0 }
    }

    pub(crate) const fn position(&self) -> usize {
        self.scanner.position()
    }

    pub(crate) fn go_to(&mut self, at: usize) {
        self.scanner = Scanner::new(self.scanner.text(), at);
    }

    fn peek(&self) -> Option<u8> {
        self.scanner.rest().first().copied()
    }

    /// The column of the cursor in its line, from 0.
    fn column(&self) -> usize {
        let before = self.scanner.text().get(..self.position()).unwrap_or_default();
        let start = before.iter().rposition(|b| is_line_end(*b)).map_or(0, |last| last.saturating_add(1));
        self.position().saturating_sub(start)
    }

    fn is_at_line_start(&self) -> bool {
        let before = self.position().checked_sub(1).and_then(|last| self.scanner.text().get(last));
        before.is_none_or(|byte| is_line_end(*byte))
    }

    /// Skips blanks, line ends and comments, up to the next content; yields its column.
    fn next_content(&mut self) -> usize {
        self.skip_blanks();
        self.column()
    }

    /// As [`Self::next_content`], without computing the column: lines of flow maps may be as long as the
    /// file.
    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.scanner.run(|b| matches!(b, b' ' | b'\t'));
            match self.peek() {
                Some(b'#') if !blanks.is_empty() || self.is_at_line_start() => {
                    self.scanner.run(|b| !is_line_end(b));
                }
                Some(b'\n' | b'\r') => {
                    self.scanner.run(is_line_end);
                }
                _ => return,
            }
        }
    }

    /// True if a document ends here: at its end mark, at the start of the next, or with the text. At content.
    fn is_at_document_end(&self) -> bool {
        let rest = self.scanner.rest();
        rest.is_empty() || (self.is_at_line_start() && (rest.starts_with(b"---") || rest.starts_with(b"...")))
    }

    /// True at a dash with a blank or line end behind it.
    fn is_at_dash(&self) -> bool {
        let mut bytes = self.scanner.rest().iter();
        bytes.next() == Some(&b'-') && bytes.next().is_none_or(|b| matches!(b, b' ' | b'\n' | b'\r'))
    }

    /// Kind of the value in a slot.
    pub(crate) fn kind(&self, slot: Slot) -> SlotKind {
        let mut ahead = *self;
        ahead.enter(slot)
    }

    /// Start of the value in a slot.
    pub(crate) fn start(&self, slot: Slot) -> usize {
        let mut ahead = *self;
        ahead.enter(slot);
        ahead.position()
    }

    /// Goes to the content of a slot.
    fn enter(&mut self, slot: Slot) -> SlotKind {
        let before = self.scanner;
        if slot == Slot::Flow {
            self.skip_blanks();
            return match self.peek() {
                Some(b'{') => SlotKind::FlowMap,
                Some(b'[') => SlotKind::FlowList,
                None | Some(b',' | b'}' | b']') => SlotKind::Nothing,
                _ => SlotKind::Scalar,
            };
        }
        self.scanner.run(|b| b == b' ');
        let is_on_line = self.peek().is_some_and(|b| !is_line_end(b) && b != b'#');
        let column = self.next_content();
        let is_dash = self.is_at_dash();
        let belongs = match slot {
            Slot::Member(parent) => column > parent || (is_dash && column == parent),
            Slot::Item(parent) => column > parent,
            Slot::Flow | Slot::Document => true,
        };
        if !is_on_line && (!belongs || self.is_at_document_end()) {
            self.scanner = before;
            return SlotKind::Nothing;
        }
        match self.peek() {
            Some(b'{') => SlotKind::FlowMap,
            Some(b'[') => SlotKind::FlowList,
            _ if is_dash && (!is_on_line || matches!(slot, Slot::Item(_))) => SlotKind::List(column),
            _ if (!is_on_line || matches!(slot, Slot::Item(_))) && self.is_at_member() => {
                SlotKind::Map(column)
            }
            _ => SlotKind::Scalar,
        }
    }

    /// True at a name with a colon behind it.
    fn is_at_member(&self) -> bool {
        let mut ahead = *self;
        match self.peek() {
            Some(mark @ (b'"' | b'\'')) => ahead.quoted(mark).is_ok() && ahead.is_at_colon(),
            _ => self.plain_name().is_some(),
        }
    }

    fn is_at_colon(&mut self) -> bool {
        self.scanner.run(|b| b == b' ');
        self.peek() == Some(b':')
    }

    /// A name without quotation marks, in front of its colon.
    fn plain_name(&self) -> Option<&'a str> {
        let rest = self.scanner.rest();
        let is_end = |at: usize| {
            let next = rest.get(at.saturating_add(1));
            next.is_none_or(|b| matches!(b, b' ' | b'\n' | b'\r'))
        };
        let line = rest.iter().enumerate().take_while(|(_, b)| !is_line_end(**b));
        let mut ends = line.filter_map(|(at, b)| match b {
            b':' if is_end(at) => Some(Some(at)),
            b'{' | b'}' | b'[' | b']' | b',' | b'"' | b'#' => Some(None),
            _ => None,
        });
        let colon = ends.next().flatten().filter(|at| *at > 0)?;
        std::str::from_utf8(rest.get(..colon)?).ok()
    }

    /// A name and the colon behind it.
    fn name(&mut self) -> Read<Cow<'a, str>> {
        let start = self.scanner;
        let name = match self.peek() {
            Some(mark @ (b'"' | b'\'')) => Some(self.quoted(mark)?.text).filter(|_| self.is_at_colon()),
            _ => self.plain_name().map(|name| {
                self.scanner.skip(name.len());
                Cow::Borrowed(name.trim_end_matches(' '))
            }),
        };
        let Some(name) = name else {
            self.scanner = start;
            return Err(self.fault(self.codes.syntax, "a name and a colon"));
        };
        self.scanner.skip(1);
        Ok(name)
    }

    /// The members of a map: `member` gets each name and slot, and must take the value there. A missing value
    /// has no members.
    pub(crate) fn members(
        &mut self,
        slot: Slot,
        mut member: impl FnMut(&mut Self, &str, Slot) -> Read<()>,
    ) -> Read<()> {
        match self.enter(slot) {
            SlotKind::Nothing => Ok(()),
            SlotKind::Map(column) => loop {
                let name = self.name()?;
                member(self, &name, Slot::Member(column)).map_err(|fault| fault.under(&name))?;
                if !self.goes_on(column, |cursor| !cursor.is_at_dash())? {
                    return Ok(());
                }
            },
            SlotKind::FlowMap => self.flow(b'}', |cursor, _| {
                let name = cursor.name()?;
                member(cursor, &name, Slot::Flow).map_err(|fault| fault.under(&name))
            }),
            other => Err(self.unexpected("a map", other)),
        }
    }

    /// The items of a list; `item` gets the number and slot of each, and must take the value there. A missing
    /// value has no items.
    pub(crate) fn items(
        &mut self,
        slot: Slot,
        mut item: impl FnMut(&mut Self, usize, Slot) -> Read<()>,
    ) -> Read<()> {
        match self.enter(slot) {
            SlotKind::Nothing => Ok(()),
            SlotKind::List(column) => {
                let mut index = 0usize;
                loop {
                    self.scanner.skip(1);
                    item(self, index, Slot::Item(column)).map_err(|fault| fault.under(index))?;
                    index = index.saturating_add(1);
                    if !self.goes_on(column, Self::is_at_dash)? {
                        return Ok(());
                    }
                }
            }
            SlotKind::FlowList => self.flow(b']', |cursor, index| {
                item(cursor, index, Slot::Flow).map_err(|fault| fault.under(index))
            }),
            other => Err(self.unexpected("a list", other)),
        }
    }

    /// True if another entry of a block stands in its column.
    fn goes_on(&mut self, column: usize, is_entry: impl Fn(&Self) -> bool) -> Read<bool> {
        let before = self.scanner;
        let next = self.next_content();
        if self.is_at_document_end() || next < column || (next == column && !is_entry(self)) {
            // What stands between is nobody's; an entry ends with its line.
            self.scanner = before;
            return Ok(false);
        }
        if next > column {
            return Err(self.fault(self.codes.syntax, "the end of the line, or an entry further left"));
        }
        Ok(true)
    }

    /// Reads everything between braces or brackets.
    fn flow(&mut self, close: u8, mut entry: impl FnMut(&mut Self, usize) -> Read<()>) -> Read<()> {
        self.scanner.skip(1);
        for index in 0usize.. {
            self.skip_blanks();
            if self.peek() == Some(close) {
                break;
            }
            entry(self, index)?;
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.scanner.skip(1),
                Some(byte) if byte == close => break,
                _ => {
                    let expected = format!("',' or '{}'", char::from(close));
                    return Err(self.fault(self.codes.syntax, expected));
                }
            }
        }
        self.scanner.skip(1);
        Ok(())
    }

    /// A scalar; a missing value counts as an empty scalar.
    pub(crate) fn scalar(&mut self, slot: Slot) -> Read<Scalar<'a>> {
        match self.enter(slot) {
            SlotKind::Nothing => {
                Ok(Scalar { span: self.position()..self.position(), text: Cow::Borrowed("") })
            }
            SlotKind::Scalar => match self.peek() {
                Some(mark @ (b'"' | b'\'')) => self.quoted(mark),
                _ => self.plain(slot),
            },
            other => Err(self.unexpected("a single value", other)),
        }
    }

    fn plain(&mut self, slot: Slot) -> Read<Scalar<'a>> {
        let start = self.position();
        let mut end = start;
        loop {
            let line = match slot {
                Slot::Flow => self.scanner.run(|b| !is_line_end(b) && !matches!(b, b',' | b'}' | b']')),
                _ => self.scanner.run(|b| !is_line_end(b)),
            };
            let bytes = self.scanner.slice(&line);
            if line.start > start && slot != Slot::Flow && (bytes.ends_with(b":") || has_colon(bytes)) {
                let mut at = *self;
                at.go_to(line.start);
                return Err(at.fault(self.codes.syntax, "a member in the column of the previous ones"));
            }
            let comment = bytes.windows(2).position(|pair| pair == b" #");
            let kept = bytes.get(..comment.unwrap_or(bytes.len())).unwrap_or(bytes).trim_ascii_end();
            end = if kept.is_empty() { end } else { line.start.saturating_add(kept.len()) };
            let before = self.scanner;
            self.skip_blanks();
            let goes_on = comment.is_none()
                && !self.is_at_document_end()
                && match slot {
                    Slot::Flow => self.peek().is_some_and(|b| !matches!(b, b',' | b'}' | b']')),
                    Slot::Member(parent) | Slot::Item(parent) => self.column() > parent,
                    Slot::Document => true,
                };
            if !goes_on {
                self.scanner = before;
                break;
            }
        }
        let span = start..end;
        let text = self.utf8(&span)?;
        Ok(Scalar { span, text: scalar::plain(text) })
    }

    fn quoted(&mut self, mark: u8) -> Read<Scalar<'a>> {
        let start = self.scanner;
        self.scanner.skip(1);
        let inside = self.position();
        loop {
            self.scanner.run(|b| b != mark && b != b'\\');
            match self.peek() {
                Some(b'\\') if mark == b'"' => self.scanner.skip(2),
                Some(b'\\') => self.scanner.skip(1),
                Some(_) if mark == b'\'' && self.scanner.rest().starts_with(b"''") => self.scanner.skip(2),
                Some(_) => break,
                None => {
                    self.scanner = start;
                    let expected = format!("a text that ends with {}", char::from(mark));
                    return Err(self.fault(self.codes.syntax, expected));
                }
            }
        }
        let text = self.utf8(&(inside..self.position()))?;
        self.scanner.skip(1);
        let text = if mark == b'"' { scalar::double(text) } else { Some(scalar::single(text)) };
        let Some(text) = text else {
            let end = self.position();
            self.scanner = start;
            let fault = self.fault(self.codes.syntax, "a text with valid YAML escapes");
            self.go_to(end);
            return Err(fault);
        };
        Ok(Scalar { span: start.position()..self.position(), text })
    }

    fn utf8(&self, span: &Span) -> Read<&'a str> {
        std::str::from_utf8(self.scanner.slice(span)).map_err(|error| {
            let mut at = *self;
            at.go_to(span.start.saturating_add(error.valid_up_to()));
            at.fault(self.codes.syntax, "text in UTF-8")
        })
    }

    /// A number, and its span.
    pub(crate) fn number(&mut self, slot: Slot) -> Read<(f32, Span)> {
        let scalar = self.scalar(slot)?;
        match number(&scalar.text) {
            Some(value) => Ok((value, scalar.span)),
            None => Err(self.fault_at(&scalar.span, self.codes.number, "a number")),
        }
    }

    /// A whole number, and its span.
    pub(crate) fn integer(&mut self, slot: Slot) -> Read<(i64, Span)> {
        let scalar = self.scalar(slot)?;
        match integer(&scalar.text) {
            Some(value) => Ok((value, scalar.span)),
            None => Err(self.fault_at(&scalar.span, self.codes.number, "a whole number")),
        }
    }

    /// Goes past whatever stands in a slot.
    pub(crate) fn skip(&mut self, slot: Slot) -> Read<()> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MOST_DEPTH {
            let expected = format!("lists and maps nested at most {MOST_DEPTH} deep");
            return Err(self.fault(self.codes.depth, expected));
        }
        match self.kind(slot) {
            SlotKind::Nothing => {}
            SlotKind::Scalar => {
                self.scalar(slot)?;
            }
            SlotKind::FlowMap | SlotKind::Map(_) => {
                self.members(slot, |cursor, _, slot| cursor.skip(slot))?
            }
            SlotKind::FlowList | SlotKind::List(_) => {
                self.items(slot, |cursor, _, slot| cursor.skip(slot))?
            }
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// True if nothing is left of the document. The cursor goes to whatever is left.
    pub(crate) fn at_end(&mut self) -> bool {
        self.next_content();
        self.is_at_document_end()
    }

    /// Goes to the end of the block started by an item in a column, whatever the block contains: in front of
    /// the line end before the next item, or before text outside the list.
    pub(crate) fn leave_item(&mut self, column: usize) {
        self.depth = 0;
        loop {
            self.scanner.run(|b| !is_line_end(b));
            let before = self.scanner;
            let next = self.next_content();
            if self.is_at_document_end() || next <= column {
                self.scanner = before;
                return;
            }
        }
    }

    #[cold]
    fn unexpected(&self, expected: &'static str, found: SlotKind) -> Box<Fault> {
        let fault = self.fault(self.codes.kind, expected);
        Box::new(Fault { found: format!("{}: {}", found.word(), fault.found).into(), ..*fault })
    }

    /// A fault at the current position, with the text there.
    #[cold]
    pub(crate) fn fault(&self, code: Code, expected: impl Into<Cow<'static, str>>) -> Box<Fault> {
        let mut line = self.scanner;
        let span = line.run(|b| !is_line_end(b));
        let actual = match self.scanner.slice(&span) {
            _ if self.scanner.is_at_end() => "the end of the file".to_owned(),
            [] => "the end of the line".to_owned(),
            line => quoted(line),
        };
        let here = locate(self.scanner.text(), self.position(), String::new());
        Box::new(Fault::new(code, here, expected, actual))
    }

    /// A fault of the text in a span.
    #[cold]
    pub(crate) fn fault_at(
        &self,
        span: &Span,
        code: Code,
        expected: impl Into<Cow<'static, str>>,
    ) -> Box<Fault> {
        let actual = match self.scanner.slice(span) {
            [] => "nothing".to_owned(),
            text => quoted(text),
        };
        let here = locate(self.scanner.text(), span.start, String::new());
        Box::new(Fault::new(code, here, expected, actual))
    }
}

/// True if a line contains a colon followed by a blank.
fn has_colon(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == b": ")
}
