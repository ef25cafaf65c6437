//! The segments between keys, which can be cut, reversed and moved in time.

use dopesheet_core::model::{Blend, Law, Timing};
use dopesheet_curve as laws;

/// Up to four numbers; numbers beyond the width of the curve are 0.
pub(super) type Value = [f64; 4];

/// The way between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    /// Start in seconds.
    pub(super) start: f64,
    /// End in seconds; later than the start.
    pub(super) end: f64,
    /// Value at the start.
    pub(super) from: Value,
    /// Value at the end; a step only gets there at the very end.
    pub(super) to: Value,
    /// Slope per second, or control quaternion, at the start.
    pub(super) leaving: Value,
    /// Slope per second, or control quaternion, at the end.
    pub(super) arriving: Value,
    /// Angle and axis, for turns.
    pub(super) turn: Value,
    pub(super) law: Law,
}

impl Segment {
    /// A way without slopes.
    pub(super) const fn straight(start: f64, end: f64, from: Value, to: Value, law: Law) -> Self {
        let nothing = [0.0; 4];
        Self { start, end, from, to, leaving: nothing, arriving: nothing, turn: nothing, law }
    }

    /// True if nothing moves.
    pub(super) fn is_still(&self) -> bool {
        let is_flat = self.leaving == [0.0; 4] && self.arriving == [0.0; 4];
        match self.law.blend {
            Blend::Step | Blend::Lerp | Blend::Slerp => self.from == self.to,
            Blend::Hermite => self.from == self.to && is_flat,
            _ => false,
        }
    }

    pub(super) const fn length(&self) -> f64 {
        self.end - self.start
    }

    /// The share of the way at a time.
    pub(super) fn share(&self, time: f64) -> f64 {
        ((time - self.start) / self.length()).clamp(0.0, 1.0)
    }

    /// The value at a share of the segment; beyond the ends, the continued curve.
    pub(super) fn at(&self, share: f64) -> Value {
        let u = match self.law.timing {
            Timing::Ease { from, to } => laws::ease(share, from.into(), to.into()),
            Timing::Linear | Timing::Bezier { .. } => share,
        };
        match self.law.blend {
            Blend::Step => self.from,
            Blend::Slerp => laws::slerp(self.from, self.to, u),
            Blend::Squad => laws::squad(self.from, self.leaving, self.arriving, self.to, u),
            Blend::Turn => {
                let [angle, x, y, z] = self.turn;
                let turn = laws::Turn { angle, axis: [x, y, z] };
                laws::turn_squad(self.from, self.leaving, self.arriving, self.to, turn, u)
            }
            Blend::Hermite => std::array::from_fn(|i| {
                let slopes = [self.leaving[i], self.arriving[i]];
                laws::hermite_per_second(self.from[i], slopes[0], self.to[i], slopes[1], self.length(), u)
            }),
            Blend::Lerp | Blend::Nlerp | Blend::WeightedBezier => {
                std::array::from_fn(|i| laws::lerp(self.from[i], self.to[i], u))
            }
        }
    }

    /// The slope at a share of the segment, for laws with a slope.
    pub(super) fn slope(&self, share: f64) -> Value {
        let (u, length) = (share, self.length());
        match self.law.blend {
            Blend::Lerp => std::array::from_fn(|i| (self.to[i] - self.from[i]) / length),
            Blend::Hermite => std::array::from_fn(|i| {
                let (rise, a, b) = ((self.to[i] - self.from[i]) / length, self.leaving[i], self.arriving[i]);
                6.0 * u * (1.0 - u) * rise + (1.0 - u) * (1.0 - 3.0 * u) * a + u * (3.0 * u - 2.0) * b
            }),
            _ => [0.0; 4],
        }
    }

    /// True if any part of the segment follows the same law.
    pub(super) fn is_divisible(&self) -> bool {
        let steady = self.law.timing.is_linear();
        match self.law.blend {
            Blend::Step => true,
            Blend::Lerp | Blend::Slerp | Blend::Hermite => steady,
            _ => false,
        }
    }

