//! The Python package: a wheel for this machine, and the source distribution.

use super::artifacts::{Artifacts, PROFILE, is_small};
use super::stranger::{SAMPLE, Stopwatch, run};
use crate::repo::{self, Outcome};
use crate::tally::Tally;
use crate::wheel::{self, FIRST_STEPS, HOW_TO_GET_PYTHON};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most that the wheel may take.
const MOST_BYTES: u64 = 8_000_000;
/// Builds both; with `check`, installs the wheel into an empty environment.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let Some(python) = wheel::interpreter() else {
        return Ok(Tally::missing(2, "CPython 3.11", HOW_TO_GET_PYTHON));
    };
    let Some(tools) = wheel::tools(to.repo, python)? else { return Ok(Tally::one(false)) };
    let Some(built) = wheel::wheel_with(to.repo, &tools, PROFILE, |command| to.hide_folders(command))? else {
        return Ok(Tally::one(false));
    };
    let built = to.take(&built)?;
    let mut tally = Tally::one(is_small(&built, MOST_BYTES)?);
    let maturin = tools.program("maturin");
    let mut source = to.repo.command(&maturin.to_string_lossy(), &["sdist", "--out"]);
    source.arg(&to.folder).current_dir(wheel::folder(to.repo));
    tally += Tally::one(repo::run("source distribution", &mut source)?);
    if check {
        tally += Tally::one(to.unpack(&built, "wheel")?.is_some());
        tally += Tally::one(tried(to, python, &built)?);
    }
    Ok(tally)
}

fn tried(to: &Artifacts<'_>, python: &str, wheel: &Path) -> Outcome<bool> {
    let folder = to.empty("python")?;
    let python = which(python)?;
    let mut watch = Stopwatch::start();
    if !run("environment", Command::new(python).args(["-m", "venv", "own"]), &folder)? {
        return Ok(false);
    }
    let own = folder.join(if cfg!(windows) { "own/Scripts/python.exe" } else { "own/bin/python" });
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    if !run("install", Command::new(&own).args(install).arg(wheel), &folder)? {
        return Ok(false);
    }
    watch.installed();
    fs::copy(to.repo.root.join("samples").join(SAMPLE), folder.join(SAMPLE))?;
    let worked = run("first steps", Command::new(&own).args(["-c", FIRST_STEPS, SAMPLE]), &folder)?;
    watch.first_result("wheel");
    Ok(worked)
}

/// The path of an interpreter, which a stranger's environment does not find by its name.
fn which(python: &str) -> Outcome<String> {
    let output = Command::new(python).args(["-c", "import sys; print(sys.executable)"]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
