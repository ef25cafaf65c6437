//! The package for npm.

use super::artifacts::{Artifacts, is_small};
use crate::npm;
use crate::repo::Outcome;
use crate::tally::Tally;
use crate::test::npm as npm_tests;

/// The most that the package may take.
const MOST_BYTES: u64 = 2_000_000;
const PROFILE: &str = "wasm";

/// Packs it; with `check`, installs it into an empty project, which is built with Vite and moves a figure in a browser.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let Some(package) = npm::pack_with(to.repo, PROFILE, |build| to.hide_folders(build))? else {
        return Ok(Tally::one(false));
    };
    let package = to.take(&package)?;
    let mut tally = Tally::one(is_small(&package, MOST_BYTES)?);
    if check {
        tally += Tally::one(to.unpack(&package, "npm")?.is_some());
        tally += npm_tests::of_package(to.repo, &package)?;
    }
    Ok(tally)
}
