//! The files of `src/more/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::more::bytes::{File, NO_TURN};
use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_more::More;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/more/fixtures")
}

/// A key of every law below 0x0D, with instants.
pub(crate) fn motion() -> Vec<u8> {
    let mut file = File::animation(5);
    file.track(0x00, b"Door.Visibility", 2).u16s(&[32767, 1, 32876, 0]);
    file.track(0x05, b"Door.Position", 2).f32s(&[0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 4.0]);
    file.track(0x08, b"Door.Scale", 2);
    file.f32s(&[0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5]).u8(0);
    file.f32s(&[2.0, 2.0, 2.0, 2.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0]).u8(1);
    file.track(0x09, b"Door.Rotation", 2);
    file.f32s(&[0.0]).f32s(&NO_TURN).f32s(&NO_TURN).u8(0);
    file.f32s(&[1.0, 0.0, 0.6, 0.0, 0.8, 0.0, 0.6, 0.0, 0.8]).u8(0);
    file.track(0x0A, b"Light.Glow", 2);
    file.f32s(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 2.0]);
    file.f32s(&[2.0, 3.0, 0.0, 0.0, 0.0, 0.25, 0.0, 2.0, 0.0]);
    file.u32(1).f32s(&[0.5]).u16s(&[7]).done()
}

/// The types that were never seen in files of the game.
pub(crate) fn rare() -> Vec<u8> {
    let mut file = File::animation(8);
    file.u32(0x0D).text(b"Root");
    file.track(0x02, b"Position", 1).f32s(&[0.0, 1.0, 2.0, 3.0]);
    file.track(0x0C, b"Rotation", 2);
    file.f32s(&[0.0, 0.0, 0.0, 0.0, 1.0])
        .f32s(&[0.0; 5])
        .f32s(&NO_TURN)
        .f32s(&NO_TURN)
        .f32s(&[0.0, 0.0, 1.0, 0.0]);
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    file.f32s(&[1.0, 0.0, quarter, 0.0, quarter]).f32s(&[0.0; 5]);
    file.f32s(&[0.0, quarter, 0.0, quarter]).f32s(&[0.0, quarter, 0.0, quarter]);
    file.f32s(&[std::f32::consts::FRAC_PI_2, 0.0, 1.0, 0.0]);
    file.u32(0x0E).text(b"Steps").u32(2).f32s(&[0.5]).u32(1).text(b"left").f32s(&[1.0]).u32(2).text(b"");
    file.u32(0x11).text(b"Wind").u8(1);
    file.track(0x14, b"Arm.Rotation", 1).f32s(&[0.0]).u32(0xE008_0200);
    file.track(0x1A, b"Leg.Rotation", 1).u16s(&[32767, 32767, 32767, 32767, 32767, 32767, 32767]).u8(0);
    file.track(0x1D, b"Head.Rotation", 1).u16s(&[32767, 33000, 32767, 32000]);
    file.track(0x1F, b"Neck.Rotation", 1);
    file.u16s(&[32767, 32767, 32768, 32769, 1, 2, 3, 65534, 0, 9]).u8(1);
    file.track(0x13, b"Foot.Rotation", 0);
    file.u32(0).done()
}

/// The first version, big-endian: long times, a name, no instants, events without text.
pub(crate) fn oldest() -> Vec<u8> {
    let mut file = File::with_magic(b"ubi/b0-b", Endian::Big, 0x0, "MORE::Animation");
    file.text(b"walk").f32s(&[2.0]).u32(4);
    file.track(0x00, b"Shown", 1).f32s(&[0.5]).u16s(&[3]);
    file.track(0x15, b"Arm", 1).f32s(&[0.0]).u32(0xE008_0200).f32s(&NO_TURN).f32s(&NO_TURN).u8(0);
    file.track(0x19, b"Leg", 1).u16s(&[32767, 32767, 32767, 32767]);
    file.u32(0x0E).text(b"Steps").u32(1).f32s(&[0.5]).u32(1);
    file.done()
}

fn clip_start(version: u32, kind: u32) -> File {
    let mut file = File::new(version, "MORE::Clip");
    file.u32(kind).u16s(&[3]).u8(1).f32s(&[1.25, 1.0, 0.25, 0.5]);
    file
}

fn embedded(file: &mut File, instants: u32) {
    file.u32(0).text(b"MORE::Animation").f32s(&[2.0]).u8(0).u32(1);
    file.track(0x05, b"Door.Position", 2).f32s(&[0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 4.0]).u32(instants);
    (0..instants).for_each(|_| {
        file.f32s(&[0.5]).u16s(&[1]);
    });
}

pub(crate) fn clip_path() -> Vec<u8> {
    clip_start(0x11, 0).u8(0).text(b"anims/door.ubi").done()
}

pub(crate) fn clip_warped() -> Vec<u8> {
    let mut file = clip_start(0x11, 0);
    file.u8(1).u32(2).f32s(&[0.0, 0.0, 1.0, 1.0]);
    embedded(&mut file, 0);
    file.done()
}

