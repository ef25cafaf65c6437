//! Bringing scenes within what a format can hold, and the report of it.

use crate::kit::*;
use dopesheet_core::diag::{ErrorUnit, Loss, MaxError, Report};
use dopesheet_core::format::{Capabilities, KeyLayout, LawSet};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Composition, Curve, Law, Laws, Marker, NodeIndex, Outside, PoseRelation,
    Property, Scene, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::sample::pose::{decompose, local_pose, model_pose, rest_pose};
use dopesheet_motion::{Conform, Range, Side, Tolerance, arrange, conform, trim};
use proptest::prelude::*;

fn conformed(scene: &Scene, capabilities: &Capabilities, options: Conform) -> (Scene, Report) {
    let (mut scene, mut report) = (scene.clone(), Report::default());
    arrange(&mut scene, capabilities);
    conform(&mut scene, capabilities, &options, &mut report);
    (scene, report)
}

/// One joint with some channels and a duration of two seconds.
fn moving(channels: Vec<Channel>) -> Scene {
    let mut scene = chain(&[Transform::IDENTITY]);
    scene.clips.push(clip(2.0, vec![joint("n0", 0, channels)]));
    scene
}

fn translation(times: Times, values: &[f32], law: Law) -> Channel {
    Channel::whole(Property::Translation, wide(times, 3, values, law))
}

fn channels(scene: &Scene) -> &[Channel] {
    &scene.clips[0].tracks[0].channels
}

fn kept(what: &str) -> Loss {
    Loss::Kept { what: what.into() }
}

fn dropped(what: &str) -> Loss {
    Loss::Dropped { what: what.into(), why: "the target format has no place for them".into() }
}

#[test]
fn what_fits_stays_as_it_is() {
    let channel =
        translation(seconds(&[0.0, 0.7, 2.0]), &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0], Law::LINEAR);
    let (scene, report) = conformed(&moving(vec![channel.clone()]), &like_gltf(), Conform::default());
    assert_eq!(channels(&scene), [channel]);
    assert_eq!(report.losses, [kept("translation: 1 channel, 3 keys")]);
}

#[test]
fn errors_of_positions_are_in_metres() {
    let source =
        moving(vec![translation(frames(&[0, 30]), &[0.0, 0.0, 0.0, 3.0, 4.0, 0.0], eased(Blend::Lerp))]);
    let worst = |metres_per_unit| {
        let mut source = source.clone();
        source.basis = Basis { metres_per_unit, ..Basis::GLTF };
        match conformed(&source, &like_gltf(), Conform::default()).1.losses.as_slice() {
            [Loss::Approximated { max_error: MaxError { value, unit, .. }, .. }, _] => (*value, *unit),
            other => panic!("{other:?}"),
        }
    };
    let allowed = Tolerance::DEFAULT.length_m;
    for metres_per_unit in [1.0, 0.5] {
        let (metres, unit) = worst(Some(metres_per_unit));
        assert_eq!(unit, ErrorUnit::Metre);
        assert!(metres > 0.5 * allowed && metres <= allowed, "{metres} of {allowed}");
    }
    assert_eq!(worst(None), worst(Some(1.0)), "an unknown unit counts as a metre, as in the tolerance");
}

#[test]
fn the_worst_target_is_named() {
    let mut scene = chain(&[Transform::IDENTITY; 2]);
    let of =
        |by: f32| vec![translation(seconds(&[0.0, 1.0]), &[0.0, 0.0, 0.0, by, 0.0, 0.0], eased(Blend::Lerp))];
    scene.clips.push(clip(1.0, vec![joint("n0", 0, of(9.0)), joint("n1", 1, of(1e-5))]));
    let (_, report) = conformed(&scene, &like_gltf(), Conform::default());
    assert!(matches!(&report.losses[0], Loss::Approximated { max_error, .. } if max_error.target == "n0"));
}

