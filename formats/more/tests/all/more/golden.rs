//! Bytes built by hand and the documents that they mean.

use crate::more::bytes::File;
use crate::more::fixtures::{actor, clip_path, clip_warped, motion, oldest, rare};
use dopesheet_core::bytes::Endian;
use dopesheet_core::format::{Format, WriteOptions};
use dopesheet_more::More;
use dopesheet_more::more::actor::BoneScale;
use dopesheet_more::more::animation::{
    Animation, Bezier, Body, Event, Instant, Keys, Shape, Tcb, TcbSettings, Times, Track, TrackType, Turn,
    Values,
};
use dopesheet_more::more::clip::{Clip, ClipContent, SubResource, Transition};
use dopesheet_more::more::{Document, Resource};
use dopesheet_testkit::read;

fn track(code: u32, name: &str, times: Times, values: Values, shape: Shape) -> Track {
    let body = Body::Keys(Box::new(Keys { terminate: true, times, values, shape }));
    Track { track_type: TrackType::new(code).unwrap(), name: name.into(), body }
}

/// The same document both ways.
fn assert_both_ways(bytes: &[u8], document: &Document) {
    assert_eq!(read::<More>(bytes), *document);
    assert_eq!(More::write(document, &WriteOptions::default()).unwrap().main, bytes);
}

#[test]
fn the_example_of_the_format_description() {
    let mut bytes = b"ubi/b0-l\x11\0\0\0\x0f\0\0\0MORE::Animation".to_vec();
    bytes.extend(
        b"\0\0\0\x40\0\x01\0\0\0\0\0\0\0\x01\0\0\0T\x01\x02\0\0\0\xff\x7f\x34\x12\x1d\x80\x03\0\0\0\0\0",
    );
    let keys = (Times::Codes(vec![0x7FFF, 0x801D]), Values::Integers(vec![0x1234, 3]));
    let animation = Animation {
        duration: 2.0,
        tracks: vec![track(0, "T", keys.0, keys.1, Shape::Plain)],
        ..Animation::default()
    };
    let document = Document::new(Resource::Animation(animation));
    assert_both_ways(&bytes, &document);
    let Body::Keys(keys) = &document.animation().unwrap().tracks[0].body else { panic!("keys") };
    assert!((keys.times.get(1).unwrap() - 0.274_667).abs() < 1e-6);
}

#[test]
fn keys_of_the_common_types() {
    let settings = |ease_to, ease_from| TcbSettings { ease_to, ease_from, ..TcbSettings::default() };
    let tcb = Tcb {
        settings: vec![settings(0.0, 0.5), settings(0.25, 0.0)],
        der_src: Values::Floats(vec![0.0, 2.0]),
        der_dst: Values::Floats(vec![2.0, 0.0]),
        turns: Vec::new(),
    };
    let bezier = Bezier {
        der_src: Values::Vectors(vec![[0.0; 3], [0.5; 3]]),
        der_dst: Some(Values::Vectors(vec![[0.5; 3], [0.0; 3]])),
        flat_out: vec![false, true],
    };
    let turned = [0.0, 0.6, 0.0, 0.8];
    let controls = Values::Quaternions(vec![[0.0, 0.0, 0.0, 1.0], turned]);
    let squad = Bezier { der_src: controls.clone(), der_dst: None, flat_out: vec![false; 2] };
    let seconds = |a, b| Times::Seconds(vec![a, b]);
    let animation = Animation {
        duration: 2.0,
        instants: vec![Instant { time: 0.5, id: 7 }],
        tracks: vec![
            track(
                0x00,
                "Door.Visibility",
                Times::Codes(vec![32767, 32876]),
                Values::Integers(vec![1, 0]),
                Shape::Plain,
            ),
            track(
                0x05,
                "Door.Position",
                seconds(0.0, 2.0),
                Values::Vectors(vec![[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]]),
                Shape::Plain,
            ),
            track(
                0x08,
                "Door.Scale",
                seconds(0.0, 2.0),
                Values::Vectors(vec![[1.0; 3], [2.0; 3]]),
                Shape::Bezier(bezier),
            ),
            track(0x09, "Door.Rotation", seconds(0.0, 1.0), controls, Shape::Bezier(squad)),
            track(
                0x0A,
                "Light.Glow",
                seconds(0.0, 2.0),
                Values::Floats(vec![1.0, 3.0]),
                Shape::Tcb(Box::new(tcb)),
            ),
        ],
        ..Animation::default()
    };
    assert_both_ways(&motion(), &Document::new(Resource::Animation(animation)));
}

#[test]
fn keys_of_the_rare_types() {
    let document = read::<More>(&rare());
    let tracks = &document.animation().unwrap().tracks;
    let Body::Displacement(root) = &tracks[0].body else { panic!("a displacement") };
    let Body::Keys(rotation) = &root.rotation.body else { panic!("keys") };
    let Shape::Tcb(tcb) = &rotation.shape else { panic!("TCB keys") };
    let quarter = Turn { angle: std::f32::consts::FRAC_PI_2, axis: [0.0, 1.0, 0.0] };
    assert_eq!(tcb.turns, [Turn { angle: 0.0, axis: [0.0, 1.0, 0.0] }, quarter]);
    let Body::Events(events) = &tracks[1].body else { panic!("events") };
    assert_eq!(events[0], Event { time: 0.5, value: 1, user_data: "left".into() });
    assert_eq!(tracks[2].body, Body::User { terminate: true });
    let values = |track: usize| match &tracks[track].body {
        Body::Keys(keys) => (keys.times.clone(), keys.values.clone()),
        other => panic!("keys, not {other:?}"),
    };
    assert_eq!(values(3), (Times::Seconds(vec![0.0]), Values::Quaternions32(vec![0xE008_0200])));
    assert_eq!(values(4), (Times::Codes(vec![32767]), Values::Quaternions48(vec![[32767; 3]])));
    assert_eq!(values(5), (Times::Codes(vec![32767]), Values::Angles(vec![[33000, 32767, 32000]])));
    let Body::Keys(neck) = &tracks[6].body else { panic!("keys") };
    let derivatives = Bezier {
        der_src: Values::Angles(vec![[1, 2, 3]]),
        der_dst: Some(Values::Angles(vec![[65534, 0, 9]])),
        flat_out: vec![true],
    };
    assert_eq!(neck.shape, Shape::Bezier(derivatives));
}

