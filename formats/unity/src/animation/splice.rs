//! Writing an edited document: the text it was read from, with only what was edited replaced.
//!
//! * A number, a name: its own text.
//! * Keys put in or taken out: the curve they belong to.
//! * Curves or events put in or taken out: what stands before and after them in the list keeps its text.
//! * What the text has no member for: a member behind the last one of the clip.
//!
//! If there are other clips than were read, or members do not stand where Unity puts them, the whole text is written anew.

use super::document::{Clip, Document, File};
use super::read::{Parsed, parse};
use super::spans::{ClipSpans, Item, List, Section, Span};
use super::values::{Value, Values};
use super::write::{Entry, Text, anew, has_flags};
use dopesheet_core::bytes::text::{Patches, difference};
use dopesheet_core::diag::{Fault, Report};
use std::borrow::Cow;

/// The text of a document: as it was read, with what was edited put in its place, or anew.
pub(super) fn text(document: &Document) -> Result<Cow<'_, [u8]>, Fault> {
    document.0.text(splice, |file| Ok(anew(file)))
}

/// The text `source` made to say `file`; `None` if that takes another text.
fn splice(source: &[u8], file: &File) -> Result<Option<Vec<u8>>, Fault> {
    let Parsed { file: old, spans, .. } =
        parse(source, false, &mut Report::default()).map_err(|fault| *fault)?;
    if old.clips.len() != file.clips.len() {
        return Ok(None);
    }
    let mut edits = Edits::of(source);
    for ((old, new), spans) in old.clips.iter().zip(&file.clips).zip(&spans) {
        (edits.with_flags, edits.is_block) = (has_flags(new), spans.is_block);
        if edits.clip(old, new, spans).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(edits.patches.apply()))
}

/// Replacements in the text.
pub(super) struct Edits<'a> {
    pub(super) patches: Patches<'a>,
    pub(super) line_end: &'static str,
    /// Members that the clip at hand has no place for, with line feeds.
    pub(super) added: String,
    pub(super) with_flags: bool,
    pub(super) is_block: bool,
}

impl<'a> Edits<'a> {
    pub(super) fn of(source: &'a [u8]) -> Self {
        let line_end = if source.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let (added, with_flags, is_block) = (String::new(), false, false);
        Self { patches: Patches::of(source), line_end, added, with_flags, is_block }
    }
}

