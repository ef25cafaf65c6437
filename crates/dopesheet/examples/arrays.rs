//! A motion as plain arrays, as for machine learning: 30 poses a second, positions of all joints in the model's space.
//! `cargo run -p dopesheet --example arrays`
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks to its reader; tests call `run` themselves"
)]

use dopesheet::{ReadOptions, SampleOptions, TimeSpec, open, poses};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "samples/jump.bvh".into());
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let jump = open(path, None, &ReadOptions::default())?;
    let poses = poses(&jump, &SampleOptions::at(TimeSpec::Rate(30.0)))?;
    let positions = poses.in_model_space()?.positions;
    assert_eq!(positions.len(), poses.times_s.len() * poses.joints.len() * 3);
    println!(
        "{} poses of {} joints; the first is at {:?}",
        poses.times_s.len(),
        poses.joints.len(),
        &positions[..3]
    );
    Ok(())
}
