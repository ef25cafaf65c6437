//! Changes that stay within the format.

use crate::more::bytes::File;
use crate::more::fixtures::{actor, all, motion, rare};
use dopesheet_core::bytes::Endian;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Edit, Format, WriteOptions};
use dopesheet_more::More;
use dopesheet_more::more::animation::{Body, Shape, Times, Values};
use dopesheet_more::more::{Document, Resource};
use dopesheet_testkit::{bytes, corpus, read};

fn become_variant(document: &mut Document, variant: &str) -> Result<Report, String> {
    let mut report = Report::default();
    let edit = Edit { variant: Some(variant.into()), ..Edit::default() };
    More::edit(document, &edit, &mut report).map_err(|e| e.to_string())?;
    Ok(report)
}

/// Written by the rules of its version, and read again as it is.
fn assert_writable(document: &Document, what: &str) {
    let written =
        More::write(document, &WriteOptions::default()).unwrap_or_else(|e| panic!("{what}: {e}")).main;
    assert_eq!(read::<More>(&written), *document, "{what}");
}

#[test]
fn every_sound_file_becomes_every_variant_or_says_why_not() {
    let Some(folder) = corpus("more") else { return };
    let (mut done, mut refused) = (0, 0);
    for name in [
        "all_v01",
        "all_v08",
        "all_v0e_be",
        "all_v10",
        "all_v11",
        "clip_sync_v0a",
        "actor_v07",
        "actor_v11_nobones",
    ] {
        let document = read::<More>(&bytes(&folder.join(format!("{name}.ubi"))));
        let versions = More::INFO.variants.iter().map(|variant| variant.name.to_owned());
        for variant in versions.flat_map(|version| [version.clone(), format!("{version},be")]) {
            let mut changed = document.clone();
            match become_variant(&mut changed, &variant) {
                Ok(_) => {
                    assert_writable(&changed, &format!("{name} as {variant}"));
                    done += 1;
                }
                Err(why) => {
                    assert!(why.contains("undocumented"), "{name} as {variant}: {why}");
                    refused += 1;
                }
            }
        }
    }
    assert_eq!((done, refused), (8 * 36 - refused, refused));
    assert!(refused < 40, "{refused}");
}

#[test]
fn a_variant_that_it_is_already_changes_nothing() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, ..)| *kind == "valid") {
        let document = read::<More>(&bytes);
        let variant = More::summary(&document).variant.unwrap();
        let mut same = document.clone();
        let report = become_variant(&mut same, &variant).unwrap();
        assert_eq!((same, report), (document, Report::default()), "{name}");
    }
}

#[test]
fn the_other_byte_order_and_back_is_the_same_file() {
    let mut document = read::<More>(&rare());
    become_variant(&mut document, "0x11,be").unwrap();
    assert_eq!(document.endian, Endian::Big);
    assert_writable(&document, "big-endian");
    become_variant(&mut document, "0x11").unwrap();
    assert_eq!(More::write(&document, &WriteOptions::default()).unwrap().main, rare());
}

