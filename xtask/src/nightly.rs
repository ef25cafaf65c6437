//! The nightly toolchain, for coverage in the fuzzer and for the interpreter miri.

use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Tally};
use std::process::Command;

/// One particular day, so that what held yesterday holds today.
const TOOLCHAIN: &str = "nightly-2026-05-20";
/// Components it needs beside the compiler; miri builds the standard library for its target.
const COMPONENTS: &str = "miri,rust-src";

/// A command of that toolchain's cargo.
pub(crate) fn cargo(repo: &Repo, arguments: &[&str]) -> Command {
    let mut command = repo.command("rustup", &["run", TOOLCHAIN, "cargo"]);
    command.args(arguments);
    command
}

/// True if the toolchain is there; if `install` says so, after it was fetched.
pub(crate) fn is_there(repo: &Repo, install: bool) -> Outcome<bool> {
    let has = || repo::has("rustup", &["run", TOOLCHAIN, "cargo", "miri", "--version"]);
    if !has() && install && repo::has("rustup", &["--version"]) {
        let arguments =
            ["toolchain", "install", TOOLCHAIN, "--profile", "minimal", "--component", COMPONENTS];
        repo::run("nightly", &mut repo.command("rustup", &arguments))?;
    }
    Ok(has())
}

/// `count` tests that could not be run for want of the toolchain, if so. CI fetches it by itself.
pub(crate) fn missing(repo: &Repo, count: usize) -> Outcome<Option<Tally>> {
    let how = format!(
        "get it with `rustup toolchain install {TOOLCHAIN} --profile minimal --component {COMPONENTS}`"
    );
    let there = is_there(repo, tally::in_ci())?;
    Ok((!there).then(|| Tally::missing(count, TOOLCHAIN, &how)))
}
