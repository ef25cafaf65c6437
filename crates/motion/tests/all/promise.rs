//! The tolerance is kept, or a conversion says that it is not.

use crate::kit::*;
use dopesheet_core::diag::{Finding, Loss, Report, Severity};
use dopesheet_core::format::{KeyStorage, Rounding};
use dopesheet_core::model::{
    Blend, Channel, Curve, Hierarchy, Law, Laws, Outside, Property, Scene, Timing, Transform,
};
use dopesheet_core::units::FrameRate;
use dopesheet_curve::quat_angle;
use dopesheet_motion::Side;
use dopesheet_motion::{Animation, Conform, Tolerance, arrange, compare, conform};

/// One joint that moves.
fn moving(curve: Curve, frames: i64) -> Scene {
    let mut scene = chain(&[Transform::IDENTITY]);
    let channel = Channel::whole(Property::Translation, curve);
    let duration = FrameRate::FPS_30.seconds(frames as f64);
    scene.clips.push(clip(duration.0, vec![joint("n0", 0, vec![channel])]));
    scene
}

/// A scene within what glTF holds, and what is said of that.
fn conformed(scene: &Scene, options: &Conform) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    arrange(&mut made, &like_gltf());
    conform(&mut made, &like_gltf(), options, &mut report);
    (made, report)
}

/// What a conversion by the default tolerance finds.
fn findings(scene: Scene) -> Vec<Finding> {
    conformed(&scene, &Conform::default()).1.findings
}

/// The largest error of the lines that start with some words.
fn reported(report: &Report, words: &str) -> f64 {
    let errors = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with(words) => Some(max_error.value),
        _ => None,
    });
    errors.fold(0.0, f64::max)
}

/// A rotation that turns about an axis and back, ten frames each, eased in many ways.
fn swinging(axis: [f32; 3], degrees: f64, seed: u32) -> Channel {
    let ease = |key: u32| {
        let part = |n: u32| ((seed * 7 + key * 5 + n * 3) % 11) as f32 / 10.0;
        Law {
            blend: Blend::Slerp,
            timing: Timing::Bezier { x1: part(1), y1: part(2), x2: part(3), y2: part(4) },
        }
    };
    let list: Vec<i64> = (0..=12).map(|key| 10 * key).collect();
    let values: Vec<f32> =
        (0..=12).flat_map(|key| turn(axis, if key % 2 == 0 { 0.0 } else { degrees })).collect();
    let laws = Laws::from_segments((0..12).map(ease));
    Channel::whole(Property::Rotation, Curve::new(frames(&list), 4, values, laws))
}

#[test]
fn a_tolerance_that_precision_alone_exceeds_is_a_warning_that_names_it() {
    let warnings = |far: f32| {
        let values: Vec<f32> = [far, 1.5 * far].iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
        findings(moving(wide(frames(&[0, 30]), 3, &values, eased(Blend::Lerp)), 30))
    };
    // A thousand kilometres away numbers of single precision are 6 cm apart.
    let found = warnings(1e6);
    let [Finding { severity: Severity::Warning, fault, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(fault.code, "tolerance-exceeded");
    assert_eq!(fault.expected, "model-space at most 0.1 mm off (tolerance 0.1mm@3cm)");
    let cause = "the precision of stored values and times alone costs";
    assert!(fault.found.contains(cause) && fault.found.ends_with("0 of 1 target within"), "{fault:?}");
    assert_eq!(warnings(1.0), []);
}

#[test]
fn a_way_that_runs_vertically_into_or_out_of_a_frame_stays_within_the_tolerance() {
    // So late that only every third time of single precision beside a frame does not count as the frame.
    for (x1, y1, x2, y2) in [(0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 1.0, 1.0), (0.0, 1.0, 1.0, 0.0)] {
        let law = Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: Blend::Lerp };
        let curve = wide(frames(&[0, 6596, 6600]), 3, &[0., 0., 0., 0., 0., 0., 1., 0., 0.], law);
        assert_eq!(findings(moving(curve, 6600)), [], "{law:?}");
    }
}

#[test]
fn what_is_reported_of_joints_that_stand_alone_is_what_a_comparison_finds() {
    let mut scene = chain(&[Transform::IDENTITY; 6]);
    scene.hierarchy = Hierarchy::Unknown;
    let along = |by: f32| {
        let values = [0.0, 0.0, 0.0, by, 0.5 * by, 0.0];
        Channel::whole(Property::Translation, wide(frames(&[0, 120]), 3, &values, eased(Blend::Lerp)))
    };
    let tracks = (0..6u8).map(|n| {
        let swinging = swinging([1.0, f32::from(n), 0.5], 20.0 + 25.0 * f64::from(n), n.into());
        let channel = if n % 3 == 1 { swinging } else { along(f32::from(n + 1)) };
        joint(&format!("n{n}"), n.into(), vec![channel])
    });
    scene.clips.push(clip(4.0, tracks.collect()));
    let storage = KeyStorage { rotations: Rounding::Shorts, ..KeyStorage::default() };
    let (made, report) = conformed(&scene, &Conform { storage, ..Conform::default() });
    assert_eq!(report.findings, []);
    let of = |scene| Animation { scene, clip: &scene.clips[0] };
    let found = compare(of(&scene), of(&made), &Tolerance::DEFAULT);
    let farthest = found.tracks.iter().map(|track| track.channels[0].value).fold(0.0, f64::max);
    let most = reported(&report, "each joint by itself");
    assert!((most / farthest - 1.0).abs() < 1e-3, "{most} reported, {farthest} found");
}

#[test]
fn a_bake_counts_the_jump_where_a_repetition_starts_anew() {
    let rising = wide(seconds(&[0.0, 0.5]), 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], Law::LINEAR);
    let source = moving(Curve { after: Outside::Loop, ..rising }, 30);
    let (_, report) = conformed(&source, &Conform { bake: Some(FrameRate::FPS_30), ..Conform::default() });
    let said = reported(&report, "translation");
    assert!((0.99..=1.0).contains(&said), "{said}: {:?}", report.losses);
}