#[test]
fn the_first_version_has_long_times_full_derivatives_and_a_name() {
    let document = read::<More>(&oldest());
    assert_eq!((document.version, document.endian), (0, Endian::Big));
    let animation = document.animation().unwrap();
    assert_eq!(animation.name.as_ref().unwrap().text(), "walk");
    let Body::Keys(shown) = &animation.tracks[0].body else { panic!("keys") };
    assert_eq!(shown.times, Times::Seconds(vec![0.5]));
    let Body::Keys(arm) = &animation.tracks[1].body else { panic!("keys") };
    let identity = Values::Quaternions(vec![[0.0, 0.0, 0.0, 1.0]]);
    let full = Bezier { der_src: identity.clone(), der_dst: Some(identity), flat_out: vec![false] };
    assert_eq!(arm.shape, Shape::Bezier(full));
    let Body::Keys(leg) = &animation.tracks[2].body else { panic!("keys") };
    assert_eq!(leg.times, Times::Codes(vec![32767]), "linear keys have short times at every version");
}

#[test]
fn clips() {
    let transition = Some(Transition { blending: 1.0, fade_in: 0.25, fade_out: 0.5 });
    let clip = Clip {
        layer_id: 3,
        is_looping: true,
        time_scale: 1.25,
        transition,
        time_warp: None,
        content: ClipContent::Simple(SubResource::Path("anims/door.ubi".into())),
    };
    assert_both_ways(&clip_path(), &Document::new(Resource::Clip(clip)));
    let Resource::Clip(warped) = read::<More>(&clip_warped()).resource else { panic!("a clip") };
    assert_eq!(warped.time_warp, Some(vec![[0.0, 0.0], [1.0, 1.0]]));
}

#[test]
fn actors() {
    let Resource::Actor(actor) = read::<More>(&actor([-1, 0], 1)).resource else { panic!("an actor") };
    assert_eq!(actor.bones[1].father, 0);
    assert!(matches!(&actor.bones[0].scale, BoneScale::Named { use_scale: true, .. }));
    assert_eq!(actor.event_emitters[0].event_track_names, ["Steps".into()]);
    assert_eq!(actor.sound_emitters[0].position_name.text(), "voice.Position");
    assert_eq!(
        (actor.channels[0].bone_ids.as_slice(), actor.channels[0].graphic_object_ids.as_slice()),
        (&[0, 1][..], &[0][..])
    );
}

#[test]
fn a_field_that_is_edited_is_the_only_one_that_changes() {
    let mut document = read::<More>(&rare());
    let Resource::Animation(animation) = &mut document.resource else { panic!("an animation") };
    let Body::Events(events) = &mut animation.tracks[1].body else { panic!("events") };
    events[0].user_data = "right".into();
    let written = More::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<More>(&written), document);
    assert_eq!(written.len(), rare().len() + 1);
}

/// A form that the file's version does not have.
#[test]
fn columns_in_the_wrong_form_are_not_written() {
    let bad = |times: Times, values: Values| {
        let animation =
            Animation { tracks: vec![track(0x13, "T", times, values, Shape::Plain)], ..Animation::default() };
        let error = More::write(&Document::new(Resource::Animation(animation)), &WriteOptions::default());
        error.unwrap_err().to_string()
    };
    let codes = Values::Quaternions32(vec![0]);
    insta::assert_snapshot!(bad(Times::Codes(vec![0]), codes.clone()), @"more: byte 0x32 (tracks[0].keys.times): expected seconds, found the other form");
    insta::assert_snapshot!(bad(Times::Seconds(vec![0.0, 1.0]), codes), @"more: byte 0x32 (tracks[0].keys.values): expected 2, as many as there are keys, found 1");
    insta::assert_snapshot!(bad(Times::Seconds(vec![0.0]), Values::Floats(vec![0.0])), @"more: byte 0x32 (tracks[0].keys.values): expected 32-bit quaternions, found floats");
}

/// Every version from 0x0 to beyond the last known one, in both byte orders, has a form of its own that comes back.
#[test]
fn every_version_of_an_empty_animation() {
    for version in 0..=0x20 {
        for (magic, endian) in [(b"ubi/b0-l", Endian::Little), (b"ubi/b0-b", Endian::Big)] {
            let mut file = File::with_magic(magic, endian, version, "MORE::Animation");
            if version < 0xF {
                file.text(b"name");
            }
            file.f32s(&[1.0]);
            if version >= 0xC {
                file.u8(1);
            }
            file.u32(0);
            if version >= 0x9 {
                file.u32(1).f32s(&[0.5]).u16s(&[2]);
            }
            let bytes = file.done();
            dopesheet_testkit::assert_identity::<More>(&bytes, &format!("{version:#x}"));
            let document = read::<More>(&bytes);
            let animation = document.animation().unwrap();
            assert_eq!(animation.name.is_some(), version < 0xF);
            assert_eq!(animation.is_delta, version >= 0xC);
            assert_eq!(animation.instants.len(), usize::from(version >= 0x9));
        }
    }
}
