//! Arguments of `dopesheet edit`: files, and operations in lines.

use super::{FramesArgs, RunArgs, TEMPLATE, TargetArgs};
use crate::headings::READING;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, ValueHint, value_parser};
use dopesheet::core::model::Scene;
use dopesheet::edit::{
    Described, EditOption, EditOptions, Form, GROUPS, OPERATIONS, Operation, SPLIT, Shape, Split,
};
use dopesheet::{Error, ReadOptions, Tolerance};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet edit dance.vmd -o part.vmd -e 'trim 30f:90f'
  dopesheet edit dance.vmd -o slow.vmd -e 'retime --speed 0.5' -e 'shift 1s'
  dopesheet edit run.glb -o back.glb -e reverse --clip run
  dopesheet edit intro.vmd dance.vmd -o both.vmd -e concat
  dopesheet edit 'motions/**/*.vmd' -o out/ --recipe clean.txt
  dopesheet help edit trim
", after_help = listed())]
pub(crate) struct EditArgs {
    /// Files or glob patterns; - for standard input
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Operation with its options; several are done in order
    #[arg(short = 'e', long = "edit", value_name = "OPERATION", value_hint = ValueHint::Other)]
    pub(crate) edits: Vec<String>,
    /// File with operations, one a line, which come before those of -e; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Largest error of what cannot stay exact, in model space: 0.1mm, 1cm, 0.1mm@3cm; beyond it nothing is written [default: 0.1mm, beyond it
    /// is a warning]
    #[arg(long, value_name = "LENGTH")]
    pub(crate) tolerance: Option<Tolerance>,
    /// Only this clip: its name, or its position from 0 as '#2' [default: all]
    #[arg(long, value_name = "NAME|#N", value_hint = ValueHint::Other)]
    pub(crate) clip: Option<String>,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) frames: FramesArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// All operations, each with a sentence.
fn listed() -> String {
    let line = line_parser();
    let width = line.get_subcommands().map(|operation| operation.get_name().len()).max().unwrap_or(0);
    let sentence = |operation: &Command| {
        let about = operation.get_about().map(ToString::to_string).unwrap_or_default();
        format!("  {:width$}  {about}\n", operation.get_name())
    };
    let sentences: String = line.get_subcommands().map(sentence).collect();
    format!("Operations (`dopesheet help edit OPERATION` explains each):\n{sentences}")
}

/// Operations with their options.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    pub(crate) operations: Vec<Operation>,
    /// Chosen clips, tolerance and limits.
    pub(crate) options: EditOptions,
    /// Times at which each file is cut into several in the end.
    pub(crate) split: Option<Split>,
    /// True if the first operation takes all inputs but the first as files.
    pub(crate) takes_all: bool,
    /// True if cameras and lights go to a file of their own.
    pub(crate) splits: bool,
}

impl Edits {
    /// The operations, with other motions for the first operation to put together with the edited motion.
    pub(crate) fn with(&self, others: Vec<Arc<Scene>>) -> Vec<Operation> {
        let mut operations = self.operations.clone();
        match operations.first_mut() {
            Some(Operation::Concat(concat)) => concat.others = others,
            Some(Operation::Merge(merge)) => merge.others = others,
            _ => {}
        }
        operations
    }
}

/// Names of arguments outside the library's table: files to read, and a second file to write.
const FILES: &str = "files";
const APART: &str = "split";

fn described() -> impl Iterator<Item = &'static Described> {
    OPERATIONS.iter().chain([SPLIT])
}

/// The parser of a line: an operation, written like the arguments of a command.
pub(crate) fn line_parser() -> Command {
    let parser = |name| Command::new(name).subcommand_required(true).arg_required_else_help(true);
    let line = parser("edit").no_binary_name(true).disable_help_subcommand(true);
    described().fold(line, |line, described| {
        let (group, word) = described.word.split_once(' ').unwrap_or(("", described.word));
        let operation = operation(described, word);
        match GROUPS.iter().find(|(name, _)| *name == group) {
            None => line.subcommand(operation),
            Some((name, _)) if line.find_subcommand(name).is_some() => {
                line.mut_subcommand(name, |group| group.subcommand(operation))
            }
            Some((name, help)) => {
                let group = parser(*name).about(*help).help_template(TEMPLATE);
                line.subcommand(group.subcommand(operation))
            }
        }
    })
}

