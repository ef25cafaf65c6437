//! `dopesheet view`

use crate::args::ViewArgs;
use crate::outcome::Outcome;
use crate::{console, files};
use dopesheet::{Error, json::SCHEMA_VERSION};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the viewer's program.
const VIEWER: &str = "dopesheet-viewer";

/// Runs the viewer, and waits until it is closed.
pub(crate) fn run(args: &ViewArgs) -> Result<Outcome, Error> {
    let (refused, inputs): (Vec<_>, Vec<_>) =
        files::expand(&args.files)?.into_iter().partition(|input| input.refused.is_some());
    for (input, error) in refused.iter().filter_map(|input| Some((input, input.refusal()?))) {
        console::complain_of(&input.name(), &error);
    }
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    let paths: Vec<PathBuf> = inputs.into_iter().map(|input| input.path).collect();
    let Some(viewer) = find() else {
        console::complain(&format!(
            "the program {VIEWER} is neither beside dopesheet nor on the path; it is in the archive of a release (`cargo binstall` leaves \
             it out), or build it with `cargo install --path apps/viewer`"
        ));
        return Ok(Outcome::Failed);
    };
    let started = Command::new(&viewer).args(&paths).status();
    let status = started.map_err(|source| Error::Io { path: viewer.clone(), source })?;
    if args.json {
        let files: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        let summary =
            json!({"schema_version": SCHEMA_VERSION, "viewer": viewer.to_string_lossy(), "files": files});
        console::line(&summary.to_string())?;
    }
    Ok(if status.success() && refused.is_empty() { Outcome::Done } else { Outcome::Failed })
}

/// Path of the viewer: beside this program, or else on the search path.
fn find() -> Option<PathBuf> {
    let name = format!("{VIEWER}{}", std::env::consts::EXE_SUFFIX);
    let this_program = std::env::current_exe().ok();
    let beside = this_program.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(std::env::split_paths(&path));
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}
