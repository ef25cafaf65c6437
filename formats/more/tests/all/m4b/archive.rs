//! Listing, finding and walking, without reading more than is asked for.

use crate::m4b::bytes::File;
use crate::m4b::fixtures::nested;
use dopesheet_core::diag::Report;
use dopesheet_core::format::container::{ContainerLimits, Storage};
use dopesheet_core::format::{Container, ContainerError, Containers};
use dopesheet_more::M4b;
use dopesheet_more::m4b::Document;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::Mutex;

/// A file on disk as far as an archive can tell: bytes are copied, and what was asked for is noted.
struct Disk {
    bytes: Vec<u8>,
    asked: Mutex<Vec<Range<u64>>>,
}

impl Disk {
    fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, asked: Mutex::default() }
    }
}

impl Storage for Disk {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        self.asked.lock().unwrap().push(range.clone());
        let slice = self.bytes.as_slice().bytes(range)?;
        Ok(Cow::Owned(slice.into_owned()))
    }
}

fn list(storage: &dyn Storage, limits: &ContainerLimits) -> Result<Vec<String>, ContainerError> {
    let listing = M4b.list(storage, limits, false, &mut Report::default())?;
    Ok(listing.entries.iter().map(|entry| listing.path(entry)).collect())
}

#[test]
fn listing_reads_the_index_and_nothing_else() {
    let big = vec![7; 1 << 20];
    let archive = Document::pack([("a/one.bin", big.as_slice()), ("two.bin", &big)]).unwrap();
    let disk = Disk::new(archive.to_bytes().unwrap());
    assert_eq!(list(&disk, &ContainerLimits::default()).unwrap(), ["a/one.bin", "two.bin"]);
    let asked = disk.asked.lock().unwrap();
    assert_eq!((asked.len(), asked[0].clone()), (1, 0..65_536), "one chunk holds the index");
}

/// An index of many chunks, whose fields lie across their borders.
#[test]
fn a_long_index_is_read_chunk_by_chunk() {
    let names: Vec<String> = (0..20_000).map(|n| format!("folder{}/file{n:05}.ubi", n % 200)).collect();
    let archive = Document::pack(names.iter().map(|name| (name.as_str(), name.as_bytes()))).unwrap();
    let disk = Disk::new(archive.to_bytes().unwrap());
    let found = list(&disk, &ContainerLimits::default()).unwrap();
    assert_eq!(found.len(), names.len());
    let asked = disk.asked.lock().unwrap().clone();
    assert!(asked.len() < 20 && asked.iter().all(|r| r.end - r.start <= 65_536), "{asked:?}");
    let containers = Containers::new(&[&M4b]);
    let place = containers.locate(&disk, "folder7/file00207.ubi").unwrap();
    assert_eq!(disk.bytes(place).unwrap().as_ref(), b"folder7/file00207.ubi");
    assert_eq!(list(&disk.bytes.as_slice(), &ContainerLimits::default()).unwrap(), found, "in memory, too");
}

#[test]
fn entries_are_told_apart_by_a_few_bytes_and_one_is_read_alone() {
    let big = vec![7; 1 << 20];
    let files = [("a/one.bin", big.as_slice()), ("two.bin", &big)];
    let inner = Document::pack(files).unwrap().to_bytes().unwrap();
    let archive = Document::pack([("w.m4b", inner.as_slice()), ("b.bin", &big)]).unwrap();
    let disk = Disk::new(archive.to_bytes().unwrap());
    let containers = Containers::new(&[&M4b]);
    let mut top = Vec::new();
    containers
        .walk_top(&disk, &mut |walked| {
            top.push((walked.path(), walked.is_archive));
            Ok(())
        })
        .unwrap();
    assert_eq!(top, [("w.m4b".to_owned(), true), ("b.bin".to_owned(), false)], "and not what w.m4b holds");
    let asked = std::mem::take(&mut *disk.asked.lock().unwrap());
    assert_eq!(asked.iter().map(|r| r.end - r.start).collect::<Vec<_>>(), [15, 65_536, 15, 15]);
    let place = containers.locate(&disk, "w.m4b/two.bin").unwrap();
    disk.asked.lock().unwrap().clear();
    assert_eq!(disk.bytes(place.clone()).unwrap().len(), big.len());
    assert_eq!(*disk.asked.lock().unwrap(), [place]);
}

