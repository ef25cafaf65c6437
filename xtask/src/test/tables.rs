//! The command with the feature `table`: its own tests, and pyarrow, DuckDB and Polars on what it writes.

use super::python;
use super::rust::{run_tests, with_feature};
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;

const HOW_TO_GET_READERS: &str =
    "get CPython 3.11 or newer with venv, and a connection to the package index that pip is set up for";

/// Tests of the command that are others with the feature than without.
const TESTS: [&str; 3] = ["table", "cut_off", "sample"];

/// Runs both.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    let mut tally = run_tests(repo, "tables", &mut with_feature(repo, "table", &TESTS))?;
    let own = repo.root.join("clients/tables");
    let count = python::declared(&own)?;
    let environment = python::interpreter()
        .map(|python| Environment::with(repo, "tables/python", python, &own.join("requirements.txt")))
        .transpose()?;
    let Some(environment) = environment.flatten() else {
        tally += Tally::missing(count, "a reader of tables", HOW_TO_GET_READERS);
        return Ok(tally);
    };
    // Whoever wants the command without the feature builds it again, which links it.
    if !repo::run(
        "command with tables",
        repo::command_build(repo).args(["--features", "dopesheet-cli/table"]),
    )? {
        tally += Tally { failed: count, ..Tally::default() };
        return Ok(tally);
    }
    let mut command = environment.python(repo, &["-m", "pytest", "-p", "no:cacheprovider", "--quiet", "-rs"]);
    command
        .arg(own)
        .env("DOPESHEET", std::path::absolute(repo.dopesheet())?)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    tally += python::pytest("readers", &mut command)?;
    Ok(tally)
}
