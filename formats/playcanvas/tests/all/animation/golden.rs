//! Texts and documents built by hand, version by version.

use crate::animation::fixtures::{hoisted, long};
use dopesheet_core::bytes::json::NumberStyle;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Source, WriteOptions};
use dopesheet_playcanvas::animation::{
    Animation, Components, Document, Key, KeyNames, Node, PlayCanvas, Rotation, Version,
};
use dopesheet_testkit::read;

pub(crate) fn text(document: &Document) -> String {
    String::from_utf8(PlayCanvas::write(document, &WriteOptions::default()).unwrap().main).unwrap()
}

fn short(time: f64, position: [f64; 3], rotation: [f64; 3]) -> Key {
    Key {
        time,
        position: Some(position),
        rotation: Some(Rotation::Euler(rotation)),
        scale: None,
        names: KeyNames::Short,
    }
}

fn four() -> Animation {
    let one = Some([1.0; 3]);
    Animation {
        version: Version::V4,
        name: "clip".into(),
        duration: Some(1.0),
        nodes: vec![
            Node {
                name: "left \"arm\"".into(),
                defaults: Components { scale: one, ..Components::default() },
                default: None,
                keys: vec![
                    short(0.0, [-0.0, 1.5, 0.002], [-90.0, 10.675, 0.0]),
                    short(0.5, [1.0, 2.0, 3.0], [-80.0, 12.0, 0.0]),
                ],
            },
            Node {
                name: "腕".into(),
                defaults: Components {
                    position: Some([0.0, 1.0, 0.0]),
                    rotation: Some([0.0, 90.0, 0.0]),
                    scale: one,
                },
                default: None,
                keys: vec![Key::default(), Key { time: 1.0, ..Key::default() }],
            },
        ],
    }
}

fn three() -> Animation {
    let key = |time, x, y, scale| Key {
        time,
        position: Some([x, 0.0, 0.0]),
        rotation: Some(Rotation::Euler([0.0, y, 0.0])),
        scale: Some([scale; 3]),
        names: KeyNames::Long,
    };
    Animation {
        version: Version::V3,
        name: "wave".into(),
        duration: Some(1.0),
        nodes: vec![Node {
            name: "arm".into(),
            keys: vec![key(0.0, 0.0, 45.0, 1.0), key(1.0, 4.0, 90.0, 2.0)],
            ..Node::default()
        }],
    }
}

#[test]
fn version_4_is_read_into_its_fields() {
    let document = read::<PlayCanvas>(&hoisted());
    assert_eq!(document.animation(), &four());
    assert!(document.animation().nodes[0].keys[0].position.unwrap()[0].is_sign_negative());
}

#[test]
fn version_4_is_written_as_the_vendor_lays_it_out() {
    let expected = String::from_utf8(hoisted()).unwrap().replace("2e-3", "0.002");
    assert_eq!(text(&Document::new(four())), expected);
}

#[test]
fn version_3_in_any_order_of_members_is_read_into_its_fields() {
    assert_eq!(read::<PlayCanvas>(&long()).animation(), &three());
}

#[test]
fn version_3_is_written_with_long_names_and_without_defaults() {
    let expected = concat!(
        r#"{"animation":{"version":3,"name":"wave","duration":1,"nodes":[{"name":"arm","keys":["#,
        r#"{"time":0,"pos":[0,0,0],"rot":[0,45,0],"scale":[1,1,1]},"#,
        r#"{"time":1,"pos":[4,0,0],"rot":[0,90,0],"scale":[2,2,2]}]}]}}"#
    );
    assert_eq!(text(&Document::new(three())), expected);
}

#[test]
fn a_file_without_version_is_written_without_one() {
    let source = concat!(
        r#"{"animation":{"nodes":[{"name":"a","default":{"s":[1,1,1]},"keys":["#,
        r#"{"t":0,"p":[0,0,0],"r":[0,0,0]},{"time":1,"quat":[0,0.6,0,0.8]}]}]}}"#
    );
    let document = read::<PlayCanvas>(source.as_bytes());
    let [first, second] = document.animation().nodes[0].keys[..] else { panic!() };
    assert_eq!((first.names, second.names), (KeyNames::Short, KeyNames::Long));
    assert_eq!(second.rotation, Some(Rotation::Quaternion([0.0, 0.6, 0.0, 0.8])));
    assert_eq!(text(&Document::new(document.animation().clone())), source);
}

