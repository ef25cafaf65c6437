//! `cargo xtask lint`: what can be said without running anything.

mod licences;
mod shared_build;

pub(crate) use licences::accepted as accepted_licences;

use crate::lab;
use crate::repo::{self, Outcome, Repo};
use crate::tally::{self, Parts, Tally};
use crate::tidy;
use serde_json::Value;

/// Where a library has no files, no threads and no clock.
const WASM: &str = crate::wasm_bindgen::TARGET;

/// Runs every check, each counted as one.
pub(crate) fn run(repo: &Repo, parts: &mut Parts) {
    parts.run("tidy", || Ok(Tally::one(tidy::run(repo)?)));
    parts.run("licences", || Ok(Tally::one(licences::run(repo)?)));
    parts.run("toolchain", || toolchain(repo));
    parts.run("formatting", || {
        let mut tally = cargo(repo, "formatting", "fmt --all --check")?;
        tally += cargo(
            repo,
            "formatting of lab",
            "fmt --manifest-path lab/Cargo.toml -p dopesheet-bench -p dopesheet-samples --check",
        )?;
        Ok(tally)
    });
    // All targets: examples and benches have to compile too.
    parts.run("clippy", || {
        let [features, all] = repo::all_features();
        cargo(repo, "lints", &format!("clippy --workspace --all-targets {features} {all} -- -D warnings"))
    });
    parts.run("lab", || {
        let mut clippy = lab::cargo(repo, "clippy");
        Ok(Tally::one(repo::run("lints of lab", clippy.args(["--all-targets", "--", "-D", "warnings"]))?))
    });
    parts.run("documentation", || documentation(repo));
    parts.run("features", || each_feature(repo));
    parts.run("shared build", || shared_build::run(repo));
    parts.run("wasm", || wasm(repo));
}

fn cargo(repo: &Repo, what: &str, arguments: &str) -> Outcome<Tally> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    Ok(Tally::one(repo::run(what, &mut repo.command("cargo", &arguments))?))
}

fn documentation(repo: &Repo) -> Outcome<Tally> {
    let mut command = repo.command("cargo", &["doc", "--workspace", "--no-deps"]);
    Ok(Tally::one(repo::run("documentation", command.env("RUSTDOCFLAGS", "-D warnings"))?))
}

/// The facade with each of its features alone, and with none: it compiles without a warning.
fn each_feature(repo: &Repo) -> Outcome<Tally> {
    // As `cargo check`, which has no way to fail for a warning in one crate.
    let alone = "rustc --profile check --package dopesheet --lib --no-default-features";
    let mut tally = cargo(repo, "no feature", &format!("{alone} -- -D warnings"))?;
    for feature in features(repo) {
        let arguments = format!("{alone} --features {feature} -- -D warnings");
        tally += cargo(repo, &format!("feature {feature} alone"), &arguments)?;
    }
    Ok(tally)
}

/// The features of the facade, from its manifest.
fn features(repo: &Repo) -> Vec<String> {
    let facade = repo.packages.iter().find(|p| p["name"] == "dopesheet");
    let features = facade.and_then(|p| p["features"].as_object());
    features.into_iter().flatten().map(|(name, _)| name.clone()).filter(|f| f != "default").collect()
}

/// CI has to run on the oldest Rust that everything is promised for; elsewhere any newer one will do. What needs less than that is built
/// with less when crates are released.
fn toolchain(repo: &Repo) -> Outcome<Tally> {
    let output = repo.command("rustc", &["--version"]).output()?;
    let version = String::from_utf8(output.stdout)?;
    let promised = repo.packages.iter().filter_map(repo::oldest_rust);
    let promised = promised.max_by_key(|version| numbers(version)).ok_or("no rust-version in Cargo.toml")?;
    if is_release(&version, promised) {
        return Ok(Tally::one(true));
    }
    println!("\n── toolchain: the manifest promises Rust {promised}, this is {}", version.trim());
    Ok(if tally::in_ci() { Tally::one(false) } else { Tally { skipped: 1, ..Tally::default() } })
}

/// The numbers of a version, for comparing.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|number| number.parse().ok()).collect()
}

/// True if `rustc 1.95.0 (…)` is some release of `1.95`.
fn is_release(version: &str, of: &str) -> bool {
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    number == of || number.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'))
}

/// The library crates, for a machine without an operating system.
fn wasm(repo: &Repo) -> Outcome<Tally> {
    if !repo::has_target(repo, WASM, tally::in_ci())? {
        let how = format!("get it with `rustup target add {WASM}`");
        return Ok(Tally::missing(1, &format!("the target {WASM}"), &how));
    }
    let mut command = repo.command("cargo", &["check", "--target", WASM]);
    let needs_c = needing_c(repo);
    let is_portable =
        |p: &&Value| is_library(repo, p) && !needs_c.iter().any(|name| p["name"] == name.as_str());
    for library in repo.packages.iter().filter(is_portable) {
        command.arg("--package").arg(library["name"].as_str().unwrap_or_default());
    }
    Ok(Tally::one(repo::run("wasm", &mut command)?))
}

fn is_library(repo: &Repo, package: &Value) -> bool {
    let folder = repo.folder_of(package);
    // `publish: []` means that it is not published: it serves tests and tasks, which need files.
    let is_published = package["publish"].as_array().is_none_or(|registries| !registries.is_empty());
    is_published && (folder.starts_with("crates/") || folder.starts_with("formats/"))
}

/// The formats that are not among the facade's feature `without-c`: those that are compiled from C, for which that machine has no
/// library.
fn needing_c(repo: &Repo) -> Vec<String> {
    let facade = repo.packages.iter().find(|p| p["name"] == "dopesheet");
    let without_c = facade.map_or(&Value::Null, |p| &p["features"]["without-c"]);
    let without_c: Vec<&str> = without_c.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    features(repo)
        .into_iter()
        .filter(|f| !without_c.contains(&f.as_str()))
        .map(|f| format!("dopesheet-{f}"))
        .filter(|name| repo.packages.iter().any(|p| p["name"] == name.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_told_from_one_that_starts_with_the_same_digits() {
        assert!(numbers("1.100") > numbers("1.95.1"));
        assert!(is_release("rustc 1.95.0 (f2d3ce0bd 2026-03-21)", "1.95"));
        assert!(is_release("rustc 1.95.0", "1.95.0"));
        assert!(!is_release("rustc 1.9.5", "1.95"));
        assert!(!is_release("rustc 1.951.0", "1.95"));
    }

    #[test]
    fn only_what_is_compiled_from_c_is_left_out_of_wasm() {
        assert_eq!(needing_c(&Repo::find().unwrap()), ["dopesheet-fbx"]);
    }

    #[test]
    fn the_facade_has_a_feature_for_each_family() {
        let repo = Repo::find().unwrap();
        assert!(features(&repo).len() >= 3, "{:?}", features(&repo));
    }
}
