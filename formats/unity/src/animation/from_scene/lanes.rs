//! Curves of a scene → keys of single components, as Unity's laws play them.

use dopesheet_core::model::{Blend, Curve, Handles, Outside, WeightedKey, weighted_keys};
use dopesheet_curve::{GreatArc, quat_angle};

/// The keys of a component.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct WeightedLane {
    pub(super) keys: Vec<WeightedKey>,
    /// Number of each key in the clip it comes from.
    pub(super) sources: Vec<Option<u32>>,
    /// As in a file: 0 ping-pong, 1 loop, 2 clamp.
    pub(super) pre_infinity: i64,
    pub(super) post_infinity: i64,
}

impl WeightedLane {
    /// True if the lane does anything but hold its values outside its keys.
    pub(super) const fn repeats(&self) -> bool {
        self.pre_infinity != CLAMP || self.post_infinity != CLAMP
    }

    /// Times of the keys.
    pub(super) fn times(&self) -> impl Iterator<Item = f32> {
        self.keys.iter().map(|key| key.time)
    }
}

const CLAMP: i64 = 2;

const fn infinity(outside: &Outside) -> i64 {
    match outside {
        Outside::PingPong => 0,
        Outside::Loop => 1,
        Outside::Hold | Outside::Ramp { .. } => CLAMP,
    }
}

/// The nearest f32; numbers out of range become the largest, and NaN becomes 0.
#[expect(clippy::cast_possible_truncation, reason = "numbers of a file are f32")]
pub(super) fn narrow(number: f64) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(f32::MIN.into(), f32::MAX.into()) as f32 }
}

/// A slope, which may be infinite.
#[expect(clippy::cast_possible_truncation, reason = "numbers of a file are f32")]
fn slope(number: f64) -> f32 {
    if number.is_infinite() { number as f32 } else { narrow(number) }
}

/// One component of a curve, each number times `factor`.
pub(super) fn lane(curve: &Curve, component: usize, factor: f64) -> WeightedLane {
    let keys = weighted_keys(curve, component, factor);
    WeightedLane {
        sources: sources(curve, keys.len()),
        keys,
        pre_infinity: infinity(&curve.before),
        post_infinity: infinity(&curve.after),
    }
}

/// Numbers of a curve's keys; empty if the count of keys to be written differs.
fn sources(curve: &Curve, keys: usize) -> Vec<Option<u32>> {
    (0..keys).map(|key| curve.source(key).filter(|_| curve.len() == keys)).collect()
}

/// Turns of more than this are divided.
const LARGEST_TURN_RAD: f64 = std::f64::consts::PI / 6.0;

/// Largest angle between a great arc of [`LARGEST_TURN_RAD`] and the cubics following its components, in
/// radians. For shorter arcs, this angle falls with the fourth power of the arc's angle, as the error of
/// cubics does.
const LARGEST_ARC_ERROR_RAD: f64 = 7.4e-7;

/// Largest change of a played component by slopes of fewer digits: a step of single precision just below 1.
const SLOPE_ROUNDING: f64 = 0.5 * f32::EPSILON as f64;

/// A slope of a cubic of a length in seconds, in the fewest decimal places that keep the cubic within [`SLOPE_ROUNDING`]: slopes
/// half a place off at both ends move the middle of the cubic by an eighth of a place times its length.
fn short(slope: f64, length: f64) -> f64 {
    let mut unit = 1.0;
    while unit < length / (8.0 * SLOPE_ROUNDING) {
        unit *= 10.0;
    }
    let rounded = (slope * unit).round() / unit;
    if rounded.is_finite() { rounded } else { slope }
}

/// Components of a rotation, to be played separately.
pub(super) struct RotationLanes {
    pub(super) lanes: Vec<WeightedLane>,
    /// Number of divided turns.
    pub(super) divided: usize,
    /// Upper bound of the angle between the rotation and its playback, in radians, besides the rounding of
    /// numbers.
    pub(super) bound_rad: f64,
}

