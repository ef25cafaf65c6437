//! Writing an edited document: the text from which it was read, with only the edited parts replaced.
//!
//! * A number, a name: its own text.
//! * Curves, events and keys put in or taken out: all others keep their text, even if their places change.
//! * Values without a member in the text: a member behind the last member of the clip.
//!
//! If there are other clips than were read, or members are not indented as by Unity, the whole text is
//! written anew.

use super::document::{Clip, Document, File};
use super::read::{Parsed, parse};
use super::spans::{ClipList, ClipSpans, Item, Section, Span};
use super::values::{ItemValues, Value};
use super::write::{Entry, Text, anew, has_flags};
use dopesheet_core::bytes::text::{self, Patches, is_line_end, rearranged};
use dopesheet_core::diag::{Fault, Report};
use std::borrow::Cow;

/// Columns before the dash of a key in a new text.
const KEY_COLUMN: usize = 6;

/// Places in the file of an entry of a list and of its keys; `None` for entries and keys not in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Origin {
    pub(super) entry: Option<usize>,
    pub(super) keys: Vec<Option<usize>>,
}

/// Origins of the entries of each list.
pub(super) type Origins = [Vec<Origin>; ClipList::ALL.len()];

/// The text of a document: as read, with edited parts replaced, or anew.
pub(super) fn text(document: &Document) -> Result<Cow<'_, [u8]>, Fault> {
    let splice = |source: &[u8], file: &File| {
        let Parsed { file: old, spans, .. } =
            parse(source, false, &mut Report::default()).map_err(|fault| *fault)?;
        Ok(written(source, [&old, file], &spans, None))
    };
    document.0.text(splice, |file| Ok(anew(file)))
}

/// The text `source` changed to state `new`, whose curves and keys come from `old`; `None` if the text has no
/// place for some change. Without origins, entries and keys equal to old ones keep their text.
pub(super) fn written(
    source: &[u8],
    [old, new]: [&File; 2],
    spans: &[ClipSpans],
    origins: Option<&[Origins]>,
) -> Option<Vec<u8>> {
    if old.clips.len() != new.clips.len() {
        return None;
    }
    let mut edits = YamlPatches::of(source);
    for (at, ((old, new), spans)) in old.clips.iter().zip(&new.clips).zip(spans).enumerate() {
        (edits.with_flags, edits.is_block) = (has_flags(new), spans.is_block);
        edits.clip(old, new, spans, origins.and_then(|origins| origins.get(at)))?;
    }
    Some(edits.patches.apply())
}

/// Replacements in the text.
struct YamlPatches<'a> {
    patches: Patches<'a>,
    line_end: &'static str,
    /// Members missing in the present clip, with line feeds.
    added: String,
    with_flags: bool,
    is_block: bool,
}

impl<'a> YamlPatches<'a> {
    fn of(source: &'a [u8]) -> Self {
        let line_end = if source.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let (added, with_flags, is_block) = (String::new(), false, false);
        Self { patches: Patches::of(source), line_end, added, with_flags, is_block }
    }
}

