//! Meshes and skins.

use super::super::document::Document;
use super::losses::LeftOutParts;
use super::materials;
use super::nodes::SceneNodes;
use crate::gltf::binary::accessor;
use crate::gltf::binary::views::{Views, number_budget};
use crate::gltf::json::parts::{Index, Mesh as StoredMesh, Primitive as StoredPrimitive, Shape, Skin};
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    MaterialIndex, Mesh, MeshIndex, MorphDelta, NodeIndex, Primitive, Scene, Skin as SceneSkin, SkinIndex,
    VertexJoints,
};

/// Column-major identity, which replaces missing inverse bind matrices (glTF 2.0, section 3.7.3.1).
const IDENTITY: [f64; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Adds meshes, skins, materials and pictures, and attaches them to the nodes. Unreadable parts are left out
/// and reported.
pub(super) fn geometry(views: &Views<'_>, places: &SceneNodes, scene: &mut Scene, report: &mut Report) {
    let mut losses = LeftOutParts::default();
    materials::materials(views, scene, &mut losses);
    let mut reader = Reader { views, budget: number_budget(views.document), losses };
    let parts = &views.document.parts;
    let meshes: Vec<Option<MeshIndex>> = parts
        .meshes
        .iter()
        .map(|stored| {
            let mesh = reader.mesh(stored)?;
            scene.meshes.push(mesh);
            Some(MeshIndex(scene.meshes.len() - 1))
        })
        .collect();
    scene.skins = parts.skins.iter().map(|skin| reader.skin(skin, places)).collect();
    for node in &mut scene.nodes {
        let Some(stored) = node.source_index.and_then(|index| parts.nodes.get(index)) else { continue };
        node.mesh = stored.content().mesh.and_then(|mesh| meshes.get(mesh as usize).copied().flatten());
        node.skin =
            stored.content().skin.map(|skin| SkinIndex(skin as usize)).filter(|_| node.mesh.is_some());
    }
    reader.losses.report(report);
}

/// True if a mesh is a placeholder, made to carry weights for a node without a mesh.
fn is_placeholder(document: &Document, mesh: &StoredMesh) -> bool {
    let extras = document.value(mesh.extras.as_ref());
    extras.is_some_and(|extras| extras.get("placeholder") == Some(&true.into()))
}

struct Reader<'a> {
    views: &'a Views<'a>,
    /// Numbers that may still be read.
    budget: u64,
    losses: LeftOutParts,
}

