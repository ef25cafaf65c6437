//! A row per number.

use super::{ClipTable, Precision};
use crate::playing::sample::{Sampled, SampledChannel, SampledTrack};
use arrow_array::{ArrayRef, Int32Array, StringArray};
use arrow_schema::{ArrowError, DataType, Field};
use std::ops::Range;
use std::sync::Arc;

/// The columns after the columns of clip and frame.
pub(super) fn fields(precision: Precision) -> [Field; 6] {
    [
        Field::new("target", DataType::Utf8, false),
        Field::new("index", DataType::Int32, false),
        Field::new("kind", DataType::Utf8, false),
        Field::new("channel", DataType::Utf8, false),
        Field::new("component", DataType::Int32, false),
        Field::new("value", precision.data_type(), false),
    ]
}

/// Rows of a frame.
pub(super) fn numbers(sampled: &Sampled) -> usize {
    channels(sampled).map(|(_, channel)| channel.width).sum()
}

fn channels(sampled: &Sampled) -> impl Iterator<Item = (&SampledTrack, &SampledChannel)> {
    sampled.tracks.iter().flat_map(|track| track.channels.iter().map(move |channel| (track, channel)))
}

/// The columns of some frames: frame by frame, and in the order of the file within each.
pub(super) fn arrays(table: &ClipTable, frames: Range<usize>) -> Result<Vec<ArrayRef>, ArrowError> {
    let sampled = &table.sampled;
    let each = numbers(sampled);
    let rows = frames.len() * each;
    let cells = || {
        let frame = |frame| {
            channels(sampled).flat_map(move |(track, channel)| {
                (0..channel.width).map(move |component| (frame, track, channel, component))
            })
        };
        frames.clone().flat_map(frame)
    };
    let value = |(frame, _, channel, component): (usize, &SampledTrack, &SampledChannel, usize)| {
        channel.values.get(frame * channel.width + component).copied().unwrap_or(f64::NAN)
    };
    let words: [ArrayRef; 5] = [
        Arc::new(StringArray::from_iter_values(cells().map(|(_, track, ..)| &track.target))),
        Arc::new(Int32Array::from_iter_values(cells().map(|(_, track, ..)| track.index as i32))),
        Arc::new(StringArray::from_iter_values(cells().map(|(_, track, ..)| track.kind.word()))),
        Arc::new(StringArray::from_iter_values(cells().map(|(_, _, channel, _)| &channel.name))),
        Arc::new(Int32Array::from_iter_values(cells().map(|(.., component)| component as i32))),
    ];
    let mut arrays = table.places(frames.clone(), each);
    arrays.extend(words);
    arrays.push(table.precision.array(cells().map(value), rows));
    Ok(arrays)
}
