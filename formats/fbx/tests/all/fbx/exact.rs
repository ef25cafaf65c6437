//! Curves that a scene holds as the file has them, against the library's own evaluation.

use crate::fbx::chain::{self, Chain, assemble, joint, moves, on, property};
use crate::fbx::records::{self, Record, Value};
use crate::fbx::to_scene::scene;
use dopesheet_core::model::{Blend, Composition, EulerOrder, Property, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::local_pose;
use dopesheet_testkit::rotation_angle;

/// Cubic with slopes that the file states, and with lengths of tangents beside them.
pub(crate) const SLOPED: i32 = 0x408;
const WEIGHTED: i32 = 0x0300_0408;

/// A curve whose keys all have one slope on both sides, and tangents of some shares of their segments.
pub(crate) fn sloped(id: i64, keys: &[(f64, f64)], how: i32, slope: f32, shares: [u32; 2]) -> Record {
    let mut curve = chain::curve(id, keys, how);
    let lists = curve.children.as_mut().unwrap();
    let data = lists.iter_mut().find(|list| list.word == "KeyAttrDataFloat").unwrap();
    data.values = vec![Value::Floats(vec![slope, slope, f32::from_bits(shares[0] | (shares[1] << 16)), 0.0])];
    curve
}

/// `Arm`, which goes, turns and grows along curves of all kinds, with what else its transform has.
fn arm(more: Vec<Record>) -> Vec<u8> {
    let wave = [(0.0, 0.0), (0.3, 40.0), (0.7, -10.0), (1.0, 20.0)];
    let objects = vec![
        joint(1, "Arm", more),
        chain::take(10, "Swing", 0),
        chain::layer(11, "Base", 0),
        chain::curves(20, "T", [0.0, 2.0, 3.0]),
        sloped(30, &wave, WEIGHTED, 90.0, [6000, 2000]),
        chain::curve(31, &wave, chain::LINEAR),
        chain::curves(21, "R", [0.0; 3]),
        sloped(32, &wave, SLOPED, -30.0, [3333, 3333]),
        chain::curve(33, &wave, chain::STEP),
        chain::curve(34, &[(0.0, 10.0), (1.0, 200.0)], chain::LINEAR),
        chain::curves(22, "S", [1.0; 3]),
        sloped(35, &[(0.0, 1.0), (1.0, 2.0)], WEIGHTED, 0.5, [9000, 1000]),
    ];
    let connections = vec![
        on(1, 0),
        on(11, 10),
        on(20, 11),
        on(21, 11),
        on(22, 11),
        moves(20, 1, "Lcl Translation"),
        moves(21, 1, "Lcl Rotation"),
        moves(22, 1, "Lcl Scaling"),
        moves(30, 20, "d|X"),
        moves(31, 20, "d|Y"),
        moves(32, 21, "d|X"),
        moves(33, 21, "d|Y"),
        moves(34, 21, "d|Z"),
        moves(35, 22, "d|Y"),
    ];
    records::binary(&assemble(&Chain { unit: 100.0, ..Chain::default() }, objects, connections))
}

/// Largest differences between a scene's first node and the library's at 500 times, in metres, radians and shares.
fn differences(bytes: &[u8], scene: &Scene) -> [f64; 3] {
    let file = ufbx::load_memory(bytes, ufbx::LoadOpts::default()).ok().unwrap();
    let node = file.nodes.iter().find(|node| node.element.name.as_ref() == scene.nodes[0].name).unwrap();
    let mut most = [0.0f64; 3];
    for n in 0..500 {
        let time = f64::from(n) / 499.0;
        let theirs = ufbx::evaluate_transform(&file.anim_stacks[0].anim, node, time);
        let ours = local_pose(scene, &scene.clips[0], Seconds(time)).0[0];
        let apart = |a: [f64; 3], b: &ufbx::Vec3| {
            a.iter().zip([b.x, b.y, b.z]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let q = &theirs.rotation;
        let turn = rotation_angle(ours.rotation, [q.x, q.y, q.z, q.w]);
        let now = [apart(ours.translation, &theirs.translation), turn, apart(ours.scale, &theirs.scale)];
        most = std::array::from_fn(|at| most[at].max(now[at]));
    }
    most
}

fn composition<'a>(scene: &'a Scene, property: &Property) -> &'a Composition {
    let channels = &scene.clips[0].tracks[0].channels;
    &channels.iter().find(|channel| channel.property == *property).unwrap().composition
}

#[test]
fn curves_of_one_layer_without_pivots_keep_keys_and_laws() {
    let order = vec![
        property("RotationActive", "bool", vec![1.into()]),
        property("RotationOrder", "enum", vec![4.into()]),
    ];
    for (more, expected) in [(Vec::new(), EulerOrder::Zyx), (order, EulerOrder::Yxz)] {
        let bytes = arm(more);
        let (scene, _) = scene(&bytes);
        let keys =
            |property| composition(&scene, property).curves().map(|curve| curve.len()).collect::<Vec<_>>();
        assert_eq!(keys(&Property::Translation), [4, 4, 1]);
        assert_eq!(keys(&Property::Rotation), [4, 4, 2]);
        assert_eq!(keys(&Property::Scale), [1, 2, 1]);
        assert_eq!(composition(&scene, &Property::Rotation).order(), Some(expected));
        let blends = |property| {
            let first = |curve: &dopesheet_core::model::Curve| curve.laws.get(0).blend;
            composition(&scene, property).curves().map(first).collect::<Vec<_>>()
        };
        assert_eq!(blends(&Property::Rotation), [Blend::Hermite, Blend::Step, Blend::Lerp]);
        assert_eq!(blends(&Property::Translation)[..2], [Blend::WeightedBezier, Blend::Lerp]);
        let off = differences(&bytes, &scene);
        assert!(off.iter().all(|off| *off < 1e-5), "{expected:?}: {off:?}");
    }
}

#[test]
fn curves_of_nodes_with_pivots_or_turns_before_are_baked() {
    let vector = |name: &str| property(name, "Vector3D", vec![10.0.into(), 20.0.into(), 30.0.into()]);
    let turned = vec![property("RotationActive", "bool", vec![1.into()]), vector("PreRotation")];
    let (turned, pivoted) = (arm(turned), arm(vec![vector("RotationPivot")]));
    let is_whole =
        |bytes: &[u8], property| matches!(composition(&scene(bytes).0, property), Composition::Whole(_));
    // Turns before move no places, and pivots turn nothing.
    assert!(is_whole(&turned, &Property::Rotation) && !is_whole(&turned, &Property::Translation));
    assert!(!is_whole(&pivoted, &Property::Rotation) && is_whole(&pivoted, &Property::Translation));
    for bytes in [turned, pivoted] {
        let [metres, radians, share] = differences(&bytes, &scene(&bytes).0);
        assert!(metres < 2e-5 && radians < 6e-5 && share < 2e-4, "{metres} {radians} {share}");
    }
}

/// `Wheel`, which goes along X and turns once about Z meanwhile, and `Spoke` on it, with what else their transforms have.
fn wheel(own: Vec<Record>, of_spoke: Vec<Record>) -> Vec<u8> {
    let line = |id: i64, to: f64| chain::curve(id, &[(0.0, 1.0), (1.0, to)], chain::LINEAR);
    let objects = vec![
        joint(1, "Wheel", own),
        joint(2, "Spoke", of_spoke),
        chain::take(10, "Roll", 0),
        chain::layer(11, "Base", 0),
        chain::curves(20, "T", [0.0; 3]),
        line(30, 5.0),
        chain::curves(21, "R", [0.0; 3]),
        chain::curve(31, &[(0.0, 0.0), (1.0, 720.0)], chain::LINEAR),
        chain::curves(22, "S", [1.0; 3]),
        chain::curve(32, &[(0.0, 1.0), (0.25, 2.0), (0.75, 1.0), (1.0, 1.0)], chain::LINEAR),
        chain::curves(23, "T", [0.0; 3]),
        line(33, 3.0),
    ];
    let connections = vec![
        on(1, 0),
        on(2, 1),
        on(11, 10),
        on(20, 11),
        on(21, 11),
        on(22, 11),
        on(23, 11),
        moves(20, 1, "Lcl Translation"),
        moves(21, 1, "Lcl Rotation"),
        moves(22, 1, "Lcl Scaling"),
        moves(23, 2, "Lcl Translation"),
        moves(30, 20, "d|X"),
        moves(31, 21, "d|Z"),
        moves(32, 22, "d|X"),
        moves(33, 23, "d|X"),
    ];
    records::binary(&assemble(&Chain { unit: 100.0, ..Chain::default() }, objects, connections))
}

#[test]
fn places_that_a_turn_about_a_pivot_moves_between_their_keys_are_baked() {
    let pivot = property("RotationPivot", "Vector3D", vec![10.0.into(), 20.0.into(), 0.0.into()]);
    let bytes = wheel(vec![pivot], Vec::new());
    let (scene, _) = scene(&bytes);
    assert!(matches!(composition(&scene, &Property::Translation), Composition::Whole(_)));
    assert!(differences(&bytes, &scene)[0] < 2e-5);
}

#[test]
fn curves_of_a_node_that_makes_up_for_its_parent_s_scale_between_their_keys_are_baked() {
    let inherits = |how: i32| property("InheritType", "enum", vec![how.into()]);
    for how in [1, 2] {
        let (scene, _) = scene(&wheel(Vec::new(), vec![inherits(how)]));
        let spoke = scene.nodes.iter().position(|node| node.name == "Spoke").unwrap();
        let of_spoke =
            |track: &&dopesheet_core::model::Track| track.target.node.is_some_and(|node| node.0 == spoke);
        let track = scene.clips[0].tracks.iter().find(of_spoke).unwrap();
        let is_whole =
            |channel: &dopesheet_core::model::Channel| matches!(channel.composition, Composition::Whole(_));
        assert_eq!(track.channels.iter().all(is_whole), how == 2, "{how}");
    }
}
