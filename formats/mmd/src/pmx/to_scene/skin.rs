//! The bones that move a vertex.

use super::bones::Nodes;
use super::numbers::{finite, wide};
use crate::BASIS;
use crate::pmx::document::{Document, Index, Sdef, Skinning, Vertex};
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{Skin, VertexJoints};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;

/// A skin over all bones, in the order of the file.
pub(super) fn skin(document: &Document, name: &str, nodes: &Nodes) -> Skin {
    let inverse_bind = |head: [f32; 3]| {
        let [x, y, z] = wide(head).map(|at| -at);
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
    };
    Skin {
        name: name.to_owned(),
        joints: nodes.all().to_vec(),
        inverse_bind: document.bones.iter().map(|bone| inverse_bind(bone.head)).collect(),
    }
}

/// The bones of a vertex and their weights, which sum to 1. A bone named twice has the sum of its weights; if
/// no bone has weight, the first existing bone has all.
pub(super) fn joints(skinning: &Skinning, bones: usize) -> VertexJoints {
    let two = |[first, second]: [Index; 2], weight: f32| {
        let weight = finite(weight).clamp(0.0, 1.0);
        [(first, weight), (second, 1.0 - weight), (Index::NONE, 0.0), (Index::NONE, 0.0)]
    };
    let named = match skinning {
        Skinning::Bdef1(bone) => two([*bone, Index::NONE], 1.0),
        Skinning::Bdef2(bones, weight) => two(*bones, *weight),
        Skinning::Sdef(sdef) => two(sdef.bones, sdef.weight),
        Skinning::Bdef4(bones, weights) | Skinning::Qdef(bones, weights) => {
            std::array::from_fn(|slot| (bones[slot], finite(weights[slot]).max(0.0)))
        }
    };
    let existing = named.map(|(bone, weight)| {
        let joint = bone.get().filter(|bone| *bone < bones).and_then(|bone| u16::try_from(bone).ok());
        (joint, weight)
    });
    normalised(existing)
}

fn normalised(named: [(Option<u16>, f32); 4]) -> VertexJoints {
    let mut joints = VertexJoints::default();
    let mut used = 0;
    for (joint, weight) in named.into_iter().filter(|(_, weight)| *weight > 0.0) {
        let Some(joint) = joint else { continue };
        match joints.joints[..used].iter().position(|used_joint| *used_joint == joint) {
            Some(slot) => joints.weights[slot] += weight,
            None => {
                (joints.joints[used], joints.weights[used]) = (joint, weight);
                used += 1;
            }
        }
    }
    let sum: f64 = joints.weights.iter().map(|weight| f64::from(*weight)).sum();
    if used == 0 {
        joints.joints[0] = named.into_iter().find_map(|(joint, _)| joint).unwrap_or(0);
        joints.weights[0] = 1.0;
    } else {
        joints.weights = joints.weights.map(|weight| (f64::from(weight) / sum) as f32);
    }
    joints
}

/// Says of how many vertices the deformation is blended linearly although the file wants something else.
pub(super) fn report_blending(document: &Document, report: &mut Report) {
    let vertices = document.vertices.iter().enumerate();
    let spherical: Vec<_> = vertices.filter_map(|(at, v)| Some((at, sdef_difference(v)?))).collect();
    if let Some((vertex, bound)) = spherical.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) {
        let what = format!(
            "spherical deformation (SDEF) of {}, blended linearly",
            counted(spherical.len(), "vertex")
        );
        let value = bound * BASIS.metres_per_unit.unwrap_or(1.0);
        let target = format!("vertex {vertex}");
        report
            .approximated(what, MaxError { value, unit: ErrorUnit::Metre, target, time: Seconds::default() });
    }
    let dual = document.vertices.iter().filter(|v| matches!(v.skinning, Skinning::Qdef(..))).count();
    if dual > 0 {
        let what = format!("dual-quaternion blending (QDEF) of {}", counted(dual, "vertex"));
        report.dropped(what, "a scene blends bones linearly");
    }
}

fn sdef_difference(vertex: &Vertex) -> Option<f64> {
    match &vertex.skinning {
        Skinning::Sdef(sdef) => Some(most_difference(vertex.position, sdef)),
        _ => None,
    }
}

/// Upper bound of the error of linear blending, whatever the pose.
///
/// With p the vertex and cᵢ the midpoints between C and Rᵢ′, both blends are Σ wᵢMᵢcᵢ and a rest: the rest of
/// SDEF is the blended rotation of p − C, the rest of linear blending the sum of wᵢ times the rotations of p
/// − cᵢ. Rotations keep lengths, so the rests differ by at most |p − C| + Σ wᵢ|p − cᵢ|.
fn most_difference(position: [f32; 3], sdef: &Sdef) -> f64 {
    let [p, c, r0, r1] = [position, sdef.center, sdef.r0, sdef.r1].map(wide);
    let weight = f64::from(finite(sdef.weight)).clamp(0.0, 1.0);
    let from = |axis: usize, r: f64| {
        let middle = weight * r0[axis] + (1.0 - weight) * r1[axis];
        c[axis] + (r - middle) / 2.0
    };
    let distance = |to: [f64; 3]| (0..3).map(|axis| (p[axis] - to[axis]).powi(2)).sum::<f64>().sqrt();
    let [c0, c1] = [r0, r1].map(|r| std::array::from_fn(|axis| from(axis, r[axis])));
    distance(c) + weight * distance(c0) + (1.0 - weight) * distance(c1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(skinning: Skinning) -> ([u16; 4], [f32; 4]) {
        let VertexJoints { joints, weights } = joints(&skinning, 5);
        (joints, weights)
    }

    #[test]
    fn weights_sum_to_one() {
        let four = |bones: [i32; 4], weights| Skinning::Bdef4(bones.map(Index), weights);
        assert_eq!(weights(Skinning::Bdef1(Index(3))), ([3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(
            weights(Skinning::Bdef2([Index(1), Index(2)], 0.25)),
            ([1, 2, 0, 0], [0.25, 0.75, 0.0, 0.0])
        );
        assert_eq!(weights(four([1, 2, 3, 4], [2.0, 1.0, 0.0, 1.0])), ([1, 2, 4, 0], [0.5, 0.25, 0.25, 0.0]));
    }

    #[test]
    fn a_bone_named_twice_has_both_weights() {
        let twice = Skinning::Bdef4([1, 2, 1, 2].map(Index), [0.25; 4]);
        assert_eq!(weights(twice), ([1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0]));
    }

    #[test]
    fn weights_of_bones_that_are_not_there_go_to_the_others() {
        let astray = Skinning::Bdef2([Index(9), Index(2)], 0.25);
        assert_eq!(weights(astray), ([2, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        let none = Skinning::Bdef4([-1, 4, 2, 0].map(Index), [0.0, -1.0, f32::NAN, 0.0]);
        assert_eq!(weights(none), ([4, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(weights(Skinning::Bdef1(Index::NONE)), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn the_bound_of_spherical_deformation_grows_with_the_distance_from_its_centre() {
        let sdef = Sdef { weight: 0.5, ..Sdef::default() };
        assert_eq!(most_difference([0.0; 3], &sdef), 0.0);
        assert_eq!(most_difference([3.0, 0.0, 4.0], &sdef), 10.0);
    }
}
