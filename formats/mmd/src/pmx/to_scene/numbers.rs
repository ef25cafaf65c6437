//! Numbers of a file as a scene wants them: finite. And numbers in reports.

use dopesheet_core::diag::Report;
use dopesheet_core::words::counted;

/// The number, or 0 for a number that is not finite.
pub(super) fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

/// The numbers, with 0 for each number that is not finite.
pub(super) fn finite_all<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    numbers.map(finite)
}

/// The same in double precision.
pub(super) fn wide<const N: usize>(numbers: [f32; N]) -> [f64; N] {
    finite_all(numbers).map(f64::from)
}

/// A vector of length 1; `None` for a vector without a direction.
pub(super) fn unit<const N: usize>(vector: [f32; N]) -> Option<[f64; N]> {
    let vector = wide(vector);
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    (length > 0.0).then(|| vector.map(|x| x / length))
}

/// Reports the number of dropped items, if there are any.
pub(super) fn dropped(report: &mut Report, count: usize, noun: &str, why: &str) {
    if count > 0 {
        report.dropped(counted(count, noun), why);
    }
}
