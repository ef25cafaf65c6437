//! Left and right exchanged: names, signs and rest poses.

use crate::assert_says;
use crate::identities::apply;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Hierarchy, Law, Laws, MorphSet, MorphSetIndex, Node, NodeIndex,
    PoseRelation, Property, Scene, Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_edit::{Mirror, Operation};
use proptest::prelude::*;

type Quat = [f64; 4];

fn product([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat) -> Quat {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn unit(q: Quat) -> Quat {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

fn turned(q: Quat, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [a, b, c, w] = q;
    let [x, y, z, _] = product(product(q, [x, y, z, 0.0]), [-a, -b, -c, w]);
    [x, y, z]
}

fn key(property: Property, values: &[f64]) -> Channel {
    let law = if property == Property::Rotation { Law::SLERP } else { Law::LINEAR };
    let values: Vec<f32> = values.iter().map(|x| *x as f32).collect();
    let width = values.len();
    Channel::whole(property, Curve::new(Times::Seconds([0.0].into()), width, values, Laws::uniform(law)))
}

fn track(kind: TargetKind, name: &str, node: Option<usize>, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(kind, name, 0, node.map(NodeIndex)), channels }
}

fn scene(nodes: Vec<Node>, tracks: Vec<Track>, relation: PoseRelation) -> Scene {
    let clip = Clip { duration: Seconds(1.0), tracks, relation, ..Clip::default() };
    Scene { nodes, clips: vec![clip], ..Scene::new(Basis::GLTF) }
}

fn mirror(pairs: &[(&str, &str)]) -> Operation {
    let names = NameMap::new(pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())));
    Operation::Mirror(Mirror { names })
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.clips[0].tracks.iter().map(|track| &*track.target.name).collect()
}

fn values(scene: &Scene, track: usize, channel: usize) -> Vec<f32> {
    let curves = scene.clips[0].tracks[track].channels[channel].composition.curves();
    curves.flat_map(|curve| curve.values.clone()).collect()
}

#[test]
fn what_the_left_arm_did_the_right_one_does_as_its_mirror_image() {
    let channels = vec![
        key(Property::Translation, &[1.0, 2.0, 3.0]),
        key(Property::Rotation, &[0.1, 0.2, 0.3, 0.9]),
        key(Property::Scale, &[1.0, 2.0, 3.0]),
    ];
    let tracks = vec![track(TargetKind::Joint, "左腕", None, channels)];
    let mut scene =
        Scene { hierarchy: Hierarchy::Unknown, ..scene(Vec::new(), tracks, PoseRelation::OnTopOfRest) };
    let before = scene.clone();
    apply(&mut scene, &mirror(&[]));
    assert_eq!(names(&scene), ["右腕"]);
    assert_eq!(values(&scene, 0, 0), [-1.0, 2.0, 3.0]);
    assert_eq!(values(&scene, 0, 1), [0.1, -0.2, -0.3, 0.9]);
    assert_eq!(values(&scene, 0, 2), [1.0, 2.0, 3.0]);
    apply(&mut scene, &mirror(&[]));
    assert_eq!(scene, before);
}

#[test]
fn a_mirror_without_pairs_is_refused_unless_they_are_said() {
    let tracks =
        vec![track(TargetKind::Joint, "a", None, vec![key(Property::Translation, &[1.0, 2.0, 3.0])])];
    let mut scene = scene(Vec::new(), tracks, PoseRelation::OnTopOfRest);
    let refused = mirror(&[]).apply(&mut scene.clone(), 0, &mut Report::default()).unwrap_err();
    assert_says(&refused.reason, "expected names of a left and a right side");
    apply(&mut scene, &mirror(&[("a", "b")]));
    assert_eq!(names(&scene), ["b"]);
    apply(&mut scene, &mirror(&[("a", "b")]));
    let back = mirror(&[("a", "b")]).apply(&mut scene, 0, &mut Report::default());
    assert_eq!((back, names(&scene)), (Ok(()), vec!["b"]));
}

#[test]
fn a_camera_is_mirrored_without_a_partner() {
    let tracks =
        vec![track(TargetKind::Camera, "Camera", None, vec![key(Property::Translation, &[1.0, 2.0, 3.0])])];
    let mut scene = scene(Vec::new(), tracks, PoseRelation::Absolute);
    apply(&mut scene, &mirror(&[]));
    assert_eq!(values(&scene, 0, 0), [-1.0, 2.0, 3.0]);
}

