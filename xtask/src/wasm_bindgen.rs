//! Programs and modules for browsers, with the JavaScript around them.

use crate::repo::{self, Outcome, Repo};
use std::path::Path;

/// The target that browsers run.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The program that writes the JavaScript, and the profile that it is built in.
const TOOL: &str = "xtask-web";
const PROFILE: &str = "tool";

/// Missing program for modules, and how to get it. The standard library is fetched first if `install` says so.
pub(crate) fn lacking(repo: &Repo, install: bool) -> Outcome<Option<[String; 2]>> {
    if !repo::has_target(repo, TARGET, install)? {
        let how = format!("get it with `rustup target add {TARGET}`");
        return Ok(Some([format!("the target {TARGET}"), how]));
    }
    let clang = || {
        let how = "it compiles the reader of FBX; Debian has it as `clang`, Homebrew in `llvm`";
        ["clang", how].map(str::to_owned)
    };
    Ok((!repo::has("clang", &["--version"])).then(clang))
}

/// Writes a module's JavaScript for the web, and the module itself, to a folder, under a name. `options` are those of the tool.
/// Whether that worked.
pub(crate) fn web(repo: &Repo, module: &Path, folder: &Path, name: &str, options: &[&str]) -> Outcome<bool> {
    // By itself: whatever else of the workspace was selected with it would be built first, down to what tests rest on.
    let build = ["build", "--package", TOOL, "--profile", PROFILE];
    if !repo::run(TOOL, &mut repo.command("cargo", &build))? {
        return Ok(false);
    }
    let program = repo.target.join(PROFILE).join(format!("{TOOL}{}", std::env::consts::EXE_SUFFIX));
    let mut command = repo.command(&program.to_string_lossy(), &[name]);
    repo::run("JavaScript", command.arg(module).arg(folder).args(options))
}
