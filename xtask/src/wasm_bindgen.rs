//! Programs and modules for browsers, with the JavaScript around them.

use crate::repo::{self, Outcome, Repo};
use std::path::Path;

/// What browsers run.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Writes a module's JavaScript for the web, and the module itself, to a folder, under a name. `options` are those of the tool.
/// Whether that worked.
pub(crate) fn web(repo: &Repo, module: &Path, folder: &Path, name: &str, options: &[&str]) -> Outcome<bool> {
    let Some(mut command) = repo::tool(repo, "xtask-web")? else { return Ok(false) };
    repo::run("JavaScript", command.arg(name).arg(module).arg(folder).args(options))
}
