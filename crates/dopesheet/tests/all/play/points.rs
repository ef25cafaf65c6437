//! Joints that are known by their places alone, as bones that turn.

use dopesheet::core::diag::{Loss, Report};
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Hierarchy, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind,
    Times, Track, Transform,
};
use dopesheet::core::units::{FrameRate, Seconds};
use dopesheet::points::turn_points;
use dopesheet_curve::quat_angle;
use glam::{DQuat, DVec3};

/// A root with a limb of two bones and two further children.
const BONES: [(&str, Option<usize>, [f64; 3]); 6] = [
    ("root", None, [0.0, 1.0, 0.0]),
    ("left", Some(0), [0.3, 0.1, 0.0]),
    ("right", Some(0), [-0.3, 0.1, 0.0]),
    ("neck", Some(0), [0.0, 0.4, 0.1]),
    ("elbow", Some(1), [0.3, 0.0, 0.0]),
    ("hand", Some(4), [0.25, 0.0, 0.0]),
];

fn turn(joint: usize, frame: usize) -> DQuat {
    let phase = frame as f64 * 0.3 + joint as f64;
    match joint {
        0 => DQuat::from_euler(glam::EulerRot::YXZ, phase, 0.4 * phase.sin(), 0.2),
        // Bends without a twist, as a fit of least swing has them.
        1 | 4 => DQuat::from_rotation_z(0.8 * phase.sin()),
        _ => DQuat::IDENTITY,
    }
}

/// The scene of the places that turned bones have, on so many frames; `noise` metres are added to them.
fn scene(frames: usize, noise: f64) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for (name, parent, offset) in BONES {
        let rest = Transform { translation: offset, ..Transform::IDENTITY };
        scene.push_node(Node::new(name, parent.map(NodeIndex), rest));
    }
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: (0..frames as i64).collect() };
    let mut columns = vec![Vec::new(); BONES.len()];
    for frame in 0..frames {
        let mut model: Vec<(DQuat, DVec3)> = Vec::new();
        for (joint, (_, parent, offset)) in BONES.iter().enumerate() {
            let (turned, place) =
                parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |parent: usize| model[parent]);
            model.push((turned * turn(joint, frame), place + turned * DVec3::from(*offset)));
        }
        for (joint, (_, parent, _)) in BONES.iter().enumerate() {
            let from = parent.map_or(DVec3::ZERO, |parent: usize| model[parent].1);
            let wave = noise * (frame as f64 * 1.7 + joint as f64).sin();
            columns[joint].extend((model[joint].1 - from + DVec3::splat(wave)).as_vec3().to_array());
        }
    }
    let track = |(joint, values): (usize, Vec<f32>)| Track {
        target: Target::new(TargetKind::Joint, BONES[joint].0, joint, Some(NodeIndex(joint))),
        channels: vec![Channel::whole(
            Property::Translation,
            Curve::new(times.clone(), 3, values, Laws::uniform(Law::LINEAR)),
        )],
    };
    let tracks = columns.into_iter().enumerate().map(track).collect();
    let duration = Seconds((frames - 1) as f64 / 30.0);
    scene.clips.push(Clip {
        duration,
        tracks,
        grid: Some(FrameRate::FPS_30),
        places_only: true,
        ..Clip::default()
    });
    scene
}

fn rotation(scene: &Scene, joint: usize, frame: usize) -> DQuat {
    let track = scene.clips[0].tracks.iter().find(|track| track.target.index == joint).unwrap();
    let channel = track.channels.iter().find(|channel| channel.property == Property::Rotation).unwrap();
    let row = channel.composition.curves().next().unwrap().value(frame).unwrap();
    DQuat::from_array(std::array::from_fn(|n| f64::from(row[n])))
}

fn said(report: &Report) -> f64 {
    let [Loss::Approximated { max_error, .. }] = &report.losses[..] else { panic!("{:?}", report.losses) };
    max_error.value
}

#[test]
fn bends_are_found_again() {
    let (mut scene, mut report) = (scene(20, 0.0), Report::default());
    turn_points(&mut scene, &mut report);
    for (joint, frame) in (0..20).flat_map(|frame| [(0, frame), (1, frame), (4, frame)]) {
        let found = rotation(&scene, joint, frame).normalize();
        let off = quat_angle(found.to_array(), turn(joint, frame).to_array());
        assert!(off < 2e-6, "{joint} on {frame}: {off}");
    }
    assert!(said(&report) < 1e-6, "{}", said(&report));
    assert!(!scene.clips[0].places_only);
    let root = &scene.clips[0].tracks[0];
    assert!(
        root.channels.iter().any(|channel| channel.property == Property::Translation),
        "the root goes on"
    );
    let hand = scene.clips[0].tracks.iter().find(|track| track.target.index == 5);
    assert!(hand.is_none(), "nothing says how the last joint turns");
}

#[test]
fn a_joint_that_no_bone_holds_keeps_its_place_and_turns_nothing() {
    let (mut scene, mut report) = (scene(20, 0.0), Report::default());
    let goal = |frame: usize| DVec3::new(0.1 * frame as f64, -0.5, 0.3 * (frame as f64).sin());
    let values = (0..20).flat_map(|frame| goal(frame).as_vec3().to_array()).collect();
    let channel = &mut scene.clips[0].tracks[2].channels[0];
    let times = channel.composition.curves().next().unwrap().times.clone();
    *channel =
        Channel::whole(Property::Translation, Curve::new(times, 3, values, Laws::uniform(Law::LINEAR)));
    turn_points(&mut scene, &mut report);
    for frame in 0..20 {
        let root = rotation(&scene, 0, frame).normalize();
        assert!(quat_angle(root.to_array(), turn(0, frame).to_array()) < 2e-6, "frame {frame}");
        let track = scene.clips[0].tracks.iter().find(|track| track.target.index == 2).unwrap();
        let [place] = &track.channels[..] else { panic!("{:?}", track.channels) };
        let row = place.composition.curves().next().unwrap().value(frame).unwrap();
        let place = root * DVec3::from_array(std::array::from_fn(|n| f64::from(row[n])));
        assert!(place.distance(goal(frame)) < 1e-5, "frame {frame}: {place}");
    }
    assert!(said(&report) < 1e-5, "{}", said(&report));
    let [Loss::Approximated { what, .. }] = &report.losses[..] else { panic!("{:?}", report.losses) };
    assert!(what.ends_with("m off; one of them moves by itself)"), "{what}");
}

#[test]
fn lengths_are_those_on_average_and_what_is_off_is_said() {
    let (mut scene, mut report) = (scene(40, 0.02), Report::default());
    turn_points(&mut scene, &mut report);
    let said = said(&report);
    assert!((0.005..0.12).contains(&said), "{said}");
    let length = DVec3::from(scene.nodes[5].rest.translation).length();
    assert!((length - 0.25).abs() < 0.02, "{length}");
}

#[test]
fn points_that_hang_on_nothing_stay_points() {
    let mut scene = Scene { hierarchy: Hierarchy::Unknown, ..scene(3, 0.0) };
    let before = scene.clone();
    turn_points(&mut scene, &mut Report::default());
    assert_eq!(scene, before);
}
