//! Numbers → accessors, packed into few buffer views. Equal lists are stored once.

use super::column::{COLUMNS, Column};
use super::keys::same_bits;
use super::packing::{Compressed, Compression, Packing, are_short, plain};
use super::plan::{Goal, PlannedChannel};
use super::values::{index, stored_all};
use crate::gltf::edited::slots::Slots;
use crate::gltf::json::parts;
use crate::gltf::json::parts::{Accessor, Buffer, BufferView, Component, Shape, Sparse};
use dopesheet_core::diag::{ErrorUnit, MaxError};
use dopesheet_core::units::Seconds;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// OpenGL's number for vertex data.
pub(super) const VERTEX_TARGET: u64 = 34962;
/// OpenGL's number for triangle indices.
pub(super) const INDEX_TARGET: u64 = 34963;
/// Every view starts at a multiple of this many bytes.
const ALIGNMENT: usize = 4;

/// Lists of numbers become bytes in pieces of this size: small pieces find room in memory freed by other
/// lists, while large ones would need room beside it.
pub(super) const PIECE_BYTES: usize = 64 << 10;

/// Number of values of a list that are hashed to find lists that may be equal.
const MOST_HASHED: usize = 64;

/// Home of an accessor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// At an element of a column.
    Column(Column, usize),
    /// At the start of a blob.
    Blob(usize),
    /// Nowhere: all zero.
    Nowhere,
}

/// An accessor to be written.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) home: Home,
    pub(super) component: Component,
    pub(super) count: usize,
    pub(super) shape: Shape,
    pub(super) bounds: Option<[Vec<f32>; 2]>,
    /// Number of replaced elements, blob of their indices, blob of their values.
    pub(super) sparse: Option<(usize, usize, usize)>,
}

impl Entry {
    /// An accessor without bounds and replaced elements.
    pub(super) const fn plain(home: Home, component: Component, count: usize, shape: Shape) -> Self {
        Self { home, component, count, shape, bounds: None, sparse: None }
    }
}

/// The numbers of a column, in the lists of their channels: lists of millions of numbers are not copied.
#[derive(Debug, Default)]
struct Lists<'a> {
    /// Each list with the position of its first number.
    lists: Vec<(usize, Cow<'a, [f32]>)>,
    len: usize,
}

impl<'a> Lists<'a> {
    /// Adds a list. Yields the position of its first number.
    fn push(&mut self, list: Cow<'a, [f32]>) -> usize {
        let start = self.len;
        self.len += list.len();
        self.lists.push((start, list));
        start
    }

    /// The rest of a list, from the position of any of its numbers on.
    fn from(&self, number: usize) -> Option<&[f32]> {
        let list = self.lists.partition_point(|(start, _)| *start <= number).checked_sub(1)?;
        let (start, list) = self.lists.get(list)?;
        list.get(number - start..)
    }

    /// The plain form of all lists, and their largest difference as returned by [`plain`]. Lists no longer
    /// needed are released one by one, so that little is in memory twice.
    fn plain(&mut self, column: Column, is_needed: bool) -> (Vec<Vec<u8>>, Option<(f64, usize)>) {
        let mut pieces = Vec::with_capacity(self.lists.len());
        let mut largest_error: Option<(f64, usize)> = None;
        for (start, list) in &mut self.lists {
            let piece_numbers = PIECE_BYTES / column.element_bytes() * column.width();
            for (part, list) in list.chunks(piece_numbers).enumerate() {
                let (piece, piece_error) = plain(column, list);
                pieces.push(piece);
                let numbered_error =
                    piece_error.map(|(error, number)| (error, *start + part * piece_numbers + number));
                largest_error = numbered_error
                    .filter(|error| largest_error.is_none_or(|largest| error.0 >= largest.0))
                    .or(largest_error);
            }
            if !is_needed {
                *list = Cow::default();
            }
        }
        (pieces, largest_error)
    }

    /// All lists joined.
    fn whole(&self) -> Vec<f32> {
        let mut whole = Vec::with_capacity(self.len);
        self.lists.iter().for_each(|(_, list)| whole.extend(&**list));
        whole
    }
}

