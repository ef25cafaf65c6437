//! Archives built field by field, independently of the writer.

use dopesheet_core::bytes::ByteBuilder;

/// An archive in the making.
pub(crate) struct File(ByteBuilder);

impl File {
    /// An archive up to its root folder.
    pub(crate) fn new() -> Self {
        let mut out = ByteBuilder::default();
        out.bytes(b"\x0b\0\0\0UBI_BF_SIG\0").u32(1);
        Self(out)
    }

    /// An archive whose root holds some files and no folders, up to the files.
    pub(crate) fn root(files: u32) -> Self {
        let mut file = Self::new();
        file.text(b"").u8(0).u32(files);
        file
    }

    pub(crate) fn text(&mut self, text: &[u8]) -> &mut Self {
        self.0.u32(text.len() as u32).bytes(text);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.0.u8(value);
        self
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.0.u32(value);
        self
    }

    /// Name, size and position of a file.
    pub(crate) fn file(&mut self, name: &[u8], size: u32, position: u32) -> &mut Self {
        self.text(name).u32(size).u32(position)
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.bytes(bytes);
        self
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.len() as u32
    }

    pub(crate) fn done(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0).finish()
    }
}
