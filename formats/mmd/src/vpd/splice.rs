//! Writing an edited document: the text it was read from, with only what was edited replaced.
//!
//! * A number, a name, the number of bones: its own text.
//! * Bones or morphs put in or taken out: what stands before and after them in the list keeps its text, its number
//!   behind the word Bone or Morph included.

use super::document::{Bone, Document, Morph, Pose};
use super::read::{Parsed, parse};
use super::scan::Span;
use super::spans::Block;
use super::write::{CRLF, Text, anew, decimal, name_bytes};
use dopesheet_core::bytes::text::{Patches, difference};
use dopesheet_core::diag::{Fault, Report};
use std::borrow::Cow;
use std::collections::HashSet;

/// The text of a document: as it was read, with what was edited put in its place, or anew; in CP932.
pub(super) fn text(document: &Document) -> Result<Cow<'_, [u8]>, Fault> {
    document.0.text(|source, pose| splice(source, pose).map(Some), anew)
}

/// The text `source` made to say `pose`.
fn splice(source: &[u8], pose: &Pose) -> Result<Vec<u8>, Fault> {
    let Parsed { pose: old, spans, .. } =
        parse(source, false, &mut Report::default()).map_err(|fault| *fault)?;
    let line_end = if source.windows(2).any(|pair| pair == CRLF.as_bytes()) { CRLF } else { "\n" };
    let mut edits = Edits { patches: Patches::of(source), line_end };
    edits.name(&old.parent, &pose.parent, &spans.parent, || "parent".to_owned())?;
    if old.announced_bones != pose.announced_bones {
        edits.put(spans.announced_bones, pose.announced_bones.to_string().into_bytes());
    }
    edits.items(&old.bones, &pose.bones, &spans.bones, spans.header_end)?;
    edits.items(&old.morphs, &pose.morphs, &spans.morphs, spans.trailing.start)?;
    Ok(edits.patches.apply())
}

/// The text of a document made to say `pose`, whose bones and morphs come from places in the file, in its order; `None` if it has no text
/// to keep.
pub(super) fn rearranged(
    document: &Document,
    pose: &Pose,
    [bones, morphs]: [&[Option<usize>]; 2],
) -> Option<Vec<u8>> {
    if document.source().is_none() || document.0.is_damaged() {
        return None;
    }
    let source = text(document).ok()?;
    let Parsed { pose: old, spans, .. } = parse(&source, false, &mut Report::default()).ok()?;
    let line_end = if source.windows(2).any(|pair| pair == CRLF.as_bytes()) { CRLF } else { "\n" };
    let mut edits = Edits { patches: Patches::of(&source), line_end };
    edits.name(&old.parent, &pose.parent, &spans.parent, || "parent".to_owned()).ok()?;
    if old.announced_bones != pose.announced_bones {
        edits.put(spans.announced_bones, pose.announced_bones.to_string().into_bytes());
    }
    edits.moved((&old.bones, &pose.bones), bones, &spans.bones, spans.header_end)?;
    edits.moved((&old.morphs, &pose.morphs), morphs, &spans.morphs, spans.trailing.start)?;
    Some(edits.patches.apply())
}

/// A bone or morph, as far as splicing needs to know it.
trait Item<const N: usize> {
    const LIST: &'static str;
    fn name(&self) -> &str;
    fn numbers(&self) -> [f32; N];
    fn write(&self, index: usize, out: &mut Text) -> Result<(), Fault>;
}

impl Item<7> for Bone {
    const LIST: &'static str = "bones";

    fn name(&self) -> &str {
        &self.name
    }

    fn numbers(&self) -> [f32; 7] {
        let ([x, y, z], [a, b, c, d]) = (self.translation, self.rotation);
        [x, y, z, a, b, c, d]
    }

    fn write(&self, index: usize, out: &mut Text) -> Result<(), Fault> {
        out.bone(index, self)
    }
}

impl Item<1> for Morph {
    const LIST: &'static str = "morphs";

    fn name(&self) -> &str {
        &self.name
    }

