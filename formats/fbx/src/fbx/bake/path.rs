//! Values of a file over time, and measures for their differences.

use super::Key;
use dopesheet_core::diag::ErrorUnit;

/// Largest error of a translation between two keys, in metres: a tenth of the default tolerance of a conversion.
pub const TOLERANCE_M: f64 = 1e-5;

/// Largest error of a rotation between two keys, in radians: 0.05 mm at a metre from the joint.
pub const TOLERANCE_RAD: f64 = 5e-5;

/// Largest error of a scale factor, the weight of a morph, or a colour, between two keys.
pub const TOLERANCE_RATIO: f64 = 1e-4;

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fbx) enum Kind {
    /// Places, by the metres of a unit.
    Place,
    /// Rotations, as unit quaternions x y z w.
    Rotation,
    /// Scale factors, weights and colours.
    Number,
}

impl Kind {
    pub(in crate::fbx) const ALL: [Self; 3] = [Self::Place, Self::Rotation, Self::Number];

    /// Words for values, and the unit of their differences.
    pub(in crate::fbx) const fn in_words(self) -> (&'static str, ErrorUnit) {
        match self {
            Self::Place => ("translations", ErrorUnit::Metre),
            Self::Rotation => ("rotations", ErrorUnit::Radian),
            Self::Number => ("scales, weights and colours", ErrorUnit::One),
        }
    }

    /// Largest allowed difference of a straight segment.
    pub(super) const fn tolerance(self) -> f64 {
        match self {
            Self::Place => TOLERANCE_M,
            Self::Rotation => TOLERANCE_RAD,
            Self::Number => TOLERANCE_RATIO,
        }
    }

    /// Noise of recorders: what sums of rounding leave in a node that does not move.
    pub(super) const fn noise(self) -> f64 {
        match self {
            Self::Place => 2.5e-6,
            Self::Rotation => 2e-6,
            Self::Number => 1e-6,
        }
    }
}

/// A value of the file over time.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) kind: Kind,
    /// Up to four numbers at a time on the clock of the file; 0 for the others.
    pub(super) at: &'a dyn Fn(f64) -> [f64; 4],
    /// Metres of a unit of length.
    pub(super) unit_m: f64,
}

impl Path<'_> {
    pub(super) fn key(&self, time_s: f64) -> Key {
        Key { time_s, value: (self.at)(time_s) }
    }

    /// Value between two keys, at a share of the segment.
    pub(super) fn between(&self, from: &Key, to: &Key, share: f64) -> [f64; 4] {
        let (a, b) = (from.value, to.value);
        match self.kind {
            Kind::Rotation => dopesheet_curve::slerp(a, b, share),
            Kind::Place | Kind::Number => std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share),
        }
    }

    /// Difference of two values, in metres, radians or as a ratio.
    pub(super) fn apart(&self, a: [f64; 4], b: [f64; 4]) -> f64 {
        let distance = || a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        match self.kind {
            Kind::Rotation => dopesheet_curve::quat_angle(a, b),
            Kind::Place => distance() * self.unit_m,
            Kind::Number => distance(),
        }
    }
}

/// The first of four numbers.
pub(super) fn padded<const N: usize>(numbers: [f64; N]) -> [f64; 4] {
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(0.0))
}