#[test]
fn baking_puts_a_key_on_every_frame_of_every_channel_that_moves() {
    let options = Conform { bake: FrameRate::new(24, 1), ..Conform::default() };
    let along = moving(vec![translation(seconds(&[0.0, 2.0]), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], Law::LINEAR)]);
    assert_eq!(only_curve(&channels(&conformed(&along, &like_gltf(), options).0)[0]).len(), 49);
    let source = moving(vec![translation(seconds(&[0.0, 2.0]), &[0.0; 6], Law::LINEAR)]);
    let (scene, report) = conformed(&source, &like_gltf(), options);
    assert_eq!(only_curve(&channels(&scene)[0]).len(), 1);
    assert_eq!(report.losses, [kept("translation: 1 channel, 2 keys")]);
    let (scene, _) = conformed(&source, &like_vmd(), options);
    assert_eq!(
        scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap().times,
        frames(&(0..=60).collect::<Vec<_>>()),
        "a format's own grid wins"
    );
}

#[test]
fn steps_stay_steps_where_the_format_has_them() {
    let channel = translation(seconds(&[0.0, 1.0]), &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], Law::STEP);
    let (scene, _) = conformed(&moving(vec![channel.clone()]), &like_gltf(), Conform::default());
    assert_eq!(channels(&scene), std::slice::from_ref(&channel));
    let (scene, report) = conformed(&moving(vec![channel]), &like_playcanvas(), Conform::default());
    let made = only_curve(&channels(&scene)[0]);
    assert_eq!((times_of(made), made.laws.clone()), (vec![0.0, 1.0, 1.0], Laws::uniform(Law::LINEAR)));
    assert_eq!(report.losses, [kept("translation: 1 channel, 2 keys")]);
}

#[test]
fn steps_are_cut_to_the_clip() {
    let ramp = Outside::Ramp { start: Seconds(-9.0), from: [7.0].into(), law: Law::STEP };
    let visible = |curve| Channel::whole(Property::Visible, curve);
    let curve = line(&[-1.0, 0.5, 1.0, 1.0, 5.0], &[1.0, 2.0, 3.0, 4.0, 5.0], Law::STEP);
    let late = Curve { before: ramp, ..line(&[1.0], &[1.0], Law::STEP) };
    let beyond = line(&[5.0], &[1.0], Law::STEP);
    let mut scene = Scene::new(Basis::GLTF);
    let tracks = [curve, late, beyond].map(|curve| track(TargetKind::Custom, "model", vec![visible(curve)]));
    scene.clips.push(clip(2.0, tracks.into()));
    let capabilities = Capabilities { parts: like_vmd().parts, ..like_gltf() };
    let (scene, _) = conformed(&scene, &capabilities, Conform::default());
    let keys: Vec<_> = scene.clips[0]
        .tracks
        .iter()
        .map(|t| only_curve(&t.channels[0]))
        .map(|c| (times_of(c), c.values.clone(), c.laws == Laws::uniform(Law::STEP)))
        .collect();
    assert_eq!(keys[0], (vec![0.0, 0.5, 1.0], vec![1.0, 2.0, 4.0], true));
    assert_eq!(keys[1], (vec![0.0, 1.0], vec![7.0, 1.0], true));
    assert_eq!(keys[2], (vec![0.0], vec![1.0], true));
}

#[test]
fn steps_go_to_the_nearest_frame_of_a_grid() {
    let visible = Channel::whole(Property::Visible, line(&[0.0, 0.51, 1.0], &[1.0, 0.0, 1.0], Law::STEP));
    let mut scene = chain(&[Transform::IDENTITY]);
    scene.clips.push(clip(2.0, vec![joint("n0", 0, vec![visible])]));
    let (scene, report) = conformed(&scene, &like_vmd(), Conform::default());
    assert_eq!(only_curve(&channels(&scene)[0]).times, frames(&[0, 15, 30]));
    let [Loss::Approximated { max_error, .. }] = report.losses.as_slice() else { panic!("{report:?}") };
    assert_eq!((max_error.value, max_error.time), (1.0, Seconds(0.51)));
}

#[test]
fn segments_of_different_laws_become_straight_where_laws_cannot_be_mixed() {
    let laws = Laws::from_segments([Law::STEP, Law::LINEAR]);
    let curve = Curve::new(seconds(&[0.0, 1.0, 2.0]), 3, vec![0.0; 9], laws);
    let channel =
        Channel::whole(Property::Translation, Curve { values: (0..9u8).map(f32::from).collect(), ..curve });
    let (scene, _) = conformed(&moving(vec![channel.clone()]), &like_gltf(), Conform::default());
    assert_eq!(times_of(only_curve(&channels(&scene)[0])), [0.0, 1.0, 1.0, 2.0]);
    let mixed = LawSet { mixed: true, ..like_gltf().vector_laws };
    let (scene, _) = conformed(
        &moving(vec![channel.clone()]),
        &Capabilities { vector_laws: mixed, ..like_gltf() },
        Conform::default(),
    );
    assert_eq!(channels(&scene), [channel]);
}

