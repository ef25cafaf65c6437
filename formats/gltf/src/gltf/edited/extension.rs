//! Extensions at the root of a document, for the rooms built on them.

use super::settle::settle;
use crate::gltf::document::{Container, Document};
use crate::gltf::json::place::span;
use crate::gltf::json::splice::JsonPatches;
use crate::gltf::read::Wrapper;
use dopesheet_core::diag::Fault;
use serde_json::Value;

/// `extensions.<name>` of the root; `None` if it is missing, or nested deeper than in any sound file.
pub(crate) fn root_extension(document: &Document, name: &str) -> Option<Value> {
    let is_named = document.json.contains(name);
    is_named.then(|| document.value(span(&document.json, &format!("/extensions/{name}")).as_ref())).flatten()
}

/// A document with one more extension at its root; the document must not contain that extension yet.
pub(crate) fn with_root_extension(
    document: &Document,
    name: &str,
    value: &str,
) -> Result<Document, Box<Fault>> {
    let mut edits = JsonPatches::new(&document.json);
    edits.append("extensionsUsed", &[format!("\"{name}\"")]);
    let member = format!("\"{name}\":{value}");
    match span(&document.json, "/extensions") {
        Some(_) => edits.add_member("/extensions", &member),
        None => edits.add_member("", &format!("\"extensions\":{{{member}}}")),
    }
    let wrapper = match &document.container {
        Container::Text => Wrapper::Text,
        Container::Binary(chunks) => Wrapper::Binary(chunks.clone()),
    };
    settle(document, edits.apply(), wrapper)
}
