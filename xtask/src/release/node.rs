//! The package for npm.

use super::artifacts::{Artifacts, is_small};
use super::licences;
use crate::npm;
use crate::repo::Outcome;
use crate::tally::Tally;
use crate::test::npm as npm_tests;
use crate::wasm_bindgen::TARGET;
use std::fs;
use std::io::Read as _;
use std::path::Path;

/// The most that the package may take.
const MOST_BYTES: u64 = 2_250_000;

/// Packs it; with `check`, installs it into an empty project, which is built with Vite and moves a figure in a browser.
pub(super) fn make(to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
    let licences = |folder: &Path| licences::gather(to, &[("bindings/wasm", &[])], TARGET, folder);
    let package = npm::pack_with(to.repo, npm::PROFILE, |build| to.hide_folders(build), licences)?;
    let Some(package) = package else { return Ok(Tally::one(false)) };
    let package = to.take(&package)?;
    compress(&package)?;
    let mut tally = Tally::one(is_small(&package, MOST_BYTES)?);
    if check {
        tally += Tally::one(to.is_clean(&package, "npm")?);
        tally += npm_tests::of_package(to.repo, &package, npm::PROFILE)?;
    }
    Ok(tally)
}

/// Compresses a gzip file anew, as small as gzip goes: half a minute here, for a twentieth less to fetch for everybody.
fn compress(file: &Path) -> Outcome<()> {
    let (packed, mut whole) = (fs::read(file)?, Vec::new());
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut whole)?;
    let mut smaller = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, whole.as_slice(), &mut smaller)?;
    Ok(fs::write(file, smaller)?)
}
