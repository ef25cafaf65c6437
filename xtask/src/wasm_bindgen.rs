//! Programs and modules for browsers, with the JavaScript around them.

use crate::repo::Repo;
use std::path::Path;
use std::process::Command;

/// What browsers run.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Writes a module's JavaScript for the web, and the module itself, to a folder, under a name.
pub(crate) fn web(repo: &Repo, module: &Path, folder: &Path, name: &str) -> Command {
    let arguments =
        ["run", "--quiet", "--package", "xtask-web", "--profile", crate::repo::PROFILE, "--", name];
    let mut command = repo.command("cargo", &arguments);
    command.arg(module).arg(folder);
    command
}
