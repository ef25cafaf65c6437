//! The tests and doctests of crates.

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

/// The variable that says how many times as many cases property tests try; see `dopesheet-testkit`.
const CASES: &str = "DOPESHEET_CASES";
const MANY: &str = "20";
/// Those of tests that do not say how many; 256 is what the library tries.
const UNSAID_CASES: (&str, &str) = ("PROPTEST_CASES", "5120");

/// The name of the one test program of each crate.
const ONLY: &str = "all";
/// Folders below the root whose crates the command is made of.
const CORE: [&str; 3] = ["crates/", "formats/", "apps/cli"];
/// The test programs of what features of the command change, in the crates that have these.
const OF_FEATURES: &str = "features";
/// Crates there that have more features in the build of the whole workspace. All others are the same in both, see `dopesheet-testkit`.
pub(crate) const WITH_MORE_FEATURES: [&str; 2] = ["dopesheet", "dopesheet-cli"];
/// The programs whose own tests belong to it.
const PROGRAMS: [&str; 2] = ["dopesheet", "xtask"];

/// Variables that name folders of other people's files; see `dopesheet-testkit`.
const OTHERS_FILES: [&str; 2] = ["DOPESHEET_CORPUS", "DOPESHEET_REPRODUCERS"];

/// Runs the tests of the libraries, the formats, the command and the tasks.
pub(super) fn core(repo: &Repo) -> Outcome<Tally> {
    run_tests(repo, "core", core_tests(repo).args(PROGRAMS.iter().flat_map(|name| ["--bin", name])))
}

/// Why a test is ignored that [`core()`] leaves out and CI runs: it counts instructions, repeats a property very often, or walks every
/// operation over every format.
const COSTLY: &str = "#[ignore = \"costly\"]";

/// Runs the tests that [`core()`] leaves out because of their cost.
pub(super) fn costly(repo: &Repo) -> Outcome<Tally> {
    run_tests(repo, "costly", core_tests(repo).args(["--", "--ignored"]).args(costly_tests(repo)?))
}

/// Names of the costly tests.
fn costly_tests(repo: &Repo) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for file in core_files(repo)? {
        let text = std::fs::read_to_string(repo.root.join(file))?;
        for test in text.split(COSTLY).skip(1) {
            names.extend(
                test.split_once("fn ").and_then(|(_, test)| Some(test.split_once('(')?.0.to_owned())),
            );
        }
    }
    Ok(names)
}

/// Sources of the crates that the command is made of.
fn core_files(repo: &Repo) -> Outcome<impl Iterator<Item = String>> {
    let is_core = |file: &String| file.ends_with(".rs") && CORE.iter().any(|start| file.starts_with(start));
    Ok(repo.files()?.into_iter().filter(is_core))
}

/// Runs those modules of [`core()`] and [`costly()`] once more that read other people's files, with none of these, as in a clone of its own. What is
/// skipped then has been tried before, and is not counted.
pub(super) fn bare(repo: &Repo) -> Outcome<Tally> {
    if !repo.corpus().is_dir() {
        println!("\nThere are no files of other people, so the tests of `core` have run without them.");
        return Ok(Tally::default());
    }
    let mut command = core_tests(repo);
    command.envs(OTHERS_FILES.map(|variable| (variable, repo.target.join("no such folder"))));
    // There tests fail that find no files.
    command.env_remove("CI").args(["--", "--include-ignored"]).args(readers_of_corpus(repo)?);
    Ok(Tally { skipped: 0, ..run_tests(repo, "bare", &mut command)? })
}

/// Modules of test programs that look for other people's files, as the start of their tests' names.
fn readers_of_corpus(repo: &Repo) -> Outcome<Vec<String>> {
    let mut modules = Vec::new();
    for file in core_files(repo)? {
        let Some((_, module)) = file.split_once("/tests/all/") else { continue };
        let module = module.trim_end_matches(".rs");
        let text = std::fs::read_to_string(repo.root.join(&file))?;
        if ["corpus(", "corpus_root(", "reproducers("].iter().any(|call| text.contains(call)) {
            modules.push(format!("{}::", module.replace('/', "::")));
        }
    }
    Ok(modules)
}

/// Runs those of libraries and formats with many random cases, optimized.
pub(super) fn many_cases(repo: &Repo) -> Outcome<Tally> {
    let mut command = core_tests(repo);
    command.arg("--release").env(CASES, MANY).env(UNSAID_CASES.0, UNSAID_CASES.1);
    let mut tally = run_tests(repo, "properties", &mut command)?;
    tally += run_tests(repo, "properties", command.args(["--", "--ignored"]).args(costly_tests(repo)?))?;
    Ok(tally)
}

/// The variable that names what cargo calls in place of rustc for our crates.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

fn core_tests(repo: &Repo) -> Command {
    let mut command = repo.command("cargo", &["test", "--no-fail-fast", "--lib", "--test", ONLY]);
    command.args(core_packages(repo).iter().flat_map(|name| ["--package", name]));
    if cfg!(unix) && std::env::var_os(WRAPPER).is_none() {
        command.env(WRAPPER, repo.root.join(".ci/rustc"));
    }
    command
}

pub(crate) fn core_packages(repo: &Repo) -> Vec<&str> {
    let is_core = |package: &&serde_json::Value| {
        let folder = repo.folder_of(package);
        CORE.iter().any(|start| folder.starts_with(start))
    };
    let names = repo.packages.iter().filter(is_core).filter_map(|package| package["name"].as_str());
    names.chain(["xtask"]).collect()
}

