//! Operations on single keys and on markers, as written on the command line.

use super::KeptArgs;
use crate::args::TEMPLATE;
use clap::{Args, Subcommand};
use dopesheet::core::times::NotATime;
use dopesheet::edit::{KeyChange, KeyLaw, Keys, MarkerChange, Markers};
use dopesheet::times::{RangeSpec, TimeValue};

/// Changes of keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysArgs {
    /// Make keys come later or earlier
    #[command(help_template = TEMPLATE)]
    Move {
        /// Keys that are meant: a time (45f, 1.5), or START:END, both ends included
        #[arg(value_name = "TIMES", value_parser = range, allow_hyphen_values = true)]
        range: RangeSpec,
        /// Time by which they come later, or earlier below 0
        #[arg(value_name = "BY", allow_hyphen_values = true)]
        by: TimeValue,
        #[command(flatten)]
        on: OnArgs,
    },
    /// Put a key more into curves, which keep their shape
    #[command(help_template = TEMPLATE)]
    Insert {
        /// When
        #[arg(value_name = "TIME", allow_hyphen_values = true)]
        at: TimeValue,
        #[command(flatten)]
        on: OnArgs,
    },
    /// Leave out keys
    #[command(help_template = TEMPLATE)]
    Delete {
        /// Keys that are meant: a time (45f, 1.5), or START:END, both ends included
        #[arg(value_name = "TIMES", value_parser = range, allow_hyphen_values = true)]
        range: RangeSpec,
        #[command(flatten)]
        on: OnArgs,
    },
    /// Put the same keys at another time too; keys that are there go
    #[command(help_template = TEMPLATE)]
    Copy {
        /// Keys that are meant: a time (45f, 1.5), or START:END, both ends included
        #[arg(value_name = "TIMES", value_parser = range, allow_hyphen_values = true)]
        range: RangeSpec,
        /// Time of the copy of a key at the start of the range
        #[arg(value_name = "TO", allow_hyphen_values = true)]
        to: TimeValue,
        #[command(flatten)]
        on: OnArgs,
    },
    /// Bring keys nearer to the start of a range, or away from it
    #[command(help_template = TEMPLATE)]
    Scale {
        /// Keys that are meant: START:END, both ends included
        #[arg(value_name = "TIMES", value_parser = range, allow_hyphen_values = true)]
        range: RangeSpec,
        /// Factor of their distance from the start
        #[arg(value_name = "FACTOR", allow_hyphen_values = true)]
        factor: f64,
        #[command(flatten)]
        on: OnArgs,
    },
    /// Say how the value runs from each key to the next one
    #[command(help_template = TEMPLATE)]
    Law {
        /// Keys that are meant: a time (45f, 1.5), or START:END, both ends included
        #[arg(value_name = "TIMES", value_parser = range, allow_hyphen_values = true)]
        range: RangeSpec,
        /// step, linear, or the control points x1,y1,x2,y2 of a Bezier timing, 0 to 1
        #[arg(value_name = "LAW")]
        law: KeyLaw,
        #[command(flatten)]
        on: OnArgs,
    },
}

/// Tracks whose keys are meant.
#[derive(Args, Debug)]
pub(crate) struct OnArgs {
    #[command(flatten)]
    kept: KeptArgs,
    /// Take the nearest frame where a time is between two
    #[arg(long)]
    snap: bool,
}

/// A range, or a time that is both of its ends.
fn range(text: &str) -> Result<RangeSpec, NotATime> {
    match text.contains(':') {
        true => RangeSpec::parse(text),
        false => TimeValue::parse(text).map(|time| RangeSpec { start: time, end: time }),
    }
}

impl From<KeysArgs> for Keys {
    fn from(args: KeysArgs) -> Self {
        let (on, change) = match args {
            KeysArgs::Move { range, by, on } => (on, KeyChange::Move { range, by }),
            KeysArgs::Insert { at, on } => (on, KeyChange::Insert { at }),
            KeysArgs::Delete { range, on } => (on, KeyChange::Delete { range }),
            KeysArgs::Copy { range, to, on } => (on, KeyChange::Copy { range, to }),
            KeysArgs::Scale { range, factor, on } => (on, KeyChange::Scale { range, factor }),
            KeysArgs::Law { range, law, on } => (on, KeyChange::SetLaw { range, law }),
        };
        Self { on: on.kept.into(), change, snap: on.snap }
    }
}

/// Changes of markers.
#[derive(Debug, Subcommand)]
pub(crate) enum MarkersArgs {
    /// Add a marker
    #[command(help_template = TEMPLATE)]
    Add {
        /// When: seconds (2.5) or frames (45f)
        #[arg(value_name = "TIME", allow_hyphen_values = true)]
        at: TimeValue,
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
        /// Take the nearest frame where the time is between two
        #[arg(long)]
        snap: bool,
    },
    /// Put a marker at another time
    #[command(help_template = TEMPLATE)]
    Move {
        /// Its name, or its time
        #[arg(value_name = "MARKER")]
        marker: String,
        /// When: seconds (2.5) or frames (45f)
        #[arg(value_name = "TIME", allow_hyphen_values = true)]
        to: TimeValue,
        /// Take the nearest frame where the time is between two
        #[arg(long)]
        snap: bool,
    },
    /// Take a marker away
    #[command(help_template = TEMPLATE)]
    Remove {
        /// Its name, or its time
        #[arg(value_name = "MARKER")]
        marker: String,
    },
}

impl From<MarkersArgs> for Markers {
    fn from(args: MarkersArgs) -> Self {
        let (change, snap) = match args {
            MarkersArgs::Add { at, name, snap } => (MarkerChange::Add { at, name }, snap),
            MarkersArgs::Move { marker, to, snap } => (MarkerChange::Move { marker, to }, snap),
            MarkersArgs::Remove { marker } => (MarkerChange::Remove { marker }, false),
        };
        Self { change, snap }
    }
}
