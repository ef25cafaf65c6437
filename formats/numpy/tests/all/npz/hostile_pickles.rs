//! Pickles of a megabyte that refer to one thing again and again: the work is that of the file.

use crate::npz::fixtures::{How, Zip};
use crate::npz::pickles::{dict, pickle, tensor, text, texts};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_numpy::Npz;
use std::time::{Duration, Instant};

/// Most time for one of them in an unoptimised build; without bounds each takes minutes.
const SOON: Duration = Duration::from_secs(10);

/// Codes of reading and checking, which take no longer than that.
fn codes_soon(bytes: &[u8]) -> Vec<&'static str> {
    let started = Instant::now();
    let codes = dopesheet_testkit::codes_of::<Npz>(bytes);
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    codes
}

/// Items of a dictionary with one name, all with the value in the first place of memory.
fn items(count: usize) -> Vec<u8> {
    [text("a"), b"h\x00".to_vec()].concat().repeat(count)
}

#[test]
fn a_long_tuple_as_the_state_of_many_objects_is_copied_for_none() {
    let long = [&b"(K\x03"[..], &text("<"), b"NNN", &b"N".repeat(190_000), b"tq\x000"].concat();
    let dtype = [&b"cnumpy\ndtype\n"[..], &text("f8"), b"\x89\x88\x87R"].concat();
    assert_eq!(codes_soon(&pickle(&[&long, &dtype, &b"h\x00b".repeat(100_000)])), ["npz-pickle"]);
}

#[test]
fn a_list_that_is_too_large_for_an_array_is_looked_at_a_few_times() {
    let list = [&text("a")[..], b"q\x010](", &b"h\x01".repeat(100_000), &text(&"x".repeat(200_000))].concat();
    let bytes = pickle(&[&list, b"eq\x000}(", &items(60_000), b"u"]);
    assert!(codes_soon(&bytes).contains(&"npz-no-motion"));
}

#[test]
fn long_bytes_are_no_name_however_often_they_stand_in_the_place_of_one() {
    let long = [&b"B"[..], &1_000_000u32.to_le_bytes(), &b"a".repeat(1_000_000), b"q\x000"].concat();
    for own in [long, [&text(&"a".repeat(1_000_000))[..], b"q\x000"].concat()] {
        let named = pickle(&[&own, b"}(", &b"h\x00K\x01".repeat(150_000), b"u"]);
        assert!(codes_soon(&named).contains(&"npz-no-motion"));
        let listed = pickle(&[&own, b"](", &b"h\x00".repeat(150_000), b"e"]);
        assert!(codes_soon(&listed).contains(&"npz-no-motion"));
    }
}

#[test]
fn many_tensors_beside_many_files_are_found_without_looking_at_all() {
    let tensors = |at: usize| {
        (format!("t{at}"), tensor("FloatStorage", &(64_000 + at % 1_000).to_string(), 1, &[1], &[1]))
    };
    let tensors: Vec<(String, Vec<u8>)> = (0..12_000).map(tensors).collect();
    let tensors: Vec<(&str, Vec<u8>)> =
        tensors.iter().map(|(name, own)| (name.as_str(), own.clone())).collect();
    let mut zip = Zip::default();
    zip.put_file("body/data.pkl", &pickle(&[&dict(&tensors)]), How::default());
    (0..65_000).for_each(|at| zip.put_file(&format!("body/data/{at}"), &[0; 4], How::default()));
    assert_eq!(codes_soon(&zip.finish()), ["npz-no-motion"]);
}

#[test]
fn an_array_of_a_pickle_that_cannot_be_taken_is_told() {
    let message = |bytes: &[u8]| {
        let mut report = Report::default();
        let document = Npz::read(&Source::new(bytes), &ReadOptions::default(), &mut report).unwrap();
        Npz::check(&document, &mut report);
        report.findings.iter().map(|finding| finding.to_string()).collect::<Vec<_>>().join("\n")
    };
    let told = message(&crate::npz::pickles::without_elements());
    assert!(
        told.contains("npz-pickled-array") && told.contains("smpl_loss: an array of '<f8' (7,)"),
        "{told}"
    );
    let mut zip = Zip::default();
    let own =
        dict(&[("poses", tensor("FloatStorage", "9", 132, &[2, 66], &[66, 1])), ("names", texts(&["a"]))]);
    zip.put_file("body/data.pkl", &pickle(&[&own]), How::default());
    let told = message(&zip.finish());
    assert!(told.contains("npz-pickled-array") && told.contains("poses: a tensor (2, 66)"), "{told}");
}
