//! Meshes, bent by their morphs and the joints of their skins.

use crate::drawing::{Drawing, Look, Surface};
use crate::moment::Moment;
use crate::theme::Theme;
use dopesheet_core::model::{AlphaMode, Material, Node, Primitive, Scene, Skin};
use dopesheet_core::order::by_key;
use glam::{Affine3A, DAffine3, DMat4, Vec3, Vec3A};
use std::sync::Arc;

/// All meshes of a scene.
#[derive(Debug)]
pub(crate) struct Figure {
    parts: Vec<NodePrimitive>,
}

/// A primitive at a node.
#[derive(Debug)]
struct NodePrimitive {
    node: usize,
    /// Index of a mesh of the scene, and index of a primitive of the mesh.
    mesh_and_primitive: [usize; 2],
    /// Indices with corners in the order that faces the front in glTF's axes.
    indices: Arc<[u32]>,
    /// Position of the set of texture coordinates in use.
    uv_set: usize,
    uvs: Arc<[[f32; 2]]>,
    colors: Arc<[[f32; 4]]>,
    normals: Vec<Vec3A>,
    skin: Option<usize>,
    joints: Vec<usize>,
    /// The set of the weights of its morphs.
    morphs: Option<usize>,
    /// The part's material; a part without material has the colour of the theme.
    look: Option<Look>,
}

impl Figure {
    /// `is_mirrored`: whether the scene's axes are of the other hand than glTF's.
    pub(crate) fn new(scene: &Scene, is_mirrored: bool) -> Self {
        let mut parts = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let primitives = scene.meshes.get(mesh.0).map_or(&[][..], |mesh| &mesh.primitives);
            for (primitive_index, primitive) in primitives.iter().enumerate() {
                parts.extend(NodePrimitive::new(
                    scene,
                    (index, node),
                    ([mesh.0, primitive_index], primitive),
                    is_mirrored,
                ));
            }
        }
        // What is mixed with what is behind it needs that first.
        by_key(&mut parts, |part| part.look.is_some_and(|look| look.alpha == AlphaMode::Blend));
        Self { parts }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The nodes of the figure's meshes and the joints that bend them, as an approximation of its extent.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().flat_map(|part| part.joints.iter().copied().chain([part.node]))
    }

    /// `scene` has to be the scene that the figure was made from.
    pub(crate) fn draw(&self, scene: &Scene, moment: &Moment, theme: &Theme, drawing: &mut Drawing) {
        let shown = self.parts.iter().filter(|part| moment.is_shown.get(part.node).copied().unwrap_or(true));
        drawing.surfaces.extend(shown.filter_map(|part| part.surface(scene, moment, theme)));
    }
}