#[test]
fn hermite_stays_where_it_can_be_written() {
    let laws = LawSet { hermite: true, ..LawSet::LINEAR };
    let capabilities = Capabilities { vector_laws: laws, ..like_gltf() };
    let mut source = face_weights(hermite(&[0.0, 1.0], &[0.0, 1.0], &[1.0, 1.0], &[2.0, 2.0]));
    let (scene, _) = conformed(&source, &capabilities, Conform::default());
    assert_eq!(scene.clips, source.clips);
    source = face_weights(hermite(&[0.0, 1.0], &[0.0, 1.0], &[1.0, f32::INFINITY], &[2.0, 2.0]));
    let (scene, _) = conformed(&source, &capabilities, Conform::default());
    let made = only_curve(&scene.clips[0].tracks[0].channels[0]);
    assert_eq!(made.laws, Laws::uniform(Law::LINEAR), "an infinite tangent cannot be written");
}

fn face_weights(curve: Curve) -> Scene {
    let mut scene = chain(&[Transform::IDENTITY]);
    let channel = Channel::whole(Property::Weights, curve);
    scene.clips.push(clip(1.0, vec![track(TargetKind::Morph, "face", vec![channel])]));
    scene
}

#[test]
fn three_keys_at_one_time_become_two_and_a_jump_at_the_start_becomes_one_key() {
    let three = translation(seconds(&[0.0, 1.0, 1.0, 1.0]), &[0.0; 12], Law::LINEAR);
    let mut curve = only_curve(&three).clone();
    curve.values = (0..12u8).map(f32::from).collect();
    let (scene, _) = conformed(
        &moving(vec![Channel::whole(Property::Translation, curve.clone())]),
        &like_gltf(),
        Conform::default(),
    );
    assert_eq!(times_of(only_curve(&channels(&scene)[0])), [0.0, 1.0, 1.0]);
    curve.times = seconds(&[0.0, 0.0, 1.0, 2.0]);
    let (scene, _) = conformed(
        &moving(vec![Channel::whole(Property::Translation, curve)]),
        &like_gltf(),
        Conform::default(),
    );
    assert_eq!(times_of(only_curve(&channels(&scene)[0])), [0.0, 1.0, 2.0]);
}

#[test]
fn targets_without_a_standard_meaning_keep_straight_keys_but_not_those_outside() {
    let own = |times: &[f64]| {
        let channel = Channel::whole(Property::Value, line(times, &[0.0, 1.0], Law::LINEAR));
        let mut scene = Scene::new(Basis::GLTF);
        scene.clips.push(clip(2.0, vec![track(TargetKind::Custom, "pinch", vec![channel])]));
        scene
    };
    let capabilities = Capabilities { parts: like_vmd().parts, ..like_gltf() };
    let inside = own(&[0.0, 2.0]);
    assert_eq!(conformed(&inside, &capabilities, Conform::default()).0.clips, inside.clips);
    let (scene, _) = conformed(&own(&[-1.0, 3.0]), &capabilities, Conform::default());
    let times = times_of(only_curve(&channels(&scene)[0]));
    assert_eq!((times.first(), times.last()), (Some(&0.0), Some(&2.0)));
}

