//! Inputs of the conversions: files of samples/, of the corpus, and files that were made of them.

use super::{FORMATS, TIMES};
use crate::repo::{Outcome, Repo};
use crate::tally::Tally;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of sound files in the corpus.
const CORPUS: [&str; 6] = ["mmd/vmd", "mrtk", "more", "playcanvas", "gltf", "bench"];

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

/// Options that a file is converted with, each in turn.
const OPTIONS: [&[&str]; 5] =
    [&[], &["--tolerance", "1cm"], &["--cubic"], &["--lossy", "--tolerance", "1mm"], &["--bake", "30"]];

/// Variants of targets that are written in turn, besides those that one gets unasked.
const VARIANTS: [(&str, &[&str]); 5] = [
    ("vmd", &["vmd", "vmd@old"]),
    ("glb", &["glb", "glb@rot16"]),
    ("more", &["more", "more@0x0e,be", "more@0x10"]),
    ("mrtk2", &["mrtk2", "mrtk2@1.0", "mrtk2@1.1"]),
    ("playcanvas", &["playcanvas", "playcanvas@4-vendor", "playcanvas@3"]),
];

/// A pair of formats.
pub(super) type Pair = (&'static str, &'static str);

/// A conversion.
pub(super) struct Job {
    pub(super) id: usize,
    pub(super) pair: Pair,
    pub(super) input: PathBuf,
    /// The target with its variant.
    pub(super) target: &'static str,
    pub(super) options: &'static [&'static str],
    output: PathBuf,
}

impl Job {
    /// The report of the conversion; none if there was nothing to convert.
    pub(super) fn convert(&self, dopesheet: &Path, folder: &Path) -> Outcome<Option<Value>> {
        let told = folder.join("report.json");
        let mut command = Command::new(dopesheet);
        command.arg("convert").arg(&self.input).args(["-t", self.target, "-o"]).arg(&self.output);
        command.args(["--quiet", "--force", "--partial", "--report"]).arg(&told).args(self.options);
        let output = command.output()?;
        match output.status.code() {
            Some(0) => Ok(Some(serde_json::from_slice(&std::fs::read(told)?)?)),
            Some(1) => Ok(None),
            _ => Err(format!("{self}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }

    /// The line that asks for it to be measured.
    pub(super) fn line(&self, report: &Value) -> Value {
        let lines = report["approximated"].as_array().into_iter().flatten();
        let said: Vec<&str> = lines.filter_map(|line| line["what"].as_str()).collect();
        let asked = [("model", "model space"), ("alone", "each joint by itself")];
        let points: Vec<&str> = asked
            .iter()
            .filter(|(_, start)| said.iter().any(|what| what.starts_with(start)))
            .map(|(name, _)| *name)
            .collect();
        json!({
            "id": self.id,
            "source": self.input,
            "source_format": self.pair.0,
            "output": self.output,
            "output_format": self.pair.1,
            "times": TIMES,
            "seed": self.id,
            "points": points,
        })
    }
}

impl std::fmt::Display for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.input.file_name().unwrap_or_default().to_string_lossy();
        write!(f, "{name} -t {}", self.target)?;
        self.options.iter().try_for_each(|option| write!(f, " {option}"))
    }
}

/// Conversions that may be tried, for each pair of formats.
pub(super) struct Queue {
    pairs: Vec<(Pair, VecDeque<Job>)>,
}

impl Queue {
    /// All of them; makes the inputs that are made of others.
    pub(super) fn new(repo: &Repo, dopesheet: &Path, folder: &Path) -> Outcome<Self> {
        let inputs = inputs(repo, dopesheet, folder)?;
        let mut id = 0;
        let mut pairs = Vec::new();
        for (from, _) in FORMATS {
            let own: Vec<&PathBuf> =
                inputs.iter().filter(|(format, _)| *format == from).map(|(_, file)| file).collect();
            for (to, extension) in FORMATS {
                let variants = VARIANTS.iter().find(|(format, _)| *format == to).map_or(&[][..], |(_, v)| *v);
                let mut jobs = VecDeque::new();
                for pass in 0..OPTIONS.len() * variants.len() {
                    for (index, input) in own.iter().enumerate() {
                        let at = index + pass;
                        let (options, target) = (OPTIONS[at % OPTIONS.len()], variants[at % variants.len()]);
                        let output = folder.join(format!("{id}.{extension}"));
                        jobs.push_back(Job {
                            id,
                            pair: (from, to),
                            input: (*input).clone(),
                            target,
                            options,
                            output,
                        });
                        id += 1;
                    }
                }
                pairs.push(((from, to), jobs));
            }
        }
        Ok(Self { pairs })
    }

    /// At most `most` conversions: of each pair as many as it wants.
    pub(super) fn next(&mut self, most: usize, wanted: impl Fn(Pair) -> usize) -> Vec<Job> {
        let mut round = Vec::new();
        for (pair, jobs) in &mut self.pairs {
            let count = wanted(*pair).min(jobs.len()).min(most - round.len());
            round.extend(jobs.drain(..count));
        }
        round
    }

    /// True if there are no more.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.iter().all(|(_, jobs)| jobs.is_empty())
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
fn inputs(repo: &Repo, dopesheet: &Path, folder: &Path) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let mut inputs = made(repo, dopesheet, folder)?;
    let folders = CORPUS.iter().map(|family| repo.corpus().join(family));
    for folder in std::iter::once(repo.root.join("samples")).chain(folders) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            let size = std::fs::metadata(&file)?.len();
            if let Some(format) = format_of(&file).filter(|_| size <= LARGEST_BYTES) {
                inputs.push((format, file));
            }
        }
    }
    Ok(inputs)
}

/// The format that a file's name says it has; models and lists of other files are no motions.
fn format_of(file: &Path) -> Option<&'static str> {
    let name = file.file_name()?.to_str()?;
    if name.contains(".model.") || name.contains(".mapping.") || name == "manifest.json" {
        return None;
    }
    let extension = file.extension()?;
    FORMATS.iter().find(|(_, own)| extension == *own).map(|(format, _)| *format)
}

/// Files of each format made of those of [`MADE_OF`] that are there.
fn made(repo: &Repo, dopesheet: &Path, folder: &Path) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let mut made = Vec::new();
    for name in MADE_OF {
        let file = match name.strip_prefix("corpus:") {
            Some(name) => repo.corpus().join(name),
            None => repo.root.join(name),
        };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (format, extension) in FORMATS {
            let output = folder.join(format!("made-of-{stem}.{extension}"));
            let mut command = Command::new(dopesheet);
            command.arg("convert").arg(&file).args(["-t", format, "-o"]).arg(&output);
            // Much has no place in recordings of hands.
            if file.is_file() && command.args(["--quiet", "--force"]).output()?.status.success() {
                made.push((format, output));
            }
        }
    }
    Ok(made)
}
