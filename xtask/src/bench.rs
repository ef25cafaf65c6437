//! `cargo xtask bench`: release builds of the command and of the bench program beside it, then the latter, then the wheel
//! beside that.

use crate::repo::{self, Outcome, Repo};
use crate::test::python;

/// Writes the large motions that are measured, from a fixed seed, to `target/bench-data`.
pub(crate) fn data(repo: &Repo) -> Outcome<bool> {
    let run = ["run", "--quiet", "--release", "--package", "dopesheet-bench", "--", "data"];
    repo::run("bench-data", &mut repo.command("cargo", &run))
}

/// Runs all comparisons. Whether they could be run; how fast anything is decides nothing.
pub(crate) fn run(repo: &Repo, write: bool) -> Outcome<bool> {
    let build = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "dopesheet-cli",
        "--package",
        "dopesheet-bench",
        "--features",
        "dopesheet-cli/table",
    ];
    if !repo::run("build", &mut repo.command("cargo", &build))? {
        return Ok(false);
    }
    let mut command =
        repo.command("cargo", &["run", "--quiet", "--release", "--package", "dopesheet-bench", "--"]);
    if write {
        command.arg("--write");
    }
    Ok(repo::run("bench", &mut command)? && python::bench(repo, write)?)
}
