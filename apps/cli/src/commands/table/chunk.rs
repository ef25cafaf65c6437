//! A chunk: some inputs, and the files of their tables, a file for each schema.

use super::plan;
use crate::args::{LayoutArg, TableArgs};
use crate::files::Input;
use crate::folder::{Failure, Job, JobOutput, MadeFile, Report, digest, fault};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::TargetKind;
use dopesheet::core::words::counted;
use dopesheet::save::Unfinished;
use dopesheet::table::{self, ClipTable, TableForm, TableWriter};
use dopesheet::{Error, Opened, json::SCHEMA_VERSION};
use rayon::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::Path;

/// Key of the metadata with the sources of a file.
pub(super) const SOURCES: &str = "dopesheet.sources";

/// Most open files; before another is opened, the oldest is finished.
const MOST_OPEN: usize = 32;

/// Bytes of numbers in a file after which the next clip starts a new file.
const MOST_BYTES: usize = 512 << 20;

/// Letters of a digest that distinguish schemas.
const LETTERS: usize = 12;

/// Parts shared by all chunks.
pub(super) struct Making<'a> {
    pub(super) args: &'a TableArgs,
    pub(super) form: TableForm,
    pub(super) folder: &'a Path,
    pub(super) model: Option<&'a Opened>,
    pub(super) names: NameMap,
    pub(super) kinds: Vec<TargetKind>,
    /// Number of a chunk's inputs that are read in parallel.
    pub(super) at_once: usize,
}

/// The line printed about a chunk.
#[derive(Default)]
pub(super) struct Chunk {
    to: &'static str,
    files: Vec<String>,
    clips: usize,
    rows: usize,
    failed: Vec<(String, Error)>,
}

impl Report for Chunk {
    fn members(&self) -> Value {
        let failed = self.failed.iter().map(|(input, error)| {
            let fault = fault(error);
            json!({ "input": input, "code": fault["code"], "message": fault["message"] })
        });
        json!({ "to": self.to, "clips": self.clips, "rows": self.rows, "failed": failed.collect::<Vec<_>>() })
    }

    fn failures(&self) -> Vec<Failure> {
        let failure =
            |(input, error): &(String, Error)| Failure { input: input.clone(), message: error.to_string() };
        self.failed.iter().map(failure).collect()
    }
}

impl Chunk {
    /// A JSON object.
    pub(super) fn to_json(&self, job: &Job) -> Value {
        let mut all = json!({
            "schema_version": SCHEMA_VERSION,
            "output": job.output.to_string_lossy(),
            "inputs": job.inputs().iter().map(Input::name).collect::<Vec<_>>(),
            "files": self.files,
        });
        if let (Some(all), Value::Object(members)) = (all.as_object_mut(), self.members()) {
            all.extend(members);
        }
        all
    }

    /// In a line.
    pub(super) fn summary(&self) -> String {
        let (clips, rows) = (counted(self.clips, "clip"), counted(self.rows, "row"));
        format!("{clips}, {rows} in {}", counted(self.files.len(), "file"))
    }
}

/// A file being written.
struct Open {
    key: String,
    name: String,
    writer: TableWriter<Hashing>,
    rows: usize,
    bytes: usize,
    sources: Vec<Value>,
}

/// Open and finished files of a chunk, in the order of their starts.
struct Files<'a> {
    making: &'a Making<'a>,
    stem: String,
    open: Vec<Open>,
    /// Number of files of each schema.
    parts: std::collections::HashMap<String, usize>,
    made: Vec<MadeFile>,
}

