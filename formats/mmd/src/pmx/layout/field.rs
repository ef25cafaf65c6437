//! Fields of records: the way each is read and written.

pub(super) use super::fields::Fields as Source;
use super::fields::{COUNT, TEXT, width};
use super::{IndexedList, Need, Sink};
use crate::pmx::document::{Index, IndexSizes, MaterialFlags, Text};
use crate::record::fields;
use dopesheet_core::bytes::Read;

/// Sizes of fields depend on the sizes of indices.
pub(super) type Sizes = IndexSizes;

/// An element of a list.
pub(in crate::pmx) trait Record: Sized {
    fn read(from: &mut Source<'_>) -> Read<Self>;
    fn walk(&self, sink: &mut impl Sink);
    /// Least size in bytes.
    fn smallest(sizes: Sizes) -> usize;
}

/// A field of a record. `N` is its name, together with further facts needed for this type.
pub(super) trait Field<N>: Sized {
    fn read(from: &mut Source<'_>, name: N) -> Read<Self>;
    fn walk(&self, sink: &mut impl Sink, name: N);

    /// Least size in bytes.
    fn smallest(_name: N, _sizes: Sizes) -> usize {
        size_of::<Self>()
    }
}

fields! { from, own, sink, name:
    [] u8: from.u8(name), sink.u8(name, *own);
    [] u16: from.u16(name), sink.u16(name, *own);
    [] i32: from.i32(name), sink.i32(name, *own);
    [] f32: from.f32(name), sink.f32(name, *own);
    [] MaterialFlags: from.u8(name).map(MaterialFlags), sink.u8(name, own.0);
    [const N: usize] [f32; N]: from.f32s(name), sink.floats(name, own);
    [] Text: from.text(name), sink.text(name, own), TEXT;
    [T: Record] Vec<T>: from.section(name, T::smallest(from.sizes), T::read), sink.records(name, own), COUNT;
}

/// Numbers with a common name.
impl Field<&'static str> for [i32; 4] {
    fn read(from: &mut Source<'_>, name: &'static str) -> Read<Self> {
        Ok([from.i32(name)?, from.i32(name)?, from.i32(name)?, from.i32(name)?])
    }

    fn walk(&self, sink: &mut impl Sink, name: &'static str) {
        self.iter().for_each(|number| sink.i32(name, *number));
    }
}

/// The name of an index, the list it points into, and whether it must point at an element.
pub(super) type At = (&'static str, IndexedList, Need);

impl Field<At> for Index {
    #[inline]
    fn read(from: &mut Source<'_>, at: At) -> Read<Self> {
        from.index(at.0, at.1)
    }

    fn walk(&self, sink: &mut impl Sink, at: At) {
        let (name, list, need) = at;
        sink.index(name, *self, list, need);
    }

    fn smallest(at: At, sizes: Sizes) -> usize {
        width(sizes.of(at.1))
    }
}

impl Field<[At; 2]> for [Index; 2] {
    fn read(from: &mut Source<'_>, [first, second]: [At; 2]) -> Read<Self> {
        Ok([Field::read(from, first)?, Field::read(from, second)?])
    }

    fn walk(&self, sink: &mut impl Sink, names: [At; 2]) {
        self.iter().zip(names).for_each(|(index, name)| index.walk(sink, name));
    }

    fn smallest([first, second]: [At; 2], sizes: Sizes) -> usize {
        Index::smallest(first, sizes).saturating_add(Index::smallest(second, sizes))
    }
}

/// The index of a vertex.
#[derive(Clone, Copy)]
pub(super) struct VertexIndex;

impl Field<VertexIndex> for u32 {
    fn read(from: &mut Source<'_>, _: VertexIndex) -> Read<Self> {
        from.vertex("vertex")
    }

    fn walk(&self, sink: &mut impl Sink, _: VertexIndex) {
        sink.vertex("vertex", *self);
    }

    fn smallest(_: VertexIndex, sizes: Sizes) -> usize {
        width(sizes.vertex)
    }
}

/// A pinned vertex.
impl Record for u32 {
    fn read(from: &mut Source<'_>) -> Read<Self> {
        Field::read(from, VertexIndex)
    }

    fn walk(&self, sink: &mut impl Sink) {
        Field::walk(self, sink, VertexIndex);
    }

    fn smallest(sizes: Sizes) -> usize {
        <Self as Field<_>>::smallest(VertexIndex, sizes)
    }
}
