//! Document to bytes: the inverse of reading.

use super::codes;
use super::document::{AnyCurve, Document, Key, KeyShape, Keyframe, Marker, NumberKeys, Version};
use super::layout::{self, MAGIC};
use super::read::detect;
use dopesheet_core::bytes::ByteBuilder;
use dopesheet_core::diag::{Fault, Place};

pub(super) fn write(document: &Document) -> Result<Vec<u8>, Fault> {
    check(document)?;
    let mut out = ByteBuilder::with_capacity(document.file_size());
    let [major, minor] = document.version.numbers();
    out.bytes(&MAGIC).u32(major.cast_unsigned()).u32(minor.cast_unsigned());
    if document.version == Version::V1_1 {
        let parts = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
        for (is_there, byte) in parts.into_iter().zip(document.flag_bytes) {
            out.u8(if is_there { byte.max(1) } else { 0 });
        }
    }
    for (name, curve) in document.curves() {
        write_curve(&mut out, curve).map_err(|fault| fault.within(name))?;
    }
    if let Some(markers) = &document.markers {
        out.u32(count(markers.len(), "markers")?);
        for marker in markers {
            write_marker(&mut out, marker)?;
        }
    }
    let bytes = out.finish();
    check_shape(document, &bytes)?;
    Ok(bytes)
}

/// Refuses implausible values by which a reader would take the keys for keys of the other shape, because
/// nothing in the file states the size of its keys.
fn check_shape(document: &Document, bytes: &[u8]) -> Result<(), Fault> {
    let Some(shape) = document.shape().filter(|_| document.version == Version::V1_1) else { return Ok(()) };
    let walk = detect::of_document(document, bytes).walk;
    if walk.shape == shape && walk.is_exact() {
        return Ok(());
    }
    let expected = format!("values by which a reader recognises {} keys", shape.word());
    let actual = "values that no recorder writes, so the file would be misread";
    Err(Fault::new(codes::SHAPE_AMBIGUOUS.code, Place::File, expected, actual))
}

/// Checks that the parts fit the version and that all keys have the same shape.
fn check(document: &Document) -> Result<(), Fault> {
    let expect = |is_so: bool, expected: &'static str, actual: &'static str| match is_so {
        true => Ok(()),
        false => Err(Fault::new(codes::UNSUPPORTED_VERSION.code, Place::File, expected, actual)),
    };
    let shapes = document.curves().filter_map(|(_, curve)| match curve {
        AnyCurve::Number(curve) if !curve.keys.is_empty() => Some(curve.keys.shape()),
        _ => None,
    });
    let mut shapes: Vec<KeyShape> = shapes.collect();
    shapes.dedup();
    expect(shapes.len() < 2, "number keys of one shape", "both shapes")?;
    if document.version == Version::V1_0 {
        let both = document.camera.is_some() && document.hands.is_some();
        expect(both, "camera and hands in version 1.0", "only one of them")?;
        expect(document.gaze.is_none(), "no gaze in version 1.0", "a gaze")?;
        expect(!shapes.contains(&KeyShape::Simple), "full keys in version 1.0", "simple ones")?;
    }
    Ok(())
}

fn count(length: usize, what: &'static str) -> Result<u32, Fault> {
    let fits = i32::try_from(length).map(i32::cast_unsigned);
    let expected = format!("at most {} {what}", i32::MAX);
    fits.map_err(|_| Fault::new(codes::COUNT_TOO_LARGE.code, Place::File, expected, length.to_string()))
}

fn write_curve(out: &mut ByteBuilder, curve: AnyCurve<'_>) -> Result<(), Fault> {
    let wrap = curve.wrap();
    out.u32(wrap.before.cast_unsigned()).u32(wrap.after.cast_unsigned()).u32(count(curve.len(), "keys")?);
    match curve {
        AnyCurve::Switch(curve) => write_keys(out, &curve.keys),
        AnyCurve::Number(curve) => match &curve.keys {
            NumberKeys::Simple(keys) => write_keys(out, keys),
            NumberKeys::Full(keys) => keys.iter().for_each(|key| write_keyframe(out, key)),
        },
    }
    Ok(())
}

fn write_keys(out: &mut ByteBuilder, keys: &[Key]) {
    for key in keys {
        out.f32(key.time).f32(key.value);
    }
}

fn write_keyframe(out: &mut ByteBuilder, key: &Keyframe) {
    out.f32s(&[key.time, key.value, key.in_tangent, key.out_tangent, key.in_weight, key.out_weight]);
    out.u32(key.weighted_mode.cast_unsigned());
}

fn write_marker(out: &mut ByteBuilder, marker: &Marker) -> Result<(), Fault> {
    let mut left = count(marker.name.len(), "bytes of a marker's name")?;
    out.f32(marker.time);
    for index in 0..marker.prefix_size() {
        let more = if index + 1 < marker.prefix_size() { 0x80 } else { 0 };
        out.u8((left & 0x7f) as u8 | more);
        left >>= 7;
    }
    out.bytes(&marker.name);
    Ok(())
}

impl Marker {
    /// Bytes of the number in front of the name.
    fn prefix_size(&self) -> usize {
        let bits = usize::BITS - self.name.len().leading_zeros();
        let needed = bits.div_ceil(7).max(1) as usize;
        needed.max(usize::from(self.prefix_length)).min(layout::LONGEST_PREFIX.max(needed))
    }

    /// Bytes of the marker.
    pub(super) fn size(&self) -> usize {
        size_of::<f32>() + self.prefix_size() + self.name.len()
    }
}
