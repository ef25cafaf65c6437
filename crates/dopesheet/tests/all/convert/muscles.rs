//! Clips of Unity's humanoid: what muscles do to joints only an avatar says, so that nobody gets a figure that stands still.
#![cfg(all(feature = "unity", feature = "gltf"))]

use dopesheet::core::diag::Loss;
use dopesheet::{
    ConvertOptions, Opened, ReadOptions, RenderOptions, SampleOptions, TimeSpec, convert, open, poses,
    registry, render, sample, sample::Space,
};
use dopesheet_testkit::workspace;

const REFUSED: &str =
    "nothing to convert: humanoid muscle curves need an avatar, which says what they do to joints; ";

fn fixture(name: &str) -> Opened {
    let path = workspace().join("formats/unity/src/animation/fixtures/quirk").join(name);
    open(&path, None, &ReadOptions::default()).unwrap()
}

fn at_the_start() -> TimeSpec {
    TimeSpec::List(vec![dopesheet::times::TimeValue::Seconds(0.0)])
}

#[test]
fn a_clip_of_muscles_alone_becomes_no_file_in_which_nothing_moves() {
    let clip = [fixture("humanoid.anim")];
    let mut refused = 0;
    for format in registry::formats().iter().filter(|format| {
        let info = format.info();
        info.capabilities.writes && info.id != "unity-anim"
    }) {
        let error = convert(&clip, &ConvertOptions::to(*format)).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{REFUSED}the clip has one and moves nothing else"),
            "{}",
            format.info().id
        );
        refused += 1;
    }
    assert!(refused > 1, "{refused}");
}

#[test]
fn a_clip_of_muscles_alone_has_no_picture_and_no_poses() {
    let clip = fixture("humanoid.anim");
    let error = render(&clip, &RenderOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with(REFUSED), "{error}");
    let options = SampleOptions::at(at_the_start());
    let error = poses(&clip, &options).unwrap_err();
    assert!(error.to_string().starts_with(REFUSED), "{error}");
    let error = sample(&clip, &SampleOptions { space: Space::Model, ..options }).unwrap_err();
    assert!(error.to_string().starts_with(REFUSED), "{error}");
    // The numbers themselves are there all the same.
    let sampled = sample(&clip, &SampleOptions::at(at_the_start())).unwrap();
    let found: Vec<_> =
        sampled.tracks.iter().map(|track| (&*track.target, &*track.channels[0].name)).collect();
    assert_eq!(found, [("Left Arm Down-Up", "muscle")]);
}

#[test]
fn muscles_beside_other_curves_are_dropped_and_said() {
    let clip = [fixture("humanoid-and-objects.anim")];
    let made = convert(&clip, &ConvertOptions::to(registry::by_id("glb").unwrap())).unwrap();
    let dropped: Vec<_> = made
        .report
        .report
        .losses
        .iter()
        .filter_map(|loss| match loss {
            Loss::Dropped { what, why } => Some(format!("{what}: {why}")),
            _ => None,
        })
        .collect();
    assert!(
        dropped.contains(
            &"2 humanoid muscle curves: they need an avatar, which says what they do to joints".to_owned()
        ),
        "{dropped:?}"
    );
    let written =
        dopesheet::read("a.glb", &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    let sampled = sample(&written, &SampleOptions::at(at_the_start())).unwrap();
    let moved: Vec<_> = sampled.tracks.iter().map(|track| &*track.target).collect();
    assert_eq!(moved, ["Spine", "Morphs"]);
    let rendered = render(&clip[0], &RenderOptions::default()).unwrap();
    let said: Vec<_> = rendered.report.findings.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|line| line.contains("an avatar for 2 humanoid muscle curves")), "{said:?}");
}

#[test]
fn muscles_stay_in_clips_of_unity() {
    use dopesheet::{times::RangeSpec, times::TimeValue};
    let clip = [fixture("humanoid.anim")];
    let range = Some(RangeSpec { start: TimeValue::Seconds(0.0), end: TimeValue::Seconds(0.5) });
    let options = ConvertOptions { range, ..ConvertOptions::to(registry::by_id("unity-anim").unwrap()) };
    let made = convert(&clip, &options).unwrap();
    let text = String::from_utf8(made.output.main).unwrap();
    assert!(text.contains("attribute: Left Arm Down-Up") && text.contains("classID: 95"), "{text}");
}
