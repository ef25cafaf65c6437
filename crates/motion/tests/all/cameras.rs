//! Cameras in a format in which they circle a point, and cut between neighbouring frames.

use crate::kit::*;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Capabilities, LawSet};
use dopesheet_core::model::{
    Blend, Camera, CameraIndex, Channel, Clip, Composition, Curve, Law, Lens, NodeIndex, Property, Scene,
    TargetKind, Times, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{BezierTiming, OrbitConvention, bezier_timing, lerp};
use dopesheet_motion::sample::pose::{decompose, local_pose, model_pose};
use dopesheet_motion::{Conform, Side, conform};

fn like_vmd_itself() -> Capabilities {
    let stepless = LawSet { step: false, ..like_vmd().vector_laws };
    Capabilities { vector_laws: stepless, rotation_laws: stepless, ..like_vmd() }
}

/// A camera on a moving crane that looks around; after 1 s it is somewhere else.
fn filmed() -> Scene {
    let lifted = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    let mut scene = chain(&[Transform::IDENTITY, lifted]);
    let lens = Lens::Perspective { yfov_rad: 0.5, aspect: None };
    scene.cameras.push(Camera { name: String::new(), lens, near: 0.1, far: None });
    scene.nodes[1].camera = Some(CameraIndex(0));
    let wave = |n: usize, by: f64| (by * (n as f64 * 0.12).sin()) as f32;
    let times: Vec<f64> = (0..=48)
        .map(|n| f64::from(n) / 24.0)
        .flat_map(|t| if t == 1.0 { vec![t, t] } else { vec![t] })
        .collect();
    let rows = || (0..times.len()).map(|n| (n, if n > 24 { 5.0f32 } else { 0.0 }));
    let places: Vec<f32> = rows().flat_map(|(n, far)| [wave(n, 0.8) + far, wave(n + 5, 0.3), far]).collect();
    let turns: Vec<f32> =
        rows().flat_map(|(n, far)| turn([0.6, 0.8, 0.0], f64::from(wave(n, 25.0) + 9.0 * far))).collect();
    let lens: Vec<f32> = rows().map(|(n, _)| 0.5 + wave(n, 0.1)).collect();
    let view = vec![
        Channel::whole(Property::Translation, wide(seconds(&times), 3, &places, Law::LINEAR)),
        Channel::whole(Property::Rotation, wide(seconds(&times), 4, &turns, Law::SLERP)),
    ];
    let crane = wide(seconds(&[0.0, 2.0]), 3, &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0], Law::LINEAR);
    let mut zoom =
        joint("n1", 1, vec![Channel::whole(Property::YFov, wide(seconds(&times), 1, &lens, Law::LINEAR))]);
    zoom.target.kind = TargetKind::Camera;
    let crane = joint("n0", 0, vec![Channel::whole(Property::Translation, crane)]);
    scene.clips.push(clip(2.0, vec![crane, joint("n1", 1, view), zoom]));
    scene
}

fn camera(clip: &Clip) -> &[Channel] {
    &clip.tracks.iter().find(|track| track.target.kind == TargetKind::Camera).unwrap().channels
}

fn curves(clip: &Clip) -> impl Iterator<Item = &Curve> {
    camera(clip).iter().flat_map(|channel| channel.composition.curves())
}

fn made(scene: &Scene) -> (Clip, Report) {
    let (mut scene, mut report) = (scene.clone(), Report::default());
    conform(&mut scene, &like_vmd_itself(), &Conform::default(), &mut report);
    (scene.clips.remove(0), report)
}

fn said(report: &Report, what: &str) -> f64 {
    let told = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { what: told, max_error, .. } if told.starts_with(what) => Some(max_error.value),
        _ => None,
    });
    told.fold(0.0, f64::max)
}

#[test]
fn a_moving_camera_has_no_keys_on_neighbouring_frames_but_at_cuts() {
    let (clip, _) = made(&filmed());
    for curve in curves(&clip) {
        let Times::Frames { frames, .. } = &curve.times else { panic!("not on the grid") };
        let short: Vec<i64> =
            frames.windows(2).filter(|pair| pair[1] - pair[0] < 2).map(|pair| pair[1]).collect();
        assert_eq!(short, [30], "{frames:?}");
        let cut = frames.iter().position(|frame| *frame == 29).unwrap();
        assert_eq!(curve.laws.get(cut).blend, Blend::Step);
    }
}