impl YamlPatches<'_> {
    /// Lines as the text ends them.
    fn lines(&self, text: &str) -> String {
        if self.line_end == "\n" { text.to_owned() } else { text.replace('\n', self.line_end) }
    }

    /// All of a clip; `None` if there is no place for something.
    fn clip(&mut self, old: &Clip, new: &Clip, spans: &ClipSpans, origins: Option<&Origins>) -> Option<()> {
        self.added.clear();
        self.numbers(old, new, spans)?;
        for list in ClipList::ALL {
            let origins = origins.and_then(|origins| origins.get(list as usize));
            let places = (list, spans.sections.get(list as usize)?, origins.map(Vec::as_slice));
            match list {
                ClipList::Rotation => self.list(&old.rotation_curves, &new.rotation_curves, places),
                ClipList::Euler => self.list(&old.euler_curves, &new.euler_curves, places),
                ClipList::Position => self.list(&old.position_curves, &new.position_curves, places),
                ClipList::Scale => self.list(&old.scale_curves, &new.scale_curves, places),
                ClipList::Float => self.list(&old.float_curves, &new.float_curves, places),
                ClipList::Object => self.list(&old.object_curves, &new.object_curves, places),
                ClipList::Editor => self.list(&old.editor_curves, &new.editor_curves, places),
                ClipList::EulerEditor => {
                    self.list(&old.euler_editor_curves, &new.euler_editor_curves, places)
                }
                ClipList::Events => self.list(&old.events, &new.events, places),
            }?;
        }
        self.put_added(spans)
    }

    /// Puts members missing in the clip behind its last member.
    fn put_added(&mut self, spans: &ClipSpans) -> Option<()> {
        if !self.added.is_empty() {
            if !self.is_block {
                return None;
            }
            // Behind the last member, whose line goes on to its end.
            let text = format!("\n{}", self.added.trim_end_matches('\n'));
            let text = self.lines(&text);
            self.patches.replace(spans.end..spans.end, text);
        }
        Some(())
    }

    fn numbers(&mut self, old: &Clip, new: &Clip, spans: &ClipSpans) -> Option<()> {
        let numbers = &spans.numbers;
        let (a, b) = (&old.settings, &new.settings);
        self.number(
            &Some(spans.file_id.clone()),
            "",
            Value::Integer(old.file_id),
            Value::Integer(new.file_id),
        )?;
        let texts = (Value::Text(old.name.clone()), Value::Text(new.name.clone()));
        self.number(&numbers.name, "m_Name", texts.0, texts.1)?;
        let version = |clip: &Clip| clip.serialized_version.map_or(Value::Absent, Value::Integer);
        self.number(&numbers.serialized_version, "serializedVersion", version(old), version(new))?;
        let flag = |value: bool| Value::Integer(i64::from(value));
        self.number(&numbers.legacy, "m_Legacy", flag(old.legacy), flag(new.legacy))?;
        let (rate, mode) = (Value::Number, Value::Integer);
        self.number(&numbers.sample_rate, "m_SampleRate", rate(old.sample_rate), rate(new.sample_rate))?;
        self.number(&numbers.wrap_mode, "m_WrapMode", mode(old.wrap_mode), mode(new.wrap_mode))?;
        for (span, a, b) in [
            (&numbers.start_time, rate(a.start_time), rate(b.start_time)),
            (&numbers.stop_time, rate(a.stop_time), rate(b.stop_time)),
            (&numbers.loop_time, flag(a.loop_time), flag(b.loop_time)),
            (&numbers.cycle_offset, rate(a.cycle_offset), rate(b.cycle_offset)),
        ] {
            // Members of the settings cannot stand behind the last one of the clip.
            if span.is_none() && !a.is_same(&b) {
                return None;
            }
            self.number(span, "", a, b)?;
        }
        Some(())
    }

    fn number(&mut self, span: &Option<Span>, name: &str, old: Value, new: Value) -> Option<()> {
        if old.is_same(&new) {
            return Some(());
        }
        match (span, &new) {
            (_, Value::Absent) => return None,
            (Some(span), _) => replace_value(&mut self.patches, span, &new),
            (None, _) => self.added += &format!("  {name}: {}\n", new.write()),
        }
        Some(())
    }

    /// A list of curves or events.
    fn list<T: Entry + ItemValues>(
        &mut self,
        old: &[T],
        new: &[T],
        places: (ClipList, &Section, Option<&[Origin]>),
    ) -> Option<()> {
        let (list, section, origins) = places;
        if old.is_empty() && new.is_empty() {
            return Some(());
        }
        let Some(whole) = &section.whole else {
            let mut text = Text { with_flags: self.with_flags, ..Text::default() };
            text.list(list.word(), new);
            self.added += &text.text;
            return Some(());
        };
        // Nothing is left, or nothing was there: the value of the whole member.
        if new.is_empty() {
            self.patches.replace(whole.clone(), " []");
            return Some(());
        }
        if old.is_empty() {
            if !self.is_block {
                return None;
            }
            let text = format!("{}{}", self.line_end, self.entries(new));
            self.patches.replace(whole.clone(), text);
            return Some(());
        }
        let places: Option<Vec<Span>> = section.items.iter().map(|item| item.whole.clone()).collect();
        let Some(places) = places else { return self.in_brackets(old, new, section) };
        let origins = origins.map_or_else(|| Cow::Owned(edited(old, new)), Cow::Borrowed);
        let item = |at: usize| {
            let (entry, origin) = (new.get(at)?, origins.get(at)?);
            let stored = origin.entry.and_then(|place| Some((old.get(place)?, section.items.get(place)?)));
            let kept = stored.and_then(|(old, item)| self.entry(old, entry, item, origin));
            let fresh = || self.entries(std::slice::from_ref(entry)).trim_start().as_bytes().to_vec();
            Some(kept.unwrap_or_else(fresh))
        };
        let gap = self.gap(2);
        let entries = origins.iter().map(|origin| origin.entry);
        let (span, text) = rearranged(self.patches.source(), &places, &gap, entries, item)?;
        self.patches.replace(span, text);
        Some(())
    }

    /// A list in brackets, whose items have no separate lines: only values change.
    fn in_brackets<T: ItemValues>(&mut self, old: &[T], new: &[T], section: &Section) -> Option<()> {
        if old.len() != new.len() {
            return None;
        }
        for ((old, new), item) in old.iter().zip(new).zip(&section.items) {
            (old.shape() == new.shape()).then_some(())?;
            swap(&mut self.patches, &old.values(), &new.values(), &item.values)?;
        }
        Some(())
    }

    /// Text before a new item with its dash in a column.
    fn gap(&self, column: usize) -> Vec<u8> {
        format!("{}{:column$}", self.line_end, "").into_bytes()
    }

    /// Lines of entries, without the last line end. The first line has its two blanks.
    fn entries<T: Entry>(&self, entries: &[T]) -> String {
        let mut out = Text { with_flags: self.with_flags, ..Text::default() };
        entries.iter().for_each(|entry| entry.write(&mut out));
        self.lines(out.text.trim_end_matches('\n'))
    }

    /// The text of an entry; `None` if its text has no place for a difference.
    fn entry<T: Entry + ItemValues>(
        &self,
        old: &T,
        new: &T,
        item: &Item,
        origin: &Origin,
    ) -> Option<Vec<u8>> {
        let whole = item.whole.as_ref()?;
        let (before, after) = (old.values(), new.values());
        let width = new.key_width().unwrap_or(0);
        let is_in_place = old.shape() == new.shape()
            && (width == 0 || origin.keys.iter().enumerate().all(|(at, source)| *source == Some(at)));
        let mut patches = Patches::of(self.patches.source());
        if is_in_place {
            swap(&mut patches, &before, &after, &item.values)?;
            return Some(patches.within(whole));
        }
        if width == 0 || item.keys.each.len() != old.shape() || new.shape() == 0 {
            return None;
        }
        let head = after.len().checked_sub(width * new.shape())?;
        swap(&mut patches, before.get(..head)?, after.get(..head)?, item.values.get(..head)?)?;
        let keys = ChangedKeys {
            before: before.get(head..)?,
            after: after.get(head..)?,
            places: item.values.get(head..)?,
            width,
        };
        let (span, text) = self.keys(new, &keys, item, origin)?;
        patches.replace(span, text);
        Some(patches.within(whole))
    }

    /// The text of all keys of an entry, and its place.
    fn keys<T: ItemValues>(
        &self,
        new: &T,
        keys: &ChangedKeys<'_>,
        item: &Item,
        origin: &Origin,
    ) -> Option<(Span, Vec<u8>)> {
        let (spans, source) = (&item.keys.each, self.patches.source());
        let line = source.get(..spans.first()?.start)?.iter().rev();
        let column = line.take_while(|byte| !is_line_end(**byte)).count();
        let gap = self.gap(column);
        let origins = || (0..new.shape()).map(|at| origin.keys.get(at).copied().flatten());
        // A key that the file does not have looks as one beside it.
        let mut nearest = origins().flatten().next().unwrap_or(0);
        rearranged(source, spans, &gap, origins(), |at| {
            nearest = origin.keys.get(at).copied().flatten().unwrap_or(nearest);
            let kept = keys.text(source, at, nearest, spans.get(nearest)?);
            Some(kept.unwrap_or_else(|| self.fresh_key(new, at, column)))
        })
    }

    /// A key in the form of a new text, at a column.
    fn fresh_key<T: ItemValues>(&self, new: &T, key: usize, column: usize) -> Vec<u8> {
        let mut out = Text::default();
        new.write_key(key, &mut out);
        let lines = out.text.lines().map(|line| line.get(KEY_COLUMN..).unwrap_or_default());
        let lines: Vec<&str> = lines.collect();
        lines.join(&format!("{}{:column$}", self.line_end, "")).into_bytes()
    }
}

