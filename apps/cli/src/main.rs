//! The `dopesheet` command: read, check, play, compare and convert keyframe animation.
//!
//! Exit codes: 0 done (warnings allowed), 1 a file failed or did not pass, 2 wrong usage.

mod args;
mod batch;
mod commands;
mod console;
mod export;
mod files;
mod folder;
mod settings;
mod unbound;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// What a command came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything went well.
    Done,
    /// A file failed or did not pass.
    Failed,
    /// The request makes no sense.
    Misused,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Done => 0,
            Outcome::Failed => 1,
            Outcome::Misused => 2,
        })
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Info(args) => commands::info::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Sample(args) => commands::sample::run(args),
        Command::Table(args) => commands::table::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Plot(args) => commands::plot::run(args),
        Command::Render(args) => commands::render::run(args),
        Command::View(args) => commands::view::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Extract(args) => commands::extract::run(args),
        Command::Formats(args) => commands::formats::run(args),
        Command::Completions(args) => commands::completions::run(args),
    };
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            console::complain(&error.to_string());
            outcome_of(&error).into()
        }
    }
}

/// A request that contradicts itself or a file is wrong usage; everything else is a failed file.
pub(crate) const fn outcome_of(error: &dopesheet::Error) -> Outcome {
    match error {
        dopesheet::Error::Usage(_) => Outcome::Misused,
        _ => Outcome::Failed,
    }
}