#[test]
fn weights_of_all_morphs_of_a_mesh_change_places() {
    let node = Node { morphs: Some(MorphSetIndex(0)), ..Node::new("face", None, Transform::IDENTITY) };
    let tracks =
        vec![track(TargetKind::Morph, "face", Some(0), vec![key(Property::Weights, &[0.1, 0.2, 0.3])])];
    let mut scene = scene(vec![node], tracks, PoseRelation::Absolute);
    let morphs = ["eyeBlinkLeft", "jawOpen", "eyeBlinkRight"].map(str::to_owned).to_vec();
    scene.morph_sets.push(MorphSet { morphs, ..MorphSet::default() });
    apply(&mut scene, &mirror(&[]));
    assert_eq!(values(&scene, 0, 0), [0.3, 0.2, 0.1]);
}

/// Rotation and place of a joint in the scene, all others at rest or as their tracks say.
fn placed(scene: &Scene, node: usize) -> (Quat, [f64; 3]) {
    let own = &scene.nodes[node];
    let parent = own.parent.map_or(([0.0, 0.0, 0.0, 1.0], [0.0; 3]), |parent| placed(scene, parent.0));
    let mut local = own.rest;
    for track in scene.clips[0].tracks.iter().filter(|track| track.target.node == Some(NodeIndex(node))) {
        for channel in &track.channels {
            let value: Vec<f64> =
                channel.composition.curves().next().unwrap().values.iter().map(|x| f64::from(*x)).collect();
            match (&channel.property, scene.clips[0].relation) {
                (Property::Rotation, PoseRelation::Absolute) => local.rotation = value.try_into().unwrap(),
                (Property::Rotation, _) => {
                    local.rotation = product(local.rotation, value.try_into().unwrap())
                }
                (_, PoseRelation::Absolute) => local.translation = value.try_into().unwrap(),
                (..) => local.translation = std::array::from_fn(|n| local.translation[n] + value[n]),
            }
        }
    }
    let place = turned(parent.0, local.translation);
    (product(parent.0, local.rotation), std::array::from_fn(|n| parent.1[n] + place[n]))
}

fn quats() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f64..1.0)
        .prop_filter("none", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.1)
        .prop_map(unit)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(256)))]

    /// Arms whose joints have other axes at rest: the right one those of the left one's mirror image, turned by something.
    #[test]
    fn a_joint_whose_axes_are_no_mirror_image_turns_away_from_rest_as_its_partner_did(
        rest in quats(), right in quats(), upper in quats(), lower in quats(), on_top: bool,
    ) {
        let at = |rotation: Quat, x: f64| Transform { translation: [x, 0.5, 0.25], rotation, ..Transform::IDENTITY };
        let none = [0.0, 0.0, 0.0, 1.0];
        // Places are mirror images in the scene, whatever the axes of the parents are.
        let below = |rotation: Quat, x: f64| {
            let [a, b, c, w] = rotation;
            Transform { translation: turned([-a, -b, -c, w], [x, 0.5, 0.25]), ..at(none, x) }
        };
        let nodes = vec![
            Node::new("hips", None, Transform::IDENTITY),
            Node::new("LeftArm", Some(NodeIndex(0)), at(rest, 0.5)),
            Node::new("LeftHand", Some(NodeIndex(1)), below(rest, 0.75)),
            Node::new("RightArm", Some(NodeIndex(0)), at(right, -0.5)),
            Node::new("RightHand", Some(NodeIndex(3)), below(right, -0.75)),
        ];
        let tracks = vec![
            track(TargetKind::Joint, "LeftArm", Some(1), vec![key(Property::Rotation, &upper)]),
            track(TargetKind::Joint, "LeftHand", Some(2), vec![key(Property::Rotation, &lower)]),
        ];
        let relation = if on_top { PoseRelation::OnTopOfRest } else { PoseRelation::Absolute };
        let source = scene(nodes, tracks, relation);
        let mut made = source.clone();
        apply(&mut made, &mirror(&[]));
        prop_assert_eq!(names(&made), ["RightArm", "RightHand"]);
        let rest = |node: usize| {
            let mut still = source.clone();
            still.clips[0].tracks.clear();
            placed(&still, node)
        };
        for (left, right) in [(1, 3), (2, 4)] {
            // The turn away from rest, in the scene.
            let away = |(now, _): (Quat, [f64; 3]), (rest, _): (Quat, [f64; 3])| {
                let [x, y, z, w] = rest;
                product(now, [-x, -y, -z, w])
            };
            let [x, y, z, w] = away(placed(&source, left), rest(left));
            let (image, own) = ([x, -y, -z, w], away(placed(&made, right), rest(right)));
            let cosine: f64 = image.iter().zip(own).map(|(a, b)| a * b).sum();
            prop_assert!(cosine.abs() > 1.0 - 1e-5, "{image:?} and {own:?}");
            let ([x, y, z], own) = (placed(&source, left).1, placed(&made, right).1);
            for (a, b) in [-x, y, z].into_iter().zip(own) {
                prop_assert!((a - b).abs() < 1e-4, "{a} and {b}");
            }
        }
    }
}
