//! Files that are read are written back, and damaged texts never do worse than fail.

use crate::animation::fixtures::{all, named, plain};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_testkit::{assert_every_flip, assert_identity, read};
use dopesheet_unity::UnityAnim;

#[test]
fn every_fixture_is_written_back_byte_for_byte() {
    let mut seen = 0;
    for (kind, name, bytes) in all() {
        // A number that is not finite does not keep a file from being read.
        if kind != "invalid" || name.starts_with("nonfinite") {
            assert_identity::<UnityAnim>(&bytes, name);
            seen += 1;
        }
    }
    assert_eq!(seen, 36);
}

/// A text of blocks may end behind any line. What is cut off is noticed because the last member is missing, or because
/// something is cut in two.
#[test]
fn a_cut_file_is_refused_or_reported_and_never_taken_for_whole() {
    let text = plain();
    let whole = text.find("m_Events:").unwrap() + "m_Events:".len();
    let mut accepted = 0;
    for length in 0..whole {
        let bytes = &text.as_bytes()[..length];
        let mut report = Report::default();
        let Ok(document) = UnityAnim::read(&Source::new(bytes), &ReadOptions::default(), &mut report) else {
            continue;
        };
        accepted += 1;
        assert_eq!(UnityAnim::write(&document, &WriteOptions::default()).unwrap().main, bytes);
        UnityAnim::check(&document, &mut report);
        assert!(
            report.findings.iter().any(|finding| finding.fault.code == "anim-end"),
            "{length}: {report:?}"
        );
    }
    assert!(accepted > 100, "{accepted}");
}

#[test]
#[ignore = "costly"]
fn any_byte_may_be_changed() {
    for name in ["weighted", "root", "folded"] {
        assert_every_flip::<UnityAnim>(&named(name));
    }
}

/// Every prefix and some changed bytes, read leniently: what comes of it is written back, and the rest is said.
#[test]
#[ignore = "costly"]
fn a_lenient_reader_keeps_any_damaged_text() {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let text = plain().into_bytes();
    let mut seen = 0;
    let mut look = |bytes: &[u8]| {
        let mut report = Report::default();
        let Ok(document) = UnityAnim::read(&Source::new(bytes), &options, &mut report) else { return };
        seen += 1;
        assert_eq!(UnityAnim::write(&document, &WriteOptions::default()).unwrap().main, bytes);
        UnityAnim::check(&document, &mut report);
        UnityAnim::to_scene(&document, &Default::default(), &mut report).unwrap();
    };
    for at in (0..text.len()).step_by(3) {
        look(&text[..at]);
        for value in *b" \n-:{x\xff" {
            let mut changed = text.clone();
            changed[at] = value;
            look(&changed);
        }
    }
    assert!(seen > text.len(), "{seen}");
}

#[test]
fn a_lenient_reader_leaves_out_the_curve_that_has_a_fault() {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let mut said = String::new();
    for name in ["kind-value", "member", "member-axis", "member-curve", "number-mode", "syntax-escape"] {
        let mut report = Report::default();
        let bytes = named(name);
        let document = UnityAnim::read(&Source::new(&bytes), &options, &mut report).unwrap();
        let clip = &document.file().clips[0];
        let counts = (clip.rotation_curves.len(), clip.position_curves.len(), clip.float_curves.len());
        said += &format!("{name}: {counts:?}\n");
        report.findings.iter().for_each(|finding| said += &format!("  {finding}\n"));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn the_same_clip_in_all_spellings() {
    let plain = read::<UnityAnim>(&named("plain"));
    assert_eq!(read::<UnityAnim>(&named("crlf")).file(), plain.file());
    let folded = read::<UnityAnim>(&named("folded"));
    let clip = &folded.file().clips[0];
    assert_eq!(clip.name, "Wave and A");
    assert_eq!(clip.rotation_curves[0].path, "Armature/Hips of the Figure/Spine");
    assert_eq!(clip.position_curves[0].path, "Armature/Hips of the Figure");
    assert_eq!(clip.position_curves[0].curve, plain.file().clips[0].position_curves[0].curve);
    assert_eq!(read::<UnityAnim>(&named("two-clips")).file().clips.len(), 2);
}

/// Hostile texts must not cost more than their length: one line as long as the file, items without end.
#[test]
fn long_lines_and_long_lists_are_read_in_time() {
    let flow =
        format!("m_Bounds: [{}]\n  m_Unused:\n{}  m_B:", "0, ".repeat(200_000), "  - a\n".repeat(100_000));
    let text = String::from_utf8(named("root")).unwrap().replacen("m_Bounds:", &flow, 1);
    let start = std::time::Instant::now();
    let document = read::<UnityAnim>(text.as_bytes());
    assert_eq!(document.source(), Some(text.as_bytes()));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
