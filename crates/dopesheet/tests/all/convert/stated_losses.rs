//! What a report says of a conversion is so.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "mmd", feature = "more", feature = "playcanvas"))]

use crate::convert::vmd::{made, options};
use dopesheet::core::diag::{ErrorUnit, Loss, MaxError};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track, Transform,
};
use dopesheet::core::units::Seconds;
use dopesheet::{Conversion, ConvertOptions, DiffOptions, Error, Opened, ReadOptions, convert, diff};

/// A joint that goes up and down by `reach` metres, at times in seconds.
fn climbing(times: &[f64], reach: f32) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("root", None, Transform::IDENTITY));
    let heights = (0u16..).map(|key| reach * f32::from(key % 2));
    let values = heights.take(times.len()).flat_map(|height| [0.1 * reach, height, -0.1 * reach]).collect();
    let curve = Curve::new(Times::Seconds(times.into()), 3, values, Laws::uniform(Law::LINEAR));
    let target = Target::new(TargetKind::Joint, "root", 0, Some(NodeIndex(0)));
    let track = Track { target, channels: vec![Channel::whole(Property::Translation, curve)] };
    let duration = Seconds(times.last().copied().unwrap_or_default());
    scene.clips.push(Clip { name: Some("climb".into()), duration, tracks: vec![track], ..Clip::default() });
    scene
}

pub(crate) fn opened(scene: Scene) -> Opened {
    Opened::from_scene("climb", &scene).unwrap()
}

/// Largest error in metres of all that a report says of a model.
pub(crate) fn measured(conversion: &Conversion) -> Option<f64> {
    let metres =
        |loss: &Loss| match loss {
            Loss::Approximated {
                what, max_error: MaxError { value, unit: ErrorUnit::Metre, .. }, ..
            } if what.contains("measured at") => Some(*value),
            _ => None,
        };
    conversion.report.report.losses.iter().filter_map(metres).reduce(f64::max)
}

pub(crate) fn codes(conversion: &Conversion) -> Vec<&'static str> {
    conversion.report.report.findings.iter().map(|finding| finding.fault.code).collect()
}

/// Distance of two files in metres, as a comparison finds it.
pub(crate) fn apart(a: &Opened, b: &Opened) -> f64 {
    let found = diff(a, b, &DiffOptions::default()).unwrap().comparison;
    found.largest.and_then(|largest| largest.model_space_m).unwrap_or(0.0)
}

#[test]
fn times_in_single_precision_are_measured_where_all_keys_are_kept() {
    let times: Vec<f64> = (0..20).map(|key| 600.0 + f64::from(key) / 29.0).collect();
    let source = opened(climbing(&times, 0.5));
    let (made, conversion) = made(&source, &options("glb"));
    let off = apart(&source, &made);
    assert!(off > 1e-4, "15 m/s at ten minutes: {off}");
    assert_eq!(measured(&conversion), Some(off));
    assert!(codes(&conversion).contains(&"tolerance-exceeded"));
}

#[test]
fn six_digits_are_measured_and_said_once() {
    let times: Vec<f64> = (0..90).map(|key| f64::from(key) / 29.0).collect();
    let source = opened(climbing(&times, 0.123_456_78));
    let vendor = ConvertOptions { variant: Some("4-vendor".into()), ..options("playcanvas") };
    let (made, conversion) = made(&source, &vendor);
    let (said, off) = (measured(&conversion).unwrap(), apart(&source, &made));
    assert!(off > 1e-7 && off <= said * 1.01 + 1e-6, "{off} of {said}");
    let lines =
        conversion.report.report.losses.iter().filter(|loss| format!("{loss:?}").contains("6 digits"));
    assert_eq!(lines.count(), 1, "{:?}", conversion.report.report.losses);
}

#[test]
fn another_variant_of_the_same_format_is_measured() {
    let scene = climbing(&[0.0, 0.4, 1.1], 1.234_567_8);
    let (exact, _) = made(&opened(scene), &options("playcanvas"));
    let vendor = ConvertOptions { variant: Some("4-vendor".into()), ..options("playcanvas") };
    let (rounded, conversion) = made(&exact, &vendor);
    let off = apart(&exact, &rounded);
    assert!(off > 1e-7 && measured(&conversion) == Some(off), "{off}: {:?}", conversion.report.report.losses);
    let (_, same) = made(&exact, &ConvertOptions { variant: Some("3".into()), ..options("playcanvas") });
    assert_eq!(measured(&same), None);
}

