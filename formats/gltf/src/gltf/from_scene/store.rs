//! Numbers → accessors, packed into few buffer views. Equal lists are stored once.

use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// OpenGL's number for vertex data.
pub(super) const VERTEX_TARGET: u32 = 34962;
/// OpenGL's number for triangle indices.
pub(super) const INDEX_TARGET: u32 = 34963;
/// `FLOAT`
pub(super) const FLOAT: u32 = 5126;
/// Every view starts at a multiple of this many bytes.
const ALIGNMENT: usize = 4;

/// A view that holds many accessors of animation data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::gltf) enum Column {
    /// Key times.
    Times,
    /// Translations, scales, colours.
    Vectors,
    /// Quaternions.
    Rotations,
    /// Weights and other single numbers.
    Numbers,
}

const COLUMNS: [Column; 4] = [Column::Times, Column::Vectors, Column::Rotations, Column::Numbers];

impl Column {
    const fn shape(self) -> (&'static str, usize) {
        match self {
            Self::Times | Self::Numbers => ("SCALAR", 1),
            Self::Vectors => ("VEC3", 3),
            Self::Rotations => ("VEC4", 4),
        }
    }
}

/// Where an accessor's elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// At a byte of a column.
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
    pub(super) component: u32,
    pub(super) count: usize,
    pub(super) shape: &'static str,
    pub(super) bounds: Option<[Vec<f32>; 2]>,
    /// Number of replaced elements, blob of their indices, blob of their values.
    pub(super) sparse: Option<(usize, usize, usize)>,
}

/// Accessors in the making.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Store {
    columns: HashMap<Column, Vec<u8>>,
    blobs: Vec<(Vec<u8>, Option<u32>)>,
    entries: Vec<Entry>,
    known: HashMap<u64, Vec<usize>>,
}

/// What a store became: bytes, and the items of `bufferViews` and `accessors`.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Packed {
    pub(in crate::gltf) bytes: Vec<u8>,
    pub(in crate::gltf) views: Vec<String>,
    pub(in crate::gltf) accessors: Vec<String>,
}

/// How many views, and where the bytes will lie.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::gltf) struct Base {
    pub(in crate::gltf) views: usize,
    pub(in crate::gltf) buffer: usize,
    pub(in crate::gltf) offset: usize,
}

impl Store {
    /// The accessor of these key times.
    pub(in crate::gltf) fn times(&mut self, times: &[f32]) -> usize {
        let bound = |time: Option<&f32>| vec![time.copied().unwrap_or(0.0)];
        let bounds = [bound(times.first()), bound(times.last())];
        self.shared(Column::Times, false, times, Some(bounds))
    }

    /// The accessor of these values. Those of a cubic spline are never shared with others.
    pub(in crate::gltf) fn values(&mut self, column: Column, cubic: bool, values: &[f32]) -> usize {
        self.shared(column, cubic, values, None)
    }

    fn shared(
        &mut self,
        column: Column,
        cubic: bool,
        values: &[f32],
        bounds: Option<[Vec<f32>; 2]>,
    ) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut hasher = DefaultHasher::new();
        (column, cubic, &bytes).hash(&mut hasher);
        let hash = hasher.finish();
        let (shape, width) = column.shape();
        let count = values.len() / width;
        let stored = self.columns.entry(column).or_default();
        let entries = &self.entries;
        let same = |entry: &usize| match entries[*entry].home {
            Home::Column(own, at) => {
                own == column
                    && stored.get(at..at + bytes.len()) == Some(&bytes)
                    && entries[*entry].count == count
            }
            _ => false,
        };
        if let Some(entry) = self.known.get(&hash).and_then(|list| list.iter().copied().find(|e| same(e))) {
            return entry;
        }
        let home = Home::Column(column, stored.len());
        stored.extend(&bytes);
        let entry = self.entry(Entry { home, component: FLOAT, count, shape, bounds, sparse: None });
        self.known.entry(hash).or_default().push(entry);
        entry
    }

    /// Adds an accessor as it is.
    pub(super) fn entry(&mut self, entry: Entry) -> usize {
        self.entries.push(entry);
        self.entries.len() - 1
    }

    /// Adds bytes with a view of their own.
    pub(super) fn blob(&mut self, bytes: Vec<u8>, target: Option<u32>) -> usize {
        self.blobs.push((bytes, target));
        self.blobs.len() - 1
    }

    /// The view of a blob, given how many views there are before these.
    pub(super) fn blob_view(&self, blob: usize, base: Base) -> usize {
        base.views + self.columns_in_use().count() + blob
    }

    fn columns_in_use(&self) -> impl Iterator<Item = Column> {
        COLUMNS.into_iter().filter(|column| self.columns.get(column).is_some_and(|bytes| !bytes.is_empty()))
    }

    /// Puts everything together.
    pub(in crate::gltf) fn pack(&self, base: Base) -> Packed {
        let mut packed = Packed::default();
        for column in self.columns_in_use() {
            packed.view(&self.columns[&column], None, base);
        }
        for (bytes, target) in &self.blobs {
            packed.view(bytes, *target, base);
        }
        packed.accessors = self.entries.iter().map(|entry| self.entry_json(entry, base)).collect();
        packed
    }

    fn entry_json(&self, entry: &Entry, base: Base) -> String {
        let mut json = JsonWriter::new(NumberStyle::ShortestF32);
        json.object(|w| {
            match entry.home {
                Home::Column(column, at) => {
                    let rank = self.columns_in_use().position(|used| used == column).unwrap_or(0);
                    w.name("bufferView").integer(base.views + rank);
                    if at > 0 {
                        w.name("byteOffset").integer(at);
                    }
                }
                Home::Blob(blob) => {
                    w.name("bufferView").integer(self.blob_view(blob, base));
                }
                Home::Nowhere => {}
            }
            w.name("componentType").raw(&entry.component.to_string());
            w.name("count").integer(entry.count).name("type").string(entry.shape);
            if let Some([min, max]) = &entry.bounds {
                w.name("min").numbers(min.iter().map(|v| f64::from(*v)));
                w.name("max").numbers(max.iter().map(|v| f64::from(*v)));
            }
            if let Some((count, indices, values)) = entry.sparse {
                w.name("sparse").object(|w| {
                    w.name("count").integer(count).name("indices").object(|w| {
                        w.name("bufferView").integer(self.blob_view(indices, base));
                        w.name("componentType").raw("5125");
                    });
                    w.name("values").object(|w| {
                        w.name("bufferView").integer(self.blob_view(values, base));
                    });
                });
            }
        });
        json.finish()
    }
}

impl Packed {
    fn view(&mut self, bytes: &[u8], target: Option<u32>, base: Base) {
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        let offset = base.offset + self.bytes.len();
        self.bytes.extend(bytes);
        let mut json = JsonWriter::new(NumberStyle::ShortestF32);
        json.object(|w| {
            w.name("buffer").integer(base.buffer);
            if offset > 0 {
                w.name("byteOffset").integer(offset);
            }
            w.name("byteLength").integer(bytes.len());
            if let Some(target) = target {
                w.name("target").raw(&target.to_string());
            }
        });
        self.views.push(json.finish());
    }
}
