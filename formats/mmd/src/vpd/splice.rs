//! Writing an edited document: the text from which it was read, with only the edited parts replaced.
//!
//! * A number, a name, the number of bones: its own text.
//! * Bones or morphs put in or taken out: the items before and after them in the list keep their text,
//!   including the number behind the word Bone or Morph.

use super::document::{Bone, Document, Morph, Pose};
use super::read::Span;
use super::read::{Parsed, parse};
use super::spans::Block;
use super::write::{CRLF, Text, anew, decimal, name_bytes};
use dopesheet_core::bytes::text::{Patches, origins};
use dopesheet_core::diag::{Fault, Report};
use std::borrow::Cow;
use std::collections::HashSet;

/// The text of a document: as read, with edited parts replaced, or anew; in CP932.
pub(super) fn text(document: &Document) -> Result<Cow<'_, [u8]>, Fault> {
    document.0.text(|source, pose| written(source, pose, None).map(Some), anew)
}

/// The text of a document changed to state `pose`, whose bones and morphs come from given positions in the file,
/// in the order of the file; `None` if there is no text to keep.
pub(super) fn rearranged(document: &Document, pose: &Pose, origins: Origins<'_>) -> Option<Vec<u8>> {
    if document.source().is_none() || document.0.is_damaged() {
        return None;
    }
    written(&text(document).ok()?, pose, Some(origins)).ok()
}

/// Places in the file of bones and of morphs; `None` for new ones.
type Origins<'a> = [&'a [Option<usize>]; 2];

/// The text `source` changed to state `pose`; without given origins, items equal to old items keep
/// the text of the old items.
fn written(source: &[u8], pose: &Pose, given: Option<Origins<'_>>) -> Result<Vec<u8>, Fault> {
    let Parsed { pose: old, spans, .. } =
        parse(source, false, &mut Report::default()).map_err(|fault| *fault)?;
    let line_end = if source.windows(2).any(|pair| pair == CRLF.as_bytes()) { CRLF } else { "\n" };
    let mut edits = VpdPatches { patches: Patches::of(source), line_end };
    edits.name(&old.parent, &pose.parent, &spans.parent, || "parent".to_owned())?;
    if old.announced_bones != pose.announced_bones {
        edits.replace(spans.announced_bones, pose.announced_bones.to_string().into_bytes());
    }
    let guessed = [origins(&old.bones, &pose.bones, is_same), origins(&old.morphs, &pose.morphs, is_same)];
    let [bones, morphs] = given.unwrap_or([&guessed[0], &guessed[1]]);
    edits.items((&old.bones, &pose.bones), bones, &spans.bones, spans.header_end)?;
    edits.items((&old.morphs, &pose.morphs), morphs, &spans.morphs, spans.trailing.start)?;
    Ok(edits.patches.apply())
}

/// A bone or morph, with the facts needed for splicing.
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

/// True if both have the same written form; numbers that are not finite equal themselves.
fn is_same<const N: usize, T: Item<N>>(a: &T, b: &T) -> bool {
    a.name() == b.name() && a.numbers().map(f32::to_bits) == b.numbers().map(f32::to_bits)
}

/// Replacements in the text.
struct VpdPatches<'a> {
    patches: Patches<'a>,
    line_end: &'static str,
}

impl VpdPatches<'_> {
    fn replace(&mut self, span: Span, text: Vec<u8>) {
        self.patches.replace(span, text);
    }

    fn name(&mut self, old: &str, new: &str, span: &Span, path: impl Fn() -> String) -> Result<(), Fault> {
        if old != new {
            self.replace(span.clone(), name_bytes(new, &path())?);
        }
        Ok(())
    }

    /// A list whose items come from positions in the file, in order, or are new; `start` is the position for
    /// the first item.
    fn items<const N: usize, T: Item<N>>(
        &mut self,
        (old, new): (&[T], &[T]),
        origins: &[Option<usize>],
        blocks: &[Block<N>],
        start: usize,
    ) -> Result<(), Fault> {
        let kept: HashSet<usize> = origins.iter().flatten().copied().collect();
        for (_, block) in blocks.iter().enumerate().filter(|(position, _)| !kept.contains(position)) {
            self.replace(block.whole.clone(), Vec::new());
        }
        let mut end = blocks.first().map_or(start, |block| block.whole.start);
        let mut text = Text::new(self.line_end);
        for (index, (item, origin)) in new.iter().zip(origins).enumerate() {
            match origin.and_then(|at| Some((old.get(at)?, blocks.get(at)?))) {
                Some((old, block)) => {
                    self.insert(end, std::mem::replace(&mut text, Text::new(self.line_end)));
                    self.item(index, old, item, block)?;
                    end = block.whole.end;
                }
                None => item.write(index, &mut text)?,
            }
        }
        self.insert(end, text);
        Ok(())
    }

    /// Puts lines in at a place.
    fn insert(&mut self, at: usize, lines: Text) {
        if lines.bytes.is_empty() {
            return;
        }
        let is_in_line = at > 0 && self.patches.source().get(at - 1) != Some(&b'\n');
        let line_end = if is_in_line { self.line_end.as_bytes() } else { &[] };
        self.replace(at..at, [line_end, &lines.bytes].concat());
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
                self.replace(span.clone(), decimal(new).into_bytes());
            }
        }
        Ok(())
    }
}