#[test]
fn an_old_version_loses_what_it_has_no_place_for_and_says_so() {
    let mut document = read::<More>(&motion());
    let Resource::Animation(animation) = &mut document.resource else { panic!("an animation") };
    animation.tracks.extend(read::<More>(&rare()).animation().unwrap().tracks.clone());
    let report = become_variant(&mut document, "0x01").unwrap();
    insta::assert_debug_snapshot!(report, @r#"
    Report {
        findings: [],
        losses: [
            Dropped {
                what: "1 instant",
                why: "version 0x01 has no place for it",
            },
            Dropped {
                what: "the texts of 1 event",
                why: "version 0x01 has no place for it",
            },
        ],
        slides: [],
        verdicts: [],
    }
    "#);
    let animation = document.animation().unwrap();
    let Body::Keys(shown) = &animation.tracks[0].body else { panic!("keys") };
    assert!(matches!(&shown.times, Times::Seconds(times) if times[0] == 0.0));
    let Body::Keys(door) = &animation.tracks[3].body else { panic!("keys") };
    let Shape::Bezier(bezier) = &door.shape else { panic!("Bezier") };
    assert_eq!(bezier.der_dst.as_ref(), Some(&bezier.der_src), "written equal to the source derivative");
    let Body::Keys(leg) = &animation.tracks[9].body else { panic!("keys") };
    let Shape::Bezier(bezier) = &leg.shape else { panic!("Bezier") };
    assert!(matches!(bezier.der_src, Values::Quaternions(_)), "full values below 0x11");
    assert_writable(&document, "0x01");
    let back = become_variant(&mut document, "0x11").unwrap();
    insta::assert_debug_snapshot!(back, @r#"
    Report {
        findings: [],
        losses: [
            Dropped {
                what: "3 destination derivatives of rotations",
                why: "the game ignores them, and the version cannot hold them",
            },
        ],
        slides: [],
        verdicts: [],
    }
    "#);
}

#[test]
fn offsets_cannot_be_written_where_nothing_says_that_they_are() {
    let mut file = File::new(0x11, "MORE::Animation");
    let mut document = read::<More>(&file.f32s(&[2.0]).u8(1).u32(0).u32(0).done());
    insta::assert_snapshot!(become_variant(&mut document, "0x0b").unwrap_err(), @"more: version 0x0b cannot mark an animation as offsets");
    assert!(become_variant(&mut document, "0x0c").is_ok());
}

#[test]
fn times_that_16_bits_cannot_hold_are_moved_or_refused() {
    let shown = |times: &[f32]| {
        let mut file = File::new(0xF, "MORE::Animation");
        file.f32s(&[400.0]).u8(0).u32(1).track(0x00, b"T", times.len() as u32);
        times.iter().for_each(|time| {
            file.f32s(&[*time]).u16s(&[1]);
        });
        read::<More>(&file.u32(0).done())
    };
    let report = become_variant(&mut shown(&[0.0, 0.001, 1.0]), "0x10").unwrap();
    insta::assert_snapshot!(report.findings[0], @"warning time-moved: file: expected times that 16 bits hold, found 2 keys moved by up to 2.04 ms, and 1 fell on the time of the previous key");
    insta::assert_snapshot!(become_variant(&mut shown(&[301.0]), "0x10").unwrap_err(), @"more: file: expected a time of -300 to 300, found 301");
}

#[test]
fn bones_have_no_documented_form_since_version_8() {
    let mut document = read::<More>(&actor([-1, 0], 1));
    insta::assert_snapshot!(become_variant(&mut document, "0x08").unwrap_err(), @"more: the form of bones and emitters in version 0x08 is undocumented");
    become_variant(&mut document, "0x06").unwrap();
    assert_writable(&document, "0x06");
}

#[test]
fn sorting_keeps_keys_together() {
    let bytes = File::one_track(|f| {
        f.track(0x07, b"T", 3);
        for key in [[1.0, 10.0, 11.0, 12.0], [0.5, 5.0, 6.0, 7.0], [1.0, 20.0, 21.0, 22.0]] {
            f.f32s(&key).u8(u8::from(key[0] == 0.5));
        }
    });
    let mut document = read::<More>(&bytes);
    let edit = Edit { sort: true, ..Edit::default() };
    More::edit(&mut document, &edit, &mut Report::default()).unwrap();
    let Body::Keys(keys) = &document.animation().unwrap().tracks[0].body else { panic!("keys") };
    assert_eq!(keys.times, Times::Seconds(vec![0.5, 1.0, 1.0]));
    assert_eq!(keys.values, Values::Floats(vec![5.0, 10.0, 20.0]));
    let Shape::Bezier(bezier) = &keys.shape else { panic!("Bezier") };
    assert_eq!(bezier.der_src, Values::Floats(vec![6.0, 11.0, 21.0]));
    assert_eq!(bezier.flat_out, [true, false, false]);
}
