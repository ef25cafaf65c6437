//! Whose axes values are in, and what they are relative to.

use super::NamesArg;
use clap::{Args, ValueEnum};
use dopesheet::{Axes, SampleOptions, Space};

/// What numbers are given in
#[derive(Args, Debug)]
pub(crate) struct FrameArgs {
    /// Whose axes, units and names
    #[arg(long, value_enum, default_value = "native")]
    pub(crate) axes: AxesArg,
    /// With --axes gltf: which names targets go by
    #[arg(long, value_enum, default_value = "original")]
    pub(crate) names: NamesArg,
    /// What transforms are relative to
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

/// Whose axes, units and names
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AxesArg {
    /// The file's own, as stored
    Native,
    /// glTF's: what a conversion would carry
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

/// What transforms are relative to
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SpaceArg {
    /// The parent
    Local,
    /// The model
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
