//! The package of bindings/wasm as others get it: packed, installed into an empty folder, and tried in node, in a Worker
//! and, by way of Vite, in a browser.

use super::clients::{declared, parse};
use crate::client_packages::HOW_TO_GET_NODE;
use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Tally};
use crate::{npm, wasm_bindgen};
use std::fs;
use std::path::Path;

/// Files that are copied of bindings/wasm/test: everything but the leavings of a run.
const LEFT_OUT: [&str; 2] = ["node_modules", "dist"];

/// Packs what is built in a profile, installs and tests it.
pub(crate) fn run(repo: &Repo, profile: &str) -> Outcome<Tally> {
    let tests = repo.root.join("bindings/wasm/test");
    let count = declared(&tests)?;
    if !repo::has("node", &["--version"]) || !repo::has("npm", &["--version"]) {
        return Ok(Tally::missing(count, "node", HOW_TO_GET_NODE));
    }
    if let Some([what, how]) = wasm_bindgen::lacking(repo, tally::in_ci())? {
        return Ok(Tally::missing(count, &what, &how));
    }
    let Some(package) = npm::pack(repo, profile)? else {
        return Ok(Tally { failed: count, ..Tally::default() });
    };
    of_package(repo, &package, profile)
}

/// Installs a package, of a module that was built in a profile, into a folder of its own, and tests it there.
pub(crate) fn of_package(repo: &Repo, package: &Path, profile: &str) -> Outcome<Tally> {
    let tests = repo.root.join("bindings/wasm/test");
    let count = declared(&tests)?;
    let folder = repo.target.join("npm/test");
    copy(&tests, &folder)?;
    let mut install = repo.command("npm", &["ci", "--no-audit", "--no-fund"]);
    if !repo::run("packages of others", install.current_dir(&folder))? {
        return Ok(Tally::missing(
            count,
            "a package",
            "run `npm ci` in bindings/wasm/test with a connection",
        ));
    }
    let mut install = repo.command("npm", &["install", "--no-save", "--no-audit", "--no-fund"]);
    if !repo::run("own package", install.arg(package).current_dir(&folder))? {
        return Ok(Tally { failed: count, ..Tally::default() });
    }
    let mut command = repo.command("npm", &["test"]);
    command.env("DOPESHEET_ROOT", &repo.root).env("DOPESHEET_PACKAGE", std::path::absolute(package)?);
    if profile == repo::QUICK_WASM {
        command.env(repo::QUICK.0, repo::QUICK.1);
    }
    let corpus = repo.corpus();
    if corpus.is_dir() {
        command.env("DOPESHEET_CORPUS", std::path::absolute(corpus)?);
    }
    let mut tally = Tally::default();
    let success = repo::run_reading("npm", command.current_dir(&folder), |line| tally += parse(line))?;
    if tally.failed == 0 && (!success || tally.passed == 0) {
        tally.failed = 1;
    }
    Ok(tally)
}

/// Copies the tests, so that nothing is installed into the checkout. What was installed before stays.
fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
