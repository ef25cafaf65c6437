//! What a manifest says of one file.

use dopesheet::{ConversionReport, Error, Loss, Output, SCHEMA_VERSION, Severity};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The SHA-256 of some bytes as hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An input as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) bytes: usize,
    pub(crate) sha256: String,
}

impl Read {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len(), sha256: digest(bytes) }
    }
}

/// What a record says of its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It is about to get its name. Only in journals.
    Begun,
    /// It is there.
    Done,
    /// It is not, and the record says why.
    Failed,
}

impl Status {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Begun, "begun"), (Self::Done, "done"), (Self::Failed, "failed")];

    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(status, _)| *status == self).map_or("", |(_, word)| word)
    }
}

/// A line of a manifest or a journal: a JSON object, of which only some members are looked at again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record(Value);

/// What all records of a file start with.
pub(crate) struct Subject<'a> {
    /// The input as it was named.
    pub(crate) input: &'a str,
    /// `None` if it could not be read.
    pub(crate) read: Option<&'a Read>,
    /// The output below the folder that is written to, with slashes.
    pub(crate) output: &'a str,
    /// A digest of everything that was asked for.
    pub(crate) request: &'a str,
}

impl Subject<'_> {
    fn record(&self, status: Status, rest: Value) -> Record {
        let mut record = json!({
            "schema_version": SCHEMA_VERSION,
            "input": self.input,
            "input_bytes": self.read.map(|read| read.bytes),
            "input_sha256": self.read.map(|read| &read.sha256),
            "output": self.output,
            "request": self.request,
            "status": status.word(),
        });
        if let (Some(record), Value::Object(rest)) = (record.as_object_mut(), rest) {
            record.extend(rest);
        }
        Record(record)
    }

    /// A conversion whose files are about to be named.
    pub(crate) fn begun(&self, output: &Output, report: &ConversionReport) -> Record {
        let beside = |name: &str| match self.output.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
        let file =
            |name: &str, bytes: &[u8]| json!({"file": name, "bytes": bytes.len(), "sha256": digest(bytes)});
        let resources = output.resources.iter().map(|(name, bytes)| file(&beside(name), bytes));
        let files: Vec<Value> = std::iter::once(file(self.output, &output.main)).chain(resources).collect();
        let count = |kind: fn(&Loss) -> bool| report.report.losses.iter().filter(|loss| kind(loss)).count();
        let findings = |wanted| report.report.findings.iter().filter(|f| f.severity == wanted).count();
        self.record(
            Status::Begun,
            json!({
                "files": files,
                "from": report.from.join(","),
                "to": report.to,
                "clips": report.clips.len(),
                "kept": count(|loss| matches!(loss, Loss::Kept { .. })),
                "approximated": count(|loss| matches!(loss, Loss::Approximated { .. })),
                "dropped": count(|loss| matches!(loss, Loss::Dropped { .. })),
                "worst": worst(&report.report.losses),
                "findings": {
                    "error": findings(Severity::Error),
                    "warning": findings(Severity::Warning),
                    "info": findings(Severity::Info),
                },
            }),
        )
    }

    /// Something that did not work.
    pub(crate) fn failed(&self, error: &Error) -> Record {
        let code = if is_existing(error) { EXISTS } else { error.finding().fault.code };
        self.record(Status::Failed, json!({ "code": code, "message": error.to_string() }))
    }
}

/// The code of outputs that were there before.
const EXISTS: &str = "exists";

fn is_existing(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists)
}

/// The largest error that was measured, for each unit.
fn worst(losses: &[Loss]) -> Value {
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    for loss in losses {
        if let Loss::Approximated { max_error, .. } = loss {
            let largest = worst.entry(max_error.unit.symbol()).or_default();
            *largest = largest.max(max_error.value);
        }
    }
    worst.into_iter().map(|(unit, value)| json!({ "unit": unit, "value": value })).collect()
}

impl Record {
    /// Reads a line. `None` if it is none of ours.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        (value["schema_version"] == SCHEMA_VERSION && value["output"].is_string()).then_some(Self(value))
    }

    /// The line, with its end.
    pub(crate) fn line(&self) -> String {
        format!("{}\n", self.0)
    }

    pub(crate) fn output(&self) -> &str {
        self.0["output"].as_str().unwrap_or_default()
    }

    pub(crate) fn status(&self) -> Option<Status> {
        Status::ALL.iter().find(|(_, word)| self.0["status"] == *word).map(|(status, _)| *status)
    }

    /// The same with another status.
    pub(crate) fn with(mut self, status: Status) -> Self {
        self.0["status"] = json!(status.word());
        self
    }

    /// What a manifest says when the run is over. An output that another run began, and that this one had nothing to do
    /// with, is there or was never made.
    pub(crate) fn concluded(self, folder: &Path) -> Option<Self> {
        match self.status() {
            Some(Status::Begun) if self.files_in(folder, true) == (Presence::All, true) => {
                Some(self.with(Status::Done))
            }
            Some(Status::Begun) | None => None,
            Some(Status::Done | Status::Failed) => Some(self),
        }
    }

    /// Whether it says that an output was not written because one was there.
    pub(crate) fn found_existing(&self) -> bool {
        self.0["code"] == EXISTS
    }

    /// Whether the same would be made of such an input now.
    pub(crate) fn fits(&self, subject: &Subject<'_>) -> bool {
        let digest = subject.read.map(|read| read.sha256.as_str());
        digest.is_some() && self.0["input_sha256"].as_str() == digest && self.0["request"] == subject.request
    }

    /// How many of the files that it lists are below a folder, and whether those that are there are of the size that it
    /// says and, if wanted, of the digest.
    pub(crate) fn files_in(&self, folder: &Path, by_digest: bool) -> (Presence, bool) {
        let files = self.0["files"].as_array().map_or(&[][..], Vec::as_slice);
        let (mut present, mut alike) = (0, true);
        for file in files {
            let path = folder.join(file["file"].as_str().unwrap_or_default());
            let Ok(about) = path.metadata() else { continue };
            present += 1;
            alike &= file["bytes"] == about.len();
            if by_digest && alike {
                alike &= std::fs::read(path).is_ok_and(|bytes| file["sha256"] == digest(&bytes));
            }
        }
        let presence = match present {
            0 => Presence::None,
            n if n == files.len() => Presence::All,
            _ => Presence::Some,
        };
        (presence, alike)
    }
}

/// How many of several files are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    None,
    Some,
    All,
}