/// The parser of an operation.
fn operation(described: &'static Described, word: &'static str) -> Command {
    let Described { help, details, needs, .. } = described;
    let mut command = Command::new(word).about(*help).help_template(TEMPLATE);
    if !details.is_empty() {
        command = command.long_about(format!("{help}\n\n{details}"));
    }
    if described.takes_others() {
        let files = Arg::new(FILES).value_name("FILE").help(described.others).num_args(0..);
        command = command.arg(files.value_parser(value_parser!(PathBuf)));
    }
    if !needs.is_empty() {
        let group = ArgGroup::new("needs").args(needs.iter()).required(true);
        command = command.group(group.multiple(!described.needs_one));
    }
    let command = command.args(described.options.iter().map(argument));
    match word {
        "concat" => command.visible_alias("join"),
        "merge" => {
            let help = "Write cameras and lights to a file of their own: OUT-camera beside OUT";
            command.arg(Arg::new(APART).long(APART).help(help).action(ArgAction::SetTrue))
        }
        _ => command,
    }
}

/// The argument of an option.
fn argument(option: &'static EditOption) -> Arg {
    let default = option.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
    let argument = Arg::new(option.name).help(format!("{}{default}", option.help));
    let argument = match option.form {
        Form::Named(flag) => argument.long(flag),
        Form::Required => argument.required(true),
        Form::Free if option.shape == Shape::List => argument.num_args(0..),
        Form::Free => argument,
    };
    match option.shape {
        Shape::Switch => return argument.action(ArgAction::SetTrue),
        Shape::Amount | Shape::Span => argument.allow_hyphen_values(true),
        Shape::List => argument.action(ArgAction::Append),
        _ => argument,
    }
    .value_name(option.value)
}

/// An operation in a line.
pub(crate) struct LineArgs {
    pub(crate) described: &'static Described,
    /// Values of its options in JSON.
    pub(crate) values: Map<String, Value>,
    files: Vec<PathBuf>,
    /// True if cameras and lights go to a file of their own.
    pub(crate) splits: bool,
}

impl LineArgs {
    /// The operation of a line, with values read from files of the line. `None` without an operation.
    pub(crate) fn of(line: &ArgMatches) -> Result<Option<Self>, Error> {
        let named = |described: &'static Described| {
            let mut words = described.word.split(' ');
            Some((described, words.try_fold(line, |matches, word| matches.subcommand_matches(word))?))
        };
        let Some((described, matches)) = described().find_map(named) else { return Ok(None) };
        let mut values = Map::new();
        for option in described.options {
            let value = match option.shape {
                Shape::Switch => Some(Value::Bool(matches.get_flag(option.name))),
                _ => value(option, matches)?,
            };
            values.extend(value.map(|value| (option.name.to_owned(), value)));
        }
        let files = matches.try_get_many(FILES).ok().flatten().into_iter().flatten().cloned().collect();
        let splits = matches!(matches.try_get_one(APART), Ok(Some(true)));
        Ok(Some(Self { described, values, files, splits }))
    }

    /// True of an operation on several files without names of files: on all inputs.
    pub(crate) const fn takes_all(&self) -> bool {
        self.described.takes_others() && self.files.is_empty()
    }

    /// The operation, with the motions of its files.
    pub(crate) fn operation(self, read: &ReadOptions) -> Result<Operation, Error> {
        let scene = |file: &PathBuf| {
            let opened = dopesheet::open(file, None, read)?;
            Ok(Arc::new(dopesheet::edit::scene(&opened)?))
        };
        let others = self.files.iter().map(scene).collect::<Result<_, Error>>()?;
        self.described.operation(self.values, others)
    }
}