    fn numbers(&self) -> [f32; 1] {
        [self.weight]
    }

    fn write(&self, index: usize, out: &mut Text) -> Result<(), Fault> {
        out.morph(index, self)
    }
}

/// True if both are written alike; numbers that are not finite equal themselves.
fn is_same<const N: usize, T: Item<N>>(a: &T, b: &T) -> bool {
    a.name() == b.name() && a.numbers().map(f32::to_bits) == b.numbers().map(f32::to_bits)
}

/// Replacements in the text.
struct Edits<'a> {
    patches: Patches<'a>,
    line_end: &'static str,
}

impl Edits<'_> {
    fn put(&mut self, span: Span, text: Vec<u8>) {
        self.patches.put(span, text);
    }

    fn name(&mut self, old: &str, new: &str, span: &Span, path: impl Fn() -> String) -> Result<(), Fault> {
        if old != new {
            self.put(span.clone(), name_bytes(new, &path())?);
        }
        Ok(())
    }

    /// A list of bones or morphs; the first one would stand at `start`.
    fn items<const N: usize, T: Item<N>>(
        &mut self,
        old: &[T],
        new: &[T],
        blocks: &[Block<N>],
        start: usize,
    ) -> Result<(), Fault> {
        if old.len() == new.len() {
            for (index, ((old, new), block)) in old.iter().zip(new).zip(blocks).enumerate() {
                self.item(index, old, new, block)?;
            }
            return Ok(());
        }
        let [gone, put] = difference(old, new, is_same);
        let (gone, before) = (&blocks[gone], put.start.checked_sub(1));
        let from = match (gone.first(), before) {
            (Some(block), _) => block.whole.start,
            (None, Some(before)) => blocks[before].whole.end,
            (None, None) => blocks.first().map_or(start, |block| block.whole.start),
        };
        let to = gone.last().map_or(from, |block| block.whole.end);
        let mut text = Text::new(self.line_end);
        if !put.is_empty() && from > 0 && self.patches.source().get(from - 1) != Some(&b'\n') {
            text.line_end();
        }
        for index in put {
            new[index].write(index, &mut text)?;
        }
        self.put(from..to, text.bytes);
        Ok(())
    }

    /// A list whose items come from places in the file, in its order; new ones stand behind them.
    fn moved<const N: usize, T: Item<N>>(
        &mut self,
        (old, new): (&[T], &[T]),
        origins: &[Option<usize>],
        blocks: &[Block<N>],
        start: usize,
    ) -> Option<()> {
        let kept: HashSet<usize> = origins.iter().flatten().copied().collect();
        for (_, block) in blocks.iter().enumerate().filter(|(place, _)| !kept.contains(place)) {
            self.put(block.whole.clone(), Vec::new());
        }
        let end = blocks.last().map_or(start, |block| block.whole.end);
        let mut text = Text::new(self.line_end);
        for (index, (item, origin)) in new.iter().zip(origins).enumerate() {
            match origin {
                Some(place) => self.item(index, old.get(*place)?, item, blocks.get(*place)?).ok()?,
                None => {
                    if text.bytes.is_empty() && end > 0 && self.patches.source().get(end - 1) != Some(&b'\n')
                    {
                        text.line_end();
                    }
                    item.write(index, &mut text).ok()?;
                }
            }
        }
        if !text.bytes.is_empty() {
            self.put(end..end, text.bytes);
        }
        Some(())
    }

    fn item<const N: usize, T: Item<N>>(
        &mut self,
        index: usize,
        old: &T,
        new: &T,
        block: &Block<N>,
    ) -> Result<(), Fault> {
        self.name(old.name(), new.name(), &block.name, || format!("{}[{index}].name", T::LIST))?;
        for ((old, new), span) in old.numbers().into_iter().zip(new.numbers()).zip(&block.numbers) {
            if old.to_bits() != new.to_bits() {
                self.put(span.clone(), decimal(new).into_bytes());
            }
        }
        Ok(())
    }
}
