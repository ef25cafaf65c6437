//! Tables as files.

use crate::error::Error;
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A format of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableForm {
    /// Parquet, compressed.
    #[default]
    Parquet,
    /// Arrow's file format (IPC, Feather 2), suitable for mapping into memory.
    Arrow,
}

impl TableForm {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Parquet, Self::Arrow];

    /// Its id, and the extension of its files.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }
}

/// Writes tables of equal schemas in sequence.
///
/// The same tables give the same bytes.
pub struct TableWriter<W: Write + Send> {
    inner: Inner<W>,
    path: PathBuf,
}

enum Inner<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    Arrow(Box<FileWriter<W>>),
}

/// Rows of a row group: enough to compress well, few enough to read a single clip quickly.
const GROUP: usize = 1 << 16;

impl<W: Write + Send> TableWriter<W> {
    /// Starts a file. `path` is for messages.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub fn new(form: TableForm, sink: W, path: &Path, schema: &Schema) -> Result<Self, Error> {
        let inner = match form {
            TableForm::Arrow => {
                FileWriter::try_new(sink, schema).map(Box::new).map(Inner::Arrow).map_err(of_arrow)
            }
            TableForm::Parquet => {
                let writer = ArrowWriter::try_new(sink, Arc::new(schema.clone()), Some(properties(schema)));
                writer.map(Box::new).map(Inner::Parquet).map_err(of_parquet)
            }
        };
        Ok(Self {
            inner: inner.map_err(|source| Error::Io { path: path.to_owned(), source })?,
            path: path.to_owned(),
        })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// [`Error::Io`] if they cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        match &mut self.inner {
            Inner::Arrow(writer) => writer.write(batch).map_err(of_arrow),
            Inner::Parquet(writer) => writer.write(batch).map_err(of_parquet),
        }
        .map_err(|source| Error::Io { path: self.path.clone(), source })
    }

    /// Ends the file with further metadata, and returns the sink.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub fn finish(self, about: &[(&str, String)]) -> Result<W, Error> {
        let path = self.path;
        match self.inner {
            Inner::Arrow(mut writer) => {
                about.iter().for_each(|(key, text)| writer.write_metadata(*key, text.as_str()));
                writer.into_inner().map_err(of_arrow)
            }
            Inner::Parquet(mut writer) => {
                for (key, text) in about {
                    writer.append_key_value_metadata(KeyValue::new((*key).to_owned(), text.clone()));
                }
                writer.into_inner().map_err(of_parquet)
            }
        }
        .map_err(|source| Error::Io { path, source })
    }
}

/// Properties of the Parquet file. The schema stands in its metadata once more, for readers that do not know
/// Arrow's. Numbers of frames change little from row to row, and their bytes of equal significance change
/// least, so numbers split by byte position compress well.
fn properties(schema: &Schema) -> WriterProperties {
    let metadata: BTreeMap<_, _> = schema.metadata.clone().into_iter().collect();
    let metadata = metadata.into_iter().map(|(key, text)| KeyValue::new(key, text)).collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("dopesheet version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP))
        .set_key_value_metadata(Some(metadata));
    for field in schema.fields() {
        let path = match field.data_type() {
            DataType::FixedSizeList(item, _) => {
                vec![field.name().clone(), "list".into(), item.name().clone()]
            }
            DataType::Float32 | DataType::Float64 => vec![field.name().clone()],
            _ => continue,
        };
        let path = ColumnPath::new(path);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path.clone(), Encoding::BYTE_STREAM_SPLIT)
            .set_column_statistics_enabled(path, EnabledStatistics::None);
    }
    properties.build()
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, source) => source,
        error => io::Error::other(error),
    }
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
