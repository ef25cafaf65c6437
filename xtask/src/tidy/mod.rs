//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! Each rule is a function from what it looks at to a list of faults, with a test that it can fail.

mod dependencies;
mod modules;
mod order;
mod programs;
mod prose;
mod rooms;
mod sources;
mod texts;

use crate::lab;
use crate::repo::{Outcome, Repo};
use texts::Faults;

/// Applies every rule and prints what is wrong. Whether nothing is.
pub(crate) fn run(repo: &Repo) -> Outcome<bool> {
    let files = repo.files()?;
    let texts = texts::load(repo, &files)?;
    let folders: Vec<String> = repo
        .packages
        .iter()
        .map(|package| repo.folder_of(package))
        .chain(lab::CRATES.map(str::to_owned))
        .collect();
    let rules: [(&str, Faults); 12] = [
        ("who may use whom", dependencies::check(&dependencies::members(repo))),
        ("every crate takes the lints of the workspace", dependencies::takes_lints(&texts)),
        ("modules of core point one way", order::check(&texts)),
        ("no circles among modules", modules::check(&folders, &texts)),
        ("doc comments say what things are", prose::check(&folders, &texts)),
        ("no file is too long", sources::lengths(&texts)),
        ("every exception has a reason", sources::reasons(&texts)),
        ("nothing is left for later", sources::unfinished(&texts)),
        ("no path of one machine", sources::machine_paths(&texts)),
        ("the maths of every machine are the same", sources::maths(&texts)),
        ("tests of a crate are one program", programs::check(&texts)),
        ("every room has its doors", rooms::check(&files, &texts)),
    ];
    println!("\n── tidy: {} files", files.len());
    for (rule, faults) in &rules {
        println!("{} {rule}", if faults.is_empty() { "  ok " } else { "FAILED" });
        faults.iter().for_each(|fault| println!("       {fault}"));
    }
    Ok(rules.iter().all(|(_, faults)| faults.is_empty()))
}
