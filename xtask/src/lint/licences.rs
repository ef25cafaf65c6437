//! Under which licences, and from where, the crates come that we use.

use crate::repo::{Outcome, Repo};
use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::collections::{HashMap, HashSet};

/// Licences under which our own, MIT OR Apache-2.0, can be kept by everyone who uses us.
const ALLOWED: [&str; 6] = ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Unicode-3.0", "Zlib"];

/// Crates that may be under another licence, and why.
const EXCEPTIONS: [(&str, &[&str]); 7] = [
    // Part of the fuzzer, which nobody gets from us.
    ("libfuzzer-sys", &["NCSA"]),
    // The letters of the viewer: fonts may be shipped with whatever uses them, and stay under their own licence.
    ("epaint_default_fonts", &["OFL-1.1", "Ubuntu-font-1.0"]),
    // Loads the system's libraries when the viewer opens a window; the shortest of licences.
    ("libloading", &["ISC"]),
    // Copy text in the viewer's window on Windows; the licence asks nothing of programs.
    ("clipboard-win", &["BSL-1.0"]),
    ("error-code", &["BSL-1.0"]),
    // Makes a random number while Arrow's hash is built for targets that have no other source of one, and is part of nothing that is.
    ("tiny-keccak", &["CC0-1.0"]),
    // Used by PyO3 while it is built, and part of nothing that is.
    ("target-lexicon", &["Apache-2.0 WITH LLVM-exception"]),
];

/// All licences that crates which we use may have.
pub(crate) fn accepted() -> Vec<&'static str> {
    ALLOWED
        .into_iter()
        .chain(EXCEPTIONS.into_iter().flat_map(|(_, licences)| licences.iter().copied()))
        .collect()
}

/// Cargo's name of the registry of crates.io.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Looks at all crates that any feature on any system uses, but for those that only tests use and nobody gets. Whether each is one that we
/// may use; what is wrong is printed.
pub(super) fn run(repo: &Repo) -> Outcome<bool> {
    let arguments = ["metadata", "--locked", "--all-features", "--format-version", "1"];
    let output = repo.command("cargo", &arguments).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let shipped = shipped(&metadata);
    let packages: Vec<&Value> =
        list(&metadata["packages"]).iter().filter(|p| shipped.contains(text(&p["id"]))).collect();
    let faults: Vec<String> = packages.iter().flat_map(|package| faults(package)).collect();
    println!("\n── licences: {} crates", packages.len());
    faults.iter().for_each(|fault| println!("FAILED: {fault}"));
    Ok(faults.is_empty() && packages.len() > repo.packages.len())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Our own crates and whatever they are built of, as cargo has put it together, but for what only their tests use.
fn shipped(metadata: &Value) -> HashSet<&str> {
    let nodes: HashMap<&str, &[Value]> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| (text(&node["id"]), list(&node["deps"])))
        .collect();
    let mut waiting: Vec<&str> = list(&metadata["workspace_members"]).iter().map(text).collect();
    let mut shipped = HashSet::new();
    while let Some(id) = waiting.pop() {
        if shipped.insert(id) {
            let is_more = |used: &&Value| list(&used["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev");
            let used = nodes.get(id).copied().unwrap_or_default().iter().filter(is_more);
            waiting.extend(used.map(|used| text(&used["pkg"])));
        }
    }
    shipped
}

fn faults(package: &Value) -> Vec<String> {
    let name = text(&package["name"]);
    let Some(source) = package["source"].as_str() else { return wildcards(name, package) };
    let mut faults = Vec::new();
    if source != REGISTRY {
        faults.push(format!("{name}: expected a crate of crates.io, found one from {source}"));
    }
    match package["license"].as_str() {
        None => faults.push(format!("{name}: expected a licence in its manifest, found none")),
        Some(licence) if !is_allowed(name, licence) => {
            faults.push(format!("{name}: {licence} is not among the licences that we take on"));
        }
        Some(_) => {}
    }
    faults
}

/// Dependencies of ours on any version at all, but for those within the workspace.
fn wildcards(name: &str, package: &Value) -> Vec<String> {
    let is_wild = |dependency: &&Value| dependency["req"] == "*" && dependency["path"].is_null();
    let wild = list(&package["dependencies"]).iter().filter(is_wild);
    wild.map(|d| format!("{name}: expected a version of {}, found *", d["name"])).collect()
}

/// True of a crate whose licence can be met with those that are allowed to it. Older manifests part alternatives by a slash.
fn is_allowed(name: &str, licence: &str) -> bool {
    let extra = EXCEPTIONS.iter().find(|(exception, _)| *exception == name).map_or(&[][..], |(_, list)| list);
    let allowed: Vec<&str> = ALLOWED.iter().chain(extra).copied().collect();
    Expression::parse_mode(licence, ParseMode::LAX)
        .is_ok_and(|licence| licence.evaluate(|wanted| allowed.contains(&wanted.to_string().as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_of_several_licences_is_enough_where_one_may_choose() {
        assert!(is_allowed("a", "MIT OR GPL-3.0-only") && is_allowed("a", "MIT/Apache-2.0"));
        assert!(is_allowed("a", "(MIT OR GPL-3.0-only) AND Unicode-3.0"));
        assert!(!is_allowed("a", "MIT AND GPL-3.0-only") && !is_allowed("a", "what I like"));
    }

    #[test]
    fn an_exception_is_that_of_one_crate() {
        assert!(is_allowed("libloading", "ISC") && !is_allowed("a", "ISC"));
        assert!(is_allowed("target-lexicon", "Apache-2.0 WITH LLVM-exception"));
        assert!(!is_allowed("a", "Apache-2.0 WITH LLVM-exception"));
    }

    #[test]
    fn what_only_tests_use_is_shipped_to_nobody() {
        let used = |id: &str, kind: Value| json!({"pkg": id, "dep_kinds": [{"kind": kind}]});
        let nodes = json!([
            {"id": "ours", "deps": [used("built", Value::Null), used("tested", json!("dev"))]},
            {"id": "built", "deps": [used("deep", json!("build"))]},
            {"id": "tested", "deps": [used("deeper", Value::Null)]},
        ]);
        let metadata = json!({"workspace_members": ["ours"], "resolve": {"nodes": nodes}});
        assert_eq!(shipped(&metadata), HashSet::from(["ours", "built", "deep"]));
    }

    #[test]
    fn what_comes_from_elsewhere_or_says_nothing_is_a_fault() {
        let package =
            |source: &str, license: Value| json!({"name": "a", "source": source, "license": license});
        assert!(faults(&package(REGISTRY, json!("MIT"))).is_empty());
        assert_eq!(faults(&package("git+https://example.org/a", json!("MIT"))).len(), 1);
        assert_eq!(faults(&package(REGISTRY, Value::Null)).len(), 1);
    }

    #[test]
    fn a_dependency_on_any_version_is_a_fault() {
        let dependencies = json!([{"name": "b", "req": "*"}, {"name": "c", "req": "*", "path": "/c"}]);
        assert_eq!(faults(&json!({"name": "a", "source": null, "dependencies": dependencies})).len(), 1);
    }
}
