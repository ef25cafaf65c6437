//! `cargo xtask test`: everything that has to hold before a change is kept, by what it costs.

mod beside;
pub(crate) mod clients;
mod interop;
mod machines;
pub(crate) mod npm;
pub(crate) mod python;
mod rust;
mod tables;

pub(crate) use rust::{WITH_MORE_FEATURES, core_packages, run_for as properties};

use crate::interop::honesty::{self, Extent};
use crate::interop::in_blender;
use crate::repo::{Outcome, QUICK_WASM, Repo, command_build};
use crate::tally::{Parts, Tally};
use crate::{client_packages, fuzz, generate, lab};
use beside::Beside;

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// The libraries, the formats and the command; what runs when nothing is named
    Core,
    /// Tests of these that cost too much before each change: counted instructions, properties tried very often
    Costly,
    /// Tests of crates that read other people's files, where there are none
    Bare,
    /// What `core` leaves out: other crates, crates with all their features, and the examples in all documentation
    Workspace,
    /// Files in the repository that our own programs generate
    Generated,
    /// The feature `table`: other programs on the tables that the command writes
    Tables,
    /// The wheel of bindings/python, and its tests
    Python,
    /// The package of bindings/wasm, in node, in a browser and in a Worker
    Npm,
    /// Tests of the programs in clients/
    Clients,
    /// Those programs on everything we write
    Interop,
    /// Reports of some conversions and edits, beside what readers that share no code with ours measure
    Honesty,
    /// Those of six hundred, half of them of files that a seed makes, which is another one every day
    HonestyOfToday,
    /// A few tests of bytes where the highest byte of a number comes first
    BigEndian,
    /// All tests of bytes there, and those of a machine with 32 bits
    Machines,
    /// Module and page as they are handed out, with their sizes; elsewhere they are tested as they are built quickly
    HandedOut,
    /// Property tests with twenty times the cases
    Properties,
    /// The targets in fuzz/, for a minute
    Fuzz,
    /// Two of them on FBX, a million times each, with its reader in C watched by the sanitizer of addresses
    FuzzInC,
    /// Blender on what we write and read
    Blender,
    /// Tests of lab/, and whether the samples are what its generator writes
    Lab,
}

impl Part {
    /// Parts that a contributor runs before each change.
    const USUAL: [Self; 1] = [Self::Core];
    /// Parts that CI runs besides.
    const ALL: [Self; 11] = [
        Self::Costly,
        Self::Bare,
        Self::Workspace,
        Self::Generated,
        Self::Tables,
        Self::Python,
        Self::Npm,
        Self::Clients,
        Self::Interop,
        Self::Honesty,
        Self::BigEndian,
    ];
    /// Parts that are run before a capability is called done.
    const DEEP: [Self; 8] = [
        Self::Machines,
        Self::HandedOut,
        Self::Properties,
        Self::Fuzz,
        Self::FuzzInC,
        Self::Blender,
        Self::Lab,
        Self::HonestyOfToday,
    ];

    fn name(self) -> String {
        use clap::ValueEnum as _;
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn run(self, repo: &Repo) -> Outcome<Tally> {
        match self {
            Self::Core => rust::core(repo),
            Self::Costly => rust::costly(repo),
            Self::Bare => rust::bare(repo),
            Self::Workspace => rust::workspace(repo),
            Self::Generated => generated(repo),
            Self::Tables => tables::run(repo, &mut command_build(repo)),
            Self::Python => python::run(repo, &mut command_build(repo)),
            Self::Npm => npm::run(repo, QUICK_WASM),
            Self::Clients => clients::run(repo, &client_packages::install(repo)?, &mut command_build(repo)),
            Self::Interop => interop::run(repo, &client_packages::install(repo)?, &mut command_build(repo)),
            Self::Honesty => honesty::run(repo, Extent::FIXED),
            Self::HonestyOfToday => honesty::run(repo, Extent::of_today()?),
            Self::BigEndian => machines::big_endian_subset(repo),
            Self::Machines => machines::run(repo),
            Self::HandedOut => handed_out(repo),
            Self::Properties => rust::many_cases(repo),
            Self::Fuzz => fuzz::short_run(repo),
            Self::FuzzInC => fuzz::run_in_c(repo),
            Self::Blender => in_blender(repo),
            Self::Lab => Ok(Tally::one(lab::test(repo)?)),
        }
    }
}

/// The parts that are asked for.
#[derive(clap::Args)]
pub(crate) struct Selection {
    /// Only these; by default `core`
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Parts that CI runs besides: other crates, all features, Python, npm, and the programs in clients/ on all we write
    #[arg(long)]
    all: bool,
    /// Parts that are run before a capability is called done: other machines, many random cases, the fuzzer, Blender
    #[arg(long)]
    deep: bool,
    /// Name the tests that were skipped, and why
    #[arg(long)]
    pub(crate) verbose: bool,
}

impl Selection {
    /// Everything that CI tests.
    pub(crate) const CI: [&'static [Part]; 2] = [&Part::USUAL, &Part::ALL];

    fn parts(&self) -> Vec<Part> {
        let mut parts = self.parts.clone();
        if self.all {
            parts.extend(Part::ALL);
        }
        if self.deep {
            parts.extend(Part::DEEP);
        }
        if parts.is_empty() { Part::USUAL.to_vec() } else { parts }
    }
}

/// Runs the parts that are asked for.
pub(crate) fn selected(repo: &Repo, selection: &Selection, parts: &mut Parts) {
    run(repo, &selection.parts(), parts);
}

/// Runs some parts, one after the other; beside them one that leaves all processors but one idle.
pub(crate) fn run(repo: &Repo, which: &[Part], parts: &mut Parts) {
    let (beside, in_turn): (Vec<Part>, Vec<Part>) =
        which.iter().copied().partition(|part| which.len() > 1 && *part == Part::BigEndian);
    let beside: Vec<Beside> = beside.into_iter().map(|part| Beside::start(repo, &part.name())).collect();
    for part in in_turn {
        parts.run(&part.name(), || part.run(repo));
    }
    beside.into_iter().for_each(|part| parts.add(part.finish()));
}

/// Runs the tests of the module and of the page on what a release has.
fn handed_out(repo: &Repo) -> Outcome<Tally> {
    let mut tally = npm::run(repo, crate::npm::PROFILE)?;
    tally += clients::page_of_release(repo, &client_packages::install(repo)?, &mut command_build(repo))?;
    Ok(tally)
}

/// Checks that generated files are as they would be generated now; one test for each kind.
fn generated(repo: &Repo) -> Outcome<Tally> {
    let mut tally = Tally::default();
    tally += Tally::one(lab::samples_are_untouched(repo)?);
    tally += Tally::one(generate::run(repo, true)?);
    Ok(tally)
}
