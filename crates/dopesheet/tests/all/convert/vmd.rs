//! Motions of MikuMikuDance that are cut, made lighter, and sent to other formats and back.
#![cfg(all(feature = "mmd", feature = "gltf"))]

use dopesheet::core::diag::{Loss, Report};
use dopesheet::core::format::{Format, ReadOptions as RawOptions, Source, WriteOptions};
use dopesheet::core::model::{Basis, Scene, rebase};
use dopesheet::motion::{Animation, Tolerance, compare};
use dopesheet::{
    Conversion, ConvertOptions, Opened, ReadOptions, convert, open, open::read_as, registry, times::RangeSpec,
};
use dopesheet_mmd::vmd::{BoneKeyframe, Document, LINEAR, LightKeyframe, ShadowKeyframe, Version};
use dopesheet_mmd::{Vmd, text::Name};
use dopesheet_testkit::{bytes, workspace};
use std::collections::BTreeMap;

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn vmd(bytes: &[u8]) -> Document {
    Vmd::read(&Source::new(bytes), &RawOptions::default(), &mut Report::default()).unwrap()
}

pub(crate) fn options(id: &str) -> ConvertOptions<'static> {
    ConvertOptions::to(registry::by_id(id).unwrap())
}

pub(crate) fn made(input: &Opened, options: &ConvertOptions<'_>) -> (Opened, Conversion) {
    let made = convert(std::slice::from_ref(input), options).unwrap();
    let name = format!("x.{}", options.to.info().id);
    let read = read_as(options.to, &name, &made.output.main, &ReadOptions::default(), &mut |_| None);
    (read.unwrap(), made)
}

#[test]
fn keys_of_a_light_are_the_same_after_a_way_through_a_glb() {
    // Directions of any length: MikuMikuDance means the numbers between them.
    let keys = [
        (0, [0.6, 0.6, 0.6], [-0.5, -1.0, 0.5]),
        (40, [0.2, 0.5, 0.9], [0.5, -0.6, 0.3]),
        (75, [0.2, 0.9, 0.9], [0.1, -0.1, 0.9]),
        (76, [0.9, 0.9, 0.9], [0.5, -1.0, 0.0]),
        (120, [0.6, 0.6, 0.6], [-0.5, -1.0, 0.5]),
    ];
    let mut document = Document::new(Version::V0002, &Name::EMPTY);
    let key = |(frame, color, direction)| LightKeyframe { frame, color, direction };
    document.lights = keys.into_iter().map(key).collect();
    let bytes = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
    let light = dopesheet::read("light.vmd", &bytes, &ReadOptions::default(), &mut |_| None).unwrap();
    let (glb, _) = made(&light, &options("glb"));
    let (_, back) = made(&glb, &options("vmd"));
    assert!(back.report.report.findings.is_empty(), "{:?}", back.report.report);
    let back = vmd(&back.output.main);
    assert_eq!(back.lights.iter().map(|key| key.frame).collect::<Vec<_>>(), [0, 40, 75, 76, 120]);
    for (key, (_, color, direction)) in back.lights.iter().zip(keys) {
        let unit = |v: [f32; 3]| glam::DVec3::from(v.map(f64::from));
        assert!(unit(key.direction).angle_between(unit(direction)) < 2e-4, "{key:?}");
        assert!(key.color.iter().zip(color).all(|(a, b)| (a - b).abs() < 1e-6), "{key:?}");
    }
}

/// The frames of the keys of each bone.
fn keys(document: &Document) -> BTreeMap<String, Vec<u32>> {
    let mut keys: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for key in &document.bones {
        keys.entry(key.name.text()).or_default().push(key.frame);
    }
    keys.values_mut().for_each(|frames| frames.sort_unstable());
    keys
}

#[test]
fn a_cut_of_a_motion_keeps_its_keys_and_adds_at_most_one_at_each_end() {
    let input = sample("bow.vmd");
    let range = Some(RangeSpec::parse("30f:90f").unwrap());
    let (_, conversion) = made(&input, &ConvertOptions { range, ..options("vmd") });
    let source = vmd(&std::fs::read(workspace().join("samples/bow.vmd")).unwrap());
    let (before, after) = (keys(&source), keys(&vmd(&conversion.output.main)));
    assert_eq!(after.len(), 11);
    for (bone, frames) in &after {
        let inside: Vec<u32> =
            before[bone].iter().filter(|frame| (30..=90).contains(*frame)).map(|frame| frame - 30).collect();
        let more: Vec<u32> = frames.iter().filter(|frame| !inside.contains(frame)).copied().collect();
        assert!(inside.iter().all(|frame| frames.contains(frame)), "{bone}: {frames:?} of {inside:?}");
        assert!(more.iter().all(|frame| [0, 60].contains(frame)), "{bone}: {frames:?} of {inside:?}");
    }
}