#[test]
fn paths_lead_into_archives_inside_archives() {
    let archive = nested();
    let containers = Containers::new(&[&M4b]);
    let text = |path: &str| {
        let place = containers.locate(&archive.as_slice(), path)?;
        Ok::<_, ContainerError>(String::from_utf8_lossy(&archive.as_slice().bytes(place)?).into_owned())
    };
    assert_eq!(text("world/w1.m4b/anim/x.ubi").unwrap(), "inner");
    assert_eq!(text("/World/deep/Y.TXT").unwrap(), "deep");
    assert_eq!(text("zero.bin").unwrap(), "");
    for wrong in ["", "world", "deep/y.txt", "world/w1.m4b/anim/y.ubi", "zero.bin/x", "world/deep/y.txt/x"] {
        let error = text(wrong).unwrap_err().to_string();
        assert!(error.ends_with(&format!("found none of the name {wrong}")), "{error}");
    }
}

#[test]
fn exact_names_come_before_names_in_another_case() {
    let archive =
        Document::pack([("A.ubi", &b"upper"[..]), ("a.ubi", b"lower"), ("a.ubi", b"second")]).unwrap();
    let bytes = archive.to_bytes().unwrap();
    let find = |path: &str| {
        let place = Containers::new(&[&M4b]).locate(&bytes.as_slice(), path).unwrap();
        bytes.as_slice().bytes(place).unwrap().into_owned()
    };
    assert_eq!(
        (find("a.ubi"), find("A.ubi"), find("a.UBI")),
        (b"lower".to_vec(), b"upper".to_vec(), b"upper".to_vec())
    );
}

#[test]
fn a_limit_on_entries_is_obeyed() {
    let limits = ContainerLimits { max_entries: 4, ..ContainerLimits::default() };
    let error = list(&nested().as_slice(), &limits).unwrap_err();
    insta::assert_snapshot!(error, @"m4b: byte 0x5a (files): expected at most 4 files and folders (the limit), found more");
}

/// Archives that share their bytes: every level lists the next one many times.
#[test]
fn a_small_file_cannot_hold_endlessly_many_entries() {
    let mut archive = Document::pack([("x", &b"x"[..])]).unwrap().to_bytes().unwrap();
    for _ in 0..6 {
        let copies: Vec<String> = (0..40).map(|n| format!("{n}")).collect();
        let mut outer = Document::pack(copies.iter().map(|name| (name.as_str(), &b""[..]))).unwrap();
        let start = outer.index_size() as u32;
        for file in &mut outer.root.files {
            (file.position, file.size) = (start, archive.len() as u32);
        }
        outer.data = archive;
        archive = outer.to_bytes().unwrap();
    }
    assert!(archive.len() < 10_000);
    let (mut seen, mut refused) = (0, 0);
    Containers::new(&[&M4b])
        .walk(&archive.as_slice(), &mut |walked| {
            seen += 1;
            refused += usize::from(walked.refused.is_some_and(|refused| refused.code == "entry-overlap"));
            Ok(())
        })
        .unwrap();
    assert_eq!((seen, refused), (6 * 40 + 1, 6 * 39), "only the first of each level is looked into");
}

#[test]
fn a_limit_on_entries_holds_for_all_archives_together() {
    let pack = |name: &str| Document::pack([(name, &b"x"[..])]).unwrap().to_bytes().unwrap();
    let (a, b) = (pack("a"), pack("b"));
    let outer = Document::pack([("1.m4b", a.as_slice()), ("2.m4b", &b)]).unwrap().to_bytes().unwrap();
    let walk = |max_entries| {
        let limits = ContainerLimits { max_entries, ..ContainerLimits::default() };
        Containers { limits, ..Containers::new(&[&M4b]) }.walk(&outer.as_slice(), &mut |_| Ok(()))
    };
    assert!(walk(4).is_ok());
    insta::assert_snapshot!(walk(3).unwrap_err(), @"m4b: file: expected at most 3 entries (the limit in force), found more");
}

