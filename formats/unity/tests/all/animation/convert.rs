//! Clips as scenes, and scenes as clips.

use crate::animation::fixtures::{clip, named, number, plain};
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::{Format, FromScene, ToScene};
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, EulerOrder, Law, Laws, Looping, Native, Node, NodeIndex,
    Outside, Property, RestPose, Scene, Target, TargetKind, Times, Timing, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::{Conform, Side, arrange, channel_at, conform};
use dopesheet_testkit::{close, read, rotation_angle};
use dopesheet_unity::UnityAnim;
use dopesheet_unity::animation::{Document, Keyframe};

fn scene_of(bytes: &[u8]) -> (Scene, Report) {
    let mut report = Report::default();
    (UnityAnim::to_scene(&read::<UnityAnim>(bytes), &ToScene::default(), &mut report).unwrap(), report)
}

fn channel<'a>(scene: &'a Scene, name: &str, property: &Property) -> &'a Channel {
    let tracks = scene.clips[0].tracks.iter().filter(|track| track.target.name == name);
    tracks.flat_map(|track| &track.channels).find(|channel| channel.property == *property).unwrap()
}

fn value(channel: &Channel, time: f64) -> Vec<f64> {
    let mut out = Vec::new();
    assert!(channel_at(channel, Seconds(time), Side::At, &mut out));
    out
}

/// As conversion does, with the scene in Unity's axes.
fn written(mut scene: Scene) -> (Document, Report) {
    let mut report = Report::default();
    let capabilities = UnityAnim::capabilities(&scene, None);
    arrange(&mut scene, &capabilities);
    conform(&mut scene, &capabilities, &Conform::default(), &mut report);
    (UnityAnim::from_scene(&scene, &FromScene::default(), &mut report).unwrap(), report)
}

/// One joint, moved by one channel for two seconds.
fn moving(channel: Channel) -> Scene {
    let mut scene = Scene::new(Basis::UNITY);
    scene.push_node(Node::new("Hips", None, Transform::IDENTITY));
    let target = Target::new(TargetKind::Joint, "Hips", 0, Some(NodeIndex(0)));
    let tracks = vec![Track { target, channels: vec![channel] }];
    scene.clips.push(Clip { duration: Seconds(2.0), tracks, ..Clip::default() });
    scene
}

fn seconds(times: &[f64]) -> Times {
    Times::Seconds(times.into())
}

#[test]
fn names_of_paths_hang_on_each_other() {
    let (scene, report) = scene_of(plain().as_bytes());
    let nodes: Vec<_> =
        scene.nodes.iter().map(|node| (node.name.as_str(), node.parent.map(|p| p.0))).collect();
    let expected =
        [("Armature", None), ("Hips", Some(0)), ("Spine", Some(1)), ("Body", None), ("Hat", Some(3))];
    assert_eq!(nodes, expected);
    assert_eq!(scene.rest, RestPose::Unknown);
    assert!(scene.nodes.iter().all(|node| node.rest == Transform::IDENTITY));
    assert_eq!(report.findings, []);
    let (scene, _) = scene_of(&named("root"));
    assert_eq!((scene.nodes.len(), scene.nodes[0].name.as_str()), (1, ""));
}

#[test]
fn curves_are_played_as_unity_plays_them() {
    let (scene, _) = scene_of(plain().as_bytes());
    let hips = channel(&scene, "Hips", &Property::Translation);
    // X: weights ½ and ⅓ with slopes 4 and −2 over half a second; at u = ½ of the parameter the time is 0.28125.
    let [y0, y1, y2, y3] = [1.0, 1.0 + 0.5 * 2.0, 2.0 + 1.0 / 3.0, 2.0];
    let middle = (y0 + 3.0 * y1 + 3.0 * y2 + y3) / 8.0;
    let time = 0.5 * (3.0 * 0.5 + 3.0 * (2.0 / 3.0) + 1.0) / 8.0;
    assert!(close(value(hips, time)[0], middle, 1e-6), "{:?}: {middle}", value(hips, time));
    // Y: straight from 3 to 1.5. Z: held.
    assert!(close(value(hips, 1.0)[1], 2.25, 1e-7));
    assert_eq!([0.0, 0.25, 0.499, 0.5].map(|time| value(hips, time)[2]), [3.0, 3.0, 3.0, -1.25]);
    // Four components, normalised; flat slopes make half-way the mean. It starts again behind its end.
    let spine = channel(&scene, "Spine", &Property::Rotation);
    let half = value(spine, 0.5);
    assert!(close(half.iter().map(|x| x * x).sum(), 1.0, 1e-12));
    let eighth = [0.0, 22.5f64.to_radians().sin(), 0.0, 22.5f64.to_radians().cos()];
    assert!(rotation_angle([half[0], half[1], half[2], half[3]], eighth) < 1e-7);
    assert_eq!(value(spine, 1.5), half);
}

