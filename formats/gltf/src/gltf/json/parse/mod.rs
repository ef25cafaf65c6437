//! JSON text → typed parts. A pull parser: nothing but the parts is kept.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod animation;
mod geometry;
mod reference;
mod scene;
mod storage;
mod value;

pub(crate) use geometry::UNLIT;

use super::parts::{Asset, Parts};
use super::place::{self, JSON_CODES};
use crate::checks::code;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;
use dopesheet_core::diag::Fault;
use value::{index, list, members, missing, position, text, texts};

/// The typed parts of a whole document.
pub(crate) fn parts(json: &str) -> Read<Parts> {
    let mut cursor = JsonCursor::from_text(json, JSON_CODES);
    let mut parts = Parts::default();
    let mut has_asset = false;
    let start = position(&mut cursor)?;
    let read = value::object(&mut cursor, |c, name| {
        has_asset |= name == "asset";
        member(c, name, &mut parts)
    });
    // In files of version 1 everything stands elsewhere, of which only the cause is worth knowing.
    read.map_err(|fault| version_1(json).unwrap_or(fault))?;
    cursor.end()?;
    if has_asset { Ok(parts) } else { Err(missing(&cursor, start, "asset")) }
}

/// The fault of a file of glTF 1.0; `None` for any other file.
fn version_1(json: &str) -> Option<Box<Fault>> {
    let mut version = None;
    let parsed = value::object(&mut JsonCursor::from_text(json, JSON_CODES), |c, name| match name {
        "asset" => {
            version = Some(asset(c)?.version);
            Ok(())
        }
        _ => c.skip().map(drop),
    });
    parsed.ok()?;
    let version = version.filter(|version| version.starts_with("1."))?;
    let actual = format!("{version:?}{}", crate::checks::VERSION_1);
    Some(place::fault(json, "/asset/version", code::UNKNOWN_ASSET_MAJOR_VERSION, "\"2.0\"", actual))
}

/// The `uri` of every buffer and image except data URIs, buffers first if they come first in the file.
pub(crate) fn file_uris(json: &str) -> Read<Vec<String>> {
    let mut uris = Vec::new();
    value::object(&mut JsonCursor::from_text(json, JSON_CODES), |c, name| match name {
        "buffers" | "images" => {
            uris.extend(list(c, storage::file_uri)?.into_iter().flatten());
            Ok(())
        }
        _ => c.skip().map(drop),
    })?;
    Ok(uris)
}

fn member(c: &mut JsonCursor<'_>, name: &str, parts: &mut Parts) -> Read<()> {
    match name {
        "asset" => parts.asset = asset(c)?,
        "extensionsUsed" => parts.extensions_used = texts(c)?,
        "extensionsRequired" => parts.extensions_required = texts(c)?,
        "scene" => parts.scene = Some(index(c)?),
        "scenes" => parts.scenes = list(c, scene::scene)?,
        "nodes" => parts.nodes = list(c, scene::node)?,
        "meshes" => parts.meshes = list(c, geometry::mesh)?,
        "skins" => parts.skins = list(c, scene::skin)?,
        "cameras" => parts.cameras = list(c, scene::camera)?,
        "animations" => parts.animations = list(c, animation::animation)?,
        "accessors" => parts.accessors = list(c, storage::accessor)?,
        "bufferViews" => parts.buffer_views = list(c, storage::buffer_view)?,
        "buffers" => parts.buffers = list(c, storage::buffer)?,
        "materials" => parts.materials = list(c, geometry::material)?,
        "textures" => parts.textures = list(c, geometry::texture)?,
        "images" => parts.images = list(c, geometry::image)?,
        "extensions" => extensions(c, parts)?,
        _ => c.skip().map(drop)?,
    }
    Ok(())
}

fn extensions(c: &mut JsonCursor<'_>, parts: &mut Parts) -> Read<()> {
    value::object(c, |c, name| match name {
        "KHR_lights_punctual" => value::object(c, |c, name| match name {
            "lights" => {
                parts.lights = list(c, scene::light)?;
                Ok(())
            }
            _ => c.skip().map(drop),
        }),
        _ => c.skip().map(drop),
    })
}

fn asset(c: &mut JsonCursor<'_>) -> Read<Asset> {
    let start = position(c)?;
    let (mut asset, mut version) = (Asset::default(), None);
    members! { c, name:
        "version" => version = Some(text(c)?),
        "minVersion" => asset.min_version = Some(text(c)?),
        "generator" => asset.generator = Some(text(c)?),
        "copyright" => asset.copyright = Some(text(c)?),
    }
    asset.version = version.ok_or_else(|| missing(c, start, "version"))?;
    Ok(asset)
}
