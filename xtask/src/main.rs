//! Developer tasks; `cargo xtask help` lists them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod docs;
mod generated;
mod lint;
mod repo;
mod samples;
mod tally;
mod test;
mod tidy;

use clap::{Args, Parser, Subcommand};
use generated::Mode;
use repo::{Outcome, Repo};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer tasks of Dopesheet", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// All tests: crates, doctests, the glTF programs in clients/, and those programs on everything we write
    Test,
    /// What can be said without running anything: formatting, lints, docs, features, targets, tidy, generated files
    Lint,
    /// All of CI: lint, then test
    Ci,
    /// The rules of the house that no compiler knows: who may use whom, what a room holds, sizes, paths
    Tidy,
    /// Pages derived from the registry, and the output of the commands that pages show
    Docs(Generate),
    /// The motions in samples/
    Samples(Generate),
}

#[derive(Args)]
struct Generate {
    /// Change nothing; fail if something would change
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = Repo::find().and_then(|repo| run(&repo, &arguments.task));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the task found nothing wrong.
fn run(repo: &Repo, task: &Task) -> Outcome<bool> {
    match task {
        Task::Test => Ok(test::run(repo)?.close()),
        Task::Lint => Ok(lint::run(repo)?.close()),
        Task::Ci => {
            let mut tally = lint::run(repo)?;
            tally += test::run(repo)?;
            Ok(tally.close())
        }
        Task::Tidy => tidy::run(repo),
        Task::Docs(generate) => docs::run(repo, Mode::from_check(generate.check)),
        Task::Samples(generate) => samples::run(repo, Mode::from_check(generate.check)),
    }
}
