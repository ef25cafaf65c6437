//! `dopesheet table` in a build without tables.

use crate::args::TableArgs;
use crate::outcome::Outcome;
use dopesheet::Error;

/// Fails with advice on a build with tables.
pub(crate) fn run(_: &TableArgs) -> Result<Outcome, Error> {
    Err(missing())
}

/// The message about formats that this build cannot write.
pub(crate) fn missing() -> Error {
    Error::Usage(
        "this build cannot write Parquet or Arrow, because it lacks the feature table; build one with \
         `cargo install --path apps/cli --features table`"
            .into(),
    )
}
