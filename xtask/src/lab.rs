//! The laboratory: programs of lab/, a workspace of its own, that draw the samples and measure the libraries.

use crate::repo::{self, Outcome, Repo};
use sha2::{Digest as _, Sha256};
use std::process::Command;

/// The crates of the laboratory.
pub(crate) const CRATES: [&str; 2] = ["lab/bench", "lab/samples"];
/// The digest of all that the generator of samples writes, as `sha256sum` writes it.
const DIGEST: &str = "lab/samples.sha256";
/// Folders that hold nothing but what it writes, and one page by hand.
const SAMPLES: &str = "samples/";
const BY_HAND: &str = "samples/README.md";

/// The command that has cargo do something in the laboratory, with the build products of the workspace.
pub(crate) fn cargo(repo: &Repo, verb: &str) -> Command {
    let mut command = repo.command("cargo", &[verb, "--locked", "--manifest-path", "lab/Cargo.toml"]);
    command.arg("--target-dir").arg(&repo.target);
    command
}

/// `cargo xtask samples`: writes the samples, or only checks that they are as they would be written. Whether all is as it should be.
pub(crate) fn samples(repo: &Repo, check: bool) -> Outcome<bool> {
    let mut command = cargo(repo, "run");
    command.args(["--quiet", "--package", "dopesheet-samples", "--"]);
    repo::run("samples", command.args(check.then_some("--check")))
}

/// True if all samples are as the generator last wrote them, and each has a line in [`DIGEST`].
pub(crate) fn samples_are_untouched(repo: &Repo) -> Outcome<bool> {
    let list = std::fs::read_to_string(repo.root.join(DIGEST))?;
    let lines: Vec<(&str, &str)> = list.lines().filter_map(|line| line.split_once("  ")).collect();
    let mut faults = Vec::new();
    for (digest, path) in &lines {
        let bytes = std::fs::read(repo.root.join(path)).unwrap_or_default();
        if hex(&bytes) != *digest {
            faults.push(format!("{path}: differs from what `cargo xtask samples` wrote"));
        }
    }
    let is_listed = |file: &String| lines.iter().any(|(_, path)| path == file);
    let samples = repo.files()?.into_iter().filter(|file| file.starts_with(SAMPLES) && file != BY_HAND);
    faults.extend(samples.filter(|file| !is_listed(file)).map(|file| format!("{file}: not in {DIGEST}")));
    faults.iter().for_each(|fault| println!("{fault}"));
    Ok(faults.is_empty() && !lines.is_empty())
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Tests of the laboratory, and whether the samples are what it would write now.
pub(crate) fn test(repo: &Repo) -> Outcome<bool> {
    let tests = repo::run("lab", cargo(repo, "test").args(["--workspace", "--all-targets"]))?;
    Ok(samples(repo, true)? && tests)
}
