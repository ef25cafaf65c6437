//! Arguments of `dopesheet edit`: files, and operations in lines.

mod keys;
mod place;
mod smooth;

use super::{FramesArgs, RunArgs, TEMPLATE, TargetArgs};
use crate::headings::READING;
use clap::{Args, Command, CommandFactory as _, Parser, Subcommand, ValueEnum, ValueHint};
use dopesheet::core::model::{Looping, Scene, TargetKind};
use dopesheet::edit::{
    Concat, Delete, EditOptions, Kept, Loop, Merge, Mirror, Operation, Pace, Pattern, Reduce, Rename, Repeat,
    Resample, Retime, Set, Shift, Split, TimeMap, Trim,
};
use dopesheet::human::Naming;
use dopesheet::times::{RangeSpec, TimeValue};
use dopesheet::{Error, FrameRate, ReadOptions, Tolerance, convert};
use keys::{KeysArgs, MarkersArgs};
use place::MoveArgs;
use smooth::SmoothArgs;
use std::path::PathBuf;
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
", after_help = operations())]
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
fn operations() -> String {
    let line = OperationLine::command();
    let width = line.get_subcommands().map(|operation| operation.get_name().len()).max().unwrap_or(0);
    let sentence = |operation: &Command| {
        let about = operation.get_about().map(ToString::to_string).unwrap_or_default();
        format!("  {:width$}  {about}\n", operation.get_name())
    };
    let sentences: String = line.get_subcommands().map(sentence).collect();
    format!("Operations (`dopesheet help edit OPERATION` explains each):\n{sentences}")
}

/// The words of all operations.
pub(crate) fn operation_words(line: &Command) -> String {
    line.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ")
}

/// Operations with their options.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    pub(crate) operations: Vec<Operation>,
    /// The clips that they change, and what may not be exact.
    pub(crate) options: EditOptions,
    /// Times at which each file is cut into several in the end.
    pub(crate) split: Option<Split>,
    /// True if the first operation takes all inputs but the first one as its files.
    pub(crate) takes_all: bool,
    /// True if cameras and lights go to a file of their own.
    pub(crate) splits: bool,
}

