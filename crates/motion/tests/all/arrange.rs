//! Putting a scene the way a format puts it changes no value.

use crate::kit::*;
use dopesheet_core::format::{Capabilities, Parts};
use dopesheet_core::model::{
    Axis, Basis, Blend, Channel, Clip, Composition, Curve, EulerOrder, Law, Mesh, MeshIndex, MorphSet,
    MorphSetIndex, Node, NodeIndex, Outside, PoseRelation, Property, Scene, Target, TargetKind, Track,
    Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::local_pose;
use dopesheet_motion::{Side, arrange};
use proptest::prelude::*;

fn rest(degrees: f64) -> Transform {
    let rotation = turn([0.0, 1.0, 0.0], degrees).map(f64::from);
    Transform { translation: [1.0, 2.0, 3.0], rotation, scale: [2.0, 1.0, 0.5] }
}

fn on_top(tracks: Vec<Track>) -> Clip {
    Clip { relation: PoseRelation::OnTopOfRest, ..clip(2.0, tracks) }
}

/// The weight of a morph at a time, however the scene keeps it.
fn weight_at(scene: &Scene, name: &str, time: f64) -> Option<f64> {
    let mut found = None;
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks) {
        for channel in &track.channels {
            let index = match channel.property {
                Property::Weight => (track.target.name == name).then_some(0),
                Property::Weights => {
                    let set = track.target.node.and_then(|n| scene.nodes[n.0].morphs).unwrap();
                    scene.morph_sets[set.0].morphs.iter().position(|m| m == name)
                }
                _ => None,
            };
            found = index.map(|index| value(channel, time, Side::At)[index]).or(found);
        }
    }
    found
}

fn morph(name: &str, values: [f32; 2]) -> Track {
    track(TargetKind::Morph, name, vec![weight(line(&[0.5, 1.5], &values, Law::LINEAR))])
}

fn face(names: &[&str], rest: &[f32]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let morphs = names.iter().map(|n| n.to_string()).collect();
    scene.morph_sets.push(MorphSet { name: "face".into(), morphs, rest: rest.to_vec() });
    scene.push_node(Node::new("root", None, Transform::IDENTITY));
    scene.push_node(Node {
        morphs: Some(MorphSetIndex(0)),
        ..Node::new("head", Some(NodeIndex(0)), Transform::IDENTITY)
    });
    scene
}

#[test]
fn translations_rotations_and_scales_on_top_of_rest_become_absolute() {
    let mut scene = chain(&[rest(90.0)]);
    let translation = wide(seconds(&[0.0]), 3, &[10.0, 20.0, 30.0], Law::LINEAR);
    let rotation = wide(seconds(&[0.0]), 4, &turn([0.0, 1.0, 0.0], 90.0), Law::SLERP);
    let scale = wide(seconds(&[0.0]), 3, &[3.0; 3], Law::LINEAR);
    let channels = vec![
        Channel::whole(Property::Translation, translation),
        Channel::whole(Property::Rotation, rotation),
        Channel::whole(Property::Scale, scale),
    ];
    scene.clips.push(on_top(vec![joint("n0", 0, channels)]));
    arrange(&mut scene, &like_gltf());
    assert_eq!(scene.clips[0].relation, PoseRelation::Absolute);
    let channels = &scene.clips[0].tracks[0].channels;
    assert_eq!(only_curve(&channels[0]).values, [11.0, 22.0, 33.0]);
    let half_turn = value(&channels[1], 0.0, Side::At);
    assert!(apart(&Property::Rotation, &half_turn, &[0.0, 1.0, 0.0, 0.0]) < 1e-6);
    assert_eq!(only_curve(&channels[2]).values, [6.0, 3.0, 1.5]);
}

#[test]
fn what_is_added_is_in_the_unit_of_the_source() {
    let mut scene = chain(&[rest(0.0)]);
    let centimetres = native(
        Channel::whole(Property::Translation, wide(seconds(&[0.0]), 3, &[100.0; 3], Law::LINEAR)),
        0.01,
    );
    scene.clips.push(on_top(vec![joint("n0", 0, vec![centimetres])]));
    arrange(&mut scene, &like_gltf());
    let moved = value(&scene.clips[0].tracks[0].channels[0], 0.0, Side::At);
    assert!(apart(&Property::Translation, &moved, &[2.0, 3.0, 4.0]) < 1e-6);
}

