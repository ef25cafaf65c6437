//! The forms in which programs and networks store rotations, for many rotations at once.

use crate::error::Error;
use dopesheet_core::model::EulerOrder;
use dopesheet_curve::{
    euler_from_quat, matrix_from_quat, quat_from_euler, quat_from_matrix, quat_from_rotation_vector,
    quat_from_two_columns, quat_log, quat_normalise, rotation_vector_from_quat, two_columns_from_quat,
};

/// A form in which a rotation is stored as some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationForm {
    /// Unit quaternion x y z w; 4 numbers.
    Xyzw,
    /// Unit quaternion w x y z; 4 numbers.
    Wxyz,
    /// The first two columns of the rotation matrix, in sequence; 6 numbers. See [`two_columns_from_quat`].
    TwoColumns,
    /// The first two rows of the rotation matrix, in sequence; 6 numbers.
    TwoRows,
    /// Rotation vector: along the axis, as long as the angle in radians, at most π; 3 numbers.
    AxisAngle,
    /// Angles about X, Y and Z in radians, in this order whatever the order of multiplication; 3 numbers.
    Euler(EulerOrder),
    /// The rotation matrix row by row, acting on column vectors; 9 numbers.
    Matrix,
}

impl RotationForm {
    /// All words of [`Self::from_word`], for messages.
    const WORDS: &'static str =
        "xyzw, wxyz, 6d, 6d-rows, axis-angle, matrix, or an Euler order such as ZYX for qZ·qY·qX";

    /// The form of a word: `xyzw`, `wxyz`, `6d` (two columns), `6d-rows`, `axis-angle`, `matrix`, or an order of Euler
    /// angles, written as the product: `ZYX`.
    ///
    /// # Errors
    /// [`Error::Usage`] for any other word.
    pub fn from_word(word: &str) -> Result<Self, Error> {
        let euler = |order: &EulerOrder| order.word().eq_ignore_ascii_case(word);
        Ok(match word {
            "xyzw" => Self::Xyzw,
            "wxyz" => Self::Wxyz,
            "6d" => Self::TwoColumns,
            "6d-rows" => Self::TwoRows,
            "axis-angle" => Self::AxisAngle,
            "matrix" => Self::Matrix,
            _ => match EulerOrder::ALL.into_iter().find(euler) {
                Some(order) => Self::Euler(order),
                None => {
                    return Err(Error::Usage(format!(
                        "expected a form of rotations ({}), found \"{word}\"",
                        Self::WORDS
                    )));
                }
            },
        })
    }

    /// Numbers per rotation.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Xyzw | Self::Wxyz => 4,
            Self::TwoColumns | Self::TwoRows => 6,
            Self::AxisAngle | Self::Euler(_) => 3,
            Self::Matrix => 9,
        }
    }

    /// The rotations of quaternions x y z w, in sequence, in this form.
    ///
    /// Computed in f64 and rounded once. Quaternions are normalised first, and quaternions without direction
    /// count as the identity; the forms of four numbers copy quaternions unchanged.
    #[must_use]
    pub fn from_quaternions(self, quaternions: &[f32]) -> Vec<f32> {
        let mut out = Vec::with_capacity(quaternions.len() / 4 * self.width());
        for q in quaternions.as_chunks::<4>().0 {
            let wide = q.map(f64::from);
            match self {
                Self::Xyzw => out.extend(q),
                Self::Wxyz => out.extend([q[3], q[0], q[1], q[2]]),
                Self::TwoColumns => out.extend(narrow(two_columns_from_quat(wide).as_flattened())),
                Self::TwoRows => out.extend(narrow(&matrix_from_quat(wide).as_flattened()[..6])),
                Self::AxisAngle => out.extend(narrow(&rotation_vector_from_quat(wide))),
                Self::Euler(order) => out.extend(narrow(&euler_from_quat(order.axes(), wide))),
                Self::Matrix => out.extend(narrow(matrix_from_quat(wide).as_flattened())),
            }
        }
        out
    }

    /// Unit quaternions x y z w of the rotations in this form, in sequence. Left-over numbers at the end are
    /// ignored.
    ///
    /// # Errors
    /// [`Error::Usage`] with the position of the first invalid rotation: with a number that is not finite, or
    /// a quaternion whose length is off by more than [`UNIT_SLACK`].
    pub fn to_quaternions(self, numbers: &[f64]) -> Result<Vec<f32>, Error> {
        let mut out = Vec::with_capacity(numbers.len() / self.width() * 4);
        for (index, row) in numbers.chunks_exact(self.width()).enumerate() {
            if let Some(bad) = row.iter().find(|x| !x.is_finite()) {
                return Err(Error::Usage(format!(
                    "expected finite numbers, found {bad} in rotation {index}"
                )));
            }
            let q = match (self, row) {
                (Self::Xyzw, &[x, y, z, w]) | (Self::Wxyz, &[w, x, y, z]) => unit([x, y, z, w], index)?,
                (Self::TwoColumns, &[a, b, c, d, e, f]) => quat_from_two_columns([a, b, c], [d, e, f]),
                (Self::TwoRows, &[a, b, c, d, e, f]) => {
                    // The rows of a rotation are the columns of its inverse.
                    let [x, y, z, w] = quat_from_two_columns([a, b, c], [d, e, f]);
                    [-x, -y, -z, w]
                }
                (Self::AxisAngle, &[x, y, z]) => quat_from_rotation_vector([x, y, z]),
                (Self::Euler(order), &[x, y, z]) => quat_from_euler(order.axes(), [x, y, z]),
                (Self::Matrix, &[a, b, c, d, e, f, g, h, i]) => {
                    quat_from_matrix([[a, b, c], [d, e, f], [g, h, i]])
                }
                _ => [0.0, 0.0, 0.0, 1.0],
            };
            out.extend(q.map(|x| x as f32));
        }
        Ok(out)
    }
}