#[test]
fn what_has_no_place_is_dropped_and_counted() {
    let scale =
        |values: &[f32]| Channel::whole(Property::Scale, wide(seconds(&[0.0, 1.0]), 3, values, Law::LINEAR));
    let mut scene = chain(&[Transform::IDENTITY; 2]);
    let growing = scale(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    scene.clips.push(Clip {
        markers: vec![Marker { time: Seconds(1.0), name: "step".into(), data: None }],
        ..clip(2.0, vec![joint("n0", 0, vec![growing.clone()]), joint("n1", 1, vec![growing])])
    });
    let (made, report) = conformed(&scene, &like_vmd(), Conform::default());
    assert!(made.clips[0].tracks.is_empty() && made.clips[0].markers.is_empty());
    assert_eq!(report.losses, [dropped("1 marker"), dropped("4 scale keys of 2 joint targets")]);
}

#[test]
fn what_only_ever_shows_the_rest_pose_is_dropped_without_a_word() {
    let rest = Transform { scale: [2.0; 3], ..Transform::IDENTITY };
    let same = wide(seconds(&[0.0, 1.0]), 3, &[2.0; 6], Law::LINEAR);
    let component = |v: f32| line(&[0.0, 1.0], &[v, v], Law::LINEAR);
    let apart = Composition::Components(vec![component(2.0), component(2.0), component(2.0)]);
    let silent = |channel: Channel| {
        let mut scene = chain(&[rest]);
        scene.clips.push(clip(2.0, vec![joint("n0", 0, vec![channel])]));
        conformed(&scene, &like_vmd(), Conform::default()).1.losses.is_empty()
    };
    assert!(silent(Channel::whole(Property::Scale, same.clone())));
    assert!(silent(composed(Property::Scale, apart)));
    assert!(silent(native(
        Channel::whole(Property::Scale, Curve { values: vec![200.0; 6], ..same.clone() }),
        0.01
    )));
    assert!(silent(Channel::whole(
        Property::Scale,
        Curve { times: seconds(&[]), values: vec![], ..same.clone() }
    )));
    let ramp = Outside::Ramp { start: Seconds(-1.0), from: [1.0; 3].into(), law: Law::LINEAR };
    assert!(!silent(Channel::whole(Property::Scale, Curve { before: ramp, ..same })));
    let bends = hermite(&[0.0, 1.0], &[2.0; 6], &[0.0; 6], &[9.0; 6]);
    assert!(!silent(Channel::whole(Property::Scale, Curve { width: 3, ..bends })));
}

#[test]
fn on_top_of_rest_the_rest_is_no_change() {
    let of = |value: f32| {
        let channel = Channel::whole(Property::Scale, wide(seconds(&[0.0]), 3, &[value; 3], Law::LINEAR));
        let mut scene = chain(&[Transform { scale: [2.0; 3], ..Transform::IDENTITY }]);
        scene.clips.push(Clip {
            relation: PoseRelation::OnTopOfRest,
            ..clip(2.0, vec![joint("n0", 0, vec![channel])])
        });
        conformed(&scene, &like_vmd(), Conform::default()).1.losses.is_empty()
    };
    assert!(of(1.0) && !of(2.0));
}

#[test]
fn of_two_morphs_of_one_name_one_is_written_and_the_other_reported() {
    let mut scene = Scene::new(Basis::GLTF);
    let morph = |v: f32| track(TargetKind::Morph, "blink", vec![weight(line(&[0.0], &[v], Law::LINEAR))]);
    scene.clips.push(clip(1.0, vec![morph(0.5), morph(0.75)]));
    let (scene, report) = conformed(&scene, &like_vmd(), Conform::default());
    assert_eq!(scene.clips[0].tracks.len(), 1);
    assert!(matches!(&report.losses[0], Loss::Dropped { what, .. } if what == "weights of blink"));
}

#[test]
fn morphs_that_no_mesh_answers_to_are_reported() {
    let mut scene = Scene::new(Basis::GLTF);
    scene
        .morph_sets
        .push(dopesheet_core::model::MorphSet { morphs: vec!["smile".into()], ..Default::default() });
    let morphs = Some(dopesheet_core::model::MorphSetIndex(0));
    scene.push_node(dopesheet_core::model::Node { morphs, ..Default::default() });
    let blink = track(TargetKind::Morph, "blink", vec![weight(line(&[0.0], &[1.0], Law::LINEAR))]);
    scene.clips.push(clip(1.0, vec![blink]));
    let (_, report) = conformed(&scene, &like_gltf(), Conform::default());
    let why = "no mesh of the model has such morphs".into();
    assert_eq!(report.losses, [Loss::Dropped { what: "1 weight key of 1 morph target".into(), why }]);
}

#[test]
fn eased_axes_on_the_grid_stay_where_the_format_has_them() {
    let axis = |v: f32| wide(frames(&[0, 30]), 1, &[0.0, v], eased(Blend::Lerp));
    let ramp = Outside::Ramp { start: Seconds(0.0), from: [0.0].into(), law: eased(Blend::Lerp) };
    let axes: Vec<_> = [1.0, 2.0, 3.0].map(|v| Curve { before: ramp.clone(), ..axis(v) }).into();
    let translation = composed(Property::Translation, Composition::Components(axes));
    let values = [turn([0.0, 1.0, 0.0], 0.0), turn([0.0, 1.0, 0.0], 90.0)].concat();
    let rotation =
        Channel::whole(Property::Rotation, wide(frames(&[0, 30]), 4, &values, eased(Blend::Slerp)));
    let mut source = moving(vec![translation, rotation]);
    source.clips[0].relation = PoseRelation::OnTopOfRest;
    let (scene, report) = conformed(&source, &like_vmd(), Conform::default());
    assert_eq!(channels(&scene), channels(&source));
    assert!(report.losses.iter().all(|l| matches!(l, Loss::Kept { .. })));
    // Cut in the middle of a segment another curve is found for the rest of it.
    trim(&mut source.clips[0], Range { start: Seconds(0.5), end: Seconds(1.0) });
    let tolerance = Tolerance { length_m: 0.02, shell_m: None };
    let (scene, report) = conformed(&source, &like_vmd(), Conform { tolerance, ..Conform::default() });
    for curve in channels(&scene).iter().flat_map(|c| c.composition.curves()) {
        let times = times_of(curve);
        assert_eq!((times.first(), times.last()), (Some(&0.0), Some(&0.5)));
        assert!(times.len() < 8, "{times:?}");
    }
    assert!(report.losses.iter().all(|l| matches!(l, Loss::Approximated { .. })));
}

#[test]
fn a_node_whose_channels_differ_in_their_keys_gets_common_ones() {
    let values = [turn([0.0, 1.0, 0.0], 0.0), turn([0.0, 1.0, 0.0], 90.0)].concat();
    let rotation =
        Channel::whole(Property::Rotation, wide(frames(&[0, 10]), 4, &values, eased(Blend::Slerp)));
    let moved = translation(frames(&[0, 5]), &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], Law::LINEAR);
    let mut source = moving(vec![moved, rotation]);
    source.clips[0].relation = PoseRelation::OnTopOfRest;
    let fine = Tolerance { length_m: 1e-9, shell_m: None };
    let (exact, _) = conformed(&source, &like_vmd(), Conform { tolerance: fine, ..Conform::default() });
    for frame in 0..=10 {
        let time = FPS_30.seconds(f64::from(frame));
        let of = |scene: &Scene| local_pose(scene, &scene.clips[0], time).0[0];
        let (a, b) = (of(&source), of(&exact));
        assert!(apart(&Property::Rotation, &a.rotation, &b.rotation) < 1e-6, "frame {frame}");
        assert!(apart(&Property::Translation, &a.translation, &b.translation) < 1e-6);
    }
    let (scene, _) = conformed(&source, &like_vmd(), Conform::default());
    let allowed = Tolerance::DEFAULT.length_m;
    for frame in 0..=10 {
        let time = FPS_30.seconds(f64::from(frame));
        let of = |scene: &Scene| local_pose(scene, &scene.clips[0], time).0[0];
        let (a, b) = (of(&source), of(&scene));
        let turned = apart(&Property::Rotation, &a.rotation, &b.rotation);
        assert!(turned <= allowed / Tolerance::SHELL_M, "{turned} in frame {frame}");
        assert!(apart(&Property::Translation, &a.translation, &b.translation) <= allowed);
    }
    let lists: Vec<_> = channels(&scene).iter().flat_map(|c| c.composition.curves()).map(times_of).collect();
    assert!(lists.len() == 4 && lists.windows(2).all(|pair| pair[0] == pair[1]), "{lists:?}");
    assert!(lists[0].len() < 11 && lists[0].contains(&FPS_30.seconds(5.0).0), "{lists:?}");
}

