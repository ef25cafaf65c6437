//! Keys chosen by a tolerance: how many go in each second, and whole conversions, on one core.

use crate::measure::alone;
use crate::sampler::glb;
use dopesheet_core::model::{Curve, Property};
use dopesheet_motion::linearise::Allowance;
use dopesheet_motion::reduce;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What rotations may be off in a row: a millimetre at the end of a chain of a metre, and ten times less.
const ANGLES_RAD: [f64; 2] = [1e-3, 1e-4];

const INTRODUCTION: &str = "\n## Fitting\n\nOne thread. `reduce` drops the keys that straight segments pass within an \
    angle. Conversions are whole processes (`RAYON_NUM_THREADS=1`): reading, fitting, measuring the result in model space at \
    all keys and eight times between them, writing.\n\n| what | data | time | input keys a second | wanted |\n| --- | --- | \
    --- | --- | --- |\n";

/// The section of the page for what [`data::write`](crate::data::write) has written.
pub(crate) fn section(large: &[PathBuf]) -> String {
    let mut out = INTRODUCTION.to_owned();
    let named = |name: &str| large.iter().find(|path| path.ends_with(name));
    if let Some(dense) = named("dense.glb") {
        reductions(dense, &mut out);
        conversion(
            &[dense.as_os_str(), "--lossy".as_ref()],
            "dense.glb, `--lossy`",
            720_000.0,
            "–",
            &mut out,
        );
    }
    if let (Some(sparse), Some(model)) = (named("sparse.vmd"), named("sparse-model.glb")) {
        conversion(&[sparse.as_os_str()], "sparse.vmd", 40_000.0, "≤ 0.3 s", &mut out);
        let figure = named("figure.pmx").unwrap_or(model);
        for (model, what, wanted) in [
            (model, "sparse.vmd on sparse-model.glb, their hierarchy", "–"),
            (figure, "sparse.vmd on figure.pmx, 20 MB with four chains of IK", "≤ 1.5 s"),
        ] {
            let words = [sparse.as_os_str(), "-m".as_ref(), model.as_os_str()];
            conversion(&words, what, 40_000.0, wanted, &mut out);
        }
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

fn conversion(words: &[&std::ffi::OsStr], data: &str, keys: f64, wanted: &str, out: &mut String) {
    let Some(binary) = crate::process::dopesheet() else { return };
    let made = dopesheet_testkit::workspace().join("target/bench-data/fitted.glb");
    let mut command = Command::new(&binary);
    command.arg("convert").args(words).arg("-o").arg(&made).arg("--force");
    command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let status = command.status().unwrap_or_else(|e| panic!("dopesheet: {e}"));
    assert!(status.success(), "{command:?}: {status}");
    row(out, "`dopesheet convert` to GLB", data, started.elapsed().as_secs_f64(), keys, wanted);
}

fn row(out: &mut String, what: &str, data: &str, time_s: f64, keys: f64, wanted: &str) {
    let rate = keys / time_s / 1e6;
    let _ = writeln!(out, "| {what} | {data} | {:.1} ms | {rate:.2} M/s | {wanted} |", time_s * 1e3);
}
