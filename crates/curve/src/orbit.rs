//! A camera circling a target.

use crate::euler::{EULER_YXZ, euler_from_quat, quat_from_euler};
use glam::{DQuat, DVec3};

/// Convention for placing a camera around a target by three angles and a distance.
///
/// With the signs s and angles r the camera is turned by `R = Ry(s_y·r_y)·Rx(s_x·r_x)·Rz(s_z·r_z)` (roll
/// first) and stands at `target + R·(axis·distance)`. Positions are in the units of the target.
///
/// ```
/// use dopesheet_curve::OrbitConvention;
///
/// // MikuMikuDance's default camera: 45 units in front of the model, which faces −Z.
/// let eye = OrbitConvention::MMD.eye([0.0, 10.0, 0.0], [0.0, 0.0, 0.0], -45.0);
/// assert_eq!(eye, [0.0, 10.0, -45.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitConvention {
    /// Factors of the angles about X, Y, Z, each 1 or −1.
    pub angle_signs: [f64; 3],
    /// Unit vector, in the frame of the camera: the direction of positive distances from the target.
    pub axis: [f64; 3],
}

impl OrbitConvention {
    /// MikuMikuDance, left-handed with Y up: all angles negated, distance along +Z and therefore negative in
    /// normal use.
    ///
    /// Source: observed on camera motions made with MikuMikuDance; babylon-mmd and Blender's MMD tools agree.
    /// The X angle of the file has the opposite sign of the X angle in MikuMikuDance's panel.
    pub const MMD: Self = Self { angle_signs: [-1.0, -1.0, -1.0], axis: [0.0, 0.0, 1.0] };

    /// Rotation of the camera for `angles` about X, Y, Z in radians.
    ///
    /// * Formula: `Ry(s_y·r_y)·Rx(s_x·r_x)·Rz(s_z·r_z)`.
    /// * Domain: finite angles, any number of turns; non-finite ones give NaN.
    /// * Error: as [`quat_from_euler`].
    pub fn rotation(&self, angles: [f64; 3]) -> [f64; 4] {
        quat_from_euler(EULER_YXZ, self.signed(angles))
    }

    /// Angles about X, Y, Z in radians; [`Self::rotation`] of these angles gives `q`.
    ///
    /// X is within ±π/2, Y and Z are within ±π; use
    /// [`nearest_equivalent_euler`](crate::nearest_equivalent_euler) with [`EULER_YXZ`](crate::EULER_YXZ) to continue the
    /// turns of a previous key. Domain and error: as [`euler_from_quat`].
    pub fn angles(&self, q: [f64; 4]) -> [f64; 3] {
        self.signed(euler_from_quat(EULER_YXZ, q))
    }

    /// Position of the camera around `target`, in the target's units, for `angles` about X, Y, Z in radians
    /// and a signed `distance` in the same units.
    ///
    /// * Formula: `target + R·(axis·distance)` with `R` from [`Self::rotation`]. With the distance of the
    ///   unusual sign the camera stands beyond the target and looks away from the target; this is legal.
    /// * Domain: finite numbers; other numbers give NaN or infinite positions.
    /// * Error: at most 2e-15 of the larger of the distance and the target's coordinates.
    pub fn eye(&self, target: [f64; 3], angles: [f64; 3], distance: f64) -> [f64; 3] {
        let arm = DVec3::from_array(self.axis) * distance;
        (DVec3::from_array(target) + DQuat::from_array(self.rotation(angles)) * arm).to_array()
    }

    fn signed(&self, angles: [f64; 3]) -> [f64; 3] {
        let ([sx, sy, sz], [x, y, z]) = (self.angle_signs, angles);
        [sx * x, sy * y, sz * z]
    }
}