#[test]
fn a_camera_is_as_far_off_as_is_said() {
    let source = filmed();
    let (clip, report) = made(&source);
    let placement = camera(&clip).iter().find(|c| matches!(c.composition, Composition::Orbit(_))).unwrap();
    let zoom = camera(&clip).iter().find(|c| c.property == Property::YFov).unwrap();
    let fov = &source.clips[0].tracks[2].channels[0];
    let mut worst = [0.0f64; 3];
    for step in 0..=1920 {
        let time = f64::from(step) / 960.0;
        // The jump itself takes the frame before it.
        if time > 29.0 / 30.0 && time <= 1.0 {
            continue;
        }
        let pose = model_pose(&source, &local_pose(&source, &source.clips[0], Seconds(time)));
        let (own, found) = (decompose(&pose.0[1]), value(placement, time, Side::At));
        let place = (0..3).map(|n| (own.translation[n] - found[n]).powi(2)).sum::<f64>().sqrt();
        let turned = dopesheet_curve::quat_angle(own.rotation, found[3..7].try_into().unwrap());
        let zoomed = (value(fov, time, Side::At)[0] - value(zoom, time, Side::At)[0]).abs();
        for (worst, error) in worst.iter_mut().zip([place, turned, zoomed]) {
            *worst = worst.max(error);
        }
    }
    let told = ["camera translation", "camera rotation", "camera yfov"].map(|what| said(&report, what));
    for (found, told) in worst.iter().zip(told) {
        assert!(*found <= 1.001 * told, "{worst:?} where {told} was said: {:?}", report.losses);
    }
    assert!(worst[0] < 0.02 && worst[1] < 0.02, "{worst:?}");
}

#[test]
fn a_camera_that_jumps_within_one_frame_is_cut_there() {
    let mut scene = filmed();
    let places = [[0.0f32, 0.0, 0.0], [0.1, 0.0, 0.0], [3.0, 1.0, 0.0], [3.1, 1.0, 0.0]].concat();
    let view = Channel::whole(Property::Translation, wide(frames(&[0, 30, 31, 60]), 3, &places, Law::LINEAR));
    scene.clips[0].tracks = vec![joint("n1", 1, vec![view])];
    let (clip, _) = made(&scene);
    let target = curves(&clip).next().unwrap();
    assert_eq!(target.times, frames(&[0, 30, 31, 60]));
    assert_eq!(
        [0, 1, 2].map(|segment| target.laws.get(segment).blend),
        [Blend::Lerp, Blend::Step, Blend::Lerp]
    );
}

#[test]
fn cuts_on_neighbouring_frames_stay_cuts() {
    let mut scene = filmed();
    // As glTF has jumps: the old value is one step of f32 before the new one.
    let before = |frame: f64| f64::from((frame as f32 / 30.0).next_down());
    let at = |frame: f64| f64::from(frame as f32 / 30.0);
    let times = [0.0, before(30.0), at(30.0), before(31.0), at(31.0), before(32.0), at(32.0), at(60.0)];
    let places: Vec<f32> =
        [0.0, 0.0, 8.0, 8.0, -4.0, -4.0, 3.0, 3.3].into_iter().flat_map(|x| [x, 1.0, 0.0]).collect();
    let view = Channel::whole(Property::Translation, wide(seconds(&times), 3, &places, Law::LINEAR));
    scene.clips[0].tracks = vec![joint("n1", 1, vec![view])];
    let (clip, report) = made(&scene);
    let target = curves(&clip).next().unwrap();
    assert_eq!(target.times, frames(&[0, 29, 30, 31, 32, 60]));
    let blends = [0, 1, 2, 3, 4].map(|segment| target.laws.get(segment).blend);
    assert_eq!(blends, [Blend::Lerp, Blend::Step, Blend::Step, Blend::Step, Blend::Lerp]);
    assert!(said(&report, "camera translation") < 1e-4, "{:?}", report.losses);
}

#[test]
fn a_camera_alone_is_not_said_to_be_never_off() {
    let mut scene = filmed();
    scene.clips[0].tracks.remove(0);
    let (_, report) = made(&scene);
    let bounds = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { bound, .. } => Some(*bound),
        _ => None,
    });
    let bounds: Vec<_> = bounds.collect();
    assert!(!bounds.is_empty() && bounds.iter().all(Option::is_none), "{:?}", report.losses);
}