/// The value of an option in JSON.
fn value(option: &EditOption, matches: &ArgMatches) -> Result<Option<Value>, Error> {
    let texts: Vec<&String> = matches.get_many(option.name).into_iter().flatten().collect();
    Ok(match texts[..] {
        [] => None,
        [path] if option.is_file() => Some(option.of_file(Path::new(path))?),
        [text] => Some(Value::from(text.as_str())),
        _ => Some(texts.into_iter().map(String::as_str).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operation of a line of a program, whose files are written first.
    fn parsed(line: &dopesheet::edit::Line) -> Operation {
        if let Some((name, contents)) = &line.file {
            std::fs::write(name, contents).unwrap();
        }
        let words = shlex::split(&line.text).unwrap();
        let matches = line_parser().try_get_matches_from(words);
        let matches = matches.unwrap_or_else(|error| panic!("{}: {error}", line.text));
        let parsed = LineArgs::of(&matches).unwrap().unwrap();
        parsed.operation(&ReadOptions::default()).unwrap()
    }

    #[test]
    fn a_line_that_programs_are_told_is_the_operation_that_they_describe() {
        let lines = [
            ("trim", r#"{"range": "0.5:45f", "keep-time": true}"#),
            ("delete", r#"{"range": [-0.5, 1], "snap": true}"#),
            ("repeat", r#"{"times": 3}"#),
            ("shift", r#"{"by": -0.25, "snap": false}"#),
            ("retime", r#"{"speed": 0.5, "exact": true}"#),
            ("retime", r#"{"fps": 24}"#),
            ("retime", r#"{"curve": [[0, 0], ["10f", 2.5], "3:4"]}"#),
            ("reverse", "{}"),
            ("mirror", "{}"),
            ("mirror", r#"{"names": {"Fin A": "=#\"'", "figure": "motion"}}"#),
            ("loop", r#"{"over": "10f", "travel": true}"#),
            ("keys move", r#"{"range": "1:2", "by": -1, "names": ["A B", "-x", "y*"], "snap": true}"#),
            ("keys insert", r#"{"at": "3f", "kind": ["joint", "morph"], "property": "rotation"}"#),
            ("keys delete", r#"{"range": 2, "names": []}"#),
            ("keys copy", r##"{"range": [0, 1], "to": 3, "names": "#1"}"##),
            ("keys scale", r#"{"range": [0, 1], "factor": 0.5}"#),
            ("keys law", r#"{"range": [0, 1], "law": [0.25, 0.1, 0.25, 1]}"#),
            ("markers add", r#"{"at": 1.5, "name": "it's a \"hit\""}"#),
            ("markers move", r#"{"marker": "-4", "to": 2, "snap": true}"#),
            ("markers remove", r#"{"marker": 1.5}"#),
            ("resample", r#"{"fps": 24}"#),
            ("reduce", r#"{"tolerance": "1mm@2cm", "editable": true}"#),
            ("move", r#"{"by": [1, "-2cm", 0], "turn": -90, "scale": 2, "ground": true}"#),
            (
                "smooth",
                r#"{"names": ["A", "B"], "kind": [], "one-euro": true, "beta": 0.5, "let-feet-slide": true}"#,
            ),
            ("smooth", r#"{"cutoff": 4}"#),
            ("rename", r#"{"names": {"A": "B"}}"#),
            ("rename", r#"{"from": "mmd", "to": "unity"}"#),
            ("select", r#"{"names": ["A", "B"], "property": ["rotation", "scale"]}"#),
            ("drop", r#"{"names": "left arm"}"#),
            ("set", r#"{"name": "my walk", "model-name": "", "loop": false}"#),
            ("set", r#"{"name": "-", "loop": true}"#),
        ];
        let folder = tempfile::tempdir().unwrap();
        let stem = folder.path().join("a file");
        for (word, options) in lines {
            let line = dopesheet::edit::line(word, options, stem.to_str().unwrap());
            let line = line.unwrap_or_else(|| panic!("{word} {options}"));
            let described = dopesheet::edit::described(word, options, Vec::new()).unwrap();
            assert_eq!(format!("{:?}", parsed(&line)), format!("{described:?}"), "{}", line.text);
        }
        for operation in OPERATIONS {
            let is_tried = lines.iter().any(|(word, _)| *word == operation.word);
            assert_eq!(is_tried, !operation.takes_others(), "{}", operation.word);
        }
    }

    #[test]
    fn names_with_blanks_and_lists_of_names_are_words_of_a_line() {
        let text =
            |word: &str, options: &str| dopesheet::edit::line(word, options, "x").map(|line| line.text);
        assert_eq!(text("set", r#"{"name": "my walk"}"#).as_deref(), Some("set --name 'my walk'"));
        assert_eq!(text("select", r#"{"names": ["A", "B"]}"#).as_deref(), Some("select A B"));
        assert_eq!(text("concat", "{}"), None, "it takes motions of other files");
        assert_eq!(text("trim", r#"{"range": {}}"#), None, "no range");
    }
}
