//! `cargo xtask docs`: pages derived from the registry, and the output of the commands that pages show.
//!
//! A program of its own, so that `cargo xtask` can say what is wrong when our libraries do not compile.
#![allow(clippy::print_stderr, reason = "a command line tool talks to its user")]

mod docs;

use clap::Parser;
use std::process::ExitCode;
use xtask_generate::{Mode, Outcome, root};

#[derive(Parser)]
struct Arguments {
    /// Change nothing; fail if something would change
    #[arg(long)]
    check: bool,
    /// The folder of built programs, for pages that show what they print
    #[arg(long)]
    programs: std::path::PathBuf,
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

/// Writes or checks the pages. True if all are as they should be.
fn run(arguments: &Arguments) -> Outcome<bool> {
    let mode = if arguments.check { Mode::Check } else { Mode::Write };
    mode.apply(&docs::files(root(), &arguments.programs)?)
}
