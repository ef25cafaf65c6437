//! Documents as scenes.

use crate::animation::fixtures::{hoisted, v4};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{
    Composition, Curve, Hierarchy, JumpSide, Law, Property, RestPose, Scene, TargetKind, Times, Transform,
};
use dopesheet_playcanvas::animation::PlayCanvas;
use dopesheet_testkit::read;
use std::sync::Arc;

fn scene_with(bytes: &[u8], options: &ToScene) -> (Scene, Report) {
    let mut report = Report::default();
    (PlayCanvas::to_scene(&read::<PlayCanvas>(bytes), options, &mut report).unwrap(), report)
}

fn scene(bytes: &[u8]) -> Scene {
    scene_with(bytes, &ToScene::default()).0
}

fn curve(scene: &Scene, track: usize, property: Property) -> &Curve {
    let channels = &scene.clips[0].tracks[track].channels;
    let channel = channels.iter().find(|channel| channel.property == property).unwrap();
    let Composition::Whole(curve) = &channel.composition else { panic!() };
    curve.validate().unwrap();
    curve
}

fn times(curve: &Curve) -> Vec<f64> {
    curve.times.iter().map(|time| time.0).collect()
}

#[test]
fn a_node_becomes_a_joint_with_a_channel_per_component() {
    let scene = scene(&hoisted());
    assert_eq!((scene.hierarchy, scene.basis.metres_per_unit), (Hierarchy::Unknown, None));
    let clip = &scene.clips[0];
    assert_eq!((clip.name.as_deref(), clip.duration.0), (Some("clip"), 1.0));
    let target = &clip.tracks[0].target;
    assert_eq!((target.kind, target.name.as_str(), target.index), (TargetKind::Joint, "left \"arm\"", 0));
    let properties: Vec<&Property> = clip.tracks[0].channels.iter().map(|c| &c.property).collect();
    assert_eq!(properties, [&Property::Translation, &Property::Rotation, &Property::Scale]);
    let translation = curve(&scene, 0, Property::Translation);
    assert_eq!(translation.values, [-0.0, 1.5, 0.002, 1.0, 2.0, 3.0]);
    assert_eq!((translation.laws.get(0), translation.jump), (Law::LINEAR, JumpSide::Before));
    let rotation = curve(&scene, 0, Property::Rotation);
    assert_eq!(rotation.laws.get(0), Law::SLERP);
    assert!(translation.times.is_same_list(&rotation.times), "equal times are one list");
    assert_eq!((scene.rest, scene.nodes[0].rest), (RestPose::Unknown, Transform::IDENTITY));
}

#[test]
fn a_hoisted_component_is_one_key() {
    let scene = scene(&hoisted());
    assert_eq!(times(curve(&scene, 0, Property::Scale)), [0.0]);
    assert_eq!(times(curve(&scene, 1, Property::Translation)), [0.0]);
}

