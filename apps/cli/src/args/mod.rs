//! The words of the command line.

mod convert;
mod edit;
mod frame;
mod help;
mod language;
mod model;
mod size;
mod table;

use crate::headings::{MANY, READING, REPORTS};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
pub(crate) use convert::ConvertArgs;
use dopesheet::core::format::{Assumptions, Limits, MostFrames};
use dopesheet::{Error, ReadOptions, TimeSpec};
pub(crate) use edit::{EditArgs, Edits, LineArgs, line_parser};
pub(crate) use frame::FrameArgs;
pub(crate) use help::{CompletionsArgs, ManArgs};
pub(crate) use language::NamesArg;
pub(crate) use model::{FigureArgs, ModelArgs};
use size::Size;
use std::path::{Path, PathBuf};
pub(crate) use table::TableArgs;
#[cfg(feature = "table")]
pub(crate) use table::{LayoutArg, PrecisionArg};

const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Read, check, play, compare and convert keyframe animation exactly.
#[derive(Debug, Parser)]
#[command(name = "dopesheet", version, help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet info dance.vmd
  dopesheet convert dance.vmd -m miku.pmx -o dance.glb
  dopesheet convert run.bvh --onto avatar.vrm -o run.glb
  dopesheet convert 'motions/**/*.vmd' -t glb -o out/
  dopesheet edit dance.vmd -o part.vmd -e 'trim 30f:90f' -e mirror
  dopesheet diff dance.vmd dance.glb -m miku.pmx
  dopesheet render dance.vmd -m standard -o dance.gif
")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

// Options of a verb are made once it is the one that was called: those of all cost as much as a short motion. They come behind the
// sentence about the verb, so groups of them have comments that clap does not take for another one.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Show the contents of files: format, version, variant, clips, tracks, keys, duration, rate, findings
    Info(InfoArgs),
    /// Check files for errors: code, severity, place, message
    Check(CheckArgs),
    /// Convert to another format, and report what was kept, approximated and dropped
    Convert(Box<ConvertArgs>),
    /// Change motions without losing a key: trim, shift, retime, reverse, rename and more
    Edit(Box<EditArgs>),
    /// Sample values at given times
    Sample(SampleArgs),
    /// Write many files as one Parquet or Arrow dataset; needs a build with the feature `table`
    Table(Box<TableArgs>),
    /// Compare two animations: the largest error per track and overall
    Diff(DiffArgs),
    /// Draw the dope sheet and the curves as a picture
    Plot(PlotArgs),
    /// Render the animation as a picture: a contact sheet, or a loop
    Render(RenderArgs),
    /// Play files in the viewer, which is a program of its own
    View(ViewArgs),
    /// List the contents of an archive
    List(ListArgs),
    /// Extract files from an archive
    Extract(ExtractArgs),
    /// List the formats that can be read, written and converted
    Formats(FormatsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print a manual page for man(1)
    Man(ManArgs),
}

// Options of finding and reading files.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadArgs {
    /// Read every input as this format instead of detecting it
    #[arg(short, long, value_name = "FORMAT", value_hint = ValueHint::Other)]
    pub(crate) from: Option<String>,
    /// Read as much as possible of damaged files, and report what was skipped
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Facts to assume where a file states none, as in rate=30,axes=yup,order=xyzw; `dopesheet formats` lists those that
    /// each format may leave open
    #[arg(long, value_name = "WORD=VALUE,…", value_hint = ValueHint::Other)]
    pub(crate) assume: Option<Assumptions>,
    /// Memory that a file may take beyond what its length explains (as one that decompresses to a thousand times its length), or
    /// that a pipe may have; in B, kB, MB or GB [default: 8MB, for pipes 256MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_memory: Option<Size>,
    /// Read pipes and devices that are named like files, up to --max-memory
    #[arg(long)]
    pub(crate) pipes: bool,
}

