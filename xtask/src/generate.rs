//! `cargo xtask docs` and `cargo xtask samples`: files that our own libraries write into the repository.

use crate::repo::{self, Outcome, Repo};

/// Writes them, or only checks that they are as they would be written. Whether all is as it should be.
pub(crate) fn run(repo: &Repo, what: &str, check: bool) -> Outcome<bool> {
    // Pages show what the command prints.
    if what == "docs" && !repo::run("command", &mut repo::command_build(repo))? {
        return Ok(false);
    }
    let Some(mut command) = repo::tool(repo, "xtask-generate")? else { return Ok(false) };
    command.arg(what).arg("--programs").arg(repo.programs());
    if check {
        command.arg("--check");
    }
    repo::run(what, &mut command)
}
