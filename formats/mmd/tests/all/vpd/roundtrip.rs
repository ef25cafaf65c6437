//! Texts are written back as they were read, and damaged ones never do worse than fail.

use crate::vpd::fixtures::{all, pose, with_morph};
use dopesheet_mmd::Vpd;
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity};

#[test]
fn every_fixture_is_written_back_byte_for_byte() {
    let mut seen = 0;
    for (kind, name, bytes) in all() {
        // A number that is not finite does not keep a file from being read.
        if kind != "invalid" || name == "nonfinite" {
            assert_identity::<Vpd>(&bytes, name);
            seen += 1;
        }
    }
    assert_eq!(seen, 17);
}

/// Where bytes of a text stand.
fn find(text: &[u8], part: &[u8]) -> Vec<usize> {
    (0..text.len()).filter(|at| text[*at..].starts_with(part)).collect()
}

#[test]
fn a_text_may_end_between_bones_and_nowhere_else() {
    let text = pose();
    let header = find(&text, b"2;")[0] + 2;
    let (first, second) = (find(&text, b"Bone")[0], find(&text, b"Bone")[1]);
    let ends: Vec<usize> = find(&text, b"}").into_iter().map(|at| at + 1).collect();
    let legal: Vec<usize> = (header..=first).chain(ends[0]..=second).chain(ends[1]..text.len()).collect();
    // Half a comment is still the start of one, but half of its mark is not.
    let marks: Vec<usize> = find(&text[..first], b"//").into_iter().map(|at| at + 1).collect();
    let legal: Vec<usize> = legal.into_iter().filter(|length| !marks.contains(length)).collect();
    assert_every_prefix::<Vpd>(&text, &legal);
}

#[test]
fn behind_the_announced_bones_the_start_of_a_word_is_other_text() {
    let text = with_morph();
    let header = find(&text, b"1;")[0] + 2;
    let (bone, morph) = (find(&text, b"Bone")[0], find(&text, b"Morph")[0]);
    let ends: Vec<usize> = find(&text, b"}").into_iter().map(|at| at + 1).collect();
    let marks: Vec<usize> = find(&text[..bone], b"//").into_iter().map(|at| at + 1).collect();
    let legal = (header..=bone).filter(|length| !marks.contains(length));
    let legal: Vec<usize> = legal.chain(ends[0]..morph + "Morph".len()).chain(ends[1]..text.len()).collect();
    assert_every_prefix::<Vpd>(&text, &legal);
}

#[test]
fn any_byte_may_be_changed() {
    assert_every_flip::<Vpd>(&pose());
    assert_every_flip::<Vpd>(&with_morph());
}
