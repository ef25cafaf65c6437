//! GLB, written from a motion and read back.

use crate::measure::{Row, side_by_side};
use crate::sums;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_gltf::Glb;
use std::path::Path;

/// Reading the GLB of a converted motion, and writing it.
pub(crate) fn rows(motion: &Path) -> Vec<Row> {
    let fail = |e: dopesheet::Error| -> ! { panic!("{e}") };
    let opened = dopesheet::open(motion, None, &ReadOptions::default()).unwrap_or_else(|e| fail(e));
    let to = dopesheet::registry::by_id("glb").unwrap_or_else(|| panic!("this build has no glb"));
    let converted =
        dopesheet::convert(&[opened], &dopesheet::ConvertOptions::to(to)).unwrap_or_else(|e| fail(e));
    let bytes = converted.output.main;
    let read = || {
        Glb::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let document = read();
    let (write_s, read_s) = side_by_side(
        || Glb::write(&document, &WriteOptions::default()).map_or(0.0, |o| o.main.len() as f64),
        || {
            let scene = Glb::to_scene(&read(), &ToScene::default(), &mut Report::default());
            sums::scene(&scene.unwrap_or_else(|e| panic!("{e}")))
        },
    );
    vec![Row {
        what: "GLB document → bytes".into(),
        data: format!("the motion above as GLB ({} kB)", bytes.len() / 1000),
        bytes: bytes.len(),
        ours_s: write_s,
        peer: Some(("our reader (to scene)".into(), read_s)),
        wanted: "≥ 1".into(),
    }]
}