impl Reader<'_> {
    fn mesh(&mut self, stored: &StoredMesh) -> Option<Mesh> {
        if is_placeholder(self.views.document, stored) {
            return None;
        }
        let primitives: Vec<Primitive> =
            stored.primitives.iter().filter_map(|primitive| self.primitive(primitive)).collect();
        let name = stored.name.as_deref().unwrap_or_default().to_owned();
        (!primitives.is_empty()).then_some(Mesh { name, primitives })
    }

    fn primitive(&mut self, stored: &StoredPrimitive) -> Option<Primitive> {
        let unread = match stored.mode {
            _ if stored.is_draco => Some(("Draco primitives", "their compression is not read")),
            None | Some(4..=6) => None,
            Some(_) => Some(("primitives of points or lines", "only triangles are kept")),
        };
        if let Some((what, why)) = unread {
            self.losses.add(what, why);
            return None;
        }
        match self.triangles(stored) {
            Ok(primitive) => primitive,
            Err(_) => {
                self.losses.add("primitives", "their numbers cannot be read");
                None
            }
        }
    }

    fn triangles(&mut self, stored: &StoredPrimitive) -> Read<Option<Primitive>> {
        if !self.afford(stored) {
            self.losses.add("primitives", "they have more numbers than the size of the file allows for");
            return Ok(None);
        }
        let Some(positions) = self.vectors(stored, "POSITION", Shape::Vec3)? else {
            self.losses.add("primitives", "they have no positions");
            return Ok(None);
        };
        let count = positions.len();
        let primitive = Primitive {
            normals: self.column(stored, "NORMAL", Shape::Vec3, count)?,
            tangents: self.column(stored, "TANGENT", Shape::Vec4, count)?,
            uv_sets: names_of_sets(&stored.attributes, UVS)
                .map(|name| self.column(stored, &name, Shape::Vec2, count))
                .collect::<Read<_>>()?,
            colors: names_of_sets(&stored.attributes, COLORS)
                .map(|name| self.colors(stored, &name, count))
                .collect::<Read<_>>()?,
            joints: self.joints(stored, count)?,
            indices: self.indices(stored, count)?,
            material: stored.material.map(|material| MaterialIndex(material as usize)),
            morphs: stored.targets.iter().map(|target| self.morph(target, count)).collect::<Read<_>>()?,
            positions,
        };
        self.note_attributes(stored);
        Ok(Some(primitive))
    }

    /// True if the numbers of a primitive are still within the budget.
    fn afford(&mut self, stored: &StoredPrimitive) -> bool {
        let attributes = stored.attributes.iter().chain(stored.targets.iter().flatten());
        let accessors = attributes.map(|(_, index)| *index).chain(stored.indices);
        let cost = accessors.filter_map(|index| self.views.document.parts.accessors.get(index as usize));
        let cost = cost
            .map(|accessor| accessor.count.saturating_mul(accessor.shape.components() as u64))
            .fold(0, u64::saturating_add);
        let lists = stored.targets.iter().chain([&stored.attributes]);
        let sets = lists.flat_map(|list| [UVS, COLORS].map(|prefix| u64::from(sets(list, prefix))));
        let cost = cost.saturating_add(sets.sum::<u64>().saturating_mul(SET_NUMBERS));
        let left = self.budget.checked_sub(cost);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// The vectors of an attribute; `None` if the attribute is missing or of another shape.
    fn vectors<const N: usize>(
        &self,
        stored: &StoredPrimitive,
        name: &str,
        shape: Shape,
    ) -> Read<Option<Vec<[f32; N]>>> {
        match attribute(&stored.attributes, name) {
            Some(index) if self.shape(index) == Some(shape) => {
                let numbers = accessor::floats(self.views, index)?;
                Ok(Some(numbers.as_chunks::<N>().0.to_vec()))
            }
            _ => Ok(None),
        }
    }

    /// The vectors of an attribute present for all `count` vertices; empty otherwise.
    fn column<const N: usize>(
        &mut self,
        stored: &StoredPrimitive,
        name: &str,
        shape: Shape,
        count: usize,
    ) -> Read<Vec<[f32; N]>> {
        let mut vectors = self.vectors(stored, name, shape)?.unwrap_or_default();
        if vectors.len() == count {
            let mut odd = vectors.iter_mut().flatten().filter(|number| !number.is_finite()).peekable();
            if odd.peek().is_some() {
                self.losses.add(&format!("numbers of {name}"), "0 replaces infinities and NaN");
                odd.for_each(|number| *number = 0.0);
            }
            return Ok(vectors);
        }
        if attribute(&stored.attributes, name).is_some() {
            self.losses
                .add("vertex attributes", "they have another type or count than the positions ask for");
        }
        Ok(Vec::new())
    }

    /// Colours with an alpha, which is 1 in colours of three numbers.
    fn colors(&mut self, stored: &StoredPrimitive, name: &str, count: usize) -> Read<Vec<[f32; 4]>> {
        if attribute(&stored.attributes, name).and_then(|index| self.shape(index)) != Some(Shape::Vec3) {
            return self.column(stored, name, Shape::Vec4, count);
        }
        let colors: Vec<[f32; 3]> = self.column(stored, name, Shape::Vec3, count)?;
        Ok(colors.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect())
    }

    fn shape(&self, index: Index) -> Option<Shape> {
        Some(self.views.document.parts.accessors.get(index as usize)?.shape)
    }

    fn joints(&mut self, stored: &StoredPrimitive, count: usize) -> Read<Vec<VertexJoints>> {
        let numbers: Vec<[f32; 4]> = self.column(stored, "JOINTS_0", Shape::Vec4, count)?;
        let mut weights: Vec<[f32; 4]> = self.column(stored, "WEIGHTS_0", Shape::Vec4, count)?;
        if numbers.len() != weights.len() {
            return Ok(Vec::new());
        }
        if attribute(&stored.attributes, "WEIGHTS_1").is_some() {
            weights.iter_mut().for_each(|weights| *weights = of_sum_1(*weights));
        }
        let bound =
            |(joints, weights): ([f32; 4], [f32; 4])| VertexJoints { joints: joints.map(short), weights };
        Ok(numbers.into_iter().zip(weights).map(bound).collect())
    }

    /// Three vertices for each triangle, whatever the mode of the primitive.
    fn indices(&mut self, stored: &StoredPrimitive, count: usize) -> Read<Vec<u32>> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let listed: Vec<u32> = match stored.indices {
            Some(index) => accessor::whole(self.views, index)?,
            None => (0..count).collect(),
        };
        let mut all = match stored.mode {
            Some(5) => strip(&listed),
            Some(6) => fan(&listed),
            _ => listed,
        };
        all.truncate(all.len() / 3 * 3);
        if all.iter().any(|index| *index >= count) {
            self.losses.add("triangles' primitives in part", "some of their vertices do not exist");
            let sound = |triangle: &&[u32]| triangle.iter().all(|index| *index < count);
            all = all.chunks_exact(3).filter(sound).flatten().copied().collect();
        }
        Ok(all)
    }

    fn morph(&self, target: &[(Box<str>, Index)], count: usize) -> Read<MorphDelta> {
        let uvs = |name: String| self.offsets(target, &name, Shape::Vec2, count);
        Ok(MorphDelta {
            positions: self.offsets(target, "POSITION", Shape::Vec3, count)?,
            normals: self.offsets(target, "NORMAL", Shape::Vec3, count)?,
            tangents: self.offsets(target, "TANGENT", Shape::Vec3, count)?,
            uv_sets: names_of_sets(target, UVS).map(uvs).collect::<Read<_>>()?,
        })
    }

    /// The offsets of a morph target, without zeros.
    fn offsets<const N: usize>(
        &self,
        target: &[(Box<str>, Index)],
        name: &str,
        shape: Shape,
        count: usize,
    ) -> Read<Vec<(u32, [f32; N])>> {
        let Some(index) = attribute(target, name).filter(|index| self.shape(*index) == Some(shape)) else {
            return Ok(Vec::new());
        };
        let numbers = accessor::floats(self.views, index)?;
        let (vectors, _) = numbers.as_chunks::<N>();
        let moved = (0..).zip(vectors.iter().take(count)).filter(|(_, offset)| **offset != [0.0; N]);
        Ok(moved.map(|(vertex, offset)| (vertex, *offset)).collect())
    }

    /// Reports the attributes of a primitive without a place in a scene.
    fn note_attributes(&mut self, stored: &StoredPrimitive) {
        let is_vector = |name: &str| matches!(name, "POSITION" | "NORMAL" | "TANGENT");
        for (name, _) in &stored.attributes {
            let what = match name.split('_').next().unwrap_or_default() {
                _ if is_vector(name) || matches!(&**name, "JOINTS_0" | "WEIGHTS_0") => continue,
                _ if [UVS, COLORS].iter().any(|prefix| number_of_set(name, prefix).is_some()) => continue,
                "JOINTS" => "further joints of primitives",
                "WEIGHTS" => continue,
                _ => "vertex attributes of programs' own",
            };
            self.losses.add(what, "a scene has no place for them");
        }
        let mut names = stored.targets.iter().flatten().map(|(name, _)| &**name);
        if names.any(|name| !is_vector(name) && number_of_set(name, UVS).is_none()) {
            let why = "morphs of a scene move positions, normals, tangents and texture coordinates";
            self.losses.add("colours and other attributes of morph targets", why);
        }
    }

    fn skin(&mut self, stored: &Skin, places: &SceneNodes) -> SceneSkin {
        let joints: Vec<NodeIndex> = stored.joints.iter().filter_map(|joint| places.get(*joint)).collect();
        let matrices = stored.inverse_bind_matrices.filter(|index| self.shape(*index) == Some(Shape::Mat4));
        let numbers = matrices.map(|index| accessor::floats(self.views, index));
        let stored_matrices = match numbers {
            Some(Ok(numbers)) => numbers,
            Some(Err(_)) => {
                self.losses.add("inverse bind matrices of skins", "their numbers cannot be read");
                Vec::new()
            }
            None => Vec::new(),
        };
        let mut inverse_bind: Vec<[f64; 16]> =
            stored_matrices.as_chunks::<16>().0.iter().map(|matrix| matrix.map(f64::from)).collect();
        inverse_bind.resize(joints.len(), IDENTITY);
        SceneSkin { name: stored.name.as_deref().unwrap_or_default().to_owned(), joints, inverse_bind }
    }
}

