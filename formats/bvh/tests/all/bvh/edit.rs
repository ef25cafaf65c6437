//! Edits change only the text of what was edited.

use crate::bvh::fixtures::{ROW_1, ROW_2, named, plain, with};
use dopesheet_bvh::Bvh;
use dopesheet_bvh::bvh::{Channel, Joint, JointKind, Motion};
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_testkit::read;

fn edited(text: &[u8], edit: impl FnOnce(&mut Motion)) -> String {
    let mut document = read::<Bvh>(text);
    edit(document.motion_mut());
    let written = Bvh::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<Bvh>(&written).motion(), document.motion());
    String::from_utf8(written).unwrap()
}

/// The code with which a document is refused.
fn refused(edit: impl FnOnce(&mut Motion)) -> String {
    let mut document = read::<Bvh>(plain().as_bytes());
    edit(document.motion_mut());
    let error = Bvh::write(&document, &WriteOptions::default()).unwrap_err();
    format!("{}: {error}", error.fault.code)
}

#[test]
fn touching_without_changing_keeps_every_byte() {
    for name in [
        "plain",
        "blanks",
        "cr",
        "comma",
        "row-split",
        "row-split-joined",
        "extra-number-row",
        "trailing-text",
    ] {
        assert_eq!(edited(&named(name), |_| {}).into_bytes(), named(name), "{name}");
    }
}

#[test]
fn numbers_and_names_are_replaced_where_they_stand() {
    let replaced = |old: &str, new: &str| String::from_utf8(with(old, new)).unwrap();
    let text = plain().into_bytes();
    assert_eq!(edited(&text, |m| m.joints[1].offset[1] = 11.0), replaced("10.500000", "11.000000"));
    assert_eq!(edited(&text, |m| m.joints[1].name = "Spine 1".into()), replaced("Chest", "Spine 1"));
    assert_eq!(edited(&text, |m| m.joints[2].name = "Top".into()), replaced("End Site", "End Site Top "));
    assert_eq!(edited(&text, |m| m.frame_time_s = 0.01), replaced("0.04", "0.01"));
    assert_eq!(edited(&text, |m| m.announced_frames = 7), replaced("Frames: 2", "Frames: 7"));
    assert_eq!(edited(&text, |m| m.values[10] = -1.5), replaced("91.500000", "-1.500000"));
    let split = named("row-split");
    let moved = edited(&split, |m| m.values[15] = 1.0);
    assert_eq!(moved, String::from_utf8(split).unwrap().replace("\n45.000000", "\n1.000000"));
}

#[test]
fn frames_are_put_in_and_taken_out_between_the_others() {
    let text = plain().into_bytes();
    let replaced = |old: &str, new: &str| plain().replace(old, new);
    let shorter = edited(&text, |m| drop(m.values.drain(..9)));
    assert_eq!(shorter, replaced(&format!("\n{ROW_1}"), ""));
    let shorter = edited(&text, |m| m.values.truncate(9));
    assert_eq!(shorter, replaced(&format!("\n{ROW_2}"), ""));
    let zeros = ["0.000000"; 9].join(" ");
    let longer = edited(&text, |m| drop(m.values.splice(9..9, [0.0; 9])));
    assert_eq!(longer, replaced(ROW_1, &format!("{ROW_1}\n{zeros}")));
    let longer = edited(&named("crlf"), |m| m.values.extend([0.0; 9]));
    assert!(longer.ends_with(&format!("15.000000\r\n{zeros}\r\n")), "{longer}");
    let first = edited(&named("no-frames"), |m| m.values.extend([0.0; 9]));
    assert!(first.ends_with(&format!("Frame Time: 0.04\n{zeros}\n")), "{first}");
}

#[test]
fn other_joints_or_channels_are_another_text() {
    let text = named("crlf");
    let made = edited(&text, |m| {
        m.joints.push(Joint { kind: JointKind::EndSite, parent: Some(0), ..Joint::default() });
    });
    assert!(!made.contains('\r') && made.matches("End Site").count() == 2, "{made}");
    let made = edited(&text, |m| m.joints[1].channels.swap(0, 1));
    assert!(made.contains("CHANNELS 3 Xrotation Zrotation Yrotation"), "{made}");
}

#[test]
fn what_would_be_read_differently_is_refused() {
    let all = [
        refused(|m| m.joints[1].name = "a\nb".into()),
        refused(|m| m.joints[1].name = "a{b".into()),
        refused(|m| m.joints[1].name = " a".into()),
        refused(|m| m.values.truncate(17)),
        refused(|m| m.joints[1].parent = None),
        refused(|m| m.joints[1].parent = Some(7)),
        refused(|m| m.joints[0].channels[0] = Channel::Position(3)),
        refused(|m| m.joints[0].channels[0] = Channel::Other("two words".into())),
        refused(|m| m.joints.push(Joint { parent: Some(2), ..Joint::default() })),
    ];
    insta::assert_snapshot!(all.join("\n"));
}
