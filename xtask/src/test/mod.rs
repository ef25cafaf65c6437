//! `cargo xtask test`: everything that has to hold before a change is kept.

mod clients;
mod interop;
mod rust;

use crate::repo::{Outcome, Repo};
use crate::tally::Tally;

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Tests and doctests of all crates
    Crates,
    /// Tests of the programs in clients/
    Clients,
    /// Those programs on everything we write
    Interop,
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Crates, Self::Clients, Self::Interop];
}

/// Runs the tests of some parts and counts them.
pub(crate) fn run(repo: &Repo, parts: &[Part]) -> Outcome<Tally> {
    let mut tally = Tally::default();
    if parts.contains(&Part::Crates) {
        tally += rust::run(repo)?;
    }
    if parts == [Part::Crates] {
        return Ok(tally);
    }
    let clients = clients::install(repo)?;
    if parts.contains(&Part::Clients) {
        tally += clients::run(repo, &clients)?;
    }
    if parts.contains(&Part::Interop) {
        tally += interop::run(repo, &clients)?;
    }
    Ok(tally)
}
