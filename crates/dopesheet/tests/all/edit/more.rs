//! Edits of MORE files whose keys no new file gets: tension, continuity and bias, spherical cubics, packed rotations and times.
#![cfg(feature = "more")]

use crate::edit::formats::{edited, opened, rename, shift, speed, trim, written};
use dopesheet::core::format::Format;
use dopesheet::core::model::{Channel, Clip};
use dopesheet::core::units::Seconds;
use dopesheet::edit::{Concat, Delete, Kept, KeyChange, Keys as KeysOptions, Operation, Split};
use dopesheet::formats::more::More;
use dopesheet::formats::more::more::animation::{
    Animation, Bezier, Body, Instant, Keys, Shape, Tcb, TcbSettings, Times, Track, TrackType, Turn, Values,
};
use dopesheet::formats::more::more::{Document, Resource, packed};
use dopesheet::formats::more::text::Name;
use dopesheet::motion::{Side, channel_at};
use dopesheet::times::{RangeSpec, TimeValue};
use dopesheet::{ClipChoice, Opened, WriteOptions};
use std::sync::Arc;

/// Times of all keys, in seconds.
const TIMES: [f32; 5] = [0.0, 0.75, 1.5, 3.0, 4.0];

/// Rotations about an axis that turns with them.
fn rotations() -> Vec<[f32; 4]> {
    let rotation = |at: usize| {
        let (angle, tilt) = (0.4 * at as f64, 0.3 * at as f64);
        let (sine, cosine) = (angle / 2.0).sin_cos();
        [sine * tilt.sin(), sine * tilt.cos(), 0.0, cosine].map(|x| x as f32)
    };
    (0..TIMES.len()).map(rotation).collect()
}

fn track(code: u32, name: &str, times: Times, values: Values, shape: Shape) -> Track {
    let keys = Keys { terminate: true, times, values, shape };
    let track_type = TrackType::new(code).unwrap();
    Track { track_type, name: Name::new(name), body: Body::Keys(Box::new(keys)) }
}

fn seconds() -> Times {
    Times::Seconds(TIMES.to_vec())
}

fn eased() -> Vec<TcbSettings> {
    vec![TcbSettings { ease_to: 0.25, ease_from: 0.5, ..TcbSettings::default() }; TIMES.len()]
}

fn vectors(all: [[f32; 3]; 5]) -> Values {
    Values::Vectors(all.to_vec())
}

/// A track of cubics that jumps at its end, with derivatives there that play no part.
fn jumping(name: &str) -> Track {
    let times = Times::Seconds(vec![0.0, 1.0, 3.5, 4.0, 4.0]);
    let values = vectors([[0.0; 3], [0.2, 0.0, 0.1], [0.5, 0.1, 0.0], [0.5, 0.1, 0.0], [0.0, 0.5, 0.0]]);
    let ways = |side: f32| vectors([[0.1; 3], [0.2; 3], [0.0; 3], [0.0; 3], [side; 3]]);
    let der_dst = Values::Vectors(vec![[0.1; 3], [0.2; 3], [0.0; 3], [-0.5, 0.4, 0.0], [0.0; 3]]);
    let shape = Bezier { der_src: ways(0.3), der_dst: Some(der_dst), flat_out: vec![false; 5] };
    track(0x08, name, times, values, Shape::Bezier(shape))
}

