//! Joining a motion and the model it moves.

use crate::kit::*;
use dopesheet_core::diag::{Loss, Report, Severity};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Axis, Basis, Camera, CameraIndex, Channel, Composition, Hierarchy, Law, Lens, MeshIndex, MorphSet,
    MorphSetIndex, Node, NodeIndex, Property, Scene, Target, TargetKind, Track, Transform,
};
use dopesheet_motion::bind::{bind, skip_first_node};
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_motion::{Side, arrange};

fn moved(x: f32) -> Channel {
    Channel::whole(Property::Translation, wide(seconds(&[0.0]), 3, &[x, 0.0, 0.0], Law::LINEAR))
}

/// A motion that only knows names.
fn motion(names: &[&str]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    scene.hierarchy = Hierarchy::Unknown;
    for name in names {
        scene.push_node(Node::new(*name, None, Transform::IDENTITY));
    }
    let tracks = names.iter().enumerate().map(|(index, name)| joint(name, index, vec![moved(index as f32)]));
    scene.clips.push(clip(1.0, tracks.collect()));
    scene
}

fn nodes(parents: &[(&str, Option<usize>)]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for (name, parent) in parents {
        scene.push_node(Node::new(*name, parent.map(NodeIndex), Transform::IDENTITY));
    }
    scene
}

fn bound(motion: Scene, model: Scene) -> (Scene, Report) {
    bound_by(motion, model, &NameMap::default())
}

fn bound_by(motion: Scene, model: Scene, names: &NameMap) -> (Scene, Report) {
    let mut report = Report::default();
    (bind(motion, model, names, &mut report), report)
}

fn targets(scene: &Scene) -> Vec<(&str, Option<usize>)> {
    scene.clips[0].tracks.iter().map(|t| (t.target.name.as_str(), t.target.node.map(|n| n.0))).collect()
}

#[test]
fn tracks_go_to_the_nodes_of_their_names() {
    let (scene, report) = bound(motion(&["arm", "hip"]), nodes(&[("hip", None), ("arm", Some(0))]));
    assert_eq!(targets(&scene), [("arm", Some(1)), ("hip", Some(0))]);
    assert_eq!((scene.nodes.len(), report), (2, Report::default()));
}

#[test]
fn of_equal_names_the_first_in_depth_first_order_is_taken() {
    // In the list the second `hand` comes first; in the tree it hangs below the second child.
    let model =
        nodes(&[("root", None), ("left", Some(0)), ("right", Some(0)), ("hand", Some(2)), ("hand", Some(1))]);
    assert_eq!(targets(&bound(motion(&["hand"]), model).0), [("hand", Some(4))]);
}

#[test]
fn a_mesh_with_the_name_of_a_joint_takes_the_weights_and_the_joint_moves() {
    let mut model = nodes(&[("head", None), ("head", None)]);
    model.morph_sets.push(MorphSet { name: String::new(), morphs: vec!["smile".into()], rest: Vec::new() });
    model.nodes[0].mesh = Some(MeshIndex(0));
    model.nodes[0].morphs = Some(MorphSetIndex(0));
    let mut motion = motion(&["head"]);
    motion.nodes[0].morphs = Some(MorphSetIndex(0));
    motion.morph_sets = model.morph_sets.clone();
    let weights = Channel::whole(Property::Weights, wide(seconds(&[0.0]), 1, &[1.0], Law::LINEAR));
    let target = Target::new(TargetKind::Morph, "head", 0, Some(NodeIndex(0)));
    motion.clips[0].tracks.push(Track { target, channels: vec![weights] });
    assert_eq!(targets(&bound(motion, model).0), [("head", Some(1)), ("head", Some(0))]);
}

#[test]
fn names_are_mapped() {
    let names = NameMap::new([("センター".to_owned(), "hip".to_owned())]);
    let (scene, _) = bound_by(motion(&["センター"]), nodes(&[("hip", None)]), &names);
    assert_eq!(targets(&scene), [("センター", Some(0))]);
}