fn clip_layers(instants: [u32; 2]) -> Vec<u8> {
    let mut file = clip_start(0x11, 1);
    file.u8(0).u32(2);
    instants.into_iter().for_each(|count| embedded(&mut file, count));
    file.f32s(&[0.75, 0.25]).u8(0).u8(1).done()
}

fn bone(file: &mut File, name: &str, father: i16) {
    for ending in ["", ".Position", ".Rotation", ".Scale", ".ScaleOrientation"] {
        file.text(format!("{name}{ending}").as_bytes());
    }
    file.u8(1).u16s(&[father.cast_unsigned()]).f32s(&[0.0, 0.0, 1.0]).f32s(&NO_TURN);
    file.f32s(&[1.0, 1.0, 1.0]).f32s(&NO_TURN);
}

/// Two bones with the given fathers, an emitter of either sort, and a channel with the given bone.
pub(crate) fn actor(fathers: [i16; 2], channel_bone: u16) -> Vec<u8> {
    let mut file = File::new(0x7, "MOREActor::ActorModel");
    file.u32(2);
    bone(&mut file, "Hips", fathers[0]);
    bone(&mut file, "Chest", fathers[1]);
    file.u32(1).text(b"foot").text(b"").text(b"foot.Rotation").u16s(&[0]).f32s(&[0.0; 3]).f32s(&NO_TURN);
    file.f32s(&[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]).u32(1).text(b"Steps");
    file.u32(1).text(b"voice").text(b"voice.Position").u16s(&[1]).f32s(&[0.0, 0.1, 0.0]);
    file.f32s(&[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]).u32(0);
    file.u32(1).text(b"body").u32(1).u16s(&[0]).u32(2).u16s(&[0, channel_bone]).u8(1);
    file.u32(1).text(b"body_mesh").done()
}

fn actor_first() -> Vec<u8> {
    let mut file = File::new(0x2, "MOREActor::ActorModel");
    file.text(b"bones").text(b"bones.ubi").u32(0).u32(1).text(b"body").u32(2).u16s(&[0, 1]).done()
}

fn actor_newest() -> Vec<u8> {
    let mut file = File::new(0x11, "MOREActor::ActorModel");
    file.u32(0).u32(0).u32(0).u32(1).text(b"mood").u32(1).text(b"Mood");
    file.u32(1).text(b"body").u8(1).u8(0).u8(1).u32(0).u32(1).u16s(&[0]).u32(1).text(b"body_mesh").done()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("motion", motion()),
        ("rare", rare()),
        ("oldest", oldest()),
        ("empty", File::animation(0).u32(0).done()),
        ("clip-path", clip_path()),
        ("clip-warped", clip_warped()),
        ("clip-layers", clip_layers([1, 1])),
        ("actor", actor([-1, 0], 1)),
        ("actor-first", actor_first()),
        ("actor-newest", actor_newest()),
    ]
}

fn floats(keys: &[[f32; 2]]) -> Vec<u8> {
    File::one_track(|f| {
        f.track(0x04, b"T", keys.len() as u32).f32s(keys.as_flattened());
    })
}

/// One file per code that is an error, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let deep = File::one_track(|f| {
        (0..9).for_each(|_| {
            f.u32(0x0D).text(b"");
        });
    });
    let mut thor = File::new(0x11, "");
    let mut unsupported = clip_start(0x11, 0);
    unsupported.u8(0).u32(0).text(b"snd::SoundList");
    vec![
        (
            "bad-bool",
            File::one_track(|f| {
                f.u32(0x0F).text(b"T").u8(7);
            }),
        ),
        ("bad-magic", b"ubi/b0-x\x11\0\0\0".to_vec()),
        ("bone-cycle", actor([1, 0], 1)),
        (
            "count-exceeds-data",
            File::one_track(|f| {
                f.track(0x04, b"T", 9).f32s(&[0.0, 1.0]);
            }),
        ),
        ("index-out-of-range", actor([-1, 0], 9)),
        ("nesting-too-deep", deep),
        ("non-finite", floats(&[[0.0, f32::NAN], [1.0, f32::INFINITY]])),
        ("not-ubi-resource", thor.raw(b"thor").done()),
        (
            "string-exceeds-data",
            File::one_track(|f| {
                f.u32(0x04).u32(0xFFFF_FFF0);
            }),
        ),
        ("truncated", File::animation(0).done()),
        ("unknown-clip-type", File::new(0x11, "MORE::Clip").u32(2).done()),
        (
            "unknown-track-type",
            File::one_track(|f| {
                f.track(0x16, b"T", 0);
            }),
        ),
        ("unsupported-embedded", unsupported.done()),
        ("version-implausible", File::new(0x1100_0000, "MORE::Animation").done()),
    ]
}

fn quaternion(code: u32, write: impl FnOnce(&mut File)) -> Vec<u8> {
    File::one_track(|f| write(f.track(code, b"T", 1)))
}

fn tcb(keys: &[(f32, f32, [f32; 2])]) -> Vec<u8> {
    File::one_track(|f| {
        f.track(0x0A, b"T", keys.len() as u32);
        for (time, value, derivatives) in keys {
            f.f32s(&[*time, *value]).f32s(&[0.0; 5]).f32s(derivatives);
        }
    })
}

