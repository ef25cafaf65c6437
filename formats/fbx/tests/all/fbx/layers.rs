//! Layers with nodes of curves that have no curve: their stored values hold, as in Autodesk's programs.

use crate::fbx::chain::{self, Chain, assemble, joint, moves, object, on, property};
use crate::fbx::faults;
use crate::fbx::fixtures::edited;
use crate::fbx::records::{self, Record, Value, leaf, node};
use crate::fbx::tints;
use crate::fbx::to_scene::{at, scene, stored_scene};
use dopesheet_core::model::{Property, Scene};
use dopesheet_motion::Side;

/// A single number of a layer.
fn number(id: i64, name: &'static str, value: f64) -> Record {
    let stored = property(&format!("d|{name}"), name, vec![value.into()]);
    object(
        "AnimationCurveNode",
        id,
        name,
        "AnimCurveNode",
        "",
        vec![node("Properties70", Vec::new(), vec![stored])],
    )
}

fn vector(name: &str, [x, y, z]: [f64; 3]) -> Record {
    property(name, "Vector3D", vec![x.into(), y.into(), z.into()])
}

/// `Hips`, which a base layer moves by stored values alone, with a second layer above that has a mode and may have curves.
///
/// A joint at (1, 2, 3), turned by 10° about X, twice as large as its parent, and a lamp of 100 percent.
fn figure(mode: i32, upper: Vec<Record>, links: Vec<Record>) -> Scene {
    scene(&file(mode, upper, links)).0
}

/// The file of a [`figure`].
fn file(mode: i32, upper: Vec<Record>, links: Vec<Record>) -> Vec<u8> {
    let rest = vec![
        vector("Lcl Translation", [1.0, 2.0, 3.0]),
        vector("Lcl Rotation", [10.0, 0.0, 0.0]),
        vector("Lcl Scaling", [2.0; 3]),
    ];
    let lamp = vec![
        leaf("TypeFlags", vec!["Light".into()]),
        node("Properties70", Vec::new(), vec![property("Intensity", "Number", vec![100.0.into()])]),
    ];
    let objects = vec![
        joint(1, "Hips", rest),
        object("NodeAttribute", 2, "Lamp", "NodeAttribute", "Light", lamp),
        object("Model", 3, "Lamp", "Model", "Light", vec![leaf("Version", vec![232.into()])]),
        chain::take(10, "Walk", 0),
        chain::layer(11, "BaseAnimation", 0),
        chain::layer(12, "AnimLayer1", mode),
        chain::curves(20, "T", [7.0, 8.0, 9.0]),
        chain::curves(21, "R", [40.0, 0.0, 0.0]),
        chain::curves(22, "S", [1.0; 3]),
        number(23, "Visibility", 1.0),
        number(24, "Intensity", 50.0),
    ];
    let mut connections = vec![on(1, 0), on(2, 3), on(3, 0), on(11, 10), on(12, 10)];
    connections.extend((20..25).map(|value| on(value, 11)));
    let moved = [(20, "Lcl Translation"), (21, "Lcl Rotation"), (22, "Lcl Scaling"), (23, "Visibility")];
    connections.extend(moved.map(|(value, name)| moves(value, 1, name)));
    connections.push(moves(24, 2, "Intensity"));
    let all = assemble(&Chain::default(), [objects, upper].concat(), [connections, links].concat());
    records::text(&all)
}

fn value(scene: &Scene, target: &str, property: &Property, t: f64) -> Vec<f64> {
    at(&scene.clips[0], target, property, t, Side::After)
}

#[test]
fn a_figure_of_two_layers_whose_nodes_have_no_curves_is_seen_and_keeps_its_stored_size() {
    let scene = figure(0, Vec::new(), Vec::new());
    for t in [0.0, 0.5, 1.0] {
        assert_eq!(value(&scene, "Hips", &Property::Visible, t), [1.0]);
        assert_eq!(value(&scene, "Hips", &Property::Translation, t), [7.0, 8.0, 9.0]);
        assert_eq!(value(&scene, "Hips", &Property::Scale, t), [1.0; 3]);
        let turn = value(&scene, "Hips", &Property::Rotation, t);
        assert!((turn[0] - 20f64.to_radians().sin()).abs() < 1e-6, "{turn:?}");
        assert_eq!(value(&scene, "Lamp", &Property::Intensity, t), [0.5]);
    }
}

#[test]
fn curves_of_an_upper_layer_count_on_top_of_stored_numbers_below() {
    // Added, in place of what is below, and in its place by a share, which is 1.
    for (mode, [start, end]) in [(0, [0.75, 1.5]), (1, [0.25, 1.0]), (2, [0.25, 1.0])] {
        let ramp = chain::curve(31, &[(0.0, 25.0), (1.0, 100.0)], chain::LINEAR);
        let upper = vec![number(30, "Intensity", 0.0), ramp];
        let links = vec![on(30, 12), moves(30, 2, "Intensity"), moves(31, 30, "d|Intensity")];
        let scene = figure(mode, upper, links);
        let intensity = |t| value(&scene, "Lamp", &Property::Intensity, t)[0];
        assert!((intensity(0.0) - start).abs() < 1e-6, "mode {mode}: {}", intensity(0.0));
        assert!((intensity(1.0) - end).abs() < 1e-6, "mode {mode}: {}", intensity(1.0));
    }
}

/// The records without the curve of a number.
fn without_curve(all: Vec<Record>, curve: i64) -> Vec<Record> {
    let is_of_curve = |record: &Record| matches!(record.values.get(1), Some(Value::Long(id)) if *id == curve);
    edited(all, "Connections", |all| all.retain(|record| !is_of_curve(record)))
}

#[test]
fn a_morph_without_a_curve_keeps_its_stored_weight() {
    let all = edited(without_curve(chain::face(), 23), "Objects", |all| {
        *faults::own(all, 22) = number(22, "DeformPercent", 60.0);
    });
    let (scene, _) = scene(&records::binary(&all));
    assert!((value(&scene, "Face", &Property::Weights, 0.5)[0] - 0.6).abs() < 1e-6);
}

#[test]
fn a_colour_times_a_factor_without_a_curve_is_not_black() {
    let (scene, _) = scene(&records::binary(&without_curve(tints::painted(), 27)));
    let [red, ..] = value(&scene, "Hair", &Property::BASE_COLOR, 0.5)[..] else { panic!() };
    assert!((red - 0.5).abs() < 1e-4, "{red}");
}

#[test]
fn a_cubic_that_swings_out_before_a_long_stretch_of_equal_keys_is_followed() {
    // Automatic slopes: at the second key half of the way from the first to the third.
    let automatic = 0x108;
    let keys: Vec<(f64, f64)> =
        (0..=30).map(|at| (f64::from(at) / 30.0, f64::from(at.min(1)) * 40.0)).collect();
    let turns = vec![chain::curves(30, "R", [0.0; 3]), chain::curve(31, &keys, automatic)];
    let links = vec![on(30, 12), moves(30, 1, "Lcl Rotation"), moves(31, 30, "d|Y")];
    let scene = stored_scene(&file(1, turns, links));
    let angle = |t: f64| 2.0 * value(&scene, "Hips", &Property::Rotation, t)[1].asin().to_degrees();
    for (frame, expected) in [(1.0, 40.0), (1.5, 42.5), (2.0, 40.0), (15.5, 40.0)] {
        assert!((angle(frame / 30.0) - expected).abs() < 0.01, "{frame}: {}", angle(frame / 30.0));
    }
}
