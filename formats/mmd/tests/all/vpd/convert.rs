//! Motions that conversion has brought within the capabilities of poses.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, FromScene, ToScene};
use dopesheet_core::model::Scene;
use dopesheet_core::units::FrameRate;
use dopesheet_mmd::vmd::{self, BoneKeyframe, LINEAR, MorphKeyframe, Physics, Version};
use dopesheet_mmd::vpd::{Bone, Document};
use dopesheet_mmd::{Vmd, Vpd, text::Name};
use dopesheet_motion::{Conform, Range, arrange, conform, trim};

fn key(name: &str, frame: u32, x: f32) -> BoneKeyframe {
    // Eased along every channel.
    let curve = [64, 0, 64, 127];
    BoneKeyframe {
        name: Name::encode(name, false).unwrap().name,
        frame,
        translation: [x, 0.0, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        interpolation: BoneKeyframe::interpolation_bytes([curve, curve, LINEAR, curve], Physics::On),
    }
}

fn motion() -> Scene {
    let document = vmd::Document {
        bones: vec![key("a", 0, 1.0), key("a", 10, 3.0), key("late", 20, 2.0)],
        morphs: vec![MorphKeyframe { name: Name::encode("m", false).unwrap().name, frame: 0, weight: 0.5 }],
        ..vmd::Document::new(Version::V0002, &Name::EMPTY)
    };
    Vmd::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap()
}

fn pose(mut scene: Scene) -> (Document, Report) {
    let mut report = Report::default();
    let capabilities = &Vpd::INFO.capabilities;
    arrange(&mut scene, capabilities);
    conform(&mut scene, capabilities, &Conform::default(), &mut report);
    let document = Vpd::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
    (document, report)
}

fn places(document: &Document) -> Vec<(&str, f32)> {
    document.pose().bones.iter().map(|bone: &Bone| (bone.name.as_str(), bone.translation[0])).collect()
}

#[test]
fn a_motion_becomes_the_pose_at_its_start() {
    let (document, report) = pose(motion());
    assert_eq!(places(&document), [("a", 1.0), ("late", 0.0)], "a late bone starts at rest");
    assert_eq!(document.pose().morphs[0].weight, 0.5);
    let dropped: Vec<_> = report.losses.iter().filter(|loss| !matches!(loss, Loss::Kept { .. })).collect();
    let [Loss::Dropped { what, why }] = dropped.as_slice() else { panic!("{dropped:?}") };
    // Two of translations and two of rotations.
    assert_eq!((what.as_str(), why.as_str()), ("4 keys after the start", "a pose is one moment"));
}

#[test]
fn a_motion_cut_to_one_frame_becomes_the_pose_of_that_frame() {
    let mut scene = motion();
    let at = FrameRate::FPS_30.seconds(5.0);
    trim(&mut scene.clips[0], Range { start: at, end: at });
    let (document, _) = pose(scene);
    // Half way along a symmetric curve.
    let [("a", a), ("late", late)] = places(&document)[..] else { panic!("two bones") };
    assert!((a - 2.0).abs() < 0.02, "{a}");
    assert!(late > 0.0 && late < 0.5, "{late}");
}
