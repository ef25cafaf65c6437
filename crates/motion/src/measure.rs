//! How far two values are apart.

use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Property, ValueKind};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;

/// The largest difference met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// How large, in the unit of [`unit`].
    pub value: f64,
    /// When.
    pub time: Seconds,
}

impl Worst {
    /// Takes note of a difference.
    pub(crate) fn meet(&mut self, value: f64, time: Seconds) {
        if value > self.value {
            *self = Self { value, time };
        }
    }
}

/// What differences of a property are counted in.
pub(crate) const fn unit(property: &Property) -> ErrorUnit {
    match property.kind() {
        ValueKind::Position => ErrorUnit::Metre,
        ValueKind::Rotation => ErrorUnit::Radian,
        ValueKind::Direction | ValueKind::Numbers | ValueKind::Discrete => ErrorUnit::One,
    }
}

/// Distance for positions, angle for rotations, largest difference of a component for everything else.
pub(crate) fn difference(property: &Property, a: &[f64], b: &[f64]) -> f64 {
    match (property.kind(), a, b) {
        (ValueKind::Position, ..) => a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt(),
        (ValueKind::Rotation, &[ax, ay, az, aw], &[bx, by, bz, bw]) => {
            curve::quat_angle([ax, ay, az, aw], [bx, by, bz, bw])
        }
        _ => a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max),
    }
}

/// The value between two keys of a straight segment; the four numbers from `rotation` on are a quaternion.
pub(crate) fn straight_at(from: &[f64], to: &[f64], share: f64, rotation: Option<usize>, out: &mut Vec<f64>) {
    out.clear();
    out.extend(from.iter().zip(to).map(|(a, b)| curve::lerp(*a, *b, share)));
    let Some(at) = rotation else { return };
    let quaternion = |v: &[f64]| v.get(at..).and_then(|v| v.first_chunk::<4>()).copied();
    if let (Some(a), Some(b)) = (quaternion(from), quaternion(to)) {
        out.truncate(at);
        out.extend(curve::slerp(a, b, share));
    }
}