impl Edits<'_> {
    /// Lines as the text ends them.
    pub(super) fn lines(&self, text: &str) -> String {
        if self.line_end == "\n" { text.to_owned() } else { text.replace('\n', self.line_end) }
    }

    fn put(&mut self, span: &Span, text: &str) {
        // Where nothing stands, it may be right behind the colon.
        let before = span.start.checked_sub(1).and_then(|at| self.patches.source().get(at));
        let blank = if span.is_empty() && before != Some(&b' ') { " " } else { "" };
        self.patches.put(span.clone(), format!("{blank}{text}"));
    }

    /// All of a clip; `None` if there is no place for something.
    fn clip(&mut self, old: &Clip, new: &Clip, spans: &ClipSpans) -> Option<()> {
        self.added.clear();
        self.numbers(old, new, spans)?;
        for list in List::ALL {
            let section = spans.sections.get(list as usize)?;
            match list {
                List::Rotation => self.list(list, &old.rotation_curves, &new.rotation_curves, section),
                List::Euler => self.list(list, &old.euler_curves, &new.euler_curves, section),
                List::Position => self.list(list, &old.position_curves, &new.position_curves, section),
                List::Scale => self.list(list, &old.scale_curves, &new.scale_curves, section),
                List::Float => self.list(list, &old.float_curves, &new.float_curves, section),
                List::Object => self.list(list, &old.object_curves, &new.object_curves, section),
                List::Editor => self.list(list, &old.editor_curves, &new.editor_curves, section),
                List::EulerEditor => {
                    self.list(list, &old.euler_editor_curves, &new.euler_editor_curves, section)
                }
                List::Events => self.list(list, &old.events, &new.events, section),
            }?;
        }
        self.put_added(spans)
    }

    /// Puts members that the clip has no place for behind its last one.
    pub(super) fn put_added(&mut self, spans: &ClipSpans) -> Option<()> {
        if !self.added.is_empty() {
            if !self.is_block {
                return None;
            }
            // Behind the last member, whose line goes on to its end.
            let text = format!("\n{}", self.added.trim_end_matches('\n'));
            let text = self.lines(&text);
            self.patches.put(spans.end..spans.end, text);
        }
        Some(())
    }

    pub(super) fn numbers(&mut self, old: &Clip, new: &Clip, spans: &ClipSpans) -> Option<()> {
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
        for (place, a, b) in [
            (&numbers.start_time, rate(a.start_time), rate(b.start_time)),
            (&numbers.stop_time, rate(a.stop_time), rate(b.stop_time)),
            (&numbers.loop_time, flag(a.loop_time), flag(b.loop_time)),
            (&numbers.cycle_offset, rate(a.cycle_offset), rate(b.cycle_offset)),
        ] {
            // Members of the settings cannot stand behind the last one of the clip.
            if place.is_none() && !a.is_same(&b) {
                return None;
            }
            self.number(place, "", a, b)?;
        }
        Some(())
    }

    fn number(&mut self, place: &Option<Span>, name: &str, old: Value, new: Value) -> Option<()> {
        if old.is_same(&new) {
            return Some(());
        }
        match (place, &new) {
            (_, Value::Absent) => return None,
            (Some(span), _) => self.put(span, &new.write()),
            (None, _) => self.added += &format!("  {name}: {}\n", new.write()),
        }
        Some(())
    }

    pub(super) fn list<T: Entry + Values>(
        &mut self,
        list: List,
        old: &[T],
        new: &[T],
        section: &Section,
    ) -> Option<()> {
        if old.len() == new.len() {
            for ((old, new), item) in old.iter().zip(new).zip(&section.items) {
                if !self.values(old, new, item) {
                    let text = self.entries(std::slice::from_ref(new));
                    self.patches.put(item.whole.clone()?, text.trim_start().to_owned());
                }
            }
            return Some(());
        }
        let [gone, put] = difference(old, new, is_same);
        let (first, end) = (gone.start, gone.end);
        let (gone, put) = (section.items.get(gone)?, new.get(put)?);
        let Some(whole) = &section.whole else {
            let mut text = Text { with_flags: self.with_flags, ..Text::default() };
            text.list(list.word(), new);
            self.added += &text.text;
            return Some(());
        };
        // Nothing is left, or nothing was there: the value of the whole member.
        if new.is_empty() {
            self.patches.put(whole.clone(), " []");
            return Some(());
        }
        let text = self.entries(put);
        if old.is_empty() {
            if !self.is_block {
                return None;
            }
            self.patches.put(whole.clone(), format!("{}{text}", self.line_end));
            return Some(());
        }
        let before = match first.checked_sub(1) {
            Some(before) => section.items.get(before)?.whole.as_ref()?.end,
            None => section.items.first()?.whole.as_ref()?.start,
        };
        match (gone.first(), gone.last()) {
            (Some(from), Some(to)) => {
                let (from, to) = (from.whole.as_ref()?.start, to.whole.as_ref()?.end);
                match put.is_empty() {
                    // With the line end before it, or the one behind it where it is the first.
                    true if first > 0 => self.patches.put(before..to, ""),
                    true => {
                        let next = section.items.get(end)?.whole.as_ref()?.start;
                        self.patches.put(from..next, "");
                    }
                    false => self.patches.put(from..to, text.trim_start().to_owned()),
                }
            }
            _ if first > 0 => self.patches.put(before..before, format!("{}{text}", self.line_end)),
            _ => self.patches.put(before..before, format!("{}{}  ", text.trim_start(), self.line_end)),
        }
        Some(())
    }

    /// Lines of entries, without the line end of the last one. The first one has its two blanks.
    pub(super) fn entries<T: Entry>(&self, entries: &[T]) -> String {
        let mut out = Text { with_flags: self.with_flags, ..Text::default() };
        entries.iter().for_each(|entry| entry.write(&mut out));
        self.lines(out.text.trim_end_matches('\n'))
    }

    /// Value by value; `false` if the entry has another shape or no place for one of them.
    fn values<T: Values>(&mut self, old: &T, new: &T, item: &Item) -> bool {
        let (old_values, new_values) = (old.values(), new.values());
        if old.shape() != new.shape() {
            return false;
        }
        let changed = || {
            let both = old_values.iter().zip(&new_values).enumerate();
            both.filter(|(_, (a, b))| !a.is_same(b)).map(|(at, (_, new))| (at, new))
        };
        let place = |at: usize| item.values.get(at).and_then(Option::as_ref);
        if changed().any(|(at, new)| matches!(new, Value::Absent) || place(at).is_none()) {
            return false;
        }
        for (at, new) in changed() {
            if let Some(span) = place(at) {
                let (span, text) = (span.clone(), new.write());
                self.put(&span, &text);
            }
        }
        true
    }
}

fn is_same<T: Values>(a: &T, b: &T) -> bool {
    let (a, b) = (a.values(), b.values());
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.is_same(b))
}
