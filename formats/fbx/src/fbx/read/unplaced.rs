//! Content of a file without a place in a scene.

use super::meshes::name;
use super::remarks::Remarks;
use crate::fbx::codes;
use dopesheet_core::words::counted;
use ufbx::{Element, ElementType, Mesh, PropFlags};

/// Most names of a list.
const MOST_NAMED: usize = 4;

/// Parts of meshes without a place in a scene: a noun, behind words if need be, and the number of the parts of a mesh.
const PARTS: [(&str, &str, fn(&Mesh) -> usize); 5] = [
    ("", "vertex colour set", |mesh| mesh.color_sets.len()),
    ("", "further UV set", |mesh| mesh.uv_sets.len().saturating_sub(1)),
    ("normals of ", "morph", |mesh| {
        let shapes = mesh.blend_deformers.iter().flat_map(|own| &own.channels).flat_map(|own| &own.keyframes);
        shapes.filter(|key| key.shape.normal_offsets.iter().any(|v| [v.x, v.y, v.z] != [0.0; 3])).count()
    }),
    ("", "further skin", |mesh| mesh.skin_deformers.len().saturating_sub(1)),
    ("", "geometry cache", |mesh| mesh.cache_deformers.len()),
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

/// Each kind of content without a place, with its number and names, and a remark on properties.
pub(super) fn of(file: &ufbx::Scene, remarks: &mut Remarks) -> Vec<String> {
    let mut unplaced = Vec::new();
    for (words, noun, count) in PARTS {
        let meshes = file.meshes.iter().filter(|mesh| count(mesh) > 0);
        let meshes: Vec<&Mesh> = meshes.map(AsRef::as_ref).collect();
        if !meshes.is_empty() {
            let parts = counted(meshes.iter().map(|mesh| count(mesh)).sum::<usize>(), noun);
            let names = list(meshes.iter().map(|mesh| name(&mesh.element)));
            let meshes = counted(meshes.len(), "mesh");
            unplaced.push(format!("{words}{parts} of {meshes}{names}"));
        }
    }
    for (kind, noun) in OBJECTS {
        let objects = || file.elements.iter().filter(|element| element.type_ == kind);
        if objects().next().is_some() {
            let names = list(objects().map(|element| name(element)));
            unplaced.push(counted(objects().count(), noun) + &names);
        }
    }
    let properties: Vec<usize> = file.elements.iter().map(|element| still_properties(element)).collect();
    let objects = properties.iter().filter(|count| **count > 0).count();
    if objects > 0 {
        let all = counted(properties.iter().sum::<usize>(), "property");
        let with = file.elements.iter().zip(&properties).filter(|(_, count)| **count > 0);
        let names = list(with.map(|(element, _)| name(element)));
        remarks.push(codes::PROPERTIES, "", format!("{all} of {}{names}", counted(objects, "object")));
    }
    unplaced
}

/// Number of an object's properties that its author added and no curve moves.
fn still_properties(element: &Element) -> usize {
    let properties = element.props.props.iter().map(|property| property.flags);
    properties
        .filter(|flags| flags.has_any(PropFlags::USER_DEFINED) && !flags.has_any(PropFlags::ANIMATED))
        .count()
}

/// The first names in brackets, behind a space, and the number of further names; empty for objects without names.
fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    let more = match names.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    if first.is_empty() { String::new() } else { format!(" ({}{more})", first.join(", ")) }
}
