//! The command `wasm-bindgen`, which writes the JavaScript around a module for the web. Its version has to be that of the crate
//! that the module was built with, which is the one in `Cargo.lock`.

use crate::repo::{self, Outcome, Repo};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that it takes modules of.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// What to do where it is not there and could not be fetched.
pub(crate) const HOW_TO_GET_IT: &str =
    "this task installs it when there is a connection to the registry of crates";

/// The command, of the right version; fetched into the target folder where it is not there. `None` if it cannot be had.
pub(crate) fn find(repo: &Repo) -> Outcome<Option<PathBuf>> {
    let version = version(&std::fs::read_to_string(repo.root.join("Cargo.lock"))?)?;
    let own = repo.target.join("tools/bin").join(format!("wasm-bindgen{}", std::env::consts::EXE_SUFFIX));
    for program in [PathBuf::from("wasm-bindgen"), own.clone()] {
        if is_of(&program, &version) {
            return Ok(Some(program));
        }
    }
    let install = |more: &[&str]| {
        let mut command = repo.command("cargo", &["install", "--quiet", "wasm-bindgen-cli", "--force"]);
        command.args(["--version", &version]).args(more).arg("--root").arg(repo.target.join("tools"));
        repo::run("wasm-bindgen", &mut command)
    };
    // A registry that lags behind may lack a version that was the newest when the command was published.
    let installed = install(&["--locked"])? || install(&[])?;
    Ok((installed && is_of(&own, &version)).then_some(own))
}

/// Writes a module's JavaScript for the web, and the module itself, to a folder, under a name.
pub(crate) fn web(program: &Path, module: &Path, folder: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["--target", "web", "--remove-name-section", "--remove-producers-section"]);
    command.args(["--out-name", name, "--out-dir"]).arg(folder).arg(module);
    command
}

fn is_of(program: &Path, version: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).split_whitespace().nth(1) == Some(version)
    })
}

/// The version of the crate that a lock file names.
fn version(lock: &str) -> Outcome<String> {
    let (_, after) =
        lock.split_once("name = \"wasm-bindgen\"\nversion = \"").ok_or("Cargo.lock has no wasm-bindgen")?;
    Ok(after.split('"').next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_crate_and_not_of_its_parts() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.2.1\"\n\n[[package]]\n\
                    name = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(version(lock).unwrap(), "0.2.130");
        assert!(version("").is_err());
        let own = std::fs::read_to_string(Repo::find().unwrap().root.join("Cargo.lock")).unwrap();
        assert!(version(&own).unwrap().starts_with("0.2."));
    }
}
