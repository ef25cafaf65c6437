//! Allowed angles of a link.

use crate::turn::positive_or;
use dopesheet_core::model::AngleLimit;
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Largest middle angle of an Euler order, in radians: close to a right angle the outer two are not
/// determined (babylon-mmd; MikuMikuDance agrees in captured rigs).
const MIDDLE_MOST: f64 = 88.0 / 180.0 * std::f64::consts::PI;

/// Limits of the Euler angles of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    min: [f64; 3],
    max: [f64; 3],
    order: Order,
    /// The only axis with a range, if exactly one axis has a range.
    pub(crate) single: Option<DVec3>,
    /// True if all angles are to be 0: the link has no turn of its own.
    pub(crate) locked: bool,
}

/// The order of the three turns, the last first: `Yxz` is `Ry·Rx·Rz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Yxz,
    Zyx,
    Xzy,
}

impl Limit {
    /// Limits of a link; on an axis whose minimum is above its maximum the two are swapped.
    pub(crate) fn new(limit: &AngleLimit) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (limit.min_rad, limit.max_rad);
        let (min, max) = ([ax.min(bx), ay.min(by), az.min(bz)], [ax.max(bx), ay.max(by), az.max(bz)]);
        let ranges = DVec3::AXES.into_iter().zip(min.into_iter().zip(max));
        let free = ranges.filter(|(_, (min, max))| *min != 0.0 || *max != 0.0);
        let free: Vec<DVec3> = free.map(|(axis, _)| axis).collect();
        let single = if let [axis] = free[..] { Some(axis) } else { None };
        Self { min, max, order: Order::of(min, max), single, locked: free.is_empty() }
    }

    /// The rotation with each angle inside its limits. In the first half of the rounds an angle beyond a
    /// limit is mirrored at the limit, if the mirrored angle is inside: a knee bent forwards by a step bends
    /// backwards instead.
    pub(crate) fn apply(&self, turn: DQuat, mirror: bool) -> DQuat {
        let ([ax, ay, az], [bx, by, bz]) = (self.min, self.max);
        let is_free = |min: f64, max: f64| min != 0.0 || max != 0.0;
        let [x, y, z] = self.order.angles(turn, [is_free(ax, bx), is_free(ay, by), is_free(az, bz)]);
        let angles = [limited(x, ax, bx, mirror), limited(y, ay, by, mirror), limited(z, az, bz, mirror)];
        self.order.rotation(angles)
    }
}

fn limited(angle: f64, min: f64, max: f64, mirror: bool) -> f64 {
    let inside = |a: f64| (min..=max).contains(&a);
    if inside(angle) {
        return angle;
    }
    let nearest = if angle < min { min } else { max };
    let mirrored = 2.0 * nearest - angle;
    if mirror && inside(mirrored) { mirrored } else { nearest }
}

impl Order {
    /// The order with a middle angle clear of a right angle.
    fn of([ax, ay, _]: [f64; 3], [bx, by, _]: [f64; 3]) -> Self {
        let is_clear = |min: f64, max: f64| -FRAC_PI_2 < min && max < FRAC_PI_2;
        if is_clear(ax, bx) {
            Self::Yxz
        } else if is_clear(ay, by) {
            Self::Zyx
        } else {
            Self::Xzy
        }
    }

    /// The wanted angles about X, Y and Z; 0 for the unwanted angles.
    fn angles(self, q: DQuat, [wants_x, wants_y, wants_z]: [bool; 3]) -> [f64; 3] {
        let DQuat { x, y, z, w } = q;
        // Elements of the rotation matrix, row and column from 0.
        let m00 = || 1.0 - 2.0 * (y * y + z * z);
        let m11 = || 1.0 - 2.0 * (x * x + z * z);
        let m22 = || 1.0 - 2.0 * (x * x + y * y);
        let middle = |sine: f64| libm::asin(sine.clamp(-1.0, 1.0)).clamp(-MIDDLE_MOST, MIDDLE_MOST);
        let pick = |wanted: bool, angle: &dyn Fn() -> f64| if wanted { angle() } else { 0.0 };
        match self {
            Self::Yxz => [
                pick(wants_x, &|| middle(2.0 * (w * x - y * z))),
                pick(wants_y, &|| libm::atan2(2.0 * (x * z + w * y), m22())),
                pick(wants_z, &|| libm::atan2(2.0 * (x * y + w * z), m11())),
            ],
            Self::Zyx => [
                pick(wants_x, &|| libm::atan2(2.0 * (y * z + w * x), m22())),
                pick(wants_y, &|| middle(2.0 * (w * y - x * z))),
                pick(wants_z, &|| libm::atan2(2.0 * (x * y + w * z), m00())),
            ],
            Self::Xzy => [
                pick(wants_x, &|| libm::atan2(2.0 * (y * z + w * x), m11())),
                pick(wants_y, &|| libm::atan2(2.0 * (x * z + w * y), m00())),
                pick(wants_z, &|| middle(2.0 * (w * z - x * y))),
            ],
        }
    }

    fn rotation(self, [x, y, z]: [f64; 3]) -> DQuat {
        let [outer, middle, inner] = match self {
            Self::Yxz => [(DVec3::Y, y), (DVec3::X, x), (DVec3::Z, z)],
            Self::Zyx => [(DVec3::Z, z), (DVec3::Y, y), (DVec3::X, x)],
            Self::Xzy => [(DVec3::X, x), (DVec3::Z, z), (DVec3::Y, y)],
        };
        [middle, inner].into_iter().fold(about(outer.0, outer.1), |q, (axis, angle)| {
            if angle == 0.0 { q } else { q * about(axis, angle) }
        })
    }
}

fn about(axis: DVec3, angle: f64) -> DQuat {
    if angle == 0.0 { DQuat::IDENTITY } else { DQuat::from_axis_angle(axis, angle) }
}

/// The axis or its opposite: the axis for a positive `towards` or 0, its opposite for a negative `towards`.
pub(crate) fn signed(axis: DVec3, towards: f64) -> DVec3 {
    axis * 1.0_f64.copysign(positive_or(towards))
}
