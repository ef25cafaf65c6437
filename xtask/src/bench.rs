//! `cargo xtask bench`: release builds of the command and of the bench program beside it, then the latter, then the wheel
//! beside that.

use crate::lab;
use crate::repo::{self, Outcome, Repo};
use crate::wheel;
use std::process::Command;

/// Writes the large motions that are measured, from a fixed seed, to `target/bench-data`.
pub(crate) fn data(repo: &Repo) -> Outcome<bool> {
    repo::run("bench-data", program(repo).arg("data"))
}

/// Runs the comparisons of some sections of the page; all without any. Whether they could be run; how fast anything is decides nothing.
pub(crate) fn run(repo: &Repo, write: bool, sections: &[String]) -> Outcome<bool> {
    let build =
        ["build", "--quiet", "--release", "--package", "dopesheet-cli", "--features", "dopesheet-cli/table"];
    if !repo::run("build", &mut repo.command("cargo", &build))? {
        return Ok(false);
    }
    let mut command = program(repo);
    command.args(sections);
    if write {
        command.arg("--write");
    }
    Ok(repo::run("bench", &mut command)? && (!sections.is_empty() || python(repo, write)?))
}

/// The command that builds and runs the bench program.
fn program(repo: &Repo) -> Command {
    let mut command = lab::cargo(repo, "run");
    command.args(["--quiet", "--release", "--package", "dopesheet-bench", "--"]);
    command
}

/// Opening a file from Python beside opening it from Rust, where there is a Python. Whether it could be measured.
fn python(repo: &Repo, write: bool) -> Outcome<bool> {
    let Some(tools) = wheel::interpreter().map(|python| wheel::tools(repo, python)).transpose()?.flatten()
    else {
        println!("\nSKIPPED: Python is not measured; {}", wheel::HOW_TO_GET_PYTHON);
        return Ok(true);
    };
    let Some(built) = wheel::wheel_with(repo, &tools, "release", |_| {})? else { return Ok(false) };
    if !repo::run("wheel", tools.pip(repo, &["--force-reinstall", "--no-deps"]).arg(built))? {
        return Ok(false);
    }
    let large = repo.corpus().join("mmd/vmd/run.vmd");
    let file = if large.is_file() { large } else { repo.root.join("samples/walk.vmd") };
    let program = format!("release/dopesheet-bench{}", std::env::consts::EXE_SUFFIX);
    let mut command = tools.python(repo, &[]);
    command
        .arg(repo.root.join("lab/bench/opening.py"))
        .arg(file)
        .arg("--rust")
        .arg(repo.target.join(program));
    // On one thread, as our peer.
    command.arg("--bvh").arg(repo.target.join("bench-data/capture.bvh")).env("RAYON_NUM_THREADS", "1");
    if write {
        command.arg("--page").arg(repo.root.join("docs/benchmarks.md"));
    }
    repo::run("python", &mut command)
}