#[test]
fn a_rotation_without_direction_on_top_of_rest_is_the_rest() {
    let mut scene = chain(&[rest(90.0)]);
    let zero = Channel::whole(Property::Rotation, wide(seconds(&[0.0]), 4, &[0.0; 4], Law::SLERP));
    scene.clips.push(on_top(vec![joint("n0", 0, vec![zero])]));
    let before = local_pose(&scene, &scene.clips[0], Seconds(0.0)).0[0].rotation;
    arrange(&mut scene, &like_gltf());
    let after = local_pose(&scene, &scene.clips[0], Seconds(0.0)).0[0].rotation;
    assert!(apart(&Property::Rotation, &before, &after) < 1e-6);
}

#[test]
fn a_turned_node_with_euler_angles_waits_for_conform() {
    let mut scene = chain(&[rest(90.0)]);
    let angles = vec![wide(seconds(&[0.0, 1.0]), 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], Law::LINEAR)];
    let euler = composed(Property::Rotation, Composition::Euler { order: EulerOrder::Xyz, angles });
    scene.clips.push(on_top(vec![joint("n0", 0, vec![euler])]));
    let before = local_pose(&scene, &scene.clips[0], Seconds(0.5));
    arrange(&mut scene, &like_gltf());
    assert_eq!(scene.clips[0].relation, PoseRelation::OnTopOfRest);
    assert_eq!(local_pose(&scene, &scene.clips[0], Seconds(0.5)), before);
    dopesheet_motion::conform(&mut scene, &like_gltf(), &Default::default(), &mut Default::default());
    assert_eq!(scene.clips[0].relation, PoseRelation::Absolute);
    let after = local_pose(&scene, &scene.clips[0], Seconds(0.5)).0[0].rotation;
    assert!(apart(&Property::Rotation, &before.0[0].rotation, &after) < 1e-6);
}

#[test]
fn morphs_of_a_model_become_one_vector_with_their_own_keys() {
    let mut scene = face(&["smile", "blink", "pout"], &[0.0, 0.0, 0.25]);
    scene.clips.push(clip(2.0, vec![morph("blink", [0.0, 1.0]), morph("smile", [0.5, 0.25])]));
    arrange(&mut scene, &like_gltf());
    let [weights] = scene.clips[0].tracks.as_slice() else { panic!("one track") };
    assert_eq!((weights.target.kind, weights.target.node), (TargetKind::Morph, Some(NodeIndex(1))));
    let of = |time| value(&weights.channels[0], time, Side::At);
    assert_eq!((of(0.0), of(1.5)), (vec![0.5, 0.0, 0.25], vec![0.25, 1.0, 0.25]));
}

#[test]
fn morphs_that_no_mesh_has_stay_tracks_of_their_own() {
    let mut scene = face(&["smile"], &[]);
    scene.clips.push(clip(2.0, vec![morph("smile", [0.0, 1.0]), morph("base", [0.0, 0.0])]));
    arrange(&mut scene, &like_gltf());
    let names: Vec<_> = scene.clips[0].tracks.iter().map(|t| t.target.name.as_str()).collect();
    // The node, not its mesh, of which there may be several.
    assert_eq!(names, ["base", "head"]);
}

#[test]
fn a_motion_without_a_model_gets_a_node_for_its_morphs() {
    let mut scene = Scene::new(Basis::GLTF);
    scene.morph_sets.push(MorphSet::default());
    scene.clips.push(clip(2.0, vec![morph("a", [0.0, 1.0]), morph("b", [1.0, 0.0])]));
    scene.clips.push(clip(2.0, vec![morph("b", [0.5, 1.0]), morph("c", [1.0, 0.0])]));
    arrange(&mut scene, &like_gltf());
    assert_eq!((scene.nodes.len(), scene.nodes[0].morphs), (1, Some(MorphSetIndex(1))));
    assert_eq!(scene.morph_sets[1].morphs, ["a", "b", "c"]);
    let second = value(&scene.clips[1].tracks[0].channels[0], 0.0, Side::At);
    assert_eq!(second, [0.0, 0.5, 1.0]);
}

#[test]
fn morphs_that_a_model_lacks_get_no_mesh_at_the_origin() {
    let mut scene = Scene::new(Basis::GLTF);
    let body = Node { mesh: Some(MeshIndex(0)), ..Node::new("body", None, Transform::IDENTITY) };
    scene.push_node(body);
    scene.meshes.push(Mesh::default());
    scene.clips.push(clip(2.0, vec![morph("smile", [0.0, 1.0])]));
    arrange(&mut scene, &like_gltf());
    assert_eq!((scene.nodes.len(), scene.morph_sets.len()), (1, 0));
    assert_eq!(scene.clips[0].tracks[0].target.name, "smile");
}

