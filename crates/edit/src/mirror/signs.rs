//! Values in a mirror: some of their components change their signs, and nothing is rounded.

use dopesheet_core::model::{Basis, Channel, Composition, Curve, Property, ValueKind};

/// The plane between left and right, by the coordinate across it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane(usize);

/// True for each component that changes its sign.
type Signs = [bool; 4];

impl Plane {
    pub(super) const fn of(basis: &Basis) -> Self {
        Self(basis.left.index())
    }

    /// Of positions and directions.
    pub(super) fn polar(self) -> Signs {
        std::array::from_fn(|axis| axis == self.0)
    }

    /// Signs of axes of rotation, and so of quaternions and of angles about the axes.
    pub(super) fn axial(self) -> Signs {
        std::array::from_fn(|axis| axis != self.0 && axis < 3)
    }

    /// A rotation in the mirror.
    pub(super) fn rotation(self, q: [f64; 4]) -> [f64; 4] {
        let signs = self.axial();
        std::array::from_fn(|at| if signs[at] { -q[at] } else { q[at] })
    }

    /// A position in the mirror.
    pub(super) fn position(self, v: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|at| if at == self.0 { -v[at] } else { v[at] })
    }

    /// Reverses a local axis unless the axis lies in the plane.
    fn axis(self, axis: &mut [f64; 3]) {
        if axis[self.0] != 0.0 {
            axis[self.0] = -axis[self.0];
        }
    }
}

/// Mirrors the values of a channel of a target.
pub(super) fn mirror(channel: &mut Channel, target: &str, plane: Plane) {
    let own = match channel.property.kind() {
        ValueKind::Position | ValueKind::Direction => plane.polar(),
        ValueKind::Rotation => plane.axial(),
        ValueKind::Numbers if channel.property == Property::Muscle => [turns_over(target); 4],
        ValueKind::Numbers | ValueKind::Discrete => [false; 4],
    };
    match &mut channel.composition {
        Composition::Whole(curve) => flip(curve, own),
        Composition::Components(curves) | Composition::ComponentsNormalised(curves) => flip_all(curves, own),
        Composition::Euler { angles, .. } => flip_all(angles, plane.axial()),
        Composition::Orbit(orbit) => {
            flip_all(&mut orbit.target, plane.polar());
            flip(&mut orbit.angles, plane.axial());
            plane.axis(&mut orbit.axis);
        }
        Composition::Aim { direction, axis } => {
            flip(direction, plane.polar());
            plane.axis(axis);
        }
        Composition::Swing { direction, axis } => {
            flip_all(direction, plane.polar());
            plane.axis(axis);
        }
    }
}

/// True if a muscle of Unity's avatars, or a component of the body's position or rotation, changes its sign:
/// muscles that bend or turn the trunk and the head to the left or right. Muscles of limbs count the same way
/// on both sides.
fn turns_over(name: &str) -> bool {
    name.contains("Left-Right") || ["Q.y", "Q.z", "T.x"].iter().any(|end| name.ends_with(end))
}

/// A curve for each component, or a single curve for all.
fn flip_all(curves: &mut [Curve], signs: Signs) {
    if let [whole] = curves {
        return flip(whole, signs);
    }
    for (curve, sign) in curves.iter_mut().zip(signs) {
        flip(curve, [sign; 4]);
    }
}

/// Changes the signs of components. Zero keeps its sign, so that no file gets a negative zero.
fn flip(curve: &mut Curve, signs: Signs) {
    let change = |row: &mut [f32]| {
        for (value, sign) in row.iter_mut().zip(signs) {
            if sign && *value != 0.0 {
                *value = -*value;
            }
        }
    };
    curve.change_rows(|row, _| change(row));
    for [_, axis @ ..] in curve.turns.iter_mut().flatten() {
        change(axis);
    }
}

/// Puts the weights of all morphs of a mesh into another order.
pub(super) fn permute(channel: &mut Channel, order: &[usize]) {
    for curve in channel.composition.curves_mut() {
        if curve.width == order.len() {
            curve.change_rows(|row, _| {
                let old = row.to_vec();
                for (value, from) in row.iter_mut().zip(order) {
                    *value = old.get(*from).copied().unwrap_or(*value);
                }
            });
        }
    }
}
