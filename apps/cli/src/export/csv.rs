//! A table as text.

use dopesheet::Error;
use dopesheet::core::model::Marker;
use dopesheet::sample::{Sampled, SampledTrack};
use std::collections::HashMap;
use std::io::Write;

/// A table written track by track.
pub(crate) struct Table<W: Write>(csv::Writer<W>);

impl<W: Write> Table<W> {
    /// A table of its header alone.
    pub(crate) fn new(out: W) -> Result<Self, Error> {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(["time_s", "target", "index", "kind", "channel", "component", "value"])
            .map_err(failed)?;
        Ok(Self(out))
    }

    /// Adds a row per number, for spreadsheets and data frames to pivot.
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

    /// Adds markers at their times; they come last.
    pub(crate) fn add_markers(&mut self, markers: &[Marker]) -> Result<(), Error> {
        for (index, marker) in markers.iter().enumerate() {
            let (time, index) = (marker.time.0.to_string(), index.to_string());
            let record = [&time, &marker.name, &index, "marker", "time_s", "0", &time];
            self.0.write_record(record).map_err(failed)?;
        }
        Ok(())
    }

    /// The sink of the table.
    pub(crate) fn finish(self) -> Result<W, Error> {
        self.0.into_inner().map_err(|e| failed(e.into_error().into()))
    }
}

fn failed(error: csv::Error) -> Error {
    Error::Io { path: "CSV".into(), source: error.into() }
}

/// A row per time, and a column per number. If there are markers, the last column has their names, each in
/// the row with the nearest time.
pub(crate) fn wide(sampled: &Sampled) -> Result<Vec<u8>, Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    write_wide(sampled, &mut out).map_err(failed)?;
    out.into_inner().map_err(|e| failed(e.into_error().into()))
}

fn write_wide(sampled: &Sampled, out: &mut csv::Writer<Vec<u8>>) -> csv::Result<()> {
    let columns = sampled.columns();
    let mut head = vec!["time_s".to_owned()];
    for column in &columns {
        match column.channel.is_scalar {
            true => head.push(column.name.clone()),
            false => head.extend((0..column.channel.width).map(|part| format!("{}/{part}", column.name))),
        }
    }
    if !sampled.markers.is_empty() {
        head.push("markers".to_owned());
    }
    out.write_record(&head)?;
    let marked = names_by_row(sampled);
    for (row, time) in sampled.times_s.iter().enumerate() {
        out.write_field(time.to_string())?;
        for channel in columns.iter().map(|column| column.channel) {
            let values = channel.values.chunks_exact(channel.width.max(1)).nth(row).unwrap_or_default();
            values.iter().try_for_each(|value| out.write_field(value.to_string()))?;
        }
        if !sampled.markers.is_empty() {
            out.write_field(marked.get(&row).map(|names| names.join("; ")).unwrap_or_default())?;
        }
        out.write_record(None::<&[u8]>)?;
    }
    Ok(())
}

/// The names of the markers of each row.
fn names_by_row(sampled: &Sampled) -> HashMap<usize, Vec<&str>> {
    let mut rows: Vec<(f64, usize)> =
        sampled.times_s.iter().enumerate().map(|(row, time)| (*time, row)).collect();
    rows.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut names: HashMap<usize, Vec<&str>> = HashMap::new();
    for marker in &sampled.markers {
        let after = rows.partition_point(|(time, _)| *time < marker.time.0);
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|at| rows.get(at));
        let distance = |time: f64| (time - marker.time.0).abs();
        if let Some((_, row)) = near.min_by(|(a, _), (b, _)| distance(*a).total_cmp(&distance(*b))) {
            names.entry(*row).or_default().push(&marker.name);
        }
    }
    names
}
