//! Changes that stay within the format.

use crate::animation::fixtures::{documented, hands, head_and_gaze, version_1_0};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Edit, Format, ToScene, WriteOptions};
use dopesheet_core::model::{Clip, Property};
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Side, channel_at};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_mrtk2::animation::Document;
use dopesheet_testkit::read;

fn edited(bytes: &[u8], variant: &str) -> (Document, Report) {
    let (mut document, mut report) = (read::<Mrtk2>(bytes), Report::default());
    let edit = Edit { variant: Some(variant.into()), ..Edit::default() };
    Mrtk2::edit(&mut document, &edit, &mut report).unwrap();
    // What an edit makes can be written and read.
    let written = Mrtk2::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<Mrtk2>(&written), document);
    assert_eq!(Mrtk2::summary(&document).variant.as_deref(), Some(variant));
    (document, report)
}

fn clip(document: &Document) -> Clip {
    let scene = Mrtk2::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap();
    scene.clips.into_iter().next().unwrap()
}

/// The largest difference of any channel between two recordings, over their whole length.
fn largest_difference(a: &Document, b: &Document) -> f64 {
    let (a, b) = (clip(a), clip(b));
    let mut worst = 0f64;
    for (x, y) in a.tracks.iter().zip(&b.tracks) {
        assert_eq!(x.target, y.target);
        for (x, y) in x.channels.iter().zip(&y.channels) {
            for step in 0..=400 {
                let time = Seconds(a.duration.0 * f64::from(step) / 400.0);
                let (mut p, mut q) = (Vec::new(), Vec::new());
                channel_at(x, time, Side::At, &mut p);
                channel_at(y, time, Side::At, &mut q);
                worst = p.iter().zip(&q).map(|(p, q)| (p - q).abs()).fold(worst, f64::max);
            }
        }
    }
    worst
}

#[test]
fn simple_keys_become_full_ones_exactly() {
    for bytes in [head_and_gaze(), hands()] {
        let (document, report) = edited(&bytes, "1.1-doc");
        assert_eq!(largest_difference(&document, &read::<Mrtk2>(&bytes)), 0.0);
        assert_eq!(report, Report::default());
    }
}

#[test]
fn and_back_without_a_difference() {
    let (mut document, _) = edited(&head_and_gaze(), "1.1-doc");
    let edit = Edit { variant: Some("1.1".into()), ..Edit::default() };
    Mrtk2::edit(&mut document, &edit, &mut Report::default()).unwrap();
    assert_eq!(document, read::<Mrtk2>(&head_and_gaze()));
}

#[test]
fn tangents_become_straight_lines_within_the_tolerance() {
    for bytes in [documented(), version_1_0()] {
        let (document, report) = edited(&bytes, "1.1");
        assert!(largest_difference(&document, &read::<Mrtk2>(&bytes)) < 6e-5);
        let bound = report.losses.iter().find_map(|loss| match loss {
            Loss::Approximated { max_error, .. } => Some(max_error.value),
            _ => None,
        });
        assert!(bound.is_some_and(|bound| bound > 1e-6 && bound <= 5e-5), "{bound:?}");
    }
}

#[test]
fn version_1_0_drops_the_gaze_with_a_word() {
    let (document, report) = edited(&head_and_gaze(), "1.0");
    assert!(document.gaze.is_none() && document.hands.is_some());
    assert!(
        matches!(&report.losses[..], [Loss::Dropped { what, .. }] if what == "5 gaze keys"),
        "{report:?}"
    );
    let gaze = clip(&read::<Mrtk2>(&head_and_gaze()));
    assert!(gaze.tracks.iter().any(|t| t.channels.iter().any(|c| c.property == Property::Direction)));
}

#[test]
fn its_own_variant_changes_nothing() {
    for (bytes, variant) in [(head_and_gaze(), "1.1"), (version_1_0(), "1.0"), (documented(), "1.1-doc")] {
        let (document, report) = edited(&bytes, variant);
        assert_eq!((document, report), (read::<Mrtk2>(&bytes), Report::default()));
    }
}

#[test]
fn sorting_puts_keys_and_markers_in_the_order_of_their_times() {
    for name in ["unsorted-keys", "unsorted-markers"] {
        let path = crate::animation::fixtures::folder().join("quirk").join(format!("{name}.bin"));
        let mut document = read::<Mrtk2>(&dopesheet_testkit::bytes(&path));
        let edit = Edit { sort: true, ..Edit::default() };
        Mrtk2::edit(&mut document, &edit, &mut Report::default()).unwrap();
        let mut report = Report::default();
        Mrtk2::check(&document, &mut report);
        assert!(report.findings.iter().all(|f| f.fault.code != name));
    }
}
