//! The reader of all binary files.

use super::Read;
use crate::diag::{Code, Fault, Place};
use crate::units::ByteOffset;
use crate::words::{counted, grouped};

/// Byte order of the numbers in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

/// The words that a format uses for the two faults a [`Cursor`] can find without help.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// The file ends before a field does.
    pub truncated: Code,
    /// A count announces more than the rest of the file can hold.
    pub count: Code,
}

/// Reads a byte slice front to back and never past its end.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    length: usize,
    endian: Endian,
    codes: Codes,
}

impl<'a> Cursor<'a> {
    /// A little-endian cursor at the start of `data`.
    #[must_use]
    pub const fn new(data: &'a [u8], codes: Codes) -> Self {
        Self { rest: data, length: data.len(), endian: Endian::Little, codes }
    }

    /// The same cursor reading numbers in another byte order from here on.
    #[must_use]
    pub const fn with_endian(mut self, endian: Endian) -> Self {
        self.endian = endian;
        self
    }

    /// Bytes read so far.
    #[must_use]
    pub const fn position(&self) -> ByteOffset {
        ByteOffset(self.length.saturating_sub(self.rest.len()) as u64)
    }

    /// Bytes left to read.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// True if all bytes have been read.
    #[must_use]
    pub const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// A fault at the current position.
    #[must_use]
    pub fn fault(&self, code: Code, name: &str, expected: String, found: String) -> Box<Fault> {
        Box::new(Fault::new(code, Place::Byte(self.position()), expected, found).at_path(name))
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// `truncated` if fewer are left.
    #[inline]
    pub fn take(&mut self, count: usize, name: &'static str) -> Read<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(head)
            }
            None => Err(self.truncated(count, name)),
        }
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// `truncated` if fewer are left.
    #[inline]
    pub fn array<const N: usize>(&mut self, name: &'static str) -> Read<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(*head)
            }
            None => Err(self.truncated(N, name)),
        }
    }

    /// All remaining bytes.
    pub const fn take_rest(&mut self) -> &'a [u8] {
        let rest = self.rest;
        self.rest = &[];
        rest
    }

    /// The next byte.
    ///
    /// # Errors
    /// `truncated` if no byte is left.
    #[inline]
    pub fn u8(&mut self, name: &'static str) -> Read<u8> {
        self.array(name).map(u8::from_le_bytes)
    }

    /// The next 16-bit unsigned integer.
    ///
    /// # Errors
    /// `truncated` if fewer than 2 bytes are left.
    #[inline]
    pub fn u16(&mut self, name: &'static str) -> Read<u16> {
        let bytes = self.array(name)?;
        Ok(if self.endian == Endian::Little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    /// The next 32-bit unsigned integer.
    ///
    /// # Errors
    /// `truncated` if fewer than 4 bytes are left.
    #[inline]
    pub fn u32(&mut self, name: &'static str) -> Read<u32> {
        let bytes = self.array(name)?;
        Ok(if self.endian == Endian::Little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    /// The next 32-bit float, with its exact bits (NaN included).
    ///
    /// # Errors
    /// `truncated` if fewer than 4 bytes are left.
    #[inline]
    pub fn f32(&mut self, name: &'static str) -> Read<f32> {
        self.u32(name).map(f32::from_bits)
    }

    /// The next `N` 32-bit floats.
    ///
    /// # Errors
    /// `truncated` if fewer than `4 N` bytes are left.
    #[inline]
    pub fn f32s<const N: usize>(&mut self, name: &'static str) -> Read<[f32; N]> {
        let mut out = [0.0; N];
        for value in &mut out {
            *value = self.f32(name)?;
        }
        Ok(out)
    }

    /// A section: a 32-bit count, then as many records of at least `smallest` bytes each.
    ///
    /// The count is compared with the bytes left before anything is allocated. A fault inside a record gets
    /// the path `name[index]`.
    ///
    /// # Errors
    /// `truncated` if the count is cut, `count` if the file cannot hold the number of records, and any error
    /// of `record`.
    pub fn section<T>(
        &mut self,
        name: &'static str,
        smallest: usize,
        record: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.count(name, smallest)?;
        self.records(name, count, record)
    }

    /// A 32-bit count of records of at least `smallest` bytes each, compared with the bytes left.
    ///
    /// # Errors
    /// `truncated` if the count is cut, `count` if the file cannot hold the number of records.
    pub fn count(&mut self, name: &'static str, smallest: usize) -> Read<usize> {
        self.count_by(name, smallest, |cursor| cursor.u32(name))
    }

    /// As [`Cursor::count`] for a count of 16 bits.
    ///
    /// # Errors
    /// As there.
    pub fn count_u16(&mut self, name: &'static str, smallest: usize) -> Read<usize> {
        self.count_by(name, smallest, |cursor| cursor.u16(name).map(u32::from))
    }

    /// As [`Cursor::count`] for a count of 8 bits.
    ///
    /// # Errors
    /// As there.
    pub fn count_u8(&mut self, name: &'static str, smallest: usize) -> Read<usize> {
        self.count_by(name, smallest, |cursor| cursor.u8(name).map(u32::from))
    }

    fn count_by(
        &mut self,
        name: &'static str,
        smallest: usize,
        number: impl FnOnce(&mut Self) -> Read<u32>,
    ) -> Read<usize> {
        let before = self.clone();
        let count = number(self)?;
        self.check_count(&before, name, count, smallest)?;
        Ok(count as usize)
    }

    /// `count` records, in sequence. The caller has compared `count` with the bytes left.
    ///
    /// # Errors
    /// Any error of `record`, with the path `name[index]` in front.
    pub fn records<T>(
        &mut self,
        name: &'static str,
        count: usize,
        mut record: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut records = Vec::with_capacity(count);
        for index in 0..count {
            match record(self) {
                Ok(value) => records.push(value),
                Err(fault) => return Err(Box::new(fault.within(format_args!("[{index}]")).within(name))),
            }
        }
        Ok(records)
    }

    fn check_count(&self, before: &Self, name: &str, count: u32, smallest: usize) -> Read<()> {
        let most_records = self.rest.len().checked_div(smallest).unwrap_or(usize::MAX);
        if count as usize <= most_records {
            return Ok(());
        }
        let (records, left) = (counted(most_records, "record"), counted(self.rest.len(), "byte"));
        let expected = format!("at most {records} ({left} left, {smallest} each)");
        let name = format!("{name} count");
        Err(before.fault(self.codes.count, &name, expected, grouped(count as usize)))
    }

    #[cold]
    fn truncated(&self, count: usize, name: &'static str) -> Box<Fault> {
        let left = format!("{} left", counted(self.rest.len(), "byte"));
        self.fault(self.codes.truncated, name, counted(count, "byte"), left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: Codes = Codes { truncated: "truncated", count: "count-too-large" };

    #[test]
    fn a_short_field_names_itself_its_place_and_what_is_left() {
        let mut cursor = Cursor::new(&[1, 2, 3], CODES);
        assert_eq!(cursor.u8("kind"), Ok(1));
        let fault = cursor.u32("frame").unwrap_err();
        assert_eq!(fault.to_string(), "byte 0x1 (frame): expected 4 bytes, found 2 bytes left");
        assert_eq!(cursor.remaining(), 2, "a failed read consumes nothing");
    }

    #[test]
    fn an_impossible_count_is_refused_before_allocating() {
        let mut bytes = u32::MAX.to_le_bytes().to_vec();
        bytes.extend([0; 4_551]);
        let fault = Cursor::new(&bytes, CODES).section("bone keys", 111, |c| c.u8("x")).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "byte 0x0 (bone keys count): expected at most 41 records (4,551 bytes left, 111 each), found 4,294,967,295"
        );
    }

    #[test]
    fn counts_of_all_sizes_are_compared_with_what_is_left() {
        let fault = Cursor::new(&[2, 1, 0], CODES).count_u16("bones", 39).unwrap_err();
        let expected = "byte 0x0 (bones count): expected at most 0 records (1 byte left, 39 each), found 258";
        assert_eq!(fault.to_string(), expected);
        assert_eq!(Cursor::new(&[2, 1, 0], CODES).count_u8("frames", 1), Ok(2));
        assert_eq!(Cursor::new(&[2, 0, 9, 9], CODES).count_u16("links", 1), Ok(2));
    }

    #[test]
    fn a_fault_in_a_record_carries_its_index() {
        let bytes = [2, 0, 0, 0, 9, 9, 9];
        let fault = Cursor::new(&bytes, CODES).section("keys", 1, |c| c.u16("frame")).unwrap_err();
        assert_eq!(fault.to_string(), "byte 0x6 (keys[1].frame): expected 2 bytes, found 1 byte left");
    }

    #[test]
    fn both_byte_orders() {
        assert_eq!(Cursor::new(&[0, 1], CODES).u16("n"), Ok(256));
        assert_eq!(Cursor::new(&[0, 1], CODES).with_endian(Endian::Big).u16("n"), Ok(1));
    }
}
