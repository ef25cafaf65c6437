//! The motions in `samples/`, their pictures and the standard model, drawn by numbers.
//!
//! `cargo xtask samples` writes them into the repository; with `--check` it only names those that differ. The library contains the
//! standard model, and people try the command on the motions.
#![allow(clippy::print_stderr, reason = "a command line tool talks to its user")]

mod motions;
mod pictures;
mod puppet;

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::process::ExitCode;
use xtask_generate::{File, Mode, Outcome};

fn main() -> ExitCode {
    let mode = if std::env::args().any(|argument| argument == "--check") { Mode::Check } else { Mode::Write };
    match files().and_then(|files| mode.apply(&files)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The motions, pictures of some of them, the standard model with its picture, and the digest of all of these.
fn files() -> Outcome<Vec<File>> {
    let motions = motions::files()?;
    let pictures = pictures::files(&motions)?;
    let mut files: Vec<File> = motions.into_iter().chain(pictures).chain(puppet::files()?).collect();
    files.push(digest(&files)?);
    Ok(files)
}

/// The digest of files, as `sha256sum` writes it, by which CI tells that nobody changed them by hand.
fn digest(files: &[File]) -> Outcome<File> {
    let mut lines = String::new();
    for file in files {
        for byte in Sha256::digest(&file.bytes) {
            write!(lines, "{byte:02x}")?;
        }
        writeln!(lines, "  {}", file.path)?;
    }
    Ok(File { path: "lab/samples.sha256".into(), bytes: lines.into_bytes() })
}
