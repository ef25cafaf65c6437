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
mod headings;
mod outcome;
mod settings;
mod signals;
mod unbound;

use args::{Cli, Command};
use clap::Parser;
use outcome::Outcome;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::watch();
    // Operations are no verbs, but are explained as those are.
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(help) = commands::edit::help(&words) {
        return match console::data(help.to_string().as_bytes()) {
            Ok(()) => Outcome::Done.into(),
            Err(error) => {
                console::complain(&error.to_string());
                Outcome::Failed.into()
            }
        };
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return told_by_parser(&error),
    };
    let result = match &cli.command {
        Command::Info(args) => commands::info::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Edit(args) => commands::edit::run(args),
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
        Command::Man(args) => commands::man::run(args),
    };
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            console::complain(&console::told(&error));
            Outcome::of(&error).into()
        }
    }
}

/// Shows help, the version, or the faults of the arguments. Help that cannot be written is a failure.
fn told_by_parser(message: &clap::Error) -> ExitCode {
    let written = message.print().and_then(|()| io::stdout().flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && !message.use_stderr() => {
            console::complain(&format!("standard output: {error}"));
            Outcome::Failed.into()
        }
        _ if message.use_stderr() => Outcome::Misused.into(),
        _ => Outcome::Done.into(),
    }
}
