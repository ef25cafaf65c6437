//! The vertex data of primitives (glTF 2.0, section 3.7.2).

use super::keys::narrow;
use super::store::{Entry, FLOAT, Home, INDEX_TARGET, Store, VERTEX_TARGET};
use dopesheet_core::bytes::json::JsonWriter;
use dopesheet_core::model::{Primitive, VertexJoints};
use std::collections::BTreeMap;

/// `UNSIGNED_SHORT`
const UNSIGNED_SHORT: u32 = 5123;
/// `UNSIGNED_INT`
const UNSIGNED_INT: u32 = 5125;
/// Indices below this fit 16 bits; the largest value would restart the primitive.
const SHORT_VERTICES: usize = 65_535;

/// How far the sum of weights may be from 1 for each of them that is not 0 (glTF 2.0, section 3.7.3.3).
const WEIGHT_TOLERANCE: f64 = 2e-7;

/// Whether a primitive has triangles.
pub(super) fn is_drawable(primitive: &Primitive) -> bool {
    match primitive.indices.is_empty() {
        true => primitive.positions.len() >= 3,
        false => !triangles(primitive).is_empty(),
    }
}

/// The indices of all whole triangles whose vertices exist.
fn triangles(primitive: &Primitive) -> Vec<u32> {
    let count = primitive.positions.len();
    let sound = |triangle: &&[u32]| triangle.iter().all(|index| (*index as usize) < count);
    primitive.indices.chunks_exact(3).filter(sound).flatten().copied().collect()
}

/// The accessors of a primitive.
#[derive(Debug)]
pub(super) struct Vertices {
    count: usize,
    attributes: Vec<(&'static str, usize)>,
    indices: Option<usize>,
    has_uvs: bool,
    /// The accessor of offsets for morphs that move nothing.
    still: Option<usize>,
}

impl Vertices {
    /// `joints` is the size of the skin, if there is one.
    pub(super) fn of(
        primitive: &Primitive,
        joints: Option<usize>,
        textured: bool,
        store: &mut Store<'_>,
    ) -> Self {
        let count = primitive.positions.len();
        let fits = |length: usize| length == count;
        let positions: Vec<[f32; 3]> = primitive.positions.iter().map(|p| finite(*p)).collect();
        let mut attributes = vec![("POSITION", vectors(&positions, true, store))];
        if fits(primitive.normals.len()) {
            let normals: Vec<[f32; 3]> = primitive.normals.iter().map(|n| unit(*n)).collect();
            attributes.push(("NORMAL", vectors(&normals, false, store)));
        }
        // Without a picture nothing uses them, and the validator objects.
        if textured {
            let mut uvs: Vec<[f32; 2]> = primitive.uvs.iter().map(|uv| finite(*uv)).collect();
            uvs.resize(count, [0.0; 2]);
            attributes.push(("TEXCOORD_0", vectors(&uvs, false, store)));
        }
        if let Some(joints) = joints {
            let bound: Vec<VertexJoints> = primitive.joints.iter().map(|j| settled(*j, joints)).collect();
            let numbers = bound.iter().flat_map(|j| j.joints).flat_map(u16::to_le_bytes).collect();
            attributes.push(("JOINTS_0", blob(numbers, UNSIGNED_SHORT, count, "VEC4", VERTEX_TARGET, store)));
            let weights: Vec<[f32; 4]> = bound.iter().map(|j| j.weights).collect();
            attributes.push(("WEIGHTS_0", vectors(&weights, false, store)));
        }
        Self { count, attributes, indices: indices(primitive, store), has_uvs: textured, still: None }
    }

    /// Writes the members that do not depend on morphs.
    pub(super) fn write(&self, w: &mut JsonWriter) {
        w.name("attributes").object(|w| {
            for (name, accessor) in &self.attributes {
                w.name(name).integer(*accessor);
            }
        });
        if let Some(indices) = self.indices {
            w.name("indices").integer(indices);
        }
    }

    /// Writes `count` morph targets; those that the primitive lacks move nothing.
    pub(super) fn write_targets(
        &mut self,
        w: &mut JsonWriter,
        primitive: &Primitive,
        count: usize,
        store: &mut Store<'_>,
    ) {
        if count == 0 {
            return;
        }
        let none = Default::default();
        w.name("targets").array(|w| {
            for morph in 0..count {
                let delta = primitive.morphs.get(morph).unwrap_or(&none);
                w.object(|w| {
                    let position = self.offsets(&delta.positions, true, store);
                    w.name("POSITION").integer(position);
                    if self.has_uvs && !delta.uvs.is_empty() {
                        w.name("TEXCOORD_0").integer(self.offsets(&delta.uvs, false, store));
                    }
                });
            }
        });
    }

