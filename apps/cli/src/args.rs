//! The words of the command line.

mod frame;
mod table;

use crate::settings::SettingsArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use dopesheet::{Assumptions, Error, Language, NameMap, Opened, TimeSpec, Tolerance};
pub(crate) use frame::FrameArgs;
use std::path::{Path, PathBuf};
pub(crate) use table::TableArgs;
#[cfg(feature = "table")]
pub(crate) use table::{LayoutArg, PrecisionArg};

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
  dopesheet diff dance.vmd dance.glb
  dopesheet render dance.vmd -o dance.gif
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
    Table(Box<TableArgs>),
    Diff(DiffArgs),
    Plot(PlotArgs),
    Render(RenderArgs),
    View(ViewArgs),
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
    /// What to take for true where a file says nothing, as in rate=30,axes=yup,order=xyzw; `dopesheet formats` says what
    /// files of a format may leave open
    #[arg(long, value_name = "WORD=VALUE,…")]
    pub(crate) assume: Option<Assumptions>,
}

/// At which times.
#[derive(Args, Debug)]
pub(crate) struct TimesArgs {
    /// Times in seconds, or frames of the file's own grid (45f); may be negative or past the end
    #[arg(long, value_name = "T,T,…", allow_hyphen_values = true, group = "when")]
    pub(crate) times: Option<String>,
    /// So many times a second, from 0 to the end
    #[arg(long, value_name = "FPS", group = "when")]
    pub(crate) fps: Option<f64>,
    /// From a time to a time in steps
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

/// The model that motions play on.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArgs {
    /// The model that motions play on, or `standard` for our own puppet; files with a model of their own play on that
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Names of the inputs and of the model, target or other file: a file with lines `theirs = ours`
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
}

impl ModelArgs {
    /// The model, if one is given.
    pub(crate) fn open(&self) -> Result<Option<Opened>, Error> {
        self.model.as_deref().map(dopesheet::open_model).transpose()
    }

    /// The map; none is one in which every name means itself.
    pub(crate) fn names(&self) -> Result<NameMap, Error> {
        self.map.as_deref().map_or_else(|| Ok(NameMap::default()), dopesheet::read_names)
    }
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

/// How a run over many files is kept track of.
#[derive(Args, Clone, Debug)]
pub(crate) struct ManifestArgs {
    /// Go on with a run into a folder that was cut off or had failures: what is done stays done
    #[arg(long)]
    pub(crate) resume: bool,
    /// List here, as JSON lines, what became of each file; without it in OUT/manifest.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
}

impl ManifestArgs {
    /// Whether one is asked for also where it goes without saying.
    pub(crate) const fn is_wanted(&self) -> bool {
        self.resume || self.manifest.is_some()
    }

    /// Where the manifest of a run into a folder is.
    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        self.manifest.clone().unwrap_or_else(|| folder.join("manifest.jsonl"))
    }
}

/// What is in a file: format, version, variant, clips, tracks, keys, duration, rate, findings
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet info dance.vmd
  dopesheet info 'motions/*.vmd' --json
  dopesheet info dance.vmd -m miku.pmx
")]
pub(crate) struct InfoArgs {
    /// Files or globs; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
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
    #[command(flatten)]
    pub(crate) model: ModelArgs,
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

/// Which names things go by
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum NamesArg {
    /// The source's own
    #[default]
    Original,
    /// English where the source or its model has an English name
    English,
}

impl From<NamesArg> for Language {
    fn from(names: NamesArg) -> Self {
        match names {
            NamesArg::Original => Self::Original,
            NamesArg::English => Self::English,
        }
    }
}

/// To another format, with a report of what was kept, approximated and dropped
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet convert dance.vmd -o dance.glb
  dopesheet convert dance.vmd -m miku.pmx -o dance.glb
  dopesheet convert dance.vmd -m standard -o dance.glb --names english
  dopesheet convert dance.vmd -o dance.vrma
  dopesheet convert walk.json -m character.model.json -o walk.glb
  dopesheet convert run.json idle.json --into character.glb -o out.glb
  dopesheet convert 'motions/**/*.vmd' -t glb -o out/
  dopesheet convert 'motions/**/*.vmd' -t glb -o out/ --resume
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
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Add the clips to this file's nodes, by name
    #[arg(long, value_name = "TARGET")]
    pub(crate) into: Option<PathBuf>,
    /// With --into: drop the target's own animations
    #[arg(long, requires = "into")]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
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
    pub(crate) manifest: ManifestArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
}

