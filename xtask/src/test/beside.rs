//! Parts of the tests that run beside others, as a process of their own: what they print is shown whole at the end.

use crate::repo::{Outcome, Repo};
use crate::tally::Row;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// The time of processors that such a process gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// As much as what runs beside it.
    Equal,
    /// What is left idle, and little besides.
    Rest,
}

/// Parts that have been started, one after the other.
pub(super) struct Beside {
    names: Vec<String>,
    started: Outcome<(Child, PathBuf)>,
}

impl Beside {
    /// Starts parts by their names.
    pub(super) fn start(repo: &Repo, names: Vec<String>, share: Share) -> Self {
        println!("\n── {}: started beside the other parts; the output comes last", names.join(", "));
        let started = start(repo, &names, share);
        Self { names, started }
    }

    /// Waits for their end, shows what they printed, and yields their lines of the table of parts.
    pub(super) fn finish(self) -> Vec<Row> {
        let Self { names, started } = self;
        let finished = started.and_then(|(child, output)| finish(child, &output, &names));
        finished.unwrap_or_else(|error| {
            eprintln!("error: {}: {error}", names.join(", "));
            names.iter().map(|name| Row::failed(name)).collect()
        })
    }
}

fn start(repo: &Repo, names: &[String], share: Share) -> Outcome<(Child, PathBuf)> {
    fs::create_dir_all(&repo.target)?;
    let output = repo.target.join(format!("{}.log", names.join("-")));
    let file = File::create(&output)?;
    let mut command = with_share(share, std::env::current_exe()?);
    command.arg("test").args(names).current_dir(&repo.root).stdout(file.try_clone()?).stderr(file);
    Ok((command.spawn()?, output))
}

/// A program with its share; an equal one where less cannot be asked for.
fn with_share(share: Share, program: PathBuf) -> Command {
    if share == Share::Equal || !cfg!(unix) {
        return Command::new(program);
    }
    let mut command = Command::new("nice");
    command.args(["-n", "10"]).arg(program);
    command
}

fn finish(mut child: Child, output: &Path, names: &[String]) -> Outcome<Vec<Row>> {
    let success = child.wait()?.success();
    let text = fs::read_to_string(output)?;
    println!("\n── {}, beside the other parts:\n{text}", names.join(", "));
    let rows = names.iter().map(|name| {
        let mut own = text.lines().rev().filter_map(Row::parse).filter(|row| row.is_of(name));
        own.next().ok_or_else(|| format!("{name} is not in its table of parts"))
    });
    let rows = rows.collect::<Result<Vec<Row>, String>>()?;
    if success != rows.iter().all(Row::has_held) {
        return Err("the table and the way it ended contradict each other".into());
    }
    Ok(rows)
}