impl ReadArgs {
    /// The options of reading.
    pub(crate) fn options(&self) -> ReadOptions {
        let usual = Limits::default();
        let limits = self.max_memory.map_or(usual, |size| usual.with_memory(size.0));
        ReadOptions { lenient: self.lenient, limits }
    }

    /// Upper bound of the length of a pipe in bytes.
    pub(crate) fn longest_pipe(&self) -> u64 {
        self.max_memory.map_or(LONGEST_PIPE, |size| size.0)
    }
}

// Limit of the frames that are made of a motion.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FramesArgs {
    /// Most frames that are made of a motion; more are refused. At most 10,000,000 [default: as many as have ten million numbers
    /// together; more where the file has so many keys]
    #[arg(long, value_name = "N", value_parser = frames)]
    pub(crate) max_frames: Option<MostFrames>,
}

impl FramesArgs {
    /// The limits of reading, and this one.
    pub(crate) fn limits(self, read: &ReadArgs) -> Limits {
        Limits { max_frames: self.max_frames.unwrap_or_default(), ..read.options().limits }
    }
}

fn frames(text: &str) -> Result<MostFrames, Error> {
    let number =
        text.parse().map_err(|_| Error::Usage(format!("expected a number of frames, found {text}")))?;
    dopesheet::convert::most_frames(number)
}

/// Length in bytes at which pipes end unless somebody allows more: nobody knows before how long they are.
const LONGEST_PIPE: u64 = 256_000_000;

// Sample times.
#[derive(Args, Debug)]
pub(crate) struct TimesArgs {
    /// Times in seconds, or frames of the file's own grid (45f); may be negative or past the end
    #[arg(long, value_name = "T,T,…", allow_hyphen_values = true, group = "when")]
    pub(crate) times: Option<String>,
    /// Sample at this rate, from 0 to the end
    #[arg(long, value_name = "FPS", group = "when")]
    pub(crate) fps: Option<f64>,
    /// Sample from START to END in steps of STEP
    #[arg(long, value_name = "START:END:STEP", allow_hyphen_values = true, group = "when")]
    pub(crate) range: Option<String>,
}

impl TimesArgs {
    /// The times; `None` if nothing says which.
    pub(crate) fn spec(&self) -> Result<Option<TimeSpec>, Error> {
        if let Some(list) = &self.times {
            return TimeSpec::parse_list(list).map(Some);
        }
        if let Some(range) = &self.range {
            return TimeSpec::parse_steps(range).map(Some);
        }
        Ok(self.fps.map(TimeSpec::Rate))
    }
}

// Options of working on many files.
#[derive(Args, Clone, Debug)]
pub(crate) struct BatchArgs {
    /// Number of files to process at once; 0 for one per core, at most 4 per core
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
    /// Stop at the first file that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Print only errors, and that a tolerance was exceeded
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Show no progress bar, even on a terminal
    #[arg(long)]
    pub(crate) no_progress: bool,
}

impl BatchArgs {
    /// Number of threads; 0 for one per core. More than four per core would only take memory.
    pub(crate) fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.min(cores.saturating_mul(4))
    }
}

// Options of the manifest of a run over many files.
#[derive(Args, Clone, Debug)]
pub(crate) struct ManifestArgs {
    /// Resume an interrupted run into a folder, or retry its failures; finished files are kept
    #[arg(long)]
    pub(crate) resume: bool,
    /// Write the result for each file here, as JSON lines [default: OUT/manifest.jsonl]
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
}

impl ManifestArgs {
    /// True if a manifest is asked for explicitly.
    pub(crate) const fn is_wanted(&self) -> bool {
        self.resume || self.manifest.is_some()
    }

    /// Where the manifest of a run into a folder is.
    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        self.manifest.clone().unwrap_or_else(|| folder.join("manifest.jsonl"))
    }
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet info dance.vmd
  dopesheet info 'motions/*.vmd' --json
  dopesheet info dance.vmd -m miku.pmx
