//! Sampled values as tables of Arrow: one row per frame, or one per number.
//!
//! Every number equals a number of [`sample`](fn@crate::sample). A table of one row per frame has a column
//! for each channel, whose rows are arrays of equal shape: in a file with a known hierarchy the joints are
//! all of its nodes, in their order, whether a clip moves them or not, so all clips on a skeleton have the
//! same schema. The columns and the metadata are listed in docs/tables.md.

mod about;
mod columns;
#[cfg(feature = "parquet")]
mod file;
mod long;
mod wide;

#[cfg(feature = "parquet")]
pub use file::{TableForm, TableWriter};

use crate::choice::clip_choice::ClipChoice;
use crate::error::Error;
use crate::files::read::Opened;
use crate::playing::sample::{SampleOptions, Sampled, sampled, scene_to_sample};
use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use columns::Column;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::model::{Clip, Scene, TargetKind};
use std::ops::Range;
use std::sync::Arc;

/// Content of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableLayout {
    /// A frame: a column for each channel, with arrays of equal shape as rows.
    #[default]
    Wide,
    /// A number, with its target, channel and component beside it.
    Long,
}

/// Precision of stored numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Rounded once, to the precision that most files store and most networks take.
    #[default]
    Single,
    /// As they were computed.
    Double,
}

impl Precision {
    fn data_type(self) -> DataType {
        match self {
            Self::Single => DataType::Float32,
            Self::Double => DataType::Float64,
        }
    }

    fn array(self, numbers: impl Iterator<Item = f64>, length: usize) -> ArrayRef {
        match self {
            Self::Single => {
                Arc::new(arrow_array::Float32Array::from(collected(numbers.map(|x| x as f32), length)))
            }
            Self::Double => Arc::new(arrow_array::Float64Array::from(collected(numbers, length))),
        }
    }
}

/// The numbers in a vector of exactly the needed capacity; the array takes the vector over.
fn collected<T>(numbers: impl Iterator<Item = T>, length: usize) -> Vec<T> {
    let mut all = Vec::with_capacity(length);
    all.extend(numbers);
    all
}

/// Options of tables.
#[derive(Debug)]
pub struct TableOptions<'a> {
    /// The values. [`ClipChoice::All`] makes a table of each clip.
    pub sample: SampleOptions<'a>,
    /// Content of a row.
    pub layout: TableLayout,
    /// Precision of stored numbers.
    pub precision: Precision,
    /// Kinds of targets with columns; an empty list is all.
    pub kinds: Vec<TargetKind>,
}

impl<'a> TableOptions<'a> {
    /// Rows of frames in single precision.
    #[must_use]
    pub const fn of(sample: SampleOptions<'a>) -> Self {
        Self { sample, layout: TableLayout::Wide, precision: Precision::Single, kinds: Vec::new() }
    }
}

/// The table of a clip.
#[derive(Clone, Debug)]
pub struct ClipTable {
    /// Name of the file in rows.
    file: String,
    clip: Option<String>,
    clip_index: usize,
    sampled: Sampled,
    layout: TableLayout,
    precision: Precision,
    columns: Vec<Column>,
    schema: SchemaRef,
    about: serde_json::Value,
}

/// The tables of a file's clips. `file` is the file's name in the rows.
///
/// # Errors
/// As [`sample`](fn@crate::sample); also if the file has no clip, or no target of the requested kinds.
pub fn tables(opened: &Opened, file: &str, options: &TableOptions<'_>) -> Result<Vec<ClipTable>, Error> {
    let mut scene = scene_to_sample(opened, &options.sample)?;
    let clips = match &options.sample.clip {
        ClipChoice::All => std::mem::take(&mut scene.clips).into_iter().enumerate().collect(),
        choice => choice
            .place_in(&scene.clips)?
            .map(|at| (at, scene.clips.swap_remove(at)))
            .into_iter()
            .collect::<Vec<_>>(),
    };
    if clips.is_empty() {
        return Err(nothing(opened, "the file has no motion"));
    }
    clips.into_iter().map(|(index, clip)| table(opened, &scene, index, &clip, file, options)).collect()
}

fn nothing(opened: &Opened, what: &str) -> Error {
    ConvertError::new(opened.format().info().id, ConvertErrorKind::NothingToConvert(what.to_owned())).into()
}