#[test]
fn the_error_of_a_scale_is_the_length_of_the_difference() {
    let eased = Laws::uniform(Law {
        blend: Blend::Lerp,
        timing: Timing::Bezier { x1: 0.9, y1: 0.0, x2: 0.1, y2: 1.0 },
    });
    let curve = Curve::new(frames(&[0, 30]), 3, vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0], eased);
    let mut source = moving(curve, 30);
    source.clips[0].tracks[0].channels[0].property = Property::Scale;
    let one_axis = {
        let mut source = source.clone();
        let curve = source.clips[0].tracks[0].channels[0].composition.curves_mut().remove(0);
        curve.values = vec![1.0, 1.0, 1.0, 2.0, 1.0, 1.0];
        source
    };
    let options = Conform { bake: FrameRate::new(3, 1), ..Conform::default() };
    let [all, one] = [source, one_axis].map(|source| reported(&conformed(&source, &options).1, "scale"));
    assert!(one > 0.05 && (all / one - 3f64.sqrt()).abs() < 0.02, "{all} and {one}");
}

#[test]
fn a_baked_clip_is_as_far_off_as_is_reported() {
    for degrees in [1.0, 40.0, 150.0] {
        let channel = swinging([0.3, 1.0, -0.2], degrees, 3);
        let mut scene = chain(&[Transform::IDENTITY]);
        scene.clips.push(clip(4.0, vec![joint("n0", 0, vec![channel.clone()])]));
        let options = Conform { bake: FrameRate::new(24, 1), ..Conform::default() };
        let (made, report) = conformed(&scene, &options);
        let baked = &made.clips[0].tracks[0].channels[0];
        let rotation = |channel: &Channel, n: i32| {
            <[f64; 4]>::try_from(value(channel, f64::from(n) / 5_000.0, Side::At)).expect("four numbers")
        };
        let error = |n: i32| quat_angle(rotation(&channel, n), rotation(baked, n));
        let seen = (0..20_000).map(error).fold(0.0, f64::max);
        let most = reported(&report, "rotation");
        assert!(
            seen <= most + 1e-6 && most <= seen * 1.01 + 1e-6,
            "{seen} seen, {most} reported at {degrees}"
        );
    }
}

#[test]
fn what_baked_keys_are_rounded_by_far_away_is_reported() {
    for timing in [Timing::Linear, Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 }] {
        // Numbers of single precision are 1/16 m apart there.
        let law = Law { timing, blend: Blend::Lerp };
        let curve = wide(frames(&[0, 30]), 3, &[1e6, 0.0, 0.0, 1e6 + 0.5, 0.0, 0.0], law);
        let options = Conform { bake: FrameRate::new(24, 1), ..Conform::default() };
        let most = reported(&conformed(&moving(curve, 30), &options).1, "translation");
        assert!((0.01..0.07).contains(&most), "{most} for {timing:?}");
    }
}

/// What has timing curves and goes straight all the same, as most translations of dances do, takes nothing of the tolerance.
#[test]
fn a_joint_alone_is_given_nearly_all_of_the_tolerance_at_once() {
    let rotation = |degrees: f64| turn([0.0, 1.0, 0.0], degrees);
    let turned = wide(frames(&[0, 60]), 4, &[rotation(0.0), rotation(50.0)].concat(), eased(Blend::Slerp));
    let mut scene = moving(wide(frames(&[0, 60]), 3, &[1.0; 6], eased(Blend::Lerp)), 60);
    scene.clips[0].tracks[0].channels.push(Channel::whole(Property::Rotation, turned));
    let most = model_error(&conformed(&scene, &Conform::default()).1).unwrap();
    let tolerance = Tolerance::DEFAULT.length_m;
    // Less a tenth for poses between those that are looked at, and what whole numbers of keys leave.
    assert!((0.76 * tolerance..=tolerance).contains(&most), "{most}");
}

#[test]
fn a_scale_that_never_changes_is_lost_where_nobody_knows_the_rest_pose() {
    let losses = |scale: f32, hierarchy: Hierarchy| {
        let rest = Transform { scale: [scale.into(); 3], ..Transform::IDENTITY };
        let curve = wide(seconds(&[0.0, 1.0]), 3, &[scale; 6], Law::LINEAR);
        let mut scene = Scene { hierarchy, ..chain(&[rest]) };
        scene.clips.push(clip(2.0, vec![joint("n0", 0, vec![Channel::whole(Property::Scale, curve)])]));
        let mut report = Report::default();
        conform(&mut scene, &like_vmd(), &Conform::default(), &mut report);
        report.losses
    };
    let lost = [Loss::Dropped {
        what: "2 scale keys of 1 joint target".into(),
        why: "the target format has no place for them".into(),
    }];
    assert_eq!(losses(100.0, Hierarchy::Unknown), lost);
    assert_eq!(losses(1.0, Hierarchy::Unknown), []);
    assert_eq!(losses(100.0, Hierarchy::Known), []);
}