/// The values at given times
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet sample dance.vmd --times 0,0.5,45f
  dopesheet sample dance.vmd --fps 60 -o dance.csv
  dopesheet sample dance.vmd --fps 60 --axes gltf -o dance.npz
  dopesheet sample walk.json -m character.model.json --space model --range 0:1:0.1 --json
")]
pub(crate) struct SampleArgs {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) when: TimesArgs,
    #[command(flatten)]
    pub(crate) frame: FrameArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Only this clip: its name, or its position from 0 as '#2'; the first one otherwise
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// Write to this file, as its extension says: .csv, .json, .npz (arrays for NumPy), .parquet or .arrow
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

/// How far apart two animations are, per track and at worst
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet diff dance.vmd dance.glb
  dopesheet diff walk.json walk.glb -m character.model.json --tolerance 0.5mm@5cm
  dopesheet diff old.glb new.glb --clip run --json
")]
pub(crate) struct DiffArgs {
    /// A file; - is standard input
    #[arg(value_name = "A")]
    pub(crate) a: String,
    /// Another file
    #[arg(value_name = "B")]
    pub(crate) b: String,
    /// Fail if a point within SHELL of any joint is farther apart than LEN: lengths in um, mm, cm or m
    #[arg(long, value_name = "LEN[@SHELL]", default_value = "0.1mm")]
    pub(crate) tolerance: Tolerance,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Only this clip: its name, or its position from 0 as '#2'; the first one otherwise
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Dope sheet and curves as a picture
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet plot dance.vmd -o dance.svg
  dopesheet plot dance.vmd -o arms.svg --select '*腕*'
  dopesheet plot walk.glb -o hips.svg --select hips/translation --clip '#1'
")]
pub(crate) struct PlotArgs {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// The picture to write; - is standard output
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) output: PathBuf,
    /// Only targets, or channels as target/channel, whose names match
    #[arg(long, value_name = "GLOB")]
    pub(crate) select: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Only this clip: its name, or its position from 0 as '#2'; the first one otherwise
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// Say as JSON what was written
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// From where one looks
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum DirectionArg {
    /// From the front, the left of what moves, and above
    #[default]
    ThreeQuarter,
    /// From the front
    Front,
    /// From the left of what moves
    Side,
    /// From above
    Top,
}

/// The animation as a picture: a contact sheet, or a loop
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet render dance.vmd -o dance.png
  dopesheet render dance.vmd -m miku.pmx -o dance.gif --fps 20 --size 480x360
  dopesheet render run.glb -o run.apng --clip run --view side --background transparent
  dopesheet render hands.bin -o hands.png --times 0,0.5,1 --columns 3
")]
pub(crate) struct RenderArgs {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// The picture to write, as its extension says: .png (pictures side by side), .gif or .apng (a loop); - is standard
    /// output. Without times there are eight pictures on a sheet and 25 a second in a loop
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) when: TimesArgs,
    /// Pictures side by side in a row of a sheet
    #[arg(long, value_name = "N")]
    pub(crate) columns: Option<u32>,
    /// Pixels of each picture, 320x320 without
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<String>,
    /// From where one looks
    #[arg(long, value_enum, default_value = "three-quarter")]
    pub(crate) view: DirectionArg,
    /// light, dark, transparent, or a colour as #rrggbb
    #[arg(long, value_name = "COLOR")]
    pub(crate) background: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Only this clip: its name, or its position from 0 as '#2'; the first one otherwise
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// Say as JSON what was written
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Play it: in the viewer, a program of its own
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet view dance.vmd
  dopesheet view dance.vmd miku.pmx
  dopesheet view dance.vmd dance.glb
")]
pub(crate) struct ViewArgs {
    /// Files or globs; motions play on a model that is among them, and any two can be compared
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Say as JSON what was shown, when the viewer is closed
    #[arg(long)]
    pub(crate) json: bool,
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
