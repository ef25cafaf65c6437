//! The surface: one primitive per material, each with the vertices of its triangles.

use super::numbers::{dropped, finite, finite_all, unit};
use super::skin;
use crate::pmx::document::{Document, Morph, MorphOffsets, Vertex};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{MaterialIndex, Mesh, MorphDelta, MorphSet, Primitive};
use dopesheet_core::order::by_key;
use dopesheet_core::words::{counted, grouped};
use std::collections::BTreeMap;
use std::ops::Range;

/// The visible surface.
pub(super) struct Surface {
    pub(super) mesh: Mesh,
    pub(super) morphs: MorphSet,
}

/// The surface of a model; the error tells why the surface is too large.
pub(super) fn mesh(document: &Document, report: &mut Report) -> Result<Surface, String> {
    let mut split = Split::new(document);
    for (index, range) in runs(document, report).into_iter().enumerate() {
        split.add(MaterialIndex(index), range);
    }
    dropped(report, split.astray, "triangle", "has a corner that is no vertex of the model");
    report_further_numbers(document, report);
    skin::report_blending(document, report);
    let morphs: Vec<&Morph> = document.morphs.iter().filter(|m| is_surface(document, m)).collect();
    let copies = split.copies();
    split.check_size(&morphs, &copies)?;
    let mut primitives = split.primitives;
    for morph in &morphs {
        primitives.iter_mut().for_each(|primitive| primitive.morphs.push(MorphDelta::default()));
        add_morph(morph, &copies, &mut primitives);
    }
    let names = morphs.iter().map(|morph| document.text(&morph.name)).collect();
    let name = document.model_name();
    let morphs = MorphSet { name: name.clone(), morphs: names, rest: Vec::new() };
    Ok(Surface { mesh: Mesh { name, primitives }, morphs })
}

/// True if a morph moves vertices or their texture coordinates.
const fn is_surface(document: &Document, morph: &Morph) -> bool {
    matches!(morph.offsets, MorphOffsets::Uv { set, .. } if set <= document.header.additional_uvs)
        || matches!(morph.offsets, MorphOffsets::Vertex(_))
}

/// Reports additional texture coordinates, and morphs of them, with more than two numbers in use.
fn report_further_numbers(document: &Document, report: &mut Report) {
    let is_further = |[_, _, z, w]: &[f32; 4]| *z != 0.0 || *w != 0.0;
    let sets = document.additional_uvs.iter().filter(|set| set.iter().any(is_further)).count();
    let morphs = document.morphs.iter().filter(|morph| match &morph.offsets {
        MorphOffsets::Uv { set: 1.., offsets } => offsets.iter().any(|offset| is_further(&offset.offset)),
        _ => false,
    });
    for (count, noun) in [(sets, "additional texture coordinate"), (morphs.count(), "additional-UV morph")] {
        if count > 0 {
            let what = format!("the third and fourth numbers of {}", counted(count, noun));
            report.dropped(what, "texture coordinates of a scene are two numbers");
        }
    }
}

/// The faces of each material.
fn runs(document: &Document, report: &mut Report) -> Vec<Range<usize>> {
    let mut start = 0_usize;
    let mut runs = Vec::with_capacity(document.materials.len());
    for material in &document.materials {
        let end = start
            .saturating_add(usize::try_from(material.index_count).unwrap_or(0))
            .min(document.faces.len());
        runs.push(start..end);
        start = end;
    }
    let without = document.faces.len().saturating_sub(start) / 3;
    dropped(report, without, "triangle", "belongs to no material");
    runs
}

/// A copy of a vertex of the document in a primitive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VertexCopy {
    vertex: u32,
    primitive: usize,
    /// Number of the vertex in the primitive.
    local: u32,
}

/// The copies of a vertex, among copies sorted by their vertices.
fn copies_of(copies: &[VertexCopy], vertex: u32) -> &[VertexCopy] {
    let start = copies.partition_point(|copy| copy.vertex < vertex);
    let end = copies.partition_point(|copy| copy.vertex <= vertex);
    copies.get(start..end).unwrap_or_default()
}

/// Marks vertices that a primitive does not have yet.
const ABSENT: u32 = u32::MAX;

/// Deals out vertices to primitives.
struct Split<'a> {
    document: &'a Document,
    primitives: Vec<Primitive>,
    /// The vertices of each primitive.
    used: Vec<Vec<u32>>,
    /// For each vertex its number in the primitive being made.
    local: Vec<u32>,
    /// Triangles with missing corners.
    astray: usize,
}

impl<'a> Split<'a> {
    fn new(document: &'a Document) -> Self {
        let local = vec![ABSENT; document.vertices.len()];
        Self { document, primitives: Vec::new(), used: Vec::new(), local, astray: 0 }
    }

    /// Makes a primitive of the triangles of a material, if there are any.
    fn add(&mut self, material: MaterialIndex, run: Range<usize>) {
        let (triangles, _) = self.document.faces.get(run).unwrap_or_default().as_chunks::<3>();
        let mut used = Vec::new();
        let mut indices = Vec::with_capacity(triangles.len() * 3);
        for triangle in triangles {
            if triangle.iter().any(|corner| *corner as usize >= self.local.len()) {
                self.astray += 1;
                continue;
            }
            indices.extend(triangle.iter().map(|corner| self.localise(*corner, &mut used)));
        }
        for vertex in &used {
            if let Some(local) = self.local.get_mut(*vertex as usize) {
                *local = ABSENT;
            }
        }
        if !indices.is_empty() {
            self.primitives.push(primitive(self.document, material, &used, indices));
            self.used.push(used);
        }
    }

