//! MRTK2 recordings and MORE animations beside `memcpy`: reading decodes, validates and sums every field.

use crate::measure::{Row, side_by_side};
use crate::sums;
use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_more::More;
use dopesheet_more::more::animation::{
    Animation, Bezier, Body, KeyLaw, Keys, Shape, Stored, Tcb, TcbSettings, Times, Track, TrackType, Turn,
    Values,
};
use dopesheet_more::more::{Document as MoreDocument, Resource};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::{Document as Recording, Keyframe, NumberKeys, Version};
use std::path::Path;

const WANTED: &str = "≥ 0.2, or 1000 MB/s";
const PEER: &str = "memcpy";

/// Reading a recording in both shapes of keys, and an animation with keys of all common types.
pub(crate) fn rows(recording: &Path) -> Vec<Row> {
    let simple = dopesheet_testkit::bytes(recording);
    let name = recording.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let full = written::<Mrtk2>(&in_full(&read::<Mrtk2>(&simple)));
    let sum = |bytes: &[u8]| sums::recording(&read::<Mrtk2>(bytes));
    let mut rows = vec![
        row("MRTK2 bytes → document", &name, &simple, sum),
        row("MRTK2 bytes → document", &format!("{name} with keys of version 1.0"), &full, sum),
    ];
    for (word, endian) in [("little", Endian::Little), ("big", Endian::Big)] {
        let document = MoreDocument { endian, ..MoreDocument::new(Resource::Animation(animation())) };
        let data = format!("200 tracks of seven types, {word}-endian");
        let bytes = written::<More>(&document);
        rows.push(row("MORE bytes → document", &data, &bytes, |bytes| sums::more(&read::<More>(bytes))));
    }
    rows
}

fn row(what: &str, data: &str, bytes: &[u8], read: impl Fn(&[u8]) -> f64) -> Row {
    let mut copy = vec![0; bytes.len()];
    let (ours_s, peer_s) = side_by_side(
        || read(bytes),
        || {
            copy.copy_from_slice(std::hint::black_box(bytes));
            copy.last().copied().map_or(0.0, f64::from)
        },
    );
    Row {
        what: what.into(),
        data: format!("{data} ({} kB)", bytes.len() / 1000),
        bytes: bytes.len(),
        ours_s,
        peer: Some((PEER.into(), peer_s)),
        wanted: WANTED.into(),
    }
}

fn read<F: Format>(bytes: &[u8]) -> F::Document {
    F::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default())
        .unwrap_or_else(|e| panic!("{e}"))
}

fn written<F: Format>(document: &F::Document) -> Vec<u8> {
    F::write(document, &WriteOptions::default()).unwrap_or_else(|e| panic!("{e}")).main
}

/// The same recording as version 1.0, whose keys have tangents and weights, and which has no gaze.
fn in_full(recording: &Recording) -> Recording {
    let mut full = Recording { version: Version::V1_0, gaze: None, ..recording.clone() };
    for curve in full.number_curves_mut() {
        curve.keys =
            NumberKeys::Full(curve.keys.iter().map(|key| Keyframe { weighted_mode: 0, ..key }).collect());
    }
    full
}

/// Two seconds at 240 keys per second, as often as it takes to be a large file.
fn animation() -> Animation {
    let forms = [
        (KeyLaw::Simple, Stored::U16),
        (KeyLaw::Linear, Stored::Vector3),
        (KeyLaw::Linear, Stored::Quaternion),
        (KeyLaw::Linear, Stored::Quaternion48),
        (KeyLaw::Bezier, Stored::Vector3),
        (KeyLaw::Bezier, Stored::Quaternion32),
        (KeyLaw::Tcb, Stored::Quaternion),
    ];
    let tracks =
        forms.iter().cycle().take(200).enumerate().filter_map(|(n, (law, stored))| track(n, *law, *stored));
    Animation { duration: 2.0, tracks: tracks.collect(), ..Animation::default() }
}

const KEYS: u16 = 480;

fn track(number: usize, law: KeyLaw, stored: Stored) -> Option<Track> {
    let track_type = TrackType::of(law, stored)?;
    let is_short = matches!(stored, Stored::U16 | Stored::Quaternion48);
    let times = match is_short {
        true => Times::Codes((0..KEYS).map(|key| 32767 + key).collect()),
        false => Times::Seconds((0..KEYS).map(|key| f32::from(key) / 240.0).collect()),
    };
    let values = || values(stored);
    let count = usize::from(KEYS);
    let shape = match law {
        KeyLaw::Bezier => Shape::Bezier(Bezier {
            der_src: values(),
            der_dst: (stored == Stored::Vector3).then(values),
            flat_out: vec![false; count],
        }),
        KeyLaw::Tcb => Shape::Tcb(Box::new(Tcb {
            settings: vec![TcbSettings::default(); count],
            der_src: values(),
            der_dst: values(),
            turns: vec![Turn::default(); count],
        })),
        _ => Shape::Plain,
    };
    let keys = Keys { terminate: true, times, values: values(), shape };
    Some(Track {
        track_type,
        name: format!("track {number}").as_str().into(),
        body: Body::Keys(Box::new(keys)),
    })
}

fn values(stored: Stored) -> Values {
    let keys = || (0..KEYS).map(|key| f32::from(key) / f32::from(KEYS));
    match stored {
        Stored::U16 => Values::Integers((0..KEYS).collect()),
        Stored::Vector3 => Values::Vectors(keys().map(|x| [x, 1.0, -x]).collect()),
        Stored::Quaternion32 => {
            Values::Quaternions32((0..KEYS).map(|key| 0xE008_0200 + u32::from(key)).collect())
        }
        Stored::Quaternion48 => Values::Quaternions48((0..KEYS).map(|key| [32767, key, 32767]).collect()),
        _ => Values::Quaternions(keys().map(|x| [x, 0.0, 0.0, (1.0 - x * x).sqrt()]).collect()),
    }
}
