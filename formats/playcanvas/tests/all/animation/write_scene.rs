//! Scenes as documents.

use crate::animation::golden::text;
use dopesheet_core::diag::{ConvertError, Loss, Report};
use dopesheet_core::format::{Format, FromScene};
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, Law, Laws, Marker, Native, Node, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_playcanvas::animation::{Animation, Document, PlayCanvas, Rotation};
use dopesheet_testkit::{read_reporting, rotation_angle};

fn channel(property: Property, times: &[f64], values: &[f32]) -> Channel {
    let (width, law) = if property == Property::Rotation { (4, Law::SLERP) } else { (3, Law::LINEAR) };
    let curve = Curve::new(Times::Seconds(times.into()), width, values.to_vec(), Laws::uniform(law));
    curve.validate().unwrap();
    Channel::whole(property, curve)
}

fn track(name: &str, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(TargetKind::Joint, name, 0, None), channels }
}

fn scene(duration: f64, tracks: Vec<Track>) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    scene.clips.push(Clip {
        name: Some("clip".into()),
        duration: Seconds(duration),
        tracks,
        ..Clip::default()
    });
    scene
}

fn made(scene: &Scene, options: &FromScene) -> Result<(Document, Report), ConvertError> {
    let mut report = Report::default();
    PlayCanvas::from_scene(scene, options, &mut report).map(|document| (document, report))
}

fn animation(scene: &Scene) -> Animation {
    let (document, _) = made(scene, &FromScene::default()).unwrap();
    let (again, report) = read_reporting::<PlayCanvas>(text(&document).as_bytes());
    assert_eq!(again.animation(), document.animation());
    assert_eq!(report, Report::default(), "the engine would read it as it is meant");
    document.animation().clone()
}

fn times(animation: &Animation) -> Vec<f64> {
    animation.nodes[0].keys.iter().map(|key| key.time).collect()
}

#[test]
fn a_clip_is_written_in_the_vendors_layout() {
    let position = channel(Property::Translation, &[0.0, 1.0], &[0.1, 0.0, 0.0, 0.2, 0.0, 0.0]);
    let (document, report) =
        made(&scene(1.0, vec![track("arm", vec![position])]), &FromScene::default()).unwrap();
    let expected = concat!(
        r#"{"animation":{"version":4,"name":"clip","duration":1,"nodes":[{"name":"arm","#,
        r#""defaults":{"r":[0,0,0],"s":[1,1,1]},"keys":[{"t":0,"p":[0.1,0,0]},{"t":1,"p":[0.2,0,0]}]}]}}"#
    );
    assert_eq!(text(&document), expected);
    assert!(matches!(&report.losses[..], [Loss::Kept { what }] if what == "2 keys of 1 node"));
}

#[test]
fn a_time_keeps_all_digits_of_its_f32_where_something_moves_fast() {
    let list = [0.0, f64::from(3.823_253f32), 4.0];
    assert_ne!(list[1], 3.823_253, "the shortest decimal is another moment");
    let written = |far: f32| {
        let values = [0.0, 0.0, 0.0, far, 0.0, 0.0, 0.0, 0.0, 0.0];
        let position = channel(Property::Translation, &list, &values);
        times(&animation(&scene(4.0, vec![track("arm", vec![position])])))
    };
    assert_eq!(written(500.0), list);
    assert_eq!(written(0.5), [0.0, 3.823_253, 4.0]);
}

#[test]
fn version_3_has_every_component_in_every_key() {
    let position = channel(Property::Translation, &[0.0, 1.0], &[0.0; 6]);
    let options = FromScene { variant: Some("3".into()), ..FromScene::default() };
    let (document, _) = made(&scene(1.0, vec![track("arm", vec![position])]), &options).unwrap();
    let expected = concat!(
        r#"{"animation":{"version":3,"name":"clip","duration":1,"nodes":[{"name":"arm","keys":["#,
        r#"{"time":0,"pos":[0,0,0],"rot":[0,0,0],"scale":[1,1,1]},"#,
        r#"{"time":1,"pos":[0,0,0],"rot":[0,0,0],"scale":[1,1,1]}]}]}}"#
    );
    assert_eq!(text(&document), expected);
}

#[test]
fn components_without_channel_come_from_the_rest_pose() {
    let mut scene = scene(0.0, vec![track("arm", vec![channel(Property::Scale, &[0.0], &[2.0; 3])])]);
    let turn = dopesheet_curve::quat_from_euler_degrees_zyx([10.0, 20.0, 30.0]);
    let rest = Transform { translation: [1.0, 2.0, 3.0], rotation: turn, ..Transform::IDENTITY };
    let index = scene.push_node(Node::new("arm", None, rest));
    scene.clips[0].tracks[0].target.node = Some(index);
    let animation = animation(&scene);
    let node = &animation.nodes[0];
    assert_eq!((node.defaults.position, node.defaults.scale), (Some([1.0, 2.0, 3.0]), Some([2.0; 3])));
    assert_eq!(node.defaults.rotation, Some([10.0, 20.0, 30.0]));
    assert_eq!(times(&animation), [0.0], "hoisting leaves a key");
}