/// A rotation from a single curve as four components.
pub(super) fn rotation(curve: &Curve) -> RotationLanes {
    let mut cubics = Cubics::default();
    let mut sign = 1.0;
    let value = |key: usize| {
        let stored = curve.value(key).and_then(|value| <[f32; 4]>::try_from(value).ok());
        stored.map(|value| value.map(f64::from))
    };
    let handles = |column: fn(&Handles) -> &Vec<f32>, key: usize, sign: f64| {
        let row = curve.handles.as_deref().and_then(|handles| column(handles).get(key * 4..key * 4 + 4));
        std::array::from_fn(|n| row.and_then(|row| row.get(n)).map_or(0.0, |x| f64::from(*x) * sign))
    };
    for (key, time) in curve.times.iter().enumerate() {
        let Some(stored) = value(key) else { continue };
        let law = key.checked_sub(1).map(|segment| curve.laws.get(segment));
        let last = cubics.values.last().copied();
        // Along slopes a change of sign would be another way.
        if let (Some(law), Some(last)) = (law, last)
            && law.blend != Blend::Hermite
            && dot(last, stored) * sign < 0.0
        {
            sign = -sign;
        }
        let next = stored.map(|x| x * sign);
        match (law.map(|law| law.blend), key.checked_sub(1)) {
            (Some(Blend::Step), _) => cubics.step(time.0, next),
            (Some(Blend::Hermite), Some(before)) => {
                let slopes = [handles(|h| &h.leaving, before, sign), handles(|h| &h.arriving, key, sign)];
                cubics.cubic(time.0, next, slopes);
            }
            (Some(_), _) => cubics.arc(time.0, next),
            (None, _) => cubics.start(time.0, next),
        }
    }
    let outside = [infinity(&curve.before), infinity(&curve.after)];
    let Cubics { mut lanes, divided, longest_arc_rad, .. } = cubics;
    for lane in &mut lanes {
        lane.keys = WeightedKey::spread(std::mem::take(&mut lane.keys), curve.jump);
        lane.sources = sources(curve, lane.keys.len());
        [lane.pre_infinity, lane.post_infinity] = outside;
    }
    // Each of four components is off by the rounding at most, and an angle is twice their distance.
    let rounding_rad = if longest_arc_rad > 0.0 { 4.0 * SLOPE_ROUNDING } else { 0.0 };
    let bound_rad = LARGEST_ARC_ERROR_RAD * (longest_arc_rad / LARGEST_TURN_RAD).powi(4) + rounding_rad;
    RotationLanes { lanes: lanes.into(), divided, bound_rad }
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Components of a rotation under construction.
#[derive(Default)]
struct Cubics {
    lanes: [WeightedLane; 4],
    times: Vec<f64>,
    values: Vec<[f64; 4]>,
    divided: usize,
    /// Longest piece of a great arc, in radians.
    longest_arc_rad: f64,
}

impl Cubics {
    fn start(&mut self, time: f64, value: [f64; 4]) {
        for (lane, value) in self.lanes.iter_mut().zip(value) {
            lane.keys.push(WeightedKey::flat(narrow(time), narrow(value)));
        }
        self.times.push(time);
        self.values.push(value);
    }

    fn step(&mut self, time: f64, value: [f64; 4]) {
        self.cubic(time, value, [[f64::INFINITY; 4]; 2]);
    }

    /// A key, reached with slopes per second at both ends.
    fn cubic(&mut self, time: f64, value: [f64; 4], [leaving, arriving]: [[f64; 4]; 2]) {
        for (lane, leaving) in self.lanes.iter_mut().zip(leaving) {
            if let Some(last) = lane.keys.last_mut() {
                last.out_slope = slope(leaving);
            }
        }
        self.start(time, value);
        for (lane, arriving) in self.lanes.iter_mut().zip(arriving) {
            if let Some(last) = lane.keys.last_mut() {
                last.in_slope = slope(arriving);
            }
        }
    }

    /// A key, reached along the great arc.
    fn arc(&mut self, time: f64, value: [f64; 4]) {
        let (Some(from), Some(start)) = (self.values.last().copied(), self.times.last().copied()) else {
            return;
        };
        let length = time - start;
        let (arc, angle) = (GreatArc::between(from, value), quat_angle(from, value));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 12")]
        let parts = (angle / LARGEST_TURN_RAD).ceil().clamp(1.0, 12.0) as u32;
        // As f32 there must be room for keys in between.
        let has_room = f64::from(narrow(time)) - f64::from(narrow(start))
            > 1e-6 * time.abs().max(1e-3) * f64::from(parts);
        let parts = if has_room { parts } else { 1 };
        self.divided += usize::from(parts > 1);
        self.longest_arc_rad = self.longest_arc_rad.max(angle / f64::from(parts));
        let part_length = length / f64::from(parts);
        let slopes = |u: f64| {
            arc.velocity_at(u).map(|x| if length > 0.0 { short(x / length, part_length) } else { 0.0 })
        };
        for part in 1..=parts {
            let [a, b] = [part - 1, part].map(|part| f64::from(part) / f64::from(parts));
            let (end, value) = if part == parts { (time, value) } else { (start + length * b, arc.at(b)) };
            self.cubic(end, value, [slopes(a), slopes(b)]);
        }
    }
}
