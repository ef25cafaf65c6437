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
/// Crates that have to do with bytes and widths: the laws, the model, and the rooms of binary formats.
const CRATES: [&str; 5] =
    ["dopesheet-core", "dopesheet-curve", "dopesheet-mmd", "dopesheet-mrtk2", "dopesheet-more"];
/// Those of them that put bytes together.
const BYTES: [&str; 4] = ["dopesheet-core", "dopesheet-mmd", "dopesheet-mrtk2", "dopesheet-more"];
/// Words in the names of tests that miri, which is some hundred times slower, gets through in minutes.
const SUBSET: [&str; 3] = ["golden::", "cursor::", "fixture_is_written_back"];

/// The part that CI has a minute for: crates and words in the names of their tests. Files of MORE would take a third as long again, and a
/// recording of MRTK2 alone longer than all of these.
const SMALL: [&str; 2] = ["dopesheet-core", "dopesheet-mmd"];
const SMALL_SUBSET: [&str; 2] = ["golden::", "cursor::"];

/// Runs a few tests where the highest byte comes first.
pub(super) fn big_endian_subset(repo: &Repo) -> Outcome<Tally> {
    match nightly::missing(repo, 1)? {
        Some(missing) => Ok(missing),
        None => run_tests(repo, "big-endian", &mut big_endian(repo, &SMALL, &SMALL_SUBSET)),
    }
}

/// Runs the tests on both; one failure for each that could not be tried.
pub(super) fn run(repo: &Repo) -> Outcome<Tally> {
    if !cfg!(target_os = "linux") {
        return Ok(Tally::missing(2, "Linux", "the tests of other machines run only there"));
    }
    // What has to be fetched is fetched one after the other.
    let mut tally = Tally::default();
    let has_narrow = repo::has_target(repo, NARROW, tally::in_ci())?;
    if !has_narrow {
        let how = format!("get it with `rustup target add {NARROW}`");
        tally += Tally::missing(1, &format!("the target {NARROW}"), &how);
    }
    let no_miri = nightly::missing(repo, 1)?;
    // Miri runs one test after the other, so that it leaves processors idle.
    let (narrow, big_endian) = std::thread::scope(|scope| {
        let narrow = scope.spawn(|| {
            let tests = has_narrow.then(|| run_tests(repo, "32 bits", &mut narrow(repo)));
            tests.transpose().map_err(|error| error.to_string())
        });
        let missing = no_miri.is_some();
        let big_endian = (!missing)
            .then(|| run_tests(repo, "big-endian", &mut big_endian(repo, &BYTES, &SUBSET)))
            .transpose();
        (narrow.join(), big_endian)
    });
    tally += narrow.map_err(|_| "the tests with 32 bits could not be run")??.unwrap_or_default();
    tally += big_endian?.or(no_miri).unwrap_or_default();
    Ok(tally)
}

fn narrow(repo: &Repo) -> Command {
    let mut command = repo.command("cargo", &["test", "--no-fail-fast", "--target", NARROW]);
    command.env(LINKER.0, LINKER.1);
    with_packages(command, &CRATES)
}

fn big_endian(repo: &Repo, crates: &[&str], words: &[&str]) -> Command {
    let arguments = ["miri", "test", "--no-fail-fast", "--tests", "--target", BIG_ENDIAN];
    let mut command = nightly::cargo(repo, &arguments);
    // Fixtures are files, which miri shows a program only if it is told to.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    // Snapshots are looked up below it; insta would start cargo to find it, and miri starts no programs.
    command.env("INSTA_WORKSPACE_ROOT", &repo.root);
    let mut command = with_packages(command, crates);
    command.arg("--").args(words);
    command
}

fn with_packages(mut command: Command, names: &[&str]) -> Command {
    names.iter().for_each(|name| {
        command.args(["--package", name]);
    });
    command
}
