//! Keys with tension, continuity and bias for the same curve.

use crate::more::animation::{Bezier, KeyLaw, Keys, Shape, Tcb, TcbSettings, TrackType, Turn, Values};
use dopesheet_curve::{
    Tcb as Dials, TcbHandles, TcbKey, quat_normalise_or_identity, rotation_vector_from_quat, tcb_slopes,
};

/// Largest difference of derivatives, as a share of the distance between keys, at which every reader plays
/// the same curve: half of the difference reported by `check`.
const SAME: f64 = 5e-4;
/// Rounds of iteration for the dials: continuity has a part in the correction for uneven times.
const ROUNDS: usize = 40;
/// Dials of keys on a curve that goes straight to and fro.
const STRAIGHT: Dials = Dials { tension: 0.0, continuity: -1.0, bias: 0.0 };

/// The same keys with tension, continuity and bias; `None` if no dials give the same curve.
pub(super) fn keys(keys: &Keys, track_type: TrackType) -> Option<(TrackType, Keys)> {
    if !matches!(track_type.law(), KeyLaw::Linear | KeyLaw::Bezier) {
        return None;
    }
    let shape = match &keys.values {
        Values::Quaternions(values) => rotations(values),
        Values::Floats(values) => {
            let values: Vec<_> = values.iter().map(|x| [*x, 0.0, 0.0]).collect();
            let (settings, handles) = numbers(keys, &values)?;
            let column = |side: fn(&TcbHandles<3>) -> [f64; 3]| {
                Values::Floats(handles.iter().map(|key| side(key)[0] as f32).collect())
            };
            tcb(settings, column(|key| key.arriving), column(|key| key.leaving))
        }
        Values::Vectors(values) => {
            let (settings, handles) = numbers(keys, values)?;
            let column = |side: fn(&TcbHandles<3>) -> [f64; 3]| {
                Values::Vectors(handles.iter().map(|key| side(key).map(|x| x as f32)).collect())
            };
            tcb(settings, column(|key| key.arriving), column(|key| key.leaving))
        }
        _ => return None,
    };
    let track_type = TrackType::of(KeyLaw::Tcb, keys.values.stored())?;
    Some((track_type, Keys { shape, ..keys.clone() }))
}

fn tcb(settings: Vec<TcbSettings>, der_src: Values, der_dst: Values) -> Shape {
    Shape::Tcb(Box::new(Tcb { settings, der_src, der_dst, turns: Vec::new() }))
}

fn settings(dials: Dials) -> TcbSettings {
    let [tension, continuity, bias] = [dials.tension, dials.continuity, dials.bias].map(|x| x as f32);
    TcbSettings { tension, continuity, bias, ..TcbSettings::default() }
}

/// Rotations run along great arcs: every key is also its control.
fn rotations(values: &[[f32; 4]]) -> Shape {
    let mut turns = vec![Turn { angle: 0.0, axis: [0.0, 0.0, 1.0] }];
    turns.extend(values.windows(2).map(|pair| turn(pair[0], pair[1])));
    turns.truncate(values.len());
    let controls = Values::Quaternions(values.to_vec());
    Shape::Tcb(Box::new(Tcb {
        settings: vec![settings(STRAIGHT); values.len()],
        der_src: controls.clone(),
        der_dst: controls,
        turns,
    }))
}

/// The shorter turn from one rotation to the next, in the frame of the first rotation.
fn turn(from: [f32; 4], to: [f32; 4]) -> Turn {
    let [[ax, ay, az, aw], [bx, by, bz, bw]] =
        [from, to].map(|q| quat_normalise_or_identity(q.map(f64::from)));
    let between = [
        aw * bx - ax * bw - ay * bz + az * by,
        aw * by + ax * bz - ay * bw - az * bx,
        aw * bz - ax * by + ay * bx - az * bw,
        aw * bw + ax * bx + ay * by + az * bz,
    ];
    let shorter = if between[3] < 0.0 { between.map(|x| -x) } else { between };
    let vector = rotation_vector_from_quat(shorter);
    let angle = length(vector);
    let axis = if angle > 0.0 { vector.map(|x| (x / angle) as f32) } else { [0.0, 0.0, 1.0] };
    Turn { angle: angle as f32, axis }
}

/// Dials and derivatives of numbers; `None` if no dials give the derivatives.
fn numbers(keys: &Keys, values: &[[f32; 3]]) -> Option<(Vec<TcbSettings>, Vec<TcbHandles<3>>)> {
    let values: Vec<[f64; 3]> = values.iter().map(|v| v.map(f64::from)).collect();
    let times: Vec<f64> = keys.times.iter().collect();
    let wanted = wanted(keys, &values)?;
    let mut tcb_keys: Vec<TcbKey<3>> = (0..values.len())
        .map(|key| TcbKey { time: times[key], value: values[key], tcb: inner(key, &times, &values, &wanted) })
        .collect();
    for (end, beside) in [(0, 1), (values.len() - 1, values.len().saturating_sub(2))] {
        tcb_keys[end].tcb = at_end(end, beside, &values, &wanted);
    }
    // What is written are the slopes of the curve; the dials are for editors, and must mean the same.
    let is_same = |key: usize| {
        let slopes = tcb_slopes(&tcb_keys, key);
        let around = key.saturating_sub(1)..(key + 2).min(values.len());
        let longest = values[around].windows(2).map(|w| length(minus(w[1], w[0]))).fold(1e-6, f64::max);
        let sides = [(slopes.arriving, wanted[key].arriving), (slopes.leaving, wanted[key].leaving)];
        let dials = tcb_keys[key].tcb;
        [dials.tension, dials.continuity, dials.bias].iter().all(|x| (-1.0..=1.0).contains(x))
            && sides.iter().all(|(a, b)| length(minus(*a, *b)) <= SAME * longest.max(length(*a)))
    };
    (0..values.len()).all(is_same).then(|| (tcb_keys.iter().map(|key| settings(key.tcb)).collect(), wanted))
}

