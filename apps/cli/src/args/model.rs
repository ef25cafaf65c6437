//! Files on which motions play.

use crate::headings::FIGURES;
use clap::Args;
use dopesheet::{Error, NameMap, Opened};
use std::path::PathBuf;

// The model that motions play on.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArgs {
    /// Model that motions play on, or `standard` for the built-in puppet; files that contain a model play on their own. A human figure whose
    /// bones have names of another program, or mostly other names, takes the motion as with --onto
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// File that maps names of the inputs to names of the model, target or other file, in lines of `theirs = ours` or as a JSON object; lines behind `[motion]` and `[figure]` are for that file alone
    #[arg(long, value_name = "FILE", help_heading = FIGURES)]
    pub(crate) map: Option<PathBuf>,
}

impl ModelArgs {
    /// The model, if one is given.
    pub(crate) fn open(&self) -> Result<Option<Opened>, Error> {
        self.model.as_deref().map(dopesheet::puppet::open_model).transpose()
    }

    /// The map; none is one in which every name means itself.
    pub(crate) fn names(&self) -> Result<NameMap, Error> {
        self.map.as_deref().map_or_else(|| Ok(NameMap::default()), dopesheet::names::read_names)
    }
}

// The figure that takes a motion before it is played.
#[derive(Args, Clone, Debug)]
pub(crate) struct FigureArgs {
    /// Put the motion of a human figure onto this one first, as convert --onto does
    #[arg(long, value_name = "TARGET")]
    pub(crate) onto: Option<PathBuf>,
}

impl FigureArgs {
    /// The figure, if one is given.
    pub(crate) fn open(&self) -> Result<Option<Opened>, Error> {
        self.onto.as_deref().map(dopesheet::puppet::open_model).transpose()
    }
}
