//! Edits: only the text of what was edited changes.

use crate::animation::fixtures::{commented, hoisted, long};
use crate::animation::golden::text;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Edit, Format};
use dopesheet_playcanvas::animation::{
    Animation, Components, Document, Key, KeyNames, Node, PlayCanvas, Rotation, Version,
};
use dopesheet_testkit::read;

/// The text after a change, which must say what the changed document says.
fn changed(source: &[u8], change: impl FnOnce(&mut Animation)) -> String {
    let mut document = read::<PlayCanvas>(source);
    change(document.animation_mut());
    let written = text(&document);
    assert_eq!(read::<PlayCanvas>(written.as_bytes()).animation(), document.animation(), "{written}");
    written
}

/// The text with one part replaced.
fn replaced(source: &[u8], from: &str, to: &str) -> String {
    let text = std::str::from_utf8(source).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn an_edit_that_changes_nothing_changes_no_byte() {
    assert_eq!(changed(&long(), |_| {}).as_bytes(), long());
}

#[test]
fn one_number_is_replaced_where_it_stands() {
    let time = changed(&long(), |a| a.nodes[0].keys[1].time = 0.75);
    assert_eq!(time, replaced(&long(), r#""time": 1"#, r#""time": 0.75"#));
    let y = changed(&long(), |a| a.nodes[0].keys[1].rotation = Some(Rotation::Euler([0.0, 91.5, 0.0])));
    assert_eq!(y, replaced(&long(), "[0, 90, 0]", "[0, 91.5, 0]"));
    let sign = changed(&long(), |a| a.nodes[0].keys[1].position = Some([4.0, -0.0, 0.0]));
    assert_eq!(sign, replaced(&long(), "[4, 0, 0]", "[4, -0, 0]"));
    let hoist = changed(&hoisted(), |a| a.nodes[1].defaults.rotation = Some([0.0, 90.0, 1e-7]));
    assert_eq!(hoist, replaced(&hoisted(), "[0,90,0]", "[0,90,1e-7]"));
}

#[test]
fn comments_stay_and_nothing_is_written_into_them() {
    let part = |from: &str, to: &str| replaced(&commented(), from, to);
    assert_eq!(changed(&commented(), |_| {}).as_bytes(), commented());
    let turn = |degrees: f64| Some(Rotation::Euler([0.0, degrees, 0.0]));
    let half = changed(&commented(), |a| a.nodes[0].keys[1].rotation = turn(30.0));
    assert_eq!(half, part("/* Y */ 45", "/* Y */ 30"));
    let grown = changed(&commented(), |a| a.nodes[0].keys[1].scale = Some([2.0; 3]));
    assert_eq!(grown, part("/* Y */ 45, 0]", "/* Y */ 45, 0],\"s\":[2,2,2]"));
    let hoisted = changed(&commented(), |a| a.nodes[0].defaults.position = Some([0.0; 3]));
    assert_eq!(hoisted, part("[1, 1, 1] /*", "[1, 1, 1],\"p\":[0,0,0] /*"));
    // Keys that come and go take no comment of others along.
    let fewer = changed(&commented(), |a| _ = a.nodes[0].keys.remove(1));
    assert_eq!(fewer.matches("// ").count(), commented().windows(3).filter(|w| w == b"// ").count() - 2);
    let more = changed(&commented(), |a| {
        let key = a.nodes[0].keys[0];
        a.nodes[0].keys.push(Key { time: 2.0, ..key });
    });
    assert_eq!(more.matches("// shut").count(), 2, "{more}");
}

#[test]
fn comments_are_read_with_a_remark_at_the_first() {
    let (_, report) = dopesheet_testkit::read_reporting::<PlayCanvas>(&commented());
    let remarks: Vec<String> = report.findings.iter().map(|finding| finding.fault.to_string()).collect();
    assert_eq!(remarks, ["line 1, column 1: expected JSON, which has no comments, found a comment"]);
}

#[test]
fn names_and_duration_are_replaced_where_they_stand() {
    let name = changed(&long(), |a| a.name = "say \"hi\"".into());
    assert_eq!(name, replaced(&long(), r#""wave""#, r#""say \"hi\"""#));
    let node = changed(&long(), |a| a.nodes[0].name = "腕".into());
    assert_eq!(node, replaced(&long(), r#""arm""#, r#""腕""#));
    let duration = changed(&long(), |a| a.duration = None);
    assert_eq!(duration, replaced(&long(), r#""duration": 1"#, r#""duration": null"#));
}

#[test]
fn a_component_that_goes_becomes_null_and_one_that_comes_is_put_last() {
    let gone = changed(&long(), |a| a.nodes[0].keys[0].position = None);
    assert_eq!(gone, replaced(&long(), r#""pos": [0, 0, 0]"#, r#""pos": null"#));
    let come = changed(&hoisted(), |a| a.nodes[1].keys[1].position = Some([1.0, 2.0, 0.5]));
    assert_eq!(come, replaced(&hoisted(), r#"{"t":1}"#, r#"{"t":1,"p":[1,2,0.5]}"#));
    let spaced = changed(&long(), |a| a.nodes[0].keys[1].scale = Some([2.0, 2.0, 2.0]));
    assert_eq!(spaced.as_bytes(), long());
}

#[test]
fn members_that_were_absent_are_put_in() {
    let source = br#"{"animation":{"nodes":[{}, { } ]}}"#;
    let written = changed(source, |a| {
        a.name = "x".into();
        a.duration = Some(2.0);
        a.nodes[0].name = "a".into();
        a.nodes[1].defaults.scale = Some([1.0; 3]);
        a.nodes[1].keys = vec![Key { time: 0.5, ..Key::default() }];
    });
    let expected = concat!(
        r#"{"animation":{"nodes":[{"name":"a"}, {"defaults":{"s":[1,1,1]},"keys":[{"t":0.5}] } ],"#,
        r#""name":"x","duration":2}}"#
    );
    assert_eq!(written, expected);
}

#[test]
fn keys_of_a_list_come_and_go_without_touching_the_others() {
    let second = r#"{"t":0.5,"p":[1,2,3],"r":[-80,12,0]}"#;
    let gone = changed(&hoisted(), |a| a.nodes[0].keys.truncate(1));
    assert_eq!(gone, replaced(&hoisted(), &format!(",{second}"), ""));
    let first_gone = changed(&hoisted(), |a| a.nodes[1].keys.retain(|key| key.time > 0.0));
    assert_eq!(first_gone, replaced(&hoisted(), r#"[{"t":0},{"t":1}]"#, r#"[{"t":1}]"#));
    let all_gone = changed(&hoisted(), |a| a.nodes[1].keys.clear());
    assert_eq!(all_gone, replaced(&hoisted(), r#"[{"t":0},{"t":1}]"#, "[]"));
    let between = changed(&hoisted(), |a| a.nodes[1].keys.insert(1, Key { time: 0.25, ..Key::default() }));
    assert_eq!(between, replaced(&hoisted(), r#"{"t":0},"#, r#"{"t":0},{"t":0.25},"#));
    let before = changed(&hoisted(), |a| a.nodes[1].keys.insert(0, Key { time: -1.0, ..Key::default() }));
    assert_eq!(before, replaced(&hoisted(), r#"[{"t":0}"#, r#"[{"t":-1},{"t":0}"#));
    let swapped = changed(&hoisted(), |a| {
        a.nodes[1].keys =
            vec![Key::default(), Key { time: 0.5, ..Key::default() }, Key { time: 2.0, ..Key::default() }];
    });
    assert_eq!(swapped, replaced(&hoisted(), r#"{"t":1}"#, r#"{"t":0.5},{"t":2}"#));
}

#[test]
fn nodes_come_and_go_without_touching_the_others() {
    let gone = changed(&long(), |a| a.nodes.clear());
    assert!(gone.contains(r#""nodes": []"#) && gone.contains(r#""generator": { "name": "hand""#), "{gone}");
    let added = changed(&hoisted(), |a| {
        a.nodes.push(Node { name: "leg".into(), ..Node::default() });
    });
    let end = r#"{"t":1}]}"#;
    assert_eq!(
        added,
        replaced(&hoisted(), end, &format!(r#"{end},{{"name":"leg","defaults":{{}},"keys":[]}}"#))
    );
}

#[test]
fn numbers_beyond_those_used_are_kept() {
    let source = br#"{"animation":{"version":4,"nodes":[{"keys":[{"t":0,"p":[1, 2,3 ,"x"]}]}]}}"#;
    let written = changed(source, |a| a.nodes[0].keys[0].position = Some([1.0, 2.5, 3.0]));
    assert_eq!(written, replaced(source, "[1, 2,3 ", "[1, 2.5,3 "));
}

#[test]
fn of_repeated_members_the_one_that_counts_is_edited() {
    let source = concat!(
        r#"{"animation":{"version":4,"name":"a","name":"b","nodes":[{"defaults":{"p":[1,1,1]},"defaults":{},"#,
        r#""keys":[{"t":1}],"keys":[{"t":2,"p":[0,0,0],"p":null}]}]}}"#
    );
    let written = changed(source.as_bytes(), |a| {
        a.name = "c".into();
        a.nodes[0].defaults.position = Some([2.0; 3]);
        a.nodes[0].keys[0] = Key { time: 3.0, position: Some([4.0; 3]), ..Key::default() };
    });
    let expected = source
        .replace(r#""name":"b""#, r#""name":"c""#)
        .replace(r#""defaults":{}"#, r#""defaults":{"p":[2,2,2]}"#)
        .replace(r#""t":2"#, r#""t":3"#)
        .replace(r#""p":null"#, r#""p":[4,4,4]"#);
    assert_eq!(written, expected);
}

#[test]
fn angles_and_quaternion_make_room_for_each_other() {
    let source =
        br#"{"animation":{"nodes":[{"keys":[{"time":0,"quat":[0,0,0,1]},{"time":1,"rot":[0,0,5]}]}]}}"#;
    let written = changed(source, |a| {
        a.nodes[0].keys[0].rotation = Some(Rotation::Euler([1.0, 2.0, 3.0]));
        a.nodes[0].keys[1].rotation = Some(Rotation::Quaternion([1.0, 0.0, 0.0, 0.0]));
    });
    let expected = concat!(
        r#"{"animation":{"nodes":[{"keys":[{"time":0,"quat":null,"rot":[1,2,3]},"#,
        r#"{"time":1,"rot":null,"quat":[1,0,0,0]}]}]}}"#
    );
    assert_eq!(written, expected);
}

fn edited(document: &mut Document, variant: &str) -> Report {
    let mut report = Report::default();
    let edit = Edit { variant: Some(variant.into()), ..Edit::default() };
    PlayCanvas::edit(document, &edit, &mut report).unwrap();
    report
}

#[test]
fn versions_are_exchanged_without_touching_a_number() {
    let mut document = read::<PlayCanvas>(&hoisted());
    assert_eq!(edited(&mut document, "3"), Report::default());
    assert_eq!(document.animation().version, Version::V3);
    let three = text(&document);
    assert!(
        three.contains(r#"{"time":0,"pos":[-0,1.5,0.002],"rot":[-90,10.675,0],"scale":[1,1,1]}"#),
        "{three}"
    );
    assert!(!three.contains("defaults"), "{three}");
    let mut again = read::<PlayCanvas>(three.as_bytes());
    edited(&mut again, "4");
    assert_eq!(again.animation(), read::<PlayCanvas>(&hoisted()).animation());
}

#[test]
fn the_version_a_file_has_already_changes_nothing() {
    let mut document = read::<PlayCanvas>(&long());
    edited(&mut document, "3");
    assert_eq!(text(&document).as_bytes(), long());
}

#[test]
fn a_file_without_version_becomes_one_that_the_engine_reads() {
    let source = concat!(
        r#"{"animation":{"duration":1,"nodes":[{"name":"a","default":{"s":[1,1,1]},"keys":[{"t":0,"p":[0,0,0],"#,
        r#""r":[0,0,0]}]},{"name":"b","keys":null,"default":{"p":[1,2,3]}},"#,
        r#"{"name":"c","keys":[{"time":0,"quat":[0,0.6,0,0.8]}]}]}}"#
    );
    let mut document = read::<PlayCanvas>(source.as_bytes());
    let report = edited(&mut document, "4");
    assert!(matches!(&report.losses[..], [Loss::Approximated { max_error, .. }] if max_error.value < 1e-12));
    let found = text(&document);
    assert!(found.contains(r#"{"name":"b","defaults":{"p":[1,2,3]},"keys":[{"t":0}]}"#), "{found}");
    assert!(
        found.contains(r#""defaults":{"p":[0,0,0],"r":[0,0,0],"s":[1,1,1]},"keys":[{"t":0}]"#),
        "{found}"
    );
    assert!(found.starts_with(r#"{"animation":{"version":4,"#), "{found}");
}

#[test]
fn sorting_moves_keys_of_one_time_together_and_keeps_their_order() {
    let source = br#"{"animation":{"version":4,"nodes":[{"keys":[{"t":1,"p":[1,1,1]},{"t":0},{"t":1}]}]}}"#;
    let mut document = read::<PlayCanvas>(source);
    PlayCanvas::edit(&mut document, &Edit { sort: true, ..Edit::default() }, &mut Report::default()).unwrap();
    let times: Vec<f64> = document.animation().nodes[0].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 1.0, 1.0]);
    assert_eq!(document.animation().nodes[0].keys[1].position, Some([1.0; 3]));
    let sorted = text(&document);
    assert_eq!(read::<PlayCanvas>(sorted.as_bytes()).animation(), document.animation());
}

#[test]
fn an_unknown_variant_is_refused_with_those_that_are_known() {
    let edit = Edit { variant: Some("5".into()), ..Edit::default() };
    let error =
        PlayCanvas::edit(&mut read::<PlayCanvas>(&long()), &edit, &mut Report::default()).unwrap_err();
    assert_eq!(error.to_string(), "playcanvas: the variant \"5\" is unknown; known are 4, 3, seed, 4-vendor");
}

#[test]
fn a_component_of_a_node_is_found_by_the_rules_of_its_shape() {
    use dopesheet_playcanvas::animation::Component::Position;
    let animation = Animation { version: Version::V4, ..Animation::default() };
    let key = Key { position: Some([2.0; 3]), ..Key::default() };
    let hidden = Node {
        defaults: Components { position: Some([1.0; 3]), ..Components::default() },
        default: Some(Box::new(Components { position: Some([3.0; 3]), ..Components::default() })),
        ..Node::default()
    };
    assert_eq!(animation.value(&hidden, &key, Position), Some(&[1.0; 3][..]));
    let open = Node { defaults: Components::default(), ..hidden.clone() };
    assert_eq!(animation.value(&open, &key, Position), Some(&[2.0; 3][..]));
    assert_eq!(animation.value(&open, &Key::default(), Position), Some(&[3.0; 3][..]));
    let long = Animation::default();
    assert_eq!(long.value(&hidden, &Key { names: KeyNames::Long, ..Key::default() }, Position), None);
}

#[test]
fn keys_that_stand_in_default_are_read_and_edited_there() {
    let source = br#"{"animation":{"nodes":[{"name":"a","default":[{"t":0,"p":[1,2,3]},{"t":1,"p":[4,5,6]}],"keys":null}]}}"#;
    let document = read::<PlayCanvas>(source);
    assert_eq!(document.animation().nodes[0].keys.len(), 2);
    assert_eq!(document.animation().nodes[0].keys[1].position, Some([4.0, 5.0, 6.0]));
    let moved = changed(source, |a| a.nodes[0].keys[1].time = 2.0);
    assert_eq!(moved, replaced(source, r#""t":1"#, r#""t":2"#));
    let first =
        br#"{"animation":{"nodes":[{"keys":[{"t":0,"p":[1,2,3]}],"default":[{"t":0,"p":[9,9,9]}]}]}}"#;
    assert_eq!(read::<PlayCanvas>(first).animation().nodes[0].keys[0].position, Some([1.0, 2.0, 3.0]));
    for odd in ["[]", "[1,2]", "7"] {
        let source = format!(r#"{{"animation":{{"nodes":[{{"default":{odd},"keys":null}}]}}}}"#);
        assert!(read::<PlayCanvas>(source.as_bytes()).animation().nodes[0].keys.is_empty(), "{odd}");
    }
}