/// Runs the tests that [`core()`] leaves out: those of all other crates, those of what features change, with the examples, and all doctests.
pub(super) fn workspace(repo: &Repo) -> Outcome<Tally> {
    let mut tally = run_tests(repo, "workspace", &mut others(repo))?;
    let all = || {
        let mut command = repo.command("cargo", &["test", "--workspace", "--no-fail-fast"]);
        command.args(repo::all_features());
        command
    };
    tally += run_tests(repo, OF_FEATURES, all().args(["--test", OF_FEATURES, "--examples"]))?;
    tally += run_tests(repo, "doctests", all().arg("--doc"))?;
    Ok(tally)
}

/// The tests of all crates that [`core()`] leaves out. `xtask-generate` asks for the features of the command, so that these crates rest
/// on the build of the whole workspace.
fn others(repo: &Repo) -> Command {
    let mut command = repo.command("cargo", &["test", "--workspace", "--no-fail-fast", "--tests"]);
    command.args(core_packages(repo).iter().flat_map(|name| ["--exclude", name]));
    command
}

/// Runs them with new random cases again and again until so much time has passed. Whether none failed.
pub(crate) fn run_for(repo: &Repo, minutes: u64) -> Outcome<bool> {
    let end = Instant::now() + Duration::from_secs(minutes.saturating_mul(60));
    let mut tally = Tally::default();
    while tally.failed == 0 && Instant::now() < end {
        tally += many_cases(repo)?;
    }
    println!("\n{tally}");
    Ok(tally.failed == 0)
}

/// Runs a command that runs tests, and counts them.
pub(super) fn run_tests(repo: &Repo, what: &str, command: &mut Command) -> Outcome<Tally> {
    // Several may run side by side.
    let skips = repo.target.join(format!("skipped-tests of {what}.txt"));
    std::fs::create_dir_all(&repo.target)?;
    std::fs::write(&skips, "")?;
    if tally::in_ci() {
        command.env(SEED, CI_SEED);
    }
    let mut tally = Tally::default();
    let success = repo::run_reading(what, command.env(SKIPS, &skips), |line| tally += parse(line))?;
    if tally.failed == 0 && (!success || tally.passed == 0) {
        // Something that is not a test went wrong: it did not compile, or a test program crashed.
        tally.failed = 1;
    }
    Ok(without_skipped(tally, &std::fs::read_to_string(skips)?, repo.names_skipped))
}

/// The counts in a line of a test program's output.
fn parse(line: &str) -> Tally {
    let Some(counts) = line.trim().strip_prefix("test result: ") else { return Tally::default() };
    let count = |word: &str| {
        let phrase = counts.split(['.', ';']).find_map(|p| p.trim().strip_suffix(word));
        phrase.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
    };
    Tally { passed: count(" passed"), failed: count(" failed"), skipped: count(" ignored") }
}

/// The same tests where those that noted that they were skipped are not counted as passed.
fn without_skipped(tally: Tally, notes: &str, are_named: bool) -> Tally {
    let reasons: BTreeSet<&str> = notes.lines().collect();
    let tests: BTreeSet<&str> = reasons.iter().filter_map(|line| line.split(": ").next()).collect();
    if are_named {
        reasons.iter().for_each(|line| println!("SKIPPED: {line}"));
    } else if !tests.is_empty() {
        println!("SKIPPED: {} tests that need what is not there; --verbose names them", tests.len());
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
    fn the_core_is_what_the_command_is_made_of() {
        let repo = Repo::find().unwrap();
        let names = core_packages(&repo);
        let wanted = ["dopesheet-core", "dopesheet-gltf", "dopesheet-cli", "xtask"];
        assert!(wanted.iter().all(|name| names.contains(name)), "{names:?}");
        let outside = ["viewer", "python", "wasm", "generate"];
        assert!(!names.iter().any(|name| outside.iter().any(|word| name.ends_with(word))), "{names:?}");
    }

    #[test]
    fn costly_tests_are_found_where_they_are_marked() {
        let names = costly_tests(&Repo::find().unwrap()).unwrap();
        let wanted = "every_fixture_that_can_be_read_is_drawn";
        assert!(names.len() > 20 && names.iter().any(|name| name == wanted), "{names:?}");
    }

    #[test]
    fn modules_that_read_other_peoples_files_are_tried_without_them() {
        let modules = readers_of_corpus(&Repo::find().unwrap()).unwrap();
        assert!(
            ["edit::formats::", "vmd::corpus::", "hostile::"]
                .iter()
                .all(|name| modules.contains(&(*name).to_owned()))
        );
        assert!(!modules.contains(&"registry::".to_owned()), "{modules:?}");
    }

    #[test]
    fn only_crates_with_features_of_the_command_have_a_test_program_for_them() {
        let repo = Repo::find().unwrap();
        let has_program = |package: &&serde_json::Value| {
            let targets = package["targets"].as_array().unwrap();
            targets.iter().any(|target| target["name"] == OF_FEATURES && target["kind"][0] == "test")
        };
        let names = repo.packages.iter().filter(has_program).map(|package| package["name"].as_str().unwrap());
        let names: Vec<_> = names.collect();
        assert!(!names.is_empty() && names.iter().all(|name| WITH_MORE_FEATURES.contains(name)), "{names:?}");
    }

    #[test]
    fn a_test_that_was_skipped_several_times_is_one_test() {
        let tally = Tally { passed: 5, failed: 0, skipped: 1 };
        let counted = without_skipped(tally, "a: no corpus\nb: no corpus\na: no tool\n", true);
        assert_eq!(counted, Tally { passed: 3, failed: 0, skipped: 3 });
    }
}
