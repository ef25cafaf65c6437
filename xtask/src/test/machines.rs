//! Other machines: where addresses have 32 bits, and where the first byte of a number is its highest.

use super::rust::run_tests;
use crate::nightly;
use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Tally};
use std::process::Command;

/// 32 bits. Its standard library comes with a C library and runs on any x86-64 Linux, so no system package is needed.
const NARROW: &str = "i686-unknown-linux-musl";
/// The linker that comes with Rust.
const LINKER: (&str, &str) = ("CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld");
/// The highest byte first; miri interprets it.
const BIG_ENDIAN: &str = "s390x-unknown-linux-gnu";
/// What has to do with bytes and widths: the laws, the model, and the rooms of binary formats.
const CRATES: [&str; 5] =
    ["dopesheet-core", "dopesheet-curve", "dopesheet-mmd", "dopesheet-mrtk2", "dopesheet-more"];
/// Those of them that put bytes together.
const BYTES: [&str; 4] = ["dopesheet-core", "dopesheet-mmd", "dopesheet-mrtk2", "dopesheet-more"];
/// Words in the names of tests that miri, which is some hundred times slower, gets through in minutes.
const SUBSET: [&str; 3] = ["golden::", "cursor::", "fixture_is_written_back"];

/// Runs the tests on both; one failure for each that could not be tried.
pub(super) fn run(repo: &Repo) -> Outcome<Tally> {
    if !cfg!(target_os = "linux") {
        return Ok(Tally::missing(2, "Linux", "the tests of other machines run only there"));
    }
    let mut tally = narrow(repo)?;
    tally += big_endian(repo)?;
    Ok(tally)
}

fn narrow(repo: &Repo) -> Outcome<Tally> {
    if !repo::has_target(repo, NARROW, tally::in_ci())? {
        let how = format!("get it with `rustup target add {NARROW}`");
        return Ok(Tally::missing(1, &format!("the target {NARROW}"), &how));
    }
    let mut command = repo.command("cargo", &["test", "--no-fail-fast", "--target", NARROW]);
    command.env(LINKER.0, LINKER.1);
    run_tests(repo, "32 bits", packages(&mut command, &CRATES))
}

fn big_endian(repo: &Repo) -> Outcome<Tally> {
    if let Some(missing) = nightly::missing(repo, 1)? {
        return Ok(missing);
    }
    let arguments = ["miri", "test", "--no-fail-fast", "--tests", "--target", BIG_ENDIAN];
    let mut command = nightly::cargo(repo, &arguments);
    // Fixtures are files, which miri shows a program only if it is told to.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    // Snapshots are looked up below it; insta would start cargo to find it, and miri starts no programs.
    command.env("INSTA_WORKSPACE_ROOT", &repo.root);
    packages(&mut command, &BYTES).arg("--").args(SUBSET);
    run_tests(repo, "big-endian", &mut command)
}

fn packages<'c>(command: &'c mut Command, names: &[&str]) -> &'c mut Command {
    names.iter().fold(command, |command, name| command.args(["--package", name]))
}