#[test]
fn a_camera_that_circles_a_point_already_stays_as_it_is() {
    let (clip, _) = made(&filmed());
    let mut scene = filmed();
    scene.nodes[1].parent = None;
    scene.clips = vec![clip.clone()];
    let (again, _) = made(&scene);
    assert_eq!(camera(&again), camera(&clip));
    assert_eq!(clip.tracks.last().unwrap().target.node, Some(NodeIndex(1)));
}

/// Frame, point, angles and distance of a key of a camera that circles a point, and the timings of the way there and of the distance.
type Circled = (i64, [f64; 3], [f64; 3], f64, [[u8; 4]; 2]);

/// A camera that circles a point, as formats have it that only know where cameras stand: with many keys, of which those that were set
/// are on whole frames.
fn placed(keys: &[Circled]) -> Scene {
    let mix = |a: [f64; 3], b: [f64; 3], u: f64| std::array::from_fn(|n| lerp(a[n], b[n], u));
    let (mut times, mut places, mut turns) = (Vec::new(), Vec::new(), Vec::new());
    for pair in keys.windows(2) {
        let ((from, point, angles, distance, _), (to, point_there, angles_there, distance_there, timings)) =
            (pair[0], pair[1]);
        let length = (to - from) as f64;
        // Never so near to a frame that they count as the frame.
        let inner = [0.0].into_iter().chain((0..).map(|n| (f64::from(n) + 0.5) / 32.0));
        let inner = inner.take_while(|by| *by < length);
        for by in inner.chain((Some(to) == keys.last().map(|key| key.0)).then_some(length)) {
            let [u, v] = timings.map(|bytes| bezier_timing(&BezierTiming::from_bytes(bytes), by / length));
            let angles = mix(angles, angles_there, u);
            let point = mix(point, point_there, u);
            let eye = OrbitConvention::MMD.eye(point, angles, lerp(distance, distance_there, v));
            times.push((from as f64 + by) / 30.0);
            places.extend(eye.map(|x| x as f32));
            turns.extend(OrbitConvention::MMD.rotation(angles).map(|x| x as f32));
        }
    }
    let mut scene = filmed();
    let view = vec![
        Channel::whole(Property::Translation, wide(seconds(&times), 3, &places, Law::LINEAR)),
        Channel::whole(Property::Rotation, wide(seconds(&times), 4, &turns, Law::SLERP)),
    ];
    scene.nodes[1].parent = None;
    scene.clips = vec![clip(*times.last().unwrap(), vec![joint("n1", 1, view)])];
    scene
}

fn assert_comes_back(keys: &[Circled]) {
    let (clip, report) = made(&placed(keys));
    let Composition::Orbit(orbit) = &camera(&clip)[0].composition else { panic!("it circles nothing") };
    let set: Vec<i64> = keys.iter().map(|key| key.0).collect();
    assert_eq!(orbit.distance.times, frames(&set));
    for (found, key) in orbit.distance.values.iter().zip(keys) {
        assert!((f64::from(*found) - key.3).abs() < 0.02, "{:?}", orbit.distance.values);
    }
    assert!(said(&report, "camera model-space") < 1e-4, "{:?}", report.losses);
}

#[test]
fn a_camera_that_circled_a_point_gets_the_keys_that_were_set() {
    let (slow, even, fast) = ([64, 0, 64, 127], [20, 20, 107, 107], [10, 60, 40, 120]);
    assert_comes_back(&[
        (0, [0.0, 1.0, 0.0], [0.1, 0.0, 0.0], -4.0, [even, even]),
        (40, [0.3, 1.2, 0.0], [-0.2, 1.0, 0.1], -2.5, [slow, slow]),
        // Here it only stands; how far from the point, only its neighbours know.
        (52, [0.3, 1.2, 0.0], [-0.2, 1.0, 0.1], -2.5, [even, even]),
        (97, [0.5, 1.0, 1.0], [0.3, -0.4, 0.0], -3.0, [fast, fast]),
    ]);
}

#[test]
fn a_camera_that_looks_at_one_point_may_come_nearer_in_its_own_time() {
    let (slow, even, fast) = ([64, 0, 64, 127], [20, 20, 107, 107], [10, 60, 40, 120]);
    assert_comes_back(&[
        (0, [0.0, 1.0, 0.0], [0.1, 0.0, 0.0], -4.0, [even, even]),
        (50, [0.0, 1.0, 0.0], [-0.2, 1.0, 0.1], -2.5, [slow, fast]),
    ]);
}
