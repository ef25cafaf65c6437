//! Changes within the format.

use crate::vmd::bytes::{CENTER, ELBOW, File, MIKU};
use crate::vmd::fixtures;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Edit, Format, WriteOptions};
use dopesheet_mmd::Vmd;
use dopesheet_mmd::vmd::{Document, ModelName, Version};
use dopesheet_testkit::read;

fn edited(bytes: &[u8], variant: Option<&str>, sort: bool) -> (Document, Report) {
    let mut document = read::<Vmd>(bytes);
    let mut report = Report::default();
    let edit = Edit { variant: variant.map(str::to_owned), sort, ..Edit::default() };
    Vmd::edit(&mut document, &edit, &mut report).unwrap();
    (document, report)
}

#[test]
fn the_old_variant_has_another_header_and_the_same_keys() {
    let (document, report) = edited(&fixtures::motion(), Some("old"), false);
    assert_eq!(report, Report::default());
    assert_eq!(document.version(), Some(Version::Old));
    assert_eq!(document.model.text(), "初音ミク");
    let written = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(written[40..], fixtures::motion()[50..]);
    let (back, _) = edited(&written, Some("0002"), false);
    assert_eq!(Vmd::write(&back, &WriteOptions::default()).unwrap().main, fixtures::motion());
}

#[test]
fn a_model_name_that_does_not_fit_is_cut_and_reported() {
    let (document, report) = edited(&fixtures::camera(), Some("old"), false);
    assert_eq!(document.model.text(), "カメラ・照");
    assert!(matches!(document.model, ModelName::Short(_)));
    assert_eq!(
        report.losses,
        [Loss::Dropped {
            what: "the end of the model name \"カメラ・照明\"".into(),
            why: "its field holds 10 bytes: \"カメラ・照\"".into(),
        }]
    );
}

#[test]
fn a_file_that_is_of_the_variant_already_is_left_alone() {
    let (document, report) = edited(&fixtures::camera(), Some("0002"), false);
    assert_eq!((document, report), (read::<Vmd>(&fixtures::camera()), Report::default()));
}

#[test]
fn an_unknown_variant_is_refused() {
    let edit = Edit { variant: Some("0003".into()), ..Edit::default() };
    let error = Vmd::edit(&mut read::<Vmd>(&fixtures::motion()), &edit, &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @r#"vmd: expected one of the variants 0002, old, found "0003""#);
}

#[test]
fn sorting_groups_by_name_bytes_then_by_frame_and_keeps_the_order_of_equals() {
    let mut file = File::new(MIKU);
    file.count(6).rest(ELBOW, 3).rest(CENTER, 9).rest(b"b", 0).rest(b"B", 7);
    file.bone(CENTER, 2, [1.0, 0.0, 0.0], [0.0; 4], &[0; 64]).bone(
        CENTER,
        2,
        [2.0, 0.0, 0.0],
        [0.0; 4],
        &[0; 64],
    );
    let (document, _) = edited(&file.empty(5).done(), None, true);
    let order: Vec<_> =
        document.bones.iter().map(|key| (key.name.text(), key.frame, key.translation[0])).collect();
    let expected = [
        ("B", 7, 0.0),
        ("b", 0, 0.0),
        ("センター", 2, 1.0),
        ("センター", 2, 2.0),
        ("センター", 9, 0.0),
        ("左ひじ", 3, 0.0),
    ];
    assert_eq!(order, expected.map(|(name, frame, x)| (name.to_owned(), frame, x)));
}