impl Making<'_> {
    /// The files of a chunk. A failed input is left out and named.
    pub(super) fn make(&self, job: &Job) -> Result<JobOutput<Chunk>, Error> {
        let stem = job.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut chunk = Chunk { to: self.form.id(), ..Chunk::default() };
        let mut files =
            Files { making: self, stem, open: Vec::new(), parts: Default::default(), made: Vec::new() };
        for inputs in job.inputs().chunks(self.at_once) {
            let read: Vec<_> = inputs.par_iter().map(|input| self.tables(input)).collect();
            for (input, tables) in inputs.iter().zip(read) {
                match tables {
                    Ok((tables, source)) => {
                        chunk.clips += tables.len();
                        chunk.rows += tables.iter().map(ClipTable::rows).sum::<usize>();
                        files.add(&tables, &source)?;
                    }
                    Err(error) => chunk.failed.push((input.name(), error)),
                }
            }
        }
        let finished = files.finish()?;
        chunk.files = finished.iter().map(|file| file.name.clone()).collect();
        Ok(JobOutput { files: finished, report: chunk })
    }

    fn tables(&self, input: &Input) -> Result<(Vec<ClipTable>, Value), Error> {
        let opened = input.open(&self.args.read)?;
        let tables = table::tables(&opened, &plan::id(input), &self.options()?)?;
        let sha256 = digest(&input.bytes(self.args.read.lenient)?);
        let source = table::source(&opened, &tables, Some(&sha256));
        Ok((tables, source))
    }

    /// The file, below the folder, for tables of a schema.
    fn file_name(&self, key: &str, stem: &str, part: usize) -> String {
        let (schema, extension) = (&key[..LETTERS.min(key.len())], self.form.id());
        match self.args.layout {
            LayoutArg::Wide => format!("skeleton={schema}/{stem}-{part}.{extension}"),
            LayoutArg::Long => format!("{stem}-{part}.{extension}"),
        }
    }
}

impl Files<'_> {
    /// Appends the tables of an input, each to the file of its schema. No clip is divided.
    fn add(&mut self, tables: &[ClipTable], source: &Value) -> Result<(), Error> {
        for table in tables {
            let index = self.file_index(table)?;
            let Some(open) = self.open.get_mut(index) else { continue };
            table.batches().try_for_each(|batch| open.writer.write(&batch?))?;
            open.rows += table.rows();
            open.bytes += table.rows() * table.row_bytes();
            let mut source = source.clone();
            if let Some(clips) = source["clips"].as_array_mut() {
                clips.retain(|clip| clip == table.about());
            }
            match open.sources.last_mut().filter(|last| last["file"] == source["file"]) {
                Some(last) => {
                    let clip = table.about().clone();
                    last["clips"].as_array_mut().into_iter().for_each(|clips| clips.push(clip.clone()));
                }
                None => open.sources.push(source),
            }
        }
        Ok(())
    }

    /// Index of the open file for a table.
    fn file_index(&mut self, table: &ClipTable) -> Result<usize, Error> {
        let key = digest(table.identity().as_bytes());
        let most_rows = self.making.args.chunk_rows.get();
        let position = self.open.iter().position(|open| open.key == key);
        if let Some(at) = position {
            let open = &self.open[at];
            let bytes = open.bytes.saturating_add(table.rows() * table.row_bytes());
            if open.rows == 0 || (open.rows + table.rows() <= most_rows && bytes <= MOST_BYTES) {
                return Ok(at);
            }
            let full = self.open.remove(at);
            self.end(full)?;
        } else if self.open.len() >= MOST_OPEN {
            let oldest = self.open.remove(0);
            self.end(oldest)?;
        }
        let part = self.parts.entry(key.clone()).or_default();
        let name = self.making.file_name(&key, &self.stem, *part);
        *part += 1;
        let path = self.making.folder.join(&name);
        let sink =
            Hashing { file: Unfinished::within(self.making.folder, &path)?, hash: Sha256::new(), bytes: 0 };
        let writer = TableWriter::new(self.making.form, sink, &path, table.schema())?;
        self.open.push(Open { key, name, writer, rows: 0, bytes: 0, sources: Vec::new() });
        Ok(self.open.len() - 1)
    }

    fn end(&mut self, open: Open) -> Result<(), Error> {
        let path = self.making.folder.join(&open.name);
        let sink = open.writer.finish(&[(SOURCES, Value::from(open.sources).to_string())])?;
        sink.file.sync().map_err(|source| Error::Io { path, source })?;
        let sha256 = sink.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.made.push(MadeFile { name: open.name, bytes: sink.bytes, sha256, file: sink.file });
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<MadeFile>, Error> {
        for open in std::mem::take(&mut self.open) {
            self.end(open)?;
        }
        Ok(self.made)
    }
}

/// A file that computes its digest during writing.
struct Hashing {
    file: Unfinished,
    hash: Sha256,
    bytes: u64,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
