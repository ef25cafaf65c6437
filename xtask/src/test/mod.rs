//! `cargo xtask test`: everything that has to hold before a change is kept.

mod clients;
mod interop;
mod rust;

use crate::repo::{Outcome, Repo};
use crate::tally::Tally;

/// Runs all tests and counts them.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    let mut tally = rust::run(repo)?;
    let clients = clients::install(repo)?;
    tally += clients::run(repo, &clients)?;
    tally += interop::run(repo, &clients)?;
    Ok(tally)
}