/// Tolerance of a quaternion's length around 1: the error that half precision leaves, far below the deviation
/// of numbers that are no quaternions at all.
pub const UNIT_SLACK: f64 = 1e-2;

fn unit(q: [f64; 4], index: usize) -> Result<[f64; 4], Error> {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let normal = quat_normalise(q).filter(|_| (length - 1.0).abs() <= UNIT_SLACK);
    normal.ok_or_else(|| {
        Error::Usage(format!(
            "expected unit quaternions, found one of length {length:.6} as rotation {index}"
        ))
    })
}

fn narrow(numbers: &[f64]) -> impl Iterator<Item = f32> {
    numbers.iter().map(|x| *x as f32)
}

/// A rotation (unit quaternion x y z w) as a rotation vector in degrees: axis times angle, about x, y and z.
/// Of the two equal turns the turn nearer to `last` is taken, so that lines drawn through the results do not
/// break.
#[must_use]
pub fn turn_degrees(rotation: [f64; 4], last: Option<[f64; 3]>) -> [f64; 3] {
    let turn = |q: [f64; 4]| quat_log(q).map(|half| (2.0 * half).to_degrees());
    let turns = [turn(rotation), turn(rotation.map(|x| -x))];
    let far =
        |turn: &[f64; 3], from: [f64; 3]| turn.iter().zip(from).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let from = last.unwrap_or_default();
    if far(&turns[0], from) <= far(&turns[1], from) { turns[0] } else { turns[1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [&str; 8] = ["xyzw", "wxyz", "6d", "6d-rows", "axis-angle", "matrix", "ZXY", "xyz"];

    #[test]
    fn every_form_comes_back_as_the_same_rotations() {
        let quaternions = [0.5, -0.5, 0.5, 0.5, 0.0, 0.0, 0.6, 0.8, 0.1, 0.7, -0.7, 0.1_f32];
        for word in FORMS {
            let form = RotationForm::from_word(word).unwrap();
            let numbers = form.from_quaternions(&quaternions);
            assert_eq!(numbers.len(), 3 * form.width(), "{word}");
            let wide: Vec<f64> = numbers.iter().map(|x| f64::from(*x)).collect();
            let back = form.to_quaternions(&wide).unwrap();
            for (a, b) in back.as_chunks::<4>().0.iter().zip(quaternions.as_chunks::<4>().0) {
                let dot: f32 = a.iter().zip(b).map(|(x, y)| x * y).sum();
                assert!((dot.abs() - 1.0).abs() < 1e-6, "{word}: {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn rows_are_not_columns() {
        let quarter = [0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()];
        let of = |word: &str| RotationForm::from_word(word).unwrap().from_quaternions(&quarter);
        assert!((of("6d")[1] - 1.0).abs() < 1e-6, "X goes to Y");
        assert!((of("6d-rows")[1] + 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_no_rotation_is_named() {
        let xyzw = RotationForm::Xyzw;
        let text = |numbers: &[f64]| xyzw.to_quaternions(numbers).unwrap_err().to_string();
        assert_eq!(
            text(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
            "expected unit quaternions, found one of length 1.414214 as rotation 1"
        );
        assert_eq!(text(&[0.0, f64::NAN, 0.0, 1.0]), "expected finite numbers, found NaN in rotation 0");
        assert!(RotationForm::from_word("zyxw").unwrap_err().to_string().contains("found \"zyxw\""));
    }
}