impl Edits {
    /// The operations, the first of which puts other motions together with the one that is edited.
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

/// A line with an operation, parsed as the arguments of a command.
#[derive(Debug, Parser)]
#[command(name = "edit", no_binary_name = true, disable_help_subcommand = true)]
pub(crate) struct OperationLine {
    #[command(subcommand)]
    pub(crate) operation: OperationArgs,
}

/// Operations as they are written.
#[derive(Debug, Subcommand)]
pub(crate) enum OperationArgs {
    /// Leave out what is before and after a range
    ///
    /// Keys inside stay as they are; a curve that goes on beyond an end gets one key more there, where it is divided.
    #[command(help_template = TEMPLATE)]
    Trim {
        /// Range that stays, both ends included: START:END in seconds (2.5) or frames (45f)
        #[arg(value_name = "START:END", allow_hyphen_values = true)]
        range: RangeSpec,
        /// Keep keys at their times, instead of starting at 0
        #[arg(long)]
        keep_time: bool,
        /// Take the nearest frame where an end is between two
        #[arg(long)]
        snap: bool,
    },
    /// Leave out a range, and close the gap
    ///
    /// The end of the range stays, and comes to its start. Where the poses at both ends differ, the last frame before the
    /// range keeps its pose; without frames the pose jumps. To cut off an end, use trim.
    #[command(help_template = TEMPLATE)]
    Delete {
        /// Range that goes, its end not included: START:END in seconds (2.5) or frames (45f)
        #[arg(value_name = "START:END", allow_hyphen_values = true)]
        range: RangeSpec,
        /// Take the nearest frame where an end is between two
        #[arg(long)]
        snap: bool,
    },
    /// Cut a motion into several files; comes last
    ///
    /// `-o dance.vmd` becomes dance-1.vmd, dance-2.vmd and so on; in a folder each input has its own numbers. A time to cut at belongs to
    /// both parts, so that concat puts them together again.
    #[command(help_template = TEMPLATE)]
    Split {
        /// Times to cut at: seconds (2.5) or frames (45f) [default: all markers]
        #[arg(value_name = "TIME")]
        at: Vec<TimeValue>,
        /// Take the nearest frame where a time is between two
        #[arg(long)]
        snap: bool,
    },
    /// Play several times
    #[command(help_template = TEMPLATE)]
    Repeat {
        /// Number of times
        #[arg(value_name = "N")]
        times: usize,
    },
    /// Put motions one behind the other
    ///
    /// Tracks are the same if their names are; clips are paired by position. Equal poses at a seam are one key; else the next motion
    /// starts one frame later, or jumps where there are no frames. Without files it takes all inputs, and comes first.
    #[command(help_template = TEMPLATE, visible_alias = "join")]
    Concat {
        /// Files that come behind each input [default: all inputs but the first come behind that one]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Time between two motions, in which each curve goes straight from pose to pose: seconds (0.5) or frames (10f)
        #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
        blend: Option<TimeValue>,
        /// Take the nearest frame where the time is between two
        #[arg(long)]
        snap: bool,
    },
    /// Play motions at once: a body, its face and a camera become one motion
    ///
    /// Clips are paired by position. Without files it takes all inputs, and comes first.
    #[command(help_template = TEMPLATE)]
    Merge {
        /// Files whose tracks each input takes [default: the first input takes those of all others]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Write cameras and lights to a file of their own: OUT-camera beside OUT
        #[arg(long)]
        split: bool,
    },
    /// Move all keys in time
    #[command(help_template = TEMPLATE)]
    Shift {
        /// Time by which they come later, or earlier below 0: seconds (2.5) or frames (45f)
        #[arg(value_name = "TIME", allow_hyphen_values = true)]
        by: TimeValue,
        /// Take the nearest frame where the time is between two
        #[arg(long)]
        snap: bool,
    },
    /// Play faster or slower; every curve keeps its shape
    ///
    /// In a VMD keys go to the nearest frames, and of two that come to one frame the later stays, as in MikuMikuDance.
    #[command(help_template = TEMPLATE)]
    Retime {
        #[command(flatten)]
        how: RetimeArgs,
        /// Add keys until the motion is within the tolerance, instead of keeping the same ones on the nearest frames; up to twice as many
        #[arg(long)]
        exact: bool,
    },
    /// Play backwards
    #[command(help_template = TEMPLATE)]
    Reverse,
    /// Exchange left and right
    ///
    /// Sides are told by names: 左 and 右, Left and Right, and L and R between separators; by the bones of a humanoid; and by --map.
    #[command(help_template = TEMPLATE)]
    Mirror {
        /// File with lines of `left = right`, of names that say no side
        #[arg(long = "map", value_name = "FILE")]
        names: Option<PathBuf>,
    },
    /// Make the end meet the start, so that the clip can start again without a jump
    ///
    /// Keys of the last stretch take over more and more of the difference; all earlier ones stay.
    #[command(help_template = TEMPLATE)]
    Loop {
        /// Length of the stretch before the end: seconds (0.5) or frames (10f) [default: 0.5, or all of a shorter clip]
        #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
        over: Option<TimeValue>,
        /// Let the figure go on from where it is: only the height of its root is brought back
        #[arg(long)]
        travel: bool,
    },
    /// Change single keys: move, insert, delete, copy, scale, law
    #[command(help_template = TEMPLATE, subcommand_required = true)]
    Keys {
        #[command(subcommand)]
        change: KeysArgs,
    },
    /// Add, move and remove moments with a name
    #[command(help_template = TEMPLATE, subcommand_required = true)]
    Markers {
        #[command(subcommand)]
        change: MarkersArgs,
    },
    /// Put a key on every frame, with straight ways in between
    #[command(help_template = TEMPLATE)]
    Resample {
        /// Frames per second
        #[arg(value_name = "FPS", allow_hyphen_values = true)]
        fps: f64,
    },
    /// Leave out keys that the straight way between their neighbours passes closely enough
    ///
    /// With --editable joints get new keys with Bezier timing, as an animator would set them.
    #[command(help_template = TEMPLATE)]
    Reduce {
        /// Few keys, at the same times for all joints of an arm, a leg, a hand or the body
        #[arg(long)]
        editable: bool,
        /// Largest distance of a point on the skin from where it was: 0.1mm, 1cm, 0.1mm@3cm
        #[arg(long, value_name = "LENGTH", default_value_t = Tolerance::DEFAULT)]
        tolerance: Tolerance,
    },
    /// Place, turn and scale the root of what moves
    ///
    /// Turned, then scaled, then moved, then put on the ground. Keys keep their times and curves. Motions of MikuMikuDance are moved by the
    /// bone 全ての親, which gets a key if it has none.
    #[command(help_template = TEMPLATE)]
    Move(MoveArgs),
    /// Take the jitter out of what was captured
    ///
    /// Keys that stand close together are filtered and keep their times; what is keyed sparsely holds no jitter and stays. Without names,
    /// kinds or properties: joints, hands and cameras, but no faces. Feet that stand stay where they stood, if the file has a skeleton with
    /// names that are known.
    #[command(help_template = TEMPLATE)]
    Smooth(SmoothArgs),
    /// Give other names to bones, morphs and all else that moves
    ///
    /// NAMING is one of unity, mmd, vrm, mixamo, unreal, vroid, blender, biovision, poser, smpl, cmu, openxr, webxr, mrtk2, soma, rokoko, xsens,
    /// smpl-model, makehuman, biped, bitmoji, robotexpressive, bandai and unityxr.
    #[command(help_template = TEMPLATE)]
    Rename {
        /// File with lines of `old = new`
        #[arg(value_name = "FILE", required_unless_present = "from")]
        names: Option<PathBuf>,
        /// Naming of the bones
        #[arg(long, value_name = "NAMING", requires = "to")]
        from: Option<Naming>,
        /// Naming that they get; bones that either lacks keep their names
        #[arg(long, value_name = "NAMING", requires = "from")]
        to: Option<Naming>,
    },
    /// Keep only some tracks
    #[command(help_template = TEMPLATE)]
    Select(KeptArgs),
    /// Leave out some tracks
    #[command(help_template = TEMPLATE)]
    Drop(KeptArgs),
    /// Say other things about a clip
    #[command(help_template = TEMPLATE)]
    Set(SetArgs),
}

/// Speed of a clip, in one of four ways.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct RetimeArgs {
    /// So many times as fast: 0.5 takes twice as long
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    speed: Option<f64>,
    /// So that it lasts so long: seconds (2.5) or frames (45f)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    duration: Option<TimeValue>,
    /// As if its frames had been meant for this rate; nothing is sampled anew
    #[arg(long, value_name = "FPS", allow_hyphen_values = true)]
    fps: Option<f64>,
    /// With a speed that changes: a file with lines of two times, the old one and the new one
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
}

