//! Document to bytes: the inverse of reading.

use super::codes;
use super::document::{
    BoneKeyframe, CameraKeyframe, Document, LightKeyframe, ModelKeyframe, ModelName, MorphKeyframe, Section,
    ShadowKeyframe, Version,
};
use dopesheet_core::bytes::ByteBuilder;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;

/// Writes a file.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, Fault> {
    check_header(document)?;
    let mut out = ByteBuilder::with_capacity(document.file_size());
    out.bytes(&document.signature.0);
    match &document.model {
        ModelName::Short(name) => out.bytes(&name.0),
        ModelName::Long(name) => out.bytes(&name.0),
    };
    let last = document.last_written();
    for section in Section::ALL.into_iter().filter(|s| *s <= last) {
        match section {
            Section::Bones => write_section(&mut out, section, &document.bones, bone)?,
            Section::Morphs => write_section(&mut out, section, &document.morphs, morph)?,
            Section::Cameras => write_section(&mut out, section, &document.cameras, camera)?,
            Section::Lights => write_section(&mut out, section, &document.lights, light)?,
            Section::Shadows => write_section(&mut out, section, &document.shadows, shadow)?,
            Section::Models => write_models(&mut out, &document.models)?,
        }
    }
    out.bytes(&document.trailing);
    Ok(out.finish())
}

/// Refuses a signature and a name field that do not belong together, because they would be read back
/// differently.
fn check_header(document: &Document) -> Result<(), Fault> {
    let fits = match (document.version(), &document.model) {
        (Some(Version::Old), ModelName::Short(_)) => true,
        (Some(Version::V0002 | Version::Bare), ModelName::Long(_)) => true,
        (None | Some(_), _) => false,
    };
    if fits {
        return Ok(());
    }
    let expected =
        "a known signature, with a model name of 10 bytes behind the old one and of 20 behind others";
    let size = match document.model {
        ModelName::Short(_) => 10,
        ModelName::Long(_) => 20,
    };
    let actual = format!("{:?} and a model name of {size} bytes", document.signature.text());
    let byte = Place::Byte(ByteOffset(0));
    Err(Fault::new(codes::SIGNATURE.code, byte, expected, actual).at_path("signature"))
}

fn write_count(out: &mut ByteBuilder, count: usize, name: &str) -> Result<(), Fault> {
    let Ok(count) = u32::try_from(count) else {
        let byte = Place::Byte(ByteOffset(out.len() as u64));
        let actual = count.to_string();
        return Err(
            Fault::new(codes::COUNT.code, byte, "at most 4,294,967,295 records", actual).at_path(name)
        );
    };
    out.u32(count);
    Ok(())
}

fn write_section<K>(
    out: &mut ByteBuilder,
    section: Section,
    keys: &[K],
    record: impl Fn(&mut ByteBuilder, &K),
) -> Result<(), Fault> {
    write_count(out, keys.len(), section.word())?;
    keys.iter().for_each(|key| record(out, key));
    Ok(())
}

fn bone(out: &mut ByteBuilder, key: &BoneKeyframe) {
    out.bytes(&key.name.0)
        .u32(key.frame)
        .f32s(&key.translation)
        .f32s(&key.rotation)
        .bytes(&key.interpolation);
}

fn morph(out: &mut ByteBuilder, key: &MorphKeyframe) {
    out.bytes(&key.name.0).u32(key.frame).f32(key.weight);
}

fn camera(out: &mut ByteBuilder, key: &CameraKeyframe) {
    out.u32(key.frame).f32(key.distance).f32s(&key.target).f32s(&key.angles);
    out.bytes(&key.interpolation).u32(key.fov_deg).u8(key.perspective_off);
}

fn light(out: &mut ByteBuilder, key: &LightKeyframe) {
    out.u32(key.frame).f32s(&key.color).f32s(&key.direction);
}

fn shadow(out: &mut ByteBuilder, key: &ShadowKeyframe) {
    out.u32(key.frame).u8(key.mode).f32(key.distance);
}

fn write_models(out: &mut ByteBuilder, keys: &[ModelKeyframe]) -> Result<(), Fault> {
    write_count(out, keys.len(), Section::Models.word())?;
    for key in keys {
        out.u32(key.frame).u8(key.visible);
        write_count(out, key.ik.len(), super::layout::model::LIST.name)?;
        for switch in &key.ik {
            out.bytes(&switch.name.0).u8(switch.enabled);
        }
    }
    Ok(())
}
