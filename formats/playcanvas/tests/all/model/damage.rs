//! Files that were cut, changed or made to do harm.

use crate::model::fixtures::{Parts, ROOT};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_playcanvas::model::{Document, PlayCanvasModel};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, read};

#[test]
fn every_prefix_is_refused() {
    assert_every_prefix::<PlayCanvasModel>(&Parts::new().bytes(), &[]);
}

#[test]
fn every_changed_byte_is_refused_or_kept() {
    assert_every_flip::<PlayCanvasModel>(&Parts::new().bytes());
}

fn lenient(bytes: &[u8]) -> Option<(Document, Report)> {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let mut report = Report::default();
    let document = PlayCanvasModel::read(&Source::new(bytes), &options, &mut report).ok()?;
    Some((document, report))
}

#[test]
fn a_lenient_reader_keeps_the_skeleton_without_broken_geometry() {
    let (document, report) = lenient(&Parts::new().replaced("meshes", "[0,1,2,", "[0,1,9,").bytes()).unwrap();
    assert_eq!(report.findings[0].fault.code, "pcm-index");
    let model = document.model();
    assert_eq!((model.nodes.len(), model.meshes.len(), model.skins.len()), (2, 0, 0));
    let bytes = Parts::new().bytes();
    let (document, report) = lenient(&bytes[..bytes.len() - 30]).unwrap();
    assert_eq!(report.findings[0].fault.code, "pcm-json");
    assert_eq!(document.model().nodes.len(), 2);
    assert_eq!(document.source().len(), bytes.len() - 30);
}

#[test]
fn a_lenient_reader_still_wants_sound_nodes() {
    assert!(lenient(&Parts::new().with("parents", "[-1,7]").bytes()).is_none());
    assert!(lenient(&Parts::new().bytes()[..40]).is_none());
}

#[test]
fn a_long_chain_of_nodes_is_walked_without_recursion() {
    let count = 20_000;
    let nodes = vec![ROOT; count].join(",");
    let parents: Vec<String> = (0..count).map(|n| (n as i64 - 1).to_string()).collect();
    let bytes = Parts::new()
        .with("nodes", &format!("[{nodes}]"))
        .with("parents", &format!("[{}]", parents.join(",")))
        .bytes();
    let scene = PlayCanvasModel::to_scene(
        &read::<PlayCanvasModel>(&bytes),
        &ToScene::default(),
        &mut Report::default(),
    )
    .unwrap();
    assert_eq!(scene.nodes.len(), count);
}

#[test]
fn meshes_that_repeat_the_vertices_without_end_are_refused() {
    let mesh = r#"{"vertices":0,"type":"triangles","base":0,"count":3}"#;
    let instances: Vec<String> = (0..1000).map(|n| format!(r#"{{"node":1,"mesh":{n}}}"#)).collect();
    let bytes = Parts::new()
        .with("meshes", &format!("[{}]", vec![mesh; 1000].join(",")))
        .with("meshInstances", &format!("[{}]", instances.join(",")))
        .bytes();
    let error = PlayCanvasModel::to_scene(
        &read::<PlayCanvasModel>(&bytes),
        &ToScene::default(),
        &mut Report::default(),
    )
    .unwrap_err();
    insta::assert_snapshot!(error.to_string());
}
