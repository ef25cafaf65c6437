//! Checks that every reference leads somewhere and every range lies within its list.
//!
//! After this, indices of animations, accessors, views and buffers can be followed, and hierarchies end.

use super::accessor::{Layout, checked_end};
use crate::checks::code;
use crate::gltf::document::{BufferData, Document};
use crate::gltf::json::parts::{Accessor, Component, Index, Path, Sparse};
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{Code, Fault};
use dopesheet_core::format::Limits;
use dopesheet_core::words::counted;

/// Refuses a document that leaves data undefined.
pub(crate) fn resolve(document: &Document, limits: &Limits) -> Read<()> {
    version(document)?;
    scenes(document)?;
    nodes(document)?;
    hierarchy(document)?;
    skins(document)?;
    geometry(document)?;
    storage(document)?;
    accessors(document, limits)?;
    animations(document)
}

fn fault(document: &Document, pointer: &str, code: Code, expected: String, found: String) -> Box<Fault> {
    Box::new(document.fault(pointer, code, expected, found))
}

/// Indices that must be below `count`. A pointer, from the place of an index among them, is only put together
/// for an index out of range.
fn within<'a>(
    document: &Document,
    indices: impl IntoIterator<Item = &'a Index>,
    count: usize,
    pointer: impl Fn(usize) -> String,
) -> Read<()> {
    match indices.into_iter().enumerate().find(|(_, index)| **index as usize >= count) {
        None => Ok(()),
        Some((at, index)) => {
            let expected = format!("an index below {count}");
            Err(fault(document, &pointer(at), code::UNRESOLVED_REFERENCE, expected, index.to_string()))
        }
    }
}

fn version(document: &Document) -> Read<()> {
    let version = &document.parts.asset.version;
    if version.split('.').next() == Some("2") {
        return Ok(());
    }
    let note = if version.starts_with("1.") { crate::checks::VERSION_1 } else { "" };
    let actual = format!("{version:?}{note}");
    Err(fault(document, "/asset/version", code::UNKNOWN_ASSET_MAJOR_VERSION, "\"2.0\"".into(), actual))
}

fn scenes(document: &Document) -> Read<()> {
    let parts = &document.parts;
    within(document, &parts.scene, parts.scenes.len(), |_| "/scene".into())?;
    for (s, scene) in parts.scenes.iter().enumerate() {
        within(document, &scene.nodes, parts.nodes.len(), |n| format!("/scenes/{s}/nodes/{n}"))?;
    }
    Ok(())
}

fn nodes(document: &Document) -> Read<()> {
    let parts = &document.parts;
    for (n, node) in parts.nodes.iter().enumerate() {
        within(document, &node.children, parts.nodes.len(), |c| format!("/nodes/{n}/children/{c}"))?;
        let content = node.content();
        for (index, count, name) in [
            (&content.mesh, parts.meshes.len(), "mesh"),
            (&content.skin, parts.skins.len(), "skin"),
            (&content.camera, parts.cameras.len(), "camera"),
            (&content.light, parts.lights.len(), "extensions/KHR_lights_punctual/light"),
        ] {
            within(document, index, count, |_| format!("/nodes/{n}/{name}"))?;
        }
    }
    Ok(())
}

