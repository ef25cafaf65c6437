//! Where every node is at an instant.

use crate::kit::*;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Channel, Clip, Law, NodeIndex, PoseRelation, Property, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_motion::conform::put_in_world;
use dopesheet_motion::sample::pose::{Pose, decompose, local_pose, model_pose, rest_pose};
use glam::{DAffine3, DMat4, DQuat, DVec3};
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
    let pose = model_pose(&scene, &rest_pose(&scene));
    let rotation = turn([0.0, 0.0, 1.0], 180.0).map(f64::from);
    assert!(near(&decompose(&pose.0[0]), &scene.nodes[0].rest));
    assert!(near(
        &decompose(&pose.0[1]),
        &Transform { translation: [1.0, 6.0, 0.0], rotation, scale: [1.0; 3] }
    ));
}

#[test]
fn a_rotation_without_direction_is_none() {
    let scene = chain(&[Transform { rotation: [0.0; 4], ..rest(1.0, 0.0, 1.0) }, rest(1.0, 0.0, 1.0)]);
    let pose = model_pose(&scene, &rest_pose(&scene));
    assert!(near(&decompose(&pose.0[1]), &rest(2.0, 0.0, 1.0)));
}

fn product(rests: &[Transform]) -> DMat4 {
    let matrix = |t: &Transform| {
        let turn = DQuat::from_array(t.rotation);
        DMat4::from_scale_rotation_translation(t.scale.into(), turn, t.translation.into())
    };
    rests.iter().fold(DMat4::IDENTITY, |above, own| above * matrix(own))
}

/// A trunk turned by 30° about Y, a joint scaled by 2, 1 and 0.5, a child turned by 45° about X, and what hangs on that.
fn unevenly_scaled() -> [Transform; 4] {
    let about = |axis, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians()).to_array();
    let rest = |translation| Transform { translation, ..Transform::IDENTITY };
    [
        Transform { rotation: about(DVec3::Y, 30.0), ..rest([0.0, 1.0, 0.0]) },
        Transform { scale: [2.0, 1.0, 0.5], ..rest([0.3, 0.1, 0.0]) },
        Transform { rotation: about(DVec3::X, 45.0), ..rest([0.0, 0.4, 0.2]) },
        rest([0.1, 0.5, 0.25]),
    ]
}

/// Expected numbers: `getWorldPosition`, `getWorldQuaternion` (normalised) and `getWorldScale` of three.js r187.
#[test]
fn a_turned_child_of_an_unevenly_scaled_joint_is_where_three_js_has_it() {
    let scene = chain(&unevenly_scaled());
    let pose = model_pose(&scene, &rest_pose(&scene));
    let positions = [
        [0.0, 1.0, 0.0],
        [0.2598076211353316, 1.1, -0.14999999999999997],
        [0.3098076211353316, 1.5, -0.06339745962155609],
        [0.615595223364697, 1.6767766952966368, 0.06624220376436689],
    ];
    for (found, wanted) in pose.0.iter().zip(positions) {
        assert!(found.translation.distance(wanted.into()) < 4e-15, "{found}");
    }
    let last = decompose(&pose.0[3]);
    let quaternion = [0.36809371623937276, 0.20780979231172225, -0.06421675742185047, 0.9039902180613849];
    assert!(apart(&Property::Rotation, &last.rotation, &quaternion) < 4e-15);
    assert!(apart(&Property::Scale, &last.scale, &[2.0, 0.7905694150420948, 0.7905694150420949]) < 4e-15);
}

#[test]
fn a_node_put_in_the_world_is_where_matrices_have_it() {
    let mut scene = chain(&unevenly_scaled());
    let turned = [turn([1.0, 0.0, 0.0], 45.0), turn([1.0, 0.0, 0.0], 135.0)].concat();
    let turning = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &turned, Law::SLERP));
    let shift = Channel::whole(
        Property::Translation,
        wide(seconds(&[0.0, 1.0]), 3, &[0.1, 0.5, 0.25, 0.1, 0.2, 0.25], Law::LINEAR),
    );
    scene.clips.push(clip(1.0, vec![joint("n2", 2, vec![turning]), joint("n3", 3, vec![shift])]));
    let mut made = scene.clone();
    let tolerance = dopesheet_motion::Tolerance { length_m: 1e-4, shell_m: None };
    put_in_world(&mut made, &[NodeIndex(3)], &tolerance, &mut Report::default());
    for step in 0..=20 {
        let time = Seconds(f64::from(step) / 20.0);
        let of =
            |scene: &Scene| model_pose(scene, &local_pose(scene, &scene.clips[0], time)).0[3].translation;
        assert!(
            of(&scene).distance(of(&made)) <= tolerance.length_m,
            "{} at {time:?}",
            of(&scene).distance(of(&made))
        );
    }
}

proptest! {
    #[test]
    fn poses_in_model_space_are_products_of_matrices(
        rests in prop::collection::vec((any_rest(), prop::array::uniform3(-2.0..2.0_f64)), 1..6),
    ) {
        let rests: Vec<Transform> = rests.into_iter().map(|(rest, scale)| Transform { scale, ..rest }).collect();
        let scene = chain(&rests);
        let pose = model_pose(&scene, &Pose(rests.clone()));
        for (index, found) in pose.0.iter().enumerate() {
            let wanted = DAffine3::from_mat4(product(&rests[..=index]));
            let size = wanted.translation.length().max(1.0);
            prop_assert!(found.abs_diff_eq(wanted, 1e-12 * size), "{found} {wanted}");
        }
    }
}
