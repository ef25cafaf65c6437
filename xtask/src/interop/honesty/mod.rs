//! Truth of reports: conversions and edits whose files are measured by readers in clients/honesty, which share no code with ours.

mod inputs;
mod jobs;
mod judge;
mod lines;

use crate::answers::json_lines;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel;
use inputs::Inputs;
use jobs::{Job, Queue};
use judge::Table;
use serde_json::Value;
use std::path::Path;

/// Numbers of conversions and edits that are measured, and the seed of the files that every second one is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    conversions: usize,
    edits: usize,
    seed: Option<u64>,
}

impl Extent {
    /// What CI measures: always the same.
    pub(crate) const FIXED: Self = Self { conversions: 100, edits: 100, seed: None };

    /// Everything, half of it of files that a seed makes.
    pub(crate) const fn of_seed(seed: u64) -> Self {
        Self { conversions: 400, edits: 200, seed: Some(seed) }
    }

    /// Everything, by a seed that is another one every day.
    pub(crate) fn of_today() -> Outcome<Self> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
        Ok(Self::of_seed(now.as_secs() / 86_400))
    }
}

/// Times at which each is measured.
const TIMES: usize = 2000;

/// Programs that measure at the same time.
const MEASURING: usize = 2;

const HOW_TO_GET_IT: &str =
    "get CPython 3.11 or newer with venv, and a connection to the package index of pip";

/// The formats that the readers know, with the extension of their files.
const FORMATS: [(&str, &str); 7] = [
    ("vmd", "vmd"),
    ("glb", "glb"),
    ("more", "ubi"),
    ("mrtk2", "bin"),
    ("playcanvas", "json"),
    ("bvh", "bvh"),
    ("npz", "npz"),
];

/// Converts, edits and measures until there are enough, as many of each pair as there are.
pub(crate) fn run(repo: &Repo, extent: Extent) -> Outcome<Tally> {
    let requirements = repo.root.join("clients/honesty/requirements.txt");
    let python = wheel::interpreter()
        .map(|python| Environment::with(repo, "honesty/python", python, &requirements))
        .transpose()?;
    let Some(python) = python.flatten() else {
        return Ok(Tally::missing(1, "Python with NumPy", HOW_TO_GET_IT));
    };
    let Some(dopesheet) = repo::named_or_built(repo)? else { return Ok(Tally::one(false)) };
    let folder = repo.target.join("honesty/files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let mut tally = inputs::absent_corpus(repo);
    if let Some(seed) = extent.seed {
        println!("── honesty: every second file is made by seed {seed}; --seed {seed} makes the same");
    }
    let inputs = Inputs::new(repo, &dopesheet, &folder, (&python, extent.seed))?;
    let measuring = Measuring { repo, python: &python, dopesheet: &dopesheet, folder: &folder };
    let conversions = measuring.table(Queue::of_conversions(&inputs, &folder), extent.conversions)?;
    let edits = measuring.table(Queue::of_edits(&inputs, &folder), extent.edits)?;
    for (what, table, wanted) in
        [("conversions", conversions, extent.conversions), ("edits", edits, extent.edits)]
    {
        table.print(what);
        tally += table.tally(wanted);
    }
    Ok(tally)
}

/// What jobs are done and measured with.
struct Measuring<'a> {
    repo: &'a Repo,
    python: &'a Environment,
    dopesheet: &'a Path,
    folder: &'a Path,
}

impl Measuring<'_> {
    /// Does jobs until so many were measured, or none is left.
    fn table(&self, mut queue: Queue, wanted: usize) -> Outcome<Table> {
        let mut table = Table::default();
        let mut quota = wanted.div_ceil(queue.pairs().max(1));
        while table.jobs() < wanted {
            let round = queue.next(wanted - table.jobs(), |pair| quota.saturating_sub(table.of(pair)));
            if round.is_empty() {
                if queue.is_empty() {
                    break;
                }
                quota += 1;
            }
            let done = done(self.dopesheet, self.folder, round, &mut table)?;
            measure(self.repo, self.python, done, &mut table)?;
        }
        Ok(table)
    }
}

/// Converts and edits what a round asks for.
fn done(dopesheet: &Path, folder: &Path, round: Vec<Job>, table: &mut Table) -> Outcome<Vec<(Job, Value)>> {
    let mut done = Vec::new();
    for job in round {
        match job.report(dopesheet, folder)? {
            Some(report) => done.push((job, report)),
            None => table.refused += 1,
        }
    }
    Ok(done)
}

/// Measures what was done.
fn measure(repo: &Repo, python: &Environment, done: Vec<(Job, Value)>, table: &mut Table) -> Outcome<()> {
    let answers = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..MEASURING)
            .map(|part| {
                let share = done.iter().skip(part).step_by(MEASURING);
                let lines: Vec<String> = share.map(|(job, report)| job.line(report).to_string()).collect();
                scope.spawn(move || measured(repo, python, &lines).map_err(|error| error.to_string()))
            })
            .collect();
        let answers = parts.into_iter().map(|part| part.join().unwrap_or_else(|_| Err("a panic".to_owned())));
        answers.collect::<Result<Vec<_>, _>>()
    })?;
    for answer in answers.into_iter().flatten() {
        let id = answer["id"].as_u64();
        let asked = done.iter().find(|(job, _)| Some(job.id as u64) == id);
        let (job, report) = asked.ok_or("an answer that was not asked for")?;
        table.take(job, report, &answer);
    }
    Ok(())
}

fn measured(repo: &Repo, python: &Environment, lines: &[String]) -> Outcome<Vec<Value>> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = python.python(repo, &["-B", "clients/honesty/measure.py"]);
    let answers = json_lines(&mut command, (lines.join("\n") + "\n").as_bytes())?;
    if answers.len() < lines.len() {
        return Err(format!("{} of {} were measured", answers.len(), lines.len()).into());
    }
    Ok(answers)
}
