//! One clip.

use super::super::codes;
use super::super::document::Clip;
use super::super::spans::{ClipList, ClipSpans, Item, Section, Span};
use super::Parser;
use super::curves::{self, Entry};
use crate::yaml::{Slot, SlotKind, YamlCursor};
use dopesheet_core::bytes::Read;

impl Parser<'_, '_> {
    pub(super) fn clip(
        &mut self,
        cursor: &mut YamlCursor<'_>,
        slot: Slot,
        file_id: i64,
        file_id_span: Span,
    ) -> Read<()> {
        let mut clip = Clip { file_id, serialized_version: None, ..Clip::default() };
        let mut spans = ClipSpans { file_id: file_id_span, start: cursor.position(), ..ClipSpans::default() };
        spans.is_block = matches!(cursor.kind(slot), SlotKind::Map(2));
        cursor.members(slot, |cursor, name, slot| self.member(cursor, name, slot, &mut clip, &mut spans))?;
        spans.end = cursor.position();
        self.parsed.file.clips.push(clip);
        self.parsed.spans.push(spans);
        Ok(())
    }

    fn member(
        &mut self,
        cursor: &mut YamlCursor<'_>,
        name: &str,
        slot: Slot,
        clip: &mut Clip,
        spans: &mut ClipSpans,
    ) -> Read<()> {
        let numbers = &mut spans.numbers;
        match name {
            "m_Name" => {
                let scalar = cursor.scalar(slot)?;
                (clip.name, numbers.name) = (scalar.text.into_owned(), Some(scalar.span));
                Ok(())
            }
            "serializedVersion" => {
                let (version, span) = cursor.integer(slot)?;
                (clip.serialized_version, numbers.serialized_version) = (Some(version), Some(span));
                Ok(())
            }
            "m_Legacy" => switch(cursor, slot, &mut clip.legacy, &mut numbers.legacy),
            "m_SampleRate" => number(cursor, slot, &mut clip.sample_rate, &mut numbers.sample_rate),
            "m_WrapMode" => {
                let (mode, span) = cursor.integer(slot)?;
                (clip.wrap_mode, numbers.wrap_mode) = (mode, Some(span));
                Ok(())
            }
            "m_AnimationClipSettings" => settings(cursor, slot, clip, spans),
            "m_CompressedRotationCurves" => {
                clip.compressed_rotation_curves = 0;
                cursor.items(slot, |cursor, _, slot| {
                    clip.compressed_rotation_curves = clip.compressed_rotation_curves.saturating_add(1);
                    cursor.skip(slot)
                })
            }
            _ => match ClipList::ALL.into_iter().find(|list| list.word() == name) {
                Some(list) => self.list(cursor, slot, list, clip, spans),
                None => cursor.skip(slot),
            },
        }
    }

    fn list(
        &mut self,
        cursor: &mut YamlCursor<'_>,
        slot: Slot,
        list: ClipList,
        clip: &mut Clip,
        spans: &mut ClipSpans,
    ) -> Read<()> {
        let section = match list {
            ClipList::Rotation => self.entries(cursor, slot, &mut clip.rotation_curves, curves::transform)?,
            ClipList::Euler => self.entries(cursor, slot, &mut clip.euler_curves, curves::transform)?,
            ClipList::Position => self.entries(cursor, slot, &mut clip.position_curves, curves::transform)?,
            ClipList::Scale => self.entries(cursor, slot, &mut clip.scale_curves, curves::transform)?,
            ClipList::Float => self.entries(cursor, slot, &mut clip.float_curves, curves::float)?,
            ClipList::Object => self.entries(cursor, slot, &mut clip.object_curves, curves::object)?,
            ClipList::Editor => self.entries(cursor, slot, &mut clip.editor_curves, curves::float)?,
            ClipList::EulerEditor => {
                self.entries(cursor, slot, &mut clip.euler_editor_curves, curves::float)?
            }
            ClipList::Events => {
                spans.has_events = true;
                self.entries(cursor, slot, &mut clip.events, curves::event)?
            }
        };
        if let Some(slot) = spans.sections.get_mut(list as usize) {
            *slot = section;
        }
        Ok(())
    }

    /// The curves or events of a list.
    fn entries<T>(
        &mut self,
        cursor: &mut YamlCursor<'_>,
        slot: Slot,
        out: &mut Vec<T>,
        read: impl Fn(&mut YamlCursor<'_>, Slot) -> Read<Entry<T>>,
    ) -> Read<Section> {
        out.clear();
        let start = cursor.position();
        let mut section = Section::default();
        let kind = cursor.kind(slot);
        cursor.items(slot, |cursor, _, slot| {
            let before = *cursor;
            let start = cursor.position().saturating_sub(1);
            let entry = match read(cursor, slot) {
                Ok(entry) => entry,
                Err(fault) => {
                    self.forgive(fault)?;
                    if let Slot::Item(column) = slot {
                        *cursor = before;
                        cursor.leave_item(column);
                    }
                    return Ok(());
                }
            };
            let whole = matches!(kind, SlotKind::List(2)).then(|| start..cursor.position());
            section.items.push(Item { whole, values: entry.values, keys: entry.keys });
            out.push(entry.item);
            Ok(())
        })?;
        section.whole = Some(start..cursor.position());
        Ok(section)
    }
}

fn number(cursor: &mut YamlCursor<'_>, slot: Slot, out: &mut f32, at: &mut Option<Span>) -> Read<()> {
    let (value, span) = cursor.number(slot)?;
    (*out, *at) = (value, Some(span));
    Ok(())
}

fn switch(cursor: &mut YamlCursor<'_>, slot: Slot, out: &mut bool, at: &mut Option<Span>) -> Read<()> {
    let (value, span) = cursor.integer(slot)?;
    if !matches!(value, 0 | 1) {
        return Err(cursor.fault_at(&span, codes::NUMBER.code, "0 or 1"));
    }
    (*out, *at) = (value == 1, Some(span));
    Ok(())
}

fn settings(cursor: &mut YamlCursor<'_>, slot: Slot, clip: &mut Clip, spans: &mut ClipSpans) -> Read<()> {
    let (settings, numbers) = (&mut clip.settings, &mut spans.numbers);
    cursor.members(slot, |cursor, name, slot| match name {
        "m_StartTime" => number(cursor, slot, &mut settings.start_time, &mut numbers.start_time),
        "m_StopTime" => number(cursor, slot, &mut settings.stop_time, &mut numbers.stop_time),
        "m_LoopTime" => switch(cursor, slot, &mut settings.loop_time, &mut numbers.loop_time),
        "m_CycleOffset" => number(cursor, slot, &mut settings.cycle_offset, &mut numbers.cycle_offset),
        _ => cursor.skip(slot),
    })
}