#[test]
fn what_the_model_lacks_is_left_out_and_listed_once() {
    let mut source = motion(&["tail", "hip", "ear", "tail"]);
    source.clips.push(source.clips[0].clone());
    let (scene, report) = bound(source, nodes(&[("hip", None)]));
    assert_eq!(targets(&scene), [("hip", Some(0))]);
    let [finding] = report.findings.as_slice() else { panic!("{report:?}") };
    assert_eq!((finding.severity, finding.fault.code), (Severity::Warning, "unbound-track"));
    assert_eq!(
        finding.fault.to_string(),
        "file: expected a node in the model for every moving node, found none for 2 of 3: ear, tail"
    );
    let Loss::Dropped { what, why } = &report.losses[0] else { panic!("{report:?}") };
    assert_eq!(
        (what.as_str(), why.as_str()),
        ("tracks of 2 nodes: ear, tail", "the model has no such nodes")
    );
}

#[test]
fn the_motion_takes_on_the_axes_of_the_model() {
    let mut source = motion(&["hip"]);
    source.basis = Basis { front: Axis::NegZ, metres_per_unit: Some(0.5), ..Basis::GLTF };
    source.clips[0].tracks[0].channels =
        vec![Channel::whole(Property::Translation, wide(seconds(&[0.0]), 3, &[2.0, 4.0, 6.0], Law::LINEAR))];
    let (scene, _) = bound(source, nodes(&[("hip", None)]));
    assert_eq!(scene.basis, Basis::GLTF);
    assert_eq!(value(&scene.clips[0].tracks[0].channels[0], 0.0, Side::At), [1.0, 2.0, -3.0]);
}

fn camera_on(scene: &mut Scene, node: usize) {
    let lens = Lens::Perspective { yfov_rad: 0.5, aspect: None };
    scene.cameras.push(Camera { name: "eye".into(), lens, near: 0.1, far: None });
    scene.nodes[node].camera = Some(CameraIndex(0));
    let target = Target::new(TargetKind::Camera, "eye", 0, Some(NodeIndex(node)));
    scene.clips[0].tracks.push(Track { target, channels: vec![moved(5.0)] });
}

#[test]
fn cameras_and_lights_join_the_model() {
    let mut source = motion(&["hip"]);
    source.push_node(Node::new("Camera", None, Transform::IDENTITY));
    camera_on(&mut source, 1);
    let mut model = nodes(&[("hip", None), ("Camera", None)]);
    model.cameras.push(Camera { near: 9.0, ..source.cameras[0].clone() });
    let (scene, _) = bound(source, model);
    assert_eq!(targets(&scene), [("hip", Some(0)), ("eye", Some(2))]);
    assert_eq!(scene.nodes[2].camera, Some(CameraIndex(1)));
    assert_eq!(scene.cameras[1].near, 0.1);
}

#[test]
fn a_camera_that_looks_along_another_axis_still_moves() {
    let mut source = motion(&["hip"]);
    source.basis = Basis { camera_looks: Axis::PosZ, ..Basis::GLTF };
    source.push_node(Node::new("Camera", None, Transform::IDENTITY));
    camera_on(&mut source, 1);
    let (scene, _) = bound(source, nodes(&[("hip", None)]));
    let (index, lens) = scene.nodes.iter().enumerate().find(|(_, n)| n.camera.is_some()).unwrap();
    assert_eq!(lens.name, "Camera_Lens");
    let pose = model_pose(&scene, &local_pose(&scene, &scene.clips[0], dopesheet_core::units::Seconds(0.0)));
    assert_eq!(pose.0[index].translation.to_array(), [5.0, 0.0, 0.0]);
}

#[test]
fn a_camera_below_a_joint_hangs_below_that_joint_of_the_model() {
    let mut source = motion(&["hip"]);
    let rig = source.push_node(Node::new("rig", Some(NodeIndex(0)), Transform::IDENTITY));
    source.push_node(Node::new("Camera", Some(rig), Transform::IDENTITY));
    camera_on(&mut source, 2);
    source.clips[0].tracks.push(joint("rig", 1, vec![moved(7.0)]));
    let (scene, report) = bound(source, nodes(&[("root", None), ("hip", Some(0))]));
    assert_eq!(targets(&scene), [("hip", Some(1)), ("eye", Some(3)), ("rig", Some(2))]);
    assert_eq!([2, 3].map(|n: usize| scene.nodes[n].parent), [Some(NodeIndex(1)), Some(NodeIndex(2))]);
    assert_eq!(report, Report::default());
}

