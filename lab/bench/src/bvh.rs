//! BVH beside copying its text.

use crate::data;
use crate::measure::{Row, side_by_side};
use crate::sums;
use dopesheet_bvh::Bvh;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene, WriteOptions};

/// Reading to a document and to a scene, and writing.
pub(crate) fn rows() -> Vec<Row> {
    let bytes = data::capture();
    let read = || {
        Bvh::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let copy = || bytes.to_vec().last().copied().map_or(0.0, f64::from);
    let row = |what: &str, ours_s, peer_s, wanted: &str| Row {
        what: what.into(),
        data: format!("64 joints, 12,000 frames ({} kB)", bytes.len() / 1000),
        bytes: bytes.len(),
        ours_s,
        peer: Some(("a copy of the bytes".to_owned(), peer_s)),
        wanted: wanted.into(),
    };
    let (read_s, copy_s) = side_by_side(|| read().motion().values.iter().sum(), copy);
    let scene = || {
        Bvh::to_scene(&read(), &ToScene::default(), &mut Report::default()).unwrap_or_else(|e| panic!("{e}"))
    };
    let (scene_s, again_s) = side_by_side(|| sums::scene(&scene()), copy);
    let mut anew = read();
    anew.rewrite();
    let (write_s, copied_s) = side_by_side(
        || Bvh::write(&anew, &WriteOptions::default()).map_or(0.0, |o| o.main.len() as f64),
        copy,
    );
    vec![
        row("BVH bytes → document", read_s, copy_s, "650 MB/s"),
        row("BVH bytes → scene", scene_s, again_s, "–"),
        row("BVH document → bytes, made anew", write_s, copied_s, "–"),
    ]
}