#[test]
fn properties_are_what_they_mean() {
    let (scene, _) = scene_of(plain().as_bytes());
    let smile = channel(&scene, "笑い", &Property::Weight);
    assert_eq!([0.5, 1.0].map(|time| value(smile, time)[0]), [0.0, 1.0]);
    let hat = channel(&scene, "Hat", &Property::Visible);
    assert_eq!([0.0, 0.999, 1.0].map(|time| value(hat, time)[0]), [1.0, 1.0, 0.0]);
    let clip = &scene.clips[0];
    assert_eq!(
        (clip.name.as_deref(), clip.duration, clip.looping),
        (Some("Wave"), Seconds(1.5), Looping::Loop)
    );
    assert_eq!(clip.grid, Some(FrameRate::FPS_60));
    assert_eq!((clip.markers[0].name.as_str(), &clip.markers[0].data), ("スタート", &None));
    assert_eq!((clip.markers[1].name.as_str(), clip.markers[1].time), ("Footstep", Seconds(1.0)));
}

/// Unity turns about Z first, then X, then Y.
#[test]
fn angles_turn_in_unitys_order() {
    let (scene, _) = scene_of(&named("angles"));
    let tail = channel(&scene, "Tail", &Property::Rotation);
    assert!(matches!(tail.composition, Composition::Euler { order: EulerOrder::Yxz, .. }));
    let about = |axis: usize, degrees: f64| {
        let mut q = [0.0, 0.0, 0.0, (degrees.to_radians() / 2.0).cos()];
        q[axis] = (degrees.to_radians() / 2.0).sin();
        q
    };
    let product = |[ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]| {
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    };
    let expected = product(about(1, 50.0), product(about(0, 25.0), about(2, 75.0)));
    let found = value(tail, 0.5);
    assert!(rotation_angle([found[0], found[1], found[2], found[3]], expected) < 1e-6);
}

#[test]
fn parts_of_transforms_may_be_single_numbers() {
    let y = number("m_LocalPosition.y", "Hat", 4, ["1", "2"]);
    let angle = number("localEulerAnglesRaw.z", "Hat", 4, ["0", "90"]);
    let (scene, _) = scene_of(clip(&[], &[], &[], &[&y, &angle], "  m_Events: []\n").as_bytes());
    assert_eq!(value(channel(&scene, "Hat", &Property::Translation), 1.0), [0.0, 2.0, 0.0]);
    let turned = value(channel(&scene, "Hat", &Property::Rotation), 1.0);
    assert!(close(turned[2], 0.5f64.sqrt(), 1e-7) && close(turned[3], 0.5f64.sqrt(), 1e-7), "{turned:?}");
}

#[test]
fn lenses_are_cameras_and_other_numbers_keep_their_names() {
    let lens = number("field of view", "Rig/Eye", 20, ["60", "30"]);
    let cutoff = number("material._Cutoff", "Body", 137, ["0", "1"]);
    let (scene, _) = scene_of(clip(&[], &[], &[], &[&lens, &cutoff], "  m_Events: []\n").as_bytes());
    assert_eq!(scene.cameras.len(), 1);
    assert!(close(value(channel(&scene, "Eye", &Property::YFov), 1.0)[0], 30f64.to_radians(), 1e-9));
    assert_eq!(value(channel(&scene, "Body", &Property::Named("material._Cutoff".into())), 1.0), [1.0]);
}

#[test]
fn what_has_no_sense_elsewhere_is_dropped_with_its_number() {
    let mut said = String::new();
    for name in ["object-curves", "compressed", "nonfinite-value", "duplicate-curve"] {
        let (_, report) = scene_of(&named(name));
        report.losses.iter().for_each(|loss| said += &format!("{name}: {loss:?}\n"));
    }
    insta::assert_snapshot!(said);
}

