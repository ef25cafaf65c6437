//! References between the parts of a model, and their validity.

use super::super::codes;
use super::super::document::{Mesh, Model, MorphTarget, PartOffsets};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;
use dopesheet_core::diag::{Code, Fault};

/// The parts of a model read so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) model: Model,
    pub(super) places: PartOffsets,
    /// As written; −1 for none.
    pub(super) parents: Option<Vec<f64>>,
    pub(super) has_nodes: bool,
}

/// Gives each node its parent.
pub(super) fn resolve_nodes(cursor: &JsonCursor<'_>, draft: &mut Draft) -> Read<()> {
    let count = draft.model.nodes.len();
    if count == 0 {
        let actual = if draft.has_nodes { "no nodes" } else { "no such member" };
        return Err(cursor.fault_at(
            draft.places.model,
            codes::NODES.code,
            "an array `nodes` with a root",
            actual,
        ));
    }
    let Some(parents) = &draft.parents else {
        let at = draft.places.model;
        return Err(cursor.fault_at(at, codes::PARENTS.code, "an array `parents`", "no such member"));
    };
    if parents.len() != count {
        let at = draft.places.parents_list;
        let expected = format!("{count} parents, one for each node");
        return Err(cursor
            .fault_at(at, codes::PARENTS.code, expected, parents.len().to_string())
            .under("parents"));
    }
    // The first node is the root, whatever its entry says.
    for (index, (node, parent)) in draft.model.nodes.iter_mut().zip(parents).enumerate().skip(1) {
        let Some(sound) = sound_parent(*parent, count) else {
            let expected = format!("the index of a node, below {count}");
            let (places, code, actual) = (&draft.places.parents, codes::PARENTS.code, parent.to_string());
            let fault = fault(cursor, places, index, code, expected, actual);
            return Err(fault.under(index).under("parents"));
        };
        node.parent = Some(sound);
    }
    unbroken(cursor, draft)
}

/// Checks that every node descends from the first.
fn unbroken(cursor: &JsonCursor<'_>, draft: &Draft) -> Read<()> {
    let order = draft.model.depth_first();
    if order.len() == draft.model.nodes.len() {
        return Ok(());
    }
    let mut reached = vec![false; draft.model.nodes.len()];
    for index in order {
        if let Some(reached) = reached.get_mut(index) {
            *reached = true;
        }
    }
    let index = reached.iter().position(|reached| !reached).unwrap_or_default();
    let (expected, actual) = ("parents that lead to the first node", "a cycle of parents".to_owned());
    let fault = fault(cursor, &draft.places.parents, index, codes::PARENTS.code, expected, actual);
    Err(fault.under(index).under("parents"))
}

/// Checks all references of meshes, skins, morphs and instances.
pub(super) fn resolve_geometry(cursor: &JsonCursor<'_>, draft: &Draft) -> Read<()> {
    let (model, places) = (&draft.model, &draft.places);
    let moved: Vec<usize> =
        model.morphs.iter().map(|m| m.targets.iter().map(largest_moved).max().unwrap_or(0)).collect();
    for (index, mesh) in model.meshes.iter().enumerate() {
        if let Err((member, expected, actual)) = sound_mesh(model, mesh, &moved) {
            let fault = fault(cursor, &places.meshes, index, codes::INDEX.code, expected, actual);
            return Err(fault.under(member).under(index).under("meshes").under("model"));
        }
    }
    for (index, instance) in model.mesh_instances.iter().enumerate() {
        let checks =
            [("node", instance.node, model.nodes.len()), ("mesh", instance.mesh, model.meshes.len())];
        for (member, value, count) in checks {
            if value >= count {
                let (expected, actual) = (format!("an index below {count}"), value.to_string());
                let fault = fault(cursor, &places.instances, index, codes::INDEX.code, expected, actual);
                return Err(fault.under(member).under(index).under("meshInstances").under("model"));
            }
        }
    }
    Ok(())
}

/// The member at fault, its expected content and its actual content.
type Unsound = (&'static str, String, String);

/// `moved`: the last vertex moved by each morph.
fn sound_mesh(model: &Model, mesh: &Mesh, moved: &[usize]) -> Result<(), Unsound> {
    let below = |member, value: usize, count: usize| {
        if value < count {
            Ok(())
        } else {
            Err((member, format!("an index below {count}"), value.to_string()))
        }
    };
    below("vertices", mesh.vertices, model.vertices.len())?;
    mesh.skin.map_or(Ok(()), |skin| below("skin", skin, model.skins.len()))?;
    mesh.morph.map_or(Ok(()), |morph| below("morph", morph, model.morphs.len()))?;
    let vertices = model.vertices.get(mesh.vertices).map_or(0, super::super::document::VertexBuffer::len);
    let drawn = mesh.indices.as_ref().map_or(vertices, Vec::len);
    if mesh.base.checked_add(mesh.count).is_none_or(|end| end > drawn) {
        let expected = format!("at most {drawn} from `base`");
        return Err(("count", expected, format!("{} from {}", mesh.count, mesh.base)));
    }
    let indices = mesh.indices.as_deref().unwrap_or_default();
    below("indices", largest(indices), vertices.max(usize::from(indices.is_empty())))?;
    match mesh.morph.and_then(|morph| moved.get(morph)) {
        Some(last) => below("morph", *last, vertices.max(1)),
        None => Ok(()),
    }
}

fn largest(indices: &[u32]) -> usize {
    indices.iter().max().map_or(0, |index| *index as usize)
}

/// The last vertex moved by a morph target.
fn largest_moved(target: &MorphTarget) -> usize {
    let moved = target.delta_positions.len().checked_div(3).unwrap_or(0);
    target.indices.as_ref().map_or(moved.saturating_sub(1), |indices| largest(indices))
}

fn sound_parent(parent: f64, count: usize) -> Option<usize> {
    (parent.fract() == 0.0 && parent >= 0.0 && parent < count as f64).then(|| to_index(parent))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number was seen to be whole and below a length"
)]
fn to_index(number: f64) -> usize {
    number as usize
}

fn fault(
    cursor: &JsonCursor<'_>,
    places: &[usize],
    index: usize,
    code: Code,
    expected: impl Into<String>,
    found: String,
) -> Box<Fault> {
    cursor.fault_at(places.get(index).copied().unwrap_or_default(), code, expected.into(), found)
}