fn bezier(keys: &[[f32; 4]]) -> Vec<u8> {
    File::one_track(|f| {
        f.track(0x07, b"T", keys.len() as u32);
        keys.iter().for_each(|key| {
            f.f32s(key).u8(0);
        });
    })
}

/// Uneven keys on a parabola, with slopes per segment.
fn parabola() -> Vec<u8> {
    let times = [0.0_f32, 0.25, 0.75, 1.0, 1.5, 1.625];
    let key = |i: usize| {
        let (before, after) = (times[i] - times[i.saturating_sub(1)], times[(i + 1).min(5)] - times[i]);
        let slope = 2.0 * times[i];
        [times[i], times[i] * times[i], slope * before, slope * after]
    };
    bezier(&std::array::from_fn::<_, 6, _>(key))
}

/// Half a turn about x, whose angle and axis say a little about y.
fn wrong_turn() -> Vec<u8> {
    File::one_track(|f| {
        f.track(0x0C, b"T", 2);
        for (time, value) in [(0.0, NO_TURN), (1.0, [1.0, 0.0, 0.0, 0.0])] {
            f.f32s(&[time])
                .f32s(&value)
                .f32s(&[0.0; 5])
                .f32s(&value)
                .f32s(&value)
                .f32s(&[1.0, 0.0, 1.0, 0.0]);
        }
    })
}

/// One file per code that only checking reports and that is no error, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let displacement = File::one_track(|f| {
        f.u32(0x0D).text(b"Root").track(0x04, b"p", 0).track(0x04, b"r", 0);
    });
    let mut twins = File::animation(2);
    twins.track(0x04, b"T", 0).track(0x04, b"T", 0);
    let events = File::one_track(|f| {
        f.u32(0x0E).text(b"T").u32(2).f32s(&[1.0]).u32(0).text(b"").f32s(&[0.5]).u32(0).text(b"");
    });
    vec![
        ("clip-instants-mismatch", clip_layers([1, 2])),
        ("displacement-kind", displacement),
        ("duplicate-time", floats(&[[0.0, 1.0], [1.0, 2.0], [1.0, 3.0]])),
        ("duplicate-track-name", twins.u32(0).done()),
        ("events-unsorted", events),
        ("key-after-duration", floats(&[[0.0, 1.0], [2.5, 2.0]])),
        ("keys-unsorted", floats(&[[1.0, 1.0], [0.5, 2.0]])),
        ("negative-time", floats(&[[-1.0, 1.0], [0.5, 2.0]])),
        ("opaque-resource", File::new(0x4, "snd::SoundList").raw(b"\x02\0\0\0door.wav\0\x7f").done()),
        (
            "quat-not-unit",
            quaternion(0x03, |f| {
                f.f32s(&[0.0, 0.0, 0.0, 3.0, 4.0]);
            }),
        ),
        (
            "quat-u32-overflow",
            quaternion(0x13, |f| {
                f.f32s(&[0.0]).u32(0);
            }),
        ),
        (
            "rare-type",
            quaternion(0x18, |f| {
                f.u16s(&[32767; 4]);
            }),
        ),
        ("tangent-unit-hint", parabola()),
        ("tcb-angle-axis-mismatch", wrong_turn()),
        ("tcb-derivative-mismatch", tcb(&[(0.0, 0.0, [0.0, 5.0]), (1.0, 1.0, [1.0, 0.0])])),
        (
            "terminate-false",
            File::one_track(|f| {
                f.u32(0x04).text(b"T").u8(0).u32(0);
            }),
        ),
        ("trailing-data", File::animation(0).u32(0).raw(b"tail").done()),
        (
            "trailing-nul",
            File::one_track(|f| {
                f.track(0x04, b"T\0", 0);
            }),
        ),
        ("version-newer", File::new(0x12, "MORE::Animation").f32s(&[2.0]).u8(0).u32(0).u32(0).done()),
    ]
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// Fixtures that can be read.
pub(crate) fn readable() -> Vec<(&'static str, Vec<u8>)> {
    let reads = |bytes: &[u8]| {
        More::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default()).is_ok()
    };
    let all = all().into_iter().filter(|(.., bytes)| reads(bytes));
    all.map(|(_, name, bytes)| (name, bytes)).collect()
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "ubi", &all());
}

/// What the meaning of nearly every file rests on; [`check`](super::check) shows it.
const GUESSES: [&str; 4] = ["guessed-angles", "guessed-rotations", "guessed-rounding", "guessed-tangents"];

/// Codes that need more than reading and checking one file: a limit, a writer, another file, or a conversion.
const ELSEWHERE: [&str; 9] = [
    "delta-alone",
    "file-too-long",
    "form-mismatch",
    "linked-file",
    "name-case",
    "scale-orientation",
    "target-conflict",
    "time-moved",
    "unbound-track",
];

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    let elsewhere = [&ELSEWHERE[..], &GUESSES].concat();
    let beside = [&["rare-type"][..], &GUESSES].concat();
    dopesheet_testkit::assert_every_code_has_a_fixture::<More>(&all(), "", &elsewhere, &beside);
}
