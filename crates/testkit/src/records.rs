//! Digests by which two programs compare what they read, field by field.

use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes, as lower-case hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The records of one component of a file: their fields as little-endian bytes behind how many records there are.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Number of records.
    pub count: u32,
    bytes: Vec<u8>,
}

impl Records {
    /// The records of some items, each of which `record` appends.
    pub fn of<K>(items: impl IntoIterator<Item = K>, mut record: impl FnMut(&mut Self, K)) -> Self {
        let mut records = Self::default();
        for item in items {
            records.count += 1;
            record(&mut records, item);
        }
        records
    }

    /// A text as UTF-8 behind its length in bytes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.int(text.len() as u32).raw(text.as_bytes())
    }

    /// A number of at most 32 bits, in 32 bits.
    pub fn int(&mut self, value: impl Into<i64>) -> &mut Self {
        self.raw(&(value.into() as u32).to_le_bytes())
    }

    /// Several such numbers.
    pub fn ints<N: Into<i64>>(&mut self, values: impl IntoIterator<Item = N>) -> &mut Self {
        values.into_iter().fold(self, |records, value| records.int(value))
    }

    /// Numbers in single precision.
    pub fn floats(&mut self, values: &[f32]) -> &mut Self {
        values.iter().fold(self, |records, value| records.raw(&value.to_le_bytes()))
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// They are as many as another program found, and have the digest that it found.
    ///
    /// # Panics
    /// If not.
    pub fn assert_agree(&self, theirs: &serde_json::Value, name: &str) {
        let digest = sha256(&[&self.count.to_le_bytes()[..], &self.bytes].concat());
        assert_eq!(theirs["count"], self.count, "{name}");
        assert_eq!(theirs["sha256"], digest, "{name}");
    }
}