/// A clip that becomes a scene and a clip again has the same keys with all that they hold.
#[test]
fn a_clip_comes_back_from_its_scene() {
    let mut seen = 0;
    for name in ["plain", "angles", "weighted", "without-weights", "root", "flags", "duplicate-key-time"] {
        let source = read::<UnityAnim>(&named(name));
        let (mut document, _) = written(scene_of(&named(name)).0);
        let (mut before, clip) = (source.file().clips[0].clone(), &mut document.file_mut().clips[0]);
        // Hints for the editor mean nothing elsewhere.
        for number in &mut before.float_curves {
            number.flags = None;
            number.curve.keys.iter_mut().for_each(|key| key.tangent_mode = 0);
        }
        before.settings.cycle_offset = 0.0;
        assert_eq!(clip.position_curves, before.position_curves, "{name}");
        assert_eq!(clip.rotation_curves, before.rotation_curves, "{name}");
        assert_eq!(clip.euler_curves, before.euler_curves, "{name}");
        assert_eq!(clip.float_curves, before.float_curves, "{name}");
        assert_eq!((&clip.events, &clip.settings), (&before.events, &before.settings), "{name}");
        assert_eq!(
            (clip.serialized_version, &clip.name),
            (before.serialized_version, &before.name),
            "{name}"
        );
        seen += 1;
    }
    assert_eq!(seen, 7);
}

#[test]
fn straight_and_stepped_keys_stay_what_they_are() {
    let laws = Laws::from_segments([Law::LINEAR, Law::STEP]);
    let curve =
        Curve::new(seconds(&[0.0, 0.5, 2.0]), 3, vec![0.0, 1.0, 2.0, 1.0, 1.0, -2.0, 5.0, 5.0, 5.0], laws);
    let source = Channel::whole(Property::Translation, curve);
    let (document, _) = written(moving(source.clone()));
    let keys = &document.file().clips[0].position_curves[0].curve.keys;
    assert_eq!(keys.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 0.5, 2.0]);
    assert_eq!((keys[0].out_slope, keys[1].in_slope), ([2.0, 0.0, -8.0], [2.0, 0.0, -8.0]));
    assert_eq!((keys[1].out_slope, keys[2].in_slope), ([f32::INFINITY; 3], [f32::INFINITY; 3]));
    assert!(keys.iter().all(|key| key.weighted_mode == 0));
}

/// Bezier timing of numbers is a cubic with weights, so that eased positions keep their keys.
#[test]
fn eased_positions_keep_their_keys_and_their_course() {
    let eased = |x1, y1, x2, y2| Law {
        timing: Timing::Bezier { x1, y1, x2, y2 },
        blend: dopesheet_core::model::Blend::Lerp,
    };
    let axis = |law: Law| Curve::new(seconds(&[0.0, 1.0, 2.0]), 1, vec![0.0, 3.0, -1.0], Laws::uniform(law));
    let axes = vec![axis(eased(0.5, 0.0, 0.5, 1.0)), axis(eased(0.1, 0.7, 0.9, 0.2)), axis(Law::LINEAR)];
    let source = Channel {
        composition: Composition::Components(axes),
        ..Channel::whole(Property::Translation, axis(Law::LINEAR))
    };
    let (document, report) = written(moving(source.clone()));
    assert_eq!(document.file().clips[0].position_curves[0].curve.keys.len(), 3);
    assert!(!report.losses.iter().any(|loss| matches!(loss, Loss::Approximated { .. })), "{report:?}");
    let text = UnityAnim::write(&document, &Default::default()).unwrap().main;
    let (back, _) = scene_of(&text);
    for step in 0..=100 {
        let time = f64::from(step) / 50.0;
        let (a, b) = (value(&source, time), value(channel(&back, "Hips", &Property::Translation), time));
        assert!(a.iter().zip(&b).all(|(a, b)| close(*b, *a, 1e-6)), "{time}: {a:?} {b:?}");
    }
}

