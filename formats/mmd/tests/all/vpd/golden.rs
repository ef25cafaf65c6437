//! Texts spelled out by hand.

use crate::vpd::fixtures::{self, File};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, ReadOptions, Source, WriteOptions};
use dopesheet_mmd::Vpd;
use dopesheet_mmd::vpd::{Bone, Document, Morph, Pose};
use dopesheet_testkit::read;

/// A pose of MikuMikuMoving in full. The comments are 親ファイル名 and 総ポーズボーン数, the names 左 and あ.
const SPELLED_OUT: &[&[u8]] = &[
    b"Vocaloid Pose Data file\r\n",
    b"\r\n",
    b"miku.osm;\t\t// \x90\x65\x83\x74\x83\x40\x83\x43\x83\x8b\x96\xbc\r\n",
    b"1;\t\t\t\t// \x91\x8d\x83\x7c\x81\x5b\x83\x59\x83\x7b\x81\x5b\x83\x93\x90\x94\r\n",
    b"\r\n",
    b"Bone0{\x8d\xb6\r\n",
    b"  0.500000,-1.250000,3.000000;\t\t\t\t// trans x,y,z\r\n",
    b"  0.000000,-0.130526,0.000000,0.991445;\t\t// Quaternion x,y,z,w\r\n",
    b"}\r\n",
    b"\r\n",
    b"Morph0{\x82\xa0\r\n",
    b"  0.750000;\t\t\t\t// weight\r\n",
    b"}\r\n",
    b"\r\n",
];

pub(crate) fn spelled_out() -> Pose {
    Pose {
        parent: "miku.osm".into(),
        announced_bones: 1,
        bones: vec![Bone {
            name: "左".into(),
            translation: [0.5, -1.25, 3.0],
            // Minus nothing is written without its sign, as the writer must.
            rotation: [0.0, -0.130_526, 0.0, 0.991_445],
        }],
        morphs: vec![Morph { name: "あ".into(), weight: 0.75 }],
    }
}

#[test]
fn a_file_is_read_value_by_value() {
    assert_eq!(*read::<Vpd>(&SPELLED_OUT.concat()).pose(), spelled_out());
}

#[test]
fn a_pose_made_by_hand_is_written_as_mikumikudance_writes_it() {
    let mut pose = spelled_out();
    pose.bones[0].rotation[0] = -0.0;
    pose.bones[0].rotation[2] = -0.000_000_4;
    let written = Vpd::write(&Document::new(pose), &WriteOptions::default()).unwrap();
    assert_eq!(written.main, SPELLED_OUT.concat());
    assert_eq!(written.resources, []);
}

#[test]
fn blanks_and_comments_may_stand_between_all_signs() {
    let (_, _, bytes) = fixtures::all().into_iter().find(|(_, name, _)| *name == "odd-blanks").unwrap();
    let document = read::<Vpd>(&bytes);
    let pose = document.pose();
    assert_eq!((pose.parent.as_str(), pose.announced_bones), ("a model.osm", 1));
    let bone = Bone { name: "  x y".into(), translation: [1.0, 0.5, -0.2], rotation: [0.0, 0.0, 0.0, 1.0] };
    assert_eq!(pose.bones, [bone]);
}

#[test]
fn names_may_hold_bytes_that_look_like_signs() {
    let (_, _, bytes) = fixtures::all().into_iter().find(|(_, name, _)| *name == "braces-in-names").unwrap();
    assert_eq!(read::<Vpd>(&bytes).pose().bones[0].name, "表ボポ±");
}

#[test]
fn a_lenient_reader_leaves_out_what_is_broken_and_keeps_the_rest() {
    let broken = File::new("3")
        .bone("0", b"a", "1,2,3", "0,0,0,1")
        .raw(b"Bone1{b\r\n  1,x,3;\r\n  0,0,0,1;\r\n}\r\n\r\n")
        .raw(b"Bone2{c\r\n  1,2,3;\r\n  0,0,0,1;\r\n")
        .bone("3", b"d", "4,5,6", "0,0,0,1")
        .raw(b"Bone4{e\r\n 1,2")
        .done();
    let mut report = Report::default();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let document = Vpd::read(&Source::new(&broken), &options, &mut report).unwrap();
    let names: Vec<_> = document.pose().bones.iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["a", "d"]);
    let findings: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(findings.join("\n"), @r#"
    error mmd-number: line 12, column 5 (bones[1]): expected a number, found "x" (left out)
    error mmd-syntax: line 19, column 1 (bones[1]): expected '}', found "Bone3{d" (left out)
    error mmd-truncated: line 25, column 5 (bones[2]): expected ',', found the end of the file (left out)
    "#);
    let written = Vpd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(written, broken, "unedited, even a damaged text stays as it is");
    let mut edited = document;
    edited.pose_mut().announced_bones = 2;
    let anew = Vpd::write(&edited, &WriteOptions::default()).unwrap().main;
    assert_eq!(*read::<Vpd>(&anew).pose(), *edited.pose(), "edited, what is broken is gone");
}

#[test]
fn probing_looks_at_the_bytes_first() {
    let by_name = Hint::from_file_name("pose.VPD");
    let none = Hint::default();
    assert_eq!(Vpd::probe(&fixtures::pose(), &none), Confidence::Certain);
    assert_eq!(Vpd::probe(b"Vocaloid Pose Data file 2\r\n", &none), Confidence::Plausible);
    assert_eq!(Vpd::probe(b"Vocaloid Pose Date file\r\n", &by_name), Confidence::ByName);
    assert_eq!(Vpd::probe(b"Vocaloid Motion Data 0002", &none), Confidence::No);
    assert_eq!(Vpd::probe(b"", &by_name), Confidence::ByName);
}
