//! Curves as keys.

use crate::more::animation::{Bezier, KeyLaw, Keys, Shape, Stored, Times, TrackType, Values};
use dopesheet_core::model::{Blend, Curve, Outside};

/// The keys of a curve, and counts of properties that keys cannot express.
pub(in crate::more) struct WrittenKeys {
    pub(in crate::more) track_type: TrackType,
    pub(in crate::more) keys: Keys,
    /// Segments replaced by straight segments.
    pub(in crate::more) bent: usize,
    /// Ends of the curve with repetition.
    pub(in crate::more) repeats: usize,
}

/// The nearest f32 in range: huge values lie further apart than the format can express.
pub(in crate::more) fn narrow(value: f64) -> f32 {
    value.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// Kind of segment in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Segment {
    Step,
    Line,
    Cubic,
}

/// `None` if no type of track has values of this width.
pub(in crate::more) fn keys(curve: &Curve, rotates: bool, scale: f64) -> Option<WrittenKeys> {
    let stored = match (curve.width, rotates) {
        (1, false) => Stored::F32,
        (3, false) => Stored::Vector3,
        (4, true) => Stored::Quaternion,
        _ => return None,
    };
    let mut bent = 0;
    let count = curve.len().saturating_sub(1).max(1);
    let segments: Vec<Segment> = (0..count).map(|at| segment(curve, at, &mut bent)).collect();
    let is_all = |kind: Segment| segments.iter().all(|s| *s == kind);
    let law = match () {
        () if is_all(Segment::Step) => KeyLaw::Simple,
        () if rotates || is_all(Segment::Line) => KeyLaw::Linear,
        () => KeyLaw::Bezier,
    };
    let keys = Keys {
        terminate: true,
        times: Times::Seconds(curve.times.iter().map(|t| narrow(t.0)).collect()),
        values: column(&curve.values, curve.width, scale),
        shape: if law == KeyLaw::Bezier { bezier(curve, &segments, scale) } else { Shape::Plain },
    };
    let repeats = |side: &Outside| usize::from(matches!(side, Outside::Loop | Outside::PingPong));
    let repeats = repeats(&curve.before) + repeats(&curve.after);
    Some(WrittenKeys { track_type: TrackType::of(law, stored)?, keys, bent, repeats })
}

fn segment(curve: &Curve, at: usize, bent: &mut usize) -> Segment {
    let law = curve.laws.get(at);
    let is_even = law.timing.is_linear();
    match law.blend {
        Blend::Step => Segment::Step,
        Blend::Lerp | Blend::Slerp if is_even => Segment::Line,
        Blend::Hermite if is_even && curve.handles.is_some() => Segment::Cubic,
        _ => {
            *bent += usize::from(at + 1 < curve.len());
            Segment::Line
        }
    }
}

/// Numbers in the form of their width.
fn column(numbers: &[f32], width: usize, scale: f64) -> Values {
    let scaled: Vec<f32> = numbers.iter().map(|v| narrow(f64::from(*v) * scale)).collect();
    let numbers = if scale == 1.0 { numbers } else { &scaled };
    match width {
        3 => Values::Vectors(numbers.as_chunks::<3>().0.to_vec()),
        4 => Values::Quaternions(numbers.as_chunks::<4>().0.to_vec()),
        _ => Values::Floats(numbers.to_vec()),
    }
}

/// Derivatives per segment: a straight segment has the difference of its values.
fn bezier(curve: &Curve, segments: &[Segment], scale: f64) -> Shape {
    let (width, keys) = (curve.width, curve.len());
    let mut der_src = vec![0.0; keys * width];
    let mut der_dst = vec![0.0; keys * width];
    let mut flat_out = vec![false; keys];
    for at in 0..keys.saturating_sub(1) {
        let length = match (curve.times.get(at), curve.times.get(at + 1)) {
            (Some(a), Some(b)) => b.0 - a.0,
            _ => 0.0,
        };
        for part in 0..width {
            let (from, to) = (at * width + part, (at + 1) * width + part);
            (der_dst[from], der_src[to]) = match (segments[at], &curve.handles) {
                (Segment::Step, _) => (0.0, 0.0),
                (Segment::Cubic, Some(handles)) => {
                    let per_segment = |tangent: f32| narrow(f64::from(tangent) * length);
                    (per_segment(handles.leaving[from]), per_segment(handles.arriving[to]))
                }
                _ => {
                    let difference = narrow(f64::from(curve.values[to]) - f64::from(curve.values[from]));
                    (difference, difference)
                }
            };
        }
        flat_out[at] = segments[at] == Segment::Step;
    }
    let (der_src, der_dst) = (column(&der_src, width, scale), column(&der_dst, width, scale));
    Shape::Bezier(Bezier { der_src, der_dst: Some(der_dst), flat_out })
}
