//! The programs in clients/ that judge our glTF, and their own tests.

use crate::client_packages::Clients;
use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Tally};
use crate::wasm_bindgen;
use crate::web;
use std::path::Path;
use std::process::Command;

/// Runs the programs' own tests, some of them on what the command that `build` makes writes.
pub(crate) fn run(repo: &Repo, clients: &Clients, build: &mut Command) -> Outcome<Tally> {
    let folder = repo.root.join("clients");
    if let Some(missing) = clients.missing(declared(&folder.join("test"))?) {
        return Ok(missing);
    }
    if !repo::run("command", build)? {
        return Ok(Tally { failed: declared(&folder.join("test"))?, ..Tally::default() });
    }
    let mut tally = Tally::default();
    let mut command = repo.command("npm", &["test"]);
    command.env("DOPESHEET", std::path::absolute(repo.dopesheet())?);
    page(repo, repo::QUICK_WASM, &mut command, &mut tally)?;
    let corpus = repo.corpus();
    if corpus.is_dir() {
        command.env("DOPESHEET_CORPUS", std::path::absolute(corpus)?);
    }
    let success = repo::run_reading("clients", command.current_dir(&folder), |line| tally += parse(line))?;
    if !success && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

/// Runs the tests of the viewer's page as a release has it.
pub(super) fn page_of_release(repo: &Repo, clients: &Clients, build: &mut Command) -> Outcome<Tally> {
    if let Some(missing) = clients.missing(1) {
        return Ok(missing);
    }
    if !repo::run("command", build)? {
        return Ok(Tally::one(false));
    }
    let mut tally = Tally::default();
    let mut command = repo.command("node", &["--test", "--test-reporter=spec", "test/viewer.test.mjs"]);
    command.env("DOPESHEET", std::path::absolute(repo.dopesheet())?).current_dir(repo.root.join("clients"));
    page(repo, web::PROFILE, &mut command, &mut tally)?;
    let success = repo::run_reading("page", &mut command, |line| tally += parse(line))?;
    if !success && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

/// Makes the viewer's page in a profile for the tests that drive it. Where it cannot be made, those say so.
fn page(repo: &Repo, profile: &str, command: &mut Command, tally: &mut Tally) -> Outcome<()> {
    if !tally::in_ci() && !has_browser() {
        println!(
            "\nSKIPPED: the viewer's page, because there is no Chromium to open it (CHROMIUM may name one)"
        );
    } else if let Some([what, how]) = wasm_bindgen::lacking(repo, tally::in_ci())? {
        println!("\nSKIPPED: the viewer's page: {what} is not there; {how}");
    } else if web::build_with(repo, profile, |_| {})? {
        command.env("DOPESHEET_PAGE", std::path::absolute(web::folder(repo))?);
        if profile == repo::QUICK_WASM {
            command.env(repo::QUICK.0, repo::QUICK.1);
        }
    } else {
        tally.failed += 1;
    }
    Ok(())
}

/// True if the tests will find a browser, as clients/lib/look.mjs looks for it.
fn has_browser() -> bool {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    std::env::var_os("CHROMIUM").is_some() || names.iter().any(|name| repo::has(name, &["--version"]))
}

/// The counts in a line of the summary of node's test runner: `ℹ pass 12`.
pub(super) fn parse(line: &str) -> Tally {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["ℹ" | "#", word, count] => {
            let count = count.parse().unwrap_or(0);
            match word {
                "pass" => Tally { passed: count, ..Tally::default() },
                "fail" | "cancelled" => Tally { failed: count, ..Tally::default() },
                "skipped" | "todo" => Tally { skipped: count, ..Tally::default() },
                _ => Tally::default(),
            }
        }
        _ => Tally::default(),
    }
}

/// Number of tests that the files of a folder declare; for when they cannot be run to count themselves.
pub(super) fn declared(folder: &Path) -> Outcome<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            let text = std::fs::read_to_string(path)?;
            count += text.lines().filter(|l| l.trim_start().starts_with("test(")).count();
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_node_is_counted() {
        let lines =
            ["ℹ tests 7", "ℹ pass 4", "ℹ fail 2", "ℹ skipped 1", "ℹ duration_ms 88.1", "✔ pass 9 (1ms)"];
        let mut tally = Tally::default();
        lines.iter().for_each(|l| tally += parse(l));
        assert_eq!(tally, Tally { passed: 4, failed: 2, skipped: 1 });
    }

    #[test]
    fn the_clients_declare_tests() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/test");
        assert!(declared(&folder).unwrap() > 10);
    }
}
