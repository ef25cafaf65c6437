//! The crates, as `cargo publish` would send them: each is built from its package alone, and the command with the oldest Rust.

use super::artifacts::Artifacts;
use super::stranger::{self, SAMPLE};
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Files that every package has.
const WANTED: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Fields that a package's page on crates.io is made of.
const TOLD: [&str; 4] = ["description", "repository", "license", "readme"];
const LISTED: [&str; 2] = ["keywords", "categories"];

/// Packs all of them; with `check`, builds each from its package.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let packages = published(to.repo);
    for package in &packages {
        tally += Tally::one(is_described(package));
    }
    let mut pack = to.repo.command("cargo", &["package", "--allow-dirty", "--quiet"]);
    let target = if check { to.empty("packages")? } else { to.repo.target.clone() };
    if check {
        forget_earlier(to, &packages)?;
    } else {
        pack.arg("--no-verify");
    }
    pack.env("CARGO_TARGET_DIR", &target);
    pack.args(packages.iter().flat_map(|package| ["--package", name_of(package)]));
    let packed = repo::run("packages", &mut pack)?;
    tally += Tally::one(packed);
    if !packed {
        return Ok(tally);
    }
    if check {
        tally += builds_with_the_oldest(to)?;
    }
    for package in &packages {
        let file = format!("{}-{}.crate", name_of(package), to.version);
        let archive = to.take(&target.join("package").join(&file))?;
        tally += Tally::one(has_its_files(to, &archive, &file)?);
    }
    Ok(tally)
}

/// Takes away the packages that an earlier check unpacked. Cargo knows them by name and version alone, so that crates would be built on
/// those once more; and on what was compiled of them, were it not for a target folder that is empty.
fn forget_earlier(to: &Artifacts<'_>, packages: &[&Value]) -> Outcome<()> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home =
        home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).ok_or("there is no home folder")?;
    for registry in fs::read_dir(home.join("registry/src")).into_iter().flatten().filter_map(Result::ok) {
        // Those of folders, which have no host, begin with a hyphen.
        if !registry.file_name().to_string_lossy().starts_with('-') {
            continue;
        }
        for package in packages {
            let unpacked = registry.path().join(format!("{}-{}", name_of(package), to.version));
            if unpacked.exists() {
                fs::remove_dir_all(unpacked)?;
            }
        }
    }
    Ok(())
}

/// Builds the command with the oldest Rust that its manifest promises, and converts a sample with it.
fn builds_with_the_oldest(to: &Artifacts<'_>) -> Outcome<Tally> {
    let command = to.repo.packages.iter().find(|package| package["name"] == "dopesheet-cli");
    let oldest = command.and_then(repo::oldest_rust).ok_or("dopesheet-cli promises no oldest Rust")?;
    let has_it = || repo::has("rustup", &["run", oldest, "cargo", "--version"]);
    if !has_it() && repo::has("rustup", &["--version"]) {
        let get = ["toolchain", "install", oldest, "--profile", "minimal"];
        repo::run("oldest Rust", &mut to.repo.command("rustup", &get))?;
    }
    if !has_it() {
        return Ok(Tally::missing(1, &format!("Rust {oldest}"), "get it with `rustup toolchain install`"));
    }
    let target = to.repo.target.join("release-check/oldest");
    let build = ["run", oldest, "cargo", "build", "--locked", "--package", "dopesheet-cli"];
    let mut build = to.repo.command("rustup", &build);
    // Whether it builds is asked, not how fast the result is.
    build.env("CARGO_TARGET_DIR", &target).env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    if !repo::run(&format!("command with Rust {oldest}"), &mut build)? {
        return Ok(Tally::one(false));
    }
    let folder = to.empty("oldest-tried")?;
    fs::copy(to.repo.root.join("samples").join(SAMPLE), folder.join(SAMPLE))?;
    let program = target.join("debug").join(format!("{}{}", repo::COMMAND, std::env::consts::EXE_SUFFIX));
    let convert = ["convert", SAMPLE, "-m", "standard", "-o", "bow.glb"];
    Ok(Tally::one(stranger::run("convert", std::process::Command::new(program).args(convert), &folder)?))
}

/// The members of the workspace that are published.
fn published(repo: &Repo) -> Vec<&Value> {
    let is_published = |package: &&Value| package["publish"].as_array().is_none_or(|to| !to.is_empty());
    repo.packages.iter().filter(is_published).collect()
}

fn name_of(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

fn is_described(package: &Value) -> bool {
    let lacks_text = TOLD.iter().filter(|field| package[**field].as_str().is_none_or(str::is_empty));
    let lacks_list = LISTED.iter().filter(|field| package[**field].as_array().is_none_or(Vec::is_empty));
    let lacks: Vec<_> = lacks_text.chain(lacks_list).copied().collect();
    if !lacks.is_empty() {
        println!("FAILED: {} has no {}", name_of(package), lacks.join(", no "));
    }
    lacks.is_empty()
}

fn has_its_files(to: &Artifacts<'_>, archive: &std::path::Path, file: &str) -> Outcome<bool> {
    let Some(folder) = to.unpack(archive, "crate")? else { return Ok(false) };
    let inside = folder.join(file.trim_end_matches(".crate"));
    let lacks: Vec<_> = WANTED.iter().filter(|name| !inside.join(name).is_file()).collect();
    if !lacks.is_empty() {
        println!("FAILED: {file} lacks {lacks:?}");
    }
    Ok(lacks.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_crate_is_described() {
        let repo = Repo::find().unwrap();
        let packages = published(&repo);
        assert!(packages.iter().any(|package| name_of(package) == "dopesheet-cli"));
        assert!(!packages.iter().any(|package| name_of(package) == "xtask"));
        assert!(packages.iter().all(|package| is_described(package)));
    }
}
