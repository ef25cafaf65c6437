//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::codes;
use super::document::{
    BoneKeyframe, CameraKeyframe, Document, IkSwitch, LightKeyframe, ModelKeyframe, ModelName, MorphKeyframe,
    Section, ShadowKeyframe, Version,
};
use super::layout;
use crate::text::Name;
use dopesheet_core::bytes::{Codes, Cursor, Read};
use dopesheet_core::diag::{Fault, Report};

const CODES: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::COUNT.code };

/// Reads a file. With `lenient`, whole records in front of a fault are kept, the fault is reported, and reading ends
/// there.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let mut reader = Reader { cursor: Cursor::new(bytes, CODES), lenient, report };
    let mut document = header(&mut reader.cursor)?;
    document.bones = reader.section(Section::Bones, bone)?;
    document.last_section = Section::Bones;
    for section in Section::ALL.into_iter().skip(1) {
        if reader.cursor.is_at_end() {
            break;
        }
        match section {
            Section::Bones => {}
            Section::Morphs => document.morphs = reader.section(section, morph)?,
            Section::Cameras => document.cameras = reader.section(section, camera)?,
            Section::Lights => document.lights = reader.section(section, light)?,
            Section::Shadows => document.shadows = reader.section(section, shadow)?,
            Section::Models => document.models = reader.section(section, model)?,
        }
        document.last_section = section;
    }
    document.trailing = reader.cursor.take_rest().to_vec();
    Ok(document)
}

fn header(cursor: &mut Cursor<'_>) -> Read<Document> {
    let start = cursor.clone();
    let signature = cursor.array("signature")?;
    let Some(version) = Version::of(&signature) else { return Err(unknown_signature(&start, &signature)) };
    let model = match version {
        Version::Old => ModelName::Short(Name(cursor.array("model name")?)),
        Version::V0002 | Version::Bare => ModelName::Long(Name(cursor.array("model name")?)),
    };
    Ok(Document { signature: Name(signature), model, ..Document::new(version, &Name::EMPTY) })
}

fn unknown_signature(start: &Cursor<'_>, signature: &[u8; 30]) -> Box<Fault> {
    let expected = Version::ALL.map(|v| format!("\"{}\"", v.signature())).join(" or ");
    let text = signature.split(|&b| b == 0).next().unwrap_or_default();
    start.fault(codes::SIGNATURE.code, "signature", expected, format!("\"{}\"", text.escape_ascii()))
}

struct Reader<'a, 'r> {
    cursor: Cursor<'a>,
    lenient: bool,
    report: &'r mut Report,
}

impl<'a> Reader<'a, '_> {
    fn section<K>(&mut self, section: Section, record: impl Fn(&mut Cursor<'a>) -> Read<K>) -> Read<Vec<K>> {
        let start = self.cursor.clone();
        match self.cursor.section(section.word(), section.record(), &record) {
            Err(fault) if self.lenient => {
                self.cursor = start;
                Ok(self.salvage(section, *fault, record))
            }
            result => result,
        }
    }

    /// The whole records in front of a fault.
    fn salvage<K>(
        &mut self,
        section: Section,
        fault: Fault,
        record: impl Fn(&mut Cursor<'a>) -> Read<K>,
    ) -> Vec<K> {
        let announced = self.cursor.u32(section.word()).unwrap_or(0);
        let records = (0..announced).map_while(|_| record(&mut self.cursor).ok());
        let kept: Vec<K> = records.collect();
        self.cursor.take_rest();
        let actual = format!("{} (kept {} of {announced} {})", fault.found, kept.len(), section.word());
        self.report.error(Fault { found: actual.into(), ..fault });
        kept
    }
}

fn bone(cursor: &mut Cursor<'_>) -> Read<BoneKeyframe> {
    Ok(BoneKeyframe {
        name: Name(cursor.array(layout::bone::NAME.name)?),
        frame: cursor.u32(layout::bone::FRAME.name)?,
        translation: cursor.f32s(layout::bone::TRANSLATION.name)?,
        rotation: cursor.f32s(layout::bone::ROTATION.name)?,
        interpolation: cursor.array(layout::bone::INTERPOLATION.name)?,
    })
}

fn morph(cursor: &mut Cursor<'_>) -> Read<MorphKeyframe> {
    Ok(MorphKeyframe {
        name: Name(cursor.array(layout::morph::NAME.name)?),
        frame: cursor.u32(layout::morph::FRAME.name)?,
        weight: cursor.f32(layout::morph::WEIGHT.name)?,
    })
}

fn camera(cursor: &mut Cursor<'_>) -> Read<CameraKeyframe> {
    Ok(CameraKeyframe {
        frame: cursor.u32(layout::camera::FRAME.name)?,
        distance: cursor.f32(layout::camera::DISTANCE.name)?,
        target: cursor.f32s(layout::camera::TARGET.name)?,
        angles: cursor.f32s(layout::camera::ANGLES.name)?,
        interpolation: cursor.array(layout::camera::INTERPOLATION.name)?,
        fov_deg: cursor.u32(layout::camera::FOV.name)?,
        perspective_off: cursor.u8(layout::camera::PERSPECTIVE.name)?,
    })
}

fn light(cursor: &mut Cursor<'_>) -> Read<LightKeyframe> {
    Ok(LightKeyframe {
        frame: cursor.u32(layout::light::FRAME.name)?,
        color: cursor.f32s(layout::light::COLOR.name)?,
        direction: cursor.f32s(layout::light::DIRECTION.name)?,
    })
}

fn shadow(cursor: &mut Cursor<'_>) -> Read<ShadowKeyframe> {
    Ok(ShadowKeyframe {
        frame: cursor.u32(layout::shadow::FRAME.name)?,
        mode: cursor.u8(layout::shadow::MODE.name)?,
        distance: cursor.f32(layout::shadow::DISTANCE.name)?,
    })
}

fn model(cursor: &mut Cursor<'_>) -> Read<ModelKeyframe> {
    Ok(ModelKeyframe {
        frame: cursor.u32(layout::model::FRAME.name)?,
        visible: cursor.u8(layout::model::VISIBLE.name)?,
        ik: cursor.section(layout::model::LIST.name, layout::model::ENTRY, ik_switch)?,
    })
}

fn ik_switch(cursor: &mut Cursor<'_>) -> Read<IkSwitch> {
    Ok(IkSwitch {
        name: Name(cursor.array(layout::model::BONE.name)?),
        enabled: cursor.u8(layout::model::ENABLED.name)?,
    })
}
