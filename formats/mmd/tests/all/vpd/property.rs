//! Laws that hold for whatever documents and texts there are.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_mmd::Vpd;
use dopesheet_mmd::vpd::{Bone, Document, Morph, Pose};
use proptest::collection::vec;
use proptest::prelude::*;

/// A number that six decimals hold.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0), -40_000_000..40_000_000i32]
        .prop_map(|millionths| format!("{:.6}", f64::from(millionths) / 1e6).parse().unwrap())
        .prop_filter("it is written as it was", |number: &f32| {
            format!("{number:.6}").parse() == Ok(*number) && (*number != 0.0 || number.is_sign_positive())
        })
}

fn numbers<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(number(), N).prop_map(|v| std::array::from_fn(|n| v[n]))
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just("a b"), Just("左ひじ"), Just("センター"), Just("{}"), Just("表;//")]
        .prop_map(str::to_owned)
}

fn bone() -> impl Strategy<Value = Bone> {
    (name(), numbers(), numbers()).prop_map(|(name, translation, rotation)| Bone {
        name,
        translation,
        rotation,
    })
}

prop_compose! {
    fn pose()(
        parent in prop_oneof![Just(""), Just("miku.osm"), Just("初音 ミク.osm")],
        announced_bones in prop_oneof![0..6u32, any::<u32>()],
        bones in vec(bone(), 0..5),
        morphs in vec((name(), number()).prop_map(|(name, weight)| Morph { name, weight }), 0..4),
    ) -> Pose {
        Pose { parent: parent.to_owned(), announced_bones, bones, morphs }
    }
}

fn bytes(document: &Document) -> Vec<u8> {
    Vpd::write(document, &WriteOptions::default()).unwrap().main
}

proptest! {
    #[test]
    fn a_pose_survives_its_text(pose in pose()) {
        let text = bytes(&Document::new(pose.clone()));
        let document = dopesheet_testkit::read::<Vpd>(&text);
        prop_assert_eq!(document.pose(), &pose);
        prop_assert_eq!(bytes(&document), text);
    }

    #[test]
    fn any_edit_is_found_in_the_text(before in pose(), after in pose()) {
        let mut document = dopesheet_testkit::read::<Vpd>(&bytes(&Document::new(before)));
        *document.pose_mut() = after.clone();
        let edited = dopesheet_testkit::read::<Vpd>(&bytes(&document));
        prop_assert_eq!(edited.pose(), &after);
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_is_written_back(
        head in any::<bool>(),
        words in vec(prop_oneof![
            Just("Bone0{"), Just("Morph1{a"), Just("}"), Just("0,0,0;"), Just("1,0,0,1;"), Just(".5;"), Just("nan"),
            Just("//x"), Just("\r\n"), Just("\n"), Just("3;"), Just(";"), Just(","), Just("\u{3000}"),
        ], 0..24),
        lenient in any::<bool>(),
    ) {
        let start = if head { "Vocaloid Pose Data file\na.osm;1;\n" } else { "Vocaloid Pose Data file\n" };
        let text = format!("{start}{}", words.concat()).into_bytes();
        let mut report = Report::default();
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        if let Ok(document) = Vpd::read(&Source::new(&text), &options, &mut report) {
            prop_assert_eq!(bytes(&document), text);
            Vpd::check(&document, &mut report);
            for finding in &report.findings {
                let known = |c: &dopesheet_core::format::Check| c.code == finding.fault.code && c.severity == finding.severity;
                prop_assert!(Vpd::INFO.checks.iter().any(known));
            }
            let scene = Vpd::to_scene(&document, &ToScene::default(), &mut report).unwrap();
            for curve in scene.clips[0].tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves()) {
                prop_assert_eq!(curve.validate(), Ok(()));
            }
            Vpd::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
        }
    }

    /// Six decimals hold what six decimals said, so nothing but equal names is lost.
    #[test]
    fn a_clip_survives_a_document_exactly(pose in pose()) {
        let options = ToScene { as_stored: true, ..ToScene::default() };
        let scene = Vpd::to_scene(&Document::new(pose), &options, &mut Report::default()).unwrap();
        let mut report = Report::default();
        let back = Vpd::from_scene(&scene, &FromScene::default(), &mut report).unwrap();
        prop_assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{:?}", report);
        let again = Vpd::to_scene(&back, &options, &mut Report::default()).unwrap();
        prop_assert_eq!(&again.clips[0].tracks, &scene.clips[0].tracks);
    }
}