/// Values of the keys of an entry in the file and after the change, and their places in the file.
struct ChangedKeys<'a> {
    before: &'a [Value],
    after: &'a [Value],
    places: &'a [Option<Span>],
    width: usize,
}

impl ChangedKeys<'_> {
    /// The text of a key of the file with the values of a new key; `None` if the text has no place for some
    /// value.
    fn text(&self, source: &[u8], new: usize, old: usize, span: &Span) -> Option<Vec<u8>> {
        let of = |key: usize| key * self.width..(key + 1) * self.width;
        let mut patches = Patches::of(source);
        swap(&mut patches, self.before.get(of(old))?, self.after.get(of(new))?, self.places.get(of(old))?)?;
        Some(patches.within(span))
    }
}

/// Replaces differing values in their places; `None` if a value has no place.
fn swap(patches: &mut Patches<'_>, old: &[Value], new: &[Value], places: &[Option<Span>]) -> Option<()> {
    for ((old, new), span) in old.iter().zip(new).zip(places) {
        if old.is_same(new) {
            continue;
        }
        replace_value(patches, span.as_ref().filter(|_| !matches!(new, Value::Absent))?, new);
    }
    Some(())
}

/// Puts a value in the place of another.
fn replace_value(patches: &mut Patches<'_>, span: &Span, new: &Value) {
    // Where nothing stands, it may be right behind the colon.
    let before = span.start.checked_sub(1).and_then(|at| patches.source().get(at));
    let blank = if span.is_empty() && before != Some(&b' ') { " " } else { "" };
    patches.replace(span.clone(), format!("{blank}{}", new.write()));
}

/// The origins of an edit without given origins: equal entries and keys.
fn edited<T: ItemValues>(old: &[T], new: &[T]) -> Vec<Origin> {
    let entries = text::origins(old, new, |a, b| is_same(&a.values(), &b.values()));
    let origin = |(entry, new): (Option<usize>, &T)| {
        let old = entry.and_then(|at| old.get(at));
        Origin {
            entry,
            keys: old
                .map_or_else(Vec::new, |old| text::origins(&keys(old), &keys(new), |a, b| is_same(a, b))),
        }
    };
    entries.into_iter().zip(new).map(origin).collect()
}

/// The values of each key of an entry.
fn keys<T: ItemValues>(entry: &T) -> Vec<Vec<Value>> {
    let (values, width) = (entry.values(), entry.key_width().unwrap_or(0));
    let head = values.len().saturating_sub(width * entry.shape());
    values.get(head..).unwrap_or_default().chunks(width.max(1)).map(<[Value]>::to_vec).collect()
}

fn is_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
}