/// The slopes of a curve; `None` if the curve holds a value somewhere.
fn wanted(keys: &Keys, values: &[[f64; 3]]) -> Option<Vec<TcbHandles<3>>> {
    let three = |values: &Values, key: usize| {
        let numbers = values.decoded(key, crate::more::packed::EulerCode::Affine);
        [0, 1, 2].map(|part| numbers.get(part).copied().unwrap_or_default())
    };
    let of = |key: usize| match &keys.shape {
        Shape::Bezier(Bezier { der_src, der_dst: Some(der_dst), .. }) => {
            TcbHandles { arriving: three(der_src, key), leaving: three(der_dst, key) }
        }
        _ => {
            let slope =
                |from: Option<usize>, to: usize| match (from.and_then(|at| values.get(at)), values.get(to)) {
                    (Some(from), Some(to)) => minus(*to, *from),
                    _ => [0.0; 3],
                };
            TcbHandles { arriving: slope(key.checked_sub(1), key), leaving: slope(Some(key), key + 1) }
        }
    };
    match &keys.shape {
        Shape::Bezier(bezier) if bezier.flat_out.contains(&true) => None,
        _ => (!values.is_empty()).then(|| (0..values.len()).map(of).collect()),
    }
}

/// The dials of a key between two others with the best fit to its slopes.
fn inner(key: usize, times: &[f64], values: &[[f64; 3]], wanted: &[TcbHandles<3>]) -> Dials {
    let (Some(before), Some(after)) = (key.checked_sub(1), values.get(key + 1)) else {
        return Dials::default();
    };
    let steps = [minus(values[key], values[before]), minus(*after, values[key])];
    let half = 0.5 * (times[key + 1] - times[before]);
    let pace = [times[key] - times[before], times[key + 1] - times[key]];
    let pace = pace.map(|side| if half > 0.0 { side / half } else { 1.0 });
    let slopes = wanted[key];
    if length(minus(slopes.arriving, steps[0])) + length(minus(slopes.leaving, steps[1]))
        <= SAME * (length(steps[0]) + length(steps[1]))
    {
        return STRAIGHT;
    }
    let mut dials = Dials::default();
    for _ in 0..ROUNDS {
        let corrected = pace.map(|f| f + dials.continuity.abs() * (1.0 - f));
        if corrected.contains(&0.0) {
            break;
        }
        let arriving = slopes.arriving.map(|x| x / corrected[0]);
        let leaving = slopes.leaving.map(|x| x / corrected[1]);
        let next = solved(steps, arriving, leaving);
        if !(next.tension.is_finite() && next.continuity.is_finite() && next.bias.is_finite()) {
            break;
        }
        dials = next;
    }
    dials
}

/// The dials at which `arriving` and `leaving` are `½(1−t)[(1−c)(1+b)·d⁻ + (1+c)(1−b)·d⁺]` and `½(1−t)[(1+c)(1+b)·d⁻ + (1−c)(1−b)·d⁺]`.
fn solved([before, after]: [[f64; 3]; 2], arriving: [f64; 3], leaving: [f64; 3]) -> Dials {
    let (bb, ba, aa) = (dot(before, before), dot(before, after), dot(after, after));
    let determinant = bb * aa - ba * ba;
    if determinant > 1e-9 * bb * aa {
        let shares = |slope: [f64; 3]| {
            let (sb, sa) = (dot(slope, before), dot(slope, after));
            [(sb * aa - sa * ba) / determinant, (sa * bb - sb * ba) / determinant]
        };
        let ([a, b], [c, d]) = (shares(arriving), shares(leaving));
        let slack = 0.5 * (a + b + c + d);
        if slack.abs() < 1e-9 {
            return Dials { tension: 1.0 - slack, ..Dials::default() };
        }
        return Dials {
            tension: 1.0 - slack,
            continuity: 1.0 - (a + d) / slack,
            bias: (a + c) / slack - 1.0,
        };
    }
    // On a line two dials are enough: bias stays 0.
    let (sum, difference) = (plus(before, after), minus(before, after));
    let slack = ratio(plus(arriving, leaving), sum);
    let continuity = if slack == 0.0 { 0.0 } else { ratio(minus(leaving, arriving), difference) / slack };
    Dials { tension: 1.0 - slack, continuity, bias: 0.0 }
}

/// The dials of the first or last key.
fn at_end(end: usize, beside: usize, values: &[[f64; 3]], wanted: &[TcbHandles<3>]) -> Dials {
    let (Some(value), Some(other)) = (values.get(end), values.get(beside)) else { return Dials::default() };
    let step = if beside > end { minus(*other, *value) } else { minus(*value, *other) };
    let (slope, other) = match beside > end {
        true => (wanted[end].leaving, wanted[beside].arriving),
        false => (wanted[end].arriving, wanted[beside].leaving),
    };
    let slack = match values.len() {
        2 => ratio(slope, step),
        _ => 2.0 * ratio(slope, minus(step.map(|x| 3.0 * x), other)),
    };
    Dials { tension: 1.0 - slack, ..Dials::default() }
}

/// Length of a vector along `unit`, in multiples of `unit`; 1 if `unit` has no length.
fn ratio(vector: [f64; 3], unit: [f64; 3]) -> f64 {
    let length = dot(unit, unit);
    if length > 0.0 { dot(vector, unit) / length } else { 1.0 }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}
