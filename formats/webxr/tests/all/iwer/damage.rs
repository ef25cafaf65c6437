//! Files that were cut, changed or made to do harm.

use super::fixtures::{both, controller, file, frame, pressed, spelled};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source, ToScene};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, read};
use dopesheet_webxr::Iwer;

fn small() -> Vec<u8> {
    file(&[controller(0)], &[frame(1.0, &[pressed(0, 0.1, true)]), frame(2.5, &[])])
}

#[test]
fn every_prefix_is_refused() {
    assert_every_prefix::<Iwer>(&small(), &[]);
    // The last byte is a line feed, without which the text is whole.
    assert_every_prefix::<Iwer>(&spelled(), &[spelled().len() - 1]);
}

#[test]
fn every_changed_byte_is_refused_or_kept() {
    assert_every_flip::<Iwer>(&small());
    assert_every_flip::<Iwer>(&spelled());
}

#[test]
fn a_file_longer_than_the_caller_allows_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Iwer::read(&Source::new(&small()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "iwer-file-too-long");
}

#[test]
fn a_schema_of_more_buttons_than_memory_has_is_a_message() {
    let text = String::from_utf8(small()).unwrap().replace("\"numButtons\":2", "\"numButtons\":4294967295");
    let error = Iwer::read(&Source::new(text.as_bytes()), &ReadOptions::default(), &mut Report::default());
    assert_eq!(error.unwrap_err().fault.code, "iwer-input");
}

#[test]
fn what_checking_finds_fault_with_plays_all_the_same() {
    for (name, bytes) in super::fixtures::all().iter().filter(|(name, _)| !name.starts_with("invalid")) {
        let scene =
            Iwer::to_scene(&read::<Iwer>(bytes), &ToScene::default(), &mut Report::default()).unwrap();
        for channel in scene.clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| &track.channels) {
            for curve in channel.composition.curves() {
                curve.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
    }
    assert!(!both().is_empty());
}
