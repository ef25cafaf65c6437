//! Values on every frame: which frames, and how far they are off.

use crate::kit::*;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Capabilities, KeyLayout, KeyStorage, TimeRounding};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, EulerOrder, Law, Laws, NodeIndex, Property, Scene, Times,
    Timing, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::{
    Animation, Conform, Side, Tolerance, arrange, compare, conform, frame_rate, put_in_world,
};

fn like_npz() -> Capabilities {
    Capabilities { layout: KeyLayout::EveryFrame, ..like_gltf() }
}

#[test]
fn angles_on_every_frame_of_a_grid_become_rotations_there_and_nothing_else_is_said() {
    let list: Vec<i64> = (0..=60).collect();
    let values: Vec<f32> =
        list.iter().flat_map(|frame| [0.03, 0.02, 0.01].map(|by| by * *frame as f32)).collect();
    let angles = vec![wide(frames(&list), 3, &values, Law::LINEAR)];
    let turned = composed(Property::Rotation, Composition::Euler { order: EulerOrder::Zyx, angles });
    let mut scene = chain(&[Transform::IDENTITY]);
    let grid = Some(FrameRate::FPS_30);
    scene.clips.push(Clip { grid, ..clip(2.0, vec![joint("n0", 0, vec![turned])]) });
    let (made, report) = conformed(&scene, &like_npz(), &Conform::default());
    let told = report.losses;
    assert_eq!(told, [Loss::Kept { what: "rotation: 1 channel, 61 keys".into() }]);
    let curve = made.clips[0].tracks[0].channels[0].composition.curves().next().unwrap();
    assert_eq!(curve.times, frames(&list));
    for (key, frame) in list.iter().enumerate() {
        let exact = value(&scene.clips[0].tracks[0].channels[0], f64::from(*frame as i32) / 30.0, Side::At);
        let stored = curve.value(key).unwrap();
        let cosine: f64 = exact.iter().zip(stored).map(|(a, b)| a * f64::from(*b)).sum();
        assert!(cosine.abs() > 1.0 - 1e-7, "{frame}: {cosine}");
    }
}

/// Times as files of single precision have them.
fn single(times: impl Iterator<Item = f64>) -> Vec<f64> {
    times.map(|time| f64::from(time as f32)).collect()
}

/// An arm of four joints that each turn to and fro at some times.
fn arm(times: &[f64]) -> Scene {
    let place = Transform { translation: [0.3, 0.0, 0.0], ..Transform::IDENTITY };
    let mut scene = chain(&[place; 4]);
    let tracks = (0..4).map(|node| {
        let turned = times.iter().enumerate();
        let values: Vec<f32> = turned
            .flat_map(|(key, _)| turn([0.0, 0.0, 1.0], f64::from((7 * key as u32 + node) % 11) * 2.0))
            .collect();
        let curve = wide(seconds(times), 4, &values, Law::SLERP);
        joint(&format!("n{node}"), node as usize, vec![Channel::whole(Property::Rotation, curve)])
    });
    scene.clips.push(clip(times[times.len() - 1], tracks.collect()));
    scene
}

fn conformed(scene: &Scene, capabilities: &Capabilities, options: &Conform<'_>) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    arrange(&mut made, capabilities);
    conform(&mut made, capabilities, options, &mut report);
    (made, report)
}

fn apart_by(a: &Scene, b: &Scene) -> f64 {
    let of = |scene| Animation { scene, clip: &scene.clips[0] };
    compare(of(a), of(b), &Tolerance::DEFAULT).farthest.unwrap().difference.value
}

fn on(times: &[f64], grid: Option<FrameRate>) -> Clip {
    Clip { grid, ..arm(times).clips.remove(0) }
}

