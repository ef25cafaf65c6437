//! Whose axes values are in, and what they are relative to.

use clap::ValueEnum;
use dopesheet::{Axes, Space};

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
