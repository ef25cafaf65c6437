//! Axes, unit and all nodes, at rest.

use super::cameras;
use super::materials;
use super::numbers::transform;
use super::remarks::Remarks;
use crate::fbx::codes;
use dopesheet_core::model::{Axis, Basis, MorphSetIndex, Node, NodeIndex, Scene};
use ufbx::CoordinateAxis;

/// Metres of an unstated unit: the centimetre, the unit of the format.
const USUAL_METRES: f64 = 0.01;

/// A scene without clips, with the counterparts of the library's nodes and meshes.
pub(super) struct Still {
    pub(super) scene: Scene,
    /// Node of the scene, by the library's number of a node.
    pub(super) nodes: Vec<Option<NodeIndex>>,
    pub(super) meshes: Meshes,
}

/// The moving parts of a file's meshes: by the library's number of a mesh, its nodes and its morph set.
#[derive(Default)]
pub(super) struct Meshes {
    pub(super) shown_by: Vec<Vec<NodeIndex>>,
    pub(super) morphs: Vec<Option<MorphSetIndex>>,
}

impl Still {
    /// The counterpart of a node of the library.
    pub(super) fn node(&self, node: &ufbx::Node) -> Option<NodeIndex> {
        *self.nodes.get(node.element.typed_id as usize)?
    }
}

/// The axes and the unit that the file states. A figure that faces what the format calls front has its left at what it
/// calls right, seen from the front.
pub(super) fn basis(settings: &ufbx::SceneSettings, remarks: &mut Remarks) -> Basis {
    let axes = [settings.axes.right, settings.axes.up, settings.axes.front].map(axis);
    let stated = match axes {
        [Some(left), Some(up), Some(front)] if differ([left, up, front]) => Some((left, up, front)),
        _ => None,
    };
    if stated.is_none() {
        remarks.push(codes::AXES, "", "fewer; +Y up and +Z front are used");
    }
    let (left, up, front) = stated.unwrap_or((Axis::PosX, Axis::PosY, Axis::PosZ));
    let metres = settings.unit_meters;
    let is_length = metres.is_finite() && (1e-9..=1e9).contains(&metres);
    if !is_length {
        remarks.push(codes::UNIT, "", format!("{metres} m; centimetres are used"));
    }
    let back = opposite(front);
    Basis {
        left,
        up,
        front,
        metres_per_unit: Some(if is_length { metres } else { USUAL_METRES }),
        camera_looks: back,
        light_shines: back,
    }
}

fn differ(axes: [Axis; 3]) -> bool {
    let [a, b, c] = axes.map(Axis::index);
    a != b && b != c && a != c
}

const fn axis(axis: CoordinateAxis) -> Option<Axis> {
    match axis {
        CoordinateAxis::PositiveX => Some(Axis::PosX),
        CoordinateAxis::NegativeX => Some(Axis::NegX),
        CoordinateAxis::PositiveY => Some(Axis::PosY),
        CoordinateAxis::NegativeY => Some(Axis::NegY),
        CoordinateAxis::PositiveZ => Some(Axis::PosZ),
        CoordinateAxis::NegativeZ => Some(Axis::NegZ),
        CoordinateAxis::Unknown => None,
    }
}

/// The library's word for an axis.
pub(super) const fn coordinate(axis: Axis) -> CoordinateAxis {
    match axis {
        Axis::PosX => CoordinateAxis::PositiveX,
        Axis::NegX => CoordinateAxis::NegativeX,
        Axis::PosY => CoordinateAxis::PositiveY,
        Axis::NegY => CoordinateAxis::NegativeY,
        Axis::PosZ => CoordinateAxis::PositiveZ,
        Axis::NegZ => CoordinateAxis::NegativeZ,
    }
}

const fn opposite(axis: Axis) -> Axis {
    match axis {
        Axis::PosX => Axis::NegX,
        Axis::NegX => Axis::PosX,
        Axis::PosY => Axis::NegY,
        Axis::NegY => Axis::PosY,
        Axis::PosZ => Axis::NegZ,
        Axis::NegZ => Axis::PosZ,
    }
}

/// The scene without its meshes.
pub(super) fn still(file: &ufbx::Scene, basis: Basis, remarks: &mut Remarks) -> Still {
    let mut scene = Scene::new(basis);
    let cameras = cameras::seen(file);
    let nodes = nodes(file, &cameras, &mut scene, remarks);
    scene.materials = materials::materials(file);
    scene.cameras = cameras.into_iter().map(cameras::camera).collect();
    scene.lights = file.lights.into_iter().map(cameras::light).collect();
    Still { scene, nodes, meshes: Meshes::default() }
}

/// All nodes below the root but views of an editor, parents before children, in the order of the file's connections.
fn nodes(
    file: &ufbx::Scene,
    cameras: &[&ufbx::Camera],
    scene: &mut Scene,
    remarks: &mut Remarks,
) -> Vec<Option<NodeIndex>> {
    let mut counterparts = vec![None; file.nodes.len()];
    let mut waiting: Vec<(&ufbx::Node, Option<NodeIndex>)> = Vec::new();
    push_children(&mut waiting, &file.root_node, None);
    while let Some((node, parent)) = waiting.pop() {
        if cameras::is_producer(node) && node.children.is_empty() {
            continue;
        }
        let (t, own) = (&node.local_transform, || format!("node {:?}", node.element.name.as_ref()));
        let [place, turn, scale] = [&t.translation, &node.euler_rotation, &t.scale].map(|v| [v.x, v.y, v.z]);
        remarks.finite(own, [place, turn, scale].concat());
        let counterpart = Node {
            source_index: Some(scene.nodes.len()),
            camera: node.camera.as_ref().and_then(|camera| cameras::index(camera, cameras)),
            light: node.light.as_ref().map(|light| cameras::light_index(light)),
            ..Node::new(node.element.name.to_string(), parent, transform(&node.local_transform))
        };
        let index = scene.push_node(counterpart);
        if let Some(slot) = counterparts.get_mut(node.element.typed_id as usize) {
            *slot = Some(index);
        }
        push_children(&mut waiting, node, Some(index));
    }
    counterparts
}

/// Pushes children from the last to the first, because the last pushed node is taken first.
fn push_children<'a>(
    waiting: &mut Vec<(&'a ufbx::Node, Option<NodeIndex>)>,
    of: &'a ufbx::Node,
    parent: Option<NodeIndex>,
) {
    let first = waiting.len();
    waiting.extend(of.children.into_iter().map(|child| (child, parent)));
    waiting[first..].reverse();
}
