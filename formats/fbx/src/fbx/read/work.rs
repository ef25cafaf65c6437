//! Work of playing all takes of a file, counted before a take is played.

use crate::fbx::codes;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use std::collections::HashMap;
use ufbx::{AnimCurve, AnimStack, Interpolation, Keyframe};

/// Evaluations allowed for any file: about a second of work.
const BASE: usize = 16_000;

/// Length in bytes that allows a file a further evaluation. A key takes twelve bytes, uncompressed; the curves of a property share their
/// times.
const BYTES_EACH: usize = 4;

/// Number of samples between keys with as much work as a key. The most of either kind per segment is a limit of baking.
const SAMPLES_PER_KEY: f64 = 8.0;

/// Number of keys of a constant curve with as much work as a key of another curve: such keys are evaluated once and left out.
const CONSTANT_KEYS_PER_KEY: f64 = 16.0;

/// Refuses takes with more evaluations than the length of the file allows, whether the file repeats its curves or refers to them repeatedly.
pub(super) fn check(file: &ufbx::Scene, rate: FrameRate, length: usize) -> Result<(), Fault> {
    let limit = BASE + length / BYTES_EACH;
    let mut curves = HashMap::new();
    let counts = file.anim_stacks.iter().map(|take| of_take(take, rate.fps(), &mut curves));
    let count = counts.sum::<f64>();
    if count <= limit as f64 {
        return Ok(());
    }
    let expected = format!(
        "takes of at most {} (keys × nodes × layers) in a file of this length",
        counted(limit, "evaluation")
    );
    Err(Fault::new(codes::WORK.code, Place::File, expected, counted(count as i128, "evaluation")))
}

/// Number of evaluations of a take: the keys of each property, once for each layer with the property. `curves` holds the numbers of known
/// curves, of which objects may share any.
fn of_take(take: &AnimStack, fps: f64, curves: &mut HashMap<u32, f64>) -> f64 {
    let mut properties: HashMap<(u32, &str), (f64, f64)> = HashMap::new();
    for animated in take.layers.iter().flat_map(|layer| layer.anim_props.iter()) {
        let numbers = animated
            .anim_value
            .curves
            .iter()
            .flatten()
            .map(|curve| *curves.entry(curve.element.element_id).or_insert_with(|| of_curve(curve, fps)));
        let keys = numbers.fold(1.0, f64::max);
        let property = (animated.element.element_id, animated.prop_name.as_ref());
        let (sum, layers) = properties.entry(property).or_default();
        *sum += keys;
        *layers += 1.0;
    }
    properties.into_values().map(|(keys, layers)| keys * layers).sum()
}

fn of_curve(curve: &AnimCurve, fps: f64) -> f64 {
    let keys = curve.keyframes.iter().as_slice();
    let samples = keys.windows(2).filter(|pair| changes(pair)).map(|pair| match pair[0].interpolation {
        Interpolation::Linear | Interpolation::Cubic => {
            // The most of times that are no numbers, which are refused later.
            ((pair[1].time - pair[0].time) * fps).min(crate::fbx::bake::MOST_SEGMENTS as f64).max(0.0)
        }
        _ => 0.0,
    });
    match keys.windows(2).any(changes) {
        true => keys.len() as f64 + samples.sum::<f64>() / SAMPLES_PER_KEY,
        false => 1.0 + keys.len() as f64 / CONSTANT_KEYS_PER_KEY,
    }
}

fn changes(pair: &[Keyframe]) -> bool {
    pair[0].value != pair[1].value || pair[0].right.dy != 0.0 || pair[1].left.dy != 0.0
}