/// Accessors in the making.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Store<'a> {
    packing: Packing,
    columns: HashMap<Column, Lists<'a>>,
    blobs: Vec<(Vec<Vec<u8>>, Option<u64>)>,
    entries: Vec<Entry>,
    by_hash: HashMap<u64, Vec<usize>>,
    /// Goals and key times of the accessors of values.
    users: HashMap<usize, (Goal, usize)>,
}

/// The largest difference caused by storing one kind of numbers.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct Rounding {
    pub(super) column: Column,
    pub(super) error: f64,
    /// The property that moves at that number, and the time in seconds.
    pub(super) goal: Goal,
    pub(super) time: f64,
}

impl Rounding {
    pub(in crate::gltf) const fn what(&self) -> &'static str {
        match self.column {
            Column::Rotations => "rotations, rounded for compression",
            Column::ShortRotations => "rotations, in 16 bits per component",
            _ => "numbers, rounded for compression",
        }
    }

    pub(in crate::gltf) fn max_error(&self, names: &[String]) -> MaxError {
        let unit = match (&self.goal, self.column) {
            (_, Column::Rotations | Column::ShortRotations) => ErrorUnit::Radian,
            (Goal::Translation(_), _) => ErrorUnit::Metre,
            _ => ErrorUnit::One,
        };
        let target = match (&self.goal, self.goal.node()) {
            (Goal::Pointer(pointer), _) => pointer.clone(),
            (_, node) => node.and_then(|(node, _)| names.get(node).cloned()).unwrap_or_default(),
        };
        MaxError { value: self.error, unit, target, time: Seconds(self.time) }
    }
}

/// Packed content of a store: bytes, and the views and accessors of them.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Packed {
    /// The bytes, in order, in as many pieces as they came in.
    pub(in crate::gltf) pieces: Vec<Vec<u8>>,
    /// Number of bytes in the pieces.
    pub(in crate::gltf) length: usize,
    pub(in crate::gltf) views: Vec<BufferView>,
    pub(in crate::gltf) accessors: Vec<Accessor>,
    /// Bytes of all compressed views after decompression, and the extension for decompression.
    pub(in crate::gltf) fallback: usize,
    pub(in crate::gltf) extension: Option<&'static str>,
    pub(in crate::gltf) roundings: Vec<Rounding>,
}

/// Position of new views and bytes in the document.
#[derive(Clone, Debug)]
pub(in crate::gltf) struct Base {
    pub(in crate::gltf) views: Slots,
    pub(in crate::gltf) buffer: usize,
    /// The buffer for decompressed views.
    pub(in crate::gltf) fallback: usize,
    pub(in crate::gltf) offset: usize,
}

impl Default for Base {
    /// The base in a new file.
    fn default() -> Self {
        Self { views: Slots::default(), buffer: 0, fallback: 1, offset: 0 }
    }
}

impl<'a> Store<'a> {
    /// An empty store with a packing.
    pub(in crate::gltf) fn packed(packing: Packing) -> Self {
        Self { packing, ..Self::default() }
    }

    /// The accessor of these key times.
    pub(in crate::gltf) fn times(&mut self, times: Vec<f32>) -> usize {
        let bound = |time: Option<&f32>| vec![time.copied().unwrap_or(0.0)];
        let bounds = [bound(times.first()), bound(times.last())];
        self.shared(Column::Times, false, times.into(), Some(bounds))
    }

    /// The accessor of a channel's values, given the accessor of its times. The values of a cubic spline are
    /// never shared with other channels, and stay floats, because tangents know no bounds. Rotations that
    /// conversion left finer than 16 bits stay floats, too.
    pub(in crate::gltf) fn values(
        &mut self,
        channel: &PlannedChannel<'_>,
        values: Cow<'a, [f32]>,
        input: usize,
    ) -> usize {
        let cubic = channel.keys.is_cubic();
        let entry = self.shared(self.column(channel, &values), cubic, values, None);
        self.users.entry(entry).or_insert_with(|| (channel.goal.clone(), input));
        entry
    }

    fn column(&self, channel: &PlannedChannel<'_>, values: &[f32]) -> Column {
        match channel.column {
            Column::Rotations
                if self.packing.short_rotations
                    && !channel.keys.is_cubic()
                    && (!self.packing.keeps_fine || are_short(values)) =>
            {
                Column::ShortRotations
            }
            column => column,
        }
    }