#[test]
fn long_names_of_folders_before_many_entries_take_no_more_memory_than_the_archive_deserves() {
    let folder = ["a long name of a folder"; 40].join("/");
    let names: Vec<String> = (0..2_000).map(|n| format!("{folder}/{n}")).collect();
    let archive =
        Document::pack(names.iter().map(|name| (name.as_str(), &b""[..]))).unwrap().to_bytes().unwrap();
    let limits = ContainerLimits { max_path_bytes: 1 << 20, ..ContainerLimits::default() };
    let strict = Containers { limits, ..Containers::new(&[&M4b]) };
    let error = strict.walk(&archive.as_slice(), &mut |_| Ok(())).unwrap_err().to_string();
    assert!(error.starts_with("m4b: file: expected at most paths of 1,1"), "{error}");
    assert!(Containers::new(&[&M4b]).walk(&archive.as_slice(), &mut |_| Ok(())).is_ok());
}

#[test]
fn names_that_are_taken_and_bytes_that_are_shared_are_refused_by_their_code() {
    let archive =
        Document::pack([("a/x", &b"1"[..]), ("A/X", b"2"), ("a/x", b"3"), ("b", b"4"), ("b.", b"5")])
            .unwrap();
    let bytes = archive.to_bytes().unwrap();
    let mut codes = Vec::new();
    Containers::new(&[&M4b])
        .walk(&bytes.as_slice(), &mut |walked| {
            codes.push((walked.path(), walked.refused.map_or("", |refused| refused.code)));
            Ok(())
        })
        .unwrap();
    let codes: Vec<(&str, &str)> = codes.iter().map(|(path, code)| (path.as_str(), *code)).collect();
    assert_eq!(
        codes,
        [
            ("a/x", ""),
            ("a/x", "duplicate-entry-name"),
            ("A/X", "name-case"),
            ("b", ""),
            ("b.", "unsafe-name")
        ]
    );
}

#[test]
fn an_archive_that_holds_itself_is_found_no_deeper_than_the_limit() {
    let mut file = File::root(1);
    let length = file.len() + 12 + 5;
    let bytes = file.file(b"self\0", length, 0).done();
    assert_eq!(bytes.len(), length as usize);
    let containers = Containers::new(&[&M4b]);
    assert!(containers.locate(&bytes.as_slice(), "self/self/self").is_ok());
    let error = containers.locate(&bytes.as_slice(), &["self"; 12].join("/"));
    assert!(error.is_err() || error.is_ok_and(|place| place == (0..u64::from(length))));
    let deep = containers.locate(&bytes.as_slice(), &[["self"; 12].join("/"), "other".into()].join("/"));
    insta::assert_snapshot!(deep.unwrap_err(), @"m4b: file: expected archives at most 8 levels inside each other, found one more (an archive may hold itself)");
}

#[test]
fn a_failing_disk_is_an_error_and_no_panic() {
    struct Broken;
    impl Storage for Broken {
        fn length(&self) -> u64 {
            100
        }
        fn bytes(&self, _: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    assert_eq!(list(&Broken, &ContainerLimits::default()).unwrap_err().to_string(), "the disk is gone");
    assert!(Containers::new(&[&M4b]).locate(&Broken, "x").is_err());
    struct Short;
    impl Storage for Short {
        fn length(&self) -> u64 {
            100
        }
        fn bytes(&self, _: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
            Ok(Cow::Borrowed(b"\x0b\0\0\0"))
        }
    }
    assert!(list(&Short, &ContainerLimits::default()).is_err());
}

#[test]
fn archives_with_too_many_folders_are_not_written() {
    let names: Vec<String> = (0..256).map(|n| format!("{n}/x")).collect();
    let error = Document::pack(names.iter().map(|name| (name.as_str(), &b""[..]))).unwrap_err();
    insta::assert_snapshot!(error, @"m4b: file: expected at most 255 folders in a folder, found 256");
}
