//! The law of identity, prefixes, flips, and what a lenient reader keeps.

use crate::more::bytes::File;
use crate::more::fixtures::{actor, all, clip_path, motion, readable};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_more::More;
use dopesheet_more::more::{Document, Resource, WhyOpaque};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity, bytes, corpus, read};

#[test]
fn every_readable_fixture_is_written_back_byte_for_byte() {
    let fixtures = readable();
    assert_eq!(fixtures.len(), 10 + 3 + 19);
    fixtures.iter().for_each(|(name, bytes)| assert_identity::<More>(bytes, name));
}

/// A file may end anywhere in a resource that is not understood, and in bytes behind one.
fn legal_ends(bytes: &[u8]) -> Vec<usize> {
    let document = read::<More>(bytes);
    let free = match &document.resource {
        Resource::Opaque(opaque) => opaque.bytes.len(),
        _ => document.trailing.len(),
    };
    (bytes.len() - free..bytes.len()).collect()
}

#[test]
fn every_prefix_is_an_error_or_ends_where_nothing_is_understood() {
    for (_, bytes) in readable() {
        assert_every_prefix::<More>(&bytes, &legal_ends(&bytes));
    }
}

#[test]
fn every_flip_is_an_error_or_comes_back_as_it_was() {
    for (_, _, bytes) in all() {
        assert_every_flip::<More>(&bytes);
    }
}

#[test]
#[ignore = "costly"]
fn every_flip_of_a_file_of_every_type_and_version() {
    let Some(folder) = corpus("more") else { return };
    for name in ["all_v01_be", "all_v0f", "all_v11", "edge_raw_v11", "clip_sync_v11_be", "actor_v05"] {
        assert_every_flip::<More>(&bytes(&folder.join(format!("{name}.ubi"))));
    }
}

#[test]
fn a_limit_on_the_length_is_obeyed() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = More::read(&Source::new(&motion()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "file-too-long");
}

fn lenient(bytes: &[u8]) -> (Document, Report) {
    let mut report = Report::default();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let document = More::read(&Source::new(bytes), &options, &mut report).unwrap();
    (document, report)
}

#[test]
fn a_lenient_reader_keeps_whole_tracks_and_says_so() {
    let whole = motion();
    let (document, report) = lenient(&whole[..whole.len() - 60]);
    assert_eq!(document.animation().unwrap().tracks.len(), 4);
    insta::assert_snapshot!(report.findings[0], @"error count-exceeds-data: byte 0x166 (tracks[4].keys count): expected at most 0 records (22 bytes left, 36 each), found 2 (kept the 4 tracks before it)");
    let unknown = {
        let mut file = File::animation(2);
        file.track(0x04, b"T", 1).f32s(&[0.0, 1.0]).track(0x16, b"U", 0).u32(0).done()
    };
    let (document, report) = lenient(&unknown);
    assert_eq!(document.animation().unwrap().tracks.len(), 1);
    insta::assert_snapshot!(report.findings[0], @r#"error unknown-track-type: byte 0x3e (tracks[1].type): expected a type of track that the game knows, found 0x16 (track "U") (kept the 1 track before it)"#);
}

#[test]
fn a_lenient_reader_keeps_a_damaged_actor_as_it_is() {
    let whole = actor([-1, 0], 1);
    let (document, report) = lenient(&whole[..whole.len() - 5]);
    let Resource::Opaque(opaque) = &document.resource else { panic!("an opaque resource") };
    assert_eq!((opaque.why, opaque.class.as_str()), (WhyOpaque::Damaged, "MOREActor::ActorModel"));
    insta::assert_snapshot!(report.findings[0], @"error string-exceeds-data: byte 0x212 (graphicObjectNames[0].name): expected a string of at most 4 bytes, found one of 9 (the whole resource is kept as it is)");
}

#[test]
fn a_lenient_reader_reads_sound_files_as_any_other() {
    for (name, bytes) in readable() {
        let (document, report) = lenient(&bytes);
        // As text, because numbers that are not finite do not equal themselves.
        assert_eq!(format!("{document:?}"), format!("{:?}", read::<More>(&bytes)), "{name}");
        assert!(report.findings.is_empty(), "{name}");
    }
}

#[test]
fn a_clip_asks_for_the_files_it_plays() {
    assert_eq!(More::wants(&clip_path()), ["anims/door.ubi"]);
    assert!(More::wants(&motion()).is_empty() && More::wants(b"").is_empty());
    let bytes = clip_path();
    let mut source = Source::new(&bytes);
    source.resources.insert("anims/door.ubi".into(), motion());
    let mut report = Report::default();
    let document = More::read(&source, &ReadOptions::default(), &mut report).unwrap();
    assert_eq!(document.linked["anims/door.ubi"].tracks.len(), 5);
    source.resources.insert("anims/door.ubi".into(), motion()[..50].to_vec());
    let document = More::read(&source, &ReadOptions::default(), &mut report).unwrap();
    assert!(document.linked.is_empty());
    insta::assert_snapshot!(report.findings[0], @"warning linked-file: byte 0x24 (anims/door.ubi.tracks count): expected at most 1 record (10 bytes left, 9 each), found 5");
}
