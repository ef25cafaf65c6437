//! Files that are read are written back, and damaged texts never do worse than fail.

use crate::bvh::fixtures::{HEAD, JOINTS, ROW_1, all, named, plain};
use dopesheet_bvh::Bvh;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity, read};

#[test]
fn every_fixture_is_written_back_byte_for_byte() {
    let mut seen = 0;
    for (kind, name, bytes) in all() {
        // A number that is not finite does not keep a file from being read.
        if kind != "invalid" || name.starts_with("nonfinite") {
            assert_identity::<Bvh>(&bytes, name);
            seen += 1;
        }
    }
    assert_eq!(seen, 38);
}

/// Lengths of a text that ends in a whole number of a row of nine, or within the last number of one.
fn row_ends(row: &str, start: usize) -> Vec<usize> {
    let last = row.rfind(' ').unwrap() + 1;
    // The number may be short, but a sign alone is none.
    (start + last + 1..=start + row.len()).filter(|end| !row[..end - start].ends_with('-')).collect()
}

#[test]
fn a_text_may_end_behind_a_frame_or_in_its_last_number() {
    let text = plain();
    let head = JOINTS.len() + HEAD.len();
    let second = head + ROW_1.len() + 1;
    let time = text.find("0.04").unwrap();
    let mut legal: Vec<usize> = (time + 1..=head).collect();
    legal.extend(row_ends(ROW_1, head));
    legal.push(second);
    legal.extend(row_ends(text[second..].trim_end(), second));
    assert_every_prefix::<Bvh>(text.as_bytes(), &legal);
}

#[test]
fn any_byte_may_be_changed() {
    for name in ["plain", "no-channels", "comma", "orders"] {
        assert_every_flip::<Bvh>(&named(name));
    }
}

/// Every prefix and every changed byte, read leniently: what comes of it is written back, and the rest is said.
#[test]
fn a_lenient_reader_keeps_any_damaged_text() {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let text = plain().into_bytes();
    let mut seen = 0;
    let mut look = |bytes: &[u8]| {
        let mut report = Report::default();
        let Ok(document) = Bvh::read(&Source::new(bytes), &options, &mut report) else { return };
        seen += 1;
        assert_eq!(Bvh::write(&document, &WriteOptions::default()).unwrap().main, bytes);
        Bvh::check(&document, &mut report);
        Bvh::to_scene(&document, &Default::default(), &mut report).unwrap();
    };
    for at in 0..text.len() {
        look(&text[..at]);
        for value in [b' ', b'\n', b'{', b'}', b'7', b'x', 0xff] {
            let mut changed = text.clone();
            changed[at] = value;
            look(&changed);
        }
    }
    assert!(seen > text.len() * 7, "{seen}");
}

#[test]
fn a_lenient_reader_leaves_out_what_has_a_fault_and_says_so() {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let mut said = String::new();
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "invalid") {
        let mut report = Report::default();
        let result = Bvh::read(&Source::new(&bytes), &options, &mut report);
        said += &match result {
            Ok(document) => {
                let motion = document.motion();
                format!("{name}: {} joints, {} frames\n", motion.joints.len(), motion.frame_count())
            }
            Err(error) => format!("{name}: {error}\n"),
        };
        report.findings.iter().for_each(|finding| said += &format!("  {finding}\n"));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn numbers_of_all_spellings_are_the_numbers() {
    let document = read::<Bvh>(&named("forms-of-numbers"));
    assert_eq!(document.motion().values[..9], [1.0, 90.0, -3.0, 10.0, 20.0, 30.0, 0.0, -0.0, 0.0]);
    let document = read::<Bvh>(&named("comma"));
    assert_eq!(document.motion().values[..3], [1.0, 90.0, -3.0]);
    let document = read::<Bvh>(&named("row-split-joined"));
    assert_eq!(document.motion(), read::<Bvh>(plain().as_bytes()).motion());
    assert_eq!(read::<Bvh>(&named("row-split")).motion(), document.motion());
    assert_eq!(read::<Bvh>(&named("extra-number-row")).motion(), document.motion());
    for name in ["cr", "crlf", "blanks"] {
        assert_eq!(read::<Bvh>(&named(name)).motion(), document.motion(), "{name}");
    }
}
