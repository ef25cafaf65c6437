//! The words of `dopesheet table`.

use super::{BatchArgs, FrameArgs, FramesArgs, ManifestArgs, ModelArgs, ReadArgs, TEMPLATE};
use crate::headings::{MANY, READING};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Content of a row
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// One frame: arrays of one shape for all joints
    Wide,
    /// One number, with the target, channel and time it belongs to
    Long,
}

/// Precision of numbers
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// 32 bits
    Single,
    /// 64 bits
    Double,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet table 'captures/**/*.bvh' -o dataset/
  dopesheet table 'motions/**/*.vmd' -m miku.pmx --fps 30 --axes gltf -o dataset/
  dopesheet table 'motions/**' --layout long -o dataset/
  dopesheet table 'captures/**/*.bvh' -o dataset/ --resume
")]
pub(crate) struct TableArgs {
    /// Files or glob patterns
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<String>,
    /// Folder of the dataset
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Format to write: parquet or arrow
    #[arg(short, long, value_name = "FORMAT", default_value = "parquet")]
    pub(crate) to: String,
    /// Content of a row
    #[arg(long, value_enum, default_value = "wide")]
    pub(crate) layout: LayoutArg,
    /// Rows per second [default: every frame of each file's own grid]
    #[arg(long, value_name = "FPS")]
    pub(crate) fps: Option<f64>,
    #[command(flatten)]
    pub(crate) frame: FrameArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Clip of each file by its name, or by its position from 0, as '#2' [default: all]
    #[arg(long, value_name = "NAME|#N", value_hint = ValueHint::Other)]
    pub(crate) clip: Option<String>,
    /// Include only targets of these kinds: joint, morph, camera, light, hand, custom
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Precision of numbers
    #[arg(long, value_enum, default_value = "single")]
    pub(crate) precision: PrecisionArg,
    /// Number of inputs in a chunk, which is written or resumed as a whole [default: a 64th of all inputs, from 8 to 1024]
    #[arg(long, value_name = "N")]
    pub(crate) chunk_files: Option<std::num::NonZeroUsize>,
    /// Number of rows after which the next clip starts another file
    #[arg(long, value_name = "N", default_value = "1000000")]
    pub(crate) chunk_rows: std::num::NonZeroUsize,
    /// Replace an existing dataset
    #[arg(long)]
    pub(crate) force: bool,
    /// Print what would be written, but write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object per chunk
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = MANY)]
    pub(crate) manifest: ManifestArgs,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) frames: FramesArgs,
    #[command(flatten, next_help_heading = READING)]
    pub(crate) read: ReadArgs,
    #[command(flatten, next_help_heading = MANY)]
    pub(crate) batch: BatchArgs,
}
