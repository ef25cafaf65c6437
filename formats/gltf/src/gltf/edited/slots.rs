//! Places in the lists of a document freed by replaced animations. New items take these places, so that other
//! numbers change only if fewer items are added than removed.

use crate::container::ALIGNMENT;
use crate::gltf::document::Document;
use crate::gltf::json::numbers::{ItemNumbers, Numbered};
use crate::gltf::json::parts::BufferView;
use crate::gltf::json::splice::{JsonPatches, references};
use dopesheet_core::bytes::json::Span;
use dopesheet_core::diag::Report;
use dopesheet_core::order::by_number;
use dopesheet_core::words::counted;
use std::ops::Range;

/// Places for new items of a list: free places first, then behind its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// Increasing.
    free: Vec<usize>,
    length: usize,
}

impl Slots {
    /// Behind the end of a list.
    pub(crate) const fn behind(length: usize) -> Self {
        Self { free: Vec::new(), length }
    }

    /// Free places of a list, increasing, then behind its end.
    pub(crate) fn of(free: &[usize], length: usize) -> Self {
        Self { free: free.to_vec(), length }
    }

    /// The place of the `number`th new item.
    pub(crate) fn slot(&self, number: usize) -> usize {
        let behind = || self.length + number - self.free.len();
        self.free.get(number).copied().unwrap_or_else(behind)
    }

    /// Puts `items` into a top-level list. Remaining free places are removed from the list, and `numbers` of
    /// the items behind them are lowered in the text.
    pub(crate) fn fill(
        &self,
        edits: &mut JsonPatches<'_>,
        name: &str,
        items: &[String],
        numbers: &[Numbered],
    ) {
        let (inside, behind) = items.split_at(items.len().min(self.free.len()));
        let texts = inside.iter().cloned().map(Some).chain(std::iter::repeat(None));
        edits.exchange(name, &self.free.iter().copied().zip(texts).collect::<Vec<_>>());
        edits.append(name, behind);
        let left = self.free.get(inside.len()..).unwrap_or_default();
        for (number, number_span) in numbers {
            let lower = left.partition_point(|gone| gone < number);
            if lower > 0 {
                edits.replace(number_span.clone(), (number - lower).to_string());
            }
        }
    }
}

/// Items used only by animations about to be removed.
pub(crate) struct Freed {
    pub(crate) accessors: Slots,
    pub(crate) views: Slots,
    /// The places of all remaining numbers of accessors and of views.
    pub(crate) numbers: ItemNumbers,
    views_kept: Vec<bool>,
}

impl Freed {
    /// Nothing: all items stay.
    pub(crate) fn nothing(document: &Document) -> Self {
        let parts = &document.parts;
        Self {
            accessors: Slots::behind(parts.accessors.len()),
            views: Slots::behind(parts.buffer_views.len()),
            numbers: ItemNumbers::default(),
            views_kept: vec![true; parts.buffer_views.len()],
        }
    }

    /// All items used only by these animations of a document; nothing if unknown members may refer to items, which is reported.
    pub(crate) fn by_animations(document: &Document, gone: &[usize], report: &mut Report) -> Self {
        let parts = &document.parts;
        let mut numbers = ItemNumbers::of(&document.json);
        if numbers.may_be_more {
            let animations = counted(gone.len(), "animation");
            report.kept_as_data(format!(
                "the old keys of {animations}, to which extras or an unknown extension may refer"
            ));
            return Self::nothing(document);
        }
        let edits = JsonPatches::new(&document.json);
        let accessors = free(&mut numbers.accessors, &edits.items("animations"), gone, parts.accessors.len());
        let views = free(&mut numbers.views, &edits.items("accessors"), &accessors, parts.buffer_views.len());
        let mut views_kept = vec![true; parts.buffer_views.len()];
        views.iter().for_each(|view| views_kept[*view] = false);
        Self {
            accessors: Slots { free: accessors, length: parts.accessors.len() },
            views: Slots { free: views, length: parts.buffer_views.len() },
            numbers,
            views_kept,
        }
    }