#[test]
fn dropping_keys_never_writes_more_than_were_read() {
    for name in ["walk.vmd", "bow.vmd"] {
        let (_, conversion) = made(&sample(name), &ConvertOptions { lossy: true, ..options("vmd") });
        let before = vmd(&std::fs::read(workspace().join("samples").join(name)).unwrap());
        let after = vmd(&conversion.output.main);
        assert!(after.bones.len() <= before.bones.len(), "{name}: {} keys", after.bones.len());
        assert!(after.morphs.len() <= before.morphs.len(), "{name}: {} keys", after.morphs.len());
    }
}

#[test]
fn mode_and_distance_of_the_self_shadow_come_back_from_glb() {
    let name = Name::encode("初音ミク", false).unwrap().name;
    let mut document = Document::new(Version::V0002, &name);
    let interpolation = BoneKeyframe::interpolation_bytes([LINEAR; 4], dopesheet_mmd::vmd::Physics::On);
    let bone = |frame, x| BoneKeyframe {
        name: Name::encode("センター", false).unwrap().name,
        frame,
        translation: [x, 0.0, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        interpolation,
    };
    document.bones = vec![bone(0, 0.0), bone(60, 3.0)];
    let shadow = |frame, mode, distance| ShadowKeyframe { frame, mode, distance };
    document.shadows = vec![shadow(0, 1, 0.05), shadow(20, 2, 0.07), shadow(60, 0, 0.02)];
    let bytes = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
    let format = registry::by_id("vmd").unwrap();
    let input = read_as(format, "x.vmd", &bytes, &ReadOptions::default(), &mut |_| None).unwrap();
    let (glb, _) = made(&input, &options("glb"));
    let (_, back) = made(&glb, &options("vmd"));
    assert_eq!(vmd(&back.output.main).shadows, document.shadows);
}

fn scene(opened: &Opened) -> Scene {
    let mut scene =
        opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

#[test]
fn a_camera_from_glb_is_as_far_off_as_is_said() {
    let (glb, _) = made(&sample("camera.vmd"), &options("glb"));
    let (back, conversion) = made(&glb, &options("vmd"));
    let (a, b) = (scene(&glb), scene(&back));
    let [from, to] = [&a, &b].map(|scene| Animation { scene, clip: &scene.clips[0] });
    let found = compare(from, to, &Tolerance { shell_m: Some(0.03), ..Tolerance::default() });
    let camera =
        found.tracks.iter().find(|track| track.target == "camera" && track.channels.len() > 2).unwrap();
    for channel in camera.channels.iter().filter(|channel| channel.channel != "yfov") {
        let what = format!("camera {}", channel.channel);
        let said = conversion.report.report.losses.iter().filter_map(|loss| match loss {
            Loss::Approximated { what: said, max_error, .. } if said.starts_with(&what) => {
                Some(max_error.value)
            }
            _ => None,
        });
        let said = said.fold(0.0, f64::max);
        assert!(channel.value <= 1.01 * said + 1e-6, "{what}: {} where {said} was said", channel.value);
        assert!(channel.value < 2e-4, "{what}: {}", channel.value);
    }
}

#[test]
fn the_keys_of_a_camera_come_back_from_a_format_in_which_it_circles_nothing() {
    let (glb, _) = made(&sample("camera.vmd"), &options("glb"));
    let (_, conversion) = made(&glb, &options("vmd"));
    let [set, back] =
        [&bytes(&workspace().join("samples/camera.vmd")), &conversion.output.main].map(|b| vmd(b));
    let frames = |document: &Document| document.cameras.iter().map(|key| key.frame).collect::<Vec<_>>();
    assert_eq!(frames(&back), frames(&set));
    // After the cut it only rolls and comes nearer, for which any point on its way would do.
    for (found, key) in back.cameras.iter().zip(&set.cameras).take(3) {
        assert!((found.distance - key.distance).abs() < 0.05, "{} for {}", found.distance, key.distance);
    }
}
