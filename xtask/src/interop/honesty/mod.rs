//! Truth of reports: conversions whose files are measured by readers in clients/honesty, which share no code with ours.

mod jobs;
mod judge;

use crate::answers::json_lines;
use crate::repo::{self, Outcome, Repo};
use crate::tally::Tally;
use crate::venv::Environment;
use crate::wheel;
use jobs::{Job, Queue};
use judge::Table;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Conversions that are measured, over all pairs of [`FORMATS`].
const CONVERSIONS: usize = 200;

/// Times at which each is measured.
const TIMES: usize = 2000;

/// Programs that measure at the same time.
const MEASURING: usize = 2;

const HOW_TO_GET_IT: &str =
    "get CPython 3.11 or newer with venv, and a connection to the package index of pip";

/// Names the command to try, which is not built then.
const COMMAND: &str = "DOPESHEET";

/// The formats that the readers know, with the extension of their files.
const FORMATS: [(&str, &str); 5] =
    [("vmd", "vmd"), ("glb", "glb"), ("more", "ubi"), ("mrtk2", "bin"), ("playcanvas", "json")];

/// Converts and measures until there are enough, as many of each pair as there are.
pub(crate) fn run(repo: &Repo) -> Outcome<Tally> {
    let requirements = repo.root.join("clients/honesty/requirements.txt");
    let python = wheel::interpreter()
        .map(|python| Environment::with(repo, "honesty/python", python, &requirements))
        .transpose()?;
    let Some(python) = python.flatten() else {
        return Ok(Tally::missing(1, "Python with NumPy", HOW_TO_GET_IT));
    };
    let named = std::env::var_os(COMMAND).map(PathBuf::from);
    if named.is_none() && !repo::run("command", &mut repo::command_build(repo))? {
        return Ok(Tally::one(false));
    }
    let dopesheet = named.unwrap_or_else(|| repo.dopesheet());
    let folder = repo.target.join("honesty/files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let mut tally = jobs::absent_corpus(repo);
    let mut queue = Queue::new(repo, &dopesheet, &folder)?;
    let mut table = Table::default();
    let mut quota = CONVERSIONS.div_ceil(FORMATS.len() * FORMATS.len());
    loop {
        let round =
            queue.next(CONVERSIONS - table.conversions(), |pair| quota.saturating_sub(table.of(pair)));
        if round.is_empty() {
            if queue.is_empty() {
                break;
            }
            quota += 1;
        }
        measure(repo, &python, convert_all(&dopesheet, &folder, round, &mut table)?, &mut table)?;
        if table.conversions() >= CONVERSIONS {
            break;
        }
    }
    table.print();
    tally += table.tally(CONVERSIONS);
    Ok(tally)
}

/// Converts what a round asks for.
fn convert_all(
    dopesheet: &Path,
    folder: &Path,
    round: Vec<Job>,
    table: &mut Table,
) -> Outcome<Vec<(Job, Value)>> {
    let mut converted = Vec::new();
    for job in round {
        match job.convert(dopesheet, folder)? {
            Some(report) => converted.push((job, report)),
            None => table.refused += 1,
        }
    }
    Ok(converted)
}

/// Measures what was converted.
fn measure(
    repo: &Repo,
    python: &Environment,
    converted: Vec<(Job, Value)>,
    table: &mut Table,
) -> Outcome<()> {
    let answers = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..MEASURING)
            .map(|part| {
                let share = converted.iter().skip(part).step_by(MEASURING);
                let lines: Vec<String> = share.map(|(job, report)| job.line(report).to_string()).collect();
                scope.spawn(move || measured(repo, python, &lines).map_err(|error| error.to_string()))
            })
            .collect();
        let answers = parts.into_iter().map(|part| part.join().unwrap_or_else(|_| Err("a panic".to_owned())));
        answers.collect::<Result<Vec<_>, _>>()
    })?;
    for answer in answers.into_iter().flatten() {
        let id = answer["id"].as_u64();
        let asked = converted.iter().find(|(job, _)| Some(job.id as u64) == id);
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
        return Err(format!("{} of {} conversions were measured", answers.len(), lines.len()).into());
    }
    Ok(answers)
}
