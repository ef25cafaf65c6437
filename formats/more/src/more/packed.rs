//! Numbers in fewer bits: times, angles and quaternions as codes.
//!
//! A code read from a file is written unchanged, whatever its decoded value; only new values are encoded.
//!
//! Source: Tomahna Project wiki, `docs/myst4/file-reference/base.md`.

use dopesheet_curve::{
    SHORT_SECONDS, number_from_short, number_to_short, quat_from_32, quat_from_48, quat_to_32, quat_to_48,
    round_half_up, seconds_from_short,
};
use std::f64::consts::PI;

/// Largest code for writing; 65535 is read, but never made by the game.
const TOP: f64 = 65_534.0;

/// Rounding of a value between two codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest code, so that decoding and encoding gives the same code again.
    #[default]
    Nearest,
    /// Down, the rounding of the game. A value decoded to f32 may come back one code lower.
    Game,
}

impl Rounding {
    fn code(self, x: f64) -> f64 {
        match self {
            Self::Nearest => round_half_up(x),
            Self::Game => x.floor(),
        }
    }
}

/// A value without a code: out of range or not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfRange {
    /// The value.
    pub value: f64,
    /// The smallest value with a code.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

fn affine(value: f64, half: f64, rounding: Rounding) -> Result<u16, OutOfRange> {
    let code = number_to_short(value, half, |x| rounding.code(x));
    code.ok_or(OutOfRange { value, least: -half, most: half })
}

/// Times of −300 s to 300 s in steps of 9.1556 ms; code 32767 is exactly 0.
pub mod time {
    use super::{OutOfRange, Rounding, SHORT_SECONDS, affine, seconds_from_short};

    /// Seconds.
    #[must_use]
    pub fn decode(code: u16) -> f64 {
        seconds_from_short(code)
    }

    /// Seconds to code; off by 4.58 ms at most, [`Rounding::Game`] by 9.16 ms.
    ///
    /// # Errors
    /// Beyond ±300 s.
    pub fn encode(seconds: f64, rounding: Rounding) -> Result<u16, OutOfRange> {
        affine(seconds, SHORT_SECONDS, rounding)
    }
}

/// Encoding of Euler angles in 16 bits. No file with such codes is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EulerCode {
    /// −10π to 10π in steps of 0.0549°, by analogy with times; code 32767 is exactly 0.
    #[default]
    Affine,
    /// By the formulas printed in the wiki, which are not inverses of each other: most angles have no code,
    /// so nothing is encoded this way.
    AsPrinted,
}

/// Angles as codes.
pub mod angle {
    use super::{EulerCode, OutOfRange, PI, Rounding, TOP, affine, number_from_short};

    /// Radians.
    #[must_use]
    pub fn decode(code: u16, how: EulerCode) -> f64 {
        match how {
            EulerCode::Affine => number_from_short(code, 10.0 * PI),
            EulerCode::AsPrinted => f64::from(code) / TOP * (1.0 / (20.0 * PI) - 10.0 * PI),
        }
    }

    /// Radians to code by [`EulerCode::Affine`]; off by 4.8e-4 at most.
    ///
    /// # Errors
    /// Beyond ±10π.
    pub fn encode(radians: f64, rounding: Rounding) -> Result<u16, OutOfRange> {
        affine(radians, 10.0 * PI, rounding)
    }
}

/// Quaternions with x, y and z stored in 16 bits each; w follows from the unit length, never negative.
pub mod quat48 {
    use super::{Rounding, quat_from_48, quat_to_48};

    /// x y z w. Not of unit length if x, y and z are too long together: then w is 0.
    #[must_use]
    pub fn decode(codes: [u16; 3]) -> [f64; 4] {
        quat_from_48(codes)
    }

    /// The nearest codes; `None` if the quaternion has no direction. Its sign and length are lost.
    #[must_use]
    pub fn encode(q: [f64; 4], rounding: Rounding) -> Option<[u16; 3]> {
        quat_to_48(q, |x| rounding.code(x))
    }
}

/// Quaternions with the three smaller elements stored in 10 bits each, behind 2 bits for the number of the
/// largest.
pub mod quat32 {
    use super::{Rounding, quat_from_32, quat_to_32};

    /// x y z w, and whether the three stored elements are too long together; then the fourth is 0 (the game gets NaN).
    #[must_use]
    pub fn decode(code: u32) -> ([f64; 4], bool) {
        quat_from_32(code)
    }

