//! The command with the feature `table`: pyarrow, DuckDB and Polars on what it writes.

use super::python;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel::interpreter;
use std::process::Command;

const HOW_TO_GET_READERS: &str =
    "get CPython 3.11 or newer with venv, and a connection to the package index that pip is set up for";

/// Runs the readers' tests with the command that `build` makes.
pub(crate) fn run(repo: &Repo, build: &mut Command) -> Outcome<Tally> {
    let folder = repo.root.join("clients/tables");
    let count = python::declared(&folder)?;
    let environment = interpreter()
        .map(|python| Environment::with(repo, "tables/python", python, &folder.join("requirements.txt")))
        .transpose()?;
    let Some(environment) = environment.flatten() else {
        return Ok(Tally::missing(count, "a reader of tables", HOW_TO_GET_READERS));
    };
    if !repo::run("command", build)? {
        return Ok(Tally { failed: count, ..Tally::default() });
    }
    let mut command = environment.python(repo, &["-m", "pytest", "-p", "no:cacheprovider", "--quiet", "-rs"]);
    command
        .arg(folder)
        .env("DOPESHEET", std::path::absolute(repo.dopesheet())?)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python::pytest("readers", &mut command)
}
