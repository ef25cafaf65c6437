//! Axes of values, and the space they are relative to.

use super::NamesArg;
use clap::{Args, ValueEnum};
use dopesheet::{SampleOptions, sample::Axes, sample::Space};

// Axes, names and space of values
#[derive(Args, Debug)]
pub(crate) struct FrameArgs {
    /// Axes, units and names of values
    #[arg(long, value_enum, default_value = "native")]
    pub(crate) axes: AxesArg,
    /// Language of names, with --axes gltf
    #[arg(long, value_enum, default_value = "original")]
    pub(crate) names: NamesArg,
    /// Space of transforms
    #[arg(long, value_enum, default_value = "local")]
    pub(crate) space: SpaceArg,
}

impl FrameArgs {
    /// The options of a sample, in that frame.
    pub(crate) fn of<'a>(&self, options: SampleOptions<'a>) -> SampleOptions<'a> {
        SampleOptions {
            axes: self.axes.into(),
            space: self.space.into(),
            language: self.names.into(),
            ..options
        }
    }
}

/// Axes, units and names of values
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AxesArg {
    /// Those of the file, as stored
    Native,
    /// Those of glTF, as a conversion would write them
    Gltf,
}

impl From<AxesArg> for Axes {
    fn from(axes: AxesArg) -> Self {
        match axes {
            AxesArg::Native => Self::Native,
            AxesArg::Gltf => Self::Gltf,
        }
    }
}

/// Space of transforms
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SpaceArg {
    /// Relative to the parent
    Local,
    /// Relative to the model
    Model,
}

impl From<SpaceArg> for Space {
    fn from(space: SpaceArg) -> Self {
        match space {
            SpaceArg::Local => Self::Local,
            SpaceArg::Model => Self::Model,
        }
    }
}
