//! Documents of all kinds.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::{
    Document, Hands, Key, KeyShape, Keyframe, Marker, NumberCurve, NumberKeys, Pose, Ray, SwitchCurve,
    Version, Wrap,
};
use proptest::prelude::*;

fn wrap() -> impl Strategy<Value = Wrap> {
    let mode = || prop::sample::select(vec![0, 1, 2, 4, 8]);
    (mode(), mode()).prop_map(|(before, after)| Wrap { before, after })
}

/// Ascending times of a recorder at 60 frames per second.
fn times() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::btree_set(0u32..600, 0..6)
        .prop_map(|frames| frames.into_iter().map(|frame| frame as f32 / 60.0).collect())
}

fn value() -> impl Strategy<Value = f32> {
    prop_oneof![-2.0f32..2.0, Just(0.0), Just(1.0)]
}

fn number(shape: KeyShape) -> BoxedStrategy<NumberCurve> {
    let keys = times().prop_flat_map(move |times| {
        let keyframe = |time: f32| {
            (value(), -9.0f32..9.0, -9.0f32..9.0, 0.0f32..=1.0, 0.0f32..=1.0, 0i32..4).prop_map(
                move |(value, in_tangent, out_tangent, in_weight, out_weight, weighted_mode)| Keyframe {
                    time,
                    value,
                    in_tangent,
                    out_tangent,
                    in_weight,
                    out_weight,
                    weighted_mode,
                },
            )
        };
        times.into_iter().map(keyframe).collect::<Vec<_>>()
    });
    let keys = keys.prop_map(move |keys| match shape {
        KeyShape::Full => NumberKeys::Full(keys),
        KeyShape::Simple => {
            NumberKeys::Simple(keys.iter().map(|key| Key { time: key.time, value: key.value }).collect())
        }
    });
    (wrap(), keys).prop_map(|(wrap, keys)| NumberCurve { wrap, keys }).boxed()
}

fn pose(shape: KeyShape) -> impl Strategy<Value = Pose> {
    let curves = || number(shape);
    ([curves(), curves(), curves()], [curves(), curves(), curves(), curves()])
        .prop_map(|(position, rotation)| Pose { position, rotation })
}

fn ray(shape: KeyShape) -> impl Strategy<Value = Ray> {
    let curves = || number(shape);
    ([curves(), curves(), curves()], [curves(), curves(), curves()])
        .prop_map(|(origin, direction)| Ray { origin, direction })
}

fn hands(shape: KeyShape) -> impl Strategy<Value = Box<Hands>> {
    let switch = || {
        let keys = times().prop_map(|times| {
            times
                .into_iter()
                .zip([0.0, 1.0].into_iter().cycle())
                .map(|(time, value)| Key { time, value })
                .collect()
        });
        (wrap(), keys).prop_map(|(wrap, keys)| SwitchCurve { wrap, keys })
    };
    let moved = (0usize..2, 0usize..27, pose(shape));
    ([switch(), switch()], [switch(), switch()], prop::collection::vec(moved, 0..4)).prop_map(
        move |(tracked, pinch, moved)| {
            let mut hands = Hands { tracked, pinch, ..Hands::default() };
            for (_, pose) in hands.poses_mut() {
                pose.curves_mut().for_each(|curve| curve.keys = NumberKeys::empty(shape));
            }
            for (hand, joint, pose) in moved {
                hands.joints[hand][joint] = pose;
            }
            Box::new(hands)
        },
    )
}

fn markers() -> impl Strategy<Value = Vec<Marker>> {
    let marker = (0.0f32..20.0, "[a-zа-я ]{0,70}");
    prop::collection::vec(marker.prop_map(|(time, name)| Marker::new(time, &name)), 0..4)
}

pub(crate) fn document() -> impl Strategy<Value = Document> {
    let shapes = prop::sample::select(vec![KeyShape::Simple, KeyShape::Full]);
    let of_1_1 = shapes.prop_flat_map(|shape| {
        let parts =
            (prop::option::of(pose(shape)), prop::option::of(hands(shape)), prop::option::of(ray(shape)));
        (parts, prop::option::of(markers())).prop_map(|((camera, hands, gaze), markers)| Document {
            camera,
            hands,
            gaze,
            markers,
            ..Document::new(Version::V1_1)
        })
    });
    let full = KeyShape::Full;
    let of_1_0 =
        (pose(full), hands(full), prop::option::of(markers())).prop_map(|(camera, hands, markers)| {
            Document { camera: Some(camera), hands: Some(hands), markers, ..Document::new(Version::V1_0) }
        });
    prop_oneof![3 => of_1_1, 1 => of_1_0]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(dopesheet_testkit::cases(256)) })]

    /// Written, read and written again, with the shape that it was written in.
    #[test]
    fn a_document_comes_back(document in document()) {
        let bytes = Mrtk2::write(&document, &WriteOptions::default()).unwrap().main;
        let read = Mrtk2::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()).unwrap();
        if document.shape().is_some() {
            prop_assert_eq!(&read, &document);
        }
        let again = Mrtk2::write(&read, &WriteOptions::default()).unwrap().main;
        prop_assert_eq!(again, bytes);
        let mut report = Report::default();
        Mrtk2::check(&read, &mut report);
        let wrong = report.findings.iter().find(|f| f.fault.code == "shape-ambiguous");
        prop_assert!(wrong.is_none());
    }

    /// Bytes that are no file, or a file with an end of its own.
    #[test]
    fn arbitrary_bytes_never_lead_astray(flags in prop::array::uniform3(0u8..3), body in prop::collection::vec(any::<u8>(), 0..400), lenient in any::<bool>()) {
        let mut bytes = crate::animation::bytes::File::flags(flags).done();
        bytes.extend(body);
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        let mut report = Report::default();
        if let Ok(document) = Mrtk2::read(&Source::new(&bytes), &options, &mut report) {
            Mrtk2::check(&document, &mut report);
            let _ = Mrtk2::to_scene(&document, &Default::default(), &mut report);
        }
    }
}
