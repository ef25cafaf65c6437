//! Rotations written as three angles about the axes X, Y and Z.

use crate::angle::{unwrap, wrap_angle};
use crate::quaternion::quat_normalise_or_identity;
use glam::DQuat;
use std::f64::consts::{PI, TAU};

/// Axes (0 for X, 1 for Y, 2 for Z, each once) of three rotations in the order of their product on column vectors, from left to right:
/// `[2, 1, 0]` is `q = qz·qy·qx`.
///
/// The rightmost axis is therefore turned **first**, about the fixed axes of the parent; read from left to right, the same product turns
/// about axes moved by the earlier turns. Angles are always passed as `[x, y, z]`, in every order. With any other axis the results have
/// no meaning.
pub type EulerAxes = [usize; 3];

/// X first, Z last: PlayCanvas, and 3ds Max by default.
pub const EULER_ZYX: EulerAxes = [2, 1, 0];

/// Z first, Y last: the camera of MikuMikuDance.
pub const EULER_YXZ: EulerAxes = [1, 0, 2];

/// Numbers of X, Y and Z in the order of the product.
fn ordered(axes: EulerAxes, numbers: [f64; 3]) -> [f64; 3] {
    axes.map(|axis| numbers.get(axis).copied().unwrap_or(f64::NAN))
}

/// The inverse of [`ordered`].
fn by_axis(axes: EulerAxes, numbers: [f64; 3]) -> [f64; 3] {
    let mut sorted = [0.0; 3];
    for (axis, number) in axes.into_iter().zip(numbers) {
        sorted.get_mut(axis).into_iter().for_each(|entry| *entry = number);
    }
    sorted
}

/// 1 if the axes follow each other as X Y Z X does, −1 if they run backwards.
const fn sign([first, second, _]: EulerAxes) -> f64 {
    if matches!((first, second), (0, 1) | (1, 2) | (2, 0)) { 1.0 } else { -1.0 }
}

/// Unit quaternion of the rotation by `angles` (`[x, y, z]` in radians), multiplied in the order of `axes`.
///
/// * Formula: the product of [`EulerAxes`], of `qx = (sin(x/2), 0, 0, cos(x/2))` and so on.
/// * Domain: finite angles, any number of turns. A non-finite angle gives NaN in every component.
/// * Method: the product written out, each term multiplied in the order X, Y, Z. For `Zyx` this is, bit for
///   bit, the formula of [`quat_from_euler_degrees_zyx`] after the conversion from degrees.
/// * Error: at most 4e-16 in each component, besides the rounding of the angles themselves.
///
/// ```
/// use dopesheet_curve::{EULER_ZYX, quat_from_euler};
/// use glam::DQuat;
///
/// let q = quat_from_euler(EULER_ZYX, [0.1, 0.2, 0.3]);
/// let product = DQuat::from_rotation_z(0.3) * DQuat::from_rotation_y(0.2) * DQuat::from_rotation_x(0.1);
/// assert!(DQuat::from_array(q).abs_diff_eq(product, 1e-15));
/// ```
pub fn quat_from_euler(axes: EulerAxes, angles: [f64; 3]) -> [f64; 4] {
    quat_from_half_angles(axes, angles.map(|a| 0.5 * a))
}

/// Largest sum of the changes of three angles, in radians, for [`euler_bend`].
const MOST_TURNED: f64 = 1.0;

/// Upper bound, in radians, of the distance between a rotation by three evenly running angles and the shorter
/// great arc between its ends, at the same share of the way; `None` where the angles turn by more than one
/// radian together.
///
/// * Formula: `(|xy| + |yz| + |zx|) / 7.5` for angles that change by x, y and z radians.
/// * Domain: finite changes, any angles, any order.
/// * Method: with e1, e2, e3 for the axes as left by the turns before them, the velocity is
///   `a·e1 + b·e2 + c·e3`. Each axis turns by the earlier turns alone, so the acceleration is at most
///   `|ab| + |ac| + |bc|`. On a straight line an eighth of this acceleration would be the distance; on the
///   sphere of quaternions the factor is `(sec(r/4) − 1) / (r/2)²` for r radians, 0.1284 for one.
/// * Error: never too small; at most twice the largest distance over all middle angles for the same changes.
pub fn euler_bend(changes: [f64; 3]) -> Option<f64> {
    let [x, y, z] = changes.map(f64::abs);
    (x + y + z <= MOST_TURNED).then_some((x * y + y * z + z * x) / 7.5)
}

