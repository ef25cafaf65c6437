//! Files built byte by byte, without the help of the writer.

/// Wrap modes of an untouched curve.
pub(crate) const CLAMP: [i32; 2] = [8, 8];

/// A file under construction.
#[derive(Clone)]
pub(crate) struct File(Vec<u8>);

/// A key of 28 bytes: time, value, tangents, weights, weighted mode.
pub(crate) type Full = ([f32; 6], i32);

impl File {
    /// Magic and version 1.`minor`.
    pub(crate) fn new(minor: i32) -> Self {
        let mut file = Self(vec![0xC6, 0x42, 0x9E, 0x0F, 0x6E, 0xAF, 0x8F, 0x6A]);
        file.int(1).int(minor);
        file
    }

    /// Version 1.1 with its flags.
    pub(crate) fn flags(flags: [u8; 3]) -> Self {
        let mut file = Self::new(1);
        file.raw(&flags);
        file
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn int(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub(crate) fn float(&mut self, value: f32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A curve of 8-byte keys.
    pub(crate) fn curve(&mut self, wrap: [i32; 2], keys: &[[f32; 2]]) -> &mut Self {
        self.int(wrap[0]).int(wrap[1]).int(keys.len() as i32);
        for key in keys {
            self.float(key[0]).float(key[1]);
        }
        self
    }

    /// A curve of 28-byte keys.
    pub(crate) fn full(&mut self, wrap: [i32; 2], keys: &[Full]) -> &mut Self {
        self.int(wrap[0]).int(wrap[1]).int(keys.len() as i32);
        for (numbers, mode) in keys {
            for number in numbers {
                self.float(*number);
            }
            self.int(*mode);
        }
        self
    }

    /// Curves without keys.
    pub(crate) fn empty(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            self.curve(CLAMP, &[]);
        }
        self
    }

    /// The marker list.
    pub(crate) fn markers(&mut self, markers: &[(f32, &[u8])]) -> &mut Self {
        self.int(markers.len() as i32);
        for (time, name) in markers {
            assert!(name.len() < 128);
            self.float(*time).raw(&[name.len() as u8]).raw(name);
        }
        self
    }

    pub(crate) fn done(&self) -> Vec<u8> {
        self.0.clone()
    }
}
