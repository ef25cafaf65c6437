//! The structure of a file for a given size of its number keys, before anything is decoded.

use super::super::document::{Key, KeyShape, Keyframe, Wrap};
use super::super::layout;
use super::super::names::CurveName;
use super::super::{codes, wrap};
use dopesheet_core::bytes::{Codes, Cursor, Read};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::{counted, grouped};

pub(in crate::animation) const CODES: Codes =
    Codes { truncated: codes::TRUNCATED.code, count: codes::COUNT_TOO_LARGE.code };

/// Times and values beyond these limits are a sign of a wrong reading of the bytes: 115 days, and 1000 km.
const PLAUSIBLE_TIME_S: f32 = 1e7;
const PLAUSIBLE_VALUE: f32 = 1e6;

/// Presence of a file's parts, in the order of the flags.
pub(in crate::animation) type Parts = [bool; 3];

/// A curve with its keys as undecoded bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::animation) struct RawCurve<'a> {
    pub(in crate::animation) name: CurveName,
    pub(in crate::animation) wrap: Wrap,
    /// Offset of its keys in the file.
    pub(in crate::animation) start: ByteOffset,
    pub(in crate::animation) keys: &'a [u8],
}

/// A marker with its name as undecoded bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::animation) struct RawMarker<'a> {
    /// Offset of the marker in the file.
    pub(in crate::animation) start: ByteOffset,
    pub(in crate::animation) time: f32,
    pub(in crate::animation) prefix_length: u8,
    pub(in crate::animation) name: &'a [u8],
}

/// Result of a walk, complete or not.
#[derive(Debug)]
pub(in crate::animation) struct Walk<'a> {
    pub(in crate::animation) shape: KeyShape,
    /// All curves read completely.
    pub(in crate::animation) curves: Vec<RawCurve<'a>>,
    /// `None` if nothing follows the last curve.
    pub(in crate::animation) markers: Option<Vec<RawMarker<'a>>>,
    /// The fault that ended the walk, and true if the fault was behind the last curve.
    pub(in crate::animation) stop: Option<(Box<Fault>, bool)>,
    /// Bytes behind the end.
    pub(in crate::animation) rest: Cursor<'a>,
}

/// Walks through everything behind the flags.
pub(in crate::animation) fn walk(
    cursor: Cursor<'_>,
    length: usize,
    parts: Parts,
    shape: KeyShape,
) -> Walk<'_> {
    let [camera, hands, gaze] = parts;
    let (curves, markers) = (Vec::with_capacity(400), None);
    let mut walk = Walk { shape, curves, markers, stop: None, rest: cursor };
    for name in CurveName::all(camera, hands, gaze) {
        let size = if name.is_switch() { Key::SIZE } else { shape.size() };
        match curve(&mut walk.rest, length, name, size) {
            Ok(curve) => walk.curves.push(curve),
            Err(fault) => {
                walk.stop = Some((Box::new(fault.within(name)), false));
                return walk;
            }
        }
    }
    if !walk.rest.is_at_end() {
        match markers_at(&mut walk.rest, length) {
            Ok(markers) => walk.markers = Some(markers),
            Err(fault) => walk.stop = Some((fault, true)),
        }
    }
    walk
}

fn curve<'a>(cursor: &mut Cursor<'a>, length: usize, name: CurveName, key_size: usize) -> Read<RawCurve<'a>> {
    let mut header = Cursor::clone(cursor);
    cursor.take(layout::CURVE_HEADER, "header")?;
    let wrap =
        Wrap { before: signed(&mut header, "wrap before")?, after: signed(&mut header, "wrap after")? };
    let count = count(&mut header, length, "key count", Key::SIZE)?;
    let bytes = usize::try_from(u64::from(count).saturating_mul(key_size as u64)).unwrap_or(usize::MAX);
    let start = cursor.position();
    Ok(RawCurve { name, wrap, start, keys: cursor.take(bytes, "keys")? })
}

fn signed(cursor: &mut Cursor<'_>, name: &'static str) -> Read<i32> {
    cursor.u32(name).map(u32::cast_signed)
}

/// A count of items of at least `smallest` bytes, which must fit into a file of `length` bytes.
fn count(cursor: &mut Cursor<'_>, length: usize, name: &'static str, smallest: usize) -> Read<u32> {
    let before = cursor.clone();
    let stored = signed(cursor, name)?;
    let Ok(count) = u32::try_from(stored) else {
        return Err(before.fault(
            codes::NEGATIVE_COUNT.code,
            name,
            "a count of 0 or more".into(),
            stored.to_string(),
        ));
    };
    if u64::from(count).saturating_mul(smallest as u64) > length as u64 {
        let expected = format!(
            "at most {} in a file of {}",
            grouped(length.checked_div(smallest).unwrap_or(0)),
            counted(length, "byte")
        );
        return Err(before.fault(codes::COUNT_TOO_LARGE.code, name, expected, grouped(count as usize)));
    }
    Ok(count)
}

fn markers_at<'a>(cursor: &mut Cursor<'a>, length: usize) -> Read<Vec<RawMarker<'a>>> {
    let count = count(cursor, length, "marker count", layout::SMALLEST_MARKER)?;
    // A bad count costs no more memory than the file has bytes: see the test above.
    cursor.records("markers", count as usize, marker)
}

fn marker<'a>(cursor: &mut Cursor<'a>) -> Read<RawMarker<'a>> {
    let start = cursor.position();
    let time = cursor.f32("time")?;
    let text = cursor.position();
    let (length, prefix_length) = string_length(cursor)?;
    let cut = |fault: Box<Fault>| Box::new(Fault { place: Place::Byte(text), ..*fault });
    Ok(RawMarker { start, time, prefix_length, name: cursor.take(length, "name").map_err(cut)? })
}

