//! `cargo xtask web`: the viewer as a folder that any host of static files can serve.

use crate::client_packages::{self, Clients};
use crate::repo::{self, Outcome, Repo};
use crate::wasm_bindgen::{self, TARGET};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the page's script.
const NAME: &str = "viewer";
/// The profile of the page, in Cargo.toml.
pub(crate) const PROFILE: &str = "web";
/// Instructions that every browser of today has: eight lanes are worth a third of the time that vertices take.
const RUSTFLAGS: &str = "-C target-feature=+simd128";
/// The motion for whoever has no file of their own.
const SAMPLE: &str = "walk.vmd";
/// The package of the fonts that egui is written with, and the licences of those that the page loads, below its folder.
const FONTS: &str = "epaint_default_fonts";
const FONT_LICENCES: [(&str, &str); 3] = [
    ("fonts/UFL.txt", "text.LICENSE.txt"),
    ("fonts/Hack-Regular.txt", "mono.LICENSE.txt"),
    ("fonts/emoji-icon-font-mit-license.txt", "icons.LICENSE.txt"),
];
/// A font with Japanese glyphs, and its licence, among the packages of clients/; where the page looks for them.
const FONT: [(&str, &str); 2] = [
    ("node_modules/@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf", "japanese.ttf"),
    ("node_modules/@expo-google-fonts/biz-udpgothic/LICENSE_FONT", "japanese.LICENSE.txt"),
];

/// The folder that is made.
pub(crate) fn folder(repo: &Repo) -> PathBuf {
    repo.target.join("web")
}

/// Builds it. Whether it could be built.
pub(crate) fn run(repo: &Repo) -> Outcome<bool> {
    build_with(repo, PROFILE, |_| {})
}

/// As [`run`], in a profile, with more that the build is told.
pub(crate) fn build_with(repo: &Repo, profile: &str, tell: impl FnOnce(&mut Command)) -> Outcome<bool> {
    if let Some([what, how]) = wasm_bindgen::lacking(repo, crate::tally::in_ci())? {
        return Err(format!("{what} is not there; {how}").into());
    }
    let arguments = ["build", "--package", "dopesheet-viewer", "--target", TARGET, "--profile", profile];
    // A folder of its own: other flags would otherwise build everything anew each time.
    let target = repo.target.join("wasm");
    let mut build = repo.command("cargo", &arguments);
    build.env("RUSTFLAGS", RUSTFLAGS).env("CARGO_TARGET_DIR", &target);
    tell(&mut build);
    if !repo::run("viewer", &mut build)? {
        return Ok(false);
    }
    let folder = folder(repo);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let program = target.join(TARGET).join(profile).join("dopesheet-viewer.wasm");
    if !wasm_bindgen::web(repo, &program, &folder, NAME, &["fonts"])? {
        return Ok(false);
    }
    for name in ["index.html", "page.css", "start.js", "worker.js"] {
        std::fs::copy(repo.root.join("apps/viewer/web").join(name), folder.join(name))?;
    }
    std::fs::copy(repo.root.join("samples").join(SAMPLE), folder.join(SAMPLE))?;
    font_licences(repo, &folder)?;
    font(repo, &folder)?;
    sizes(&folder)?;
    Ok(true)
}

/// Puts the licences beside the fonts that come with egui.
fn font_licences(repo: &Repo, folder: &Path) -> Outcome<()> {
    let output = repo.command("cargo", &["metadata", "--locked", "--format-version", "1"]).output()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest =
        packages.find(|package| package["name"] == FONTS).and_then(|p| p["manifest_path"].as_str());
    let manifest = PathBuf::from(manifest.ok_or_else(|| format!("cargo metadata names no {FONTS}"))?);
    for (from, to) in FONT_LICENCES {
        std::fs::copy(manifest.with_file_name(from), folder.join(to))?;
    }
    Ok(())
}

/// Puts the font beside the page. Without it browsers draw Japanese in a font of their own, where they have one.
fn font(repo: &Repo, folder: &Path) -> Outcome<()> {
    let Clients::Ready = client_packages::install(repo)? else {
        println!("SKIPPED: japanese.ttf, which comes from a package of clients/ (node and npm are needed)");
        return Ok(());
    };
    for (from, to) in FONT {
        std::fs::copy(repo.root.join("clients").join(from), folder.join(to))?;
    }
    Ok(())
}

/// Says how large each file is; as a host sends it, programs are about a third of that.
fn sizes(folder: &Path) -> Outcome<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        println!("{:>10} bytes  {}", entry.metadata()?.len(), entry.file_name().to_string_lossy());
    }
    println!("the page is in {}", folder.display());
    Ok(())
}
