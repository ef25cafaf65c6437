//! Files that were cut, changed or made to do harm.

use crate::animation::fixtures::{all, hoisted, long, v4};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_playcanvas::animation::PlayCanvas;
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, read};

fn refusal(bytes: &[u8]) -> String {
    PlayCanvas::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default())
        .unwrap_err()
        .to_string()
}

#[test]
fn every_prefix_is_refused() {
    assert_every_prefix::<PlayCanvas>(&hoisted(), &[]);
    // The last byte is a line feed, without which the text is whole.
    assert_every_prefix::<PlayCanvas>(&long(), &[long().len() - 1]);
}

#[test]
fn every_changed_byte_is_refused_or_kept() {
    assert_every_flip::<PlayCanvas>(&hoisted());
    assert_every_flip::<PlayCanvas>(&long());
}

#[test]
fn bytes_behind_the_text_are_refused() {
    let mut bytes = hoisted();
    bytes.push(b'}');
    assert!(refusal(&bytes).ends_with("expected the end of the text, found `}`"));
}

#[test]
fn unknown_members_may_be_deep_but_not_without_end() {
    let nested = |depth: usize| {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"x":{value},"animation":{{"version":4,"nodes":[]}}}}"#).into_bytes()
    };
    assert!(read::<PlayCanvas>(&nested(127)).animation().nodes.is_empty());
    assert!(refusal(&nested(128)).contains("at most 128 nested arrays and objects"));
}

#[test]
fn a_file_longer_than_the_caller_allows_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = PlayCanvas::read(&Source::new(&hoisted()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "pc-json");
}

fn lenient(bytes: &[u8]) -> (<PlayCanvas as Format>::Document, Report) {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let mut report = Report::default();
    (PlayCanvas::read(&Source::new(bytes), &options, &mut report).unwrap(), report)
}

#[test]
fn a_lenient_reader_keeps_what_is_sound_and_lists_the_rest() {
    let nodes = concat!(
        r#"7,{"name":["x"],"defaults":{"p":[1],"s":[1,1,1]},"keys":["#,
        r#"{"t":0,"p":[1,2],"r":[0,0,0]},{"p":[0,0,0]},{"t":1,"p":[4,4,4],"r":"x"}]},"#,
        r#"{"name":"leg","keys":{}}"#
    );
    let (document, report) = lenient(&v4(nodes));
    let animation = document.animation();
    assert_eq!(animation.nodes.len(), 2);
    assert_eq!(animation.nodes[0].keys.len(), 2);
    assert_eq!(animation.nodes[0].keys[1].position, Some([4.0; 3]));
    assert_eq!(animation.nodes[0].defaults.scale, Some([1.0; 3]));
    let found: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn a_lenient_reader_keeps_what_stands_before_a_cut() {
    let bytes = hoisted();
    let cut = bytes.len() - 20;
    let (document, report) = lenient(&bytes[..cut]);
    assert_eq!(document.animation().nodes.len(), 2);
    assert_eq!(document.animation().nodes[0], read::<PlayCanvas>(&bytes).animation().nodes[0]);
    assert_eq!(report.findings[0].fault.code, "pc-json");
    let written = |document| PlayCanvas::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(written(document.clone()), &bytes[..cut]);
    let mut edited = document;
    edited.animation_mut().name = "mended".into();
    let mended = written(edited.clone());
    assert_eq!(read::<PlayCanvas>(&mended).animation(), edited.animation());
}

#[test]
fn a_lenient_reader_gives_up_on_a_file_of_nothing_but_faults() {
    let nodes = vec!["7"; 1000].join(",");
    let (_, report) = lenient(&v4(&nodes));
    assert_eq!(report.findings.len(), 101);
    assert!(report.findings[100].to_string().contains("fewer than 100 invalid values"));
}

#[test]
fn a_lenient_reader_survives_every_changed_byte() {
    for (_, bytes) in all() {
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            let options = ReadOptions { lenient: true, ..ReadOptions::default() };
            let mut report = Report::default();
            if let Ok(document) = PlayCanvas::read(&Source::new(&bytes), &options, &mut report) {
                let written = PlayCanvas::write(&document, &WriteOptions::default()).unwrap().main;
                assert_eq!(written, bytes);
                PlayCanvas::check(&document, &mut report);
                let _ = PlayCanvas::to_scene(&document, &ToScene::default(), &mut report);
            }
        }
    }
}

#[test]
fn nodes_of_one_key_do_not_reserve_what_the_first_needed() {
    let many = vec![r#"{"t":0}"#; 1000].join(",");
    let few = vec![r#"{"keys":[{"t":0}]}"#; 2000].join(",");
    let document = read::<PlayCanvas>(&v4(&format!(r#"{{"keys":[{many}]}},{few}"#)));
    let reserved: usize = document.animation().nodes[1..].iter().map(|node| node.keys.capacity()).sum();
    assert!(reserved <= 4 * 2000, "{reserved}");
}