/// A length in the form of .NET in front of strings: seven bits per byte, low bits first. Yields the length,
/// and the number of its bytes if larger than needed, else 0.
fn string_length(cursor: &mut Cursor<'_>) -> Read<(usize, u8)> {
    let before = cursor.clone();
    let mut value = 0u64;
    for (index, shift) in (0u8..).zip((0u32..).step_by(7)).take(layout::LONGEST_PREFIX) {
        let byte = cursor.u8("name length")?;
        value |= u64::from(byte & 0x7f).wrapping_shl(shift);
        if byte & 0x80 == 0 {
            let is_longer = byte == 0 && index > 0;
            let prefix_length = if is_longer { index.saturating_add(1) } else { 0 };
            return match i32::try_from(value).ok().and_then(|v| usize::try_from(v).ok()) {
                Some(length) => Ok((length, prefix_length)),
                None => Err(bad_length(&before, format!("{value}"))),
            };
        }
    }
    Err(bad_length(&before, "a longer number".into()))
}

fn bad_length(before: &Cursor<'_>, found: String) -> Box<Fault> {
    let expected = "a length of at most 2,147,483,647 bytes, stored in at most 5 bytes".into();
    before.fault(codes::BAD_STRING_LENGTH.code, "name length", expected, found)
}

impl RawCurve<'_> {
    /// Number of its values that no recorder would write.
    pub(in crate::animation) fn violations(&self, shape: KeyShape) -> usize {
        let wraps = [self.wrap.before, self.wrap.after].into_iter().filter(|mode| !wrap::is_plain(*mode));
        let keys = match shape {
            _ if self.name.is_switch() => implausible(switches(self.keys).map(Keyframe::from)),
            KeyShape::Simple => implausible(switches(self.keys).map(Keyframe::from)),
            KeyShape::Full => implausible(keyframes(self.keys)),
        };
        wraps.count().saturating_add(keys)
    }
}

/// The keys of a switch, or number keys of the simple shape.
pub(in crate::animation) fn switches(bytes: &[u8]) -> impl Iterator<Item = Key> {
    let (keys, _) = bytes.as_chunks::<{ Key::SIZE }>();
    keys.iter().map(|&[a, b, c, d, e, f, g, h]| Key {
        time: f32::from_le_bytes([a, b, c, d]),
        value: f32::from_le_bytes([e, f, g, h]),
    })
}

/// Number keys of the full shape.
pub(in crate::animation) fn keyframes(bytes: &[u8]) -> impl Iterator<Item = Keyframe> {
    let (keys, _) = bytes.as_chunks::<{ Keyframe::SIZE }>();
    keys.iter().map(|key| {
        let (words, _) = key.as_chunks::<4>();
        let mut words = words.iter().copied().map(u32::from_le_bytes);
        let mut next = || words.next().unwrap_or_default();
        Keyframe {
            time: f32::from_bits(next()),
            value: f32::from_bits(next()),
            in_tangent: f32::from_bits(next()),
            out_tangent: f32::from_bits(next()),
            in_weight: f32::from_bits(next()),
            out_weight: f32::from_bits(next()),
            weighted_mode: next().cast_signed(),
        }
    })
}

fn implausible(keys: impl Iterator<Item = Keyframe>) -> usize {
    let mut previous = f32::NEG_INFINITY;
    let mut count = 0usize;
    for key in keys {
        let time_is_fine = key.time.abs() <= PLAUSIBLE_TIME_S && key.time >= previous;
        if key.time.is_finite() {
            previous = key.time;
        }
        let weights = [key.in_weight, key.out_weight];
        let value_is_fine = key.value.abs() <= PLAUSIBLE_VALUE;
        let faults = [!time_is_fine, !value_is_fine, !(0..=3).contains(&key.weighted_mode)];
        let bad_weights = weights.into_iter().filter(|w| !(0.0..=1.0).contains(w)).count();
        count = count.saturating_add(bad_weights).saturating_add(faults.into_iter().filter(|f| *f).count());
    }
    count
}

impl Walk<'_> {
    /// True if the walk reached its regular end, which may lie before the end of the file.
    pub(in crate::animation) const fn is_done(&self) -> bool {
        self.stop.is_none()
    }

    /// True if the walk reached the very end of the file.
    pub(in crate::animation) const fn is_exact(&self) -> bool {
        self.is_done() && self.rest.is_at_end()
    }

    /// True if there were keys of a size depending on the shape.
    pub(in crate::animation) fn has_number_keys(&self) -> bool {
        self.curves.iter().any(|curve| !curve.name.is_switch() && !curve.keys.is_empty())
    }

    /// Number of values that no recorder would write.
    pub(in crate::animation) fn violations(&self) -> usize {
        let curves = self.curves.iter().map(|curve| curve.violations(self.shape)).sum::<usize>();
        let markers = self.markers.iter().flatten().map(|marker| {
            let text = std::str::from_utf8(marker.name);
            let is_plain = text.is_ok_and(|text| !text.chars().any(|c| c.is_ascii_control()));
            usize::from(!marker.time.is_finite()).saturating_add(usize::from(!is_plain))
        });
        curves.saturating_add(markers.sum())
    }

    /// Number of curves in front of the first curve with such a value.
    pub(in crate::animation) fn good(&self) -> usize {
        self.curves.iter().take_while(|curve| curve.violations(self.shape) == 0).count()
    }

    /// True if the walk failed behind the last curve, and all curves are as written by a recorder.
    pub(in crate::animation) fn failed_in_markers_only(&self) -> bool {
        matches!(self.stop, Some((_, true))) && self.good() == self.curves.len()
    }
}