    /// The bytes of the first buffer used only by freed views, in whole words.
    pub(crate) fn cuts(&self, document: &Document) -> Cuts {
        let ranges = |wanted: bool| {
            let views = document.parts.buffer_views.iter().zip(&self.views_kept);
            let views = views.filter(move |(_, kept)| **kept == wanted).map(|(view, _)| view);
            views.flat_map(ranges_in_first_buffer)
        };
        let [freed, kept] = [false, true].map(|wanted| {
            let mut ranges: Vec<Range<usize>> = ranges(wanted).collect();
            by_number(&mut ranges, |range| range.start as f64);
            ranges
        });
        let mut cuts = Cuts::default();
        for range in freed {
            cuts.add_without(range, &kept);
        }
        cuts
    }
}

/// Parts to be cut out of a buffer; increasing, and not overlapping.
#[derive(Debug, Default)]
pub(crate) struct Cuts(Vec<Range<usize>>);

impl Cuts {
    /// Adds the parts of a range not covered by any `kept` range, shortened so that all bytes keep their
    /// alignment.
    fn add_without(&mut self, range: Range<usize>, kept: &[Range<usize>]) {
        let mut start = range.start.max(self.0.last().map_or(0, |last| last.end));
        for other in kept.iter().filter(|other| other.end > range.start && other.start < range.end) {
            self.add(start..other.start.max(start));
            start = start.max(other.end);
        }
        self.add(start..range.end.max(start));
    }

    fn add(&mut self, range: Range<usize>) {
        let (start, end) = (range.start.next_multiple_of(ALIGNMENT), range.end / ALIGNMENT * ALIGNMENT);
        if start < end {
            self.0.push(start..end);
        }
    }

    /// Number of bytes taken out before a place.
    pub(crate) fn before(&self, offset: usize) -> usize {
        self.0.iter().take_while(|cut| cut.end <= offset).map(|cut| cut.end - cut.start).sum()
    }

    /// The rest of a buffer.
    pub(crate) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut left = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for cut in &self.0 {
            left.extend(bytes.get(at..cut.start).unwrap_or_default());
            at = cut.end;
        }
        left.extend(bytes.get(at..).unwrap_or_default());
        left
    }

    /// Lowers all offsets behind a cut, except in the views being exchanged.
    pub(crate) fn redirect(&self, document: &Document, freed: &Freed, edits: &mut JsonPatches<'_>) {
        if self.0.is_empty() {
            return;
        }
        let views = edits.items("bufferViews");
        let gone: Vec<&Span> = freed.views.free.iter().filter_map(|view| views.get(*view)).collect();
        for reference in references(&document.json).into_iter().filter(|reference| reference.buffer == 0) {
            let shift = self.before(reference.offset);
            let stays = !gone.iter().any(|span| span.contains(&reference.buffer_span.start));
            if let Some(offset_span) = reference.offset_span.filter(|_| stays && shift > 0) {
                edits.replace(offset_span, (reference.offset - shift).to_string());
            }
        }
    }
}

/// Ranges of a view, plain or compressed, in the first buffer.
fn ranges_in_first_buffer(view: &BufferView) -> Vec<Range<usize>> {
    let compressed = view.compressed.as_ref().map(|c| (c.buffer, c.byte_offset, c.byte_length));
    let all = compressed.into_iter().chain([(view.buffer, view.byte_offset, view.byte_length)]);
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    all.filter(|(buffer, ..)| *buffer == 0)
        .map(|(_, start, length)| whole(start)..whole(start.saturating_add(length)))
        .collect()
}

/// The items of a list, `length` long, referred to only from removed items of another list. Leaves the
/// numbers in other places.
fn free(numbers: &mut Vec<Numbered>, items: &[Span], gone: &[usize], length: usize) -> Vec<usize> {
    let gone: Vec<&Span> = gone.iter().filter_map(|at| items.get(*at)).collect();
    let goes = |number_span: &Span| {
        let behind = gone.partition_point(|span| span.start <= number_span.start);
        behind.checked_sub(1).is_some_and(|at| gone[at].contains(&number_span.start))
    };
    let (mut freed, mut kept) = (vec![false; length], vec![false; length]);
    numbers.retain(|(number, number_span)| {
        let goes = goes(number_span);
        if let Some(mark) = if goes { &mut freed } else { &mut kept }.get_mut(*number) {
            *mark = true;
        }
        !goes
    });
    (0..length).filter(|at| freed[*at] && !kept[*at]).collect()
}
