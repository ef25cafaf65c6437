//! The files in the repository that are written by our own libraries: pages and samples.
//!
//! `cargo xtask` starts it, and is a program of its own so that it can say what is wrong when our libraries do not
//! compile.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod docs;
mod files;
mod pictures;
mod puppet;
mod samples;

use clap::{Parser, ValueEnum};
use files::Mode;
use std::path::Path;
use std::process::ExitCode;

/// What a task yields, or why it could not be done.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[derive(Parser)]
struct Arguments {
    /// What to write
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

/// Whether all is as it should be.
fn run(arguments: &Arguments) -> Outcome<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("no root")?;
    let mode = if arguments.check { Mode::Check } else { Mode::Write };
    let files = match arguments.what {
        What::Docs => docs::files(root, &arguments.programs)?,
        What::Samples => {
            let samples = samples::files()?;
            let pictures = pictures::files(&samples)?;
            samples.into_iter().chain(pictures).chain(puppet::files()?).collect()
        }
    };
    mode.apply(root, &files)
}
