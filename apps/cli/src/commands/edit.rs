//! `dopesheet edit`

use super::convert;
use crate::args::{ConvertArgs, EditArgs, Edits, LineArgs, ModelArgs, line_parser};
use crate::outcome::Outcome;
use crate::settings::SettingsArgs;
use clap::Command;
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use dopesheet::edit::{EditOption, EditOptions, Form, SPLIT, cuts};
use dopesheet::{ClipChoice, Error, ReadOptions, save};
use std::borrow::Cow;
use std::path::Path;

/// Runs `edit`: parses the operations, and hands the files to `convert`.
pub(crate) fn run(args: &EditArgs) -> Result<Outcome, Error> {
    args.run.report.iter().for_each(|report| save::reserve("--report", report));
    let mut lines = args.recipe.as_deref().map(recipe).transpose()?.unwrap_or_default();
    lines.extend(args.edits.iter().map(|line| Written { origin: "-e".into(), line: line.clone() }));
    let options = EditOptions {
        clips: args.clip.as_deref().map_or(ClipChoice::All, ClipChoice::parse),
        tolerance: args.tolerance,
        limits: args.frames.limits(&args.run.read),
    };
    let mut edits = Edits { operations: Vec::new(), options, split: None, takes_all: false, splits: false };
    lines.iter().try_for_each(|line| add(&mut edits, line, &args.run.read.options()))?;
    let unread = args.run.report.as_deref().map_or(Ok(()), save::refuse_read);
    unread.map_err(|error| Error::Usage(error.to_string()))?;
    let refusal = match (&edits.split, edits.splits) {
        (None, _) if edits.operations.is_empty() => {
            "expected an operation (-e 'trim 2:10', or --recipe FILE), found none"
        }
        (Some(_), true) => {
            "split: each file is cut into several, and merge --split writes two; do one after the other"
        }
        _ => "",
    };
    if !refusal.is_empty() {
        return Err(Error::Usage(refusal.into()));
    }
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
        edits: Some(edits),
    })
}

/// Adds the operation of a line. An operation on all inputs has to be the first, a split the last.
fn add(edits: &mut Edits, written: &Written, read: &ReadOptions) -> Result<(), Error> {
    let line = operation(written)?;
    let word = line.described.word;
    if edits.split.is_some() {
        let text = "split: it makes several files, and has to be the last operation";
        return Err(Error::Usage(text.into()));
    }
    if line.takes_all() && !edits.operations.is_empty() {
        let way_out = "has to be the first operation; name the files behind it";
        return Err(Error::Usage(format!("{word}: without files it takes all inputs, and {way_out}")));
    }
    edits.takes_all |= line.takes_all();
    edits.splits |= line.splits;
    let options = line.described.options;
    let named = |error| told(written, options, error);
    match word == SPLIT.word {
        true => edits.split = Some(cuts(line.values).map_err(named)?),
        false => edits.operations.push(line.operation(read).map_err(named)?),
    }
    Ok(())
}

/// Most bytes of a recipe from standard input.
const LONGEST_RECIPE: u64 = 1 << 20;

/// An operation as written.
struct Written {
    /// Place of the operation, for messages: `-e`, or a file and the number of its line.
    origin: String,
    line: String,
}

impl Written {
    /// A refusal of the line, with a pointer to the available help.
    fn refused(&self, why: &str) -> Error {
        let parser = line_parser();
        let word = shlex::split(&self.line).and_then(|words| words.into_iter().next());
        let advice = match word.filter(|word| parser.find_subcommand(word).is_some()) {
            Some(word) => format!(" {word}` explains it"),
            None => {
                let words: Vec<&str> = parser.get_subcommands().map(Command::get_name).collect();
                format!("` explains {}", words.join(", "))
            }
        };
        let line = shortened(&self.line);
        Error::Usage(format!("{} '{line}': {}; `dopesheet help edit{advice}", self.origin, shortened(why)))
    }
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
fn operation(written: &Written) -> Result<LineArgs, Error> {
    let words = shlex::split(&written.line);
    let words = words.ok_or_else(|| written.refused("expected quotes in pairs, found an odd one"))?;
    let matches = line_parser().try_get_matches_from(words);
    let matches = matches.map_err(|error| written.refused(&on_one_line(&error)))?;
    LineArgs::of(&matches)?.ok_or_else(|| written.refused("expected an operation, found none"))
}

/// An error about an option as an error about its line.
fn told(written: &Written, options: &[EditOption], error: Error) -> Error {
    let Error::Option(wrong) = &error else { return error };
    let form = options.iter().find(|option| option.name == wrong.option).map(|option| option.form);
    match form {
        Some(Form::Named(flag)) => written.refused(&wrong.spelt(|_| format!("--{flag}")).to_string()),
        _ => written.refused(&wrong.to_string()),
    }
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

/// A parser's message on a single line.
fn on_one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let text =
        text.trim_start_matches("error: ").split("\n\nFor more information").next().unwrap_or_default();
    let paragraph = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    text.trim_end().split("\n\n").map(paragraph).collect::<Vec<_>>().join("; ")
}

/// The help for an operation that a command line asks for: `dopesheet help edit keys law`, or `dopesheet edit
/// -e 'trim -h'`. `None` for any other command line.
pub(crate) fn help(words: &[String]) -> Option<StyledStr> {
    match words {
        [_, help, edit, operation @ ..] if help == "help" && edit == "edit" && !operation.is_empty() => {
            let mut line = line_parser();
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
    let error = line_parser().try_get_matches_from(shlex::split(line)?).err()?;
    (error.kind() == ErrorKind::DisplayHelp).then(|| error.render())
}
