//! Numbers that are the same on every machine: only sums, products, quotients and square roots.

use std::f64::consts::TAU;

/// Cosine and sine of a share of a full turn, by their series; mirrored about both axes.
pub(super) fn circle(turns: f64) -> [f64; 2] {
    let turns = turns - turns.floor();
    if turns > 0.5 {
        let [cos, sin] = circle(1.0 - turns);
        return [cos, -sin];
    }
    if turns > 0.25 {
        let [cos, sin] = circle(0.5 - turns);
        return [-cos, sin];
    }
    if turns > 0.125 {
        let [cos, sin] = circle(0.25 - turns);
        return [sin, cos];
    }
    let x = turns * TAU;
    let (mut term, mut cos, mut sin) = (1.0, 0.0, 0.0);
    for n in 0..10 {
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        cos += sign * term;
        term = term * x / f64::from(2 * n + 1);
        sin += sign * term;
        term = term * x / f64::from(2 * n + 2);
    }
    [cos, sin]
}

/// From 0 at `from` to 1 at `to`, level at both ends; `from` may be the greater one.
pub(super) fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// `a` at 0, `b` at 1.
pub(super) fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// Distance of a point from the middle of an ellipse, in its radii.
pub(super) fn distance([x, y]: [f64; 2], [rx, ry]: [f64; 2]) -> f64 {
    let (x, y) = (x / rx, y / ry);
    (x * x + y * y).sqrt()
}

/// A bump of height 1 and radius 1 around 0.
pub(super) fn bump(x: f64) -> f64 {
    let rest = (1.0 - x * x).max(0.0);
    rest * rest
}

/// The nearest of so many values a unit: a figure with no more digits than anybody sees takes a fifth less when it is
/// compressed, as part of a page.
pub(super) fn rounded(x: f64, values: f64) -> f32 {
    ((x * values).round() / values) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circle_is_that_of_the_standard_library() {
        for step in -40..80 {
            let turns = f64::from(step) / 37.0;
            let (sin, cos) = (turns * TAU).sin_cos();
            let [x, y] = circle(turns);
            assert!((x - cos).abs() < 1e-14 && (y - sin).abs() < 1e-14, "{turns}");
        }
    }
}
