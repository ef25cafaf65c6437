//! Fields used by several kinds of records.

use super::IndexedList;
use crate::pmx::codes;
use crate::pmx::document::{Index, IndexSize, IndexSizes, Text};
use dopesheet_core::bytes::{Cursor, Read};
use dopesheet_core::diag::Fault;
use dopesheet_core::words::{agreeing, counted};

/// The size of an empty text.
pub(in crate::pmx) const TEXT: usize = 4;
/// The size of a count.
pub(super) const COUNT: usize = 4;

/// The size of an index.
pub(super) const fn width(size: IndexSize) -> usize {
    size.bytes() as usize
}

/// A cursor that knows the sizes of indices in bytes.
#[derive(Clone, Debug)]
pub(in crate::pmx) struct Fields<'a> {
    pub(in crate::pmx) cursor: Cursor<'a>,
    pub(in crate::pmx) sizes: IndexSizes,
}

impl<'a> Fields<'a> {
    pub(in crate::pmx) fn u8(&mut self, name: &'static str) -> Read<u8> {
        self.cursor.u8(name)
    }

    pub(in crate::pmx) fn u16(&mut self, name: &'static str) -> Read<u16> {
        self.cursor.u16(name)
    }

    pub(in crate::pmx) fn i32(&mut self, name: &'static str) -> Read<i32> {
        self.cursor.array(name).map(i32::from_le_bytes)
    }

    pub(in crate::pmx) fn f32(&mut self, name: &'static str) -> Read<f32> {
        self.cursor.f32(name)
    }

    pub(in crate::pmx) fn f32s<const N: usize>(&mut self, name: &'static str) -> Read<[f32; N]> {
        self.cursor.f32s(name)
    }

    /// A text behind its length in bytes.
    pub(in crate::pmx) fn text(&mut self, name: &'static str) -> Read<Text> {
        let start = self.cursor.clone();
        let length = self.i32(name)?;
        let left = self.cursor.remaining();
        match usize::try_from(length) {
            Ok(length) if length <= left => Ok(Text(self.cursor.take(length, name)?.to_vec())),
            _ => {
                let expected = {
                    let are = agreeing(left, "is", "are");
                    format!("a length of 0 to {}, which {are} left", counted(left, "byte"))
                };
                Err(start.fault(codes::TEXT_LENGTH.code, name, expected, counted(length, "byte")))
            }
        }
    }

    /// An index into any list except the list of vertices.
    #[inline]
    pub(in crate::pmx) fn index(&mut self, name: &'static str, list: IndexedList) -> Read<Index> {
        let index = match self.sizes.of(list) {
            IndexSize::One => i8::from_le_bytes(self.cursor.array(name)?).into(),
            IndexSize::Two => i16::from_le_bytes(self.cursor.array(name)?).into(),
            IndexSize::Four => i32::from_le_bytes(self.cursor.array(name)?),
        };
        Ok(Index(index))
    }

    /// Several indices of bones, each with a name.
    #[inline]
    pub(in crate::pmx) fn bones<const N: usize>(&mut self, names: [&'static str; N]) -> Read<[Index; N]> {
        let mut bones = [Index::NONE; N];
        for (bone, name) in bones.iter_mut().zip(names) {
            *bone = self.index(name, IndexedList::Bones)?;
        }
        Ok(bones)
    }

    /// An index of a vertex.
    pub(in crate::pmx) fn vertex(&mut self, name: &'static str) -> Read<u32> {
        match self.sizes.vertex {
            IndexSize::One => self.cursor.u8(name).map(u32::from),
            IndexSize::Two => self.cursor.u16(name).map(u32::from),
            IndexSize::Four => self.cursor.u32(name),
        }
    }

    /// A list in a record: a count, then elements of at least `smallest` bytes each.
    pub(in crate::pmx) fn section<T>(
        &mut self,
        name: &'static str,
        smallest: usize,
        mut record: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.cursor.count(name, smallest)?;
        let mut records = Vec::with_capacity(count);
        for index in 0..count {
            let within = |fault: Box<Fault>| Box::new(fault.within(format_args!("[{index}]")).within(name));
            records.push(record(self).map_err(within)?);
        }
        Ok(records)
    }

    /// A fault of the byte in front of the cursor, which selects the kind of the following content.
    #[cold]
    pub(in crate::pmx) fn unknown_kind(
        start: &Cursor<'a>,
        name: &str,
        expected: &str,
        found: u8,
    ) -> Box<Fault> {
        start.fault(codes::KIND.code, name, expected.to_owned(), found.to_string())
    }
}
