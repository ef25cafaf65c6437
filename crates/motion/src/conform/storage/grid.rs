//! The values of a target's storage, and rounding to the nearest of them.

use crate::difference::difference;
use crate::keys::Worst;
use crate::single::narrow;
use dopesheet_core::format::Rounding;
use dopesheet_core::model::{Curve, Property};
use dopesheet_curve::{
    EULER_ZYX, euler_from_quat, nearest_equivalent_zyx_degrees, quat_from_32, quat_from_48,
    quat_from_euler_degrees_zyx, quat_from_shorts, quat_from_three, quat_normalise_or_identity, quat_to_32,
    quat_to_48, quat_to_shorts, quat_to_three, round_half_up, three_fineness,
};

/// Exponent of the coarsest power of 2 to whose multiples numbers are rounded.
const COARSEST: i8 = -4;

/// Storable values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::conform) enum Grid {
    All,
    Multiples(f64),
    Shorts,
    /// In steps of 1/(√2·fineness).
    Three(u16),
    /// Rotations in 48 bits.
    Packed48,
    /// Rotations in 32 bits.
    Packed32,
    /// Decimal numbers of so many significant digits; for rotations, three such angles in degrees.
    Digits(u8),
}

impl Grid {
    /// Grid of rotations for an approximate angular error; the finest grid without one.
    pub(in crate::conform) fn of_rotations(rounding: Rounding, allowed_rad: Option<f64>) -> Self {
        let wanted = allowed_rad.map_or(f64::INFINITY, f64::recip);
        let fine_enough = |fineness: &u16| f64::from(*fineness) >= wanted;
        match rounding {
            Rounding::None => Self::All,
            // Coarser quaternions would not be of unit length.
            Rounding::Multiples(exponent) => Self::Multiples(libm::exp2(f64::from(exponent))),
            Rounding::Shorts => Self::Shorts,
            Rounding::Packed48 => Self::Packed48,
            Rounding::Packed32 => Self::Packed32,
            Rounding::Digits(digits) => Self::Digits(digits),
            Rounding::SmallestThree => {
                let finest = u16::MAX >> 1;
                Self::Three((0..).map_while(three_fineness).find(fine_enough).unwrap_or(finest))
            }
        }
    }

    /// Grid of numbers for an approximate error; the finest grid without one.
    pub(in crate::conform) fn of_numbers(rounding: Rounding, allowed: Option<f64>) -> Self {
        let finest = match rounding {
            Rounding::Multiples(finest) => finest,
            Rounding::Digits(digits) => return Self::Digits(digits),
            Rounding::None
            | Rounding::Shorts
            | Rounding::SmallestThree
            | Rounding::Packed48
            | Rounding::Packed32 => return Self::All,
        };
        let allowed =
            allowed.filter(|allowed| *allowed > 0.0).map_or(f64::NEG_INFINITY, |a| libm::log2(a).floor());
        Self::Multiples(libm::exp2(allowed.clamp(finest.into(), f64::from(COARSEST.max(finest)))))
    }

    /// True if values, and the rest pose, are written as text.
    pub(in crate::conform) const fn is_text(self) -> bool {
        matches!(self, Self::Digits(_))
    }

    /// The nearest rotation. Rotations without rounding stay as stored. Angles are those nearest to the
    /// `previous` angles, and become the next `previous` ones.
    pub(in crate::conform) fn rotation(
        self,
        goal: [f64; 4],
        stored: [f32; 4],
        previous: &mut Option<[f64; 3]>,
    ) -> [f32; 4] {
        match self {
            Self::All => stored,
            Self::Multiples(step) => goal.map(|x| narrow((x / step).round() * step)),
            Self::Shorts => quat_from_shorts(quat_to_shorts(goal)),
            // Readers make those of unit length that are not.
            Self::Packed48 => unpacked(quat_to_48(goal, round_half_up).map(quat_from_48), stored),
            Self::Packed32 => {
                unpacked(quat_to_32(goal, round_half_up).map(|code| quat_from_32(code).0), stored)
            }
            Self::Three(fineness) => quat_from_shorts(quat_from_three(quat_to_three(goal, fineness))),
            Self::Digits(digits) => {
                let angles = euler_from_quat(EULER_ZYX, goal).map(f64::to_degrees);
                let angles = previous.map_or(angles, |last| nearest_equivalent_zyx_degrees(angles, last));
                *previous = Some(angles);
                quat_from_euler_degrees_zyx(angles.map(|angle| in_digits(angle, digits))).map(narrow)
            }
        }
    }

    /// Rounds all values of a curve; yields the largest change, if any. Tangents stay.
    pub(in crate::conform) fn round_numbers(self, curve: &mut Curve, property: &Property) -> Option<Worst> {
        let round = |x: f64| match self {
            Self::Multiples(step) => Some((x / step).round() * step),
            Self::Digits(digits) => Some(in_digits(x, digits)),
            Self::All | Self::Shorts | Self::Three(_) | Self::Packed48 | Self::Packed32 => None,
        };
        round(0.0)?;
        let mut largest = Worst::default();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for (time, values) in curve.times.iter().zip(curve.values.chunks_exact_mut(curve.width.max(1))) {
            old.clear();
            old.extend(values.iter().map(|x| f64::from(*x)));
            values.iter_mut().for_each(|x| *x = round(f64::from(*x)).map_or(*x, narrow));
            new.clear();
            new.extend(values.iter().map(|x| f64::from(*x)));
            largest.note(difference(property, &old, &new), time);
        }
        (largest.value > 0.0).then_some(largest)
    }
}

/// A rotation as decoded by readers; the `stored` rotation if it has no code.
fn unpacked(decoded: Option<[f64; 4]>, stored: [f32; 4]) -> [f32; 4] {
    decoded.map_or(stored, |q| quat_normalise_or_identity(q).map(narrow))
}

/// The nearest decimal number of so many significant digits.
pub(in crate::conform) fn in_digits(x: f64, digits: u8) -> f64 {
    let places = usize::from(digits).saturating_sub(1);
    format!("{x:.places$e}").parse().unwrap_or(x)
}