    /// A part of a segment whose law is divisible.
    pub(super) fn stretch(&self, a: f64, b: f64) -> Self {
        let time = |share: f64| laws::lerp(self.start, self.end, share);
        Self {
            start: time(a),
            end: time(b),
            from: self.at(a),
            to: if b >= 1.0 { self.to } else { self.at(b) },
            leaving: self.slope(a),
            arriving: self.slope(b),
            ..*self
        }
    }

    /// The same segment backwards; slopes change their sign only when the segment is moved to its new time.
    fn reversed(self) -> Self {
        let timing = match self.law.timing {
            Timing::Ease { from, to } => Timing::Ease { from: to, to: from },
            other => other,
        };
        let [angle, x, y, z] = self.turn;
        let from = if self.law.blend == Blend::Step { self.from } else { self.to };
        Self {
            from,
            to: self.from,
            leaving: self.arriving,
            arriving: self.leaving,
            turn: [angle, -x, -y, -z],
            law: Law { timing, ..self.law },
            ..self
        }
    }

    /// The same segment at another time, `speed` times as fast; backwards for negative speeds.
    pub(super) fn moved(self, start: f64, end: f64, speed: f64) -> Self {
        let segment = if speed < 0.0 { self.reversed() } else { self };
        let (mut leaving, mut arriving) = (segment.leaving, segment.arriving);
        if segment.law.blend == Blend::Hermite {
            leaving.iter_mut().chain(&mut arriving).for_each(|slope| *slope *= speed);
        }
        Self { start, end, leaving, arriving, ..segment }
    }
}

/// Cost of following curves with straight pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Drift {
    /// Pieces in place of other segments.
    pub(super) pieces: usize,
    /// Largest distance found: radians for quaternions, else the unit of the values.
    pub(super) worst: f64,
    /// Time of this distance, in seconds.
    pub(super) at: f64,
}

impl Drift {
    pub(super) fn note(&mut self, other: Self) {
        self.pieces += other.pieces;
        if other.worst > self.worst {
            (self.worst, self.at) = (other.worst, other.at);
        }
    }
}

/// Most pieces in place of the segments of a channel.
const MOST_PIECES: usize = 100_000;
/// Pieces this short, in seconds, are not divided any more.
const SHORTEST_S: f64 = 1.0 / 480.0;

/// Straight pieces along any way, halved until they are near it at a quarter, a half and three quarters: 1e-4 units or
/// 0.05°.
pub(super) fn followed(
    start: f64,
    end: f64,
    width: usize,
    value_at: &impl Fn(f64) -> Value,
    drift: &mut Drift,
) -> Vec<Segment> {
    let law = if width == 4 { Law::SLERP } else { Law::LINEAR };
    let near = if width == 4 { 0.05_f64.to_radians() } else { 1e-4 };
    let (mut done, mut open) = (Vec::new(), vec![(start, end)]);
    while let Some((a, b)) = open.pop() {
        let piece = Segment::straight(a, b, value_at(a), value_at(b), law);
        let probes = [0.25, 0.5, 0.75].map(|share| {
            let time = laws::lerp(a, b, share);
            (distance(piece.at(share), value_at(time), width), time)
        });
        let (largest, at) = probes.into_iter().fold((0.0, a), |w, p| if p.0 > w.0 { p } else { w });
        let middle = laws::lerp(a, b, 0.5);
        let is_enough = largest <= near || b - a <= SHORTEST_S || drift.pieces + open.len() >= MOST_PIECES;
        if is_enough || !(a < middle && middle < b) {
            drift.note(Drift { pieces: 1, worst: largest, at });
            done.push(piece);
        } else {
            open.extend([(middle, b), (a, middle)]);
        }
    }
    done
}

/// Distance between two values: radians for quaternions, else the length of the difference.
fn distance(a: Value, b: Value, width: usize) -> f64 {
    if width == 4 {
        laws::quat_angle(a, b)
    } else {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }
}
