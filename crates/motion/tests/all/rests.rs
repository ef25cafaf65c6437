//! Comparison of figures whose joints have other axes, another scale or another pose at rest.

use crate::kit::*;
use dopesheet_core::model::{Channel, Clip, Law, Property, Scene, Transform};
use dopesheet_motion::compare::joint_differences_at;
use dopesheet_motion::sample::pose::{model_pose, rest_pose};
use dopesheet_motion::{Animation, Comparison, Tolerance, compare};
use glam::DQuat;

/// An arm below a root of a hundredth, with axes along its bones, as Mixamo's figures have them.
fn turned() -> Scene {
    let bone = |place: [f64; 3], axis: [f32; 3], degrees: f64, scale: f64| Transform {
        translation: place,
        rotation: turn(axis, degrees).map(f64::from),
        scale: [scale; 3],
    };
    chain(&[
        bone([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], -90.0, 0.01),
        bone([0.0, 0.0, 90.0], [0.0, 1.0, 0.0], 90.0, 1.0),
        bone([0.0, 30.0, 0.0], [0.0, 0.0, 1.0], 35.0, 1.0),
        bone([25.0, 0.0, 0.0], [1.0, 0.0, 0.0], 120.0, 1.0),
    ])
}

/// The figure with its joints at their places and without rotations and scales, as BVH has it.
fn plain(scene: &Scene) -> Scene {
    let models = model_pose(scene, &rest_pose(scene)).0;
    let place = |node: usize| models[node].translation;
    let rest = |node: usize| Transform {
        translation: node.checked_sub(1).map_or(place(node), |above| place(node) - place(above)).to_array(),
        ..Transform::IDENTITY
    };
    chain(&[0, 1, 2, 3].map(rest))
}

/// Turns of all joints relative to where they rest, in the axes of the world, as a clip of a scene.
fn moved(scene: &Scene, turns: &[[f32; 4]; 4]) -> Clip {
    let models = model_pose(scene, &rest_pose(scene)).0;
    let rest = |node: usize| models[node].to_scale_rotation_translation().1;
    let track = |node: usize| {
        let above = node.checked_sub(1).map_or(DQuat::IDENTITY, rest);
        let turn = DQuat::from_array(turns[node].map(f64::from));
        let end = above.conjugate() * turn * rest(node);
        let start = above.conjugate() * rest(node);
        let values = [start, end].map(|q| q.as_quat().to_array()).concat();
        let channel = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &values, Law::SLERP));
        joint(&format!("n{node}"), node, vec![channel])
    };
    clip(1.0, [0, 1, 2, 3].map(track).into())
}

fn turns(last: f64) -> [[f32; 4]; 4] {
    [
        turn([0.0, 1.0, 0.0], 40.0),
        turn([1.0, 0.0, 0.0], 70.0),
        turn([0.0, 0.0, 1.0], -50.0),
        turn([0.0, 1.0, 0.0], last),
    ]
}

fn compared(a: (&Scene, &Clip), b: (&Scene, &Clip)) -> Comparison {
    let [a, b] = [a, b].map(|(scene, clip)| Animation { scene, clip });
    compare(a, b, &Tolerance::DEFAULT)
}

fn largest(found: &Comparison) -> f64 {
    found.farthest.as_ref().map_or(0.0, |farthest| farthest.difference.value)
}

#[test]
fn axes_and_scale_of_joints_at_rest_are_no_difference() {
    let (a, b) = (turned(), plain(&turned()));
    let clips = [moved(&a, &turns(20.0)), moved(&b, &turns(20.0))];
    for found in [compared((&a, &clips[0]), (&b, &clips[1])), compared((&b, &clips[1]), (&a, &clips[0]))] {
        assert!(largest(&found) < 1e-6, "{:?}", found.farthest);
        assert!(found.is_within && found.only_in_a.is_empty(), "{found:?}");
        assert!(found.largest.is_none_or(|most| most.rotation_rad.unwrap() < 1e-6));
    }
}

#[test]
fn a_turn_counts_on_a_shell_in_the_world_whatever_the_axes_at_rest() {
    let (a, b) = (turned(), plain(&turned()));
    let clips = [moved(&a, &turns(20.0)), moved(&b, &turns(21.0))];
    let [a, b] = [(&a, &clips[0]), (&b, &clips[1])];
    for found in [compared(a, b), compared(b, a)] {
        let chord = 2.0 * Tolerance::SHELL_M * 0.5_f64.to_radians().sin();
        assert!((largest(&found) - chord).abs() < 1e-6, "{:?}", found.farthest);
    }
    let [a, b] = [a, b].map(|(scene, clip)| Animation { scene, clip });
    let at = joint_differences_at(a, b, dopesheet_core::units::Seconds(1.0), Tolerance::SHELL_M);
    let most = at.iter().map(|joint| joint.displacement_m).fold(0.0, f64::max);
    let chord = 2.0 * Tolerance::SHELL_M * 0.5_f64.to_radians().sin();
    assert!((most - chord).abs() < 1e-6, "{at:?}");
}

#[test]
fn another_pose_at_rest_is_no_difference_of_what_moves_alike() {
    let a = plain(&turned());
    let mut b = a.clone();
    // Its arm hangs down at rest; everything that moves has keys.
    b.nodes[1].rest.rotation = turn([1.0, 0.0, 0.0], -80.0).map(f64::from);
    b.nodes[2].rest.rotation = turn([0.0, 1.0, 0.0], 30.0).map(f64::from);
    let moving = moved(&a, &turns(20.0));
    let found = compared((&a, &moving), (&b, &moving));
    assert!(largest(&found) < 1e-9 && found.is_within, "{:?}", found.farthest);
}

#[test]
fn another_scale_of_the_root_is_no_difference_where_rests_are_other_poses() {
    let a = turned();
    let mut b = turned();
    b.nodes[1].rest.rotation = turn([0.0, 0.0, 1.0], -80.0).map(f64::from);
    b.nodes[0].rest.scale = [1.0; 3];
    for node in &mut b.nodes[1..] {
        node.rest.translation = node.rest.translation.map(|x| x * 0.01);
    }
    let moving = moved(&a, &turns(20.0));
    let found = compared((&a, &moving), (&b, &moving));
    assert!(largest(&found) < 1e-6, "{:?}", found.farthest);
}
