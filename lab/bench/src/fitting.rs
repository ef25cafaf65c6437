//! Keys chosen by a tolerance: how many go in each second, on one core.

use crate::measure::alone;
use crate::sampler::glb;
use dopesheet_core::model::{Curve, Property};
use dopesheet_motion::keys::Allowance;
use dopesheet_motion::reduce;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Tolerances of rotations: a millimetre at the end of a chain of a metre, and ten times less.
const ANGLES_RAD: [f64; 2] = [1e-3, 1e-4];

const INTRODUCTION: &str = "\n## Fitting\n\nOne thread. `reduce` drops the keys that straight segments pass within an \
    angle.\n\n| what | data | time | input keys a second | wanted |\n| --- | --- | --- | --- | --- |\n";

/// The section of the page for what [`data::write`](crate::data::write) has written.
pub(crate) fn section(large: &[PathBuf]) -> String {
    let mut out = INTRODUCTION.to_owned();
    if let Some(dense) = large.iter().find(|path| path.ends_with("dense.glb")) {
        reductions(dense, &mut out);
    }
    out
}

fn reductions(dense: &Path, out: &mut String) {
    let scene = glb(dense);
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let curves: Vec<&Curve> =
        tracks.flat_map(|t| &t.channels).flat_map(|channel| channel.composition.curves()).collect();
    let keys = curves.iter().map(|curve| curve.len()).sum::<usize>() as f64;
    for angle_rad in ANGLES_RAD {
        let allowance = Allowance { value: angle_rad, angle_rad };
        let left =
            |curve: &&Curve| reduce(curve, &Property::Rotation, &allowance).map_or(curve.len(), |c| c.len());
        let time_s = alone(|| curves.iter().map(left).sum::<usize>() as f64);
        let left = curves.iter().map(left).sum::<usize>();
        let what = format!("`reduce`, {angle_rad} rad: {left} keys stay");
        row(out, &what, "dense.glb", time_s, keys, "≥ 40 M/s");
    }
}

fn row(out: &mut String, what: &str, data: &str, time_s: f64, keys: f64, wanted: &str) {
    let rate = keys / time_s / 1e6;
    let _ = writeln!(out, "| {what} | {data} | {:.1} ms | {rate:.2} M/s | {wanted} |", time_s * 1e3);
}