#[test]
fn keys_of_one_node_within_a_microsecond_become_one() {
    let scale =
        Channel::whole(Property::Scale, wide(seconds(&[0.0, 1.000_000_5]), 3, &[1.0; 6], Law::LINEAR));
    let moved = translation(seconds(&[0.0, 1.0, 1.0, 2.0]), &[0.0; 12], Law::LINEAR);
    let (scene, _) = conformed(&moving(vec![moved, scale]), &like_playcanvas(), Conform::default());
    for channel in channels(&scene) {
        assert_eq!(times_of(only_curve(channel)), [0.0, 1.0, 1.0, 2.0]);
    }
    assert!(only_curve(&channels(&scene)[0]).times.is_same_list(&only_curve(&channels(&scene)[1]).times));
}

#[test]
fn an_orbit_stays_where_the_format_has_orbits() {
    let orbit = dopesheet_core::model::Orbit {
        target: vec![wide(frames(&[0, 30]), 1, &[0.0, 5.0], eased(Blend::Lerp)); 3],
        angles: wide(frames(&[0, 30]), 3, &[0.0; 6], eased(Blend::Lerp)),
        distance: wide(frames(&[0, 30]), 1, &[-45.0, -45.0], eased(Blend::Lerp)),
        order: dopesheet_core::model::EulerOrder::Yxz,
        angle_signs: [-1.0; 3],
        axis: [0.0, 0.0, 1.0],
    };
    let channel = composed(Property::Placement, Composition::Orbit(Box::new(orbit)));
    let mut scene = Scene::new(Basis::GLTF);
    scene.clips.push(clip(1.0, vec![track(TargetKind::Camera, "camera", vec![channel.clone()])]));
    assert_eq!(channels(&conformed(&scene, &like_vmd(), Conform::default()).0), [channel]);
    let (made, report) = conformed(&scene, &like_gltf(), Conform::default());
    assert_eq!(
        channels(&made).iter().map(|c| &c.property).collect::<Vec<_>>(),
        [&Property::Translation, &Property::Rotation]
    );
    assert_eq!(report.losses[0], kept("rotation: 1 channel, 2 keys"));
}