/// Each node has at most one parent, and no node is its own ancestor. No recursion: chains may be as long as
/// the file.
fn hierarchy(document: &Document) -> Read<()> {
    let nodes = &document.parts.nodes;
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (n, node) in nodes.iter().enumerate() {
        for (c, child) in node.children.iter().enumerate() {
            let Some(slot) = parents.get_mut(*child as usize) else { continue };
            if let Some(other) = slot.replace(n) {
                let pointer = format!("/nodes/{n}/children/{c}");
                let expected = format!("a node without a parent (node {child} is a child of {other})");
                return Err(fault(
                    document,
                    &pointer,
                    code::NODE_PARENT_OVERRIDE,
                    expected,
                    child.to_string(),
                ));
            }
        }
    }
    // 0: not seen, otherwise the number of the walk that first came by.
    let mut seen = vec![0usize; nodes.len()];
    for start in 0..nodes.len() {
        let walk = start.saturating_add(1);
        let mut at = Some(start);
        while let Some(node) = at {
            match seen.get_mut(node) {
                Some(mark) if *mark == 0 => *mark = walk,
                Some(mark) if *mark == walk => {
                    let pointer = format!("/nodes/{node}");
                    let expected = "a node that is not its own ancestor".into();
                    return Err(fault(document, &pointer, code::NODE_LOOP, expected, "a loop".into()));
                }
                _ => break,
            }
            at = parents.get(node).copied().flatten();
        }
    }
    Ok(())
}

fn skins(document: &Document) -> Read<()> {
    let parts = &document.parts;
    let (nodes, accessors) = (parts.nodes.len(), parts.accessors.len());
    for (s, skin) in parts.skins.iter().enumerate() {
        within(document, &skin.joints, nodes, |j| format!("/skins/{s}/joints/{j}"))?;
        within(document, &skin.skeleton, nodes, |_| format!("/skins/{s}/skeleton"))?;
        let pointer = |_| format!("/skins/{s}/inverseBindMatrices");
        within(document, &skin.inverse_bind_matrices, accessors, pointer)?;
    }
    Ok(())
}

/// References of meshes and materials.
fn geometry(document: &Document) -> Read<()> {
    let parts = &document.parts;
    let accessors = parts.accessors.len();
    for (m, mesh) in parts.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let pointer = |end: &str| format!("/meshes/{m}/primitives/{p}/{end}");
            within(document, &primitive.material, parts.materials.len(), |_| pointer("material"))?;
            within(document, &primitive.indices, accessors, |_| pointer("indices"))?;
            for (name, accessor) in &primitive.attributes {
                within(document, [accessor], accessors, |_| pointer(&format!("attributes/{name}")))?;
            }
            for (t, target) in primitive.targets.iter().enumerate() {
                for (name, accessor) in target {
                    within(document, [accessor], accessors, |_| pointer(&format!("targets/{t}/{name}")))?;
                }
            }
        }
    }
    for (m, material) in parts.materials.iter().enumerate() {
        for (name, used) in material.textures() {
            let pointer = |_| format!("/materials/{m}/{name}/index");
            within(document, [&used.texture], parts.textures.len(), pointer)?;
        }
    }
    for (t, texture) in parts.textures.iter().enumerate() {
        within(document, &texture.source, parts.images.len(), |_| format!("/textures/{t}/source"))?;
    }
    for (i, image) in parts.images.iter().enumerate() {
        within(document, &image.view, parts.buffer_views.len(), |_| format!("/images/{i}/bufferView"))?;
    }
    Ok(())
}

/// Buffers are as long as they say, and views lie within them.
fn storage(document: &Document) -> Read<()> {
    let parts = &document.parts;
    for (b, buffer) in parts.buffers.iter().enumerate() {
        let missing = matches!(document.buffers.get(b), None | Some(BufferData::Absent));
        let length = document.buffer(Index::try_from(b).unwrap_or(Index::MAX)).map_or(0, <[u8]>::len) as u64;
        if !missing && length < buffer.byte_length {
            let pointer = format!("/buffers/{b}/byteLength");
            let expected = format!("at most {length}, the number of bytes there are");
            let actual = buffer.byte_length.to_string();
            return Err(fault(document, &pointer, code::BUFFER_BYTE_LENGTH_MISMATCH, expected, actual));
        }
    }
    for (v, view) in parts.buffer_views.iter().enumerate() {
        within(document, [&view.buffer], parts.buffers.len(), |_| format!("/bufferViews/{v}/buffer"))?;
        let room = parts.buffers.get(view.buffer as usize).map_or(0, |buffer| buffer.byte_length);
        if checked_end(view.byte_offset, view.byte_length).is_none_or(|end| end > room) {
            let expected = format!("a range within buffer {} of {}", view.buffer, counted(room, "byte"));
            let actual = format!("offset {}, length {}", view.byte_offset, view.byte_length);
            let pointer = format!("/bufferViews/{v}");
            return Err(fault(document, &pointer, code::BUFFER_VIEW_TOO_LONG, expected, actual));
        }
    }
    Ok(())
}

