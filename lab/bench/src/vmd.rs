//! VMD beside the crate `mmd-anim`.

use crate::measure::{Row, alone, side_by_side};
use crate::sums;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_mmd::Vmd;
use mmd_anim::format as peer;
use std::path::Path;

/// Reading to a document, reading to a scene, writing.
pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let bytes = dopesheet_testkit::bytes(path);
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let data = format!("{name} ({} kB)", bytes.len() / 1000);
    let read = || Vmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default());
    let row = |what: &str, ours_s, peer: Option<(&str, f64)>, wanted: &str| Row {
        what: what.into(),
        data: data.clone(),
        bytes: bytes.len(),
        ours_s,
        peer: peer.map(|(name, s)| (name.to_owned(), s)),
        wanted: wanted.into(),
    };
    let (read_s, peer_s) = side_by_side(
        || sums::vmd(&read().unwrap_or_else(|e| panic!("{e}"))),
        || peer::parse_vmd_animation(&bytes).map(|a| sums::peer_vmd(&a)).unwrap_or_default(),
    );
    let (scene_s, import_s) = side_by_side(
        || {
            let document = read().unwrap_or_else(|e| panic!("{e}"));
            let scene = Vmd::to_scene(&document, &ToScene::default(), &mut Report::default());
            sums::scene(&scene.unwrap_or_else(|e| panic!("{e}")))
        },
        || peer::import_vmd_motion(&bytes).map(|a| a.bone_keyframes.len() as f64).unwrap_or_default(),
    );
    let document = read().unwrap_or_else(|e| panic!("{e}"));
    let write_s =
        alone(|| Vmd::write(&document, &WriteOptions::default()).map_or(0.0, |o| o.main.len() as f64));
    vec![
        row("VMD bytes → document", read_s, Some(("mmd-anim parse_vmd_animation", peer_s)), "≥ 3"),
        row("VMD bytes → scene", scene_s, Some(("mmd-anim import_vmd_motion", import_s)), "≥ 1"),
        row("VMD document → bytes", write_s, Some(("our reader", read_s)), "≥ 1"),
    ]
}
