//! The tests and doctests of all crates.

use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Tally};
use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

/// Names the file to which tests add a line when something they need is not there; see `dopesheet-testkit`.
const SKIPS: &str = "DOPESHEET_SKIPS";

/// Names the number that random cases of property tests start from; without it every run has its own.
const SEED: &str = "PROPTEST_RNG_SEED";
/// In CI a change is judged by the cases that all changes are judged by. [`run_for`] is for finding new ones.
const CI_SEED: &str = "1";

/// Runs them.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    let mut command = repo.command("cargo", &["test", "--workspace", "--no-fail-fast"]);
    if tally::in_ci() {
        command.env(SEED, CI_SEED);
    }
    run_tests(repo, "crates", &mut command)
}

/// What runs some tests of the command and the facade with a feature, of the parts that all other tests are built of; see
/// [`repo::build`].
pub(super) fn with_feature(repo: &Repo, feature: &str, tests: &[&str]) -> Command {
    let mut command = repo.command("cargo", &["test", "--workspace", "--no-fail-fast"]);
    command.args(["--features", &format!("dopesheet-cli/{feature}")]);
    command.args(tests.iter().flat_map(|test| ["--test", test]));
    command
}

/// Runs those of the command and the facade that need a feature which is off by default. What is behind the feature is tested with
/// all other crates.
pub(super) fn run_features(repo: &Repo) -> Outcome<Tally> {
    // The room's own tests have that name too, and have been run.
    run_tests(repo, "features", with_feature(repo, "fbx", &["fbx"]).args(["--exclude", "dopesheet-fbx"]))
}

/// Runs them with new random cases again and again until so much time has passed. Whether none failed.
pub(crate) fn run_for(repo: &Repo, minutes: u64) -> Outcome<bool> {
    let end = Instant::now() + Duration::from_secs(minutes.saturating_mul(60));
    let mut tally = Tally::default();
    while tally.failed == 0 && Instant::now() < end {
        let mut command =
            repo.command("cargo", &["test", "--workspace", "--lib", "--tests", "--no-fail-fast"]);
        tally += run_tests(repo, "crates", command.env_remove(SEED))?;
    }
    Ok(tally.close())
}

/// Runs a command that runs tests, and counts them.
pub(super) fn run_tests(repo: &Repo, what: &str, command: &mut Command) -> Outcome<Tally> {
    // Several may run side by side.
    let skips = repo.target.join(format!("skipped-tests of {what}.txt"));
    std::fs::create_dir_all(&repo.target)?;
    std::fs::write(&skips, "")?;
    let mut tally = Tally::default();
    let success = repo::run_reading(what, command.env(SKIPS, &skips), |line| tally += parse(line))?;
    if tally.failed == 0 && (!success || tally.passed == 0) {
        // Something that is not a test went wrong: it did not compile, or a test program crashed.
        tally.failed = 1;
    }
    Ok(without_skipped(tally, &std::fs::read_to_string(skips)?))
}

/// What a line of a test program's output counts.
fn parse(line: &str) -> Tally {
    let Some(counts) = line.trim().strip_prefix("test result: ") else { return Tally::default() };
    let count = |word: &str| {
        let phrase = counts.split(['.', ';']).find_map(|p| p.trim().strip_suffix(word));
        phrase.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
    };
    Tally { passed: count(" passed"), failed: count(" failed"), skipped: count(" ignored") }
}

/// The same tests where those that noted that they were skipped are not counted as passed.
fn without_skipped(tally: Tally, notes: &str) -> Tally {
    let tests: BTreeSet<&str> = notes.lines().collect();
    for test in &tests {
        println!("SKIPPED: {test}");
    }
    let moved = tests.len().min(tally.passed);
    Tally { passed: tally.passed - moved, skipped: tally.skipped + moved, ..tally }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_line_is_counted_and_no_other() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(parse(line), Tally { passed: 12, failed: 3, skipped: 1 });
        assert_eq!(parse("test bones::it_has_passed ... ok"), Tally::default());
    }

    #[test]
    fn a_test_that_was_skipped_several_times_is_one_test() {
        let tally = Tally { passed: 5, failed: 0, skipped: 1 };
        let counted = without_skipped(tally, "a: no corpus\nb: no corpus\na: no corpus\n");
        assert_eq!(counted, Tally { passed: 3, failed: 0, skipped: 3 });
    }
}
