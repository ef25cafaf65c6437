//! An edit changes the text of what was edited and nothing else.

use crate::animation::fixtures::{named, plain};
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_testkit::read;
use dopesheet_unity::UnityAnim;
use dopesheet_unity::animation::{Clip, Document, Event, Keyframe};

fn edited(bytes: &[u8], edit: impl FnOnce(&mut Clip)) -> (Document, String) {
    let mut document = read::<UnityAnim>(bytes);
    edit(&mut document.file_mut().clips[0]);
    let text = UnityAnim::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<UnityAnim>(&text).file(), document.file());
    (document, String::from_utf8(text).unwrap())
}

/// The lines that only one of two texts has: taken out, then put in.
fn changed(before: &str, after: &str) -> [Vec<String>; 2] {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let lines =
        |lines: &[&str]| lines[first..lines.len() - last].iter().map(|line| line.trim().to_owned()).collect();
    [lines(&old), lines(&new)]
}

#[test]
fn a_number_is_its_own_text() {
    let (_, text) = edited(plain().as_bytes(), |clip| clip.position_curves[0].curve.keys[1].value[2] = 0.1);
    let expected =
        [vec!["value: {x: 2, y: 3, z: -1.25}".to_owned()], vec!["value: {x: 2, y: 3, z: 0.1}".to_owned()]];
    assert_eq!(changed(&plain(), &text), expected);
    let (_, text) = edited(plain().as_bytes(), |clip| clip.rotation_curves[0].path = "胸".into());
    let expected = [vec!["path: Armature/Hips/Spine".to_owned()], vec!["path: \"\\u80F8\"".to_owned()]];
    assert_eq!(changed(&plain(), &text), expected);
    let (_, text) = edited(plain().as_bytes(), |clip| clip.settings.loop_time = false);
    assert_eq!(
        changed(&plain(), &text),
        [["m_LoopTime: 1".to_owned()], ["m_LoopTime: 0".to_owned()]].map(Vec::from)
    );
}

#[test]
fn a_key_more_is_its_curve_anew() {
    let (_, text) = edited(plain().as_bytes(), |clip| {
        clip.rotation_curves[0].curve.keys.push(Keyframe {
            time: 2.0,
            value: [0.0, 1.0, 0.0, 0.0],
            ..Keyframe::default()
        });
    });
    let [gone, put] = changed(&plain(), &text);
    assert_eq!((gone.len(), put.len()), (0, 9));
    assert!(put.contains(&"time: 2".to_owned()));
}

#[test]
fn curves_and_events_come_and_go_by_themselves() {
    let before = plain();
    let (_, text) = edited(before.as_bytes(), |clip| drop(clip.float_curves.remove(0)));
    let [gone, put] = changed(&before, &text);
    assert!(gone.iter().any(|line| line.contains("u7B11")) && put.is_empty(), "{gone:?} {put:?}");
    let (_, text) = edited(before.as_bytes(), |clip| drop(clip.float_curves.pop()));
    let [gone, put] = changed(&before, &text);
    assert!(gone.iter().any(|line| line == "path: Body/Hat") && put.is_empty());
    let (_, text) = edited(before.as_bytes(), |clip| clip.events.clear());
    assert!(text.ends_with("  m_Events: []\n"), "{text}");
    let (_, text) = edited(before.as_bytes(), |clip| clip.events.insert(0, Event::default()));
    let [gone, put] = changed(&before, &text);
    assert_eq!((gone.len(), put.len()), (0, 7));
    let (_, text) = edited(before.as_bytes(), |clip| {
        let copy = clip.position_curves[0].clone();
        clip.scale_curves.push(copy);
    });
    let [gone, put] = changed(&before, &text);
    assert_eq!((gone, put.len()), (vec!["m_ScaleCurves: []".to_owned()], 35));
}

#[test]
fn values_of_a_list_in_brackets_change_where_they_stand() {
    let event = "{time: 1, functionName: a, data: , objectReferenceParameter: {fileID: 0}, floatParameter: 0, intParameter: 0, messageOptions: 0}";
    let at = plain().find("  m_Events:").unwrap();
    let before = format!("{}  m_Events: [{event}]\n", &plain()[..at]);
    let (_, text) = edited(before.as_bytes(), |clip| clip.events[0].time = 2.0);
    assert_eq!(text, before.replace("{time: 1,", "{time: 2,"));
}

#[test]
fn what_the_text_has_no_member_for_is_put_behind_the_last_one() {
    let (_, text) = edited(&named("end"), |clip| clip.events.push(Event { time: 1.0, ..Event::default() }));
    assert!(text.contains("  m_HasMotionFloatCurves: 0\n  m_Events:\n  - time: 1\n"), "{text}");
}

#[test]
fn line_ends_stay_as_the_text_has_them() {
    let (_, text) = edited(&named("crlf"), |clip| clip.events.push(Event { time: 9.0, ..Event::default() }));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn other_objects_and_unknown_members_survive_an_edit() {
    let (_, text) = edited(&named("other-objects"), |clip| clip.name = "Bow".into());
    assert!(text.ends_with("--- !u!1 &100\nGameObject:\n  m_Name: Hat\n") && text.contains("m_Name: Bow\n"));
    assert!(text.contains("      path: 1234567890\n"));
}
