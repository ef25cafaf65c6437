//! Files built field by field, independently of the writer.

use dopesheet_core::bytes::{ByteBuilder, Endian};

/// A file in the making.
pub(crate) struct File(ByteBuilder);

impl File {
    /// A little-endian file up to the class name.
    pub(crate) fn new(version: u32, class: &str) -> Self {
        Self::with_magic(b"ubi/b0-l", Endian::Little, version, class)
    }

    pub(crate) fn with_magic(magic: &[u8; 8], endian: Endian, version: u32, class: &str) -> Self {
        let mut out = ByteBuilder::default().with_endian(endian);
        out.bytes(magic).u32(version);
        let mut file = Self(out);
        file.text(class.as_bytes());
        file
    }

    /// An animation of version 0x11 and 2 s, up to the tracks themselves.
    pub(crate) fn animation(tracks: u32) -> Self {
        let mut file = Self::new(0x11, "MORE::Animation");
        file.f32s(&[2.0]).u8(0).u32(tracks);
        file
    }

    /// An animation of version 0x11 with one track and no instants.
    pub(crate) fn one_track(track: impl FnOnce(&mut Self)) -> Vec<u8> {
        let mut file = Self::animation(1);
        track(&mut file);
        file.u32(0).done()
    }

    /// Type, name, terminate switch and number of keys of a track.
    pub(crate) fn track(&mut self, code: u32, name: &[u8], keys: u32) -> &mut Self {
        self.u32(code).text(name).u8(1).u32(keys)
    }

    pub(crate) fn text(&mut self, text: &[u8]) -> &mut Self {
        self.0.u32(text.len() as u32).bytes(text);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.0.u8(value);
        self
    }

    pub(crate) fn u16s(&mut self, values: &[u16]) -> &mut Self {
        values.iter().for_each(|value| {
            self.0.u16(*value);
        });
        self
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.0.u32(value);
        self
    }

    pub(crate) fn f32s(&mut self, values: &[f32]) -> &mut Self {
        self.0.f32s(values);
        self
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.bytes(bytes);
        self
    }

    pub(crate) fn done(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0).finish()
    }
}

/// No rotation.
pub(crate) const NO_TURN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
