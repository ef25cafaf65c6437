//! `cargo xtask npm`: bindings/wasm as the package that `npm publish` would send, in target/npm.

use crate::repo::{self, Outcome, Repo};
use crate::wasm_bindgen;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate with the native half.
const CRATE: &str = "dopesheet-wasm";
/// The profile that makes small modules.
pub(crate) const PROFILE: &str = "wasm";
/// Name of the module in the package; `js/` imports it under this name.
const MODULE: &str = "native";

/// Builds and packs. Whether that worked.
pub(crate) fn run(repo: &Repo) -> Outcome<bool> {
    let Some(package) = pack(repo, PROFILE)? else { return Ok(false) };
    let module = repo.target.join("npm/package").join(format!("{MODULE}_bg.wasm"));
    let kilobytes = |path: &Path| fs::metadata(path).map(|about| about.len().div_ceil(1000));
    println!(
        "\n{}: {} kB, with a module of {} kB",
        package.display(),
        kilobytes(&package)?,
        kilobytes(&module)?
    );
    Ok(true)
}

/// Builds the module in a profile and packs it with its JavaScript. `None` if something failed, which has been said.
pub(crate) fn pack(repo: &Repo, profile: &str) -> Outcome<Option<PathBuf>> {
    pack_with(repo, profile, |_| {}, |_| Ok(true))
}

/// As [`pack`], with more that the build is told, and more that is put into the package's folder.
pub(crate) fn pack_with(
    repo: &Repo,
    profile: &str,
    tell: impl FnOnce(&mut Command),
    put: impl FnOnce(&Path) -> Outcome<bool>,
) -> Outcome<Option<PathBuf>> {
    if let Some([what, how]) = wasm_bindgen::lacking(repo, true)? {
        return Err(format!("{what} is not there; {how}").into());
    }
    let build = ["build", "--package", CRATE, "--target", wasm_bindgen::TARGET, "--profile", profile];
    let mut build = repo.command("cargo", &build);
    tell(&mut build);
    if !repo::run("module", &mut build)? {
        return Ok(None);
    }
    let (source, folder) = (repo.root.join("bindings/wasm"), repo.target.join("npm/package"));
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let built = if profile == repo::PROFILE { "debug" } else { profile };
    let module = repo.target.join(wasm_bindgen::TARGET).join(built).join("dopesheet_wasm.wasm");
    if !wasm_bindgen::web(repo, &module, &folder, MODULE, &[])? {
        return Ok(None);
    }
    copy_all(&source.join("js"), &folder)?;
    for (from, name) in [(&source, "README.md"), (&repo.root, "LICENSE-MIT"), (&repo.root, "LICENSE-APACHE")]
    {
        fs::copy(from.join(name), folder.join(name))?;
    }
    fs::write(folder.join("package.json"), manifest(repo, &source)?)?;
    if !put(&folder)? {
        return Ok(None);
    }
    let packed = repo.target.join("npm");
    let mut pack = repo.command("npm", &["pack", "--silent", "--pack-destination"]);
    if !repo::run("package", pack.arg(&packed).current_dir(&folder))? {
        return Ok(None);
    }
    Ok(Some(packed.join(format!("dopesheet-{}.tgz", repo.version()?))))
}

/// The package's manifest with the version of the workspace, which stands in one place.
fn manifest(repo: &Repo, own: &Path) -> Outcome<String> {
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(own.join("package.json"))?)?;
    manifest["version"] = repo.version()?.into();
    Ok(format!("{manifest:#}\n"))
}

fn copy_all(from: &Path, to: &Path) -> Outcome<()> {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}
