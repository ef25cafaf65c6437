//! Messages as people read them.

use crate::model::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_playcanvas::model::PlayCanvasModel;
use dopesheet_testkit::{read, read_reporting};

#[test]
fn refusals_name_place_expected_and_found() {
    let messages: Vec<String> = all()
        .iter()
        .filter(|(name, _)| name.starts_with("invalid"))
        .map(|(name, bytes)| {
            let error =
                PlayCanvasModel::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default())
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
            let report = read_reporting::<PlayCanvasModel>(bytes).1;
            report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn summaries_count_what_there_is() {
    let summary = PlayCanvasModel::summary(&read::<PlayCanvasModel>(&all()["valid/skinned.json"]));
    assert_eq!(summary.version.as_deref(), Some("3"));
    let facts: Vec<String> = summary.facts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    assert_eq!(facts.join(", "), "2 nodes, 1 skins, 1 meshes, 1 morphs");
}