/// Tracks that are meant.
#[derive(Args, Debug)]
pub(crate) struct KeptArgs {
    /// Names, or patterns of names: `左*`, `?`, `[ab]`
    #[arg(value_name = "NAME")]
    names: Vec<Pattern>,
    /// Only tracks of these kinds
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_enum)]
    kind: Vec<KindArg>,
    /// Only channels of these properties: translation, rotation, scale, weight, …
    #[arg(long, value_name = "PROPERTY,…", value_delimiter = ',')]
    property: Vec<String>,
}

/// Kind of a track.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindArg {
    /// Nodes and bones
    Joint,
    /// Morphs of meshes
    Morph,
    /// Cameras
    Camera,
    /// Lights
    Light,
    /// Tracked hands
    Hand,
    /// Switches and numbers
    Custom,
}

/// Facts to state.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct SetArgs {
    /// Name of the clip
    #[arg(long)]
    name: Option<String>,
    /// Name of the model that the motion is for
    #[arg(long, value_name = "NAME")]
    model_name: Option<String>,
    /// Behaviour of a player at the end
    #[arg(long = "loop", value_name = "BEHAVIOUR", value_enum)]
    looping: Option<LoopArg>,
}

/// Behaviour of a player at the end.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LoopArg {
    /// Start again
    On,
    /// Stay at the last pose
    Off,
}

impl OperationArgs {
    /// True if cameras and lights go to a file of their own.
    pub(crate) const fn splits(&self) -> bool {
        matches!(self, Self::Merge { split: true, .. })
    }

    /// The operation, with the files that it needs read.
    pub(crate) fn operation(self, read: &ReadOptions) -> Result<Operation, Error> {
        Ok(match self {
            Self::Trim { range, keep_time, snap } => Operation::Trim(Trim { range, keep_time, snap }),
            Self::Delete { range, snap } => Operation::Delete(Delete { range, snap }),
            Self::Split { .. } => {
                return Err(Error::Usage(
                    "split: it makes several files, and has to be the last operation".into(),
                ));
            }
            Self::Repeat { times } => Operation::Repeat(Repeat { times }),
            Self::Concat { files, blend, snap } => {
                Operation::Concat(Concat { others: scenes(&files, read)?, blend, snap })
            }
            Self::Merge { files, split: _ } => Operation::Merge(Merge { others: scenes(&files, read)? }),
            Self::Shift { by, snap } => Operation::Shift(Shift { by, snap }),
            Self::Retime { how, exact } => Operation::Retime(Retime { pace: how.pace()?, exact }),
            Self::Reverse => Operation::Reverse,
            Self::Mirror { names } => {
                let names = names.map(|names| dopesheet::names::read_names(&names)).transpose()?;
                Operation::Mirror(Mirror { names: names.unwrap_or_default() })
            }
            Self::Loop { over, travel } => Operation::Loop(Loop { over, travels: travel }),
            Self::Keys { change } => Operation::Keys(change.into()),
            Self::Markers { change } => Operation::Markers(change.into()),
            Self::Resample { fps } => Operation::Resample(Resample { rate: convert::rate(fps)? }),
            Self::Reduce { tolerance, editable } => Operation::Reduce(Reduce { tolerance, editable }),
            Self::Move(place) => Operation::Move(place.into()),
            Self::Smooth(smooth) => Operation::Smooth(smooth.into()),
            Self::Rename { names, from, to } => {
                let names = names.map(|names| dopesheet::names::read_names(&names)).transpose()?;
                Operation::Rename(Rename { names: names.unwrap_or_default(), bones: from.zip(to) })
            }
            Self::Select(kept) => Operation::Select(kept.into()),
            Self::Drop(kept) => Operation::Drop(kept.into()),
            Self::Set(set) => Operation::Set(set.into()),
        })
    }
}

