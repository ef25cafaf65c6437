//! `dopesheet man`

use crate::args::{Cli, ManArgs};
use crate::console;
use crate::outcome::Outcome;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use dopesheet::Error;
use std::path::PathBuf;

/// Runs `man`: prints the manual page of the command or of a verb.
pub(crate) fn run(args: &ManArgs) -> Result<Outcome, Error> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.verb {
        None => program,
        Some(verb) => {
            let subcommand = program.find_subcommand(verb).cloned();
            subcommand.ok_or_else(|| Error::Usage(no_verb(verb, &program)))?
        }
    };
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|source| Error::Io { path: PathBuf::from("the page"), source })?;
    if args.json {
        let document = serde_json::json!({
            "schema_version": dopesheet::json::SCHEMA_VERSION,
            "verb": args.verb,
            "page": String::from_utf8_lossy(&page),
        });
        console::line(&document.to_string())?;
    } else {
        console::data(&page)?;
    }
    Ok(Outcome::Done)
}

fn no_verb(verb: &str, program: &Command) -> String {
    let verbs: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    format!("no verb is called \"{verb}\"; there are {}", verbs.join(", "))
}