    fn shared(
        &mut self,
        column: Column,
        cubic: bool,
        values: Cow<'a, [f32]>,
        bounds: Option<[Vec<f32>; 2]>,
    ) -> usize {
        let mut hasher = DefaultHasher::new();
        (column, cubic, values.len()).hash(&mut hasher);
        // Some tell enough: those with the same ones are compared.
        let every = values.len().div_ceil(MOST_HASHED).max(1);
        values.iter().step_by(every).for_each(|value| value.to_bits().hash(&mut hasher));
        let hash = hasher.finish();
        let (shape, width) = (column.shape(), column.width());
        let count = values.len() / width;
        let stored = self.columns.entry(column).or_default();
        let entries = &self.entries;
        let same = |entry: &usize| match entries[*entry].home {
            Home::Column(home_column, at) => {
                home_column == column
                    && entries[*entry].count == count
                    && stored
                        .from(at * width)
                        .and_then(|stored| stored.get(..values.len()))
                        .is_some_and(|stored| same_bits(stored, &values))
            }
            _ => false,
        };
        if let Some(entry) = self.by_hash.get(&hash).and_then(|list| list.iter().copied().find(|e| same(e))) {
            return entry;
        }
        let home = Home::Column(column, stored.push(values) / width);
        let entry = self.entry(Entry { bounds, ..Entry::plain(home, column.component(), count, shape) });
        self.by_hash.entry(hash).or_default().push(entry);
        entry
    }

    /// Adds an accessor unchanged.
    pub(super) fn entry(&mut self, entry: Entry) -> usize {
        self.entries.push(entry);
        self.entries.len() - 1
    }

    /// Adds bytes with a separate view.
    pub(super) fn blob(&mut self, bytes: Vec<u8>, target: Option<u64>) -> usize {
        self.large_blob(vec![bytes], target)
    }

    /// As [`Store::blob`], of bytes in pieces.
    pub(super) fn large_blob(&mut self, pieces: Vec<Vec<u8>>, target: Option<u64>) -> usize {
        self.blobs.push((pieces, target));
        self.blobs.len() - 1
    }

    /// The view of a blob.
    pub(super) fn blob_view(blob: usize, base: &Base) -> usize {
        base.views.slot(blob)
    }

    fn columns_in_use(&self) -> impl Iterator<Item = Column> {
        COLUMNS.into_iter().filter(|column| self.columns.get(column).is_some_and(|lists| lists.len > 0))
    }

    /// Puts everything together.
    pub(in crate::gltf) fn pack(mut self, base: &Base) -> Packed {
        let accessors = self.entries.iter().map(|entry| self.accessor(entry, base)).collect();
        let mut packed = Packed { accessors, ..Packed::default() };
        let columns: Vec<Column> = self.columns_in_use().collect();
        // Motion comes last, so that it can be exchanged without moving anything else.
        for (pieces, target) in std::mem::take(&mut self.blobs) {
            packed.view(target, base, pieces);
        }
        for column in columns {
            let parts = self.parts(column);
            let largest_error =
                match self.packing.compressed(column, || self.columns[&column].whole(), &parts) {
                    Some(stored) => packed.compressed(stored, self.packing, base),
                    None => {
                        // Key times tell when others are rounded most.
                        let is_needed = column == Column::Times && !self.packing.is_exact();
                        let lists = self.columns.entry(column).or_default();
                        let (pieces, plain_error) = lists.plain(column, is_needed);
                        packed.view(None, base, pieces);
                        plain_error
                    }
                };
            packed.roundings.extend(largest_error.and_then(|(error, at)| self.rounding(column, error, at)));
        }
        packed
    }

    /// The elements of a column that belong to an accessor each, in order.
    fn parts(&self, column: Column) -> Vec<Range<usize>> {
        let element_range = |entry: &Entry| match entry.home {
            Home::Column(home_column, at) if home_column == column => Some(at..at + entry.count),
            _ => None,
        };
        self.entries.iter().filter_map(element_range).collect()
    }

