//! Errors and warnings of all files in a folder. `cargo run -p dopesheet --example check_folder -- my/motions`
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks to its reader; tests call `run` themselves"
)]

use dopesheet::{ReadOptions, Severity, check, open};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "samples".into());
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        match open(&path, None, &ReadOptions::default()) {
            Ok(opened) => {
                let report = check(&opened);
                let warnings = report.findings.iter().filter(|finding| finding.severity >= Severity::Warning);
                warnings.for_each(|finding| println!("{}: {finding}", path.display()));
            }
            Err(error) => println!("{}: {error}", path.display()),
        }
    }
    Ok(())
}
