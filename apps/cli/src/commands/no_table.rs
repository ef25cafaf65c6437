//! `dopesheet table` in a build that has no tables.

use crate::args::TableArgs;
use crate::outcome::Outcome;
use dopesheet::Error;

/// Says how to get a build that has them.
pub(crate) fn run(_: &TableArgs) -> Result<Outcome, Error> {
    Err(missing())
}

/// What is said of what this build cannot write.
pub(crate) fn missing() -> Error {
    Error::Usage(
        "expected a dopesheet with the feature table, which writes Parquet and Arrow, found one without; build it with \
         `cargo install --path apps/cli --features table`"
            .into(),
    )
}
