//! A part of the tests that runs beside others, as a process of its own: what it prints is shown whole at the end.

use crate::repo::{Outcome, Repo};
use crate::tally::Row;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// A part that has been started.
pub(super) struct Beside {
    name: String,
    started: Outcome<(Child, PathBuf)>,
}

impl Beside {
    /// Starts a part by its name.
    pub(super) fn start(repo: &Repo, name: &str) -> Self {
        println!("\n── {name}: started beside the other parts; what it prints comes last");
        Self { name: name.to_owned(), started: start(repo, name) }
    }

    /// Waits for its end, shows what it printed, and yields its line of the table of parts.
    pub(super) fn finish(self) -> Row {
        let finished = self.started.and_then(|(child, output)| finish(child, &output, &self.name));
        finished.unwrap_or_else(|error| {
            eprintln!("error: {}: {error}", self.name);
            Row::failed(&self.name)
        })
    }
}

fn start(repo: &Repo, name: &str) -> Outcome<(Child, PathBuf)> {
    fs::create_dir_all(&repo.target)?;
    let output = repo.target.join(format!("{name}.log"));
    let file = File::create(&output)?;
    let mut command = with_what_is_left(std::env::current_exe()?);
    command.args(["test", name]).current_dir(&repo.root).stdout(file.try_clone()?).stderr(file);
    Ok((command.spawn()?, output))
}

/// A program that takes what the other parts leave idle, and little besides; an equal share where that cannot be asked for.
fn with_what_is_left(program: PathBuf) -> Command {
    if !cfg!(unix) {
        return Command::new(program);
    }
    let mut command = Command::new("nice");
    command.args(["-n", "10"]).arg(program);
    command
}

fn finish(mut child: Child, output: &Path, name: &str) -> Outcome<Row> {
    let success = child.wait()?.success();
    let text = fs::read_to_string(output)?;
    println!("\n── {name}, which ran beside the other parts:\n{text}");
    let row = text.lines().rev().find_map(Row::parse).filter(|row| row.is_of(name));
    let row = row.ok_or("it ended without a table of its parts")?;
    if success != row.has_held() {
        return Err("its table and the way it ended contradict each other".into());
    }
    Ok(row)
}