/// A door whose parts have a law each that a new file does not get.
fn door() -> Opened {
    let quaternions = || Values::Quaternions(rotations());
    let places = || vectors([[0.0; 3], [0.2, 0.0, 0.1], [0.5, 0.1, 0.0], [0.4, 0.3, 0.2], [0.0, 0.5, 0.0]]);
    let ways = || vectors([[0.3, 0.0, 0.1]; 5]);
    let turns = (0..TIMES.len()).map(|at| match at {
        0 => Turn { angle: 0.0, axis: [0.0, 0.0, 1.0] },
        _ => Turn { angle: 2.5, axis: [0.0, 0.6, 0.8] },
    });
    let turned = (0..TIMES.len()).map(|at| {
        let (sine, cosine) = (1.25 * at as f64).sin_cos();
        [0.0, 0.6 * sine, 0.8 * sine, cosine].map(|x| x as f32)
    });
    let turned = || Values::Quaternions(turned.clone().collect());
    let tcb = |values: Values, der: [Values; 2], settings, turns| {
        let [der_src, der_dst] = der;
        (values, Shape::Tcb(Box::new(Tcb { settings, der_src, der_dst, turns })))
    };
    let (leaf, leaf_shape) = tcb(turned(), [turned(), turned()], eased(), turns.collect());
    let (hinge, hinge_shape) = tcb(places(), [ways(), ways()], eased(), Vec::new());
    let (knob, knob_shape) = tcb(places(), [ways(), ways()], vec![TcbSettings::default(); 5], Vec::new());
    let controls = Values::Quaternions(rotations().into_iter().rev().collect());
    let squad = Shape::Bezier(Bezier { der_src: controls, der_dst: None, flat_out: vec![false; 5] });
    let flat_out = vec![false, true, false, true, false];
    let cubics = Shape::Bezier(Bezier { der_src: ways(), der_dst: Some(ways()), flat_out });
    let codes = |time: f64| packed::time::encode(time, packed::Rounding::Nearest).unwrap();
    let coded = Times::Codes(TIMES.iter().map(|time| codes(f64::from(*time))).collect());
    let packed = rotations()
        .into_iter()
        .map(|rotation| packed::quat48::encode(rotation.map(f64::from), packed::Rounding::Nearest).unwrap());
    let tracks = vec![
        track(0x0C, "leaf.Rotation", seconds(), leaf, leaf_shape),
        track(0x0B, "hinge.Position", seconds(), hinge, hinge_shape),
        track(0x0B, "knob.Position", seconds(), knob, knob_shape),
        track(0x09, "lock.Rotation", seconds(), quaternions(), squad),
        track(0x19, "bolt.Rotation", coded, Values::Quaternions48(packed.collect()), Shape::Plain),
        track(0x05, "frame.Position", seconds(), places(), Shape::Plain),
        track(0x08, "latch.Position", seconds(), places(), cubics),
        jumping("hatch.Position"),
    ];
    let instants = vec![Instant { time: 1.0, id: 1 }, Instant { time: 2.0, id: 2 }];
    let animation = Animation { duration: 4.0, tracks, instants, ..Animation::default() };
    let document = Document::new(Resource::Animation(animation));
    let bytes = More::write(&document, &WriteOptions::default()).unwrap().main;
    opened("door.ubi".as_ref(), &bytes).unwrap()
}

fn tracks(file: &Opened) -> Vec<Track> {
    file.document.get::<Document>().unwrap().animation().unwrap().tracks.clone()
}

fn keys(track: &Track) -> &Keys {
    match &track.body {
        Body::Keys(keys) => keys,
        other => panic!("{other:?}"),
    }
}

fn clip(file: &Opened) -> Clip {
    let file = opened("again.ubi".as_ref(), &written(file)).unwrap();
    dopesheet::edit::scene(&file).unwrap().clips.remove(0)
}

/// The channels of a clip by the names of their tracks.
fn channel<'a>(clip: &'a Clip, name: &str) -> &'a Channel {
    let track = clip.tracks.iter().find(|track| track.target.name == name);
    &track.unwrap_or_else(|| panic!("{name}")).channels[0]
}

const NAMES: [&str; 8] = ["leaf", "hinge", "knob", "lock", "bolt", "frame", "latch", "hatch"];

/// Times in hundredths of a second, a little beside them, so that none is a key's.
fn times(start: u32, end: u32) -> impl Iterator<Item = f64> {
    (start..end).map(|at| f64::from(at) / 100.0 + 0.003)
}

/// Largest difference of the values of two channels: of quaternions whatever their sign.
fn apart(a: &Channel, b: &Channel, pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    let mut worst = 0.0f64;
    for (time, other) in pairs {
        channel_at(a, Seconds(time), Side::At, &mut of_a);
        channel_at(b, Seconds(other), Side::At, &mut of_b);
        let sign = if of_a.len() == 4 && of_a.iter().zip(&of_b).map(|(x, y)| x * y).sum::<f64>() < 0.0 {
            -1.0
        } else {
            1.0
        };
        let apart = of_a.iter().zip(&of_b).map(|(x, y)| (x - sign * y).abs()).fold(0.0, f64::max);
        worst = worst.max(apart);
    }
    worst
}

