//! Storage of the numbers of animations, as the word after `@` says.

use super::column::Column;
use super::values::joined;
use crate::meshopt::{self, Filter, Layout, Mode, Version};
use dopesheet_core::format::{KeyCost, KeyStorage, Rounding, TimeRounding, Variant};
use dopesheet_curve::quat_from_shorts;
use std::ops::Range;

/// Variants that may stand after `@`.
///
/// `meshopt` alone rounds numbers to multiples of 2^-19 and components of rotations to multiples of 2^-21: an
/// error of at most 1e-6 (a micrometre, a microradian), a hundredth of the default tolerance of a conversion,
/// for streams that are a third to a half shorter than exact streams. Whoever compresses wants small files
/// and has been promised that tolerance, not more; a promise must not be used up twice. Coarser rounding has
/// a word of its own: `rot16`, at most 1.4e-4 rad. With `--lossy` all rounding is left to the tolerance, and
/// conversion measures with the written values. `exact` forbids all rounding. Key times are never rounded,
/// because jumps lie between neighbouring floats.
pub(crate) const VARIANTS: &[Variant] = &[
    Variant { name: "plain", about: "32-bit floats, which every reader takes" },
    Variant {
        name: "rot16",
        about: "rotations as normalised 16-bit integers, at most 6.2e-5 rad off; with --lossy within the tolerance",
    },
    Variant {
        name: "meshopt",
        about: "compressed with EXT_meshopt_compression, at most 1e-6 off; with --lossy within the tolerance",
    },
    Variant { name: "meshopt,exact", about: "compressed with EXT_meshopt_compression, without loss" },
    Variant {
        name: "meshopt,rot16",
        about: "compressed with EXT_meshopt_compression, rotations at most 1.4e-4 rad off, all else at most 1e-6; with --lossy within the tolerance",
    },
    Variant { name: "khr-meshopt", about: "as meshopt with KHR_meshopt_compression: smaller, and newer" },
    Variant { name: "khr-meshopt,exact", about: "compressed with KHR_meshopt_compression, without loss" },
    Variant { name: "khr-meshopt,rot16", about: "as meshopt,rot16 with KHR_meshopt_compression" },
];

/// Approximate number of bytes of text that a compressed view costs on top of a plain view.
const TEXT_BYTES: usize = 170;
/// Rotations are rounded to multiples of this power of 2: 2.4e-7 for each component. The range is then ±4.
const ROTATION_EXPONENT: i8 = -21;
/// Other numbers are rounded to multiples of this power of 2: an error of 9.6e-7 at most. The range is then
/// ±16; if a number lies outside, no number is rounded.
const NUMBER_EXPONENT: i8 = -19;
/// The normalised 16-bit integer for 1.
const SHORT_ONE: f32 = 32767.0;

/// Storage of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::gltf) struct Packing {
    /// The extension for compression, if any.
    pub(super) compression: Option<Compression>,
    /// True if rotations become normalised 16-bit integers.
    pub(super) short_rotations: bool,
    /// True if rounding is forbidden.
    exact: bool,
    /// True if rotations that 16 bits cannot hold exactly stay finer.
    pub(in crate::gltf) keeps_fine: bool,
}

/// The extensions for compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Ext,
    Khr,
}

impl Compression {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Ext => "EXT_meshopt_compression",
            Self::Khr => "KHR_meshopt_compression",
        }
    }

    const fn version(self) -> Version {
        match self {
            Self::Ext => Version::V0,
            Self::Khr => Version::V1,
        }
    }
}

impl Packing {
    /// The packing of a variant; `None` for an unknown variant.
    pub(in crate::gltf) fn of(variant: Option<&str>) -> Option<Self> {
        let name = variant.unwrap_or("plain");
        VARIANTS.iter().find(|variant| variant.name == name)?;
        let mut packing = Self::default();
        for word in name.split(',') {
            match word {
                "meshopt" => packing.compression = Some(Compression::Ext),
                "khr-meshopt" => packing.compression = Some(Compression::Khr),
                "rot16" => packing.short_rotations = true,
                "exact" => packing.exact = true,
                _ => {}
            }
        }
        Some(packing)
    }