fn with_weights(names: &[&str], node: &str) -> Scene {
    let mut scene = nodes(&[("root", None), (node, Some(0))]);
    let morphs = names.iter().map(|n| n.to_string()).collect();
    scene.morph_sets.push(MorphSet { name: "face".into(), morphs, rest: vec![] });
    scene.nodes[1].morphs = Some(MorphSetIndex(0));
    let curves = (1..=names.len()).map(|n| line(&[0.0], &[n as f32 / 8.0], Law::LINEAR)).collect();
    let channel = composed(Property::Weights, Composition::Components(curves));
    let target = Target::new(TargetKind::Morph, "face", 1, Some(NodeIndex(1)));
    scene.clips.push(clip(1.0, vec![Track { target, channels: vec![channel] }]));
    scene
}

#[test]
fn weights_of_the_same_morphs_stay_a_vector() {
    let mut model = with_weights(&["a", "b"], "head");
    model.clips.clear();
    model.nodes.insert(0, Node::new("world", None, Transform::IDENTITY));
    model.nodes[1].parent = Some(NodeIndex(0));
    model.nodes[2].parent = Some(NodeIndex(1));
    let (scene, _) = bound(with_weights(&["a", "b"], "head"), model);
    assert_eq!(targets(&scene), [("face", Some(2))]);
    assert_eq!(scene.clips[0].tracks[0].channels[0].property, Property::Weights);
}

#[test]
fn weights_of_other_morphs_go_by_their_names() {
    let model = with_weights(&["b", "c", "a"], "face mesh");
    let (mut scene, _) = bound(with_weights(&["a", "b"], "head"), model);
    assert_eq!(targets(&scene), [("a", None), ("b", None)]);
    arrange(&mut scene, &like_gltf());
    assert_eq!(value(&scene.clips[0].tracks[0].channels[0], 0.0, Side::At), [0.25, 0.0, 0.125]);
}

#[test]
fn switches_need_no_node() {
    let mut source = motion(&[]);
    let visible = Channel::whole(Property::Visible, line(&[0.0], &[1.0], Law::STEP));
    source.clips[0].tracks = vec![
        track(TargetKind::Custom, "model", vec![visible.clone()]),
        track(TargetKind::Morph, "smile", vec![weight(line(&[0.0], &[1.0], Law::LINEAR))]),
        track(TargetKind::Hand, "left", vec![visible]),
    ];
    let (scene, report) = bound(source, nodes(&[("hip", None)]));
    assert_eq!(targets(&scene), [("model", None), ("smile", None), ("left", None)]);
    assert_eq!(report, Report::default());
}

#[test]
fn parents_that_do_not_exist_are_none() {
    let model = nodes(&[("hip", Some(7)), ("arm", Some(0))]);
    assert_eq!(targets(&bound(motion(&["arm"]), model).0), [("arm", Some(1))]);
}

#[test]
fn the_first_animated_node_can_be_skipped() {
    let mut source = motion(&["root", "hip"]);
    source.clips[0].tracks.insert(0, track(TargetKind::Camera, "eye", vec![moved(1.0)]));
    skip_first_node(&mut source);
    assert_eq!(targets(&source), [("eye", None), ("hip", Some(1))]);
    let mut empty = motion(&[]);
    skip_first_node(&mut empty);
    assert!(empty.clips[0].tracks.is_empty());
}

/// A model whose root is scaled, and a motion that scales that root at 0 s and 1 s.
fn scaled(rest: f64, keys: [f32; 2]) -> Report {
    let mut model = nodes(&[("root", None), ("hip", Some(0))]);
    model.nodes[0].rest.scale = [rest; 3];
    let values = keys.map(|key| [key; 3]).concat();
    let mut scene = motion(&["root", "hip"]);
    for track in &mut scene.clips[0].tracks {
        let scale = wide(seconds(&[0.0, 1.0]), 3, &values, Law::LINEAR);
        track.channels.push(Channel::whole(Property::Scale, scale));
    }
    bound(scene, model).1
}

#[test]
fn a_clip_that_overrides_the_scale_of_the_root_is_said_to_resize_the_model() {
    let report = scaled(0.01, [1.0, 1.0]);
    let [finding] = &report.findings[..] else { panic!("{report:?}") };
    assert_eq!((finding.fault.code, finding.severity), ("root-scale", Severity::Warning));
    let said = finding.fault.to_string();
    assert!(said.contains("\"root\", 0.01") && said.contains("100 times as large"), "{said}");
    // A pulse starts and ends at the model's own size.
    for same in [scaled(1.0, [1.0, 1.5]), scaled(0.01, [0.01, 0.0101]), scaled(2.0, [0.5, 2.0])] {
        assert_eq!(same, Report::default());
    }
}
