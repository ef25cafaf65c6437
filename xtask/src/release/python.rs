//! The Python package: a wheel for this machine, and the source distribution, of which a wheel is built in turn.

use super::artifacts::{Artifacts, PROFILE, THIRD_PARTY, files_below, is_small};
use super::glibc;
use super::licences;
use super::stranger::{SAMPLE, Stopwatch, run};
use crate::repo::{self, Outcome};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel::{self, FIRST_STEPS, HOW_TO_GET_PYTHON};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most that the wheel may take.
const MOST_BYTES: u64 = 8_000_000;

/// Builds both; with `check`, installs each into an empty environment.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let Some(python) = wheel::interpreter() else {
        return Ok(Tally::missing(2, "CPython 3.11", HOW_TO_GET_PYTHON));
    };
    let Some(tools) = wheel::tools(to.repo, python)? else { return Ok(Tally::one(false)) };
    // Both take it from there.
    if !licences::gather(to, &[("bindings/python", &[])], &to.host()?, &wheel::folder(to.repo))? {
        return Ok(Tally::one(false));
    }
    let zig = to.zig()?;
    let tell = |command: &mut Command| {
        if let Some(zig) = &zig {
            zig.tell(command.args(["--zig", "--compatibility", glibc::TAG]));
        }
        to.hide_folders(command);
    };
    let Some(built) = wheel::wheel_with(to.repo, &tools, PROFILE, tell)? else {
        return Ok(Tally::one(false));
    };
    let built = to.take(&built)?;
    let mut tally = Tally::one(is_small(&built, MOST_BYTES)?);
    let maturin = tools.program("maturin");
    let mut pack = to.repo.command(&maturin.to_string_lossy(), &["sdist", "--out"]);
    pack.arg(&to.folder).current_dir(wheel::folder(to.repo));
    tally += Tally::one(repo::run("source distribution", &mut pack)?);
    // Packages that are built for tests go without it.
    fs::remove_file(wheel::folder(to.repo).join(THIRD_PARTY))?;
    if check {
        tally += Tally::one(to.is_clean(&built, "wheel")?);
        tally += Tally::one(tried(to, python, &built, "wheel")?);
        tally += Tally::one(source_tried(to, python, &tools)?);
    }
    Ok(tally)
}

/// Builds a wheel from the source distribution alone, and tries that.
fn source_tried(to: &Artifacts<'_>, python: &str, tools: &Environment) -> Outcome<bool> {
    let source = to.folder.join(format!("dopesheet-{}.tar.gz", to.version));
    if to.unpack(&source, "source")?.is_none() {
        return Ok(false);
    }
    let folder = to.empty("source-wheel")?;
    let build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "."];
    let mut build = tools.python(to.repo, &build);
    build.arg(&source).current_dir(&folder);
    // Whether it builds is asked, not how fast the result is.
    build.env("MATURIN_PEP517_ARGS", "--profile dev").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    build.env("CARGO_TARGET_DIR", to.repo.target.join("release-check/source-target"));
    // The build finds maturin by its name.
    build.env("PATH", with_first(tools.program("maturin").parent())?);
    if !repo::run("wheel of the source distribution", &mut build)? {
        return Ok(false);
    }
    match &files_below(&folder)?[..] {
        [wheel] => tried(to, python, wheel, "source distribution"),
        other => Err(format!("expected one wheel of the source distribution, found {other:?}").into()),
    }
}

/// The folders of programs, with one more before them.
fn with_first(folder: Option<&Path>) -> Outcome<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folder.map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
    Ok(std::env::join_paths(folders)?)
}

fn tried(to: &Artifacts<'_>, python: &str, wheel: &Path, what: &str) -> Outcome<bool> {
    let folder = to.empty("python")?;
    let python = which(python)?;
    let mut watch = Stopwatch::start();
    if !run("environment", Command::new(python).args(["-m", "venv", "own"]), &folder)? {
        return Ok(false);
    }
    let interpreter = folder.join(if cfg!(windows) { "own/Scripts/python.exe" } else { "own/bin/python" });
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    if !run("install", Command::new(&interpreter).args(install).arg(wheel), &folder)? {
        return Ok(false);
    }
    watch.installed();
    fs::copy(to.repo.root.join("samples").join(SAMPLE), folder.join(SAMPLE))?;
    let worked = run("first steps", Command::new(&interpreter).args(["-c", FIRST_STEPS, SAMPLE]), &folder)?;
    watch.first_result(what);
    Ok(worked)
}

/// The path of an interpreter, which a stranger's environment does not find by its name.
pub(super) fn which(python: &str) -> Outcome<String> {
    let output = Command::new(python).args(["-c", "import sys; print(sys.executable)"]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
