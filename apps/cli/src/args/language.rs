//! The language of names, as written on the command line.

use clap::ValueEnum;
use dopesheet::names::Language;

/// Language of names
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum NamesArg {
    /// The names in the source
    #[default]
    Original,
    /// English names where the source or its model has them
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
