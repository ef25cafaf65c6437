//! `cargo xtask test`: everything that has to hold before a change is kept.

pub(crate) mod clients;
mod interop;
mod machines;
mod npm;
pub(crate) mod python;
mod rust;
mod tables;

pub(crate) use rust::run_for as properties;

use crate::fuzz;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Tests and doctests of all crates
    Crates,
    /// Those of the command and the facade with the features that nobody gets without asking for them
    Features,
    /// Those of what has to do with bytes, on a machine of 32 bits and on one that has the highest byte first
    Machines,
    /// The targets in fuzz/, for a minute
    Fuzz,
    /// The wheel of bindings/python, and its tests
    Python,
    /// The command with the feature `table`, and other programs on the tables that it writes
    Tables,
    /// The package of bindings/wasm, in node, in a browser and in a Worker
    Npm,
    /// Tests of the programs in clients/
    Clients,
    /// Those programs on everything we write
    Interop,
}

impl Part {
    pub(crate) const ALL: [Self; 9] = [
        Self::Crates,
        Self::Features,
        Self::Machines,
        Self::Fuzz,
        Self::Python,
        Self::Tables,
        Self::Npm,
        Self::Clients,
        Self::Interop,
    ];
}

/// Runs the tests of some parts and counts them.
pub(crate) fn run(repo: &Repo, parts: &[Part], tally: &mut Tally) -> Outcome<()> {
    if parts.contains(&Part::Crates) {
        *tally += rust::run(repo)?;
    }
    if parts.contains(&Part::Features) {
        *tally += rust::run_features(repo)?;
    }
    if parts.contains(&Part::Machines) {
        *tally += machines::run(repo)?;
    }
    if parts.contains(&Part::Fuzz) {
        *tally += fuzz::short_run(repo)?;
    }
    if parts.contains(&Part::Tables) {
        *tally += tables::run(repo)?;
    }
    if parts.contains(&Part::Npm) {
        *tally += npm::run(repo)?;
    }
    if ![Part::Python, Part::Clients, Part::Interop].iter().any(|part| parts.contains(part)) {
        return Ok(());
    }
    // Cargo builds the command once more for another selection of crates, because features then differ.
    let mut build = match parts.contains(&Part::Crates) {
        true => repo.command("cargo", &["test", "--workspace", "--no-run", "--quiet"]),
        false => repo::command_build(repo),
    };
    if parts.contains(&Part::Python) {
        *tally += python::run(repo, &mut build)?;
    }
    if !parts.contains(&Part::Clients) && !parts.contains(&Part::Interop) {
        return Ok(());
    }
    let clients = clients::install(repo)?;
    if parts.contains(&Part::Clients) {
        *tally += clients::run(repo, &clients, &mut build)?;
    }
    if parts.contains(&Part::Interop) {
        *tally += interop::run(repo, &clients, &mut build)?;
    }
    Ok(())
}