#[test]
fn a_clip_without_duration_is_one_pose() {
    let mut source =
        moving(vec![translation(seconds(&[-1.0, 1.0]), &[0.0, 0.0, 0.0, 2.0, 2.0, 2.0], Law::LINEAR)]);
    source.clips[0].duration = Seconds(0.0);
    for capabilities in [like_gltf(), like_playcanvas(), like_vmd()] {
        let (scene, _) = conformed(&source, &capabilities, Conform::default());
        let channel = &channels(&scene)[0];
        assert!(channel.composition.curves().all(|curve| times_of(curve) == [0.0]));
        assert_eq!(value(channel, 0.0, Side::At), [1.0; 3]);
    }
}

#[test]
fn channels_without_keys_leave_no_trace() {
    let empty = translation(seconds(&[]), &[], Law::LINEAR);
    let full = translation(seconds(&[0.0]), &[1.0; 3], Law::LINEAR);
    let (scene, _) = conformed(&moving(vec![empty, full.clone()]), &like_gltf(), Conform::default());
    assert_eq!(channels(&scene), [full]);
}

/// A scene of the same joints whose rest rotations are the identity and whose scales are 1.
fn unturned(scene: &Scene) -> Scene {
    let rest_pose = model_pose(scene, &rest_pose(scene));
    let mut out = scene.clone();
    for index in 0..out.nodes.len() {
        let own = rest_pose.0[index].translation;
        let parent = out.nodes[index].parent.map_or(glam::DVec3::ZERO, |p| rest_pose.0[p.0].translation);
        out.nodes[index].rest = Transform { translation: (own - parent).to_array(), ..Transform::IDENTITY };
    }
    out
}

fn any_straight_joint() -> impl Strategy<Value = Vec<Channel>> {
    let of = |property: Property, width: usize| {
        any_curve(Recipe::straight(width), false)
            .prop_map(move |curve| Channel::whole(property.clone(), held(curve)))
    };
    (of(Property::Translation, 3), of(Property::Rotation, 4)).prop_map(|(t, r)| vec![t, r])
}

fn any_scene() -> impl Strategy<Value = Scene> {
    let joints = prop::collection::vec((any_rest(), any_straight_joint()), 3);
    joints.prop_map(|joints| {
        let mut scene = chain(&joints.iter().map(|j| j.0).collect::<Vec<_>>());
        let tracks = joints.into_iter().enumerate().map(|(n, j)| joint(&format!("n{n}"), n, j.1)).collect();
        scene.clips.push(clip(3.0, tracks));
        scene
    })
}

