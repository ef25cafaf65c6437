//! Documents and clips of all kinds.

use crate::animation::golden::text;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, Source, ToScene};
use dopesheet_playcanvas::animation::{
    Animation, Components, Document, Key, KeyNames, Node, PlayCanvas, Rotation, Version,
};
use dopesheet_testkit::{close, read, rotation_angle};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1e3..1e3,
        (-1_000_000i32..1_000_000).prop_map(|n| f64::from(n) / 1000.0),
        Just(0.0),
        Just(-0.0),
        any::<f64>().prop_filter("finite", |n| n.is_finite()),
    ]
}

fn vector() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(number())
}

fn rotation(names: KeyNames) -> BoxedStrategy<Rotation> {
    let euler = vector().prop_map(Rotation::Euler);
    match names {
        KeyNames::Short => euler.boxed(),
        KeyNames::Long => {
            prop_oneof![euler, prop::array::uniform4(number()).prop_map(Rotation::Quaternion)].boxed()
        }
    }
}

fn key(names: KeyNames) -> impl Strategy<Value = Key> {
    (number(), option::of(vector()), option::of(rotation(names)), option::of(vector()))
        .prop_map(move |(time, position, rotation, scale)| Key { time, position, rotation, scale, names })
}

fn components() -> impl Strategy<Value = Components> {
    (option::of(vector()), option::of(vector()), option::of(vector()))
        .prop_map(|(position, rotation, scale)| Components { position, rotation, scale })
}

fn node(version: Version) -> BoxedStrategy<Node> {
    let keys = match version {
        Version::V3 => vec(key(KeyNames::Long), 0..5).boxed(),
        Version::V4 => vec(key(KeyNames::Short), 0..5).boxed(),
        Version::Absent => vec(prop_oneof![key(KeyNames::Long), key(KeyNames::Short)], 0..5).boxed(),
    };
    let whole = (".{0,6}", components(), option::of(components().prop_map(Box::new)), keys)
        .prop_map(|(name, defaults, default, keys)| Node { name, defaults, default, keys });
    if version == Version::V3 {
        whole.prop_map(|n| Node { defaults: Components::default(), default: None, ..n }).boxed()
    } else {
        whole.boxed()
    }
}

fn animation_of(version: Version) -> impl Strategy<Value = Animation> {
    let duration = option::of(number().prop_map(f64::abs));
    (".{0,6}", duration, vec(node(version), 0..4)).prop_map(move |(name, duration, nodes)| Animation {
        version,
        name,
        duration,
        nodes,
    })
}

fn any_version() -> impl Strategy<Value = Version> {
    prop::sample::select(vec![Version::Absent, Version::V3, Version::V4])
}

fn animation() -> impl Strategy<Value = Animation> {
    any_version().prop_flat_map(animation_of)
}

/// Two animations of one version.
fn pair() -> impl Strategy<Value = (Animation, Animation)> {
    any_version().prop_flat_map(|version| (animation_of(version), animation_of(version)))
}

/// White space between all tokens.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    let (mut inside, mut escaped) = (false, false);
    for c in text.chars() {
        if !inside && "{}[],:".contains(c) {
            out.push_str(&format!("\n{c} "));
        } else {
            out.push(c);
        }
        if c == '"' && !escaped {
            inside = !inside;
        }
        escaped = c == '\\' && !escaped;
    }
    out
}

proptest! {
    #[test]
    fn every_document_is_read_as_it_was_written(animation in animation()) {
        let document = Document::new(animation);
        let written = text(&document);
        let again = read::<PlayCanvas>(written.as_bytes());
        prop_assert_eq!(again.animation(), document.animation());
        prop_assert_eq!(text(&again), written);
    }

    #[test]
    fn a_document_edited_into_any_other_says_what_the_other_says((before, after) in pair()) {
        let source = spaced(&text(&Document::new(before)));
        let mut document = read::<PlayCanvas>(source.as_bytes());
        *document.animation_mut() = after.clone();
        let written = text(&document);
        let again = read::<PlayCanvas>(written.as_bytes());
        prop_assert_eq!(again.animation(), &after);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        let _ = PlayCanvas::read(&Source::new(&bytes), &Default::default(), &mut Report::default());
    }

    #[test]
    fn a_clip_survives_being_written(
        turns in vec(prop::array::uniform3(-180f64..180.0), 2..6),
        places in vec(prop::array::uniform3(-100f64..100.0), 6),
    ) {
        let keys: Vec<Key> = turns.iter().zip(&places).enumerate().map(|(n, (r, p))| Key {
            time: n as f64 * 0.25,
            position: Some(*p),
            rotation: Some(Rotation::Euler(*r)),
            scale: Some([1.0; 3]),
            names: KeyNames::Short,
        }).collect();
        let end = keys.last().map_or(0.0, |key| key.time);
        let nodes = vec![Node { name: "a".into(), keys, ..Node::default() }];
        let before = Document::new(Animation { version: Version::V4, name: String::new(), duration: Some(end), nodes });
        let scene = |document: &Document| PlayCanvas::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap();
        let first = scene(&before);
        let made = PlayCanvas::from_scene(&first, &FromScene::default(), &mut Report::default()).unwrap();
        let second = scene(&made);
        for step in 0..=40 {
            let time = dopesheet_core::units::Seconds(end * f64::from(step) / 40.0);
            let [a, b] = [&first, &second].map(|s| dopesheet_motion::sample::pose::local_pose(s, &s.clips[0], time).0[0]);
            prop_assert!(a.translation.iter().zip(b.translation).all(|(a, b)| close(*a, b, 2e-6)));
            prop_assert!(rotation_angle(a.rotation, b.rotation) < 3e-6, "{:?} {:?}", a.rotation, b.rotation);
        }
    }
}