fn losses(file: &Opened) -> Vec<String> {
    file.report.losses.iter().map(ToString::to_string).collect()
}

#[test]
fn trim_cuts_tracks_of_every_law_at_both_ends() {
    let door = door();
    let (whole, part) = (clip(&door), clip(&edited(&door, &[trim("0.5:2.25")])));
    assert_eq!(part.duration, Seconds(1.75));
    for name in NAMES {
        let (old, new) = (channel(&whole, name), channel(&part, name));
        let (first, last) = new.composition.curves().next().unwrap().times.span().unwrap();
        assert!(first.0 >= 0.0 && last.0 <= 1.75 + 1e-6, "{name}: keys from {} to {}", first.0, last.0);
        // Times of packed keys are 9 ms apart.
        let allowed = if name == "bolt" { 5e-3 } else { 1.2e-4 };
        let found = apart(old, new, times(0, 175).map(|time| (time + 0.5, time)));
        assert!(found <= allowed, "{name}: {found}");
    }
}

#[test]
fn parts_of_a_file_of_every_law_put_together_last_as_long_as_it() {
    let door = door();
    let whole = clip(&door);
    let cuts = Split { at: vec![TimeValue::Seconds(2.0)], snap: false };
    let parts = dopesheet::edit::split(&whole, &cuts).unwrap();
    let [first, second] = [0, 1].map(|at: usize| edited(&door, &[Operation::Trim(parts[at])]));
    let others = vec![Arc::new(dopesheet::edit::scene(&second).unwrap())];
    let both = clip(&edited(&first, &[Operation::Concat(Concat { others, ..Concat::default() })]));
    assert!((both.duration.0 - 4.0).abs() < 1e-6, "{:?}", both.duration);
    for name in NAMES {
        let (old, new) = (channel(&whole, name), channel(&both, name));
        let allowed = if name == "bolt" { 1e-2 } else { 2.4e-4 };
        let found = apart(old, new, times(0, 400).map(|time| (time, time)));
        assert!(found <= allowed, "{name}: {found}");
    }
}

#[test]
fn a_shift_or_another_speed_keeps_keys_of_every_law_in_their_types() {
    let door = door();
    for (operation, new) in [(shift(TimeValue::Seconds(0.5)), (1.0, 0.5)), (speed(0.5), (2.0, 0.0))] {
        let made = edited(&door, &[operation]);
        let (before, after) = (tracks(&door), tracks(&made));
        assert_eq!(before.len(), after.len());
        for (old, new) in before.iter().zip(&after) {
            assert_eq!(old.track_type, new.track_type, "{:?}", losses(&made));
            assert_eq!(keys(old).len(), keys(new).len());
            assert_eq!(keys(old).values, keys(new).values);
        }
        let (whole, made) = (clip(&door), clip(&made));
        for name in NAMES {
            let times = times(0, 400);
            let found = apart(
                channel(&whole, name),
                channel(&made, name),
                times.map(|time| (time, time * new.0 + new.1)),
            );
            assert!(found < if name == "bolt" { 5e-3 } else { 1e-5 }, "{name}: {found}");
        }
    }
}

#[test]
fn tracks_of_every_law_play_backwards() {
    let door = door();
    let (whole, back) = (clip(&door), clip(&edited(&door, &[Operation::Reverse])));
    for name in NAMES {
        let allowed = if name == "bolt" { 5e-3 } else { 1.2e-4 };
        let pairs = times(0, 399).map(|time| (time, 4.0 - time));
        let found = apart(channel(&whole, name), channel(&back, name), pairs);
        assert!(found <= allowed, "{name}: {found}");
    }
}

