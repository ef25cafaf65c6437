//! Motion of the colours of materials.

use crate::fbx::chain::{self, Chain, assemble, moves, object, on, property};
use crate::fbx::records::{self, Record, leaf, node};
use crate::fbx::to_scene::{at, scene};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{AlphaMode, Law, Laws, Property, Scene, TargetKind};
use dopesheet_fbx::fbx;
use dopesheet_motion::Side;

/// The materials at rest.
fn materials() -> Vec<Record> {
    let material = |id: i64, name: &str, own: Vec<Record>| {
        let children =
            vec![leaf("ShadingModel", vec!["phong".into()]), node("Properties70", Vec::new(), own)];
        object("Material", id, name, "Material", "", children)
    };
    let color = |name: &str, [r, g, b]: [f64; 3]| property(name, "Color", vec![r.into(), g.into(), b.into()]);
    let number = |name: &str, value: f64| property(name, "Number", vec![value.into()]);
    let skin = vec![
        color("DiffuseColor", [0.0; 3]),
        number("DiffuseFactor", 0.5),
        color("EmissiveColor", [1.0, 0.5, 0.0]),
    ];
    let hair = vec![
        color("DiffuseColor", [1.0; 3]),
        number("DiffuseFactor", 1.0),
        color("EmissiveColor", [0.0, 0.0, 0.25]),
        number("Opacity", 1.0),
    ];
    let glass = vec![number("TransparencyFactor", 0.0), number("Opacity", 1.0)];
    let veil = vec![color("TransparentColor", [0.5; 3]), number("TransparencyFactor", 1.0)];
    vec![
        material(1, "Skin", skin),
        material(2, "Hair", hair),
        material(3, "Glass", glass),
        material(4, "Veil", veil),
    ]
}

/// `Skin`, whose diffuse colour (times 0.5) goes from black to red in a second, and whose emission falls from (1, 0.5, 0)
/// by its factor; `Hair`, of which the colour, its factor and the opacity move together; `Glass`, which gets clear; `Veil`, half of which
/// is seen through.
pub(crate) fn painted() -> Vec<Record> {
    let factor = |id: i64, name: &'static str| {
        let own = vec![property(&format!("d|{name}"), "Number", vec![1.0.into()])];
        object(
            "AnimationCurveNode",
            id,
            name,
            "AnimCurveNode",
            "",
            vec![node("Properties70", Vec::new(), own)],
        )
    };
    let motion = vec![
        chain::take(10, "Show", 0),
        chain::layer(11, "Base", 0),
        chain::curves(20, "DiffuseColor", [0.0; 3]),
        chain::curve(21, &[(0.0, 0.0), (1.0, 1.0)], chain::LINEAR),
        factor(22, "EmissiveFactor"),
        chain::curve(23, &[(0.0, 1.0), (0.5, 0.25), (1.0, 0.0)], chain::STEP),
        chain::curves(24, "DiffuseColor", [1.0; 3]),
        chain::curve(25, &[(0.0, 0.0), (1.0, 1.0)], chain::LINEAR),
        factor(26, "DiffuseFactor"),
        chain::curve(27, &[(0.0, 0.0), (1.0, 1.0)], chain::LINEAR),
        factor(28, "Opacity"),
        chain::curve(29, &[(0.0, 1.0), (0.5, 0.25), (1.0, 0.25)], chain::STEP),
        factor(30, "TransparencyFactor"),
        chain::curve(31, &[(0.0, 0.0), (1.0, 0.75)], chain::LINEAR),
        factor(32, "Shininess"),
        chain::curve(33, &[(0.0, 0.0), (1.0, 0.75)], chain::LINEAR),
    ];
    let curves = [20, 22, 24, 26, 28, 30, 32].map(|curves| on(curves, 11));
    let connections = [
        on(11, 10),
        moves(20, 1, "DiffuseColor"),
        moves(21, 20, "d|X"),
        moves(22, 1, "EmissiveFactor"),
        moves(23, 22, "d|EmissiveFactor"),
        moves(24, 2, "DiffuseColor"),
        moves(25, 24, "d|X"),
        moves(26, 2, "DiffuseFactor"),
        moves(27, 26, "d|DiffuseFactor"),
        moves(28, 2, "Opacity"),
        moves(29, 28, "d|Opacity"),
        moves(30, 3, "TransparencyFactor"),
        moves(31, 30, "d|TransparencyFactor"),
        moves(32, 3, "Shininess"),
        moves(33, 32, "d|Shininess"),
    ];
    let objects = [materials(), motion].concat();
    assemble(&Chain::default(), objects, curves.into_iter().chain(connections).collect())
}

fn read() -> (Scene, Report) {
    scene(&records::binary(&painted()))
}

#[test]
fn colours_of_materials_move_and_straight_curves_stay_straight() {
    let (scene, _) = read();
    let track = &scene.clips[0].tracks[0];
    assert_eq!((track.target.kind, &*track.target.name, track.target.index), (TargetKind::Custom, "Skin", 0));
    let base = track.channels[0].composition.curves().next().unwrap();
    assert_eq!((base.len(), base.laws.clone()), (2, Laws::uniform(Law::LINEAR)));
    let now = |property, time_s, side| at(&scene.clips[0], "Skin", &property, time_s, side);
    assert_eq!(now(Property::BASE_COLOR, 0.5, Side::After), [0.25, 0.0, 0.0, 1.0]);
    assert_eq!(now(Property::EMISSIVE, 0.5, Side::Before), [1.0, 0.5, 0.0]);
    assert_eq!(now(Property::EMISSIVE, 0.5, Side::After), [0.25, 0.125, 0.0]);
}

#[test]
fn an_emission_without_a_factor_is_seen() {
    assert_eq!(read().0.materials[1].emissive, [0.0, 0.0, 0.25]);
}

#[test]
fn a_colour_that_moves_with_its_factor_and_its_opacity_is_their_product() {
    let clip = &read().0.clips[0];
    for (t, side, alpha) in [
        (0.0, Side::After, 1.0),
        (0.3, Side::After, 1.0),
        (0.5, Side::Before, 1.0),
        (0.5, Side::After, 0.25),
        (0.777, Side::After, 0.25),
        (1.0, Side::After, 0.25),
    ] {
        let color = at(clip, "Hair", &Property::BASE_COLOR, t, side);
        for (part, expected) in color.iter().zip([t * t, t, t, alpha]) {
            assert!((part - expected).abs() <= fbx::TOLERANCE_RATIO * 1.01, "{color:?} at {t}");
        }
    }
}

#[test]
fn a_material_that_gets_clear_moves_its_alpha_and_is_blended() {
    let (scene, report) = read();
    let alpha = |time_s| at(&scene.clips[0], "Glass", &Property::BASE_COLOR, time_s, Side::After)[3];
    assert_eq!([alpha(0.0), alpha(0.5), alpha(1.0)], [1.0, 0.625, 0.25]);
    let modes: Vec<AlphaMode> = scene.materials.iter().map(|material| material.alpha).collect();
    assert_eq!(modes, [AlphaMode::Opaque, AlphaMode::Blend, AlphaMode::Blend, AlphaMode::Blend]);
    let told: Vec<String> = report.losses.iter().map(|loss| format!("{loss:?}")).collect();
    assert!(!told.iter().any(|loss| loss.contains("Transparency") || loss.contains("Opacity")), "{told:?}");
    assert!(told.iter().any(|loss| loss.contains("Shininess")), "{told:?}");
}

#[test]
fn a_material_seen_through_by_its_transparent_colour_is_blended() {
    assert_eq!(read().0.materials[3].base_color[3], 0.5);
}
