//! A pose as a new text.

use super::codes;
use super::document::{Bone, Morph, Pose};
use super::read::{BONE, MORPH, SIGNATURE};
use crate::text;
use dopesheet_core::diag::{Fault, Place};

/// The line break of MikuMikuDance.
pub(super) const CRLF: &str = "\r\n";

/// The whole file in the form of MikuMikuDance.
pub(super) fn anew(pose: &Pose) -> Result<Vec<u8>, Fault> {
    let mut out = Text::new(CRLF);
    out.ascii(SIGNATURE).line_end().line_end();
    out.text(&pose.parent, "parent")?;
    out.ascii(";\t\t").text("// 親ファイル名", "")?;
    out.line_end().ascii(&format!("{};\t\t\t\t", pose.announced_bones)).text("// 総ポーズボーン数", "")?;
    out.line_end().line_end();
    for (index, bone) in pose.bones.iter().enumerate() {
        out.bone(index, bone)?;
    }
    for (index, morph) in pose.morphs.iter().enumerate() {
        out.morph(index, morph)?;
    }
    Ok(out.bytes)
}

/// A number with six decimals, as written by MikuMikuDance, but never as −0.
pub(super) fn decimal(number: f32) -> String {
    let digits = format!("{number:.6}");
    match digits.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => digits,
    }
}

/// A name as bytes.
pub(super) fn name_bytes(name: &str, path: &str) -> Result<Vec<u8>, Fault> {
    let pointer = path.to_owned();
    let fault = |code, expected: &'static str| {
        let start = Place::Text { line: 1, column: 1, pointer };
        Err(Fault::new(code, start, expected, format!("\"{}\"", name.escape_debug())))
    };
    if name.contains(['\n', '\r']) || name.ends_with(|c: char| c.is_ascii_whitespace()) {
        return fault(codes::NAME_LINE.code, "a name of one line that does not end in blanks");
    }
    match text::encode(name, false) {
        Ok(encoded) => Ok(encoded.bytes),
        Err(_) => fault(codes::NAME_UNENCODABLE.code, "characters of CP932"),
    }
}

/// A text in the making.
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
    line_end: &'static str,
}

impl Text {
    pub(super) const fn new(line_end: &'static str) -> Self {
        Self { bytes: Vec::new(), line_end }
    }

    pub(super) fn ascii(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    pub(super) fn line_end(&mut self) -> &mut Self {
        self.ascii(self.line_end)
    }

    fn text(&mut self, name: &str, path: &str) -> Result<&mut Self, Fault> {
        self.bytes.extend(name_bytes(name, path)?);
        Ok(self)
    }

    pub(super) fn bone(&mut self, index: usize, bone: &Bone) -> Result<(), Fault> {
        self.ascii(&format!("{BONE}{index}{{")).text(&bone.name, &format!("bones[{index}].name"))?;
        self.line_end().numbers(&bone.translation, "\t\t\t\t// trans x,y,z");
        self.numbers(&bone.rotation, "\t\t// Quaternion x,y,z,w");
        self.ascii("}").line_end().line_end();
        Ok(())
    }

    pub(super) fn morph(&mut self, index: usize, morph: &Morph) -> Result<(), Fault> {
        self.ascii(&format!("{MORPH}{index}{{")).text(&morph.name, &format!("morphs[{index}].name"))?;
        self.line_end().numbers(&[morph.weight], "\t\t\t\t// weight");
        self.ascii("}").line_end().line_end();
        Ok(())
    }

    fn numbers(&mut self, numbers: &[f32], comment: &str) -> &mut Self {
        let numbers: Vec<_> = numbers.iter().map(|number| decimal(*number)).collect();
        self.ascii("  ").ascii(&numbers.join(",")).ascii(";").ascii(comment).line_end()
    }
}