#[test]
fn a_change_of_one_track_leaves_tracks_of_other_laws_to_the_byte() {
    let door = door();
    let on = Kept { names: vec!["frame".parse().unwrap()], ..Kept::default() };
    let range = RangeSpec::parse("1.5:1.5").unwrap();
    let change = KeyChange::Move { range, by: TimeValue::Seconds(0.25) };
    let moved = edited(&door, &[Operation::Keys(KeysOptions { on, change, snap: false })]);
    let changed = |made: &Opened| -> Vec<String> {
        let pairs = tracks(&door).into_iter().zip(tracks(made));
        pairs.filter(|(old, new)| old != new).map(|(old, _)| old.name.text().into_owned()).collect()
    };
    assert_eq!(changed(&moved), ["frame.Position"]);
    let renamed = edited(&door, &[rename(vec![("lock".into(), "hasp".into())])]);
    assert_eq!(changed(&renamed), ["lock.Rotation"]);
    let [old, new] = [&door, &renamed].map(|file| tracks(file).swap_remove(3));
    assert_eq!((old.track_type, old.body), (new.track_type, new.body));
}

#[test]
fn marks_are_said_to_be_lost_only_where_times_change() {
    let door = door();
    let says = |operation: Operation| {
        losses(&edited(&door, &[operation])).iter().any(|loss| loss.contains("(instants)"))
    };
    let kept = || Kept { names: vec!["frame".parse().unwrap()], ..Kept::default() };
    assert!(!says(rename(vec![("lock".into(), "hasp".into())])));
    assert!(!says(Operation::Drop(kept())));
    let change = KeyChange::Insert { at: TimeValue::Seconds(1.0) };
    assert!(!says(Operation::Keys(KeysOptions { on: kept(), change, snap: false })));
    assert!(says(shift(TimeValue::Seconds(0.5))));
}

#[test]
fn times_that_sixteen_bits_round_are_said() {
    let found = |operation| {
        let made = edited(&door(), &[operation]);
        let texts = made.report.findings.iter().map(|finding| finding.fault.to_string());
        texts.filter(|text| text.contains("bolt.Rotation")).collect::<Vec<_>>()
    };
    let said = found(shift(TimeValue::Seconds(0.5)));
    assert!(said.len() == 1 && said[0].contains("times that 16 bits hold"), "{said:?}");
    assert_eq!(found(rename(vec![("lock".into(), "hasp".into())])), Vec::<String>::new());
}

#[test]
fn a_deleted_range_leaves_what_is_before_it_whatever_the_law() {
    let door = door();
    let range = RangeSpec::parse("1:2").unwrap();
    let part = clip(&edited(&door, &[Operation::Delete(Delete { range, snap: false })]));
    let whole = clip(&door);
    assert!((part.duration.0 - 3.0).abs() < 1e-6);
    for name in NAMES {
        let allowed = if name == "bolt" { 1e-2 } else { 2.4e-4 };
        let early = times(0, 100).map(|time| (time, time));
        let late = times(2, 200).map(|time| (time + 2.0, time + 1.0));
        let found = apart(channel(&whole, name), channel(&part, name), early.chain(late));
        assert!(found <= allowed, "{name}: {found}");
    }
}

#[test]
fn a_key_cannot_be_put_into_a_curve_without_halves() {
    let on = Kept { names: vec!["leaf".parse().unwrap()], ..Kept::default() };
    let change = KeyChange::Insert { at: TimeValue::Seconds(1.0) };
    let insert = Operation::Keys(KeysOptions { on, change, snap: false });
    let error = dopesheet::edit(door(), &[insert], &ClipChoice::All).unwrap_err();
    assert!(
        error.to_string().contains("expected curves that can be divided, found one of \"leaf.Rotation\""),
        "{error}"
    );
}

#[test]
fn keys_that_come_to_late_times_state_what_rounding_their_times_costs() {
    let door = door();
    let late = edited(&door, &[shift(TimeValue::Seconds(1000.1))]);
    let again = opened("late.ubi".as_ref(), &written(&late)).unwrap();
    let [before, after] = [&door, &again].map(|file| dopesheet::edit::scene(file).unwrap());
    let pair = crate::edit::laws::Pair::new([&before, &after], 0, crate::edit::laws::Targets::All);
    let mut most = crate::edit::laws::Off::default();
    for step in 0..4000 {
        let time = f64::from(step) / 1000.0 + 0.0003;
        most.and(pair.off(time, time + 1000.1));
    }
    let told = crate::edit::laws::told(&late.report);
    assert!(told[0] > 1e-5, "{told:?}");
    crate::edit::laws::within(&most, told).unwrap();
}
