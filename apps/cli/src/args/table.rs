//! The words of `dopesheet table`.

use super::{BatchArgs, FrameArgs, ManifestArgs, ModelArgs, ReadArgs, TEMPLATE};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What a row of a table is
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// A frame: arrays of one shape for all joints
    Wide,
    /// A number, with what it is of beside it
    Long,
}

/// How numbers are stored
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// 32 bits
    Single,
    /// 64 bits
    Double,
}

/// Many files as one dataset of Parquet or Arrow files; needs a build with the feature `table`
#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet table 'captures/**/*.bvh' -o dataset/
  dopesheet table 'motions/**/*.vmd' -m miku.pmx --fps 30 --axes gltf -o dataset/
  dopesheet table 'motions/**' --layout long -o dataset/
  dopesheet table 'captures/**/*.bvh' -o dataset/ --resume
")]
pub(crate) struct TableArgs {
    /// Files or globs
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<String>,
    /// The folder of the dataset
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// What to write: parquet or arrow
    #[arg(short, long, value_name = "FORMAT", default_value = "parquet")]
    pub(crate) to: String,
    /// What a row is
    #[arg(long, value_enum, default_value = "wide")]
    pub(crate) layout: LayoutArg,
    /// So many rows a second; without it every frame of each file's own grid
    #[arg(long, value_name = "FPS")]
    pub(crate) fps: Option<f64>,
    #[command(flatten)]
    pub(crate) frame: FrameArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Only this clip of each file: its name, or its position from 0 as '#2'; all of them otherwise
    #[arg(long, value_name = "NAME|#N")]
    pub(crate) clip: Option<String>,
    /// Only targets of these kinds: joint, morph, camera, light, hand, custom
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// How numbers are stored
    #[arg(long, value_enum, default_value = "single")]
    pub(crate) precision: PrecisionArg,
    /// Inputs of a chunk, which are worked on and gone on with as one; without it a 64th of them, but 8 to 1024
    #[arg(long, value_name = "N")]
    pub(crate) chunk_files: Option<std::num::NonZeroUsize>,
    /// Rows of a file after which the next clip starts another one
    #[arg(long, value_name = "N", default_value = "1000000")]
    pub(crate) chunk_rows: std::num::NonZeroUsize,
    /// Make the dataset anew where there is one
    #[arg(long)]
    pub(crate) force: bool,
    /// Say what would be written, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// One JSON object per chunk
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) manifest: ManifestArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
}
