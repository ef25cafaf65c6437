//! The counterpart of [`Cursor`](super::Cursor): fields appended to a byte vector.

use super::Endian;

/// Appends fields of a binary file.
#[derive(Clone, Debug, Default)]
pub struct ByteBuilder {
    bytes: Vec<u8>,
    endian: Endian,
}

impl ByteBuilder {
    /// An empty little-endian builder with room for `capacity` bytes.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), endian: Endian::Little }
    }

    /// The same builder writing numbers in another byte order from here on.
    #[must_use]
    pub const fn with_endian(mut self, endian: Endian) -> Self {
        self.endian = endian;
        self
    }

    /// Appends bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    /// Appends a 16-bit unsigned integer.
    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&if self.endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() })
    }

    /// Appends a 32-bit unsigned integer.
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&if self.endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() })
    }

    /// Appends a 32-bit float with its exact bits.
    pub fn f32(&mut self, value: f32) -> &mut Self {
        self.u32(value.to_bits())
    }

    /// Appends 32-bit floats.
    pub fn f32s(&mut self, values: &[f32]) -> &mut Self {
        for &value in values {
            self.f32(value);
        }
        self
    }

    /// Appends `fill` until the length is a multiple of `alignment` (which must not be 0).
    pub fn align(&mut self, alignment: usize, fill: u8) -> &mut Self {
        let length = self.bytes.len().next_multiple_of(alignment);
        self.bytes.resize(length, fill);
        self
    }

    /// Bytes appended so far.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True before the first byte.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All bytes appended so far.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