/// Frames far from any jump.
fn quiet(scene: &Scene, time: f64) -> bool {
    let curves = scene.clips[0].tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves());
    !curves.into_iter().any(|c| times_of(c).iter().any(|t| (t - time).abs() < 1.5 / 30.0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(128)))]

    #[test]
    fn taking_the_rest_pose_out_leaves_every_joint_where_it_is(scene in any_scene()) {
        let tolerance = Tolerance { length_m: 1e-5, shell_m: None };
        let (relative, _) = conformed(&scene, &like_vmd(), Conform { tolerance, ..Conform::default() });
        prop_assert_eq!(relative.clips[0].relation, PoseRelation::OnTopOfRest);
        let flat = unturned(&relative);
        let rests = model_pose(&scene, &rest_pose(&scene)).0;
        for frame in 0..=90 {
            let time = FPS_30.seconds(f64::from(frame));
            if !quiet(&scene, time.0) {
                continue;
            }
            let of = |scene: &Scene| model_pose(scene, &local_pose(scene, &scene.clips[0], time)).0;
            for ((a, b), rest) in of(&scene).iter().zip(&of(&flat)).zip(&rests) {
                let [a, b, rest] = [a, b, rest].map(decompose);
                prop_assert!(apart(&Property::Translation, &a.translation, &b.translation) < 1e-3, "{:?} {:?}", a, b);
                let back = glam::DQuat::from_array(b.rotation) * glam::DQuat::from_array(rest.rotation);
                let turned = apart(&Property::Rotation, &a.rotation, &back.to_array());
                prop_assert!(turned < 1e-3, "{turned} at {time:?}");
            }
        }
    }

    #[test]
    fn on_top_of_rest_and_back_is_the_same_motion(scene in any_scene()) {
        let flat = unturned(&scene);
        let capabilities = Capabilities { grid: None, ..like_vmd() };
        let (relative, _) = conformed(&flat, &capabilities, Conform::default());
        let (absolute, _) = conformed(&relative, &like_gltf(), Conform::default());
        let (expected, _) = conformed(&flat, &like_gltf(), Conform::default());
        for time in (0..=300).map(|n| Seconds(f64::from(n) / 100.0 + 0.003)) {
            let of = |scene: &Scene| local_pose(scene, &scene.clips[0], time).0;
            for (a, b) in of(&expected).iter().zip(&of(&absolute)) {
                prop_assert!(apart(&Property::Translation, &a.translation, &b.translation) < 1e-5);
                prop_assert!(apart(&Property::Rotation, &a.rotation, &b.rotation) < 1e-5);
            }
        }
    }

    #[test]
    fn sharing_key_times_changes_nothing(scene in any_scene()) {
        let per_channel = Capabilities { layout: KeyLayout::PerChannel, ..like_playcanvas() };
        let (apart_keys, _) = conformed(&scene, &per_channel, Conform::default());
        let (common, _) = conformed(&scene, &like_playcanvas(), Conform::default());
        for track in &common.clips[0].tracks {
            let lists: Vec<_> = track.channels.iter().map(|c| &only_curve(c).times).collect();
            prop_assert!(lists.windows(2).all(|l| l[0] == l[1]));
        }
        for time in (0..=300).map(|n| f64::from(n) / 100.0 + 0.003) {
            for (a, b) in channel_pairs(&apart_keys, &common) {
                let error = apart(&a.property, &value(a, time, Side::At), &value(b, time, Side::At));
                prop_assert!(error < 1e-5, "{} at {}", error, time);
            }
        }
        for (a, b) in channel_pairs(&apart_keys, &common) {
            for time in times_of(only_curve(a)) {
                for side in [Side::Before, Side::At, Side::After] {
                    prop_assert!(apart(&a.property, &value(a, time, side), &value(b, time, side)) < 1e-5);
                }
            }
        }
    }

    #[test]
    fn every_result_keeps_to_the_rules_of_its_format(
        channels in prop::collection::vec(any_channel(), 1..4),
        duration in 0.0..3.0f64,
        baked in any::<bool>(),
    ) {
        let mut source = chain(&[Transform::IDENTITY; 4]);
        let tracks = channels.into_iter().enumerate().map(|(n, channel)| {
            let target = match channel.property {
                Property::Placement => TargetKind::Camera,
                Property::Weight | Property::Weights => TargetKind::Morph,
                _ => TargetKind::Joint,
            };
            let mut track = track(target, &format!("n{n}"), vec![channel]);
            track.target.node = Some(NodeIndex(n));
            track
        });
        source.clips.push(clip(duration, tracks.collect()));
        let bake = baked.then_some(FrameRate::FPS_60);
        for capabilities in [like_gltf(), like_playcanvas(), like_vmd()] {
            let (scene, report) = conformed(&source, &capabilities, Conform { bake, ..Conform::default() });
            prop_assert!(!report.losses.is_empty());
            for channel in scene.clips[0].tracks.iter().flat_map(|t| &t.channels) {
                channel.composition.curves().for_each(|curve| check_rules(channel, curve, duration, &capabilities));
            }
            for track in scene.clips[0].tracks.iter().filter(|t| shares_keys(t, &capabilities)) {
                let mut times = track.channels.iter().flat_map(|c| c.composition.curves()).map(|c| &c.times);
                let first = times.next();
                prop_assert!(times.all(|t| Some(t) == first));
            }
        }
    }
}

