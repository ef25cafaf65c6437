//! Losses of a motion that becomes a GLB. `cargo run -p dopesheet --example convert_with_report -- dance.vmd`
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks to its reader; tests call `run` themselves"
)]

use dopesheet::{ConvertOptions, ReadOptions, convert, open, registry};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "samples/bow.vmd".into());
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let motion = open(path, None, &ReadOptions::default())?;
    let glb = registry::by_id("glb").ok_or("this build has no glb")?;
    let conversion = convert(&[motion], &ConvertOptions::to(glb))?;
    for loss in &conversion.report.report.losses {
        println!("{loss}");
    }
    println!("{} bytes of GLB", conversion.output.main.len());
    Ok(())
}