#[test]
fn formats_without_a_unit_get_metres_and_what_has_none_is_warned_of() {
    let mut scene = climbing(&[0.0, 1.0], 10.0);
    scene.basis.metres_per_unit = Some(0.08);
    let (more, conversion) = made(&opened(scene), &options("more"));
    assert!(codes(&conversion).is_empty(), "{:?}", codes(&conversion));
    let (glb, conversion) = made(&more, &options("glb"));
    assert_eq!(codes(&conversion), ["rest-assumed", "unit-unknown"]);
    let metres = opened(climbing(&[0.0, 1.0], 0.8));
    let found =
        diff(&metres, &glb, &DiffOptions { names: NameMap::default(), ..DiffOptions::default() }).unwrap();
    assert!(
        found.comparison.tracks.iter().flat_map(|track| &track.channels).all(|c| c.value < 0.02),
        "{found:?}"
    );
    let (vmd, _) = made(&more, &options("vmd"));
    // What comes on top of a rest pose starts there: at the place of the first key.
    let start = 0.08 * 2f64.sqrt();
    assert!(
        (apart(&metres, &vmd) - start).abs() < 0.02,
        "8 cm are a unit of MikuMikuDance, so that a metre is 12.5"
    );
}

#[test]
fn ends_of_chains_that_nothing_moves_are_measured_too() {
    let text = std::fs::read_to_string(dopesheet_testkit::workspace().join("samples/jump.bvh"));
    let bvh = dopesheet::read("jump.bvh", text.unwrap().as_bytes(), &ReadOptions::default(), &mut |_| None);
    let (source, _) = made(&bvh.unwrap(), &options("glb"));
    let lossy = ConvertOptions { lossy: true, tolerance: "1mm".parse().ok(), ..options("glb") };
    let (short, conversion) = made(&source, &lossy);
    let off = apart(&source, &short);
    assert!(off > 1e-4, "{off}");
    let said = measured(&conversion).unwrap_or_default();
    assert!(said >= 0.999 * off, "{said} instead of {off}: {:?}", conversion.report.report.losses);
}

#[test]
fn a_map_that_maps_nothing_is_refused() {
    let source = opened(climbing(&[0.0, 1.0], 1.0));
    let map = |from: &str| NameMap::new([(from.to_owned(), "hips".to_owned())]);
    let refused =
        convert(std::slice::from_ref(&source), &ConvertOptions { names: map("rooot"), ..options("glb") });
    assert!(matches!(refused, Err(Error::Usage(text)) if text.starts_with("none of the names")));
    assert!(convert(&[source], &ConvertOptions { names: map("root"), ..options("glb") }).is_ok());
}

#[test]
fn sampled_keys_become_few_eased_ones_for_mmd() {
    let times: Vec<f64> = (0..=120).map(|frame| f64::from(frame) / 30.0).collect();
    let mut scene = climbing(&times, 0.0);
    let eased = |frame: u16| {
        let u = f32::from(frame) / 120.0;
        [0.0, 0.2 * u * u * (3.0 - 2.0 * u), 0.0]
    };
    let values = (0..=120).flat_map(eased).collect();
    let curve = Curve::new(Times::Seconds(times.into()), 3, values, Laws::uniform(Law::LINEAR));
    scene.clips[0].tracks[0].channels = vec![Channel::whole(Property::Translation, curve)];
    let (vmd, conversion) = made(&opened(scene.clone()), &options("vmd"));
    let keys = vmd.format().summary(&vmd.document).facts;
    let said = format!("{:?} {keys:?}", conversion.report.report.losses);
    let kept: usize =
        said.split("bone key").next().and_then(|text| text.rsplit('"').next()?.trim().parse().ok()).unwrap();
    assert!(kept < 20, "{said}");
    assert!(apart(&opened(scene), &vmd) < 1.01e-4);
}

#[test]
fn a_motion_for_mmd_names_the_model_that_it_is_put_on() {
    let named = ConvertOptions { model_name: Some("Miku".into()), ..options("vmd") };
    let (_, conversion) = made(&opened(climbing(&[0.0, 1.0], 1.0)), &named);
    assert_eq!(&conversion.output.main[30..35], b"Miku\0");
    let refused = convert(
        &[opened(climbing(&[0.0, 1.0], 1.0))],
        &ConvertOptions { model_name: Some("Miku".into()), ..options("glb") },
    );
    assert!(matches!(refused, Err(Error::Usage(_))));
}

