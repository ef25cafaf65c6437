//! Text to [`Document`].
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod parts;
mod resolve;

use super::codes;
use super::columns::{list, object, text};
use super::document::{Document, Model, Node};
use crate::place::in_words;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::diag::{Fault, ReadError, Report};
use dopesheet_core::format::{Format, ReadOptions, Source, check_length};
use parts::part;
use resolve::{Draft, resolve_geometry, resolve_nodes};

pub(super) fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, ReadError> {
    let info = &super::PlayCanvasModel::INFO;
    check_length(info, codes::SYNTAX.code, source, &options.limits)?;
    let fail = |fault: Box<Fault>| ReadError::new(info.id, in_words(*fault));
    let mut cursor = JsonCursor::new(source.main, codes::JSON).map_err(fail)?;
    let mut draft = Draft::default();
    let result = root(&mut cursor, &mut draft).and_then(|()| resolve_geometry(&cursor, &draft));
    match result {
        Err(fault) if options.lenient && resolve_nodes(&cursor, &mut draft).is_ok() => {
            // Parts of the geometry refer to each other, so all of it goes; the skeleton stands on its own.
            report.error(in_words(*fault));
            let Model { version, nodes, .. } = draft.model;
            draft.model = Model { version, nodes, ..Model::default() };
        }
        Err(fault) => return Err(fail(fault)),
        Ok(()) => {}
    }
    Ok(Document { source: cursor.text().to_owned(), model: draft.model, places: draft.places })
}

fn root(cursor: &mut JsonCursor<'_>, draft: &mut Draft) -> Read<()> {
    let start = cursor.want(JsonKind::Object, codes::ROOT.code, "an object")?;
    let mut has_model = false;
    let mut other = "no such member";
    cursor.object(|cursor, name| match name {
        "model" => {
            has_model = true;
            *draft = Draft::default();
            model(cursor, draft)
        }
        "animation" => {
            other = "an animation (member `animation`)";
            cursor.skip().map(drop)
        }
        _ => cursor.skip().map(drop),
    })?;
    cursor.end()?;
    if has_model {
        Ok(())
    } else {
        Err(cursor.fault_at(start, codes::MODEL.code, "an object `model`", other))
    }
}

fn model(cursor: &mut JsonCursor<'_>, draft: &mut Draft) -> Read<()> {
    cursor.peek()?;
    draft.places.model = cursor.position();
    object(cursor, codes::MODEL.code, |cursor, name| match name {
        "version" => version(cursor, draft),
        "nodes" => nodes(cursor, draft),
        "parents" => parents(cursor, draft),
        "skins" => {
            part(cursor, codes::SKINS.code, &mut draft.places.skins, &mut draft.model.skins, parts::skin)
        }
        "vertices" => part(
            cursor,
            codes::VERTICES.code,
            &mut draft.places.vertices,
            &mut draft.model.vertices,
            parts::vertex_buffer,
        ),
        "meshes" => {
            part(cursor, codes::MESHES.code, &mut draft.places.meshes, &mut draft.model.meshes, parts::mesh)
        }
        "morphs" => {
            part(cursor, codes::MORPHS.code, &mut draft.places.morphs, &mut draft.model.morphs, parts::morph)
        }
        "meshInstances" => part(
            cursor,
            codes::INSTANCES.code,
            &mut draft.places.instances,
            &mut draft.model.mesh_instances,
            parts::instance,
        ),
        _ => cursor.skip().map(drop),
    })?;
    resolve_nodes(cursor, draft)
}

fn version(cursor: &mut JsonCursor<'_>, draft: &mut Draft) -> Read<()> {
    let mut before = cursor.clone();
    let number = if cursor.peek()? == JsonKind::Number { cursor.number()? } else { f64::NAN };
    if number > 1.0 {
        draft.places.version = Some(before.position());
        draft.model.version = Some(number);
        return Ok(());
    }
    Err(before.fault_here(codes::VERSION.code, "a version above 1 (2 or 3)"))
}

fn nodes(cursor: &mut JsonCursor<'_>, draft: &mut Draft) -> Read<()> {
    draft.has_nodes = true;
    part(cursor, codes::NODES.code, &mut draft.places.nodes, &mut draft.model.nodes, node)
}

fn node(cursor: &mut JsonCursor<'_>) -> Read<Node> {
    let mut node = Node {
        name: String::new(),
        parent: None,
        position: [0.0; 3],
        rotation: [0.0; 3],
        scale: [1.0; 3],
        scale_compensation: false,
    };
    let mut before = cursor.clone();
    let mut missing = ["position", "rotation", "scale"].map(Some);
    let [no_position, no_rotation, no_scale] = &mut missing;
    let result = object(cursor, codes::NODE.code, |cursor, name| match name {
        "name" => {
            node.name = text(cursor, codes::NODE.code)?;
            Ok(())
        }
        "position" => vector(cursor, no_position, &mut node.position),
        "rotation" => vector(cursor, no_rotation, &mut node.rotation),
        "scale" => vector(cursor, no_scale, &mut node.scale),
        "scaleCompensation" => {
            node.scale_compensation = truthy(cursor)?;
            Ok(())
        }
        _ => cursor.skip().map(drop),
    });
    let result = result.and_then(|()| match missing.into_iter().flatten().next() {
        Some(member) => {
            let start = { before.peek().map(|_| before.position())? };
            Err(before.fault_at(start, codes::NODE.code, format!("a member `{member}`"), "no such member"))
        }
        None => Ok(()),
    });
    match result {
        Ok(()) => Ok(node),
        Err(mut fault) => {
            fault.path = node.name;
            Err(fault)
        }
    }
}

fn vector(cursor: &mut JsonCursor<'_>, missing: &mut Option<&'static str>, value: &mut [f64; 3]) -> Read<()> {
    *missing = None;
    cursor.vector(codes::NODE.code, value).map(drop)
}

/// True if JavaScript takes the value for true.
fn truthy(cursor: &mut JsonCursor<'_>) -> Read<bool> {
    Ok(match cursor.peek()? {
        JsonKind::Bool => cursor.bool()?,
        JsonKind::Number => cursor.number()? != 0.0,
        JsonKind::String => !cursor.string()?.is_empty(),
        kind => {
            cursor.skip()?;
            kind != JsonKind::Null
        }
    })
}

fn parents(cursor: &mut JsonCursor<'_>, draft: &mut Draft) -> Read<()> {
    let mut parents = Vec::new();
    let places = &mut draft.places;
    places.parents.clear();
    cursor.peek()?;
    places.parents_list = cursor.position();
    list(cursor, codes::PARENTS.code, |cursor, _| {
        let kind = cursor.peek()?;
        places.parents.push(cursor.position());
        if kind != JsonKind::Number {
            return Err(cursor.fault_here(codes::PARENTS.code, "the index of a node in `nodes`"));
        }
        parents.push(cursor.number()?);
        Ok(())
    })?;
    draft.parents = Some(parents);
    Ok(())
}
