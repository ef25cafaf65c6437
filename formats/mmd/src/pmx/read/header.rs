//! The header, in front of the texts and sections.

use crate::pmx::codes;
use crate::pmx::document::{Encoding, Header, IndexSize, IndexSizes, Version};
use crate::pmx::layout::SETTINGS;
use dopesheet_core::bytes::{Cursor, Read};

pub(super) fn header(cursor: &mut Cursor<'_>) -> Read<Header> {
    let magic = magic(cursor)?;
    let version = version(cursor)?;
    let extra = extra_settings(cursor)?;
    let encoding = setting(cursor, "encoding", "0 (UTF-16) or 1 (UTF-8)", Encoding::of)?;
    let additional_uvs = setting(cursor, "additional UVs", "0 to 4", |byte| (byte <= 4).then_some(byte))?;
    let mut size = |name| setting(cursor, name, "1, 2 or 4", IndexSize::of);
    let index_sizes = IndexSizes {
        vertex: size("vertex index size")?,
        texture: size("texture index size")?,
        material: size("material index size")?,
        bone: size("bone index size")?,
        morph: size("morph index size")?,
        body: size("rigid body index size")?,
    };
    let extra = cursor.take(extra, "further settings")?.to_vec();
    Ok(Header { magic, version, encoding, additional_uvs, index_sizes, extra })
}

fn magic(cursor: &mut Cursor<'_>) -> Read<[u8; 4]> {
    let start = cursor.clone();
    let magic = cursor.array("signature")?;
    if [Header::MAGIC, Header::MAGIC_NO_BREAK].contains(&magic) {
        return Ok(magic);
    }
    let actual = format!("\"{}\"", magic.escape_ascii());
    Err(start.fault(codes::SIGNATURE.code, "signature", "\"PMX \"".to_owned(), actual))
}

fn version(cursor: &mut Cursor<'_>) -> Read<Version> {
    let start = cursor.clone();
    let number = cursor.f32("version")?;
    Version::of(number).ok_or_else(|| {
        start.fault(codes::VERSION.code, "version", "2.0 or 2.1".to_owned(), number.to_string())
    })
}

/// Number of settings behind the defined settings.
fn extra_settings(cursor: &mut Cursor<'_>) -> Read<usize> {
    let start = cursor.clone();
    let settings = cursor.u8("number of settings")?;
    usize::from(settings).checked_sub(SETTINGS).ok_or_else(|| {
        let expected = format!("{SETTINGS} or more");
        start.fault(codes::SETTINGS.code, "number of settings", expected, settings.to_string())
    })
}

fn setting<T>(
    cursor: &mut Cursor<'_>,
    name: &'static str,
    expected: &str,
    of: impl Fn(u8) -> Option<T>,
) -> Read<T> {
    let start = cursor.clone();
    let byte = cursor.u8(name)?;
    of(byte).ok_or_else(|| start.fault(codes::SETTINGS.code, name, expected.to_owned(), byte.to_string()))
}