    /// The nearest code; `None` if the quaternion has no direction. Its sign and length are lost.
    #[must_use]
    pub fn encode(q: [f64; 4], rounding: Rounding) -> Option<u32> {
        // The game adds this much before it truncates.
        let bias = if rounding == Rounding::Game { 0.000_025 } else { 0.0 };
        quat_to_32(q, |x| rounding.code(x + bias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_curve::quat_normalise;
    use std::f64::consts::FRAC_1_SQRT_2;

    #[test]
    fn every_code_comes_back() {
        for code in 0..=65_534_u16 {
            assert_eq!(time::encode(time::decode(code), Rounding::Nearest), Ok(code));
            let as_f32 = f64::from(time::decode(code) as f32);
            assert_eq!(time::encode(as_f32, Rounding::Nearest), Ok(code), "through f32");
            let angle = angle::decode(code, EulerCode::Affine);
            assert_eq!(angle::encode(angle, Rounding::Nearest), Ok(code));
        }
    }

    #[test]
    fn the_games_truncation_loses_codes() {
        let lost = (0..=65_534_u16)
            .filter(|code| time::encode(f64::from(time::decode(*code) as f32), Rounding::Game) != Ok(*code));
        assert!(lost.count() > 20_000);
    }

    #[test]
    fn zero_has_a_code_and_nothing_wraps() {
        assert_eq!((time::decode(32_767), angle::decode(32_767, EulerCode::Affine)), (0.0, 0.0));
        assert!(time::encode(300.1, Rounding::Nearest).is_err());
        assert!(time::encode(f64::NAN, Rounding::Nearest).is_err());
        assert!(angle::encode(-32.0, Rounding::Nearest).is_err());
        assert!((time::decode(65_535) - 300.009_156).abs() < 1e-6);
    }

    #[test]
    fn the_printed_euler_formulas_are_no_inverses() {
        assert_eq!(angle::decode(0, EulerCode::AsPrinted), 0.0);
        assert!((angle::decode(65_534, EulerCode::AsPrinted) + 31.4).abs() < 0.01);
        // The wiki's formula for encoding, before it is cut to 16 bits.
        let printed = |radians: f64| (radians + 10.0 * PI) * (20.0 * PI) * TOP;
        for angle in [-3.0, 0.0, 1.5] {
            assert!(printed(angle) > 65_535.0, "no 16 bits hold it");
        }
    }

    #[test]
    fn published_examples_of_32_bit_quaternions() {
        assert_eq!(quat32::decode(0xE008_0200), ([0.0, 0.0, 0.0, 1.0], false));
        assert_eq!(quat32::encode([0.0, 0.0, 0.0, 1.0], Rounding::Nearest), Some(0xE008_0200));
        let half = FRAC_1_SQRT_2;
        assert_eq!(quat32::encode([0.0, 0.0, half, half], Rounding::Nearest), Some(0xE008_03FF));
        let ([_, _, z, w], _) = quat32::decode(0xE008_03FF);
        assert!((z - 0.705_726).abs() < 1e-6 && (w - 0.708_485).abs() < 1e-6);
        assert!(quat32::decode(0).1 && !quat32::decode(0xE008_0200).1);
        assert_eq!(quat32::encode([0.0; 4], Rounding::Nearest), None);
    }

    #[test]
    fn quaternions_stay_within_their_stated_error() {
        let mut largest = [0.0_f64; 2];
        for n in 0..20_000_u32 {
            let at = |k: u32| f64::from(n.wrapping_mul(k).wrapping_add(k) % 2001) / 1000.0 - 1.0;
            let Some(q) = quat_normalise([at(7919), at(104_729), at(15_485), at(32_452)]) else { continue };
            let error = |d: [f64; 4]| dopesheet_curve::quat_angle(q, d).to_degrees();
            let small = quat32::encode(q, Rounding::Nearest).map(|c| error(quat32::decode(c).0));
            let large = quat48::encode(q, Rounding::Nearest).map(|c| error(quat48::decode(c)));
            largest = [largest[0].max(small.unwrap_or(9.0)), largest[1].max(large.unwrap_or(9.0))];
        }
        assert!(largest[0] < 0.27 && largest[1] < 0.76, "{largest:?}");
    }
}