/// A chain of joints, each a metre above the one before, that all swing.
pub(crate) fn chain(joints: usize) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let times: Vec<f64> = (0..=90).map(|frame| f64::from(frame) / 30.0).collect();
    let mut tracks = Vec::new();
    for joint in 0..joints {
        let above = joint.checked_sub(1).map(NodeIndex);
        let up = if joint > 0 { 1.0 } else { 0.0 };
        let rest = Transform { translation: [0.0, up, 0.0], ..Transform::IDENTITY };
        let name = format!("joint {joint}");
        scene.push_node(Node::new(name.clone(), above, rest));
        let swing = |time: &f64| {
            let half = 0.2 * (time * 2.0 + joint as f64).sin();
            [half.sin() as f32 * 0.6, half.sin() as f32 * 0.8, 0.0, half.cos() as f32]
        };
        let values = times.iter().flat_map(swing).collect();
        let curve = Curve::new(Times::Seconds(times.as_slice().into()), 4, values, Laws::uniform(Law::SLERP));
        let target = Target::new(TargetKind::Joint, name, joint, Some(NodeIndex(joint)));
        tracks.push(Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] });
    }
    scene.clips.push(Clip { duration: Seconds(3.0), tracks, ..Clip::default() });
    scene
}

#[test]
fn rotations_that_16_bits_would_take_beyond_the_tolerance_get_32() {
    let source = opened(chain(4));
    let lossy = |variant: Option<&str>| {
        let variant = variant.map(str::to_owned);
        made(&source, &ConvertOptions { variant, lossy: true, ..options("glb") })
    };
    let ((short, said), (_, plain)) = (lossy(Some("rot16")), lossy(None));
    assert!(!codes(&said).contains(&"tolerance-exceeded"), "{:?}", said.report.report.findings);
    assert!(apart(&source, &short) <= 1.01e-4);
    let (bytes, most) = (said.output.main.len(), plain.output.main.len());
    assert!(bytes * 10 <= most * 11, "{bytes} bytes beside {most}");
    let lines = format!("{:?}", said.report.report.losses);
    assert!(lines.contains("in 32 bits per component, because 16 exceed the tolerance"), "{lines}");
}

#[test]
fn a_figure_in_the_wrong_unit_is_warned_of_with_the_right_one() {
    let text = std::fs::read_to_string(dopesheet_testkit::workspace().join("samples/jump.bvh"));
    let bvh = dopesheet::read("jump.bvh", text.unwrap().as_bytes(), &ReadOptions::default(), &mut |_| None)
        .unwrap();
    let (_, right) = made(&bvh, &options("glb"));
    assert!(!codes(&right).contains(&"figure-height"));
    let mut scene =
        bvh.format().to_scene(&bvh.document, &Default::default(), &mut Default::default()).unwrap();
    scene.basis.metres_per_unit = Some(1.0);
    let (_, wrong) = made(&opened(scene), &options("glb"));
    let found: Vec<String> = wrong.report.report.findings.iter().map(|f| f.fault.to_string()).collect();
    assert!(found.iter().any(|text| text.contains("--scale 0.01 makes it 1.")), "{found:?}");
}

#[test]
fn a_figure_that_is_shorter_than_1_20_m_or_taller_than_2_20_m_is_told_with_its_factor() {
    let path = dopesheet_testkit::workspace().join("samples/jump.bvh");
    let bvh = dopesheet::open(&path, None, &ReadOptions::default()).unwrap();
    let scene = bvh.format().to_scene(&bvh.document, &Default::default(), &mut Default::default()).unwrap();
    // From ankles to the joint of the head, which is about nine tenths of a person.
    let places = dopesheet::motion::sample::pose::model_pose(
        &scene,
        &dopesheet::motion::sample::pose::rest_pose(&scene),
    )
    .0;
    let heights = || places.iter().map(|own| own.translation.y);
    let units = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
    for (height_m, is_told) in
        [(0.6, true), (1.0, true), (1.1, false), (1.7, false), (2.15, false), (2.6, true), (3.0, true)]
    {
        let mut scene = scene.clone();
        scene.basis.metres_per_unit = Some(height_m / units);
        let (_, report) = made(&opened(scene), &options("glb"));
        let said: Vec<String> =
            report.report.report.findings.iter().map(|own| own.fault.to_string()).collect();
        let told = said.iter().find(|text| text.contains("a human figure as tall as people are"));
        assert_eq!(told.is_some(), is_told, "{height_m} m: {said:?}");
        assert!(
            told.is_none_or(|text| text.contains("--scale 0.") || text.contains("--scale 1")),
            "{told:?}"
        );
    }
}