#[test]
fn every_node_has_keys_at_both_ends_of_the_clip() {
    let position = channel(Property::Translation, &[0.5, 1.0], &[1.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    let animation = animation(&scene(2.0, vec![track("arm", vec![position])]));
    assert_eq!(times(&animation), [0.0, 0.5, 1.0, 2.0]);
    let x: Vec<f64> = animation.nodes[0].keys.iter().map(|key| key.position.unwrap()[0]).collect();
    assert_eq!(x, [1.0, 1.0, 3.0, 3.0]);
}

#[test]
fn channels_with_times_of_their_own_are_brought_together() {
    let position = channel(Property::Translation, &[0.0, 2.0], &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let scale = channel(Property::Scale, &[0.0, 0.5, 2.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0]);
    let animation = animation(&scene(2.0, vec![track("arm", vec![position, scale])]));
    assert_eq!(times(&animation), [0.0, 0.5, 2.0]);
    assert_eq!(animation.nodes[0].keys[1].position, Some([1.0, 0.0, 0.0]));
}

#[test]
fn a_jump_becomes_two_keys_a_step_of_f32_apart() {
    let jump = |from: f64| {
        let values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 9.0, 0.0, 0.0];
        let position = channel(Property::Translation, &[from, 1.0, 1.0, 2.0], &values);
        times(&animation(&scene(2.0, vec![track("arm", vec![position])])))
    };
    assert_eq!(jump(0.0), [0.0, 0.999_999_94, 1.0, 2.0]);
    let near = jump(1.0 - 2e-7);
    assert!(near.is_sorted_by(|a, b| a < b), "the key before is no later: {near:?}");
}

#[test]
fn the_vendors_six_digits_make_a_jump_a_ramp_and_say_so() {
    let values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 9.0, 0.0, 0.0];
    let position = channel(Property::Translation, &[0.0, 125.0, 125.0, 200.0], &values);
    let scene = scene(200.0, vec![track("arm", vec![position])]);
    let mut report = Report::default();
    let options = FromScene { variant: Some("4-vendor".into()), ..FromScene::default() };
    let document = PlayCanvas::from_scene(&scene, &options, &mut report).unwrap();
    assert_eq!(times(document.animation()), [0.0, 124.999, 125.0, 200.0]);
    let said = report.losses.iter().find_map(|loss| match loss {
        Loss::Dropped { what, why } => Some((what.as_str(), why.as_str())),
        _ => None,
    });
    let why = "times have 6 digits, so it takes up to 1 ms to reach the new value";
    assert_eq!(said, Some(("the sharpness of 1 jump", why)));
}

#[test]
fn a_jump_as_gltf_stores_it_is_one() {
    let before = f64::from(1.0f32.next_down());
    let values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 9.0, 0.0, 0.0];
    let position = channel(Property::Translation, &[0.0, before, 1.0, 2.0], &values);
    let animation = animation(&scene(2.0, vec![track("arm", vec![position])]));
    assert_eq!(times(&animation), [0.0, 0.999_999_94, 1.0, 2.0]);
    let x: Vec<f64> = animation.nodes[0].keys.iter().map(|key| key.position.unwrap()[0]).collect();
    assert_eq!(x, [0.0, 0.0, 9.0, 9.0]);
}

#[test]
fn a_jump_at_the_start_shows_the_new_value() {
    let position =
        channel(Property::Translation, &[0.0, 0.0, 1.0], &[5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let animation = animation(&scene(1.0, vec![track("arm", vec![position])]));
    assert_eq!(animation.nodes[0].keys[0].position, Some([1.0, 0.0, 0.0]));
    assert_eq!(times(&animation), [0.0, 1.0]);
}

#[test]
fn half_a_turn_gets_a_key_half_way() {
    let rotation = channel(Property::Rotation, &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1e-9]);
    let animation = animation(&scene(1.0, vec![track("arm", vec![rotation])]));
    assert_eq!(times(&animation), [0.0, 0.5, 1.0]);
    let Some(Rotation::Euler(middle)) = animation.nodes[0].keys[1].rotation else { panic!() };
    let turn = dopesheet_curve::quat_from_euler_degrees_zyx(middle);
    assert!(rotation_angle(turn, [0.0, 0.5f64.sqrt(), 0.0, 0.5f64.sqrt()]) < 1e-6, "{middle:?}");
}

#[test]
fn angles_run_on_without_jumps() {
    let turns: Vec<f32> = (0..8)
        .flat_map(|n| dopesheet_curve::quat_from_euler_degrees_zyx([0.0, 60.0 * f64::from(n), 0.0]))
        .map(|v| v as f32)
        .collect();
    let times: Vec<f64> = (0..8).map(f64::from).collect();
    let animation =
        animation(&scene(7.0, vec![track("arm", vec![channel(Property::Rotation, &times, &turns)])]));
    for (n, key) in animation.nodes[0].keys.iter().enumerate() {
        let Some(Rotation::Euler(angles)) = key.rotation else { panic!() };
        let wanted = [0.0, 60.0 * n as f64, 0.0];
        assert!(angles.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-4), "{n}: {angles:?}");
    }
}

