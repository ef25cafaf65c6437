//! The vertex data of primitives (glTF 2.0, section 3.7.2).

use super::keys::narrow;
use super::store::{Entry, Home, INDEX_TARGET, PIECE_BYTES, Store, VERTEX_TARGET};
use super::values::{index, joined};
use crate::gltf::json::parts;
use crate::gltf::json::parts::{Component, Index, Shape};
use dopesheet_core::model::{Primitive, VertexJoints};
use dopesheet_core::order::map;
use std::borrow::Cow;

/// Indices below this fit 16 bits; the largest value would restart the primitive.
const SHORT_VERTICES: usize = 65_535;

/// Tolerance of the sum of weights around 1, for each weight that is not 0 (glTF 2.0, section 3.7.3.3).
const WEIGHT_TOLERANCE: f64 = 2e-7;

/// True if a primitive has triangles.
pub(super) fn is_drawable(primitive: &Primitive) -> bool {
    match primitive.indices.is_empty() {
        true => primitive.positions.len() >= 3,
        false => !triangles(primitive).is_empty(),
    }
}

/// The indices of all whole triangles whose vertices exist.
fn triangles(primitive: &Primitive) -> Cow<'_, [u32]> {
    let (whole, _) = primitive.indices.as_chunks::<3>();
    let is_sound =
        |triangle: &[u32; 3]| triangle.iter().all(|index| (*index as usize) < primitive.positions.len());
    match whole.iter().all(is_sound) {
        true => whole.as_flattened().into(),
        false => whole.iter().filter(|triangle| is_sound(triangle)).flatten().copied().collect(),
    }
}

/// True if texture coordinates place pictures on the surface, also on surfaces without a picture: a missing
/// picture may be added later. Models without pictures have equal coordinates at all vertices.
pub(super) fn has_layout(primitive: &Primitive) -> bool {
    primitive.uvs.len() == primitive.positions.len() && primitive.uvs.windows(2).any(|two| two[0] != two[1])
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
    /// `joints` is the size of the skin, if the mesh is skinned.
    pub(super) fn of(
        primitive: &Primitive,
        joints: Option<usize>,
        textured: bool,
        store: &mut Store<'_>,
    ) -> Self {
        let count = primitive.positions.len();
        let fits = |length: usize| length == count;
        let mut attributes = vec![("POSITION", vectors(&primitive.positions, finite, true, store))];
        if fits(primitive.normals.len()) {
            attributes.push(("NORMAL", vectors(&primitive.normals, unit, false, store)));
        }
        if textured {
            let mut uvs = Cow::from(&primitive.uvs);
            if !fits(uvs.len()) {
                uvs.to_mut().resize(count, [0.0; 2]);
            }
            attributes.push(("TEXCOORD_0", vectors(&uvs, finite, false, store)));
        }
        if let Some(joints) = joints {
            let [joints, weights] = binding(&primitive.joints, joints, store);
            attributes.extend([("JOINTS_0", joints), ("WEIGHTS_0", weights)]);
        }
        Self { count, attributes, indices: indices(primitive, store), has_uvs: textured, still: None }
    }

    /// The primitive, with `targets` morph targets; targets missing in `of` move nothing.
    pub(super) fn primitive(
        &mut self,
        of: &Primitive,
        material: Option<usize>,
        targets: usize,
        store: &mut Store<'_>,
    ) -> parts::Primitive {
        let none = Default::default();
        let target = |morph: usize| {
            let delta = of.morphs.get(morph).unwrap_or(&none);
            let mut moved = vec![attribute("POSITION", self.offsets(&delta.positions, true, store))];
            if self.has_uvs && !delta.uvs.is_empty() {
                moved.push(attribute("TEXCOORD_0", self.offsets(&delta.uvs, false, store)));
            }
            moved
        };
        let targets = (0..targets).map(target).collect();
        parts::Primitive {
            attributes: self.attributes.iter().map(|(name, accessor)| attribute(name, *accessor)).collect(),
            indices: self.indices.map(index),
            material: material.map(index),
            targets,
            ..parts::Primitive::default()
        }
    }

    /// The accessor of offsets: stored whole, or only where they are not zero, whichever is smaller.
    fn offsets<const N: usize>(
        &mut self,
        moved: &[(u32, [f32; N])],
        bounded: bool,
        store: &mut Store<'_>,
    ) -> usize {
        let sound = moved.iter().map(|(vertex, offset)| (*vertex, finite(*offset)));
        let kept =
            map(sound.filter(|(vertex, offset)| (*vertex as usize) < self.count && *offset != [0.0; N]));
        if kept.is_empty() && N == 3 {
            let count = self.count;
            return *self.still.get_or_insert_with(|| store.entry(nothing(count)));
        }
        if kept.len() * (N + 1) >= self.count * N {
            let mut all = vec![[0.0; N]; self.count];
            for (vertex, offset) in &kept {
                all[*vertex as usize] = *offset;
            }
            return vectors(&all, finite, bounded, store);
        }
        let mut values: Vec<[f32; N]> = kept.values().copied().collect();
        let indices = store.blob(joined(kept.keys().map(|vertex| vertex.to_le_bytes())), None);
        let sparse = store.blob(joined(values.iter().flatten().map(|value| value.to_le_bytes())), None);
        values.push([0.0; N]);
        store.entry(Entry {
            home: Home::Nowhere,
            component: Component::F32,
            count: self.count,
            shape: shape(N),
            bounds: bounded.then(|| bounds(values.into_iter())),
            sparse: (!kept.is_empty()).then_some((kept.len(), indices, sparse)),
        })
    }
}

