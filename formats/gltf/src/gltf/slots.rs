//! Places in the lists of a document that replaced animations leave free. No other reference has to be renumbered,
//! because what comes takes the places of what goes.

use super::document::Document;
use super::parts::{Accessor, BufferView, Index};
use super::splice::{Edits, references};
use crate::container::ALIGNMENT;
use dopesheet_core::bytes::json::Span;
use dopesheet_core::order::by_number;
use std::collections::HashSet;
use std::ops::Range;

/// Extensions that are known to refer to no accessors or views but by the lists that are looked at here.
const PLAIN_EXTENSIONS: [&str; 6] = [
    "EXT_meshopt_compression",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "VRMC_vrm_animation",
];
const PLAIN_PREFIXES: [&str; 2] = ["KHR_materials_", "KHR_texture_"];

/// Where new items of a list go: into free places first, then behind its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Increasing.
    free: Vec<usize>,
    length: usize,
}

impl Slots {
    /// Behind the end of a list.
    pub(super) const fn behind(length: usize) -> Self {
        Self { free: Vec::new(), length }
    }

    /// Where the `number`th new item goes.
    pub(super) fn place(&self, number: usize) -> usize {
        let behind = || self.length + number - self.free.len();
        self.free.get(number).copied().unwrap_or_else(behind)
    }

    /// Puts new items into a top-level list. What stays free at its end is taken off.
    pub(super) fn fill(&self, edits: &mut Edits<'_>, name: &str, items: &[String]) {
        if self.free.is_empty() {
            return edits.append(name, items);
        }
        let spans = edits.items(name);
        let (inside, behind) = items.split_at(items.len().min(self.free.len()));
        for (place, item) in self.free.iter().zip(inside) {
            edits.replace(spans[*place].clone(), item.clone());
        }
        let left: HashSet<usize> = self.free.iter().skip(inside.len()).copied().collect();
        let kept = (0..spans.len()).rev().find(|place| !left.contains(place));
        match (kept, spans.last()) {
            (Some(kept), Some(last)) if kept + 1 < spans.len() => {
                edits.replace(spans[kept].end..last.end, String::new());
            }
            _ => edits.append(name, behind),
        }
    }
}

/// Items that nothing but animations uses.
pub(super) struct Freed {
    pub(super) accessors: Slots,
    pub(super) views: Slots,
    views_kept: Vec<bool>,
}

impl Freed {
    /// Nothing: all that is there stays.
    pub(super) fn nothing(document: &Document) -> Self {
        let parts = &document.parts;
        Self {
            accessors: Slots::behind(parts.accessors.len()),
            views: Slots::behind(parts.buffer_views.len()),
            views_kept: vec![true; parts.buffer_views.len()],
        }
    }

    /// All that only the animations of a document use, if that can be told.
    pub(super) fn by_animations(document: &Document) -> Self {
        let parts = &document.parts;
        let is_plain = |name: &String| {
            PLAIN_EXTENSIONS.contains(&name.as_str())
                || PLAIN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        };
        if !parts.extensions_used.iter().all(is_plain) {
            return Self::nothing(document);
        }
        let samplers = parts.animations.iter().flat_map(|animation| &animation.samplers);
        let moved: HashSet<Index> = samplers.flat_map(|sampler| [sampler.input, sampler.output]).collect();
        let drawn = drawn(document);
        let free: Vec<usize> = indices(parts.accessors.len(), |a| moved.contains(&a) && !drawn.contains(&a));
        let views_of = |accessor: &Accessor| {
            let sparse = accessor.sparse.as_ref().map(|sparse| [sparse.index_view, sparse.value_view]);
            sparse.into_iter().flatten().chain(accessor.view).collect::<Vec<_>>()
        };
        let (mut freed, mut kept): (HashSet<Index>, HashSet<Index>) = Default::default();
        let mut left = free.iter().peekable();
        for (index, accessor) in parts.accessors.iter().enumerate() {
            let is_free = left.next_if(|free| **free == index).is_some();
            if is_free { &mut freed } else { &mut kept }.extend(views_of(accessor));
        }
        kept.extend(parts.images.iter().filter_map(|image| image.view));
        let free_views = indices(parts.buffer_views.len(), |v| freed.contains(&v) && !kept.contains(&v));
        let mut views_kept = vec![true; parts.buffer_views.len()];
        free_views.iter().for_each(|view| views_kept[*view] = false);
        Self {
            accessors: Slots { free, length: parts.accessors.len() },
            views: Slots { free: free_views, length: parts.buffer_views.len() },
            views_kept,
        }
    }

    /// The bytes of the first buffer that only freed views use, in whole words.
    pub(super) fn cuts(&self, document: &Document) -> Cuts {
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

/// Parts of a buffer that are taken out of it; increasing, and not overlapping.
#[derive(Debug, Default)]
pub(super) struct Cuts(Vec<Range<usize>>);

impl Cuts {
    /// Adds what none of the `kept` ranges overlaps, as far as nothing loses its alignment.
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
    pub(super) fn before(&self, place: usize) -> usize {
        self.0.iter().take_while(|cut| cut.end <= place).map(|cut| cut.end - cut.start).sum()
    }

    /// The rest of a buffer.
    pub(super) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut left = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for cut in &self.0 {
            left.extend(bytes.get(at..cut.start).unwrap_or_default());
            at = cut.end;
        }
        left.extend(bytes.get(at..).unwrap_or_default());
        left
    }

    /// Moves all that points behind a cut, but what stands in the views that are exchanged.
    pub(super) fn redirect(&self, document: &Document, freed: &Freed, edits: &mut Edits<'_>) {
        if self.0.is_empty() {
            return;
        }
        let views = edits.items("bufferViews");
        let gone: Vec<&Span> = freed.views.free.iter().filter_map(|view| views.get(*view)).collect();
        for reference in references(&document.json).into_iter().filter(|reference| reference.buffer == 0) {
            let shift = self.before(reference.offset);
            let stays = !gone.iter().any(|span| span.contains(&reference.place.start));
            if let Some(place) = reference.offset_place.filter(|_| stays && shift > 0) {
                edits.replace(place, (reference.offset - shift).to_string());
            }
        }
    }
}

/// Where a view, plain or compressed, lies in the first buffer.
fn ranges_in_first_buffer(view: &BufferView) -> Vec<Range<usize>> {
    let compressed = view.compressed.as_ref().map(|c| (c.buffer, c.byte_offset, c.byte_length));
    let all = compressed.into_iter().chain([(view.buffer, view.byte_offset, view.byte_length)]);
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    all.filter(|(buffer, ..)| *buffer == 0)
        .map(|(_, start, length)| whole(start)..whole(start.saturating_add(length)))
        .collect()
}

/// Accessors of meshes and skins.
fn drawn(document: &Document) -> HashSet<Index> {
    let parts = &document.parts;
    let primitives = parts.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let of_primitive = primitives.flat_map(|primitive| {
        let attributes = primitive.attributes.iter().chain(primitive.targets.iter().flatten());
        attributes.map(|(_, accessor)| *accessor).chain(primitive.indices)
    });
    of_primitive.chain(parts.skins.iter().filter_map(|skin| skin.inverse_bind_matrices)).collect()
}

fn indices(count: usize, test: impl Fn(Index) -> bool) -> Vec<usize> {
    (0..count).filter(|index| Index::try_from(*index).is_ok_and(&test)).collect()
}