    /// The number of a vertex in the primitive being made.
    fn localise(&mut self, vertex: u32, used: &mut Vec<u32>) -> u32 {
        let Some(local) = self.local.get_mut(vertex as usize) else { return 0 };
        if *local == ABSENT {
            *local = used.len() as u32;
            used.push(vertex);
        }
        *local
    }

    /// Refuses models whose morphs would take far more room in primitives than in the file, as happens with
    /// vertices shared by many materials.
    fn check_size(&self, morphs: &[&Morph], copies: &[VertexCopy]) -> Result<(), String> {
        const ALWAYS: usize = 1 << 22;
        let offsets: usize = morphs.iter().map(|morph| morph.offsets.len()).sum();
        let limit = offsets.saturating_mul(4).max(ALWAYS);
        let uses_of = |vertex: u32| copies_of(copies, vertex).len();
        let moved = |morph: &&Morph| -> usize {
            match &morph.offsets {
                MorphOffsets::Vertex(offsets) => offsets.iter().map(|offset| uses_of(offset.vertex)).sum(),
                MorphOffsets::Uv { offsets, .. } => offsets.iter().map(|offset| uses_of(offset.vertex)).sum(),
                _ => 0,
            }
        };
        let entries = self.primitives.len().saturating_mul(morphs.len());
        let entries = morphs.iter().map(moved).fold(entries, usize::saturating_add);
        if entries > limit {
            return Err(format!(
                "{} of morphs for vertices that materials share (at most {})",
                counted(entries, "offset"),
                grouped(limit)
            ));
        }
        Ok(())
    }

    /// The copies of all vertices, sorted by the vertices.
    fn copies(&self) -> Vec<VertexCopy> {
        let mut copies = Vec::with_capacity(self.used.iter().map(Vec::len).sum());
        for (primitive, used) in self.used.iter().enumerate() {
            let numbered = used.iter().zip(0_u32..);
            copies.extend(numbered.map(|(vertex, local)| VertexCopy { vertex: *vertex, primitive, local }));
        }
        by_key(&mut copies, |copy| *copy);
        copies
    }
}

/// Replacement of a normal without direction.
const UP: [f64; 3] = [0.0, 1.0, 0.0];

fn primitive(document: &Document, material: MaterialIndex, used: &[u32], indices: Vec<u32>) -> Primitive {
    let vertices: Vec<&Vertex> = used.iter().filter_map(|at| document.vertices.get(*at as usize)).collect();
    let bones = document.bones.len();
    let joints = |vertex: &&Vertex| skin::joints(&vertex.skinning, bones);
    let mut uv_sets = vec![vertices.iter().map(|vertex| finite_all(vertex.uv)).collect()];
    for set in document.additional_uvs.iter().take(document.header.additional_uvs.into()) {
        let uv = |at: &u32| set.get(*at as usize).map_or([0.0; 2], |[u, v, ..]| finite_all([*u, *v]));
        uv_sets.push(used.iter().map(uv).collect());
    }
    Primitive {
        positions: vertices.iter().map(|vertex| finite_all(vertex.position)).collect(),
        normals: vertices.iter().map(|v| unit(v.normal).unwrap_or(UP).map(|x| x as f32)).collect(),
        uv_sets,
        joints: if bones == 0 { Vec::new() } else { vertices.iter().map(joints).collect() },
        indices,
        material: Some(material),
        ..Primitive::default()
    }
}

/// Fills the last delta of each primitive, in the order of its vertices. Offsets of the same vertex add up.
fn add_morph(morph: &Morph, copies: &[VertexCopy], primitives: &mut [Primitive]) {
    match &morph.offsets {
        MorphOffsets::Vertex(offsets) => {
            for (vertex, offset) in summed(offsets.iter().map(|o| (o.vertex, o.offset))) {
                each_delta(primitives, copies_of(copies, vertex), |delta, local| {
                    delta.positions.push((local, offset));
                });
            }
        }
        MorphOffsets::Uv { set, offsets } => {
            let set = usize::from(*set);
            for (vertex, offset) in summed(offsets.iter().map(|o| (o.vertex, [o.offset[0], o.offset[1]]))) {
                each_delta(primitives, copies_of(copies, vertex), |delta, local| {
                    delta.uv_sets.resize(set + 1, Vec::new());
                    delta.uv_sets[set].push((local, offset));
                });
            }
        }
        _ => {}
    }
    for delta in primitives.iter_mut().filter_map(|primitive| primitive.morphs.last_mut()) {
        by_key(&mut delta.positions, |(vertex, _)| *vertex);
        delta.uv_sets.iter_mut().for_each(|set| by_key(set, |(vertex, _)| *vertex));
    }
}

/// Hands out the last delta of each primitive with a copy, and the number of the copy's vertex.
fn each_delta(
    primitives: &mut [Primitive],
    copies: &[VertexCopy],
    mut change: impl FnMut(&mut MorphDelta, u32),
) {
    for copy in copies {
        let primitive = primitives.get_mut(copy.primitive);
        if let Some(delta) = primitive.and_then(|primitive| primitive.morphs.last_mut()) {
            change(delta, copy.local);
        }
    }
}

/// One offset per vertex.
fn summed<const N: usize>(offsets: impl Iterator<Item = (u32, [f32; N])>) -> BTreeMap<u32, [f32; N]> {
    let mut sums = BTreeMap::new();
    for (vertex, offset) in offsets {
        let sum = sums.entry(vertex).or_insert([0.0; N]);
        sum.iter_mut().zip(finite_all(offset)).for_each(|(sum, number)| *sum = finite(*sum + number));
    }
    sums
}