/// An accessor under the name of its attribute.
pub(super) fn attribute(name: &str, accessor: usize) -> (Box<str>, Index) {
    (name.into(), index(accessor))
}

fn nothing(count: usize) -> Entry {
    let bounds = Some([vec![0.0; 3], vec![0.0; 3]]);
    Entry { home: Home::Nowhere, component: Component::F32, count, shape: Shape::Vec3, bounds, sparse: None }
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
    let parts = all.chunks(PIECE_BYTES / 4);
    // Each index is below the count of vertices.
    let (component, pieces) = match count < SHORT_VERTICES {
        true => (Component::U16, parts.map(|part| joined(part.iter().map(|index| short(*index)))).collect()),
        false => {
            (Component::U32, parts.map(|part| joined(part.iter().map(|index| index.to_le_bytes()))).collect())
        }
    };
    let home = Home::Blob(store.large_blob(pieces, Some(INDEX_TARGET)));
    let entry = Entry { home, component, count: all.len(), shape: Shape::Scalar, bounds: None, sparse: None };
    Some(store.entry(entry))
}

fn short(index: u32) -> [u8; 2] {
    u16::try_from(index).unwrap_or(u16::MAX).to_le_bytes()
}

/// The accessors of joints and of their weights.
fn binding(bound: &[VertexJoints], joints: usize, store: &mut Store<'_>) -> [usize; 2] {
    let mut pieces = [Vec::new(), Vec::new()];
    for part in bound.chunks(PIECE_BYTES / size_of::<[f32; 4]>()) {
        let part: Vec<VertexJoints> = part.iter().map(|bound| settled(*bound, joints)).collect();
        pieces[0].push(joined(part.iter().flat_map(|bound| bound.joints).map(u16::to_le_bytes)));
        pieces[1].push(joined(part.iter().flat_map(|bound| bound.weights).map(f32::to_le_bytes)));
    }
    let mut entry = |component: Component, pieces: Vec<Vec<u8>>| {
        let home = Home::Blob(store.large_blob(pieces, Some(VERTEX_TARGET)));
        store.entry(Entry {
            home,
            component,
            count: bound.len(),
            shape: Shape::Vec4,
            bounds: None,
            sparse: None,
        })
    };
    let [joints, weights] = pieces;
    [entry(Component::U16, joints), entry(Component::F32, weights)]
}

/// The accessor of vectors, each converted by `stored`.
fn vectors<const N: usize>(
    values: &[[f32; N]],
    stored: impl Fn([f32; N]) -> [f32; N] + Copy,
    bounded: bool,
    store: &mut Store<'_>,
) -> usize {
    let piece = |part: &[[f32; N]]| joined(part.iter().flat_map(|v| stored(*v)).map(f32::to_le_bytes));
    let pieces = values.chunks(PIECE_BYTES / size_of::<[f32; N]>()).map(piece).collect();
    let home = Home::Blob(store.large_blob(pieces, Some(VERTEX_TARGET)));
    let bounds = bounded.then(|| bounds(values.iter().map(|v| stored(*v))));
    store.entry(Entry {
        home,
        component: Component::F32,
        count: values.len(),
        shape: shape(N),
        bounds,
        sparse: None,
    })
}

const fn shape(width: usize) -> Shape {
    match width {
        2 => Shape::Vec2,
        3 => Shape::Vec3,
        _ => Shape::Vec4,
    }
}

fn bounds<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> [Vec<f32>; 2] {
    // Of 0 and -0, each machine takes another one for the smaller: a sum with zero has no sign where it is zero.
    let mut values = values.map(|value| value.map(|number| number + 0.0));
    let first = values.next().unwrap_or([0.0; N]);
    let (mut min, mut max) = (first, first);
    for value in values {
        for ((value, min), max) in value.iter().zip(&mut min).zip(&mut max) {
            *min = min.min(*value);
            *max = max.max(*value);
        }
    }
    [min.to_vec(), max.to_vec()]
}

/// The vector with 0 for numbers that are not finite.
fn finite<const N: usize>(value: [f32; N]) -> [f32; N] {
    value.map(|number| if number.is_finite() { number } else { 0.0 })
}

/// A unit vector; up for vectors without a direction.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let wide = finite(normal).map(f64::from);
    let length = wide.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { wide.map(|x| narrow(x / length)) } else { [0.0, 1.0, 0.0] }
}

/// Weights that sum to 1, no joint twice, joint 0 for weight 0.
fn settled(bound: VertexJoints, joints: usize) -> VertexJoints {
    let mut kept: Vec<(u16, f64)> = Vec::with_capacity(4);
    for (joint, weight) in bound.joints.into_iter().zip(finite(bound.weights)) {
        if weight <= 0.0 || usize::from(joint) >= joints {
            continue;
        }
        match kept.iter_mut().find(|(kept_joint, _)| *kept_joint == joint) {
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

#[cfg(test)]
mod tests {
    use super::bounds;

    #[test]
    fn bounds_of_0_and_its_negative_are_0_in_any_order_and_on_any_machine() {
        for zeros in [[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]] {
            let [min, max] = bounds(zeros.into_iter().map(|zero| [zero, -1.0, 1.0 + zero]));
            assert_eq!([min[0].to_bits(), max[0].to_bits()], [0, 0], "{zeros:?}");
            assert_eq!((&min[1..], &max[1..]), (&[-1.0, 1.0][..], &[-1.0, 1.0][..]));
        }
    }
}