    /// The property that moves at a number of a column.
    fn rounding(&self, column: Column, error: f64, number: usize) -> Option<Rounding> {
        let element = number / column.width();
        let holds = |entry: &Entry| match entry.home {
            Home::Column(home_column, at) => {
                home_column == column && (at..at + entry.count).contains(&element)
            }
            _ => false,
        };
        let index = self.entries.iter().position(holds)?;
        let (entry, (goal, input)) = (&self.entries[index], self.users.get(&index)?);
        let input = self.entries.get(*input)?;
        let (Home::Column(_, start), Home::Column(_, first)) = (entry.home, input.home) else { return None };
        let key = (element - start) * input.count / entry.count;
        let time = self.columns.get(&Column::Times)?.from(first + key)?.first()?;
        Some(Rounding { column, error, goal: goal.clone(), time: f64::from(*time) })
    }

    fn accessor(&self, entry: &Entry, base: &Base) -> Accessor {
        let blob = |blob: usize| index(Self::blob_view(blob, base));
        let (view, byte_offset) = match entry.home {
            Home::Column(column, at) => {
                let rank = self.columns_in_use().position(|used| used == column).unwrap_or(0);
                let view = base.views.slot(self.blobs.len() + rank);
                (Some(index(view)), (at * column.element_bytes()) as u64)
            }
            Home::Blob(blob_number) => (Some(blob(blob_number)), 0),
            Home::Nowhere => (None, 0),
        };
        let sparse = entry.sparse.map(|(count, indices, values)| Sparse {
            count: count as u64,
            index_view: blob(indices),
            index_offset: 0,
            index_component: Component::U32,
            value_view: blob(values),
            value_offset: 0,
        });
        let bounds = entry.bounds.as_ref().map(|bounds| bounds.each_ref().map(|bound| stored_all(bound)));
        let [min, max] = bounds.unwrap_or_default();
        Accessor {
            view,
            byte_offset,
            component: entry.component,
            normalized: entry.component == Component::I16,
            count: entry.count as u64,
            shape: entry.shape,
            min,
            max,
            sparse: sparse.map(Box::new),
        }
    }
}

impl Packed {
    /// The buffer for decompressed views; none of its bytes are stored.
    pub(in crate::gltf) fn fallback_buffer(&self) -> Option<Buffer> {
        self.extension.map(|_| Buffer { byte_length: self.fallback as u64, ..Buffer::default() })
    }

    /// Adds bytes at an aligned offset, the start of a view. Yields that offset.
    fn add(&mut self, pieces: Vec<Vec<u8>>, base: &Base) -> usize {
        let padding = self.length.next_multiple_of(ALIGNMENT) - self.length;
        self.pieces.extend((padding > 0).then(|| vec![0; padding]));
        let start = self.length + padding;
        self.length = start + pieces.iter().map(Vec::len).sum::<usize>();
        self.pieces.extend(pieces);
        base.offset + start
    }

    /// Adds a view of some bytes.
    fn view(&mut self, target: Option<u64>, base: &Base, pieces: Vec<Vec<u8>>) {
        let offset = self.add(pieces, base);
        let length = base.offset + self.length - offset;
        self.views.push(BufferView { target, ..view(base.buffer, offset, length) });
    }

    /// Adds a view that is decompressed into the fallback buffer, for which no bytes are stored. Yields the
    /// largest rounding of the compression.
    fn compressed(&mut self, stored: Compressed, packing: Packing, base: &Base) -> Option<(f64, usize)> {
        let extension = packing.compression.map(Compression::extension)?;
        let byte_length = stored.bytes.len() as u64;
        let byte_offset = self.add(vec![stored.bytes], base) as u64;
        let start = self.fallback.next_multiple_of(ALIGNMENT);
        self.fallback = start + stored.length;
        self.extension = Some(extension);
        let (buffer, layout) = (index(base.buffer), stored.layout);
        let compression = parts::Compression { extension, buffer, byte_offset, byte_length, layout };
        let plain = view(base.fallback, start, stored.length);
        self.views.push(BufferView { compressed: Some(Box::new(compression)), ..plain });
        stored.largest_error
    }
}

fn view(buffer: usize, offset: usize, length: usize) -> BufferView {
    BufferView {
        buffer: index(buffer),
        byte_offset: offset as u64,
        byte_length: length as u64,
        ..BufferView::default()
    }
}
