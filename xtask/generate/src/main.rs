//! The files in the repository that are written by our own libraries: pages and samples.
//!
//! `cargo xtask` starts it, and is a program of its own so that it can say what is wrong when our libraries do not
//! compile.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod docs;
mod files;

use clap::{Parser, ValueEnum};
use dopesheet_samples::Outcome;
use files::Mode;
use std::path::Path;
use std::process::ExitCode;

#[derive(Parser)]
struct Arguments {
    /// Files to write
    #[arg(value_enum)]
    what: What,
    /// Change nothing; fail if something would change
    #[arg(long)]
    check: bool,
    /// The folder of built programs, for pages that show what they print
    #[arg(long)]
    programs: std::path::PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Pages derived from the registry, and the output of the commands that pages show
    Docs,
    /// The motions in samples/, and the standard model
    Samples,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes or checks the files. True if all are as they should be.
fn run(arguments: &Arguments) -> Outcome<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("no root")?;
    let mode = if arguments.check { Mode::Check } else { Mode::Write };
    let files = match arguments.what {
        What::Docs => docs::files(root, &arguments.programs)?,
        What::Samples => dopesheet_samples::files()?,
    };
    mode.apply(root, &files)
}
