//! Files that are converted and edited: those of samples/, of the corpus, files that were made of them, and files made by chance.

use super::FORMATS;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of sound files in the corpus.
const CORPUS: [&str; 8] =
    ["mmd/vmd", "mrtk", "more", "playcanvas", "gltf", "bench", "wild/bvh", "wild/motions"];

/// Larger files are left out, so that the whole takes minutes.
const LARGEST_BYTES: u64 = 420_000;

/// Files of which others are made: there is none of some pairs otherwise. `corpus:` names a file of other people.
const MADE_OF: [&str; 8] = [
    "samples/hands.bin",
    "corpus:mrtk/v11_twohands_20s_undamaged.bin",
    "samples/walk.vmd",
    "samples/jump.bvh",
    "samples/door.json",
    "corpus:bench/pab_walk.glb",
    "corpus:more/walk_v10.ubi",
    "corpus:playcanvas/playbot-jump.json",
];

/// Files of each format that are made by chance.
const BY_CHANCE: usize = 12;

/// Inputs with their formats.
pub(super) struct Inputs {
    /// Those of samples/ and of the corpus, and what is made of them.
    pub(super) kept: Vec<(&'static str, PathBuf)>,
    /// Those that a seed makes.
    pub(super) by_chance: Vec<(&'static str, PathBuf)>,
}

impl Inputs {
    /// All of them; with a seed also those that it makes.
    pub(super) fn new(
        repo: &Repo,
        dopesheet: &Path,
        folder: &Path,
        (python, seed): (&Environment, Option<u64>),
    ) -> Outcome<Self> {
        let mut by_chance = Vec::new();
        if let Some(seed) = seed {
            let motions = folder.join("chance");
            std::fs::create_dir_all(&motions)?;
            let mut command = python.python(repo, &["-B", "clients/honesty/make.py"]);
            command.arg(&motions).args([seed.to_string(), BY_CHANCE.to_string()]);
            if !repo::run("motions made by chance", &mut command)? {
                return Err("no motions were made by chance".into());
            }
            by_chance = in_folder(&motions)?;
            // What the readers know no maker for is made of another format.
            let of_glb: Vec<PathBuf> =
                by_chance.iter().filter(|input| input.0 == "glb").map(|input| input.1.clone()).collect();
            for (format, extension) in FORMATS {
                if by_chance.iter().all(|input| input.0 != format) {
                    by_chance.extend(converted(dopesheet, folder, &of_glb, (format, extension))?);
                }
            }
        }
        Ok(Self { kept: kept(repo, dopesheet, folder)?, by_chance })
    }

    /// Those of a format; every second one is made by chance, if any is.
    pub(super) fn of(&self, format: &str) -> Vec<PathBuf> {
        let of = |all: &[(&'static str, PathBuf)]| -> Vec<PathBuf> {
            all.iter().filter(|input| input.0 == format).map(|input| input.1.clone()).collect()
        };
        let [kept, by_chance] = [&self.kept, &self.by_chance].map(|all| of(all));
        if by_chance.is_empty() || kept.is_empty() {
            return if kept.is_empty() { by_chance } else { kept };
        }
        let longest = kept.len().max(by_chance.len());
        let pairs = kept.iter().cycle().zip(by_chance.iter().cycle()).take(longest);
        pairs.flat_map(|(kept, by_chance)| [by_chance.clone(), kept.clone()]).collect()
    }
}

/// One test for each folder of the corpus that is not there.
pub(super) fn absent_corpus(repo: &Repo) -> Tally {
    let root = repo.corpus();
    let absent = CORPUS.iter().filter(|folder| !root.join(folder).is_dir()).count();
    if absent == 0 {
        return Tally::default();
    }
    let how = "set DOPESHEET_CORPUS to the folder of third-party test files";
    Tally::missing(absent, &format!("the corpus ({})", root.display()), how)
}

/// Files with their formats, those that are made of others first.
fn kept(repo: &Repo, dopesheet: &Path, folder: &Path) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let mut inputs = made(repo, dopesheet, folder)?;
    let folders = CORPUS.iter().map(|family| repo.corpus().join(family));
    for folder in std::iter::once(repo.root.join("samples")).chain(folders) {
        inputs.extend(in_folder(&folder)?);
    }
    Ok(inputs)
}

/// Motions in a folder, if it is there.
fn in_folder(folder: &Path) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let mut motions = Vec::new();
    for file in files {
        let size = std::fs::metadata(&file)?.len();
        if let Some(format) = format_of(&file).filter(|_| size <= LARGEST_BYTES) {
            motions.push((format, file));
        }
    }
    Ok(motions)
}

/// The format that a file's name says it has; models and lists of other files are no motions.
fn format_of(file: &Path) -> Option<&'static str> {
    let name = file.file_name()?.to_str()?;
    // What is damaged is mended in ways that no specification tells.
    if name.contains("damage_")
        || name.contains(".model.")
        || name.contains(".mapping.")
        || name == "manifest.json"
    {
        return None;
    }
    let extension = file.extension()?;
    FORMATS.iter().find(|(_, listed)| extension == *listed).map(|(format, _)| *format)
}

/// Files of each format made of those of [`MADE_OF`] that are there.
fn made(repo: &Repo, dopesheet: &Path, folder: &Path) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let file = |name: &str| match name.strip_prefix("corpus:") {
        Some(name) => repo.corpus().join(name),
        None => repo.root.join(name),
    };
    let files: Vec<PathBuf> = MADE_OF.iter().map(|name| file(name)).filter(|file| file.is_file()).collect();
    let mut inputs = Vec::new();
    for format in FORMATS {
        inputs.extend(converted(dopesheet, folder, &files, format)?);
    }
    Ok(inputs)
}

/// Files converted to a format, as far as they can be.
fn converted(
    dopesheet: &Path,
    folder: &Path,
    files: &[PathBuf],
    (format, extension): (&'static str, &str),
) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let mut outputs = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let output = folder.join(format!("made-of-{stem}.{extension}"));
        let mut command = Command::new(dopesheet);
        command.arg("convert").arg(file).args(["-t", format, "-o"]).arg(&output);
        // Much has no place in recordings of hands.
        if command.args(["--quiet", "--force"]).output()?.status.success() {
            outputs.push((format, output));
        }
    }
    Ok(outputs)
}
