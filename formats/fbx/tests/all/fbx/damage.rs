//! Files that are cut or changed anywhere: a result or a message, never a panic.

use crate::fbx::chain::{self, Chain};
use crate::fbx::fixtures::{named, without_lift};
use crate::fbx::{faults, looks, pictures, records};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_fbx::Fbx;

/// Reads, checks and converts what can be read. Whether it can.
fn survives(bytes: &[u8]) -> bool {
    let mut report = Report::default();
    match Fbx::read(&Source::new(bytes), &ReadOptions::default(), &mut report) {
        Err(error) => {
            assert!(error.fault.code.starts_with("fbx-") && !error.fault.found.is_empty(), "{error}");
            false
        }
        Ok(document) => {
            Fbx::check(&document, &mut report);
            let scene = Fbx::to_scene(&document, &Default::default(), &mut report).unwrap();
            for (index, node) in scene.nodes.iter().enumerate() {
                assert!(
                    node.parent.is_none_or(|parent| parent.0 < index),
                    "parents stand before their children"
                );
            }
            for channel in scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.channels) {
                channel.composition.curves().for_each(|curve| curve.validate().unwrap());
            }
            true
        }
    }
}

/// Ten small files, each with something that the others lack.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let named = |name| (name, named(name));
    let late = Chain { begin: chain::SECOND, ..Chain::default() };
    vec![
        named("chain"),
        named("chain-text"),
        named("face"),
        named("face-text"),
        ("in-between", records::binary(&faults::two_shapes())),
        ("index", records::binary(&faults::on_square(faults::coordinates_beyond()))),
        ("lamp", records::binary(&looks::lamp())),
        ("picture-text", pictures::face("a.tga", "C:\\a.tga", pictures::GLASS_TGA, &["DiffuseColor"])),
        ("take-start", records::binary(&without_lift(chain::records(&late)))),
        ("weights", records::binary(&faults::five_joints())),
    ]
}

#[test]
fn every_prefix_is_an_error_or_a_file() {
    for (name, bytes) in files() {
        let read = (0..bytes.len()).filter(|length| survives(&bytes[..*length])).count();
        // Text may end wherever a record does; of bytes only what stands behind the last one may be missing.
        let most = if name.ends_with("text") { bytes.len() } else { 13 };
        assert!(read <= most, "{name}: {read} of {}", bytes.len());
    }
}

#[test]
#[ignore = "costly"]
fn every_changed_byte_is_an_error_or_a_file() {
    for (name, bytes) in files() {
        let mut changed = bytes.clone();
        let mut read = 0;
        for at in 0..bytes.len() {
            for value in [bytes[at] ^ 1, bytes[at] ^ 0x80, 0xff] {
                changed[at] = value;
                read += usize::from(survives(&changed));
            }
            changed[at] = bytes[at];
        }
        assert!(read > 0 && read < 3 * bytes.len(), "{name}: {read}");
    }
}
