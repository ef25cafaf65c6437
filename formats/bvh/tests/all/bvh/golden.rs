//! Texts built by hand and what they say, and what is written anew.

use crate::bvh::fixtures::{named, plain};
use dopesheet_bvh::Bvh;
use dopesheet_bvh::bvh::{Channel, Document, Joint, JointKind, Motion};
use dopesheet_core::format::{Confidence, Format, Hint, WriteOptions};
use dopesheet_testkit::read;

/// Content of [`plain`], written by hand.
fn motion() -> Motion {
    use Channel::{Position, Rotation};
    let joint = |kind, name: &str, parent, offset, channels: &[Channel]| Joint {
        kind,
        name: name.into(),
        parent,
        offset,
        channels: channels.to_vec(),
    };
    let turns = [Rotation(2), Rotation(0), Rotation(1)];
    let six = [[Position(0), Position(1), Position(2)], turns.clone()].concat();
    Motion {
        joints: vec![
            joint(JointKind::Root, "Hips", None, [0.0, 90.0, 0.0], &six),
            joint(JointKind::Joint, "Chest", Some(0), [0.0, 10.5, -1.25], &turns),
            joint(JointKind::EndSite, "", Some(1), [0.0, 25.0, 0.0], &[]),
        ],
        announced_frames: 2,
        frame_time_s: 0.04,
        values: [
            [1.0, 90.0, -3.0, 10.0, 20.0, 30.0, 0.0, 0.0, 0.0],
            [2.0, 91.5, -3.5, -10.0, 5.0, 0.5, 45.0, -30.0, 15.0],
        ]
        .concat(),
    }
}

#[test]
fn joints_channels_and_frames_are_where_the_text_has_them() {
    assert_eq!(*read::<Bvh>(plain().as_bytes()).motion(), motion());
}

#[test]
fn a_new_document_is_written_as_most_programs_write_it() {
    let written = Bvh::write(&Document::new(motion()), &WriteOptions::default()).unwrap().main;
    assert_eq!(String::from_utf8(written).unwrap(), plain());
}

#[test]
fn numbers_that_six_decimals_do_not_hold_are_written_whole() {
    let mut motion = motion();
    motion.values[..4].copy_from_slice(&[1e-9, 1e22, 0.1 + 0.2, -0.0]);
    let written = Bvh::write(&Document::new(motion.clone()), &WriteOptions::default()).unwrap().main;
    let text = String::from_utf8(written.clone()).unwrap();
    assert!(
        text.contains("\n0.000000001 10000000000000000000000 0.30000000000000004 -0.000000 20.0"),
        "{text}"
    );
    assert_eq!(read::<Bvh>(&written).motion(), &motion);
}

#[test]
fn every_channel_has_its_word() {
    for (word, channel) in [
        ("Xposition", Channel::Position(0)),
        ("Yposition", Channel::Position(1)),
        ("Zposition", Channel::Position(2)),
        ("Xrotation", Channel::Rotation(0)),
        ("Yrotation", Channel::Rotation(1)),
        ("Zrotation", Channel::Rotation(2)),
    ] {
        assert_eq!((Channel::from_word(&word.to_uppercase()), channel.word()), (channel.clone(), word));
    }
    assert_eq!(Channel::from_word("Xscale"), Channel::Other("Xscale".into()));
}

#[test]
fn names_are_what_stands_behind_the_word() {
    let name = |fixture: &str, joint: usize| read::<Bvh>(&named(fixture)).motion().joints[joint].name.clone();
    assert_eq!(name("odd-names", 1), "mixamorig:胸-1.\"a\"");
    assert_eq!(name("name-blank", 1), "Bip01 L Thigh");
    assert_eq!(name("named-end", 2), "Top");
    assert_eq!(name("no-channels", 0), "a");
    assert_eq!(name("crlf", 1), "Chest");
    assert!(name("name-encoding", 1).contains('\u{fffd}'));
}

#[test]
fn files_are_known_by_their_first_word() {
    let probe = |text: &[u8], name: &str| Bvh::probe(text, &Hint::from_file_name(name));
    assert_eq!(probe(plain().as_bytes(), "x"), Confidence::Certain);
    assert_eq!(probe(&named("byte-order-mark"), "x"), Confidence::Certain);
    assert_eq!(probe(b" hierarchy\r\n", "x"), Confidence::Certain);
    assert_eq!(probe(b"HIERARCHY", "x"), Confidence::Plausible);
    assert_eq!(probe(b"", "x.bvh"), Confidence::ByName);
    assert_eq!(probe(b"{}", "x.json"), Confidence::No);
}
