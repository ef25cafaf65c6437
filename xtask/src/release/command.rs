//! The command as an archive: the program, the viewer beside it, completions and manual pages.

use super::artifacts::{Artifacts, is_small};
use super::glibc;
use super::licences;
use super::stranger::{SAMPLE, Stopwatch, run};
use crate::client_packages;
use crate::repo::{self, Outcome};
use crate::tally::Tally;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Programs that are in it.
const PROGRAMS: [&str; 2] = [repo::COMMAND, "dopesheet-viewer"];
/// The crates that they are, with their features.
const OWN: [licences::Own; 2] = [("apps/cli", &["table"]), ("apps/viewer", &[])];
const SHELLS: [(&str, &str); 4] = [
    ("bash", "dopesheet.bash"),
    ("zsh", "_dopesheet"),
    ("fish", "dopesheet.fish"),
    ("powershell", "dopesheet.ps1"),
];
/// Verbs that have a manual page of their own; the page of the program names them all.
const VERBS: [&str; 10] =
    ["info", "check", "convert", "edit", "sample", "table", "diff", "plot", "render", "view"];
/// The most that the archive may take.
const MOST_BYTES: u64 = 15_000_000;

/// Builds the programs and packs them; with `check`, unpacks them into an empty folder and converts a sample.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let zig = to.zig()?;
    let packages = ["--package", "dopesheet-cli", "--package", "dopesheet-viewer"];
    let mut build = to.build(zig.as_ref(), &packages)?;
    if !repo::run("programs", build.args(["--features", "dopesheet-cli/table"]))? {
        return Ok(Tally::one(false));
    }
    let name = format!("dopesheet-{}-{}", to.version, to.host()?);
    let around = to.empty("command")?;
    let folder = around.join(&name);
    fs::create_dir_all(folder.join("completions"))?;
    fs::create_dir_all(folder.join("man"))?;
    for program in PROGRAMS {
        let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        fs::copy(to.programs()?.join(&file), folder.join(file))?;
    }
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(to.repo.root.join(file), folder.join(file))?;
    }
    let program = folder.join(format!("{}{}", repo::COMMAND, std::env::consts::EXE_SUFFIX));
    for (shell, file) in SHELLS {
        fs::write(folder.join("completions").join(file), said(&program, &["completions", shell])?)?;
    }
    fs::write(folder.join("man/dopesheet.1"), said(&program, &["man"])?)?;
    for verb in VERBS {
        fs::write(folder.join(format!("man/dopesheet-{verb}.1")), said(&program, &["man", verb])?)?;
    }
    let mut tally = Tally::one(licences::gather(to, &OWN, &to.host()?, &folder)?);
    if zig.is_some() {
        tally += Tally::one(glibc::is_old_enough(&folder, &PROGRAMS)?);
    }
    let archive = to.pack(&around, &name)?;
    tally += Tally::one(is_small(&archive, MOST_BYTES)?);
    tally += Tally::one(is_found_by_binstall(to, &archive, &name)?);
    if check {
        tally += tried(to, &archive, &name)?;
    }
    Ok(tally)
}

/// True if `cargo binstall`, by what the manifest tells it, asks for this archive and finds the programs in it.
fn is_found_by_binstall(to: &Artifacts<'_>, archive: &Path, folder: &str) -> Outcome<bool> {
    let package = to.repo.packages.iter().find(|package| package["name"] == "dopesheet-cli");
    let binstall = package
        .map(|package| &package["metadata"]["binstall"])
        .ok_or("the workspace has no dopesheet-cli")?;
    let words = [
        ("{ repo }", "REPOSITORY"),
        ("{ version }", &to.version),
        ("{ target }", &to.host()?),
        ("{ bin }", repo::COMMAND),
        ("{ binary-ext }", std::env::consts::EXE_SUFFIX),
    ];
    let filled = |field: &str| {
        let text = binstall[field].as_str().unwrap_or_default().to_owned();
        words.iter().fold(text, |text, (word, value)| text.replace(word, value))
    };
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let wanted = [
        ("pkg-url", format!("REPOSITORY/releases/download/v{}/{name}", to.version)),
        ("bin-dir", format!("{folder}/{}{}", repo::COMMAND, std::env::consts::EXE_SUFFIX)),
        ("pkg-fmt", "txz".to_owned()),
    ];
    let mut all_found = true;
    for (field, wanted) in wanted.iter().filter(|(field, wanted)| filled(field) != *wanted) {
        println!("FAILED: {field} of cargo binstall: expected {wanted}, found {}", filled(field));
        all_found = false;
    }
    Ok(all_found)
}

/// The output of a program.
fn said(program: &Path, words: &[&str]) -> Outcome<Vec<u8>> {
    let output = Command::new(program).args(words).output()?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{} {}: {}", program.display(), words.join(" "), output.status).into()),
    }
}

fn tried(to: &Artifacts<'_>, archive: &Path, name: &str) -> Outcome<Tally> {
    let mut watch = Stopwatch::start();
    let Some(folder) = to.unpack(archive, "command-tried")? else { return Ok(Tally::one(false)) };
    watch.installed();
    fs::copy(to.repo.root.join("samples").join(SAMPLE), folder.join(SAMPLE))?;
    let program = folder.join(name).join(repo::COMMAND);
    let words = ["convert", SAMPLE, "-m", "standard", "-o", "bow.glb"];
    let mut tally = Tally::one(run("convert", Command::new(&program).args(words), &folder)?);
    watch.first_result("command");
    tally +=
        Tally::one(run("table", Command::new(&program).args(["table", SAMPLE, "-o", "t.parquet"]), &folder)?);
    // A window needs a screen; that the viewer can be started does not.
    let viewer = folder.join(name).join(PROGRAMS[1]);
    tally += Tally::one(run("viewer", Command::new(viewer).arg("--help"), &folder)?);
    let clients = client_packages::install(to.repo)?;
    if let Some(missing) = clients.missing(1) {
        return Ok(missing);
    }
    let mut validate = to.repo.command("node", &["clients/validate.mjs"]);
    tally += Tally::one(repo::run("validator", validate.arg(folder.join("bow.glb")))?);
    Ok(tally)
}
