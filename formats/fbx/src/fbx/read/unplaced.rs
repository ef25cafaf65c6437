//! Content of a file without a place in a scene.

use super::cameras;
use super::meshes::name;
use super::remarks::Remarks;
use crate::fbx::codes;
use dopesheet_core::words::counted;
use ufbx::{Element, ElementType, Mesh, PropFlags};

/// Most names of a list.
const MOST_NAMED: usize = 4;

/// True of a mesh with certain parts.
type HasParts = fn(&Mesh) -> bool;

/// Parts of meshes without a place in a scene.
const PARTS: [(&str, HasParts); 3] = [
    ("tangents of further UV sets", |mesh| mesh.uv_sets.iter().skip(1).any(|set| set.vertex_tangent.exists)),
    ("further skins", |mesh| mesh.skin_deformers.len() > 1),
    ("geometry caches", |mesh| !mesh.cache_deformers.is_empty()),
];

/// Objects without a place in a scene.
const OBJECTS: [(ElementType, &str); 6] = [
    (ElementType::LineCurve, "line"),
    (ElementType::NurbsCurve, "NURBS curve"),
    (ElementType::NurbsSurface, "NURBS surface"),
    (ElementType::NurbsTrimSurface, "trimmed NURBS surface"),
    (ElementType::Constraint, "constraint"),
    (ElementType::Character, "character definition"),
];

/// Each kind of content without a place, with its number and names, and a remark on properties. `cut` has the names of meshes with sets
/// beyond the memory limit.
pub(super) fn of(file: &ufbx::Scene, cut: &[String], remarks: &mut Remarks) -> Vec<String> {
    let mut unplaced = Vec::new();
    let sets = "UV sets and vertex colours beyond the memory for a file of this length, of";
    unplaced.extend(names("mesh", cut).map(|meshes| format!("{sets} {meshes}")));
    for (parts, has_parts) in PARTS {
        let meshes = file.meshes.iter().filter(|mesh| has_parts(mesh)).map(|mesh| &mesh.element);
        unplaced.extend(listed("mesh", meshes).map(|meshes| format!("{parts} of {meshes}")));
    }
    let is_shaped =
        |light: &&ufbx::Light| matches!(light.type_, ufbx::LightType::Area | ufbx::LightType::Volume);
    let shaped = file.lights.into_iter().filter(is_shaped).map(|light| &light.element);
    unplaced.extend(
        listed("light", shaped).map(|lights| format!("the area or volume of {lights}, now at a point")),
    );
    let views = file.nodes.into_iter().filter(|node| cameras::is_producer(node)).map(|node| &node.element);
    unplaced.extend(listed("producer camera", views));
    let elements = || file.elements.iter().map(|element| &**element);
    for (kind, noun) in OBJECTS {
        unplaced.extend(listed(noun, elements().filter(|element| element.type_ == kind)));
    }
    if let Some(objects) = listed("object", elements().filter(|element| has_still_properties(element))) {
        remarks.push(
            codes::PROPERTIES,
            "properties of the format",
            "",
            format!("custom properties of {objects}"),
        );
    }
    unplaced
}

/// True of an object with properties that its author added and no curve moves.
fn has_still_properties(element: &Element) -> bool {
    let mut flags = element.props.props.iter().map(|property| property.flags);
    flags.any(|flags| flags.has_any(PropFlags::USER_DEFINED) && !flags.has_any(PropFlags::ANIMATED))
}

/// Number of objects and their first names; `None` without objects.
fn listed<'a>(noun: &str, objects: impl Iterator<Item = &'a Element>) -> Option<String> {
    names(noun, &objects.map(name).collect::<Vec<_>>())
}

fn names(noun: &str, names: &[String]) -> Option<String> {
    let more = match names.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first = names.get(..MOST_NAMED).unwrap_or(names).join(", ");
    (!names.is_empty()).then(|| format!("{} ({first}{more})", counted(names.len(), noun)))
}
