//! Bones as a mesh, because viewers show nothing of a skeleton alone.

use super::ConvertOptions;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::model::{
    AlphaMode, Hierarchy, Material, MaterialIndex, Mesh, MeshIndex, Node, NodeIndex, Primitive, Scene, Skin,
    SkinIndex, Transform, VertexJoints,
};
use dopesheet_core::words::counted;
use dopesheet_motion::sample::pose::{model_pose, rest_pose};
use glam::{DAffine3, DMat4, DVec3};
use std::collections::HashMap;

/// Code of the finding about a file with nothing for viewers to show.
pub(super) const NOTHING_TO_SEE: &str = "nothing-to-see";

/// Name of the mesh, its node, its skin and its material.
const NAME: &str = "Bones";

/// Width of a bone at its widest point, as a share of its length, and the position of that point along the
/// bone.
const WIDTH: f64 = 0.1;
const WIDEST_AT: f64 = 0.2;

/// Radius of the knob that stands for a joint without bones to children, as a share of the skeleton's size.
const KNOB: f64 = 0.01;

/// Radius of the knob if all joints are at one point, in metres.
const KNOB_M: f64 = 0.02;

/// Gives a skeleton without any mesh a mesh of its bones if the options ask for it, else warns that viewers
/// show nothing of the skeleton. Applies only to new files in formats that hold meshes.
pub(super) fn show(scene: &mut Scene, options: &ConvertOptions<'_>, report: &mut Report) {
    let has_mesh = scene.nodes.iter().any(|node| node.mesh.is_some());
    if has_mesh || options.into.is_some() || !options.capabilities().parts.meshes {
        return;
    }
    let skeleton = Skeleton::of(scene);
    let count = skeleton.joints.len();
    let is_known = scene.hierarchy == Hierarchy::Known;
    match (count, options.show_bones || (options.show_known_bones && is_known)) {
        (0, _) => {}
        // The way out is a model, which has a mesh as well; that is said already.
        (_, false) if !is_known => {}
        (_, false) => {
            let expected = "a mesh, without which viewers show nothing (--show-bones makes one of the bones)";
            let joints = format!("{} without one", counted(count, "joint"));
            report.warn(Fault::new(NOTHING_TO_SEE, Place::File, expected, joints));
        }
        (_, true) if count > usize::from(u16::MAX) => {
            report
                .dropped("the mesh of the bones", "the vertices of a mesh tell at most 65,535 joints apart");
        }
        (_, true) => add(scene, &skeleton),
    }
}

/// Joints for a mesh to hang on, with their rest transforms.
struct Skeleton {
    joints: Vec<(NodeIndex, DAffine3)>,
    /// Parent of each joint.
    parents: Vec<Option<usize>>,
}

impl Skeleton {
    fn of(scene: &Scene) -> Self {
        let rest = model_pose(scene, &rest_pose(scene)).0;
        // What carries the morphs of a motion alone is at no place.
        let is_joint = |node: &Node| node.camera.is_none() && node.light.is_none() && node.morphs.is_none();
        let nodes = scene.nodes.iter().zip(rest).enumerate();
        // Nothing hangs on what is scaled to nothing.
        let joints: Vec<(NodeIndex, DAffine3)> = nodes
            .filter(|(_, (node, rest))| is_joint(node) && rest.inverse().is_finite() && rest.is_finite())
            .map(|(index, (_, rest))| (NodeIndex(index), rest))
            .collect();
        let places: HashMap<usize, usize> =
            joints.iter().enumerate().map(|(position, (node, _))| (node.0, position)).collect();
        let parent = |node: NodeIndex| places.get(&scene.node(node)?.parent?.0).copied();
        let parents = joints.iter().map(|(node, _)| parent(*node)).collect();
        Self { joints, parents }
    }

    fn position(&self, joint: usize) -> DVec3 {
        self.joints.get(joint).map_or(DVec3::ZERO, |(_, rest)| rest.translation)
    }