fn shares_keys(track: &Track, capabilities: &Capabilities) -> bool {
    capabilities.layout == KeyLayout::PerTarget && track.target.kind == TargetKind::Joint
}

fn channel_pairs<'a>(a: &'a Scene, b: &'a Scene) -> impl Iterator<Item = (&'a Channel, &'a Channel)> {
    let all = |scene: &'a Scene| scene.clips[0].tracks.iter().flat_map(|t| &t.channels);
    all(a).zip(all(b))
}

fn check_rules(channel: &Channel, curve: &Curve, duration: f64, capabilities: &Capabilities) {
    curve.validate().unwrap();
    let times = times_of(curve);
    assert!(!times.is_empty() && curve.values.iter().all(|v| v.is_finite()));
    let slack = if capabilities.grid.is_some() { 0.01 / 30.0 } else { 0.0 };
    assert!(times.iter().all(|t| *t >= 0.0 && *t <= duration + slack), "{times:?} of {duration}");
    assert!(times.windows(3).all(|t| t[0] < t[2]), "only pairs: {times:?}");
    let laws = match channel.property {
        Property::Rotation => &capabilities.rotation_laws,
        _ => &capabilities.vector_laws,
    };
    assert!(curve.laws.all(|law| laws.holds(law)), "{:?}", curve.laws);
    let starts_with = |law: Law| laws.bezier_timing && laws.holds(law);
    match &curve.before {
        Outside::Ramp { start, law, .. } => assert!(*start == Seconds(0.0) && starts_with(*law), "{law:?}"),
        before => assert_eq!(before, &Outside::Hold),
    }
    assert_eq!(curve.after, Outside::Hold);
    if capabilities.grid.is_some() {
        assert!(times.windows(2).all(|t| t[0] < t[1]));
        assert!(matches!(&curve.times, Times::Frames { rate, .. } if Some(*rate) == capabilities.grid));
    }
}

#[test]
fn a_camera_cut_between_neighbouring_frames_needs_no_key_where_the_format_cuts_there_itself() {
    let stepless = LawSet { step: false, ..like_vmd().vector_laws };
    let format = Capabilities { vector_laws: stepless, rotation_laws: stepless, ..like_vmd() };
    let laws = Laws::from_segments([Law::LINEAR, Law::STEP, Law::LINEAR]);
    let angle = Curve::new(frames(&[0, 20, 21, 60]), 1, vec![0.5, 0.6, 1.0, 1.1], laws);
    let mut scene = moving(vec![Channel::whole(Property::YFov, angle.clone())]);
    scene.clips[0].tracks[0].target.kind = TargetKind::Camera;
    let (kept, report) = conformed(&scene, &format, Conform::default());
    assert_eq!(channels(&kept)[0].composition, Composition::Whole(angle.clone()), "{report:?}");
    let mut wide_gap = scene.clone();
    let laws = Laws::from_segments([Law::LINEAR, Law::STEP, Law::LINEAR]);
    let slow = Curve::new(frames(&[0, 20, 25, 60]), 1, angle.values, laws);
    wide_gap.clips[0].tracks[0].channels = vec![Channel::whole(Property::YFov, slow.clone())];
    // A camera that holds until a cut is one more key, on the frame before it, which the format's own writer adds.
    let (kept, report) = conformed(&wide_gap, &format, Conform::default());
    assert_eq!(channels(&kept)[0].composition, Composition::Whole(slow), "{report:?}");
}