/// Keys that are put between those of components with keys of their own change nothing.
#[test]
fn components_with_other_times_share_keys_without_a_change() {
    let key = |time: f32, value: f32, slope: f32, weight: f32| dopesheet_core::model::WeightedKey {
        in_slope: slope,
        out_slope: -slope,
        weighted: dopesheet_core::model::Weighted { arriving: weight > 0.4, leaving: weight > 0.0 },
        in_weight: weight,
        out_weight: weight,
        ..dopesheet_core::model::WeightedKey::flat(time, value)
    };
    let curve = |keys: &[dopesheet_core::model::WeightedKey]| {
        let times = keys.iter().map(|key| f64::from(key.time)).collect();
        dopesheet_core::model::curve_of_weighted_keys(Times::Seconds(times), keys)
    };
    let axes = vec![
        curve(&[key(0.0, 1.0, 2.0, 0.9), key(2.0, -1.0, 1.0, 0.5)]),
        curve(&[key(0.25, 0.0, -3.0, 0.0), key(0.75, 2.0, 0.5, 0.0), key(1.75, 1.0, f32::INFINITY, 0.0)]),
        curve(&[key(1.0, 4.0, 0.0, 0.0)]),
    ];
    let source = Channel {
        composition: Composition::Components(axes),
        ..Channel::whole(Property::Translation, curve(&[]))
    };
    let (document, report) = written(moving(source.clone()));
    let made = &document.file().clips[0].position_curves[0].curve;
    assert_eq!(made.keys.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 0.25, 0.75, 1.0, 1.75, 2.0]);
    let said = format!("{:?}", report.losses);
    assert!(said.contains("with 12 added keys in between") && !said.contains("Approximated"), "{said}");
    let (back, _) = scene_of(&UnityAnim::write(&document, &Default::default()).unwrap().main);
    for step in 0..=400 {
        let time = f64::from(step) / 200.0;
        let (a, b) = (value(&source, time), value(channel(&back, "Hips", &Property::Translation), time));
        assert!(a.iter().zip(&b).all(|(a, b)| close(*b, *a, 2e-6)), "{time}: {a:?} {b:?}");
    }
}

/// Components that repeat with different periods cannot share keys; they become numbers of the transform.
#[test]
fn components_that_repeat_in_their_own_times_stay_apart() {
    let mut axes: Vec<Curve> = [1.0, 1.5, 2.0]
        .map(|end| Curve::new(seconds(&[0.0, end]), 1, vec![0.0, 1.0], Laws::uniform(Law::LINEAR)))
        .into();
    axes[0].after = Outside::Loop;
    axes[1].after = Outside::PingPong;
    let source = Channel {
        composition: Composition::Components(axes),
        ..Channel::whole(Property::Scale, Curve::new(seconds(&[]), 3, vec![], Laws::uniform(Law::LINEAR)))
    };
    let (document, _) = written(moving(source.clone()));
    let clip = &document.file().clips[0];
    assert_eq!((clip.scale_curves.len(), clip.float_curves.len()), (0, 3));
    assert_eq!(clip.float_curves.iter().map(|own| own.curve.post_infinity).collect::<Vec<_>>(), [1, 0, 2]);
    let (back, _) = scene_of(&UnityAnim::write(&document, &Default::default()).unwrap().main);
    for time in [0.0, 0.9, 1.2, 1.9] {
        let (a, b) = (value(&source, time), value(channel(&back, "Hips", &Property::Scale), time));
        assert!(a.iter().zip(&b).all(|(a, b)| close(*b, *a, 1e-6)), "{time}: {a:?} {b:?}");
    }
}

/// Turns along great arcs become cubics that follow them, with the sign of the previous key.
#[test]
fn great_arcs_are_followed_and_signs_go_on() {
    let turn = |degrees: f64, sign: f64| {
        let half = degrees.to_radians() / 2.0;
        [0.0, half.sin() * sign, 0.0, half.cos() * sign].map(|x| x as f32)
    };
    let values = [turn(0.0, 1.0), turn(25.0, -1.0), turn(145.0, 1.0), turn(145.0, -1.0)].concat();
    let curve = Curve::new(seconds(&[0.0, 0.5, 1.5, 2.0]), 4, values, Laws::uniform(Law::SLERP));
    let source = Channel::whole(Property::Rotation, curve);
    let (document, report) = written(moving(source.clone()));
    let keys: &[Keyframe<4>] = &document.file().clips[0].rotation_curves[0].curve.keys;
    // Four authored keys; 120° are divided into four.
    assert_eq!(keys.len(), 7);
    let dot = |a: &Keyframe<4>, b: &Keyframe<4>| a.value.iter().zip(b.value).map(|(x, y)| x * y).sum::<f32>();
    assert!(keys.windows(2).all(|pair| dot(&pair[0], &pair[1]) > 0.0));
    let (back, _) = scene_of(&UnityAnim::write(&document, &Default::default()).unwrap().main);
    let mut worst: f64 = 0.0;
    for step in 0..=400 {
        let time = f64::from(step) / 200.0;
        let [a, b] = [&source, channel(&back, "Hips", &Property::Rotation)].map(|own| {
            let q = value(own, time);
            [q[0], q[1], q[2], q[3]]
        });
        worst = worst.max(rotation_angle(a, b));
    }
    // What is stated, and what f32 adds.
    assert!(worst < 7.4e-7 + 3e-7, "{worst:e}");
    assert!(format!("{:?}", report.losses).contains("great arcs of 1 rotation"), "{:?}", report.losses);
}

