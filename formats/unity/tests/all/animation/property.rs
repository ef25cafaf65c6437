//! Laws that hold for whatever documents and texts there are.

use crate::animation::fixtures::plain;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_unity::UnityAnim;
use dopesheet_unity::animation::{
    AnimationCurve, Clip, Document, Event, File, FloatCurve, Keyframe, ObjectReference, Settings,
    TransformCurve,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        (-4000..4000i16).prop_map(|n| f32::from(n) / 64.0),
        any::<f32>().prop_filter("a number", |n| !n.is_nan()),
        Just(f32::INFINITY),
        Just(0.0),
        Just(1.0 / 3.0),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(""),
        Just("Hips"),
        Just("Armature/Left Hand"),
        Just("胸"),
        Just("a: b"),
        Just("- x"),
        Just("no"),
        Just("7"),
        Just("Infinity"),
        Just("{y}"),
        Just("a #b"),
        Just("  two  "),
        Just("line\nbreak\t"),
        Just("\"'\\"),
        Just("😀"),
    ]
    .prop_map(str::to_owned)
}

fn key<const N: usize>() -> impl Strategy<Value = Keyframe<N>> {
    (number(), vec(number(), 5 * N..=5 * N), [0..200i64, 0..4i64]).prop_map(|(time, numbers, modes)| {
        let list = |at: usize| std::array::from_fn(|n| numbers[at * N + n]);
        Keyframe {
            time,
            value: list(0),
            in_slope: list(1),
            out_slope: list(2),
            in_weight: list(3),
            out_weight: list(4),
            tangent_mode: modes[0],
            weighted_mode: modes[1],
        }
    })
}

fn curve<const N: usize>() -> impl Strategy<Value = AnimationCurve<N>> {
    (vec(key::<N>(), 0..4), [0..3i64, 0..3i64, 0..6i64]).prop_map(|(keys, modes)| AnimationCurve {
        keys,
        pre_infinity: modes[0],
        post_infinity: modes[1],
        rotation_order: modes[2],
    })
}

fn transform<const N: usize>() -> impl Strategy<Value = TransformCurve<N>> {
    (text(), curve::<N>()).prop_map(|(path, curve)| TransformCurve { path, curve })
}

fn reference() -> impl Strategy<Value = ObjectReference> {
    prop_oneof![
        Just(ObjectReference::default()),
        (any::<i64>(), 0..4i64).prop_map(|(file_id, kind)| ObjectReference {
            file_id,
            guid: Some("0f".repeat(16)),
            kind: Some(kind)
        }),
    ]
}

prop_compose! {
    fn float()(
        path in text(), curve in curve::<1>(), script in reference(), class_id in prop_oneof![Just(1), Just(4), Just(20), Just(95), Just(137), 0..300i64],
        attribute in prop_oneof![
            text(), Just("m_IsActive".to_owned()), Just("blendShape.笑い".to_owned()), Just("m_LocalPosition.y".to_owned()),
            Just("field of view".to_owned()), Just("RootT.x".to_owned()), Just("localEulerAnglesRaw.z".to_owned()),
        ],
    ) -> FloatCurve {
        FloatCurve { attribute, path, class_id, script, flags: None, curve }
    }
}

prop_compose! {
    fn event()(time in number(), function_name in text(), data in text(), object_reference in reference(), n in any::<i64>()) -> Event {
        Event { time, function_name, data, object_reference, float_parameter: 0.5, int_parameter: n, message_options: 0 }
    }
}

prop_compose! {
    fn clip()(
        name in text(), rates in [number(), number()], loop_time in any::<bool>(), wrap_mode in 0..9i64,
        rotation_curves in vec(transform(), 0..3), euler_curves in vec(transform(), 0..2), position_curves in vec(transform(), 0..3),
        scale_curves in vec(transform(), 0..2), float_curves in vec(float(), 0..4), editor_curves in vec(float(), 0..2),
        events in vec(event(), 0..3),
    ) -> Clip {
        let settings = Settings { stop_time: rates[0], loop_time, ..Settings::default() };
        Clip {
            name, sample_rate: rates[1], wrap_mode, settings, rotation_curves, euler_curves, position_curves, scale_curves,
            float_curves, editor_curves, events, ..Clip::default()
        }
    }
}

fn document(clip: Clip) -> Document {
    Document::new(File { clips: vec![clip], other_objects: 0 })
}

fn bytes(document: &Document) -> Vec<u8> {
    UnityAnim::write(document, &WriteOptions::default()).unwrap().main
}

fn look(document: &Document, report: &mut Report) {
    UnityAnim::check(document, report);
    let scene = UnityAnim::to_scene(document, &ToScene::default(), report).unwrap();
    for finding in &report.findings {
        let known = |c: &Check| c.code == finding.fault.code && c.severity == finding.severity;
        assert!(UnityAnim::INFO.checks.iter().any(known), "{finding}");
    }
    for curve in scene
        .clips
        .iter()
        .flat_map(|c| &c.tracks)
        .flat_map(|t| &t.channels)
        .flat_map(|c| c.composition.curves())
    {
        assert_eq!(curve.validate(), Ok(()));
    }
    if let Ok(made) = UnityAnim::from_scene(&scene, &FromScene::default(), report) {
        let text = bytes(&made);
        assert_eq!(dopesheet_testkit::read::<UnityAnim>(&text).file(), made.file());
    }
}

proptest! {
    #[test]
    fn a_clip_survives_its_text(clip in clip()) {
        let text = bytes(&document(clip.clone()));
        let read = dopesheet_testkit::read::<UnityAnim>(&text);
        prop_assert_eq!(&read.file().clips, &[clip]);
        prop_assert_eq!(bytes(&read), text);
        look(&read, &mut Report::default());
    }

    #[test]
    fn any_edit_is_found_in_the_text(before in clip(), after in clip()) {
        let mut edited = dopesheet_testkit::read::<UnityAnim>(&bytes(&document(before)));
        edited.file_mut().clips[0] = after.clone();
        let read = dopesheet_testkit::read::<UnityAnim>(&bytes(&edited));
        prop_assert_eq!(&read.file().clips, &[after]);
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_is_written_back(
        cuts in vec((any::<prop::sample::Index>(), prop_oneof![
            Just(""), Just("\n"), Just(" "), Just("  - "), Just(": "), Just("{"), Just("}"), Just("["), Just("\""), Just("'"),
            Just("#"), Just("\r\n"), Just("--- !u!74 &1\n"), Just("AnimationClip:\n"), Just("\\u30"), Just("- "), Just("Infinity"), Just("ä"),
        ], 0..9usize), 1..6),
        lenient in any::<bool>(),
    ) {
        let mut text = plain().into_bytes();
        for (at, word, gone) in cuts {
            let at = at.index(text.len() + 1);
            let end = (at + gone).min(text.len());
            text.splice(at..end, word.bytes());
        }
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        let mut report = Report::default();
        if let Ok(document) = UnityAnim::read(&Source::new(&text), &options, &mut report) {
            prop_assert_eq!(bytes(&document), text);
            look(&document, &mut report);
        }
    }
}