/// Unit quaternion of PlayCanvas Euler angles (`[x, y, z]` in **degrees**), `q = qz·qy·qx`.
///
/// * Formula, with half angles a, b, c:
///   `x = sin a cos b cos c − cos a sin b sin c`, `y = cos a sin b cos c + sin a cos b sin c`,
///   `z = cos a cos b sin c − sin a sin b cos c`, `w = cos a cos b cos c + sin a sin b sin c`.
/// * Domain: finite angles, any number of turns. A non-finite angle gives NaN in every component.
/// * Source: PlayCanvas engine, `Quat.setFromEulerAngles`. Its documentation speaks of the order XYZ; the
///   formula is decisive.
/// * Method: in `f64`, terms multiplied and added in the engine's order. Between keys exactly half a turn
///   apart the remaining 1e-17 of this order decides the direction of travel.
/// * Error: at most 4e-16 in each component, besides the rounding of the half angles.
pub fn quat_from_euler_degrees_zyx(angles_deg: [f64; 3]) -> [f64; 4] {
    const HALF_DEGREE: f64 = 0.5 * (PI / 180.0);
    quat_from_half_angles(EULER_ZYX, angles_deg.map(|a| a * HALF_DEGREE))
}

fn quat_from_half_angles(axes: EulerAxes, half: [f64; 3]) -> [f64; 4] {
    let ([sx, sy, sz], [cx, cy, cz]) = (half.map(libm::sin), half.map(libm::cos));
    let sign = sign(axes);
    let [x, y, z] = by_axis(axes, [sign, -sign, sign]);
    // Sine on one axis and cosine on the other two, and the reverse.
    [
        sx * cy * cz + x * (cx * sy * sz),
        cx * sy * cz + y * (sx * cy * sz),
        cx * cy * sz + z * (sx * sy * cz),
        cx * cy * cz - sign * (sx * sy * sz),
    ]
}

/// Sine of the distance from a pole (middle angle ±90°): below this value the two outer angles cannot be told
/// apart, and the outer left angle is taken as zero. Just above the rounding of the matrix elements: the
/// rotation is off by as much as this value near a pole.
const POLE: f64 = 1e-15;

