//! The words of the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const TEMPLATE: &str = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Read, check, play, compare and convert keyframe animation exactly.
#[derive(Debug, Parser)]
#[command(name = "dopesheet", version, help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet info dance.vmd
  dopesheet check 'motions/**/*.vmd'
  dopesheet convert dance.vmd -o dance.glb
  dopesheet convert run.json idle.json --into character.glb -o out.glb
  dopesheet sample dance.vmd --times 0,0.5,45f --json
")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(InfoArgs),
    Check(CheckArgs),
    Convert(Box<ConvertArgs>),
    Sample(SampleArgs),
    List(ListArgs),
    Extract(ExtractArgs),
    Formats(FormatsArgs),
    Completions(CompletionsArgs),
}

/// How files are found and read.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadArgs {
    /// Read every input as this format instead of finding out
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Keep what can be kept of a damaged file, and say what was left
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// How many files are worked on.
#[derive(Args, Clone, Debug)]
pub(crate) struct BatchArgs {
    /// Files worked on at once; 0 is one per core
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
    /// Stop at the first file that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// No progress bar, also on a terminal
    #[arg(long)]
    pub(crate) no_progress: bool,
}

/// What is in a file: format, version, variant, clips, tracks, keys, duration, rate, findings
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet info dance.vmd
  dopesheet info 'motions/*.vmd' --json
")]
pub(crate) struct InfoArgs {
    /// Files or globs; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// One JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
}

/// What is wrong with a file: code, severity, place, message
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet check dance.vmd
  dopesheet check 'motions/**/*.vmd' --strict --json
")]
pub(crate) struct CheckArgs {
    /// Files or globs; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Warnings fail too
    #[arg(long)]
    pub(crate) strict: bool,
    /// One JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
}

/// To another format, with a report of what was kept, approximated and dropped
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet convert dance.vmd -o dance.glb
  dopesheet convert walk.json -m character.model.json -o walk.glb
  dopesheet convert run.json idle.json --into character.glb -o out.glb
  dopesheet convert 'motions/**/*.vmd' -t glb -o out/
  dopesheet convert pack.m4b -t glb -o out/
  dopesheet convert pack.m4b:anims/walk.ubi -o walk.glb
  dopesheet convert dance.vmd -o - -t glb > dance.glb
")]
pub(crate) struct ConvertArgs {
    /// Files or globs; - is standard input
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<String>,
    /// The file to write, or with -t a folder; - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: String,
    /// Format to write, with its variant after @: glb, playcanvas@3, vmd@old
    #[arg(short, long, value_name = "FORMAT[@VARIANT]")]
    pub(crate) to: Option<String>,
    /// The model that the motions play on
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Add the clips to this file's nodes, by name
    #[arg(long, value_name = "TARGET")]
    pub(crate) into: Option<PathBuf>,
    /// With --into: drop the target's own animations
    #[arg(long, requires = "into")]
    pub(crate) replace: bool,
    /// Leave out the first moving node of each clip
    #[arg(long)]
    pub(crate) skip_first: bool,
    /// Only this clip: its name, or its position from 0 as '#2'
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// Names of the inputs and of the model or target: a file with lines `theirs = ours`
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// One key per frame at this rate instead of authored keys
    #[arg(long, value_name = "FPS")]
    pub(crate) bake: Option<f64>,
    /// Only this stretch, in seconds or frames (45f); it starts at 0 in the output
    #[arg(long, value_name = "START:END", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Move clips that start before 0 to 0 instead of cutting them there
    #[arg(long)]
    pub(crate) shift: bool,
    /// Group keys by name, then sort by time
    #[arg(long)]
    pub(crate) sort: bool,
    /// Metres per unit of length of the inputs
    #[arg(long, value_name = "METRES")]
    pub(crate) scale: Option<f64>,
    /// Keep channels that never differ from the rest pose
    #[arg(long)]
    pub(crate) keep_constant: bool,
    /// Write ? for characters that the target's encoding lacks
    #[arg(long)]
    pub(crate) replace_unencodable: bool,
    /// Also write the report here
    #[arg(long, value_name = "FILE.json")]
    pub(crate) report: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
    /// Say what would be written, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// The report as JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
}

/// Whose axes, units and names
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AxesArg {
    /// The file's own, as stored
    Native,
    /// glTF's: what a conversion would carry
    Gltf,
}

/// What transforms are relative to
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SpaceArg {
    /// The parent
    Local,
    /// The model
    Model,
}

/// The values at given times
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet sample dance.vmd --times 0,0.5,45f
  dopesheet sample dance.vmd --fps 60 -o dance.csv
  dopesheet sample walk.json -m character.model.json --space model --range 0:1:0.1 --json
")]
pub(crate) struct SampleArgs {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Times in seconds, or frames of the file's own grid (45f); may be negative or past the end
    #[arg(long, value_name = "T,T,…", allow_hyphen_values = true, group = "when")]
    pub(crate) times: Option<String>,
    /// So many times a second, from 0 to the end
    #[arg(long, value_name = "FPS", group = "when")]
    pub(crate) fps: Option<f64>,
    /// From a time to a time in steps
    #[arg(long, value_name = "START:END:STEP", allow_hyphen_values = true, group = "when")]
    pub(crate) range: Option<String>,
    /// Whose axes, units and names
    #[arg(long, value_enum, default_value = "native")]
    pub(crate) axes: AxesArg,
    /// What transforms are relative to
    #[arg(long, value_enum, default_value = "local")]
    pub(crate) space: SpaceArg,
    /// The model that the motion plays on
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Only this clip: its name, or its position from 0 as '#2'; the first one otherwise
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// Names of the file and of the model: a file with lines `theirs = ours`
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// Write to this file, as its extension says (.csv or .json)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// JSON instead of CSV
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// What an archive holds
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet list pack.m4b
  dopesheet list pack.m4b -r --json
")]
pub(crate) struct ListArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Also what archives inside it hold
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// List what can be listed of a damaged archive
    #[arg(long)]
    pub(crate) lenient: bool,
    /// One JSON object per entry
    #[arg(long)]
    pub(crate) json: bool,
}

/// Take files out of an archive
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet extract pack.m4b -o out/
  dopesheet extract pack.m4b -o out/ 'anims/*.ubi'
")]
pub(crate) struct ExtractArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Only entries whose path matches
    #[arg(value_name = "GLOB")]
    pub(crate) glob: Option<String>,
    /// Take out what can be taken out of a damaged archive
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
    /// One JSON object per entry
    #[arg(long)]
    pub(crate) json: bool,
}

/// What can be read, written and converted
#[derive(Args, Debug)]
pub(crate) struct FormatsArgs {
    /// One JSON object per format
    #[arg(long)]
    pub(crate) json: bool,
}

/// A completion script for a shell
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet completions bash > ~/.local/share/bash-completion/completions/dopesheet
")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
    /// The script as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