fn accessors(document: &Document, limits: &Limits) -> Read<()> {
    let compressed = document.parts.compressed_accessors();
    let mut unstored = 0u64;
    for (a, accessor) in document.parts.accessors.iter().enumerate() {
        let pointer = || format!("/accessors/{a}");
        if accessor.count == 0 {
            let pointer = format!("{}/count", pointer());
            return Err(fault(document, &pointer, code::VALUE_NOT_IN_RANGE, "at least 1".into(), "0".into()));
        }
        match accessor.view {
            Some(view) => base(document, accessor, view, pointer)?,
            // Of compressed primitives no numbers are made.
            None if Index::try_from(a).is_ok_and(|index| compressed.contains(&index)) => {}
            None => unstored = unstored.saturating_add(accessor.count),
        }
        if unstored > limits.max_virtual_elements {
            let expected = format!(
                "at most {} without a buffer view in all",
                counted(limits.max_virtual_elements, "element")
            );
            let actual = format!("{unstored} up to here");
            return Err(fault(document, &pointer(), code::LIMIT, expected, actual));
        }
        if let Some(sparse) = &accessor.sparse {
            replaced(document, accessor, sparse, &format!("{}/sparse", pointer()))?;
        }
    }
    Ok(())
}

fn base(document: &Document, accessor: &Accessor, view: Index, pointer: impl Fn() -> String) -> Read<()> {
    let views = &document.parts.buffer_views;
    within(document, [&view], views.len(), |_| format!("{}/bufferView", pointer()))?;
    let Some(stored) = views.get(view as usize) else { return Ok(()) };
    let layout = Layout::of(accessor);
    if let Some(stride) = stored.byte_stride.filter(|stride| *stride < layout.element_bytes) {
        let expected = format!("a view with a stride of at least {}", counted(layout.element_bytes, "byte"));
        let pointer = format!("{}/bufferView", pointer());
        return Err(fault(document, &pointer, code::ACCESSOR_SMALL_BYTESTRIDE, expected, stride.to_string()));
    }
    if layout.end(accessor, stored.byte_stride).is_none_or(|end| end > stored.byte_length) {
        return Err(too_long(document, &pointer(), view, stored.byte_length, accessor));
    }
    Ok(())
}

fn too_long(document: &Document, pointer: &str, view: Index, room: u64, accessor: &Accessor) -> Box<Fault> {
    let expected = format!("a range within view {view} of {}", counted(room, "byte"));
    let (kind, shape) = (accessor.component.name(), accessor.shape.name());
    let actual = format!("{} × {shape} of {kind} from offset {}", accessor.count, accessor.byte_offset);
    fault(document, pointer, code::ACCESSOR_TOO_LONG, expected, actual)
}

