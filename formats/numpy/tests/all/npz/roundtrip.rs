//! Files that are read are written back, and damaged files never do worse than fail.

use crate::npz::fixtures::{How, PLAIN, all, clip, f8, named, npz};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_numpy::Npz;
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity};

#[test]
fn every_fixture_is_written_back_byte_for_byte() {
    let (mut seen, mut read_only) = (0, Vec::new());
    for (kind, name, bytes) in all() {
        match Npz::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()) {
            Ok(document) if Npz::read_only(&document).is_some() => read_only.push(name),
            Ok(_) => {
                assert_identity::<Npz>(&bytes, name);
                seen += 1;
            }
            Err(error) => assert_eq!(kind, "invalid", "{name}: {error}"),
        }
    }
    assert_eq!(read_only, ["mdm", "pickle-aist", "torch", "hierarchy-unknown-gmr", "pickled-array"]);
    assert_eq!(seen, 10 + 20 + 10);
}

/// An archive with little in it.
fn tiny(how: How) -> Vec<u8> {
    npz(&[("fps", f8("()", &[30.0])), ("a", f8("(1,)", &[1.0]))], how)
}

#[test]
fn no_part_of_an_archive_is_an_archive() {
    assert_every_prefix::<Npz>(&tiny(PLAIN), &[]);
    assert_every_prefix::<Npz>(&named("clip-deflated"), &[]);
    assert_every_prefix::<Npz>(&f8("(2, 2)", &[0.0; 4]), &[]);
}

#[test]
fn any_byte_may_be_changed() {
    let (deflated, followed) = (How { deflated: true, ..PLAIN }, How { followed: true, ..How::default() });
    for how in [PLAIN, How::default(), deflated, followed, How { wide: true, ..followed }] {
        assert_every_flip::<Npz>(&tiny(how));
    }
    assert_every_flip::<Npz>(&f8("(2, 2)", &[0.0; 4]));
    assert_every_flip::<Npz>(&npz(&[("layout", crate::npz::fixtures::text("clip"))], PLAIN));
}

#[test]
fn comments_and_64_bit_ends_are_kept() {
    let bytes = tiny(PLAIN);
    let end = bytes.len() - 22;
    let mut commented = bytes.clone();
    commented[end + 20] = 5;
    commented.extend(b"hello");
    assert_identity::<Npz>(&commented, "comment");
    let start = u32::from_le_bytes(bytes[end + 16..end + 20].try_into().unwrap());
    let length = end as u64 - u64::from(start);
    let mut wide = bytes[..end].to_vec();
    wide.extend(b"PK\x06\x06");
    wide.extend((44u64 + 3).to_le_bytes());
    wide.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    [2, 2, length, u64::from(start)].iter().for_each(|x| wide.extend(x.to_le_bytes()));
    wide.extend(b"abc");
    wide.extend(b"PK\x06\x07\0\0\0\0");
    wide.extend((end as u64).to_le_bytes());
    wide.extend(1u32.to_le_bytes());
    let mut all_ones = wide.clone();
    wide.extend(&bytes[end..]);
    assert_identity::<Npz>(&wide, "64-bit end");
    all_ones.extend(b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
    assert_identity::<Npz>(&all_ones, "64-bit end that alone says where the directory is");
    assert_every_flip::<Npz>(&all_ones);
}

#[test]
fn what_inflates_to_more_than_the_limit_is_refused_before_it_is_inflated() {
    let bytes = npz(&[("a", f8("(40000,)", &vec![0.0; 40_000]))], How { deflated: true, ..PLAIN });
    assert!(bytes.len() < 2000, "{}", bytes.len());
    let limits = Limits { max_unpacked_bytes: 1 << 15, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Npz::read(&Source::new(&bytes), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "npz-inflated");
    assert_identity::<Npz>(&bytes, "within the usual limit");
}

#[test]
fn a_bomb_of_zeros_is_refused_by_the_usual_limit() {
    let bytes = npz(&[("a", f8("(2000000,)", &vec![0.0; 2_000_000]))], How { deflated: true, ..PLAIN });
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let error = Npz::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "npz-inflated");
    let limits = Limits { max_unpacked_bytes: 16_000_128, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    assert!(Npz::read(&Source::new(&bytes), &options, &mut Report::default()).is_ok());
}

#[test]
fn a_file_beyond_the_callers_limit_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let bytes = npz(&clip(), PLAIN);
    let error = Npz::read(&Source::new(&bytes), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "npz-file-too-long");
}
