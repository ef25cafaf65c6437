//! Developer tasks; `cargo xtask help` lists them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod answers;
mod bench;
mod client_packages;
mod fuzz;
mod generate;
mod interop;
mod lab;
mod lint;
mod new_format;
mod nightly;
mod npm;
mod release;
mod repo;
mod sentences;
mod tally;
mod test;
mod tidy;
mod venv;
mod wasm_bindgen;
mod web;
mod wheel;

use clap::{Args, Parser, Subcommand};
use repo::{Outcome, Repo};
use std::process::ExitCode;
use tally::Parts;
use test::Selection;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer tasks of Dopesheet", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// The tests of the libraries, the formats and the command; with --all and --deep, or by name, those that cost more
    Test(Selection),
    /// Everything that can be checked without running it: formatting, lints, docs, features, targets, licences, tidy
    Lint,
    /// All of CI: lint, test, test --all
    Ci,
    /// The rules of the house that no compiler knows: who may use whom, what a room holds, sizes, paths
    Tidy,
    /// Pages derived from the registry, and the output of the commands that pages show
    Docs {
        #[command(flatten)]
        generate: Generate,
        /// Instead, the mean length of each page's sentences, and those that are too long to be read in one go
        #[arg(long, conflicts_with = "check")]
        sentences: bool,
    },
    /// The viewer as a static web page, into target/web
    Web,
    /// The motions in samples/, and the standard model
    Samples(Generate),
    /// Dopesheet beside its peers, in one run; with --write into docs/benchmarks.md
    Bench {
        /// Write the table into docs/benchmarks.md
        #[arg(long)]
        write: bool,
        /// Sections of the page, by the words of `dopesheet-bench`, all if none are named: tables, sampler, fitting, conversions, growth,
        /// instructions, size, dances, folder
        sections: Vec<String>,
    },
    /// The large motions that benches measure, from a fixed seed, into target/bench-data
    BenchData,
    /// The fuzzer on what has to hold for any bytes; installs what it needs
    Fuzz(fuzz::LongRun),
    /// The tests of all crates over and over, each time with other random cases
    Properties {
        /// Minutes
        #[arg(long, default_value_t = 60)]
        minutes: u64,
    },
    /// Checks that take too long, or need too much, for the tests: Blender, honest reports, runs that are killed, motions and
    /// avatars of others, Ray and Spark
    Interop {
        /// Only these
        #[arg(value_enum)]
        parts: Vec<interop::Part>,
        /// Seed of the random times
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Everything that a release consists of, up to the upload, into target/artifacts
    Release(release::Release),
    /// bindings/wasm as a package for npm, in target/npm; installs what it needs
    Npm,
    /// An empty room for a new format, whose tests fail until it is furnished
    NewFormat {
        /// Its word on the command line: lower-case letters, digits and hyphens
        id: String,
        /// The family in whose crate it lives; by default one of its own
        #[arg(long = "in", value_name = "FAMILY")]
        family: Option<String>,
    },
}

#[derive(Args)]
struct Generate {
    /// Change nothing; fail if something would change
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let names_skipped = matches!(&arguments.task, Task::Test(selection) if selection.verbose);
    let outcome = Repo::find().and_then(|repo| run(&Repo { names_skipped, ..repo }, &arguments.task));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a task. True if it found nothing wrong.
fn run(repo: &Repo, task: &Task) -> Outcome<bool> {
    match task {
        Task::Test(selection) => counted(|parts| test::selected(repo, selection, parts)),
        Task::Bench { write, sections } => bench::run(repo, *write, sections),
        Task::BenchData => bench::data(repo),
        Task::Lint => counted(|parts| lint::run(repo, parts)),
        Task::Ci => counted(|parts| {
            lint::run(repo, parts);
            Selection::CI.iter().for_each(|which| test::run(repo, which, parts));
        }),
        Task::Fuzz(run) => fuzz::long_run(repo, run),
        Task::Properties { minutes } => test::properties(repo, *minutes),
        Task::Interop { parts: which, seed } => counted(|parts| interop::run(repo, which, *seed, parts)),
        Task::Release(what) => counted(|parts| release::run(repo, what, parts)),
        Task::Npm => npm::run(repo),
        Task::Tidy => tidy::run(repo),
        Task::Docs { sentences: true, .. } => sentences::report(repo).map(|()| true),
        Task::Docs { generate, .. } => generate::run(repo, generate.check),
        Task::Web => web::run(repo),
        Task::Samples(generate) => lab::samples(repo, generate.check),
        Task::NewFormat { id, family } => new_format::run(repo, id, family.as_deref()),
    }
}

/// Runs a task that counts, and prints what each part of it counted and took. Whether nothing failed.
fn counted(task: impl FnOnce(&mut Parts)) -> Outcome<bool> {
    let mut parts = Parts::default();
    task(&mut parts);
    Ok(parts.close())
}
