//! Files built field by field, independently of the writer.

use dopesheet_core::bytes::ByteBuilder;

/// 初音ミク.
pub(crate) const MIKU: &[u8] = b"\x8f\x89\x89\xb9\x83\x7e\x83\x4e";
/// センター.
pub(crate) const CENTER: &[u8] = b"\x83\x5a\x83\x93\x83\x5e\x81\x5b";
/// 左ひじ.
pub(crate) const ELBOW: &[u8] = b"\x8d\xb6\x82\xd0\x82\xb6";
/// まばたき.
pub(crate) const BLINK: &[u8] = b"\x82\xdc\x82\xce\x82\xbd\x82\xab";
/// 左足ＩＫ.
pub(crate) const LEG_IK: &[u8] = b"\x8d\xb6\x91\xab\x82\x68\x82\x6a";
/// カメラ・照明.
pub(crate) const CAMERA: &[u8] = b"\x83\x4a\x83\x81\x83\x89\x81\x45\x8f\xc6\x96\xbe";

/// A straight curve in the block of a newer MikuMikuDance, physics on: rows of x1 x1 x1 x1 y1 … shifted by 0 to 3.
pub(crate) const STRAIGHT: [u8; 64] = [
    20, 20, 0, 0, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, //
    20, 20, 20, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, 0, //
    20, 20, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, 0, 0, //
    20, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, 0, 0, 0,
];
/// The same as an older MikuMikuDance writes it: no switch, other fillers.
pub(crate) const STRAIGHT_OLD: [u8; 64] =
    with(with(with(with(with(STRAIGHT, 2, 20), 3, 20), 31, 1), 46, 1), 61, 1);
/// A straight curve for the six channels of a camera key.
pub(crate) const STRAIGHT_CAMERA: [u8; 24] = [
    20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20,
    107,
];
pub(crate) const NO_TURN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

pub(crate) const fn with<const N: usize>(mut bytes: [u8; N], at: usize, byte: u8) -> [u8; N] {
    bytes[at] = byte;
    bytes
}

/// A file in the making.
pub(crate) struct File(ByteBuilder);

impl File {
    /// A file of the current version, up to the count of its bone keys.
    pub(crate) fn new(model: &[u8]) -> Self {
        Self::with_header(b"Vocaloid Motion Data 0002", 20, model)
    }

    pub(crate) fn with_header(signature: &[u8], name_size: usize, model: &[u8]) -> Self {
        let mut file = Self(ByteBuilder::default());
        file.text(signature, 30, 0).text(model, name_size, 0);
        file
    }

    /// A text field, filled up with `fill` behind its terminator.
    pub(crate) fn text(&mut self, text: &[u8], size: usize, fill: u8) -> &mut Self {
        let mut field = vec![fill; size];
        field[..text.len()].copy_from_slice(text);
        if let Some(terminator) = field.get_mut(text.len()) {
            *terminator = 0;
        }
        self.0.bytes(&field);
        self
    }

    pub(crate) fn count(&mut self, count: u32) -> &mut Self {
        self.0.u32(count);
        self
    }

    /// Sections without keys.
    pub(crate) fn empty(&mut self, sections: usize) -> &mut Self {
        for _ in 0..sections {
            self.count(0);
        }
        self
    }

    pub(crate) fn bone(
        &mut self,
        name: &[u8],
        frame: u32,
        place: [f32; 3],
        turn: [f32; 4],
        curves: &[u8; 64],
    ) -> &mut Self {
        self.text(name, 15, 0);
        self.0.u32(frame).f32s(&place).f32s(&turn).bytes(curves);
        self
    }

    /// A bone key at rest.
    pub(crate) fn rest(&mut self, name: &[u8], frame: u32) -> &mut Self {
        self.bone(name, frame, [0.0; 3], NO_TURN, &STRAIGHT)
    }

    pub(crate) fn morph(&mut self, name: &[u8], frame: u32, weight: f32) -> &mut Self {
        self.text(name, 15, 0);
        self.0.u32(frame).f32(weight);
        self
    }

    pub(crate) fn camera(
        &mut self,
        frame: u32,
        distance: f32,
        fov: u32,
        flat: u8,
        curves: &[u8; 24],
    ) -> &mut Self {
        self.0.u32(frame).f32(distance).f32s(&[0.0, 10.0, 0.0]).f32s(&[0.0, 0.5, 0.0]);
        self.0.bytes(curves).u32(fov).u8(flat);
        self
    }

    pub(crate) fn light(&mut self, frame: u32, direction: [f32; 3]) -> &mut Self {
        self.0.u32(frame).f32s(&[0.602; 3]).f32s(&direction);
        self
    }

    pub(crate) fn shadow(&mut self, frame: u32, mode: u8, distance: f32) -> &mut Self {
        self.0.u32(frame).u8(mode).f32(distance);
        self
    }

    pub(crate) fn model(&mut self, frame: u32, visible: u8, ik: &[(&[u8], u8)]) -> &mut Self {
        self.0.u32(frame).u8(visible).u32(ik.len() as u32);
        for (name, enabled) in ik {
            self.text(name, 20, 0);
            self.0.u8(*enabled);
        }
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
