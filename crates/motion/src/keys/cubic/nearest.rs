//! The cubic between two values with the least distance from samples.

use dopesheet_curve::hermite_weights;

/// The value at a share of a cubic's length in seconds, from the values and the slopes per second at both
/// ends.
pub(super) fn cubic_at(
    [from, to]: [&[f64]; 2],
    [leaving, arriving]: [&[f64]; 2],
    length_s: f64,
    share: f64,
    out: &mut Vec<f64>,
) {
    let [a, b, c, d] = hermite_weights(share);
    let (ends, slopes) = (from.iter().zip(to), leaving.iter().zip(arriving));
    out.clear();
    out.extend(ends.zip(slopes).map(|((v, w), (p, q))| a * v + c * w + length_s * (b * p + d * q)));
}

/// The slopes per second at both ends of the least-squares cubic between two values, from `samples` at
/// `shares` of its length, one row for each. Slopes given in `given` stay.
pub(super) fn nearest_slopes(
    [from, to]: [&[f64]; 2],
    given: [Option<&[f64]>; 2],
    length_s: f64,
    shares: &[f64],
    samples: &[f64],
) -> [Vec<f64>; 2] {
    if let [Some(leaving), Some(arriving)] = given {
        return [leaving.to_vec(), arriving.to_vec()];
    }
    let width = from.len();
    let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
    let mut rests = vec![[0.0; 2]; width];
    for (row, share) in samples.chunks_exact(width.max(1)).zip(shares) {
        let [h0, a, h1, b] = hermite_weights(*share);
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        for (((value, from), to), [ra, rb]) in row.iter().zip(from).zip(to).zip(&mut rests) {
            let rest = value - h0 * from - h1 * to;
            (*ra, *rb) = (*ra + rest * a, *rb + rest * b);
        }
    }
    let determinant = aa * bb - ab * ab;
    let [leaving, arriving] = given.map(|slopes| move |n: usize| Some(slopes?.get(n)? * length_s));
    let of = |(n, [ra, rb]): (usize, &[f64; 2])| match (leaving(n), arriving(n)) {
        (Some(p), Some(q)) => (p, q),
        (Some(p), None) => (p, (rb - ab * p) / bb),
        (None, Some(q)) => ((ra - ab * q) / aa, q),
        (None, None) => ((ra * bb - rb * ab) / determinant, (rb * aa - ra * ab) / determinant),
    };
    let slopes = rests.iter().enumerate().map(of).map(|(p, q)| (p / length_s, q / length_s));
    slopes.unzip().into()
}
