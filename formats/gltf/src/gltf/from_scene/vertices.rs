//! The vertex data of primitives (glTF 2.0, section 3.7.2).

use super::keys::narrow;
use super::store::{Entry, Home, INDEX_TARGET, PIECE_BYTES, Store, VERTEX_TARGET};
use super::values::{index, joined};
use crate::gltf::json::parts;
use crate::gltf::json::parts::{Component, Index, Shape};
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{MorphDelta, Primitive, Scene, VertexJoints};
use dopesheet_core::order::map;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
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

/// Number of sets of texture coordinates with a use also on surfaces without a picture: a missing picture may be
/// added later. Models without pictures have a single set with equal coordinates at all vertices.
pub(super) fn uv_sets(primitive: &Primitive) -> usize {
    let is_layout = |set: &[[f32; 2]]| {
        set.len() == primitive.positions.len() && set.windows(2).any(|two| two[0] != two[1])
    };
    match primitive.uv_sets.as_slice() {
        [only] if !is_layout(only) => 0,
        sets => sets.len(),
    }
}

/// Reports colours beyond the range of glTF, and directions with a meaning beside normals only.
pub(super) fn report(scene: &Scene, report: &mut Report) {
    let mut error = MaxError { value: 0.0, unit: ErrorUnit::One, target: String::new(), time: Seconds(0.0) };
    let mut bare = 0;
    let primitives = scene.meshes.iter().flat_map(|mesh| mesh.primitives.iter().map(move |p| (mesh, p)));
    for (mesh, primitive) in primitives {
        for number in primitive.colors.iter().flatten().flatten().map(|number| f64::from(*number)) {
            let beyond = (number - number.clamp(0.0, 1.0)).abs();
            if beyond > error.value {
                error = MaxError { value: beyond, target: mesh.name.clone(), ..error };
            }
        }
        let turns = |morph: &MorphDelta| !morph.normals.is_empty() || !morph.tangents.is_empty();
        let is_directed = !primitive.tangents.is_empty() || primitive.morphs.iter().any(turns);
        bare += usize::from(is_directed && primitive.normals.len() != primitive.positions.len());
    }
    if error.value > 0.0 {
        report.approximated("vertex colours outside 0 to 1, which glTF clamps", error);
    }
    if bare > 0 {
        let what = format!("tangents and directions of morphs of {}", counted(bare, "primitive"));
        report.dropped(what, "glTF has them beside normals only");
    }
}

/// The accessors of a primitive.
#[derive(Debug)]
pub(super) struct Vertices {
    count: usize,
    attributes: Vec<(Box<str>, Index)>,
    indices: Option<usize>,
    uv_sets: usize,
    /// The accessor of offsets for morphs that move nothing.
    still: Option<usize>,
}

impl Vertices {
    /// `joints` is the size of the skin, if the mesh is skinned. Missing texture coordinates are 0, missing colours white.
    pub(super) fn of(
        primitive: &Primitive,
        joints: Option<usize>,
        uv_sets: usize,
        store: &mut Store<'_>,
    ) -> Self {
        let count = primitive.positions.len();
        let fits = |length: usize| length == count;
        let mut attributes = vec![attribute("POSITION", vectors(&primitive.positions, finite, true, store))];
        if fits(primitive.normals.len()) {
            attributes.push(attribute("NORMAL", vectors(&primitive.normals, unit, false, store)));
            if fits(primitive.tangents.len()) {
                attributes.push(attribute("TANGENT", vectors(&primitive.tangents, tangent, false, store)));
            }
        }
        let mut zeros = None;
        for set in 0..uv_sets {
            let uvs = primitive.uv_sets.get(set).filter(|uvs| fits(uvs.len()));
            let accessor = match uvs {
                Some(uvs) => vectors(uvs, finite, false, store),
                None => *zeros.get_or_insert_with(|| vectors(&vec![[0.0; 2]; count], finite, false, store)),
            };
            attributes.push(attribute(&format!("TEXCOORD_{set}"), accessor));
        }
        let mut whites = None;
        for (set, colors) in primitive.colors.iter().enumerate() {
            let accessor = match fits(colors.len()) {
                true => vectors(colors, share, false, store),
                false => *whites.get_or_insert_with(|| vectors(&vec![[1.0; 4]; count], share, false, store)),
            };
            attributes.push(attribute(&format!("COLOR_{set}"), accessor));
        }
        if let Some(joints) = joints {
            let [joints, weights] = binding(&primitive.joints, joints, store);
            attributes.extend([attribute("JOINTS_0", joints), attribute("WEIGHTS_0", weights)]);
        }
        Self { count, attributes, indices: indices(primitive, store), uv_sets, still: None }
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
        let has = |name: &str| self.attributes.iter().any(|(attribute_name, _)| **attribute_name == *name);
        // Viewers expect an attribute in all targets or in none.
        let turns_normals = has("NORMAL") && of.morphs.iter().any(|delta| !delta.normals.is_empty());
        let turns_tangents = has("TANGENT") && of.morphs.iter().any(|delta| !delta.tangents.is_empty());
        let target = |morph: usize| {
            let delta = of.morphs.get(morph).unwrap_or(&none);
            let mut moved = vec![attribute("POSITION", self.offsets(&delta.positions, true, store))];
            if turns_normals {
                moved.push(attribute("NORMAL", self.offsets(&delta.normals, false, store)));
            }
            if turns_tangents {
                moved.push(attribute("TANGENT", self.offsets(&delta.tangents, false, store)));
            }
            let sets = delta.uv_sets.iter().take(self.uv_sets).enumerate();
            for (set, offsets) in sets.filter(|(_, offsets)| !offsets.is_empty()) {
                moved.push(attribute(&format!("TEXCOORD_{set}"), self.offsets(offsets, false, store)));
            }
            moved
        };
        let targets = (0..targets).map(target).collect();
        parts::Primitive {
            attributes: self.attributes.clone(),
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
            bounds: bounded.then(|| bounds(values.into_iter())),
            sparse: (!kept.is_empty()).then_some((kept.len(), indices, sparse)),
            ..Entry::plain(Home::Nowhere, Component::F32, self.count, shape(N))
        })
    }
}

/// An accessor under the name of its attribute.
pub(super) fn attribute(name: &str, accessor: usize) -> (Box<str>, Index) {
    (name.into(), index(accessor))
}

fn nothing(count: usize) -> Entry {
    let bounds = Some([vec![0.0; 3], vec![0.0; 3]]);
    Entry { bounds, ..Entry::plain(Home::Nowhere, Component::F32, count, Shape::Vec3) }
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
    Some(store.entry(Entry::plain(home, component, all.len(), Shape::Scalar)))
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
        store.entry(Entry::plain(home, component, bound.len(), Shape::Vec4))
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
    store.entry(Entry { bounds, ..Entry::plain(home, Component::F32, values.len(), shape(N)) })
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

/// The colour in 0..=1.
fn share(color: [f32; 4]) -> [f32; 4] {
    finite(color).map(|number| number.clamp(0.0, 1.0))
}

/// A unit vector; up for vectors without a direction.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let wide = finite(normal).map(f64::from);
    let length = wide.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { wide.map(|x| narrow(x / length)) } else { [0.0, 1.0, 0.0] }
}

/// A tangent of unit length, and the sign of its bitangent.
fn tangent([x, y, z, sign]: [f32; 4]) -> [f32; 4] {
    let [x, y, z] = unit([x, y, z]);
    [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }]
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
