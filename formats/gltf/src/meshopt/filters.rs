//! Filters, which turn decoded elements into numbers, and the inverse of two of them.

use super::Filter;
use dopesheet_curve::{SHORT_ONE, quat_three_of, quat_to_shorts, quat_to_three, three_fineness};

/// Exponents accepted by the exponential filter.
const EXPONENTS: std::ops::RangeInclusive<i8> = -100..=100;
/// Largest number of 24 bits with a sign.
const LARGEST_MULTIPLE: f64 = 8_388_607.0;

/// Applies a filter to all elements, in place.
pub(super) fn apply(filter: Filter, stride: usize, elements: &mut [u8]) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => bytes(elements, |e| octahedral(e.map(i8_of), 127.0).map(to_i8_bytes)),
        (Filter::Octahedral, _) => shorts(elements, |e| octahedral(e.map(i16_of), 32767.0).map(to_i16_bytes)),
        (Filter::Quaternion, _) => shorts(elements, |e| {
            dopesheet_curve::quat_from_three(e.map(u16::cast_signed)).map(i16::cast_unsigned)
        }),
        (Filter::Exponential, _) => numbers(elements),
        (Filter::Color, 4) => bytes(elements, |[y, co, cg, alpha]| {
            let [co, cg] = [co, cg].map(|byte| i32::from(byte.cast_signed()));
            color([y.into(), co, cg, alpha.into()], 255.0).map(to_u8)
        }),
        (Filter::Color, _) => shorts(elements, |[y, co, cg, alpha]| {
            let [co, cg] = [co, cg].map(|short| i32::from(short.cast_signed()));
            color([y.into(), co, cg, alpha.into()], 65535.0).map(to_u16)
        }),
    }
}

/// Changes elements of four bytes.
fn bytes(elements: &mut [u8], change: impl Fn([u8; 4]) -> [u8; 4]) {
    let (elements, _) = elements.as_chunks_mut::<4>();
    elements.iter_mut().for_each(|element| *element = change(*element));
}

/// Changes elements of four 16-bit numbers.
fn shorts(elements: &mut [u8], change: impl Fn([u16; 4]) -> [u16; 4]) {
    let (elements, _) = elements.as_chunks_mut::<8>();
    for element in elements {
        let [a, b, c, d, e, f, g, h] = *element;
        let changed = change([[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes));
        let [[a, b], [c, d], [e, f], [g, h]] = changed.map(u16::to_le_bytes);
        *element = [a, b, c, d, e, f, g, h];
    }
}

/// A 24-bit number times a power of two becomes a float; exact, as the specification demands.
fn numbers(elements: &mut [u8]) {
    let (elements, _) = elements.as_chunks_mut::<4>();
    for element in elements {
        let stored = i32::from_le_bytes(*element);
        let (exponent, mantissa) = (stored >> 24, stored.wrapping_shl(8) >> 8);
        *element = narrow(f64::from(mantissa) * power_of_2(exponent)).to_le_bytes();
    }
}

/// 2^`exponent` for the exponents of 8 bits.
const fn power_of_2(exponent: i32) -> f64 {
    f64::from_bits((exponent.wrapping_add(1023) as u64).wrapping_shl(52))
}

fn i8_of(byte: u8) -> f32 {
    byte.cast_signed().into()
}

fn i16_of(short: u16) -> f32 {
    short.cast_signed().into()
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
const fn narrow(value: f64) -> f32 {
    value as f32
}

/// A number whose whole part is the nearest whole number of `value`; halves go away from zero. The
/// processor's own rounding is a function call in code for every x86-64.
fn away(value: f32) -> f32 {
    value + 0.5_f32.copysign(value)
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest 8-bit number is meant")]
fn to_i8_bytes(value: f32) -> u8 {
    (away(value) as i8).cast_unsigned()
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest 16-bit number is meant")]
fn to_i16_bytes(value: f32) -> u16 {
    (away(value) as i16).cast_unsigned()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the nearest number is meant")]
fn to_u8(value: f32) -> u8 {
    away(value) as u8
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the nearest number is meant")]
fn to_u16(value: f32) -> u16 {
    away(value) as u16
}

/// A unit vector folded into a square; the fourth number is passed through.
fn octahedral([x, y, one, other]: [f32; 4], scale: f32) -> [f32; 4] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = [x, y, z].map(|v| v / length * scale);
    [x, y, z, other]
}

/// YCoCg with as many bits as the highest set bit of `alpha` says.
fn color([y, co, cg, alpha]: [i32; 4], scale: f32) -> [f32; 4] {
    let bits = alpha.checked_ilog2().unwrap_or(0);
    let largest = 2_i32.wrapping_shl(bits).wrapping_sub(1);
    let value = alpha & (largest >> 1);
    let alpha = value << 1 | value & 1;
    let (rest, green) = (y.wrapping_sub(cg), y.wrapping_add(cg));
    let parts = [rest.wrapping_add(co), green, rest.wrapping_sub(co), alpha];
    parts.map(|part| wide(part) * (scale / wide(largest)))
}

#[expect(clippy::cast_precision_loss, reason = "at most 18 bits")]
const fn wide(value: i32) -> f32 {
    value as f32
}

/// Quaternions as elements (8 bytes each) from which the quaternion filter makes normalised 16-bit numbers.
///
/// Uses the coarsest fineness that gives exactly the nearest 16-bit numbers, if there is any; otherwise the
/// finest, with rounding. The sign of a quaternion is lost: its largest component becomes positive, which
/// means the same rotation.
#[must_use]
pub fn quaternions(values: &[[f32; 4]]) -> Vec<u8> {
    let wide = |q: &[f32; 4]| q.map(f64::from);
    let shorts: Vec<[i16; 4]> = values.iter().map(|q| quat_to_shorts(wide(q))).collect();
    let exact = |fineness: u16| -> Option<Vec<[i16; 4]>> {
        shorts.iter().map(|stored| quat_three_of(*stored, fineness)).collect()
    };
    let rounded = || values.iter().map(|q| quat_to_three(wide(q), SHORT_ONE.unsigned_abs())).collect();
    let elements = (0..).map_while(three_fineness).find_map(exact).unwrap_or_else(rounded);
    elements.into_iter().flatten().flat_map(i16::to_le_bytes).collect()
}

/// Numbers as elements (4 bytes each) from which the exponential filter makes the nearest multiples of
/// 2^`exponent`; `None` if a number is not finite or needs more than 24 bits, or if the filter does not
/// accept the exponent (−100..=100).
#[must_use]
pub fn multiples(values: &[f32], exponent: i8) -> Option<Vec<u8>> {
    if !EXPONENTS.contains(&exponent) {
        return None;
    }
    let scale = libm::exp2(f64::from(exponent));
    let mut elements = Vec::with_capacity(values.len().saturating_mul(4));
    for value in values {
        let multiple = (f64::from(*value) / scale).round();
        if multiple.is_nan() || multiple.abs() > LARGEST_MULTIPLE {
            return None;
        }
        let [low, middle, high, _] = whole(multiple).to_le_bytes();
        elements.extend([low, middle, high, exponent.cast_unsigned()]);
    }
    Some(elements)
}

#[expect(clippy::cast_possible_truncation, reason = "it is a whole number of 24 bits")]
const fn whole(value: f64) -> i32 {
    value as i32
}