")]
pub(crate) struct InfoArgs {
    /// Files or glob patterns; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Say for each bone what it is called in the file and in this human figure
    #[arg(long, value_name = "TARGET")]
    pub(crate) onto: Option<PathBuf>,
    /// Naming of the bones, instead of a guess: the file's, and behind a colon the figure's
    #[arg(long, value_name = "NAME[:NAME]")]
    pub(crate) vocabulary: Option<String>,
    /// Which of several human figures in a file, counted from 1: the file's, and behind a colon that of --onto, as in 2:1
    #[arg(long, value_name = "N[:N]")]
    pub(crate) person: Option<String>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
    #[command(flatten, next_help_heading = MANY)]
    pub(crate) batch: BatchArgs,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet check dance.vmd
  dopesheet check 'motions/**/*.vmd' --strict --json
")]
pub(crate) struct CheckArgs {
    /// Files or glob patterns; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Fail on warnings, too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
    #[command(flatten, next_help_heading = MANY)]
    pub(crate) batch: BatchArgs,
}

// File to write, and its format.
#[derive(Args, Clone, Debug)]
pub(crate) struct TargetArgs {
    /// File to write, or a folder; - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: String,
    /// Format to write, with its variant after @: glb, playcanvas@3, vmd@old
    #[arg(short, long, value_name = "FORMAT[@VARIANT]", value_hint = ValueHint::Other)]
    pub(crate) to: Option<String>,
}

// Options of writing files and reporting on them.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunArgs {
    /// Write the report to this file, too
    #[arg(long, value_name = "FILE.json", help_heading = REPORTS)]
    pub(crate) report: Option<PathBuf>,
    /// Print everything that the report knows
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Fail, and write nothing, if anything is found or lost that has one of these codes; `dropped` and `approximated` are any
    /// loss of that kind. A --tolerance that is asked for and cannot be kept fails anyway
    #[arg(long, value_name = "CODE,…", help_heading = REPORTS, value_hint = ValueHint::Other)]
    pub(crate) fail_on_loss: Option<String>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
    /// Print what would be written, but write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Print the report as JSON
    #[arg(long, help_heading = REPORTS)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = MANY)]
    pub(crate) manifest: ManifestArgs,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
    #[command(flatten, next_help_heading = MANY)]
    pub(crate) batch: BatchArgs,
}

/// Rows of CSV
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CsvLayoutArg {
    /// One number, with the target, channel and time it belongs to
    Long,
    /// One time, with a column for each number
    Wide,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet sample dance.vmd --times 0,0.5,45f
  dopesheet sample dance.vmd --fps 60 -o dance.csv --layout wide
  dopesheet sample dance.vmd --fps 60 --axes gltf -o dance.npz
  dopesheet sample walk.json -m character.model.json --space model --range 0:1:0.1 --json
")]
pub(crate) struct SampleArgs {
    /// File to read; - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) when: TimesArgs,
    #[command(flatten)]
    pub(crate) frame: FrameArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    /// Clip by its name, or by its position from 0, as '#2' [default: the first with keys]
    #[arg(long, value_name = "NAME|#N", value_hint = ValueHint::Other)]
    pub(crate) clip: Option<String>,
    /// File to write: .csv, .json, .npz (NumPy arrays), .parquet or .arrow
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Rows of CSV [default: long]
    #[arg(long, value_enum)]
    pub(crate) layout: Option<CsvLayoutArg>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON instead of CSV
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) frames: FramesArgs,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet diff dance.vmd dance.glb
  dopesheet diff walk.json walk.glb -m character.model.json --tolerance 0.5mm@5cm
  dopesheet diff old.glb new.glb --clip run --json
")]
pub(crate) struct DiffArgs {
    /// First file; - for standard input
    #[arg(value_name = "A")]
    pub(crate) a: String,
    /// Second file
    #[arg(value_name = "B")]
    pub(crate) b: String,
    /// Fail if any point within SHELL of a joint is off by more than LEN; lengths in um, mm, cm or m. With --onto an angle of arms and
    /// free legs (1deg), a length of slides, soles and depths (20mm), or both, each with an option of its own [default: 0.1mm; with --onto
    /// what a good verdict allows]
    #[arg(long, value_name = "LEN[@SHELL]|DEG")]
    pub(crate) tolerance: Vec<String>,
    /// Compare a motion with what became of it on another figure (convert --onto): where limbs point, how high soles are, how far feet slide
    #[arg(long)]
    pub(crate) onto: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Clip by its name, or by its position from 0, as '#2' [default: the first with keys]. With --onto also a clip of A and a clip of B
    /// with a comma between
    #[arg(long, value_name = "NAME|#N", value_hint = ValueHint::Other)]
    pub(crate) clip: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) frames: FramesArgs,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet plot dance.vmd -o dance.svg
  dopesheet plot dance.vmd -o arms.svg --select '*腕*'
  dopesheet plot walk.glb -o hips.svg --select hips/translation --clip '#1'
")]
pub(crate) struct PlotArgs {
    /// File to read; - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Picture to write; - for standard output
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) output: PathBuf,
    /// Draw only targets, or channels as target/channel, that match
    #[arg(long, value_name = "GLOB")]
    pub(crate) select: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    /// Clip by its name, or by its position from 0, as '#2' [default: the first with keys]
    #[arg(long, value_name = "NAME|#N", value_hint = ValueHint::Other)]
    pub(crate) clip: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// Print as JSON what was written
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
}

