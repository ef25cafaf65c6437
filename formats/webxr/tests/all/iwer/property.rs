//! Any document is written and read again.

use super::fixtures::joints;
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_testkit::{cases, read};
use dopesheet_webxr::Iwer;
use dopesheet_webxr::iwer::{
    Document, Entry, Frame, Gamepad, GamepadState, Input, InputSource, Pose, Recording,
};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-2000i32..2000, Just(0)].prop_map(|n| f64::from(n) / 1000.0)
}

fn pose() -> impl Strategy<Value = Pose> {
    proptest::array::uniform7(number())
}

fn source() -> impl Strategy<Value = InputSource> {
    let words = ("left|right|none|[a-z\"\\\\\u{1}é]{0,3}", proptest::collection::vec("[a-z-]{0,6}", 0..3));
    let gamepad = proptest::option::of((0usize..3, 0usize..3));
    (words, any::<bool>(), any::<bool>(), gamepad).prop_map(
        |((side, profiles), has_grip, is_hand, gamepad)| InputSource {
            handedness: side,
            target_ray_mode: "tracked-pointer".into(),
            profiles,
            has_grip,
            joints: is_hand.then(|| joints().into_iter().map(str::to_owned).collect()),
            gamepad: gamepad.map(|(buttons, axes)| Gamepad { mapping: String::new(), buttons, axes }),
        },
    )
}

fn input((index, source): (u32, InputSource)) -> impl Strategy<Value = Input> {
    let (buttons, axes) = source.gamepad.as_ref().map_or((0, 0), |own| (own.buttons, own.axes));
    let joints = source.joints.as_ref().map_or(0, Vec::len);
    let rows = proptest::collection::vec(proptest::array::uniform8(number()), joints);
    let pressed =
        proptest::collection::vec(proptest::option::of(proptest::array::uniform3(number())), buttons);
    let values = proptest::collection::vec(proptest::option::of(number()), axes);
    (pose(), pose(), rows, pressed, values).prop_map(move |(ray, grip, rows, buttons, axes)| Input {
        index,
        ray,
        grip: source.has_grip.then_some(grip),
        hand: source.joints.is_some().then_some(rows),
        gamepad: source.gamepad.is_some().then_some(GamepadState { buttons, axes }),
    })
}

fn recording(frames: std::ops::Range<usize>) -> impl Strategy<Value = Recording> {
    proptest::collection::vec(source(), 0..3).prop_flat_map(move |sources| {
        let schema: Vec<Entry> = (0..).zip(sources).map(|(index, source)| Entry { index, source }).collect();
        let each: Vec<_> = schema.iter().map(|own| input((own.index, own.source.clone()))).collect();
        let frame =
            (number(), pose(), each).prop_map(|(time_ms, viewer, inputs)| Frame { time_ms, viewer, inputs });
        (Just(schema), proptest::collection::vec(frame, frames.clone()))
            .prop_map(|(schema, frames)| Recording { schema, frames })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(128)))]

    #[test]
    fn a_document_comes_back_from_its_bytes(recording in recording(0..3)) {
        let document = Document::new(recording);
        let bytes = Iwer::write(&document, &WriteOptions::default()).unwrap().main;
        prop_assert_eq!(read::<Iwer>(&bytes), document);
    }

    #[test]
    fn an_edited_number_is_the_only_difference(recording in recording(1..3), value in number()) {
        let plain = Iwer::write(&Document::new(recording), &WriteOptions::default()).unwrap().main;
        let spaced = String::from_utf8(plain).unwrap().replacen("\"frames\":", "\"frames\" :\n ", 1);
        let mut document = read::<Iwer>(spaced.as_bytes());
        document.recording_mut().frames[0].viewer[2] = value;
        let bytes = Iwer::write(&document, &WriteOptions::default()).unwrap().main;
        prop_assert!(bytes.windows(12).any(|part| part == b"\"frames\" :\n "));
        let again = read::<Iwer>(&bytes);
        prop_assert_eq!(again.recording(), document.recording());
    }
}
