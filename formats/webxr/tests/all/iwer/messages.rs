//! Messages as people read them.

use super::fixtures::{all, both, file};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, ReadOptions, Source};
use dopesheet_testkit::{read, read_reporting};
use dopesheet_webxr::Iwer;

#[test]
fn refusals_name_place_expected_and_found() {
    let refused = all().into_iter().filter(|(name, _)| name.starts_with("invalid"));
    let messages: Vec<String> = refused
        .map(|(name, bytes)| {
            let error = Iwer::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default());
            format!("{name}\n  {}", error.unwrap_err())
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn warnings_name_place_expected_and_found() {
    let odd = all().into_iter().filter(|(name, _)| name.starts_with("quirk"));
    let messages: Vec<String> = odd
        .flat_map(|(_, bytes)| read_reporting::<Iwer>(&bytes).1.findings)
        .map(|finding| finding.to_string())
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn findings_name_their_target_and_time() {
    let odd = all().into_iter().filter(|(name, _)| name.starts_with("quirk"));
    let subjects: Vec<String> = odd
        .flat_map(|(_, bytes)| {
            let (document, report) = read_reporting::<Iwer>(&bytes);
            let subjects = report.findings.into_iter().map(move |own| {
                let subject = Iwer::subject(&document, &own.fault);
                format!("{}: {:?}", own.fault.code, subject.map(|s| (s.target, s.time)))
            });
            subjects.collect::<Vec<_>>()
        })
        .collect();
    insta::assert_snapshot!(subjects.join("\n"));
}

#[test]
fn an_edited_document_is_checked_as_it_will_be_written() {
    let mut document = read::<Iwer>(&both());
    document.recording_mut().frames[1].time_ms = 0.0;
    let mut report = Report::default();
    Iwer::check(&document, &mut report);
    let found: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn summaries_count_what_a_scene_does_not_show() {
    insta::assert_debug_snapshot!(Iwer::summary(&read::<Iwer>(&both())));
}

#[test]
fn files_are_recognised_by_their_bytes() {
    let probe = |bytes: &[u8]| Iwer::probe(bytes, &Hint { extension: Some("json".into()) });
    for length in [100, 1000, both().len()] {
        assert_eq!(probe(&both()[..length]), Confidence::Certain, "{length}");
    }
    assert_eq!(probe(&file(&[], &["[0,0,1.6,0,0,0,0,1]".to_owned()])), Confidence::Plausible);
    for other in [
        &b"{\"schema\":[],\"frames\":[]}"[..],
        b"{\"schema\":[[0,1]],\"frames\":[[0,1]]}",
        b"{\"schema\":{\"type\":\"object\"}}",
        b"{\"animation\":{\"version\":4,\"nodes\":[]}}",
        b"{\"asset\":{\"version\":\"2.0\"}}",
        b"",
        b"Vocaloid Motion Data 0002",
    ] {
        assert_eq!(probe(other), Confidence::No, "{}", other.escape_ascii());
    }
}
