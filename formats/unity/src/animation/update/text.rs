//! The text of a file after a change: entries and keys that the file has keep their text but for the values that differ, whatever
//! became of their places.

use super::origin::{Origin, Origins};
use crate::animation::document::{Clip, File};
use crate::animation::spans::{ClipSpans, Item, List, Section, Span};
use crate::animation::splice::Edits;
use crate::animation::values::{Value, Values};
use crate::animation::write::{Entry, Text, has_flags};
use dopesheet_core::bytes::text::Patches;

/// Columns that a new text has before the dash of a key.
const KEY_COLUMN: usize = 6;

/// The text of `new`, whose curves and keys come from `old`; `None` if there is no place for something.
pub(super) fn text(
    source: &[u8],
    [old, new]: [&File; 2],
    spans: &[ClipSpans],
    origins: &[Origins],
) -> Option<Vec<u8>> {
    let mut edits = Edits::of(source);
    for (((old, new), spans), origins) in old.clips.iter().zip(&new.clips).zip(spans).zip(origins) {
        (edits.with_flags, edits.is_block) = (has_flags(new), spans.is_block);
        edits.rearranged(old, new, spans, origins)?;
    }
    Some(edits.patches.apply())
}

impl Edits<'_> {
    fn rearranged(&mut self, old: &Clip, new: &Clip, spans: &ClipSpans, origins: &Origins) -> Option<()> {
        self.added.clear();
        self.numbers(old, new, spans)?;
        for list in List::ALL {
            let places = (list, spans.sections.get(list as usize)?, origins.get(list as usize)?.as_slice());
            match list {
                List::Rotation => self.entries_of(&old.rotation_curves, &new.rotation_curves, places),
                List::Euler => self.entries_of(&old.euler_curves, &new.euler_curves, places),
                List::Position => self.entries_of(&old.position_curves, &new.position_curves, places),
                List::Scale => self.entries_of(&old.scale_curves, &new.scale_curves, places),
                List::Float => self.entries_of(&old.float_curves, &new.float_curves, places),
                List::Object => self.list(list, &old.object_curves, &new.object_curves, places.1),
                List::Editor => self.entries_of(&old.editor_curves, &new.editor_curves, places),
                List::EulerEditor => {
                    self.entries_of(&old.euler_editor_curves, &new.euler_editor_curves, places)
                }
                List::Events => self.entries_of(&old.events, &new.events, places),
            }?;
        }
        self.put_added(spans)
    }

    fn slice(&self, span: &Span) -> &[u8] {
        self.patches.source().get(span.clone()).unwrap_or_default()
    }

    /// A list of curves or events.
    fn entries_of<T: Entry + Values>(
        &mut self,
        old: &[T],
        new: &[T],
        (list, section, origins): (List, &Section, &[Origin]),
    ) -> Option<()> {
        if section.whole.is_none() || old.is_empty() || new.is_empty() {
            return self.list(list, old, new, section);
        }
        let places: Option<Vec<Span>> = section.items.iter().map(|item| item.whole.clone()).collect();
        let places = places?;
        let mut out = Vec::new();
        for (at, (entry, origin)) in new.iter().zip(origins).enumerate() {
            if at > 0 {
                out.extend(self.before(&places, origin.entry, 2));
            }
            let own = origin.entry.and_then(|place| Some((old.get(place)?, section.items.get(place)?)));
            let kept = own.and_then(|(old, item)| self.entry(old, entry, item, origin));
            out.extend(kept.unwrap_or_else(|| {
                self.entries(std::slice::from_ref(entry)).trim_start().as_bytes().to_vec()
            }));
        }
        self.patches.put(places.first()?.start..places.last()?.end, out);
        Some(())
    }

    /// Text between an item and the one before it: that of the file, or a new line.
    fn before(&self, places: &[Span], origin: Option<usize>, column: usize) -> Vec<u8> {
        let own = origin.and_then(|at| {
            let before = places.get(at.checked_sub(1)?)?;
            Some(self.slice(&(before.end..places.get(at)?.start)).to_vec())
        });
        own.unwrap_or_else(|| format!("{}{:column$}", self.line_end, "").into_bytes())
    }

    /// The text of an entry; `None` if it has no place for what differs.
    fn entry<T: Entry + Values>(&self, old: &T, new: &T, item: &Item, origin: &Origin) -> Option<Vec<u8>> {
        let whole = item.whole.as_ref()?;
        let (before, after) = (old.values(), new.values());
        let width = new.key_width().unwrap_or(0);
        let head = after.len().checked_sub(width * new.shape())?;
        let head = if width == 0 { after.len() } else { head };
        let mut patches = Patches::of(self.patches.source());
        swap(&mut patches, before.get(..head)?, after.get(..head)?, item.values.get(..head)?)?;
        let is_in_place = old.shape() == new.shape()
            && (width == 0 || origin.keys.iter().enumerate().all(|(at, own)| *own == Some(at)));
        let keys = Keys {
            before: before.get(head..)?,
            after: after.get(head..)?,
            places: item.values.get(head..)?,
            width,
        };
        if !is_in_place {
            if item.keys.each.len() != old.shape() || new.shape() == 0 {
                return None;
            }
            let list = item.keys.each.first()?.start..item.keys.each.last()?.end;
            patches.put(list, self.keys(new, &keys, item, origin)?);
        } else {
            swap(&mut patches, keys.before, keys.after, keys.places)?;
        }
        Some(patches.within(whole))
    }

    /// The text of all keys of an entry.
    fn keys<T: Entry + Values>(
        &self,
        new: &T,
        keys: &Keys<'_>,
        item: &Item,
        origin: &Origin,
    ) -> Option<Vec<u8>> {
        let spans = &item.keys.each;
        let first = spans.first()?.start;
        let line = self
            .patches
            .source()
            .get(..first)?
            .iter()
            .rev()
            .take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        let column = line.count();
        let mut out = Vec::new();
        let mut nearest = origin.keys.iter().flatten().next().copied().unwrap_or(0);
        for at in 0..new.shape() {
            let own = origin.keys.get(at).copied().flatten();
            if at > 0 {
                out.extend(self.before(spans, own, column));
            }
            nearest = own.unwrap_or(nearest);
            let kept = keys.text(self.patches.source(), at, nearest, spans.get(nearest)?);
            out.extend(kept.unwrap_or_else(|| self.fresh_key(new, at, column)));
        }
        Some(out)
    }

    /// A key as a new text has it, at a column.
    fn fresh_key<T: Values>(&self, new: &T, key: usize, column: usize) -> Vec<u8> {
        let mut out = Text::default();
        new.write_key(key, &mut out);
        let lines = out.text.lines().map(|line| line.get(KEY_COLUMN..).unwrap_or_default());
        let lines: Vec<&str> = lines.collect();
        lines.join(&format!("{}{:column$}", self.line_end, "")).into_bytes()
    }
}