/// At 30 frames a second five decimal places move a component by 42e-9 at most.
#[test]
fn slopes_of_great_arcs_have_no_more_places_than_playing_needs() {
    let times: Vec<f64> = (0..60).map(|frame| f64::from(frame) / 30.0).collect();
    let turn = |time: &f64| {
        let half = (3.0 * time).sin() / 2.0;
        let along = half.sin() / 14f64.sqrt();
        [along, 2.0 * along, 3.0 * along, half.cos()].map(|x| x as f32)
    };
    let values: Vec<f32> = times.iter().flat_map(turn).collect();
    let source =
        Channel::whole(Property::Rotation, Curve::new(seconds(&times), 4, values, Laws::uniform(Law::SLERP)));
    let (document, report) = written(moving(source.clone()));
    let keys: &[Keyframe<4>] = &document.file().clips[0].rotation_curves[0].curve.keys;
    for slope in keys.iter().flat_map(|key| key.in_slope.into_iter().chain(key.out_slope)) {
        let places = slope.to_string().split_once('.').map_or(0, |(_, places)| places.len());
        assert!(places <= 5, "{slope}");
    }
    let (back, _) = scene_of(&UnityAnim::write(&document, &Default::default()).unwrap().main);
    let stated = report.losses.iter().find_map(|loss| match loss {
        Loss::Bounded { bound, unit: ErrorUnit::Radian, .. } => Some(*bound),
        _ => None,
    });
    for step in 0..=1000 {
        let time = 59.0 / 30.0 * f64::from(step) / 1000.0;
        let [a, b] = [&source, channel(&back, "Hips", &Property::Rotation)].map(|own| value(own, time));
        let angle = rotation_angle([a[0], a[1], a[2], a[3]], [b[0], b[1], b[2], b[3]]);
        // Values are of single precision as well.
        assert!(angle < stated.unwrap() + 2e-7, "{angle:e} at {time} s, stated {stated:?}");
    }
}

#[test]
fn angles_of_other_formats_become_quaternions() {
    let angle =
        |values: [f32; 2]| Curve::new(seconds(&[0.0, 2.0]), 1, values.into(), Laws::uniform(Law::LINEAR));
    let angles = vec![angle([10.0, 20.0]), angle([0.0, 400.0]), angle([-5.0, 5.0])];
    let degrees = Native { name: "angles_deg".into(), scale: 1f64.to_radians() };
    let composition = Composition::Euler { order: EulerOrder::Zxy, angles };
    let source = Channel { property: Property::Rotation, composition, native: Some(degrees) };
    let (document, _) = written(moving(source.clone()));
    let clip = &document.file().clips[0];
    assert_eq!((clip.euler_curves.len(), clip.rotation_curves.len()), (0, 1));
    let (back, _) = scene_of(&UnityAnim::write(&document, &Default::default()).unwrap().main);
    for step in 0..=200 {
        let time = f64::from(step) / 100.0;
        let [a, b] = [&source, channel(&back, "Hips", &Property::Rotation)].map(|own| {
            let q = value(own, time);
            [q[0], q[1], q[2], q[3]]
        });
        // The tolerance is a tenth of a millimetre at three centimetres from the joint.
        assert!(rotation_angle(a, b) <= 4e-3, "{} at {time}", rotation_angle(a, b));
    }
}

#[test]
fn names_that_are_no_part_of_a_path_are_changed_and_reported() {
    let mut scene = moving(Channel::whole(
        Property::Translation,
        Curve::new(seconds(&[0.0]), 3, vec![1.0, 2.0, 3.0], Laws::uniform(Law::STEP)),
    ));
    scene.nodes[0].name = "a/b".into();
    let (document, report) = written(scene);
    assert_eq!(document.file().clips[0].position_curves[0].path, "a_b");
    assert!(format!("{:?}", report.losses).contains("names of 1 node"), "{report:?}");
}

#[test]
fn a_model_alone_is_nothing_to_convert() {
    let mut scene = Scene::new(Basis::UNITY);
    scene.push_node(Node::new("Hips", None, Transform::IDENTITY));
    let error = UnityAnim::from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    assert_eq!(error.to_string(), "nothing to convert: 1 node and no motion, which is all that a clip holds");
}
