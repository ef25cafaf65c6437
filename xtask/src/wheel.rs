//! The wheel of bindings/python, and the interpreter and the tools that it is built with.

use crate::repo::{self, Outcome, Repo};
use crate::venv::Environment;
use std::path::PathBuf;
use std::process::Command;

pub(crate) const HOW_TO_GET_PYTHON: &str =
    "get CPython 3.11 or newer with venv from https://python.org or your system's packages";
/// First steps of somebody who has installed the wheel and nothing else, with a motion of MikuMikuDance as their argument; in another
/// folder, so that no source is seen.
pub(crate) const FIRST_STEPS: &str = "import dopesheet, sys\n\
    clip = dopesheet.open(sys.argv[1], model='standard').clips[0]\n\
    assert clip.rotations.shape == (len(clip.times), len(clip.joint_names), 4), clip.rotations.shape\n\
    assert clip.convert('glb').data[:4] == b'glTF'\n";
/// The feature of the crate that shares a build with the tests of the workspace.
pub(crate) const SHARED_BUILD: &str = "shared-build";
/// The oldest interpreter that the tools in `requirements.txt` run on; the package itself is content with an older one.
const OLDEST: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";

/// An interpreter that is not too old.
pub(crate) fn interpreter() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|name| repo::has(name, &["-c", OLDEST]))
}

/// The environment with what the tests need.
pub(crate) fn tools(repo: &Repo, python: &str) -> Outcome<Option<Environment>> {
    Environment::with(repo, "python/tests", python, &folder(repo).join("requirements.txt"))
}

/// Builds the wheel for tests.
pub(crate) fn wheel(repo: &Repo, tools: &Environment) -> Outcome<Option<PathBuf>> {
    wheel_with(repo, tools, repo::PROFILE, |command| {
        command.args(["--features", SHARED_BUILD]);
    })
}

/// Builds the only wheel of an empty folder, in a profile and with more that the build is told.
pub(crate) fn wheel_with(
    repo: &Repo,
    tools: &Environment,
    profile: &str,
    tell: impl FnOnce(&mut Command),
) -> Outcome<Option<PathBuf>> {
    let folder = repo.target.join("python/wheels");
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder)?;
    }
    let mut command =
        repo.command(&tools.program("maturin").to_string_lossy(), &["build", "--profile", profile]);
    command.args(["--strip", "--out"]).arg(&folder).current_dir(self::folder(repo));
    command.env("CARGO_TARGET_DIR", &repo.target);
    tell(&mut command);
    if !repo::run("wheel", &mut command)? {
        return Ok(None);
    }
    let built: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|e| Some(e.ok()?.path())).collect();
    match &built[..] {
        [one] if one.to_string_lossy().contains("-cp39-abi3-") => Ok(Some(one.clone())),
        other => Err(format!("expected one wheel for the stable ABI of CPython 3.9, found {other:?}").into()),
    }
}

/// A wheel for programs of others that use the package; `None` if it cannot be built.
pub(crate) fn wheel_for_others(repo: &Repo) -> Outcome<Option<PathBuf>> {
    let tools = interpreter().map(|python| tools(repo, python)).transpose()?.flatten();
    tools.map_or(Ok(None), |tools| wheel(repo, &tools))
}

/// The folder of the Python package.
pub(crate) fn folder(repo: &Repo) -> PathBuf {
    repo.root.join("bindings/python")
}
