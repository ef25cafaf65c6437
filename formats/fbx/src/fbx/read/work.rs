//! Work of playing all takes of a file, counted before a take is played.

use crate::fbx::codes;
use crate::fbx::play::{AnimationCurve, CurveKey, CurveNode, Interpolation};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;

/// Evaluations allowed for any file: about a second of work.
const BASE: usize = 16_000;

/// Length in bytes that allows a file a further evaluation. A key takes twelve bytes, uncompressed; the curves of a property share their
/// times.
const BYTES_EACH: usize = 4;

/// Number of samples between keys with as much work as a key. The most of either kind per segment is a limit of baking.
const SAMPLES_PER_KEY: f64 = 8.0;

/// Number of keys of a constant curve with as much work as a key of another curve: such keys are evaluated once and left out.
const CONSTANT_KEYS_PER_KEY: f64 = 16.0;

/// Refuses takes with more evaluations than the length of the file allows, whether the file repeats its curves or refers to them repeatedly:
/// the keys of each property of each take, once for each layer with the property.
pub(super) fn check<'a>(
    properties: impl Iterator<Item = &'a Vec<CurveNode>>,
    curves: &[AnimationCurve],
    rate: FrameRate,
    length: usize,
) -> Result<(), Fault> {
    let limit = BASE + length / BYTES_EACH;
    let keys: Vec<f64> = curves.iter().map(|curve| of_curve(curve, rate.fps())).collect();
    let of_node =
        |node: &CurveNode| node.curves.iter().flatten().map(|curve| keys[*curve]).fold(1.0, f64::max);
    let of_layers = |layers: &Vec<CurveNode>| layers.iter().map(of_node).sum::<f64>() * layers.len() as f64;
    let count: f64 = properties.map(of_layers).sum();
    if count <= limit as f64 {
        return Ok(());
    }
    let expected = format!(
        "takes of at most {} (keys × nodes × layers) in a file of this length",
        counted(limit, "evaluation")
    );
    Err(Fault::new(codes::WORK.code, Place::File, expected, counted(count as i128, "evaluation")))
}

fn of_curve(curve: &AnimationCurve, fps: f64) -> f64 {
    let keys = &curve.keys;
    let changes = |pair: &&[CurveKey]| !pair[0].holds_until(&pair[1]);
    let samples = keys.windows(2).filter(changes).map(|pair| match pair[0].interpolation {
        Interpolation::Linear | Interpolation::Cubic => {
            ((pair[1].time_s - pair[0].time_s) * fps).clamp(0.0, crate::fbx::bake::MOST_SEGMENTS as f64)
        }
        _ => 0.0,
    });
    match curve.changes() {
        true => keys.len() as f64 + samples.sum::<f64>() / SAMPLES_PER_KEY,
        false => 1.0 + keys.len() as f64 / CONSTANT_KEYS_PER_KEY,
    }
}
