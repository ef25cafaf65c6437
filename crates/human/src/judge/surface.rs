//! The skinned surface of a figure.

use crate::body::figure::Placed;
use dopesheet_core::model::{Node, NodeIndex, Scene};
use glam::{DAffine3, DMat4, DVec3};

/// Height of the lowest vertex of skinned meshes in a pose of a scene in glTF's axes, and the joint with its largest weight.
pub(super) fn lowest_vertex(scene: &Scene, up: DVec3, pose: &Placed) -> Option<(f64, NodeIndex)> {
    let skinned = |node: &Node| Some((scene.meshes.get(node.mesh?.0)?, scene.skins.get(node.skin?.0)?));
    let mut lowest = None;
    for (mesh, skin) in scene.nodes.iter().filter_map(skinned) {
        // A vertex moved by one joint alone is as high as the product with the vector, and the number above it.
        let height = |(joint, bind): (&NodeIndex, &[f64; 16])| {
            let bound = DAffine3::from_mat4(DMat4::from_cols_array(bind));
            let matrix = pose.get(joint.0).map_or(bound, |joint| joint.matrix * bound);
            (*joint, matrix.matrix3.transpose() * up, matrix.translation.dot(up))
        };
        let heights: Vec<_> = skin.joints.iter().zip(&skin.inverse_bind).map(height).collect();
        for (position, carried) in
            mesh.primitives.iter().flat_map(|part| part.positions.iter().zip(&part.joints))
        {
            let position = DVec3::from(position.map(f64::from));
            let weights = carried.joints.iter().zip(carried.weights.map(f64::from));
            let shares = weights.filter_map(|(at, weight)| Some((heights.get(usize::from(*at))?, weight)));
            let height =
                shares.clone().map(|(joint, weight)| weight * (joint.1.dot(position) + joint.2)).sum();
            if lowest.is_none_or(|(least, _)| height < least) {
                lowest = shares.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(joint, _)| (height, joint.0));
            }
        }
    }
    lowest
}
