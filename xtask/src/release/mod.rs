//! `cargo xtask release`: everything that a release consists of, up to the upload; with `--check`, tried as a stranger would from each
//! artifact alone.

mod artifacts;
mod command;
mod crates;
mod glibc;
mod licences;
mod node;
mod notebook;
mod notes;
mod page;
mod python;
mod stranger;

use crate::repo::{Outcome, Repo};
use crate::tally::{Parts, Tally};
use artifacts::Artifacts;

/// A part of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// All crates, each built from its package
    Crates,
    /// The command with the viewer, completions and manual pages, as an archive
    Command,
    /// The wheel and the source distribution of the Python package
    Python,
    /// The package for npm
    Npm,
    /// The viewer's page
    Page,
    /// The page as a package for Python, which shows clips in notebooks; needs the wheel
    Notebook,
    /// The changes, from CHANGELOG.md; the list of all parts that the command is made of; and the checksums of all that is there
    Notes,
}

impl Part {
    /// In this order, because some are about what others made.
    const ALL: [Self; 7] =
        [Self::Crates, Self::Command, Self::Python, Self::Npm, Self::Page, Self::Notebook, Self::Notes];

    const fn name(self) -> &'static str {
        match self {
            Self::Crates => "crates",
            Self::Command => "command",
            Self::Python => "python",
            Self::Npm => "npm",
            Self::Page => "page",
            Self::Notebook => "notebook",
            Self::Notes => "notes",
        }
    }

    fn run(self, to: &Artifacts<'_>, check: bool) -> Outcome<Tally> {
        match self {
            Self::Crates => crates::make(to, check),
            Self::Command => command::make(to, check),
            Self::Python => python::make(to, check),
            Self::Npm => node::make(to, check),
            Self::Page => page::make(to, check),
            Self::Notebook => notebook::make(to, check),
            Self::Notes => notes::make(to),
        }
    }
}

/// The parts to make.
#[derive(clap::Args)]
pub(crate) struct Release {
    /// Only these
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Try each artifact where there is nothing else
    #[arg(long)]
    check: bool,
}

/// Makes the parts that are asked for, in target/artifacts.
pub(crate) fn run(repo: &Repo, release: &Release, parts: &mut Parts) {
    let all = release.parts.is_empty();
    if all {
        // What an earlier release left is no part of this one.
        parts.run("folder", || Artifacts::emptied(repo));
    }
    for part in Part::ALL.into_iter().filter(|part| all || release.parts.contains(part)) {
        parts.run(part.name(), || part.run(&Artifacts::new(repo)?, release.check));
    }
}
