//! Laws that hold for whatever documents and scenes there are.

use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Edit, Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_core::model::{Composition, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_more::More;
use dopesheet_more::more::animation::{
    Animation, Body, Displacement, Event, Instant, Keys, Shape, Times, Track, TrackType, Values,
};
use dopesheet_more::more::{Document, Resource};
use dopesheet_more::text::Name;
use dopesheet_motion::{Side, channel_at};
use proptest::collection::vec;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = Name> {
    prop_oneof![3 => "[A-C](.Position|.Rotation|.Scale)?".prop_map(|t| Name::new(&t)), 1 => vec(any::<u8>(), 0..6).prop_map(|b| Name(b.into()))]
}

/// Whole files of one track each, from bytes: what the reader accepts is a document of that type.
fn keys(code: u32, version: u32) -> impl Strategy<Value = Track> {
    let track_type = TrackType::new(code).unwrap();
    (name(), vec(vec(any::<u8>(), 88), 0..5)).prop_filter_map("a file", move |(name, keys)| {
        let animation = Animation {
            tracks: vec![Track { track_type, name: name.clone(), body: empty(track_type, version) }],
            ..Animation::default()
        };
        let document = Document { version, ..Document::new(Resource::Animation(animation)) };
        let mut bytes = More::write(&document, &WriteOptions::default()).ok()?.main;
        // The count stands in front of the instants (if there are any) at the end of the file.
        let instants = if version >= 9 { 4 } else { 0 };
        let end = bytes.split_off(bytes.len() - instants);
        let at = bytes.len() - 4;
        bytes.truncate(at);
        let size = key_size(track_type, version);
        bytes.extend((keys.len() as u32).to_le_bytes());
        for key in &keys {
            let mut key = key[..size].to_vec();
            if matches!(track_type.law(), dopesheet_more::more::animation::KeyLaw::Bezier) {
                key[size - 1] &= 1;
            }
            bytes.extend(key);
        }
        bytes.extend(end);
        let read = More::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()).ok()?;
        read.animation().map(|a| a.tracks[0].clone())
    })
}

/// Bytes per key, found by writing one less and one more.
fn key_size(track_type: TrackType, version: u32) -> usize {
    let old = version < 0x11;
    match track_type.code() {
        0x00 => {
            if version >= 0x10 {
                4
            } else {
                6
            }
        }
        0x01 | 0x04 | 0x13 | 0x14 => 8,
        0x02 | 0x05 => 16,
        0x03 | 0x06 => 20,
        0x07 => 17,
        0x08 => 41,
        0x09 => {
            if old {
                53
            } else {
                37
            }
        }
        0x0A => 36,
        0x0B => 60,
        0x0C => 88,
        0x15 => {
            if old {
                41
            } else {
                13
            }
        }
        0x1A => {
            if old {
                41
            } else {
                15
            }
        }
        0x1F => {
            if old {
                33
            } else {
                21
            }
        }
        0x18 | 0x1D => {
            if version >= 0x10 {
                8
            } else {
                10
            }
        }
        _ => 8,
    }
}

/// No keys in the form of a type and version.
fn empty(track_type: TrackType, version: u32) -> Body {
    use dopesheet_more::more::animation::{Bezier, KeyLaw, Stored, Tcb};
    let values = |stored: Stored| match stored {
        Stored::U16 => Values::Integers(vec![]),
        Stored::F32 => Values::Floats(vec![]),
        Stored::Vector3 => Values::Vectors(vec![]),
        Stored::Quaternion => Values::Quaternions(vec![]),
        Stored::Quaternion32 => Values::Quaternions32(vec![]),
        Stored::Quaternion48 => Values::Quaternions48(vec![]),
        Stored::Angles => Values::Angles(vec![]),
    };
    let stored = track_type.stored();
    let is_short = matches!(track_type.code(), 0x19 | 0x1A | 0x1E | 0x1F)
        || matches!(track_type.code(), 0x00 | 0x18 | 0x1D) && version >= 0x10;
    let full = match stored {
        Stored::Quaternion32 | Stored::Quaternion48 => Stored::Quaternion,
        Stored::Angles => Stored::Vector3,
        other => other,
    };
    let shape = match track_type.law() {
        KeyLaw::Bezier if version < 0x11 => {
            Shape::Bezier(Bezier { der_src: values(full), der_dst: Some(values(full)), flat_out: vec![] })
        }
        KeyLaw::Bezier => {
            let der_dst = (track_type.is_rotation() && stored != Stored::Angles)
                .then_some(())
                .map_or_else(|| Some(values(stored)), |()| None);
            Shape::Bezier(Bezier { der_src: values(stored), der_dst, flat_out: vec![] })
        }
        KeyLaw::Tcb => Shape::Tcb(Box::new(Tcb {
            settings: vec![],
            der_src: values(stored),
            der_dst: values(stored),
            turns: vec![],
        })),
        _ => Shape::Plain,
    };
    let times = if is_short { Times::Codes(vec![]) } else { Times::Seconds(vec![]) };
    Body::Keys(Box::new(Keys { terminate: true, times, values: values(stored), shape }))
}

const KEYED: [u32; 22] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x13, 0x14, 0x15, 0x18,
    0x19, 0x1A, 0x1D, 0x1E, 0x1F,
];

fn event(version: u32) -> impl Strategy<Value = Event> {
    (any::<f32>(), any::<u32>(), name()).prop_map(move |(time, value, user_data)| {
        let user_data = if version >= 2 { user_data } else { Name::default() };
        Event { time, value, user_data }
    })
}

