//! The built-in model.

use crate::error::Error;
use crate::files::open::open;
use crate::files::read::{Opened, read};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{ReadOptions, Role};
use flate2::read::DeflateDecoder;
use std::io::Read as _;
use std::path::Path;

/// The word for the built-in model in place of a model's file.
pub const STANDARD_MODEL: &str = "standard";

/// The built-in puppet: the standard and semi-standard bones of MikuMikuDance's models with their IK, and a
/// skinned and textured body 158 cm tall, for watching motions without any other model.
///
/// # Errors
/// Never, unless the build lacks the format PMX.
pub fn standard_model() -> Result<Opened, Error> {
    let picture =
        |name: &str| (name == "standard.png").then(|| include_bytes!("../standard/standard.png").to_vec());
    let model = unpacked(include_bytes!("../standard/standard.packed")).unwrap_or_default();
    read("standard.pmx", &model, &ReadOptions::default(), &mut |name| picture(name))
}

/// Bytes of a vertex of a PMX whose number does not depend on its weights: position, normal and texture
/// coordinates.
const FIXED: usize = 32;

/// The file of the puppet, carried in programs in a seventh of its size: deflated, with vertices byte by byte
/// in columns, and corners of faces as differences. `cargo xtask samples` packs it. `None` if the bytes are
/// packed in any other form.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut inflated = Vec::new();
    DeflateDecoder::new(packed).read_to_end(&mut inflated).ok()?;
    let mut rest = inflated.as_slice();
    let mut sizes = [0; 3];
    for size in &mut sizes {
        *size = u32::from_le_bytes(*rest.split_off(..4)?.as_array()?) as usize;
    }
    let [head, vertices, corners] = sizes;
    let mut file = rest.split_off(..head)?.to_vec();
    let columns = rest.split_off(..vertices.checked_mul(FIXED)?)?;
    for vertex in 0..vertices {
        file.extend(columns.iter().skip(vertex).step_by(vertices));
        // Kind of weights, bones of one byte each, weights, and the width of the edge.
        let length = match rest.first()? {
            0 => 6,
            1 => 11,
            _ => 25,
        };
        file.extend(rest.split_off(..length)?);
    }
    file.extend(rest.split_off(..4)?);
    let mut corner = 0_u16;
    for difference in rest.split_off(..corners.checked_mul(2)?)?.as_chunks().0 {
        corner = corner.wrapping_add(u16::from_le_bytes(*difference));
        file.extend(corner.to_le_bytes());
    }
    file.extend(rest);
    Some(file)
}

/// The built-in puppet for a motion of MikuMikuDance without a model; the report says so.
pub(crate) fn assume_standard_model(report: &mut Report) -> Result<Opened, Error> {
    let expected = "a model, for its hierarchy (give one with -m)";
    let assumed_model = format!("none; the standard model stands for it, as with -m {STANDARD_MODEL}");
    report.info(Fault::new("model-assumed", Place::File, expected, assumed_model));
    standard_model()
}

/// Refuses files in formats that hold motions without joints.
fn refuse_motion(opened: Opened) -> Result<Opened, Error> {
    let info = opened.format().info();
    match info.role {
        Role::Motion => Err(Error::Usage(format!(
            "{}: expected a model for -m, found a motion ({}); models are files such as .pmx, .glb and .vrm, and -m {STANDARD_MODEL} is \
             one of our own",
            opened.name, info.name
        ))),
        _ => Ok(opened),
    }
}

/// Opens the file of a figure that motions are put onto, or the built-in figure if the path is
/// [`STANDARD_MODEL`].
///
/// # Errors
/// As [`open`](fn@open).
pub fn open_figure(path: &Path) -> Result<Opened, Error> {
    match path.to_str() {
        Some(STANDARD_MODEL) => standard_model(),
        _ => open(path, None, &ReadOptions::default()),
    }
}

/// Opens the file of a model, or the built-in model if the path is [`STANDARD_MODEL`].
///
/// # Errors
/// As [`open`](fn@open).
pub fn open_model(path: &Path) -> Result<Opened, Error> {
    open_figure(path).and_then(refuse_motion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packed_puppet_is_the_file_beside_it_to_the_byte() {
        let packed = unpacked(include_bytes!("../standard/standard.packed"));
        assert!(packed.as_deref() == Some(include_bytes!("../standard/standard.pmx").as_slice()));
    }

    #[test]
    fn what_was_packed_otherwise_is_nothing() {
        let packed = include_bytes!("../standard/standard.packed");
        assert_eq!(unpacked(&packed[..packed.len() / 2]), None);
        assert_eq!(unpacked(b"PMX "), None);
    }
}
