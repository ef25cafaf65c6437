//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

pub(super) mod detect;
mod walk;

use super::codes;
use super::document::{
    Document, Hands, KeyShape, Marker, NumberCurve, NumberKeys, Pose, Ray, SwitchCurve, Version,
};
use super::layout;
use detect::detect;
use dopesheet_core::bytes::{Cursor, Read};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::counted;
use walk::{CODES, Parts, RawCurve, RawMarker, Walk, keyframes, switches};

/// Reads a file. With `lenient`, keys and markers without a finite time and bytes behind the end are left out and
/// reported.
pub(super) fn read(bytes: &[u8], lenient: bool, report: &mut Report) -> Read<Document> {
    let mut cursor = Cursor::new(bytes, CODES);
    let version = header(&mut cursor)?;
    let flag_bytes = match version {
        Version::V1_0 => [1, 1, 0],
        Version::V1_1 => flags(&mut cursor)?,
    };
    let parts = flag_bytes.map(|byte| byte != 0);
    let mut walk = detect(cursor, bytes.len(), version, parts).walk;
    if let Some((fault, _)) = walk.stop.take() {
        return Err(fault);
    }
    let mut dropped = Dropped { lenient, trailing: None, times: None, count: 0 };
    dropped.trailing(&mut walk)?;
    let mut decoder = Decoder { shape: walk.shape, curves: walk.curves.iter(), dropped: &mut dropped };
    let (camera, hands, gaze) = decoder.parts(parts)?;
    let markers = walk.markers.as_deref().map(|list| markers(list, &mut dropped)).transpose()?;
    dropped.report(report);
    let flag_bytes = if version == Version::V1_0 { [1; 3] } else { flag_bytes.map(|byte| byte.max(1)) };
    Ok(Document { version, flag_bytes, camera, hands, gaze, markers })
}

fn header(cursor: &mut Cursor<'_>) -> Read<Version> {
    let start = cursor.clone();
    if cursor.remaining() < layout::HEADER {
        let end = Place::Byte(ByteOffset(cursor.remaining() as u64));
        let actual = format!("the end of the file after {}", cursor.remaining());
        let expected = format!("a header of {} bytes", layout::HEADER);
        return Err(Box::new(Fault::new(codes::TRUNCATED.code, end, expected, actual).at_path("header")));
    }
    let magic: [u8; layout::MAGIC.len()] = cursor.array("magic")?;
    if magic != layout::MAGIC {
        let mut swapped = layout::MAGIC;
        swapped.reverse();
        let note = if magic == swapped { " (the same bytes in the opposite order)" } else { "" };
        let actual = format!("{}{note}", hex(&magic));
        return Err(start.fault(codes::BAD_MAGIC.code, "magic", hex(&layout::MAGIC), actual));
    }
    let version_start = cursor.clone();
    let numbers = [cursor.u32("major version")?, cursor.u32("minor version")?].map(u32::cast_signed);
    Version::ALL.into_iter().find(|version| version.numbers() == numbers).ok_or_else(|| {
        let [major, minor] = numbers;
        let expected = Version::ALL.map(Version::word).join(" or ");
        let note = match major {
            0 => {
                " (of a preview of MRTK2 from before its release; recordings of MRTK 2.0 and later are read)"
            }
            _ => "",
        };
        version_start.fault(
            codes::UNSUPPORTED_VERSION.code,
            "version",
            expected,
            format!("{major}.{minor}{note}"),
        )
    })
}