#[test]
fn a_motion_without_morphs_gets_no_node_for_them() {
    let mut scene = Scene::new(Basis::GLTF);
    scene.clips.push(clip(1.0, vec![]));
    arrange(&mut scene, &like_gltf());
    assert_eq!((scene.nodes.len(), scene.morph_sets.len()), (0, 0));
}

#[test]
fn units_of_weights_are_scaled_both_ways() {
    let mut scene = face(&["smile"], &[]);
    let percent = native(weight(line(&[0.0], &[50.0], Law::LINEAR)), 0.01);
    scene.clips.push(clip(2.0, vec![track(TargetKind::Morph, "smile", vec![percent])]));
    arrange(&mut scene, &like_gltf());
    assert_eq!(weight_at(&scene, "smile", 0.0), Some(0.5));
    scene.clips[0].tracks[0].channels[0] = native(scene.clips[0].tracks[0].channels[0].clone(), 0.5);
    arrange(&mut scene, &like_vmd());
    assert_eq!(weight_at(&scene, "smile", 0.0), Some(0.25));
}

#[test]
fn a_vector_in_one_curve_is_taken_apart_with_all_that_belongs_to_it() {
    let mut scene = face(&["a", "b"], &[]);
    let wide = hermite(&[0.0, 1.0], &[0.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]);
    let before = Outside::Ramp { start: Seconds(-1.0), from: [8.0, 9.0].into(), law: Law::LINEAR };
    let curve = Curve { width: 2, before, ..wide };
    let target = Target::new(TargetKind::Morph, "head", 1, Some(NodeIndex(1)));
    scene
        .clips
        .push(clip(1.0, vec![Track { target, channels: vec![Channel::whole(Property::Weights, curve)] }]));
    let expected: Vec<_> =
        [-0.5, 0.3, 0.7].map(|t| value(&scene.clips[0].tracks[0].channels[0], t, Side::At)).into();
    arrange(&mut scene, &like_vmd());
    let names: Vec<_> = scene.clips[0].tracks.iter().map(|t| t.target.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    for (time, expected) in [-0.5, 0.3, 0.7].into_iter().zip(expected) {
        let found: Vec<_> = ["a", "b"].map(|n| weight_at(&scene, n, time).unwrap()).into();
        assert_eq!(found, expected);
    }
}

#[test]
fn weights_without_names_are_numbered() {
    let mut scene = Scene::new(Basis::GLTF);
    let curves = vec![line(&[0.0], &[0.5], Law::LINEAR), line(&[0.0], &[0.7], Law::LINEAR)];
    let channel = composed(Property::Weights, Composition::Components(curves));
    scene.clips.push(clip(1.0, vec![track(TargetKind::Morph, "mesh", vec![channel])]));
    arrange(&mut scene, &like_vmd());
    let names: Vec<_> = scene.clips[0].tracks.iter().map(|t| t.target.name.as_str()).collect();
    assert_eq!(names, ["morph_0", "morph_1"]);
}

#[test]
fn equal_weights_of_two_meshes_become_one_track() {
    let mut scene = face(&["blink"], &[]);
    scene
        .push_node(Node { morphs: Some(MorphSetIndex(0)), ..Node::new("lashes", None, Transform::IDENTITY) });
    scene.clips.push(clip(2.0, vec![morph("blink", [0.0, 1.0])]));
    arrange(&mut scene, &like_gltf());
    assert_eq!(scene.clips[0].tracks.len(), 2);
    arrange(&mut scene, &like_vmd());
    assert_eq!(scene.clips[0].tracks.len(), 1);
}

#[test]
fn directions_of_lights_become_rotations_that_shine_there() {
    let mut scene = Scene::new(Basis { light_shines: Axis::PosZ, ..Basis::GLTF });
    let direction =
        Channel::whole(Property::Direction, wide(seconds(&[0.0]), 3, &[0.5, -1.0, 0.25], Law::LINEAR));
    scene.clips.push(clip(1.0, vec![track(TargetKind::Light, "light", vec![direction])]));
    arrange(&mut scene, &like_gltf());
    let channel = &scene.clips[0].tracks[0].channels[0];
    let q = glam::DQuat::from_slice(&value(channel, 0.0, Side::At));
    let wanted = glam::DVec3::new(0.5, -1.0, 0.25).normalize();
    assert_eq!(channel.property, Property::Rotation);
    assert!((q * glam::DVec3::Z - wanted).length() < 1e-7);
}

#[test]
fn formats_that_hold_both_sorts_of_morphs_change_neither() {
    let parts = Parts { morph_tracks: true, weight_vectors: true, ..Parts::NONE };
    let mut scene = face(&["smile"], &[]);
    scene.clips.push(clip(2.0, vec![morph("smile", [0.0, 1.0])]));
    let before = scene.clone();
    arrange(&mut scene, &Capabilities { parts, ..like_gltf() });
    assert_eq!(scene, before);
}

#[test]
fn ten_thousand_morphs_are_arranged_at_once() {
    let names: Vec<String> = (0..10_000).map(|n| format!("m{n}")).collect();
    let mut scene = Scene::new(Basis::GLTF);
    scene.clips.push(clip(2.0, names.iter().map(|n| morph(n, [0.0, 1.0])).collect()));
    let started = std::time::Instant::now();
    arrange(&mut scene, &like_gltf());
    arrange(&mut scene, &like_vmd());
    assert_eq!(scene.clips[0].tracks.len(), 10_000);
    assert!(started.elapsed().as_secs() < 10, "took {:?}", started.elapsed());
}

fn any_joint_channels() -> impl Strategy<Value = Vec<Channel>> {
    let whole = |property: Property, recipe: Recipe| {
        any_curve(recipe, true).prop_map(move |curve| Channel::whole(property.clone(), curve)).boxed()
    };
    let components = |property: Property| {
        prop::collection::vec(any_curve(Recipe::numbers(1), true), 3)
            .prop_map(move |curves| composed(property.clone(), Composition::Components(curves)))
            .boxed()
    };
    let translation =
        prop_oneof![whole(Property::Translation, Recipe::numbers(3)), components(Property::Translation)];
    let scale = prop_oneof![whole(Property::Scale, Recipe::numbers(3)), components(Property::Scale)];
    let blends = vec![Blend::Step, Blend::Slerp, Blend::Nlerp, Blend::Squad];
    let rotation = whole(Property::Rotation, Recipe { blends, ..Recipe::rotation() });
    (translation, rotation, scale).prop_map(|(t, r, s)| vec![t, r, s])
}

proptest! {
    #[test]
    fn arranging_changes_no_pose(
        rests in prop::collection::vec(any_rest(), 2),
        channels in prop::collection::vec(any_joint_channels(), 2),
        times in prop::collection::vec(-3.0..6.0f64, 20),
        relation in prop::sample::select(vec![PoseRelation::Absolute, PoseRelation::OnTopOfRest]),
    ) {
        let mut scene = chain(&rests);
        let tracks = channels.into_iter().enumerate().map(|(n, channels)| joint(&format!("n{n}"), n, channels)).collect();
        scene.clips.push(Clip { relation, ..clip(3.0, tracks) });
        let mut arranged = scene.clone();
        arrange(&mut arranged, &like_gltf());
        prop_assert_eq!(arranged.clips[0].relation, PoseRelation::Absolute);
        for time in times.into_iter().map(Seconds) {
            let poses = local_pose(&scene, &scene.clips[0], time).0.into_iter().zip(local_pose(&arranged, &arranged.clips[0], time).0);
            for (a, b) in poses {
                prop_assert!(apart(&Property::Translation, &a.translation, &b.translation) < 1e-4);
                prop_assert!(apart(&Property::Rotation, &a.rotation, &b.rotation) < 1e-4, "{:?} {:?}", a, b);
                prop_assert!(apart(&Property::Scale, &a.scale, &b.scale) < 1e-4);
            }
        }
    }

    #[test]
    fn merging_and_splitting_morphs_are_inverses(
        curves in prop::collection::vec(any_curve(Recipe::numbers(1), true), 0..5),
        times in prop::collection::vec(-3.0..6.0f64, 10),
    ) {
        let names = ["a", "b", "c", "d", "e", "never moved"];
        let mut scene = face(&names, &[]);
        let tracks = names.iter().zip(&curves).enumerate().map(|(index, (name, curve))| {
            Track { target: Target::new(TargetKind::Morph, *name, index, None), channels: vec![weight(curve.clone())] }
        });
        scene.clips.push(clip(3.0, tracks.collect()));
        let single = scene.clone();
        arrange(&mut scene, &like_gltf());
        prop_assert_eq!(scene.clips[0].tracks.len(), usize::from(!curves.is_empty()));
        for time in times {
            for name in &names[..curves.len()] {
                prop_assert_eq!(weight_at(&scene, name, time), weight_at(&single, name, time));
            }
        }
        let merged = scene.clone();
        arrange(&mut scene, &like_vmd());
        prop_assert_eq!(&scene, &single);
        arrange(&mut scene, &like_gltf());
        prop_assert_eq!(&scene, &merged);
    }
}
