//! A turn, a factor and a way, in this order.

use dopesheet_core::model::Basis;
use dopesheet_curve::quat_product;
use glam::{DAffine3, DMat3, DQuat, DVec3};

pub(super) type Quat = [f64; 4];

/// Relative difference of the axes' scales above which a turn within them is refused.
const UNEVEN: f64 = 1e-6;

/// A map that takes p to s·R·p + d.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Similar {
    /// s·R by rows; exact for quarter turns.
    pub(super) rows: [[f64; 3]; 3],
    /// R.
    pub(super) turn: Quat,
    /// The axis of R, and the angle of the turn in radians.
    pub(super) axis: [f64; 3],
    pub(super) angle: f64,
    pub(super) scale: f64,
    /// d.
    pub(super) by: [f64; 3],
}

impl Similar {
    /// Turned upright to the left, scaled, and moved.
    pub(super) fn new(basis: &Basis, (by, turn_deg, scale): ([f64; 3], f64, f64)) -> Self {
        let turn_deg = turn_deg.rem_euclid(360.0);
        let [front, left] = [basis.front, basis.left].map(|axis| DVec3::from(axis.vector()));
        let axis = front.cross(left);
        let (sin, cos) = match turn_deg {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            other => libm::sincos(other.to_radians()),
        };
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|unit| {
            let along = axis * axis.dot(unit);
            (along + (unit - along) * cos + axis.cross(unit) * sin) * scale
        });
        // Half angles above a straight one would be the other quaternion of the same rotation.
        let angle = if turn_deg > 180.0 { turn_deg - 360.0 } else { turn_deg }.to_radians();
        let rows = DMat3::from_cols(x, y, z).transpose().to_cols_array_2d();
        let turn = DQuat::from_axis_angle(axis, angle).to_array();
        Self { rows, turn, axis: axis.to_array(), angle, scale, by }
    }

    pub(super) fn is_none(&self) -> bool {
        !self.turns() && self.scale == 1.0 && self.by == [0.0; 3]
    }

    pub(super) fn turns(&self) -> bool {
        self.angle != 0.0
    }

    pub(super) fn place(&self, place: [f64; 3]) -> [f64; 3] {
        let turned = self.direction(place);
        std::array::from_fn(|axis| turned[axis] + self.by[axis])
    }

    /// Turned and scaled.
    pub(super) fn direction(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.rows.map(|[a, b, c]| a * x + b * y + c * z)
    }

    pub(super) fn rotation(&self, rotation: Quat) -> Quat {
        quat_product(self.turn, rotation)
    }

    /// The factor alone.
    pub(super) fn scaling(&self, basis: &Basis) -> Self {
        Self::new(basis, ([0.0; 3], 0.0, self.scale))
    }

    /// The turn and the way alone.
    pub(super) fn without_scale(&self) -> Self {
        let rows = self.rows.map(|row| row.map(|number| number / self.scale));
        Self { rows, scale: 1.0, ..self.clone() }
    }

    /// The turn alone, of unit length.
    pub(super) fn turn_only(&self) -> Self {
        Self { by: [0.0; 3], ..self.without_scale() }
    }

    /// The same map in the space of a node; `None` if the map turns and the space is scaled unevenly.
    pub(super) fn seen_from(&self, node: &DAffine3) -> Option<Self> {
        if *node == DAffine3::IDENTITY {
            return Some(self.clone());
        }
        let columns = [node.matrix3.x_axis, node.matrix3.y_axis, node.matrix3.z_axis];
        let lengths = columns.map(DVec3::length);
        let (least, greatest) =
            (lengths.into_iter().fold(f64::INFINITY, f64::min), lengths.into_iter().fold(0.0, f64::max));
        let is_even = greatest - least <= UNEVEN * greatest && greatest > 0.0;
        if !is_even && self.turns() {
            return None;
        }
        let back = node.inverse();
        let whole = DMat3::from_cols_array_2d(&self.rows).transpose();
        let origin = node.translation;
        let by = back.matrix3 * (whole * origin + DVec3::from(self.by) - origin);
        if !by.is_finite() {
            return None;
        }
        if !self.turns() {
            return Some(Self { by: by.to_array(), ..self.clone() });
        }
        let unscaled =
            DMat3::from_cols(columns[0] / lengths[0], columns[1] / lengths[1], columns[2] / lengths[2]);
        // An axis turns with the node; a mirrored one turns the other way round.
        let axis = unscaled.transpose() * DVec3::from(self.axis) * unscaled.determinant().signum();
        let rows = (unscaled.transpose() * whole * unscaled).transpose().to_cols_array_2d();
        let turn = DQuat::from_axis_angle(axis.normalize(), self.angle).to_array();
        Some(Self {
            rows: rows.map(|row| row.map(near)),
            turn,
            axis: axis.to_array().map(near),
            by: by.to_array(),
            ..self.clone()
        })
    }
}

/// The whole number within rounding of a number, or the number itself.
fn near(number: f64) -> f64 {
    let whole = number.round();
    if (number - whole).abs() < 1e-12 { whole } else { number }
}
