//! A table as text.

use dopesheet::{Error, sample::Sampled};

/// One row per number: spreadsheets and data frames pivot it as they need.
pub(crate) fn bytes(sampled: &Sampled) -> Result<Vec<u8>, Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let failed = |e: csv::Error| Error::Io { path: "CSV".into(), source: e.into() };
    out.write_record(["time_s", "target", "index", "kind", "channel", "component", "value"])
        .map_err(failed)?;
    for track in &sampled.tracks {
        let (index, kind) = (track.index.to_string(), track.kind.word());
        for channel in &track.channels {
            for (row, time) in channel.values.chunks_exact(channel.width.max(1)).zip(&sampled.times_s) {
                for (component, value) in row.iter().enumerate() {
                    let (time, value) = (time.to_string(), value.to_string());
                    let component = component.to_string();
                    let record = [&time, &track.target, &index, kind, &channel.name, &component, &value];
                    out.write_record(record).map_err(failed)?;
                }
            }
        }
    }
    out.into_inner().map_err(|e| Error::Io { path: "CSV".into(), source: e.into_error() })
}
