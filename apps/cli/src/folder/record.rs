//! The record of a file in a manifest.

use super::{Failure, MadeFile, Report};
use dopesheet::core::bytes::json::value;
use dopesheet::{Error, Loss, Severity, convert::ConversionReport, json::SCHEMA_VERSION};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Component, Path};

/// The SHA-256 of some bytes as hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    digest_of(&[bytes])
}

/// As [`digest`], of bytes in pieces.
pub(super) fn digest_of(pieces: &[impl AsRef<[u8]>]) -> String {
    let mut hash = Sha256::new();
    pieces.iter().for_each(|piece| hash.update(piece));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An input as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) bytes: usize,
    pub(crate) sha256: String,
}

impl Read {
    /// The length and the digest of the bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len(), sha256: digest(bytes) }
    }
}

/// The output in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The output is about to get its name. Only in journals.
    Begun,
    /// The output is complete.
    Done,
    /// The output failed; the record has the reason.
    Failed,
}

impl Status {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Begun, "begun"), (Self::Done, "done"), (Self::Failed, "failed")];

    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(status, _)| *status == self).map_or("", |(_, word)| word)
    }
}

/// A line of a manifest or a journal: a JSON object, of which only some members are read again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record(Value);

/// The key that distinguishes and sorts lines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// The input of a line without an output.
    Refused(String),
    /// The output.
    Output(String),
}

/// The first members of all records of a file.
pub(crate) struct Subject<'a> {
    /// The inputs as named, with digests of their bytes; `None` if an input could not be read.
    pub(crate) inputs: Inputs<'a>,
    /// The output's path below the output folder, with slashes.
    pub(crate) output: &'a str,
    /// A digest of the whole request.
    pub(crate) request: &'a str,
}

/// The inputs of an output.
pub(crate) enum Inputs<'a> {
    One(&'a str, Option<&'a Read>),
    Many(&'a [(String, Option<Read>)]),
}

fn described(input: &str, read: Option<&Read>) -> Value {
    json!({
        "input": input,
        "input_bytes": read.map(|read| read.bytes),
        "input_sha256": read.map(|read| &read.sha256),
    })
}

impl Subject<'_> {
    /// The members of a record about the inputs of the output.
    fn inputs(&self) -> Value {
        match self.inputs {
            Inputs::One(input, read) => described(input, read),
            Inputs::Many(inputs) => {
                let inputs: Vec<_> =
                    inputs.iter().map(|(name, read)| described(name, read.as_ref())).collect();
                json!({ "inputs": inputs })
            }
        }
    }

    fn record(&self, status: Status, rest: Value) -> Record {
        let mut record = json!({ "schema_version": SCHEMA_VERSION });
        let outcome = json!({ "output": self.output, "request": self.request, "status": status.word() });
        for members in [self.inputs(), outcome, rest] {
            if let (Some(record), Value::Object(members)) = (record.as_object_mut(), members) {
                record.extend(members);
            }
        }
        Record(record)
    }

    /// The record of an output whose files are about to be named.
    pub(crate) fn begun(&self, files: &[MadeFile], report: &impl Report) -> Record {
        let file = |file: &MadeFile| json!({"file": file.name, "bytes": file.bytes, "sha256": file.sha256});
        let files: Vec<Value> = files.iter().map(file).collect();
        let mut rest = json!({ "files": files });
        if let (Some(rest), Value::Object(members)) = (rest.as_object_mut(), report.members()) {
            rest.extend(members);
        }
        self.record(Status::Begun, rest)
    }

    /// The record of a failed output.
    pub(crate) fn failed(&self, error: &Error) -> Record {
        self.record(Status::Failed, fault(error))
    }
}

impl Report for ConversionReport {
    fn members(&self) -> Value {
        let count = |kind: fn(&Loss) -> bool| self.report.losses.iter().filter(|loss| kind(loss)).count();
        let findings = |wanted| self.report.findings.iter().filter(|f| f.severity == wanted).count();
        json!({
            "from": self.from.join(","),
            "to": self.to,
            "clips": self.clips.len(),
            "kept": count(|loss| matches!(loss, Loss::Kept { .. })),
            "kept_as_data": count(|loss| matches!(loss, Loss::KeptAsData { .. })),
            "approximated": count(|loss| matches!(loss, Loss::Approximated { .. } | Loss::Bounded { .. } | Loss::Unsampled { .. })),
            "dropped": count(|loss| matches!(loss, Loss::Dropped { .. })),
            "worst": largest_errors(self),
            "findings": {
                "error": findings(Severity::Error),
                "warning": findings(Severity::Warning),
                "info": findings(Severity::Info),
            },
        })
    }
}

