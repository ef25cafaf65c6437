//! GLB, written from a motion and read back, and beside the `gltf` crate.

use crate::measure::{Row, side_by_side};
use crate::sums;
use ::gltf::animation::util::ReadOutputs;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_core::model::Curve;
use dopesheet_gltf::Glb;
use std::path::Path;

/// A motion as GLB, stored in the way that `variant` names.
fn glb(motion: &Path, variant: Option<&str>) -> Vec<u8> {
    let fail = |e: dopesheet::Error| -> ! { panic!("{e}") };
    let opened = dopesheet::open(motion, None, &ReadOptions::default()).unwrap_or_else(|e| fail(e));
    let to = dopesheet::registry::by_id("glb").unwrap_or_else(|| panic!("this build has no glb"));
    let mut options = dopesheet::ConvertOptions::to(to);
    options.variant = variant.map(str::to_owned);
    dopesheet::convert(&[opened], &options).unwrap_or_else(|e| fail(e)).output.main
}

/// Bytes to scene.
fn ours(bytes: &[u8]) -> f64 {
    let read = Glb::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default());
    let document = read.unwrap_or_else(|e| panic!("{e}"));
    let scene = Glb::to_scene(&document, &ToScene::default(), &mut Report::default());
    let scene = scene.unwrap_or_else(|e| panic!("{e}"));
    let channels = scene.clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| &track.channels);
    let curves = channels.flat_map(|channel| channel.composition.curves());
    let sum = |curve: &Curve| {
        let times = curve.times.iter().map(|time| time.0.to_bits()).fold(0, u64::wrapping_add);
        times.wrapping_add(bits(&curve.values).into())
    };
    curves.map(sum).fold(0, u64::wrapping_add) as f64
}

/// A sum of everything that takes next to no time beside reading it.
fn bits(values: &[f32]) -> u32 {
    values.iter().map(|value| value.to_bits()).fold(0, u32::wrapping_add)
}

/// Bytes to the keys of all channels by the `gltf` crate, which validates but does not repair.
fn peer(bytes: &[u8]) -> f64 {
    let file = ::gltf::Gltf::from_slice(bytes).unwrap_or_else(|e| panic!("{e}"));
    let channels = file.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>());
    let numbers = |channel: ::gltf::animation::Channel<'_>| {
        let reader = channel.reader(|_| file.blob.as_deref());
        let times: Vec<f32> = reader.read_inputs().into_iter().flatten().collect();
        let values: Vec<f32> = match reader.read_outputs() {
            Some(ReadOutputs::Translations(all)) => all.flatten().collect(),
            Some(ReadOutputs::Rotations(all)) => all.into_f32().flatten().collect(),
            Some(ReadOutputs::Scales(all)) => all.flatten().collect(),
            Some(ReadOutputs::MorphTargetWeights(all)) => all.into_f32().collect(),
            None => Vec::new(),
        };
        bits(&times).wrapping_add(bits(&values))
    };
    channels.map(numbers).fold(0, u32::wrapping_add).into()
}

/// Reading each way of storing a motion, plain beside the peer, the others beside plain.
fn reading(motion: &Path) -> Vec<Row> {
    let plain = glb(motion, None);
    let row = |what: &str, bytes: &[u8], ours_s, name: &str, peer_s, wanted: &str| Row {
        what: what.into(),
        data: format!("the motion above as GLB ({} kB)", bytes.len() / 1000),
        bytes: bytes.len(),
        ours_s,
        peer: Some((name.into(), peer_s)),
        wanted: wanted.into(),
    };
    let (ours_s, peer_s) = side_by_side(|| ours(&plain), || peer(&plain));
    let mut rows = vec![row("GLB bytes → scene", &plain, ours_s, "gltf (all channels)", peer_s, "≥ 2")];
    for variant in ["rot16", "meshopt", "khr-meshopt,rot16"] {
        let stored = glb(motion, Some(variant));
        let (stored_s, plain_s) = side_by_side(|| ours(&stored), || ours(&plain));
        let what = format!("GLB@{variant} bytes → scene");
        rows.push(row(&what, &stored, stored_s, "the same, plain", plain_s, ""));
    }
    rows
}

/// Reading the GLB of a converted motion, and writing it.
pub(crate) fn rows(motion: &Path) -> Vec<Row> {
    let bytes = glb(motion, None);
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
    let mut rows = reading(motion);
    rows.push(Row {
        what: "GLB document → bytes".into(),
        data: format!("the motion above as GLB ({} kB)", bytes.len() / 1000),
        bytes: bytes.len(),
        ours_s: write_s,
        peer: Some(("our reader (to scene)".into(), read_s)),
        wanted: "≥ 1".into(),
    });
    rows
}
