//! `dopesheet completions`

use crate::args::{Cli, CompletionsArgs};
use crate::console;
use crate::outcome::Outcome;
use clap::CommandFactory;
use dopesheet::Error;

/// Runs `completions`: prints a script for the completion of a shell.
pub(crate) fn run(args: &CompletionsArgs) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "dopesheet", &mut script);
    if args.json {
        let document = serde_json::json!({
            "schema_version": dopesheet::json::SCHEMA_VERSION,
            "shell": args.shell.to_string(),
            "script": String::from_utf8_lossy(&script),
        });
        console::line(&document.to_string())?;
    } else {
        console::data(&script)?;
    }
    Ok(Outcome::Done)
}
