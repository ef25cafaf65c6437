//! `dopesheet edit`

use super::convert;
use crate::args::{ConvertArgs, EditArgs, Edits, ModelArgs, OperationArgs, OperationLine, operation_words};
use crate::outcome::Outcome;
use crate::settings::SettingsArgs;
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use dopesheet::edit::{EditOptions, Operation, Split};
use dopesheet::{ClipChoice, Error, save};
use std::borrow::Cow;
use std::path::Path;

/// Runs `edit`: parses the operations, and hands the files to `convert`.
pub(crate) fn run(args: &EditArgs) -> Result<Outcome, Error> {
    args.run.report.iter().for_each(|report| save::reserve("--report", report));
    let mut lines = args.recipe.as_deref().map(recipe).transpose()?.unwrap_or_default();
    lines.extend(args.edits.iter().map(|line| Written { origin: "-e".into(), line: line.clone() }));
    let mut written = lines.iter().map(operation).collect::<Result<Vec<_>, _>>()?;
    let splits = written.iter().any(OperationArgs::splits);
    let split = written.pop_if(|last| matches!(last, OperationArgs::Split { .. }));
    let split = split.and_then(|split| match split {
        OperationArgs::Split { at, snap } => Some(Split { at, snap }),
        _ => None,
    });
    let read = args.run.read.options();
    let operations = written.into_iter().map(|line| line.operation(&read)).collect::<Result<Vec<_>, _>>()?;
    let unread = args.run.report.as_deref().map_or(Ok(()), save::refuse_read);
    unread.map_err(|error| Error::Usage(error.to_string()))?;
    if operations.is_empty() && split.is_none() {
        return Err(Error::Usage(
            "expected an operation (-e 'trim 2:10', or --recipe FILE), found none".into(),
        ));
    }
    if splits && split.is_some() {
        let text =
            "split: each file is cut into several, and merge --split writes two; do one after the other";
        return Err(Error::Usage(text.into()));
    }
    let takes_all = takes_all(&operations, args.inputs.len())?;
    let options = EditOptions {
        clips: args.clip.as_deref().map_or(ClipChoice::All, ClipChoice::parse),
        tolerance: args.tolerance,
        limits: args.frames.limits(&args.run.read),
    };
    convert::run(&ConvertArgs {
        inputs: args.inputs.clone(),
        target: args.target.clone(),
        model: ModelArgs { model: None, map: None },
        into: None,
        onto: None,
        motion_only: false,
        replace: false,
        split: false,
        no_show_bones: false,
        settings: SettingsArgs::default(),
        run: args.run.clone(),
        edits: Some(Edits { operations, options, split, takes_all, splits }),
    })
}

/// Most bytes of a recipe from standard input.
const LONGEST_RECIPE: u64 = 1 << 20;
/// True if the first operation takes all inputs; a later operation that names no files is refused.
fn takes_all(operations: &[Operation], inputs: usize) -> Result<bool, Error> {
    let names_none = |operation: &Operation| match operation {
        Operation::Concat(concat) => concat.others.is_empty(),
        Operation::Merge(merge) => merge.others.is_empty(),
        _ => false,
    };
    let late = operations.iter().skip(1).find(|operation| names_none(operation));
    match late {
        Some(late) => Err(Error::Usage(format!(
            "{}: without files it takes all inputs, and has to be the first operation; name the files behind it",
            late.word()
        ))),
        None => Ok(inputs > 0 && operations.first().is_some_and(names_none)),
    }
}

/// An operation as written.
struct Written {
    /// Place of the operation, for messages: `-e`, or a file and the number of its line.
    origin: String,
    line: String,
}

/// The lines of a recipe except comments.
fn recipe(path: &Path) -> Result<Vec<Written>, Error> {
    let bytes = match path.to_str() {
        Some("-") => {
            let io = |source| Error::Io { path: "standard input".into(), source };
            dopesheet::open::stream(std::io::stdin().lock(), LONGEST_RECIPE).map_err(io)?
        }
        _ => dopesheet::open::file_bytes(path, false)?,
    };
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::Usage(format!("{}: expected a text in UTF-8", path.display())))?;
    // Editors of Windows put a mark of the byte order first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let written = |(at, line): (usize, &str)| {
        let origin = format!("{}, line {}:", path.display(), at + 1);
        Written { origin, line: line.to_owned() }
    };
    Ok(lines.map(written).collect())
}

/// An operation from its line, split by the rules of a shell.
fn operation(written: &Written) -> Result<OperationArgs, Error> {
    let Written { origin, line } = written;
    let unpaired = || {
        Error::Usage(format!("{origin} '{}': expected quotes in pairs, found an odd one", shortened(line)))
    };
    let words = shlex::split(line).ok_or_else(unpaired)?;
    let parsed = OperationLine::try_parse_from(words);
    let explained =
        |error| Error::Usage(format!("{origin} '{}': {}", shortened(line), explained(line, &error)));
    Ok(parsed.map_err(explained)?.operation)
}

/// Most characters of a line, or of a message about a line, that are printed: a recipe may be any file.
const MOST_SAID: usize = 300;

/// The start of a text.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_SAID) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// A parser's message about a line, on a single line, with a pointer to the available help.
fn explained(line: &str, error: &clap::Error) -> String {
    let text = error.to_string();
    let text =
        text.trim_start_matches("error: ").split("\n\nFor more information").next().unwrap_or_default();
    let paragraph = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let text = text.trim_end().split("\n\n").map(paragraph).collect::<Vec<_>>().join("; ");
    let operation = shlex::split(line).and_then(|words| words.into_iter().next());
    let operations = OperationLine::command();
    let known_word = operation.filter(|word| operations.find_subcommand(word).is_some());
    let advice = match known_word {
        Some(word) => format!("`dopesheet help edit {word}` explains it"),
        None => format!("`dopesheet help edit` explains {}", operation_words(&operations)),
    };
    format!("{}; {advice}", shortened(&text))
}

/// The help for an operation that a command line asks for: `dopesheet help edit keys law`, or `dopesheet edit
/// -e 'trim -h'`. `None` for any other command line.
pub(crate) fn help(words: &[String]) -> Option<StyledStr> {
    match words {
        [_, help, edit, operation @ ..] if help == "help" && edit == "edit" && !operation.is_empty() => {
            let mut line = OperationLine::command();
            line.build();
            let mut command = &mut line;
            for word in operation {
                command = command.find_subcommand_mut(word)?;
            }
            Some(command.render_long_help())
        }
        [_, edit, arguments @ ..] if edit == "edit" => lines(arguments).find_map(help_in),
        _ => None,
    }
}

/// The operations among arguments.
fn lines(arguments: &[String]) -> impl Iterator<Item = &str> {
    let behind = arguments.iter().zip(arguments.iter().skip(1));
    let apart = behind
        .filter(|(option, _)| matches!(option.as_str(), "-e" | "--edit"))
        .map(|(_, line)| line.as_str());
    apart.chain(arguments.iter().filter_map(|argument| argument.strip_prefix("--edit=")))
}

/// The help requested by a line with `-h` or `--help`.
fn help_in(line: &str) -> Option<StyledStr> {
    let error = OperationLine::try_parse_from(shlex::split(line)?).err()?;
    (error.kind() == ErrorKind::DisplayHelp).then(|| error.render())
}
