//! Messages as people read them.

use crate::animation::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Confidence, Format, Hint, ReadOptions, Source};
use dopesheet_playcanvas::animation::PlayCanvas;
use dopesheet_playcanvas::model::PlayCanvasModel;
use dopesheet_testkit::{read, read_reporting};

#[test]
fn refusals_name_place_expected_and_found() {
    let messages: Vec<String> = all()
        .iter()
        .filter(|(name, _)| name.starts_with("invalid"))
        .map(|(name, bytes)| {
            let error =
                PlayCanvas::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default())
                    .unwrap_err();
            format!("{name}\n  {error}")
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn warnings_name_place_expected_and_found() {
    let messages: Vec<String> = all()
        .iter()
        .filter(|(name, _)| name.starts_with("quirk"))
        .map(|(_, bytes)| {
            let report = read_reporting::<PlayCanvas>(bytes).1;
            report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_fault_that_recurs_is_reported_once_with_its_count() {
    let keys = [r#"{"t":-1,"p":[0,0,0],"r":[0,0,0],"s":[1,1,1]}"#; 3].join(",");
    let text =
        format!(r#"{{"animation":{{"version":4,"duration":1,"nodes":[{{"name":"a","keys":[{keys}]}}]}}}}"#);
    let report = read_reporting::<PlayCanvas>(text.as_bytes()).1;
    let found: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn an_edited_document_is_checked_as_it_will_be_written() {
    let mut document = read::<PlayCanvas>(&all()["valid/hoisted.json"]);
    document.animation_mut().nodes[1].keys[1].time = 7.0;
    let mut report = Report::default();
    PlayCanvas::check(&document, &mut report);
    let codes: Vec<&str> = report.findings.iter().map(|f| f.fault.code).collect();
    assert_eq!(codes, ["pc-w-key-after-duration"]);
}

#[test]
fn summaries_count_what_a_scene_does_not_show() {
    let summary = PlayCanvas::summary(&read::<PlayCanvas>(&all()["valid/hoisted.json"]));
    insta::assert_debug_snapshot!(summary);
}

#[test]
fn files_are_recognised_by_their_bytes() {
    let json = Hint { extension: Some("json".into()) };
    let none = Hint::default();
    let probe =
        |bytes: &[u8], hint: &Hint| (PlayCanvas::probe(bytes, hint), PlayCanvasModel::probe(bytes, hint));
    for (name, bytes) in all() {
        let head = &bytes[..bytes.len().min(60)];
        let ours = PlayCanvas::probe(head, &json);
        assert!(ours > Confidence::No, "{name}");
        assert!(ours > PlayCanvasModel::probe(head, &json) || name.ends_with("-model.json"), "{name}");
    }
    let skeleton = br#"{"model":{"version":3,"nodes":[],"parents":[],"meshInstances":[]}}"#;
    assert_eq!(probe(skeleton, &json), (Confidence::Plausible, Confidence::ByName));
    let model = br#"{"model":{"version":3,"nodes":[],"meshInstances":[{"node":0,"mesh":0}]}}"#;
    assert_eq!(probe(model, &none), (Confidence::No, Confidence::Certain));
    let gltf = br#"{"asset":{"version":"2.0"},"animations":[]}"#;
    assert_eq!(probe(gltf, &json), (Confidence::No, Confidence::No));
    assert_eq!(probe(b"", &json), (Confidence::ByName, Confidence::No));
    assert_eq!(probe(b"", &none), (Confidence::No, Confidence::No));
    assert_eq!(probe(b"Vocaloid Motion Data 0002", &json), (Confidence::No, Confidence::No));
}