    /// Bones from each joint to its children, and knobs at joints without children.
    fn mesh(&self, metres_per_unit: f64) -> Primitive {
        let places = || self.joints.iter().map(|(_, rest)| rest.translation);
        let low = places().fold(DVec3::INFINITY, DVec3::min);
        let high = places().fold(DVec3::NEG_INFINITY, DVec3::max);
        let size = low.distance(high);
        let (radius, shortest) = match size > 0.0 {
            true => (KNOB * size, 1e-6 * size),
            false => (KNOB_M / metres_per_unit, 0.0),
        };
        let mut mesh = Primitive::default();
        let mut leads_on = vec![false; self.joints.len()];
        for (joint, parent) in self.parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let ends = [self.position(parent), self.position(joint)];
            let length = ends[0].distance(ends[1]);
            if length > shortest {
                octahedron(&mut mesh, parent, ends, (WIDEST_AT, (WIDTH * length).min(2.0 * radius)));
                leads_on[parent] = true;
            }
        }
        for (joint, _) in leads_on.iter().enumerate().filter(|(_, leads_on)| !**leads_on) {
            let position = self.position(joint);
            octahedron(
                &mut mesh,
                joint,
                [position - radius * DVec3::Y, position + radius * DVec3::Y],
                (0.5, radius),
            );
        }
        mesh
    }
}

/// Adds an octahedron between two points that a joint moves: the share of its length at which it is widest,
/// and the width there.
fn octahedron(mesh: &mut Primitive, joint: usize, [from, to]: [DVec3; 2], (share, width): (f64, f64)) {
    let along = (to - from).normalize_or(DVec3::Y);
    let u = along.any_orthonormal_vector();
    let v = along.cross(u);
    let middle = from.lerp(to, share);
    let ring = [u, v, -u, -v].map(|side| middle + width * side);
    let first = u32::try_from(mesh.positions.len()).unwrap_or(u32::MAX);
    let corners = [from, to].into_iter().chain(ring);
    mesh.positions.extend(corners.map(|corner| corner.as_vec3().to_array()));
    let joint = u16::try_from(joint).unwrap_or(u16::MAX);
    let bound = VertexJoints { joints: [joint, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] };
    mesh.joints.resize(mesh.positions.len(), bound);
    for side in 0..4 {
        let (a, b) = (2 + side, 2 + (side + 1) % 4);
        mesh.indices.extend([a, b, 1, b, a, 0].map(|corner| first + corner));
    }
}

fn add(scene: &mut Scene, skeleton: &Skeleton) {
    let mut mesh = skeleton.mesh(scene.basis.metres_per_unit.unwrap_or(1.0));
    mesh.material = Some(MaterialIndex(scene.materials.len()));
    scene.materials.push(material());
    scene.meshes.push(Mesh { name: NAME.into(), primitives: vec![mesh] });
    scene.skins.push(Skin {
        name: NAME.into(),
        joints: skeleton.joints.iter().map(|(node, _)| *node).collect(),
        inverse_bind: skeleton
            .joints
            .iter()
            .map(|(_, rest)| DMat4::from(rest.inverse()).to_cols_array())
            .collect(),
    });
    scene.push_node(Node {
        mesh: Some(MeshIndex(scene.meshes.len() - 1)),
        skin: Some(SkinIndex(scene.skins.len() - 1)),
        ..Node::new(NAME, None, Transform::IDENTITY)
    });
}

fn material() -> Material {
    Material {
        name: NAME.into(),
        base_color: [0.8, 0.8, 0.8, 1.0],
        base_color_image: None,
        emissive: [0.0; 3],
        emissive_image: None,
        normal_map: None,
        metallic: 0.0,
        roughness: 1.0,
        alpha: AlphaMode::Opaque,
        double_sided: false,
        unlit: false,
        extras: None,
    }
}
