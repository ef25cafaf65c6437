//! Documents built by hand, and edits.

use super::fixtures::{all, both, spelled};
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_testkit::read;
use dopesheet_webxr::Iwer;
use dopesheet_webxr::iwer::{Document, Entry, Frame, Gamepad, GamepadState, Input, InputSource, Recording};

fn written(document: &Document) -> String {
    String::from_utf8(Iwer::write(document, &WriteOptions::default()).unwrap().main).unwrap()
}

#[test]
fn a_document_built_by_hand_is_the_text_that_the_recorder_writes() {
    let source = InputSource {
        handedness: "left".into(),
        target_ray_mode: "tracked-pointer".into(),
        profiles: vec!["meta-quest-touch-plus".into(), "generic-trigger".into()],
        has_grip: true,
        joints: None,
        gamepad: Some(Gamepad { mapping: "xr-standard".into(), buttons: 2, axes: 2 }),
    };
    let input = Input {
        index: 0,
        ray: [0.1, 1.2, -0.3, 0.0, 0.0, 0.0, 1.0],
        grip: Some([0.1, 1.19, -0.28, 0.0, 0.6, 0.0, 0.8]),
        hand: None,
        gamepad: Some(GamepadState {
            buttons: vec![Some([0.0, 1.0, 0.0]), None],
            axes: vec![Some(0.5), None],
        }),
    };
    let viewer = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0, 1.0];
    let frames = vec![Frame { time_ms: 1234.5, viewer, inputs: vec![input] }];
    let document = Document::new(Recording { schema: vec![Entry { index: 0, source }], frames });
    let text = super::fixtures::file(
        &[super::fixtures::controller(0)],
        &[super::fixtures::frame(1234.5, &[super::fixtures::pressed(0, 0.1, false)])],
    );
    assert_eq!(written(&document).into_bytes(), text);
    assert_eq!(read::<Iwer>(&text), document);
}

#[test]
fn recorded_text_is_made_of_fields_alone() {
    let document = read::<Iwer>(&both());
    let copy = Document::new(document.recording().clone());
    assert!(written(&copy).into_bytes() == both());
    // Nothing but fields is kept of it.
    assert!(copy == document);
}

#[test]
fn an_edit_changes_the_number_that_was_edited_and_no_other_character() {
    let mut document = read::<Iwer>(&spelled());
    document.recording_mut().frames[0].viewer[1] = 1.75;
    let expected = String::from_utf8(spelled()).unwrap().replace("1.60", "1.75");
    assert_eq!(written(&document), expected);
}

#[test]
fn a_frame_more_is_written_with_the_others() {
    let mut document = read::<Iwer>(&spelled());
    let mut frame = document.recording().frames[1].clone();
    frame.time_ms = 33.4;
    document.recording_mut().frames.push(frame);
    let again = read::<Iwer>(written(&document).as_bytes());
    assert_eq!(again.recording(), document.recording());
}

#[test]
fn every_accepted_fixture_is_made_anew_from_its_fields() {
    let accepted = all().into_iter().filter(|(name, _)| !name.starts_with("invalid"));
    let mut count = 0;
    for (name, bytes) in accepted {
        let document = read::<Iwer>(&bytes);
        let anew = written(&Document::new(document.recording().clone()));
        assert_eq!(read::<Iwer>(anew.as_bytes()).recording(), document.recording(), "{name}");
        assert!(anew.as_bytes() == bytes || name == "valid/spelled.json", "{name}");
        count += 1;
    }
    assert!(count >= 10, "{count}");
}