impl NodePrimitive {
    /// Nothing if there is no whole triangle.
    fn new(
        scene: &Scene,
        (index, node): (usize, &Node),
        (place, primitive): ([usize; 2], &Primitive),
        is_mirrored: bool,
    ) -> Option<Self> {
        let vertices = primitive.positions.len();
        let is_there = |triangle: &&[u32; 3]| triangle.iter().all(|corner| (*corner as usize) < vertices);
        let turned = |[a, b, c]: [u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
        let triangles = primitive.indices.as_chunks::<3>().0.iter().filter(is_there);
        let indices: Arc<[u32]> = triangles.flat_map(|triangle| turned(*triangle)).collect();
        let material = primitive.material.and_then(|material| scene.materials.get(material.0));
        let uv_set =
            material.and_then(|material| material.base_color_image).map_or(0, |used| used.uv_set.into());
        let skin = node.skin.and_then(|skin| Some((skin.0, scene.skins.get(skin.0)?)));
        let skin = skin.filter(|_| primitive.joints.len() == vertices);
        let mut part = Self {
            node: index,
            mesh_and_primitive: place,
            normals: primitive.normals.iter().map(|normal| Vec3A::from(*normal)).collect(),
            indices,
            uv_set,
            uvs: column(primitive.uv_sets.get(uv_set), vertices),
            colors: column(primitive.colors.first(), vertices),
            skin: skin.map(|(index, _)| index),
            joints: skin.map_or_else(Vec::new, |(_, skin)| skin.joints.iter().map(|joint| joint.0).collect()),
            morphs: node.morphs.map(|set| set.0),
            look: material.map(look),
        };
        if part.normals.len() != vertices {
            part.normals = normals(primitive, &part.indices, is_mirrored);
        }
        (!part.indices.is_empty()).then_some(part)
    }

    fn surface(&self, scene: &Scene, moment: &Moment, theme: &Theme) -> Option<Surface> {
        let [mesh, primitive] = self.mesh_and_primitive;
        let primitive = scene.meshes.get(mesh)?.primitives.get(primitive)?;
        let skin = self.skin.and_then(|skin| scene.skins.get(skin));
        let mut positions: Vec<Vec3A> = primitive.positions.iter().map(|p| Vec3A::from(*p)).collect();
        let mut normals = self.normals.clone();
        let uvs = self.morph(primitive, moment, &mut positions, &mut normals);
        self.pose_vertices(skin.map(|skin| (skin, primitive)), moment, &mut positions, &mut normals);
        Some(Surface {
            positions: positions.into_iter().map(|p| p.to_array()).collect(),
            normals: normals.into_iter().map(|n| n.to_array()).collect(),
            uvs,
            colors: Arc::clone(&self.colors),
            indices: Arc::clone(&self.indices),
            look: self.look.unwrap_or_else(|| Look { double_sided: true, ..Look::matt(theme.surface) }),
        })
    }

    /// Moves vertices by the morphs of nonzero weight. Yields the texture coordinates, which morphs may move
    /// too.
    fn morph(
        &self,
        primitive: &Primitive,
        moment: &Moment,
        positions: &mut [Vec3A],
        normals: &mut [Vec3A],
    ) -> Arc<[[f32; 2]]> {
        let mut uvs = Arc::clone(&self.uvs);
        let weights = self.morphs.and_then(|set| moment.weights.get(set));
        let active = weights.into_iter().flatten().zip(&primitive.morphs).filter(|(w, _)| **w != 0.0);
        for (weight, delta) in active {
            // Normals that the file leaves out do not go with offsets of normals.
            let has_normals = primitive.normals.len() == normals.len();
            let turned = if has_normals { &delta.normals[..] } else { &[] };
            for (offsets, vectors) in [(&delta.positions[..], &mut *positions), (turned, &mut *normals)] {
                for (vertex, offset) in offsets {
                    if let Some(vector) = vectors.get_mut(*vertex as usize) {
                        *vector += Vec3A::from(*offset) * *weight;
                    }
                }
            }
            let Some(offsets) = delta.uv_sets.get(self.uv_set).filter(|offsets| !offsets.is_empty()) else {
                continue;
            };
            let moved = Arc::make_mut(&mut uvs);
            for (vertex, [u, v]) in offsets {
                if let Some(uv) = moved.get_mut(*vertex as usize) {
                    *uv = [uv[0] + u * weight, uv[1] + v * weight];
                }
            }
        }
        uvs
    }

    /// Moves vertices with their joints, or with the node.
    fn pose_vertices(
        &self,
        skin: Option<(&Skin, &Primitive)>,
        moment: &Moment,
        positions: &mut [Vec3A],
        normals: &mut [Vec3A],
    ) {
        let of_node = moment.places.get(self.node).map_or(Affine3A::IDENTITY, narrow);
        let vertices = positions.iter_mut().zip(normals);
        let Some((skin, primitive)) = skin else {
            let turn = upright(&of_node);
            for (position, normal) in vertices {
                *position = of_node.transform_point3a(*position);
                *normal = (turn * *normal).normalize_or_zero();
            }
            return;
        };
        let joints = joints(skin, moment);
        for ((position, normal), bound) in vertices.zip(&primitive.joints) {
            let mut blended = Affine3A::ZERO;
            let mut total = 0.0;
            for (joint, weight) in bound.joints.iter().zip(bound.weights) {
                if let Some(joint) = joints.get(usize::from(*joint)).filter(|_| weight != 0.0) {
                    blended.matrix3 += joint.matrix3 * weight;
                    blended.translation += joint.translation * weight;
                    total += weight;
                }
            }
            let blended = if total == 0.0 { of_node } else { blended };
            *position = blended.transform_point3a(*position);
            *normal = (blended.matrix3 * *normal).normalize_or_zero();
        }
    }
}

/// Maps from mesh space at bind time to the space of the drawing, for each joint.
fn joints(skin: &Skin, moment: &Moment) -> Vec<Affine3A> {
    let joint = |(index, joint): (usize, &dopesheet_core::model::NodeIndex)| {
        let bind = skin
            .inverse_bind
            .get(index)
            .map_or(DAffine3::IDENTITY, |m| DAffine3::from_mat4(DMat4::from_cols_array(m)));
        moment.places.get(joint.0).map_or(Affine3A::IDENTITY, |place| narrow(&(*place * bind)))
    };
    skin.joints.iter().enumerate().map(joint).collect()
}

fn narrow(transform: &DAffine3) -> Affine3A {
    let [x, y, z] = [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis];
    Affine3A::from_cols(
        x.as_vec3().into(),
        y.as_vec3().into(),
        z.as_vec3().into(),
        transform.translation.as_vec3().into(),
    )
}

/// The effect of a placement on normals: uneven scales turn them the other way than surfaces.
fn upright(transform: &Affine3A) -> glam::Mat3A {
    let m = transform.matrix3;
    let cofactors =
        glam::Mat3A::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    cofactors * m.determinant().signum()
}

/// Normals for a primitive without normals: the mean of the triangles around each vertex.
fn normals(primitive: &Primitive, indices: &[u32], is_mirrored: bool) -> Vec<Vec3A> {
    let corner = |index: u32| Vec3::from(primitive.positions[index as usize]);
    let mut normals = vec![Vec3A::ZERO; primitive.positions.len()];
    // Indices face the front in glTF's axes; positions are in the scene's own.
    let side = if is_mirrored { -1.0 } else { 1.0 };
    for triangle in indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(corner);
        let normal = Vec3A::from((b - a).cross(c - a) * side);
        triangle.iter().for_each(|index| normals[*index as usize] += normal);
    }
    normals.into_iter().map(|normal| normal.normalize_or_zero()).collect()
}

/// A column with an entry per vertex, or an empty list.
fn column<T: Clone>(column: Option<&Vec<T>>, vertices: usize) -> Arc<[T]> {
    column
        .filter(|column| column.len() == vertices)
        .map_or_else(Arc::default, |column| column.as_slice().into())
}

fn look(material: &Material) -> Look {
    Look {
        color: material.base_color.map(|x| x as f32),
        texture: material.base_color_image.map(|used| used.image.0),
        alpha: material.alpha,
        double_sided: material.double_sided,
        unlit: material.unlit,
    }
}
