//! Skins, vertices, meshes and morphs.

use super::super::codes;
use super::super::columns::{floats, index, indices, items, list, object, optional, text};
use super::super::document::{Attribute, Mesh, MeshInstance, Morph, MorphTarget, Skin, VertexBuffer};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::diag::{Code, Fault};
use dopesheet_core::words::counted;

/// A list of items; null means the same as an empty list.
pub(super) fn part<T>(
    cursor: &mut JsonCursor<'_>,
    code: Code,
    places: &mut Vec<usize>,
    items: &mut Vec<T>,
    mut read: impl FnMut(&mut JsonCursor<'_>) -> Read<T>,
) -> Read<()> {
    places.clear();
    items.clear();
    if cursor.peek()? == JsonKind::Null {
        return cursor.null();
    }
    list(cursor, code, |cursor, _| {
        cursor.peek()?;
        places.push(cursor.position());
        items.push(read(cursor)?);
        Ok(())
    })
}

pub(super) fn skin(cursor: &mut JsonCursor<'_>) -> Read<Skin> {
    let mut skin = Skin::default();
    let start = cursor.position();
    object(cursor, codes::SKINS.code, |cursor, name| match name {
        "boneNames" => {
            skin.bone_names = items(cursor, codes::SKINS.code, |cursor| text(cursor, codes::SKINS.code))?;
            Ok(())
        }
        "inverseBindMatrices" => {
            skin.inverse_bind = items(cursor, codes::SKINS.code, |cursor| {
                let mut matrix = [0.0; 16];
                cursor.vector(codes::SKINS.code, &mut matrix).map(|_| matrix)
            })?;
            Ok(())
        }
        _ => cursor.skip().map(drop),
    })?;
    if skin.bone_names.len() == skin.inverse_bind.len() {
        return Ok(skin);
    }
    let expected = format!("as many inverseBindMatrices as boneNames, {}", skin.bone_names.len());
    Err(cursor.fault_at(start, codes::SKINS.code, expected, skin.inverse_bind.len().to_string()))
}

pub(super) fn vertex_buffer(cursor: &mut JsonCursor<'_>) -> Read<VertexBuffer> {
    let mut buffer = VertexBuffer::default();
    let start = cursor.position();
    let mut places = Vec::new();
    object(cursor, codes::VERTICES.code, |cursor, name| {
        cursor.peek()?;
        places.push(cursor.position());
        let attribute = attribute(cursor, name)?;
        buffer.attributes.push(attribute);
        Ok(())
    })?;
    let Some(position) = buffer.attribute("position") else {
        return Err(cursor.fault_at(
            start,
            codes::VERTICES.code,
            "an attribute `position`",
            "no such member",
        ));
    };
    let (count, remainder) = (
        position.data.len().checked_div(position.components).unwrap_or(0),
        position.data.len().checked_rem(position.components).unwrap_or(1),
    );
    for (attribute, offset) in buffer.attributes.iter().zip(places) {
        let expected = count.checked_mul(attribute.components);
        if expected != Some(attribute.data.len()) || remainder != 0 {
            let expected = format!(
                "{} for each of {}",
                counted(attribute.components, "number"),
                counted(count, "vertex")
            );
            let fault =
                cursor.fault_at(offset, codes::VERTICES.code, expected, attribute.data.len().to_string());
            return Err(fault.under("data").under(&attribute.name));
        }
    }
    Ok(buffer)
}

fn attribute(cursor: &mut JsonCursor<'_>, name: &str) -> Read<Attribute> {
    let mut attribute = Attribute { name: name.to_owned(), ..Attribute::default() };
    let start = cursor.position();
    object(cursor, codes::VERTICES.code, |cursor, name| match name {
        "type" => {
            attribute.kind = text(cursor, codes::VERTICES.code)?;
            Ok(())
        }
        "components" => {
            attribute.components = index(cursor)?;
            Ok(())
        }
        "data" => {
            attribute.data = floats(cursor, codes::VERTICES.code)?;
            Ok(())
        }
        _ => cursor.skip().map(drop),
    })?;
    // The engine fills vectors of 1 to 4 numbers, and positions are points in space.
    let least = if name == "position" || name == "normal" { 3 } else { 1 };
    if (least..=4).contains(&attribute.components) {
        return Ok(attribute);
    }
    let expected = format!("{least} to 4 `components`");
    Err(cursor.fault_at(start, codes::VERTICES.code, expected, attribute.components.to_string()))
}

pub(super) fn mesh(cursor: &mut JsonCursor<'_>) -> Read<Mesh> {
    let mut mesh = Mesh::default();
    let mut vertices = None;
    let mut count = None;
    let start = cursor.position();
    object(cursor, codes::MESHES.code, |cursor, name| {
        match name {
            "vertices" => vertices = Some(index(cursor)?),
            "indices" => mesh.indices = optional(cursor, |cursor| indices(cursor, codes::INDEX.code))?,
            "type" => mesh.kind = text(cursor, codes::MESHES.code)?,
            "base" => mesh.base = index(cursor)?,
            "count" => count = Some(index(cursor)?),
            "skin" => mesh.skin = optional(cursor, index)?,
            "morph" => mesh.morph = optional(cursor, index)?,
            _ => cursor.skip().map(drop)?,
        }
        Ok(())
    })?;
    mesh.vertices = vertices.ok_or_else(|| absent(cursor, start, codes::MESHES.code, "vertices"))?;
    mesh.count = count.ok_or_else(|| absent(cursor, start, codes::MESHES.code, "count"))?;
    Ok(mesh)
}

pub(super) fn instance(cursor: &mut JsonCursor<'_>) -> Read<MeshInstance> {
    let (mut node, mut mesh) = (None, None);
    let start = cursor.position();
    object(cursor, codes::INSTANCES.code, |cursor, name| {
        match name {
            "node" => node = Some(index(cursor)?),
            "mesh" => mesh = Some(index(cursor)?),
            _ => cursor.skip().map(drop)?,
        }
        Ok(())
    })?;
    Ok(MeshInstance {
        node: node.ok_or_else(|| absent(cursor, start, codes::INSTANCES.code, "node"))?,
        mesh: mesh.ok_or_else(|| absent(cursor, start, codes::INSTANCES.code, "mesh"))?,
    })
}

pub(super) fn morph(cursor: &mut JsonCursor<'_>) -> Read<Morph> {
    let mut morph = Morph::default();
    object(cursor, codes::MORPHS.code, |cursor, name| match name {
        "targets" => {
            morph.targets = items(cursor, codes::MORPHS.code, target)?;
            Ok(())
        }
        _ => cursor.skip().map(drop),
    })?;
    Ok(morph)
}

fn target(cursor: &mut JsonCursor<'_>) -> Read<MorphTarget> {
    let mut target = MorphTarget::default();
    cursor.peek()?;
    let start = cursor.position();
    object(cursor, codes::MORPHS.code, |cursor, name| {
        match name {
            "name" => target.name = text(cursor, codes::MORPHS.code)?,
            "indices" => target.indices = optional(cursor, |cursor| indices(cursor, codes::INDEX.code))?,
            "deltaPositions" => target.delta_positions = floats(cursor, codes::MORPHS.code)?,
            "deltaNormals" => target.delta_normals = floats(cursor, codes::MORPHS.code)?,
            _ => cursor.skip().map(drop)?,
        }
        Ok(())
    })?;
    let given = target.delta_positions.len();
    let moved = target.indices.as_ref().map_or(given.checked_div(3).unwrap_or(0), Vec::len);
    if moved.checked_mul(3) == Some(given) {
        return Ok(target);
    }
    let expected = format!("3 numbers for each of {}", counted(moved, "vertex"));
    Err(cursor.fault_at(start, codes::MORPHS.code, expected, given.to_string()).under("deltaPositions"))
}

#[cold]
fn absent(cursor: &JsonCursor<'_>, start: usize, code: Code, member: &str) -> Box<Fault> {
    cursor.fault_at(start, code, format!("a member `{member}`"), "no such member")
}
