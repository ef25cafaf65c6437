//! Document → report: all faults and remarkable facts, at the Khronos validator's severities.

mod accessors;
mod animations;
mod members;
mod nodes;

use super::binary::accessor;
use super::binary::views::Views;
use super::document::{BufferData, Container, Document};
use super::json::parts::Uri;
use super::to_scene;
use super::to_scene::refuse_unknown_extensions;
use crate::checks::{code, severity};
use dopesheet_core::diag::{Code, Fault, Report};
use dopesheet_core::words::counted;

/// Reports faults and remarkable facts. A recurring fault is reported at its first place, with its count.
pub(crate) fn check(document: &Document, report: &mut Report) {
    let mut findings = Findings { document, views: Views::of(document), list: Vec::new() };
    if let Err(fault) = refuse_unknown_extensions(document) {
        report.error(*fault);
    }
    members::check(document, report);
    buffers(&mut findings);
    nodes::check(&mut findings);
    accessors::check(&mut findings, report);
    animations::check(&mut findings);
    findings.report(report);
}

/// A code with its first place, and the number of its occurrences.
struct Recurring {
    code: Code,
    pointer: String,
    expected: String,
    found: String,
    count: usize,
}

/// Findings under way.
struct Findings<'a> {
    document: &'a Document,
    views: Views<'a>,
    list: Vec<Recurring>,
}

impl Findings<'_> {
    /// Notes a fault; the text is only put together the first time.
    fn add(&mut self, code: Code, text: impl FnOnce() -> (String, String, String)) {
        match self.list.iter_mut().find(|recurring| recurring.code == code) {
            Some(recurring) => recurring.count += 1,
            None => {
                let (pointer, expected, actual) = text();
                self.list.push(Recurring { code, pointer, expected, found: actual, count: 1 });
            }
        }
    }

    fn report(self, report: &mut Report) {
        for recurring in self.list {
            let actual = match recurring.count {
                1 => recurring.found,
                count => format!("{} (the first of {count})", recurring.found),
            };
            let fault: Fault =
                self.document.fault(&recurring.pointer, recurring.code, recurring.expected, actual);
            report.push(severity(recurring.code), fault);
        }
    }
}

fn buffers(findings: &mut Findings<'_>) {
    let document = findings.document;
    for (index, buffer) in document.parts.buffers.iter().enumerate() {
        media_type(findings, index, &buffer.uri);
    }
    let Container::Binary(glb) = &document.container else { return };
    for (index, (data, buffer)) in document.buffers.iter().zip(&document.parts.buffers).enumerate() {
        let text = |end: &str, expected: &str, actual: String| {
            (format!("/buffers/{index}{end}"), expected.to_owned(), actual)
        };
        match data {
            BufferData::Embedded(_) => findings
                .add(code::DATA_URI_GLB, || text("/uri", "data in the BIN chunk", "a data URI".into())),
            BufferData::File { name, .. } => {
                findings.add(code::URI_GLB, || text("/uri", "data in the BIN chunk", format!("{name:?}")));
            }
            BufferData::Chunk => {
                let length = glb.bin.as_ref().map_or(0, Vec::len) as u64;
                if length.saturating_sub(buffer.byte_length) > 3 {
                    let expected =
                        format!("{} or at most 3 less, as in the BIN chunk", counted(length, "byte"));
                    let actual = buffer.byte_length.to_string();
                    findings.add(code::BUFFER_GLB_CHUNK_TOO_BIG, || text("/byteLength", &expected, actual));
                }
            }
            BufferData::Unnamed(_) | BufferData::Absent => {}
        }
    }
}

fn media_type(findings: &mut Findings<'_>, index: usize, uri: &Uri) {
    let Uri::Data(span) = uri else { return };
    let text = findings.document.json.get(span.clone()).unwrap_or_default();
    let head = text.split(',').next().unwrap_or_default();
    let media_type = head.get("\"data:".len()..).and_then(|rest| rest.split(';').next()).unwrap_or_default();
    // A slash may be escaped in JSON.
    let media_type = media_type.replace('\\', "");
    if !["application/octet-stream", "application/gltf-buffer"].contains(&media_type.as_str()) {
        let text = || {
            let expected = "application/octet-stream or application/gltf-buffer".to_owned();
            (format!("/buffers/{index}/uri"), expected, format!("{media_type:?}"))
        };
        findings.add(code::BUFFER_DATA_URI_MIME_TYPE_INVALID, text);
    }
}