    /// A column compressed, with accessors over `parts` of its elements; `None` without compression, or if
    /// the result would be no smaller.
    pub(super) fn compressed(
        self,
        column: Column,
        values: impl FnOnce() -> Vec<f32>,
        parts: &[Range<usize>],
    ) -> Option<Compressed> {
        let compression = self.compression?;
        let values = &values()[..];
        let (filter, elements) = self.filtered(column, values, parts);
        let (stride, length) = (column.element_bytes(), column.bytes(values.len()));
        let bytes = meshopt::encode(&elements, stride, compression.version());
        if bytes.len() + TEXT_BYTES >= length {
            return None;
        }
        let count = (length / stride) as u64;
        let layout = Layout { mode: Mode::Attributes, filter, count, stride: stride as u64 };
        let shown = meshopt::decode(&bytes, &layout).unwrap_or_default();
        Some(Compressed { bytes, length, layout, largest_error: largest_error(column, values, &shown) })
    }

    /// The filter for a column, and the elements from which the filter makes the values.
    fn filtered(self, column: Column, values: &[f32], parts: &[Range<usize>]) -> (Filter, Vec<u8>) {
        let exponent = match column {
            Column::ShortRotations => {
                let (quaternions, _) = values.as_chunks::<4>();
                let part = |part: &Range<usize>| {
                    meshopt::quaternions(quaternions.get(part.clone()).unwrap_or_default())
                };
                return (Filter::Quaternion, parts.iter().flat_map(part).collect());
            }
            Column::Times => None,
            Column::Rotations => Some(ROTATION_EXPONENT),
            Column::Vectors | Column::Colors | Column::Numbers => Some(NUMBER_EXPONENT),
        };
        let width = column.width();
        let part = |part: &Range<usize>| {
            let values = values.get(part.start * width..part.end * width)?;
            meshopt::multiples(values, exponent.filter(|_| !self.exact)?.max(common_exponent(values)))
        };
        match parts.iter().map(part).collect::<Option<Vec<_>>>() {
            Some(elements) => (Filter::Exponential, elements.concat()),
            None => (Filter::None, plain(column, values).0),
        }
    }

    /// True if nothing is rounded.
    pub(super) const fn is_exact(self) -> bool {
        !self.short_rotations && (self.exact || self.compression.is_none())
    }

    /// Storage of keys, for code that chooses keys.
    const fn storage(self) -> KeyStorage {
        let rounds = self.compression.is_some() && !self.exact;
        let fine_rotations = if rounds { Rounding::Multiples(ROTATION_EXPONENT) } else { Rounding::None };
        let rotations = match (self.short_rotations, rounds) {
            (true, true) => Rounding::SmallestThree,
            (true, false) => Rounding::Shorts,
            (false, _) => fine_rotations,
        };
        let numbers = if rounds { Rounding::Multiples(NUMBER_EXPONENT) } else { Rounding::None };
        let cost = match (self.compression.is_some(), self.short_rotations) {
            (false, short) => {
                KeyCost { time: 4.0, rotation: if short { 8.0 } else { 16.0 }, number: 4.0, list: LIST }
            }
            (true, short) => {
                KeyCost { time: 2.7, rotation: if short { 3.0 } else { 6.0 }, number: 1.7, list: LIST }
            }
        };
        let times = TimeRounding::Single;
        KeyStorage { rotations, fine_rotations, numbers, times, unit_rotations: true, cost: Some(cost) }
    }
}

/// Storage of keys in a variant; plain storage for an unknown variant.
pub(crate) fn storage(variant: Option<&str>) -> KeyStorage {
    Packing::of(variant).unwrap_or_default().storage()
}

/// Bytes of text of an accessor of key times, about.
const LIST: f64 = 107.0;

