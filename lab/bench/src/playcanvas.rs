//! PlayCanvas JSON beside `serde_json`.

use crate::measure::{Row, side_by_side};
use crate::sums;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_playcanvas::animation::PlayCanvas;
use std::path::Path;

/// Reading to a scene beside a generic tree, and writing beside reading.
pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let bytes = dopesheet_testkit::bytes(path);
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let read = || {
        PlayCanvas::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let scene = || {
        PlayCanvas::to_scene(&read(), &ToScene::default(), &mut Report::default())
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let row = |what: &str, ours_s, peer: &str, peer_s, wanted: &str| Row {
        what: what.into(),
        data: format!("{name} ({} kB)", bytes.len() / 1000),
        bytes: bytes.len(),
        ours_s,
        peer: Some((peer.to_owned(), peer_s)),
        wanted: wanted.into(),
    };
    let (scene_s, tree_s) = side_by_side(
        || sums::scene(&scene()),
        || serde_json::from_slice(&bytes).map(|v: serde_json::Value| sum_tree(&v)).unwrap_or_default(),
    );
    let unedited = read();
    let (write_s, read_s) = side_by_side(
        || PlayCanvas::write(&unedited, &WriteOptions::default()).map_or(0.0, |o| o.main.len() as f64),
        || sums::scene(&scene()),
    );
    let made = PlayCanvas::from_scene(&scene(), &FromScene::default(), &mut Report::default())
        .unwrap_or_else(|e| panic!("{e}"));
    let (new_s, again_s) = side_by_side(
        || PlayCanvas::write(&made, &WriteOptions::default()).map_or(0.0, |o| o.main.len() as f64),
        || sums::scene(&scene()),
    );
    vec![
        row("PlayCanvas bytes → scene", scene_s, "serde_json::Value", tree_s, "≥ 3"),
        row("PlayCanvas document → bytes, unedited", write_s, "our reader (to scene)", read_s, "≥ 1"),
        row("PlayCanvas document → bytes, made from a scene", new_s, "our reader (to scene)", again_s, "≥ 1"),
    ]
}

fn sum_tree(value: &serde_json::Value) -> f64 {
    match value {
        serde_json::Value::Number(n) => n.as_f64().unwrap_or_default(),
        serde_json::Value::Array(items) => items.iter().map(sum_tree).sum(),
        serde_json::Value::Object(members) => members.values().map(sum_tree).sum(),
        serde_json::Value::String(s) => s.len() as f64,
        serde_json::Value::Null | serde_json::Value::Bool(_) => 0.0,
    }
}
