//! `cargo xtask interop`: what takes too long, or needs too much, to be tried before every change.

mod blender;
mod fbx;
mod kills;
mod scaling;

use crate::repo::{Outcome, Repo};
use crate::tally::Tally;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Blender on what we write and read
    Blender,
    /// Blender's importers of FBX on the corpus of ufbx, beside our reading
    Fbx,
    /// A run over ten thousand files, killed at twenty random moments
    Kills,
    /// The recipe for Ray Data, with a worker killed
    Ray,
    /// The recipe for PySpark, with a worker killed
    Spark,
}

impl Part {
    const ALL: [Self; 5] = [Self::Blender, Self::Fbx, Self::Kills, Self::Ray, Self::Spark];
}

/// Tries some parts; all if none is named. `seed` decides where runs are killed.
pub(crate) fn run(repo: &Repo, parts: &[Part], seed: u64, tally: &mut Tally) -> Outcome<()> {
    for part in if parts.is_empty() { &Part::ALL[..] } else { parts } {
        *tally += match part {
            Part::Blender => blender::run(repo)?,
            Part::Fbx => fbx::run(repo)?,
            Part::Kills => Tally::one(kills::run(repo, seed)?),
            Part::Ray => scaling::run(repo, "ray")?,
            Part::Spark => scaling::run(repo, "spark")?,
        };
    }
    Ok(())
}
