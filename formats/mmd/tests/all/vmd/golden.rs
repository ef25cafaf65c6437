//! Bytes laid out by hand.

use crate::vmd::bytes::STRAIGHT;
use crate::vmd::fixtures;
use dopesheet_core::format::{Confidence, Format, Hint, WriteOptions};
use dopesheet_mmd::Vmd;
use dopesheet_mmd::text::Name;
use dopesheet_mmd::vmd::{
    BoneChannel, BoneKeyframe, CameraChannel, Document, IkSwitch, LINEAR, LightKeyframe, ModelKeyframe,
    ModelName, MorphKeyframe, Physics, Section, ShadowKeyframe, Version,
};
use dopesheet_testkit::read;

/// A file with one key of each kind that has a name, spelled out.
const SPELLED_OUT: &[&[u8]] = &[
    b"Vocaloid Motion Data 0002\0\0\0\0\0",
    b"Miku\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"\x01\x00\x00\x00",
    b"head\0\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd",
    b"\x1e\x00\x00\x00",
    b"\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f",
    b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\xbf",
    &STRAIGHT,
    b"\x01\x00\x00\x00",
    b"smile\0\0\0\0\0\0\0\0\0\0",
    b"\x02\x00\x00\x00",
    b"\x00\x00\x80\x3e",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x00\x00",
    b"\x01\x00\x00\x00",
    b"\x03\x00\x00\x00\x01",
    b"\x01\x00\x00\x00",
    b"leg IK\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x00",
    b"end",
];

fn text<const N: usize>(text: &str) -> Name<N> {
    Name::encode(text, false).unwrap().name
}

fn spelled_out() -> Document {
    Document {
        bones: vec![BoneKeyframe {
            name: Name(*b"head\0\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd"),
            frame: 30,
            translation: [1.0, -2.0, 0.5],
            rotation: [0.0, 0.0, 0.0, -1.0],
            interpolation: BoneKeyframe::interpolation_bytes([LINEAR; 4], Physics::On),
        }],
        morphs: vec![MorphKeyframe { name: text("smile"), frame: 2, weight: 0.25 }],
        models: vec![ModelKeyframe {
            frame: 3,
            visible: 1,
            ik: vec![IkSwitch { name: text("leg IK"), enabled: 0 }],
        }],
        trailing: b"end".to_vec(),
        ..Document::new(Version::V0002, &text("Miku"))
    }
}

#[test]
fn a_file_is_read_field_by_field() {
    assert_eq!(read::<Vmd>(&SPELLED_OUT.concat()), spelled_out());
}

#[test]
fn a_document_made_by_hand_is_written_field_by_field() {
    let written = Vmd::write(&spelled_out(), &WriteOptions::default()).unwrap();
    assert_eq!(written.main, SPELLED_OUT.concat());
    assert_eq!(written.resources, []);
}

#[test]
fn changing_one_field_changes_only_its_bytes() {
    let before = SPELLED_OUT.concat();
    let mut document = read::<Vmd>(&before);
    document.bones[0].translation[1] = 7.0;
    let after = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(before.len(), after.len());
    let changed: Vec<_> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    // The number is at 77..81; its sign and exponent are in the last two bytes.
    assert_eq!(changed, [79, 80]);
    assert_eq!(read::<Vmd>(&after), document);
}

#[test]
fn curves_and_physics_are_read_from_the_fixture_as_described() {
    let document = read::<Vmd>(&fixtures::motion());
    let [rest, eased, _] = document.bones.as_slice() else { panic!("three bone keys") };
    assert_eq!(BoneChannel::ALL.map(|c| rest.curve(c)), [LINEAR; 4]);
    assert_eq!(rest.physics(), Physics::On);
    let curves = [LINEAR, [0, 0, 127, 127], [64, 0, 64, 127], [20, 0, 30, 127]];
    assert_eq!(BoneChannel::ALL.map(|c| eased.curve(c)), curves);
    assert_eq!(eased.physics(), Physics::Off);
    assert_eq!(BoneKeyframe::interpolation_bytes(curves, Physics::Off), eased.interpolation);
}

#[test]
fn a_camera_file_keeps_what_stands_behind_its_texts() {
    let document = read::<Vmd>(&fixtures::camera());
    assert_eq!(&document.signature.0[25..], b"\0JKLM");
    assert_eq!(document.model.text(), ModelName::CAMERA_AND_LIGHT);
    assert_eq!((document.last_section, document.is_camera_motion()), (Section::Shadows, true));
    let [_, second, third] = document.cameras.as_slice() else { panic!("three camera keys") };
    assert_eq!(second.curve(CameraChannel::Distance), [64, 0, 107, 107]);
    assert_eq!(second.curve(CameraChannel::Angles), LINEAR);
    assert_eq!((third.frame, third.fov_deg, third.perspective_off), (31, 45, 1));
    let light = LightKeyframe { frame: 20, color: [0.602; 3], direction: [0.5, -1.0, 0.0] };
    assert_eq!(document.lights[1], light);
    assert_eq!(document.shadows[0], ShadowKeyframe { frame: 0, mode: 1, distance: 0.01125 });
}

#[test]
fn the_old_signature_has_a_model_name_of_ten_bytes() {
    let (_, _, bytes) = fixtures::all().into_iter().find(|(_, name, _)| *name == "old-signature").unwrap();
    let document = read::<Vmd>(&bytes);
    assert_eq!(document.version(), Some(Version::Old));
    assert_eq!(document.model, ModelName::Short(text("初音ミク")));
    assert_eq!(document.bones[0].name, text("センター"));
}

#[test]
fn probing_looks_at_the_bytes_first() {
    let by_name = Hint::from_file_name("dance.VMD");
    let none = Hint::default();
    let probe = |head: &[u8], hint: &Hint| Vmd::probe(head, hint);
    assert_eq!(probe(&fixtures::motion(), &none), Confidence::Certain);
    assert_eq!(probe(b"Vocaloid Motion Data 9999\0\0\0\0\0", &none), Confidence::Plausible);
    assert_eq!(probe(b"Vocaloid Motion Dat4 0002\0\0\0\0\0", &by_name), Confidence::ByName);
    assert_eq!(probe(b"Vocaloid Pose Data file", &none), Confidence::No);
    assert_eq!(probe(b"", &by_name), Confidence::ByName);
}
