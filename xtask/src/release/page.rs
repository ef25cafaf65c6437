//! The viewer's page, for any host of static files.

use super::artifacts::{Artifacts, files_below};
use super::licences;
use super::stranger::Stopwatch;
use crate::client_packages;
use crate::repo::{self, Outcome};
use crate::tally::Tally;
use crate::wasm_bindgen::TARGET;
use crate::web;
use std::fs;

/// The crate that it is.
pub(super) const OWN: [licences::Own; 1] = [("apps/viewer", &[])];

/// Builds and packs it; with `check`, opens what was packed in a browser.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    if !web::build_with(to.repo, web::PROFILE, |build| to.hide_folders(build))? {
        return Ok(Tally::one(false));
    }
    let name = format!("dopesheet-page-{}", to.version);
    let around = to.empty("page")?;
    let folder = around.join(&name);
    fs::create_dir_all(&folder)?;
    for file in files_below(&web::folder(to.repo))? {
        fs::copy(&file, folder.join(file.file_name().unwrap_or_default()))?;
    }
    if !licences::gather(to, &OWN, TARGET, &folder)? {
        return Ok(Tally::one(false));
    }
    let archive = to.pack(&around, &name)?;
    if !check {
        return Ok(Tally::one(true));
    }
    let mut watch = Stopwatch::start();
    let Some(unpacked) = to.unpack(&archive, "page-tried")? else { return Ok(Tally::one(false)) };
    watch.installed();
    if let Some(missing) = client_packages::install(to.repo)?.missing(1) {
        return Ok(missing);
    }
    let pattern = "^(the page is small|the page starts at once|the figure is as its pictures have it|every sample is opened)$";
    let mut test =
        to.repo.command("node", &["--test", "--test-name-pattern", pattern, "test/viewer.test.mjs"]);
    test.current_dir(to.repo.root.join("clients")).env("DOPESHEET_PAGE", unpacked.join(&name));
    test.env("DOPESHEET", to.programs()?.join(repo::COMMAND));
    // Without a browser they would be left out, and nothing would have been tried.
    test.env("CI", "true");
    let worked = repo::run("page in a browser", &mut test)?;
    watch.first_result("page with all samples");
    Ok(Tally::one(worked))
}