#[test]
fn the_shape_is_that_of_the_version_even_if_it_stands_last() {
    let text = |version: &str| {
        let nodes = concat!(
            r#"[{"defaults":{"p":[9,9,9]},"keys":[{"t":0,"time":1,"p":[1,1,1],"pos":[2,2,2],"#,
            r#""rot":[0,0,0],"scale":[1,1,1]}]}]"#
        );
        format!(r#"{{"animation":{{"nodes":{nodes},"version":{version}}}}}"#)
    };
    let key = |version: &str| read::<PlayCanvas>(text(version).as_bytes()).animation().nodes[0].clone();
    assert_eq!((key("4").keys[0].time, key("4").keys[0].position), (0.0, Some([1.0; 3])));
    assert_eq!((key("3").keys[0].time, key("3").keys[0].position), (1.0, Some([2.0; 3])));
    assert_eq!(key("null").keys[0].time, 0.0);
    assert_eq!(key("3").defaults, Components::default());
    assert_eq!(key("4").defaults.position, Some([9.0; 3]));
}

#[test]
fn nodes_that_only_the_version_behind_them_makes_sound_are_accepted() {
    // By its own members the key is one with short names, which `p` makes unsound.
    let text = r#"{"animation":{"nodes":[{"keys":[{"t":0,"time":1,"p":"x"}]}],"version":3}}"#;
    assert_eq!(read::<PlayCanvas>(text.as_bytes()).animation().nodes[0].keys[0].time, 1.0);
}

#[test]
fn of_repeated_members_the_last_counts_as_in_javascript() {
    let text = concat!(
        r#"{"animation":{"version":3,"version":4,"nodes":[1],"nodes":[{"name":"a","name":"b","keys":null,"#,
        r#""keys":[{"t":0,"t":2,"p":[0,0,0],"p":null}]}],"duration":1,"duration":3}}"#
    );
    let refused =
        PlayCanvas::read(&Source::new(text.as_bytes()), &Default::default(), &mut Report::default());
    assert!(refused.is_err(), "an unsound member is a fault even if another follows");
    let document = read::<PlayCanvas>(text.replace("[1]", "[]").as_bytes());
    let animation = document.animation();
    assert_eq!((animation.version, animation.duration), (Version::V4, Some(3.0)));
    let node = &animation.nodes[0];
    assert_eq!((node.name.as_str(), node.keys[0].time, node.keys[0].position), ("b", 2.0, None));
}

#[test]
fn names_may_be_numbers() {
    let text = r#"{"animation":{"version":4,"name":12,"nodes":[{"name":1.50,"keys":[]}]}}"#;
    let document = read::<PlayCanvas>(text.as_bytes());
    assert_eq!(document.animation().name, "12");
    assert_eq!(document.animation().nodes[0].name, "1.50");
}

#[test]
fn the_vendors_numbers_have_six_digits() {
    let mut document = Document::new(four());
    document.animation_mut().nodes[0].keys[0].time = 1.0 / 3.0;
    document.rewrite(NumberStyle::SixDigits);
    let text = text(&document);
    assert!(text.contains(r#"{"t":0.333333,"p":[-0,1.5,0.002],"r":[-90,10.675,0]}"#), "{text}");
}

#[test]
fn what_the_format_cannot_say_is_refused_when_written() {
    let refused = |change: &dyn Fn(&mut Animation)| {
        let mut document = Document::new(four());
        change(document.animation_mut());
        PlayCanvas::write(&document, &WriteOptions::default()).unwrap_err().to_string()
    };
    let found = [
        refused(&|a| a.duration = Some(f64::NAN)),
        refused(&|a| a.nodes[0].keys[1].time = f64::INFINITY),
        refused(&|a| a.nodes[0].keys[1].position = Some([0.0, f64::NAN, 0.0])),
        refused(&|a| a.nodes[0].keys[1].rotation = Some(Rotation::Quaternion([0.0, 0.0, 0.0, 1.0]))),
        refused(&|a| a.version = Version::V3),
    ];
    insta::assert_snapshot!(found.join("\n"));
}
