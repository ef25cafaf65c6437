//! Rotations on their way into curves.

/// Turns quaternions into the f32 values of a curve, in order, so that the shorter arc from each to the next
/// stays the arc taken by the engine.
///
/// The engine computes in f64 and uses the sign of the scalar product of two neighbours. For neighbours half
/// a turn apart, a remainder of 1e-17 decides, and rounding to f32 would replace the remainder by another. So
/// neighbours are stored with the sign that makes their exact product positive, and if rounding still makes
/// the product negative, the later quaternion is moved by the smallest sufficient amount (below 2e-7 in one
/// component).
#[derive(Debug, Default)]
pub(super) struct Turns {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    exact: [f64; 4],
    sign: f64,
    stored: [f32; 4],
}

/// Products closer to zero than this may change their sign by rounding to f32.
const DOUBTFUL: f64 = 1e-6;

/// The product to aim for; a few steps of an f32 below 1 apart from zero. Each attempt doubles the distance,
/// in case rounding swallowed it.
const STEP: f64 = 1e-8;
const ATTEMPTS: i32 = 12;

impl Turns {
    /// The value to store for the next rotation, a unit quaternion.
    pub(super) fn store(&mut self, exact: [f64; 4]) -> [f32; 4] {
        let mut sign = 1.0;
        let mut stored = narrow(exact);
        if let Some(last) = &self.last {
            let product = dot(last.exact, exact);
            sign = if product < 0.0 { -last.sign } else { last.sign };
            stored = narrow(exact.map(|v| sign * v));
            if product.abs() < DOUBTFUL {
                stored = nudge(last.stored, stored);
            }
        }
        self.last = Some(Last { exact, sign, stored });
        stored
    }
}

/// `turn`, moved until its product with `last` is not negative.
fn nudge(last: [f32; 4], mut turn: [f32; 4]) -> [f32; 4] {
    let anchor = unit(last);
    let axis = (0..4).max_by(|&a, &b| anchor[a].abs().total_cmp(&anchor[b].abs())).unwrap_or(3);
    for attempt in 0..ATTEMPTS {
        let product = dot(anchor, unit(turn));
        if product >= 0.0 {
            break;
        }
        let step = (STEP - product) / anchor[axis] * f64::from(1 << attempt);
        turn[axis] = (f64::from(turn[axis]) + step) as f32;
    }
    turn
}

/// As evaluators do before they look at the product.
fn unit(turn: [f32; 4]) -> [f64; 4] {
    dopesheet_curve::quat_normalise_or_identity(turn.map(f64::from))
}

fn narrow(turn: [f64; 4]) -> [f32; 4] {
    turn.map(|v| v as f32)
}

/// Scalar product, summed in the engine's order.
fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_curve::{quat_angle, quat_from_euler_degrees_zyx as turn, slerp};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn half_turns_keep_their_direction(base in prop::array::uniform3(-180i32..180), axis in 0usize..3, sign: bool) {
            let mut angles = base.map(f64::from);
            let from = turn(angles);
            angles[axis] += if sign { 180.0 } else { -180.0 };
            let to = turn(angles);
            let mut turns = Turns::default();
            let (a, b) = (turns.store(from), turns.store(to));
            let exact = slerp(from, to, 0.5);
            let stored = slerp(a.map(f64::from), b.map(f64::from), 0.5);
            prop_assert!(quat_angle(exact, stored) < 1e-6, "{exact:?} {stored:?}");
        }
    }
}