#[test]
fn frames_are_those_of_the_keys_and_sixty_a_second_only_where_those_stand_on_none() {
    let rate = |clip: &Clip| frame_rate(clip, &like_npz(), None).fps();
    for fps in [24u32, 25, 30, 48, 50, 60, 120] {
        let times = single((0..600).map(|frame| f64::from(frame) / f64::from(fps)));
        assert_eq!(rate(&on(&times, None)), f64::from(fps));
        // Cut out between two frames, with what the cut put at both ends.
        let cut = times[100] + 0.3 / f64::from(fps);
        let mut inside: Vec<f64> = times[101..].iter().map(|time| time - cut).collect();
        inside.insert(0, 0.0);
        inside.push(inside[inside.len() - 1] + 0.4 / f64::from(fps));
        assert_eq!(rate(&on(&inside, None)), f64::from(fps), "cut");
    }
    let odd: Vec<f64> = (0..100).map(|key| f64::from(key) * 0.031).collect();
    assert_eq!(rate(&on(&odd, None)), 60.0);
    assert_eq!(rate(&on(&[0.0, 0.0], None)), 60.0, "nothing but a pose");
    let own = FrameRate::new(30_000, 1001);
    assert_eq!(rate(&on(&odd, own)), own.unwrap().fps());
    let clip = on(&[0.0, 1.0], None);
    assert_eq!(frame_rate(&clip, &like_npz(), FrameRate::new(90, 1)).fps(), 90.0, "asked for");
}

#[test]
fn a_motion_of_24_frames_a_second_in_single_precision_goes_onto_those_frames_and_is_measured() {
    let scene = arm(&single((0..100).map(|frame| f64::from(frame) / 24.0)));
    let (made, report) = conformed(&scene, &like_npz(), &Conform::default());
    assert_eq!(made.clips[0].grid, FrameRate::new(24, 1));
    assert_eq!(report.findings, []);
    let (said, off) = (model_error(&report).unwrap_or_default(), apart_by(&scene, &made));
    assert!(off < 2e-6 && (said - off).abs() < 1e-9, "{said} and {off}");
}

#[test]
fn frames_that_are_the_clip_s_own_are_copied_and_nothing_is_approximated() {
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: (0..50).collect() };
    let mut scene = arm(&(0..50).map(|frame| f64::from(frame) / 30.0).collect::<Vec<_>>());
    scene.clips[0].grid = Some(FrameRate::FPS_30);
    for track in &mut scene.clips[0].tracks {
        for curve in track.channels[0].composition.curves_mut() {
            curve.times = times.clone();
        }
    }
    let (made, report) = conformed(&scene, &like_npz(), &Conform::default());
    assert_eq!(made.clips[0].tracks, scene.clips[0].tracks);
    assert_eq!(model_error(&report), None, "{report:?}");
}

#[test]
fn a_bake_off_the_frames_of_the_keys_is_measured_in_model_space_and_told_with_a_rate_that_is_enough() {
    let scene = arm(&single((0..97).map(|frame| f64::from(frame) / 24.0)));
    for capabilities in [like_gltf(), like_npz()] {
        let bake = |fps| {
            conformed(&scene, &capabilities, &Conform { bake: FrameRate::new(fps, 1), ..Conform::default() })
        };
        let (made, report) = bake(30);
        let (said, off) = (model_error(&report).unwrap(), apart_by(&scene, &made));
        assert!(off > 1e-3 && (said - off).abs() <= 0.01 * off, "{said} and {off}");
        let [finding] = &report.findings[..] else { panic!("{report:?}") };
        assert_eq!(finding.fault.code, "tolerance-exceeded");
        assert!(
            finding.fault.found.contains("one key per frame at 30 fps is too few, try --bake 24, "),
            "{finding}"
        );
        assert_eq!(bake(24).1.findings, []);
    }
}

#[test]
fn a_curved_motion_is_within_the_tolerance_on_as_many_frames_as_the_warning_proposes() {
    let mut scene = arm(&[0.0, 1.0]);
    for track in &mut scene.clips[0].tracks {
        let values = [turn([0.0, 0.0, 1.0], 0.0), turn([0.0, 0.0, 1.0], 60.0)].concat();
        track.channels =
            vec![Channel::whole(Property::Rotation, wide(frames(&[0, 30]), 4, &values, eased(Blend::Slerp)))];
    }
    scene.clips[0].grid = Some(FrameRate::FPS_30);
    let found = |bake| {
        let (_, report) = conformed(&scene, &like_npz(), &Conform { bake, ..Conform::default() });
        report.findings.first().map(|finding| finding.fault.found.to_string())
    };
    let said = found(None).unwrap();
    let fps: u32 =
        said.split("try --bake ").nth(1).and_then(|rest| rest.split(',').next()?.parse().ok()).unwrap();
    assert!(fps > 30 && fps.is_multiple_of(30), "{said}");
    assert_eq!(found(FrameRate::new(fps, 1)), None);
}

