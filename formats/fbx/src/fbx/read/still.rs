//! Axes, unit and all nodes, at rest.

use super::cameras;
use super::materials;
use super::numbers::transform;
use super::remarks::Remarks;
use crate::fbx::codes;
use dopesheet_core::model::{Axis, Basis, Node, NodeIndex, Scene};
use ufbx::{CoordinateAxes, CoordinateAxis, SceneSettings};

/// Metres of an unstated unit: the centimetre, the unit of the format.
const USUAL_METRES: f64 = 0.01;

/// A scene without clips, with the counterparts of the library's nodes.
pub(super) struct Still {
    pub(super) scene: Scene,
    /// Node of the scene, by the library's number of a node.
    pub(super) nodes: Vec<Option<NodeIndex>>,
}

impl Still {
    /// The counterpart of a node of the library.
    pub(super) fn node(&self, node: &ufbx::Node) -> Option<NodeIndex> {
        *self.nodes.get(node.element.typed_id as usize)?
    }
}

/// The axes that the file states.
pub(super) fn axes(settings: &SceneSettings, remarks: &mut Remarks) -> CoordinateAxes {
    if ufbx::coordinate_axes_valid(settings.axes) {
        return settings.axes;
    }
    remarks.push(codes::AXES, "three different axes", "", "fewer; +Y up and +Z front are used");
    let (right, up, front) =
        (CoordinateAxis::PositiveX, CoordinateAxis::PositiveY, CoordinateAxis::PositiveZ);
    CoordinateAxes { right, up, front }
}

/// Axes of the file with the unit that the file states. A figure that faces what the format calls front has its left at what it calls
/// right, seen from the front.
pub(super) fn basis(axes: CoordinateAxes, settings: &SceneSettings, remarks: &mut Remarks) -> Basis {
    let metres = settings.unit_meters;
    let is_length = (1e-9..=1e9).contains(&metres);
    if !is_length {
        remarks.push(
            codes::UNIT,
            "a unit of length above 0",
            "",
            format!("{metres} m; centimetres are used"),
        );
    }
    // The library numbers axes in the same order, in which opposite axes are neighbours.
    let [left, up, front] = [axes.right, axes.up, axes.front].map(|axis| axis as usize);
    let back = Axis::ALL[front ^ 1];
    Basis {
        left: Axis::ALL[left],
        up: Axis::ALL[up],
        front: Axis::ALL[front],
        metres_per_unit: Some(if is_length { metres } else { USUAL_METRES }),
        camera_looks: back,
        light_shines: back,
    }
}

/// The scene without its meshes.
pub(super) fn still(file: &ufbx::Scene, basis: Basis, remarks: &mut Remarks) -> Still {
    let mut scene = Scene::new(basis);
    let cameras = cameras::seen(file);
    let nodes = nodes(file, &cameras, &mut scene, remarks);
    scene.materials = file.materials.into_iter().map(materials::material).collect();
    scene.cameras = cameras.into_iter().map(cameras::camera).collect();
    scene.lights = file.lights.into_iter().map(cameras::light).collect();
    Still { scene, nodes }
}

/// All nodes below the root but views of an editor, parents before children, in the order of the file's connections.
fn nodes(
    file: &ufbx::Scene,
    cameras: &[&ufbx::Camera],
    scene: &mut Scene,
    remarks: &mut Remarks,
) -> Vec<Option<NodeIndex>> {
    let mut counterparts = vec![None; file.nodes.len()];
    let mut waiting: Vec<_> = children(&file.root_node, None).collect();
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
        waiting.extend(children(node, Some(index)));
    }
    counterparts
}

/// Children from the last to the first, because the last of the waiting nodes is taken first.
fn children(
    node: &ufbx::Node,
    parent: Option<NodeIndex>,
) -> impl Iterator<Item = (&ufbx::Node, Option<NodeIndex>)> {
    node.children.iter().rev().map(move |child| (child.as_ref(), parent))
}
