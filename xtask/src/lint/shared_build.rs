//! The one build of several tasks: where two of them ask for other features of a crate, it and everything above it is built twice.

use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::test::{WITH_MORE_FEATURES, core_packages};
use crate::wheel;
use std::collections::BTreeSet;
use std::process::Command;

/// Arguments for cargo that select the Python package as its tests build it.
const WHEEL: [&str; 4] = ["--package", "dopesheet-python", "--features", wheel::SHARED_BUILD];
/// Small crates of others that programs of ours ask more of than tests do.
const OF_TOOLS: [&str; 2] = ["console", "semver"];
/// Crates of ours that have fewer features in it, and are built for it alone.
const OF_WHEEL: [&str; 3] = ["dopesheet", "dopesheet-numpy", "dopesheet-python"];

/// Checks that the tests of the core, those of all other crates, and the wheel for tests, are made of what the tests of the whole workspace
/// are made of.
pub(super) fn run(repo: &Repo) -> Outcome<Tally> {
    let with_tests = "normal,build,dev";
    let whole = crates(tree(repo, with_tests).arg("--workspace").args(repo::all_features()))?;
    let packages = core_packages(repo).into_iter().flat_map(|name| ["--package", name]);
    let core = crates(tree(repo, with_tests).args(packages))?;
    let wheel = crates(tree(repo, "normal,build").args(WHEEL))?;
    let packages = core_packages(repo).into_iter().flat_map(|name| ["--exclude", name]);
    let tools = crates(tree(repo, with_tests).arg("--workspace").args(packages))?;
    let mut tally = Tally::one(is_part(&core, &whole, &WITH_MORE_FEATURES));
    tally += Tally::one(is_part(&tools, &whole, &OF_TOOLS));
    tally += Tally::one(is_part(&wheel, &whole, &OF_WHEEL));
    Ok(tally)
}

/// True if all crates but those named are also in the whole; says which are not.
fn is_part(own: &BTreeSet<String>, whole: &BTreeSet<String>, but: &[&str]) -> bool {
    let is_named = |line: &&String| line.split(' ').next().is_some_and(|name| but.contains(&name));
    let extra: Vec<_> = own.difference(whole).filter(|line| !is_named(line)).collect();
    extra.iter().for_each(|line| println!("crates/testkit/Cargo.toml: ask for more features than {line}"));
    extra.is_empty()
}

fn tree(repo: &Repo, edges: &str) -> Command {
    let arguments =
        ["tree", "--locked", "--prefix", "none", "--no-dedupe", "--format", "{p} [{f}]", "--edges", edges];
    repo.command("cargo", &arguments)
}

/// Each crate with its features; twice where the machine that builds asks for others than the one that runs.
fn crates(tree: &mut Command) -> Outcome<BTreeSet<String>> {
    let output = tree.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_with_other_features_is_built_twice() {
        let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<BTreeSet<_>>();
        let whole = set(&["serde v1 [derive,std]", "dopesheet v0.1.0 (here) [fbx]"]);
        assert!(is_part(&set(&["serde v1 [derive,std]"]), &whole, &[]));
        assert!(!is_part(&set(&["serde v1 [std]"]), &whole, &["dopesheet"]));
        assert!(is_part(&set(&["dopesheet v0.1.0 (here) []"]), &whole, &["dopesheet"]));
    }
}
