//! The viewer's page as a package for Python, which shows clips in notebooks.

use super::artifacts::{Artifacts, files_below, is_small};
use super::licences;
use super::page;
use super::stranger::{Stopwatch, run};
use crate::client_packages;
use crate::repo::{self, Outcome};
use crate::tally::Tally;
use crate::wasm_bindgen::TARGET;
use crate::web;
use crate::wheel::{self, HOW_TO_GET_PYTHON};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most that the package may take.
const MOST_BYTES: u64 = 8_000_000;
/// What it is made from.
const FOLDER: &str = "apps/viewer/wheel";
/// Name of its module.
const MODULE: &str = "dopesheet_viewer";

/// Builds it; with `check`, installs it with the wheel of this release and JupyterLab, and shows a clip there.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let Some(python) = wheel::interpreter() else {
        return Ok(Tally::missing(2, "CPython 3.11", HOW_TO_GET_PYTHON));
    };
    let Some(tools) = wheel::tools(to.repo, python)? else { return Ok(Tally::one(false)) };
    if !web::build_with(to.repo, web::PROFILE, |build| to.hide_folders(build))? {
        return Ok(Tally::one(false));
    }
    let project = project(to)?;
    if !licences::gather(to, &page::OWN, TARGET, &project)? {
        return Ok(Tally::one(false));
    }
    let mut pack = tools.python(to.repo, &["-m", "flit_core.wheel", "--outdir"]);
    if !repo::run("notebook package", pack.arg(&to.folder).arg(&project))? {
        return Ok(Tally::one(false));
    }
    let package = to.folder.join(format!("{MODULE}-{}-py3-none-any.whl", to.version));
    let mut tally = Tally::one(is_small(&package, MOST_BYTES)?);
    if check {
        tally += Tally::one(to.is_clean(&package, "notebook")?);
        tally += tried(to, python, &package)?;
    }
    Ok(tally)
}

/// The folder that it is built from: the module, the page and the version of the workspace, which stands in one place.
fn project(to: &Artifacts<'_>) -> Outcome<PathBuf> {
    let (sources, folder) = (to.repo.root.join(FOLDER), to.empty("notebook-project")?);
    let page = folder.join(MODULE).join("page");
    fs::create_dir_all(&page)?;
    for file in files_below(&sources.join(MODULE))? {
        let name = file.file_name().unwrap_or_default();
        if file.extension().is_some_and(|extension| extension == "py" || extension == "typed") {
            fs::copy(&file, folder.join(MODULE).join(name))?;
        }
    }
    for file in files_below(&web::folder(to.repo))? {
        fs::copy(&file, page.join(file.file_name().unwrap_or_default()))?;
    }
    for (from, name) in
        [(&sources, "README.md"), (&to.repo.root, "LICENSE-MIT"), (&to.repo.root, "LICENSE-APACHE")]
    {
        fs::copy(from.join(name), folder.join(name))?;
    }
    let manifest = fs::read_to_string(sources.join("pyproject.toml"))?;
    let versioned = manifest.replacen("\nversion = \"0\"\n", &format!("\nversion = \"{}\"\n", to.version), 1);
    fs::write(folder.join("pyproject.toml"), versioned)?;
    Ok(folder)
}

fn tried(to: &Artifacts<'_>, python: &str, package: &Path) -> Outcome<Tally> {
    let wheel = wheel_of_release(to)?;
    let folder = to.empty("notebook-tried")?;
    let mut watch = Stopwatch::start();
    if !run("environment", Command::new(super::python::which(python)?).args(["-m", "venv", "own"]), &folder)?
    {
        return Ok(Tally::one(false));
    }
    let interpreter = folder.join(if cfg!(windows) { "own/Scripts/python.exe" } else { "own/bin/python" });
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let mut install_own = Command::new(&interpreter);
    install_own.args(install).arg(package).arg(format!("dopesheet[notebook] @ file://{}", wheel.display()));
    if !run("install", &mut install_own, &folder)? {
        return Ok(Tally::one(false));
    }
    watch.installed();
    let list = to.repo.root.join("clients/notebook/requirements.txt");
    if !run("JupyterLab", Command::new(&interpreter).args(install).arg("--requirement").arg(list), &folder)? {
        return Ok(Tally::missing(
            1,
            "a package of clients/notebook",
            "run the task again with a connection",
        ));
    }
    if let Some(missing) = client_packages::install(to.repo)?.missing(1) {
        return Ok(missing);
    }
    let mut test = to.repo.command("node", &["--test", "test/notebook.test.mjs"]);
    test.current_dir(to.repo.root.join("clients")).env("DOPESHEET_NOTEBOOK", &interpreter);
    let worked = repo::run("notebook in a browser", &mut test)?;
    watch.first_result("notebook");
    Ok(Tally::one(worked))
}

/// The wheel that was made before this.
fn wheel_of_release(to: &Artifacts<'_>) -> Outcome<PathBuf> {
    let start = format!("dopesheet-{}-", to.version);
    let is_it = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&start) && name.ends_with(".whl")
    };
    let wheel = files_below(&to.folder)?.into_iter().find(is_it);
    Ok(wheel.ok_or("no wheel of the package; make it first with `cargo xtask release python`")?)
}