/// Euler angles `[x, y, z]` in radians of the rotation `q` in the order of `axes`.
///
/// * Formula, for `R = Ra·Rb·Rc` about the axes i, j, k with `e = ±1` for the parity of the order, and `m`
///   the rotation matrix of `q`: `b = atan2(e·m_ik, h)` with `h = hypot(m_jk, m_kk)`,
///   `a = atan2(−e·m_jk, m_kk)`, and c from the remainder, the rotation `Rb⁻¹·Ra⁻¹·q` about axis k. For
///   `Zyx`: `Y = atan2(−m20, hypot(m00, m10))`, `Z = atan2(m10, m00)`, X from the remainder. For `Yxz`:
///   `X = atan2(−m12, …)`, `Y = atan2(m02, m22)`, and a Z equal to `atan2(m10, m11)`.
/// * Range: the middle angle in `−π/2..=π/2`, the outer angles in `(−π, π]`. For other triples with the same
///   rotation see [`nearest_equivalent_euler`].
/// * Domain: unit quaternions. Other quaternions are normalised first, and quaternions without direction
///   (zero, not finite) count as the identity.
/// * Poles: with the middle angle at ±90° only the sum or difference of the outer angles is determined; `a`
///   is then 0 or, closer than about 1e-8 radians to the pole, anything. Since c is taken from the remainder,
///   the three angles are right together.
/// * Source: K. Shoemake, "Euler Angle Conversion", Graphics Gems IV, 1994, with the third angle replaced.
///   PlayCanvas' own `getEulerAngles` snaps to the pole from 0.36° away.
/// * Error: the rotation of the result differs from `q` by at most 4e-15 radians, at the poles too.
///
/// ```
/// use dopesheet_curve::{EULER_ZYX, euler_from_quat, quat_from_euler};
///
/// let angles = [0.3, -0.2, 2.5];
/// let back = euler_from_quat(EULER_ZYX, quat_from_euler(EULER_ZYX, angles));
/// assert!((0..3).all(|n| (back[n] - angles[n]).abs() < 1e-14));
/// ```
pub fn euler_from_quat(axes: EulerAxes, q: [f64; 4]) -> [f64; 3] {
    let q @ [x, y, z, w] = quat_normalise_or_identity(q);
    let [i, j, k] = ordered(axes, [x, y, z]);
    let sign = sign(axes);
    let ik = 2.0 * (i * k + sign * w * j);
    let jk = 2.0 * (j * k - sign * w * i);
    let kk = 1.0 - 2.0 * (i * i + j * j);
    let h = libm::hypot(jk, kk);
    let second = libm::atan2(sign * ik, h);
    let first = if h > POLE { wrap_angle(libm::atan2(-sign * jk, kk)) } else { 0.0 };
    let turned = DQuat::from_array(quat_from_euler(axes, by_axis(axes, [first, second, 0.0])));
    let rest = turned.conjugate() * DQuat::from_array(q);
    let [_, _, third] = ordered(axes, [rest.x, rest.y, rest.z]);
    by_axis(axes, [first, second, wrap_angle(2.0 * libm::atan2(third, rest.w))])
}

/// The triple nearest to `previous` among all triples with the same rotation as `angles`, all as `[x, y, z]`
/// in radians.
///
/// * Formula: for the product about the axes i, j, k the triples (a, b, c) and (a + π, π − b, c + π) are the
///   same rotation, and so is each triple with whole turns added. The result is the triple with the smallest
///   sum of absolute differences from `previous`; between equals, the triple from `angles` itself.
/// * Domain: finite angles. An angle with a neighbour in `previous` that is not finite keeps its turns.
/// * Use: keeps angles for human readers or for blending players free of jumps from key to key. For the first
///   key, [`euler_from_quat`] already gives the triple with the middle angle within ±90°.
/// * Error: the rotation stays the same within 2e-15 radians per radian of the largest angle passed (at
///   least one).
pub fn nearest_equivalent_euler(axes: EulerAxes, angles: [f64; 3], previous: [f64; 3]) -> [f64; 3] {
    nearest_equivalent(axes, angles, previous, TAU)
}

/// [`nearest_equivalent_euler`] for the order `Zyx` in degrees, where half and whole turns are exact numbers.
///
/// ```
/// use dopesheet_curve::nearest_equivalent_zyx_degrees;
///
/// let nearest = nearest_equivalent_zyx_degrees([171.0, 80.0, 0.0], [-10.0, 99.0, -179.0]);
/// assert_eq!(nearest, [-9.0, 100.0, -180.0]);
/// ```
pub fn nearest_equivalent_zyx_degrees(angles_deg: [f64; 3], previous_deg: [f64; 3]) -> [f64; 3] {
    nearest_equivalent(EULER_ZYX, angles_deg, previous_deg, 360.0)
}

fn nearest_equivalent(axes: EulerAxes, angles: [f64; 3], previous: [f64; 3], turn: f64) -> [f64; 3] {
    let half = 0.5 * turn;
    let [i, j, k] = ordered(axes, angles);
    let twin = by_axis(axes, [half + i, half - j, half + k]);
    let [px, py, pz] = previous;
    let nearest = |[x, y, z]: [f64; 3]| [unwrap(x, px, turn), unwrap(y, py, turn), unwrap(z, pz, turn)];
    let distance = |[x, y, z]: [f64; 3]| (x - px).abs() + (y - py).abs() + (z - pz).abs();
    let (direct, twin) = (nearest(angles), nearest(twin));
    if distance(twin) < distance(direct) { twin } else { direct }
}
