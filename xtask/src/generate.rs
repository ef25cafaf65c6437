//! `cargo xtask docs`: pages that our own libraries write into the repository.

use crate::repo::{self, Outcome, Repo};

/// The program that writes them.
const PROGRAM: &str = "xtask-generate";

/// Writes them, or only checks that they are as they would be written. Whether all is as it should be.
pub(crate) fn run(repo: &Repo, check: bool) -> Outcome<bool> {
    // Pages show what the command prints.
    if !repo::run("programs", &mut repo::build(repo, &[repo::COMMAND, PROGRAM]))? {
        return Ok(false);
    }
    let mut command = repo.command(&repo.program(PROGRAM).to_string_lossy(), &[]);
    command.arg("--programs").arg(repo.programs());
    if check {
        command.arg("--check");
    }
    repo::run("docs", &mut command)
}
