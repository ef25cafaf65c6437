//! Values of everything that moves, at half a second. `cargo run -p dopesheet --example pose_at_a_time -- dance.vmd`
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks to its reader; tests call `run` themselves"
)]

use dopesheet::{ReadOptions, SampleOptions, TimeSpec, open, sample, sample::Axes};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "samples/bow.vmd".into());
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let motion = open(path, None, &ReadOptions::default())?;
    let options = SampleOptions { axes: Axes::Gltf, ..SampleOptions::at(TimeSpec::parse_list("0.5")?) };
    for track in sample(&motion, &options)?.tracks {
        for channel in &track.channels {
            println!("{} {}: {:?}", track.target, channel.name, channel.values);
        }
    }
    Ok(())
}