/// Direction of view
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum DirectionArg {
    /// From the front, the left and above
    #[default]
    ThreeQuarter,
    /// From the front
    Front,
    /// From the left
    Side,
    /// From above
    Top,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet render dance.vmd -o dance.png
  dopesheet render dance.vmd -m miku.pmx -o dance.gif --fps 20 --size 480x360
  dopesheet render run.glb -o run.apng --clip run --view side --background transparent
  dopesheet render hands.bin -o hands.png --times 0,0.5,1 --columns 3
")]
pub(crate) struct RenderArgs {
    /// File to read; - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Picture to write: .png (frames side by side), .gif or .apng (a loop); - for standard output. Without sample times, a
    /// sheet has 8 frames and a loop has 25 frames per second
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) when: TimesArgs,
    /// Number of frames in a row of a sheet
    #[arg(long, value_name = "N")]
    pub(crate) columns: Option<u32>,
    /// Size of each frame in pixels [default: 320x320]
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<String>,
    /// Direction of view
    #[arg(long, value_enum, default_value = "three-quarter")]
    pub(crate) view: DirectionArg,
    /// Let the view go along with the figure; without it all of its way is in each frame
    #[arg(long)]
    pub(crate) follow: bool,
    /// Background: light, dark, transparent, or a colour as #rrggbb
    #[arg(long, value_name = "COLOR")]
    pub(crate) background: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    /// Clip by its name, or by its position from 0, as '#2' [default: the first with keys]
    #[arg(long, value_name = "NAME|#N", value_hint = ValueHint::Other)]
    pub(crate) clip: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// Print as JSON what was written
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) frames: FramesArgs,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet view dance.vmd
  dopesheet view dance.vmd miku.pmx
  dopesheet view dance.vmd dance.glb
")]
pub(crate) struct ViewArgs {
    /// Files or glob patterns; motions play on a model given with them, and any two files can be compared
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Print as JSON what was shown, once the viewer is closed
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet list pack.m4b
  dopesheet list pack.m4b -r --json
")]
pub(crate) struct ListArgs {
    /// Archive to read
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// List archives inside it, too
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// List as much as possible of a damaged archive
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Print one JSON object per entry
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet extract pack.m4b -o out/
  dopesheet extract pack.m4b -o out/ 'anims/*.ubi'
")]
pub(crate) struct ExtractArgs {
    /// Archive to read
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Extract only entries whose path matches
    #[arg(value_name = "GLOB")]
    pub(crate) glob: Option<String>,
    /// Extract as much as possible from a damaged archive
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object per entry
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct FormatsArgs {
    /// Print one JSON object per format
    #[arg(long)]
    pub(crate) json: bool,
}