/// Values of the keys of an entry in the file and after the change, and their places in the file.
struct Keys<'a> {
    before: &'a [Value],
    after: &'a [Value],
    places: &'a [Option<Span>],
    width: usize,
}

impl Keys<'_> {
    /// The text of a key of the file with the values of a new one; `None` if it has no place for one of them.
    fn text(&self, source: &[u8], new: usize, old: usize, span: &Span) -> Option<Vec<u8>> {
        let of = |key: usize| key * self.width..(key + 1) * self.width;
        let mut patches = Patches::of(source);
        swap(&mut patches, self.before.get(of(old))?, self.after.get(of(new))?, self.places.get(of(old))?)?;
        Some(patches.within(span))
    }
}

/// Puts values in the places of others where they differ; `None` if one has no place.
fn swap(patches: &mut Patches<'_>, old: &[Value], new: &[Value], places: &[Option<Span>]) -> Option<()> {
    for ((old, new), place) in old.iter().zip(new).zip(places) {
        if old.is_same(new) {
            continue;
        }
        let span = place.clone().filter(|_| !matches!(new, Value::Absent))?;
        // Where nothing stands, it may be right behind the colon.
        let before = span.start.checked_sub(1).and_then(|at| patches.source().get(at));
        let blank = if span.is_empty() && before != Some(&b' ') { " " } else { "" };
        patches.put(span, format!("{blank}{}", new.write()));
    }
    Some(())
}
