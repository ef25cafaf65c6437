//! `cargo xtask interop`: what takes too long, or needs too much, to be tried before every change.

mod blender;
mod checkout;
mod fbx;
pub(crate) mod honesty;
mod kills;
mod pairs;
mod scaling;
mod sdk;
mod vrm;

use crate::repo::{Outcome, Repo};
use crate::tally::{Parts, Tally};
use clap::ValueEnum as _;

/// A part of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Blender on what we write and read
    Blender,
    /// Blender's importers of FBX and Autodesk's SDK on the corpus of ufbx, the SDK also on the folder DOPESHEET_FBX, beside our reading
    Fbx,
    /// Conversions and edits, measured again by readers that share no code with ours, beside what their reports say
    Honesty,
    /// A run over ten thousand files, killed at twenty random moments
    Kills,
    /// Motions of others on avatars of others, from the folders DOPESHEET_CLIPS and DOPESHEET_AVATARS: 400 pairs, judged in
    /// three.js
    Pairs,
    /// The recipe for Ray Data, with a worker killed
    Ray,
    /// The recipe for PySpark, with a worker killed
    Spark,
}

impl Part {
    const ALL: [Self; 7] =
        [Self::Blender, Self::Fbx, Self::Honesty, Self::Kills, Self::Pairs, Self::Ray, Self::Spark];

    fn run(self, repo: &Repo, seed: u64) -> Outcome<Tally> {
        match self {
            Self::Blender => in_blender(repo),
            Self::Fbx => fbx::run(repo),
            Self::Honesty => honesty::run(repo, honesty::Extent::of_seed(seed)),
            Self::Kills => Ok(Tally::one(kills::run(repo, seed)?)),
            Self::Pairs => pairs::run(repo, seed),
            Self::Ray => scaling::run(repo, "ray"),
            Self::Spark => scaling::run(repo, "spark"),
        }
    }
}

/// Blender and its VRM add-on on what we write.
pub(crate) fn in_blender(repo: &Repo) -> Outcome<Tally> {
    let mut tally = blender::run(repo)?;
    tally += vrm::run(repo)?;
    Ok(tally)
}

/// Tries some parts; all if none is named. `seed` decides where runs are killed, which motions are made, and which pairs are drawn.
pub(crate) fn run(repo: &Repo, which: &[Part], seed: u64, parts: &mut Parts) {
    for part in if which.is_empty() { &Part::ALL[..] } else { which } {
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        parts.run(&name, || part.run(repo, seed));
    }
}
