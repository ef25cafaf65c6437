//! Edits of Unity's animation clips: the text of what stays, and the editor's copies of what plays.

use crate::edit::formats::{edited, fixture, opened, rename, speed, text, trim};
use dopesheet::Opened;
use dopesheet::edit::{Operation, Trim};
use dopesheet::formats::unity::animation as unity;
use dopesheet::times::RangeSpec;

#[test]
fn keys_of_a_trimmed_unity_clip_keep_their_text_whatever_their_times() {
    let whole = fixture("unity/src/animation", "valid/plain.anim");
    // What only the editor reads, and what nobody does.
    let marked = text(&whole).replacen("tangentMode: 0", "tangentMode: 21", 3).replacen(
        "        time: 0.5\n",
        "        time: 5.0e-01\n        m_Future: {kept: [1, 2]}\n",
        1,
    );
    let marked = opened("marked.anim".as_ref(), marked.as_bytes()).unwrap();
    let part = text(&edited(&marked, &[trim("0.25:1.5")]));
    assert!(part.contains("m_Future: {kept: [1, 2]}\n        value: {x: 2, y: 3, z: -1.25}"), "{part}");
    assert!(part.contains("        time: 0.25\n        m_Future"), "{part}");
    let kept = text(&edited(
        &marked,
        &[Operation::Trim(Trim {
            range: RangeSpec::parse("0.25:1.5").unwrap(),
            keep_time: true,
            snap: false,
        })],
    ));
    assert!(kept.contains("        time: 5.0e-01\n        m_Future"), "{kept}");
}

#[test]
fn a_unity_clip_at_another_speed_differs_in_times_and_slopes_alone() {
    let whole = fixture("unity/src/animation", "valid/plain.anim");
    let (before, after) = (text(&whole), text(&edited(&whole, &[speed(0.5)])));
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    assert_eq!(old.len(), new.len());
    let words = ["time:", "inSlope:", "outSlope:", "m_StopTime:"];
    let mut changed = 0;
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
        assert!(words.iter().any(|word| old.contains(word)), "{old} and {new}");
        changed += 1;
    }
    assert!(changed > 5, "{changed}");
}

#[test]
fn a_renamed_object_of_a_unity_clip_changes_its_paths_alone() {
    let whole = fixture("unity/src/animation", "valid/plain.anim");
    let named = edited(&whole, &[rename(vec![("Hips".into(), "Pelvis".into())])]);
    assert_eq!(text(&named), text(&whole).replace("Armature/Hips", "Armature/Pelvis"));
}

#[test]
fn copies_of_the_unity_editor_follow_what_plays() {
    let plain = text(&fixture("unity/src/animation", "valid/plain.anim"));
    let key = |(time, value, [arriving, leaving]): (f32, f32, [f32; 2])| {
        format!(
            "      - serializedVersion: 3\n        time: {time}\n        value: {value}\n        inSlope: \
             {arriving}\n        outSlope: {leaving}\n        tangentMode: 21\n        weightedMode: 0\n"
        )
    };
    let keys = [(0.0, 1.0, [0.0, 4.0]), (0.5, 2.0, [-2.0, 0.0]), (1.5, 2.0, [0.0, 0.0])].map(key).concat();
    let copy = format!(
        "  m_EditorCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve:\n{keys}      m_PreInfinity: 2\n      \
         m_PostInfinity: 2\n      m_RotationOrder: 4\n    attribute: m_LocalPosition.x\n    path: \
         Armature/Hips\n    classID: 4\n    script: {{fileID: 0}}\n"
    );
    let whole = plain.replace("  m_EditorCurves: []\n", &copy);
    let whole = opened("copied.anim".as_ref(), whole.as_bytes()).unwrap();
    let copies = |file: &Opened| -> Vec<unity::FloatCurve> {
        file.document.get::<unity::Document>().unwrap().file().clips[0].editor_curves.clone()
    };
    let slow = copies(&edited(&whole, &[speed(0.5)]));
    let told: Vec<_> =
        slow[0].curve.keys.iter().map(|key| (key.time, key.out_slope[0], key.tangent_mode)).collect();
    assert_eq!(told, [(0.0, 2.0, 21), (1.0, 0.0, 21), (3.0, 0.0, 21)]);
    let named = copies(&edited(&whole, &[rename(vec![("Hips".into(), "Pelvis".into())])]));
    assert_eq!(named[0].path, "Armature/Pelvis");
    let part = copies(&edited(&whole, &[trim("0.25:1.5")]));
    assert_eq!(part[0].curve.keys.len(), 3);
    assert_eq!(part[0].curve.keys[1].time, 0.25);
}
