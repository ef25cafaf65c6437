//! `cargo xtask bench`: release builds of the command and of the bench program beside it, then the latter.

use crate::repo::{self, Outcome, Repo};

/// Runs all comparisons. Whether they could be run; how fast anything is decides nothing.
pub(crate) fn run(repo: &Repo, write: bool) -> Outcome<bool> {
    let build =
        ["build", "--quiet", "--release", "--package", "dopesheet-cli", "--package", "dopesheet-bench"];
    if !repo::run("build", &mut repo.command("cargo", &build))? {
        return Ok(false);
    }
    let mut command =
        repo.command("cargo", &["run", "--quiet", "--release", "--package", "dopesheet-bench", "--"]);
    if write {
        command.arg("--write");
    }
    repo::run("bench", &mut command)
}
