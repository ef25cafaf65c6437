//! Rotations and times in fewer bits, as the engine MORE stores them.
//!
//! Source: Tomahna Project wiki, `docs/myst4/file-reference/base.md`.

use crate::quaternion::quat_normalise;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// The largest written code; 65535 is read, but never written by the game.
const TOP: f64 = 65_534.0;
/// Size of a step of [`quat_from_32`].
const STEP: f64 = SQRT_2 / 1024.0;
/// End of the range of [`seconds_from_short`], in seconds, on both sides of 0.
pub const SHORT_SECONDS: f64 = 300.0;

/// The number for a code of 16 bits in −`half`..=`half`; code 32767 is exactly 0.
#[must_use]
pub fn number_from_short(code: u16, half: f64) -> f64 {
    f64::from(code) / TOP * (2.0 * half) - half
}

/// The code of a number in −`half`..=`half`, where `round` rounds the exact code to a whole number; `None`
/// for numbers beyond the range and for NaN.
///
/// * Error with rounding to the nearest: `half`/65534.
#[must_use]
pub fn number_to_short(number: f64, half: f64, round: impl Fn(f64) -> f64) -> Option<u16> {
    // Decoding the last code and encoding it again must not fail over the last bit of f32.
    let slack = half * 1e-6;
    let is_inside = number >= -half - slack && number <= half + slack;
    is_inside.then(|| round((number + half) / (2.0 * half) * TOP).clamp(0.0, TOP) as u16)
}

/// The time in seconds for a code of 16 bits, in steps of 9.1556 ms; code 32767 is exactly 0.
#[must_use]
pub fn seconds_from_short(code: u16) -> f64 {
    number_from_short(code, SHORT_SECONDS)
}

/// The code with the nearest time; `None` beyond ±300 s.
///
/// * Error: 4.58 ms.
#[must_use]
pub fn seconds_to_short(seconds: f64) -> Option<u16> {
    number_to_short(seconds, SHORT_SECONDS, round_half_up)
}

/// The nearest whole number, upwards from the middle: with this rounding every code comes back after
/// decoding.
#[must_use]
pub fn round_half_up(x: f64) -> f64 {
    (x + 0.5).floor()
}

/// The quaternion of three codes of 16 bits for x, y and z; w completes the quaternion to unit length and is
/// never negative.
///
/// Not of unit length if x, y and z are too long together: then w is 0.
#[must_use]
pub fn quat_from_48(codes: [u16; 3]) -> [f64; 4] {
    let [x, y, z] = codes.map(|code| f64::from(code) / 32_767.0 - 1.0);
    [x, y, z, (1.0 - x * x - y * y - z * z).max(0.0).sqrt()]
}

/// The codes of a quaternion, where `round` rounds the exact codes to whole numbers; `None` for a quaternion
/// without direction. The sign and length of the quaternion are lost.
///
/// * Error with [`round_half_up`]: 0.76° where w is about 0; 0.01° where w is above 0.5 or below −0.5.
#[must_use]
pub fn quat_to_48(q: [f64; 4], round: impl Fn(f64) -> f64) -> Option<[u16; 3]> {
    let [x, y, z, w] = quat_normalise(q)?;
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    Some([x, y, z].map(|c| round((1.0 + sign * c) * 32_767.0).clamp(0.0, TOP) as u16))
}

/// The quaternion of a code of 32 bits: three elements with 10 bits each behind the 2 bits with the position
/// of the fourth, largest element. The flag is `true` if the three elements are too long together; then the
/// fourth is 0.
#[must_use]
pub fn quat_from_32(code: u32) -> ([f64; 4], bool) {
    let part = |shift: u32| f64::from(code >> shift & 0x3ff) * STEP - FRAC_1_SQRT_2;
    let [a, b, c] = [part(20), part(10), part(0)];
    let rest = 1.0 - a * a - b * b - c * c;
    let d = rest.max(0.0).sqrt();
    let q = match code >> 30 {
        0 => [d, a, b, c],
        1 => [a, d, b, c],
        2 => [a, b, d, c],
        _ => [a, b, c, d],
    };
    (q, rest < 0.0)
}

/// The code of a quaternion, where `round` rounds the exact codes to whole numbers; `None` for a quaternion
/// without direction. The sign and length of the quaternion are lost.
///
/// * Error with [`round_half_up`]: 0.27°.
#[must_use]
pub fn quat_to_32(q: [f64; 4], round: impl Fn(f64) -> f64) -> Option<u32> {
    let q = quat_normalise(q)?;
    let largest = largest(q.map(f64::abs));
    let sign = if q.get(largest).is_some_and(|e| *e < 0.0) { -1.0 } else { 1.0 };
    let smaller = q.iter().enumerate().filter(|(at, _)| *at != largest).map(|(_, e)| sign * e);
    let code = |e: f64| round((e + FRAC_1_SQRT_2) / STEP).clamp(0.0, 1023.0) as u32;
    Some(smaller.fold(largest as u32, |all, e| all << 10 | code(e)))
}

/// The position of the first element strictly greater than all later elements.
fn largest([x, y, z, w]: [f64; 4]) -> usize {
    if x > y && x > z && x > w {
        0
    } else if y > z && y > w {
        1
    } else if z > w {
        2
    } else {
        3
    }
}
