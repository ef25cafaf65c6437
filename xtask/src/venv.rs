//! Environments of Python below the target folder, so that nothing is installed beside somebody's own packages.

use crate::repo::{self, Outcome, Repo};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An environment below the target folder.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// That of a folder, which need not be there yet.
    pub(crate) fn below(repo: &Repo, folder: &str) -> Self {
        Self { folder: repo.target.join(folder) }
    }

    /// One that holds what a list of requirements names, installed unless it is there already; `None` if that cannot
    /// be had.
    pub(crate) fn with(repo: &Repo, folder: &str, python: &str, list: &Path) -> Outcome<Option<Self>> {
        let environment = Self::below(repo, folder);
        let stamp = environment.folder.join("installed.txt");
        let wanted = std::fs::read(list)?;
        if std::fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(Some(environment));
        }
        let is_created = environment.create(repo, python)?;
        let mut install = environment.pip(repo, &["--requirement"]);
        if !is_created || !repo::run("python packages", install.arg(list))? {
            return Ok(None);
        }
        std::fs::write(stamp, wanted)?;
        Ok(Some(environment))
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// One of its programs.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.folder.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Its interpreter.
    pub(crate) fn python(&self, repo: &Repo, arguments: &[&str]) -> Command {
        repo.command(&self.program("python").to_string_lossy(), arguments)
    }

    /// The command that installs into it.
    pub(crate) fn pip(&self, repo: &Repo, arguments: &[&str]) -> Command {
        let mut command =
            self.python(repo, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command.args(arguments);
        command
    }

    /// Makes it anew, with nothing in it.
    pub(crate) fn create(&self, repo: &Repo, python: &str) -> Outcome<bool> {
        let mut command = repo.command(python, &["-m", "venv", "--clear"]);
        repo::run("environment", command.arg(&self.folder))
    }
}
