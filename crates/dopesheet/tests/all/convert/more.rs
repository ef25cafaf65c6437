//! Types of MORE tracks that are written on request keep what conversion promises.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "mmd", feature = "more", feature = "playcanvas"))]

use crate::convert::stated_losses::{apart, chain, codes, measured, opened};
use crate::convert::vmd::{made, options};
use dopesheet::core::diag::Loss;
use dopesheet::{ConvertOptions, Error, Opened, ReadOptions, Tolerance, convert, info, open};
use dopesheet_testkit::workspace;

fn asked(variant: &str, length_m: f64) -> ConvertOptions<'static> {
    let tolerance = Some(Tolerance { length_m, ..Tolerance::default() });
    ConvertOptions { variant: Some(variant.into()), tolerance, ..options("more") }
}

/// Distance in metres of a MORE file on the skeleton of its source from that source.
fn off(source: &Opened, more: &Opened) -> f64 {
    let (model, _) = made(source, &options("glb"));
    let (on_model, _) = made(more, &ConvertOptions { model: Some(&model), ..options("glb") });
    apart(&model, &on_model)
}

#[test]
fn joints_that_compressed_rotations_would_take_over_the_tolerance_stay_floats() {
    let source = opened(chain(4));
    for word in ["quat=3u16", "quat=u32"] {
        let (mut sizes, mut compressed) = (Vec::new(), Vec::new());
        for length_m in [1e-4, 5e-3, 1.0] {
            let (more, conversion) = made(&source, &asked(word, length_m));
            assert!(
                !codes(&conversion).contains(&"tolerance-exceeded"),
                "{word}: {:?}",
                conversion.report.report
            );
            let off = off(&source, &more);
            let said = measured(&conversion).unwrap_or(0.0);
            assert!(off <= length_m && off <= said * 1.01 + 1e-6, "{word} at {length_m}: {off}, said {said}");
            let kept: Vec<String> = conversion.report.report.losses.iter().map(Loss::to_string).collect();
            let finer = kept.iter().any(|line| line.contains("in 32 bits per component, because"));
            assert_eq!(finer, length_m < 1.0, "{word} at {length_m}: {kept:?}");
            let packed = kept.iter().find_map(|line| {
                line.strip_prefix("kept: rotations of ")?
                    .strip_suffix(" in floats")?
                    .split(' ')
                    .next()?
                    .parse::<usize>()
                    .ok()
            });
            compressed.push(packed.unwrap_or_else(|| panic!("{kept:?}")));
            sizes.push(conversion.output.main.len());
        }
        assert!(compressed.is_sorted() && compressed[2] == 4, "{word}: {compressed:?}");
        assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes[2] * 2 < sizes[0], "{word}: {sizes:?}");
    }
}

#[test]
fn joints_whose_curves_get_keys_of_their_own_stay_floats_over_the_tolerance_too() {
    let dance = open(&workspace().join("samples/bow.vmd"), None, &ReadOptions::default()).unwrap();
    for word in ["quat=3u16", "quat=u32"] {
        let (_, conversion) = made(&dance, &ConvertOptions { variant: Some(word.into()), ..options("more") });
        let report = &conversion.report.report;
        assert!(!codes(&conversion).contains(&"tolerance-exceeded"), "{word}: {report:?}");
        let said = measured(&conversion).unwrap();
        assert!(said <= Tolerance::DEFAULT.length_m, "{word}: {said}");
        let finer = |loss: &Loss| loss.to_string().contains("in 32 bits per component, because");
        assert!(report.losses.iter().any(finer), "{word}: {report:?}");
    }
}

#[test]
fn a_file_that_stays_more_gets_compressed_rotations_too() {
    let source = opened(chain(2));
    let (plain, _) = made(&source, &options("more"));
    let (packed, conversion) = made(&plain, &asked("quat=u32", 10.0));
    assert!(
        conversion.output.main.len() * 2
            < convert(std::slice::from_ref(&plain), &options("more")).unwrap().output.main.len()
    );
    assert!(off(&source, &packed) > 0.0);
}

#[test]
fn a_model_becomes_an_actor_and_comes_back() {
    let source = opened(chain(3));
    let (actor, conversion) =
        made(&source, &ConvertOptions { variant: Some("actor".into()), ..options("more") });
    let dropped: Vec<String> = conversion.report.report.losses.iter().map(Loss::to_string).collect();
    assert!(
        dropped.iter().any(|line| line.starts_with("dropped: ") && line.contains("joint")),
        "{dropped:?}"
    );
    assert!(dropped.contains(&"kept: 3 bones".to_owned()), "{dropped:?}");
    let (motion, _) = made(&source, &options("more"));
    let (played, _) = made(&motion, &ConvertOptions { model: Some(&actor), ..options("glb") });
    assert!(apart(&source, &played) < 1e-6, "the motion finds the bones of the actor");
    assert_eq!(info(&actor).unwrap().summary.version.as_deref(), Some("0x07"));
}

#[test]
fn a_wrong_word_behind_the_variant_is_answered_with_all_words() {
    let source = opened(chain(1));
    let wrong = ConvertOptions { variant: Some("0x11,quat=half".into()), ..options("more") };
    let error = convert(std::slice::from_ref(&source), &wrong).unwrap_err();
    assert!(matches!(error, Error::Usage(_)));
    let text = error.to_string();
    let all = [
        "after more@: ",
        "0x0e",
        "quat=3u16",
        "keys=tcb",
        "actor",
        "found \"quat=half\" in \"0x11,quat=half\"",
    ];
    assert!(all.iter().all(|part| text.contains(part)), "{text}");
}