fn replaced(document: &Document, accessor: &Accessor, sparse: &Sparse, pointer: &str) -> Read<()> {
    if sparse.count > accessor.count {
        let expected = format!("at most {}, the accessor's own count", accessor.count);
        let code = code::ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE;
        return Err(fault(document, &format!("{pointer}/count"), code, expected, sparse.count.to_string()));
    }
    if !matches!(sparse.index_component, Component::U8 | Component::U16 | Component::U32) {
        let pointer = format!("{pointer}/indices/componentType");
        let actual = sparse.index_component.name().into();
        let expected = "an unsigned type".into();
        return Err(fault(document, &pointer, code::VALUE_NOT_IN_LIST, expected, actual));
    }
    let element = Layout::of(accessor).element_bytes;
    for (view, offset, size, name) in [
        (sparse.index_view, sparse.index_offset, sparse.index_component.size(), "indices"),
        (sparse.value_view, sparse.value_offset, element, "values"),
    ] {
        let views = &document.parts.buffer_views;
        within(document, [&view], views.len(), |_| format!("{pointer}/{name}/bufferView"))?;
        let room = views.get(view as usize).map_or(0, |view| view.byte_length);
        let end = sparse.count.checked_mul(size).and_then(|length| checked_end(offset, length));
        if end.is_none_or(|end| end > room) {
            let expected = format!("a range within view {view} of {}", counted(room, "byte"));
            let actual = format!("{} × {} from offset {offset}", sparse.count, counted(size, "byte"));
            let pointer = format!("{pointer}/{name}");
            return Err(fault(document, &pointer, code::ACCESSOR_TOO_LONG, expected, actual));
        }
    }
    Ok(())
}

fn animations(document: &Document) -> Read<()> {
    let parts = &document.parts;
    let accessors = parts.accessors.len();
    for (a, animation) in parts.animations.iter().enumerate() {
        for (s, sampler) in animation.samplers.iter().enumerate() {
            let pointer = |end| format!("/animations/{a}/samplers/{s}/{end}");
            within(document, [&sampler.input], accessors, |_| pointer("input"))?;
            within(document, [&sampler.output], accessors, |_| pointer("output"))?;
        }
        for (c, channel) in animation.channels.iter().enumerate() {
            let pointer = |end| format!("/animations/{a}/channels/{c}/{end}");
            within(document, [&channel.sampler], animation.samplers.len(), |_| pointer("sampler"))?;
            within(document, &channel.node, parts.nodes.len(), |_| pointer("target/node"))?;
            output_count(document, a, c)?;
        }
    }
    Ok(())
}

/// A sampler's output has as many elements as its keys and its target need.
fn output_count(document: &Document, a: usize, c: usize) -> Read<()> {
    let parts = &document.parts;
    let Some(animation) = parts.animations.get(a) else { return Ok(()) };
    let Some(channel) = animation.channels.get(c) else { return Ok(()) };
    let Some(sampler) = animation.samplers.get(channel.sampler as usize) else { return Ok(()) };
    let count = |index: Index| parts.accessors.get(index as usize).map_or(0, |accessor| accessor.count);
    let (keys, values) = (count(sampler.input), count(sampler.output));
    let per_key = match channel.path {
        Path::Translation | Path::Rotation | Path::Scale => Some(1),
        // The number of targets of a node without any is not known; only whole keys are asked for.
        Path::Weights => {
            let node = channel.node.and_then(|node| parts.nodes.get(node as usize));
            let mesh = node.and_then(|node| parts.meshes.get(node.content().mesh? as usize));
            mesh.map(|mesh| mesh.targets() as u64).filter(|targets| *targets > 0)
        }
        Path::Pointer | Path::Other(_) => None,
    };
    let elements = keys.saturating_mul(sampler.interpolation.elements_per_key());
    let sound = match per_key {
        Some(width) => elements.checked_mul(width) == Some(values),
        None => values.checked_rem(elements) == Some(0) && values > 0,
    };
    if sound {
        return Ok(());
    }
    let expected = match per_key {
        Some(width) => {
            format!("{} for {}", counted(elements.saturating_mul(width), "element"), counted(keys, "key"))
        }
        None => format!("a multiple of {} for {}", counted(elements, "element"), counted(keys, "key")),
    };
    let pointer = format!("/animations/{a}/samplers/{}/output", channel.sampler);
    Err(fault(document, &pointer, code::SAMPLER_OUTPUT_INVALID_COUNT, expected, values.to_string()))
}
