//! Clips cut into several.

use crate::assert_says;
use dopesheet_core::model::{
    Channel, Clip, Curve, Law, Laws, Marker, Property, Target, TargetKind, Times, Track,
};
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_edit::{Reason, Split, split};

fn clip(grid: Option<FrameRate>, markers: &[f64]) -> Clip {
    let marker = |time: &f64| Marker { time: Seconds(*time), name: String::new(), data: None };
    Clip { duration: Seconds(4.0), grid, markers: markers.iter().map(marker).collect(), ..Clip::default() }
}

fn ranges(clip: &Clip, at: &[TimeValue]) -> Result<Vec<RangeSpec>, Reason> {
    let parts = split(clip, &Split { at: at.to_vec(), snap: false })?;
    Ok(parts.into_iter().map(|part| part.range).collect())
}

#[test]
fn parts_meet_at_the_times_that_are_given() {
    let seconds = |times: [f64; 2]| RangeSpec {
        start: TimeValue::Seconds(times[0]),
        end: TimeValue::Seconds(times[1]),
    };
    let found = ranges(
        &clip(None, &[]),
        &[TimeValue::Seconds(2.5), TimeValue::Seconds(1.0), TimeValue::Seconds(1.0)],
    );
    assert_eq!(found, Ok(vec![seconds([0.0, 1.0]), seconds([1.0, 2.5]), seconds([2.5, 4.0])]));
}

#[test]
fn split_keeps_the_start_of_a_clip_with_keys_before_zero() {
    let times = Times::Seconds([-120.0, 0.0, 4.0].into());
    let switch = Curve::new(times, 1, vec![0.0, 1.0, 0.0], Laws::uniform(Law::STEP));
    let track = Track {
        target: Target::new(TargetKind::Hand, "Left", 0, None),
        channels: vec![Channel::whole(Property::Weight, switch)],
    };
    let clip = Clip { tracks: vec![track], ..clip(None, &[]) };
    let part =
        |start: f64, end: f64| RangeSpec { start: TimeValue::Seconds(start), end: TimeValue::Seconds(end) };
    assert_eq!(ranges(&clip, &[TimeValue::Seconds(1.0)]), Ok(vec![part(0.0, 1.0), part(1.0, 4.0)]));
}

#[test]
fn without_times_markers_between_the_ends_count_on_the_nearest_frame() {
    let frames = |frames: [f64; 2]| RangeSpec {
        start: TimeValue::Frames(frames[0]),
        end: TimeValue::Frames(frames[1]),
    };
    let found = ranges(&clip(Some(FrameRate::FPS_30), &[3.01, 0.0, 1.0, 4.0]), &[]);
    assert_eq!(found, Ok(vec![frames([0.0, 30.0]), frames([30.0, 90.0]), frames([90.0, 120.0])]));
}

#[test]
fn what_cannot_be_cut_is_refused() {
    assert_says(&ranges(&clip(None, &[0.0, 4.0]), &[]).unwrap_err(), "expected times to cut at");
    for time in [-1.0, 0.0, 4.0, 5.0] {
        let found = ranges(&clip(None, &[]), &[TimeValue::Seconds(time)]);
        assert_says(&found.unwrap_err(), "expected a range within the clip");
    }
    let between = ranges(&clip(Some(FrameRate::FPS_30), &[]), &[TimeValue::Frames(1.5)]);
    assert!(matches!(between, Err(Reason::OffGrid { .. })), "{between:?}");
}

#[test]
fn a_clip_that_ends_a_little_before_a_frame_is_cut_like_one_that_ends_on_it() {
    let rate = FrameRate::FPS_60;
    let mut clip = clip(Some(rate), &[]);
    clip.duration = Seconds(rate.seconds(140.0).0 - 2e-6);
    for part in split(&clip, &Split { at: vec![TimeValue::Frames(30.0)], snap: false }).unwrap() {
        let mut part_clip = clip.clone();
        dopesheet_edit::trim(
            &mut part_clip,
            &part,
            &dopesheet_core::model::Basis::GLTF,
            &mut Default::default(),
        )
        .unwrap_or_else(|reason| panic!("{reason:?}"));
    }
}