/// An error in the form of manifests.
pub(crate) fn fault(error: &Error) -> Value {
    let code = match error {
        Error::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => EXISTS,
        Error::Io { source, .. } if source.kind() == io::ErrorKind::InvalidFilename => NAME,
        _ => error.finding().fault.code,
    };
    json!({ "code": code, "message": error.to_string() })
}

/// The code of outputs that existed before.
const EXISTS: &str = "exists";

/// The code of inputs whose names cannot be used.
const NAME: &str = "name";

/// The largest error, measured or bounded, for each unit.
fn largest_errors(report: &ConversionReport) -> Value {
    let all = report.largest_errors();
    let mut all: Vec<_> = all.map(|error| (error.unit.symbol(), error.value)).collect();
    all.sort_by_key(|(unit, _)| *unit);
    all.into_iter().map(|(unit, value)| json!({ "unit": unit, "value": value })).collect()
}

impl Record {
    /// Reads a line. `None` if the line is not from this program, whose lists have only files below the
    /// folder, because listed files may be overwritten and removed.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let value = value(str::from_utf8(line).ok()?)?;
        let mut files = value["files"].as_array().into_iter().flatten();
        if !files.all(|file| file["file"].as_str().is_some_and(is_below)) {
            return None;
        }
        let is_ours =
            value["output"].is_string() || (value["output"].is_null() && value["input"].is_string());
        (value["schema_version"] == SCHEMA_VERSION && is_ours).then_some(Self(value))
    }

    /// The record of an input refused without any attempt: it has no output.
    pub(crate) fn refused(input: &str, request: &str, error: &Error) -> Self {
        let mut record = Subject { inputs: Inputs::One(input, None), output: "", request }.failed(error);
        record.0["output"] = Value::Null;
        record
    }

    /// The key that distinguishes and sorts lines: the output, or the input if there is no output.
    pub(crate) fn key(&self) -> Key {
        match self.0["output"].as_str() {
            Some(output) => Key::Output(output.to_owned()),
            None => Key::Refused(self.0["input"].as_str().unwrap_or_default().to_owned()),
        }
    }

    /// The line, with its end.
    pub(crate) fn line(&self) -> String {
        format!("{}\n", self.0)
    }

    pub(crate) fn status(&self) -> Option<Status> {
        Status::ALL.iter().find(|(_, word)| self.0["status"] == *word).map(|(status, _)| *status)
    }

    /// The same with another status.
    pub(crate) fn with(mut self, status: Status) -> Self {
        self.0["status"] = json!(status.word());
        self
    }

    /// The record at the end of the run. An output begun by another run, and untouched by this run, is
    /// complete or was never made.
    pub(crate) fn concluded(self, folder: &Path) -> Option<Self> {
        match self.status() {
            Some(Status::Begun) if self.files_in(folder, true) == (Presence::All, true) => {
                Some(self.with(Status::Done))
            }
            Some(Status::Begun) | None => None,
            Some(Status::Done | Status::Failed) => Some(self),
        }
    }

    /// True if the output was not written because a file existed in its place.
    pub(crate) fn found_existing(&self) -> bool {
        self.0["code"] == EXISTS
    }

    /// True if the same inputs and request would give the same output now.
    pub(crate) fn fits(&self, subject: &Subject<'_>) -> bool {
        let is_alike = match (&subject.inputs, subject.inputs()) {
            (Inputs::One(_, read), now) => read.is_some() && self.0["input_sha256"] == now["input_sha256"],
            (Inputs::Many(_), now) => self.0["inputs"] == now["inputs"],
        };
        is_alike && self.is_asked_for(subject.request)
    }

    /// True if the record is from a run with this request.
    pub(crate) fn is_asked_for(&self, request: &str) -> bool {
        self.0["request"] == request
    }

    /// The inputs that failed although others of the output succeeded.
    pub(crate) fn failures(&self) -> Vec<Failure> {
        let failures = self.0["failed"].as_array().map_or(&[][..], Vec::as_slice);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        failures.iter().map(|f| Failure { input: text(&f["input"]), message: text(&f["message"]) }).collect()
    }

    /// The listed files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.0["files"].as_array().into_iter().flatten().filter_map(|file| file["file"].as_str())
    }

    /// Number of the listed files that exist below a folder, and true if the existing files have the recorded
    /// sizes and, if wanted, digests.
    pub(crate) fn files_in(&self, folder: &Path, by_digest: bool) -> (Presence, bool) {
        let files = self.0["files"].as_array().map_or(&[][..], Vec::as_slice);
        let (mut present, mut alike) = (0, true);
        for file in files {
            let path = folder.join(file["file"].as_str().unwrap_or_default());
            let Some(about) = path.metadata().ok().filter(std::fs::Metadata::is_file) else { continue };
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

/// True if a path stays below the folder to which it is joined.
fn is_below(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Number of existing files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    None,
    Some,
    All,
}
