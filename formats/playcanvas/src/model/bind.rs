//! Matrices of the bind pose.

/// The inverse of a column-major 4×4 matrix; `None` if it has none.
///
/// Gauss–Jordan elimination with the largest pivot of each column.
pub(super) fn inverse(matrix: &[f64; 16]) -> Option<[f64; 16]> {
    // Rows of the transpose; the inverse of a transpose is the transpose of the inverse.
    let mut rows: [[f64; 8]; 4] = std::array::from_fn(|r| {
        std::array::from_fn(|c| if c < 4 { matrix[4 * r + c] } else { f64::from(u8::from(c - 4 == r)) })
    });
    for column in 0..4 {
        let pivot = (column..4).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        let scale = rows[column][column];
        if scale == 0.0 || !scale.is_finite() {
            return None;
        }
        rows[column] = rows[column].map(|v| v / scale);
        let pivot_row = rows[column];
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if index != column {
                for (value, pivot) in row.iter_mut().zip(pivot_row) {
                    *value -= factor * pivot;
                }
            }
        }
    }
    let result: [f64; 16] = std::array::from_fn(|n| rows[n / 4][4 + n % 4]);
    result.iter().all(|v| v.is_finite()).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn a_moved_and_stretched_frame_is_undone() {
        let matrix = [0.0, 2.0, 0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0, 2.0, 3.0, 1.0];
        let expected = [0.0, -0.25, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -1.0, 0.25, -6.0, 1.0];
        assert_eq!(inverse(&matrix), Some(expected));
        assert_eq!(inverse(&[0.0; 16]), None);
    }
}