#[test]
fn a_constant_rotation_is_hoisted_whatever_the_sign_of_its_quaternions() {
    let rotation = channel(Property::Rotation, &[0.0, 1.0], &[0.0, 0.6, 0.0, 0.8, 0.0, -0.6, 0.0, -0.8]);
    let animation = animation(&scene(1.0, vec![track("arm", vec![rotation])]));
    assert!(animation.nodes[0].defaults.rotation.is_some());
    assert_eq!(animation.nodes[0].keys[1].rotation, None);
}

#[test]
fn times_of_a_file_of_single_precision_are_written_short() {
    let time = f64::from(0.1f32);
    let position = channel(Property::Translation, &[0.0, time], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let animation = animation(&scene(time, vec![track("arm", vec![position])]));
    assert_eq!((times(&animation), animation.duration), (vec![0.0, 0.1], Some(0.1)));
}

#[test]
fn stored_units_are_turned_into_those_of_the_property() {
    let mut position = channel(Property::Translation, &[0.0, 1.0], &[100.0, 0.0, 0.0, 200.0, 0.0, 0.0]);
    position.native = Some(Native { name: "centimetres".into(), scale: 0.01 });
    let animation = animation(&scene(1.0, vec![track("arm", vec![position])]));
    assert_eq!(animation.nodes[0].keys[1].position, Some([2.0, 0.0, 0.0]));
}

#[test]
fn what_has_no_place_is_listed_once_per_kind() {
    let mut scene = scene(1.0, vec![track("arm", vec![channel(Property::Translation, &[0.0], &[0.0; 3])])]);
    let weight = Curve::new(Times::Seconds([0.0].into()), 1, vec![1.0], Laws::uniform(Law::LINEAR));
    let other = |kind, name: &str| Track {
        target: Target::new(kind, name, 0, None),
        channels: vec![Channel::whole(Property::Weight, weight.clone())],
    };
    let clip = &mut scene.clips[0];
    clip.tracks.extend([
        other(TargetKind::Morph, "a"),
        other(TargetKind::Morph, "b"),
        other(TargetKind::Camera, "c"),
        other(TargetKind::Light, "l"),
        other(TargetKind::Custom, "x"),
        other(TargetKind::Joint, "mesh"),
    ]);
    clip.tracks[0].channels.push(Channel {
        property: Property::Scale,
        composition: Composition::Components(vec![weight.clone(), weight.clone(), weight.clone()]),
        native: None,
    });
    clip.markers.push(Marker { time: Seconds(0.5), name: "step".into(), data: None });
    let (_, report) = made(&scene, &FromScene::default()).unwrap();
    insta::assert_debug_snapshot!(report.losses);
    scene.clips[0].tracks.remove(0);
    let error = made(&scene, &FromScene::default()).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn an_empty_motion_and_a_model_alone_are_files_without_nodes() {
    let (document, _) = made(&scene(1.0, vec![]), &FromScene::default()).unwrap();
    assert_eq!(text(&document), r#"{"animation":{"version":4,"name":"clip","duration":1,"nodes":[]}}"#);
    let (document, _) = made(&Scene::new(Basis::GLTF), &FromScene::default()).unwrap();
    assert_eq!(text(&document), r#"{"animation":{"version":4,"name":"","duration":0,"nodes":[]}}"#);
}

#[test]
fn nodes_of_one_name_are_written_and_reported() {
    let position = || channel(Property::Translation, &[0.0], &[0.0; 3]);
    let scene = scene(0.0, vec![track("arm", vec![position()]), track("arm", vec![position()])]);
    let (document, report) = made(&scene, &FromScene::default()).unwrap();
    assert_eq!(document.animation().nodes.len(), 2);
    assert!(report.losses.iter().any(
        |l| matches!(l, Loss::Dropped { what, .. } if what.contains("1 node with a name that repeats"))
    ));
}

#[test]
fn a_clip_without_name_is_called_like_its_file() {
    let mut scene = scene(0.0, vec![]);
    scene.clips[0].name = None;
    let options = FromScene { file_stems: vec!["walk".into()], ..FromScene::default() };
    assert_eq!(made(&scene, &options).unwrap().0.animation().name, "walk");
}

#[test]
fn the_older_shape_has_neither_version_nor_name_and_an_empty_default() {
    let position = channel(Property::Translation, &[0.0, 1.0], &[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    let options = FromScene { variant: Some("seed".into()), ..FromScene::default() };
    let (document, report) = made(&scene(1.0, vec![track("arm", vec![position])]), &options).unwrap();
    let key = |t: u8| format!(r#"{{"t":{t},"p":[1,2,3],"r":[0,0,0],"s":[1,1,1]}}"#);
    let keys = [key(0), key(1)].join(",");
    let nodes = format!(r#"[{{"name":"arm","default":{{}},"keys":[{keys}]}}]"#);
    assert_eq!(text(&document), format!(r#"{{"animation":{{"duration":1,"nodes":{nodes}}}}}"#));
    assert!(
        report
            .losses
            .iter()
            .any(|loss| matches!(loss, Loss::Dropped { what, .. } if what == "the name \"clip\""))
    );
}
