//! A table as text.

use dopesheet::{Error, sample::SampledTrack};
use std::io::Write;

/// A table that is written track by track.
pub(crate) struct Table<W: Write>(csv::Writer<W>);

impl<W: Write> Table<W> {
    /// A table of its header alone.
    pub(crate) fn new(out: W) -> Result<Self, Error> {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(["time_s", "target", "index", "kind", "channel", "component", "value"])
            .map_err(failed)?;
        Ok(Self(out))
    }

    /// One row per number: spreadsheets and data frames pivot it as they need.
    pub(crate) fn add(&mut self, times_s: &[f64], track: &SampledTrack) -> Result<(), Error> {
        let (index, kind) = (track.index.to_string(), track.kind.word());
        for channel in &track.channels {
            for (row, time) in channel.values.chunks_exact(channel.width.max(1)).zip(times_s) {
                for (component, value) in row.iter().enumerate() {
                    let (time, value) = (time.to_string(), value.to_string());
                    let component = component.to_string();
                    let record = [&time, &track.target, &index, kind, &channel.name, &component, &value];
                    self.0.write_record(record).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// What it was written to.
    pub(crate) fn finish(self) -> Result<W, Error> {
        self.0.into_inner().map_err(|e| failed(e.into_error().into()))
    }
}

fn failed(error: csv::Error) -> Error {
    Error::Io { path: "CSV".into(), source: error.into() }
}
