//! The Python package: its wheel, built once, in an empty environment and under its own tests.

use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel::{FIRST_STEPS, HOW_TO_GET_PYTHON, interpreter, tools, wheel};
use std::path::Path;
use std::process::Command;

const HOW_TO_GET_PACKAGES: &str =
    "run the task again with a connection to the package index that pip is set up for";

/// Tests that there are besides those in `tests/`: that the wheel is built, and that it works by itself.
const OF_THE_WHEEL: usize = 2;

/// Builds the wheel and runs its tests, some of them against the command that `build` makes.
pub(crate) fn run(repo: &Repo, build: &mut Command) -> Outcome<Tally> {
    let package = repo.root.join("bindings/python");
    let count = declared(&package.join("tests"))? + OF_THE_WHEEL;
    let Some(python) = interpreter() else {
        return Ok(Tally::missing(count, "CPython 3.11", HOW_TO_GET_PYTHON));
    };
    let Some(tools) = tools(repo, python)? else {
        return Ok(Tally::missing(count, "a package of bindings/python", HOW_TO_GET_PACKAGES));
    };
    let failed = Tally { failed: count, ..Tally::default() };
    let Some(wheel) = wheel(repo, &tools)? else { return Ok(failed) };
    if !repo::run("command", build)? {
        return Ok(failed);
    }
    let mut tally = Tally::one(true);
    tally += Tally::one(works_alone(repo, python, &wheel)?);
    tally += tests(repo, &package, &tools, &wheel)?;
    tally += tests_on_newest(repo, &package, &wheel)?;
    Ok(tally)
}

/// Tests that find faults of newer interpreters, whose standard library differs.
const ON_NEWEST: [&str; 3] = ["test_files.py", "test_threads.py", "test_poses.py"];

/// Runs some tests on the newest interpreter after CPython 3.11, if there is one.
fn tests_on_newest(repo: &Repo, package: &Path, wheel: &Path) -> Outcome<Tally> {
    let Some(python) = NEWER.iter().find_map(|version| interpreter_of(version)) else {
        return Ok(Tally::default());
    };
    let newest = Environment::below(repo, "python/newest");
    let mut install = newest.pip(repo, &["pytest", "numpy", "--constraint"]);
    install.arg(package.join("requirements.txt")).arg(wheel);
    if !newest.create(repo, &python)? || !repo::run("wheel on the newest Python", &mut install)? {
        return Ok(Tally { failed: ON_NEWEST.len(), ..Tally::default() });
    }
    let mut command = newest.python(repo, &["-m", "pytest", "-p", "no:cacheprovider", "--quiet"]);
    command.args(ON_NEWEST.map(|name| package.join("tests").join(name))).env("PYTHONDONTWRITEBYTECODE", "1");
    pytest("python, newest", &mut command)
}

/// Versions after the one of the other tests, the newest first.
const NEWER: [&str; 3] = ["3.14", "3.13", "3.12"];

/// Path of an interpreter by its version, also of one that pyenv has installed and not chosen.
fn interpreter_of(version: &str) -> Option<String> {
    let mut command = Command::new(format!("python{version}"));
    command.args(["-c", "import sys, venv, ensurepip; print(sys.executable)"]).env("PYENV_VERSION", version);
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// True if the wheel works in an environment in which there was nothing before.
fn works_alone(repo: &Repo, python: &str, wheel: &Path) -> Outcome<bool> {
    let empty = Environment::below(repo, "python/empty");
    if !empty.create(repo, python)? || !repo::run("wheel alone", empty.pip(repo, &[]).arg(wheel))? {
        return Ok(false);
    }
    let sample = std::path::absolute(repo.root.join("samples/bow.vmd"))?;
    let program = std::path::absolute(empty.program("python"))?;
    let mut command = repo.command(&program.to_string_lossy(), &["-c", FIRST_STEPS]);
    repo::run("first steps", command.arg(sample).current_dir(empty.folder()))
}

fn tests(repo: &Repo, own: &Path, tools: &Environment, wheel: &Path) -> Outcome<Tally> {
    let mut install = tools.pip(repo, &["--force-reinstall", "--no-deps"]);
    if !repo::run("wheel for tests", install.arg(wheel))? {
        return Ok(Tally { failed: declared(&own.join("tests"))?, ..Tally::default() });
    }
    let mut command = tools.python(repo, &["-m", "pytest", "-p", "no:cacheprovider", "--quiet", "-rs"]);
    command.arg(own.join("tests")).env("DOPESHEET", std::path::absolute(repo.dopesheet())?);
    command.env("MPLBACKEND", "agg").env("PYTHONDONTWRITEBYTECODE", "1");
    let corpus = repo.corpus();
    if corpus.is_dir() {
        command.env("DOPESHEET_CORPUS", std::path::absolute(corpus)?);
    }
    pytest("python", &mut command)
}

/// Runs pytest and counts its tests.
pub(crate) fn pytest(what: &str, command: &mut Command) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let success = repo::run_reading(what, command, |line| tally += parse(line))?;
    if tally.failed == 0 && (!success || tally.passed == 0) {
        tally.failed = 1;
    }
    Ok(tally)
}

/// The counts in the closing line of pytest: `1 failed, 120 passed, 2 skipped in 8.01s`.
fn parse(line: &str) -> Tally {
    let Some((counts, time)) = line.trim().trim_matches('=').trim().rsplit_once(" in ") else {
        return Tally::default();
    };
    let seconds = time.split(' ').next().and_then(|time| time.strip_suffix('s'));
    if seconds.is_none_or(|seconds| seconds.parse::<f64>().is_err()) {
        return Tally::default();
    }
    let mut tally = Tally::default();
    for phrase in counts.split(", ") {
        let Some((count, word)) = phrase.split_once(' ') else { return Tally::default() };
        let count = count.parse().unwrap_or(0);
        match word {
            "passed" | "xpassed" => tally.passed += count,
            "failed" | "error" | "errors" => tally.failed += count,
            "skipped" | "xfailed" => tally.skipped += count,
            _ => {}
        }
    }
    tally
}

/// Number of tests that the files of a folder declare; for when they cannot be run to count themselves.
pub(crate) fn declared(folder: &Path) -> Outcome<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let text = std::fs::read_to_string(path)?;
            count += text.lines().filter(|line| line.starts_with("def test_")).count();
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_of_pytest_is_counted() {
        let counted = |passed, failed, skipped| Tally { passed, failed, skipped };
        assert_eq!(parse("1 failed, 120 passed, 2 skipped, 1 warning in 8.01s"), counted(120, 1, 2));
        assert_eq!(parse("= 3 passed in 61.20s (0:01:01) ="), counted(3, 0, 0));
        assert_eq!(parse("2 passed, 1 error in 0.10s"), counted(2, 1, 0));
        assert_eq!(parse("SKIPPED [1] tests/conftest.py:47: no corpus in sight"), Tally::default());
        assert_eq!(parse(".........F.. [ 58%]"), Tally::default());
    }

    #[test]
    fn the_package_declares_tests() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/python/tests");
        assert!(declared(&folder).unwrap() > 60);
    }
}