#[test]
fn nodes_with_the_same_times_share_them() {
    let node =
        |name: &str| format!(r#"{{"name":"{name}","keys":[{{"t":0,"p":[0,0,0]}},{{"t":1,"p":[1,0,0]}}]}}"#);
    let scene = scene(&v4(&[node("a"), node("b")].join(",")));
    let [Times::Seconds(a), Times::Seconds(b)] =
        [0, 1].map(|track| curve(&scene, track, Property::Translation).times.clone())
    else {
        panic!()
    };
    assert!(Arc::ptr_eq(&a, &b));
}

#[test]
fn holes_are_gaps_in_one_channel_only() {
    let keys = r#"{"t":0,"p":[0,0,0],"r":[0,0,0]},{"t":0.5,"r":[0,9,0]},{"t":1,"p":[4,0,0],"r":null}"#;
    let scene = scene(&v4(&format!(r#"{{"name":"a","keys":[{keys}]}}"#)));
    assert_eq!(times(curve(&scene, 0, Property::Translation)), [0.0, 1.0]);
    assert_eq!(times(curve(&scene, 0, Property::Rotation)), [0.0, 0.5]);
    assert_eq!(scene.clips[0].tracks[0].channels.len(), 2);
}

#[test]
fn keys_are_sorted_and_runs_of_one_time_thinned_to_their_ends() {
    let key = |t: f64, x: u32| format!(r#"{{"t":{t},"p":[{x},0,0]}}"#);
    let keys = [key(1.0, 1), key(0.5, 2), key(0.5, 3), key(0.0, 4), key(0.5, 5), key(0.5, 6)].join(",");
    let (scene, report) = scene_with(&v4(&format!(r#"{{"name":"a","keys":[{keys}]}}"#)), &ToScene::default());
    let curve = curve(&scene, 0, Property::Translation);
    assert_eq!(times(curve), [0.0, 0.5, 0.5, 1.0]);
    let x: Vec<f32> = curve.values.chunks(3).map(|v| v[0]).collect();
    assert_eq!(x, [4.0, 2.0, 6.0, 1.0]);
    assert!(matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what.starts_with("2 keys")));
}

#[test]
fn of_nodes_with_one_name_the_last_with_keys_plays_at_the_first_place() {
    let node = |keys: &str| format!(r#"{{"name":"a","keys":[{keys}]}}"#);
    let nodes = [node(r#"{"t":0,"p":[1,0,0]}"#), node(r#"{"t":0,"p":[2,0,0]}"#), node("")].join(",");
    let (scene, report) = scene_with(&v4(&nodes), &ToScene::default());
    assert_eq!((scene.nodes.len(), scene.clips[0].tracks.len()), (1, 1));
    assert_eq!(curve(&scene, 0, Property::Translation).values, [2.0, 0.0, 0.0]);
    assert_eq!((scene.nodes[0].source_index, scene.clips[0].tracks[0].target.index), (Some(0), 0));
    assert!(matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what.starts_with("2 of 3 nodes")));
}

#[test]
fn a_node_without_anything_is_a_node_without_track() {
    let scene = scene(&v4(r#"{"name":"a","keys":[]},{"name":"b","defaults":{"p":[1,2,3]},"keys":null}"#));
    assert_eq!((scene.nodes.len(), scene.clips[0].tracks.len()), (2, 1));
    assert_eq!(times(curve(&scene, 0, Property::Translation)), [0.0]);
    assert_eq!(scene.clips[0].tracks[0].target.node.unwrap().0, 1);
}

#[test]
fn a_clip_without_name_takes_that_of_its_file() {
    let text = br#"{"animation":{"version":4,"name":"","nodes":[]}}"#;
    let options = ToScene { fallback_name: Some("walk".into()), ..ToScene::default() };
    assert_eq!(scene_with(text, &options).0.clips[0].name.as_deref(), Some("walk"));
    assert_eq!(scene(text).clips[0].name, None);
}

#[test]
fn numbers_too_large_for_a_curve_become_its_largest_and_are_counted() {
    let (scene, report) =
        scene_with(&v4(r#"{"name":"a","keys":[{"t":0,"p":[1e300,-1e39,1]}]}"#), &ToScene::default());
    assert_eq!(curve(&scene, 0, Property::Translation).values, [f32::MAX, f32::MIN, 1.0]);
    assert!(matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what.contains("2 numbers")));
}

#[test]
fn half_turns_are_stored_so_that_they_turn_the_engines_way() {
    let key = |t: u8, y: i32| format!(r#"{{"t":{t},"r":[0,{y},0]}}"#);
    for (y, sign) in [(180, 1.0), (-180, -1.0)] {
        let scene = scene(&v4(&format!(r#"{{"name":"a","keys":[{},{}]}}"#, key(0, 0), key(1, y))));
        let values = &curve(&scene, 0, Property::Rotation).values;
        let [a, b] = [0, 4].map(|n| [values[n], values[n + 1], values[n + 2], values[n + 3]].map(f64::from));
        let middle = dopesheet_curve::slerp(a, b, 0.5);
        assert!((middle[1] - sign * 0.5f64.sqrt()).abs() < 1e-6, "{y}: {middle:?}");
    }
}