fn track(version: u32) -> impl Strategy<Value = Track> {
    let keyed = prop::sample::select(&KEYED[..]).prop_flat_map(move |code| keys(code, version));
    let events = (name(), vec(event(version), 0..4)).prop_map(|(name, events)| Track {
        track_type: TrackType::EVENT,
        name,
        body: Body::Events(events),
    });
    let user = (name(), 0x0F..=0x12_u32, any::<bool>()).prop_map(|(name, code, terminate)| Track {
        track_type: TrackType::new(code).unwrap(),
        name,
        body: Body::User { terminate },
    });
    let leaf = prop_oneof![6 => keyed, 1 => events, 1 => user];
    leaf.prop_recursive(2, 6, 2, |inner| {
        (name(), inner.clone(), inner).prop_map(|(name, position, rotation)| Track {
            track_type: TrackType::DISPLACEMENT,
            name,
            body: Body::Displacement(Box::new(Displacement { position, rotation })),
        })
    })
}

prop_compose! {
    fn animation_of(version: u32)(
        name in name(),
        duration in prop_oneof![0f32..9.0, any::<f32>()],
        is_delta in any::<bool>(),
        tracks in vec(track(version), 0..5),
        instants in vec((any::<f32>(), any::<u16>()), 0..3),
    ) -> Animation {
        let instants = instants.into_iter().map(|(time, id)| Instant { time, id });
        Animation {
            name: (version < 0xF).then_some(name),
            duration,
            is_delta: version >= 0xC && is_delta,
            tracks,
            instants: if version >= 9 { instants.collect() } else { Vec::new() },
        }
    }
}

fn document() -> impl Strategy<Value = Document> {
    let version = prop::sample::select(&[0_u32, 1, 2, 8, 9, 0xB, 0xC, 0xE, 0xF, 0x10, 0x11, 0x12][..]);
    let animation = version.prop_flat_map(|version| (Just(version), animation_of(version)));
    (animation, any::<bool>(), vec(any::<u8>(), 0..4)).prop_map(|((version, animation), big, trailing)| {
        let endian = if big { Endian::Big } else { Endian::Little };
        Document { endian, version, trailing, ..Document::new(Resource::Animation(animation)) }
    })
}

/// As bytes, because numbers that are not finite do not equal themselves.
fn written(document: &Document) -> Vec<u8> {
    More::write(document, &WriteOptions::default()).unwrap().main
}

fn read(bytes: &[u8]) -> Document {
    More::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default()).unwrap()
}

fn curves(scene: &Scene) -> impl Iterator<Item = &dopesheet_core::model::Curve> {
    scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.channels).flat_map(|c| c.composition.curves())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: dopesheet_testkit::cases(96), ..ProptestConfig::default() })]

    #[test]
    fn a_document_comes_back_from_its_bytes(document in document()) {
        let bytes = written(&document);
        let again = read(&bytes);
        prop_assert_eq!(format!("{:?}", again), format!("{:?}", document));
        prop_assert_eq!(written(&again), bytes);
    }

    #[test]
    fn every_document_can_be_checked_and_played(document in document(), as_stored in any::<bool>(), time in -5f64..20.0) {
        let mut report = Report::default();
        More::check(&document, &mut report);
        let options = ToScene { as_stored, ..ToScene::default() };
        let scene = More::to_scene(&document, &options, &mut report).unwrap();
        for curve in curves(&scene) {
            prop_assert_eq!(curve.validate(), Ok(()));
        }
        let mut value = Vec::new();
        for channel in scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.channels) {
            prop_assert!(channel_at(channel, Seconds(time), Side::At, &mut value));
            let is_numbers = matches!(channel.composition, Composition::Whole(_));
            prop_assert!(as_stored || !is_numbers || value.iter().all(|v| !v.is_nan()), "{:?}", value);
        }
    }

    #[test]
    fn every_document_sorts_and_changes_its_byte_order(document in document()) {
        let mut edited = document.clone();
        let edit = Edit { sort: true, variant: Some("0x11,be".into()), ..Edit::default() };
        if More::edit(&mut edited, &edit, &mut Report::default()).is_ok() {
            let bytes = written(&edited);
            prop_assert_eq!(written(&read(&bytes)), bytes);
        }
    }

    #[test]
    fn every_scene_of_ours_is_written_and_read_again(document in document()) {
        let mut report = Report::default();
        let scene = More::to_scene(&document, &ToScene::default(), &mut report).unwrap();
        if let Ok(made) = More::from_scene(&scene, &FromScene::default(), &mut report) {
            let bytes = written(&made);
            prop_assert_eq!(written(&read(&bytes)), bytes);
        }
    }

    #[test]
    fn any_bytes_behind_a_header_are_an_error_or_come_back(tail in vec(any::<u8>(), 0..200), version in 0..0x13_u32, class in 0..3_usize) {
        let class = ["MORE::Animation", "MORE::Clip", "MOREActor::ActorModel"][class];
        let mut bytes = b"ubi/b0-l".to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend((class.len() as u32).to_le_bytes());
        bytes.extend(class.as_bytes());
        bytes.extend(tail);
        let mut report = Report::default();
        if let Ok(document) = More::read(&Source::new(&bytes), &ReadOptions::default(), &mut report) {
            prop_assert_eq!(written(&document), bytes.clone());
            More::check(&document, &mut report);
        }
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        if let Ok(document) = More::read(&Source::new(&bytes), &lenient, &mut report) {
            written(&document);
        }
    }
}
