//! Bytes built by hand and what they say, and what is written anew, judged by another reader of archives.

use crate::npz::fixtures::{PLAIN, clip, f8, named, npy, npy_with, npz, replaced};
use dopesheet_core::format::{Confidence, Format, Hint, WriteOptions};
use dopesheet_numpy::Npz;
use dopesheet_numpy::npz::{Array, Document, Dtype, Extra, File, Stream, Wide};
use dopesheet_testkit::read;
use std::io::{Cursor, Read};

fn written(document: &Document) -> Vec<u8> {
    Npz::write(document, &WriteOptions::default()).unwrap().main
}

#[test]
fn arrays_are_where_the_archive_has_them() {
    let document = read::<Npz>(&named("clip"));
    let File::Npz(archive) = &document.file else { panic!("an archive") };
    let names: Vec<String> = archive.members.iter().map(|member| member.key()).collect();
    assert_eq!(names, clip().iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let wide = Wide { length: true, stored: true, offset: false };
    assert_eq!(archive.members[0].local.header.extra, [Extra::Wide(wide)]);
    assert_eq!(document.array("fps").unwrap().numbers().unwrap(), [30.0]);
    assert_eq!(document.array("joint_names").unwrap().strings().unwrap(), ["hip", "leg"]);
    assert_eq!(document.array("rotations").unwrap().shape, [2, 2, 4]);
    assert_eq!(document.array("nothing"), None);
}

#[test]
fn an_array_is_written_as_numpy_writes_it() {
    let document = Document::of_array(Array::f64s(&[2, 3], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    let bytes = written(&document);
    assert_eq!(bytes, f8("(2, 3)", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    assert_eq!((&bytes[..8], bytes.len()), (&b"\x93NUMPY\x01\x00"[..], 128 + 48));
    let empty = Document::of_array(Array::f32s(&[], [1.5]));
    assert_eq!(written(&empty), npy("<f4", "()", &1.5f32.to_le_bytes()));
}

#[test]
fn a_new_archive_is_what_another_reader_finds_in_it() {
    let arrays = [("a", Array::f64s(&[2], [1.0, 2.0])), ("歩/b", Array::texts(&[1], &["ひじ"]))];
    let bytes = written(&Document::of_arrays(arrays.map(|(name, array)| (name.to_owned(), array))));
    let mut zip = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(zip.len(), 2);
    let mut found = Vec::new();
    zip.by_name("a.npy").unwrap().read_to_end(&mut found).unwrap();
    assert_eq!(found, f8("(2,)", &[1.0, 2.0]));
    assert!(zip.by_name("歩/b.npy").is_ok());
}

#[test]
fn a_compressed_array_that_was_changed_is_compressed_anew() {
    let mut document = read::<Npz>(&named("clip-deflated"));
    let File::Npz(archive) = &mut document.file else { panic!("an archive") };
    let member = archive.members.iter_mut().find(|member| member.key() == "fps").unwrap();
    assert!(matches!(member.stream, Stream::Deflated(_)));
    member.content = dopesheet_numpy::npz::Content::Array(Array::f64s(&[], [24.0]));
    let again = read::<Npz>(&written(&document));
    assert_eq!(again.array("fps").unwrap().numbers().unwrap(), [24.0]);
    assert_eq!(again.array("rotations"), document.array("rotations"));
}

#[test]
fn an_edit_changes_what_was_edited_and_nothing_else() {
    let before = read::<Npz>(&named("clip"));
    let mut document = before.clone();
    let File::Npz(archive) = &mut document.file else { panic!("an archive") };
    archive.end.comment = b"by hand".to_vec();
    archive.members[1].listed.external = 7;
    assert_eq!(read::<Npz>(&written(&document)), document);
    assert_ne!(document, before);
}

#[test]
fn headers_that_numpy_would_spell_otherwise_are_kept() {
    for header in [
        "{'shape':(2,),'fortran_order':False,'descr':\"<f8\"}\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2L,), } ",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
    ] {
        let bytes = npy_with(header, &[0; 16]);
        let mut document = read::<Npz>(&bytes);
        assert_eq!(written(&document), bytes, "{header}");
        let File::Npy(array) = &mut document.file else { panic!("an array") };
        assert!(array.header.spelling.is_some());
        array.shape = vec![1, 2];
        assert_eq!(read::<Npz>(&written(&document)).array("").unwrap().shape, [1, 2]);
    }
}

#[test]
fn several_arrays_are_no_npy() {
    let document = read::<Npz>(&named("clip"));
    let options = WriteOptions { file_name: Some("a.NPY".into()) };
    let error = Npz::write(&document, &options).unwrap_err();
    assert_eq!(error.fault.code, "npz-bare");
    assert!(error.to_string().contains("found an archive of 8 arrays; name the file .npz"), "{error}");
}

#[test]
fn an_array_with_too_few_bytes_is_not_written() {
    let document = Document::of_array(Array::new(Dtype::F64, vec![2], vec![0; 8]));
    let error = Npz::write(&document, &WriteOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "npz: file: expected 16 bytes for the shape (2,), found 8");
}

#[test]
fn files_are_known_by_their_first_bytes() {
    let probe = |bytes: &[u8], name: &str| Npz::probe(bytes, &Hint::from_file_name(name));
    assert_eq!(probe(&named("clip"), "x"), Confidence::Certain);
    assert_eq!(probe(&f8("()", &[0.0]), "x"), Confidence::Certain);
    let other = replaced(&named("clip-narrow"), b"fps.npy", b"fps.txt");
    assert_eq!(probe(&other, "x.zip"), Confidence::No);
    assert_eq!(probe(&other, "x.npz"), Confidence::Plausible);
    assert_eq!(probe(&npz(&[], PLAIN), "x.npz"), Confidence::Plausible);
    assert_eq!(probe(b"{}", "x.npz"), Confidence::ByName);
    assert_eq!(probe(b"{}", "x.json"), Confidence::No);
}
