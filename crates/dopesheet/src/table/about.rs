//! Metadata of tables.

use super::{ClipTable, TableLayout, TableOptions};
use crate::choice::times::TimeSpec;
use crate::files::read::Opened;
use crate::playing::sample::{Axes, Sampled, Space};
use crate::results::json::SCHEMA_VERSION;
use arrow_schema::{Metadata, Schema};
use dopesheet_core::model::{Clip, Hierarchy, PoseRelation, Scene};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Metadata common to all rows of a schema. Files with different skeletons may share a long table, whose
/// axes, unit and skeleton therefore stand with each clip instead.
pub(super) fn schema(scene: &Scene, clip: &Clip, sampled: &Sampled, layout: TableLayout) -> Metadata {
    let mut all = vec![
        ("schema_version", json!(SCHEMA_VERSION)),
        ("layout", json!(if layout == TableLayout::Wide { "wide" } else { "long" })),
        ("axes", json!(axes_word(sampled))),
        ("space", json!(if sampled.space == Space::Local { "local" } else { "model" })),
    ];
    if layout == TableLayout::Wide {
        all.extend([
            ("basis", basis(scene)),
            ("relation", json!(relation(clip, sampled))),
            ("skeleton", skeleton(scene)),
        ]);
    }
    all.into_iter().map(|(key, value)| (format!("dopesheet.{key}"), text(&value))).collect()
}

/// Words as they are, everything else as JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

const fn axes_word(sampled: &Sampled) -> &'static str {
    match sampled.axes {
        Axes::Native => "native",
        Axes::Gltf => "gltf",
    }
}

fn relation(clip: &Clip, sampled: &Sampled) -> &'static str {
    match clip.relation {
        PoseRelation::OnTopOfRest if sampled.space == Space::Local => "on_top_of_rest",
        _ => "absolute",
    }
}

/// Directions and unit. Lengths are in the unit, angles in radians unless the name states another unit,
/// rotations quaternions x y z w.
fn basis(scene: &Scene) -> Value {
    let basis = &scene.basis;
    json!({
        "left": basis.left.word(),
        "up": basis.up.word(),
        "front": basis.front.word(),
        "metres_per_unit": basis.metres_per_unit,
    })
}

/// The joints, parents before children; `null` if the hierarchy is unknown.
fn skeleton(scene: &Scene) -> Value {
    if scene.hierarchy == Hierarchy::Unknown {
        return Value::Null;
    }
    let joint = |(position, node): (usize, &dopesheet_core::model::Node)| {
        json!({
            "name": node.name,
            "index": node.source_index.unwrap_or(position),
            "parent": node.parent.map(|parent| parent.0),
            "translation": node.rest.translation,
            "rotation": node.rest.rotation,
            "scale": node.rest.scale,
        })
    };
    scene.nodes.iter().enumerate().map(joint).collect()
}

/// Metadata of a clip.
pub(super) fn clip(
    scene: &Scene,
    clip: &Clip,
    index: usize,
    sampled: &Sampled,
    options: &TableOptions<'_>,
) -> Value {
    let rate = match options.sample.times {
        TimeSpec::Grid => clip.grid.map(|grid| grid.fps()),
        TimeSpec::Rate(fps) => Some(fps),
        TimeSpec::List(_) | TimeSpec::Steps { .. } => None,
    };
    let mut about = json!({
        "clip_index": index,
        "name": clip.name,
        "frames": sampled.times_s.len(),
        "duration_s": clip.duration.0,
        "rate_fps": rate,
        "source_rate_fps": clip.grid.map(|grid| grid.fps()),
    });
    if let (TableLayout::Long, Some(about)) = (options.layout, about.as_object_mut()) {
        about.insert("basis".into(), basis(scene));
        about.insert("relation".into(), json!(relation(clip, sampled)));
        about.insert("skeleton".into(), skeleton(scene));
    }
    about
}

/// Metadata of a file: its origin, and the facts that it states about itself, its licence included.
pub(super) fn source(opened: &Opened, tables: &[ClipTable], digest: Option<&str>) -> Value {
    let facts = opened.format().summary(&opened.document).facts;
    let facts: Map<_, _> = facts.into_iter().map(|(name, text)| (name.to_owned(), json!(text))).collect();
    let clips: Vec<_> = tables.iter().map(ClipTable::about).collect();
    json!({
        "file": tables.first().map(|table| &table.file),
        "format": opened.format().info().id,
        "sha256": digest,
        "facts": facts,
        "clips": clips,
    })
}

/// All contents of a schema, in a fixed order.
pub(super) fn identity(schema: &Schema) -> String {
    let sorted = |map: &Metadata| {
        map.iter().map(|(key, text)| (key.clone(), text.clone())).collect::<BTreeMap<_, _>>()
    };
    let fields: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| json!([field.name(), field.data_type().to_string(), sorted(field.metadata())]))
        .collect();
    json!([sorted(&schema.metadata), fields]).to_string()
}
