//! Keys in fewer bits.

use crate::more::animation::{Keys, Shape, Stored, Times, TrackType, Values};
use crate::more::packed::{Rounding, quat32, quat48, time};
use crate::more::wanted::{Rotations, Wanted};
use dopesheet_core::model::Curve;
use dopesheet_curve::{quat_angle, quat_normalise_or_identity};

/// Difference of rotations attributed to single precision, in radians.
const SAME_RAD: f64 = 2e-6;
/// Difference of times attributed to single precision, in seconds.
const SAME_S: f64 = 2e-5;

/// Keys in fewer bits, and the resulting changes.
pub(super) struct Packed {
    pub(super) track_type: TrackType,
    pub(super) keys: Keys,
    /// The largest turn, in radians, and the time of its key.
    pub(super) turned: (f64, f64),
    /// The largest movement of a key, in seconds, and the key's time.
    pub(super) moved: (f64, f64),
}

impl Packed {
    /// True if nothing changes.
    pub(super) fn is_same(&self) -> bool {
        self.turned.0 <= SAME_RAD && self.moved.0 <= SAME_S
    }
}

/// The keys of a curve in the requested form; `None` if there is no request, or no such form for the curve.
pub(super) fn pack(keys: &Keys, track_type: TrackType, curve: &Curve, request: &Wanted) -> Option<Packed> {
    if keys.shape != Shape::Plain {
        return None;
    }
    let exact: Vec<f64> = curve.times.iter().map(|time| time.0).collect();
    let (values, turned) = match (&keys.values, request.rotations) {
        (Values::Quaternions(all), Rotations::Packed48) => {
            let codes: Option<Vec<_>> = each(all, |q| quat48::encode(q, Rounding::Nearest));
            let codes = codes?;
            let turned = worst(all, &exact, codes.iter().map(|code| quat48::decode(*code)));
            (Values::Quaternions48(codes), turned)
        }
        (Values::Quaternions(all), Rotations::Packed32) => {
            let codes: Option<Vec<_>> = each(all, |q| quat32::encode(q, Rounding::Nearest));
            let codes = codes?;
            let turned = worst(all, &exact, codes.iter().map(|code| quat32::decode(*code).0));
            (Values::Quaternions32(codes), turned)
        }
        (Values::Floats(all), _) if request.integers => {
            (Values::Integers(integers(all, track_type)?), (0.0, 0.0))
        }
        _ => return None,
    };
    let track_type = TrackType::of(track_type.law(), values.stored())?;
    let (times, moved) = match values.stored() {
        Stored::Quaternion32 => (keys.times.clone(), (0.0, 0.0)),
        // Where nothing changes it does not matter when.
        _ if is_constant(curve) => (short_times(&exact)?.0, (0.0, 0.0)),
        _ => short_times(&exact)?,
    };
    Some(Packed { track_type, keys: Keys { times, values, ..keys.clone() }, turned, moved })
}

fn is_constant(curve: &Curve) -> bool {
    curve.width > 0 && curve.values.chunks_exact(curve.width).all(|value| curve.values.starts_with(value))
}

fn each<Code>(all: &[[f32; 4]], code: impl Fn([f64; 4]) -> Option<Code>) -> Option<Vec<Code>> {
    all.iter().map(|q| code(q.map(f64::from))).collect()
}

/// The largest rotation between values and their decoded codes, and the time of the key.
fn worst(all: &[[f32; 4]], times: &[f64], decoded: impl Iterator<Item = [f64; 4]>) -> (f64, f64) {
    let unit = |q: [f64; 4]| quat_normalise_or_identity(q);
    let turns = all.iter().zip(decoded).map(|(q, code)| quat_angle(unit(q.map(f64::from)), unit(code)));
    larger(turns.zip(times.iter().copied()))
}

/// The pair with the largest first number.
fn larger(all: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    all.fold((0.0, 0.0), |largest, one| if one.0 > largest.0 { one } else { largest })
}

/// The integers of stepping numbers, if 16 bits hold all of them exactly.
fn integers(all: &[f32], track_type: TrackType) -> Option<Vec<u16>> {
    let steps = track_type == TrackType::of(crate::more::animation::KeyLaw::Simple, Stored::F32)?;
    let whole = |x: &f32| {
        let is_whole = x.fract() == 0.0 && (0.0..=f32::from(u16::MAX)).contains(x);
        is_whole.then_some(*x as u16)
    };
    if steps { all.iter().map(whole).collect() } else { None }
}

fn short_times(exact: &[f64]) -> Option<(Times, (f64, f64))> {
    let codes: Option<Vec<u16>> =
        exact.iter().map(|time| time::encode(*time, Rounding::Nearest).ok()).collect();
    let codes = codes?;
    let movements =
        codes.iter().zip(exact).map(|(code, exact)| ((time::decode(*code) - exact).abs(), *exact));
    let moved = larger(movements);
    Some((Times::Codes(codes), moved))
}
