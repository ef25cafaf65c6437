//! Laws that hold for whatever documents and scenes there are.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, FromScene, ToScene, WriteOptions};
use dopesheet_mmd::Vmd;
use dopesheet_mmd::text::Name;
use dopesheet_mmd::vmd::{
    BoneKeyframe, CameraKeyframe, Document, IkSwitch, LightKeyframe, ModelKeyframe, MorphKeyframe, Section,
    ShadowKeyframe, Version,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn numbers<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(prop_oneof![Just(0.0), -10f32..10.0], N).prop_map(|v| std::array::from_fn(|n| v[n]))
}

fn name<const N: usize>() -> impl Strategy<Value = Name<N>> {
    prop_oneof![Just("a"), Just("左ひじ"), Just("センター")]
        .prop_map(|t| Name::encode(t, false).unwrap().name)
}

fn frame() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..40u32, 1 => any::<u32>()]
}

fn bytes<const N: usize>() -> impl Strategy<Value = [u8; N]> {
    vec(any::<u8>(), N).prop_map(|v| std::array::from_fn(|n| v[n]))
}

fn bone() -> impl Strategy<Value = BoneKeyframe> {
    (name(), frame(), numbers(), numbers(), bytes()).prop_map(
        |(name, frame, translation, rotation, interpolation)| BoneKeyframe {
            name,
            frame,
            translation,
            rotation,
            interpolation,
        },
    )
}

fn camera() -> impl Strategy<Value = CameraKeyframe> {
    (frame(), numbers(), numbers(), bytes(), 0..200u32, 0..3u8).prop_map(
        |(frame, [distance, x, y, z], angles, interpolation, fov_deg, perspective_off)| CameraKeyframe {
            frame,
            distance,
            target: [x, y, z],
            angles,
            interpolation,
            fov_deg,
            perspective_off,
        },
    )
}

fn light() -> impl Strategy<Value = LightKeyframe> {
    (frame(), numbers(), numbers()).prop_map(|(frame, color, direction)| LightKeyframe {
        frame,
        color,
        direction,
    })
}

fn model() -> impl Strategy<Value = ModelKeyframe> {
    let switch = (name(), 0..2u8).prop_map(|(name, enabled)| IkSwitch { name, enabled });
    (frame(), 0..2u8, vec(switch, 0..3)).prop_map(|(frame, visible, ik)| ModelKeyframe { frame, visible, ik })
}

prop_compose! {
    fn document()(
        version in prop_oneof![Just(Version::Old), Just(Version::V0002), Just(Version::Bare)],
        model in name(),
        bones in vec(bone(), 0..12),
        morphs in vec((name(), frame(), -1f32..2.0).prop_map(|(name, frame, weight)| MorphKeyframe { name, frame, weight }), 0..8),
        cameras in vec(camera(), 0..6),
        lights in vec(light(), 0..6),
        shadows in vec((frame(), 0..4u8, 0f32..0.2).prop_map(|(frame, mode, distance)| ShadowKeyframe { frame, mode, distance }), 0..4),
        models in vec(model(), 0..4),
        trailing in vec(any::<u8>(), 0..5),
        last in 0..6usize,
    ) -> Document {
        let mut document =
            Document { bones, morphs, cameras, lights, shadows, models, trailing, ..Document::new(version, &model) };
        document.last_section = Section::ALL[last];
        document.last_section = document.last_written();
        document
    }
}

proptest! {
    #[test]
    fn a_document_survives_its_bytes(document in document()) {
        let bytes = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
        prop_assert_eq!(dopesheet_testkit::read::<Vmd>(&bytes), document);
    }

    /// Curves are multiples of 1/127, values f32 and times whole frames, so nothing is rounded but the field of view,
    /// and that is whole to begin with.
    #[test]
    fn a_clip_survives_a_document_exactly(mut document in document()) {
        // Keys of one frame with different values are jumps, which move to the frame before; keys beyond 24 hours are
        // left out.
        const LAST: u32 = 24 * 60 * 60 * 30;
        let (mut bones, mut morphs) = (BTreeSet::new(), BTreeSet::new());
        let (mut cameras, mut lights) = (BTreeSet::new(), BTreeSet::new());
        document.bones.retain(|key| key.frame <= LAST && bones.insert((key.name, key.frame)));
        document.morphs.retain(|key| key.frame <= LAST && morphs.insert((key.name, key.frame)));
        document.cameras.retain(|key| key.frame <= LAST && cameras.insert(key.frame));
        document.lights.retain(|key| key.frame <= LAST && lights.insert(key.frame));
        document.models.retain(|key| key.frame <= LAST);
        let scene = Vmd::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
        let mut report = Report::default();
        let options = FromScene { keep_constant: true, ..FromScene::default() };
        let back = Vmd::from_scene(&scene, &options, &mut report).unwrap();
        prop_assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{:?}", report);
        let again = Vmd::to_scene(&back, &ToScene::default(), &mut Report::default()).unwrap();
        prop_assert_eq!(&again.clips[0].tracks, &scene.clips[0].tracks);
    }

    #[test]
    fn checking_and_converting_never_panic(document in document()) {
        let mut report = Report::default();
        Vmd::check(&document, &mut report);
        for finding in &report.findings {
            prop_assert!(Vmd::INFO.checks.iter().any(|c| c.code == finding.fault.code && c.severity == finding.severity));
        }
        let scene = Vmd::to_scene(&document, &ToScene::default(), &mut report).unwrap();
        for curve in scene.clips[0].tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves()) {
            prop_assert_eq!(curve.validate(), Ok(()));
        }
        Vmd::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
    }
}
