//! Edits of arrays: rows that stay are the same bytes.

use crate::edit::formats::{edited, opened, trim, written};
use crate::refusals::Refusals;
use dopesheet::core::format::Format;
use dopesheet::edit::Draft;
use dopesheet::formats::numpy::Npz;
use dopesheet::formats::numpy::npz::{Array, Document, Dtype};
use dopesheet::{ConvertOptions, Opened, WriteOptions, convert, registry};
use dopesheet_testkit::{bytes, files, workspace};
use std::path::Path;

#[test]
fn a_trimmed_array_keeps_the_rows_of_its_frames() {
    let folder = workspace().join("formats/numpy/src/npz/fixtures/valid");
    let (mut count, mut refusals) = (0, Refusals::default());
    for path in files(&folder, &["npz", "npy"], 3) {
        let Some(file) = opened(&path, &bytes(&path)) else { continue };
        let Ok(scene) = dopesheet::edit::scene(&file) else { continue };
        let Some(frames) = scene.clips.first().and_then(|clip| Some(clip.frame_count(clip.grid?))) else {
            continue;
        };
        if frames < 3 {
            continue;
        }
        let operation = trim(&format!("1f:{}f", frames - 1));
        let Some(part) = refusals.edited(&path, file.clone(), &[operation]) else { continue };
        if part.report.findings.iter().any(|finding| finding.fault.code == "written-anew") {
            continue;
        }
        let arrays = |file: &Opened| -> Vec<_> {
            let document = file.document.get::<Document>().unwrap();
            document.arrays().map(|(name, array)| (name, array.clone())).collect()
        };
        for ((name, old), (_, new)) in arrays(&file).iter().zip(&arrays(&part)) {
            let is_list = old.shape.first() == Some(&frames);
            let row = old.data.len() / old.shape.first().copied().unwrap_or(1).max(1);
            let wanted = if is_list { &old.data[row..] } else { &old.data[..] };
            assert!(new.data == wanted, "{}: {name}", path.display());
        }
        count += 1;
    }
    assert!(count >= 1, "{count}");
}

#[test]
fn a_sample_of_mdm_that_is_trimmed_is_as_short_as_it_is_said_to_be() {
    let numbers = (0..66 * 4).map(|n| f64::from(n) / 100.0);
    let document = Document::of_arrays([("motion".to_owned(), Array::f64s(&[1, 22, 3, 4], numbers))]);
    let bytes = Npz::write(&document, &WriteOptions::default()).unwrap().main;
    let sample = opened(Path::new("sample.npz"), &bytes).unwrap();
    let part = opened(Path::new("part.npz"), &written(&edited(&sample, &[trim("1f:2f")]))).unwrap();
    let clip = |file: &Opened| dopesheet::edit::scene(file).unwrap().clips.swap_remove(0);
    let root = |file: &Opened, frame: usize| {
        let track = clip(file).tracks.swap_remove(0);
        let channel = track.channels.iter().find(|own| own.property.word() == "translation").unwrap();
        channel.composition.curves().next().unwrap().value(frame).unwrap().to_vec()
    };
    assert_eq!(clip(&part).duration.0, 0.05);
    assert_eq!((root(&part, 0), root(&part, 1)), (root(&sample, 1), root(&sample, 2)));
}

#[test]
fn an_archive_with_a_pickled_member_keeps_that_members_bytes_when_it_is_edited() {
    let pickle = b"\x80\x02cos\nsystem\n.";
    let numbers = (0..66 * 4).map(|n| f64::from(n) / 100.0);
    let document = Document::of_arrays([
        ("positions".to_owned(), Array::f64s(&[4, 22, 3], numbers)),
        ("layout".to_owned(), Array::texts(&[], &["humanml3d"])),
        ("notes".to_owned(), Array::new(Dtype::Object, Vec::new(), pickle.to_vec())),
    ]);
    let bytes = Npz::write(&document, &WriteOptions::default()).unwrap().main;
    let file = opened(Path::new("noted.npz"), &bytes).unwrap();
    let part = opened(Path::new("part.npz"), &written(&edited(&file, &[trim("1f:2f")]))).unwrap();
    let part = part.document.get::<Document>().unwrap();
    assert_eq!(part.array("notes").unwrap().data, pickle);
    assert_eq!(part.array("positions").unwrap().shape, [2, 22, 3]);
}

#[test]
fn a_file_that_is_a_pickle_is_converted_to_arrays_and_not_edited_or_named_pkl() {
    let path = workspace().join("formats/numpy/src/npz/fixtures/valid/pickle-aist.npz");
    let file = opened(Path::new("dance.pkl"), &bytes(&path)).unwrap();
    let told = "a pickle, which is only read";
    let error = Draft::new(file.clone().into()).unwrap_err().to_string();
    assert!(error.contains(told) && error.contains("-t npz"), "{error}");
    let error = file.format().write(&file.document, &WriteOptions::default()).unwrap_err().to_string();
    assert!(error.contains(told) && error.contains("-t npz"), "{error}");
    let options = ConvertOptions::to(registry::by_id("npz").unwrap());
    let made = convert(&[&file], &options).unwrap().output.main;
    let arrays = opened(Path::new("dance.npz"), &made).unwrap();
    assert_eq!(arrays.document.get::<Document>().unwrap().array("rotations").unwrap().shape, [2, 24, 4]);
    let named = ConvertOptions { file_name: Some("dance.pkl".to_owned()), ..options };
    let error = convert(&[&file], &named).unwrap_err().to_string();
    assert!(error.contains("pickles are read and never written"), "{error}");
}
