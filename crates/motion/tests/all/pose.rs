//! Where every node is at an instant.

use crate::kit::*;
use dopesheet_core::model::{Channel, Clip, Law, PoseRelation, Property, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_motion::pose::{Pose, local_pose, model_pose};
use proptest::prelude::*;

fn rest(x: f64, degrees: f64, scale: f64) -> Transform {
    let rotation = turn([0.0, 0.0, 1.0], degrees).map(f64::from);
    Transform { translation: [x, 0.0, 0.0], rotation, scale: [scale; 3] }
}

fn constant(property: Property, values: &[f32]) -> Channel {
    let law = if property == Property::Rotation { Law::SLERP } else { Law::LINEAR };
    Channel::whole(property, wide(seconds(&[0.0]), values.len(), values, law))
}

fn near(a: &Transform, b: &Transform) -> bool {
    apart(&Property::Translation, &a.translation, &b.translation) < 1e-6
        && apart(&Property::Rotation, &a.rotation, &b.rotation) < 1e-6
        && apart(&Property::Scale, &a.scale, &b.scale) < 1e-6
}

fn moving() -> Vec<Channel> {
    vec![
        constant(Property::Translation, &[5.0, 6.0, 7.0]),
        constant(Property::Rotation, &turn([0.0, 0.0, 1.0], 90.0)),
        constant(Property::Scale, &[3.0; 3]),
    ]
}

#[test]
fn what_nothing_moves_rests() {
    let scene = chain(&[rest(1.0, 30.0, 2.0), rest(2.0, 0.0, 1.0)]);
    let pose = local_pose(&scene, &clip(1.0, vec![]), Seconds(0.5));
    assert_eq!(pose.0, [scene.nodes[0].rest, scene.nodes[1].rest]);
}

#[test]
fn absolute_values_replace_the_rest_pose() {
    let scene = chain(&[rest(1.0, 30.0, 2.0)]);
    let pose = local_pose(&scene, &clip(1.0, vec![joint("n0", 0, moving())]), Seconds(0.5));
    let rotation = turn([0.0, 0.0, 1.0], 90.0).map(f64::from);
    assert!(near(&pose.0[0], &Transform { translation: [5.0, 6.0, 7.0], rotation, scale: [3.0; 3] }));
}

#[test]
fn values_on_top_of_rest_come_on_top_of_it_once() {
    let scene = chain(&[rest(1.0, 30.0, 2.0)]);
    let twice = vec![joint("n0", 0, moving()), joint("n0", 0, moving())];
    let clip = Clip { relation: PoseRelation::OnTopOfRest, ..clip(1.0, twice) };
    let rotation = turn([0.0, 0.0, 1.0], 120.0).map(f64::from);
    let expected = Transform { translation: [6.0, 6.0, 7.0], rotation, scale: [6.0; 3] };
    assert!(near(&local_pose(&scene, &clip, Seconds(0.5)).0[0], &expected));
}

#[test]
fn tracks_without_a_node_and_channels_without_keys_move_nothing() {
    let scene = chain(&[rest(1.0, 30.0, 2.0)]);
    let empty = Channel::whole(Property::Translation, wide(seconds(&[]), 3, &[], Law::LINEAR));
    let tracks = vec![joint("n9", 9, moving()), joint("n0", 0, vec![empty])];
    assert_eq!(local_pose(&scene, &clip(1.0, tracks), Seconds(0.5)).0, [scene.nodes[0].rest]);
}

#[test]
fn parents_carry_their_children() {
    let scene = chain(&[rest(1.0, 90.0, 2.0), rest(3.0, 90.0, 0.5)]);
    let pose = model_pose(&scene, &Pose(scene.nodes.iter().map(|n| n.rest).collect()));
    let rotation = turn([0.0, 0.0, 1.0], 180.0).map(f64::from);
    assert!(near(&pose.0[0], &scene.nodes[0].rest));
    assert!(near(&pose.0[1], &Transform { translation: [1.0, 6.0, 0.0], rotation, scale: [1.0; 3] }));
}

#[test]
fn a_rotation_without_direction_is_none() {
    let scene = chain(&[Transform { rotation: [0.0; 4], ..rest(1.0, 0.0, 1.0) }, rest(1.0, 0.0, 1.0)]);
    let pose = model_pose(&scene, &Pose(scene.nodes.iter().map(|n| n.rest).collect()));
    assert!(near(&pose.0[1], &rest(2.0, 0.0, 1.0)));
}

proptest! {
    #[test]
    fn poses_in_model_space_are_products_of_matrices(rests in prop::collection::vec(any_rest(), 1..6)) {
        let scene = chain(&rests);
        let pose = model_pose(&scene, &Pose(rests.clone()));
        let matrix = |t: &Transform| glam::DMat4::from_scale_rotation_translation(
            t.scale.into(), glam::DQuat::from_array(t.rotation), t.translation.into(),
        );
        let mut product = glam::DMat4::IDENTITY;
        for (rest, found) in rests.iter().zip(&pose.0) {
            product *= matrix(rest);
            prop_assert!(product.abs_diff_eq(matrix(found), 1e-9));
        }
    }
}