fn attribute(attributes: &[(Box<str>, Index)], name: &str) -> Option<Index> {
    attributes.iter().find(|(attribute_name, _)| **attribute_name == *name).map(|(_, index)| *index)
}

/// Numbers with the size of a list: also a set without numbers takes memory.
const SET_NUMBERS: u64 = 6;

/// Prefix of the names of attributes with texture coordinates.
const UVS: &str = "TEXCOORD_";

/// Prefix of the names of attributes with colours.
const COLORS: &str = "COLOR_";

/// The number in the name of an attribute; `None` for other names and for sets far beyond all files.
fn number_of_set(name: &str, prefix: &str) -> Option<u8> {
    let number = name.strip_prefix(prefix)?;
    number.parse().ok().filter(|set: &u8| set.to_string() == number)
}

/// Number of sets of attributes up to the last in use.
fn sets(attributes: &[(Box<str>, Index)], prefix: &str) -> u16 {
    let numbers = attributes.iter().filter_map(|(name, _)| number_of_set(name, prefix));
    numbers.max().map_or(0, |last| u16::from(last) + 1)
}

/// The names of all sets of attributes up to the last in use.
fn names_of_sets(attributes: &[(Box<str>, Index)], prefix: &str) -> impl Iterator<Item = String> {
    (0..sets(attributes, prefix)).map(move |set| format!("{prefix}{set}"))
}

/// Every vertex from the third on makes a triangle with the two before it; every second triangle is turned
/// round.
fn strip(listed: &[u32]) -> Vec<u32> {
    let turned = |(n, three): (usize, &[u32])| match (n % 2, three) {
        (0, [a, b, c]) => [*a, *b, *c],
        (_, [a, b, c]) => [*a, *c, *b],
        _ => [0; 3],
    };
    listed.windows(3).enumerate().flat_map(turned).collect()
}

/// Every vertex from the third on makes a triangle with its predecessor and the first vertex.
fn fan(listed: &[u32]) -> Vec<u32> {
    let Some((first, rest)) = listed.split_first() else { return Vec::new() };
    rest.windows(2).flat_map(|two| two.iter().copied().chain([*first])).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "stored as at most 16 bits")]
const fn short(value: f32) -> u16 {
    value as u16
}

fn of_sum_1(weights: [f32; 4]) -> [f32; 4] {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 { weights.map(|weight| weight / sum) } else { weights }
}
