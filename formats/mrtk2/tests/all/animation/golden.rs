//! Documents built by hand against bytes built by hand.

use crate::animation::fixtures::{documented, hands, head_and_gaze};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, Limits, ReadOptions, Source, WriteOptions};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::{
    Document, Hand, Hands, Joint, Key, Keyframe, Marker, NumberCurve, NumberKeys, Pose, Ray, SwitchCurve,
    Version, Wrap,
};
use dopesheet_testkit::read;

fn keys(keys: &[[f32; 2]]) -> Vec<Key> {
    keys.iter().map(|[time, value]| Key { time: *time, value: *value }).collect()
}

fn curve(list: &[[f32; 2]]) -> NumberCurve {
    NumberCurve { wrap: Wrap::CLAMP, keys: NumberKeys::Simple(keys(list)) }
}

fn written(document: &Document) -> Vec<u8> {
    Mrtk2::write(document, &WriteOptions::default()).unwrap().main
}

fn a_head_and_a_gaze() -> Document {
    let none = NumberCurve::default;
    Document {
        camera: Some(Pose {
            position: [curve(&[[0.0, 0.0], [1.0, 0.5], [2.0, 1.0]]), curve(&[[0.0, 1.6]]), none()],
            rotation: [none(), curve(&[[0.0, 0.0], [2.0, -0.6]]), none(), curve(&[[0.0, 1.0], [2.0, 0.8]])],
        }),
        gaze: Some(Ray {
            origin: [curve(&[[0.0, 0.1]]), curve(&[[0.0, 1.6]]), none()],
            direction: [none(), curve(&[[0.0, -0.25], [1.5, 0.25]]), curve(&[[0.0, 1.0]])],
        }),
        markers: Some(vec![Marker::new(0.5, "look"), Marker::new(3.0, "конец")]),
        ..Document::new(Version::V1_1)
    }
}

#[test]
fn a_head_and_a_gaze_in_both_directions() {
    assert_eq!(written(&a_head_and_a_gaze()), head_and_gaze());
    assert_eq!(read::<Mrtk2>(&head_and_gaze()), a_head_and_a_gaze());
}

#[test]
fn switches_stand_in_front_of_the_joints_tracked_before_pinch() {
    let mut both = Hands::default();
    let left = Hand::Left as usize;
    both.tracked[left] = SwitchCurve { wrap: Wrap::CLAMP, keys: keys(&[[0.0, 0.0], [0.5, 1.0], [1.5, 0.0]]) };
    both.pinch[left] = SwitchCurve { wrap: Wrap::CLAMP, keys: keys(&[[0.0, 0.0], [0.75, 1.0]]) };
    for (joint, y) in [(Joint::Wrist, 1.0), (Joint::IndexTip, 1.1)] {
        let pose = &mut both.joints[left][joint as usize];
        pose.position = [curve(&[[0.5, -0.2], [1.5, -0.1]]), curve(&[[0.5, y]]), curve(&[[0.5, 0.3]])];
        pose.rotation[3] = curve(&[[0.5, 1.0]]);
    }
    let document = Document { hands: Some(Box::new(both)), ..Document::new(Version::V1_1) };
    assert_eq!(written(&document), hands());
    assert_eq!(read::<Mrtk2>(&hands()), document);
}

#[test]
fn keys_of_28_bytes_have_tangents_before_weights() {
    let document = read::<Mrtk2>(&documented());
    let camera = document.camera.as_ref().unwrap();
    let expected = Keyframe {
        time: 1.0,
        value: 1.0,
        in_tangent: -1.0,
        out_tangent: 0.5,
        in_weight: 9.0,
        out_weight: 0.75,
        weighted_mode: 2,
    };
    assert_eq!(camera.position[0].keys.get(1), Some(expected));
    assert_eq!(camera.position[0].wrap, Wrap { before: 2, after: 4 });
    assert_eq!(written(&document), documented());
}

#[test]
fn the_smallest_file_is_nineteen_bytes() {
    let document = Document { markers: None, ..Document::new(Version::V1_1) };
    let bytes = [0xC6, 0x42, 0x9E, 0x0F, 0x6E, 0xAF, 0x8F, 0x6A, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    assert_eq!(written(&document), bytes);
    assert_eq!(read::<Mrtk2>(&bytes), document);
}

#[test]
fn one_edited_field_changes_nothing_else() {
    let mut document = read::<Mrtk2>(&head_and_gaze());
    let mut expected = head_and_gaze();
    document.camera.as_mut().unwrap().position[0].wrap.after = 2;
    expected[19 + 4] = 2;
    assert_eq!(written(&document), expected);
}

#[test]
fn what_a_version_cannot_hold_is_refused() {
    let mut text = String::new();
    let full = NumberCurve { wrap: Wrap::CLAMP, keys: NumberKeys::Full(vec![Keyframe::default()]) };
    let mut mixed = a_head_and_a_gaze();
    mixed.camera.as_mut().unwrap().position[2] = full;
    let mut simple = Document { version: Version::V1_0, gaze: None, ..a_head_and_a_gaze() };
    simple.hands = Some(Box::default());
    let bare = Document::new(Version::V1_0);
    let gaze = Document {
        camera: Some(Pose::default()),
        hands: Some(Box::default()),
        gaze: Some(Ray::default()),
        ..bare.clone()
    };
    // A full key whose numbers read as a simple key and a marker list, more plausible than its own.
    let misread = Document {
        gaze: Some(Ray { direction: [none_full(), none_full(), hidden()], ..Ray::default() }),
        markers: None,
        ..Document::new(Version::V1_1)
    };
    for document in [mixed, simple, bare, gaze, misread] {
        let error = Mrtk2::write(&document, &WriteOptions::default()).unwrap_err();
        text.push_str(&format!("{error}\n"));
    }
    insta::assert_snapshot!(text);
}

fn none_full() -> NumberCurve {
    NumberCurve { wrap: Wrap::CLAMP, keys: NumberKeys::Full(Vec::new()) }
}

/// A key whose tangents and weights are a marker list with the name "hidden away".
fn hidden() -> NumberCurve {
    let float = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
    let key = Keyframe {
        time: 0.5,
        value: 1.0,
        in_tangent: f32::from_bits(1),
        out_tangent: 0.25,
        in_weight: float(b"\x0bhid"),
        out_weight: float(b"den "),
        weighted_mode: i32::from_le_bytes(*b"away"),
    };
    NumberCurve { wrap: Wrap::CLAMP, keys: NumberKeys::Full(vec![key]) }
}

#[test]
fn probing_looks_at_the_bytes_first() {
    let hint = Hint::from_file_name("x.bin");
    assert_eq!(Mrtk2::probe(&head_and_gaze(), &Hint::default()), Confidence::Certain);
    assert_eq!(Mrtk2::probe(&head_and_gaze()[..12], &Hint::default()), Confidence::Plausible);
    assert_eq!(Mrtk2::probe(b"glTF", &hint), Confidence::ByName);
    assert_eq!(Mrtk2::probe(b"glTF", &Hint::default()), Confidence::No);
}

#[test]
fn longer_files_than_allowed_are_refused() {
    let limits = Limits { max_bytes: 20, ..Limits::default() };
    let options = ReadOptions { limits, lenient: true };
    let result = Mrtk2::read(&Source::new(&head_and_gaze()), &options, &mut Report::default());
    assert_eq!(result.unwrap_err().fault.code, "file-too-long");
}