fn table(
    opened: &Opened,
    scene: &Scene,
    clip_index: usize,
    clip: &Clip,
    file: &str,
    options: &TableOptions<'_>,
) -> Result<ClipTable, Error> {
    let mut sampled = sampled(opened, scene, Some(clip), &options.sample)?;
    if !options.kinds.is_empty() {
        sampled.tracks.retain(|track| options.kinds.contains(&track.kind));
    }
    let wants_joints = options.kinds.is_empty() || options.kinds.contains(&TargetKind::Joint);
    let columns = match options.layout {
        TableLayout::Wide => columns::of(scene, clip, &sampled, wants_joints),
        TableLayout::Long => Vec::new(),
    };
    if columns.is_empty() && sampled.tracks.is_empty() {
        return Err(nothing(opened, "nothing in the file is of a kind that is wanted"));
    }
    let mut fields = vec![
        Field::new("file", DataType::Utf8, false),
        Field::new("clip", DataType::Utf8, true),
        Field::new("clip_index", DataType::Int32, false),
        Field::new("frame", DataType::Int32, false),
        Field::new("time_s", DataType::Float64, false),
    ];
    match options.layout {
        TableLayout::Wide => {
            fields.extend(columns.iter().map(|column| wide::field(column, options.precision)))
        }
        TableLayout::Long => fields.extend(long::fields(options.precision)),
    }
    let metadata = about::schema(scene, clip, &sampled, options.layout);
    Ok(ClipTable {
        about: about::clip(scene, clip, clip_index, &sampled, options),
        file: file.to_owned(),
        clip: clip.name.clone(),
        clip_index,
        sampled,
        layout: options.layout,
        precision: options.precision,
        columns,
        schema: Arc::new(Schema::new_with_metadata(fields, metadata)),
    })
}

impl ClipTable {
    /// Columns, and the metadata that all tables of this schema share. Tables of equal schemas may be
    /// appended to each other.
    #[must_use]
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// A text that is equal for tables of equal schemas, on every machine.
    #[must_use]
    pub fn identity(&self) -> String {
        about::identity(&self.schema)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.sampled.times_s.len() * if self.layout == TableLayout::Long { self.numbers() } else { 1 }
    }

    /// Bytes of a row's numbers, the words beside them left out.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        let number = if self.precision == Precision::Single { 4 } else { 8 };
        number * if self.layout == TableLayout::Long { 1 } else { self.numbers() }
    }

    /// Numbers of a frame.
    fn numbers(&self) -> usize {
        match self.layout {
            TableLayout::Wide => self.columns.iter().map(Column::numbers).sum(),
            TableLayout::Long => long::numbers(&self.sampled),
        }
    }

    /// Metadata of this clip alone.
    #[must_use]
    pub const fn about(&self) -> &serde_json::Value {
        &self.about
    }

    /// The rows in order, in batches of bounded size.
    ///
    /// # Errors
    /// Never in practice; Arrow checks that columns are of equal length.
    pub fn batches(&self) -> impl Iterator<Item = Result<RecordBatch, Error>> + '_ {
        /// Numbers in a batch.
        const MOST: usize = 1 << 20;
        let per_frame = match self.layout {
            TableLayout::Wide => self.numbers(),
            // Words beside each number.
            TableLayout::Long => 8 * self.numbers(),
        };
        let (frames, step) = (self.sampled.times_s.len(), (MOST / per_frame.max(1)).max(1));
        (0..frames).step_by(step).map(move |start| self.batch(start..frames.min(start + step)))
    }

    /// The rows as a single batch.
    ///
    /// # Errors
    /// If there are too many rows for a batch: words of more than 2 GB in a column.
    pub fn to_batch(&self) -> Result<RecordBatch, Error> {
        const MOST: usize = 1 << 31;
        let words = self.file.len().max(self.clip.as_ref().map_or(0, String::len)).max(64);
        if self.rows().saturating_mul(words) >= MOST {
            return Err(Error::Usage(format!("expected a table for one batch, found {} rows", self.rows())));
        }
        self.batch(0..self.sampled.times_s.len())
    }

    fn batch(&self, frames: Range<usize>) -> Result<RecordBatch, Error> {
        let arrays = match self.layout {
            TableLayout::Wide => wide::arrays(self, frames),
            TableLayout::Long => long::arrays(self, frames),
        };
        arrays.and_then(|arrays| RecordBatch::try_new(Arc::clone(&self.schema), arrays)).map_err(wrong)
    }

    /// The columns with the clip and frame of each row, for `each` rows to a frame.
    fn places(&self, frames: Range<usize>, each: usize) -> Vec<ArrayRef> {
        let rows = frames.len() * each;
        let (clip, index) = (self.clip.as_deref(), self.clip_index as i32);
        let times = frames.clone().filter_map(|frame| self.sampled.times_s.get(frame).copied());
        vec![
            Arc::new(StringArray::from_iter_values(std::iter::repeat_n(&self.file, rows))),
            Arc::new(StringArray::from_iter(std::iter::repeat_n(clip, rows))),
            Arc::new(Int32Array::from(vec![index; rows])),
            Arc::new(Int32Array::from_iter_values(frames.flat_map(|f| std::iter::repeat_n(f as i32, each)))),
            Precision::Double.array(times.flat_map(|time| std::iter::repeat_n(time, each)), rows),
        ]
    }
}

/// The tables of a file as an entry of the list of sources in the metadata. `digest` is the SHA-256 of the
/// file's bytes.
#[must_use]
pub fn source(opened: &Opened, tables: &[ClipTable], digest: Option<&str>) -> serde_json::Value {
    about::source(opened, tables, digest)
}

/// An error of Arrow's, which would be a fault of this crate.
fn wrong(error: ArrowError) -> Error {
    Error::Usage(format!("expected columns of equal length, found: {error}"))
}