#[test]
fn a_steep_way_ten_minutes_in_is_measured_between_times_of_single_precision() {
    let timing = Timing::Bezier { x1: 1.0, y1: 0.0, x2: 0.0, y2: 1.0 };
    let laws = Laws::from_segments([Law { timing, blend: Blend::Lerp }; 2]);
    let values = vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.0, 0.0];
    // The middle, where it is steep, lies between two frames.
    let curve = Curve::new(frames(&[0, 18_000, 18_031]), 3, values, laws);
    let mut scene = chain(&[Transform::IDENTITY]);
    let channel = Channel::whole(Property::Translation, curve);
    let end = FrameRate::FPS_30.seconds(18_031.0).0;
    scene.clips.push(clip(end, vec![joint("n0", 0, vec![channel])]));
    let storage = KeyStorage { times: TimeRounding::Single, ..KeyStorage::default() };
    let (made, report) = conformed(&scene, &like_gltf(), &Conform { storage, ..Conform::default() });
    let [source, made] = [&scene, &made].map(|scene| &scene.clips[0].tracks[0].channels[0]);
    let off = |time: f64| {
        let [a, b] = [source, made].map(|channel| value(channel, time, Side::At));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let middle = FrameRate::FPS_30.seconds(18_015.5).0;
    let most = (-200_000..=200_000).map(|n| off(middle + f64::from(n) * 1e-9)).fold(0.0, f64::max);
    let said = model_error(&report).unwrap();
    assert!(most > 5e-3 && (said - most).abs() <= 0.01 * most, "{said} and {most}");
    let [finding] = &report.findings[..] else { panic!("{report:?}") };
    assert_eq!(finding.fault.code, "tolerance-exceeded");
    assert!(
        finding.fault.found.contains("the precision of stored values and times alone costs"),
        "{finding}"
    );
}

#[test]
fn a_node_in_the_world_that_no_straight_pieces_follow_is_measured_and_told() {
    let far = Transform { translation: [10.0, 0.0, 0.0], ..Transform::IDENTITY };
    let mut scene = chain(&[Transform::IDENTITY, far]);
    let values: Vec<f32> = [0.0, 170.0].iter().flat_map(|angle| turn([0.0, 0.0, 1.0], *angle)).collect();
    let spin = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 0.1]), 4, &values, Law::SLERP));
    scene.clips.push(clip(0.1, vec![joint("n0", 0, vec![spin])]));
    let source = scene.clone();
    let tolerance = Tolerance::DEFAULT;
    let in_world = put_in_world(&mut scene, &[NodeIndex(1)], &tolerance, &mut Report::default());
    let mut report = Report::default();
    let options = Conform { in_world: in_world.as_ref(), ..Conform::default() };
    conform(&mut scene, &like_gltf(), &options, &mut report);
    let at = |scene: &Scene, time: f64| {
        let pose = dopesheet_motion::sample::pose::local_pose(scene, &scene.clips[0], Seconds(time));
        dopesheet_motion::sample::pose::model_pose(scene, &pose).0[1].translation
    };
    let times = (0..=100_000).map(|n| f64::from(n) / 1e6);
    let off = times.map(|time| at(&source, time).distance(at(&scene, time))).fold(0.0, f64::max);
    let said = model_error(&report).unwrap();
    assert!(off > 5e-4 && (said - off).abs() <= 0.01 * off, "{said} and {off}");
    assert!(report.findings.iter().any(|finding| finding.fault.code == "tolerance-exceeded"), "{report:?}");
}
