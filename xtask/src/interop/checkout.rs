//! Files of other projects that programs are tried with: from their repositories, at a pinned commit. None of it is kept here.

use crate::repo::{self, Outcome, Repo};
use std::path::PathBuf;

/// A part of a project's repository.
pub(super) struct Checkout {
    /// The folder below the target folder that has a folder for each commit.
    pub(super) folder: &'static str,
    pub(super) source: &'static str,
    pub(super) commit: &'static str,
    /// Paths in the repository.
    pub(super) paths: &'static [&'static str],
    /// Names a copy of the repository, where the network does not let it through.
    pub(super) variable: &'static str,
}

impl Checkout {
    /// The folder with the paths, fetched unless it is there already; `None` if it cannot be had.
    pub(super) fn get(&self, repo: &Repo) -> Outcome<Option<PathBuf>> {
        let checkout = repo.target.join(self.folder).join(self.commit);
        let has = |path: &&str| checkout.join(path).exists();
        if self.paths.iter().all(has) {
            return Ok(Some(checkout));
        }
        let source = std::env::var(self.variable).unwrap_or_else(|_| self.source.to_owned());
        let folder = checkout.to_string_lossy();
        if !checkout.join(".git").exists()
            && !repo::run(
                "clone",
                &mut repo.command("git", &["clone", "--quiet", "--no-checkout", &source, &folder]),
            )?
        {
            return Ok(None);
        }
        let mut take = repo.command("git", &["-C", &folder, "checkout", "--quiet", self.commit, "--"]);
        let taken = repo::run("checkout", take.args(self.paths))?;
        Ok(taken.then_some(checkout))
    }

    /// Instructions for getting it.
    pub(super) fn how_to_get_it(&self) -> String {
        format!("name a copy of its repository with {}, or connect to {}", self.variable, self.source)
    }
}