/// The largest power of 2, up to 1, of which all numbers are multiples.
fn common_exponent(values: &[f32]) -> i8 {
    let exponent_of = |value: &f32| {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 23 & 0xff) as i32, bits & 0x7f_ffff);
        // The hidden bit counts where the fraction is 0.
        let places = (fraction | 0x80_0000).trailing_zeros() as i32;
        if *value == 0.0 { 0 } else { exponent.max(1) - 150 + places }
    };
    let least = values.iter().map(exponent_of).min().unwrap_or(0).min(0);
    i8::try_from(least).unwrap_or(i8::MIN)
}

/// Stored form of a compressed column.
pub(super) struct Compressed {
    pub(super) bytes: Vec<u8>,
    /// Bytes of the plain form.
    pub(super) length: usize,
    /// Layout of the bytes.
    pub(super) layout: Layout,
    /// The largest difference caused by storing, and the position of its number; `None` if all numbers are
    /// exact.
    pub(super) largest_error: Option<(f64, usize)>,
}

/// The plain form of a column, and the difference as in [`Compressed::largest_error`].
pub(super) fn plain(column: Column, values: &[f32]) -> (Vec<u8>, Option<(f64, usize)>) {
    if column != Column::ShortRotations {
        return (joined(values.iter().map(|value| value.to_le_bytes())), None);
    }
    let bytes = joined(values.iter().map(|value| short(*value).to_le_bytes()));
    let largest_error = largest_error(column, values, &bytes);
    (bytes, largest_error)
}

/// True if 16-bit integers hold all of these quaternions exactly.
pub(super) fn are_short(values: &[f32]) -> bool {
    values.as_chunks::<4>().0.iter().all(|value| quat_from_shorts(value.map(short)) == *value)
}

#[expect(clippy::cast_possible_truncation, reason = "the values are components of unit quaternions")]
fn short(value: f32) -> i16 {
    (value * SHORT_ONE).round() as i16
}

/// The largest difference between values and their stored form: an angle in radians for rotations.
fn largest_error(column: Column, values: &[f32], shown: &[u8]) -> Option<(f64, usize)> {
    let quaternions = values.as_chunks::<4>().0.iter().map(|value| value.map(f64::from));
    match column {
        Column::ShortRotations => {
            let shown = shown.as_chunks::<8>().0.iter().map(|bytes| short_quaternion(*bytes));
            largest(quaternions.zip(shown).map(|(value, shown)| turn(value, shown)), 4)
        }
        Column::Rotations => {
            let shown = shown.as_chunks::<16>().0.iter().map(float_quaternion);
            largest(quaternions.zip(shown).map(|(value, shown)| turn(value, shown)), 4)
        }
        _ => {
            let shown = shown.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
            largest(values.iter().zip(shown).map(|(a, b)| (f64::from(*a) - f64::from(b)).abs()), 1)
        }
    }
}

/// The largest of some differences above 0, the last of equal differences, and the position of its first
/// number; each difference covers `numbers` numbers.
fn largest(differences: impl Iterator<Item = f64>, numbers: usize) -> Option<(f64, usize)> {
    let larger = |so_far: Option<(f64, usize)>, (at, difference): (usize, f64)| {
        let is_larger = difference > 0.0 && so_far.is_none_or(|largest| difference >= largest.0);
        if is_larger { Some((difference, at * numbers)) } else { so_far }
    };
    differences.enumerate().fold(None, larger)
}

fn short_quaternion(bytes: [u8; 8]) -> [f64; 4] {
    let [a, b, c, d, e, f, g, h] = bytes;
    [[a, b], [c, d], [e, f], [g, h]].map(|two| f64::from(i16::from_le_bytes(two)) / f64::from(SHORT_ONE))
}

fn float_quaternion(bytes: &[u8; 16]) -> [f64; 4] {
    let mut numbers = [0.0; 4];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *number = f64::from(f32::from_le_bytes(*bytes));
    }
    numbers
}

/// Twice the distance of two quaternions that are nearly equal or nearly opposite: the angle between them,
/// and a bound for tangents.
fn turn(a: [f64; 4], b: [f64; 4]) -> f64 {
    let distance = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    2.0 * distance(1.0).min(distance(-1.0))
}