    /// The accessor of offsets: stored whole, or only where they are not zero, whichever is smaller.
    fn offsets<const N: usize>(
        &mut self,
        moved: &[(u32, [f32; N])],
        bounded: bool,
        store: &mut Store<'_>,
    ) -> usize {
        let kept: BTreeMap<u32, [f32; N]> = moved
            .iter()
            .map(|(vertex, offset)| (*vertex, finite(*offset)))
            .filter(|(vertex, offset)| (*vertex as usize) < self.count && *offset != [0.0; N])
            .collect();
        if kept.is_empty() && N == 3 {
            let count = self.count;
            return *self.still.get_or_insert_with(|| store.entry(nothing(count)));
        }
        if kept.len() * (N + 1) >= self.count * N {
            let mut all = vec![[0.0; N]; self.count];
            for (vertex, offset) in &kept {
                all[*vertex as usize] = *offset;
            }
            return vectors(&all, bounded, store);
        }
        let mut values: Vec<[f32; N]> = kept.values().copied().collect();
        let indices = store.blob(kept.keys().flat_map(|vertex| vertex.to_le_bytes()).collect(), None);
        let sparse =
            store.blob(values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect(), None);
        values.push([0.0; N]);
        store.entry(Entry {
            home: Home::Nowhere,
            component: FLOAT,
            count: self.count,
            shape: shape(N),
            bounds: bounded.then(|| bounds(&values)),
            sparse: (!kept.is_empty()).then_some((kept.len(), indices, sparse)),
        })
    }
}

fn nothing(count: usize) -> Entry {
    let bounds = Some([vec![0.0; 3], vec![0.0; 3]]);
    Entry { home: Home::Nowhere, component: FLOAT, count, shape: "VEC3", bounds, sparse: None }
}

fn indices(primitive: &Primitive, store: &mut Store<'_>) -> Option<usize> {
    let count = primitive.positions.len();
    let mut all = triangles(primitive);
    if primitive.indices.is_empty() {
        if count.is_multiple_of(3) {
            return None;
        }
        all = (0..u32::try_from(count - count % 3).unwrap_or(u32::MAX)).collect();
    }
    let length = all.len();
    let short: Option<Vec<u16>> = (count < SHORT_VERTICES)
        .then(|| all.iter().map(|index| u16::try_from(*index)).collect::<Result<_, _>>().ok())
        .flatten();
    Some(match short {
        Some(short) => {
            let bytes = short.into_iter().flat_map(u16::to_le_bytes).collect();
            blob(bytes, UNSIGNED_SHORT, length, "SCALAR", INDEX_TARGET, store)
        }
        None => {
            let bytes = all.into_iter().flat_map(u32::to_le_bytes).collect();
            blob(bytes, UNSIGNED_INT, length, "SCALAR", INDEX_TARGET, store)
        }
    })
}

fn blob(
    bytes: Vec<u8>,
    component: u32,
    count: usize,
    shape: &'static str,
    target: u32,
    store: &mut Store<'_>,
) -> usize {
    let home = Home::Blob(store.blob(bytes, Some(target)));
    store.entry(Entry { home, component, count, shape, bounds: None, sparse: None })
}

fn vectors<const N: usize>(values: &[[f32; N]], bounded: bool, store: &mut Store<'_>) -> usize {
    let bytes = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    let home = Home::Blob(store.blob(bytes, Some(VERTEX_TARGET)));
    let bounds = bounded.then(|| bounds(values));
    store.entry(Entry { home, component: FLOAT, count: values.len(), shape: shape(N), bounds, sparse: None })
}

const fn shape(width: usize) -> &'static str {
    match width {
        2 => "VEC2",
        3 => "VEC3",
        _ => "VEC4",
    }
}

fn bounds<const N: usize>(values: &[[f32; N]]) -> [Vec<f32>; 2] {
    let first = values.first().copied().unwrap_or([0.0; N]);
    let (mut min, mut max) = (first, first);
    for value in values {
        for ((value, min), max) in value.iter().zip(&mut min).zip(&mut max) {
            *min = min.min(*value);
            *max = max.max(*value);
        }
    }
    [min.to_vec(), max.to_vec()]
}

/// What is not finite becomes 0.
fn finite<const N: usize>(value: [f32; N]) -> [f32; N] {
    value.map(|number| if number.is_finite() { number } else { 0.0 })
}

/// A unit vector; up where there is no direction.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let wide = finite(normal).map(f64::from);
    let length = wide.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { wide.map(|x| narrow(x / length)) } else { [0.0, 1.0, 0.0] }
}

/// Weights that sum to 1, no joint twice, joint 0 where the weight is 0.
fn settled(bound: VertexJoints, joints: usize) -> VertexJoints {
    let mut kept: Vec<(u16, f64)> = Vec::with_capacity(4);
    for (joint, weight) in bound.joints.into_iter().zip(finite(bound.weights)) {
        if weight <= 0.0 || usize::from(joint) >= joints {
            continue;
        }
        match kept.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += f64::from(weight),
            None => kept.push((joint, f64::from(weight))),
        }
    }
    let mut total: f64 = kept.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return VertexJoints { joints: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] };
    }
    // Sums that the validator accepts are left as they are, so that a second pass changes nothing.
    if (total - 1.0).abs() <= WEIGHT_TOLERANCE * kept.len() as f64 {
        total = 1.0;
    }
    let mut settled = VertexJoints::default();
    for (slot, (joint, weight)) in kept.into_iter().enumerate() {
        settled.joints[slot] = joint;
        settled.weights[slot] = narrow(weight / total);
    }
    settled
}
