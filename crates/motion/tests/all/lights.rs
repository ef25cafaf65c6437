//! Lights in a format in which they shine along directions, and cut between neighbouring frames.

use crate::kit::*;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::Parts;
use dopesheet_core::model::{
    Channel, Clip, Curve, Law, Light, LightIndex, LightKind, Property, Scene, TargetKind, Times, Transform,
};
use dopesheet_motion::{Conform, conform};
use glam::{DQuat, DVec3};

/// A light below a turned node that has the directions that lie between those of some keys, four times a frame.
fn shining(keys: &[(usize, DVec3)]) -> Scene {
    let tilted = Transform { rotation: [0.6, 0.0, 0.0, 0.8], ..Transform::IDENTITY };
    let mut scene = chain(&[tilted, Transform::IDENTITY]);
    let kind = LightKind::Directional;
    scene.lights.push(Light { name: String::new(), color: [1.0; 3], intensity: 1.0, kind });
    scene.nodes[1].light = Some(LightIndex(0));
    let last = keys.last().unwrap().0;
    let axis = DVec3::from(scene.basis.light_shines.vector());
    let (mut times, mut turns) = (Vec::new(), Vec::new());
    for step in 0..=4 * last {
        let frame = step as f64 / 4.0;
        let next = keys.iter().position(|key| key.0 as f64 > frame).unwrap_or(keys.len() - 1);
        let ((start, from), (end, to)) = (keys[next - 1], keys[next]);
        let u = (frame - start as f64) / (end - start) as f64;
        let mut push = |direction: DVec3| {
            let turn = DQuat::from_array(tilted.rotation).inverse()
                * DQuat::from_rotation_arc(axis, direction.normalize());
            times.push(frame / 30.0);
            turns.extend(turn.to_array().map(|x| x as f32));
        };
        if u == 0.0 && next > 1 && start - keys[next - 2].0 == 1 {
            push(keys[next - 2].1);
        }
        push(if end - start == 1 && u < 1.0 { from } else { from.lerp(to, u) });
    }
    let turn = Channel::whole(Property::Rotation, wide(seconds(&times), 4, &turns, Law::SLERP));
    scene.clips.push(clip(last as f64 / 30.0, vec![joint("n1", 1, vec![turn])]));
    scene
}

fn made(scene: &Scene) -> (Clip, Report) {
    let (mut scene, mut report) = (scene.clone(), Report::default());
    let like_vmd = like_vmd();
    let capabilities = dopesheet_core::format::Capabilities {
        parts: Parts { lights: true, orbits: true, ..like_vmd.parts },
        ..like_vmd
    };
    conform(&mut scene, &capabilities, &Conform::default(), &mut report);
    (scene.clips.remove(0), report)
}

fn direction(clip: &Clip) -> &Curve {
    let light = clip.tracks.iter().find(|track| track.target.kind == TargetKind::Light).unwrap();
    only_curve(light.channels.iter().find(|channel| channel.property == Property::Direction).unwrap())
}

fn frames_of(curve: &Curve) -> Vec<i64> {
    let Times::Frames { frames, .. } = &curve.times else { panic!("{curve:?}") };
    frames.to_vec()
}

/// The largest angle that a report admits, in radians.
fn told(report: &Report) -> f64 {
    let angles = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { max_error, .. } if max_error.unit == ErrorUnit::Radian => Some(max_error.value),
        _ => None,
    });
    angles.fold(0.0, f64::max)
}

#[test]
fn a_light_that_two_keys_turn_has_two_keys_again_and_not_one_for_each_frame() {
    // Their lengths say how fast it turns when.
    let keys = [(0, DVec3::new(-0.5, -1.0, 0.5)), (40, DVec3::new(0.2, -0.3, 0.1)), (90, DVec3::NEG_Y)];
    let (clip, report) = made(&shining(&keys));
    let curve = direction(&clip);
    assert!(frames_of(curve).len() <= 4, "{:?}", frames_of(curve));
    assert!(told(&report) < 1.75e-4, "{report:?}");
    assert_eq!(report.findings, []);
    assert!(
        clip.tracks.iter().flat_map(|track| &track.channels).all(|own| own.property != Property::Rotation)
    );
}

#[test]
fn a_light_that_is_elsewhere_at_once_has_keys_on_neighbouring_frames() {
    let keys = [
        (0, DVec3::NEG_Y),
        (30, DVec3::new(0.5, -1.0, 0.0)),
        (31, DVec3::new(-0.5, -1.0, 1.0)),
        (60, DVec3::NEG_Y),
    ];
    let (clip, report) = made(&shining(&keys));
    let curve = direction(&clip);
    let frames = frames_of(curve);
    assert!(frames.contains(&30) && frames.contains(&31) && frames.len() <= 6, "{frames:?}");
    let cut = frames.iter().position(|frame| *frame == 30).unwrap();
    assert_eq!(curve.laws.get(cut), Law::STEP);
    assert!(told(&report) < 1.75e-4, "{report:?}");
    assert_eq!(report.findings, []);
}