fn flags(cursor: &mut Cursor<'_>) -> Read<[u8; 3]> {
    let [camera, hands, gaze] = layout::FLAGS;
    Ok([cursor.u8(camera)?, cursor.u8(hands)?, cursor.u8(gaze)?])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Faults left out in lenient reading, and ending strict reading.
struct Dropped {
    lenient: bool,
    trailing: Option<Fault>,
    /// The first time that is not finite, and the number of such times.
    times: Option<Fault>,
    count: usize,
}

/// The number of keys and markers without a finite time, in words.
fn times(count: usize) -> String {
    if count == 1 { "1 key or marker".to_owned() } else { format!("{count} keys and markers") }
}

impl Dropped {
    fn trailing(&mut self, walk: &mut Walk<'_>) -> Read<()> {
        if walk.rest.is_at_end() {
            return Ok(());
        }
        let expected = "the end of the file after the marker list".into();
        let actual = format!("{} more", counted(walk.rest.remaining(), "byte"));
        let fault = walk.rest.fault(codes::TRAILING_BYTES.code, "", expected, actual);
        if !self.lenient || walk.violations() > 0 {
            return Err(fault);
        }
        self.trailing = Some(*fault);
        Ok(())
    }

    /// A time that is not finite.
    fn time(&mut self, offset: ByteOffset, path: impl FnOnce() -> String, time: f32) -> Read<()> {
        self.count = self.count.saturating_add(1);
        if self.times.is_some() {
            return Ok(());
        }
        let fault =
            Fault::new(codes::NON_FINITE_TIME.code, Place::Byte(offset), "a finite time", time.to_string());
        let fault = fault.at_path(path());
        if !self.lenient {
            return Err(Box::new(fault));
        }
        self.times = Some(fault);
        Ok(())
    }

    fn report(self, report: &mut Report) {
        if let Some(fault) = self.times {
            let actual = format!("{} ({} left out)", fault.found, times(self.count));
            report.warn(Fault { found: actual.into(), ..fault });
        }
        if let Some(fault) = self.trailing {
            report.warn(Fault { found: format!("{} (left out)", fault.found).into(), ..fault });
        }
    }

    /// Leaves out the keys with times that are not finite.
    fn keys<K>(
        &mut self,
        raw: &RawCurve<'_>,
        size: usize,
        keys: &mut Vec<K>,
        time: impl Fn(&K) -> f32,
    ) -> Read<()> {
        // One pass without branches over what is almost always sound.
        if keys.iter().fold(true, |sound, key| sound & time(key).is_finite()) {
            return Ok(());
        }
        for (index, time) in keys.iter().map(&time).enumerate().filter(|(_, time)| !time.is_finite()) {
            let offset = (index as u64).saturating_mul(size as u64);
            let offset_of_key = ByteOffset(raw.start.0.saturating_add(offset));
            self.time(offset_of_key, || format!("{}.keys[{index}].time", raw.name), time)?;
        }
        keys.retain(|key| time(key).is_finite());
        Ok(())
    }
}

fn markers(raw: &[RawMarker<'_>], dropped: &mut Dropped) -> Read<Vec<Marker>> {
    let mut markers = Vec::with_capacity(raw.len());
    for (index, marker) in raw.iter().enumerate() {
        if marker.time.is_finite() {
            let name = marker.name.to_vec();
            markers.push(Marker { time: marker.time, name, prefix_length: marker.prefix_length });
        } else {
            dropped.time(marker.start, || format!("markers[{index}].time"), marker.time)?;
        }
    }
    Ok(markers)
}

/// Turns curves into the parts of a document, in the order of the file.
struct Decoder<'a, 'r> {
    shape: KeyShape,
    curves: std::slice::Iter<'a, RawCurve<'a>>,
    dropped: &'r mut Dropped,
}

type Body = (Option<Pose>, Option<Box<Hands>>, Option<Ray>);

impl Decoder<'_, '_> {
    fn parts(&mut self, [camera, hands, gaze]: Parts) -> Read<Body> {
        let camera = if camera { Some(self.pose()?) } else { None };
        let hands = if hands { Some(self.hands()?) } else { None };
        let gaze = if gaze { Some(self.ray()?) } else { None };
        Ok((camera, hands, gaze))
    }

    fn pose(&mut self) -> Read<Pose> {
        let mut pose = Pose::default();
        self.numbers(pose.curves_mut())?;
        Ok(pose)
    }

    fn ray(&mut self) -> Read<Ray> {
        let mut ray = Ray::default();
        self.numbers(ray.curves_mut())?;
        Ok(ray)
    }

    fn hands(&mut self) -> Read<Box<Hands>> {
        let mut hands = Box::<Hands>::default();
        let Hands { tracked, pinch, joints } = &mut *hands;
        for (switch, raw) in tracked.iter_mut().chain(pinch).zip(self.curves.by_ref()) {
            let mut keys: Vec<_> = switches(raw.keys).collect();
            self.dropped.keys(raw, super::document::Key::SIZE, &mut keys, |key| key.time)?;
            *switch = SwitchCurve { wrap: raw.wrap, keys };
        }
        for pose in joints.iter_mut().flatten() {
            self.numbers(pose.curves_mut())?;
        }
        Ok(hands)
    }

    fn numbers<'c>(&mut self, curves: impl Iterator<Item = &'c mut NumberCurve>) -> Read<()> {
        for (curve, raw) in curves.zip(self.curves.by_ref()) {
            let size = self.shape.size();
            let keys = match self.shape {
                KeyShape::Simple => {
                    let mut keys: Vec<_> = switches(raw.keys).collect();
                    self.dropped.keys(raw, size, &mut keys, |key| key.time)?;
                    NumberKeys::Simple(keys)
                }
                KeyShape::Full => {
                    let mut keys: Vec<_> = keyframes(raw.keys).collect();
                    self.dropped.keys(raw, size, &mut keys, |key| key.time)?;
                    NumberKeys::Full(keys)
                }
            };
            *curve = NumberCurve { wrap: raw.wrap, keys };
        }
        Ok(())
    }
}
