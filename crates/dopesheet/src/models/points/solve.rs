//! The rotation that brings some vectors nearest to other vectors.

use glam::{DQuat, DVec3};

/// Weight of the preferred rotation beside the vectors: nothing, unless these leave something open.
const PREFERENCE: f64 = 1e-9;

/// Sweeps over a matrix of 4 by 4, of which half a dozen make all but the diagonal vanish.
const MOST_SWEEPS: usize = 16;

/// The rotation R with the least Σ |R·a − b|², as near to `preferred` as the pairs leave open.
pub(super) fn least_squares(pairs: impl Iterator<Item = (DVec3, DVec3)>, preferred: DQuat) -> DQuat {
    // The sums of all products of a component of `a` and one of `b`.
    let mut sums = [[0.0; 3]; 3];
    let mut add = |a: DVec3, b: DVec3, weight: f64| {
        for (row, x) in sums.iter_mut().zip(a.to_array()) {
            row.iter_mut().zip(b.to_array()).for_each(|(sum, y)| *sum += weight * x * y);
        }
    };
    let mut size = 0.0;
    for (a, b) in pairs {
        add(a, b, 1.0);
        size += a.length() * b.length();
    }
    if size == 0.0 || !size.is_finite() {
        return preferred;
    }
    for axis in DVec3::AXES {
        add(axis, preferred * axis, PREFERENCE * size);
    }
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = sums;
    // Horn, section 4: the quaternion w x y z is the eigenvector of the largest eigenvalue.
    let matrix = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ];
    let [w, x, y, z] = largest(matrix);
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations (H. Rutishauser, "The Jacobi Method
/// for Real Symmetric Matrices", 1966).
fn largest(mut matrix: [[f64; 4]; 4]) -> [f64; 4] {
    // A row each.
    let mut vectors =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    for _ in 0..MOST_SWEEPS {
        let mut rest = 0.0;
        for at in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
            rest += rotate(&mut matrix, &mut vectors, at).unwrap_or_default().abs();
        }
        if rest == 0.0 {
            break;
        }
    }
    let [[first, ..], [_, second, ..], [.., third, _], [.., fourth]] = matrix;
    let values = [first, second, third, fourth].into_iter();
    values
        .zip(vectors)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map_or([1.0, 0.0, 0.0, 0.0], |(_, vector)| vector)
}

/// Makes an element beside the diagonal vanish, in a row and a column of two; yields the element's former
/// value, or `None` for 0.
fn rotate(matrix: &mut [[f64; 4]; 4], vectors: &mut [[f64; 4]; 4], at: [usize; 2]) -> Option<f64> {
    let [above, below] = matrix.get_disjoint_mut(at).ok()?;
    let ([first, off], [_, second]) = (above.get_disjoint_mut(at).ok()?, below.get_disjoint_mut(at).ok()?);
    let (first, off, second) = (*first, *off, *second);
    if off == 0.0 {
        return None;
    }
    let theta = (second - first) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + libm::hypot(theta, 1.0));
    let cos = 1.0 / libm::hypot(t, 1.0);
    let sin = t * cos;
    let turn = |a: &mut f64, b: &mut f64| (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
    for row in matrix.iter_mut() {
        let [a, b] = row.get_disjoint_mut(at).ok()?;
        turn(a, b);
    }
    for rows in [&mut *matrix, vectors] {
        let [above, below] = rows.get_disjoint_mut(at).ok()?;
        above.iter_mut().zip(below).for_each(|(a, b)| turn(a, b));
    }
    let [above, below] = matrix.get_disjoint_mut(at).ok()?;
    let ([_, right], [left, _]) = (above.get_disjoint_mut(at).ok()?, below.get_disjoint_mut(at).ok()?);
    (*right, *left) = (0.0, 0.0);
    Some(off)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: DQuat, b: DQuat) -> f64 {
        a.angle_between(b)
    }

    #[test]
    fn a_rotation_of_vectors_is_found_again() {
        for turn in [
            DQuat::IDENTITY,
            DQuat::from_rotation_y(3.1),
            DQuat::from_rotation_z(std::f64::consts::PI),
            DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0),
        ] {
            let vectors = [DVec3::new(0.1, 1.0, 0.0), DVec3::new(-0.2, 0.5, 0.3), DVec3::X];
            let pairs = vectors.map(|v| (v, turn * v));
            let rotation = least_squares(pairs.into_iter(), DQuat::IDENTITY);
            assert!(near(rotation, turn) < 1e-7, "{turn} {rotation}");
        }
    }

    #[test]
    fn what_is_open_stays_as_preferred() {
        let preferred = DQuat::from_rotation_x(0.8);
        let pairs = [(DVec3::X, DVec3::X), (DVec3::NEG_X, DVec3::NEG_X)];
        assert!(near(least_squares(pairs.into_iter(), preferred), preferred) < 1e-6);
        assert_eq!(least_squares(std::iter::empty(), preferred), preferred);
    }

    #[test]
    fn noise_is_shared_out() {
        let pairs = [(DVec3::X, DVec3::new(1.0, 0.1, 0.0)), (DVec3::NEG_X, DVec3::new(-1.0, 0.1, 0.0))];
        let all = pairs.into_iter().chain([(DVec3::Y, DVec3::Y)]);
        assert!(near(least_squares(all, DQuat::IDENTITY), DQuat::IDENTITY) < 1e-9);
    }
}
