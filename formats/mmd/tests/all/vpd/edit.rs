//! Edits change only the text of what was edited.

use crate::vpd::fixtures::{BLINK, CENTER, ELBOW, File, NO_TURN, REST, pose, with_morph};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_mmd::Vpd;
use dopesheet_mmd::vpd::{Bone, Morph, Pose};
use dopesheet_testkit::read;

fn edited(text: &[u8], edit: impl FnOnce(&mut Pose)) -> Vec<u8> {
    let mut document = read::<Vpd>(text);
    edit(document.pose_mut());
    let written = Vpd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<Vpd>(&written).pose(), document.pose());
    written
}

fn replaced(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let places: Vec<_> = (0..text.len()).filter(|at| text[*at..].starts_with(old)).collect();
    let [at] = places.as_slice() else { panic!("one place, found {places:?}") };
    [&text[..*at], new, &text[*at + old.len()..]].concat()
}

fn bone(name: &str) -> Bone {
    Bone { name: name.into(), translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] }
}

#[test]
fn touching_without_changing_keeps_every_byte() {
    let odd = b"Vocaloid Pose Data file\n\n\ta.osm ; // \xff\n01;\nBone9{x \n0,0,-0;0,0,0,1;}tail";
    assert_eq!(edited(odd, |_| {}), odd);
}

#[test]
fn a_number_a_name_the_model_and_the_count_are_replaced_where_they_stand() {
    let text = pose();
    let moved = edited(&text, |pose| pose.bones[0].translation[1] = -2.5);
    assert_eq!(moved, replaced(&text, b"-1.250000", b"-2.500000"));
    let turned = edited(&text, |pose| pose.bones[1].rotation[3] = 1.0);
    assert_eq!(turned, replaced(&text, b"0.866025", b"1.000000"));
    let renamed = edited(&text, |pose| pose.bones[1].name = "センター2".into());
    assert_eq!(renamed, replaced(&text, ELBOW, b"\x83\x5a\x83\x93\x83\x5e\x81\x5b2"));
    let other = edited(&text, |pose| pose.parent = "左ひじ.osm".into());
    assert_eq!(other, replaced(&text, b"miku.osm", &[ELBOW, b".osm"].concat()));
    let counted = edited(&text, |pose| pose.announced_bones = 12);
    assert_eq!(counted, replaced(&text, b"2;\t", b"12;\t"));
    let weighed = edited(&with_morph(), |pose| pose.morphs[0].weight = 1.0);
    assert_eq!(weighed, replaced(&with_morph(), b"0.750000", b"1.000000"));
}

#[test]
fn bones_are_put_in_and_taken_out_between_the_others() {
    let text = pose();
    let (_, rest) = text.split_at(text.windows(5).position(|w| w == b"Bone1").unwrap());
    let first = edited(&text, |pose| drop(pose.bones.remove(0)));
    assert_eq!(first, [File::new("2").done(), rest.to_vec()].concat());
    let last = edited(&text, |pose| drop(pose.bones.pop()));
    assert_eq!(last, text[..text.len() - rest.len()]);
    let between = edited(&text, |pose| pose.bones.insert(1, bone("x")));
    let mut file = File::new("2");
    file.bone("0", CENTER, "0.500000,-1.250000,3.000000", NO_TURN).bone("1", b"x", REST, NO_TURN);
    assert_eq!(between, file.raw(rest).done(), "the bone behind keeps its number");
    let behind = edited(&text, |pose| pose.bones.push(bone("x")));
    assert_eq!(behind, [text.clone(), File::default().bone("2", b"x", REST, NO_TURN).done()].concat());
    let before = edited(&text, |pose| pose.bones.insert(0, bone("x")));
    let start = text.len() - File::default().raw(&text).done()[File::new("2").done().len()..].len();
    let x = File::default().bone("0", b"x", REST, NO_TURN).done();
    assert_eq!(before, [&text[..start], &x, &text[start..]].concat());
}

#[test]
fn lists_grow_out_of_nothing_in_the_right_order() {
    let empty = File::new("0").done();
    let full = edited(&empty, |pose| {
        pose.morphs.push(Morph { name: "まばたき".into(), weight: 0.75 });
        pose.bones.push(bone("センター"));
        pose.announced_bones = 1;
    });
    assert_eq!(full, File::new("1").bone("0", CENTER, REST, NO_TURN).morph("0", BLINK, "0.750000").done());
    let bare = edited(b"Vocaloid Pose Data file\nx;0;", |pose| pose.bones.push(bone("a")));
    let expected =
        b"Vocaloid Pose Data file\nx;0;\nBone0{a\n  0.000000,0.000000,0.000000;\t\t\t\t// trans x,y,z\n  \
        0.000000,0.000000,0.000000,1.000000;\t\t// Quaternion x,y,z,w\n}\n\n";
    assert_eq!(bare, expected, "in the line breaks of the file");
}

#[test]
fn a_document_may_forget_its_text() {
    let mut document = read::<Vpd>(b"Vocaloid Pose Data file\nx.osm;0;");
    document.rewrite();
    let written = Vpd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(written, replaced(&File::new("0").done(), b"miku", b"x"));
}

#[test]
fn names_that_would_be_read_differently_are_not_written() {
    let error = |name: &str| {
        let mut document = read::<Vpd>(&pose());
        document.pose_mut().bones[0].name = name.into();
        let error = Vpd::write(&document, &WriteOptions::default()).unwrap_err();
        let mut report = Report::default();
        Vpd::check(&document, &mut report);
        assert_eq!(report.findings[0].fault, *error.fault);
        (error.fault.code, error.to_string())
    };
    let (code, text) = error("a\nb");
    assert_eq!(code, "mmd-name-line");
    insta::assert_snapshot!(text, @r#"vpd: line 1, column 1 (bones[0].name): expected a name of one line that does not end in blanks, found "a\nb""#);
    assert_eq!(error("a ").0, "mmd-name-line");
    let (code, text) = error("한");
    assert_eq!(code, "mmd-name-unencodable");
    insta::assert_snapshot!(text, @r#"vpd: line 1, column 1 (bones[0].name): expected characters of CP932, found "한""#);
}
