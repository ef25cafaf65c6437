//! A dance without its camera and its first second, written as the VMD that it was: every field of a file is there to be changed.
//! `cargo run -p dopesheet --example edit_fields`
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks to its reader; tests call `run` themselves"
)]

use dopesheet::formats::mmd::vmd;
use dopesheet::{ReadOptions, WriteOptions, open};
use std::path::Path;

/// Frames of MikuMikuDance in a second.
const FPS: u32 = 30;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "samples/bow.vmd".into());
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut dance = open(path, None, &ReadOptions::default())?;
    let fields = dance.document_mut::<vmd::Document>().ok_or("bow.vmd is no VMD")?;
    fields.cameras.clear();
    fields.bones.retain(|key| key.frame >= FPS);
    for key in &mut fields.bones {
        key.frame -= FPS;
    }
    let file = dance.document.format().write(&dance.document, &WriteOptions::default())?;
    println!("{} bytes", file.main.len());
    Ok(())
}
