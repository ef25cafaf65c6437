//! Lists the bones of a motion: how many keys each has, and from when to when.
//!
//! `cargo run -p dopesheet-mmd --example print_bones -- dance.vmd`
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_mmd::Vmd;
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: print_bones FILE.vmd")?;
    let bytes = std::fs::read(path)?;
    let document = Vmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", document.model.text())?;
    for (name, keys) in document.bone_tracks().iter() {
        let frame = |key: Option<&u32>| key.map_or(0, |key| document.bones[*key as usize].frame);
        writeln!(
            out,
            "{name}: {} keys, frames {} to {}",
            keys.len(),
            frame(keys.first()),
            frame(keys.last())
        )?;
    }
    Ok(())
}
