//! Writing an edited document: the text from which it was read, with only the edited parts replaced.
//!
//! * A number, a name: its own text.
//! * Frames put in or taken out: the frames before and after them keep their text.

use super::document::{Document, Joint, Motion};
use super::read::{Parsed, numbers_of, parse};
use super::spans::{JointSpans, Span};
use super::write::{Text, anew, check_shape, push_number};
use dopesheet_core::bytes::text::{Patches, difference};
use dopesheet_core::diag::{Fault, Report};
use std::borrow::Cow;
use std::collections::HashMap;

/// The text of a document: as read, with edited parts replaced, or anew.
pub(super) fn text(document: &Document) -> Result<Cow<'_, [u8]>, Fault> {
    let spliced = |source: &[u8], motion: &Motion| {
        check_shape(motion)?;
        splice(source, motion)
    };
    document.0.text(spliced, anew)
}

/// The text `source` changed to state `motion`; `None` if joints or channels differ.
fn splice(source: &[u8], motion: &Motion) -> Result<Option<Vec<u8>>, Fault> {
    let Parsed { motion: old, spans, .. } =
        parse(source, false, &mut Report::default()).map_err(|fault| *fault)?;
    let shape = |joint: &Joint| (joint.kind, joint.parent, joint.channels.clone());
    if !old.joints.iter().map(shape).eq(motion.joints.iter().map(shape)) {
        return Ok(None);
    }
    let mut patches = BvhPatches(Patches::of(source));
    for ((old, new), spans) in old.joints.iter().zip(&motion.joints).zip(&spans.joints) {
        if !patches.joint(old, new, spans) {
            return Ok(None);
        }
    }
    if old.announced_frames != motion.announced_frames {
        patches.replace(spans.announced_frames, motion.announced_frames.to_string().into_bytes());
    }
    if old.frame_time_s.to_bits() != motion.frame_time_s.to_bits() {
        patches.replace(spans.frame_time, motion.frame_time_s.to_string().into_bytes());
    }
    let width = motion.width().max(1);
    let rows =
        |motion: &'_ Motion| motion.values.chunks_exact(width).map(<[f64]>::to_vec).collect::<Vec<_>>();
    patches.rows(&rows(&old), &rows(motion), &spans.rows, spans.rows_start);
    Ok(Some(patches.0.apply()))
}

/// True if both have the same written form; numbers that are not finite equal themselves.
fn is_same(a: &[f64], b: &[f64]) -> bool {
    a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()))
}

/// Replacements in the text.
struct BvhPatches<'a>(Patches<'a>);

impl BvhPatches<'_> {
    fn replace(&mut self, span: Span, text: Vec<u8>) {
        self.0.replace(span, text);
    }

    fn number(&mut self, span: &Span, old: f64, new: f64) {
        if old.to_bits() != new.to_bits() {
            let mut text = Vec::new();
            push_number(&mut text, new);
            self.replace(span.clone(), text);
        }
    }

    /// Replaces the edited parts of a joint; false if the text lacks the member to be replaced.
    fn joint(&mut self, old: &Joint, new: &Joint, spans: &JointSpans) -> bool {
        if old.name != new.name {
            // A name that was empty may stand right behind its word.
            let blank = if spans.name.is_empty() { " " } else { "" };
            self.replace(spans.name.clone(), format!("{blank}{}{blank}", new.name).into_bytes());
        }
        match &spans.offset {
            Some(spans) => {
                for ((span, old), new) in spans.iter().zip(old.offset).zip(new.offset) {
                    self.number(span, old, new);
                }
                true
            }
            None => is_same(&old.offset, &new.offset),
        }
    }

    /// All frames; `start` is the position for the first frame.
    fn rows(&mut self, old: &[Vec<f64>], new: &[Vec<f64>], spans: &[Span], start: usize) {
        if old.len() == new.len() {
            for ((old, new), span) in old.iter().zip(new).zip(spans).filter(|((a, b), _)| !is_same(a, b)) {
                let places = numbers_of(self.0.source(), span);
                for ((old, new), span) in old.iter().zip(new).zip(&places) {
                    self.number(span, *old, *new);
                }
            }
            return;
        }
        let [gone, put] = difference(old, new, |a, b| is_same(a, b));
        let first = gone.start;
        let (gone, put) = (&spans[gone], &new[put]);
        let line_end = if self.0.source().windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let before = first.checked_sub(1).map_or(start, |row| spans[row].end);
        let mut text = Text::default();
        // Frames that moved keep their text.
        let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
        let old_spans: HashMap<Vec<u64>, &Span> = old.iter().map(|row| bits(row)).zip(spans).collect();
        for row in put {
            text.bytes.extend_from_slice(line_end.as_bytes());
            match old_spans.get(&bits(row)).and_then(|span| self.0.source().get((*span).clone())) {
                Some(old_text) => text.bytes.extend_from_slice(old_text),
                None => text.row(row, ""),
            }
        }
        let end = gone.last().map_or(before, |span| span.end);
        self.replace(before..end, text.bytes);
    }
}
