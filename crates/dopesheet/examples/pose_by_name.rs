//! Transforms of the joints of a BVH at half a second, by name. `cargo run -p dopesheet --example pose_by_name -- walk.bvh`
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks to its reader; tests call `run` themselves"
)]

use dopesheet::{ClipChoice, ReadOptions, open};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "samples/jump.bvh".into());
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let clip = open(path, None, &ReadOptions::default())?.clip(&ClipChoice::First)?;
    let pose = clip.at(0.5);
    println!("The hips are at {:?}.", pose["Hips"].translation);
    for (joint, transform) in pose.iter() {
        println!("{joint}: rotation {:?}", transform.rotation);
    }
    Ok(())
}