/// The motions of files.
fn scenes(files: &[PathBuf], read: &ReadOptions) -> Result<Vec<Arc<Scene>>, Error> {
    let scene = |file: &PathBuf| {
        let opened = dopesheet::open(file, None, read)?;
        Ok(Arc::new(dopesheet::edit::scene(&opened)?))
    };
    files.iter().map(scene).collect()
}

impl RetimeArgs {
    fn pace(&self) -> Result<Pace, Error> {
        let rate = |fps: f64| -> Result<FrameRate, Error> { convert::rate(fps) };
        Ok(match self {
            Self { speed: Some(speed), .. } => Pace::Speed(*speed),
            Self { duration: Some(duration), .. } => Pace::Duration(*duration),
            Self { curve: Some(curve), .. } => {
                Pace::Curve(TimeMap { points: dopesheet::times::read_pairs(curve)? })
            }
            Self { fps, .. } => Pace::Frames(rate(fps.unwrap_or(f64::NAN))?),
        })
    }
}

impl From<KeptArgs> for Kept {
    fn from(args: KeptArgs) -> Self {
        let kind = |kind: KindArg| match kind {
            KindArg::Joint => TargetKind::Joint,
            KindArg::Morph => TargetKind::Morph,
            KindArg::Camera => TargetKind::Camera,
            KindArg::Light => TargetKind::Light,
            KindArg::Hand => TargetKind::Hand,
            KindArg::Custom => TargetKind::Custom,
        };
        Self {
            names: args.names,
            kinds: args.kind.into_iter().map(kind).collect(),
            properties: args.property,
        }
    }
}

impl From<SetArgs> for Set {
    fn from(args: SetArgs) -> Self {
        let looping = args.looping.map(|looping| match looping {
            LoopArg::On => Looping::Loop,
            LoopArg::Off => Looping::Once,
        });
        Self { name: args.name, model_name: args.model_name, looping }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Options that the command alone has: they name files that programs hand over, or write.
    const OF_FILES: [&str; 2] = ["files", "split"];

    /// Operation that the command alone has, because it makes several files.
    const OF_COMMAND: &str = "split";

    /// Words and options of a command's operations, as [`dopesheet::edit::OPERATIONS`] has them.
    fn operations(command: &Command, before: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != OF_COMMAND) {
            let word = format!("{before}{}", subcommand.get_name());
            if subcommand.has_subcommands() {
                all.append(&mut operations(subcommand, &format!("{word} ")));
                continue;
            }
            let name = |argument: &clap::Arg| match argument.get_long() {
                // The map is a file for the command, and names for a program.
                Some("map") => "names".to_owned(),
                Some(long) => long.to_owned(),
                None => argument.get_id().as_str().replace('_', "-"),
            };
            let options = subcommand.get_arguments().map(name);
            all.insert(word, options.filter(|option| !OF_FILES.contains(&option.as_str())).collect());
        }
        all
    }

    #[test]
    fn programs_describe_the_operations_of_the_command_by_the_same_names() {
        let described = dopesheet::edit::OPERATIONS.iter().map(|operation| {
            let options = operation.options.iter().map(|option| (*option).to_owned());
            (operation.word.to_owned(), options.collect::<BTreeSet<_>>())
        });
        assert_eq!(operations(&OperationLine::command(), ""), described.collect());
    }

    /// The operation of a line of a program, whose files are written first.
    fn parsed(line: &dopesheet::edit::Line) -> Operation {
        if let Some((name, contents)) = &line.file {
            std::fs::write(name, contents).unwrap();
        }
        let words = shlex::split(&line.text).unwrap();
        let parsed =
            OperationLine::try_parse_from(words).unwrap_or_else(|error| panic!("{}: {error}", line.text));
        parsed.operation.operation(&ReadOptions::default()).unwrap()
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
        for operation in dopesheet::edit::OPERATIONS {
            let is_tried = lines.iter().any(|(word, _)| *word == operation.word);
            assert_eq!(is_tried, !operation.takes_others, "{}", operation.word);
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
