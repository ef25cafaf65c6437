//! Blender on what we write: where its joints are, and where our sampler has them in what the file was made from.

use crate::answers::{Random, ask, json_lines, judge};
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const HOW_TO_GET_IT: &str = "get CPython 3.11 with venv, which the package bpy is made for, and a connection to the package index of pip";

/// Blender as a module is made for this version of Python alone.
const FITS: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 11))";

/// Times per motion, besides its start.
pub(super) const TIMES: usize = 20;

/// Largest distance of the same joint in both: half a pixel of a figure that fills a screen.
pub(super) const TOLERANCE_M: f64 = 1e-3;

/// Motions and the models they play on; `corpus:` names a file of other people.
const DANCES: [(&str, &str); 5] = [
    ("samples/bow.vmd", "standard"),
    ("samples/walk.vmd", "standard"),
    ("corpus:mmd/vmd/walk.vmd", "corpus:mmd/pmx/miku_animasa.pmx"),
    ("corpus:mmd/vmd/mmd_tools_test.vmd", "corpus:mmd/pmx/yw_test_model.pmx"),
    ("corpus:mmd/vmd/kishimen.vmd", "corpus:mmd/pmd/Miku_Hatsune_metal.pmd"),
];

/// A file that Blender opens, and the source that it has to agree with.
struct Job {
    /// The file that Blender opens.
    file: PathBuf,
    /// The source that it was made from, with the options that `sample` needs.
    source: Vec<PathBuf>,
    /// `native` or `gltf`.
    axes: &'static str,
    /// The length of a unit of `file`, in metres.
    unit_m: f64,
}

/// Blender as a module of Python, installed unless it is there; `None` if it cannot be had.
pub(super) fn environment(repo: &Repo) -> Outcome<Option<Environment>> {
    let python = ["python3.11", "python3", "python"].into_iter().find(|name| repo::has(name, &["-c", FITS]));
    let list = repo.root.join("lab/blender/requirements.txt");
    let blender =
        python.map(|python| Environment::with(repo, "blender/python", python, &list)).transpose()?;
    Ok(blender.flatten())
}

/// Compares joint by joint.
pub(super) fn run(repo: &Repo) -> Outcome<Tally> {
    let Some(blender) = environment(repo)? else {
        return Ok(Tally::missing(DANCES.len() + 2, "Blender", HOW_TO_GET_IT));
    };
    if !repo::run("command", &mut repo::command_build(repo))? {
        return Ok(Tally::one(false));
    }
    let jobs = jobs(repo)?;
    let described = jobs.iter().map(|job| described(repo, job)).collect::<Outcome<Vec<Value>>>()?;
    println!("\n── interop: {} motions to Blender at {} times each", jobs.len(), TIMES + 1);
    let answers = ask(&mut blender.python(repo, &["lab/blender/compare.py"]), &described)?;
    answers.iter().for_each(|answer| println!("{answer}"));
    Ok(judge("blender", &answers, jobs.len(), |answer| answer["agrees"] == true))
}

/// The dances as GLB; a dance as BVH, and a BVH as it is.
fn jobs(repo: &Repo) -> Outcome<Vec<Job>> {
    let folder = repo.target.join("blender/files");
    std::fs::create_dir_all(&folder)?;
    let mut jobs = Vec::new();
    for (motion, model) in DANCES.map(|(motion, model)| (place(repo, motion), place(repo, model))) {
        if !motion.is_file() {
            println!("SKIPPED: {} is not there", motion.display());
            continue;
        }
        let source = vec![motion.clone(), "--model".into(), model];
        let stem = motion.file_stem().unwrap_or_default().to_string_lossy();
        let file = folder.join(format!("{}-{stem}.glb", jobs.len()));
        convert(repo, &source, &file)?;
        jobs.push(Job { file, source, axes: "gltf", unit_m: 1.0 });
    }
    let (bow, jump) = (folder.join("bow.bvh"), repo.root.join("samples/jump.bvh"));
    convert(repo, &[place(repo, DANCES[0].0), "--model".into(), DANCES[0].1.into()], &bow)?;
    for file in [bow, jump] {
        jobs.push(Job { source: vec![file.clone()], file, axes: "native", unit_m: 0.01 });
    }
    Ok(jobs)
}

/// Where a file of [`DANCES`] is.
fn place(repo: &Repo, name: &str) -> PathBuf {
    match name.strip_prefix("corpus:") {
        Some(name) => repo.corpus().join(name),
        None if name == "standard" => name.into(),
        None => repo.root.join(name),
    }
}

pub(super) fn convert(repo: &Repo, source: &[PathBuf], output: &Path) -> Outcome<()> {
    let mut command = Command::new(repo.dopesheet());
    // A dance with bones that a model lacks is one all the same.
    command.args(["convert", "--quiet", "--force", "--partial"]).args(source).arg("-o").arg(output);
    if command.status()?.success() { Ok(()) } else { Err(format!("convert {source:?} failed").into()) }
}

/// A job as Blender's side takes it. The times are anywhere in a GLB, and on frames in a BVH, whose law between
/// frames is everybody's own.
fn described(repo: &Repo, job: &Job) -> Outcome<Value> {
    let info = answer(repo, &["info", "--json"], std::slice::from_ref(&job.file))?;
    let clip = &info["clips"][0];
    let (duration, rate) = (clip["duration_s"].as_f64().unwrap_or(0.0), clip["rate_fps"].as_f64());
    let mut random = Random::new();
    let mut time = |_| {
        let time = random.next() * duration;
        let frame = rate.filter(|_| job.axes == "native").map(|rate| (time * rate).floor() / rate);
        frame.unwrap_or(time).to_string()
    };
    let times: Vec<String> = std::iter::once("0".to_owned()).chain((0..TIMES).map(&mut time)).collect();
    let asked = ["sample", "--json", "--space", "model", "--axes", job.axes, "--times", &times.join(",")];
    let sample = answer(repo, &asked, &job.source)?;
    Ok(json!({ "file": job.file, "unit_m": job.unit_m, "tolerance_m": TOLERANCE_M, "sample": sample }))
}

/// The JSON that the command prints.
pub(super) fn answer(repo: &Repo, arguments: &[&str], files: &[PathBuf]) -> Outcome<Value> {
    let mut command = Command::new(repo.dopesheet());
    command.args(arguments).args(files);
    let answers = json_lines(&mut command, &[])?;
    answers.into_iter().next().ok_or_else(|| format!("no answer from {command:?}").into())
}
