//! Rotations, as rotation vectors.

use super::chain::{Three, Way};
use glam::{DQuat, DVec3};

/// Rotations, seen from the first: axis times angle of the shorter way.
pub(super) struct Turn;

impl Way<4, 3> for Turn {
    #[inline]
    fn between(from: &[f32; 4], to: &[f32; 4]) -> [f64; 3] {
        let between = turned(from, to);
        let vector = sines(&between);
        let factor = 2.0 * arc_over_sine(vector.length_squared(), between.w.abs());
        (vector * factor.copysign(between.w)).to_array()
    }

    /// A cone is closed by two keys whose slopes differ by more than both slacks: |p / h − q / k| > b / h + b / k for the
    /// vectors p and q to the keys, the times h and k to them and the bound b, or |p·k − q·h| > b·(h + k), which needs no
    /// division. That a key stays never breaks the bound; what is said wrongly would only cost keys.
    ///
    /// Nor does it need the whole arc. With the sine s and its square x, arcsin s / s is 1 + x / 6 + 3·x² / 40 and a rest that
    /// is at most 0.055·x³ while s is at most a half, so that no number of p / 2 is off by more than 0.03·x³.
    #[inline]
    fn is_surely_bent(
        &Three { values: [start, next, last], lengths: [h, k] }: &Three<'_, 4>,
        bound: f64,
    ) -> bool {
        let [to_next, to_last] = [turned(start, next), turned(start, last)];
        let (p, x) = (sines(&to_next), sines(&to_next).length_squared());
        let (q, y) = (sines(&to_last), sines(&to_last).length_squared());
        // The longer way round, or too far for what was said of the rest.
        if !(x.max(y) < 0.25 && to_next.w.min(to_last.w) > 0.0) {
            return false;
        }
        let short = |x: f64| 1.0 + x * (1.0 / 6.0 + x * (3.0 / 40.0));
        let left_out = 0.03 * (x * x * x * k + y * y * y * h);
        let bend = p * (k * short(x)) - q * (h * short(y));
        bend.abs().max_element() > 0.5 * bound * (h + k) + left_out
    }
}

/// The sine of half the angle, times the axis.
fn sines(turned: &DQuat) -> DVec3 {
    DVec3::new(turned.x, turned.y, turned.z)
}

/// From one quaternion to another, seen from the first.
fn turned(from: &[f32; 4], to: &[f32; 4]) -> DQuat {
    quaternion(from).conjugate() * quaternion(to)
}

fn quaternion(&[x, y, z, w]: &[f32; 4]) -> DQuat {
    DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into())
}

/// Squares of sines up to which [`arc_over_sine`] is a series.
const SERIES_UNTIL: f64 = 0.01;

/// An angle over its sine, given the square of that sine and the cosine. The series is arcsin x / x; what it leaves out is
/// below 2e-14.
fn arc_over_sine(square: f64, cosine: f64) -> f64 {
    if square < SERIES_UNTIL {
        // Summed by pairs, which wait less for each other than one after the other.
        let fourth = square * square;
        let [a, b, c] = [
            1.0 + square * (1.0 / 6.0),
            3.0 / 40.0 + square * (5.0 / 112.0),
            35.0 / 1152.0 + square * (63.0 / 2816.0),
        ];
        return a + fourth * (b + fourth * c);
    }
    let sine = square.sqrt();
    sine.atan2(cosine) / sine
}

#[cfg(test)]
mod tests {
    use super::super::chain::Stretches;
    use super::*;
    use proptest::prelude::*;

    /// Rotations without the quick look.
    struct Slow;

    impl Way<4, 3> for Slow {
        fn between(from: &[f32; 4], to: &[f32; 4]) -> [f64; 3] {
            Turn::between(from, to)
        }
    }

    fn around_x(angle_rad: f64) -> [f32; 4] {
        DQuat::from_rotation_x(angle_rad).to_array().map(|x| x as f32)
    }

    #[test]
    fn the_series_meets_the_arc() {
        for half_angle in [1e-12f64, 1e-3, 0.05, 0.09, 0.1, 0.1002, 0.5, 1.5] {
            let (sine, cosine) = half_angle.sin_cos();
            let found = arc_over_sine(sine * sine, cosine) * sine;
            assert!((found - half_angle).abs() <= 3e-14 * half_angle, "{found} for {half_angle}");
        }
    }

    #[test]
    fn the_quick_look_finds_nearly_all_bends() {
        const BOUND: f64 = 1e-3;
        for step_rad in [1e-2, 0.1, 0.2] {
            // Within the bound after 1 s and after 3 s, slopes may differ by 1 + 1 / 3 of it.
            let is_bent = |part: f64| {
                let last = 3.0 * (step_rad + part * BOUND * 4.0 / 3.0);
                let values = [around_x(0.0), around_x(step_rad), around_x(last)];
                Turn::is_surely_bent(&Three { values: &values, lengths: [1.0, 3.0] }, BOUND)
            };
            assert!(is_bent(1.05) && is_bent(-1.05), "{step_rad}");
            assert!(!is_bent(0.99) && !is_bent(-0.99), "{step_rad}");
        }
    }

    proptest! {
        #[test]
        fn the_quick_look_costs_no_keys(
            steps in prop::collection::vec((prop::array::uniform3(-1.0..1.0f64), 0.1..1.0f64, any::<bool>()), 2..60),
            (size, evenness, bound) in (-4.0..0.3f64, 0.0..4.0f64, -6.0..-1.0f64),
        ) {
            let (mut turn, mut time) = (DQuat::IDENTITY, 0.0);
            let (mut values, mut times) = (Vec::new(), Vec::new());
            let [size, unevenness, bound] = [size, -evenness, bound].map(|exponent| 10f64.powf(exponent));
            for (by, length, flips) in steps {
                values.push(if flips { -turn } else { turn }.to_array().map(|x| x as f32));
                times.push(time);
                let by = DVec3::new(1.0, 0.5, -0.25) + DVec3::from(by) * unevenness;
                turn = (turn * DQuat::from_scaled_axis(by * size * length)).normalize();
                time += length;
            }
            let keys = Stretches::new(&times, &values, bound);
            prop_assert_eq!(keys.kept::<Turn, 3>(), keys.kept::<Slow, 3>());
        }
    }
}
